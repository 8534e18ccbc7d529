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
})

func posterOG(c *kit.Card) {
	accent, site := posterSurface(&c.Theme), kit.SiteOf(&c.Texts)
	over := c.Over(posterBackdrop(accent))
	c.Begin(paint.Solid(accent.Color))

	column := kit.Column{X: 72, Y: 72, W: 1056, H: 400}
	if c.Logo != nil && !c.Corner.Bottom {
		column.Y, column.H, column.Under = 152, 320, 112
	}
	style := c.TitleStyle()
	style.Weight, style.LineHeight, style.Tracking = 800, .96, style.Tracking-.01
	title := c.Fit(c.Title, style, text.Box{W: column.W, H: column.H}, posterLadder(c.Title))
	placed := c.PutColumn(column, kit.Item{Block: title, Role: kit.Title, Color: accent.Text})
	if !over {
		var lines []image.Rectangle
		for _, p := range placed {
			for _, l := range p.Lines {
				lines = append(lines, p.Box(l.Ink))
			}
		}
		drawPosterFigure(c, accent, lines)
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: accent, End: accent,
		Upper: kit.LogoLine{Middle: 84, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 555, MaxH: kit.LogoH},
		ChipAtEnd: !over,
	})

	// At the bottom: the host, after the icon of its site.
	end := min(logo.Lower.X1, 560)
	foot := kit.Row{Span: kit.Span{X0: logo.Lower.X0, X1: end}, Anchor: kit.Middle, Y: 555, Gap: kit.BrandGap}
	c.PutRow(foot, c.BrandIcon(accent, logo, 42), kit.RowItem{
		Text: cmp.Or(site.Host, site.Name), Style: c.TextStyle(30, 600), Role: kit.Repeated, Color: accent.Text,
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
// position of the layout, to which dx and dy are added if text needs room.
type posterFigure struct {
	first, second func(c *kit.Card, g *gg.Context, dx, dy float64)
}

// posterFigures are the figures; the address of the page chooses one.
var posterFigures = []posterFigure{
	{ // two concentric discs, from the lower edge
		func(c *kit.Card, g *gg.Context, dx, dy float64) { posterDisc(c, g, 1010+dx, 600+dy, 400) },
		func(c *kit.Card, g *gg.Context, dx, dy float64) { posterDisc(c, g, 1010+dx, 600+dy, 220) },
	},
	{ // quarter rings from the lower corner
		func(c *kit.Card, g *gg.Context, dx, dy float64) { posterRing(c, g, 1200+dx, 630+dy, 350, 150) },
		func(c *kit.Card, g *gg.Context, dx, dy float64) { posterDisc(c, g, 1200+dx, 630+dy, 190) },
	},
	{ // three slanted bars, from the lower edge out of the card
		func(c *kit.Card, g *gg.Context, dx, dy float64) {
			posterBar(c, g, 470+dx, 190, dy)
			posterBar(c, g, 1010+dx, 190, dy)
		},
		func(c *kit.Card, g *gg.Context, dx, dy float64) { posterBar(c, g, 740+dx, 190, dy) },
	},
	{ // a staircase of squares
		func(c *kit.Card, g *gg.Context, dx, dy float64) {
			posterSquare(c, g, 660+dx, 450+dy, 180)
			posterSquare(c, g, 840+dx, 450+dy, 180)
			posterSquare(c, g, 1020+dx, 270+dy, 360)
		},
		func(c *kit.Card, g *gg.Context, dx, dy float64) { posterSquare(c, g, 1020+dx, 450+dy, 180) },
	},
	{ // an open arch: last, since it replaces the initial of a site without one
		func(c *kit.Card, g *gg.Context, dx, dy float64) { posterArch(c, g, 960+dx, 430+dy, 290) },
		func(c *kit.Card, g *gg.Context, dx, dy float64) { posterArch(c, g, 960+dx, 470+dy, 150) },
	},
}

func posterDisc(c *kit.Card, g *gg.Context, x, y, radius float64) {
	g.DrawCircle(c.MotifX(x), y, radius)
	g.Fill()
}

func posterRing(c *kit.Card, g *gg.Context, x, y, radius, width float64) {
	g.SetFillRuleEvenOdd() // the edges of such a wide stroke are rough
	g.DrawCircle(c.MotifX(x), y, radius+width/2)
	g.DrawCircle(c.MotifX(x), y, radius-width/2)
	g.Fill()
	g.SetFillRuleWinding()
}

// posterBar is slanted to the side that lines end on.
func posterBar(c *kit.Card, g *gg.Context, x, width, dy float64) {
	const lean, high = 1120, 700
	for i, p := range [][2]float64{{x, 640}, {x + lean, 640 - high}, {x + lean + width, 640 - high}, {x + width, 640}} {
		if y := p[1] + dy; i == 0 {
			g.MoveTo(c.MotifX(p[0]), y)
		} else {
			g.LineTo(c.MotifX(p[0]), y)
		}
	}
	g.ClosePath()
	g.Fill()
}

func posterSquare(c *kit.Card, g *gg.Context, x, y, side float64) {
	g.DrawRectangle(c.Mirror(x, side), y, side, side)
	g.Fill()
}

func posterArch(c *kit.Card, g *gg.Context, x, y, radius float64) {
	x = c.MotifX(x)
	g.DrawArc(x, y, radius, math.Pi, 2*math.Pi)
	g.LineTo(x+radius, 640)
	g.LineTo(x-radius, 640)
	g.ClosePath()
	g.Fill()
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
func drawPosterFigure(c *kit.Card, on kit.Surface, lines []image.Rectangle) {
	deep, light := posterTones(on)
	chosen := c.Random().IntN(len(posterFigures) + 1)
	if chosen == len(posterFigures) { // the initial; a site without one gets the arch
		if drawPosterInitial(c, on, deep, lines) {
			return
		}
		chosen--
	}
	for step := range posterSteps {
		a, b := posterShape(c, chosen, step, false), posterShape(c, chosen, step, true)
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
func posterShape(c *kit.Card, figure, step int, second bool) *paint.Stencil {
	key := kit.StencilKey{Figure: "poster", Variant: 2 * (figure*posterSteps + step), W: c.W, H: c.H, RTL: c.RTL}
	draw := posterFigures[figure].first
	if second {
		key.Variant++
		draw = posterFigures[figure].second
	}
	return kit.KeptStencil(key, func() *paint.Stencil {
		return paint.PathStencil(image.Rect(0, 0, c.W, c.H), func(g *gg.Context) {
			draw(c, g, 22*float64(step), 36*float64(step))
		})
	})
}

// drawPosterInitial draws the first letter of the site's name, cut by two edges. It returns false if the site has none,
// or if there is no room next to the text.
func drawPosterInitial(c *kit.Card, on kit.Surface, tone color.NRGBA, lines []image.Rectangle) bool {
	const size, end, baseline = 900, 1280, 690
	letter, ok := c.LeadInitial(size, 640)
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
			c.MaskInk(m, letter, c.Mirror(end+dx-w, w)-ink.X0, baseline+dy-max(letter.CapHeight, ink.Y1-1))
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
