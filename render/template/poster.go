package template

import (
	"cmp"
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
	accent, site := posterSurface(&c.Theme), siteOf(&c.Texts)
	canvas := c.Ground(paint.Solid(accent.Color))
	larger, smaller := posterDiscs(accent)
	canvas.Disc(c.MotifX(1040), 600, 420, larger)
	canvas.Disc(c.MotifX(1040), 600, 250, smaller)
	logo := c.PlaceLogo(Corners{
		Margin: 72, Start: accent, End: accent, Upper: LogoLine{84, logoH}, Lower: LogoLine{555, logoH},
	})

	column := Column{X: 72, Y: 72, W: 1056, H: 400}
	if logo.Upper.HasLogo {
		column.Y, column.H, column.Under = 152, 320, 112
	}
	style := c.TitleStyle()
	style.Weight, style.LineHeight, style.Tracking = 800, .96, style.Tracking-.01
	title := c.Fit(c.Title, style, text.Box{W: column.W, H: column.H}, posterLadder(c.Title))
	c.PutColumn(column, Item{title, Title, accent.Text})

	// At the foot: where the page is.
	c.PutRow(Row{Span: logo.Lower.Span, Anchor: Middle, Y: 555}, RowItem{
		Text: cmp.Or(site.host, site.name), Style: c.TextStyle(30, 600), Role: Repeated, Color: accent.Text, MaxW: 620,
		Address: true,
	})
}

// posterLadder returns the sizes of a title: one word may be larger than several.
func posterLadder(title string) text.Ladder {
	several := text.Steps(3, 168, 148, 132, 116, 104).Then(4, 92, 80).Then(5, 70)
	if strings.ContainsAny(title, " \u00a0") {
		return several
	}
	return append(text.Steps(1, 240, 228, 216, 204, 192, 180), several...)
}

// brightAccent is the lightness from which an accent would dazzle as the ground of a dark card.
const brightAccent = .92

// posterSurface is what everything stands on: the accent, in both modes, but for dark cards of a brand that is white,
// grey or black.
func posterSurface(th *palette.Theme) Surface {
	if th.Dark && (th.Neutral || th.LCH.L > brightAccent) {
		return oneColor(th.BG, th.Text)
	}
	return oneColor(th.Ground, th.OnGround)
}

// posterDiscs returns the colours of the two discs: the ground, one step and two steps lighter, or darker on a light
// ground. The title runs over them: where it could not be read there, the steps are smaller, else they go the other
// way.
func posterDiscs(on Surface) (larger, smaller color.NRGBA) {
	ground := palette.ToLCH(on.Color)
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
		if min(palette.Contrast(larger, on.Text), palette.Contrast(smaller, on.Text)) >= palette.MinText {
			return larger, smaller
		}
	}
	return on.Color, on.Color
}
