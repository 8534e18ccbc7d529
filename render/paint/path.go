package paint

import (
	"image"
	"image/color"

	"github.com/fogleman/gg"

	"masthead/render/cache"
)

// Path lays ink over a path that is drawn with gg, in the coordinates of the canvas: polygons, arcs, curves, strokes,
// dashes.
//
//	c.Path(image.Rect(1032, 242, 1448, 594), th.Gfx, func(g *gg.Context) {
//		g.DrawCircle(1240, 418, 208)
//		g.SetLineWidth(2)
//		g.Stroke()
//	})
//
// Nothing is seen outside of bounds; time and memory go by their area, so keep them close. The context starts with a
// full-coverage color, which draw leaves alone: what counts is alpha.
func (c *Canvas) Path(bounds image.Rectangle, ink color.NRGBA, draw func(g *gg.Context)) {
	bounds = bounds.Intersect(c.clip)
	if bounds.Empty() {
		return
	}
	m := takeMask(bounds)
	drawPath(m, draw)
	c.Mask(bounds.Min.X, bounds.Min.Y, m, ink)
	giveMask(m)
}

// PathMask returns the coverage of a path that is drawn with gg, for [Canvas.Mask], [Canvas.ClipMask] or [Blur]. The
// mask lies at its place: mask.Rect is bounds, and the coordinates in draw are those of the canvas.
func PathMask(bounds image.Rectangle, draw func(g *gg.Context)) *image.Alpha {
	m := image.NewAlpha(bounds)
	drawPath(m, draw)
	return m
}

// PathStencil is NewStencil of a PathMask, which nobody keeps.
func PathStencil(bounds image.Rectangle, draw func(g *gg.Context)) *Stencil {
	m := takeMask(bounds)
	drawPath(m, draw)
	s := NewStencil(m)
	giveMask(m)
	return s
}

// takeMask returns a mask of any content, of which giveMask takes the memory back.
func takeMask(r image.Rectangle) *image.Alpha {
	r = r.Canon()
	return &image.Alpha{Pix: cache.Pixels.Take(r.Dx() * r.Dy()), Stride: r.Dx(), Rect: r}
}

func giveMask(m *image.Alpha) { cache.Pixels.Give(m.Pix) }

// drawPath draws the coverage of a path over all of a mask.
func drawPath(m *image.Alpha, draw func(g *gg.Context)) {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	if w <= 0 || h <= 0 {
		return
	}
	pix := cache.Pixels.Take(4 * w * h)
	defer cache.Pixels.Give(pix)
	clear(pix)
	g := gg.NewContextForRGBA(&image.RGBA{Pix: pix, Stride: 4 * w, Rect: image.Rect(0, 0, w, h)})
	g.Translate(-float64(m.Rect.Min.X), -float64(m.Rect.Min.Y))
	g.SetColor(color.White)
	draw(g)
	// gg's own AsMask goes through the interfaces of image/draw, a pixel at a time.
	for i := range m.Pix {
		m.Pix[i] = pix[4*i+3]
	}
}
