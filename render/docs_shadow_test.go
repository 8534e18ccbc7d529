package render_test

import (
	"image/color"
	"testing"

	"masthead/render"
	"masthead/render/specimen"
)

// TestPaint_sheetsOfDocsCastOneShadow checks that beside the sheets the shadow of one doesn't end where the next
// begins: no row of it differs from the row above by more than the dither of a palette.
func TestPaint_sheetsOfDocsCastOneShadow(t *testing.T) {
	for _, crumb := range [][]string{{"Guides", "Installation"}, {"Docs", "Guides", "Installation"}} {
		r := specimen.Find("five-words").Request("docs", render.OG)
		r.Accent, r.Dark, r.Crumb = specimen.Accents()[3], false, crumb
		img, err := render.Paint(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		const x0, x1, y0, y1, most = 34, 40, 150, 600, 1.5
		last := 0.
		for y := y0; y < y1; y++ {
			mean := 0.
			for x := x0; x < x1; x++ {
				mean += float64(color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA).R) / (x1 - x0)
			}
			if y > y0 && (mean-last > most || last-mean > most) {
				t.Errorf("%d sheets: row %d differs from the one above by %.1f levels", len(crumb), y, mean-last)
			}
			last = mean
		}
	}
}
