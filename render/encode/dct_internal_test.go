package encode

import (
	"math"
	"math/rand/v2"
	"testing"

	"masthead/render/encode/encodetest"
)

// terms are what the transform of eight samples multiplies each of them with, by coefficient: whole numbers.
var terms = func() (m [8][8]int64) {
	for x := range 8 {
		var s [8]int64
		s[x] = 1
		c := &m
		c[0][x], c[1][x], c[2][x], c[3][x], c[4][x], c[5][x], c[6][x], c[7][x] =
			dct8(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])
	}
	return m
}()

// plainDCT is the slow twin of forwardDCT: the coefficients of one block, as sums of products.
func plainDCT(samples *[64]uint8) (out [64]int64) {
	var rows [64]int64
	for k := range rows {
		for x := range 8 {
			rows[k] += terms[k%8][x] * int64(samples[k/8*8+x])
		}
	}
	for k := range out {
		for y := range 8 {
			out[k] += terms[k/8][y] * rows[8*y+k%8]
		}
	}
	return out
}

// plainQuantized is the slow twin of transform: the coefficients of one block, in zigzag order.
func plainQuantized(q *quantizer, samples *[64]uint8) (out [64]int16) {
	const middle = 128 * 64 * unit * unit
	for natural, v := range plainDCT(samples) {
		if natural == 0 {
			v -= middle
		}
		t := &q.terms[natural]
		out[unzigzag[natural]] = int16(math.Floor(float64(v)*float64(t.factor)/(1<<factorBits) + .5))
	}
	return out
}

// checkPair compares two blocks that are transformed at once with what each gives alone.
func checkPair(t *testing.T, q *quantizer, a, b *[64]uint8) {
	t.Helper()
	p := blockPair{}
	for k := range p.out { // what was there before is of no account
		p.out[k].nonzero = math.MaxUint64
		for z := range p.out[k].coefficients {
			p.out[k].coefficients[z] = 999
		}
	}
	flat := p.load(a[:], b[:], 8)
	for i, v := range p.samples {
		if v != int64(a[i])+int64(b[i])<<32 {
			t.Fatalf("sample %d is %#x, want %#x and %#x", i, v, a[i], b[i])
		}
	}
	if want := isFlat(a) && isFlat(b); flat != want {
		t.Fatalf("flat: %v, want %v", flat, want)
	}
	forwardDCT(&p.samples)
	wantA, wantB := plainDCT(a), plainDCT(b)
	for i, v := range p.samples {
		if v != wantA[i]+wantB[i]<<32 || int64(int32(wantA[i])) != wantA[i] || int64(int32(wantB[i])) != wantB[i] {
			t.Fatalf("coefficient %d is %#x, want %d and %d, each in 32 bits", i, v, wantA[i], wantB[i])
		}
	}
	p.transform(q, a[:], b[:], 8)
	for k, samples := range [2]*[64]uint8{a, b} {
		for z, want := range plainQuantized(q, samples) {
			got := int16(0)
			if bit := p.out[k].nonzero>>z&1 != 0; bit || z == 0 {
				if got = p.out[k].coefficients[z]; got == 0 && z > 0 {
					t.Fatalf("block %d: coefficient %d is 0, and has a bit", k, z)
				}
			}
			if got != want {
				t.Fatalf("block %d: coefficient %d is %d, want %d", k, z, got, want)
			}
		}
	}
}

func isFlat(b *[64]uint8) bool {
	for _, v := range b {
		if v != b[0] {
			return false
		}
	}
	return true
}

// worst returns the block whose coefficient is the largest, or the smallest, of all blocks.
func worst(k int, smallest bool) (b [64]uint8) {
	for i := range b {
		if (terms[k%8][i%8]*terms[k/8][i/8] > 0) != smallest {
			b[i] = 255
		}
	}
	return b
}

// Two blocks at once give exactly what each gives alone, whatever is borrowed from half to half: for the blocks whose
// coefficients are the largest and the smallest, for extremes and noise beside flat ones, in every quality.
func TestBlockPair_transform_isThatOfEachBlockAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	blocks := [][64]uint8{{}, worst(0, false)}
	for k := range 64 {
		blocks = append(blocks, worst(k, false), worst(k, true))
	}
	for n := range 60 {
		var b [64]uint8
		for i := range b { // noise, extremes, and blocks of one value but for the last sample
			b[i] = [3]uint8{uint8(r.Uint32()), uint8(255 * r.IntN(2)), uint8(n*4) + uint8(i/63)}[n%3]
		}
		blocks = append(blocks, b)
	}
	for _, quality := range []int{1, 50, MinQuality, MaxQuality, 100} {
		for _, base := range []*[64]uint8{&luminance, &chrominance} {
			q := newQuantizer(base, quality)
			for i := range blocks {
				for range 6 {
					checkPair(t, q, &blocks[i], &blocks[r.IntN(len(blocks))])
				}
				checkPair(t, q, &blocks[0], &blocks[i])
			}
		}
	}
}

// The means of flat blocks are rounded as alone in every quality: many lie in the middle between two steps.
func TestBlockPair_flat_isThatOfEachBlockAlone(t *testing.T) {
	flat := func(v int) (b [64]uint8) {
		for i := range b {
			b[i] = uint8(v)
		}
		return b
	}
	for quality := 1; quality <= 100; quality++ {
		q := newQuantizer(&luminance, quality)
		for v := quality % 3; v < 256; v += 3 {
			a, b := flat(v), flat(quality*v)
			checkPair(t, q, &a, &b)
		}
	}
}

func FuzzBlockPair(f *testing.F) {
	f.Add(uint8(88), []byte{0, 0, 0, 1})
	f.Add(uint8(100), []byte{255, 0})
	f.Add(uint8(76), []byte{0x2a, 0x2a, 0x15, 0x15, 0x3f})
	f.Fuzz(func(t *testing.T, quality uint8, data []byte) {
		if quality == 0 || quality > 100 || len(data) == 0 {
			return
		}
		var blocks [2][64]uint8
		for i := range 128 {
			blocks[i/64][i%64] = data[i%len(data)]
		}
		checkPair(t, newQuantizer(&luminance, int(quality)), &blocks[0], &blocks[1])
	})
}

// Coefficients are rounded alike whether a pair is skipped, since both are surely 0, or not: about each bound, in both
// halves.
func TestQuantize_aboutEachBound_isThatOfItsTwin(t *testing.T) {
	for _, quality := range []int{1, MinQuality, MaxQuality, 100} {
		q := newQuantizer(&luminance, quality)
		for natural := range 64 {
			term := &q.terms[natural]
			low := term.bias & math.MaxUint32
			size := (1 << factorBits) / float64(term.factor)
			var values []int64
			for _, at := range []int64{0, low, 2 * low, int64(size / 2), int64(1.5 * size), 1<<31 - 2, 1 << 30} {
				for d := int64(-1); d <= 1; d++ {
					values = append(values, at+d, -at-d)
				}
			}
			for _, v := range values {
				for _, w := range values {
					if natural > 0 && max(v, -v, w, -w) > int64(1100*size) {
						continue // more than any block has
					}
					var p blockPair
					p.samples[natural] = v + w<<32
					p.quantize(q)
					for k, half := range [2]int64{v, w} {
						z := int(term.z)
						got, want := int16(0), int16(math.Floor(float64(half)/size+.5))
						if z == 0 || p.out[k].nonzero>>z&1 != 0 {
							got = p.out[k].coefficients[z]
						}
						near := math.Abs(math.Mod(math.Abs(float64(half))/size, 1)-.5) < 1e-3
						if got != want && !near || p.out[k].nonzero&^(1<<z) != 0 || z > 0 && (got != 0) != (p.out[k].nonzero != 0) {
							t.Fatalf("quality %d, coefficient %d, half %d of %d and %d: %d, want %d; bits %b", quality, natural, k,
								v, w, got, want, p.out[k].nonzero)
						}
					}
				}
			}
		}
	}
}

// No coefficient of any block is further from the definition, before it is rounded, than encodetest.Offset says.
func TestForwardDCT_anyBlock_isNoFurtherOffThanSaid(t *testing.T) {
	q := newQuantizer(&luminance, 100) // of steps of 1
	for k := range 64 {
		size := (1 << factorBits) / float64(q.terms[k].factor)
		off := 0.0
		for i := range 64 {
			var one [64]uint8
			for n := range one {
				one[n] = 128
			}
			one[i] = 129
			exact := cosine(&one, k)
			off += math.Abs(float64(terms[k%8][i%8]*terms[k/8][i/8])/size-exact) * 127.5
		}
		if off > encodetest.Offset(k) {
			t.Errorf("coefficient %d may be off by %.3f, %.3f are said", k, off, encodetest.Offset(k))
		}
	}
}

// checkQuarter compares a block of 4×4 samples with what its slow twin writes.
func checkQuarter(t *testing.T, q *quantizer, samples [16]uint8) {
	t.Helper()
	var want [64]int
	exact := encodetest.Quarter(samples)
	near := false
	for natural, v := range exact {
		c := v / float64(q.steps[unzigzag[natural]])
		want[unzigzag[natural]] = int(math.Floor(c + .5))
		near = near || math.Abs(c-math.Floor(c)-.5) < .01
	}
	const stride = 7
	src := make([]uint8, 4*stride)
	for i, v := range samples {
		src[i/4*stride+i%4] = v
	}
	if got, plain := hasEdge(src, stride), plainEdge(src, stride); got != plain {
		t.Fatalf("samples %v: an edge: %v, want %v", samples, got, plain)
	} else if got || near {
		return // a block with an edge has the full resolution; where it is near the middle either is right
	}
	w, dc := &jpegWriter{}, int16(3)
	w.encodeQuarter(src, stride, q, &dc)
	w.bits.flush()
	if int(dc) != want[0] {
		t.Fatalf("samples %v: the mean is %d, want %d", samples, dc, want[0])
	}
	want[0] -= 3
	if plain := plainScan([][64]int{want}, 2); string(w.bits.out) != string(plain) {
		t.Fatalf("samples %v: % x, want % x", samples, w.bits.out, plain)
	}
}

// Blocks of half resolution have the coefficients of the definition.
func TestEncodeQuarter_anySamples_isThatOfItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for _, quality := range []int{1, MinQuality, MaxQuality, 100} {
		q := newQuantizer(&chrominance, quality)
		for n := range 3000 {
			var s [16]uint8
			for i := range s {
				base, step := uint8(n%(255-edge)), uint8(n>>6)
				s[i] = [4]uint8{
					uint8(r.Uint32()), base + edge*uint8(r.IntN(2)), base + uint8(r.IntN(edge+1)), base + step*uint8(i/15),
				}[n%4]
			}
			checkQuarter(t, q, s)
		}
	}
}

func FuzzEncodeQuarter(f *testing.F) {
	f.Add(uint8(88), []byte("0123456789abcdef"))
	f.Add(uint8(100), []byte{255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, quality uint8, data []byte) {
		var s [16]uint8
		if copy(s[:], data); quality > 0 && quality <= 100 {
			checkQuarter(t, newQuantizer(&chrominance, int(quality)), s)
		}
	})
}
