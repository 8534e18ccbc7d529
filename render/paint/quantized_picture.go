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

// A stamp is a small picture as an indexed canvas took it. A site has one logo and many cards: choosing entries for it and diffusing its
// pixels takes longer than all text of a card, and comes out the same each time as long as picture, palette and ground are the same.
type stamp struct {
	key   []byte // all that it depends on
	ok    bool   // the palette can hold the picture
	added []rgb  // entries that it brought along
	pix   []uint8
}

// stampBudget is how many bytes of stamps one generation may hold; there are at most two. A logo of 64×64 takes 30 KB.
const stampBudget = 2 << 20

// stamps keeps the stamps of the program in two generations: when the young one is full it becomes the old one, and what the old one held
// and nobody asked for since is dropped.
var stamps = stampCache{young: map[uint64]*stamp{}}

type stampCache struct {
	sync.Mutex
	young, old map[uint64]*stamp
	bytes      int // of the young ones
}

var (
	stampSeed = maphash.MakeSeed()
	stampKeys = sync.Pool{New: func() any { return new([]byte) }}
)

// pictureIndexed draws a small picture in palette entries. It reports false, with nothing drawn, when it would show.
func (c *Canvas) pictureIndexed(img *image.NRGBA, r image.Rectangle, radius float64) bool {
	if c.mask != nil || !r.In(c.clip) {
		return c.quantise(img, r, radius)
	}
	key := stampKeys.Get().(*[]byte)
	defer stampKeys.Put(key)
	*key = c.stampKey((*key)[:0], img, r, radius)
	sum := maphash.Bytes(stampSeed, *key)
	if s := stamps.get(sum, *key); s != nil {
		c.press(s, r)
		return s.ok
	}
	n := c.book.n
	s := &stamp{key: bytes.Clone(*key), ok: c.quantise(img, r, radius)}
	if s.ok {
		s.added = slices.Clone(c.book.colors[n:c.book.n])
		s.pix = c.entries(nil, r)
	}
	stamps.put(sum, s)
	return s.ok
}

// stampKey appends all that decides how a picture is drawn: its pixels and corners, the palette, and what lies under it.
func (c *Canvas) stampKey(key []byte, img *image.NRGBA, r image.Rectangle, radius float64) []byte {
	for _, n := range [...]int{r.Dx(), r.Dy(), c.book.n} {
		key = binary.LittleEndian.AppendUint32(key, uint32(n))
	}
	key = binary.LittleEndian.AppendUint64(key, math.Float64bits(radius))
	for _, p := range c.book.colors[:c.book.n] {
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

// press draws a stamp.
func (c *Canvas) press(s *stamp, r image.Rectangle) {
	for _, p := range s.added {
		c.book.add(p, false)
	}
	w := r.Dx()
	for y := 0; y*w < len(s.pix); y++ {
		copy(c.indexed.Pix[(r.Min.Y+y)*c.w+r.Min.X:], s.pix[y*w:][:w])
	}
}

// get returns the stamp with a key, or nil.
func (k *stampCache) get(sum uint64, key []byte) *stamp {
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

func (k *stampCache) put(sum uint64, s *stamp) {
	k.Lock()
	k.enter(sum, s)
	k.Unlock()
}

// enter adds a stamp to the young ones.
func (k *stampCache) enter(sum uint64, s *stamp) {
	if k.bytes > stampBudget {
		k.old, k.young, k.bytes = k.young, map[uint64]*stamp{}, 0
	}
	k.young[sum] = s
	k.bytes += len(s.key) + len(s.pix) + 200
}
