package kit

import (
	"crypto/sha256"
	"encoding/binary"
	"image"

	"masthead/render/palette"
	"masthead/render/text"
)

// Texts are the texts of a card; unknown ones are empty. In a request they are as on the page; in a [Spec] they are
// limited in length, in the typography of the page's language, and without repetitions. Description and Quote are only
// limited: their final form depends on their room.
type Texts struct {
	Title, Description string
	// DescriptionGiven means that the description is the caller's own, not the page's: it is drawn however short it is.
	DescriptionGiven bool
	SiteName, Host   string   // "Northlane", "northlane.dev"; the host is shown without "www." and similar labels
	Eyebrow          string   // the section: a few words above the title
	Author           string   // of the page
	Quote            string   // a characteristic sentence
	QuoteAuthor      string   // its author, or "" if unknown
	Version          string   // the version that the page is about, "v3.2" or "3.2"
	Path             string   // of the page, readable, from its first slash: "/blog/render-queue"
	Owner, Repo      string   // of a page on a code forge: "northlane", "render-queue"
	Project          Project  // what the page says about that repository
	Sections         []string // headings of the page's parts, at most 4
	Crumb            []string // the position of the page, from the top, at most 3
	Session          []string // lines of a session of a shell that the page shows, at most 8
	Code             Code     // that the page shows
	Items            []string // first entries of the page's main list, at most 3
}

// Project is what a page says about a repository. What is unknown is empty.
type Project struct {
	Language string // "Go"
	Stars    int
	License  string // an identifier of SPDX
}

// Code is the beginning of a block of code; without Lines there is none.
type Code struct {
	Lines    []string // at most 8
	First    int      // number of the first of them, from 1
	Language string   // as classes name it, in lower case, or ""
}

// Pictures are the pictures of a card from elsewhere; each may be nil. They are read while drawing, never changed.
// Templates ignore those that they have no place for.
type Pictures struct {
	Icon *image.NRGBA // the site's
	Logo *image.NRGBA // in a corner, replaces the icon
	// Photo is the page's own picture, for templates with Info.Photo. A Background replaces it.
	Photo *image.NRGBA
	// Portrait is the picture of the author.
	Portrait *image.NRGBA
}

// Leaf is what a calendar shows of an event, in the page's language; without a Day there is none.
type Leaf struct {
	Month, Day, Weekday string // "October", "14" or "5–7", "Wednesday"
	Time, Place, Price  string // "09:30 – 17:00", "Oslo", "from €18.50"
	Note                string // "Cancelled", or ""
}

// Goods is what a card shows of a thing for sale, a recipe or a work, in the page's language; without a Headline and a
// Rating there is none.
type Goods struct {
	Headline, Old   string   // a price and the one before, a time, or the name of a creator
	Name            bool     // Headline is a name
	Gone            bool     // it is sold out
	Dish            bool     // it is a recipe
	Rating          float64  // to 5; 0 if unknown
	Facts           []string // "4.7 (1,284)", "In stock"; the first has the Rating, if any
	Square, Upright bool     // the picture is the cover of a record, or of another work
	Bound           bool     // which is a book
}

// Play is what a card shows of an episode or a video, in the page's language, if it is known.
type Play struct {
	Known, Video   bool
	Show, Guest    string   // "Fieldnote Radio", "with Tomas Lindqvist"
	GuestName      string   // "Tomas Lindqvist"
	Number, Length string   // "Episode 48", "52 min"
	Facts          []string // season, number and length
}

// Spec is everything that a card is drawn from.
type Spec struct {
	Texts
	Date, ReadingTime string // in the page's language
	Day, Month        string // parts of the date: its number, and month and year in the page's language
	Leaf              Leaf   // of the event that the page is about
	Goods             Goods  // that the page is about
	Play              Play   // the same
	Pictures
	// Background is what the card is drawn over instead of its own background and motif, or nil.
	Background image.Image
	Corner     Corner // of the logo, as seen

	// Site is the registrable domain of the page, or else the name of its site, by which its figure is known.
	Site   string
	Kind   Kind
	Tall   bool        // a hero of 16:10 instead of 16:9
	Sides  image.Point // the size of the kind Custom
	Seed   uint64      // for random elements; see SeedOf
	Theme  palette.Theme
	Family text.Family
	Lang   string // BCP 47
	RTL    bool   // the page is right-to-left
	// Lossless means that the card will be a PNG of any size: then soft light isn't dithered.
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
	case s.Kind == Custom:
		return s.Sides.X, s.Sides.Y
	case s.Kind == OG:
		return 1200, 630
	case s.Tall:
		return 1600, 1000
	}
	return 1600, 900
}

// textZone returns the top and bottom of the area for texts, in the layout. Source: docs/rendering.md#canvas.
func (s *Spec) textZone() (top, bottom float64) {
	switch s.Kind {
	case OG:
		return 60, 576
	case Custom:
		l := s.Format()
		return l.Top, l.Bottom
	}
	return 112, 800
}
