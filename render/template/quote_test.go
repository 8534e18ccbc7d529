package template

import (
	"slices"
	"strings"
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
		{"Geologist Ada Lovelace walked 1,860 kilometers", "Ada Lovelace", ""}, // who is named twice otherwise
		{"“I didn’t want to write about my grandfather, but each time that I opened the door…”: a conversation", "Ada", ""},
	} {
		c := openCard(t, "quote", kit.Spec{
			Texts: kit.Texts{Title: tc.title, Quote: "Water finds a way.", QuoteAuthor: tc.by},
		})
		said := placedTexts(c)
		others := slices.DeleteFunc(said, func(s string) bool { return s == tc.by || s == "Water finds a way." })
		if got := strings.Join(others, " / "); got != tc.want {
			t.Errorf("%q by %q: got %q, want %q", tc.title, tc.by, got, tc.want)
		}
	}
}

// TestQuote_titleInThePlaceOfASpeakerIsWhole checks that a title that needs two lines has them, and that a longer one
// is cut in one.
func TestQuote_titleInThePlaceOfASpeakerIsWhole(t *testing.T) {
	const (
		short = "Nobody needs another app to park a car"
		more  = ", and nobody needs to charge a phone before they can pay for an hour in front of a shop that closes at noon"
	)
	for title, want := range map[string]string{
		short + " — bring back the coin slot": short + " — bring back the coin slot", short + more: short + "…",
	} {
		c := openCard(t, "quote", kit.Spec{Texts: kit.Texts{Title: title, Quote: "Water finds a way."}})
		c.Layout()
		for _, p := range c.PlacedTexts() {
			if got := p.Text(); p.Role == kit.Essential && got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
}

// TestQuote_saysNothingTwice: the words stand neither in their source nor in the place of their speaker.
func TestQuote_saysNothingTwice(t *testing.T) {
	const words = "Źdźbło trawy nie wie, że rośnie"
	for _, tc := range []struct{ title, quote, by, under string }{
		{words, words, "Ada", "Ada"},
		{words, "„" + words + "”", "Ada", "Ada"},
		{"Ada Nowak: „" + words + "”", words, "Ada Nowak", "Ada Nowak"},
		{words, words + ". Ale rośnie", "Ada", "Ada"},
		{words, words, "", ""}, {words, words, words, ""},
		{"Why we draw", words, words, "Why we draw"},
		{"「採用情報」", "採用情報", "採用情報", ""},
		{"Water: what we learned from ten years of building dams", "Water", "Ada",
			"Ada|Water: what we learned from ten years of building dams"},
		{"Water", "Water finds a way, and then another one", "Ada", "Ada|Water"},
	} {
		c := openCard(t, "quote", kit.Spec{
			Texts: kit.Texts{Title: tc.title, Quote: tc.quote, QuoteAuthor: tc.by, SiteName: "Northlane"},
		})
		c.Layout()
		under := []string{}
		for _, p := range c.PlacedTexts() {
			if p.Role != kit.Title && !strings.HasPrefix("Northlane", p.Text()) {
				under = append(under, p.Text())
			}
		}
		if got := strings.Join(under, "|"); got != tc.under {
			t.Errorf("%q by %q on %q: under it %q, want %q", tc.quote, tc.by, tc.title, got, tc.under)
		}
	}
}

// TestQuote_accentsAreApartFromTheMark: those of large words don't touch the quotation mark above them.
func TestQuote_accentsAreApartFromTheMark(t *testing.T) {
	for _, words := range []string{"Źdźbło", "Ёж", "Ở đây"} {
		c := openCard(t, "quote", kit.Spec{Texts: kit.Texts{Title: "Why", Quote: words, QuoteAuthor: "Ada"}})
		c.Layout()
		for _, p := range c.PlacedTexts() {
			if top := p.Bounds().Y0; p.Role == kit.Title && top < quoteShare.bottom+22 {
				t.Errorf("%s: the ink begins at %.0f, the mark ends at %.0f", words, top, quoteShare.bottom)
			}
		}
	}
}

// TestQuote_authorDoesntSignAnothersWords: a title that quotes someone isn't signed by the author of the page.
func TestQuote_authorDoesntSignAnothersWords(t *testing.T) {
	for title, signed := range map[string]bool{
		"Prof. dr hab. Jerzy Bralczyk: „W języku nie ma rzeczy złych i dobrych”": false,
		"«No me arrepiento de nada»: la última entrevista a Radio Nacional":      false,
		"‘We were told it was safe’: inside the collapse":                        false,
		"„Wir haben zu lange weggesehen“: Was die Ministerin sagt":               false,
		"« J’ai cru que je ne m’en sortirais jamais » : le récit":                false,
		"村上春樹さん、新作を語る「物語は井戸を掘るようなもの」":                                            false,
		"Emmanuel Macron : l’Europe doit investir":                               false,
		"Борщ с пампушками: рецепт от шеф-повара ресторана «Корчма»":             true,
		"Budget 2027 : le gouvernement renonce à la hausse":                      true,
		"Why We Don’t Draw “Cards” Any More":                                     true,
		"「推し活」は日本経済を救うのか":                                                        true,
	} {
		texts := kit.Texts{Title: title, Quote: title, Author: "Mina Okafor", QuoteAuthor: "Mina Okafor", SiteName: "A"}
		c := openCard(t, "quote", kit.Spec{Texts: texts})
		if got := slices.Contains(placedTexts(c), "Mina Okafor"); got != signed {
			t.Errorf("%q is signed: %v", title, got)
		}
		texts.QuoteAuthor = "Ada" // who said it isn't who wrote about it
		if c := openCard(t, "quote", kit.Spec{Texts: texts}); !slices.Contains(placedTexts(c), "Ada") {
			t.Errorf("%q lacks its speaker", title)
		}
	}
}

// TestQuote_guillemetIsWhole: without its upper third it is two ticks.
func TestQuote_guillemetIsWhole(t *testing.T) {
	for lang, cut := range map[string]bool{"fr": false, "ru": false, "da": false, "ja": false, "en": true, "pl": true} {
		c := openCard(t, "quote", kit.Spec{Lang: lang, Texts: kit.Texts{Title: "A", Quote: "Water finds a way."}})
		if got := quoteMark(c, &quoteShare, false).Rect.Min.Y <= 0; got != cut {
			t.Errorf("%s: the upper edge cuts the mark: %v", lang, got)
		}
	}
}
