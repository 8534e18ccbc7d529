package render_test

import (
	"testing"

	"masthead/render"
	"masthead/render/specimen"
)

// TestCover_darkCardKeepsALightPicture checks that a dark card has a label if its title of three lines would darken a
// light picture half way up; others darken it below their title.
func TestCover_darkCardKeepsALightPicture(t *testing.T) {
	t.Parallel()
	const long = "The quiet comeback of the paper notebook in eleven cities on four continents"
	for _, c := range []struct {
		name, title string
		dim         uint8 // of 255: how light the picture is
		label       bool
	}{
		{"three lines", long, 170, true}, {"two lines", "Why we walk to the sea", 170, false}, {"a night", long, 90, false},
	} {
		r := specimen.Find("five-words").Request("cover", render.OG)
		r.Title, r.Dark = c.title, true
		r.Photo = specimen.Picture("waves")
		for i, v := range r.Photo.Pix {
			if i%4 < 3 {
				r.Photo.Pix[i] = uint8(int(v) * int(c.dim) / 255)
			}
		}
		if got, err := render.Chosen(r); err != nil || got != "cover" {
			t.Fatalf("%s: %s is drawn (%v)", c.name, got, err)
		}
		img, err := render.Paint(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		label := true // left of the texts
		for y := 440; y < 620; y++ {
			label = label && img.At(20, y) == img.At(20, 620)
		}
		if label != c.label {
			t.Errorf("%s: label: %v", c.name, label)
		}
	}
}
