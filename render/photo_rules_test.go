package render_test

import (
	"bytes"
	"image"
	"image/color"
	"testing"

	"masthead/render"
	"masthead/render/paint"
	"masthead/render/specimen"
	"masthead/render/text"
)

// TestTemplates_anyPageBesideItsPictureKeepsTheRules checks cards of editorial that show the page's own picture, with
// all texts and in turns with the accents, logos and corners.
func TestTemplates_anyPageBesideItsPictureKeepsTheRules(t *testing.T) {
	t.Parallel()
	photo, engine := paint.Scale(specimen.Picture("dunes"), 1200, 800), text.NewEngine()
	for i, page := range specimen.Pages() {
		for _, kind := range []render.Kind{render.OG, render.BlogHero} {
			c := card{page: page, Request: page.Request("editorial", kind)}
			c.Photo, c.Accent, c.Dark = photo, specimen.Accents()[i%len(specimen.Accents())], i%2 == 0
			if i%3 > 0 {
				c.logo = specimen.Logos()[i%len(specimen.Logos())]
				c.Logo, c.LogoPosition = specimen.Logo(c.logo), specimen.Corners()[i/3%len(specimen.Corners())]
			}
			t.Run(page.Name+"/"+string(kind), func(t *testing.T) { keepsTheRules(t, &c, engine) })
		}
	}
}

// TestPaint_pictureOfAPage_isWhatTheDesignShows compares cards with the cropped picture itself: the plate of editorial
// and, above the darkened bottom, cover show its pixels unchanged.
func TestPaint_pictureOfAPage_isWhatTheDesignShows(t *testing.T) {
	whole := paint.Scale(specimen.Picture("forest"), 1200, 630) // nothing is cropped, enlarged or reduced
	for _, dark := range []bool{true, false} {
		r, _ := render.Sample("cover")
		r.Dark, r.Photo, r.Kind, r.Title = dark, whole, render.OG, "Notes"
		img, err := render.Paint(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		got := img.(*image.NRGBA)
		for y := range 150 {
			if !bytes.Equal(got.Pix[y*got.Stride:][:4800], whole.Pix[y*whole.Stride:][:4800]) {
				t.Fatalf("dark %v: row %d differs from the picture's", dark, y)
			}
		}
	}
}

// TestPaint_smallPictureOfAPage_isNotEnlarged draws pictures that are too small for a design's place: editorial shows
// them in a lower place, and not at all where that doesn't help; cover is drawn as editorial.
func TestPaint_smallPictureOfAPage_isNotEnlarged(t *testing.T) {
	pink := color.NRGBA{R: 250, G: 20, B: 200, A: 255}
	for _, c := range []struct {
		slug  string
		kind  render.Kind
		size  image.Point
		drawn string
		pink  int // rows of the card with the picture, up to 5 more or fewer
	}{
		{"editorial", render.OG, image.Pt(1200, 630), "editorial", 498},
		{"editorial", render.OG, image.Pt(600, 315), "editorial", 425},
		{"editorial", render.OG, image.Pt(300, 800), "editorial", 0},
		{"editorial", render.BlogHero, image.Pt(1200, 630), "editorial", 900},
		{"editorial", render.BlogHero, image.Pt(600, 315), "editorial", 425},
		{"editorial", render.BlogHero, image.Pt(600, 300), "editorial", 0},
		{"cover", render.OG, image.Pt(1200, 630), "cover", 630},
		{"cover", render.OG, image.Pt(800, 420), "editorial", 498},
		{"cover", render.OG, image.Pt(1000, 1000), "editorial", 498},
		{"cover", render.BlogHero, image.Pt(1200, 630), "editorial", 900},
	} {
		r, _ := render.Sample(c.slug)
		r.Kind, r.Dark = c.kind, false
		r.Photo = image.NewNRGBA(image.Rect(0, 0, c.size.X, c.size.Y))
		for i := range c.size.X * c.size.Y {
			x, y := i%c.size.X, i/c.size.X
			p := pink
			p.R, p.B = p.R-uint8((x*7+y*3)%60), p.B-uint8((x+y*5)%60)
			r.Photo.SetNRGBA(x, y, p)
		}
		img, err := render.Paint(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for y := range img.Bounds().Dy() {
			x := img.Bounds().Dx() - 100
			p := img.(*image.NRGBA).NRGBAAt(x, y)
			if p.R > 150 && p.G < 60 && p.B > 100 {
				rows++
			}
		}
		if rows < c.pink-5 || rows > c.pink+5 {
			t.Errorf("%s %s with a picture of %v: %d rows show it, want %d", c.slug, c.kind, c.size, rows, c.pink)
		}
		pic, err := render.Draw(t.Context(), r)
		if err != nil || pic.Template != c.drawn {
			t.Errorf("%s %s with a picture of %v: drawn as %s (%v), want %s", c.slug, c.kind, c.size, pic.Template, err, c.drawn)
		}
	}
}
