package template

import (
	"cmp"
	"image"
	"slices"
	"strings"
	"unicode/utf8"

	"masthead/render/paint"
	"masthead/render/template/kit"
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
	Lacks: func(c *kit.Card) string {
		if quoted(c) == "" {
			return "quotation"
		}
		return ""
	},
})

func quoteOG(c *kit.Card) {
	th := &c.Theme
	bg := c.On(th.Ramp(kit.ByMode(th.Dark, .25, .91), kit.ByMode(th.Dark, .7, .5), 0))
	over := c.Over(kit.Backdrop{Veil: func(_, _ float64) float64 { return .6 }})
	// Above it: the opening mark of the language, 260 px high, on the side of the text. A logo there moves it to the other
	// side.
	away := c.Corner == kit.Corner{Right: c.RTL} && c.Logo != nil
	mark := quoteMark(c, away)
	fill := kit.LeadRun(th, -72, 188, kit.Tone{L: kit.ByMode(th.Dark, .72, .66), C: .9, DH: -14},
		kit.Tone{L: .52, C: 1, DH: 10})
	var canvas *paint.Canvas
	switch {
	case over:
		bg = c.BG()
		canvas = c.Begin(paint.Solid(th.BG))
		fill.Paint(canvas, mark)
	default:
		canvas = c.BeginAround(mark, fill, bg.Color)
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: bg,
		Upper: kit.LogoLine{Middle: 84, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 550, MaxH: 44},
	})

	putQuoteBrand(c, bg, logo, away)

	// Below it: who said it, and in what: the page. Nobody else is named under the words. A logo at the bottom moves both
	// up.
	said := quoted(c)
	under := kit.Column{X: 160, Y: 490, W: 968, H: 82, Gap: 28, Foot: 574}
	height := 224.0
	if logo.Lower.HasLogo {
		under.Y, under.Foot, height = 424, 512, 168
	}
	name := kit.Item{Block: c.Line(c.QuoteAuthor, c.TextStyle(36, 600), under.W), Role: kit.Essential, Color: bg.Text}
	source := kit.Item{Block: c.Line(c.Title, c.TextStyle(28, 400), under.W), Role: kit.Repeated, Color: bg.Muted}
	if name.Empty() {
		name.Block, source = c.Line(c.Title, c.TextStyle(32, 600), under.W), kit.Item{}
	}
	if put := c.PutColumn(under, name, source); len(put) > 0 {
		canvas.Fill(c.TextRect(72, int(put[0].Y+put[0].Height/2-c.Lowered())-3, 64, 6), c.BarOn(bg.Color))
		height = min(height, put[0].Bounds().Y0-40-216)
	}

	c.PutHeading(bg, kit.Column{X: 72, Y: 216, W: 1056, H: height, Anchor: kit.Middle, Under: 188}, kit.Heading{
		Title: said, Style: quoteStyle(c, said),
		Ladder: text.Steps(1, 124, 110, 98).Then(2, 88, 78).Then(3, 68, 60, 52).Then(4, 46),
	})
}

// putQuoteBrand places the icon and the name of the site in the upper corner across from the mark. An icon that the
// middle square of a chat would cut is outermost.
func putQuoteBrand(c *kit.Card, on kit.Surface, logo kit.Logo, away bool) {
	site := kit.SiteOf(&c.Texts)
	if away {
		logo.Upper.X1 = min(logo.Upper.X1, 1128-quoteMarkMax-kit.LogoGap)
		kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: logo.Upper, Middle: 84, Side: 40, HostSaid: true})
		return
	}
	row := kit.Row{Span: logo.Upper.Span, Anchor: kit.Middle, Y: 84, Gap: kit.BrandGap}
	row.X0 = max(row.X0, quoteMarkLeft+quoteMarkMax+kit.LogoGap)
	name := kit.RowItem{
		Text: cmp.Or(site.Name, site.Host), Style: c.TextStyle(28, 600), Role: kit.Repeated, Color: on.Text, AtEnd: true,
	}
	if logo.Shown && logo.Wordmark() {
		name.Text = ""
	}
	icon := c.BrandIcon(on, logo, 40)
	icon.AtEnd = true
	items := []kit.RowItem{name, icon}
	if name.Text != "" && icon.Icon > 0 {
		x := row.X1 - min(c.Line(name.Text, name.Style, 0).BoxWidth, row.X1-row.X0) - kit.BrandGap - float64(icon.Icon)
		if cut := 1200.0 - kit.SquareEdge; x < cut && x+float64(icon.Icon) > cut {
			slices.Reverse(items)
		}
	}
	c.PutRow(row, items...)
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
	return text.DisplayTitle(withoutQuotes(c.Quote), text.Site{Lang: c.Lang})
}

// quotePairs are marks that begin and end a quotation.
var quotePairs = []string{`""`, "“”", "„“", "„”", "””", "«»", "»«", "‹›", "「」", "『』", "‘’", "''"}

// withoutQuotes returns a text without surrounding quotation marks, since the card has its own.
func withoutQuotes(s string) string {
	s = strings.TrimSpace(s)
	for _, pair := range quotePairs {
		open, n := utf8.DecodeRuneInString(pair)
		shut := pair[n:]
		inner, ok := strings.CutPrefix(s, string(open))
		if inner, ok2 := strings.CutSuffix(inner, shut); ok && ok2 && !strings.Contains(inner, shut) {
			return strings.TrimSpace(inner)
		}
	}
	return s
}

// Measures of the mark: of its ink.
const (
	quoteMarkLeft   = 72
	quoteMarkBottom = 188
	quoteMarkHeight = 260
	quoteMarkMax    = 520 // width
	cornerHeight    = 128 // of a corner bracket, which is unrecognizable without its upper arm
)

// quoteMark returns the opening mark at its position; away moves it to the other side of the card.
func quoteMark(c *kit.Card, away bool) *image.Alpha {
	st := text.Style{Family: text.InstrumentSerif, Weight: 400, SizePx: 400, Exact: true, Lang: c.Lang}
	mark := string(text.OpeningQuote(c.Lang))
	ink := c.Engine().Line(mark, st, 0).Ink
	if ink.Empty() {
		return image.NewAlpha(image.Rectangle{})
	}
	height := float64(quoteMarkHeight)
	if mark == "「" {
		height = cornerHeight
	}
	st.SizePx *= min(height/(ink.Y1-ink.Y0), quoteMarkMax/(ink.X1-ink.X0))
	b := c.Engine().Line(mark, st, 0)
	w := b.Ink.X1 - b.Ink.X0
	x := float64(quoteMarkLeft)
	if away != c.RTL {
		x = float64(c.W) - x - w
	}
	return c.InkMask(b, x-b.Ink.X0, quoteMarkBottom-b.Ink.Y1)
}
