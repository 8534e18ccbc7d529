package html_test

import (
	"fmt"
	"image"
	"image/color"
	"testing"

	"masthead/render/html"
)

// TestDraw_clippedText draws texts in a box that cuts them at its sides, and again in one that doesn't: no glyph is
// missing in the first, which doesn't draw those outside of the box, and each pixel is the same.
func TestDraw_clippedText(t *testing.T) {
	inBox := 0
	box := image.Rect(300, 200, 620, 360)
	draw := func(style, overflow string, at image.Point) image.Image {
		doc, err := html.Parse(fmt.Sprintf("<body style='margin:0'><div style='position:absolute;left:%dpx;top:%dpx;"+
			"width:%dpx;height:%dpx;overflow:%s'><div style='position:absolute;left:%dpx;top:%dpx;width:600px;"+
			"transform-origin:0 0;line-height:1;%s'>Wgfj ÅQ@ Mjy W&amp;fQ %% jÅgW</div></div>", box.Min.X, box.Min.Y,
			box.Dx(), box.Dy(), overflow, at.X, at.Y, style))
		if err != nil {
			t.Fatal(err)
		}
		img, _, err := doc.Draw(t.Context(), html.Options{Width: 1000, Height: 700})
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	for _, style := range []string{
		"font:120px inter", "font:italic 120px inter", "font:900 120px instrument-serif",
		"font:120px inter;-webkit-text-stroke:24px teal", "font:90px inter;transform:rotate(31deg)",
		"font:90px inter;transform:rotate(-20deg) scale(1.5);-webkit-text-stroke:8px teal",
		"font:100px inter;text-shadow:9px 9px 0 red,-30px 20px 0 blue", "font:12px inter;transform:scale(9)",
	} {
		for _, at := range []image.Point{{-40, -30}, {-190, -77}, {120, 90}, {-10, 120}, {250, -90}, {-260, 100}} {
			got, whole := draw(style, "hidden", at), draw(style, "visible", at)
			most, inked, empty := 0, 0, rgba(whole, 999, 0)
			for y := box.Min.Y; y < box.Max.Y; y++ {
				for x := box.Min.X; x < box.Max.X; x++ {
					a, b := rgba(got, x, y), rgba(whole, x, y)
					for _, d := range []int{int(a.R) - int(b.R), int(a.G) - int(b.G), int(a.B) - int(b.B)} {
						most = max(most, d, -d)
					}
					if b != empty {
						inked++
					}
				}
			}
			if inBox += inked; most > 0 {
				t.Errorf("%s at %v: of %d pixels some differ by %d levels", style, at, inked, most)
			}
		}
	}
	if inBox < 100_000 {
		t.Errorf("only %d pixels of texts are in the box", inBox)
	}
}

// rgba returns a pixel.
func rgba(img image.Image, x, y int) color.RGBA {
	return color.RGBAModel.Convert(img.At(x, y)).(color.RGBA) //nolint:forcetypeassert // what the model converts to
}
