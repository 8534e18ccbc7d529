package template

import (
	"cmp"
	"image"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/template/wording"
	"masthead/render/text"
)

// A voice: a quotation below a quotation mark that the upper edge cuts, on a tinted background where other cards are
// near black or white.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "quote", Name: "Quote", Mood: "A voice.",
		GoodFor: "Interviews, testimonials, opinion, and pages with a sentence worth repeating",
		Needs:   []string{"quote"}, TextSide: "left", Fallback: []string{"editorial"},
	},
	OG: quoteOG,
	Sized: []kit.FormatLayout{
		{Format: kit.Square, Draw: quoteUpright}, {Format: kit.Feed, Draw: quoteUpright},
		{Format: kit.Story, Draw: quoteUpright},
	},
	Lacks: func(c *kit.Card) string {
		if quoted(c) == "" {
			return "quotation"
		}
		return ""
	},
})

// quoteMeasures are those of a size, in the layout.
type quoteMeasures struct {
	left, bottom, height, most float64 // of the ink of the mark: most is its width
	wholeHeight                float64 // of a corner bracket or a guillemet, which need their upper arm
	bar                        image.Point
	indent                     float64 // of who said it, beside the bar
	namePx, titlePx, sourcePx  float64 // titlePx is that of the page's title in the place of a name
}

var quoteShare = quoteMeasures{
	left: 72, bottom: 188, height: 260, most: 520, wholeHeight: 128, bar: image.Pt(64, 6), indent: 88,
	namePx: 36, titlePx: 32, sourcePx: 28,
}

func quoteOG(c *kit.Card) {
	m := &quoteShare
	bg, away := beginQuote(c, m)
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: bg,
		Upper: kit.LogoLine{Middle: 84, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 550, MaxH: 44},
	})

	putQuoteBrand(c, bg, logo, away)

	// A logo at the bottom moves who said it up.
	under := kit.Column{X: 72, Y: 490, W: 1056, H: 82, Gap: 28, Foot: 574}
	height := 224.0
	if logo.Lower.HasLogo {
		under.Y, under.Foot, height = 424, 512, 168
	}
	said := quoted(c)
	ladder := text.Steps(1, 144, 124, 110, 98).Then(2, 88, 78).Then(3, 68, 60, 52).Then(4, 46)
	if top, ok := putQuoted(c, bg, m, under); ok {
		height = min(height, top-40-216)
	} else { // the words have that room
		height += quoteAlone
		ladder = text.Steps(1, 164, 144).Then(2, 124, 110, 98).Then(3, 88, 78, 68).Then(4, 60, 52, 46)
	}
	const apart = 8 // of marks from the quotation mark, besides the usual gap
	c.PutHeading(bg, kit.Column{X: 72, Y: 216, W: 1056, H: height, Anchor: kit.Middle, Under: 188 + apart}, kit.Heading{
		Title: said, Style: quoteStyle(c, said), Ladder: ladder,
	})
}

// quoteAlone is how much higher words may be when nothing is under them.
const quoteAlone = 80

// beginQuote draws the background and, cut by the upper edge, the opening mark of the language on the side of the text.
// A logo there moves it to the other side.
func beginQuote(c *kit.Card, m *quoteMeasures) (on kit.Surface, away bool) {
	th := &c.Theme
	on = c.On(th.Ramp(kit.ByMode(th.Dark, .25, .91), kit.ByMode(th.Dark, .7, .5), 0))
	over := c.Over(kit.Backdrop{Veil: func(_, _ float64) float64 { return .6 }})
	away = c.Corner == kit.Corner{Right: c.RTL} && c.Logo != nil
	mark := quoteMark(c, m, away)
	fill := kit.LeadRun(th, m.bottom-m.height, m.bottom, kit.Tone{L: kit.ByMode(th.Dark, .72, .66), C: .9, DH: -14},
		kit.Tone{L: .52, C: 1, DH: 10})
	if !over {
		c.BeginAround(mark, fill, on.Color)
		return on, away
	}
	fill.Paint(c.Begin(paint.Solid(th.BG)), mark)
	return c.BG(), away
}

// putQuoted places who said it, and in what: the page. Nobody else is named under the words, which aren't repeated
// there. It returns the top of the ink.
func putQuoted(c *kit.Card, on kit.Surface, m *quoteMeasures, under kit.Column) (top float64, ok bool) {
	x := under.X
	under.X, under.W = under.X+m.indent, under.W-m.indent
	name := kit.Item{Role: kit.Essential, Color: on.Text}
	if said := quoted(c); !text.Same(c.QuoteAuthor, said) && !quotesAnother(c, said) {
		name.Block = c.Line(c.QuoteAuthor, c.TextStyle(m.namePx, 600), under.W)
	}
	source, lines := kit.Item{Role: kit.Repeated, Color: on.Muted}, 1
	switch {
	case wording.RepeatsQuotation(c.Title, quoted(c), c.QuoteAuthor):
	case name.Empty():
		if name.Block = quoteTitle(c, m, under); !name.Empty() {
			lines = len(name.Lines)
		}
	case !text.Says(c.Title, c.QuoteAuthor): // otherwise the speaker is named already
		source.Block = c.LineToClause(c.Title, c.TextStyle(m.sourcePx, 400), under.W)
		if source.Truncated && wording.BeginsSpeech(c.Title) { // of which the end would be missing
			source.Block = kit.Block{}
		}
	}
	put := c.PutColumn(under, name, source)
	if len(put) == 0 {
		return 0, false
	}
	middle := int(put[0].Y + put[0].Height/float64(2*lines) - c.Lowered())
	c.Canvas().Fill(c.TextRect(int(x), middle-m.bar.Y/2, m.bar.X, m.bar.Y), c.BarOn(on.Color))
	return put[0].Bounds().Y0, true
}

// quoteTitle sets the page's title in the place of a name: in two lines if it is whole there, not in one.
func quoteTitle(c *kit.Card, m *quoteMeasures, under kit.Column) kit.Block {
	style := c.TextStyle(m.titlePx, 600)
	one := c.LineToClause(c.Title, style, under.W)
	if one.Empty() || !one.Truncated {
		return one
	}
	style.Balance = true
	two := c.Fit(c.Title, style, text.Box{W: under.W, H: under.H}, text.Steps(2, m.titlePx, m.sourcePx))
	if two.Truncated {
		return one
	}
	return two
}

// quotesAnother reports whether words under which the author of the page would be named are a title that quotes
// someone else.
func quotesAnother(c *kit.Card, said string) bool {
	return text.Same(c.Title, said) && text.Same(c.QuoteAuthor, c.Author) && wording.QuotesSomeone(said)
}

// putQuoteBrand places the icon and the name of the site in the upper corner across from the mark.
func putQuoteBrand(c *kit.Card, on kit.Surface, logo kit.Logo, away bool) {
	site := kit.SiteOf(&c.Texts)
	if away {
		logo.Upper.X1 = min(logo.Upper.X1, 1128-quoteShare.most-kit.LogoGap)
		kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: logo.Upper, Middle: 84, Side: 40, HostSaid: true})
		return
	}
	row := kit.Row{Span: logo.Upper.Span, Anchor: kit.Middle, Y: 84, Gap: kit.BrandGap}
	row.X0 = max(row.X0, quoteShare.left+quoteShare.most+kit.LogoGap)
	name := kit.RowItem{
		Text: cmp.Or(site.Name, site.Host), Style: c.TextStyle(28, 600), Role: kit.Repeated, Color: on.Text, AtEnd: true,
	}
	if logo.Shown && logo.Wordmark() {
		name.Text = ""
	}
	putNameAtEnd(c, row, name, c.BrandIcon(on, logo, 40), c.RTL)
}

// quoteStyle is that of a voice: a serif italic, unless the card requests another family than the default, or the serif
// lacks a letter.
func quoteStyle(c *kit.Card, said string) text.Style {
	style := c.TitleStyle()
	if c.Family == text.Inter && text.InstrumentSerif.Has(said) {
		style = c.Style(text.InstrumentSerif.Title(0))
		style.Italic = true
	}
	style.LineHeight = 1.04
	return style
}

// quoted returns the quotation of the page without its marks: the card has its own.
func quoted(c *kit.Card) string {
	return text.DisplayTitle(wording.WithoutQuotes(c.Quote), text.Publisher{Lang: c.Lang})
}

// quoteMark returns the opening mark at its position; away moves it to the other side of the card.
func quoteMark(c *kit.Card, m *quoteMeasures, away bool) *image.Alpha {
	st := text.Style{Family: text.InstrumentSerif, Weight: 400, SizePx: 400, Exact: true, Lang: c.Lang}
	mark := string(text.OpeningQuote(c.Lang))
	ink := c.Engine().Line(mark, st, 0).Ink
	if ink.Empty() {
		return image.NewAlpha(image.Rectangle{})
	}
	height := m.height
	switch mark {
	case "「":
		height = m.wholeHeight
	case "«", "»": // which are slighter
		height = 1.25 * m.wholeHeight
	}
	st.SizePx *= min(height/(ink.Y1-ink.Y0), m.most/(ink.X1-ink.X0))
	b := c.Engine().Line(mark, st, 0)
	w := b.Ink.X1 - b.Ink.X0
	x := m.left
	if away != c.RTL {
		x = float64(c.W) - x - w
	}
	return c.InkMask(b, x-b.Ink.X0, m.bottom-b.Ink.Y1)
}
