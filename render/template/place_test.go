package template

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
	for _, p := range c.Placed() {
		all = append(all, p.Text())
	}
	return strings.Join(all, " | ")
}

// item sets a line of a size as an item.
func item(c *Card, s string, sizePx float64) Item {
	return Item{Block: c.Line(s, c.TextStyle(sizePx, 400), 0), Role: Essential}
}

func TestPut_anchorStandsAtItsHeight(t *testing.T) {
	c := openCard(t, "editorial", Spec{})
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
	if p := c.Put(Item{}, 72, Top, 300); !p.Empty() || len(c.Placed()) != 3 {
		t.Errorf("an empty text left a trace: %d are placed, want 3", len(c.Placed()))
	}
}

func TestPut_rightToLeftIsMirrored(t *testing.T) {
	c := openCard(t, "editorial", Spec{RTL: true})
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
		c := openCard(t, "editorial", Spec{})
		st := c.TextStyle(28, 400)
		c.PutRow(Row{X0: 72, X1: 72 + tc.width, Y: 100, Gap: 16, MinFree: tc.free},
			RowText{Text: "Northlane", Style: st}, RowText{}, RowText{Text: "northlane.dev", Style: st, Address: true},
			RowText{Text: "12 March 2026", Style: st, AtEnd: true})
		if got := words(c); got != tc.want {
			t.Errorf("in %.0f px of which %.0f stay free: %s, want %s", tc.width, tc.free, got, tc.want)
		}
		for _, p := range c.Placed() {
			if p.X < 72 || p.X+p.BoxWidth > 72+tc.width-tc.free+1e-9 && p.Text() != "12 March 2026" {
				t.Errorf("in %.0f px: %s stands at %.1f to %.1f", tc.width, p.Text(), p.X, p.X+p.BoxWidth)
			}
		}
	}
}

func TestPutRow_endsAndInk(t *testing.T) {
	c := openCard(t, "editorial", Spec{})
	st := c.TextStyle(28, 400)
	bottom := c.PutRow(Row{X0: 72, X1: 1128, Anchor: Bottom, Y: 574, Gap: 16, InkBottom: 576},
		RowText{Text: "Ag", Style: st}, RowText{Text: "at the end", Style: st, AtEnd: true},
		RowText{Text: "before it", Style: st, AtEnd: true})
	p := c.Placed()
	if got := p[1].X + p[1].BoxWidth; math.Abs(got-1128) > 1e-9 {
		t.Errorf("the end of the row is at %.2f, want 1128", got)
	}
	if got := p[1].X - p[2].X - p[2].BoxWidth; math.Abs(got-16) > 1e-9 {
		t.Errorf("texts at the end are %.2f px apart, want 16", got)
	}
	lowest := max(p[0].Bounds().Y1, p[1].Bounds().Y1, p[2].Bounds().Y1)
	if math.Abs(bottom-lowest) > 1e-9 || bottom > 576+1e-9 {
		t.Errorf("ink ends at %.2f and is said to end at %.2f, want 576 at most", lowest, bottom)
	}
	if got := c.PutRow(Row{X0: 72, X1: 1128, Y: 100}, RowText{}); got != 0 {
		t.Errorf("an empty row ends at %.2f, want 0", got)
	}
}

func TestPutColumn_anchorHoldsTheWhole(t *testing.T) {
	c := openCard(t, "editorial", Spec{})
	for _, anchor := range []Anchor{Top, Middle, Bottom} {
		column := Column{X: 72, Anchor: anchor, Y: 300, Gap: 40}
		p := c.PutColumn(column, item(c, "First", 60), Item{}, item(c, "Second", 30))
		if len(p) != 2 {
			t.Fatalf("%d blocks are placed, want 2", len(p))
		}
		if got := p[1].Y - p[0].Y - p[0].Height; math.Abs(got-40) > 1e-9 {
			t.Errorf("the gap is %.2f, want 40", got)
		}
		height := p[1].Y + p[1].Height - p[0].Y
		if got, want := p[0].Y, anchor.top(300, height); math.Abs(got-want) > 1e-9 {
			t.Errorf("anchored at %d it begins at %.2f, want %.2f", anchor, got, want)
		}
	}
}

func TestPutColumn_marksKeepTheirDistance(t *testing.T) {
	c := openCard(t, "editorial", Spec{})
	plain, stacked := item(c, "An", 60), item(c, "Ễ", 60)
	column := Column{X: 72, Y: 100, Gap: 40, InkTop: 95}
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

func TestPutTitle_lowerMeansLessRoom(t *testing.T) {
	c := openCard(t, "editorial", Spec{})
	s := text.Stack{
		Title: "ỄỄỄ ỄỄỄ ỄỄỄ ỄỄỄ", TitleStyle: c.TitleStyle(), TitleBox: text.Box{W: 500, H: 200},
		Ladder:    text.Steps(3, 92, 84, 76, 68, 60),
		TextStyle: c.TextStyle(30, 400), TextWidth: 400, TextLines: 2, Gap: 40, MaxHeight: 300,
	}
	c.PutTitle(Column{X: 72, Y: 100, InkTop: 96}, s)
	p := c.Placed()[0]
	if p.Bounds().Y0 < 96 {
		t.Errorf("ink begins at %.2f, want 96 at least", p.Bounds().Y0)
	}
	if got := p.Bounds().Y1; got > 301 {
		t.Errorf("ink ends at %.2f, want 300 at most", got)
	}
}

func TestPlaceLogo_eachCornerLeavesARow(t *testing.T) {
	square := painted(100, 100, func(_, _ float64) color.NRGBA { return palette.RGB(0xF97316) })
	corners := Corners{Margin: 72, Upper: LogoLine{100, 40}, Lower: LogoLine{540, 56}}
	for _, tc := range []struct {
		corner       Corner
		rtl          bool
		slot         Slot
		box          image.Rectangle // on the canvas
		upper, lower [2]float64
	}{
		{TopLeft, false, UpperStart, image.Rect(72, 80, 112, 120), [2]float64{136, 1128}, [2]float64{72, 1128}},
		{TopRight, false, UpperEnd, image.Rect(1088, 80, 1128, 120), [2]float64{72, 1064}, [2]float64{72, 1128}},
		{BottomLeft, false, LowerStart, image.Rect(72, 512, 128, 568), [2]float64{72, 1128}, [2]float64{152, 1128}},
		{BottomRight, false, LowerEnd, image.Rect(1072, 512, 1128, 568), [2]float64{72, 1128}, [2]float64{72, 1048}},
		{TopLeft, true, UpperEnd, image.Rect(72, 80, 112, 120), [2]float64{72, 1064}, [2]float64{72, 1128}},
		{BottomRight, true, LowerStart, image.Rect(1072, 512, 1128, 568), [2]float64{72, 1128}, [2]float64{152, 1128}},
	} {
		t.Run(fmt.Sprintf("corner %d, right to left %v", tc.corner, tc.rtl), func(t *testing.T) {
			c := openCard(t, "editorial", Spec{Pictures: Pictures{Logo: square}, Corner: tc.corner, RTL: tc.rtl})
			c.Ground(paint.Solid(c.Theme.BG))
			logo := c.PlaceLogo(c.Page(), corners)
			if logo.Slot != tc.slot || logo.Upper() != (tc.slot <= UpperEnd) || logo.Lower() == logo.Upper() {
				t.Errorf("the logo is %+v, want it in slot %d", logo, tc.slot)
			}
			if got := c.PlacedIcons()[0].Box; got != tc.box {
				t.Errorf("it is seen at %v, want %v", got, tc.box)
			}
			var upper, lower [2]float64
			upper[0], upper[1] = logo.UpperRow()
			lower[0], lower[1] = logo.LowerRow()
			if upper != tc.upper || lower != tc.lower {
				t.Errorf("it leaves %v and %v, want %v and %v", upper, lower, tc.upper, tc.lower)
			}
		})
	}
}

func TestPlaceLogo_noneLeavesTheWholeRows(t *testing.T) {
	c := openCard(t, "editorial", Spec{})
	c.Ground(paint.Solid(c.Theme.BG))
	logo := c.PlaceLogo(c.Page(), Corners{Margin: 72, Upper: LogoLine{100, 40}, Lower: LogoLine{540, 56}})
	x0, x1 := logo.UpperRow()
	if logo.Slot != NoSlot || logo.Upper() || logo.Lower() || x0 != 72 || x1 != 1128 || len(c.PlacedIcons()) != 0 {
		t.Errorf("the logo is %+v and leaves %.0f to %.0f, want none", logo, x0, x1)
	}
}

func TestPutBrandRow_saysEachWordOnce(t *testing.T) {
	wide := painted(400, 100, func(_, _ float64) color.NRGBA { return palette.RGB(0xF97316) })
	for _, tc := range []struct {
		name     string
		texts    Texts
		logo     *image.NRGBA
		corner   Corner
		hostSaid bool
		want     string
	}{
		{"name and host", Texts{Title: "T", SiteName: "Acme", Host: "x.example"}, nil, 0, false, "A | Acme | x.example"},
		{"the host is said above", Texts{Title: "T", SiteName: "Acme", Host: "x.example"}, nil, 0, true, "A | Acme"},
		{"the name is the title", Texts{Title: "Acme", SiteName: "Acme", Host: "x.example"}, nil, 0, false, "A | x.example"},
		{"the host is the name", Texts{Title: "T", SiteName: "x.example", Host: "x.example"}, nil, 0, false, "X | x.example"},
		{"a wordmark is the name", Texts{Title: "T", SiteName: "Acme", Host: "x.example"}, wide, BottomLeft, false, "x.example"},
		{"a logo elsewhere is the icon", Texts{Title: "T", SiteName: "Acme", Host: "x.example"}, wide, TopLeft, false, "Acme | x.example"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := openCard(t, "editorial", Spec{Texts: tc.texts, Pictures: Pictures{Logo: tc.logo}, Corner: tc.corner})
			c.Ground(paint.Solid(c.Theme.BG))
			logo := c.PlaceLogo(c.Page(), Corners{Margin: 72, Upper: LogoLine{100, 40}, Lower: LogoLine{540, 56}})
			putBrandRow(c, brandRow{on: c.Page(), logo: logo, middle: 540, side: 40, hostSaid: tc.hostSaid})
			if got := words(c); got != tc.want || len(c.PlacedIcons()) != 1 {
				t.Errorf("it says %q beside %d icons, want %q beside one", got, len(c.PlacedIcons()), tc.want)
			}
		})
	}
}
