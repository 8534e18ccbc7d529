package template

import (
	"testing"

	"masthead/render/palette"
	"masthead/render/text"
)

// TestFactsKeepTogether checks that a day does not join the Latin name before it on a page that runs right to left.
func TestFactsKeepTogether(t *testing.T) {
	for _, c := range []struct {
		rtl  bool
		want string
	}{
		{false, "Mina Okafor · 12 March 2026"},
		{true, "\u2068Mina Okafor\u2069 · \u206812 March 2026\u2069"},
	} {
		editorial, _ := Find("editorial", OG)
		card := Open(editorial, Spec{
			Kind: OG, RTL: c.rtl, Family: text.Inter, Theme: palette.New(palette.RGB(0x4F46E5), true),
			Texts: Texts{Title: "Title", Author: "Mina Okafor", Date: "12 March 2026"},
		}, text.NewEngine())
		if got := card.BylineRow(card.TextStyle(28, 400), 900).Text(); got != c.want {
			t.Errorf("right to left %v: %q, want %q", c.rtl, got, c.want)
		}
	}
}

// TestGhostStands checks that no capital's ghost is lost below the card: a J has a tail that would be.
func TestGhostStands(t *testing.T) {
	editorial, _ := Find("editorial", OG)
	for _, name := range []string{"Journal", "Ink"} {
		card := Open(editorial, Spec{
			Kind: OG, Family: text.Inter, Theme: palette.New(palette.RGB(0x4F46E5), true), Texts: Texts{Title: "T", SiteName: name, Host: "x.example"},
		}, text.NewEngine())
		card.Layout()
		img := card.Canvas().Image()
		ground := img.At(1190, 625)
		for x := 800; x < 1200; x++ {
			if img.At(x, 620) != ground {
				t.Fatalf("the ghost of %s reaches %d,620", name, x)
			}
		}
		card.Close()
	}
}
