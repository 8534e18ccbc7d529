package template

import (
	"testing"

	"masthead/render/palette"
	"masthead/render/text"
)

// openCard opens a card of a template for a test.
func openCard(t *testing.T, slug string, s Spec) *Card {
	t.Helper()
	tmpl, ok := Find(slug, OG)
	if !ok {
		t.Fatalf("there is no template %s", slug)
	}
	s.Kind, s.Family = OG, text.Inter
	if s.Theme == (palette.Theme{}) {
		s.Theme = palette.New(palette.RGB(0x4F46E5), true)
	}
	c := Open(tmpl, s, text.NewEngine())
	t.Cleanup(c.Close)
	return c
}

// putByline puts the byline of a card in a row of a width and returns what it says.
func putByline(c *Card, width float64) Placed {
	c.PutRow(Row{Span: Span{72, 72 + width}, Y: 100}, RowItem{Parts: byline(&c.Spec), Style: c.TextStyle(28, 400)})
	return c.Placed()[len(c.Placed())-1]
}

// TestByline_rightToLeftKeepsPartsApart checks that a day does not join the Latin name before it on a page that runs
// right to left.
func TestByline_rightToLeftKeepsPartsApart(t *testing.T) {
	for _, c := range []struct {
		rtl  bool
		want string
	}{
		{false, "Mina Okafor · 12 March 2026"},
		{true, "\u2068Mina Okafor\u2069 · \u206812 March 2026\u2069"},
	} {
		spec := Spec{RTL: c.rtl, Texts: Texts{Title: "Title", Author: "Mina Okafor"}, Date: "12 March 2026"}
		card := openCard(t, "editorial", spec)
		if got := putByline(card, 900).Text(); got != c.want {
			t.Errorf("right to left %v: %q, want %q", c.rtl, got, c.want)
		}
	}
}

// TestByline_noRoomDropsTheLastPart checks what goes where a byline is too long: reading time, then the date, and
// never the name.
func TestByline_noRoomDropsTheLastPart(t *testing.T) {
	card := openCard(t, "editorial", Spec{
		Texts: Texts{Title: "T", Author: "Mina Okafor"}, Date: "12 March 2026", ReadingTime: "8 min read",
	})
	for _, c := range []struct {
		maxW float64
		want string
	}{
		{900, "Mina Okafor · 12 March 2026 · 8 min read"}, {450, "Mina Okafor · 12 March 2026"},
		{300, "Mina Okafor"}, {100, "Mina…"},
	} {
		if got := putByline(card, c.maxW); got.Text() != c.want || got.BoxWidth > c.maxW {
			t.Errorf("in %.0f px: %q, %.0f px wide, want %q", c.maxW, got.Text(), got.BoxWidth, c.want)
		}
	}
}
