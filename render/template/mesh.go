package template

import (
	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// Light through fluted glass.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "mesh", Name: "Mesh", Mood: "Light through fluted glass.",
		GoodFor: "Products, launches of companies and pages that have no picture of their own",
		Needs:   []string{"title"}, TextSide: "left",
	},
	OG:       meshOG,
	BlogHero: meshHero,
	Sized: []kit.FormatLayout{
		{Format: kit.Square, Draw: meshUpright}, {Format: kit.Feed, Draw: meshUpright},
		{Format: kit.Header, Draw: meshHeader}, {Format: kit.Banner, Draw: meshHeader},
	},
})

// meshOG has the mark at the top, the title at the bottom of the text zone, and the glass next to and behind it.
func meshOG(c *kit.Card) {
	bg := c.BG()
	glass := motif.Glass(c, 480, 48, 1)
	if c.Over(kit.Backdrop{Flutes: glass.Flutes, Softness: meshSoftness}) {
		c.Begin(paint.Solid(bg.Color))
	} else {
		c.Begin(paint.Lit{Light: motif.FlutedLight(c, kit.View{}), Glass: glass})
	}
	at := kit.Corners{
		Margin: 72, Start: bg, End: bg,
		Upper: kit.LogoLine{Middle: 88, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	}
	c.FadeBehindLogo(at, false)
	logo := c.PlaceLogo(at)
	row := logo.Upper
	row.X1 = min(row.X1, 740)
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: row, Middle: 88, Side: 48})

	column := kit.Column{X: 72, Y: 168, W: 760, H: 338, Anchor: kit.Bottom, Gap: 40, Under: 128, Foot: 528}
	if logo.Lower.HasLogo && !logo.AtEnd {
		column.H, column.Foot = 308, 498
	}
	c.PutHeading(bg, column, kit.Heading{
		Style: meshStyle(c), Ladder: text.Steps(3, 104, 92, 84, 76).Then(4, 68).Then(5, 60, 56), MaxH: column.Foot - column.Y,
		Description: oneLineDescription(c, meshStyle(c), text.Box{W: 760, H: 110}, 84,
			kit.Description{SizePx: 32, W: 760, Lines: 2}),
	})
	if !c.HasPicture() {
		c.Calm(false, bg.Color, c.MotifRect(200, 0, 840, c.H))
	}
}

// meshHero is the same, larger, with author and date below the title.
func meshHero(c *kit.Card) {
	bg := c.BG()
	glass := motif.Glass(c, 640, 64, 4./3)
	if c.Over(kit.Backdrop{Flutes: glass.Flutes, Softness: meshSoftness}) {
		c.Begin(paint.Solid(bg.Color))
	} else {
		c.Begin(paint.Lit{Light: motif.FlutedLight(c, kit.View{K: 4. / 3}), Glass: glass})
	}
	at := kit.Corners{
		Margin: 128, Start: bg, End: bg,
		Upper: kit.LogoLine{Middle: 148, MaxH: kit.HeroLogoH}, Lower: kit.LogoLine{Middle: 764, MaxH: kit.HeroLogoH},
	}
	c.FadeBehindLogo(at, false)
	logo := c.PlaceLogo(at)
	row := logo.Upper
	row.X1 = min(row.X1, 1040)
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: row, Middle: 148, Side: 60})

	column := kit.Column{X: 128, Y: 240, W: 1100, H: 460, Anchor: kit.Bottom, Gap: 56, Under: 200, Foot: 738}
	if c.Signed() {
		c.PutRow(kit.Row{Span: kit.Span{X0: logo.Lower.X0, X1: min(logo.Lower.X1, 1108)}, Anchor: kit.Bottom, Y: 784},
			kit.RowItem{Parts: kit.Byline(&c.Spec), Style: c.TextStyle(32, 400), Role: kit.Essential, Color: bg.Muted})
	} else {
		column.H, column.Foot = 530, 800
	}
	if logo.Lower.HasLogo && !logo.AtEnd {
		column.H, column.Foot = 440, 708
	}
	c.PutHeading(bg, column, kit.Heading{
		Style: meshStyle(c), Ladder: text.Steps(3, 140, 124, 112).Then(4, 100, 92).Then(5, 84, 76),
		MaxH: column.Foot - column.Y,
		Description: oneLineDescription(c, meshStyle(c), text.Box{W: 1100, H: 150}, 112,
			kit.Description{SizePx: 36, W: 900, Lines: 2}),
	})
	if !c.HasPicture() {
		c.Calm(false, bg.Color, c.MotifRect(260, 0, 1130, c.H))
	}
}

// meshSoftness is how many times a picture is reduced behind the glass: otherwise its details would repeat as rows.
const meshSoftness = 32

// meshStyle is the style of the title.
func meshStyle(c *kit.Card) text.Style {
	style := c.TitleStyle()
	style.LineHeight = 1.04
	return style
}

// oneLineDescription returns a description for a card that has one only below a title of one line: if the title fits a
// box of one line at a size, otherwise none.
func oneLineDescription(
	c *kit.Card, style text.Style, box text.Box, sizePx float64, d kit.Description,
) kit.Description {
	b := c.Fit(c.Title, style, box, text.Steps(1, sizePx))
	if b.Empty() || len(b.Lines) > 1 || b.Truncated || b.BoxWidth > box.W {
		return kit.Description{}
	}
	return d
}
