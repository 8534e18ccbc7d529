package template

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// One shout, on the accent.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "poster", Name: "Poster", Mood: "One shout.",
		GoodFor: "Announcements, events and manifestos with a short title", Needs: []string{"title"}, TextSide: "left",
	},
	OG: posterOG,
	Sized: []kit.Sized{
		{Format: kit.Square, Draw: posterUpright}, {Format: kit.Feed, Draw: posterUpright},
		{Format: kit.Story, Draw: posterUpright},
	},
})

// posterMeasures are those of a size, in the layout.
type posterMeasures struct {
	margin       int
	column       kit.Column // of the title
	under        float64    // of a logo over it, in whose place it begins 40 lower
	upper, lower kit.LogoLine
	row          float64 // middle of the row at the bottom
	rowEnd       float64
	icon         int
	textPx       float64
	more         int // lines that a title may have beyond those of a share image
	view         kit.View
}

var posterShare = posterMeasures{
	margin: 72, column: kit.Column{X: 72, Y: 72, W: 1056, H: 400}, under: 112,
	upper: kit.LogoLine{Middle: 84, MaxH: kit.LogoH}, lower: kit.LogoLine{Middle: 555, MaxH: kit.LogoH},
	row: 555, rowEnd: 560, icon: 42, textPx: 30,
}

func posterOG(c *kit.Card) { drawPoster(c, &posterShare) }

func drawPoster(c *kit.Card, m *posterMeasures) {
	accent, site := posterSurface(&c.Theme), kit.SiteOf(&c.Texts)
	over := c.Over(posterBackdrop(accent))
	c.Begin(paint.Solid(accent.Color))

	column := m.column
	if c.Logo != nil && !c.Corner.Bottom {
		column.Y, column.H, column.Under = m.under+40, column.H-(m.under+40-column.Y), m.under
	}
	style := c.TitleStyle()
	style.Weight, style.LineHeight, style.Tracking = 800, .96, style.Tracking-.01
	title := c.Fit(c.Title, style, text.Box{W: column.W, H: column.H}, posterLadder(c.Title, m.more))
	placed := c.PutColumn(column, kit.Item{Block: title, Role: kit.Title, Color: accent.Text})
	if !over {
		var lines []image.Rectangle
		for _, p := range placed {
			for _, l := range p.Lines {
				lines = append(lines, p.Box(l.Ink))
			}
		}
		if m.view.K > 0 { // the figure is as wide as the card
			lines = append(lines, c.MotifRect(m.margin, int(m.row)-30, posterRowW, 60))
		}
		drawPosterFigure(c, m.view, accent, lines)
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: m.margin, Start: accent, End: accent, Upper: m.upper, Lower: m.lower, ChipAtEnd: !over,
	})

	// At the bottom: the host, after the icon of its site.
	end := min(logo.Lower.X1, m.rowEnd)
	foot := kit.Row{Span: kit.Span{X0: logo.Lower.X0, X1: end}, Anchor: kit.Middle, Y: m.row, Gap: kit.BrandGap}
	c.PutRow(foot, c.BrandIcon(accent, logo, m.icon), kit.RowItem{
		Text: cmp.Or(site.Host, site.Name), Style: c.TextStyle(m.textPx, 600), Role: kit.Repeated, Color: accent.Text,
		Address: true,
	})
}

// posterUpright is the same where there is more height than width: the title takes more lines, and the figure grows.
func posterUpright(c *kit.Card) {
	f := c.Format()
	corner := paint.Point{X: 1200, Y: 630}
	m := posterMeasures{
		margin: int(f.X0), column: kit.Column{X: f.X0, Y: f.Top, W: f.Inner()}, under: f.Top + 64,
		upper: kit.LogoLine{Middle: int(f.Top) + 32, MaxH: uprightLogo},
		lower: kit.LogoLine{Middle: int(f.Foot) - 12, MaxH: uprightLogo},
		row:   f.Foot - 8, rowEnd: f.X0 + 640, icon: 54, textPx: 38, more: 2,
		view: kit.View{K: min(float64(f.H)/720, 1.9), From: corner, To: paint.Point{X: float64(f.W), Y: float64(f.H)}},
	}
	m.column.H = f.Foot - 110 - f.Top
	drawPoster(c, &m)
}

// posterRowW is the width of the row with the host in which a figure keeps it readable.
const posterRowW = 480

// posterLadder returns the sizes of a title: one word may be larger than several.
// More is the number of lines that it may have beyond those of a share image.
func posterLadder(title string, more int) text.Ladder {
	several := text.Steps(3, 168, 148, 132, 116, 104).Then(4, 92, 80).Then(5, 70)
	if more > 0 {
		several = text.Steps(3, 200, 184).Then(2+more, 168, 148, 132).Then(3+more, 116).Then(4+more, 104, 92).Then(5+more, 84)
	}
	if strings.ContainsAny(title, " \u00a0") {
		return several
	}
	return append(text.Steps(1, 240, 228, 216, 204, 192, 180), several...)
}

// brightAccent is the lightness from which an accent would be dazzling as the background of a dark card.
const brightAccent = .92

// posterSurface is the surface of everything: the accent, in both modes, except for dark cards of a brand that is
// white, gray or black.
func posterSurface(th *palette.Theme) kit.Surface {
	if th.Dark && (th.Neutral || th.LCH.L > brightAccent) {
		return kit.OneColor(th.BG, th.Text)
	}
	// It is calmer than the accent: less dazzling in color, and deeper on a dark card as far as dark text allows.
	const most = .19
	deeper, background := .10, palette.ToLCH(th.Background)
	background.C = min(background.C, most)
	if th.Yellow() && th.Dark { // to gold, not to mustard
		const gold = -12
		deeper, background.H = .04, background.H+gold
	}
	for by := deeper; th.Dark && by > 0; by -= .02 {
		calm := background
		calm.L -= by
		if palette.Contrast(calm.Color(), th.OnBackground) >= posterText {
			return kit.OneColor(calm.Color(), th.OnBackground)
		}
	}
	if calm := background.Color(); palette.Contrast(calm, th.OnBackground) >= palette.MinText {
		return kit.OneColor(calm, th.OnBackground)
	}
	return kit.OneColor(th.Background, th.OnBackground)
}

// posterText is the minimum contrast of a title on a background that was made deeper.
const posterText = 6

// Parameters of the duotone.
const (
	duotoneSpan = .40 // between its two colors, in lightness
	duotoneText = palette.MinText + .2
	calmText    = 8.5 // contrast of text on the ink that calms the picture, if the hue allows it
	deepText    = 6.5 // on the darker tone under dark text
	paleSpan    = .6  // fraction of the way from the background to white, under dark text
	deepSpan    = .12 // from the background to the darker tone under dark text
)

// posterBackdrop prints a picture in two tones of the background on which all text is readable: the background and a
// deeper one, or under dark text a paler one.
func posterBackdrop(on kit.Surface) kit.Backdrop {
	background := palette.ToLCH(on.Color)
	tone := func(l float64) color.NRGBA {
		t := background
		t.L = min(max(l, .08), .985)
		return t.Color()
	}
	// step changes a lightness as long as text has more than a contrast, or less, within a limit.
	step := func(l, by, most, contrast float64, more bool) float64 {
		for end := l + most*by/.01; (palette.Contrast(tone(l), on.Text) > contrast) == more && (end-l)*by > 0; {
			l += by
		}
		return l
	}
	if palette.Luminance(on.Text) > palette.Luminance(on.Color) {
		light := step(background.L, .01, .34, 6, true) // a black background shows nothing
		light = step(light, -.01, .3, duotoneText, false)
		return kit.Backdrop{
			Ink: tone(step(background.L, -.01, .3, calmText, false)), Dark: tone(light - duotoneSpan), Light: tone(light),
		}
	}
	dark := step(background.L, -.01, deepSpan, deepText, true)
	dark = step(dark, .01, .3, duotoneText, false)
	return kit.Backdrop{
		Ink: tone(step(background.L, .01, .2, calmText, false)), Dark: tone(dark),
		Light: tone(max(background.L+paleSpan*(1-background.L), dark+.1)),
	}
}

// posterFigure is a lead shape of a poster in two opaque tones: one shape, with the other over it. It is drawn around a
// position of the layout of a share image, to which dx and dy are added if text needs room.
type posterFigure struct {
	first, second func(c posterPen, dx, dy float64)
}

// posterPen draws in the layout of a share image.
type posterPen struct {
	*kit.Card
	kit.View
	g *gg.Context
}

// at returns the position on the canvas.
func (p posterPen) at(x, y float64) (float64, float64) { return p.MotifX(p.X(x)), p.Y(y) }

// posterFigures are the figures; the address of the page chooses one.
var posterFigures = []posterFigure{
	{ // two concentric discs, from the lower edge
		func(c posterPen, dx, dy float64) { posterDisc(c, 1010+dx, 600+dy, 400) },
		func(c posterPen, dx, dy float64) { posterDisc(c, 1010+dx, 600+dy, 220) },
	},
	{ // quarter rings from the lower corner
		func(c posterPen, dx, dy float64) { posterRing(c, 1200+dx, 630+dy, 350, 150) },
		func(c posterPen, dx, dy float64) { posterDisc(c, 1200+dx, 630+dy, 190) },
	},
	{ // three slanted bars, from the lower edge out of the card
		func(c posterPen, dx, dy float64) {
			posterBar(c, 470+dx, 190, dy)
			posterBar(c, 1010+dx, 190, dy)
		},
		func(c posterPen, dx, dy float64) { posterBar(c, 740+dx, 190, dy) },
	},
	{ // a staircase of squares
		func(c posterPen, dx, dy float64) {
			posterSquare(c, 660+dx, 450+dy, 180)
			posterSquare(c, 840+dx, 450+dy, 180)
			posterSquare(c, 1020+dx, 270+dy, 360)
		},
		func(c posterPen, dx, dy float64) { posterSquare(c, 1020+dx, 450+dy, 180) },
	},
	{ // an open arch: last, since it replaces the initial of a site without one
		func(c posterPen, dx, dy float64) { posterArch(c, 960+dx, 430+dy, 290) },
		func(c posterPen, dx, dy float64) { posterArch(c, 960+dx, 470+dy, 150) },
	},
}

func posterDisc(p posterPen, x, y, radius float64) {
	x, y = p.at(x, y)
	p.g.DrawCircle(x, y, p.Len(radius))
	p.g.Fill()
}

func posterRing(p posterPen, x, y, radius, width float64) {
	x, y = p.at(x, y)
	p.g.SetFillRuleEvenOdd() // the edges of such a wide stroke are rough
	p.g.DrawCircle(x, y, p.Len(radius+width/2))
	p.g.DrawCircle(x, y, p.Len(radius-width/2))
	p.g.Fill()
	p.g.SetFillRuleWinding()
}

// posterBar is slanted to the side that lines end on.
func posterBar(p posterPen, x, width, dy float64) {
	const lean, high = 1120, 700
	for _, q := range [][2]float64{{x, 640}, {x + lean, 640 - high}, {x + lean + width, 640 - high}, {x + width, 640}} {
		p.g.LineTo(p.at(q[0], q[1]+dy))
	}
	p.g.ClosePath()
	p.g.Fill()
}

func posterSquare(p posterPen, x, y, side float64) {
	side, x, y = p.Len(side), p.X(x), p.Y(y)
	p.g.DrawRectangle(p.Mirror(x, side), y, side, side)
	p.g.Fill()
}

func posterArch(p posterPen, x, y, radius float64) {
	x, y = p.at(x, y)
	radius = p.Len(radius)
	p.g.DrawArc(x, y, radius, math.Pi, 2*math.Pi)
	p.g.LineTo(x+radius, p.Y(640))
	p.g.LineTo(x-radius, p.Y(640))
	p.g.ClosePath()
	p.g.Fill()
}

// posterTones returns the two tones of a figure: a deeper one of the background, and a lighter one.
func posterTones(on kit.Surface) (deep, light color.NRGBA) {
	tone := func(dl, dh float64) color.NRGBA {
		t := palette.ToLCH(on.Color)
		t.L, t.H = min(max(t.L+dl, .06), .97), t.H+dh
		return t.Color()
	}
	background := palette.ToLCH(on.Color)
	switch {
	case background.C > .04 && background.H >= kit.AmberFrom && background.H <= kit.AmberTo: // to amber, not to olive
		return tone(-.10, kit.AmberTurn), tone(.10, -14)
	case background.L < .25: // only lighter tones are visible on black
		return tone(.13, 8), tone(.32, -14)
	case background.L > .9: // and only darker ones on white
		return tone(-.10, 8), tone(-.28, -14)
	}
	return tone(-.10, 8), tone(.14, -14)
}

// drawPosterFigure draws the figure of a page in its two tones. If lines of text would overlap a tone on which they are
// unreadable, the figure moves down and outwards, and finally is omitted.
func drawPosterFigure(c *kit.Card, v kit.View, on kit.Surface, lines []image.Rectangle) {
	deep, light := posterTones(on)
	chosen := c.Random().IntN(len(posterFigures) + 1)
	if chosen == len(posterFigures) { // the initial; a site without one gets the arch
		if drawPosterInitial(c, v, on, deep, lines) {
			return
		}
		chosen--
	}
	for step := range posterSteps {
		a, b := posterShape(c, v, chosen, step, false), posterShape(c, v, chosen, step, true)
		if clearOf(a, deep, on, lines) && clearOf(b, light, on, lines) {
			c.Canvas().Stencil(a, deep)
			c.Canvas().Stencil(b, light)
			return
		}
	}
}

// posterSteps is how often a figure may move before it is omitted.
const posterSteps = 12

// posterShape returns the first or the second shape of a figure after a number of moves.
func posterShape(c *kit.Card, v kit.View, figure, step int, second bool) *paint.Stencil {
	key := kit.StencilKey{Figure: "poster", Variant: 2 * (figure*posterSteps + step), W: c.W, H: c.H, RTL: c.RTL}
	draw := posterFigures[figure].first
	if second {
		key.Variant++
		draw = posterFigures[figure].second
	}
	return kit.KeptStencil(key, func() *paint.Stencil {
		return paint.PathStencil(image.Rect(0, 0, c.W, c.H), func(g *gg.Context) {
			draw(posterPen{c, v, g}, 22*float64(step), 36*float64(step))
		})
	})
}

// drawPosterInitial draws the first letter of the site's name, cut by two edges. It returns false if the site has none,
// or if there is no room next to the text.
func drawPosterInitial(c *kit.Card, v kit.View, on kit.Surface, tone color.NRGBA, lines []image.Rectangle) bool {
	const size, end, baseline = 900, 1280, 690
	letter, ok := c.LeadInitial(v.Len(size), v.Len(640))
	if !ok || kit.HasRTL(letter.Text()) { // alone, such letters are thin and have distant dots
		return false
	}
	ink := letter.Ink
	w := ink.X1 - ink.X0
	for step := range posterSteps {
		dx, dy := 22*float64(step), 30*float64(step)
		key := c.LetterKey("poster", letter)
		key.Variant = step
		shape := kit.Stencil(key, func() *image.Alpha {
			m := image.NewAlpha(image.Rect(0, 0, c.W, c.H))
			x, y := v.X(end)+dx-w, v.Y(baseline)+dy
			c.MaskInk(m, letter, c.Mirror(x, w)-ink.X0, y-max(letter.CapHeight, ink.Y1-1))
			return m
		})
		if clearOf(shape, tone, on, lines) {
			c.Canvas().Stencil(shape, tone)
			return true
		}
	}
	return false
}

// clearOf reports whether lines of text are readable on a tone, or keep clear of its shape.
func clearOf(s *paint.Stencil, tone color.NRGBA, on kit.Surface, lines []image.Rectangle) bool {
	const looked = 3 // distance between sampled pixels
	if palette.Contrast(tone, on.Text) >= palette.MinText {
		return true
	}
	for _, l := range lines {
		if s.Covers(l.Inset(-12).Intersect(s.Rect), looked) {
			return false
		}
	}
	return true
}
