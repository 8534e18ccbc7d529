package paint_test

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"masthead/render/paint"
	"masthead/render/palette"
)

// TestLayer_keptIsAsDrawn compares a card whose layer was drawn with one that has it copied, and with what is drawn
// over it: in the same inks, and in others. A canvas without a palette has it drawn each time.
func TestLayer_keptIsAsDrawn(t *testing.T) {
	const w, h = 300, 200
	box := image.Rect(60, 50, 280, 180)
	shade := color.NRGBA{A: 90}
	background := paint.Linear{Angle: paint.DownRight, Colors: []color.NRGBA{palette.RGB(0x7722AA), palette.RGB(0x11AACC)}}
	drawn := 0
	card := func(c *paint.Canvas, scene string) *image.NRGBA {
		defer c.Release()
		key := paint.LayerKey{Scene: scene, W: w, H: h, Accent: palette.RGB(0x7722AA)}
		c.Layer(key, []image.Rectangle{image.Rect(0, 0, w, 100), image.Rect(-50, 100, w+50, h)}, func() {
			drawn++
			c.Shadow(box, 20, 12, 8, shade)
			c.RoundRect(image.Rect(10, 10, 40, 40), 9, palette.RGB(0xFFCC00))
		})
		c.Shadow(box.Inset(30), 20, 12, 8, shade)
		c.Disc(100, 90, 40, palette.RGB(0x00FF88))
		out := image.NewNRGBA(c.Bounds())
		for y := range h {
			for x := range w {
				out.SetNRGBA(x, y, c.At(x, y))
			}
		}
		return out
	}
	first := card(paint.New(w, h, background, shade), "kept")
	second := card(paint.New(w, h, background, shade), "kept")
	third := card(paint.New(w, h, background, shade), "kept")
	if drawn != 2 {
		t.Errorf("the layer was drawn %d times, want twice", drawn)
	}
	for i, v := range first.Pix {
		if second.Pix[i] != v || third.Pix[i] != v {
			t.Fatalf("at %d,%d the kept layer has %v, the drawn ones %v and %v", i/4%w, i/4/w, third.Pix[i-i%4:i-i%4+4],
				first.Pix[i-i%4:i-i%4+4], second.Pix[i-i%4:i-i%4+4])
		}
	}
	card(paint.NewRGBA(w, h, background), "kept")
	if drawn != 3 {
		t.Error("a canvas without a palette got the entries of one that has one")
	}
	other := paint.Linear{Angle: paint.DownRight, Colors: []color.NRGBA{palette.RGB(0xEEEEEE), palette.RGB(0x88CC44)}}
	got, want := card(paint.New(w, h, other, shade), "kept"), card(paint.New(w, h, other, shade), "not kept")
	if drawn != 5 || !slices.Equal(got.Pix, want.Pix) {
		t.Errorf("drawn %d times: a card got the entries of one with another background", drawn)
	}
}
