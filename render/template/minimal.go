package template

import (
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
	th, page := &c.Theme, c.Page()
	c.Ground(paint.Solid(th.BG))
	logo := c.PlaceLogo(page, Corners{Margin: 144, Upper: LogoLine{90, 48}, Lower: LogoLine{546, logoH}})

	// Over the title: whose page it is.
	x, _ := logo.UpperRow()
	if logo.Slot == NoSlot {
		drawIcon(c, page, 144, 72, 36)
		x += 36 + brandGap
	}
	label := c.TruncateMiddle(siteLabel(&c.Texts), c.TextStyle(26, 400), 520)
	c.Put(Item{label, Repeated, th.Muted}, x, Middle, 90)

	words, stops := withoutStop(c.Title)
	style := c.TitleStyle()
	style.Weight, style.LineHeight = 600, 1.10
	title := c.Fit(words, style, text.Box{W: 912, H: 340}, text.Steps(3, 84, 76, 68).Then(4, 60, 54, 50))
	placed := c.Put(Item{title, Title, th.Text}, 144, Middle, 315-6) // 6: the middle that the eye sees is higher
	if stops && !title.Truncated {
		drawFullStop(c, placed, th.Gfx)
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

// drawFullStop draws a disc after the last letter of a title, on its baseline.
func drawFullStop(c *Card, title Placed, ink color.NRGBA) {
	if title.Empty() {
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
