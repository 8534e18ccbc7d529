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
// full-coverage colour, which draw leaves alone: what counts is alpha.
func (c *Canvas) Path(bounds image.Rectangle, ink color.NRGBA, draw func(g *gg.Context)) {
	bounds = bounds.Intersect(c.clip)
	if bounds.Empty() {
		return
	}
	m := PathMask(bounds, draw)
	c.Mask(bounds.Min.X, bounds.Min.Y, m, ink)
}

// PathMask returns the coverage of a path that is drawn with gg, for [Canvas.Mask], [Canvas.ClipMask] or [Blur]. The
// mask lies at its place: mask.Rect is bounds, and the coordinates in draw are those of the canvas.
func PathMask(bounds image.Rectangle, draw func(g *gg.Context)) *image.Alpha {
	m := image.NewAlpha(bounds)
	w, h := bounds.Dx(), bounds.Dy()
	if w <= 0 || h <= 0 {
		return m
	}
	pix := cache.Pixels.Take(4 * w * h)
	defer cache.Pixels.Give(pix)
	clear(pix)
	g := gg.NewContextForRGBA(&image.RGBA{Pix: pix, Stride: 4 * w, Rect: image.Rect(0, 0, w, h)})
	g.Translate(-float64(bounds.Min.X), -float64(bounds.Min.Y))
	g.SetColor(color.White)
	draw(g)
	// gg's own AsMask goes through the interfaces of image/draw, a pixel at a time.
	for i := range m.Pix {
		m.Pix[i] = pix[4*i+3]
	}
	return m
}
