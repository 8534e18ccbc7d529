package paint_test

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
)

// The scenes below draw each primitive the way templates do. They are kept as goldens, compared between indexed and
// RGBA canvases, and measured. All are drawn in any size.

var (
	white = palette.RGB(0xFFFFFF)
	black = palette.RGB(0x000000)
)

// glyphs returns masks like those of text: rings and bowls of about the size of 64 px letters, at four subpixel places.
func glyphs() []*image.Alpha {
	var masks []*image.Alpha
	for i := range 24 {
		w, h := 18+i%5*6, 30+i%3*8
		masks = append(masks, paint.PathMask(image.Rect(0, 0, w, h), func(g *gg.Context) {
			x := float64(i%4) / 4
			switch i % 3 {
			case 0:
				g.DrawEllipse(float64(w)/2+x-.5, float64(h)/2, float64(w)/2-4, float64(h)/2-4)
				g.SetLineWidth(6)
				g.Stroke()
			case 1:
				g.DrawRectangle(2+x, 1, 6.5, float64(h)-2)
				g.Fill()
			default:
				g.MoveTo(1+x, float64(h)-1)
				g.LineTo(float64(w)/2, 1)
				g.LineTo(float64(w)-2, float64(h)-1)
				g.SetLineWidth(5)
				g.Stroke()
			}
		}))
	}
	return masks
}

// letters lays glyphs in lines over a canvas, about as many as a card has.
func letters(c *paint.Canvas, x, y, w, lines int, ink color.NRGBA, masks []*image.Alpha) {
	for l := range lines {
		for at, i := 0, l*7; at < w; i++ {
			m := masks[i%len(masks)]
			if i%6 != 5 {
				c.Mask(x+at, y+l*60, m, ink)
			}
			at += m.Rect.Dx() + 2
		}
	}
}

// shapes draws everything with an edge on a flat background.
func shapes(c *paint.Canvas, th palette.Theme, masks []*image.Alpha) {
	c.Fill(image.Rect(40, 40, 560, 42), th.Line)
	c.Fill(image.Rect(40, 38, 100, 44), th.Gfx)
	c.RoundRect(image.Rect(40, 60, 104, 124), 15, th.Fill)
	c.RoundRect(image.Rect(120, 60, 280, 112), 26, th.Surface2)
	c.Border(image.Rect(120, 60, 280, 112), 26, 2, th.AccentText)
	c.Border(image.Rect(300, 60, 380, 124), 0, 1, th.Line)
	c.Border(image.Rect(400, 60, 480, 124), 12, 5, th.Muted)
	c.Disc(520, 92, 24, th.Fill)
	c.Disc(520.5, 92.5, 3.3, th.On)
	c.Ring(520, 92, 32, 1.5, th.Gfx)
	c.Ring(300, 210, 80, 14, palette.Fade(th.AccentText, .5))
	c.Ring(300, 210, 55, .5, th.Text)
	letters(c, 40, 150, 200, 2, th.Text, masks)
	letters(c, 230, 190, 120, 1, th.AccentText, masks)
	c.Path(image.Rect(400, 150, 570, 290), th.AccentText, func(g *gg.Context) {
		g.MoveTo(410, 280)
		g.CubicTo(440, 100, 520, 340, 560, 160)
		g.SetLineWidth(3)
		g.SetDash(10, 9)
		g.Stroke()
		g.DrawRegularPolygon(6, 485, 220, 40, .3)
		g.Fill()
	})
}

// patterns draws a grid, and surfaces that are cut by clips.
func patterns(c *paint.Canvas, th palette.Theme) {
	r := image.Rect(420, 0, 600, 315)
	c.Fill(r, th.Ramp(.27, .4, 0))
	undo := c.ClipRound(image.Rect(440, 40, 580, 180), 30)
	c.Fill(c.Bounds(), th.Surface1)
	c.Grid(c.Bounds(), 12, 0, th.Line, th.Line)
	again := c.ClipMask(paint.PathMask(image.Rect(480, 80, 620, 220), func(g *gg.Context) {
		g.DrawCircle(550, 150, 60)
		g.Fill()
	}))
	c.Fill(c.Bounds(), th.Fill)
	again()
	undo()
	c.Grid(image.Rect(215, 0, 415, 315), 32, 5, th.Surface2, th.Line)
}

// window draws a soft shadow and a panel, over whatever the background is.
func window(c *paint.Canvas, th palette.Theme, shadow color.NRGBA) {
	r := image.Rect(60, 40, 540, 260)
	c.Shadow(r, 20, 12, 12, shadow)
	c.RoundRect(r, 20, th.BG)
	undo := c.ClipRound(r, 20)
	c.Fill(image.Rect(60, 40, 540, 84), th.Surface1)
	undo()
	for i := range 3 {
		c.Disc(float64(90+24*i), 62, 7, th.Line)
	}
}

// logo is a picture with gradients, edges and alpha: about 2,000 colors.
func logo(side int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			u, v := float64(x)/float64(side), float64(y)/float64(side)
			c := color.NRGBA{R: uint8(240 - 60*v), G: uint8(80 + 90*u), B: uint8(60 + 120*v), A: 255}
			if d := math.Hypot(u-.5, v-.5); d < .3 {
				c = color.NRGBA{R: 255, G: 250, B: 240, A: 255}
			} else if d > .62 {
				c.A = 0
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// photo is a picture with more colors than any palette.
func photo(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			u, v := float64(x)/float64(w), float64(y)/float64(h)
			img.SetNRGBA(x, y, color.NRGBA{
				R: uint8(127 + 120*math.Sin(9*u+4*v)),
				G: uint8(127 + 120*math.Sin(7*v-3*u+1)),
				B: uint8(127 + 120*math.Cos(5*u*v+8*v)),
				A: 255,
			})
		}
	}
	return img
}
