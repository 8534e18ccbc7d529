package encode

import (
	"math"
	"math/rand/v2"
	"testing"

	"masthead/render/encode/encodetest"
)

// The coefficients of both blocks of a pair are those of the definition, but for a few roundings.
func TestBlockPair_transform_isTheCosineTransform(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := map[string]func() uint8{
		"noise":    func() uint8 { return uint8(r.IntN(256)) },
		"extremes": func() uint8 { return uint8(r.IntN(2) * 255) },
		"calm":     func() uint8 { return uint8(200 + r.IntN(3)) },
		"black":    func() uint8 { return 0 },
		"white":    func() uint8 { return 255 },
	}
	for name, sample := range kinds {
		for _, quality := range []int{MinQuality, MaxQuality, 100} {
			q := newQuantizer(&luminance, quality)
			differ := 0
			for range 50 {
				var blocks [2][64]uint8
				for i := range 128 {
					blocks[i/64][i%64] = sample()
				}
				var p blockPair
				p.transform(q, blocks[0][:], blocks[1][:], 8)
				for k, b := range &blocks {
					for z, natural := range zigzag {
						want := cosine(&b, int(natural)) / float64(q.steps[z])
						got := 0.0
						if z == 0 || p.out[k].nonzero>>z&1 != 0 {
							got = float64(p.out[k].coefficients[z])
						}
						if math.Abs(got-want) > .5+encodetest.Offset(int(natural))/float64(q.steps[z]) {
							t.Fatalf("%s, quality %d, block %d: coefficient %d = %v, want %.2f", name, quality, k, z, got, want)
						}
						if got != math.Floor(want+.5) {
							differ++
						}
					}
				}
			}
			if most := 50 * 128 / 16; differ > most {
				t.Errorf("%s, quality %d: %d of %d coefficients differ from the rounded ones", name, quality, differ, 50*128)
			}
		}
	}
}

// A pair counts as flat only when each of its blocks has one value: one sample that differs, in either block, at any
// place, by any amount, makes it not flat.
func TestBlockPair_load_findsEveryDifferingSample(t *testing.T) {
	values := []uint8{0, 1, 15, 16, 127, 128, 200, 254, 255}
	for _, first := range values {
		for _, second := range values {
			var blocks [2][64]uint8
			for i := range 64 {
				blocks[0][i], blocks[1][i] = first, second
			}
			var p blockPair
			if !p.load(blocks[0][:], blocks[1][:], 8) {
				t.Fatalf("values %d and %d: not flat", first, second)
			}
			for k := range blocks {
				for i := range 64 {
					was := blocks[k][i]
					for _, v := range values {
						blocks[k][i] = v
						// The first sample is what the others are compared with: changing it changes 63 of them.
						if got, want := p.load(blocks[0][:], blocks[1][:], 8), v == was; got != want {
							t.Fatalf("values %d and %d, sample %d of block %d = %d: flat = %v, want %v",
								first, second, i, k, v, got, want)
						}
					}
					blocks[k][i] = was
				}
			}
		}
	}
}

// cosine returns a coefficient of a block by the definition. Source: ITU T.81, A.3.3.
func cosine(b *[64]uint8, natural int) (sum float64) {
	u, v := natural%8, natural/8
	for i, s := range b {
		sum += (float64(s) - 128) * math.Cos(float64((2*(i%8)+1)*u)*math.Pi/16) * math.Cos(float64((2*(i/8)+1)*v)*math.Pi/16)
	}
	for _, k := range []int{u, v} {
		if k == 0 {
			sum *= math.Sqrt2 / 2
		}
	}
	return sum / 4
}
