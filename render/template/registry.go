// Package template owns the designs of cards, one file each, and their registry. What they are built of is in
// [masthead/render/template/kit]: the card, its text and logo placement, pictures. What they are recognized by is drawn
// by [masthead/render/template/motif].
//
// # To add a design
//
// Write SLUG.go: a [kit.Template] with a description and a function for each kind of picture that it draws, passed to
// register. The example on this page is such a file. The catalog, its sample, the gallery (go run ./cmd/bench gallery)
// and the tests of the rules that hold for all designs pick it up. Draw its goldens with the command below and look at
// them:
//
//	go test ./render -run Golden -update
//
// The function runs from the background to the text:
//
//  1. [kit.Card.Begin] fills the background and returns the canvas, on which the design draws its motif. A
//     [kit.Surface] says which colors read on a background; [kit.Card.BG] is that of the theme's canvas color.
//  2. [kit.Card.PlaceLogo] draws the logo in its corner. The [kit.Logo] that it returns has the free width of the rows
//     between the corners.
//  3. [kit.Card.PutRow] places a line of texts and icons and drops the last ones when the width runs out.
//     [kit.Card.PutHeading] places a title and a description that share a [kit.Column], [kit.Card.PutColumn] other
//     blocks below each other, [kit.Card.Put] a single one. [kit.PutBrandRow], [kit.PutEyebrowRow] and [kit.Byline] are
//     the rows that several designs share.
//
// A request may have a picture to draw over. The function then runs twice: the first run finds out where the texts are,
// and in the second [kit.Card.Begin] paints the picture, dimmed as much as the texts need. All that a design does for
// it is leave out its motif ([kit.Card.HasPicture]). A design that wants the picture elsewhere or in other colors calls
// [kit.Card.Over].
//
// # Rules
//
// A design is pure: it reads its [kit.Card] and nothing else, and takes random numbers from Spec.Seed. It gives
// coordinates for left-to-right text; the card mirrors them. Every text but the title may be empty and then leaves no
// gap. Each corner can hold a logo, and the card shows each name and host once. docs/rendering.md has the measures.
package template

import (
	"cmp"
	"image"
	"slices"

	"masthead/render/template/kit"
)

// registry holds all designs, sorted by slug.
var registry []*kit.Template

// register adds a design. It panics on a duplicate or empty slug and on a design without a drawing function.
func register(t kit.Template) *kit.Template {
	at, found := slices.BinarySearchFunc(registry, t.Slug, func(t *kit.Template, slug string) int {
		return cmp.Compare(t.Slug, slug)
	})
	if found {
		panic("template: duplicate slug " + t.Slug)
	}
	for _, kind := range []kit.Kind{kit.OG, kit.BlogHero} {
		if t.Func(kind) != nil {
			t.Kinds = append(t.Kinds, kind)
		}
	}
	for _, s := range t.Sized {
		t.Sizes = append(t.Sizes, s.Format.Sides())
	}
	if t.Slug == "" || len(t.Kinds) == 0 {
		panic("template: missing slug or drawing function: " + t.Name)
	}
	registry = slices.Insert(registry, at, &t)
	return &t
}

// All returns every design, sorted by slug. The slice is shared and must not be changed.
func All() []*kit.Template { return registry }

// Find returns the design with a slug if it draws kind; an empty kind matches every design. Of the kind [kit.Custom] it
// is one that draws any of its sizes: see [FindSized].
func Find(slug string, kind kit.Kind) (*kit.Template, bool) {
	for _, t := range registry {
		if t.Slug == slug && (kind == "" || t.Func(kind) != nil || kind == kit.Custom && len(t.Sized) > 0) {
			return t, true
		}
	}
	return nil, false
}

// FindSized returns the design with a slug if it draws kind, in a size if that is [kit.Custom].
func FindSized(slug string, kind kit.Kind, sides image.Point) (*kit.Template, bool) {
	t, ok := Find(slug, kind)
	if !ok || kind == kit.Custom && t.Draws(kind, sides) == nil {
		return nil, false
	}
	return t, true
}
