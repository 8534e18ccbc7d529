package template

import (
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// An optimistic landscape.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "horizon", Name: "Horizon", Mood: "A sun over hills: optimistic.",
		GoodFor: "Visions, travel, sustainability, openings and farewells", Needs: []string{"title"}, TextSide: "left",
		Bare: true,
	},
	OG: horizonOG,
})

// horizonOG has the title in the sky, and the site on the front hills.
func horizonOG(c *kit.Card) {
	bg := c.BG()
	sky := landscape{
		sunX: 900, sunY: 472, sun: 124, halo: 330,
		ridges: [3]hills{{460, 16, 170}, {492, 20, 230}, {520, 12, 300}},
	}
	sky.drawSky(c, "horizon")
	style := c.TitleStyle()
	style.LineHeight = 1.05
	column := kit.Column{X: 72, Y: 72, W: 1056, H: 236, Gap: 38, Foot: horizonFoot}
	if _, ok := kit.FitLogo(c.Logo, bg, kit.MaxLogoW(c.Kind, 72), horizonLogoH); ok && !c.Corner.Bottom {
		column.Y, column.H, column.Under = 136, 172, 116
	}
	c.PutHeading(bg, column, forLongTitle(c, bg, column, kit.Heading{
		Style: style, Ladder: text.Steps(2, 116, 104, 92, 80).Then(3, 80, 72, 64),
		Description: kit.Description{SizePx: 32, W: 960, Lines: 1, MaxTitleLines: 2},
	}, text.Steps(4, 60, 56)))
	on := sky.drawLand(c)
	start, end := bg, bg
	if c.Corner.Bottom {
		start, end = on, on
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: start, End: end,
		Upper: kit.LogoLine{Middle: 84, MaxH: horizonLogoH}, Lower: kit.LogoLine{Middle: 556, MaxH: 40},
	})
	kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: logo.Lower, Middle: 557, Side: 40})
}

// Measures of the sky: the greatest height of a logo in it, and where texts end, above the sun.
const (
	horizonLogoH = 48
	horizonFoot  = 318
)

// hills are those of a ridge.
type hills struct{ base, amplitude, period float64 }

// landscape is a sky with a sun that sets behind three ridges, in the layout.
type landscape struct {
	sunX, sunY, sun, halo float64
	ridges                [3]hills
}

// drawSky draws the sky. The title follows.
func (l *landscape) drawSky(c *kit.Card, scene string) {
	c.Begin(paint.Lit{Light: c.Light(scene, func(lamp *paint.Lamp, _ int) { l.shine(c, lamp) })})
}

// drawLand calms the sky as far as the title needs it, and draws the sun and the ridges. It returns the surface of the
// front one.
func (l *landscape) drawLand(c *kit.Card) kit.Surface {
	th := &c.Theme
	ink := l.tone(th, .97, .1, 12)
	if th.Dark {
		ink = l.tone(th, .17, .4, 12)
	}
	c.Calm(true, ink, c.Canvas().Bounds())
	l.drawSun(c)
	seed, front := int(c.Seed%kit.LightVariants), color.NRGBA{}
	for i, r := range l.ridges {
		base, haze, dh := [3]float64{.80, .66, .42}[i], .08, -34+13*float64(i)
		if th.Dark {
			base, haze = [3]float64{.55, .38, .20}[i], .08+.03*float64(i)
		}
		front = l.tone(th, base+haze, .8, dh)
		c.Canvas().Ridge(paint.Ridge{
			Base: r.base, Amplitude: r.amplitude, Period: r.period, Phase: 3 * kit.Scatter(seed, i), Mirror: c.RTL,
			Colors: palette.Gradient(front, l.tone(th, base, .8, dh)),
		})
	}
	if white := palette.RGB(0xFFFFFF); palette.Contrast(front, white) >= palette.MinText {
		return kit.OneColor(front, white)
	}
	return kit.OneColor(front, th.Text)
}

// tone is a tone of the landscape: with a neutral accent, that of an ink wash.
func (l *landscape) tone(th *palette.Theme, lightness, k, dh float64) color.NRGBA {
	const most = .45 // the fraction of the way from a pale amber, where it is brown
	if kit.IsAmber(th) && !th.Dark && lightness < .8 {
		lightness = .8 - most*(.8-lightness)
	}
	return kit.SoftTone(th, lightness, k, dh)
}

// shine draws the sky and the halo of the sun.
func (l *landscape) shine(c *kit.Card, lamp *paint.Lamp) {
	th := &c.Theme
	h := float64(c.H)
	type stop struct {
		at    float64
		color color.NRGBA
	}
	stops := []stop{
		{0, l.tone(th, .97, .1, 12)}, {.45, l.tone(th, .93, .3, 0)}, {.62, l.tone(th, .87, .5, -20)},
		{.75, l.tone(th, .80, .55, -30)},
	}
	if th.Neutral {
		stops[3].color = l.tone(th, .84, .55, 0)
	}
	halo, glow := .5, l.tone(th, .995, .05, -45)
	if th.Dark {
		stops = []stop{
			{0, l.tone(th, .17, .4, 12)}, {.45, l.tone(th, .30, .8, 0)}, {.68, l.tone(th, .52, 1, -20)},
			{.80, l.tone(th, .74, .75, -45)},
		}
		halo, glow = .4, l.tone(th, .95, .25, -45)
	}
	for i, s := range stops[1:] {
		lamp.Down(stops[i].at*h, s.at*h, palette.Gradient(stops[i].color, s.color)...)
	}
	lamp.Down(stops[len(stops)-1].at*h, h+8, stops[len(stops)-1].color)
	lamp.Disc(l.sunX, l.sunY, l.halo, l.halo,
		paint.LightStop{Color: glow, Alpha: halo}, paint.LightStop{At: 1, Color: glow})
}

// drawSun draws the disc of the sun.
func (l *landscape) drawSun(c *kit.Card) {
	th := &c.Theme
	top, foot := l.tone(th, .995, .08, -45), l.tone(th, .95, .4, -45)
	if th.Dark {
		top, foot = l.tone(th, .95, .25, -45), l.tone(th, .78, .8, -45)
	}
	c.Canvas().GradientDisc(c.MotifX(l.sunX), l.sunY, l.sun, palette.Gradient(top, foot))
}
