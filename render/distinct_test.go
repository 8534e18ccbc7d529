package render_test

import (
	"image"
	"testing"

	"masthead/render"
	"masthead/render/paint"
	"masthead/render/specimen"
)

// leastApart is the least mean difference of two designs at 300 px, in levels, found by looking at them. The closest,
// minimal and editorial, are 29 apart.
const leastApart = 24

// TestTemplates_areToldApartAt300px draws the designs for one page, in dark and light, and compares each with all
// others of its kind at the size of a thumbnail.
func TestTemplates_areToldApartAt300px(t *testing.T) {
	t.Parallel()
	page := specimen.Find("60")
	for _, kind := range []render.Kind{render.OG, render.BlogHero} {
		for _, dark := range []bool{true, false} {
			small := map[string]*image.NRGBA{}
			for _, info := range render.Templates() {
				for _, k := range info.Kinds {
					if k != kind {
						continue
					}
					r := page.Request(info.Slug, kind)
					if sample, _ := render.Sample(info.Slug); info.Slug == "repo" || info.Slug == "frame" {
						r = sample // they live on facts that the page lacks
						r.Kind = kind
					}
					r.Dark = dark
					img, err := render.Paint(t.Context(), r)
					if err != nil {
						t.Fatal(err)
					}
					size := img.Bounds().Size()
					small[info.Slug] = paint.Scale(img.(*image.NRGBA), 300, 300*size.Y/size.X)
				}
			}
			for a, first := range small {
				for b, second := range small {
					if d := apart(first, second); a < b && d < leastApart {
						t.Errorf("%s, dark %v: %s and %s are %.1f levels apart, want %d", kind, dark, a, b, d, leastApart)
					}
				}
			}
		}
	}
}

// apart returns the mean difference of two pictures of one size, in levels of a channel.
func apart(a, b *image.NRGBA) float64 {
	sum := 0
	for i := range a.Pix {
		sum += max(int(a.Pix[i])-int(b.Pix[i]), int(b.Pix[i])-int(a.Pix[i]))
	}
	return float64(sum) * 4 / 3 / float64(len(a.Pix))
}
