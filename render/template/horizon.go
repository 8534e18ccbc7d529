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

// horizonOG has the title in the sky, and nothing over the landscape.
func horizonOG(c *kit.Card) {
	bg := c.BG()
	sky := landscape{
		sunX: 900, sunY: 470, sun: 128, halo: 330,
		ridges: [3]hills{{470, 16, 170}, {515, 26, 230}, {570, 34, 300}},
	}
	sky.drawSky(c, "horizon")
	style := c.TitleStyle()
	style.LineHeight = 1.05
	c.PutHeading(bg, kit.Column{X: 72, Y: 136, W: 1056, H: 200, Gap: 38, Under: 116}, kit.Heading{
		Style: style, Ladder: text.Steps(2, 104, 92, 80, 72).Then(3, 64, 54),
		Description: oneLineDescription(c, style,
			text.Box{W: 1056, H: 110}, 80, kit.Description{SizePx: 32, W: 860, Lines: 2}),
	})
	on := sky.drawLand(c)
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: on, End: on,
		Upper: kit.LogoLine{Middle: 84, MaxH: 48}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: logo.Upper, Middle: 86, Side: 40})
}

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

// drawLand calms the sky as far as the title needs it, and draws the sun and the ridges. It returns the surface under
// the logo.
func (l *landscape) drawLand(c *kit.Card) kit.Surface {
	th := &c.Theme
	ink := l.tone(th, .97, .1, 12)
	if th.Dark {
		ink = l.tone(th, .17, .4, 12)
	}
	c.Calm(true, ink, c.Canvas().Bounds())
	l.drawSun(c)
	seed, down := int(c.Seed%kit.LightVariants), float64(c.H-c.UsualHeight())
	lift := l.makeRoom(c)
	for i, r := range l.ridges {
		r.base -= lift * float64(i) / 2
		base, haze, dh := [3]float64{.80, .66, .45}[i], .08, -34+13*float64(i)
		if th.Dark {
			base, haze = [3]float64{.55, .38, .20}[i], .08+.03*float64(i)
		}
		c.Canvas().Ridge(paint.Ridge{
			Base: r.base + down, Amplitude: r.amplitude, Period: r.period, Phase: 3 * kit.Scatter(seed, i), Mirror: c.RTL,
			Colors: palette.Gradient(l.tone(th, base+haze, .8, dh), l.tone(th, base, .8, dh)),
		})
	}
	if !c.Corner.Bottom {
		return c.BG()
	}
	front := .45
	if th.Dark {
		front = .22
	}
	return kit.OneColor(l.tone(th, front, .8, -8), palette.RGB(0xFFFFFF))
}

// makeRoom returns how much higher the front ridge is to put a logo at the bottom on it.
func (l *landscape) makeRoom(c *kit.Card) float64 {
	if c.Logo == nil || !c.Corner.Bottom {
		return 0
	}
	front, top := l.ridges[2], 518. // of the logo
	if c.Kind == kit.BlogHero {
		top = 728 - 50*float64(c.H-c.UsualHeight())/100 // a tall hero moves texts by half as much as its hills
	}
	return max(front.base+front.amplitude-top, 0)
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
		{0, l.tone(th, .97, .1, 12)}, {.45, l.tone(th, .93, .3, 0)}, {.68, l.tone(th, .88, .55, -20)},
		{.80, l.tone(th, .92, .35, -45)},
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
	down := float64(c.H - c.UsualHeight())
	lamp.Disc(l.sunX, l.sunY+down, l.halo, l.halo,
		paint.LightStop{Color: glow, Alpha: halo}, paint.LightStop{At: 1, Color: glow})
}

// drawSun draws the disc of the sun.
func (l *landscape) drawSun(c *kit.Card) {
	th := &c.Theme
	top, foot := l.tone(th, .995, .05, -45), l.tone(th, .93, .4, -45)
	if th.Dark {
		top, foot = l.tone(th, .95, .25, -45), l.tone(th, .78, .8, -45)
	}
	y, x := l.sunY+float64(c.H-c.UsualHeight()), c.MotifX(l.sunX)
	colors := palette.Gradient(top, foot)
	c.Canvas().GradientDisc(x, y, l.sun, colors)
}
