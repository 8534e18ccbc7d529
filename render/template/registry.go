// Package template owns the designs of cards, one file for each, and what they are written in.
//
// # To add a template
//
// Write SLUG.go: a description and a function for each kind that it draws, handed to register. The example of this
// page is such a file. The catalogue, its sample, the gallery (go run ./cmd/bench gallery) and the tests of every
// rule that holds for all templates come by themselves. Look at its goldens after drawing them with
//
//	go test ./render -run Golden -update
//
// The function reads like the brief of the design, from the ground to the title:
//
//  1. [Card.Ground] covers the card and returns the canvas, on which the motif is drawn. What stands on the ground is
//     told of it as a [Surface]: [Card.BG] where it is the canvas colour of the theme.
//  2. [Card.PlaceLogo] draws the caller's logo in its corner. The [Logo] that it returns says what is left of the rows
//     between the corners.
//  3. Texts stand where [Card.PutRow] puts them (a line of texts and icons, whose last ones go where room falls short),
//     [Card.PutHeading] (a title and a description that share a [Column]), [Card.PutColumn] (other blocks under each
//     other, apart by their ink) or [Card.Put] (one alone, by its [Anchor]). What several designs share is a function:
//     putBrandRow, putEyebrowRow, byline, drawBackdropLetter.
//
// A request may bring a picture to draw over. Then the function is run twice, first to learn where the texts stand, and
// [Card.Ground] lays the picture under them, hidden as far as they need it. A template does nothing for that but leave
// out its motif ([Card.HasPicture]); one that wants the picture elsewhere, or in other colours, says so with
// [Card.Over].
//
// Whatever a later step must know comes back from the earlier one as a value. What only one design needs is a plain
// function in its file.
//
// # Rules
//
// A template is pure: it draws from the [Card] that it is handed, and from nothing else; what it draws by chance
// comes from Spec.Seed. It gives places in the layout, for text that runs left to right: the card mirrors them. Any
// text but the title may be missing, and the card closes the gap: an empty text leaves no trace. It has a place for a
// logo in each corner, and says a name or a host once.
package template

import (
	"cmp"
	"slices"
)

// Kind is what a picture is for. It decides the size.
type Kind string

// The kinds of picture that templates draw.
const (
	OG       Kind = "og"        // share image, 1200×630
	BlogHero Kind = "blog_hero" // picture at the head of an article, 1600×900 or 1600×1000
)

// Info describes a template to those who choose one.
type Info struct {
	Slug, Name string
	Mood       string // one line
	GoodFor    string
	Needs      []string // the texts of a page that it lives on
	TextSide   string   // "left", "center" or "right", for text that runs left to right
	Bare       bool     // it is never drawn over a picture
	Photo      []Kind   // in which it shows the page's own picture, where the page has one
	AnyPhoto   bool     // even one that bears words, such as a screenshot
	Portrait   bool     // it shows who wrote the page
	Kinds      []Kind   // that it draws: those that have a function; register fills them in
}

// Template is a design: a function for each of its kinds, the others are nil. A function draws the ground, motif and
// surfaces of a card at once and hands its text to the card.
type Template struct {
	Info
	OG, BlogHero func(*Card)
}

// draw returns the function of a kind, or nil.
func (t *Template) draw(kind Kind) func(*Card) {
	switch kind {
	case OG:
		return t.OG
	case BlogHero:
		return t.BlogHero
	}
	return nil
}

// registry holds all templates, sorted by slug.
var registry []*Template

// register adds a template. It panics at start for what only a programmer can get wrong.
func register(t Template) *Template {
	at, found := slices.BinarySearchFunc(registry, t.Slug, func(t *Template, slug string) int {
		return cmp.Compare(t.Slug, slug)
	})
	if found {
		panic("template: two have the slug " + t.Slug)
	}
	for _, kind := range []Kind{OG, BlogHero} {
		if t.draw(kind) != nil {
			t.Kinds = append(t.Kinds, kind)
		}
	}
	if t.Slug == "" || len(t.Kinds) == 0 {
		panic("template: one has no slug or draws nothing: " + t.Name)
	}
	registry = slices.Insert(registry, at, &t)
	return &t
}

// All returns every template, sorted by slug. The slice is shared: do not change it.
func All() []*Template { return registry }

// Find returns the template of a slug if it draws a kind, whatever it draws where kind is "".
func Find(slug string, kind Kind) (*Template, bool) {
	for _, t := range registry {
		if t.Slug == slug && (kind == "" || t.draw(kind) != nil) {
			return t, true
		}
	}
	return nil, false
}
