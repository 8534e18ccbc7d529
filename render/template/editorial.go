package template

import (
	"cmp"

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
	th, page := &c.Theme, c.Page()
	canvas := c.Ground(paint.Solid(th.BG))
	drawBackdropLetter(c, 1180, 612, 760)
	canvas.Fill(c.Rect(72, 72, 1056, 2), th.Line)
	canvas.Fill(c.Rect(72, 70, 96, 6), th.Gfx)
	logo := c.PlaceLogo(page, Corners{Margin: 72, Upper: LogoLine{113, 44}, Lower: LogoLine{546, logoH}})

	// Over the title: its section, else where the page is, and when it was written.
	label, date := cmp.Or(c.Eyebrow, spareHost(&c.Texts), c.Date, c.ReadingTime), c.Date
	if label == date {
		date = ""
	}
	over := putEyebrowRow(c, eyebrowRow{logo: logo, label: label, date: date, baseline: 122, sizePx: 24, maxLabel: 528})

	// Below it: whose page it is.
	brand := brandRow{on: page, logo: logo, middle: 556, side: 40, hostSaid: label == c.Host}
	room := 336.0
	if logo.Lower() { // it is higher than an icon
		brand.middle, room = 546, 320
	}
	putBrandRow(c, brand)

	title := Column{X: 72, Y: 168, InkTop: over + rowGap}
	if over == 0 { // it moves up to the rule
		title.Y, title.InkTop = 126, 78+rowGap
	}
	c.PutTitle(title, text.Stack{
		Title: c.Title, TitleStyle: c.TitleStyle(), TitleBox: text.Box{W: 984, H: 284},
		Ladder: text.Steps(3, 92, 84, 76, 68).Then(4, 60, 54),
		Text:   c.Description, TextStyle: c.TextStyle(30, 400), TextWidth: 820, TextLines: 2, TextGiven: c.DescriptionGiven,
		Gap: 46, MaxHeight: room,
	})
}

func editorialHero(c *Card) {
	th, page := &c.Theme, c.Page()
	canvas := c.Ground(paint.Solid(th.BG))
	drawBackdropLetter(c, 1572, float64(c.H)-26, 1.2*float64(c.H))
	canvas.Fill(c.Rect(128, 128, 1344, 2), th.Line)
	canvas.Fill(c.Rect(128, 125, 128, 8), th.Gfx)
	logo := c.PlaceLogo(page, Corners{Margin: 128, Upper: LogoLine{185, 56}, Lower: LogoLine{773, heroLogoH}})

	// Over the title: its section, else where the page is.
	label := cmp.Or(c.Eyebrow, hostBeside(&c.Texts))
	if !c.signed() {
		label = cmp.Or(c.Eyebrow, spareHost(&c.Texts), c.ReadingTime)
	}
	over := putEyebrowRow(c, eyebrowRow{logo: logo, label: label, baseline: 196, sizePx: 30, maxLabel: 672})

	// Below it: who wrote it and when; a page that does not say shows whose it is.
	if x0, x1 := logo.LowerRow(); c.signed() {
		c.Put(Item{byline(c, c.TextStyle(32, 400), x1-x0), Essential, th.Muted}, x0, Middle, 773)
	} else {
		putBrandRow(c, brandRow{on: page, logo: logo, middle: 773, side: 46, hostSaid: label == c.Host})
	}

	title := Column{X: 128, Y: 244, InkTop: over + rowGap}
	if over == 0 { // it moves up to the rule
		title.Y, title.InkTop = 190, 133+rowGap
	}
	c.PutTitle(title, text.Stack{
		Title: c.Title, TitleStyle: c.TitleStyle(), TitleBox: text.Box{W: 1180, H: 400},
		Ladder: text.Steps(3, 120, 108, 96, 86).Then(4, 76, 66),
		Text:   c.Description, TextStyle: c.TextStyle(36, 400), TextWidth: 1000, TextLines: 2, TextGiven: c.DescriptionGiven,
		Gap: 56, MaxHeight: 470,
	})
}

const (
	rowGap  = 16  // the least distance of the ink of a title to what stands over it
	rowFree = 320 // the least width that stays empty between the two ends of a row
)

// eyebrowRow is the row over the title: a label in capitals at its start and a date at its end, beside a logo in an
// upper corner.
type eyebrowRow struct {
	logo        Logo
	label, date string

	baseline, sizePx float64
	maxLabel         float64 // width
}

// putEyebrowRow places the row. It returns where its ink ends, 0 for an empty row.
func putEyebrowRow(c *Card, r eyebrowRow) (bottom float64) {
	style := c.LabelStyle(r.sizePx)
	if r.label == c.Host {
		style.Lang = "" // a host knows no language: in Turkish its i would become İ
	}
	if r.logo.Upper() {
		bottom = float64(r.logo.Y + r.logo.H)
	}
	x0, x1 := r.logo.UpperRow()
	return max(bottom, c.PutRow(Row{X0: x0, X1: x1, Anchor: Bottom, Y: r.baseline, MinFree: rowFree},
		RowText{Text: r.label, Style: style, Role: Essential, Ink: c.Theme.Ink, MaxW: r.maxLabel},
		RowText{Text: r.date, Style: c.TextStyle(r.sizePx, 400), Role: Essential, Ink: c.Theme.Muted, AtEnd: true}))
}
