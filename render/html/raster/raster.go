package raster

import (
	"image"
	"math"

	"masthead/render/html/meter"
)

// Clip is what limits drawing: a rectangle, and a mask with soft edges over at least that rectangle, if not nil. It is
// never changed.
type Clip struct {
	R    image.Rectangle
	Mask *image.Alpha
}

// rasterizer turns paths into runs of coverage.
type rasterizer struct {
	cells cells

	// Meter counts what is drawn. A path that exceeds it isn't drawn: one whose lines cross many pixels of a row takes
	// time by the square of their number.
	Meter *meter.Meter
}

// Far bounds coordinates of paths.
const Far = 8000

// toFixed returns a coordinate in 1/64 px.
func toFixed(v float64) int {
	if v != v {
		return 0
	}
	return int(math.Floor(min(max(v, -Far), Far)*one + .5))
}

// lineWork is the work of a line for a [meter.Meter]: each pixel that it crosses is looked for in its row.
func lineWork(dx, dy int) int {
	const base, perPixel = 8, 4
	return base + perPixel*(max(dx, -dx)+max(dy, -dy))/one
}

// Coverage calls f with runs of equal coverage of a path in device pixels within bounds. What it is doesn't depend on
// bounds.
func (z *rasterizer) Coverage(p Path, evenOdd bool, bounds image.Rectangle, f func(y, x0, x1 int, alpha uint32)) {
	r := Outer(p.Bounds()).Intersect(bounds)
	if r.Empty() {
		return
	}
	z.cells.reset(r.Dx(), r.Dy())
	ox, oy := r.Min.X<<bits, r.Min.Y<<bits
	var startX, startY int
	p.Flatten(.03, func(px, py float64, begins, ends bool) (over bool) {
		x, y := toFixed(px)-ox, toFixed(py)-oy
		switch {
		case begins:
			z.cells.line(startX, startY)
			startX, startY = x, y
			z.cells.start(x, y)
			return false
		case z.Meter.Spend(lineWork(x-z.cells.x, y-z.cells.y)):
			return true
		case ends:
			x, y = startX, startY
		}
		z.cells.line(x, y)
		return false
	})
	if z.Meter.Err() != nil {
		return
	}
	z.cells.sweep(evenOdd, func(y, x0, x1 int, alpha uint32) { f(y+r.Min.Y, x0+r.Min.X, x1+r.Min.X, alpha) })
}

// Outer returns the pixels that a rectangle touches.
func Outer(r Rect) image.Rectangle {
	lim := func(v float64) int {
		if v != v {
			return 0
		}
		return int(min(max(v, -Far), Far))
	}
	if r.X1 < r.X0 || r.Y1 < r.Y0 {
		return image.Rectangle{}
	}
	return image.Rect(lim(math.Floor(r.X0)), lim(math.Floor(r.Y0)), lim(math.Ceil(r.X1)), lim(math.Ceil(r.Y1)))
}

// Mask returns the coverage of a path within bounds.
func (z *rasterizer) Mask(p Path, evenOdd bool, bounds image.Rectangle) *image.Alpha {
	r := Outer(p.Bounds()).Intersect(bounds)
	m := image.NewAlpha(r)
	z.Coverage(p, evenOdd, r, func(y, x0, x1 int, alpha uint32) {
		row := m.Pix[m.PixOffset(x0, y):]
		for i := range row[:x1-x0] {
			row[i] = uint8(alpha)
		}
	})
	return m
}

// WholePixels returns the rectangle of a path that is one on whole pixels.
func WholePixels(r Rect) (image.Rectangle, bool) {
	s := r.Snapped()
	if math.Abs(s.X0-r.X0)+math.Abs(s.Y0-r.Y0)+math.Abs(s.X1-r.X1)+math.Abs(s.Y1-r.Y1) > 1e-4 {
		return image.Rectangle{}, false
	}
	return Outer(s), true
}

// ToRect limits a clip to a rectangle on whole pixels.
func (c Clip) ToRect(r image.Rectangle) Clip {
	c.R = c.R.Intersect(r)
	return c
}

// ToMask limits a clip to a mask; outside of the mask nothing is drawn.
func (c Clip) ToMask(m *image.Alpha) Clip {
	r := c.R.Intersect(m.Rect)
	if c.Mask == nil {
		return Clip{r, m}
	}
	out := image.NewAlpha(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		d := out.Pix[out.PixOffset(r.Min.X, y):][:r.Dx()]
		a, b := m.Pix[m.PixOffset(r.Min.X, y):], c.Mask.Pix[c.Mask.PixOffset(r.Min.X, y):]
		for i := range d {
			d[i] = Mul(a[i], b[i])
		}
	}
	return Clip{r, out}
}

// Mul multiplies two shares of 255.
func Mul(a, b uint8) uint8 {
	t := uint32(a)*uint32(b) + 128
	return uint8((t + t>>8) >> 8)
}
