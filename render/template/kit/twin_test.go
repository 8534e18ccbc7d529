package kit

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"masthead/render/paint"
)

// FuzzLogoPixels compares what is done to rows of a foreign picture with the same a pixel at a time.
func FuzzLogoPixels(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 9))
		w, h := 1+random.IntN(40), 1+random.IntN(40)
		whole := image.NewNRGBA(image.Rect(-3, -2, w+5, h+1))
		for i := range whole.Pix {
			if random.IntN(1+int(seed%20)) == 0 {
				whole.Pix[i] = uint8(random.Uint32())
			}
		}
		img := whole.SubImage(image.Rect(0, 0, w, h)).(*image.NRGBA)
		var ink image.Rectangle
		mask, n := alphaOf(img), 1+random.IntN(5)
		for y := range h {
			for x := range w {
				if img.NRGBAAt(x, y).A >= 16 {
					ink = ink.Union(image.Rect(x, y, x+1, y+1))
				}
				if mask.AlphaAt(x, y).A != img.NRGBAAt(x, y).A {
					t.Fatalf("the mask at %d,%d is %v, want %v", x, y, mask.AlphaAt(x, y), img.NRGBAAt(x, y))
				}
			}
		}
		if got := inkOf(img); got != ink {
			t.Errorf("the ink is %v, want %v", got, ink)
		}
		large := enlarge(img, n)
		for y := range n * h {
			for x := range n * w {
				if p, q := large.NRGBAAt(x, y), img.NRGBAAt(x/n, y/n); p != q {
					t.Fatalf("enlarged by %d, %d,%d is %v, want %v", n, x, y, p, q)
				}
			}
		}
	})
}

// FuzzSeen compares what is seen of a cell through a veil, in parts of 256, with the same in fractions: parts are
// rounded to the nearest, and what they give down.
func FuzzSeen(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 9))
		any := func() color.NRGBA {
			v := random.Uint32()
			return color.NRGBA{R: uint8(v), G: uint8(v >> 8), B: uint8(v >> 16), A: 255}
		}
		levels := [3]uint8{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32())}
		c := &paint.Cell{Mean: any(), Soft: any(), Low: min(levels[0], levels[1]), Luma: max(levels[0], levels[1])}
		c.High = max(c.Luma, levels[2])
		ink, cover, blur, light := any(), random.Float64(), random.Float64(), random.IntN(2) == 0
		k, p := math.Floor(cover*256+.5)/256, math.Floor(blur*256+.5)/256
		off := float64(c.Low) - float64(c.Luma)
		if light {
			off = float64(c.High) - float64(c.Luma)
		}
		off = math.Floor(off * (1 - p))
		mix := func(a, b, over uint8) (mean, extreme uint8) {
			v := float64(a) + math.Floor((float64(b)-float64(a))*p)
			e := min(max(v+off, 0), 255)
			return uint8(v + math.Floor((float64(over)-v)*k)), uint8(e + math.Floor((float64(over)-e)*k))
		}
		want, most := color.NRGBA{A: 255}, color.NRGBA{A: 255}
		want.R, most.R = mix(c.Mean.R, c.Soft.R, ink.R)
		want.G, most.G = mix(c.Mean.G, c.Soft.G, ink.G)
		want.B, most.B = mix(c.Mean.B, c.Soft.B, ink.B)
		if mean, extreme := seen(c, ink, cover, blur, light, true); mean != want || extreme != most {
			t.Errorf("got %v and %v, want %v and %v", mean, extreme, want, most)
		}
		if mean, _ := seen(c, ink, cover, blur, light, false); mean != want {
			t.Errorf("without the extreme: got %v, want %v", mean, want)
		}
	})
}
