package template

import (
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// A cut through the earth: fifteen beds of rock under a clear sky, broken by one fault. The title is in the sky; the
// beds are lower where it needs more room.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "strata", Name: "Strata", Mood: "A cut through the earth: beds of rock under a clear sky.",
		GoodFor: "Essays, travel and annual letters", Needs: []string{"title"}, TextSide: "left", Bare: true,
	},
	BlogHero: strataHero,
	Sized:    []kit.FormatLayout{{Format: kit.Header, Draw: strataHeader}, {Format: kit.Banner, Draw: strataHeader}},
})

func strataHero(c *kit.Card) {
	th := &c.Theme
	sky := strataSky(th)
	on := c.On(sky[len(sky)-1])

	// A logo above the title moves nothing: it is in the row of the site.
	style := c.TitleStyle()
	style.LineHeight = 1.05
	c.PutHeading(on, kit.Column{X: 128, Y: 212, W: 1344, H: 310, Gap: 48, Under: 180}, kit.Heading{
		Style: style, Ladder: text.Steps(2, 140, 124, 108, 96).Then(3, 96),
		Description: kit.Description{SizePx: 36, W: 1080, Lines: 1, MaxTitleLines: 2},
	})
	beds := motif.BedTones(th)
	c.Begin(paint.Linear{Angle: paint.Down, Colors: sky, To: int(strataHill.Top + c.Lowered())}, beds[:]...)
	strataHill.Draw(c, beds)

	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.MutedOn(th.Surface2), Accent: th.AccentTextOn(th.Surface2)}
	corner := on
	if c.Corner.Bottom {
		corner = chip
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 128, Start: corner, End: corner, ChipAtStart: c.Corner.Bottom, ChipAtEnd: c.Corner.Bottom,
		Upper: kit.LogoLine{Middle: 148, MaxH: 64}, Lower: kit.LogoLine{Middle: 764, MaxH: kit.HeroLogoH},
	})
	kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: logo.Upper, Middle: 144, Side: 48})
}

// strataHeader has the fault behind the texts, and the beds beyond it as high as the card.
func strataHeader(c *kit.Card) {
	sky := strataSky(&c.Theme)
	on := c.On(sky[len(sky)-1])
	place := motif.Beds{Top: float64(c.H) - 42, Fault: 1240, Throw: .58 * float64(c.H), Waves: .5}
	beds := motif.BedTones(&c.Theme)
	c.Begin(paint.Linear{Angle: paint.Down, Colors: sky, To: c.H}, beds[:]...)
	kit.PutHeader(c, on, kit.Heading{})
	place.Draw(c, beds)
}

// strataSky returns the colors of the sky, from the top down.
func strataSky(th *palette.Theme) []color.NRGBA {
	return palette.Gradient(
		th.Ramp(kit.ByMode(th.Dark, .17, .975), kit.ByMode(th.Dark, .45, .1), kit.ByMode(th.Dark, 10, 0)),
		th.Ramp(kit.ByMode(th.Dark, .30, .93), kit.ByMode(th.Dark, .7, .3), kit.ByMode(th.Dark, 0, -10)))
}

var strataHill = motif.Beds{Top: 560, Fault: 1290, Throw: 96, Waves: 1}
