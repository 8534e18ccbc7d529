package template

import (
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/text"
)

// Card is one picture being drawn. It belongs to one goroutine.
//
// What a template says of places is in the layout: pixels of the canvas, as for text that runs left to right and for
// the usual height. The card mirrors it for the other direction, and moves it down on a tall hero. What is said to be
// on the canvas is where it will be seen.
type Card struct {
	Spec
	W, H int // of the canvas

	engine *text.Engine
	canvas *paint.Canvas // nil before Ground
	t      *Template
	texts  []Placed
	icons  []PlacedIcon
	down   float64 // from a y of the layout to one of the canvas
}

// tallDown is by how much text stands lower on a hero of 16:10.
const tallDown = 50

// Open begins a card. Engine stays the caller's; nobody else may use it until Close.
func Open(t *Template, s Spec, engine *text.Engine) *Card {
	c := &Card{Spec: s, engine: engine, t: t, texts: make([]Placed, 0, 8)}
	c.W, c.H = s.Size()
	if s.Tall {
		c.down = tallDown
	}
	c.dropUnsupported()
	c.RTL = s.RTL || startsRightward(c.Title)
	return c
}

// Layout draws what lies under the text, and finds the place of the text.
func (c *Card) Layout() { c.t.draw(c.Kind)(c) }

// DrawTexts draws the text, over everything else.
func (c *Card) DrawTexts() {
	for _, p := range c.texts {
		c.engine.Draw(p.Block.Block, p.X, p.Y, func(x, y int, m *image.Alpha) { c.canvas.Mask(x, y, m, p.Ink) })
	}
}

// Canvas returns the canvas of the card, which is nil before Layout. It stays the card's.
func (c *Card) Canvas() *paint.Canvas { return c.canvas }

// Placed returns the texts that Layout placed, in the order of drawing. Tests look at them between Layout and
// DrawTexts.
func (c *Card) Placed() []Placed { return c.texts }

// PlacedIcons returns the icons and logos that Layout drew.
func (c *Card) PlacedIcons() []PlacedIcon { return c.icons }

// Close gives the canvas back. Neither the card nor its canvas may be used after it.
func (c *Card) Close() {
	if c.canvas != nil {
		c.canvas.Release()
		c.canvas = nil
	}
}

// Ground covers the card and returns its canvas, for the motif. It comes before anything else that draws. Over a
// gradient, inks names the colours of what will be drawn.
func (c *Card) Ground(g paint.Ground, inks ...color.NRGBA) *paint.Canvas {
	c.canvas = paint.New(c.W, c.H, g, inks...)
	return c.canvas
}

// mirror returns the left edge on the canvas of a box of width w that stands at x in the layout.
func (c *Card) mirror(x, w float64) float64 {
	if c.RTL {
		return float64(c.W) - x - w
	}
	return x
}

// X returns where an x of the layout is on the canvas.
func (c *Card) X(x float64) float64 { return c.mirror(x, 0) }

// Rect returns where a box of the layout is on the canvas.
func (c *Card) Rect(x, y, w, h int) image.Rectangle {
	left, top := int(c.mirror(float64(x), float64(w))), y+int(c.down)
	return image.Rect(left, top, left+w, top+h)
}

// Surface is a part of a card that texts and icons stand on.
type Surface struct {
	Color  color.NRGBA // what contrasts are measured against
	Text   color.NRGBA // the strongest colour of text on it
	OneInk bool        // icons and logos of one colour are drawn in Text, whatever theirs is
}

// Page is the surface of a card whose ground is BG of its theme.
func (c *Card) Page() Surface { return Surface{Color: c.Theme.BG, Text: c.Theme.Text} }
