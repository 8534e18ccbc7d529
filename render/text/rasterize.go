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

// maxCachedMask is the largest mask, in bytes, that is kept among others: a letter of some 250 px. Of backdrop letters, as large as a card,
// only the last is kept, since the cards of a site have the same; a few of them would push everything else out.
const maxCachedMask = 64 << 10

// maskCache keeps masks in two generations: when the young one is full it becomes the old one, and what the old one held and
// nobody asked for since is dropped. So memory is bounded and what a worker draws all the time stays.
type maskCache struct {
	young, old map[maskKey]*mask
	bytes      int
	large      mask    // of the last letter that was too large to keep
	largeKey   maskKey // its name
	raster     vector.Rasterizer
}

// get returns the mask of a glyph, drawing it when it is not kept. A glyph without ink has an empty mask.
func (c *maskCache) get(f *face, key maskKey) *mask {
	if m, ok := c.young[key]; ok {
		return m
	}
	if key == c.largeKey && c.large.alpha.Pix != nil {
		return &c.large
	}
	m, ok := c.old[key]
	if !ok {
		if m = c.draw(f, key); m == &c.large {
			c.largeKey = key
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
	m := c.newMask(w, h)
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

// newMask returns a mask to draw on: a new one, or the one for large letters.
func (c *maskCache) newMask(w, h int) *mask {
	if w*h <= maxCachedMask {
		return &mask{alpha: *image.NewAlpha(image.Rect(0, 0, w, h))}
	}
	pix := c.large.alpha.Pix
	if cap(pix) < w*h {
		pix = make([]uint8, w*h)
	}
	c.large = mask{alpha: image.Alpha{Pix: pix[:w*h], Stride: w, Rect: image.Rect(0, 0, w, h)}}
	return &c.large
}

// trace gives an outline in font units to the rasteriser, as lines.
func (c *maskCache) trace(segments []opentype.Segment, scale, ox, oy float32) {
	var x, y float32 // the pen
	for _, s := range segments {
		ax, ay := ox+s.Args[0].X*scale, oy-s.Args[0].Y*scale
		bx, by := ox+s.Args[1].X*scale, oy-s.Args[1].Y*scale
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			c.raster.ClosePath()
			c.raster.MoveTo(ax, ay)
			x, y = ax, ay
		case opentype.SegmentOpLineTo:
			c.line(x, y, ax, ay)
			x, y = ax, ay
		case opentype.SegmentOpQuadTo:
			c.curve(x, y, ax, ay, bx, by)
			x, y = bx, by
		case opentype.SegmentOpCubeTo: // in CFF faces only; none is embedded
			x, y = ox+s.Args[2].X*scale, oy-s.Args[2].Y*scale
			c.raster.CubeTo(ax, ay, bx, by, x, y)
		}
	}
	c.raster.ClosePath()
}

const (
	// maxRows is how many pixels a line given to the rasteriser may be high. It steps down a line with a slope in 1/1024 px, so that
	// the foot of a long diagonal would be off by a visible part of a pixel.
	maxRows = 12
	// flat is how far a chord may be from its curve, in px.
	flatness = .01
)

// line adds a line in pieces of at most maxRows.
func (c *maskCache) line(x0, y0, x1, y1 float32) {
	n := int(max(y1-y0, y0-y1)/maxRows) + 1
	for i := 1; i < n; i++ {
		t := float32(i) / float32(n)
		c.raster.LineTo(x0+t*(x1-x0), y0+t*(y1-y0))
	}
	c.raster.LineTo(x1, y1)
}

// curve adds a quadratic curve as chords, whose distance from it falls with the square of their number.
func (c *maskCache) curve(x0, y0, x1, y1, x2, y2 float32) {
	bend := math.Hypot(float64(x0-2*x1+x2), float64(y0-2*y1+y2)) / 4
	n := int(math.Sqrt(bend/flatness)) + 1
	px, py := x0, y0
	for i := 1; i <= n; i++ {
		t := float32(i) / float32(n)
		u := 1 - t
		x, y := u*u*x0+2*u*t*x1+t*t*x2, u*u*y0+2*u*t*y1+t*t*y2
		c.line(px, py, x, y)
		px, py = x, y
	}
}

var opaque = image.NewUniform(color.Opaque)
