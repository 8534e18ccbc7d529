package template

import (
	"cmp"
	"image/color"
	"strings"

	"masthead/render/paint"
	"masthead/render/text"
)

// Confidence: a title and a full stop.
var _ = register(Template{
	Info: Info{
		Slug: "minimal", Name: "Minimal", Mood: "Confidence: a title and a full stop.",
		GoodFor: "Personal sites, manifestos, portfolios", Needs: []string{"title"}, TextSide: "left",
	},
	OG: minimalOG,
})

func minimalOG(c *Card) {
	bg, site := c.BG(), siteOf(&c.Texts)
	c.Ground(paint.Solid(bg.Color))
	logo := c.PlaceLogo(Corners{
		Margin: 144, Start: bg, End: bg, Upper: LogoLine{90, 48}, Lower: LogoLine{546, logoH},
	})

	// Over the title: whose page it is.
	c.PutRow(Row{Span: logo.Upper.Span, Anchor: Middle, Y: 90, Gap: brandGap}, brandIcon(bg, logo, 36), RowItem{
		Text: cmp.Or(site.host, site.name), Style: c.TextStyle(26, 400), Role: Repeated, Color: bg.Muted, MaxW: 520,
		Address: true,
	})

	words, stops := withoutStop(c.Title)
	style := c.TitleStyle()
	style.Weight, style.LineHeight = 600, 1.10
	// The middle that the eye sees is 6 px above that of the card.
	title := c.PutHeading(bg, Column{X: 144, Y: 139, W: 912, H: 340, Anchor: Middle}, Heading{
		Title: words, Style: style, Ladder: text.Steps(3, 84, 76, 68).Then(4, 60, 54, 50),
	})
	if stops {
		drawFullStop(c, title, c.Theme.Gfx)
	}
}

// withoutStop returns a title without the full stop at its end. stops is false for a title that ends in another mark:
// a question needs no stop.
func withoutStop(s string) (title string, stops bool) {
	for _, stop := range []string{".", "。", "۔"} {
		if t := strings.TrimSuffix(s, stop); t != s && t != "" {
			return t, true
		}
	}
	for _, end := range []string{"?", "!", "…", "？", "！", "؟", ":", "。", ".", "।"} {
		if strings.HasSuffix(s, end) {
			return s, false
		}
	}
	return s, s != ""
}

// Measures of the full stop, in sizes of the title.
const (
	stopRadius = .105
	stopGap    = .20 // from the ink of the last letter to the middle of the stop
)

// drawFullStop draws a disc after the last letter of a title that is whole, on its baseline.
func drawFullStop(c *Card, title Placed, ink color.NRGBA) {
	if title.Empty() || title.Truncated {
		return
	}
	last := title.Lines[len(title.Lines)-1]
	radius, gap := stopRadius*title.SizePx, stopGap*title.SizePx
	x := title.X + last.Ink.X1 + gap
	if title.RTL {
		x = title.X + last.Ink.X0 - gap
	}
	baseline := float64(int(title.Y + last.Baseline + .5))
	c.canvas.Disc(x, baseline-radius, radius, ink)
}
