package motif

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
)

// posterFigure is a lead shape of a poster in two opaque tones: one shape, with the other over it. It is drawn around a
// position of the layout of a share image, to which dx and dy are added if text needs room.
type posterFigure struct {
	first, second func(c posterPen, dx, dy float64)
}

// posterPen draws in the layout of a share image.
type posterPen struct {
	*kit.Card
	kit.View
	g *gg.Context
}

// at returns the position on the canvas.
func (p posterPen) at(x, y float64) (float64, float64) { return p.MotifX(p.X(x)), p.Y(y) }

// posterFigures are the figures; the address of the page chooses one.
var posterFigures = []posterFigure{
	{ // two concentric discs, from the lower edge
		func(c posterPen, dx, dy float64) { posterDisc(c, 1010+dx, 600+dy, 400) },
		func(c posterPen, dx, dy float64) { posterDisc(c, 1010+dx, 600+dy, 220) },
	},
	{ // quarter rings from the lower corner
		func(c posterPen, dx, dy float64) { posterRing(c, 1200+dx, 630+dy, 350, 150) },
		func(c posterPen, dx, dy float64) { posterDisc(c, 1200+dx, 630+dy, 190) },
	},
	{ // three slanted bars, from the lower edge out of the card
		func(c posterPen, dx, dy float64) {
			posterBar(c, 470+dx, 190, dy)
			posterBar(c, 1010+dx, 190, dy)
		},
		func(c posterPen, dx, dy float64) { posterBar(c, 740+dx, 190, dy) },
	},
	{ // a staircase of squares
		func(c posterPen, dx, dy float64) {
			posterSquare(c, 660+dx, 450+dy, 180)
			posterSquare(c, 840+dx, 450+dy, 180)
			posterSquare(c, 1020+dx, 270+dy, 360)
		},
		func(c posterPen, dx, dy float64) { posterSquare(c, 1020+dx, 450+dy, 180) },
	},
	{ // an open arch: last, since it replaces the initial of a site without one
		func(c posterPen, dx, dy float64) { posterArch(c, 960+dx, 430+dy, 290) },
		func(c posterPen, dx, dy float64) { posterArch(c, 960+dx, 470+dy, 150) },
	},
}

func posterDisc(p posterPen, x, y, radius float64) {
	x, y = p.at(x, y)
	p.g.DrawCircle(x, y, p.Len(radius))
	p.g.Fill()
}

func posterRing(p posterPen, x, y, radius, width float64) {
	x, y = p.at(x, y)
	p.g.SetFillRuleEvenOdd() // the edges of such a wide stroke are rough
	p.g.DrawCircle(x, y, p.Len(radius+width/2))
	p.g.DrawCircle(x, y, p.Len(radius-width/2))
	p.g.Fill()
	p.g.SetFillRuleWinding()
}

// posterBar is slanted to the side that lines end on.
func posterBar(p posterPen, x, width, dy float64) {
	const lean, high = 1120, 700
	for _, q := range [][2]float64{{x, 640}, {x + lean, 640 - high}, {x + lean + width, 640 - high}, {x + width, 640}} {
		p.g.LineTo(p.at(q[0], q[1]+dy))
	}
	p.g.ClosePath()
	p.g.Fill()
}

func posterSquare(p posterPen, x, y, side float64) {
	side, x, y = p.Len(side), p.X(x), p.Y(y)
	p.g.DrawRectangle(p.Mirror(x, side), y, side, side)
	p.g.Fill()
}

func posterArch(p posterPen, x, y, radius float64) {
	x, y = p.at(x, y)
	radius = p.Len(radius)
	p.g.DrawArc(x, y, radius, math.Pi, 2*math.Pi)
	p.g.LineTo(x+radius, p.Y(640))
	p.g.LineTo(x-radius, p.Y(640))
	p.g.ClosePath()
	p.g.Fill()
}

// posterTones returns the two tones of a figure: a deeper one of the background, and a lighter one.
func posterTones(on kit.Surface) (deep, light color.NRGBA) {
	tone := func(dl, dh float64) color.NRGBA {
		t := palette.ToLCH(on.Color)
		t.L, t.H = min(max(t.L+dl, .06), .97), t.H+dh
		return t.Color()
	}
	background := palette.ToLCH(on.Color)
	switch {
	case background.C > .04 && background.H >= kit.AmberFrom && background.H <= kit.AmberTo: // to amber, not to olive
		return tone(-.10, kit.AmberTurn), tone(.10, -14)
	case background.L < .25: // only lighter tones are visible on black
		return tone(.13, 8), tone(.32, -14)
	case background.L > .9: // and only darker ones on white
		return tone(-.10, 8), tone(-.28, -14)
	}
	return tone(-.10, 8), tone(.14, -14)
}

// DrawPoster draws the figure of a page in two tones of a background. If lines of text would overlap a tone on which
// they are unreadable, the figure moves down and outwards, and finally is omitted.
func DrawPoster(c *kit.Card, v kit.View, on kit.Surface, lines []image.Rectangle) {
	deep, light := posterTones(on)
	chosen := c.Random().IntN(len(posterFigures) + 1)
	if chosen == len(posterFigures) { // the initial; a site without one gets the arch
		if drawPosterInitial(c, v, on, deep, lines) {
			return
		}
		chosen--
	}
	for step := range posterSteps {
		a, b := posterShape(c, v, chosen, step, false), posterShape(c, v, chosen, step, true)
		if clearOf(a, deep, on, lines) && clearOf(b, light, on, lines) {
			c.Canvas().Stencil(a, deep)
			c.Canvas().Stencil(b, light)
			return
		}
	}
}

// posterSteps is how often a figure may move before it is omitted.
const posterSteps = 12

// posterGives returns where a figure is after steps: moved in the layout of a share image, or smaller where there is
// more height than width, from the lower corner at the end of lines.
func posterGives(v kit.View, steps int) (at kit.View, dx, dy float64) {
	if v.K > 0 {
		v.K *= 1 - .06*float64(steps)
		return v, 0, 0
	}
	return v, 22 * float64(steps), 36 * float64(steps)
}

// posterShape returns the first or the second shape of a figure after a number of moves.
func posterShape(c *kit.Card, v kit.View, figure, step int, second bool) *paint.Stencil {
	key := kit.StencilKey{Figure: "poster", Variant: 2 * (figure*posterSteps + step), W: c.W, H: c.H, RTL: c.RTL}
	draw := posterFigures[figure].first
	if second {
		key.Variant++
		draw = posterFigures[figure].second
	}
	return kit.KeptStencil(key, func() *paint.Stencil {
		return paint.PathStencil(image.Rect(0, 0, c.W, c.H), func(g *gg.Context) {
			at, dx, dy := posterGives(v, step)
			draw(posterPen{c, at, g}, dx, dy)
		})
	})
}

// drawPosterInitial draws the first letter of the site's name, cut by two edges. It returns false if the site has none,
// or if there is no room next to the text.
func drawPosterInitial(c *kit.Card, v kit.View, on kit.Surface, tone color.NRGBA, lines []image.Rectangle) bool {
	// initialDrop is how far it moves down, as a fraction of other figures.
	const size, end, baseline, initialDrop = 900, 1280, 690, 30 / 36.
	for step := range posterSteps {
		at, dx, dy := posterGives(v, step)
		letter, ok := c.LeadInitial(at.Len(size), at.Len(640))
		if !ok || kit.HasRTL(letter.Text()) { // alone, such letters are thin and have distant dots
			return false
		}
		ink := letter.Ink
		w := ink.X1 - ink.X0
		key := c.LetterKey("poster", letter)
		key.Variant = step
		shape := kit.Stencil(key, func() *image.Alpha {
			m := image.NewAlpha(image.Rect(0, 0, c.W, c.H))
			x, y := at.X(end)+dx-w, at.Y(baseline)+dy*initialDrop
			c.MaskInk(m, letter, c.Mirror(x, w)-ink.X0, y-max(letter.CapHeight, ink.Y1-1))
			return m
		})
		if clearOf(shape, tone, on, lines) {
			c.Canvas().Stencil(shape, tone)
			return true
		}
	}
	return false
}

// clearOf reports whether lines of text are readable on a tone, or keep clear of its shape.
func clearOf(s *paint.Stencil, tone color.NRGBA, on kit.Surface, lines []image.Rectangle) bool {
	const looked = 3 // distance between sampled pixels
	if palette.Contrast(tone, on.Text) >= palette.MinText {
		return true
	}
	for _, l := range lines {
		if s.Covers(l.Inset(-12).Intersect(s.Rect), looked) {
			return false
		}
	}
	return true
}
