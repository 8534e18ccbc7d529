package icon

import (
	"image"
	"math/rand/v2"
	"os"
	"testing"
)

// FuzzPyramid scales pictures of any size by any part: below ends with the first level within the bound, or with one
// that cannot be halved, and scaled gives the size that it is asked for.
func FuzzPyramid(f *testing.F) {
	f.Add(uint16(3000), uint16(1), uint16(0), uint16(0), uint16(3000), uint16(1), uint16(16))
	f.Add(uint16(1), uint16(3000), uint16(0), uint16(7), uint16(1), uint16(2000), uint16(512))
	f.Add(uint16(4096), uint16(2), uint16(1), uint16(0), uint16(4095), uint16(2), uint16(48))
	f.Add(uint16(511), uint16(513), uint16(3), uint16(5), uint16(509), uint16(508), uint16(31))
	f.Fuzz(func(t *testing.T, w, h, x0, y0, x1, y1, want uint16) {
		const most = 1 << 18 // pixels, so that many pictures are tried
		img := image.NewNRGBA(image.Rect(0, 0, 1+int(w)%4096, 1+int(h)%4096))
		if size := img.Rect.Size(); size.X*size.Y > most {
			img = image.NewNRGBA(image.Rect(0, 0, size.X, most/size.X))
		}
		checkBelow(t, img)
		size := img.Rect.Size()
		part := image.Rect(int(x0)%size.X, int(y0)%size.Y, int(x1)%size.X+1, int(y1)%size.Y+1)
		if part.Empty() {
			return
		}
		tw, th := evenly(part.Dx(), max(part.Dx(), part.Dy()), 1+int(want)%512), 1+int(want)%512
		if got := newPyramid(img).scaled(part, tw, th); got.Rect != image.Rect(0, 0, tw, th) {
			t.Fatalf("%v of %v: got %v, want %d×%d", part, size, got.Rect, tw, th)
		}
	})
}

// checkBelow compares the level that below finds with the halves of the sides alone.
func checkBelow(t *testing.T, img *image.NRGBA) {
	t.Helper()
	for _, bound := range []int{1, 2, 3, 100, 2 * maxVectorSide} {
		w, h := img.Rect.Dx(), img.Rect.Dy()
		for max(w, h) >= bound && min(w, h) > 1 {
			w, h = w/2, h/2
		}
		if got := newPyramid(img).below(bound).Rect; got != image.Rect(0, 0, w, h) {
			t.Fatalf("%v below %d: got %v, want %d×%d", img.Rect, bound, got, w, h)
		}
	}
}

// TestPyramid_everySide_ends has each side from 1 to 4096 beside short and near ones, both ways, and pairs at random.
func TestPyramid_everySide_ends(t *testing.T) {
	step := 31
	if os.Getenv("MASTHEAD_TEST_FULL") == "1" {
		step = 1
	}
	check := func(w, h int) {
		checkBelow(t, image.NewNRGBA(image.Rect(0, 0, w, h)))
		checkBelow(t, image.NewNRGBA(image.Rect(0, 0, h, w)))
	}
	for long := 1; long <= 4096; long += step {
		for _, short := range []int{1, 2, 3, 17} {
			check(long, short)
		}
	}
	for exponent := range 13 {
		for short := 1; short < 5; short++ {
			check(1<<exponent, short)
			check(max(1<<exponent-1, 1), short)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		w := 1 + r.IntN(4096)
		check(w, 1+r.IntN(min(4096, 1<<18/w)))
	}
}

// TestHalvings_everySize_end has the arithmetic of every picture up to 4096×4096: how often it is halved is bounded by
// its shorter side, and is what one halving after the other comes to, though nothing is drawn.
func TestHalvings_everySize_end(t *testing.T) {
	for w := 1; w <= 4096; w++ {
		for h := 1; h <= w; h++ { // the other way round it is the same
			size := image.Pt(w, h)
			most := halvings(size)
			if h>>most != 1 {
				t.Fatalf("%v is halved %d times", size, most)
			}
			for _, bound := range [...]int{1, 2 * maxVectorSide} {
				n := halvingsBelow(size, bound)
				if n > most || n < most && w>>n >= bound || n > 0 && w>>(n-1) < bound {
					t.Fatalf("%v is halved %d of %d times to be below %d", size, n, most, bound)
				}
			}
		}
	}
	for w := 1; w <= 4096; w += 7 {
		for _, h := range [...]int{1, 2, 3, 16, 17, 255, 1 + w/16, 1 + w/2, w, 4096} {
			for _, size := range [...]image.Point{{w, h}, {h, w}} {
				all := image.Rectangle{Max: size}
				for _, part := range [...]image.Rectangle{all, all.Inset(min(w, h) / 5), image.Rect(0, 0, 1, 1)} {
					for _, want := range [...]int{1, 16, 48, 512, 5000} {
						if n := halvingsFor(size, part, want, want); n < 0 || n > halvings(size) {
							t.Fatalf("%v of %v for %d px is halved %d times", part, size, want, n)
						}
					}
				}
			}
		}
	}
	if n := halvings(image.Point{}); n != 0 {
		t.Errorf("nothing is halved %d times", n)
	}
}
