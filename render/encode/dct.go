package encode

import (
	"math"
	"math/bits"
)

// The forward cosine transform of 8×8 samples after Arai, Agui and Nakajima: five multiplications for eight samples.
// Its output is scaled by a factor for each coefficient, which the quantizer divides out together with its own step in
// one multiplication.
//
// Two blocks are transformed at once, one in each half of a word: sums, and products with constants, are right in both
// halves as long as the results fit, whatever is borrowed on the way. Nothing may be shifted right in between, so
// constants are integers, and values without a constant are multiplied by the constants' unit.
//
// Source: Y. Arai, T. Agui, M. Nakajima, "A fast DCT-SQ scheme for images", 1988; the constants are those of figure 4-8
// in Pennebaker and Mitchell. Of the units for which all values fit in 32 bits, 290 is the one whose constants are
// closest to integers: none is more than 0.03 % off.
const (
	unit      = 290
	cos4      = 205 // cos(4π/16) in this unit
	sin6      = 111 // sin(6π/16), as in the figure: .3827
	cos2sub6  = 157
	cos2plus6 = 379
)

// forwardDCT replaces the samples of two blocks by coefficients, rows first.
func forwardDCT(b *[64]int64) {
	for i := 0; i < 64; i += 8 {
		r := (*[8]int64)(b[i:])
		r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7] = dct8(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7])
	}
	for i := range 8 {
		b[i], b[8+i], b[16+i], b[24+i], b[32+i], b[40+i], b[48+i], b[56+i] =
			dct8(b[i], b[8+i], b[16+i], b[24+i], b[32+i], b[40+i], b[48+i], b[56+i])
	}
}

// dct8 transforms eight samples of each of two blocks.
func dct8(s0, s1, s2, s3, s4, s5, s6, s7 int64) (c0, c1, c2, c3, c4, c5, c6, c7 int64) {
	t0, t7 := s0+s7, s0-s7
	t1, t6 := s1+s6, s1-s6
	t2, t5 := s2+s5, s2-s5
	t3, t4 := s3+s4, s3-s4

	e0, e3 := t0+t3, (t0-t3)*unit
	e1, e2 := t1+t2, t1-t2
	z := e2*cos4 + (t0-t3)*cos4
	c0, c4 = (e0+e1)*unit, (e0-e1)*unit
	c2, c6 = e3+z, e3-z

	o0, o1, o2 := t4+t5, t5+t6, t6+t7
	z5 := (o0 - o2) * sin6
	z2 := o0*cos2sub6 + z5
	z4 := o2*cos2plus6 + z5
	z3 := o1 * cos4
	t7 *= unit
	z11, z13 := t7+z3, t7-z3
	c5, c3 = z13+z2, z13-z2
	c1, c7 = z11+z4, z11-z4
	return
}

// quantizer has the divisors of coefficients, and the steps for the file.
type quantizer struct {
	terms   [64]term    // in the order of the transform
	quarter [16]float32 // factors for blocks of 4×4 samples, see quarter.go
	steps   [64]uint8   // in zigzag order
}

// term is the divisor of one coefficient of two blocks.
type term struct {
	factor int64  // in parts of 1<<factorBits
	bias   int64  // added to both beforehand
	large  uint64 // if none of these bits is set, both are certainly 0
	z      uint8  // its position in zigzag order
}

const factorBits = 45

// newQuantizer scales a table of ITU T.81, annex K, by quality, as libjpeg and image/jpeg do.
func newQuantizer(base *[64]uint8, quality int) *quantizer {
	scale := 200 - 2*quality
	if quality < 50 {
		scale = 5000 / quality
	}
	var aan [8]float64
	for k := range aan {
		aan[k] = 1
		if k > 0 {
			aan[k] = math.Cos(float64(k)*math.Pi/16) * math.Sqrt2
		}
	}
	q := &quantizer{}
	for z, natural := range zigzag {
		step := min(max((int(base[natural])*scale+50)/100, 1), 255)
		q.steps[z] = uint8(step)
		size := aan[natural/8] * aan[natural%8] * 8 * unit * unit * float64(step)
		low := int64(1) << (bits.Len64(uint64(size/2)) - 1)
		q.terms[natural] = term{
			factor: int64(math.Round((1 << factorBits) / size)), bias: low * both,
			large: ^uint64((2*low - 1) * both), z: uint8(z),
		}
		if x, y := int(natural)%8, int(natural)/8; x < 4 && y < 4 {
			q.quarter[4*y+x] = float32(quarterScale(x) * quarterScale(y) / float64(step))
		}
	}
	return q
}

// zigzag has the position in the block of each coefficient of the file. Source: ITU T.81, figure A.6.
var zigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

var unzigzag = func() (t [64]uint8) {
	for z, natural := range zigzag {
		t[natural] = uint8(z)
	}
	return t
}()

// Base tables of quantization, in natural order. Source: ITU T.81, tables K.1 and K.2.
var (
	luminance = [64]uint8{
		16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55,
		14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62,
		18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92,
		49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
	}
	chrominance = [64]uint8{
		17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
		24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
	}
)
