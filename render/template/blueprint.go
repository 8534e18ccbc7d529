package template

import (
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// The site's initial as a type designer's drawing.
//
// A tinted background with a grid of 32 px. On it is the letter as its typeface draws it: the outline, a square at each
// point, a line to a disc for each handle, between the baseline and the cap line. Ideograms have squares only at
// corners. A site without a letter gets an arch. The title is next to it, in the page's typeface; above it are section
// and date in monospace, and below it the site. With a logo next to it, the letter is smaller. It is never drawn over a
// picture.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "blueprint", Name: "Blueprint", Mood: "A type designer's drawing of the initial.",
		GoodFor: "Documentation, changelogs, engineering and design", Needs: []string{"title", "siteName"},
		TextSide: "left", Bare: true,
	},
	BlogHero: blueprintHero,
})

func blueprintHero(c *kit.Card) {
	on := blueprintSurface(&c.Theme)
	c.Begin(paint.Solid(on.Color))
	motif.DrawGrid(c)
	logo := c.PlaceLogo(kit.Corners{
		Margin: 128, Start: on, End: on, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 152, MaxH: 56}, Lower: kit.LogoLine{Middle: 763, MaxH: kit.HeroLogoH},
	})
	motif.DrawLetterPlan(c, on, planSize(&logo))

	// Above the title: its section, and the date.
	mono := c.Style(text.Family("jetbrains-mono").Text(28, 400))
	kicker := kit.Row{Span: logo.Upper.Span, Anchor: kit.Bottom, Y: 176, Gap: 20}
	kicker.X1 = min(kicker.X1, motif.PlanLeft)
	slash := kit.RowItem{}
	if c.Eyebrow != "" && c.Date != "" {
		slash = kit.RowItem{Text: "/", Style: mono, Role: kit.Essential, Color: on.Accent}
	}
	bottom, said := c.PutRow(kicker,
		kit.RowItem{Text: c.Eyebrow, Style: mono, Role: kit.Essential, Color: on.Accent}, slash,
		kit.RowItem{Text: c.Date, Style: mono, Role: kit.Essential, Color: on.Accent})

	const apart = 14 // of the title from the line above it, besides the usual gap
	column := kit.Column{X: 128, Y: 240, W: 740, H: 460, Under: bottom + apart}
	switch {
	case logo.Upper.HasLogo && !logo.AtEnd:
		column.Under = max(bottom, float64(logo.Y+logo.H))
	case !said: // otherwise it moves up
		column.Y, column.H, column.Under = 156, 544, 0
	}
	style := c.TitleStyle()
	style.LineHeight = 1.04
	c.PutHeading(on, column, kit.Heading{
		Style: style, Ladder: text.Steps(2, 226, 214, 202, 190, 178, 166, 156, 136).Then(5, 116, 104, 92, 80),
	})

	foot := logo.Lower
	foot.X1 = min(foot.X1, motif.PlanLeft)
	kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: foot, Middle: 765, Side: 40})
}

// blueprintSurface is the tinted background; its accent is the color of the drawing.
func blueprintSurface(th *palette.Theme) kit.Surface {
	background := th.Ramp(.96, .12, 0)
	if th.Dark {
		background = th.Ramp(.26, .8, 0)
	}
	return kit.Surface{Color: background, Text: th.Text, Muted: th.MutedOn(background), Accent: motif.PlanInk(th, background)}
}

// planSize returns the place of the letter: it leaves room for a logo on its side of the card.
func planSize(logo *kit.Logo) motif.PlanPlace {
	switch {
	case logo.AtEnd && logo.Upper.HasLogo:
		return motif.PlanPlace{Size: 700, Base: 752}
	case logo.AtEnd && logo.Lower.HasLogo:
		return motif.PlanPlace{Size: 740, Base: 660}
	}
	return motif.PlanPlace{Size: 860, Base: 756}
}
