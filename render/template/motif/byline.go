package motif

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/template/kit"
)

// Arch is a half disc over a box that extends to its foot, in the layout.
type Arch struct{ X, W, Top, Foot float64 }

// DrawAlcove draws arches from the outermost on, and the author in the innermost.
func DrawAlcove(c *kit.Card, arches *[3]Arch) {
	th := &c.Theme
	drawArch(c, arches, 0, th.Ramp(kit.ByMode(th.Dark, .235, .945), kit.ByMode(th.Dark, .55, .3), 0))
	drawArch(c, arches, 1, th.Ramp(kit.ByMode(th.Dark, .34, .84), kit.ByMode(th.Dark, .85, .6), 0))
	drawBylineFace(c, arches[2])
}

// path draws the outline of an arch on the canvas.
func (a Arch) path(c *kit.Card, g *gg.Context) {
	x, r, foot := c.MotifX(a.X+a.W/2), a.W/2, a.Foot
	g.MoveTo(x-r, foot)
	g.LineTo(x-r, a.Top+r)
	g.DrawArc(x, a.Top+r, r, math.Pi, 2*math.Pi)
	g.LineTo(x+r, foot)
	g.ClosePath()
}

// box returns the area of an arch on the canvas.
func (a Arch) box(c *kit.Card) image.Rectangle {
	return c.MotifRect(int(a.X), int(a.Top), int(a.W), int(a.Foot-a.Top)).Intersect(image.Rect(0, 0, c.W, c.H))
}

// drawArch draws the part of an arch around the next one, with a slight overlap: two edges that only touch would reveal
// what is below.
func drawArch(c *kit.Card, arches *[3]Arch, n int, ink color.NRGBA) {
	hole := arches[n+1]
	if n == 0 {
		const under = 2
		hole = Arch{hole.X + under, hole.W - 2*under, hole.Top + under, hole.Foot}
	}
	const most = 4096 // of widths
	size := arches[n].Foot + arches[n].W/most
	key := kit.StencilKey{Figure: "byline", Variant: n, W: c.W, H: c.H, RTL: c.RTL, Size: size}
	c.Canvas().Stencil(kit.KeptStencil(key, func() *paint.Stencil {
		return paint.PathStencil(arches[n].box(c), func(g *gg.Context) {
			g.SetFillRuleEvenOdd()
			arches[n].path(c, g)
			g.NewSubPath()
			hole.path(c, g)
			g.Fill()
		})
	}), ink)
}

// drawBylineFace fills the inner arch with the author's picture.
func drawBylineFace(c *kit.Card, inner Arch) {
	if c.Portrait == nil || c.Portrait.Rect.Empty() {
		return
	}
	box := inner.box(c)
	key := maskKey{box, c.RTL}
	mask, ok := archMasks.Get(key)
	if !ok {
		mask = paint.PathMask(box, func(g *gg.Context) { inner.path(c, g); g.Fill() })
		archMasks.Put(key, mask)
	}
	undo := c.Canvas().ClipMask(mask)
	const eyes = .4 // of the height of most portraits, and of the arch
	c.Canvas().Picture(paint.KeptCover(c.Portrait, box.Dx(), box.Dy(), .5, eyes), box, 0)
	undo()
}

// maskKey is what the coverage of an inner arch depends on.
type maskKey struct {
	box image.Rectangle
	rtl bool
}

var archMasks = cache.NewPart(cache.Pieces, func(_ maskKey, m *image.Alpha) int { return len(m.Pix) + 100 })
