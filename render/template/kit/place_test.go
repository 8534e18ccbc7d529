package kit

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// words are the texts that a card has placed, by row.
func words(c *Card) string {
	var all []string
	for _, p := range c.PlacedTexts() {
		all = append(all, p.Text())
	}
	return strings.Join(all, " | ")
}

// item sets a line of a size as an item.
func item(c *Card, s string, sizePx float64) Item {
	return Item{Block: c.Line(s, c.TextStyle(sizePx, 400), 0), Role: Essential}
}

func TestPut_anchorStandsAtItsHeight(t *testing.T) {
	c := open(t, Spec{})
	it := Item{Block: c.Fit("Two lines of text", c.TitleStyle(), text.Box{W: 300}, text.Steps(2, 60)), Role: Title}
	for _, tc := range []struct {
		anchor Anchor
		want   float64 // from the top of the block
	}{{Top, 0}, {Middle, it.Height / 2}, {Bottom, it.Height}} {
		p := c.Put(it, 72, tc.anchor, 300)
		if got := 300 - p.Y; math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("anchor %d stands %.2f px below the top, want %.2f", tc.anchor, got, tc.want)
		}
	}
	if p := c.Put(Item{}, 72, Top, 300); !p.Empty() || len(c.PlacedTexts()) != 3 {
		t.Errorf("an empty text left a trace: %d are placed, want 3", len(c.PlacedTexts()))
	}
}

func TestPut_rightToLeftIsMirrored(t *testing.T) {
	c := open(t, Spec{RTL: true})
	it := item(c, "Northlane", 28)
	if got, want := c.Put(it, 72, Top, 300).X, 1200-72-it.BoxWidth; got != want {
		t.Errorf("x is %.1f, want %.1f", got, want)
	}
}

func TestPutRow_noRoomDropsTheLastThenCutsTheFirst(t *testing.T) {
	for _, tc := range []struct {
		width, free float64
		want        string
	}{
		{900, 0, "Northlane | northlane.dev | 12 March 2026"},
		{600, 0, "Northlane | northlane.dev | 12 March 2026"},
		{480, 0, "Northlane | northlane.dev"},
		{600, 320, "Northlane"},
		{200, 0, "Northlane"},
		{100, 0, "North…"},
	} {
		c := open(t, Spec{})
		st := c.TextStyle(28, 400)
		c.PutRow(Row{Span: Span{72, 72 + tc.width}, Y: 100, Gap: 16, MinFree: tc.free},
			RowItem{Text: "Northlane", Style: st}, RowItem{}, RowItem{Text: "northlane.dev", Style: st, Address: true},
			RowItem{Text: "12 March 2026", Style: st, AtEnd: true})
		if got := words(c); got != tc.want {
			t.Errorf("in %.0f px of which %.0f stay free: %s, want %s", tc.width, tc.free, got, tc.want)
		}
		for _, p := range c.PlacedTexts() {
			if p.X < 72 || p.X+p.BoxWidth > 72+tc.width-tc.free+1e-9 && p.Text() != "12 March 2026" {
				t.Errorf("in %.0f px: %s stands at %.1f to %.1f", tc.width, p.Text(), p.X, p.X+p.BoxWidth)
			}
		}
	}
}

func TestPutRow_endsAreAtItsEdgesAndInkInTheZone(t *testing.T) {
	c := open(t, Spec{})
	st := c.TextStyle(28, 400)
	bottom, ok := c.PutRow(Row{Span: Span{72, 1128}, Anchor: Bottom, Y: 574, Gap: 16},
		RowItem{Text: "Ag", Style: st}, RowItem{Text: "at the end", Style: st, AtEnd: true},
		RowItem{Text: "before it", Style: st, AtEnd: true})
	p := c.PlacedTexts()
	if got := p[1].X + p[1].BoxWidth; math.Abs(got-1128) > 1e-9 {
		t.Errorf("the end of the row is at %.2f, want 1128", got)
	}
	if got := p[1].X - p[2].X - p[2].BoxWidth; math.Abs(got-16) > 1e-9 {
		t.Errorf("texts at the end are %.2f px apart, want 16", got)
	}
	lowest := max(p[0].Bounds().Y1, p[1].Bounds().Y1, p[2].Bounds().Y1)
	if !ok || math.Abs(bottom-lowest) > 1e-9 || bottom > 576+1e-9 {
		t.Errorf("ink ends at %.2f and is said to end at %.2f, want 576 at most", lowest, bottom)
	}
	if _, ok := c.PutRow(Row{Span: Span{72, 1128}, Y: 100}, RowItem{}); ok {
		t.Error("an empty row says that it has items")
	}
}

func TestPutRow_iconStaysWhereTextsGo(t *testing.T) {
	for _, tc := range []struct {
		width float64
		want  string
	}{{600, "N | Northlane | northlane.dev"}, {300, "N | Northlane"}, {140, "N | Nort…"}} {
		c := open(t, Spec{Texts: Texts{Title: "T", SiteName: "Northlane"}})
		c.Begin(paint.Solid(c.Theme.BG))
		st := c.TextStyle(28, 400)
		bottom, _ := c.PutRow(Row{Span: Span{72, 72 + tc.width}, Anchor: Bottom, Y: 110, Gap: 16},
			RowItem{Icon: 40, On: c.BG()}, RowItem{Text: "Northlane", Style: st}, RowItem{Text: "northlane.dev", Style: st})
		if got := words(c); got != tc.want {
			t.Errorf("in %.0f px: %s, want %s", tc.width, got, tc.want)
		}
		icon, name := c.PlacedIcons()[0].Box, c.PlacedTexts()[1]
		middle := name.Y + name.Height/2
		off := float64(icon.Min.Y+icon.Max.Y)/2 - middle
		if math.Abs(off) > 1 || icon.Min.X != 72 || bottom != float64(icon.Max.Y) {
			t.Errorf("the icon is at %v and the row ends at %.1f; want it beside capitals at %.1f", icon, bottom, middle)
		}
		if got := name.X - float64(icon.Max.X); math.Abs(got-16) > 1e-9 {
			t.Errorf("the name is %.1f px from the icon, want 16", got)
		}
	}
}

func TestPutRow_endsKeepTheirGap(t *testing.T) {
	c := open(t, Spec{})
	st := c.TextStyle(28, 400)
	start, end := RowItem{Text: "Start", Style: st}, RowItem{Text: "End", Style: st, AtEnd: true}
	width := c.Line("Start", st, 0).BoxWidth + c.Line("End", st, 0).BoxWidth
	for gap, want := range map[float64]int{15: 1, 17: 2} {
		before := len(c.PlacedTexts())
		c.PutRow(Row{Span: Span{72, 72 + width + gap}, Y: 100, Gap: 16}, start, end)
		if got := len(c.PlacedTexts()) - before; got != want {
			t.Errorf("with %.0f px between the ends: %d texts, want %d", gap, got, want)
		}
	}
}

func TestPutBrandRow_canBeReadOnAnySurface(t *testing.T) {
	c := open(t, Spec{Texts: Texts{Title: "T", SiteName: "Acme", Host: "x.example"}})
	logo, on := c.PlaceLogo(background(c)), OneColor(c.Theme.Fill, c.Theme.On)
	PutBrandRow(c, BrandRow{On: on, Logo: logo, Row: logo.Upper, Middle: 100, Side: 40})
	backgrounds := map[Role]color.NRGBA{Monogram: on.Text, Repeated: on.Color} // the tile would be lost in the accent
	for _, p := range c.PlacedTexts() {
		if got := palette.Contrast(p.Color, backgrounds[p.Role]); got < palette.MinText {
			t.Errorf("%s has a contrast of %.1f, want %.1f", p.Text(), got, palette.MinText)
		}
	}
}

func TestPutColumn_anchorHoldsTheWhole(t *testing.T) {
	c := open(t, Spec{})
	for _, anchor := range []Anchor{Top, Middle, Bottom} {
		column := Column{X: 72, Y: 200, H: 200, Anchor: anchor, Gap: 40}
		p := c.PutColumn(column, item(c, "First", 60), Item{}, item(c, "Second", 30))
		if len(p) != 2 {
			t.Fatalf("%d blocks are placed, want 2", len(p))
		}
		if got := p[1].Y - p[0].Y - p[0].Height; math.Abs(got-40) > 1e-9 {
			t.Errorf("the gap is %.2f, want 40", got)
		}
		height := p[1].Y + p[1].Height - p[0].Y
		if got, want := p[0].Y, map[Anchor]float64{Top: 200, Middle: 300 - height/2,
			Bottom: 400 - height}[anchor]; math.Abs(got-want) > 1e-9 {
			t.Errorf("anchored at %d it begins at %.2f, want %.2f", anchor, got, want)
		}
	}
}

func TestPutColumn_marksKeepTheirDistance(t *testing.T) {
	c := open(t, Spec{})
	plain, stacked := item(c, "An", 60), item(c, "Ễ", 60)
	column := Column{X: 72, Y: 100, Gap: 40, Under: 95 - UnderGap}
	if got := c.PutColumn(column, plain)[0].Y; got != 100 {
		t.Errorf("a plain line stands at %.2f, want 100", got)
	}
	if got := c.PutColumn(column, stacked)[0]; math.Abs(got.Bounds().Y0-95) > 1e-9 || got.Y <= 100 {
		t.Errorf("the ink of a line with marks begins at %.2f, want 95", got.Bounds().Y0)
	}
	p := c.PutColumn(Column{X: 72, Y: 100, Gap: 4}, plain, stacked)
	if p[1].Bounds().Y0 <= p[0].Bounds().Y1 {
		t.Errorf("marks at %.2f run into ink that ends at %.2f", p[1].Bounds().Y0, p[0].Bounds().Y1)
	}
}

func TestPutHeading_marksMeanLessRoomAtEachAnchor(t *testing.T) {
	for _, anchor := range []Anchor{Top, Middle, Bottom} {
		spec := Spec{Texts: Texts{Title: "ỄỄỄ ỄỄỄ ỄỄỄ ỄỄỄ", Description: "Some words.", DescriptionGiven: true}}
		c := open(t, spec)
		ladder := text.Steps(3, 92, 84, 76, 68, 60, 52, 46)
		title := c.PutHeading(c.BG(), Column{X: 72, Y: 100, W: 500, H: 230, Anchor: anchor, Gap: 40, Under: 96 - UnderGap},
			Heading{Style: c.TitleStyle(), Ladder: ladder, Description: Description{SizePx: 30, W: 400, Lines: 2}})
		if got := title.Bounds().Y0; got < 96 {
			t.Errorf("anchored at %d, ink begins at %.2f, want 96 at least", anchor, got)
		}
		last := c.PlacedTexts()[len(c.PlacedTexts())-1]
		if len(c.PlacedTexts()) != 2 || last.Y+last.Height > 330.5 {
			t.Errorf("anchored at %d, it ends at %.2f, want two texts that end at 330 at most", anchor, last.Y+last.Height)
		}
	}
}

// TestLine_spansOfNumbersBeginOnTheRight checks the direction of texts without letters on a page in Arabic.
func TestLine_spansOfNumbersBeginOnTheRight(t *testing.T) {
	for said, want := range map[string]bool{"09:30 – 17:00": true, "21–30": true, "4.2 · 2025": true, "24.90 €": false, "Mon – Fri": false} {
		for _, rtl := range []bool{true, false} {
			c := open(t, Spec{RTL: rtl})
			if got := c.Line(said, c.TextStyle(30, 400), 0).RTL; got != (want && rtl) {
				t.Errorf("%q, on a page from right to left %v: got %v", said, rtl, got)
			}
		}
	}
}

// TestPutHeading_longTitleTakesTheDescriptionsRoom lays out a title that has too little height for the ladder only
// beside a description, which the card doesn't have to show.
func TestPutHeading_longTitleTakesTheDescriptionsRoom(t *testing.T) {
	c := open(t, Spec{Texts: Texts{
		Title:       "„Wir haben zu lange weggesehen“: Was die Ministerin über die Missstände in Pflegeheimen sagt",
		Description: "Im Interview spricht sie über fehlendes Personal.",
	}})
	got := c.PutHeading(c.BG(), Column{X: 72, Y: 142, W: 660, H: 362, Gap: 36}, Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(3, 76).Then(4, 64).Then(5, 60), MaxH: 300,
		Description: Description{SizePx: 32, W: 640, Lines: 3},
	})
	if got.Block.Truncated || got.Block.SizePx < 60 {
		t.Errorf("it has %v px, cut %v, want all of it at 60", got.Block.SizePx, got.Block.Truncated)
	}
}

func TestPutHeading_textsAreThoseOfTheCard(t *testing.T) {
	spec := Spec{Texts: Texts{Title: "Title", Description: "Short.", DescriptionGiven: true}}
	for _, tc := range []struct {
		heading Heading
		want    string
	}{
		{Heading{}, "Title"},
		{Heading{Title: "Another"}, "Another"},
		{Heading{Description: Description{SizePx: 30, W: 800, Lines: 2}}, "Title | Short."},
	} {
		c := open(t, spec)
		tc.heading.Style, tc.heading.Ladder = c.TitleStyle(), text.Steps(2, 92, 76)
		c.PutHeading(c.BG(), Column{X: 72, Y: 168, W: 984, H: 336, Gap: 46}, tc.heading)
		if got := words(c); got != tc.want {
			t.Errorf("it says %q, want %q", got, tc.want)
		}
	}
}

func TestPlaceLogo_eachCornerLeavesARow(t *testing.T) {
	square := painted(100, 100, func(_, _ float64) color.NRGBA { return palette.RGB(0xF97316) })
	for _, tc := range []struct {
		corner       string
		rtl, atEnd   bool
		box          image.Rectangle // on the canvas
		upper, lower Span
	}{
		{"top-left", false, false, image.Rect(72, 80, 112, 120), Span{136, 1128}, Span{72, 1128}},
		{"top-right", false, true, image.Rect(1088, 80, 1128, 120), Span{72, 1064}, Span{72, 1128}},
		{"bottom-left", false, false, image.Rect(72, 512, 128, 568), Span{72, 1128}, Span{152, 1128}},
		{"bottom-right", false, true, image.Rect(1072, 512, 1128, 568), Span{72, 1128}, Span{72, 1048}},
		{"top-left", true, true, image.Rect(72, 80, 112, 120), Span{72, 1064}, Span{72, 1128}},
		{"bottom-right", true, false, image.Rect(1072, 512, 1128, 568), Span{72, 1128}, Span{152, 1128}},
	} {
		t.Run(fmt.Sprintf("%s, right to left %v", tc.corner, tc.rtl), func(t *testing.T) {
			corner, _ := ParseCorner(tc.corner)
			c := open(t, Spec{Pictures: Pictures{Logo: square}, Corner: corner, RTL: tc.rtl})
			logo := c.PlaceLogo(background(c))
			lower := strings.HasPrefix(tc.corner, "bottom")
			if !logo.Shown || logo.AtEnd != tc.atEnd || logo.Lower.HasLogo != lower || logo.Upper.HasLogo == lower {
				t.Errorf("the logo is %+v, want it at the end: %v", logo, tc.atEnd)
			}
			icon, on := c.PlacedIcons()[0], c.Theme.BG
			if tc.atEnd {
				on = c.Theme.Fill
			}
			if icon.Box != tc.box || icon.On != on || !icon.Logo {
				t.Errorf("it is seen as %+v, want a logo at %v on %v", icon, tc.box, on)
			}
			if logo.Upper.Span != tc.upper || logo.Lower.Span != tc.lower {
				t.Errorf("it leaves %v and %v, want %v and %v", logo.Upper, logo.Lower, tc.upper, tc.lower)
			}
		})
	}
}

// background covers a card and returns its corners; what stands at the end of lines is another surface.
func background(c *Card) Corners {
	c.Begin(paint.Solid(c.Theme.BG))
	end := OneColor(c.Theme.Fill, c.Theme.On)
	return Corners{Margin: 72, Start: c.BG(), End: end, Upper: LogoLine{100, 40}, Lower: LogoLine{540, 56}}
}

func TestPlaceLogo_noneLeavesTheWholeRows(t *testing.T) {
	c := open(t, Spec{Corner: Corner{Right: true}})
	logo, whole := c.PlaceLogo(background(c)), CornerRow{Span: Span{72, 1128}, Middle: 100}
	if logo.Shown || logo.AtEnd || logo.Upper != whole || logo.Lower.HasLogo || len(c.PlacedIcons()) != 0 {
		t.Errorf("the logo is %+v, want none", logo)
	}
}

func TestPutBrandRow_saysEachWordOnce(t *testing.T) {
	wide := painted(400, 100, func(_, _ float64) color.NRGBA { return palette.RGB(0xF97316) })
	for _, tc := range []struct {
		name     string
		texts    Texts
		logo     *image.NRGBA
		corner   string
		hostSaid bool
		want     string
	}{
		{"name and host", Texts{Title: "T", SiteName: "Acme", Host: "x.example"}, nil, "", false, "A | Acme | x.example"},
		{"the host is said above", Texts{Title: "T", SiteName: "Acme", Host: "x.example"}, nil, "", true, "A | Acme"},
		{"the name is the title", Texts{Title: "Acme", SiteName: "Acme", Host: "x.example"}, nil, "", false, "A | x.example"},
		{"the host is the name", Texts{Title: "T", SiteName: "x.example", Host: "x.example"}, nil, "", false, "X | x.example"},
		{"the title says the host", Texts{Title: "x.example", SiteName: "Acme", Host: "x.example"}, wide, "bottom-left", false, ""},
		{"a wordmark is the name", Texts{Title: "T", SiteName: "Acme", Host: "x.example"}, wide, "bottom-left", false, "x.example"},
		{"a logo elsewhere is the icon", Texts{Title: "T", SiteName: "Acme", Host: "x.example"}, wide, "top-left", false, "Acme | x.example"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			corner, _ := ParseCorner(tc.corner)
			c := open(t, Spec{Texts: tc.texts, Pictures: Pictures{Logo: tc.logo}, Corner: corner})
			logo := c.PlaceLogo(background(c))
			PutBrandRow(c, BrandRow{
				On: c.BG(), Logo: logo, Row: logo.Lower, Middle: 540, Side: 40, HostSaid: tc.hostSaid,
			})
			if got := words(c); got != tc.want || len(c.PlacedIcons()) != 1 {
				t.Errorf("it says %q beside %d icons, want %q beside one", got, len(c.PlacedIcons()), tc.want)
			}
		})
	}
}

// TestPutHeading_descriptionGetsALineMoreRatherThanACut checks that a description that would end with “…”, or before a
// further sentence, has one line more below the same title where there is room, and none where there isn't.
func TestPutHeading_descriptionGetsALineMoreRatherThanACut(t *testing.T) {
	for _, tc := range []struct {
		height float64
		want   string
	}{
		{260, "One lane of the old bridge stays open, except on six weekends when the new one is lifted in."},
		{125, "One lane of the old bridge stays open…"},
	} {
		c := open(t, Spec{Texts: Texts{
			Title:       "Council approves the new bridge plan",
			Description: "One lane of the old bridge stays open, except on six weekends when the new one is lifted in.",
		}})
		title := c.PutHeading(c.BG(), Column{X: 72, Y: 72, W: 1056, H: tc.height, Gap: 38}, Heading{
			Style: c.TitleStyle(), Ladder: text.Steps(1, 56),
			Description: Description{SizePx: 32, W: 780, Lines: 1},
		})
		texts := c.PlacedTexts()
		if got := texts[len(texts)-1].Text(); got != tc.want || title.Text() != c.Title {
			t.Errorf("in %v px: %q below %q, want %q", tc.height, got, title.Text(), tc.want)
		}
	}
}
