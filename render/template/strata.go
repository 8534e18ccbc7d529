package template

import (
	"masthead/render/template/kit"
	"masthead/render/text"
)

// The landscape of horizon, for the top of an article: nothing but picture below the middle.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "strata", Name: "Strata", Mood: "A wide sky over layers of hills.",
		GoodFor: "Essays, travel and annual letters", Needs: []string{"title"}, TextSide: "left", Bare: true,
	},
	BlogHero: strataHero,
})

func strataHero(c *kit.Card) {
	bg := c.BG()
	land := landscape{
		sunX: 1180, sunY: 660, sun: 160, halo: 440,
		ridges: [3]hills{{640, 22, 227}, {705, 34, 307}, {780, 44, 400}},
	}
	land.drawSky(c, "strata")
	style := c.TitleStyle()
	style.LineHeight = 1.05
	c.PutHeading(bg, kit.Column{X: 128, Y: 212, W: 1344, H: 284, Gap: 48, Under: 180}, kit.Heading{
		Style: style, Ladder: text.Steps(2, 124, 112, 100, 88).Then(3, 80, 70, 62),
		Description: oneLineDescription(c, style,
			text.Box{W: 1344, H: 140}, 100, kit.Description{SizePx: 36, W: 1080, Lines: 2}),
	})
	on := land.drawLand(c)
	logo := c.PlaceLogo(kit.Corners{
		Margin: 128, Start: on, End: on,
		Upper: kit.LogoLine{Middle: 148, MaxH: 64}, Lower: kit.LogoLine{Middle: 764, MaxH: kit.HeroLogoH},
	})
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: logo.Upper, Middle: 144, Side: 48})
}
