package motif

import (
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
)

// Glass returns fluted glass with the background color in front of it, opaque where lines begin and transparent at
// three quarters.
func Glass(c *kit.Card, from, flute int, scale float64) *paint.Glass {
	return &paint.Glass{
		Flutes: paint.Flutes{
			From: from, Width: flute, Bend: 3.6, Edge: palette.Fade(palette.RGB(0xFFFFFF), .12), EdgeW: 2,
		},
		Ink: c.Theme.BG, Scrim: []paint.AlphaStop{{At: 380 * scale, Alpha: 1}, {At: 900 * scale, Alpha: 0}},
	}
}

// FlutedLight returns the scene behind the glass: a bright disc with a deeper rim, one below it and one in the upper
// corner, with hues on either side of the accent's.
func FlutedLight(c *kit.Card, v kit.View) *paint.Light {
	th := &c.Theme
	tone := func(dark, light, k, dh float64) color.NRGBA {
		l := light
		if th.Dark {
			l = dark
		}
		if kit.IsAmber(th) && th.Dark { // no brown
			l = max(l, .5)
		} else if kit.IsAmber(th) {
			l = max(l, .76)
		}
		return kit.SoftTone(th, l, k, dh)
	}
	return c.Light("mesh", func(lamp *paint.Lamp, variant int) {
		lamp.Down(0, float64(c.H), th.BG)
		disc := func(i int, x, y, r float64, stops ...paint.LightStop) {
			x, y = x+40*kit.Scatter(variant, 2*i), y+40*kit.Scatter(variant, 2*i+1)
			lamp.Disc(v.X(x), v.Y(y), v.Len(r), v.Len(r), stops...)
		}
		below, corner := tone(.58, .79, 1, 40), tone(.60, .81, 1, -45)
		disc(1, 760, 640, 420, paint.LightStop{Color: below, Alpha: 1}, paint.LightStop{At: 1, Color: below})
		disc(2, 1220, 20, 420, paint.LightStop{Color: corner, Alpha: 1}, paint.LightStop{At: 1, Color: corner})
		bright := .8
		if !th.Dark {
			bright = 1.1
		}
		deep := tone(.46, .87, 1.1, 12)
		disc(0, 1010, 330, 520,
			paint.LightStop{Color: tone(.86, .69, bright, -25), Alpha: 1},
			paint.LightStop{At: .28, Color: tone(.68, .78, 1, -10), Alpha: .95},
			paint.LightStop{At: .60, Color: deep, Alpha: .6},
			paint.LightStop{At: 1, Color: deep})
	})
}
