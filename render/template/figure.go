package template

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"strings"
	"unicode"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// The number is the picture: the one that the title is about, as large as it can be, over or under the rest of the
// title. A share of a whole is its own gauge: it is filled from its foot up to that share.
//
// Background: a tone of the accent. No picture, no other shape.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "figure", Name: "Figure", Mood: "The number is the picture.",
		GoodFor: "Surveys, results, prices and records: pages with a number in their title", Needs: []string{"figure"},
		TextSide: "left", Bare: true, Fallback: []string{"poster"},
	},
	OG: figureOG,
	Sized: []kit.FormatLayout{
		{Format: kit.Square, Draw: figureUpright}, {Format: kit.Feed, Draw: figureUpright},
	},
	Lacks: func(c *kit.Card) string {
		n, ok := kit.FigureIn(c.Title)
		if !ok || figureSentence(c, n) == "" || !figureFits(c, figureMeasuresOf(c), n) {
			return "number that is the point of its title"
		}
		return ""
	},
})

// figureMeasures are those of number and sentence in a size, in the layout.
type figureMeasures struct {
	x, width        float64
	most, mostUnder float64 // height of the number over its sentence, and under the title
	least           float64 // of any
	base            float64 // baseline of the number over its sentence
	under           float64 // and under the title
	apart           float64 // from that baseline to the capitals of the sentence
	top, foot       float64 // of the highest ink, and of the lowest
	titleTop        float64
	titleHigh       float64     // of a title over its number
	ladder          text.Ladder // for a sentence, not a title: two lines of it must suffice
}

var figureShare = figureMeasures{
	x: 72, width: 1056, most: 291, mostUnder: 247, least: 174, base: 364, under: 494, apart: 42, top: 74, foot: 522,
	titleTop: 76, titleHigh: 190, ladder: text.Steps(2, 60, 56, 52, 48),
}

// figureMeasuresOf returns the measures of a card.
func figureMeasuresOf(c *kit.Card) *figureMeasures {
	f := c.Format()
	if c.Kind != kit.Custom || f == nil {
		return &figureShare
	}
	m := &figureMeasures{
		x: f.X0, width: f.Inner(), most: 400, mostUnder: 340, least: 150, base: 560, under: 850, apart: 76, top: f.Top,
		foot: kit.UprightEnd(c), titleTop: 130, titleHigh: 360, ladder: text.Steps(3, 84, 80, 76).Then(4, 72, 64),
	}
	if f == kit.Feed {
		m.base, m.under, m.titleTop, m.titleHigh = 720, 1080, 240, 420
	}
	return m
}

const figureBrand = 556 // middle of the row with the site

func figureOG(c *kit.Card) {
	on := figureGround(c)
	c.Begin(paint.Solid(on.Color))
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: on, End: on,
		Upper: kit.LogoLine{Middle: 84, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})
	kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: logo.Lower, Middle: figureBrand, Side: 40})

	m, under := figureShare, 0.0
	if logo.Upper.HasLogo {
		under = float64(logo.Y + logo.H)
		m.top = under + 24
	}
	if logo.Lower.HasLogo {
		m.foot, m.base, m.under = float64(logo.Y)-18, m.base-34, m.under-34
	}
	putFigure(c, &m, on, under)
}

// figureUpright is the same with a larger sentence.
func figureUpright(c *kit.Card) {
	on, m := figureGround(c), *figureMeasuresOf(c)
	c.Begin(paint.Solid(on.Color))
	under := 0.0
	if c.Logo != nil && !c.Corner.Bottom {
		under = m.top + kit.UprightLogo
		m.top = under + 24
	}
	kit.PutUprightFoot(c, on, on)
	putFigure(c, &m, on, under)
}

func figureGround(c *kit.Card) kit.Surface {
	return tinted(c, .235, .925, kit.ByMode(c.Theme.Dark, .75, .5))
}

// putFigure draws the number and places the sentence below it, or the title over it; under is where a logo at the top
// ends.
func putFigure(c *kit.Card, m *figureMeasures, on kit.Surface, under float64) {
	n, ok := kit.FigureIn(c.Title)
	sentence, style := figureSentence(c, n), figureStyle(c)
	switch {
	case ok && n.Start == 0 && sentence != "":
		base := m.base - numberDepth(c, m, n)
		y := m.base + m.apart
		c.PutHeading(on, kit.Column{X: m.x, Y: y, W: m.width, H: m.foot - y, Foot: m.foot},
			kit.Heading{Title: sentence, Style: style, Ladder: m.ladder})
		drawNumber(c, m, on, n, min(m.most, base-m.top), base)
	default:
		column := kit.Column{X: m.x, Y: max(m.top, m.titleTop), W: m.width, H: m.titleHigh, Foot: m.foot, Under: under}
		title := c.PutHeading(on, column, kit.Heading{Title: sentence, Style: style, Ladder: m.ladder})
		if below := m.top; ok {
			if !title.Empty() {
				below = title.Bounds().Y1 + 30
			}
			high, base := numberUnder(c, m, n, below)
			drawNumber(c, m, on, n, high, base)
		}
	}
}

// figureSentence returns what stands beside the number: the rest of a title that begins with it, "" if that has no
// words, or the title before a number at its end, otherwise the whole title.
func figureSentence(c *kit.Card, n kit.Number) string {
	if n.Start > 0 {
		return cmp.Or(n.Before(c.Title), c.Title)
	}
	rest := n.Rest(c.Title)
	if !strings.ContainsFunc(rest, unicode.IsLetter) {
		return ""
	}
	return rest
}

func figureStyle(c *kit.Card) text.Style {
	style := c.TitleStyle()
	style.LineHeight = 1.1
	return style
}

// figureFits reports whether number and sentence have room: the number is large, and the sentence is whole.
func figureFits(c *kit.Card, m *figureMeasures, n kit.Number) bool {
	most := m.most
	if n.Start > 0 {
		most = m.mostUnder
	}
	b := numberBlock(c, m, n, most)
	if b == nil || b.Missing != "" || b.CapHeight < m.least {
		return false
	}
	sentence := c.Fit(figureSentence(c, n), figureStyle(c), text.Box{W: m.width}, m.ladder)
	return !sentence.Empty() && !sentence.Truncated
}

// numberBlock lays out the number with capitals of at most maxCap, as wide as the card allows.
func numberBlock(c *kit.Card, m *figureMeasures, n kit.Number, maxCap float64) *text.Block {
	st := c.Family.Title(400)
	st.Weight, st.Tracking, st.Exact, st.Lang = 800, -.05, true, c.Lang
	if c.Family == text.InstrumentSerif {
		st.Tracking = -.02 // its narrow figures would touch the point
	}
	// At this size, the space of “73 %” is a hole.
	shown := strings.NewReplacer(" %", "\u202f%", "\u00a0%", "\u202f%").Replace(n.Text)
	b := c.Engine().Line(shown, st, 0)
	if b.Empty() {
		return nil
	}
	st.SizePx *= min(maxCap/b.CapHeight, m.width/(b.Ink.X1-b.Ink.X0))
	return c.Engine().Line(shown, st, 0)
}

// numberDepth returns how much higher a number stands over its sentence because of what hangs from its line, a comma or
// the foot of a dollar sign.
func numberDepth(c *kit.Card, m *figureMeasures, n kit.Number) float64 {
	const free = 16
	b := numberBlock(c, m, n, m.most)
	if b == nil {
		return 0
	}
	return max(b.Ink.Y1-b.CapHeight-free, 0)
}

// numberUnder returns the most that the capitals of a number may be high under the title, whose ink ends at below, and
// its baseline: one with a comma, the foot of a dollar sign, an ideogram or low Arabic letters is higher, so that they
// keep clear of the site.
func numberUnder(c *kit.Card, m *figureMeasures, n kit.Number, below float64) (high, base float64) {
	const clear = 18
	low, rise := m.foot-clear, numberRise(c, m, n)
	high = min(m.mostUnder, (m.under-below)*rise)
	b := numberBlock(c, m, n, high)
	if b == nil || m.under+b.Ink.Y1-b.CapHeight <= low {
		return high, m.under
	}
	depth := (b.Ink.Y1 - b.CapHeight) / b.CapHeight
	high = min(high, (low-below)*rise/(1+depth*rise))
	if b = numberBlock(c, m, n, high); b == nil {
		return high, m.under
	}
	return high, min(m.under, low-b.Ink.Y1+b.CapHeight)
}

// numberRise returns the height of the capitals as a fraction of that of the ink above the line, which a dollar sign
// and brackets exceed.
func numberRise(c *kit.Card, m *figureMeasures, n kit.Number) float64 {
	b := numberBlock(c, m, n, m.mostUnder)
	if b == nil {
		return 1
	}
	return b.CapHeight / max(b.CapHeight-b.Ink.Y0, b.CapHeight)
}

// leastShare is the share of a whole from which a number is filled up to it: less would be a sliver at its foot.
const leastShare = .06

// drawNumber draws the number on a baseline. A share of a whole is filled from its foot up to it: from its start, the
// end of the filled part would set some of its figures apart, as if they were the number.
func drawNumber(c *kit.Card, m *figureMeasures, on kit.Surface, n kit.Number, maxCap, base float64) {
	b := numberBlock(c, m, n, maxCap)
	if b == nil {
		return
	}
	wide := b.Ink.X1 - b.Ink.X0
	left := c.Mirror(m.x, wide)
	number := paint.NewStencil(c.InkMask(b, left-b.Ink.X0, base-b.CapHeight))
	full, end, rest := figureInks(&c.Theme, on.Color)
	if c.RTL {
		full, end = end, full
	}
	filled := image.Rect(0, 0, c.W, c.H)
	if n.Share >= leastShare && n.Share < 1 {
		filled.Min.Y = int(math.Round(base - b.CapHeight*n.Share))
		undo := c.Canvas().Clip(image.Rect(0, 0, c.W, filled.Min.Y))
		c.Canvas().Stencil(number, rest)
		undo()
	}
	defer c.Canvas().Clip(filled)()
	ink := image.Rect(int(left), 0, int(math.Ceil(left+wide)), c.H)
	c.Canvas().PaintStencil(number, ink, paint.Linear{Angle: paint.Right, Colors: palette.Gradient(full, end)})
}

// Contrasts of the two parts of a number, so that the gauge is read.
const (
	figureSeen    = 3.0 // of both to the background
	figureDivided = 1.6 // of each other
)

// figureInks returns the colors of the filled part of a number, from its start to its end, and that of the rest.
func figureInks(th *palette.Theme, ground color.NRGBA) (full, end, rest color.NRGBA) {
	dark := th.Dark
	l, step := kit.ByMode(dark, .54, .61), kit.ByMode(dark, .01, -.01)
	for rest = th.Ramp(l, kit.ByMode(dark, .5, .4), 0); palette.Contrast(rest, ground) < figureSeen && l > 0 && l < 1; {
		l += step
		rest = th.Ramp(l, kit.ByMode(dark, .5, .4), 0)
	}
	tone := func(l, k, dh float64) color.NRGBA {
		ink := th.Lead(l, k, dh)
		for palette.Contrast(ink, rest) < figureDivided && l > 0 && l < 1 {
			l += step
			ink = th.Ramp(l, k, dh)
		}
		return ink
	}
	full = tone(kit.ByMode(dark, .86, .47), kit.ByMode(dark, .75, 1), motif.BesideYellow(th.LCH.H, -18))
	return full, tone(kit.ByMode(dark, .68, .34), 1, 12), rest
}
