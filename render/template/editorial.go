package template

import (
	"image"
	"image/color"
	"slices"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// The default: the front page of a good magazine.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "editorial", Name: "Editorial", Mood: "The front page of a good magazine.",
		GoodFor: "Articles, essays, company blogs, and any page with little more than a title",
		Needs:   []string{"title"}, TextSide: "left", Photo: []kit.Kind{kit.OG, kit.BlogHero},
	},
	OG:       editorialOG,
	BlogHero: editorialHero,
	Fits: func(kind kit.Kind, size image.Point) bool {
		if kind == kit.BlogHero {
			return size.X >= leastPanel.X && size.Y >= leastPanel.Y
		}
		return size.X >= leastPlate.X && size.Y >= leastPlate.Y
	},
})

// Minimum sizes of pictures: for a hero's panel of 560×900, and for a share image's plate of up to 496×498. One of
// 1200×630 suffices for both.
var leastPanel, leastPlate = image.Pt(415, 600), image.Pt(368, 240)

// editorialOG draws the title next to the page's own picture, or over the initial of the site, which three edges cut
// and which emerges from the dark toward the end of the lines.
func editorialOG(c *kit.Card) {
	if c.OfPage() {
		editorialPlate(c)
		return
	}
	bg, site := c.BG(), kit.SiteOf(&c.Texts)
	over := c.Over(editorialBackdrop(1200, 630, 944))
	reach, labelReach := 1128.0, 1128.0 // of the texts other than the title
	if over {
		c.Begin(paint.Solid(bg.Color))
	} else {
		letter := editorialLetter(&c.Theme)
		drawEditorialLetter(c, letter, bg)
		reach, labelReach = letter.reach(bg.Muted), letter.reach(bg.Accent)
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: bg, ChipAtEnd: !over,
		Upper: kit.LogoLine{Middle: 89, MaxH: 56}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})
	logo.Upper.X1, logo.Lower.X1 = min(logo.Upper.X1, reach), min(logo.Lower.X1, reach)

	// Above the title: its section, otherwise the host, and the date.
	head := kit.PutEyebrowRow(c, kit.EyebrowRow{
		On: bg, Logo: logo, Host: site.SpareHost, Date: c.Date, ReadingTime: c.ReadingTime,
		Baseline: 98, SizePx: 26, MaxLabel: min(560, labelReach-logo.Upper.X0),
	})
	// Below it: the site.
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: logo.Lower, Middle: 560, Side: 40, HostSaid: head.HostSaid})

	column, description := kit.Column{X: 72, Y: 142, W: 1000, H: 362, Gap: 36, Under: head.Bottom}, 800.0
	if over { // the picture is on the other side
		column.W, description = 740, 640
	}
	if head.Empty { // it moves up
		column.Y, column.H = 100, 404
	}
	if logo.Lower.HasLogo { // it is higher than an icon
		column.H -= 20
	}
	heading := kit.Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(3, 116, 104, 92, 84, 76).Then(4, 66, 56), MaxH: 300,
		Description: kit.Description{SizePx: 32, W: description, Lines: 2},
	}
	heading.Style.LineHeight = 1.03
	if c.Description == "" { // the title has its room
		heading.Ladder, heading.MaxH = append(text.Steps(3, 128), heading.Ladder...), column.H
	}
	c.PutHeading(bg, column, heading)
}

// editorialGradient is that of the letter of a share image: where it becomes visible, up to where it may be behind
// text, and where it is a shape.
type editorialGradient [3]struct {
	x     float64
	color color.NRGBA
}

// editorialLetter returns the colors of the letter: behind the text barely distinguishable from the background.
func editorialLetter(th *palette.Theme) editorialGradient {
	if th.Dark {
		return editorialGradient{{640, th.Lead(.20, .3, 0)}, {880, th.Lead(.27, .6, 0)}, {1200, th.Lead(.56, 1, 0)}}
	}
	return editorialGradient{{640, th.Lead(.965, .3, 0)}, {880, th.Lead(.925, .6, 0)}, {1200, th.Lead(.66, 1, 0)}}
}

// stops returns the gradient evenly spaced from its first position to its last.
func (g *editorialGradient) stops() []color.NRGBA {
	var stops []palette.Stop
	for _, s := range g {
		stops = append(stops, palette.Stop{At: (s.x - g[0].x) / (g[2].x - g[0].x), Color: s.color})
	}
	return palette.GradientAt(stops...)
}

// reach returns how far a text of a color may extend over the letter.
func (g *editorialGradient) reach(ink color.NRGBA) float64 {
	stops := g.stops()
	for i, s := range stops {
		if palette.Contrast(s, ink) < palette.MinText+.1 {
			return g[0].x + (g[2].x-g[0].x)*float64(i-1)/float64(len(stops)-1)
		}
	}
	return 1128
}

// drawEditorialLetter covers a share image with its background and the letter, or an arch if the site has none.
func drawEditorialLetter(c *kit.Card, g editorialGradient, bg kit.Surface) {
	l := paint.Linear{Angle: paint.Right, Colors: g.stops(), From: int(g[0].x), To: int(g[2].x)}
	if c.RTL {
		slices.Reverse(l.Colors)
		l.From, l.To = c.W-l.To, c.W-l.From
	}
	letter, _ := c.LeadInitial(1010, 810)
	shape := kit.Stencil(c.LetterKey("editorial", letter), func() *image.Alpha { return editorialShape(c, letter) })
	c.Begin(paint.Through{Gradient: l, Shape: shape, Around: bg.Color}, bg.Color, bg.Text, bg.Muted, bg.Accent)
}

// editorialShape returns the coverage of the letter of a share image, or of an arch if there is none.
func editorialShape(c *kit.Card, letter kit.Block) *image.Alpha {
	const cut, margin = 60, 80 // how much of the letter the edge cuts, and the margin of the mask beyond the card
	if letter.Empty() {
		return c.ArchMask(960, 300, 330, 150)
	}
	m := image.NewAlpha(image.Rect(-margin, 0, c.W+margin, c.H))
	ink := letter.Ink
	y := 664 - max(letter.CapHeight, ink.Y1-1)
	if letter.Style.Family != text.InstrumentSerif { // centered
		y = 318 - (ink.Y0+ink.Y1)/2
	}
	w := ink.X1 - ink.X0
	c.MaskInk(m, letter, c.Mirror(1200+cut-w, w)-ink.X0, y)
	// A stem whose serifs are cut would leave a sliver of the background next to it.
	shift := bareEdge(c, m)
	if shift > margin-cut {
		shift = 0
	}
	if c.RTL {
		shift = -shift
	}
	m.Rect = m.Rect.Add(image.Pt(shift, 0))
	return m
}

// bareEdge returns how many columns at the edge of the card where lines end are nearly uncovered by a shape.
func bareEdge(c *kit.Card, m *image.Alpha) (bare int) {
	for ; bare < c.W/2; bare++ {
		x, inked := c.W-1-bare, 0
		if c.RTL {
			x = bare
		}
		for y := 0; y < c.H; y += 4 {
			if m.Pix[m.PixOffset(x, y)] > 127 {
				inked++
			}
		}
		if inked*4*8 > c.H {
			break
		}
	}
	return bare
}

// editorialHero draws the initial of the site on a panel, and the title on the rest.
func editorialHero(c *kit.Card) {
	bg, site := c.BG(), kit.SiteOf(&c.Texts)
	backdrop := editorialBackdrop(1600, 900, 1350)
	if c.OfPage() { // it is in the panel, unchanged
		backdrop = kit.Backdrop{
			Picture: image.Rect(1040, 0, 1600, 900), Veil: func(_, _ float64) float64 { return 0 },
		}
	}
	over := c.Over(backdrop)
	c.Begin(paint.Solid(bg.Color))
	if !over {
		drawEditorialPanel(c)
	}
	chip := kit.Surface{Color: c.Theme.Surface2, Text: c.Theme.Text, Muted: c.Theme.Muted, Accent: c.Theme.AccentText}
	if over && !c.OfPage() {
		chip = bg
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 128, Start: bg, End: chip, ChipAtEnd: !over || c.OfPage(),
		Upper: kit.LogoLine{Middle: 157, MaxH: 56}, Lower: kit.LogoLine{Middle: 776, MaxH: kit.HeroLogoH},
	})
	logo.Upper.X1, logo.Lower.X1 = min(logo.Upper.X1, 976), min(logo.Lower.X1, 976)

	// Above the title: its section, otherwise the host.
	host, readingTime := site.SpareHost, c.ReadingTime
	if c.Signed() { // then no brand row has the host, and the bottom has the time
		host, readingTime = site.Host, ""
	}
	head := kit.PutEyebrowRow(c, kit.EyebrowRow{
		On: bg, Logo: logo, Host: host, ReadingTime: readingTime, Baseline: 168, SizePx: 30, MaxLabel: 672,
	})
	// Below it: author and date; a page without them shows its site.
	if c.Signed() {
		c.PutRow(kit.Row{Span: logo.Lower.Span, Anchor: kit.Middle, Y: 776, Gap: kit.BrandGap}, c.BrandIcon(bg, logo, 40),
			kit.RowItem{Parts: kit.Byline(&c.Spec), Style: c.TextStyle(32, 400), Role: kit.Essential, Color: bg.Muted})
	} else {
		kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: logo.Lower, Middle: 776, Side: 46, HostSaid: head.HostSaid})
	}

	column := kit.Column{X: 128, Y: 230, W: 848, H: 490, Gap: 52, Under: head.Bottom}
	if head.Empty { // it moves up
		column.Y, column.H = 150, 570
	}
	heading := kit.Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(3, 140, 128, 116, 104).Then(4, 98).Then(5, 88, 76),
		Description: kit.Description{SizePx: 36, W: 800, Lines: 2, MaxTitleLines: 2},
	}
	heading.Style.LineHeight = 1.02
	c.PutHeading(bg, column, heading)
}

// drawEditorialPanel draws the panel of a hero with the letter in it, which three of its edges cut.
func drawEditorialPanel(c *kit.Card) {
	th, panel := &c.Theme, c.MotifRect(1040, 0, 560, c.H)
	defer c.Canvas().Clip(panel)()
	c.Canvas().PaintStencil(paint.RectStencil(panel), panel, paint.Linear{
		Angle: paint.DownRight, Colors: palette.Gradient(th.Lead(.64, 1, -14), th.Lead(.42, 1.05, 14)),
	})
	letter, _ := c.LeadInitial(1420*float64(c.H)/900, 700)
	shape := kit.Stencil(c.LetterKey("editorial", letter), func() *image.Alpha { return panelShape(c, letter, panel) })
	c.Canvas().PaintStencil(shape, image.Rect(0, 0, c.W, c.H), paint.Linear{
		Angle: paint.Down, Colors: palette.Gradient(th.Lead(.84, .7, -18), th.Lead(.60, 1, 0)),
	})
}

// panelShape returns the coverage of the letter of a hero, or of an arch if there is none.
func panelShape(c *kit.Card, letter kit.Block, panel image.Rectangle) *image.Alpha {
	scale := float64(c.H) / 900
	if letter.Empty() {
		return c.ArchMask(1340, 360*scale, 230, 120)
	}
	ink := letter.Ink
	x, y := 1000-ink.X0, 990*scale-max(letter.CapHeight, ink.Y1-1)
	if c.RTL {
		x = 600 - ink.X1
	}
	if letter.Style.Family != text.InstrumentSerif {
		y = float64(c.H)/2 - (ink.Y0+ink.Y1)/2
	}
	m := image.NewAlpha(panel)
	c.MaskInk(m, letter, x, y)
	return m
}

// editorialBackdrop places a picture on the side away from the text, complete if its proportions are 3:2: it fades into
// the background under the end of the title.
func editorialBackdrop(w, h, picture int) kit.Backdrop {
	left := float64(w - picture)
	return kit.Backdrop{
		Picture: image.Rect(w-picture, 0, w, h),
		Veil: func(x, _ float64) float64 {
			return 1 - paint.Ease((x-left-.04*float64(picture))/(.66*float64(picture)))
		},
	}
}
