package icon

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
)

// noisy returns a picture of random pixels, many of which are opaque or clear, as part of a larger one.
func noisy(random *rand.Rand, w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(-3, -2, w+5, h+1))
	kind := random.IntN(3)
	for i := range img.Pix {
		img.Pix[i] = uint8(random.Uint32())
		switch {
		case i%4 != 3:
		case kind == 0:
			img.Pix[i] = [...]uint8{0, 0, 0, 255, 255, 1}[random.IntN(6)]
		case kind == 1:
			img.Pix[i] |= 254
		}
	}
	return img.SubImage(image.Rect(0, 0, w, h)).(*image.NRGBA)
}

// slowHalf is the mean of four pixels, weighted by alpha and rounded to the nearest.
func slowHalf(img *image.NRGBA, x, y int) color.NRGBA {
	var sum, alpha [3]uint32
	for i := range 4 {
		p := img.NRGBAAt(2*x+i%2, 2*y+i/2)
		for ch, v := range [3]uint8{p.R, p.G, p.B} {
			sum[ch] += uint32(v) * uint32(p.A)
			alpha[ch] += uint32(p.A)
		}
	}
	if alpha[0] == 0 {
		return color.NRGBA{}
	}
	mean := func(ch int) uint8 { return uint8((2*sum[ch] + alpha[ch]) / (2 * alpha[ch])) }
	return color.NRGBA{R: mean(0), G: mean(1), B: mean(2), A: uint8((alpha[0] + 2) / 4)}
}

// slowOver lays a pixel over another, both with straight alpha.
func slowOver(d, s color.NRGBA) color.NRGBA {
	sa, da := int(s.A)*255, int(d.A)*(255-int(s.A))
	if sa+da == 0 {
		return d
	}
	mix := func(d, s uint8) uint8 { return uint8((2*(int(s)*sa+int(d)*da) + sa + da) / (2 * (sa + da))) }
	return color.NRGBA{R: mix(d.R, s.R), G: mix(d.G, s.G), B: mix(d.B, s.B), A: uint8((2*(sa+da) + 255) / 510)}
}

// FuzzPixels compares halving, enlarging, laying over and looking for the ink with the same a pixel at a time.
func FuzzPixels(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 9))
		w, h := 1+random.IntN(40), 1+random.IntN(40)
		img := noisy(random, w, h)
		if w > 1 && h > 1 {
			got := half(img)
			for y := range h / 2 {
				for x := range w / 2 {
					if p, q := got.NRGBAAt(x, y), slowHalf(img, x, y); p != q {
						t.Fatalf("halved, %d,%d is %v, want %v", x, y, p, q)
					}
				}
			}
		}
		part := image.Rect(random.IntN(w), random.IntN(h), w, h)
		n := 1 + random.IntN(5)
		large := enlarged(img, part, n)
		for y := range large.Rect.Dy() {
			for x := range large.Rect.Dx() {
				if p, q := large.NRGBAAt(x, y), img.NRGBAAt(part.Min.X+x/n, part.Min.Y+y/n); p != q {
					t.Fatalf("enlarged by %d, %d,%d is %v, want %v", n, x, y, p, q)
				}
			}
		}
		under, at := noisy(random, 30, 30), image.Pt(random.IntN(40)-20, random.IntN(40)-20)
		want := image.NewNRGBA(under.Rect)
		for y := range 30 {
			for x := range 30 {
				want.SetNRGBA(x, y, under.NRGBAAt(x, y))
				if p := image.Pt(x, y).Sub(at); p.In(img.Rect) {
					want.SetNRGBA(x, y, slowOver(under.NRGBAAt(x, y), img.NRGBAAt(p.X, p.Y)))
				}
			}
		}
		got := over(under, img, at)
		for y := range 30 {
			for x := range 30 {
				if p, q := got.NRGBAAt(x, y), want.NRGBAAt(x, y); p != q {
					t.Fatalf("laid over, %d,%d is %v, want %v", x, y, p, q)
				}
			}
		}
		for i := range img.Pix { // little ink, so that there is something to look for
			if random.IntN(9) > 0 {
				img.Pix[i] = 0
			}
		}
		for _, background := range []color.NRGBA{{}, {A: 255}} {
			var ink image.Rectangle
			for y := range h {
				for x := range w {
					p := img.NRGBAAt(x, y)
					if background.A == 0 && p.A >= seen || background.A != 0 && (p.A < solid || max(p.R, p.G, p.B) > sameColor) {
						ink = ink.Union(image.Rect(x, y, x+1, y+1))
					}
				}
			}
			if got := inkOf(img, background); got != ink {
				t.Fatalf("on %v the ink is %v, want %v", background, got, ink)
			}
		}
	})
}
