package paint

import (
	"hash/maphash"
	"image"
	"weak"

	"masthead/render/cache"
)

// knownSum is the hash of a picture, with what tells whether the picture is still the same.
type knownSum struct {
	sum, sample uint64
	rect        image.Rectangle
}

// sums has the hashes of large pictures that are drawn again. It doesn't keep them from being freed.
var sums = cache.NewPart(cache.Pieces, func(weak.Pointer[image.NRGBA], knownSum) int { return 64 })

// Pictures with at least so many bytes are remembered: reading those of a photograph takes 2 ms. sampleEvery is the
// distance of the rows that are read again.
const (
	leastKnown  = 1 << 20
	sampleEvery = 32
)

// sumKept is [SumOf] for a picture that is kept and drawn again, whose pixels don't change: most of them are read once.
func sumKept(img image.Image) (sum uint64, ok bool) {
	p, isNRGBA := img.(*image.NRGBA)
	if !isNRGBA || len(p.Pix) < leastKnown {
		return SumOf(img)
	}
	key, now := weak.Make(p), knownSum{sample: sampleOf(p), rect: p.Rect}
	if known, found := sums.Get(key); found {
		now.sum = known.sum
		if known == now {
			return known.sum, true
		}
	}
	now.sum, _ = SumOf(p)
	sums.Put(key, now)
	return now.sum, true
}

// sampleOf returns a hash of some rows, so that a picture that was painted over isn't taken for what it was.
func sampleOf(p *image.NRGBA) uint64 {
	var h maphash.Hash
	h.SetSeed(keySeed)
	for y := p.Rect.Min.Y; y < p.Rect.Max.Y; y += sampleEvery {
		_, _ = h.Write(p.Pix[p.PixOffset(p.Rect.Min.X, y):][:4*p.Rect.Dx()])
	}
	return h.Sum64()
}
