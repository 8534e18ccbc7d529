package encode

import (
	"encoding/binary"
	"image"
	"image/color"
)

// strip has some rows of a picture as luminance and chrominance, one byte per sample, without level shift. The last
// samples of rows and the last row are repeated to fill whole blocks.
type strip struct {
	y, cb, cr     []uint8
	yStride       int
	chroma        int // stride of chrominance
	width, height int // of the picture, in pixels
	rows          int // 8, or 16 if chrominance is halved
	subsampled    bool
	// In a mixed strip, the chrominance blocks that aren't full are in the halves, at half the resolution.
	mixed          bool
	full           []bool // for each block
	cbHalf, crHalf []uint8
}

func (s *strip) size(width, height int, subsampled bool) {
	s.width, s.height, s.subsampled, s.mixed, s.rows = width, height, subsampled, false, 8
	s.yStride = (width + 7) &^ 7
	s.chroma = s.yStride
	if subsampled {
		s.rows, s.yStride = 16, (width+15)&^15
		s.chroma = s.yStride / 2
	}
	s.y = grow(s.y, s.yStride*s.rows)
	s.cb, s.cr = grow(s.cb, s.chroma*8), grow(s.cr, s.chroma*8)
}

func grow(b []uint8, n int) []uint8 {
	if cap(b) < n {
		return make([]uint8, n)
	}
	return b[:n]
}

// load converts the rows of the picture from top on. pix has four bytes per pixel.
func (s *strip) load(pix []uint8, stride, top int) {
	if s.subsampled {
		s.loadHalf(pix, stride, top)
		return
	}
	for i := range s.rows {
		at := i * s.yStride
		y, b, r := s.y[at:at+s.yStride], s.cb[at:at+s.yStride], s.cr[at:at+s.yStride]
		if top+i >= s.height {
			copy(y, s.y[at-s.yStride:])
			copy(b, s.cb[at-s.yStride:])
			copy(r, s.cr[at-s.yStride:])
			continue
		}
		convert(y, b, r, pix[(top+i)*stride:][:4*s.width])
		repeatLast(y, s.width)
		repeatLast(b, s.width)
		repeatLast(r, s.width)
	}
}

// loadHalf is load with half the resolution of color.
func (s *strip) loadHalf(pix []uint8, stride, top int) {
	for i := 0; i < 8; i++ {
		at, half := 2*i*s.yStride, i*s.chroma
		upper, lower := s.y[at:at+s.yStride], s.y[at+s.yStride:at+2*s.yStride]
		b, r := s.cb[half:half+s.chroma], s.cr[half:half+s.chroma]
		if top+2*i >= s.height {
			copy(upper, s.y[at-s.yStride:])
			copy(lower, s.y[at-s.yStride:])
			copy(b, s.cb[half-s.chroma:])
			copy(r, s.cr[half-s.chroma:])
			continue
		}
		first := pix[(top+2*i)*stride:][:4*s.width]
		second := first
		if top+2*i+1 < s.height {
			second = pix[(top+2*i+1)*stride:][:4*s.width]
		}
		convertHalf(upper, lower, b, r, first, second)
		repeatLast(upper, s.width)
		repeatLast(lower, s.width)
		repeatLast(b, (s.width+1)/2)
		repeatLast(r, (s.width+1)/2)
	}
}

// repeatLast fills a row from its nth sample on with the preceding one.
func repeatLast(row []uint8, n int) {
	for x := n; x < len(row); x++ {
		row[x] = row[n-1]
	}
}

// Both chrominances at once, Cb in the lower half of a word: factors of red, green and blue, and an offset that keeps
// both halves positive.
const (
	chromaR      = -11059 + 32768<<32
	chromaG      = -21709 - 27439<<32
	chromaB      = 32768 - 5329<<32
	chromaOffset = (128<<16 + 1<<15 - 1) * (1 + 1<<32)
)

// convert converts RGB to luminance and chrominance. Source: JFIF 1.02, in 16.16 fixed point.
func convert(y, cb, cr, rgb []uint8) {
	n := len(rgb) / 4
	y, cb, cr = y[:n], cb[:n], cr[:n]
	for i := range n {
		p := rgb[4*i : 4*i+4 : 4*i+4]
		r, g, b := int64(p[0]), int64(p[1]), int64(p[2])
		y[i] = uint8((19595*r + 38470*g + 7471*b + 1<<15) >> 16)
		// The offset is 128 and a half, minus one: the factors sum to 0, so nothing overflows a byte.
		both := chromaR*r + chromaG*g + chromaB*b + chromaOffset
		cb[i], cr[i] = uint8(both>>16), uint8(both>>48)
	}
}

// convertHalf is convert for two rows, with one color sample for 2×2 pixels: that of their mean. In a row of odd length
// the last pixel is repeated.
func convertHalf(y0, y1, cb, cr, rgb0, rgb1 []uint8) {
	n := len(rgb0) / 4
	i := 0
	for ; i+halfBlock <= n; i += halfBlock {
		convertBlock((*[halfBlock]uint8)(y0[i:]), (*[halfBlock]uint8)(y1[i:]),
			(*[halfBlock / 2]uint8)(cb[i/2:]), (*[halfBlock / 2]uint8)(cr[i/2:]),
			(*[4 * halfBlock]uint8)(rgb0[4*i:]), (*[4 * halfBlock]uint8)(rgb1[4*i:]))
	}
	if i == n {
		return
	}
	var p, q [4 * halfBlock]uint8
	var u, v [halfBlock]uint8
	var b, r [halfBlock / 2]uint8
	for k := copy(p[:], rgb0[4*i:]); k < len(p); k++ {
		p[k] = p[k-4]
	}
	for k := copy(q[:], rgb1[4*i:4*n]); k < len(q); k++ {
		q[k] = q[k-4]
	}
	convertBlock(&u, &v, &b, &r, &p, &q)
	copy(y0[i:n], u[:])
	copy(y1[i:n], v[:])
	copy(cb[i/2:(n+1)/2], b[:])
	copy(cr[i/2:(n+1)/2], r[:])
}

// halfBlock is how many pixels of two rows [convertBlock] converts: a constant, which avoids bounds checks.
const halfBlock = 16

// convertBlock is convertHalf for a number of pixels. A channel of two pixels beside each other is in the halves of one
// word.
func convertBlock(y0, y1 *[halfBlock]uint8, cb, cr *[halfBlock / 2]uint8, rgb0, rgb1 *[4 * halfBlock]uint8) {
	const (
		both    = 0xff | 0xff<<32
		rounded = 1<<15 | 1<<47
		offset  = (128<<18 + 1<<17 - 1) * (1 + 1<<32)
	)
	for k := range halfBlock / 2 {
		p, q := binary.LittleEndian.Uint64(rgb0[8*k:]), binary.LittleEndian.Uint64(rgb1[8*k:])
		r, g, b := p&both, p>>8&both, p>>16&both
		u := 19595*r + 38470*g + 7471*b + rounded
		r1, g1, b1 := q&both, q>>8&both, q>>16&both
		v := 19595*r1 + 38470*g1 + 7471*b1 + rounded
		binary.LittleEndian.PutUint16(y0[2*k:], uint16(u>>16&0xff|u>>40&0xff00))
		binary.LittleEndian.PutUint16(y1[2*k:], uint16(v>>16&0xff|v>>40&0xff00))
		r, g, b = r+r1, g+g1, b+b1
		c := chromaR*int64(uint32(r+r>>32)) + chromaG*int64(uint32(g+g>>32)) + chromaB*int64(uint32(b+b>>32)) + offset
		cb[k], cr[k] = uint8(c>>18), uint8(c>>50)
	}
}

// rgbaPixels returns a picture as four bytes per pixel: in place, or as a copy of a paletted one.
func rgbaPixels(img image.Image) (pix []uint8, stride int) {
	switch p := img.(type) {
	case *image.RGBA:
		return p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y):], p.Stride
	case *image.NRGBA:
		if !p.Opaque() {
			return onWhite(p), 4 * p.Rect.Dx()
		}
		return p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y):], p.Stride
	}
	p := img.(*image.Paletted) // encodable returns no other type
	w, h := p.Rect.Dx(), p.Rect.Dy()
	var table [256][4]uint8
	for i, c := range p.Palette {
		q := color.NRGBAModel.Convert(c).(color.NRGBA)
		table[i] = [4]uint8{q.R, q.G, q.B, 255}
	}
	pix = make([]uint8, 4*w*h)
	for y := range h {
		d := pix[4*y*w:]
		for x, v := range p.Pix[y*p.Stride:][:w] {
			*(*[4]uint8)(d[4*x:]) = table[v]
		}
	}
	return pix, 4 * w
}

// onWhite draws a picture with alpha on white, since JPEG has no alpha.
func onWhite(p *image.NRGBA) []uint8 {
	w, h := p.Rect.Dx(), p.Rect.Dy()
	pix := make([]uint8, 4*w*h)
	for y := range h {
		s, d := p.Pix[y*p.Stride:][:4*w], pix[4*y*w:][:4*w]
		for i := 0; i < len(s); i += 4 {
			a := int(s[i+3])
			for k := range 3 {
				d[i+k] = uint8((int(s[i+k])*a + 255*(255-a) + 127) / 255)
			}
		}
	}
	return pix
}
