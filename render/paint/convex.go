package paint

import (
	"image"
	"image/color"
	"math"
)

// Point is a position on a canvas, in pixels from its upper left corner.
type Point struct{ X, Y float64 }

// convexLines is the number of sample lines per row for the edges of a polygon.
const convexLines = 4

// convexLevels is the number of coverage levels of edges: with more, hundreds of overlapping pieces would fill the
// palette.
const convexLevels = 6

// Convex fills a convex polygon by spans, with soft edges, for figures of hundreds of small pieces, each of which takes
// a tenth of the time of [Canvas.Path]. The corners are in order, in either direction.
func (c *Canvas) Convex(ink color.NRGBA, corners ...Point) {
	if len(corners) < 3 {
		return
	}
	top, bottom := math.Inf(1), math.Inf(-1)
	for _, p := range corners {
		if !(math.Abs(p.X) < maxReach && math.Abs(p.Y) < maxReach) {
			return
		}
		top, bottom = min(top, p.Y), max(bottom, p.Y)
	}
	b := c.brush(ink)
	for y := max(int(math.Floor(top)), c.clip.Min.Y); y < min(int(math.Ceil(bottom)), c.clip.Max.Y); y++ {
		c.convexRow(corners, y, b)
	}
}

// ConvexMask returns the coverage of a convex polygon, as filled by [Canvas.Convex], for a [Stencil] of a piece that is
// drawn often. The mask's position may be left of and above the canvas. It is empty for invalid polygons, and those
// with a side of more than 4096 pixels.
func ConvexMask(corners ...Point) *image.Alpha {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range corners {
		x0, y0, x1, y1 = min(x0, p.X), min(y0, p.Y), max(x1, p.X), max(y1, p.Y)
	}
	if len(corners) < 3 || !(x0 > -maxReach && y0 > -maxReach && x1 < maxReach && y1 < maxReach) {
		return image.NewAlpha(image.Rectangle{})
	}
	r := image.Rect(int(math.Floor(x0)), int(math.Floor(y0)), int(math.Ceil(x1)), int(math.Ceil(y1)))
	if r.Dx() > maxSide || r.Dy() > maxSide {
		return image.NewAlpha(image.Rectangle{})
	}
	c := NewRGBA(r.Dx(), r.Dy(), Solid{})
	defer c.Release()
	moved := make([]Point, len(corners))
	for i, p := range corners {
		moved[i] = Point{p.X - float64(r.Min.X), p.Y - float64(r.Min.Y)}
	}
	c.Convex(color.NRGBA{R: 255, G: 255, B: 255, A: 255}, moved...) // white on black gives the coverage
	m := image.NewAlpha(r)
	for i := range m.Pix {
		m.Pix[i] = c.rgba.Pix[4*i]
	}
	return m
}

// convexRow fills one row of a polygon: its middle as a span, and the pixels at its edges by coverage.
func (c *Canvas) convexRow(corners []Point, y int, b brush) {
	var from, to [convexLines]float64
	outer0, inner0, inner1, outer1, lines := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1), 0
	for i := range convexLines {
		x0, x1, ok := chordOf(corners, float64(y)+(float64(i)+.5)/convexLines)
		if x0, x1 = max(x0, float64(c.clip.Min.X)), min(x1, float64(c.clip.Max.X)); !ok || x0 >= x1 {
			continue
		}
		from[lines], to[lines] = x0, x1
		lines++
		outer0, inner0, inner1, outer1 = min(outer0, x0), max(inner0, x0), min(inner1, x1), max(outer1, x1)
	}
	if lines == 0 {
		return
	}
	first, last := int(math.Floor(outer0)), int(math.Ceil(outer1))
	full0, full1 := int(math.Ceil(inner0)), int(math.Floor(inner1))
	if lines < convexLines || full0 >= full1 {
		full0, full1 = last, last
	}
	edge := func(x0, x1 int) {
		if x0 >= x1 {
			return
		}
		cov := c.cover[:x1-x0]
		for x := range cov {
			sum := 0.0
			for i := range lines {
				left := float64(x0 + x)
				sum += max(0, min(to[i], left+1)-max(from[i], left))
			}
			cov[x] = coverage(math.Round(sum/convexLines*convexLevels) / convexLevels)
		}
		c.row(y, x0, cov, b)
	}
	edge(first, full0)
	c.span(y, full0, full1, b)
	edge(full1, last)
}

// chordOf returns where a line at height y enters and leaves a polygon.
func chordOf(corners []Point, y float64) (x0, x1 float64, ok bool) {
	x0, x1 = math.Inf(1), math.Inf(-1)
	p := corners[len(corners)-1]
	for _, q := range corners {
		if (p.Y <= y) != (q.Y <= y) {
			x := p.X + (q.X-p.X)*(y-p.Y)/(q.Y-p.Y)
			x0, x1 = min(x0, x), max(x1, x)
		}
		p = q
	}
	return x0, x1, x0 < x1
}
