package render_test

import (
	"image"
	"image/color"
	"testing"

	"masthead/render"
	"masthead/render/paint"
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

// TestChosen_coverThatWouldHideAThing_isEditorial checks that something low, narrow or wide, isn't covered by a dark
// card's title or a light card's label.
func TestChosen_coverThatWouldHideAThing_isEditorial(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		thing image.Rectangle // of 1600×1000
		dark  bool
		want  string
	}{
		{"a rocket", image.Rect(720, 360, 820, 960), true, "editorial"},
		{"nothing", image.Rectangle{}, false, "cover"},
		{"a car", image.Rect(300, 420, 1300, 800), true, "editorial"},
		{"a car higher up", image.Rect(300, 120, 1300, 480), true, "cover"},
		{"a bowl at the label's corner", image.Rect(500, 300, 900, 700), false, "editorial"},
	} {
		photo, size := paint.Cover(specimen.Picture("sky"), 1600, 1000, .5, .5), c.thing.Size()
		for k := range size.X * size.Y {
			x, y := c.thing.Min.X+k%size.X, c.thing.Min.Y+k/size.X
			photo.SetNRGBA(x, y, color.NRGBA{R: uint8(220 - x/50), G: uint8(60 + (x+y)/16%64), B: 30, A: 255})
		}
		r := specimen.Find("five-words").Request("cover", render.OG)
		r.Title, r.Dark, r.Photo = "What we saw on the long way home", c.dark, photo
		if got, err := render.Chosen(r); err != nil || got != c.want {
			t.Errorf("%s: %s is drawn (%v), want %s", c.name, got, err, c.want)
		}
	}
}

// TestCover_whatItsLabelWouldHideMovesUp draws light cards over pictures of something behind the upper edge of the
// label of a title of three lines: most of it is seen.
func TestCover_whatItsLabelWouldHideMovesUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ y, h int }{{380, 60}, {380, 120}, {420, 60}} { // of 1000, from x 500 to 660 of 1600
		photo := paint.Cover(specimen.Picture("sky"), 1600, 1000, .5, .5)
		for k := range 160 * c.h {
			x, y := 500+k%160, c.y+k/160
			photo.SetNRGBA(x, y, color.NRGBA{R: 250, G: uint8(20 + (x+y)/16%64), B: 90, A: 255})
		}
		r := specimen.Find("five-words").Request("cover", render.OG)
		r.Title, r.Dark, r.Photo = "Why we walk along the river in the long evenings of every summer", false, photo
		if got, err := render.Chosen(r); err != nil || got != "cover" {
			t.Errorf("%v: %s is drawn (%v)", c, got, err)
		}
		img, err := render.Paint(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for k := range 1200 * 630 {
			if p := img.(*image.NRGBA).NRGBAAt(k%1200, k/1200); p.R > 220 && p.G < 120 && p.B > 60 && p.B < 130 {
				seen++
			}
		}
		if all := 120 * c.h * 3 / 4; seen < all*3/4 {
			t.Errorf("%v: %d of %d pixels are seen", c, seen, all)
		}
	}
}
