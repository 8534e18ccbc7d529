package template

import (
	"hash/maphash"
	"image"
	"sync"

	"masthead/render/paint"
)

// scaledCache keeps foreign pictures in the size that cards show them in: a site's icon is the same on all its cards, and scaling it takes longer
// than drawing one. It is keyed by content, under a seed that nobody outside knows, and safe for concurrent use.
type scaledCache struct {
	mu    sync.Mutex
	kept  map[scaledKey]*image.NRGBA
	order []scaledKey // as they came; the oldest goes first
}

type scaledKey struct {
	content    uint64
	maxW, maxH int
}

// maxScaled is how many pictures are kept, of at most 98 KB each (340×72): those of a service's most busy sites.
const maxScaled = 32

var (
	scaledLogos = scaledCache{kept: make(map[scaledKey]*image.NRGBA)}
	contentSeed = maphash.MakeSeed()
)

// get returns a picture without its clear margin, scaled to fit a box. ok is false for one that cannot be shown: without pixels, clear, a mere
// line, or too small to enlarge. The result is shared: it must not be changed.
func (s *scaledCache) get(src *image.NRGBA, maxW, maxH int) (img *image.NRGBA, ok bool) {
	key := scaledKey{content: contentOf(src), maxW: maxW, maxH: maxH}
	s.mu.Lock()
	img, ok = s.kept[key]
	s.mu.Unlock()
	if ok {
		return img, true
	}
	if img, ok = scaleLogo(src, maxW, maxH); !ok {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, twice := s.kept[key]; !twice {
		if len(s.order) == maxScaled {
			delete(s.kept, s.order[0])
			s.order = append(s.order[:0], s.order[1:]...)
		}
		s.kept[key], s.order = img, append(s.order, key)
	}
	return img, true
}

// contentOf returns a digest of a picture's size and pixels.
func contentOf(img *image.NRGBA) uint64 {
	var h maphash.Hash
	h.SetSeed(contentSeed)
	w, height := img.Rect.Dx(), img.Rect.Dy()
	maphash.WriteComparable(&h, [2]int{w, height})
	for y := range height {
		_, _ = h.Write(img.Pix[y*img.Stride:][:4*w]) // a hash never fails
	}
	return h.Sum64()
}

// scaleLogo is get for a picture that is not kept.
func scaleLogo(src *image.NRGBA, maxW, maxH int) (*image.NRGBA, bool) {
	src = trim(src)
	w, h := src.Rect.Dx(), src.Rect.Dy()
	if w == 0 || h == 0 || w > mostOblong*h || h > mostOblong*w {
		return nil, false
	}
	if side := max(w, h); side < minIcon {
		if !pixelArt(src) {
			return nil, false
		}
		src = enlarge(src, (max(maxW, maxH)+side-1)/side)
	}
	w, h = paint.Contain(w, h, maxW, maxH)
	img := paint.Scale(src, w, h)
	if img == src { // of the right size already: the caller's, who may change it
		img = enlarge(src, 1)
	}
	return img, true
}
