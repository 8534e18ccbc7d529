package template

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
)

// posterFigure is a lead shape of a poster in two opaque tones: first one shape, then the other over it. It is drawn
// about a place of the layout, to which dx and dy are added where text needs room.
type posterFigure struct {
	first, second func(c *Card, g *gg.Context, dx, dy float64)
}

// posterFigures are the figures; the address of the page chooses.
var posterFigures = []posterFigure{
	{ // two discs about one middle, from the lower edge
		func(c *Card, g *gg.Context, dx, dy float64) { posterDisc(c, g, 1010+dx, 600+dy, 400) },
		func(c *Card, g *gg.Context, dx, dy float64) { posterDisc(c, g, 1010+dx, 600+dy, 220) },
	},
	{ // quarter rings from the lower corner
		func(c *Card, g *gg.Context, dx, dy float64) { posterRing(c, g, 1200+dx, 630+dy, 350, 150) },
		func(c *Card, g *gg.Context, dx, dy float64) { posterDisc(c, g, 1200+dx, 630+dy, 190) },
	},
	{ // three leaning bars, from the lower edge out of the card
		func(c *Card, g *gg.Context, dx, dy float64) {
			posterBar(c, g, 470+dx, 190, dy)
			posterBar(c, g, 1010+dx, 190, dy)
		},
		func(c *Card, g *gg.Context, dx, dy float64) { posterBar(c, g, 740+dx, 190, dy) },
	},
	{ // a staircase of squares
		func(c *Card, g *gg.Context, dx, dy float64) {
			posterSquare(c, g, 660+dx, 450+dy, 180)
			posterSquare(c, g, 840+dx, 450+dy, 180)
			posterSquare(c, g, 1020+dx, 270+dy, 360)
		},
		func(c *Card, g *gg.Context, dx, dy float64) { posterSquare(c, g, 1020+dx, 450+dy, 180) },
	},
	{ // an open arch: the last, since it takes the place of the initial of a site that has none
		func(c *Card, g *gg.Context, dx, dy float64) { posterArch(c, g, 960+dx, 430+dy, 290) },
		func(c *Card, g *gg.Context, dx, dy float64) { posterArch(c, g, 960+dx, 470+dy, 150) },
	},
}

func posterDisc(c *Card, g *gg.Context, x, y, radius float64) {
	g.DrawCircle(c.MotifX(x), y, radius)
	g.Fill()
}

func posterRing(c *Card, g *gg.Context, x, y, radius, width float64) {
	g.SetFillRuleEvenOdd() // the edges of so wide a stroke are rough
	g.DrawCircle(c.MotifX(x), y, radius+width/2)
	g.DrawCircle(c.MotifX(x), y, radius-width/2)
	g.Fill()
	g.SetFillRuleWinding()
}

// posterBar leans to the side that lines end on.
func posterBar(c *Card, g *gg.Context, x, width, dy float64) {
	const lean, high = 1120, 700
	for i, p := range [][2]float64{{x, 640}, {x + lean, 640 - high}, {x + lean + width, 640 - high}, {x + width, 640}} {
		if y := p[1] + dy; i == 0 {
			g.MoveTo(c.MotifX(p[0]), y)
		} else {
			g.LineTo(c.MotifX(p[0]), y)
		}
	}
	g.ClosePath()
	g.Fill()
}

func posterSquare(c *Card, g *gg.Context, x, y, side float64) {
	g.DrawRectangle(c.mirror(x, side), y, side, side)
	g.Fill()
}

func posterArch(c *Card, g *gg.Context, x, y, radius float64) {
	x = c.MotifX(x)
	g.DrawArc(x, y, radius, math.Pi, 2*math.Pi)
	g.LineTo(x+radius, 640)
	g.LineTo(x-radius, 640)
	g.ClosePath()
	g.Fill()
}

// posterTones returns the two tones of a figure: a deeper one of the ground, and a lighter one.
func posterTones(on Surface) (deep, light color.NRGBA) {
	tone := func(dl, dh float64) color.NRGBA {
		t := palette.ToLCH(on.Color)
		t.L, t.H = min(max(t.L+dl, .06), .97), t.H+dh
		return t.Color()
	}
	ground := palette.ToLCH(on.Color)
	switch {
	case ground.C > .04 && ground.H >= amberFrom && ground.H <= amberTo: // to amber, not to olive
		return tone(-.10, amberTurn), tone(.10, -14)
	case ground.L < .25: // black shows lighter tones alone
		return tone(.13, 8), tone(.32, -14)
	case ground.L > .9: // and white darker ones
		return tone(-.10, 8), tone(-.28, -14)
	}
	return tone(-.10, 8), tone(.14, -14)
}

// drawPosterFigure draws the figure of a page in its two tones. Where lines of text would run over a tone that they
// cannot be read on, the figure moves down and outwards, and at last is left out.
func drawPosterFigure(c *Card, on Surface, lines []image.Rectangle) {
	deep, light := posterTones(on)
	chosen := c.random().IntN(len(posterFigures) + 1)
	if chosen == len(posterFigures) { // the initial; a site without one gets the arch
		if drawPosterInitial(c, on, deep, lines) {
			return
		}
		chosen--
	}
	for step := range posterSteps {
		a, b := c.posterShape(chosen, step, false), c.posterShape(chosen, step, true)
		if clearOf(a, deep, on, lines) && clearOf(b, light, on, lines) {
			c.canvas.Stencil(a, deep)
			c.canvas.Stencil(b, light)
			return
		}
	}
}

// posterSteps is how often a figure may move before it is left out.
const posterSteps = 12

// posterShape returns the first or the second shape of a figure that was moved so often.
func (c *Card) posterShape(figure, step int, second bool) *paint.Stencil {
	key := stencilKey{figure: "poster", variant: 2 * (figure*posterSteps + step), w: c.W, h: c.H, rtl: c.RTL}
	draw := posterFigures[figure].first
	if second {
		key.variant++
		draw = posterFigures[figure].second
	}
	return keptStencil(key, func() *paint.Stencil {
		return paint.PathStencil(image.Rect(0, 0, c.W, c.H), func(g *gg.Context) {
			draw(c, g, 22*float64(step), 36*float64(step))
		})
	})
}

// drawPosterInitial draws the first letter of the site's name, cut by two edges. It reports false for a site that has
// none, or where it has no room beside the text.
func drawPosterInitial(c *Card, on Surface, tone color.NRGBA, lines []image.Rectangle) bool {
	const size, end, baseline = 900, 1280, 690
	letter, ok := c.leadInitial(size, 640)
	if !ok || hasRTL(letter.Text()) { // alone, such letters are thin and have dots far off
		return false
	}
	ink := letter.Ink
	w := ink.X1 - ink.X0
	for step := range posterSteps {
		dx, dy := 22*float64(step), 30*float64(step)
		key := c.letterKey("poster", letter)
		key.variant = step
		shape := stencil(key, func() *image.Alpha {
			m := image.NewAlpha(image.Rect(0, 0, c.W, c.H))
			c.maskInk(m, letter, c.mirror(end+dx-w, w)-ink.X0, baseline+dy-max(letter.CapHeight, ink.Y1-1))
			return m
		})
		if clearOf(shape, tone, on, lines) {
			c.canvas.Stencil(shape, tone)
			return true
		}
	}
	return false
}

// clearOf reports whether lines of text can be read on a tone, or keep clear of its shape.
func clearOf(s *paint.Stencil, tone color.NRGBA, on Surface, lines []image.Rectangle) bool {
	const looked = 3 // pixels between those that are looked at
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
