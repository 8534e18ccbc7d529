package scrape

import (
	"masthead/pkg/picture"
	"masthead/pkg/weburl"
)

// StepKind is the kind of a step.
type StepKind uint8

// The kinds of steps in their order; pictures may come at any time.
const (
	// PageAnswered: the response of the page was read.
	PageAnswered StepKind = iota
	// PageRead: its document was parsed.
	PageRead
	// PictureMeasured: a picture that the page names was measured, or couldn't be.
	PictureMeasured
)

// Step is a step of progress.
type Step struct {
	Kind StepKind
	// URL is what was fetched: the final address of a page, the address of a picture as the page names it.
	URL    weburl.URL
	Status int
	// Icon means that a picture is a site icon, not a share image.
	Icon bool
	// Size is the number of bytes after decompression, or a lower bound if AtLeast.
	Size    int64
	AtLeast bool
	// Facts describe a picture; Err says why there are none.
	Facts picture.Facts
	Err   error
}

// tell reports a step. Calls are serialized.
func (sc *scraping) tell(step Step) {
	if sc.need.OnStep == nil {
		return
	}
	sc.steps.Lock()
	defer sc.steps.Unlock()
	if !sc.ended {
		sc.need.OnStep(step)
	}
}
