package template

import (
	"slices"
	"testing"

	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// TestEditorialHero_eventsHaveTheirDate: it is above the title if it has no room beside the name of the site, in place
// of the section if it has none beside that either.
func TestEditorialHero_eventsHaveTheirDate(t *testing.T) {
	const long = "17 October 2026 – 14 March 2027"
	for _, c := range []struct{ site, section, date string }{
		{"Harbor Museum", "", "14 March 2027"}, {"Museum by the Harbor", "Art", long},
		{"Museum by the Harbor", "Exhibitions and events", long},
	} {
		tmpl, ok := Find("editorial", kit.BlogHero)
		if !ok {
			t.Fatal("editorial draws no heroes")
		}
		card := kit.Open(tmpl, kit.Spec{
			Kind: kit.BlogHero, Family: text.Inter, Theme: palette.New(palette.RGB(0x4F46E5), true),
			Texts: kit.Texts{Title: "Color", SiteName: c.site, Eyebrow: c.section}, Date: c.date,
			Leaf: kit.Leaf{Day: "17", Place: "Rotterdam"},
		}, text.NewEngine())
		said := placedTexts(card)
		card.Close()
		if !slices.ContainsFunc(said, func(s string) bool { return s == c.date || s == c.date+" · Rotterdam" }) {
			t.Errorf("%s, %q: the texts are %q, without %s", c.site, c.section, said, c.date)
		}
	}
}
