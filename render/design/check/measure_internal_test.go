package check

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"
)

// TestAsRGBA_indicesAreAsImageDraws compares with image/draw, for whole pictures and parts of them.
func TestAsRGBA_indicesAreAsImageDraws(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, colors := range []int{1, 2, 17, 256} {
		palette := make(color.Palette, colors)
		for i := range palette {
			c := random.Uint32()
			palette[i] = color.NRGBA{R: uint8(c), G: uint8(c >> 8), B: uint8(c >> 16), A: uint8(c >> 24)}
		}
		whole := image.NewPaletted(image.Rect(-3, 5, 90, 61), palette)
		for i := range whole.Pix {
			whole.Pix[i] = uint8(random.IntN(colors))
		}
		for _, of := range []image.Rectangle{whole.Rect, image.Rect(10, 20, 31, 47), {}} {
			part := whole.SubImage(of)
			want := image.NewRGBA(part.Bounds())
			draw.Draw(want, want.Rect, part, want.Rect.Min, draw.Src)
			got := asRGBA(part)
			if got.Rect != want.Rect || got.Stride != want.Stride || !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%d colors, %v: the pixels differ from those of image/draw", colors, of)
			}
		}
	}
}
