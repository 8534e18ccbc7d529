package template

import (
	"testing"

	"masthead/render/template/kit"
)

func TestQuoteOf_namesOnlyWhoSaidIt(t *testing.T) {
	page := kit.Texts{Title: "Why", Description: "“What we learned.”", Author: "Mina Okafor"}
	with := func(quote, by string) kit.Texts {
		t := page
		t.Quote, t.QuoteAuthor = quote, by
		return t
	}
	for _, tc := range []struct {
		texts    kit.Texts
		said, by string
	}{
		{with("„Every link looks like us.“", "Ada"), "Every link looks like us.", "Ada"},
		{with("Every link looks like us.", ""), "Every link looks like us.", ""},
		{page, "What we learned.", "Mina Okafor"},
		{kit.Texts{Title: "Why", Author: "Mina Okafor"}, "Why", "Mina Okafor"},
		{with(`We don't draw "cards".`, "Ada"), "We don’t draw “cards”.", "Ada"},
		{with("“One,” she said, “and two.”", "Ada"), "“One,” she said, “and two.”", "Ada"},
	} {
		c := openCard(t, "quote", kit.Spec{Texts: tc.texts})
		if said, by := quoteOf(c); said != tc.said || by != tc.by {
			t.Errorf("%+v: %q by %q, want %q by %q", tc.texts, said, by, tc.said, tc.by)
		}
	}
}
