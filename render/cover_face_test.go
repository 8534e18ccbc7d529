package render_test

import (
	"image"
	"testing"

	"masthead/render"
	"masthead/render/specimen"
)

// TestChosen_coverThatWouldHideAFace_isEditorial checks that a title which leaves no room under a face is drawn beside
// the picture, and that a shorter one, or a face higher up, keeps the cover.
func TestChosen_coverThatWouldHideAFace_isEditorial(t *testing.T) {
	t.Parallel()
	const long = "The quiet comeback of the paper notebook in eleven cities on four continents"
	for _, c := range []struct {
		name, title, ground, want string
		y                         float64
		kind                      render.Kind
	}{
		{"a long title under a low face", long, "forest", "editorial", .42, render.OG},
		{"the same under a high one", long, "forest", "cover", .3, render.OG},
		{"a short title", "Why we walk", "waves", "cover", .34, render.OG},
		{"nobody", long, "sky", "cover", -2, render.OG},
		{"a hero", "Why we walk", "forest", "cover", .3, render.BlogHero},
	} {
		r := specimen.Find("five-words").Request("cover", c.kind)
		r.Title, r.Dark = c.title, false
		r.Photo, _ = withPerson(specimen.Picture(c.ground), image.Pt(1600, 900), .5, c.y, skins[0])
		if got, err := render.Chosen(r); err != nil || got != c.want {
			t.Errorf("%s: %s is drawn (%v), want %s", c.name, got, err, c.want)
		}
	}
}
