package template

import (
	"image"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
)

// halftoneSquare draws the ball over the title, cut by the upper edge and the one at the end of lines, or the picture
// in dots that end above it.
func halftoneSquare(c *kit.Card) {
	bg := c.PlainBG()
	u := kit.Upright{On: bg, Heading: kit.Heading{Description: kit.UprightDescription(c)}}
	end := u.Put(c)
	over := c.Over(kit.Backdrop{Redrawn: true})
	c.Begin(paint.Solid(bg.Color))
	if over {
		motif.DrawDots(c, image.Rect(0, 0, c.W, end-10), func(_, y float64) float64 { return float64(end) - y })
	} else {
		r := .76 * float64(end)
		motif.DrawBall(c, float64(c.W)-.88*r, float64(end)-r, r)
	}
	chip := kit.Surface{Color: c.Theme.Surface2, Text: c.Theme.Text, Muted: c.Theme.Muted, Accent: c.Theme.AccentText}
	kit.PutUprightFoot(c, bg, chip)
}

// halftoneHeader draws the ball at the end of lines.
func halftoneHeader(c *kit.Card) {
	bg, f := c.PlainBG(), c.Format()
	from := f.X1 + 40
	over := c.Over(kit.Backdrop{Redrawn: true})
	c.Begin(paint.Solid(bg.Color))
	if over {
		motif.DrawDots(c, image.Rect(int(from), 0, c.W, c.H), func(x, _ float64) float64 { return x - from })
	} else {
		const r = 330
		motif.DrawBall(c, from+r, .54*float64(c.H), r)
	}
	kit.PutHeader(c, bg, kit.Heading{})
}
