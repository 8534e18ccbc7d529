package template

import (
	"image"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
)

// meshUpright draws the glass from edge to edge, which ends above the texts.
func meshUpright(c *kit.Card) {
	const feather = 300 // over which the glass fades
	f, bg := c.Format(), c.BG()
	u := kit.Upright{On: bg, Heading: kit.Heading{Style: meshStyle(c), Description: kit.Description{
		SizePx: f.TextPx, W: f.Inner(), Lines: 2, MaxTitleLines: 3,
	}}}
	end := u.Put(c)
	glass := motif.Glass(c, 0, 60, 1)
	glass.Scrim = []paint.AlphaStop{{At: 0}, {At: 1}} // its scrim is from the foot
	if c.Over(kit.Backdrop{Flutes: glass.Flutes, Softness: meshSoftness, Upright: true}) {
		c.Begin(paint.Solid(bg.Color))
	} else {
		c.Begin(paint.Lit{Light: motif.FlutedLight(c, kit.View{
			K: float64(c.W) / 860, From: paint.Point{X: 950, Y: 315}, To: paint.Point{X: .56 * float64(c.W), Y: .3 * float64(c.H)},
		}), Glass: glass})
		rows := image.Rect(0, max(end-feather+60, 0), c.W, c.H)
		opacity := make([]uint8, rows.Dy())
		for i := range opacity {
			opacity[i] = uint8(255*paint.Ease(float64(i)/feather) + .5)
		}
		c.Canvas().ScrimAlong(rows, true, bg.Color, opacity)
	}
	kit.PutUprightFoot(c, bg, bg)
	if !c.HasPicture() {
		c.Calm(true, bg.Color, image.Rect(0, 0, c.W, c.H))
	}
}

// meshHeader draws the glass at the end of lines.
func meshHeader(c *kit.Card) {
	bg, f := c.BG(), c.Format()
	glass := motif.Glass(c, 0, 48, 1)
	glass.Scrim = []paint.AlphaStop{{At: 560, Alpha: 1}, {At: f.X1 + 200, Alpha: 0}}
	if c.Over(kit.Backdrop{Flutes: glass.Flutes, Softness: meshSoftness}) {
		c.Begin(paint.Solid(bg.Color))
	} else {
		c.Begin(paint.Lit{Light: motif.FlutedLight(c, kit.View{
			K: .95, From: paint.Point{X: 1200, Y: 315}, To: paint.Point{X: float64(c.W) + 40, Y: .5 * float64(c.H)},
		}), Glass: glass})
	}
	kit.PutHeader(c, bg, kit.Heading{Style: meshStyle(c)})
	if !c.HasPicture() {
		c.Calm(false, bg.Color, c.MotifRect(int(f.X0), 0, int(f.Inner())+100, c.H))
	}
}
