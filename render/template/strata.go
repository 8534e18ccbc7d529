package template

import "masthead/render/text"

// The landscape of horizon, for the head of an article: nothing but picture below the middle.
var _ = register(Template{
	Info: Info{
		Slug: "strata", Name: "Strata", Mood: "A wide sky over layers of hills.",
		GoodFor: "Essays, travel and annual letters", Needs: []string{"title"}, TextSide: "left",
	},
	BlogHero: strataHero,
})

func strataHero(c *Card) {
	bg := c.BG()
	land := landscape{
		sunX: 1180, sunY: 660, sun: 160, halo: 440,
		ridges: [3]hills{{640, 22, 227}, {705, 34, 307}, {780, 44, 400}},
	}
	land.drawSky(c, "strata", skyBackdrop(900))
	style := c.TitleStyle()
	style.LineHeight = 1.05
	c.PutHeading(bg, Column{X: 128, Y: 212, W: 1344, H: 284, Gap: 48, Under: 180}, Heading{
		Style: style, Ladder: text.Steps(2, 124, 112, 100, 88).Then(3, 80, 70, 62),
		Description: oneLineDescription(c, style, text.Box{W: 1344, H: 140}, 100, Description{SizePx: 36, W: 1080, Lines: 2}),
	})
	on := land.drawLand(c)
	logo := c.PlaceLogo(Corners{
		Margin: 128, Start: on, End: on, Upper: LogoLine{148, 64}, Lower: LogoLine{764, heroLogoH},
	})
	putBrandRow(c, brandRow{on: bg, logo: logo, row: logo.Upper, middle: 144, side: 48})
}
