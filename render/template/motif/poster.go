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

// posterFigure is a lead shape of a poster in two opaque tones, in the layout of a share image: one part of it is over
// the other.
type posterFigure struct{ deep, light []posterMark }

// posterMark is a piece of a figure: with its center at x and y, or its upper left corner.
type posterMark struct {
	shape      posterKind
	x, y, size float64 // a radius, a side or a width
}

type posterKind int

const (
	posterDisc posterKind = iota
	posterRing
	posterBar // from the lower edge at x, slanted to the side that lines end on
	posterSquare
	posterArch // open, down to the lower edge
)

// Measures of marks.
const (
	ringBand = 150 // of which size is the outer radius
	barSlope = .625
	barHigh  = 700
	markFoot = 640 // of what is cut by the lower edge
)

// posterFigures are the figures; the address of the page chooses one.
var posterFigures = []posterFigure{
	{ // two concentric discs, from the lower edge
		[]posterMark{{posterDisc, 1010, 600, 400}}, []posterMark{{posterDisc, 1010, 600, 220}},
	},
	{ // quarter rings from the lower corner
		[]posterMark{{posterRing, 1200, 630, 425}}, []posterMark{{posterDisc, 1200, 630, 190}},
	},
	{ // three slanted bars, from the lower edge out of the card
		[]posterMark{{posterBar, 470, 0, 190}, {posterBar, 1010, 0, 190}}, []posterMark{{posterBar, 740, 0, 190}},
	},
	{ // a staircase of squares
		[]posterMark{{posterSquare, 660, 450, 180}, {posterSquare, 840, 450, 180}, {posterSquare, 1020, 270, 360}},
		[]posterMark{{posterSquare, 1020, 450, 180}},
	},
	{ // an open arch: the last has twice the chance
		[]posterMark{{posterArch, 960, 430, 290}}, []posterMark{{posterArch, 960, 470, 150}},
	},
}

// top returns the highest y of a mark that isn't to the right of x.
func (m posterMark) top(x float64) float64 {
	switch m.shape {
	case posterBar:
		if x >= m.x {
			return max(markFoot-(x-m.x)*barSlope, markFoot-barHigh)
		}
	case posterSquare:
		if x >= m.x {
			return m.y
		}
	default:
		switch left := m.x - x; {
		case left <= 0:
			return m.y - m.size
		case left < m.size:
			return m.y - math.Sqrt(m.size*m.size-left*left)
		}
	}
	return math.Inf(1)
}

// topOf returns the same of several marks on a card.
func topOf(marks []posterMark, at kit.View, x float64) float64 {
	top := math.Inf(1)
	for _, m := range marks {
		top = min(top, m.top(at.From.X+(x-at.To.X)/at.K))
	}
	return at.Y(top)
}

// draw fills a mark on the canvas.
func (m posterMark) draw(c *kit.Card, at kit.View, g *gg.Context) {
	x, y, size := c.MotifX(at.X(m.x)), at.Y(m.y), at.Len(m.size)
	switch m.shape {
	case posterDisc:
		g.DrawCircle(x, y, size)
	case posterRing:
		g.SetFillRuleEvenOdd() // the edges of such a wide stroke are rough
		defer g.SetFillRuleWinding()
		g.DrawCircle(x, y, size)
		g.DrawCircle(x, y, size-at.Len(ringBand))
	case posterBar:
		const lean = barHigh / barSlope
		for _, q := range [][2]float64{{0, 0}, {lean, barHigh}, {lean + m.size, barHigh}, {m.size, 0}} {
			g.LineTo(c.MotifX(at.X(m.x+q[0])), at.Y(markFoot-q[1]))
		}
		g.ClosePath()
	case posterSquare:
		x, end := math.Round(at.X(m.x)), math.Round(at.X(m.x+m.size)) // else squares would be apart
		g.DrawRectangle(c.Mirror(x, end-x), math.Round(y), end-x, math.Round(y+size)-math.Round(y))
	case posterArch:
		g.DrawArc(x, y, size, math.Pi, 2*math.Pi)
		g.LineTo(x+size, at.Y(markFoot))
		g.LineTo(x-size, at.Y(markFoot))
		g.ClosePath()
	}
	g.Fill()
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

// posterGap is how far a figure keeps from the ink of texts: less looks like none where cards are small.
const posterGap = 48

// DrawPoster draws the figure of a page in two tones of a background, clear of texts, which have these boxes. Where
// they leave it no room to be bold, another figure is drawn.
func DrawPoster(c *kit.Card, v kit.View, on kit.Surface, lines []image.Rectangle) {
	deep, light := posterTones(on)
	bold := posterBold
	if v.K > 1 {
		bold = posterBolder
	}
	if v.K == 0 {
		corner := paint.Point{X: float64(c.W), Y: float64(c.H)}
		v = kit.View{K: 1, From: corner, To: corner}
	}
	chosen := min(c.Random().IntN(len(posterFigures)+1), len(posterFigures)-1)
	texts := textCorners(c, lines)
	best := posterPlace{}
	for i := range posterFigures {
		p := placeFigure(c, v, (chosen+i)%len(posterFigures), texts)
		if p.shown > best.shown {
			best = p
		}
		if best.shown >= bold {
			break
		}
	}
	if best.shown > 0 {
		c.Canvas().Stencil(posterShape(c, v, best, false), deep)
		c.Canvas().Stencil(posterShape(c, v, best, true), light)
	}
}

// posterPlace is how a figure is drawn: smaller, and moved.
type posterPlace struct {
	figure, step int
	by           paint.Point
	shown        float64 // area, as a fraction of that of the card: the lighter tone counts more
}

// What is shown of a figure at least, if another one has more: on a share image, and on a higher card, which has more
// room.
const posterBold, posterBolder = .20, .36

// Steps in which a figure becomes smaller, and moves.
const (
	posterSteps = 8
	posterStep  = .06
	posterMove  = 12
	posterAside = 48 // of a share image, to the side: further, it would be cut to a sliver
	posterLight = 3  // how much more the lighter tone counts
)

// smallerView returns the view of a figure that is smaller by steps, toward the lower corner at the end of lines.
func smallerView(v kit.View, step int) kit.View {
	v.K *= 1 - posterStep*float64(step)
	return v
}

// textCorners returns the lower corners of texts at the end of lines, in the layout, with the distance that figures
// keep.
func textCorners(c *kit.Card, lines []image.Rectangle) (corners []paint.Point) {
	for _, l := range lines {
		x := float64(l.Max.X)
		if c.RTL {
			x = float64(c.W - l.Min.X)
		}
		corners = append(corners, paint.Point{X: x + posterGap, Y: float64(l.Max.Y) + posterGap})
	}
	return corners
}

// placeFigure returns where most is seen of a figure that is clear of texts.
func placeFigure(c *kit.Card, v kit.View, figure int, texts []paint.Point) (best posterPlace) {
	f := &posterFigures[figure]
	for step := range posterSteps {
		at := smallerView(v, step)
		for dx := 0.0; dx <= at.Len(posterAside); dx += posterMove {
			dy := 0.0
			for _, t := range texts {
				dy = max(dy, t.Y-min(topOf(f.deep, at, t.X-dx), topOf(f.light, at, t.X-dx)))
			}
			p := posterPlace{figure: figure, step: step, by: paint.Point{X: dx, Y: math.Ceil(dy)}}
			p.shown = shownOf(c, f.deep, at, p.by) + posterLight*shownOf(c, f.light, at, p.by)
			if p.shown > best.shown {
				best = p
			}
		}
	}
	return best
}

// shownOf returns how much of the card is below the upper edge of marks.
func shownOf(c *kit.Card, marks []posterMark, at kit.View, by paint.Point) (shown float64) {
	const columns = 40
	for i := range columns {
		x := (float64(i) + .5) / columns * float64(c.W)
		shown += max(float64(c.H)-topOf(marks, at, x-by.X)-by.Y, 0)
	}
	return shown / columns / float64(c.H)
}

// posterShape returns the marks of one tone of a figure.
func posterShape(c *kit.Card, v kit.View, p posterPlace, light bool) *paint.Stencil {
	key := kit.StencilKey{Figure: "poster", Variant: 2 * (p.figure*posterSteps + p.step), W: c.W, H: c.H, RTL: c.RTL}
	marks := posterFigures[p.figure].deep
	if light {
		key.Variant++
		marks = posterFigures[p.figure].light
	}
	shape := kit.KeptStencil(key, func() *paint.Stencil {
		beyond := c.W / 2 // what is left of the card may move into it
		return paint.PathStencil(image.Rect(-beyond, 0, c.W+beyond, c.H), func(g *gg.Context) {
			for _, m := range marks {
				m.draw(c, smallerView(v, p.step), g)
			}
		})
	})
	by := image.Pt(int(p.by.X), int(p.by.Y))
	if c.RTL {
		by.X = -by.X
	}
	return shape.Add(by)
}
