package paint

import (
	"image"
	"image/color"
	"testing"
)

// TestThrough_isTheGradientAboutWhichTheColorIsLaid compares the background with its parts drawn one over the other: on
// a palette, on one that is too small for the edges, and without one.
func TestThrough_isTheGradientAboutWhichTheColorIsLaid(t *testing.T) {
	mask := blobs()
	rest := image.NewAlpha(image.Rect(0, 0, 200, 120))
	for y := range 120 {
		for x := range 200 {
			rest.Pix[rest.PixOffset(x, y)] = 255 - mask.AlphaAt(x, y).A
		}
	}
	ink := color.NRGBA{R: 240, G: 90, B: 40, A: 255}
	for _, angle := range []Angle{UpRight, Right, DownRight, Down} {
		l := Linear{Angle: angle, Colors: []color.NRGBA{{R: 20, G: 90, B: 40, A: 255}, {R: 60, G: 40, B: 140, A: 255}},
			From: 30, To: 90}
		background := Through{Gradient: l, Shape: NewStencil(mask), Around: ink}
		for name, make := range map[string]func(Background) *Canvas{
			"palette": func(g Background) *Canvas {
				return New(200, 120, g, ink, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
			},
			"crowded": func(g Background) *Canvas { return New(200, 120, g) },
			"exact":   func(g Background) *Canvas { return NewRGBA(200, 120, g) },
		} {
			got, want := make(background), make(l)
			want.Mask(0, 0, rest, ink)
			samePixels(t, name, got, want)
			if name == "palette" && !got.Indexed() {
				t.Error("the background has no palette")
			}
			got.Release()
			want.Release()
		}
	}
}

// TestThrough_partOfACanvas covers a part as its own background would be.
func TestThrough_partOfACanvas(t *testing.T) {
	l := Linear{Angle: Down, Colors: []color.NRGBA{{R: 20, A: 255}, {B: 140, A: 255}}}
	background := Through{Gradient: l, Shape: RectStencil(image.Rect(20, 20, 80, 60)), Around: color.NRGBA{G: 200, A: 255}}
	c := New(100, 80, Solid{A: 255})
	defer c.Release()
	c.Paint(image.Rect(10, 10, 50, 50), background)
	for at, want := range map[image.Point]color.NRGBA{
		{5, 5}: {A: 255}, {15, 15}: {G: 200, A: 255}, {60, 30}: {A: 255}, {30, 49}: {B: 140, A: 255},
	} {
		if got := c.At(at.X, at.Y); abs(int(got.B)-int(want.B)) > 4 || got.G != want.G || got.R > 4 {
			t.Errorf("%v is %v, want about %v", at, got, want)
		}
	}
}
