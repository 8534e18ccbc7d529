package paint

import (
	"image"
	"image/color"
	"math"
	"slices"
)

// Fill covers a rectangle with an ink: rules, bars, panels. Its edges are on pixel boundaries.
func (c *Canvas) Fill(r image.Rectangle, ink color.NRGBA) {
	b := c.brush(ink)
	r = r.Intersect(c.clip)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		c.span(y, r.Min.X, r.Max.X, b)
	}
}

// RoundRect fills a rectangle with rounded corners; the radius is limited to half of the shorter side.
func (c *Canvas) RoundRect(r image.Rectangle, radius float64, ink color.NRGBA) {
	if !sane(r) {
		return
	}
	radius = fitRadius(r, radius)
	b, corner := c.brush(ink), make([]uint8, int(math.Ceil(radius)))
	for y := max(r.Min.Y, c.clip.Min.Y); y < min(r.Max.Y, c.clip.Max.Y); y++ {
		top := min(y-r.Min.Y, r.Max.Y-1-y)
		if float64(top)+.5 >= radius {
			c.span(y, r.Min.X, r.Max.X, b)
			continue
		}
		for x := range corner {
			corner[x] = roundEdge(x, top, radius)
		}
		c.ends(y, r, corner, true, b)
	}
}

// ends draws ink over the left end of row y of a rectangle by a coverage, over the right end by its mirror image, and
// over what is between them if that is full. A column where both ends meet is covered once. The coverage isn't
// retained.
func (c *Canvas) ends(y int, r image.Rectangle, end []uint8, full bool, b brush) {
	c.row(y, r.Min.X, end, b)
	if full {
		c.span(y, r.Min.X+len(end), r.Max.X-len(end), b)
	}
	end = end[:min(len(end), r.Dx()-len(end))]
	slices.Reverse(end)
	c.row(y, r.Max.X-len(end), end, b)
}

// maxReach limits the coordinates of what is drawn: beyond any card, and small enough to count pixel by pixel.
const maxReach = 1 << 16

// sane reports whether a rectangle has pixels and reasonable sides.
func sane(r image.Rectangle) bool {
	return !r.Empty() && r.In(image.Rect(-maxReach, -maxReach, maxReach, maxReach))
}

// fitRadius limits a radius to half of the shorter side; it is 0 for an invalid radius.
func fitRadius(r image.Rectangle, radius float64) float64 {
	if !(radius > 0) {
		return 0
	}
	return min(radius, float64(min(r.Dx(), r.Dy()))/2)
}

// coverage converts 0 to 1 into eight bits. At an edge the argument is how far a pixel's center is inside, plus one
// half.
func coverage(v float64) uint8 {
	switch {
	case v >= 1:
		return 255
	case v > 0:
		return uint8(v*255 + .5)
	}
	return 0 // NaN, too
}

// Border draws the outline of a rounded rectangle, width pixels wide, inside its edge.
func (c *Canvas) Border(r image.Rectangle, radius float64, width int, ink color.NRGBA) {
	switch {
	case !sane(r) || width < 1:
		return
	case width >= (min(r.Dx(), r.Dy())+1)/2:
		c.RoundRect(r, radius, ink)
		return
	}
	b := c.brush(ink)
	radius = fitRadius(r, radius)
	corner := max(int(math.Ceil(radius)), width)
	inner := max(radius-float64(width), 0)
	side := make([]uint8, corner)
	for y := max(r.Min.Y, c.clip.Min.Y); y < min(r.Max.Y, c.clip.Max.Y); y++ {
		top := min(y-r.Min.Y, r.Max.Y-1-y)
		if top >= corner {
			c.span(y, r.Min.X, r.Min.X+width, b)
			c.span(y, r.Max.X-width, r.Max.X, b)
			continue
		}
		for x := range side {
			side[x] = roundEdge(x, top, radius)
			if top >= width && x >= width {
				side[x] -= min(side[x], roundEdge(x-width, top-width, inner))
			}
		}
		c.ends(y, r, side, top < width, b)
	}
}

// roundEdge returns the coverage of a pixel by a quadrant that extends infinitely to the lower right.
func roundEdge(x, y int, radius float64) uint8 {
	dx, dy := radius-float64(x)-.5, radius-float64(y)-.5
	if dx <= 0 || dy <= 0 {
		return 255
	}
	return coverage(radius - math.Hypot(dx, dy) + .5)
}

// Disc fills a circle around cx, cy; the center of the first pixel is .5, .5.
func (c *Canvas) Disc(cx, cy, radius float64, ink color.NRGBA) { c.ring(cx, cy, radius, -1, ink) }

// GradientDisc fills a circle with evenly spaced colors from its top to its bottom.
func (c *Canvas) GradientDisc(cx, cy, radius float64, colors []color.NRGBA) {
	if len(colors) < 2 || !(radius > 0) {
		return
	}
	for y := max(int(cy-radius)-1, c.clip.Min.Y); y < min(int(cy+radius)+2, c.clip.Max.Y); y++ {
		p := colorAt(colors, (float64(y)+.5-cy+radius)/(2*radius))
		undo := c.Clip(image.Rect(c.clip.Min.X, y, c.clip.Max.X, y+1))
		c.Disc(cx, cy, radius, color.NRGBA{R: round8(p[0]), G: round8(p[1]), B: round8(p[2]), A: 255})
		undo()
	}
}

// Ring draws a circle with a stroke of the given width, half of it on either side of the radius.
func (c *Canvas) Ring(cx, cy, radius, width float64, ink color.NRGBA) {
	if width < 1 { // a hairline is a pale line of one pixel
		ink.A = uint8(float64(ink.A)*max(width, 0) + .5)
		width = 1
	}
	c.ring(cx, cy, radius+width/2, radius-width/2, ink)
}

// ring fills the area between two radii; an inner one below 0 leaves no hole.
func (c *Canvas) ring(cx, cy, outer, inner float64, ink color.NRGBA) {
	if !(outer > 0 && outer < maxReach && math.Abs(cx) < maxReach && math.Abs(cy) < maxReach) {
		return
	}
	b := c.brush(ink)
	top, bottom := int(math.Floor(cy-outer-.5)), int(math.Ceil(cy+outer+.5))
	for y := max(top, c.clip.Min.Y); y < min(bottom, c.clip.Max.Y); y++ {
		dy := float64(y) + .5 - cy
		far := chord(outer+.5, dy)
		if far < 0 {
			continue
		}
		x0, x1 := int(math.Floor(cx-far)), int(math.Ceil(cx+far))
		near := chord(outer-.5, dy) // fully covered within, unless there is a hole
		hole := chord(inner+.5, dy) // fully covered again outside of it
		if inner < 0 || hole < 0 {
			c.arc(y, x0, x1, cx-near, cx+near, near >= 0, cx, dy, outer, inner, b)
			continue
		}
		empty := max(chord(inner-.5, dy), 0)
		c.arc(y, x0, int(math.Ceil(cx-empty)), cx-near, cx-hole, near > hole, cx, dy, outer, inner, b)
		right := max(int(math.Floor(cx+empty)), int(math.Ceil(cx-empty)))
		c.arc(y, right, x1, cx+hole, cx+near, near > hole, cx, dy, outer, inner, b)
	}
}

// chord returns half of the chord of a circle at height dy, or -1 if there is none.
func chord(radius, dy float64) float64 {
	if radius <= math.Abs(dy) {
		return -1
	}
	return math.Sqrt(radius*radius - dy*dy)
}

// arc draws the pixels x0 to x1 of a ring's row: by distance at the edges, as a span between full0 and full1.
func (c *Canvas) arc(y, x0, x1 int, full0, full1 float64, full bool, cx, dy, outer, inner float64, b brush) {
	x0, x1 = max(x0, c.clip.Min.X), min(x1, c.clip.Max.X)
	f0, f1 := x1, x1
	if full {
		f0 = min(max(int(math.Ceil(full0-.5)), x0), x1)
		f1 = min(max(int(math.Floor(full1+.5)), f0), x1)
	}
	edge := func(from, to int) {
		if from >= to {
			return
		}
		cov := c.cover[:to-from]
		for i := range cov {
			d := math.Hypot(float64(from+i)+.5-cx, dy)
			v := outer - d + .5
			if inner >= 0 {
				v = min(v, d-inner+.5)
			}
			cov[i] = coverage(v)
		}
		c.row(y, from, cov, b)
	}
	edge(x0, f0)
	c.span(y, f0, f1, b)
	edge(f1, x1)
}
