package encode

import (
	"encoding/binary"
	"image"

	"masthead/render/cache"
)

// pixels returns the rows of a picture in PNG format.
type pixels interface {
	depth() (bits, colorType byte)
	palette() []byte // R, G, B of each entry, or nil
	rowBytes() int   // without the filter byte
	pixelBytes() int // the distance used by filters; 0 for pictures that no filter helps
	read(dst []byte, y int)
	// raw returns all rows in place if their memory layout is suitable: with a byte between two rows, which is the filter
	// byte of the lower one, none. The capacity has eight more bytes. Otherwise it returns nil.
	raw() []byte
}

// pixelsOf returns the rows of a picture of a type that encodable returns.
func pixelsOf(img image.Image) pixels {
	switch p := img.(type) {
	case *image.RGBA:
		return &rgbPixels{pix: p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y):], stride: p.Stride, w: p.Rect.Dx()}
	case *image.NRGBA:
		pix := p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y):]
		return &rgbPixels{pix: pix, stride: p.Stride, w: p.Rect.Dx(), alpha: !p.Opaque()}
	}
	return newIndexedPixels(img.(*image.Paletted)) // encodable returns no other type
}

// rgbPixels reads RGB rows, or RGBA rows with straight alpha, from four bytes per pixel.
type rgbPixels struct {
	pix    []uint8
	stride int
	w      int
	alpha  bool
}

func (s *rgbPixels) depth() (bits, colorType byte) {
	if s.alpha {
		return 8, truecolorAlpha
	}
	return 8, truecolor
}

func (s *rgbPixels) palette() []byte { return nil }

func (s *rgbPixels) rowBytes() int { return s.w * s.pixelBytes() }

func (s *rgbPixels) pixelBytes() int {
	if s.alpha {
		return 4
	}
	return 3
}

func (s *rgbPixels) raw() []byte { return nil }

func (s *rgbPixels) read(dst []byte, y int) {
	src := s.pix[y*s.stride:][:4*s.w]
	if s.alpha {
		copy(dst, src)
		return
	}
	// Four bytes are written at a time; the next pixel overwrites the fourth.
	at := 0
	for ; at < s.w-1; at++ {
		binary.LittleEndian.PutUint32(dst[3*at:], binary.LittleEndian.Uint32(src[4*at:]))
	}
	dst[3*at], dst[3*at+1], dst[3*at+2] = src[4*at], src[4*at+1], src[4*at+2]
}

// inWords reports whether the rows are compressed by whole pixels: if no match in a row above is beyond the window.
func (s *rgbPixels) inWords(filter byte) bool {
	return !s.alpha && filter <= filterUp && 3*s.w+4 <= window
}

// ownWords are words that may have memory of their own.
type ownWords struct {
	words
	own []byte
}

// release frees the memory of the words.
func (p *ownWords) release() { cache.Pixels.Give(p.own) }

// words returns rows from y on in words: in place, if they lie as they should. release frees their memory.
func (s *rgbPixels) words(y, rows int, filter byte) ownWords {
	n := 4 * s.w
	out := ownWords{words: words{w: s.w, h: rows, filter: filter}}
	if filter == filterNone && s.stride == n {
		out.pix = s.pix[y*n:][:rows*n]
		return out
	}
	out.own = cache.Pixels.Take(rows * n)
	out.pix = out.own
	s.putWords(out.pix, y, rows, filter)
	return out
}

// putWords stores rows from y on as words.
func (s *rgbPixels) putWords(dst []byte, y, rows int, filter byte) {
	n := 4 * s.w
	for ; rows > 0; rows, y, dst = rows-1, y+1, dst[n:] {
		row := s.pix[y*s.stride:][:n]
		switch {
		case filter == filterNone || filter == filterUp && y == 0:
			copy(dst, row)
		case filter == filterUp:
			above := s.pix[(y-1)*s.stride:][:n]
			if string(row) == string(above) {
				clear(dst[:n])
				continue
			}
			filterWords(dst, row, above, filter)
		default:
			filterWords(dst, row, nil, filter)
		}
	}
}

// indexedPixels reads rows of palette entries, packed into fewer bits if few entries are used.
type indexedPixels struct {
	img     *image.Paletted
	bits    int
	entry   [256]uint8 // for each index, if entries are renumbered for packing
	entries []byte
}

// maxPacked is the maximum number of entries of packed pixels.
const maxPacked = 16

// newIndexedPixels finds the used entries. Up to 16 are renumbered and packed: half the bytes to compress, and a
// smaller result. With more, pixels are unchanged.
func newIndexedPixels(p *image.Paletted) *indexedPixels {
	s := &indexedPixels{img: p, bits: 8}
	used := usedEntries(p)
	switch n := len(used); {
	case n > maxPacked:
		used = make([]uint8, 0, len(p.Palette))
		for v := range p.Palette {
			used = append(used, uint8(v))
		}
	case n <= 2:
		s.bits = 1
	case n <= 4:
		s.bits = 2
	default:
		s.bits = 4
	}
	s.entries = make([]byte, 0, 3*len(used))
	for i, v := range used {
		s.entry[v] = uint8(i)
		if int(v) >= len(p.Palette) { // an index out of range: black, rather than an invalid file
			s.entries = append(s.entries, 0, 0, 0)
			continue
		}
		r, g, b, _ := p.Palette[v].RGBA()
		s.entries = append(s.entries, uint8(r>>8), uint8(g>>8), uint8(b>>8))
	}
	return s
}

// usedEntries returns the used indexes in order of appearance; it stops when there are too many to pack.
//
// It first reads rows from all over the picture, which show early if there are too many.
func usedEntries(p *image.Paletted) []uint8 {
	const samples = 8
	w, h := p.Rect.Dx(), p.Rect.Dy()
	sampled := image.Paletted{Pix: p.Pix[h/samples/2*p.Stride:], Stride: h / samples * p.Stride,
		Rect: image.Rect(0, 0, w, min(h, samples-1))}
	if h >= 2*samples {
		if used := entriesOf(&sampled); len(used) > maxPacked {
			return used
		}
	}
	return entriesOf(p)
}

func entriesOf(p *image.Paletted) []uint8 {
	var seen [256]bool
	used := make([]uint8, 0, maxPacked+1)
	w := p.Rect.Dx()
	const each = 0x0101010101010101
	var last uint64 // the last index, eight times: backgrounds are skipped eight pixels at a time
	for y := range p.Rect.Dy() {
		row := p.Pix[y*p.Stride:][:w]
		for x := 0; x < w; x++ {
			for len(used) > 0 && x+8 <= w && load64(row, x) == last {
				x += 8
			}
			if x == w {
				break
			}
			if v := row[x]; !seen[v] {
				seen[v] = true
				if used = append(used, v); len(used) > maxPacked {
					return used
				}
			}
			last = each * uint64(row[x])
		}
	}
	return used
}

func (s *indexedPixels) depth() (bits, colorType byte) { return byte(s.bits), indexedColor }

func (s *indexedPixels) palette() []byte { return s.entries }

func (s *indexedPixels) rowBytes() int { return (s.img.Rect.Dx()*s.bits + 7) / 8 }

func (s *indexedPixels) pixelBytes() int { return 0 }

func (s *indexedPixels) raw() []byte {
	w, h := s.img.Rect.Dx(), s.img.Rect.Dy()
	n := h*(w+1) - 1
	if s.bits != 8 || s.img.Stride != w+1 || cap(s.img.Pix) < n+8 {
		return nil
	}
	raw := s.img.Pix[:n]
	for at := w; at < n; at += w + 1 {
		if raw[at] != filterNone {
			return nil
		}
	}
	return raw
}

func (s *indexedPixels) read(dst []byte, y int) {
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
