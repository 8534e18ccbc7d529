package render_test

import (
	"slices"
	"testing"

	"masthead/render"
)

// TestCover_darkCardKeepsALightPicture checks that a dark card has a label if the shade above its title would take the
// light of a low sun; a short title, which is lower, and one over a night darken the picture.
func TestCover_darkCardKeepsALightPicture(t *testing.T) {
	t.Parallel()
	const (
		short = "Why we walk"
		two   = "How to repair a bicycle tube in five steps"
		long  = "The quiet comeback of the paper notebook in eleven cities on four continents"
	)
	for _, c := range []struct {
		name, title string
		light       int // per cent of that of the sample's picture
		label       bool
	}{
		{"three lines", long, 100, true}, {"two lines", two, 100, true}, {"one line", short, 100, false},
		{"a night", long, 40, false},
	} {
		for _, kind := range []render.Kind{render.OG, render.BlogHero} {
			r, _ := render.Sample("cover")
			r.Kind, r.Title, r.Dark = kind, c.title, true
			photo := *r.Photo
			photo.Pix = slices.Clone(photo.Pix)
			for i, v := range photo.Pix {
				if i%4 < 3 {
					photo.Pix[i] = uint8(int(v) * c.light / 100)
				}
			}
			r.Photo = &photo
			if got, err := render.Chosen(r); err != nil || got != "cover" {
				t.Fatalf("%s, %s: %s is drawn (%v)", c.name, kind, got, err)
			}
			img, err := render.Paint(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			label, last := true, img.Bounds().Max.Y-10
			for y := last - 170; y < last; y++ { // left of the texts
				label = label && img.At(20, y) == img.At(20, last)
			}
			if label != c.label {
				t.Errorf("%s, %s: label: %v", c.name, kind, label)
			}
		}
	}
}
