package template

import (
	"slices"
	"testing"

	"masthead/render/template/kit"
)

// TestQuote_namesOnlyWhoSaidIt: the author of the page and the site stand under nobody's words.
func TestQuote_namesOnlyWhoSaidIt(t *testing.T) {
	page := kit.Texts{
		Title: "Why we draw", Description: "What we learned.", Author: "Mina Okafor", SiteName: "Northlane",
		Host: "northlane.dev",
	}
	for _, tc := range []struct{ quote, by, said, under string }{
		{"„Every link looks like us.“", "Ada", "Every link looks like us.", "Ada"},
		{"Every link looks like us.", "", "Every link looks like us.", "Why we draw"},
		{`We don't draw "cards".`, "Ada", "We don’t draw “cards”.", "Ada"},
		{"“One,” she said, “and two.”", "Ada", "“One,” she said, “and two.”", "Ada"},
	} {
		page.Quote, page.QuoteAuthor = tc.quote, tc.by
		c := openCard(t, "quote", kit.Spec{Texts: page})
		c.Layout()
		said, under := "", ""
		for _, p := range c.PlacedTexts() {
			switch {
			case p.Role == kit.Title:
				said = p.Text()
			case p.Role == kit.Essential:
				under = p.Text()
			case p.Text() == page.Author || p.Text() == page.Description:
				t.Errorf("%q is on the card", p.Text())
			}
		}
		if said != tc.said || under != tc.under {
			t.Errorf("%q by %q: shows %q and under it %q, want %q and %q", tc.quote, tc.by, said, under, tc.said, tc.under)
		}
	}
}

// TestQuote_sourceSaysSomethingElse checks the line under the speaker.
func TestQuote_sourceSaysSomethingElse(t *testing.T) {
	for _, tc := range []struct{ title, by, want string }{
		{"Dr. Jane A. Whitfield", "Dr Jane A Whitfield", ""}, {"Why we draw", "Ada", "Why we draw"},
		{"Bundesverfassungsgericht kippt Teile des Gebäudeenergiegesetzes: Was Eigentümer jetzt wissen", "Ada",
			"Bundesverfassungsgericht kippt Teile des Gebäudeenergiegesetzes…"},
	} {
		c := openCard(t, "quote", kit.Spec{
			Texts: kit.Texts{Title: tc.title, Quote: "Water finds a way.", QuoteAuthor: tc.by},
		})
		said := placedTexts(c)
		if tc.want != "" && !slices.Contains(said, tc.want) || tc.want == "" && slices.Contains(said, tc.title) {
			t.Errorf("%q by %q: got %q, want %q", tc.title, tc.by, said, tc.want)
		}
	}
}
