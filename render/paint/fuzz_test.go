package paint_test

import (
	"image"
	"image/color"
	"testing"

	"masthead/render/paint"
)

// No figures make a shape panic, run for ever or draw outside of its clip: layouts compute them from texts and pictures
// of others.
func FuzzShapes(f *testing.F) {
	f.Add(10, 10, 50, 40, 5.0, 2.0, uint8(255), false)
	f.Add(-100, 90, 500, 3, 1e300, -4.0, uint8(100), true)
	f.Add(1<<40, -1<<40, 1<<50, -7, 0.001, 1e-9, uint8(1), false)
	f.Fuzz(func(t *testing.T, x, y, w, h int, a, b float64, alpha uint8, rgba bool) {
		c := paint.New(64, 48, paint.Linear{Angle: paint.DownRight, Colors: []color.NRGBA{black, white}})
		defer c.Release()
		if rgba {
			c.Upgrade()
		}
		before := c.At(60, 44)
		undo := c.Clip(image.Rect(2, 3, 60, 44))
		r, ink := image.Rect(x, y, x+w, y+h), color.NRGBA{R: 200, G: 30, B: 90, A: alpha}
		c.Fill(r, ink)
		c.RoundRect(r, a, ink)
		c.Border(r, a, int(b), ink)
		c.Disc(float64(x), b, a, ink)
		c.Ring(a, b, float64(w), float64(h), ink)
		c.Shadow(r, a, b, h, ink)
		c.Grid(r, w, h, ink, ink)
		c.Scrim(r, paint.Angle(w), ink, paint.AlphaStop{At: a, Alpha: b}, paint.AlphaStop{At: b, Alpha: a})
		c.Glow(a, b, float64(w), float64(h), ink, paint.AlphaStop{Alpha: a}, paint.AlphaStop{At: 1, Alpha: b})
		c.Picture(logo(9), r, a)
		colors := []color.NRGBA{ink, black}
		c.Paint(r, paint.Linear{Angle: paint.Angle(w), Colors: colors})
		undo()
		if got := c.At(60, 44); got != before {
			t.Errorf("a pixel outside of the clip was %v and is %v", before, got)
		}
	})
}
