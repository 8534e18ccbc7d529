package template

import (
	"image"
	"testing"

	"masthead/render/template/kit"
)

// TestBrandAtEnd_iconIsBeforeTheName in the direction of the name, whatever its length, and no middle square cuts it.
func TestBrandAtEnd_iconIsBeforeTheName(t *testing.T) {
	for _, slug := range []string{"changelog", "docs", "quote"} {
		for _, name := range []string{
			"Spektral", "Autozeitung", "Fernsehblatt", "Wohnbörse", "Küchenzettel", "Recht einfach", "Berlin aktuell",
			"Der Leitartikel", "Die Woche am Sonntag", "المصري اليوم",
		} {
			c := openCard(t, slug, kit.Spec{Texts: kit.Texts{
				Title: "Signed links", Version: "3.2", SiteName: name, Quote: "Water finds a way.", QuoteAuthor: "Ada",
				Crumb: []string{"Guides", "Operations", "Quotas"},
			}})
			c.Layout()
			icons := c.PlacedIcons()
			if len(icons) != 1 {
				t.Errorf("%s: %s has %d icons", slug, name, len(icons))
				continue
			}
			icon := icons[0].Box
			for _, p := range c.PlacedTexts() {
				if p.Text() != name {
					continue
				}
				if before := float64(icon.Max.X) <= p.Bounds().X0; before == kit.HasRTL(name) {
					t.Errorf("%s: the icon of %s at %v is on the wrong side", slug, name, icon)
				}
				if px := p.SizePx; px < 23 || px > 33 {
					t.Errorf("%s: %s has %v px", slug, name, px)
				}
			}
			if in := icon.Intersect(image.Rect(285, 0, 915, 630)); !in.Empty() && in != icon {
				t.Errorf("%s: the middle square cuts the icon of %s at %v", slug, name, icon)
			}
		}
	}
}

// TestChangelog_namesTheSiteUnderAGenericHeading: "What's new" isn't the title that says the name.
func TestChangelog_namesTheSiteUnderAGenericHeading(t *testing.T) {
	for _, tc := range []struct {
		title string
		named bool
	}{{"Northlane", true}, {"Northlane 3.2", true}, {"Signed links", true}} {
		c := openCard(t, "changelog", kit.Spec{Lang: "en", Texts: kit.Texts{
			Title: tc.title, Version: "3.2", SiteName: "Northlane", Host: "northlane.dev",
		}})
		c.Layout()
		named := false
		for _, p := range c.PlacedTexts() {
			named = named || p.Text() == "Northlane"
		}
		if named != tc.named {
			t.Errorf("%s: the site is named: %v", tc.title, named)
		}
	}
}
