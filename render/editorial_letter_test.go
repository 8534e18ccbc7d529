package render_test

import (
	"testing"

	"masthead/render"
	"masthead/render/specimen"
)

// TestEditorial_initialCIsWhole: the edge of a card cuts an N, but not the ends of a C, which would be an O.
func TestEditorial_initialCIsWhole(t *testing.T) {
	for site, cut := range map[string]bool{"Northlane": true, "Common Reader": false} {
		r := specimen.Find("five-words").Request("editorial", render.OG)
		r.SiteName, r.Photo, r.Host = site, nil, "a.example"
		img, err := render.Paint(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		ground, inked := img.At(1199, 2), 0
		for y := range 630 {
			if img.At(1199, y) != ground {
				inked++
			}
		}
		if (inked > 20) != cut {
			t.Errorf("%s: %d pixels of the edge have ink, want it cut: %v", site, inked, cut)
		}
	}
}
