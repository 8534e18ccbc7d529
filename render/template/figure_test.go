package template

import (
	"math"
	"testing"

	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// TestFigure_share_isFilledToItsValue finds where the filled part of a number ends.
func TestFigure_share_isFilledToItsValue(t *testing.T) {
	for title, share := range map[string]float64{
		"12% of teams": .12, "50% of teams": .50, "99% of teams": .99, "2 of 3 teams": 2. / 3, "40٪ من الفرق": .40,
	} {
		for _, dark := range []bool{true, false} {
			c := openCard(t, "figure", kit.Spec{
				Texts: kit.Texts{Title: title, SiteName: "Northlane"}, Family: text.Inter,
				Theme: palette.New(palette.RGB(0x4F46E5), dark),
			})
			c.Layout()
			n, _ := kit.FigureIn(title)
			b := numberBlock(c, &figureShare, n, figureShare.most)
			on := tinted(c, .235, .925, kit.ByMode(dark, .75, .5))
			_, _, rest := figureInks(&c.Theme, on.Color)
			middle := int(c.Mirror(72, b.Ink.X1-b.Ink.X0) + b.Width/2)
			low, ends := 0, 0 // the lowest row with the color of the rest, and how many of them have it in both halves
			for y := 60; y < c.H; y++ {
				var n [2]int
				for x := 60; x < c.W-60; x++ {
					if c.Canvas().At(x, y) == rest {
						n[min(x/middle, 1)]++
					}
				}
				if n[0]+n[1] > 12 { // not a few pixels at the edges of the filled part
					low = y
				}
				if min(n[0], n[1]) > 0 {
					ends++
				}
			}
			base := figureShare.base - numberDepth(c, &figureShare, n)
			if got := (base - float64(low) - 1) / b.CapHeight; math.Abs(got-share)*b.CapHeight > 3 || ends == 0 {
				t.Errorf("%q, dark %v: filled to %.3f, want %.3f; %d rows in both halves", title, dark, got, share, ends)
			}
		}
	}
}

// TestFigure_lowInkIsApartFromTheSite: an ideogram after a number is lower than its figures.
func TestFigure_lowInkIsApartFromTheSite(t *testing.T) {
	const apart = 30
	for title, lang := range map[string]string{
		"成都大运会场馆向市民开放，羽毛球每小时30元，游泳馆周末延长至22:00": "zh-Hans", "阪神・淡路大震災から31年": "ja",
		"The Best Budget Laptops Under $600": "en",
	} {
		c := openCard(t, "figure", kit.Spec{Lang: lang, Family: text.Inter, Texts: kit.Texts{Title: title, SiteName: "A"}})
		c.Layout()
		n, _ := kit.FigureIn(title)
		below := c.PlacedTexts()[0].Bounds().Y1 + 30
		for _, p := range c.PlacedTexts() {
			if p.Role == kit.Title {
				below = p.Bounds().Y1 + 30
			}
		}
		high, base := numberUnder(c, &figureShare, n, below)
		b := numberBlock(c, &figureShare, n, high)
		if end := base + b.Ink.Y1 - b.CapHeight; end > figureBrand-20-apart {
			t.Errorf("%q: the ink of its number ends at %.0f, %.0f above the site", title, end, figureBrand-20-end)
		}
	}
}

// TestFigure_smallShare_isNoSliver: a few percent of the width would be a part of the first figure.
func TestFigure_smallShare_isNoSliver(t *testing.T) {
	for title, parted := range map[string]bool{"2% of teams": false, "4.25% of teams": false, "12% of teams": true} {
		c := openCard(t, "figure", kit.Spec{Texts: kit.Texts{Title: title, SiteName: "Northlane"}, Family: text.Inter})
		c.Layout()
		on := figureGround(c)
		_, _, rest := figureInks(&c.Theme, on.Color)
		got := false
		for x := range c.W {
			for y := 60; y < int(figureShare.base); y++ {
				got = got || c.Canvas().At(x, y) == rest
			}
		}
		if got != parted {
			t.Errorf("%q: in two colors: %v", title, got)
		}
	}
}

// TestFigure_percent_isNearItsNumber expects no hole where a title has a space before its percent sign.
func TestFigure_percent_isNearItsNumber(t *testing.T) {
	width := func(title string) float64 {
		c := openCard(t, "figure", kit.Spec{Texts: kit.Texts{Title: title}, Family: text.Inter})
		n, _ := kit.FigureIn(title)
		b := numberBlock(c, &figureShare, n, figureShare.most)
		return (b.Ink.X1 - b.Ink.X0) / b.CapHeight
	}
	tight := width("73% of it")
	for _, title := range []string{"73 % of it", "73\u00a0% of it"} {
		if gap := width(title) - tight; gap <= 0 || gap > .15 {
			t.Errorf("%q: the space is %.2f of the capitals' height", title, gap)
		}
	}
}

// TestFigure_inks_canBeToldApart checks the contrasts of the gauge for each accent.
func TestFigure_inks_canBeToldApart(t *testing.T) {
	for _, hex := range []uint32{0x4F46E5, 0xE11D48, 0xFACC15, 0x10B981, 0x111827, 0xFFFFFF, 0xE0930F, 0x00FF00} {
		for _, dark := range []bool{true, false} {
			c := openCard(t, "figure", kit.Spec{Texts: kit.Texts{Title: "5%"}, Theme: palette.New(palette.RGB(hex), dark)})
			on := tinted(c, .235, .925, kit.ByMode(dark, .75, .5))
			full, end, rest := figureInks(&c.Theme, on.Color)
			if palette.Contrast(rest, on.Color) < figureSeen || palette.Contrast(full, rest) < figureDivided ||
				palette.Contrast(end, rest) < figureDivided {
				t.Errorf("%06X, dark %v: rest %.2f, filled %.2f to %.2f", hex, dark, palette.Contrast(rest, on.Color),
					palette.Contrast(full, rest), palette.Contrast(end, rest))
			}
		}
	}
}

// TestFigure_lowInkKeepsClearOfTheSite checks numbers under their title whose ink hangs from their line.
func TestFigure_lowInkKeepsClearOfTheSite(t *testing.T) {
	for _, tc := range []struct {
		title, lang string
		family      text.Family
		rtl         bool
	}{
		{"누적 투자금 2,150억 원 돌파", "ko", text.Inter, false},
		{"Apple’s $3.2tn question", "en", text.SpaceGrotesk, false},
		{"Banco Central reduz a Selic para 13,25% ao ano e sinaliza novos cortes", "pt", text.InstrumentSerif, false},
		{"شركة ناشئة بقيمة 30 مليون دولار", "ar", text.Inter, true},
		{"Only 40% of teams", "en", text.Inter, false},
	} {
		c := openCard(t, "figure", kit.Spec{
			Lang: tc.lang, RTL: tc.rtl, Texts: kit.Texts{Title: tc.title, SiteName: "Northlane"},
		})
		c.Family = tc.family
		c.Layout()
		n, ok := kit.FigureIn(tc.title)
		if !ok {
			t.Fatalf("%q has no number", tc.title)
		}
		below := 0.0
		for _, p := range c.PlacedTexts() {
			if p.Role == kit.Title {
				below = p.Bounds().Y1 + 30
			}
		}
		high, base := numberUnder(c, &figureShare, n, below)
		b := numberBlock(c, &figureShare, n, high)
		if low := base + b.Ink.Y1 - b.CapHeight; low > figureShare.foot || base > figureShare.under {
			t.Errorf("%q: its ink ends at %.0f, its line at %.0f", tc.title, low, base)
		}
		if top := base - b.CapHeight + b.Ink.Y0; top < below-1 {
			t.Errorf("%q: its ink begins at %.0f, want %.0f or more", tc.title, top, below)
		}
	}
}
