package render_test

import (
	"bytes"
	"image"
	"slices"
	"testing"

	"masthead/render"
)

// Most bytes of a card by kind, and of a flat card, which is a PNG, in the middle of all cases. Source: what platforms
// load, and the budgets of rendering.
var most = map[render.Kind]struct{ all, median int }{
	render.OG:       {280_000, 40_000},
	render.BlogHero: {280_000, 60_000},
}

// shaded are the templates whose cards are PNGs, and not flat: their motif is a gradient in shape of a figure, or about
// one. They may take twice the bytes.
var shaded = []string{"cover", "papercut", "ribbon", "terminal"}

// TestDraw_equalRequestsGiveEqualFewBytes checks rules 5 and 6: equal requests give equal bytes, in few of them, in
// the type that is said.
func TestDraw_equalRequestsGiveEqualFewBytes(t *testing.T) {
	for _, info := range render.Templates() {
		for _, kind := range info.Kinds {
			t.Run(info.Slug+"-"+string(kind), func(t *testing.T) {
				t.Parallel()
				var sizes []int
				for i, c := range cards(t, info.Slug, kind) {
					pic, err := render.Draw(t.Context(), c.Request)
					if err != nil {
						t.Fatalf("%s: %v", c.name, err)
					}
					if pic.ContentType == "image/png" {
						sizes = append(sizes, len(pic.Bytes))
					}
					if len(pic.Bytes) > most[kind].all {
						t.Errorf("%s has %d bytes, want %d at most", c.name, len(pic.Bytes), most[kind].all)
					}
					if _, format, err := image.Decode(bytes.NewReader(pic.Bytes)); err != nil || "image/"+format != pic.ContentType {
						t.Errorf("%s is a %s (%v), want %s", c.name, format, err, pic.ContentType)
					}
					if i%5 != 0 {
						continue
					}
					again, err := render.Draw(t.Context(), c.Request)
					if err != nil || !bytes.Equal(again.Bytes, pic.Bytes) {
						t.Errorf("%s is not drawn alike twice (%v)", c.name, err)
					}
				}
				if len(sizes) == 0 {
					return
				}
				slices.Sort(sizes)
				median := most[kind].median
				if slices.Contains(shaded, info.Slug) {
					median *= 2
				}
				if mid := sizes[len(sizes)/2]; mid > median {
					t.Errorf("half of all cards have more than %d bytes, want %d", mid, median)
				} else {
					t.Logf("bytes: median %d, largest %d", mid, sizes[len(sizes)-1])
				}
			})
		}
	}
}
