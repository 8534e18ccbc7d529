package encode

import "encoding/binary"

// With half the resolution of color, most pixels are in squares of 16×16 that the edges of the picture don't cut. They
// are converted straight into the words of the transform, without a [strip] in between: a pixel and the one eight to
// its right are in the halves of a word, as their samples are in a [blockPair].

// squareSide is the side of a square, in pixels.
const squareSide = 16

// square has the samples of 16×16 pixels: two pairs of blocks of luminance, and the pair of both chrominances.
type square struct{ upper, lower, chroma blockPair }

// load converts the pixels of a square, four bytes each, to the samples that [convertBlock] gives.
func (s *square) load(pix []uint8, stride int) {
	for i := range squareSide / 2 {
		half := &s.upper
		if i >= 4 {
			half = &s.lower
		}
		loadRows((*[16]int64)(half.samples[i%4*16:]), (*[8]int64)(s.chroma.samples[8*i:]),
			(*[4 * squareSide]uint8)(pix[2*i*stride:]), (*[4 * squareSide]uint8)(pix[(2*i+1)*stride:]))
	}
}

// loadRows converts two rows of a square: y has the words of both, c those of their chrominance.
func loadRows(y *[16]int64, c *[8]int64, upper, lower *[4 * squareSide]uint8) {
	const (
		channel = 0xff * both
		rounded = 1 << 15 * both
		offset  = (128<<18 + 1<<17 - 1) * both
		second  = 0xffff_ffff << 32
	)
	for k := 0; k < 8; k += 2 {
		var reds, greens, blues uint64 // sums of 2×2 pixels, in each half
		for row, p := range [2]*[4 * squareSide]uint8{upper, lower} {
			// Two pixels of the left block, and two of the right one.
			left, right := binary.LittleEndian.Uint64(p[4*k:]), binary.LittleEndian.Uint64(p[4*k+32:])
			first, next := left&^second|right<<32, left>>32|right&second
			r, g, b := first&channel, first>>8&channel, first>>16&channel
			y[8*row+k] = int64((19595*r + 38470*g + 7471*b + rounded) >> 16 & channel)
			reds, greens, blues = reds+r, greens+g, blues+b
			r, g, b = next&channel, next>>8&channel, next>>16&channel
			y[8*row+k+1] = int64((19595*r + 38470*g + 7471*b + rounded) >> 16 & channel)
			reds, greens, blues = reds+r, greens+g, blues+b
		}
		c[k/2] = chromaOf(uint32(reds), uint32(greens), uint32(blues))
		c[4+k/2] = chromaOf(uint32(reds>>32), uint32(greens>>32), uint32(blues>>32))
	}
}

// channel are the bits of a sample in each half of a word.
const channel = 0xff * both

// chromaOf returns the word of both chrominances of the sums of four pixels.
func chromaOf(red, green, blue uint32) int64 {
	const offset = (128<<18 + 1<<17 - 1) * both
	return (chromaR*int64(red) + chromaG*int64(green) + chromaB*int64(blue) + offset) >> 18 & channel
}

// flat reports whether all pixels of a square are the same.
func flat(pix []uint8, stride int) bool {
	first := uint64(binary.LittleEndian.Uint32(pix)) * both
	for i := range squareSide {
		row := (*[4 * squareSide]uint8)(pix[i*stride:])
		for k := 0; k < len(row); k += 8 {
			if binary.LittleEndian.Uint64(row[k:]) != first {
				return false
			}
		}
	}
	return true
}

// scanSquares encodes the squares of a row from one x to another.
func (w *jpegWriter) scanSquares(pix []uint8, stride, from, to int, q [2]*quantizer, dc *[3]int16) {
	s := &w.square
	for x := from; x < to; x += squareSide {
		if at := pix[4*x:]; flat(at, stride) {
			loadRows((*[16]int64)(s.upper.samples[:]), (*[8]int64)(s.chroma.samples[:]),
				(*[4 * squareSide]uint8)(at), (*[4 * squareSide]uint8)(at))
			s.lower.samples[0] = s.upper.samples[0]
			s.upper.compute(q[0], true)
			s.lower.compute(q[0], true)
			s.chroma.compute(q[1], true)
		} else {
			s.load(at, stride)
			s.upper.finish(q[0])
			s.lower.finish(q[0])
			s.chroma.finish(q[1])
		}
		for _, pair := range [2]*blockPair{&s.upper, &s.lower} {
			w.bits.block(&pair.out[0], &dc[0], 0)
			w.bits.block(&pair.out[1], &dc[0], 0)
		}
		w.bits.block(&s.chroma.out[0], &dc[1], 2)
		w.bits.block(&s.chroma.out[1], &dc[2], 2)
	}
}
