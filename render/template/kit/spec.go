package kit

import (
	"crypto/sha256"
	"encoding/binary"
	"image"

	"masthead/render/palette"
	"masthead/render/text"
)

// Texts are what a card may say; what is unknown is empty. In a request they are as its page has them, in a [Spec]
// they are bounded, in the typography of the page's language, and say nothing twice. Description and Quote are bounded
// alone: what becomes of them depends on the room that they get.
type Texts struct {
	Title, Description string
	// DescriptionGiven says that the description is the caller's own, not the page's: it is drawn however short it is.
	DescriptionGiven bool
	SiteName, Host   string   // "Northlane", "northlane.dev"; the host is shown without "www." and the like
	Eyebrow          string   // the section: a few words over the title
	Author           string   // of the page
	Quote            string   // a sentence that speaks for the page
	QuoteAuthor      string   // who said it; "" for one that the page does not name
	Version          string   // that the page is about, "v3.2" or "3.2"
	Path             string   // of the page, readable, from its first slash: "/blog/render-queue"
	Owner, Repo      string   // of a page of a code forge: "northlane", "render-queue"
	Crumb            []string // where the page stands, from the top, at most 3
	Items            []string // first entries of the page's main list, at most 3
}

// Pictures are the foreign pictures of a card; each may be nil. They are read while drawing, never changed. A
// template that has no place for one leaves it out.
type Pictures struct {
	Icon *image.NRGBA // the site's
	Logo *image.NRGBA // stands in a corner, in place of the icon
	// Photo is the page's own picture, for templates that say Info.Photo. A Background takes its place.
	Photo *image.NRGBA
	// Portrait is the picture of who wrote the page.
	Portrait *image.NRGBA
}

// Spec is everything that a card is drawn from.
type Spec struct {
	Texts
	Date, ReadingTime string // in the page's language
	Day, Month        string // those of the date: its number, and month and year in the page's language
	Pictures
	// Background is what the card is drawn over in place of its own background and motif; nil: those.
	Background image.Image
	Corner     Corner // of the logo, as it will be seen

	Kind   Kind
	Tall   bool   // a hero of 16:10 rather than 16:9
	Seed   uint64 // of what is drawn by chance; see SeedOf
	Theme  palette.Theme
	Family text.Family
	Lang   string // BCP 47
	RTL    bool   // the page runs right to left
	// Lossless says that the card will be a PNG, whatever its size: then soft light is not dithered.
	Lossless bool
}

// SeedOf returns the random seed of a page: the same URL always gets the same motif.
func SeedOf(url string) uint64 {
	sum := sha256.Sum256([]byte(url))
	return binary.BigEndian.Uint64(sum[:8])
}

// Size returns the size of a card in pixels.
func (s *Spec) Size() (w, h int) {
	switch {
	case s.Kind == OG:
		return 1200, 630
	case s.Tall:
		return 1600, 1000
	}
	return 1600, 900
}

// textZone returns the top and bottom of the area for texts, in the layout. Source: docs/rendering.md#canvas.
func (s *Spec) textZone() (top, bottom float64) {
	if s.Kind == OG {
		return 60, 576
	}
	return 112, 800
}
