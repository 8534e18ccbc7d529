package template

import (
	"cmp"
	"image"
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
		Needs:   []string{"quote", "author"}, TextSide: "left",
	},
	OG: quoteOG,
})

func quoteOG(c *kit.Card) {
	th := &c.Theme
	bg := c.On(th.Ramp(kit.ByMode(th.Dark, .25, .91), kit.ByMode(th.Dark, .7, .5), 0))
	over := c.Over(kit.Backdrop{Veil: func(_, _ float64) float64 { return .7 }})
	// Above it: the opening mark of the language, 260 px high, on the side of the text. A logo there moves it to the other
	// side.
	mark := quoteMark(c, c.Corner == kit.Corner{Right: c.RTL} && c.Logo != nil)
	fill := kit.LeadRun(th, -72, 188, kit.Tone{L: kit.ByMode(th.Dark, .72, .66), C: .9, DH: -14},
		kit.Tone{L: .52, C: 1, DH: 10})
	var canvas *paint.Canvas
	switch {
	case over:
		bg = c.BG()
		canvas = c.Begin(paint.Solid(th.BG))
		canvas.Mask(mark.Rect.Min.X, mark.Rect.Min.Y, mark, bg.Text)
	default:
		canvas = c.BeginAround(mark, fill, bg.Color)
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: bg,
		Upper: kit.LogoLine{Middle: 84, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 550, MaxH: 44},
	})

	// Below it: who said it, otherwise the site. A logo at the bottom moves it up.
	said, by := quoteOf(c)
	baseline, height := 516, 236.0
	if logo.Lower.HasLogo {
		baseline, height = 488, 212
	}
	site := kit.SiteOf(&c.Texts)
	name, role := by, site.Name
	if name == "" {
		name, role = cmp.Or(site.Name, site.Host), site.SpareHost
	}
	if text.Same(name, role) {
		role = ""
	}
	if name != "" {
		canvas.Fill(c.TextRect(72, baseline-16, 64, 6), c.BarOn(bg.Color))
	}
	c.PutRow(kit.Row{Span: kit.Span{X0: 160, X1: 1128}, Anchor: kit.Bottom, Y: float64(baseline), Gap: 24},
		kit.RowItem{Text: name, Style: c.TextStyle(36, 600), Role: kit.Essential, Color: bg.Text},
		kit.RowItem{
			Text: role, Style: c.TextStyle(28, 400), Role: kit.Repeated, Color: bg.Muted, Address: role == site.SpareHost,
		})

	c.PutHeading(bg, kit.Column{X: 72, Y: 216, W: 1056, H: height, Anchor: kit.Middle, Under: 188}, kit.Heading{
		Title: said, Style: quoteStyle(c, said),
		Ladder: text.Steps(1, 124, 110, 98).Then(2, 88, 78).Then(3, 68, 60, 52).Then(4, 46),
	})
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

// quoteOf returns the text of the card, and who said it: the quotation of the page, otherwise its description,
// otherwise its title. A quotation without a name has no author: the page's author may be quoting.
func quoteOf(c *kit.Card) (said, by string) {
	shown := func(s string) string { return text.DisplayTitle(withoutQuotes(s), text.Site{Lang: c.Lang}) }
	if s := shown(c.Quote); s != "" {
		return s, c.QuoteAuthor
	}
	if s := shown(c.Description); s != "" {
		return s, c.Author
	}
	return withoutQuotes(c.Title), c.Author
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
