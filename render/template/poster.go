package template

import (
	"cmp"
	"image"
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
	over := c.Over(posterBackdrop(accent))
	c.Ground(paint.Solid(accent.Color))

	column := Column{X: 72, Y: 72, W: 1056, H: 400}
	if c.Logo != nil && !c.Corner.Bottom {
		column.Y, column.H, column.Under = 152, 320, 112
	}
	style := c.TitleStyle()
	style.Weight, style.LineHeight, style.Tracking = 800, .96, style.Tracking-.01
	title := c.Fit(c.Title, style, text.Box{W: column.W, H: column.H}, posterLadder(c.Title))
	placed := c.PutColumn(column, Item{title, Title, accent.Text})
	if !over {
		var lines []image.Rectangle
		for _, p := range placed {
			for _, l := range p.Lines {
				lines = append(lines, p.box(l.Ink))
			}
		}
		drawPosterFigure(c, accent, lines)
	}
	logo := c.PlaceLogo(Corners{
		Margin: 72, Start: accent, End: accent, Upper: LogoLine{84, logoH}, Lower: LogoLine{555, logoH},
		ChipAtEnd: !over,
	})

	// At the foot: where the page is, after the icon of its site.
	foot := Row{Span: Span{logo.Lower.X0, min(logo.Lower.X1, 560)}, Anchor: Middle, Y: 555, Gap: brandGap}
	c.PutRow(foot, c.brandIcon(accent, logo, 42), RowItem{
		Text: cmp.Or(site.host, site.name), Style: c.TextStyle(30, 600), Role: Repeated, Color: accent.Text,
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
	// It is calmer than the accent: less dazzling in colour, and deeper on a dark card as far as dark text allows.
	const most = .19
	deeper, ground := .10, palette.ToLCH(th.Ground)
	ground.C = min(ground.C, most)
	if th.Yellow() && th.Dark { // to gold, not to mustard
		const gold = -12
		deeper, ground.H = .04, ground.H+gold
	}
	for by := deeper; th.Dark && by > 0; by -= .02 {
		calm := ground
		calm.L -= by
		if palette.Contrast(calm.Color(), th.OnGround) >= posterText {
			return oneColor(calm.Color(), th.OnGround)
		}
	}
	if calm := ground.Color(); palette.Contrast(calm, th.OnGround) >= palette.MinText {
		return oneColor(calm, th.OnGround)
	}
	return oneColor(th.Ground, th.OnGround)
}

// posterText is the contrast that a title keeps on a ground that was made deeper.
const posterText = 6

// Figures of the duotone.
const (
	duotoneSpan = .40 // between its two colours, in lightness
	duotoneText = palette.MinText + .2
	calmText    = 8.5 // contrast of text on the ink that calms the picture, where the hue has it
	deepText    = 6.5 // on the darker tone under dark text
	paleSpan    = .6  // of the way from the ground to white, under dark text
	deepSpan    = .12 // from the ground to the darker tone under dark text
)

// posterBackdrop prints a picture in two tones of the ground on which all text can be read: the ground and a deeper
// one, or under dark text a paler one.
func posterBackdrop(on Surface) Backdrop {
	ground := palette.ToLCH(on.Color)
	tone := func(l float64) color.NRGBA {
		t := ground
		t.L = min(max(l, .08), .985)
		return t.Color()
	}
	// step moves a lightness as long as text has more than a contrast, or less, at most so far.
	step := func(l, by, most, contrast float64, more bool) float64 {
		for end := l + most*by/.01; (palette.Contrast(tone(l), on.Text) > contrast) == more && (end-l)*by > 0; {
			l += by
		}
		return l
	}
	if palette.Luminance(on.Text) > palette.Luminance(on.Color) {
		light := step(ground.L, .01, .34, 6, true) // a black ground shows nothing
		light = step(light, -.01, .3, duotoneText, false)
		return Backdrop{
			Ink: tone(step(ground.L, -.01, .3, calmText, false)), Dark: tone(light - duotoneSpan), Light: tone(light),
		}
	}
	dark := step(ground.L, -.01, deepSpan, deepText, true)
	dark = step(dark, .01, .3, duotoneText, false)
	return Backdrop{
		Ink: tone(step(ground.L, .01, .2, calmText, false)), Dark: tone(dark),
		Light: tone(max(ground.L+paleSpan*(1-ground.L), dark+.1)),
	}
}
