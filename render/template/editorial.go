package template

import (
	"masthead/render/paint"
	"masthead/render/text"
)

// The default: the calm front page of a good magazine.
var _ = register(Template{
	Info: Info{
		Slug: "editorial", Name: "Editorial", Mood: "The calm front page of a good magazine.",
		GoodFor: "Articles, essays, company blogs, and any page that says no more than its title",
		Needs:   []string{"title"}, TextSide: "left",
	},
	OG:       editorialOG,
	BlogHero: editorialHero,
})

func editorialOG(c *Card) {
	bg, site := c.BG(), siteOf(&c.Texts)
	canvas := c.Ground(paint.Solid(bg.Color))
	drawBackdropLetter(c, 1180, 612, 760)
	canvas.Fill(c.TextRect(72, 72, 1056, 2), c.Theme.Line)
	canvas.Fill(c.TextRect(72, 70, 96, 6), c.Theme.Gfx)
	logo := c.PlaceLogo(Corners{
		Margin: 72, Start: bg, End: bg, Upper: LogoLine{113, 44}, Lower: LogoLine{546, logoH},
	})

	// Over the title: its section, else where the page is, and when it was written.
	over := putEyebrowRow(c, eyebrowRow{
		on: bg, logo: logo, host: site.spareHost, date: c.Date, readingTime: c.ReadingTime,
		baseline: 122, sizePx: 24, maxLabel: 528,
	})
	// Below it: whose page it is.
	putBrandRow(c, brandRow{on: bg, logo: logo, row: logo.Lower, middle: 556, side: 40, hostSaid: over.hostSaid})

	column := Column{X: 72, Y: 168, W: 984, H: 336, Gap: 46, Under: over.bottom}
	if over.empty { // it moves up to the rule
		column.Y, column.Under = 126, 78
	}
	if logo.Lower.HasLogo { // it is higher than an icon
		column.H = 320
	}
	c.PutHeading(bg, column, Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(3, 92, 84, 76, 68).Then(4, 60, 54), MaxH: 284,
		Description: Description{SizePx: 30, W: 820, Lines: 2},
	})
}

func editorialHero(c *Card) {
	bg, site := c.BG(), siteOf(&c.Texts)
	canvas := c.Ground(paint.Solid(bg.Color))
	drawBackdropLetter(c, 1572, float64(c.H)-26, 1.2*float64(c.H))
	canvas.Fill(c.TextRect(128, 128, 1344, 2), c.Theme.Line)
	canvas.Fill(c.TextRect(128, 125, 128, 8), c.Theme.Gfx)
	logo := c.PlaceLogo(Corners{
		Margin: 128, Start: bg, End: bg, Upper: LogoLine{185, 56}, Lower: LogoLine{773, heroLogoH},
	})

	// Over the title: its section, else where the page is.
	host, readingTime := site.spareHost, c.ReadingTime
	if c.signed() { // then no brand row says the host, and the foot says the time
		host, readingTime = site.host, ""
	}
	over := putEyebrowRow(c, eyebrowRow{
		on: bg, logo: logo, host: host, readingTime: readingTime, baseline: 196, sizePx: 30, maxLabel: 672,
	})
	// Below it: who wrote it and when; a page that does not say shows whose it is.
	if c.signed() {
		c.PutRow(Row{Span: logo.Lower.Span, Anchor: Middle, Y: 773},
			RowItem{Parts: byline(&c.Spec), Style: c.TextStyle(32, 400), Role: Essential, Color: bg.Muted})
	} else {
		putBrandRow(c, brandRow{on: bg, logo: logo, row: logo.Lower, middle: 773, side: 46, hostSaid: over.hostSaid})
	}

	column := Column{X: 128, Y: 244, W: 1180, H: 470, Gap: 56, Under: over.bottom}
	if over.empty { // it moves up to the rule
		column.Y, column.Under = 190, 133
	}
	c.PutHeading(bg, column, Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(3, 120, 108, 96, 86).Then(4, 76, 66), MaxH: 400,
		Description: Description{SizePx: 36, W: 1000, Lines: 2},
	})
}
