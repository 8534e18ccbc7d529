// Package kit is what designs of cards are built of. Package template has the designs.
//
//   - card.go, spec.go, design.go: [Card], the picture being drawn, and [Spec], everything it is drawn from.
//   - anchor.go, column.go, row.go, typeset.go: placing texts, alone, in columns and in rows.
//   - brand.go, eyebrow.go, signed.go: the rows that several designs share.
//   - logo*.go: fitting a foreign logo or icon to its place and surface, and placing it.
//   - background.go, scrim.go, readable.go, photo.go: drawing over a picture so that every text can be read.
//   - surface.go, cutout.go, lead.go, tiles.go, window.go, softlight.go, stencil.go: backgrounds, lead shapes and
//     motifs; those that take long to draw are cached.
//   - supported.go, warnings.go: texts that no embedded font can set, and what a card had to leave out.
//
// docs/rendering.md explains the pipeline and lists the measures with their sources.
package kit

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

// Template is a design: a function for each kind that it draws, and nil for the others. The function draws the
// background, motif and surfaces of a card and places its texts, which the card draws last.
type Template struct {
	Info
	OG, BlogHero func(*Card)
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
