package encode

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"slices"
	"testing"

	"masthead/render/paint"
	"masthead/render/palette"
)

// drawn returns an indexed canvas of more colors than are packed.
func drawn(t *testing.T) *paint.Canvas {
	t.Helper()
	th := palette.New(palette.RGB(0x4F46E5), true)
	c := paint.New(301, 157, paint.Solid(th.BG))
	t.Cleanup(c.Release)
	for i := range 12 {
		c.Ring(float64(20+22*i), 70, 40, 7, th.Ramp(.3+.05*float64(i), .8, 0))
	}
	if !c.Indexed() {
		t.Fatal("the canvas has no palette")
	}
	return c
}

// The pixels of a canvas are compressed where they lie, and one whose rows lie otherwise after a copy.
func TestEncodePNG_rowsWithAByteBetween_areCompressedInPlace(t *testing.T) {
	img := drawn(t).Image().(*image.Paletted)
	w, h := img.Rect.Dx(), img.Rect.Dy()
	if raw := pixelsOf(img).raw(); len(raw) != h*(w+1)-1 || &raw[0] != &img.Pix[0] {
		t.Fatalf("%d bytes in place of a canvas of %dx%d", len(raw), w, h)
	}
	packed := image.NewPaletted(img.Rect, img.Palette)
	for y := range h {
		copy(packed.Pix[y*w:][:w], img.Pix[y*img.Stride:])
	}
	others := map[string]*image.Paletted{
		"without a byte between": packed,
		"with another byte between": {Pix: slices.Clone(img.Pix), Stride: img.Stride, Rect: img.Rect,
			Palette: img.Palette},
		"without bytes to spare": {Pix: slices.Clip(img.Pix), Stride: img.Stride, Rect: img.Rect,
			Palette: img.Palette},
	}
	others["with another byte between"].Pix[w] = 1
	for name, other := range others {
		if pixelsOf(other).raw() != nil {
			t.Errorf("%s: compressed in place", name)
		}
	}
	others["in place"] = img
	for name, other := range others {
		file, err := Encode(other, OG)
		if err != nil || file.Ext != ".png" {
			t.Fatalf("%s: %s, %v", name, file.Ext, err)
		}
		back, err := png.Decode(bytes.NewReader(file.Bytes))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(back.(*image.Paletted).Pix, packed.Pix) {
			t.Errorf("%s: the pixels are others", name)
		}
	}
}

// A canvas that outgrew its palette keeps its pixels, and none of the bytes between.
func TestCanvas_upgraded_keepsPixels(t *testing.T) {
	c := drawn(t)
	before := map[image.Point]color.NRGBA{}
	for y := range 157 {
		for x := range 301 {
			before[image.Pt(x, y)] = c.At(x, y)
		}
	}
	c.Upgrade()
	for at, want := range before {
		if got := c.At(at.X, at.Y); got != want {
			t.Fatalf("%v is %v, want %v", at, got, want)
		}
	}
}
