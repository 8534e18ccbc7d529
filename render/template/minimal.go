package template

import (
	"cmp"
	"image"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// Confidence: a title and a full stop.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "minimal", Name: "Minimal", Mood: "Confidence: a title and a full stop.",
		GoodFor: "Personal sites, manifestos, portfolios", Needs: []string{"title"}, TextSide: "left",
	},
	OG: minimalOG,
	Sized: []kit.FormatLayout{
		{Format: kit.Square, Draw: minimalSquare}, {Format: kit.Header, Draw: minimalHeader},
		{Format: kit.Banner, Draw: minimalHeader},
	},
})

func minimalOG(c *kit.Card) {
	bg, site := c.BG(), kit.SiteOf(&c.Texts)
	over := c.Over(minimalBackdrop())
	c.Begin(paint.Solid(bg.Color))
	logo := c.PlaceLogo(kit.Corners{
		Margin: 96, Start: bg, End: bg,
		Upper: kit.LogoLine{Middle: 90, MaxH: 48}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})

	// Above the title: the site.
	row := kit.Row{Span: logo.Upper.Span, Anchor: kit.Middle, Y: 90, Gap: kit.BrandGap}
	c.PutRow(row, c.BrandIcon(bg, logo, 44), kit.RowItem{
		Text: cmp.Or(site.Host, site.Name), Style: c.TextStyle(32, 400), Role: kit.Repeated, Color: bg.Muted, MaxW: 640,
		Address: true,
	})

	words, stop := minimalWords(c)
	// In the middle of what is below the site, so that the site isn't one of the lines of a long title.
	column := kit.Column{X: 96, Y: 150, W: 1008, H: 360, Anchor: kit.Middle, Under: 114}
	if logo.Lower.HasLogo {
		column.Y = 129
	}
	if over {
		column.W = 720
	}
	heading := kit.Heading{
		Title: words, Style: minimalStyle(c),
		Ladder: text.Steps(2, 168, 148, 132, 116).Then(3, 104, 96).Then(4, 84, 72, 64).Then(5, 60),
	}
	title := c.PutHeading(bg, roomForStop(c, column, heading, stop), heading)
	drawFullStop(c, title, stop)
}

// minimalSquare is the same in a square: the title in the middle, the site at the top.
func minimalSquare(c *kit.Card) {
	f, bg, site := c.Format(), c.BG(), kit.SiteOf(&c.Texts)
	c.Over(kit.Backdrop{Veil: func(x, y float64) float64 {
		return paint.Ease((math.Hypot(x-1090, y-120) - 360) / 420)
	}})
	c.Begin(paint.Solid(bg.Color))
	logo := c.PlaceLogo(kit.Corners{
		Margin: int(f.X0), Start: bg, End: bg,
		Upper: kit.LogoLine{Middle: 116, MaxH: kit.UprightLogo}, Lower: kit.LogoLine{Middle: 964, MaxH: kit.UprightLogo},
	})
	c.PutRow(kit.Row{Span: logo.Upper.Span, Anchor: kit.Middle, Y: 116, Gap: kit.BrandGap}, c.BrandIcon(bg, logo, 52),
		kit.RowItem{
			Text: cmp.Or(site.Host, site.Name), Style: c.TextStyle(36, 400), Role: kit.Repeated, Color: bg.Muted, MaxW: 700,
			Address: true,
		})
	words, stop := minimalWords(c)
	column := kit.Column{X: f.X0, Y: 200, W: f.Inner() - 60, H: 680, Anchor: kit.Middle, Under: 170}
	title := c.PutHeading(bg, column, kit.Heading{
		Title: words, Style: minimalStyle(c),
		Ladder: text.Steps(2, 200, 180).Then(3, 168, 148).Then(4, 132, 116, 104).Then(5, 96).Then(6, 84),
	})
	drawFullStop(c, title, stop)
}

// minimalHeader is the same at the top of a profile.
func minimalHeader(c *kit.Card) {
	bg := c.BG()
	c.Over(kit.Backdrop{Veil: func(x, y float64) float64 {
		return paint.Ease((math.Hypot(x-float64(c.W)-10, y-240) - 260) / 240)
	}})
	c.Begin(paint.Solid(bg.Color))
	words, stop := minimalWords(c)
	title := kit.PutHeader(c, bg, kit.Heading{Title: words, Style: minimalStyle(c)})
	drawFullStop(c, title, stop)
}

// minimalStyle is the style of the title: bold beside letters that have no face of a weight between.
func minimalStyle(c *kit.Card) text.Style {
	style := c.TitleStyle()
	style.Weight, style.LineHeight = 600, 1.1
	if strings.ContainsFunc(c.Title, onlyBold) {
		style.Weight = 700
	}
	return style
}

// onlyBold reports whether r is a letter of a script whose faces are regular and bold.
func onlyBold(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Devanagari, unicode.Bengali, unicode.Tamil, unicode.Thai,
		unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

// minimalBackdrop shows a picture in a single soft shape that the right edge cuts: 30 % of the card.
func minimalBackdrop() kit.Backdrop {
	return kit.Backdrop{
		Picture: image.Rect(640, 0, 1200, 630),
		Veil: func(x, y float64) float64 {
			return paint.Ease((math.Hypot(x-1210, y-300) - 250) / 230)
		},
	}
}

// fullStop is the colored mark after a title.
type fullStop uint8

const (
	noStop   fullStop = iota
	discStop          // on the baseline
	ringStop          // 。, where it is in the square of an ideograph
)

// minimalWords returns the title of a card without its full stop, and the mark that replaces it. Chinese and Japanese
// have a ring, but none after a bracket. A title from right to left that ends in a number has none: a disc to the left
// of 24.04 would be another point of it.
func minimalWords(c *kit.Card) (words string, stop fullStop) {
	words, stops := kit.WithoutStop(c.Title)
	last, _ := utf8.DecodeLastRuneInString(words)
	switch {
	case !stops:
		return words, noStop
	case strings.ContainsFunc(words, isIdeographic) && !strings.ContainsFunc(words, isHangul):
		if unicode.In(last, unicode.Pe, unicode.Pf, unicode.Pi) {
			return words, noStop
		}
		return words, ringStop
	case c.RTL && kit.HasRTL(words) && !unicode.IsLetter(last) && !unicode.IsMark(last):
		return words, noStop
	}
	return words, discStop
}

// isIdeographic reports whether a letter is Chinese or Japanese.
func isIdeographic(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

func isHangul(r rune) bool { return unicode.Is(unicode.Hangul, r) }

// Measures of the full stop, in sizes of the title.
const (
	stopRadius = .13
	stopGap    = .12 + stopRadius // from the ink of the last letter to the center of the full stop
	ringWidth  = .055
	ringDown   = .09 // from the baseline to the lower edge of the ring

	stopBeyond = 24.0 // how far it may be beyond the column, in pixels
)

// roomForStop returns a column for a title that is followed by a full stop: one in which the stop has room as well if
// the last line would leave too little for it.
func roomForStop(c *kit.Card, column kit.Column, h kit.Heading, stop fullStop) kit.Column {
	b := c.Fit(h.Title, h.Style, text.Box{W: column.W, H: column.H}, h.Ladder)
	if stop == noStop || b.Empty() {
		return column
	}
	last, room := b.Lines[len(b.Lines)-1], (stopGap+stopRadius)*b.SizePx
	if last.Ink.X1-last.Ink.X0+room > column.W+stopBeyond {
		column.W -= room
	}
	return column
}

// drawFullStop draws the mark after the last letter of a complete title, in the color of figures.
func drawFullStop(c *kit.Card, title kit.Text, stop fullStop) {
	if stop == noStop || title.Empty() || title.Truncated {
		return
	}
	last, ink := title.Lines[len(title.Lines)-1], c.Theme.Gfx
	radius, gap := stopRadius*title.SizePx, stopGap*title.SizePx
	x := title.X + last.Ink.X1 + gap
	if title.RTL {
		x = title.X + last.Ink.X0 - gap
	}
	baseline := float64(int(title.Y + last.Baseline + .5))
	if stop == discStop {
		c.Canvas().Disc(x, baseline-radius, radius, ink)
		return
	}
	width := ringWidth * title.SizePx
	c.Canvas().Ring(x, baseline+ringDown*title.SizePx-radius, radius-width/2, width, ink)
}
