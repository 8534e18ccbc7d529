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

// maxKept is the largest mask, in bytes, that is kept: a letter of some 250 px. Ghost letters, as large as a card, are drawn
// into one buffer each time; kept, a few of them would push everything else out.
const maxKept = 64 << 10

// maskCache keeps masks in two generations: when the young one is full it becomes the old one, and what the old one held and
// nobody asked for since is dropped. So memory is bounded and what a worker draws all the time stays.
type maskCache struct {
	young, old map[maskKey]*mask
	bytes      int
	large      mask // of the last letter that was too large to keep
	raster     vector.Rasterizer
}

// get returns the mask of a glyph, drawing it when it is not kept. A glyph without ink has an empty mask.
func (c *maskCache) get(f *face, key maskKey) *mask {
	if m, ok := c.young[key]; ok {
		return m
	}
	m, ok := c.old[key]
	if !ok {
		if m = c.draw(f, key); m == &c.large {
			return m
		}
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
	shift, drop := float32(key.sub)/subpixels, float32(key.lift)/subpixels
	left := math.Floor(float64(x0*key.size + shift))
	top := math.Floor(float64(-y1*key.size + drop))
	w := int(math.Ceil(float64(x1*key.size+shift))-left) + 1
	h := int(math.Ceil(float64(-y0*key.size+drop))-top) + 1
	m := c.blank(w, h)
	m.dx, m.dy = int(left), int(top)
	scale, ox, oy := f.em*key.size, shift-float32(left), drop-float32(top)
	for y := 0; y < h; y += maxTile {
		for x := 0; x < w; x += maxTile {
			tile := image.Rect(x, y, min(x+maxTile, w), min(y+maxTile, h))
			c.raster.Reset(tile.Dx(), tile.Dy())
			c.raster.DrawOp = draw.Src
			c.trace(outline.Segments, scale, ox-float32(x), oy-float32(y))
			c.raster.Draw(&m.alpha, tile, opaque, image.Point{})
		}
	}
	return m
}

// maxTile is the side up to which the rasteriser works in whole numbers; beyond it is thirty times slower. It clips what lies
// outside, so a large letter is drawn in tiles.
const maxTile = 512

// blank returns a mask to draw on: a new one, or the one for large letters.
func (c *maskCache) blank(w, h int) *mask {
	if w*h <= maxKept {
		return &mask{alpha: *image.NewAlpha(image.Rect(0, 0, w, h))}
	}
	pix := c.large.alpha.Pix
	if cap(pix) < w*h {
		pix = make([]uint8, w*h)
	}
	c.large = mask{alpha: image.Alpha{Pix: pix[:w*h], Stride: w, Rect: image.Rect(0, 0, w, h)}}
	return &c.large
}

// trace gives an outline in font units to the rasteriser.
func (c *maskCache) trace(segments []opentype.Segment, scale, ox, oy float32) {
	for _, s := range segments {
		ax, ay := ox+s.Args[0].X*scale, oy-s.Args[0].Y*scale
		bx, by := ox+s.Args[1].X*scale, oy-s.Args[1].Y*scale
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			c.raster.ClosePath()
			c.raster.MoveTo(ax, ay)
		case opentype.SegmentOpLineTo:
			c.raster.LineTo(ax, ay)
		case opentype.SegmentOpQuadTo:
			c.raster.QuadTo(ax, ay, bx, by)
		case opentype.SegmentOpCubeTo:
			c.raster.CubeTo(ax, ay, bx, by, ox+s.Args[2].X*scale, oy-s.Args[2].Y*scale)
		}
	}
	c.raster.ClosePath()
}

var opaque = image.NewUniform(color.Opaque)
