package paint_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/fogleman/gg"

	"masthead/render/paint"
)

// TestConvex_coversWhatGGCovers compares polygons with those of gg, in both directions of their corners, cut by the
// edges of the canvas and thinner than a pixel.
func TestConvex_coversWhatGGCovers(t *testing.T) {
	white, black := color.NRGBA{R: 255, G: 255, B: 255, A: 255}, color.NRGBA{A: 255}
	for name, corners := range map[string][]paint.Point{
		"tile":     {{X: 10, Y: 30}, {X: 42, Y: 11.5}, {X: 74, Y: 30}, {X: 42, Y: 48.5}},
		"backward": {{X: 10, Y: 30}, {X: 42, Y: 48.5}, {X: 74, Y: 30}, {X: 42, Y: 11.5}},
		"wall":     {{X: 20, Y: 20}, {X: 52, Y: 38.4}, {X: 52, Y: 70}, {X: 20, Y: 51.6}},
		"cut":      {{X: -20, Y: -30}, {X: 120, Y: 20}, {X: 60, Y: 130}},
		"needle":   {{X: 10, Y: 10.3}, {X: 90, Y: 10.9}, {X: 90, Y: 11.1}},
		"line":     {{X: 10, Y: 10}, {X: 90, Y: 10}},
	} {
		c := paint.New(100, 100, paint.Solid(black))
		c.Convex(white, corners...)
		want := paint.PathMask(image.Rect(0, 0, 100, 100), func(g *gg.Context) {
			for _, p := range corners {
				g.LineTo(p.X, p.Y)
			}
			g.ClosePath()
			g.Fill()
		})
		off, worst := 0.0, 0.0
		for y := range 100 {
			for x := range 100 {
				d := math.Abs(float64(c.At(x, y).R)-float64(want.AlphaAt(x, y).A)) / 255
				off, worst = off+d, max(worst, d)
			}
		}
		// Edges come in sixths: each of their pixels may be off by a twelfth, and by more where they end.
		if worst > .34 || off > 12 {
			t.Errorf("%s: a pixel is off by %.2f, all by %.1f pixels", name, worst, off)
		}
		c.Release()
	}
}
