package motif

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// Parameters of the skyline. Columns are on a grid seen from above and from a corner.
const (
	skylineSide           = 13 // columns per side
	skylineX, skylineY    = 905, 330
	skylineW, skylineH    = 33, 19 // half of a tile
	skylineGap            = 1      // half of the gap between two
	skylineLow            = 10     // the lowest column
	skylineHigh           = 189    // by which the highest is higher
	skylineShades         = 8
	skylineLeft           = 740 // x up to which columns stay below where texts usually end
	skylineUnder          = 440 // y of that
	skylineClear          = 14  // from texts above them
	skylineBeside         = 22  // … and before them
	skylineRight          = 110 // how much farther to the right the columns may be for them
	skylineSharp          = 2.2 // few are high
	skylineNear, skylineK = 1.15, 14.0
)

// DrawSkyline draws the columns from back to front; their heights depend on the seed of the page.
// They are down lower than usual, and keep clear of the texts that are placed already: below them, or after them.
func DrawSkyline(c *kit.Card, down float64) {
	texts, right := textBoxes(c), 0.0
	for _, t := range texts { // the upper left edge of the lowest columns is after their ends
		if below := t.Y1 - down - skylineY + skylineLow; below > -skylineH {
			right = max(right, math.Ceil(t.X1-skylineX+skylineW*(1+below/skylineH)))
		}
	}
	right = min(right, skylineRight)
	r := rand.New(rand.NewPCG(c.Seed, 0))
	var faces [skylineShades][3]color.NRGBA // top, left and right
	for i := range faces {
		faces[i] = skylineFaces(&c.Theme, float64(i)/(skylineShades-1))
	}
	for i := range skylineSide {
		for j := range skylineSide {
			middle := (skylineSide - 1) / 2.0
			near := skylineNear - math.Abs(float64(i)-middle)/skylineK - math.Abs(float64(j)-middle)/skylineK
			shade := math.Round(min(math.Pow(r.Float64(), skylineSharp)*near, 1) * (skylineShades - 1))
			x, y := right+float64(skylineX+skylineW*(i-j)), float64(skylineY+skylineH*(i+j))+down
			high := skylineLow + skylineHigh*shade/(skylineShades-1)
			under := 0.0
			if x-skylineW < skylineLeft {
				under = skylineUnder
			}
			for _, t := range texts {
				if x-skylineW < t.X1 {
					under = max(under, t.Y1)
				}
			}
			high = min(high, max(math.Floor(y-skylineH-under), skylineLow))
			shade = min(shade, math.Ceil((high-skylineLow)/skylineHigh*(skylineShades-1)))
			drawColumn(c, x, y, high, faces[int(shade)])
		}
	}
}

// textBoxes returns the boxes of the placed texts, in the layout, with what columns keep clear of them.
func textBoxes(c *kit.Card) (boxes []text.Rect) {
	for _, t := range c.PlacedTexts() {
		b := t.Bounds()
		b.X0, b.X1 = c.Mirror(b.X0, b.X1-b.X0), c.Mirror(b.X0, b.X1-b.X0)+b.X1-b.X0
		b.X1, b.Y1 = b.X1+skylineBeside, b.Y1-c.Lowered()+skylineClear
		boxes = append(boxes, b)
	}
	return boxes
}

// skylineFaces returns the colors of a column of a height, 0 to 1, under a light from the upper left.
func skylineFaces(th *palette.Theme, v float64) [3]color.NRGBA {
	k := math.Pow(v, .6)
	l, chroma, dh := .90-.38*k, .35+.75*k, -14*v
	if th.Dark {
		l = .30 + .48*k
	}
	left, right, turn := l-.06, l-.15, 8.0
	if th.Yellow() { // a darker yellow turns to orange, otherwise it looks olive; an even darker one is gray
		dh, turn = -22, 0
		if !th.Dark { // gold, not bronze
			l = .92 - .20*k
			left, right = l-.08, l-.19
		}
	}
	return [3]color.NRGBA{th.Ramp(l, chroma, dh), th.Ramp(left, chroma, dh), th.Ramp(right, chroma, dh+turn)}
}

// drawColumn draws a column whose base is at a position of the layout: its outline in the color of the left face, and
// the other two over it, so that nothing shines through at their edges. Columns of the same height share a shape.
func drawColumn(c *kit.Card, x, y, high float64, faces [3]color.NRGBA) {
	const w, h = skylineW - skylineGap, skylineH - skylineGap
	at := func(dx, dy float64) paint.Point { return paint.Point{X: dx, Y: dy} }
	for i, corners := range [3][]paint.Point{
		{at(-w, -high), at(0, -high-h), at(w, -high), at(w, 0), at(0, h), at(-w, 0)},
		{at(-w, -high), at(0, -high-h), at(w, -high), at(0, h-high)},
		{at(0, h-high), at(w, -high), at(w, 0), at(0, h)},
	} {
		face := kit.Stencil(kit.StencilKey{Figure: "repo", Variant: i, Size: high}, func() *image.Alpha {
			return paint.ConvexMask(corners...)
		})
		c.Canvas().Stencil(face.Add(image.Pt(int(c.MotifX(x)), int(y))), faces[[3]int{1, 0, 2}[i]])
	}
}
