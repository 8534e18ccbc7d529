// Package kit has the building blocks of card designs. Package template has the designs.
//
//   - card.go, spec.go, design.go: [Card], the picture being drawn, and [Spec], everything it is drawn from.
//   - anchor.go, column.go, row.go, typeset.go: placing texts, alone, in columns and in rows.
//   - brand.go, eyebrow.go, signed.go: the rows that several designs share.
//   - logo*.go: fitting a logo or icon to its place and surface, and placing it.
//   - background.go, scrim.go, readable.go, photo.go: drawing over a picture so that every text is readable.
//   - surface.go, cutout.go, lead.go, tiles.go, window.go, softlight.go, stencil.go: backgrounds, lead shapes and
//     motifs; those that take long to draw are cached.
//   - sizes.go, view.go: sizes other than those of the kinds, and the motifs of share images in them.
//   - supported.go, warnings.go: texts that no embedded font has, and what a card had to leave out.
//
// docs/rendering.md explains the pipeline and lists the measures with their sources.
package kit

import "image"

// Kind is the purpose of a picture. It determines the size.
type Kind string

// The kinds of picture that templates draw.
const (
	OG       Kind = "og"        // share image, 1200×630
	BlogHero Kind = "blog_hero" // picture at the top of an article, 1600×900 or 1600×1000
)

// Info describes a template to users.
type Info struct {
	Slug, Name string
	Mood       string // one line
	GoodFor    string
	Needs      []string // the facts of a page that it shows
	// Fallback are the slugs of the designs that are drawn instead for a page without the fact that this one lives on: the
	// first for which the page has the fact, or a picture if it lives on none, otherwise the last. It is nil for a design
	// that needs only a title.
	Fallback   []string
	TextSide   string        // "left", "center" or "right", for left-to-right text
	Bare       bool          // it is never drawn over a picture other than the page's own
	Photo      []Kind        // those in which it shows the page's own picture, if any
	Screenshot bool          // it shows that only if it is a screenshot
	Portrait   bool          // it shows the author
	Kinds      []Kind        // the kinds with a function; set by register
	Sizes      []image.Point // those of the kind Custom, set by register
}

// Template is a design: a function for each kind that it draws, and nil for the others. The function draws the
// background, motif and surfaces of a card and places its texts, which the card draws last.
type Template struct {
	Info
	OG, BlogHero func(*Card)
	Sized        []FormatLayout // in other sizes
	// Lacks names the fact that the design lives on if the card doesn't have it, as in “the page has no quotation”,
	// otherwise it returns "". It is nil if and only if Fallback is.
	Lacks func(*Card) string
	// Fits reports whether a page's own picture of a size, in pixels, is shown in a kind; nil means that all are.
	Fits func(kind Kind, size image.Point) bool
	// Covers means that the covers of works are shown, which have words: whole, not cropped.
	Covers bool
}

// Func returns the function that draws kind, or nil.
func (t *Template) Func(kind Kind) func(*Card) {
	switch kind {
	case OG:
		return t.OG
	case BlogHero:
		return t.BlogHero
	}
	return nil
}
