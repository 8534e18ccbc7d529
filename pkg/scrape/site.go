package scrape

import (
	"net/http"

	"masthead/pkg/cleantext"
	"masthead/pkg/fetch"
	"masthead/pkg/page"
	"masthead/pkg/weburl"
)

// State says what came of a part.
type State uint8

// The states. The zero value is NotAsked.
const (
	// NotAsked: nobody wanted the part, or what it hangs on was not got.
	NotAsked State = iota
	// Got: the value is complete.
	Got
	// Absent: the site has no such thing.
	Absent
	// Refused: it is at an address that is not fetched ([fetch.ErrRefused]).
	Refused
	// Failed: it could not be fetched, or is not what it should be; the error says why.
	Failed
)

// String returns the state in lower case.
func (s State) String() string {
	return [...]string{"not asked", "got", "absent", "refused", "failed"}[s]
}

// Part is one thing that was asked for. Unless it was got, Value holds no more than what is known all the same.
type Part[T any] struct {
	Value T
	State State
	// Err says why a part was refused or failed. Those of a fetch are *apperr.Error whose detail is fit for users.
	Err error
}

// Got reports whether the value is there.
func (p Part[T]) Got() bool { return p.State == Got }

// Site is what was found out about an address. It is a plain value that nothing else holds on to.
type Site struct {
	// URL is the address that was asked about.
	URL         weburl.URL
	Page        Part[Document]
	Manifest    Part[page.Manifest]
	Stylesheet  Part[page.Style]
	Icon        Part[Icon]
	Colors      Part[[]Color]
	ShareImages []Part[ShareImage]
	// Pictures are those of [Need.Pictures], in its order.
	Pictures []Part[Picture]
	// Fault is the error of the essential part whose want ended everything; nil when there was none.
	Fault error
}

// Document is the page as it was fetched.
type Document struct {
	*page.Page
	// URL is where it was in the end, after Redirects.
	URL       weburl.URL
	Status    int
	Header    http.Header
	Redirects []fetch.Redirect
	// Size is the number of bytes after decompression; Truncated says that only the beginning was read.
	Size      int64
	Truncated bool
	// Texts are the page's texts for drawing and storing.
	Texts Texts
}

// Texts are what a page says about itself, cleaned and cut once for drawing, storing and prompts. A preview takes the
// uncut ones of [page.Metadata].
type Texts struct {
	Title, Description, SiteName, Eyebrow, Author string
}

func textsOf(p *page.Page) Texts {
	return Texts{
		Title:       cleantext.Clean(p.Metadata.Title, cleantext.MaxTitle),
		Description: cleantext.Clean(p.Metadata.Description, cleantext.MaxDescription),
		SiteName:    cleantext.Clean(p.Metadata.SiteName, cleantext.MaxSite),
		Eyebrow:     p.Details.Eyebrow, // the page's details are clean
		Author:      p.Details.Author,
	}
}
