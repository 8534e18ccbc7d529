package kit

import (
	"testing"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// note is a design with a heading and a byline.
var note = &Template{
	Info: Info{Slug: "note", TextSide: "left"},
	OG: func(c *Card) {
		bg := c.BG()
		c.Begin(paint.Solid(bg.Color))
		logo := c.PlaceLogo(Corners{
			Margin: 96, Start: bg, End: bg, Upper: LogoLine{100, LogoH}, Lower: LogoLine{500, LogoH},
		})
		PutBrandRow(c, BrandRow{On: bg, Logo: logo, Row: logo.Upper, Middle: 100, Side: 40})
		c.PutHeading(bg, Column{X: 96, Y: 168, W: 984, H: 264, Anchor: Middle, Under: 128}, Heading{
			Style: c.TitleStyle(), Ladder: text.Steps(2, 104, 92, 80).Then(3, 72, 64, 56),
		})
		c.PutRow(Row{Span: logo.Lower.Span, Anchor: Middle, Y: 500},
			RowItem{Parts: Byline(&c.Spec), Style: c.TextStyle(28, 400), Role: Essential, Color: bg.Muted})
	},
}

// open opens a share image of note for a test.
func open(t *testing.T, s Spec) *Card {
	t.Helper()
	s.Kind, s.Family = OG, text.Inter
	if s.Theme == (palette.Theme{}) {
		s.Theme = palette.New(palette.RGB(0x4F46E5), true)
	}
	c := Open(note, s, text.NewEngine())
	t.Cleanup(c.Close)
	return c
}

// putByline puts the byline of a card in a row of a width and returns what it says.
func putByline(c *Card, width float64) Text {
	c.PutRow(Row{Span: Span{72, 72 + width}, Y: 100}, RowItem{Parts: Byline(&c.Spec), Style: c.TextStyle(28, 400)})
	return c.PlacedTexts()[len(c.PlacedTexts())-1]
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
		card := open(t, spec)
		if got := putByline(card, 900).Text(); got != c.want {
			t.Errorf("right to left %v: %q, want %q", c.rtl, got, c.want)
		}
	}
}

// TestByline_noRoomDropsTheLastPart checks what goes where a byline is too long: reading time, then the date, and
// never the name.
func TestByline_noRoomDropsTheLastPart(t *testing.T) {
	card := open(t, Spec{
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

// TestByline_authorIsNotTheSiteOrTheTitle checks that a byline repeats neither.
func TestByline_authorIsNotTheSiteOrTheTitle(t *testing.T) {
	for _, c := range []struct {
		author string
		want   int
	}{{"Commons Week", 1}, {"commonsweek.example", 1}, {"The summit of 2026", 1}, {"Bea Lindgren", 2}} {
		s := Spec{Date: "16 April", Texts: Texts{
			Title: "The Summit of 2026", SiteName: "Commons Week", Host: "commonsweek.example", Author: c.author,
		}}
		got := Byline(&s)
		s.Date = ""
		if len(got) != c.want || s.Signed() != (c.want == 2) {
			t.Errorf("%s: %q, signed: %v", c.author, got, s.Signed())
		}
	}
}
