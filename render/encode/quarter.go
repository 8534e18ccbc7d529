package encode

import (
	"image"
	"math"
)

// Blocks of a JPEG with full color resolution (4:4:4) whose color has half of it, like 4:2:0: they are transformed from
// 4×4 samples, the means of 2×2 pixels, which gives a quarter of their coefficients; the others are 0.

// cos2 and cos6 are those of 2π/16 and 6π/16.
const (
	cos2 = 0.923879533
	cos6 = 0.382683433
)

// quarterScale is the factor that converts a coefficient of [quarterDCT], in one direction, to that of eight samples
// whose pairwise means are the four. The terms of a transform of four have factors of 1/2, the odd ones of √½; those of
// eight samples are √2 times as large, and taking the mean of two has lowered the kth by cos(kπ/16).
func quarterScale(k int) float64 {
	scale := math.Sqrt2 / 2
	if k%2 == 1 {
		scale = 1
	}
	return scale / math.Cos(float64(k)*math.Pi/16)
}

// quarterDCT replaces 4×4 samples by coefficients, rows first.
func quarterDCT(b *[16]float32) {
	for i := 0; i < 16; i += 4 {
		b[i], b[i+1], b[i+2], b[i+3] = dct4(b[i], b[i+1], b[i+2], b[i+3])
	}
	for i := range 4 {
		b[i], b[4+i], b[8+i], b[12+i] = dct4(b[i], b[4+i], b[8+i], b[12+i])
	}
}

// dct4 transforms four samples.
func dct4(s0, s1, s2, s3 float32) (c0, c1, c2, c3 float32) {
	t0, t3 := s0+s3, s0-s3
	t1, t2 := s1+s2, s1-s2
	return t0 + t1, float32(t3*cos2) + float32(t2*cos6), t0 - t1, float32(t3*cos6) - float32(t2*cos2)
}

// encodeQuarter writes one block of chrominance from 4×4 samples.
func (w *jpegWriter) encodeQuarter(src []uint8, stride int, q *quantizer, dc *int16) {
	var samples [16]float32
	var out block
	first, differ := src[0], uint8(0)
	for i := range 4 {
		row, d := (*[4]uint8)(src[i*stride:]), (*[4]float32)(samples[4*i:])
		for x, v := range row {
			d[x] = float32(int32(v) - 128)
			differ |= v ^ first
		}
	}
	if differ == 0 {
		out.coefficients[0] = int16(int32(float32(samples[0]*16*q.quarter[0])+16384.5) - 16384)
	} else {
		quarterDCT(&samples)
		for i, v := range samples {
			if c := int32(float32(v*q.quarter[i])+16384.5) - 16384; c != 0 {
				z := unzigzag[i/4*8+i%4]
				out.coefficients[z] = int16(c)
				out.nonzero |= 1 << z
			}
		}
	}
	w.bits.block(&out, dc, 2)
}

// edge is the color difference within a block, in 8-bit levels, that indicates an edge, which sixteen coefficients
// can't represent.
const edge = 32

// hasEdge reports whether 4×4 samples differ by that much.
func hasEdge(src []uint8, stride int) bool {
	low, high := src[0], src[0]
	for i := range 4 {
		row := (*[4]uint8)(src[i*stride:])
		low = min(low, row[0], row[1], row[2], row[3])
		high = max(high, row[0], row[1], row[2], row[3])
	}
	return high-low > edge
}

// loadMixed is load from one x to another, with full color resolution only for blocks that are full, and those with
// edges, which become full.
func (s *strip) loadMixed(pix []uint8, stride, top, from, to int) {
	half := s.yStride / 2
	s.mixed = true
	s.cbHalf, s.crHalf = grow(s.cbHalf, 4*half), grow(s.crHalf, 4*half)
	end := min(to, s.width)
	for i := range 4 {
		upper, lower := s.y[2*i*s.yStride+from:2*i*s.yStride+to], s.y[(2*i+1)*s.yStride+from:(2*i+1)*s.yStride+to]
		b, r := s.cbHalf[i*half+from/2:i*half+to/2], s.crHalf[i*half+from/2:i*half+to/2]
		y := min(top+2*i, s.height-1)
		below := min(top+2*i+1, s.height-1)
		convertHalf(upper, lower, b, r, pix[y*stride+4*from:][:4*(end-from)], pix[below*stride+4*from:][:4*(end-from)])
		repeatLast(upper, end-from)
		repeatLast(lower, end-from)
		repeatLast(b, (end-from+1)/2)
		repeatLast(r, (end-from+1)/2)
	}
	for x := from; x < to; x += 8 {
		if !s.full[x/8] && !hasEdge(s.cbHalf[x/2:], half) && !hasEdge(s.crHalf[x/2:], half) {
			continue
		}
		s.full[x/8] = true
		n := min(8, s.width-x)
		for i := range 8 {
			at := i*s.yStride + x
			convert(s.y[at:at+8], s.cb[at:at+8], s.cr[at:at+8], pix[min(top+i, s.height-1)*stride+4*x:][:4*n])
			for _, row := range [3][]uint8{s.y[at : at+8], s.cb[at : at+8], s.cr[at : at+8]} {
				repeatLast(row, n)
			}
		}
	}
}

// markFull finds the blocks of the strip that touch text.
func (s *strip) markFull(top int, text []image.Rectangle) {
	if n := s.yStride / 8; cap(s.full) < n {
		s.full = make([]bool, n)
	} else {
		s.full = s.full[:n]
		clear(s.full)
	}
	for _, r := range text {
		r = r.Inset(-1).Intersect(image.Rect(0, top, s.width, top+8))
		if r.Empty() {
			continue
		}
		for x := r.Min.X / 8; x <= (r.Max.X-1)/8; x++ {
			s.full[x] = true
		}
	}
}
