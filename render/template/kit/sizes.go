package kit

import (
	"fmt"
	"image"
	"slices"

	"masthead/render/text"
)

// Custom is the kind of a picture whose size is requested: a design draws it in the sizes that it offers.
const Custom Kind = "custom"

// FormatLayout is a design in one of the [Formats].
type FormatLayout struct {
	Format *Format
	Draw   func(*Card)
	// Fits reports whether a page's own picture of a size, in pixels, is shown; nil means that none is.
	Fits func(image.Point) bool
}

// Format has the measures that all designs share in a size of the kind [Custom]. Source: docs/rendering.md#other-sizes.
type Format struct {
	W, H        int
	X0, X1      float64 // of texts
	Top, Bottom float64 // of the area for texts
	Foot        float64 // middle of the row with the site
	Least       float64 // top of the highest title: what is above it is the picture's
	Side        int     // of the icon in that row
	Ladder      text.Ladder
	TextPx      float64 // size of a description
	Header      bool    // it is at the top of a profile: logos are in the row of the site
}

// The formats.
var (
	Square = &Format{
		W: 1080, H: 1080, X0: 84, X1: 996, Top: 84, Bottom: 1000, Foot: 972, Least: 440, Side: 48, TextPx: 32,
		Ladder: text.Steps(2, 148, 132).Then(3, 116, 104).Then(4, 96).Then(5, 84),
	}
	// Feed is 4:5. Feeds show its middle square alone, in which the title is.
	Feed = &Format{
		W: 1080, H: 1350, X0: 84, X1: 996, Top: 140, Bottom: 1274, Foot: 1246, Least: 620, Side: 48, TextPx: 32,
		Ladder: text.Steps(3, 148, 132, 116).Then(4, 104, 96).Then(5, 84),
	}
	// Story is the screen of a phone, of which interfaces cover the upper and the lower end.
	Story = &Format{
		W: 1080, H: 1920, X0: 84, X1: 996, Top: 270, Bottom: 1560, Foot: 1532, Least: 860, Side: 56, TextPx: 36,
		Ladder: text.Steps(3, 168, 148, 132, 124).Then(4, 112).Then(5, 104, 96),
	}
	// Header and Banner are at the top of profiles, whose picture covers the lower end of their left.
	Header = &Format{
		W: 1500, H: 500, X0: 400, X1: 1000, Top: 56, Bottom: 444, Side: 44, Header: true,
		Ladder: text.Steps(2, 92, 84).Then(3, 72, 64),
	}
	Banner = &Format{
		W: 1584, H: 396, X0: 400, X1: 1060, Top: 40, Bottom: 356, Side: 40, Header: true,
		Ladder: text.Steps(2, 72, 64),
	}
)

// Formats returns the formats in their order of catalogs. The slice is the caller's.
func Formats() []*Format { return []*Format{Square, Feed, Story, Header, Banner} }

// Sides returns the size of a format.
func (f *Format) Sides() image.Point { return image.Pt(f.W, f.H) }

// Inner returns the width of texts.
func (f *Format) Inner() float64 { return f.X1 - f.X0 }

// RowPx returns the size of the texts in the row of the site.
func (f *Format) RowPx() float64 { return brandPx * float64(f.Side) }

// Name returns the size as it is written: “1080x1350”.
func (f *Format) Name() string { return fmt.Sprintf("%dx%d", f.W, f.H) }

// formatOf returns the format of a size, or nil.
func formatOf(sides image.Point) *Format {
	all := Formats()
	if at := slices.IndexFunc(all, func(f *Format) bool { return f.Sides() == sides }); at >= 0 {
		return all[at]
	}
	return nil
}

// Format returns the format of a card of the kind [Custom].
func (s *Spec) Format() *Format { return formatOf(s.Sides) }

// sized returns the design in a size, or nil.
func (t *Template) sized(sides image.Point) *FormatLayout {
	if at := slices.IndexFunc(t.Sized, func(s FormatLayout) bool { return s.Format.Sides() == sides }); at >= 0 {
		return &t.Sized[at]
	}
	return nil
}

// Draws returns the function that draws a kind, of a size if that is [Custom], or nil.
func (t *Template) Draws(kind Kind, sides image.Point) func(*Card) {
	if kind != Custom {
		return t.Func(kind)
	}
	if s := t.sized(sides); s != nil {
		return s.Draw
	}
	return nil
}

// draw runs the design.
func (c *Card) draw() { c.t.Draws(c.Kind, c.Sides)(c) }
