package kit

import (
	"strings"
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
	}{{"Commons Week", 1}, {"commonsweek.example", 1}, {"Commons", 1}, {"The summit of 2026", 1}, {"Bea Lindgren", 2}} {
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

// TestByline_placeOfAnEvent_isNotThatOfTheSite checks that a byline leaves out a place that the site's name says.
func TestByline_placeOfAnEvent_isNotThatOfTheSite(t *testing.T) {
	for place, want := range map[string]string{
		"Textile Museum, Lodève": "3 April", "Town hall, Lodève": "3 April · Town hall, Lodève", "": "3 April",
	} {
		s := Spec{Date: "3 April", Texts: Texts{Title: "Indigo", SiteName: "Lodève Textile Museum"}}
		s.Leaf.Day, s.Leaf.Place = "3", place
		if got := strings.Join(Byline(&s), " · "); got != want {
			t.Errorf("%q: got %q, want %q", place, got, want)
		}
	}
}

// TestSiteOf_saysNothingTwice checks what is left of a site's name and host.
func TestSiteOf_saysNothingTwice(t *testing.T) {
	for _, c := range []struct{ title, name, host, wantName, wantSpare string }{
		{"Queues", "Acme Papers", "acme.example", "Acme Papers", "acme.example"},
		{"Queues", "Acme", "acme.example", "Acme", ""}, {"Queues", "The Acme", "theacme.co.uk", "The Acme", ""},
		{"Queues", "Acme", "blog.acme.example", "Acme", "blog.acme.example"},
		{"Queues", "Głos Pojezierza", "glospojezierza.example", "Głos Pojezierza", ""},
		{"Acme – invoices that write themselves", "Acme", "acme.example", "", ""},
		{"Acme: invoices", "Acme", "get-acme.example", "", ""}, {"Acme invoices", "Acme", "get-acme.example", "Acme", "get-acme.example"},
		{"Acme – invoices that write themselves", "Acme", "", "Acme", ""},
	} {
		s := SiteOf(&Texts{Title: c.title, SiteName: c.name, Host: c.host})
		if s.Name != c.wantName || s.SpareHost != c.wantSpare || s.Host != c.host {
			t.Errorf("%q of %q at %s: got %+v", c.title, c.name, c.host, s)
		}
	}
}

// TestProject_stars_areWrittenAsTheLanguageDoes checks short numbers.
func TestProject_stars_areWrittenAsTheLanguageDoes(t *testing.T) {
	for lang, want := range map[string]string{
		"": "37 · 3.3k · 12.6k · 1m · 1.2m", "en-GB": "37 · 3.3k · 12.6k · 1m · 1.2m", "fr": "37 · 3,3 k · 12,6 k · 1 M · 1,2 M",
		"de": "37 · 3.265 · 12.640 · 999.960 · 1,2 Mio.", "ja": "37 · 3,265 · 1.3万 · 100万 · 120万",
		"zh-TW": "37 · 3,265 · 1.3萬 · 100萬 · 120萬", "ko": "37 · 3.3천 · 1.3만 · 100만 · 120만", "ru": "37 · 3,3 тыс. · 12,6 тыс. · 1 млн · 1,2 млн",
		"ar": "37 · 3.3 ألف · 12.6 ألف · 1 مليون · 1.2 مليون",
	} {
		var got []string
		for _, n := range []int{37, 3265, 12640, 999_960, 1_200_000} {
			got = append(got, strings.ReplaceAll(Project{Stars: n}.StarsShort(lang), "\u00a0", " "))
		}
		if s := strings.Join(got, " · "); s != want {
			t.Errorf("%q: got %s, want %s", lang, s, want)
		}
	}
	if got := (Project{}).StarsShort("en"); got != "" {
		t.Errorf("unknown: %q", got)
	}
}
