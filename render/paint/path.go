package paint

import (
	"image"
	"image/color"

	"github.com/fogleman/gg"

	"masthead/render/cache"
)

// Path fills or strokes a path drawn with gg, in the coordinates of the canvas: polygons, arcs, curves, strokes,
// dashes.
//
//	c.Path(image.Rect(1032, 242, 1448, 594), th.Gfx, func(g *gg.Context) {
//		g.DrawCircle(1240, 418, 208)
//		g.SetLineWidth(2)
//		g.Stroke()
//	})
//
// Nothing outside of bounds is drawn; time and memory depend on their area, so keep them tight. The context starts with
// a full-coverage color, which draw must not change: only alpha counts.
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

// PathMask returns the coverage of a path drawn with gg, for [Canvas.Mask], [Canvas.ClipMask] or [Blur]. mask.Rect is
// bounds, and the coordinates in draw are those of the canvas.
func PathMask(bounds image.Rectangle, draw func(g *gg.Context)) *image.Alpha {
	m := image.NewAlpha(bounds)
	drawPath(m, draw)
	return m
}

// PathStencil is NewStencil of a temporary PathMask.
func PathStencil(bounds image.Rectangle, draw func(g *gg.Context)) *Stencil {
	m := takeMask(bounds)
	drawPath(m, draw)
	s := NewStencil(m)
	giveMask(m)
	return s
}

// takeMask returns a mask with arbitrary content, which giveMask takes back.
func takeMask(r image.Rectangle) *image.Alpha {
	r = r.Canon()
	return &image.Alpha{Pix: cache.Pixels.Take(r.Dx() * r.Dy()), Stride: r.Dx(), Rect: r}
}

func giveMask(m *image.Alpha) { cache.Pixels.Give(m.Pix) }

// drawPath draws the coverage of a path over a whole mask.
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
	// gg's own AsMask uses the interfaces of image/draw for each pixel.
	for i := range m.Pix {
		m.Pix[i] = pix[4*i+3]
	}
}
