package render_test

import (
	"image"
	"image/color"
	"testing"

	"masthead/render"
)

// TestPaint_shadeOfACover_keepsTheHueOfItsPicture: light that is darkened for a title keeps its color, and has more of
// it, as white has in a picture in one color; a gray one stays gray.
func TestPaint_shadeOfACover_keepsTheHueOfItsPicture(t *testing.T) {
	rgb := func(r, g, b uint8) color.NRGBA { return color.NRGBA{R: r, G: g, B: b, A: 255} }
	for _, c := range []struct {
		name        string
		left, right color.NRGBA
		least, most float64 // of red per blue, at the left of the title
	}{
		{"yellow, which would be olive", rgb(255, 215, 120), rgb(190, 150, 70), 2.6, 9},
		{"white beside yellow, which would be gray", rgb(225, 225, 225), rgb(150, 100, 30), 1.3, 3},
		{"blue", rgb(40, 120, 220), rgb(20, 60, 110), 0, .15},
		{"gray", rgb(180, 180, 180), rgb(90, 90, 90), .96, 1.04},
	} {
		photo := image.NewNRGBA(image.Rect(0, 0, 1200, 630))
		for i := range 1200 * 630 {
			x, y, at := i%1200, i/1200, c.left
			if x > 600 {
				at = c.right
			}
			k := 256 - (x*7+y*3)%60
			photo.SetNRGBA(x, y, rgb(uint8(int(at.R)*k>>8), uint8(int(at.G)*k>>8), uint8(int(at.B)*k>>8)))
		}
		r, _ := render.Sample("cover")
		r.Dark, r.Kind, r.Photo, r.Title = true, render.OG, photo, "Notes"
		img, err := render.Paint(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		red, blue := 0, 0
		for i := range 100 {
			p := img.(*image.NRGBA).NRGBAAt(10+i%10, 440+i/10)
			red, blue = red+int(p.R), blue+int(p.B)
		}
		if got := float64(red) / float64(blue); got < c.least || got > c.most {
			t.Errorf("%s: %.2f times as much red as blue, want %.2f to %.2f", c.name, got, c.least, c.most)
		}
	}
}
