// Package fragment is a laid-out document: a tree of boxes, parts of boxes on lines and texts, at absolute places.
package fragment

import (
	"slices"

	"masthead/fonts"
	"masthead/render/html/css"
)

// Kind is what a fragment is.
type Kind uint8

// A Box has a border, backgrounds and children; so has an Inline, which is the piece of an inline box on one line. A
// Text has glyphs. A Replaced box has a picture as its content. A Marker-less list item is a Box.
const (
	Box Kind = iota
	Inline
	Text
	Replaced
	Emoji
)

// Rect is a rectangle in px, absolute on the canvas and before transforms.
type Rect struct {
	X, Y, W, H float64
}

// Edges are widths in px on the four sides.
type Edges struct {
	Top, Right, Bottom, Left float64
}

// Fragment is a laid-out box, or the part of one on a line. Fragments form a tree in the order of the document (boxes
// of flex and grid containers in the order of their property order), so that painting in the order of CSS 2.2,
// appendix E, needs nothing else.
type Fragment struct {
	Kind Kind
	// Node is the element, or nil of an anonymous box. Pseudo-elements have the node of their element.
	Node *css.Node
	// Style is never nil. An anonymous box and a text have the style that they inherit, without borders and backgrounds.
	Style *css.Style
	// Anonymous boxes paint nothing themselves: no background, border, opacity or clip of Style applies to them.
	Anonymous bool
	Parent    *Fragment
	Children  []*Fragment

	// Border is the border box. Of a Text, it is the box from ascent to descent and the advances of its glyphs; of an
	// Emoji, its picture.
	Border       Rect
	BorderWidth  Edges
	PaddingWidth Edges
	// HasLeft and HasRight say whether an Inline has the left and right borders, padding and rounded corners of its box
	// (a box that is broken over lines has each only once). Always true of other kinds.
	HasLeft, HasRight bool
	// Slice is the place of this piece in the whole Inline box laid out in one line, for backgrounds that continue from
	// piece to piece (box-decoration-break: slice): the offset of its left edge, and the width of all.
	SliceOffset, SliceWidth float64

	// Positioned means relative, absolute, fixed or sticky. FlexItem is also set of grid items: their z-index applies
	// without being positioned. Atomic are inline-blocks and the like, which paint as if they made a stacking context
	// except that positioned descendants take part in the parent's. Float is painted between blocks and inlines.
	Positioned, FlexItem, Atomic, Float bool
	// Containing is the fragment whose padding box contains an absolutely positioned one; nil for others, and for the
	// canvas. The overflow of ancestors between it and the fragment doesn't clip the fragment.
	Containing *Fragment
	// OutOfFlow means absolute or fixed.
	OutOfFlow bool
	// Sized says that the height of a Box doesn't depend on its content.
	Sized bool
	// Rest is a text that line-clamp leaves out: it only shows where the box is higher than its lines.
	Rest bool
	// Hidden content isn't painted (lines cut by line-clamp); its children aren't either.
	Hidden bool

	Text     *TextRun
	Replaced *Image
}

// TextRun is the text of one inline box on one line, with one style.
type TextRun struct {
	// Baseline is the absolute y of the baseline.
	Baseline float64
	// Ascent and Descent are those of the primary face, in whole px.
	Ascent, Descent float64
	// Runs are in visual order, from left to right.
	Runs []GlyphRun
	// Decorations that apply to this text, from the outermost box to the innermost.
	Decorations []Decoration
	// Source is the text as drawn, for messages.
	Source string
}

// GlyphRun is glyphs of one face.
type GlyphRun struct {
	// Face is nil for emoji, whose Glyph.ID is the number of the drawing (see package fonts); each has its side of one
	// em from Glyph.X, down to Glyph.Y.
	Face *fonts.Face
	Size float64 // px per em
	// Bold and Oblique are synthetic: the face has no such weight or slant. Oblique leans by 20 degrees about the
	// baseline in Chromium: x grows by Y/4 (skew -0.25).
	Bold, Oblique bool
	Glyphs        []Glyph
}

// Glyph is one glyph at its place on the canvas.
type Glyph struct {
	ID uint32
	// X and Y are the absolute place of its origin, Y down: the baseline minus the glyph's offset.
	X, Y float64
	// Upright glyphs of vertical text are turned back, counterclockwise about their origin.
	Upright bool
	Advance float64 // px, with letter-spacing
	// Cluster is the index of its first rune in TextRun.Source.
	Cluster int32
	// Rune is the first rune of its cluster.
	Rune rune
}

// DecorationLine is the kind of a decoration.
type DecorationLine uint8

// Lines of text-decoration-line.
const (
	Underline DecorationLine = iota
	Overline
	LineThrough
)

// Decoration is a line of a text. X and width are those of the text's fragment.
type Decoration struct {
	Line DecorationLine
	// Style is the one of the box that decorates, which has the color and line style.
	Style *css.Style
	// Y is the absolute top edge of the line, and Thickness its height, both in px.
	Y, Thickness float64
}

// Image is the content of a replaced element.
type Image struct {
	// Source is the address of an img; SVG says that the fragment's Node is an svg element.
	Source string
	SVG    bool
	// Width and Height are the natural size in px; Ratio width by height. 0 means that it has none.
	Width, Height, Ratio float64
	// Missing says that there is no picture at the address.
	Missing bool
}

// Content returns the content box.
func (f *Fragment) Content() Rect { return f.Padding().inset(f.PaddingWidth) }

// Padding returns the padding box.
func (f *Fragment) Padding() Rect { return f.Border.inset(f.BorderWidth) }

func (r Rect) inset(e Edges) Rect {
	return Rect{
		r.X + e.Left, r.Y + e.Top,
		max(0, r.W-e.Left-e.Right), max(0, r.H-e.Top-e.Bottom),
	}
}

// Warning is something that isn't laid out as a browser does.
type Warning struct {
	Node    *css.Node
	Message string
}

// At returns a text moved to an absolute place.
func (t *TextRun) At(x, y float64) *TextRun {
	out := *t
	out.Baseline += y
	out.Runs = slices.Clone(t.Runs)
	for i := range out.Runs {
		glyphs := slices.Clone(out.Runs[i].Glyphs)
		for j := range glyphs {
			glyphs[j].X += x
			glyphs[j].Y += y
		}
		out.Runs[i].Glyphs = glyphs
	}
	out.Decorations = slices.Clone(t.Decorations)
	for i := range out.Decorations {
		out.Decorations[i].Y += y
	}
	return &out
}

// X returns the width of left and right together.
func (e Edges) X() float64 { return e.Left + e.Right }

// Y returns the width of top and bottom together.
func (e Edges) Y() float64 { return e.Top + e.Bottom }
