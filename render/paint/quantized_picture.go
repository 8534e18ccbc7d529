package paint

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"image"
	"math"
	"slices"
	"sync"

	"masthead/render/cache"
)

// A quantizedPicture is a small picture as drawn on an indexed canvas. A site has one logo and many cards: choosing
// entries for it and diffusing its pixels takes longer than all text of a card, and gives the same result for the same
// picture, palette and background.
type quantizedPicture struct {
	key   []byte // all that it depends on
	ok    bool   // the palette can hold the picture
	added []rgb  // entries that it added
	pix   []uint8
}

// quantizedPictures caches those of the most drawn sites, from the second time on, by the hash of their keys. A logo of
// 64×64 takes 30 KB.
var quantizedPictures = cache.NewPart(cache.Pieces, func(_ uint64, q *quantizedPicture) int {
	return len(q.key) + len(q.pix) + 3*len(q.added) + quantizedOverhead
})

// quantizedOverhead is about the size of a cached picture in addition to its bytes.
const quantizedOverhead = 300

var (
	keySeed    = maphash.MakeSeed()
	keyBuffers = sync.Pool{New: func() any { return new([]byte) }}
)

// pictureIndexed draws a small picture in palette entries. It returns false, without drawing, if the loss would be
// visible.
func (c *Canvas) pictureIndexed(img *image.NRGBA, r image.Rectangle, radius float64) bool {
	if !r.In(c.clip) {
		return c.quantize(img, r, radius)
	}
	key := keyBuffers.Get().(*[]byte)
	defer keyBuffers.Put(key)
	*key = c.pictureKey((*key)[:0], img, r, radius)
	sum := maphash.Bytes(keySeed, *key)
	if q, ok := quantizedPictures.Get(sum); ok && bytes.Equal(q.key, *key) {
		c.copyPicture(q, r)
		return q.ok
	}
	if !quantizedPictures.Again(sum) {
		return c.quantize(img, r, radius)
	}
	n := c.blends.n
	q := &quantizedPicture{key: bytes.Clone(*key), ok: c.quantize(img, r, radius)}
	if q.ok {
		q.added = slices.Clone(c.blends.colors[n:c.blends.n])
		q.pix = c.entries(nil, r)
	}
	quantizedPictures.Put(sum, q)
	return q.ok
}

// pictureKey appends everything that determines how a picture is drawn: its pixels and corners, the palette, the clip,
// and the pixels under it.
func (c *Canvas) pictureKey(key []byte, img *image.NRGBA, r image.Rectangle, radius float64) []byte {
	for _, n := range [...]int{r.Dx(), r.Dy(), c.blends.n} {
		key = binary.LittleEndian.AppendUint32(key, uint32(n))
	}
	key = binary.LittleEndian.AppendUint64(key, math.Float64bits(radius))
	for _, p := range c.blends.colors[:c.blends.n] {
		key = append(key, p.r, p.g, p.b)
	}
	for y := range r.Dy() {
		key = append(key, img.Pix[y*img.Stride:][:4*r.Dx()]...)
	}
	for y := r.Min.Y; y < r.Max.Y && c.mask != nil; y++ {
		key = append(key, c.mask.Pix[c.mask.PixOffset(r.Min.X, y):][:r.Dx()]...)
	}
	return c.entries(key, r)
}

// entries appends the pixels of a rectangle of an indexed canvas.
func (c *Canvas) entries(dst []uint8, r image.Rectangle) []uint8 {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		dst = append(dst, c.indexed.Pix[y*c.stride+r.Min.X:][:r.Dx()]...)
	}
	return dst
}

// copyPicture draws a picture that was quantized before.
func (c *Canvas) copyPicture(q *quantizedPicture, r image.Rectangle) {
	for _, p := range q.added {
		c.blends.add(p, false)
	}
	w := r.Dx()
	for y := 0; y*w < len(q.pix); y++ {
		copy(c.indexed.Pix[(r.Min.Y+y)*c.stride+r.Min.X:], q.pix[y*w:][:w])
	}
}
