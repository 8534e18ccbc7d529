package template

import (
	"image"
	"image/color"
	"testing"

	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// openCard opens a share image of a template for a test.
func openCard(t *testing.T, slug string, s kit.Spec) *kit.Card {
	t.Helper()
	tmpl, ok := Find(slug, kit.OG)
	if !ok {
		t.Fatalf("there is no template %s", slug)
	}
	s.Kind, s.Family = kit.OG, text.Inter
	if s.Theme == (palette.Theme{}) {
		s.Theme = palette.New(palette.RGB(0x4F46E5), true)
	}
	c := kit.Open(tmpl, s, text.NewEngine())
	t.Cleanup(c.Close)
	return c
}

// plainLogo returns a logo of one color.
func plainLogo(w, h int, ink color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.SetNRGBA(i%w, i/w, ink)
	}
	return img
}

// placedTexts lays out a card and returns its texts by what they say.
func placedTexts(c *kit.Card) (said []string) {
	c.Layout()
	for _, p := range c.PlacedTexts() {
		said = append(said, p.Text())
	}
	return said
}
