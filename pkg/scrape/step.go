package scrape

import (
	"masthead/pkg/picture"
	"masthead/pkg/weburl"
)

// StepKind is what was found out.
type StepKind uint8

// The kinds of steps, in the order in which they come; pictures may come in any.
const (
	// PageAnswered: the response of the page was read.
	PageAnswered StepKind = iota
	// PageRead: its document was parsed.
	PageRead
	// PictureMeasured: a picture that the page names was looked at, or could not be.
	PictureMeasured
)

// Step is something that was found out on the way, for those who watch.
type Step struct {
	Kind StepKind
	// URL is what was fetched: of a page where it was in the end, of a picture what the page names.
	URL    weburl.URL
	Status int
	// Icon says of a picture that it stands for the site, and is not what the page is shared with.
	Icon bool
	// Size is the number of bytes after decompression, or, when AtLeast, the least that it can be.
	Size    int64
	AtLeast bool
	// Facts are those of a picture, Err why there are none.
	Facts picture.Facts
	Err   error
}

// tell tells whoever watches, one step at a time.
func (sc *scraping) tell(step Step) {
	if sc.need.Told == nil {
		return
	}
	sc.told.Lock()
	defer sc.told.Unlock()
	if !sc.gone {
		sc.need.Told(step)
	}
}
