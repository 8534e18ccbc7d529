package encode

import (
	"image"
)

// rgbSource reads RGB rows, or RGBA rows with straight alpha, from four bytes a pixel.
type rgbSource struct {
	pix    []uint8
	stride int
	w      int
	alpha  bool
}

func (s *rgbSource) depth() (bits, colorType byte) {
	if s.alpha {
		return 8, truecolorAlpha
	}
	return 8, truecolor
}

func (s *rgbSource) palette() []byte { return nil }

func (s *rgbSource) rowBytes() int { return s.w * s.pixelBytes() }

func (s *rgbSource) pixelBytes() int {
	if s.alpha {
		return 4
	}
	return 3
}

func (s *rgbSource) read(dst []byte, y int) {
	src := s.pix[y*s.stride:][:4*s.w]
	if s.alpha {
		copy(dst, src)
		return
	}
	dst = dst[:3*s.w]
	for len(src) >= 4 && len(dst) >= 3 {
		dst[0], dst[1], dst[2] = src[0], src[1], src[2]
		src, dst = src[4:], dst[3:]
	}
}

// indexedSource reads rows of palette entries, packed into fewer bits where few entries are used.
type indexedSource struct {
	img     *image.Paletted
	bits    int
	entry   [256]uint8 // of each index, when entries are numbered anew for packing
	entries []byte
}

// newIndexed looks which entries are used. Up to 16 are packed: half the bytes to compress, and fewer after it. More are left as they are,
// only the palette ends with the last that is used.
func newIndexed(p *image.Paletted) *indexedSource {
	s := &indexedSource{img: p, bits: 8}
	var used [256]bool
	w, h := p.Rect.Dx(), p.Rect.Dy()
	for y := range h {
		for _, v := range p.Pix[y*p.Stride:][:w] {
			used[v] = true
		}
	}
	n, last := 0, 0
	for v, u := range used {
		if u {
			s.entry[v] = uint8(n)
			n, last = n+1, v
		}
	}
	switch {
	case n <= 2:
		s.bits = 1
	case n <= 4:
		s.bits = 2
	case n <= 16:
		s.bits = 4
	}
	for v, c := range p.Palette[:min(last+1, len(p.Palette))] {
		if s.bits < 8 && !used[v] {
			continue
		}
		r, g, b, _ := c.RGBA()
		s.entries = append(s.entries, uint8(r>>8), uint8(g>>8), uint8(b>>8))
	}
	return s
}

func (s *indexedSource) depth() (bits, colorType byte) { return byte(s.bits), indexedColor }

func (s *indexedSource) palette() []byte { return s.entries }

func (s *indexedSource) rowBytes() int { return (s.img.Rect.Dx()*s.bits + 7) / 8 }

func (s *indexedSource) pixelBytes() int { return 0 }

func (s *indexedSource) read(dst []byte, y int) {
	src := s.img.Pix[y*s.img.Stride:][:s.img.Rect.Dx()]
	if s.bits == 8 {
		copy(dst, src)
		return
	}
	clear(dst)
	per := 8 / s.bits
	for i, v := range src {
		dst[i/per] |= s.entry[v] << (8 - s.bits*(i%per+1))
	}
}
