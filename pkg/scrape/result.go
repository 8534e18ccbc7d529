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

// State is the outcome of a part.
type State uint8

// The states. The zero value is NotAsked.
const (
	// NotAsked: the part wasn't requested, or depends on one that is missing.
	NotAsked State = iota
	// Got: the value is complete.
	Got
	// Absent: the site doesn't have it.
	Absent
	// Refused: its address may not be fetched ([fetch.ErrRefused]).
	Refused
	// Failed: it couldn't be fetched, or isn't what it should be; the error says why.
	Failed
)

// String returns the state in lower case.
func (s State) String() string {
	return [...]string{"not asked", "got", "absent", "refused", "failed"}[s]
}

// Part is one requested part. Unless State is Got, Value has only the fields known anyway.
type Part[T any] struct {
	Value T
	State State
	// Err says why a part was refused or failed. Errors of fetching are *apperr.Error with details fit for users.
	Err error
}

// Got reports whether the value is complete.
func (p Part[T]) Got() bool { return p.State == Got }

// Result has the facts about an address. It is a plain value that nothing else refers to.
type Result struct {
	// URL is the requested address.
	URL        weburl.URL
	Page       Part[Document]
	Manifest   Part[page.Manifest]
	Stylesheet Part[page.Style]
	Icon       Part[Icon]
	// Icons are all candidates for the site's icon, best first: examined pictures, then failed ones, then those that
	// weren't examined.
	Icons []Part[IconFile]
	// Maskable is the manifest's icon for launchers that crop icons, MaskIcon the page's drawing of one color.
	Maskable, MaskIcon Part[IconFile]
	Colors             Part[[]Color]
	ShareImages        []Part[ShareImage]
	// SharePicture is the picture of the page's preview, decoded for its colors.
	SharePicture Part[SharePicture]
	// Photo is the page's own picture, and Portrait its author's; each is absent if the page has none, or one too small
	// for a card.
	Photo, Portrait Part[Picture]
	// PhotoLate means that Photo is absent because it took longer than [Need.PhotoTime].
	PhotoLate bool
	// Robots is the robots.txt of the page's host, absent if the host has none.
	Robots Part[page.Robots]
	// Favicon is the icon of the page's preview, measured.
	Favicon Part[ShareImage]
	// Canonical is the target of the first canonical address, absent if there is none or it is the page itself. Alternates
	// are the fetched language versions.
	Canonical  Part[LinkedPage]
	Alternates []Part[LinkedPage]
	// LLMs is the llms.txt of the page's host, absent if it has none, and Markdown the page as Markdown, absent if it is
	// sent as something else.
	LLMs, Markdown Part[LinkedPage]
	// OEmbed is the target of the page's first oEmbed link, absent if it has none.
	OEmbed Part[LinkedPage]
	// Pictures are those of [Need.Pictures], in that order.
	Pictures []Part[Picture]
	// Extra are pictures that a caller has read after the page, by what it says.
	Extra []Part[Picture]
	// SVGMissed reports whether an SVG was left out only because the engine wasn't ready: results made without it can soon
	// be improved.
	SVGMissed bool
	// Fault is the error of the missing essential part that stopped everything, or nil.
	Fault error
}

// Document is the page as fetched.
type Document struct {
	*page.Page
	// URL is the final address after Redirects.
	URL       weburl.URL
	Status    int
	Header    http.Header
	Redirects []fetch.Redirect
	// Size is the number of bytes after decompression; Truncated means that only the beginning was read. Broken means that
	// this is because the connection broke, so the next request may get the whole page.
	Size              int64
	Truncated, Broken bool
	// Texts are the page's texts for drawing and storing.
	Texts Texts
}

// Texts are a page's texts about itself, cleaned and cut once for drawing, storing and prompts. Previews use the uncut
// ones of [page.Metadata].
type Texts struct {
	// CardTitle is the title without the site's name, for cards that show the site elsewhere. Like all texts but Title it
	// is "" instead of a [page.Leftover].
	CardTitle                                     string
	Title, Description, SiteName, Eyebrow, Author string
}

// TextsOf returns the texts of a page, cleaned and cut.
func TextsOf(p *page.Page) Texts {
	shown := func(text string) string { return page.WithoutEscapes(page.WithoutLeftover(text)) }
	description := p.OwnDescription()
	if kind := p.Details.Kind; description == "" && (kind == page.ArticleKind || kind == page.NewsKind) {
		description = p.Details.Lead // a card of a title alone is half empty
	}
	return Texts{
		CardTitle:   page.WithoutEscapes(p.Details.Title),
		Title:       cleantext.Clean(page.WithoutEscapes(p.Metadata.Title), cleantext.MaxTitle),
		Description: cleantext.Clean(shown(description), cleantext.MaxDescription),
		SiteName:    cleantext.Clean(shown(p.Details.SiteName), cleantext.MaxSite),
		Eyebrow:     shown(p.Details.Eyebrow), // the page's details are already clean
		Author:      shown(p.Details.Author),
	}
}

// PageFault marks an error as one about the page of a request, whose body calls it url. Refused targets keep the one
// message for all of them.
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
