package kit

import (
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// A lead shape with a gradient is cut out of the background: the gradient covers the card, and the background is drawn
// over it around the shape. So the gradient has its own part of the palette, and the card stays indexed.

// run is a gradient from one height of the card to another.
type run struct {
	y0, y1   float64
	From, To color.NRGBA
}

// Tone is a color derived from the accent by [palette.Theme.Ramp]: a lightness, a factor of the chroma, a turn of the
// hue in degrees.
type Tone struct{ L, C, DH float64 }

// Parameters of lead shapes. Source: docs/rendering.md#light-and-depth and #color.
const (
	AmberFrom = 50 // with AmberTo: the hues that become olive when darkened
	AmberTo   = 115
	AmberTurn = -25 // degrees by which such a hue is turned
	amberL    = .66
	graySpan  = .24
)

// LeadRun returns the gradient of a lead shape, from its light end to its dark one. Yellows stay light and turn to
// amber; a neutral one differs from the background only by its lightness.
func LeadRun(th *palette.Theme, y0, y1 float64, from, to Tone) run {
	switch {
	case th.Neutral && th.Dark:
		from, to = Tone{.94, 1, 0}, Tone{.94 - graySpan, 1, 0}
	case th.Neutral:
		from, to = Tone{.24 + graySpan, 1, 0}, Tone{.24, 1, 0}
	case th.LCH.H >= AmberFrom && th.LCH.H <= AmberTo:
		from.L, to.L, to.DH = max(from.L, amberL+.14), max(to.L, amberL), AmberTurn
		from.DH = max(from.DH, AmberTurn/2)
	}
	return run{y0, y1, th.Ramp(from.L, from.C, from.DH), th.Ramp(to.L, to.C, to.DH)}
}

// ReadableRun returns the gradient of a shape with letters on it, and their color: white, or dark if the accent is
// light. The letters are between two positions along it, 0 to 1; where neither color is readable, the gradient is
// adjusted.
func ReadableRun(th *palette.Theme, from, to Tone, first, last float64) (a, b, ink color.NRGBA) {
	const step, most = .02, .4
	white, black := palette.RGB(0xFFFFFF), th.Ramp(.17, .2, 0)
	readable := func(r run, ink color.NRGBA) bool {
		stops := palette.Gradient(r.From, r.To)
		at := func(t float64) float64 { return palette.Contrast(stops[int(t*float64(len(stops)-1)+.5)], ink) }
		return min(at(first), at(last)) >= palette.MinText+.1
	}
	by := func(d float64) run {
		from, to := from, to
		from.L, to.L = min(max(from.L+d, .2), .93), min(max(to.L+d, .15), .93)
		return LeadRun(th, 0, 0, from, to)
	}
	for d := 0.0; d < most; d += step {
		if r := by(-d); readable(r, white) {
			return r.From, r.To, white
		}
		if r := by(d); readable(r, black) {
			return r.From, r.To, black
		}
	}
	return th.Fill, th.Fill, th.On
}

// ByMode returns the value of a figure that differs between dark and light cards.
func ByMode(dark bool, ifDark, ifLight float64) float64 {
	if dark {
		return ifDark
	}
	return ifLight
}

// runStops is the number of stops in the gradient of a whole card: steps of 5 px on a share image.
const runStops = 127

// background returns the gradient as one that covers a card of a height: above and below it is constant.
func (r run) background(h int) paint.Linear {
	stops := palette.Gradient(r.From, r.To)
	colors := make([]color.NRGBA, runStops)
	last := float64(len(stops) - 1)
	for i := range colors {
		y := float64(i) / (runStops - 1) * float64(h)
		at := min(max((y-r.y0)/(r.y1-r.y0), 0), 1) * last
		k := min(int(at), len(stops)-2)
		colors[i] = between(stops[k], stops[k+1], at-float64(k))
	}
	return paint.Linear{Angle: paint.Down, Colors: colors}
}

// Paint fills a shape with the gradient, over what the canvas shows.
func (r run) Paint(canvas *paint.Canvas, shape *image.Alpha) {
	area := canvas.Bounds()
	canvas.PaintMask(shape, area, r.background(area.Dy()))
}

// between interpolates between two similar colors, t from 0 to 1.
func between(a, b color.NRGBA, t float64) color.NRGBA {
	mix := func(p, q uint8) uint8 { return uint8(float64(p) + (float64(q)-float64(p))*t + .5) }
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

// BeginAround covers the card with a color, except for a shape in a gradient. shape is at its position on the canvas,
// and is inverted in place. inks are the colors that will be drawn over the gradient.
func (c *Card) BeginAround(shape *image.Alpha, fill run, background color.NRGBA, inks ...color.NRGBA) *paint.Canvas {
	canvas := c.Begin(fill.background(c.H), append([]color.NRGBA{background}, inks...)...)
	r := shape.Rect.Intersect(canvas.Bounds())
	canvas.Fill(image.Rect(0, 0, c.W, r.Min.Y), background)
	canvas.Fill(image.Rect(0, r.Max.Y, c.W, c.H), background)
	canvas.Fill(image.Rect(0, r.Min.Y, r.Min.X, r.Max.Y), background)
	canvas.Fill(image.Rect(r.Max.X, r.Min.Y, c.W, r.Max.Y), background)
	for i, v := range shape.Pix {
		shape.Pix[i] = 255 - v
	}
	canvas.Mask(shape.Rect.Min.X, shape.Rect.Min.Y, shape, background)
	return canvas
}

// InkMask returns the coverage of a block on the canvas, with its left edge at x and the top of its capitals at y,
// clipped to the card.
func (c *Card) InkMask(b *text.Block, x, y float64) *image.Alpha {
	return c.inkMask(b, x, y, image.Rect(0, 0, c.W, c.H))
}

// inkMask is [Card.InkMask] within a rectangle.
func (c *Card) inkMask(b *text.Block, x, y float64, within image.Rectangle) *image.Alpha {
	p := Text{Item: Item{Block: Block{Block: b}}, X: x, Y: y}
	m := image.NewAlpha(p.InkBox().Inset(-2).Intersect(within))
	c.engine.Draw(b, x, y, func(x, y int, glyph *image.Alpha) {
		at := glyph.Rect.Sub(glyph.Rect.Min).Add(image.Pt(x, y))
		for py := max(at.Min.Y, m.Rect.Min.Y); py < min(at.Max.Y, m.Rect.Max.Y); py++ {
			for px := max(at.Min.X, m.Rect.Min.X); px < min(at.Max.X, m.Rect.Max.X); px++ {
				v := glyph.Pix[(py-at.Min.Y)*glyph.Stride+px-at.Min.X]
				if d := &m.Pix[m.PixOffset(px, py)]; *d == 0 {
					*d = v
				} else {
					*d = uint8(255 - int(255-*d)*int(255-v)/255)
				}
			}
		}
	})
	return m
}
