package encode

import (
	"image"
	"image/color"
)

// strip holds some rows of a picture as luminance and chrominance, one byte a sample, without level shift. The last
// samples of rows and the last row are repeated to fill whole blocks.
type strip struct {
	y, cb, cr     []uint8
	yStride       int
	chroma        int // stride of chrominance
	width, height int // of the picture, in pixels
	rows          int // 8, or 16 where chrominance is halved
	subsampled    bool
	full          [2][]uint8 // chrominance before it is halved
}

func (s *strip) size(width, height int, subsampled bool) {
	s.width, s.height, s.subsampled, s.rows = width, height, subsampled, 8
	s.yStride = (width + 7) &^ 7
	s.chroma = s.yStride
	if subsampled {
		s.rows, s.yStride = 16, (width+15)&^15
		s.chroma = s.yStride / 2
	}
	s.y = grow(s.y, s.yStride*s.rows)
	s.cb, s.cr = grow(s.cb, s.chroma*8), grow(s.cr, s.chroma*8)
	if subsampled {
		s.full[0], s.full[1] = grow(s.full[0], s.yStride*16), grow(s.full[1], s.yStride*16)
	}
}

func grow(b []uint8, n int) []uint8 {
	if cap(b) < n {
		return make([]uint8, n)
	}
	return b[:n]
}

// load converts the rows of the picture from top on. pix has four bytes a pixel.
func (s *strip) load(pix []uint8, stride, top int) {
	cb, cr := s.cb, s.cr
	if s.subsampled {
		cb, cr = s.full[0], s.full[1]
	}
	for i := range s.rows {
		at := i * s.yStride
		y, b, r := s.y[at:at+s.yStride], cb[at:at+s.yStride], cr[at:at+s.yStride]
		if top+i >= s.height {
			copy(y, s.y[at-s.yStride:])
			copy(b, cb[at-s.yStride:])
			copy(r, cr[at-s.yStride:])
			continue
		}
		convert(y, b, r, pix[(top+i)*stride:][:4*s.width])
		for x := s.width; x < s.yStride; x++ {
			y[x], b[x], r[x] = y[s.width-1], b[s.width-1], r[s.width-1]
		}
	}
	if s.subsampled {
		subsample(s.cb, cb, s.chroma)
		subsample(s.cr, cr, s.chroma)
	}
}

// convert turns RGB into luminance and chrominance. Source: JFIF 1.02, in 16.16 fixed point.
func convert(y, cb, cr, rgb []uint8) {
	n := len(rgb) / 4
	y, cb, cr = y[:n], cb[:n], cr[:n]
	for i := range n {
		p := rgb[4*i : 4*i+4 : 4*i+4]
		r, g, b := int32(p[0]), int32(p[1]), int32(p[2])
		y[i] = uint8((19595*r + 38470*g + 7471*b + 1<<15) >> 16)
		// The offset is 128 and a half, less one: the sums of the factors are 0, so nothing overflows a byte.
		cb[i] = uint8((-11059*r - 21709*g + 32768*b + 128<<16 + 1<<15 - 1) >> 16)
		cr[i] = uint8((32768*r - 27439*g - 5329*b + 128<<16 + 1<<15 - 1) >> 16)
	}
}

// subsample averages 2×2 samples of sixteen rows into eight rows of n samples.
func subsample(dst, src []uint8, n int) {
	for i := range 8 {
		a, b := src[4*i*n:][:2*n], src[4*i*n+2*n:][:2*n]
		d := dst[i*n:][:n]
		for x := range d {
			d[x] = uint8((int(a[2*x]) + int(a[2*x+1]) + int(b[2*x]) + int(b[2*x+1]) + 2) / 4)
		}
	}
}

// block copies 8×8 samples, shifted to lie about 0, and reports whether all are equal.
func block(dst *[64]float32, src []uint8, stride int) (flat bool) {
	first := src[0]
	differ := uint8(0)
	for i := range 8 {
		row, d := (*[8]uint8)(src[i*stride:]), (*[8]float32)(dst[8*i:])
		for x, v := range row {
			d[x] = float32(int32(v) - 128)
			differ |= v ^ first
		}
	}
	return differ == 0
}

// rgbaPixels returns a picture as four bytes a pixel: in place, or for a paletted one as a copy.
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

// onWhite lays a picture with alpha on white: a JPEG has none.
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
