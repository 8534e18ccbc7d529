package paint

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"image"
	"math"
	"slices"
	"sync"
)

// A quantizedPicture is a small picture as an indexed canvas took it. A site has one logo and many cards: choosing entries for it and diffusing its
// pixels takes longer than all text of a card, and comes out the same each time as long as picture, palette and ground are the same.
type quantizedPicture struct {
	key   []byte // all that it depends on
	ok    bool   // the palette can hold the picture
	added []rgb  // entries that it brought along
	pix   []uint8
}

// pictureBudget is how many bytes of pictures one generation may hold; there are at most two. A logo of 64×64 takes 30 KB.
const pictureBudget = 2 << 20

// pictures keeps the pictures of the program in two generations: when the young one is full it becomes the old one, and what the old one held
// and nobody asked for since is dropped.
var pictures = pictureCache{young: map[uint64]*quantizedPicture{}}

type pictureCache struct {
	sync.Mutex
	young, old map[uint64]*quantizedPicture
	bytes      int // of the young ones
}

var (
	pictureSeed = maphash.MakeSeed()
	keyBuffers  = sync.Pool{New: func() any { return new([]byte) }}
)

// pictureIndexed draws a small picture in palette entries. It reports false, with nothing drawn, when it would show.
func (c *Canvas) pictureIndexed(img *image.NRGBA, r image.Rectangle, radius float64) bool {
	if c.mask != nil || !r.In(c.clip) {
		return c.quantize(img, r, radius)
	}
	key := keyBuffers.Get().(*[]byte)
	defer keyBuffers.Put(key)
	*key = c.pictureKey((*key)[:0], img, r, radius)
	sum := maphash.Bytes(pictureSeed, *key)
	if s := pictures.get(sum, *key); s != nil {
		c.copyPicture(s, r)
		return s.ok
	}
	n := c.blends.n
	s := &quantizedPicture{key: bytes.Clone(*key), ok: c.quantize(img, r, radius)}
	if s.ok {
		s.added = slices.Clone(c.blends.colors[n:c.blends.n])
		s.pix = c.entries(nil, r)
	}
	pictures.put(sum, s)
	return s.ok
}

// pictureKey appends all that decides how a picture is drawn: its pixels and corners, the palette, and what lies under it.
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
	return c.entries(key, r)
}

// entries appends the pixels of a rectangle of an indexed canvas.
func (c *Canvas) entries(dst []uint8, r image.Rectangle) []uint8 {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		dst = append(dst, c.indexed.Pix[y*c.w+r.Min.X:][:r.Dx()]...)
	}
	return dst
}

// copyPicture draws a picture that was quantized before.
func (c *Canvas) copyPicture(s *quantizedPicture, r image.Rectangle) {
	for _, p := range s.added {
		c.blends.add(p, false)
	}
	w := r.Dx()
	for y := 0; y*w < len(s.pix); y++ {
		copy(c.indexed.Pix[(r.Min.Y+y)*c.w+r.Min.X:], s.pix[y*w:][:w])
	}
}

// get returns the stamp with a key, or nil.
func (k *pictureCache) get(sum uint64, key []byte) *quantizedPicture {
	k.Lock()
	s := k.young[sum]
	if s == nil {
		if s = k.old[sum]; s != nil {
			k.enter(sum, s)
		}
	}
	k.Unlock()
	if s == nil || !bytes.Equal(s.key, key) {
		return nil
	}
	return s
}

func (k *pictureCache) put(sum uint64, s *quantizedPicture) {
	k.Lock()
	k.enter(sum, s)
	k.Unlock()
}

// enter adds a stamp to the young ones.
func (k *pictureCache) enter(sum uint64, s *quantizedPicture) {
	if k.bytes > pictureBudget {
		k.old, k.young, k.bytes = k.young, map[uint64]*quantizedPicture{}, 0
	}
	k.young[sum] = s
	k.bytes += len(s.key) + len(s.pix) + 200
}
