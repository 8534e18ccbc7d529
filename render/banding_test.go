package render_test

import (
	"image"
	"testing"

	"masthead/render"
	"masthead/render/palette"
)

// TestDraw_gradientsHaveNoVisibleSteps draws cards with a large letter or figure and looks for bands: flat runs of 8
// pixels and more, side by side, that differ by 3 to 14 levels.
func TestDraw_gradientsHaveNoVisibleSteps(t *testing.T) {
	const most = 200 // pixels in every fourth row and column; of edges of figures there are some
	for _, c := range []struct {
		slug string
		kind render.Kind
		dark bool
	}{
		{"editorial", render.OG, true}, {"editorial", render.OG, false}, {"editorial", render.BlogHero, true},
		{"product", render.OG, true},
	} {
		r, _ := render.Sample(c.slug)
		r.Kind, r.Dark, r.Accent, r.Pictures = c.kind, c.dark, palette.RGB(0x4F46E5), render.Pictures{}
		r.Format = render.PNG
		img, err := render.Paint(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if n := bands(img); n > most {
			t.Errorf("%s, %s, dark %v: %d pixels are at the edge of a band, want at most %d", c.slug, c.kind, c.dark, n, most)
		}
	}
}

// bands counts, in every fourth row and column, the places where two flat runs meet at a small step.
func bands(img image.Image) (n int) {
	const run, low, high = 8, 3, 14
	size := img.Bounds().Size()
	line := func(length int, at func(i int) (x, y int)) {
		level := func(i int) [3]int {
			x, y := at(i)
			r, g, b, _ := img.At(x, y).RGBA()
			return [3]int{int(r >> 8), int(g >> 8), int(b >> 8)}
		}
		flat, before, step := 1, 0, 0
		last := level(0)
		for i := 1; i < length; i++ {
			here, off := level(i), 0
			for k := range here {
				off = max(off, here[k]-last[k], last[k]-here[k])
			}
			last = here
			if off > 0 {
				before, step, flat = flat, off, 1
				continue
			}
			if flat++; flat == run && before >= run && step >= low && step <= high {
				n++
			}
		}
	}
	for y := 0; y < size.Y; y += 4 {
		line(size.X, func(i int) (int, int) { return i, y })
	}
	for x := 0; x < size.X; x += 4 {
		line(size.Y, func(i int) (int, int) { return x, i })
	}
	return n
}
