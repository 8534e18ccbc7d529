package paint

import (
	"image"
	"image/color"
	"math"
)

// AlphaStop is the opacity of an ink, 0 to 1, at a position along a [Canvas.Scrim] or [Canvas.Glow], 0 to 1. Stops are
// in order; before the first and after the last the opacity is constant.
type AlphaStop struct{ At, Alpha float64 }

// Scrim draws an ink over a rectangle with an opacity that changes along a direction, to calm the background of text:
//
//	c.Scrim(c.Bounds(), paint.Right, th.BG, paint.AlphaStop{0, .82}, paint.AlphaStop{.62, .34}, paint.AlphaStop{1, 0})
func (c *Canvas) Scrim(r image.Rectangle, angle Angle, ink color.NRGBA, stops ...AlphaStop) {
	if !sane(r) || r.Dx() > maxSide || r.Dy() > maxSide {
		return
	}
	direction := Linear{Angle: angle}
	n := direction.steps(r)
	line := make([]uint8, n)
	for i := range line {
		line[i] = coverage(alphaAt(stops, (float64(i)+.5)/float64(n)))
	}
	b := c.softBrush(ink)
	same := make([]uint8, r.Dx())
	for y := max(r.Min.Y, c.clip.Min.Y); y < min(r.Max.Y, c.clip.Max.Y); y++ {
		if angle == Down {
			set(same, line[y-r.Min.Y])
			c.row(y, r.Min.X, same, b)
			continue
		}
		c.row(y, r.Min.X, line[direction.offset(r, y-r.Min.Y):][:r.Dx()], b)
	}
}

// tableSteps is the number of steps of a glow's table: more than a card has pixels along it.
const tableSteps = 1024

// Glow draws an ink over an ellipse with an opacity that changes from its center (0) to its rim (1): a light behind a
// logo, or the background color over a pattern, under text.
func (c *Canvas) Glow(cx, cy, rx, ry float64, ink color.NRGBA, stops ...AlphaStop) {
	if !(rx > 0 && rx < maxReach && ry > 0 && ry < maxReach && math.Abs(cx) < maxReach && math.Abs(cy) < maxReach) {
		return
	}
	var table [tableSteps + 1]uint8
	for i := range table[:tableSteps] {
		table[i] = coverage(alphaAt(stops, (float64(i)+.5)/tableSteps))
	}
	b := c.softBrush(ink)
	x0, x1 := max(int(cx-rx)-1, c.clip.Min.X), min(int(cx+rx)+2, c.clip.Max.X)
	y0, y1 := max(int(cy-ry)-1, c.clip.Min.Y), min(int(cy+ry)+2, c.clip.Max.Y)
	if x0 >= x1 {
		return
	}
	cov := make([]uint8, x1-x0)
	for y := y0; y < y1; y++ {
		e := newEllipseRow(cx, cy, rx, ry, y)
		if e.dy2 >= 1 {
			continue
		}
		for i := range cov {
			cov[i] = table[e.at(x0+i)]
		}
		c.row(y, x0, cov, b)
	}
}

// alphaAt interpolates the stops.
func alphaAt(stops []AlphaStop, t float64) float64 {
	for i, s := range stops {
		if t < s.At {
			if i == 0 {
				return s.Alpha
			}
			p := stops[i-1]
			return p.Alpha + (s.Alpha-p.Alpha)*(t-p.At)/(s.At-p.At)
		}
	}
	if len(stops) == 0 {
		return 0
	}
	return stops[len(stops)-1].Alpha
}

// ellipseRow computes the distance of one row's pixels from the center of an ellipse.
type ellipseRow struct{ cx, scale, dy2 float64 }

func newEllipseRow(cx, cy, rx, ry float64, y int) ellipseRow {
	dy := (float64(y) + .5 - cy) / max(ry, 1e-3)
	return ellipseRow{cx: cx - .5, scale: 1 / max(rx, 1e-3), dy2: dy * dy}
}

// at returns the distance of a pixel from the center, in steps of the table: tableSteps at the rim and beyond.
func (e ellipseRow) at(x int) int {
	dx := (float64(x) - e.cx) * e.scale
	d := dx*dx + e.dy2
	if !(d < 1) {
		return tableSteps
	}
	return int(math.Sqrt(d) * tableSteps)
}
