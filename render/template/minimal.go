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
		Slug: "minimal", Name: "Minimal", Mood: "Confidence: a title and a full stop.", Kinds: []Kind{OG},
		GoodFor: "Personal sites, manifestos, portfolios", Needs: []string{"title"}, TextSide: "left",
	},
	OG: minimalOG,
})

func minimalOG(c *Card) {
	th := &c.Theme
	c.LogoTop, c.LogoWidth = 48, 140
	c.Ground(paint.Solid(th.BG))
	c.signature(144, 90)

	var stops bool
	c.Title, stops = withoutStop(c.Title)
	st := c.TitleStyle()
	st.Weight, st.LineHeight = 600, 1.10
	title := c.Fit(st, text.Box{W: 912, H: 340}, text.Steps(3, 84, 76, 68).Then(4, 60, 54, 50))
	y := 315 - 6 - title.Height/2 // 6: the middle that the eye sees is higher
	c.Put(Title, title, 144, y, th.Text)
	if stops && !title.Truncated {
		c.fullStop(title, 144, y, th.Gfx)
	}
}

// signature is the row above the title: the icon and the host. A logo in this corner takes the icon's place; one in another corner keeps to
// the same margins.
func (c *Card) signature(margin, middle float64) {
	x, end := margin, float64(c.W)-margin
	logo, at := c.logo()
	switch at {
	case noSlot:
		c.DrawIcon(int(x), int(middle)-18, 36)
		x += 36 + brandGap
	case topStart:
		c.draw(logo, int(x), int(middle)-logo.H/2)
		x += float64(logo.W) + logoGap
	case topEnd:
		c.draw(logo, int(end)-logo.W, int(middle)-logo.H/2)
	case bottomStart:
		c.draw(logo, int(x), 546-logo.H/2)
	case bottomEnd:
		c.draw(logo, int(end)-logo.W, 546-logo.H/2)
	}
	c.PutMiddle(Repeated, c.TruncateMiddle(c.siteLabel(), c.TextStyle(26, 400), 520), x, middle, c.Theme.Muted)
}

// withoutStop returns a title without the full stop at its end. stops is false for a title that ends in another mark: a question needs no stop.
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

// fullStop draws a disc after the last letter of a title, on its baseline.
func (c *Card) fullStop(title Block, x, y float64, ink color.NRGBA) {
	if title.Empty() {
		return
	}
	last := title.Lines[len(title.Lines)-1]
	radius, gap := stopRadius*title.SizePx, stopGap*title.SizePx
	cx := c.mirror(x, title.BoxWidth) + last.Ink.X1 + gap
	if title.RTL {
		cx = c.mirror(x, title.BoxWidth) + last.Ink.X0 - gap
	}
	baseline := float64(int(y + c.down + last.Baseline + .5))
	c.canvas.Disc(cx, baseline-radius, radius, ink)
}
