package template

import (
	"testing"

	"masthead/render/palette"
	"masthead/render/template/kit"
)

// TestHorizon_sunIsApartFromTheTexts finds the crown of the sun below the lowest ink of a title.
func TestHorizon_sunIsApartFromTheTexts(t *testing.T) {
	const apart = 24
	for _, dark := range []bool{true, false} {
		c := openCard(t, "horizon", kit.Spec{
			Theme: palette.New(palette.RGB(0x4F46E5), dark),
			Texts: kit.Texts{Title: "Konstytucyjnoprawne aspekty odpowiedzialności odszkodowawczej Skarbu Państwa", SiteName: "A"},
		})
		c.Layout()
		low := 0
		for _, p := range c.PlacedTexts() {
			if p.Role == kit.Title {
				low = int(p.Bounds().Y1)
			}
		}
		crown := horizonFoot - 20
		for ; crown < c.H; crown++ {
			at := func(y int) float64 { return palette.Luminance(c.Canvas().At(900, y)) }
			if d := at(crown+1) - at(crown); d > .05 || d < -.05 {
				break
			}
		}
		if crown-low < apart || crown-horizonFoot < apart {
			t.Errorf("dark %v: the sun is at %d, the title ends at %d, texts at %d", dark, crown, low, horizonFoot)
		}
	}
}
