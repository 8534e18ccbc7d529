package encode

import (
	"hash/maphash"
	"image"

	"masthead/render/cache"
)

// Cards over one picture have most of their pixels in common: a title that was edited changes only some rows, and only
// on its side. So the codes of a row of blocks are kept in segments, by a hash of their pixels, and appended instead of
// computed again. The first difference of each component depends on what comes before a segment: therefore its first
// unit is always computed.

// Sizes in pixels of what is kept: a unit is a [square], or two blocks of full resolution.
const (
	unitWidth    = 16
	segmentWidth = 20 * unitWidth
)

// segmentBytes bounds the memory of the segments: a hero over a busy picture has 200 KB.
const segmentBytes = 3 << 20

// segment has the codes of a segment without its first unit, as they are before bytes of 0xFF are marked.
type segment struct {
	words []uint32 // the first bits
	rest  uint32   // the last ones
	n     uint     // how many those are, fewer than 32
	dc    [3]int16 // the last first coefficients
}

var (
	// segments identifies pixels by a hash with a secret seed: two in the cache collide with a probability of 2^-64.
	segments = cache.NewPart(cache.NewBudget(segmentBytes), func(_ uint64, s *segment) int { return 4*len(s.words) + 64 })

	segmentSeed = maphash.MakeSeed()
)

// segmentKey returns the key of a segment of a picture: of its pixels and of all else that decides its codes.
func (w *jpegWriter) segmentKey(pix []uint8, stride int, area image.Rectangle, a attempt) uint64 {
	var h maphash.Hash
	h.SetSeed(segmentSeed)
	_ = h.WriteByte(byte(a.quality))
	if !a.subsampled {
		_ = h.WriteByte(1)
		for _, full := range w.strip.full[area.Min.X/8 : area.Max.X/8] {
			var b byte
			if full {
				b = 1
			}
			_ = h.WriteByte(b)
		}
	}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		_, _ = h.Write(pix[y*stride+4*area.Min.X:][:4*area.Dx()])
	}
	return h.Sum64()
}

// scanKept encodes a row of units, in the area of a picture, that compute encodes from one x to another.
func (w *jpegWriter) scanKept(
	pix []uint8, stride int, area image.Rectangle, a attempt, dc *[3]int16, compute func(from, to int),
) {
	for x := area.Min.X; x < area.Max.X; x += segmentWidth {
		part := image.Rect(x, area.Min.Y, min(x+segmentWidth, area.Max.X), area.Max.Y)
		if compute(x, x+unitWidth); part.Dx() == unitWidth {
			break
		}
		key := w.segmentKey(pix, stride, part, a)
		if kept, ok := segments.Get(key); ok {
			w.bits.append(kept)
			*dc = kept.dc
			continue
		}
		if !segments.Again(key) {
			compute(x+unitWidth, part.Max.X)
			continue
		}
		before := w.bits
		w.bits = bitWriter{out: w.scratch[:0]}
		compute(x+unitWidth, part.Max.X)
		made := w.bits.segment(*dc)
		w.scratch, w.bits = w.bits.out, before
		w.bits.append(made)
		segments.Put(key, made)
	}
}

// segment returns what was written to w as a segment.
func (w *bitWriter) segment(dc [3]int16) *segment {
	s := &segment{words: make([]uint32, 0, len(w.out)/4), rest: uint32(w.acc & (1<<w.n - 1)), n: w.n, dc: dc}
	word, n := uint32(0), 0
	for i := 0; i < len(w.out); i++ {
		if word = word<<8 | uint32(w.out[i]); w.out[i] == 0xff {
			i++ // the zero that marks it
		}
		if n++; n == 4 {
			s.words, n = append(s.words, word), 0
		}
	}
	return s
}

// append writes the codes of a segment.
func (w *bitWriter) append(s *segment) {
	acc, n, out := w.acc, w.n, w.out
	for _, word := range s.words {
		acc = acc<<32 | uint64(word)
		out = stuffed(out, uint32(acc>>(n&31)))
	}
	w.acc, w.out = acc, out
	w.acc, w.n = w.acc<<s.n|uint64(s.rest), n+s.n
	if w.n >= 32 {
		w.n -= 32
		w.out = stuffed(w.out, uint32(w.acc>>w.n))
	}
}
