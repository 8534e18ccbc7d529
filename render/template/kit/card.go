package kit

import (
	"image"
	"image/color"
	"slices"

	"masthead/render/paint"
	"masthead/render/text"
)

// Card is one picture being drawn. It belongs to one goroutine.
//
// A template gives places in the layout: pixels of a canvas of the usual height, for text that runs left to right. The
// card turns them into places on the canvas: it mirrors them for the other direction, and moves texts, icons and what
// belongs to them down on a tall hero.
type Card struct {
	Spec
	W, H int // of the canvas

	engine *text.Engine
	canvas *paint.Canvas // nil before Begin
	t      *Template
	texts  []Placed
	icons  []PlacedIcon

	softLight bool // the background is soft light
	ofPage    bool // the picture that the card is drawn over is the page's own: it keeps its colors

	missing string  // characters of texts that were left out whole, since no face has them
	down    float64 // from a y of the layout to one of the canvas
	over    over    // where the card is drawn over a picture
}

// tallDown is by how much text stands lower on a hero of 16:10.
const tallDown = 50

// Open begins a card. Engine stays the caller's; nobody else may use it until Close.
func Open(t *Template, s Spec, engine *text.Engine) *Card {
	c := &Card{Spec: s, engine: engine, t: t, texts: make([]Placed, 0, 8)}
	c.W, c.H = s.Size()
	if t.Bare {
		c.Background = nil
	} else if c.Background == nil && c.Photo != nil && slices.Contains(t.Photo, s.Kind) &&
		(t.AnyPhoto || !bearsWords(c.Photo)) {
		c.Background, c.ofPage = c.Photo, true
	}
	if s.Tall {
		c.down = tallDown
	}
	c.dropUnsupported()
	c.RTL = s.RTL || text.Direction(c.Title) == text.RightToLeft
	return c
}

// Layout draws what lies under the text, and finds the place of the text.
//
// Over a picture the caller looks at [Card.Unreadable] after it. It may be called again then, after [Card.Soften].
func (c *Card) Layout() {
	if c.Background != nil {
		c.layoutOver()
		return
	}
	c.t.Func(c.Kind)(c)
}

// DrawTexts draws the text, over everything else. Emoji come first: the palette of an indexed canvas has most room
// then, and is the same on all cards of a theme, so that what is kept of an emoji serves them all.
func (c *Card) DrawTexts() {
	for _, p := range c.texts {
		c.engine.DrawEmoji(p.Block.Block, p.X, p.Y, func(x, y int, m *image.NRGBA) {
			c.canvas.Picture(m, m.Rect.Add(image.Pt(x, y)), 0)
		})
	}
	for _, p := range c.texts {
		c.engine.Draw(p.Block.Block, p.X, p.Y, func(x, y int, m *image.Alpha) { c.canvas.Mask(x, y, m, p.Color) })
	}
}

// Canvas returns the canvas of the card, which is nil before Layout. It stays the card's.
func (c *Card) Canvas() *paint.Canvas { return c.canvas }

// Placed returns the texts that Layout placed, in the order of drawing. Tests look at them between Layout and
// DrawTexts.
func (c *Card) Placed() []Placed { return c.texts }

// PlacedIcons returns the icons that Layout drew, the logo among them.
func (c *Card) PlacedIcons() []PlacedIcon { return c.icons }

// Close gives the canvas back. Neither the card nor its canvas may be used after it.
func (c *Card) Close() {
	if c.canvas != nil {
		c.canvas.Release()
		c.canvas = nil
	}
}

// Abandon is Close for a card that drawing has failed on the way, which may be nil.
func (c *Card) Abandon() {
	if c != nil && c.canvas != nil {
		c.canvas.Abandon()
		c.canvas = nil
	}
}

// Begin paints the background of the card and returns its canvas, for the motif. It comes before anything else that
// draws. Over a gradient, inks names the colors of what will be drawn.
func (c *Card) Begin(g paint.Background, inks ...color.NRGBA) *paint.Canvas {
	if c.Background != nil {
		return c.beginOver(g)
	}
	if light, ok := g.(paint.Lit); ok {
		light.Mirror, light.Dither = c.RTL, !c.Lossless
		g, c.softLight = light, true
	}
	c.canvas = c.newCanvas(g, inks...)
	return c.canvas
}

// newCanvas returns a canvas under a background, without a palette where nothing would come of it.
func (c *Card) newCanvas(g paint.Background, inks ...color.NRGBA) *paint.Canvas {
	if c.softLight {
		return paint.NewRGBA(c.W, c.H, g)
	}
	return paint.New(c.W, c.H, g, inks...)
}

// SoftLight reports whether the background of the card is soft light: such a card is three times as large as PNG.
func (c *Card) SoftLight() bool { return c.softLight }

// Mirror returns the left edge on the canvas of a box of width w that stands at x in the layout.
func (c *Card) Mirror(x, w float64) float64 {
	if c.RTL {
		return float64(c.W) - x - w
	}
	return x
}

// MotifX returns where an x of the layout is on the canvas.
func (c *Card) MotifX(x float64) float64 { return c.Mirror(x, 0) }

// MotifRect returns where a box of the layout is on the canvas, for a motif that reaches over all of it: it stays where
// it is on a tall hero.
func (c *Card) MotifRect(x, y, w, h int) image.Rectangle {
	left := int(c.Mirror(float64(x), float64(w)))
	return image.Rect(left, y, left+w, y+h)
}

// TextRect returns where a box of the layout is on the canvas, for a surface or a rule that stands where its text does:
// on a tall hero it is lower.
func (c *Card) TextRect(x, y, w, h int) image.Rectangle {
	return c.MotifRect(x, y, w, h).Add(image.Pt(0, int(c.down)))
}
