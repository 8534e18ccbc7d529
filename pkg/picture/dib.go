package picture

import (
	"encoding/binary"
	"image"
	"image/color"
)

// dib is the bitmap in an ICO entry: a BITMAPINFOHEADER, a palette, rows of pixels padded to four bytes, and rows of a
// mask with one bit per pixel. The header's height counts pixels and mask. Source: Microsoft, "Icons" and
// BITMAPINFOHEADER.
type dib struct {
	w, h    int
	bits    int // 1, 4, 8, 24 or 32
	topDown bool
	palette []byte // four bytes per color: blue, green, red, unused
	pixels  []byte // h rows of stride bytes
	mask    []byte // h rows of maskStride bytes; nil if the file doesn't contain all of them
}

// rowBytes returns the length of a row of w pixels, padded to four bytes.
func rowBytes(w, bits int) int { return (w*bits + 31) / 32 * 4 }

// dibSize returns the size of the picture without the mask.
func dibSize(data []byte) (w, h int, ok bool) {
	if len(data) < 40 {
		return 0, 0, false
	}
	switch binary.LittleEndian.Uint32(data) { // version 1, 2 and 3 with masks, 4, 5
	case 40, 52, 56, 108, 124:
	default:
		return 0, 0, false
	}
	w, h = int(int32(binary.LittleEndian.Uint32(data[4:]))), int(int32(binary.LittleEndian.Uint32(data[8:])))
	if h < 0 {
		h = -h
	}
	h /= 2
	return w, h, w > 0 && h > 0
}

// readDIB reads the header and slices palette, pixels and mask from data, which must contain all pixels: nothing is
// allocated based on claims.
func readDIB(data []byte) (dib, error) {
	w, h, ok := dibSize(data)
	if !ok {
		return dib{}, corrupt("an entry is neither PNG nor DIB")
	}
	if err := checkSides(w, h); err != nil {
		return dib{}, err
	}
	d := dib{
		w: w, h: h, bits: int(binary.LittleEndian.Uint16(data[14:])),
		topDown: int32(binary.LittleEndian.Uint32(data[8:])) < 0,
	}
	if compression := binary.LittleEndian.Uint32(data[16:]); compression != 0 {
		return dib{}, unsupported("DIB with compression %d", compression)
	}
	header, colors := int64(binary.LittleEndian.Uint32(data)), int64(binary.LittleEndian.Uint32(data[32:]))
	switch d.bits {
	case 1, 4, 8:
		if colors == 0 {
			colors = 1 << d.bits
		}
	case 24, 32:
	default:
		return dib{}, unsupported("DIB with %d bits", d.bits)
	}
	if colors > 256 {
		return dib{}, corrupt("a palette of %d colors", colors)
	}
	pixelsAt := header + 4*colors
	maskAt := pixelsAt + int64(rowBytes(w, d.bits))*int64(h)
	end := maskAt + int64(rowBytes(w, 1))*int64(h)
	if maskAt > int64(len(data)) {
		return dib{}, corrupt("%d bytes cannot hold a DIB of %d×%d with %d bits", len(data), w, h, d.bits)
	}
	d.palette, d.pixels = data[header:pixelsAt], data[pixelsAt:maskAt]
	if end <= int64(len(data)) {
		d.mask = data[maskAt:end]
	}
	return d, nil
}

func (d dib) plan() plan {
	return plan{
		facts:  displayed(d.w, d.h, 1, No, Unsure),
		cost:   int64(d.w) * int64(d.h) * 4,
		decode: func(*input) (frame, error) { return frame{img: d.image()}, nil },
	}
}

// image draws the pixels and applies the mask. With 32 bits the fourth byte is alpha, unless it is 0 everywhere, as in
// older icons: then the mask applies.
func (d dib) image() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, d.w, d.h))
	stride := rowBytes(d.w, d.bits)
	anyAlpha := false
	colors := d.colors()
	for y := range d.h {
		src := d.pixels[d.row(y)*stride:][:stride]
		dst := img.Pix[y*img.Stride:][:4*d.w]
		for x := 0; x < d.w; x++ {
			px := dst[4*x : 4*x+4 : 4*x+4]
			switch d.bits {
			case 24:
				px[0], px[1], px[2], px[3] = src[3*x+2], src[3*x+1], src[3*x], 255
			case 32:
				px[0], px[1], px[2], px[3] = src[4*x+2], src[4*x+1], src[4*x], src[4*x+3]
				anyAlpha = anyAlpha || px[3] != 0
			default:
				perByte := 8 / d.bits
				shift := 8 - d.bits*(x%perByte+1)
				c := colors[src[x/perByte]>>shift&(1<<d.bits-1)]
				px[0], px[1], px[2], px[3] = c.R, c.G, c.B, c.A
			}
		}
	}
	if !anyAlpha {
		d.applyMask(img)
	}
	return img
}

// colors returns the palette, padded with opaque black.
func (d dib) colors() (table [256]color.NRGBA) {
	for i := range table {
		table[i] = color.NRGBA{A: 255}
		if 4*i+2 < len(d.palette) {
			table[i] = color.NRGBA{R: d.palette[4*i+2], G: d.palette[4*i+1], B: d.palette[4*i], A: 255}
		}
	}
	return table
}

// applyMask makes pixels transparent where the mask is 1, and opaque elsewhere.
func (d dib) applyMask(img *image.NRGBA) {
	stride := rowBytes(d.w, 1)
	for y := range d.h {
		for x := range d.w {
			px := img.Pix[y*img.Stride+4*x:][:4]
			px[3] = 255
			if d.mask != nil && d.mask[d.row(y)*stride+x/8]>>(7-x%8)&1 == 1 {
				clear(px)
			}
		}
	}
}

// row returns the stored row of the picture's row y: rows are bottom-up unless the header's height is negative.
func (d dib) row(y int) int {
	if d.topDown {
		return y
	}
	return d.h - 1 - y
}
