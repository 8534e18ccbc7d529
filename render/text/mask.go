package text

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/vector"
)

// subpixels is how many horizontal positions of a glyph are told apart; more cannot be seen, fewer make spacing uneven.
const subpixels = 4

// maskBudget is how many bytes of masks one generation of the cache may hold; there are at most two.
const maskBudget = 2 << 20

// maskKey names a mask.
type maskKey struct {
	gid  uint32
	size float32
	face uint8
	sub  uint8 // quarters of a pixel to the right
	lift uint8 // quarters of a pixel down: marks that are set by offset, 0 for letters
}

// mask is the coverage of one glyph, with the place of its top-left pixel relative to the pen's whole pixel and baseline.
type mask struct {
	dx, dy int
	alpha  image.Alpha
}

// maskCache keeps masks in two generations: when the young one is full it becomes the old one, and what the old one held and
// nobody asked for since is dropped. So memory is bounded and what a worker draws all the time stays.
type maskCache struct {
	young, old map[maskKey]*mask
	bytes      int
	raster     vector.Rasterizer
}

// get returns the mask of a glyph, drawing it when it is not kept. A glyph without ink has an empty mask.
func (c *maskCache) get(f *face, key maskKey) *mask {
	if m, ok := c.young[key]; ok {
		return m
	}
	m, ok := c.old[key]
	if !ok {
		m = c.draw(f, key)
	}
	if c.young == nil || c.bytes > maskBudget {
		c.old, c.young, c.bytes = c.young, make(map[maskKey]*mask), 0
	}
	c.young[key] = m
	c.bytes += len(m.alpha.Pix) + 96
	return m
}

// draw rasterises a glyph, unhinted, with exact area coverage.
func (c *maskCache) draw(f *face, key maskKey) *mask {
	x0, y0, x1, y1 := f.ink(key.gid)
	if x0 >= x1 || y0 >= y1 {
		return &mask{}
	}
	outline, ok := f.ft.GlyphDataOutline(font.GID(key.gid))
	if !ok {
		return &mask{}
	}
	shift := float32(key.sub) / subpixels
	left := math.Floor(float64(x0*key.size + shift))
	drop := float32(key.lift) / subpixels
	top := math.Floor(float64(-y1*key.size + drop))
	w := int(math.Ceil(float64(x1*key.size+shift))-left) + 1
	h := int(math.Ceil(float64(-y0*key.size+drop))-top) + 1
	m := &mask{dx: int(left), dy: int(top), alpha: *image.NewAlpha(image.Rect(0, 0, w, h))}
	c.raster.Reset(w, h)
	c.raster.DrawOp = draw.Src
	scale := f.em * key.size
	ox, oy := shift-float32(left), drop-float32(top)
	for _, s := range outline.Segments {
		ax, ay := ox+s.Args[0].X*scale, oy-s.Args[0].Y*scale
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			c.raster.ClosePath()
			c.raster.MoveTo(ax, ay)
		case opentype.SegmentOpLineTo:
			c.raster.LineTo(ax, ay)
		case opentype.SegmentOpQuadTo:
			c.raster.QuadTo(ax, ay, ox+s.Args[1].X*scale, oy-s.Args[1].Y*scale)
		case opentype.SegmentOpCubeTo:
			c.raster.CubeTo(ax, ay, ox+s.Args[1].X*scale, oy-s.Args[1].Y*scale, ox+s.Args[2].X*scale, oy-s.Args[2].Y*scale)
		}
	}
	c.raster.ClosePath()
	c.raster.Draw(&m.alpha, m.alpha.Rect, opaque, image.Point{})
	return m
}

var opaque = image.NewUniform(color.Opaque)
