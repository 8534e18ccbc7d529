package text

import (
	"image"
	"math"

	"github.com/go-text/typesetting/font"

	"masthead/render/cache"
)

// subpixels is the number of distinct horizontal positions of a glyph; more is invisible, fewer makes spacing uneven.
const subpixels = 4

// maskKey identifies a mask.
type maskKey struct {
	gid  uint32
	size float32
	face uint8
	subX uint8 // quarters of a pixel to the right
	subY uint8 // quarters of a pixel down, for combining marks with offsets; 0 for letters
}

// mask is the coverage of one glyph, with the position of its top-left pixel relative to the pen's whole pixel and
// baseline.
type mask struct {
	dx, dy int
	alpha  image.Alpha
}

const (
	maxMaskBytes = 3 << 20 // of all masks cached by an engine
	maskOverhead = 224     // bytes of a cached mask besides its pixels: the struct, its key, the cache's entry
	// maxCachedMask is the maximum size of a regular cached mask in bytes: a letter of some 250 px. Of backdrop letters,
	// as large as a card, only the last is kept, since all cards of a site have the same; a few of them would evict
	// everything else.
	maxCachedMask = 64 << 10
)

// glyphCache caches drawn masks of glyphs. The large letter isn't an entry of masks, since its memory, as much as a
// card's pixels, is reused for the next one; an entry's memory would be left to the garbage collector.
type glyphCache struct {
	masks    *cache.Cache[maskKey, *mask]
	large    mask    // of the last letter too large for masks
	largeKey maskKey // its key
	raster   rasterizer
}

func newGlyphCache() glyphCache {
	return glyphCache{
		masks: cache.New(maxMaskBytes, func(_ maskKey, m *mask) int { return len(m.alpha.Pix) + maskOverhead }),
	}
}

// get returns the mask of a glyph, and draws it if it isn't cached. A glyph without ink has an empty mask. It is valid
// until the next call.
func (c *glyphCache) get(f *face, key maskKey) *mask {
	if m, ok := c.masks.Get(key); ok {
		return m
	}
	if key == c.largeKey && c.large.alpha.Pix != nil {
		return &c.large
	}
	m := c.draw(f, key)
	if m == &c.large {
		c.largeKey = key
		return m
	}
	c.masks.Put(key, m)
	return m
}

// draw rasterizes a glyph, unhinted, with exact area coverage.
func (c *glyphCache) draw(f *face, key maskKey) *mask {
	x0, y0, x1, y1 := f.ink(key.gid)
	if x0 >= x1 || y0 >= y1 {
		return &mask{}
	}
	outline, ok := f.src.Outline(f.ft, font.GID(key.gid))
	if !ok {
		return &mask{}
	}
	shiftX, shiftY := float32(key.subX)/subpixels, float32(key.subY)/subpixels
	left := math.Floor(float64(x0*key.size + shiftX))
	top := math.Floor(float64(-y1*key.size + shiftY))
	w := int(math.Ceil(float64(x1*key.size+shiftX))-left) + 1
	h := int(math.Ceil(float64(-y0*key.size+shiftY))-top) + 1
	m := c.newMask(w, h)
	m.dx, m.dy = int(left), int(top)
	c.raster.draw(&m.alpha, outline, f.em*key.size, shiftX-float32(left), shiftY-float32(top))
	return m
}

// newMask returns a mask to draw on: a new one, or the one for large letters.
func (c *glyphCache) newMask(w, h int) *mask {
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
