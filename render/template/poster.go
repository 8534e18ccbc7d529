package template

import (
	"image/color"
	"strings"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// One shout, on the accent.
var _ = register(Template{
	Info: Info{
		Slug: "poster", Name: "Poster", Mood: "One shout.",
		GoodFor: "Announcements, events and manifestos with a short title", Needs: []string{"title"}, TextSide: "left",
	},
	OG: posterOG,
})

func posterOG(c *Card) {
	page := posterSurface(&c.Theme)
	canvas := c.Ground(paint.Solid(page.Color))
	larger, smaller := posterDiscs(page)
	canvas.Disc(c.X(1040), 600, 420, larger)
	canvas.Disc(c.X(1040), 600, 250, smaller)
	logo := c.PlaceLogo(page, Corners{Margin: 72, Upper: LogoLine{84, logoH}, Lower: LogoLine{555, logoH}})

	column := Column{X: 72, Y: 72, InkTop: 60}
	if logo.Upper() {
		column.Y, column.InkTop = 152, 112+rowGap
	}
	style := c.TitleStyle()
	style.Weight, style.LineHeight, style.Tracking = 800, .96, style.Tracking-.01
	ladder := text.Steps(3, 168, 148, 132, 116, 104).Then(4, 92, 80).Then(5, 70)
	if !strings.ContainsAny(c.Title, " \u00a0") {
		ladder = append(text.Steps(1, 240, 228, 216, 204, 192, 180), ladder...)
	}
	title := c.Fit(c.Title, style, text.Box{W: 1056, H: 472 - column.Y}, ladder)
	c.PutColumn(column, Item{title, Title, page.Text})

	x, _ := logo.LowerRow()
	label := c.TruncateMiddle(siteLabel(&c.Texts), c.TextStyle(30, 600), 620)
	c.Put(Item{label, Repeated, page.Text}, x, Middle, 555)
}

// brightAccent is the lightness from which an accent would dazzle as the ground of a dark card.
const brightAccent = .92

// posterSurface is what everything stands on: the accent, in both modes, but for dark cards of a brand that is white,
// grey or black.
func posterSurface(th *palette.Theme) Surface {
	if th.Dark && (th.Neutral || th.LCH.L > brightAccent) {
		return Surface{Color: th.BG, Text: th.Text, OneInk: true}
	}
	return Surface{Color: th.Ground, Text: th.OnGround, OneInk: true}
}

// posterDiscs returns the colours of the two discs: steps of lightness from the ground, lighter on dark grounds. The
// title runs over them, so where lighter ones would take its contrast, the steps are made smaller or go the other
// way.
func posterDiscs(page Surface) (larger, smaller color.NRGBA) {
	ground := palette.ToLCH(page.Color)
	step := func(by float64) color.NRGBA {
		tone := ground
		tone.L += by
		return tone.Color()
	}
	first := 1.0
	if ground.L >= .6 {
		first = -1
	}
	for _, k := range []float64{first, .8 * first, .65 * first, -first, -.8 * first} {
		larger, smaller = step(k*.055), step(k*.10)
		if min(palette.Contrast(larger, page.Text), palette.Contrast(smaller, page.Text)) >= palette.MinText {
			return larger, smaller
		}
	}
	return page.Color, page.Color
}
