package render_test

import (
	"image"
	"testing"

	"masthead/render"
	"masthead/render/specimen"
)

// TestEditorial_initialIsWhole: no edge of a card cuts the initial of its site, also beside a long title.
func TestEditorial_initialIsWhole(t *testing.T) {
	const short, long = "Ask for Less", "What the Ministry Knew About the State of Care Homes in the North"
	for title, sites := range map[string][]string{
		short: {
			"Ad Hoc", "Berlin", "Common Reader", "Docket", "Gearlab", "Kairos", "Maison", "Northlane", "Orbit", "Pages",
			"Quotidien", "Radler", "Spektral", "Vereinswelt", "Woche", "Zwierciadło", "База", "Деньги", "Фокус", "Ωμέγα",
			"Ψηφίο",
		},
		long: {"Ad Hoc", "Berlin", "Docket", "Gearlab", "Northlane", "Orbit", "Quotidien", "Radler"},
	} {
		for _, site := range sites {
			r := specimen.Find("five-words").Request("editorial", render.OG)
			r.Title, r.SiteName, r.Photo, r.Host = title, site, nil, "a.example"
			img, err := render.Paint(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			for edge, line := range map[string]image.Rectangle{
				"upper": image.Rect(600, 0, 1200, 1), "right": image.Rect(1199, 0, 1200, 630),
				"lower": image.Rect(600, 629, 1200, 630),
			} {
				if n := unlike(img, line); n > 0 {
					t.Errorf("%s, %q: %d pixels of the %s edge have ink, want none", site, title, n, edge)
				}
			}
			if unlike(img, image.Rect(1000, 300, 1200, 630)) == 0 {
				t.Errorf("%s, %q: there is no initial", site, title)
			}
		}
	}
}

// unlike returns how many pixels of a box differ from the first one of the card.
func unlike(img image.Image, box image.Rectangle) (n int) {
	ground := img.At(0, 0)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if img.At(x, y) != ground {
				n++
			}
		}
	}
	return n
}
