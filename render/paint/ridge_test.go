package paint_test

import (
	"image/color"
	"testing"

	"masthead/render/paint"
)

// TestRidge_fillsFromItsCrestDown checks that a ridge stays within its amplitude, leaves what is above it, fills all
// below it with the colors from the first on, and is mirrored whole.
func TestRidge_fillsFromItsCrestDown(t *testing.T) {
	const w, h = 400, 200
	r := paint.Ridge{Base: 100, Amplitude: 20, Period: 90, Phase: .3, Colors: gray(40, 200)}
	draw := func(r paint.Ridge) *paint.Canvas {
		c := paint.NewRGBA(w, h, paint.Solid(black))
		c.Ridge(r)
		return c
	}
	c := draw(r)
	r.Mirror = true
	mirrored := draw(r)
	defer c.Release()
	defer mirrored.Release()
	for x := range w {
		if above, below := c.At(x, 78).R, c.At(x, 122).R; above != 0 || below < 40 {
			t.Fatalf("at %d there is %d above the ridge and %d below it", x, above, below)
		}
		if c.At(x, h-1).R < 198 {
			t.Fatalf("the foot has %v", c.At(x, h-1))
		}
		for y := 79; y < 122; y += 3 {
			if c.At(x, y) != mirrored.At(w-1-x, y) {
				t.Fatalf("what is mirrored differs at %d,%d", x, y)
			}
		}
	}
}

// TestGradientDisc_leadsFromTopToFoot checks the colors of a sun.
func TestGradientDisc_leadsFromTopToFoot(t *testing.T) {
	c := paint.NewRGBA(100, 100, paint.Solid(black))
	defer c.Release()
	c.GradientDisc(50, 50, 40, gray(250, 50))
	for y, want := range map[int]int{12: 242, 50: 148, 88: 52} {
		if got := int(c.At(50, y).R); got < want-3 || got > want+3 {
			t.Errorf("row %d has %d, want %d", y, got, want)
		}
	}
	if c.At(50, 8) != black || c.At(50, 92) != black {
		t.Error("it passes its radius")
	}
}

// gray returns two grays.
func gray(from, to uint8) []color.NRGBA {
	return []color.NRGBA{{R: from, G: from, B: from, A: 255}, {R: to, G: to, B: to, A: 255}}
}
