package picture_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"masthead/pkg/picture"
)

func flat(w, h int, c color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return img
}

func TestScale_sizes_asAsked(t *testing.T) {
	for _, tt := range []struct {
		name   string
		scaled *image.NRGBA
		w, h   int
	}{
		{"exactly", picture.Scale(motley(30, 20, true), 7, 50), 7, 50},
		{"clamped above", picture.Scale(motley(2, 2, true), 1<<30, 1), 4096, 1},
		{"clamped below", picture.Scale(motley(30, 20, true), 0, -5), 1, 1},
		{"contain wide", picture.Contain(motley(300, 100, true), 64, 64), 64, 21},
		{"contain tall", picture.Contain(motley(100, 300, true), 64, 64), 21, 64},
		{"contain enlarges", picture.Contain(motley(8, 4, true), 64, 64), 64, 32},
		{"contain a strip", picture.Contain(motley(1, 8192, true), 64, 64), 1, 64},
		{"a big one to an icon", picture.Scale(flat(2400, 1350, color.NRGBA{A: 255}), 64, 64), 64, 64},
		{"nothing", picture.Contain(&image.NRGBA{}, 3, 2), 3, 2},
	} {
		if tt.scaled.Rect != image.Rect(0, 0, tt.w, tt.h) {
			t.Errorf("%s: got %v, want %d×%d", tt.name, tt.scaled.Rect, tt.w, tt.h)
		}
	}
}

func TestScale_colors_kept(t *testing.T) {
	orange := color.NRGBA{250, 120, 10, 255}
	for _, size := range []image.Point{{50, 50}, {1500, 1200}, {3000, 2400}} {
		img := flat(size.X, size.Y, orange)
		// Invisible pixels have a color too, which must not bleed into the visible ones.
		draw.Draw(img, image.Rect(0, 0, size.X/2, size.Y), image.NewUniform(color.NRGBA{0, 0, 255, 0}), image.Point{},
			draw.Src)
		got := picture.Scale(img, 30, 25)
		for i := range 30 * 25 {
			c := got.NRGBAAt(i%30, i/30)
			if c.A > 16 && (c.R < 245 || c.B > 15) {
				t.Fatalf("from %v: pixel %d is %v", size, i, c)
			}
		}
		if c := got.NRGBAAt(25, 12); c != orange {
			t.Errorf("from %v: inside it is %v", size, c)
		}
	}
}

func TestScale_result_sharesNoPixels(t *testing.T) {
	img := flat(8, 8, color.NRGBA{1, 2, 3, 255})
	for _, got := range []*image.NRGBA{picture.Scale(img, 8, 8), picture.Contain(img, 8, 8)} {
		got.Pix[0] = 99
	}
	if img.Pix[0] != 1 {
		t.Error("the source was changed")
	}
}
