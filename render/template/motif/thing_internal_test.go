package motif

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

// TestCutThing_light draws a red square on white with bars that are as white as its ground, and reach it. Thin ones are
// light on the square and stay, wide ones are gaps. With many of them, it isn't cut out.
func TestCutThing_light(t *testing.T) {
	for _, c := range []struct {
		wide, n int
		cut     bool
		alpha   uint8 // in the middle of a bar
	}{
		{wide: 6, n: 1, cut: true, alpha: 255}, {wide: 8, n: 1, cut: true, alpha: 255}, {wide: 24, n: 1, cut: true},
		{wide: 24, n: 8, cut: true}, {wide: 6, n: 6},
	} {
		src := image.NewNRGBA(image.Rect(0, 0, 640, 640))
		draw.Draw(src, src.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(src, image.Rect(120, 120, 520, 520), image.NewUniform(color.NRGBA{R: 190, A: 255}), image.Point{}, draw.Src)
		for i := range c.n {
			bar := image.Rect(140+46*i, 120, 140+46*i+c.wide, 420)
			draw.Draw(src, bar, image.NewUniform(color.NRGBA{R: 252, G: 250, B: 248, A: 255}), image.Point{}, draw.Src)
		}
		thing := cutThing(src)
		if (thing != nil) != c.cut {
			t.Errorf("%d bars %d wide: it is cut out: %v", c.n, c.wide, thing != nil)
		} else if c.cut {
			if got := thing.NRGBAAt(20+c.wide/2, 200).A; got != c.alpha {
				t.Errorf("%d bars %d wide: alpha %d, want %d", c.n, c.wide, got, c.alpha)
			}
		}
	}
}
