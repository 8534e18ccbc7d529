package paint_test

import (
	"image"
	"image/color"
	"slices"
	"testing"

	"masthead/render/paint"
)

// A picture that was drawn before comes out as it did then, and the palette goes on as it did; another background,
// palette, corner or pixel does not take what was kept.
func TestPicture_drawnAgain_isTheSame(t *testing.T) {
	draw := func(background paint.Background, img *image.NRGBA, at image.Point, radius float64) (pixels []color.NRGBA) {
		c := paint.New(240, 200, background, inks...)
		defer c.Release()
		r := image.Rectangle{at, at.Add(img.Rect.Size())}
		if radius < 0 { // by a mask
			undo := c.Clip(r)
			inside := c.ClipMask(paint.RoundMask(r, -radius))
			defer undo()
			defer inside()
		}
		c.Picture(img, r, max(radius, 0))
		c.Disc(120, 100, 60, white)
		if !c.Indexed() {
			t.Fatal("the picture does not fit the palette")
		}
		for y := range c.Bounds().Dy() {
			for x := range c.Bounds().Dx() {
				pixels = append(pixels, c.At(x, y))
			}
		}
		return pixels
	}
	changed := logo(64)
	changed.Pix[4*(64*32+32)] ^= 0x80
	cases := map[string]func() []color.NRGBA{
		"plain":              func() []color.NRGBA { return draw(diagonal, logo(64), image.Pt(20, 20), 14) },
		"another place":      func() []color.NRGBA { return draw(diagonal, logo(64), image.Pt(80, 60), 14) },
		"another corner":     func() []color.NRGBA { return draw(diagonal, logo(64), image.Pt(20, 20), 20) },
		"a clip":             func() []color.NRGBA { return draw(diagonal, logo(64), image.Pt(20, 20), -14) },
		"another clip":       func() []color.NRGBA { return draw(diagonal, logo(64), image.Pt(20, 20), -22) },
		"another pixel":      func() []color.NRGBA { return draw(diagonal, changed, image.Pt(20, 20), 14) },
		"another background": func() []color.NRGBA { return draw(paint.Solid(black), logo(64), image.Pt(20, 20), 14) },
	}
	first := map[string][]color.NRGBA{}
	for name, c := range cases {
		first[name] = c()
	}
	for name, c := range cases {
		for range 2 { // the first is kept, the second copied
			if !slices.Equal(c(), first[name]) {
				t.Errorf("%s: drawn again, the picture is another one", name)
			}
		}
		if name != "plain" && slices.Equal(first[name], first["plain"]) {
			t.Errorf("%s: the picture is the plain one", name)
		}
	}
}

// A picture that was not drawn before: its colors are chosen anew.
func BenchmarkPictureNew(b *testing.B) {
	img := logo(64)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		img.Pix[0], img.Pix[1], img.Pix[2] = uint8(i), uint8(i>>8), uint8(i>>16)
		c := paint.New(200, 200, diagonal, inks...)
		c.Picture(img, image.Rect(80, 64, 144, 128), 14)
		c.Release()
	}
}

// Round corners blend with the background on a palette as they do in all colors.
func TestPicture_roundCorners_blendAsInRGBA(t *testing.T) {
	orange := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range orange.Pix {
		orange.Pix[i] = []uint8{249, 115, 22, 255}[i%4]
	}
	at := image.Rect(80, 64, 144, 128)
	exact, indexed := paint.NewRGBA(240, 200, diagonal), paint.New(240, 200, diagonal, inks...)
	defer exact.Release()
	defer indexed.Release()
	exact.Picture(orange, at, 14)
	indexed.Picture(orange, at, 14)
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			p, q := exact.At(x, y), indexed.At(x, y)
			for _, d := range []int{int(p.R) - int(q.R), int(p.G) - int(q.G), int(p.B) - int(q.B)} {
				if d > 32 || d < -32 {
					t.Fatalf("at %d,%d: %v, exactly %v", x, y, q, p)
				}
			}
		}
	}
}
