package scrape

import (
	"errors"
	"net/http"

	"masthead/pkg/apperr"
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
	URL        weburl.URL
	Page       Part[Document]
	Manifest   Part[page.Manifest]
	Stylesheet Part[page.Style]
	Icon       Part[Icon]
	// Icons are all that may be the site's icon, the best first: those that were looked at and are pictures, then those
	// that could not be had, then those that were not looked at.
	Icons       []Part[IconFile]
	Colors      Part[[]Color]
	ShareImages []Part[ShareImage]
	// SharePicture is the picture of the page's preview, decoded for its colours.
	SharePicture Part[SharePicture]
	// Photo is the page's own picture, and Portrait that of who wrote it; each is absent when the page has none, or one
	// too small for a card.
	Photo, Portrait Part[Picture]
	// Robots is the robots.txt of the page's host; it is absent when the host has none.
	Robots Part[page.Robots]
	// Favicon is the icon of the page's preview, measured.
	Favicon Part[ShareImage]
	// Canonical is where the first canonical address leads; it is absent when that is the page itself, or there is
	// none. Alternates are the language versions that were fetched.
	Canonical  Part[Linked]
	Alternates []Part[Linked]
	// Pictures are those of [Need.Pictures], in its order.
	Pictures []Part[Picture]
	// SVGMissed says that an SVG was left out for the engine alone, which was not ready: what is made of the site without
	// it will be better soon.
	SVGMissed bool
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
	// Size is the number of bytes after decompression; Truncated says that only the beginning was read. Broken says that
	// this is because the connection broke off, so that the next request may bring the whole page.
	Size              int64
	Truncated, Broken bool
	// Texts are the page's texts for drawing and storing.
	Texts Texts
}

// Texts are what a page says about itself, cleaned and cut once for drawing, storing and prompts. A preview takes the
// uncut ones of [page.Metadata].
type Texts struct {
	// CardTitle is the title without what it says about the site, for a card that names the site elsewhere. Like the
	// other texts but Title it is "" rather than a [page.Leftover].
	CardTitle                                     string
	Title, Description, SiteName, Eyebrow, Author string
}

// TextsOf returns the texts of a page, cleaned and cut.
func TextsOf(p *page.Page) Texts {
	return Texts{
		CardTitle:   p.Details.Title,
		Title:       cleantext.Clean(p.Metadata.Title, cleantext.MaxTitle),
		Description: cleantext.Clean(page.WithoutLeftover(p.Metadata.Description), cleantext.MaxDescription),
		SiteName:    cleantext.Clean(page.WithoutLeftover(p.Metadata.SiteName), cleantext.MaxSite),
		Eyebrow:     page.WithoutLeftover(p.Details.Eyebrow), // the page's details are clean
		Author:      page.WithoutLeftover(p.Details.Author),
	}
}

// PageFault says that an error is about the page of a request, whose body names it as url: a target that may not be
// reached keeps the one sentence for all of them.
func PageFault(err error) error {
	var known *apperr.Error
	if !errors.As(err, &known) || known.Code != apperr.BadRequest && known.Code != apperr.UpstreamFailed {
		return err
	}
	fault := apperr.Wrap(known.Code, known.Detail, err)
	fault.RetryAfter = known.RetryAfter
	fault.Fields = []apperr.Field{{Pointer: "/url", Detail: known.Detail}}
	return fault
}
