package paint

import (
	"image"
	"image/color"
	"math"
)

// Background is what covers a canvas before anything is drawn on it: [Solid], [Linear], [Through] or [Lit]. Use
// [Canvas.Paint] for parts of a canvas.
type Background interface {
	// paint covers the rectangle, which lies on the canvas, with opaque pixels.
	paint(c *Canvas, r image.Rectangle)
}

// Solid is a background of one color: paint.Solid(th.BG).
type Solid color.NRGBA

func (s Solid) paint(c *Canvas, r image.Rectangle) {
	b := c.brush(color.NRGBA{R: s.R, G: s.G, B: s.B, A: 255})
	if whole := image.Rect(0, 0, c.w, c.h); r == whole && c.clip == whole && c.mask == nil && c.indexed != nil {
		c.span(0, 0, c.w, b) // this looks up the entry
		if c.indexed != nil {
			set(c.indexed.Pix, c.indexed.Pix[0])
			return
		}
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		c.span(y, r.Min.X, r.Max.X, b)
	}
}

// Angle is the direction of a gradient, as in CSS: 90 points to the right, 135 to the lower right. Only directions that
// repeat from row to row are offered; others would cost up to ten times the bytes.
type Angle int

// Directions of a gradient. The length of a diagonal one is (w+h)/√2, as in CSS: it ends in two corners.
const (
	UpRight   Angle = 45
	Right     Angle = 90
	DownRight Angle = 135
	Down      Angle = 180
)

// Linear is a gradient along a line. Its colors are evenly spaced and interpolated in sRGB; palette.Gradient makes
// enough of them for even steps in OKLab.
type Linear struct {
	Angle  Angle
	Colors []color.NRGBA // two or more, opaque
	// From and To are the positions of the first and the last color, in pixels from the start of the gradient; beyond them
	// their colors continue. If both are 0, they are at its ends.
	From, To int
	// Exact means that a shape is filled with Colors as they are, in bands, so that shapes can share the palette's entries
	// for them.
	Exact bool
}

// span returns the range of positions along a gradient in which its colors change.
func (l Linear) span(positions int) (from, to int) {
	if l.From >= l.To {
		return 0, positions
	}
	return l.From, l.To
}

// steps returns the number of distinct positions along the gradient in a rectangle.
func (l Linear) steps(r image.Rectangle) int {
	switch l.Angle {
	case Right:
		return r.Dx()
	case Down:
		return r.Dy()
	}
	return r.Dx() + r.Dy() - 1
}

// offset returns the position, in steps, of the first pixel of row y counted from the top of the rectangle.
func (l Linear) offset(r image.Rectangle, y int) int {
	switch l.Angle {
	case DownRight:
		return y
	case UpRight:
		return r.Dy() - 1 - y
	}
	return 0
}

// paint draws one row of all positions and copies a part of it to each row: the rows of a gradient are shifted copies
// of each other, which is also why it compresses so well.
func (l Linear) paint(c *Canvas, r image.Rectangle) {
	n := l.steps(r)
	if len(l.Colors) < 2 || n < 1 {
		col := color.NRGBA{A: 255}
		if len(l.Colors) > 0 {
			col = l.Colors[0]
		}
		Solid(col).paint(c, r)
		return
	}
	if c.indexed != nil {
		if line, ok := l.entries(c, n); ok {
			for y := range r.Dy() {
				l.copyEntries(c.indexed.Pix[(r.Min.Y+y)*c.stride+r.Min.X:][:r.Dx()], line, r, y, 0)
			}
			return
		}
		c.Upgrade()
	}
	line := make([]uint8, 4*n)
	for i := range n {
		p := l.at(i, n)
		line[4*i], line[4*i+1], line[4*i+2], line[4*i+3] = round8(p[0]), round8(p[1]), round8(p[2]), 255
	}
	for y := range r.Dy() {
		dst := c.rgba.Pix[4*((r.Min.Y+y)*c.w+r.Min.X):][:4*r.Dx()]
		if l.Angle == Down {
			fill32(dst, color.NRGBA{R: line[4*y], G: line[4*y+1], B: line[4*y+2]})
		} else {
			copy(dst, line[4*l.offset(r, y):])
		}
	}
}

// entries returns the entries of n positions along the gradient on an indexed canvas; ok is false if its palette has no
// room.
func (l Linear) entries(c *Canvas, n int) (line []uint8, ok bool) {
	from, to := l.span(n)
	part, ok := c.blends.addGradient(l.Colors, to-from)
	if !ok || from == 0 && to == n {
		return part, ok
	}
	line = make([]uint8, n)
	for i := range line {
		line[i] = part[min(max(i-from, 0), to-from-1)]
	}
	return line, true
}

// copyEntries fills a part of row y of r, both relative to its upper left corner, with its entries from x on.
func (l Linear) copyEntries(dst, line []uint8, r image.Rectangle, y, x int) {
	if l.Angle == Down {
		set(dst, line[y])
		return
	}
	copy(dst, line[l.offset(r, y)+x:])
}

// Within returns the gradient that shows in a part of a rectangle what this one would if it covered the whole
// rectangle.
func (l Linear) Within(all, part image.Rectangle) Linear {
	from, to := l.span(l.steps(all))
	at := 0 // positions before the part
	switch l.Angle {
	case Right:
		at = part.Min.X - all.Min.X
	case Down:
		at = part.Min.Y - all.Min.Y
	case DownRight:
		at = part.Min.X - all.Min.X + part.Min.Y - all.Min.Y
	case UpRight:
		at = part.Min.X - all.Min.X + all.Max.Y - part.Max.Y
	}
	l.From, l.To = from-at, to-at
	return l
}

// at returns the color at a position of a gradient; channels are 0 to 255.
func (l Linear) at(position, positions int) [3]float64 {
	from, to := l.span(positions)
	return colorAt(l.Colors, (float64(position-from)+.5)/float64(to-from))
}

// colorAt interpolates evenly spaced colors at t, 0 to 1; channels are 0 to 255. A single color is constant.
func colorAt(colors []color.NRGBA, t float64) [3]float64 {
	if len(colors) == 1 {
		return [3]float64{float64(colors[0].R), float64(colors[0].G), float64(colors[0].B)}
	}
	k, f := math.Modf(min(max(t, 0), 1) * float64(len(colors)-1))
	i := min(int(k), len(colors)-2)
	f += k - float64(i)
	p, q := colors[i], colors[i+1]
	return [3]float64{lerp(p.R, q.R, f), lerp(p.G, q.G, f), lerp(p.B, q.B, f)}
}

func lerp(a, b uint8, f float64) float64 { return float64(a) + (float64(b)-float64(a))*f }

func round8(v float64) uint8 { return uint8(min(max(v, 0), 255) + .5) }

// Paint covers a part of the canvas with a background of its own, such as a gradient plate. It panics under a clip with
// soft edges ([Canvas.ClipMask], [Canvas.ClipRound]), because a background covers whole pixels.
func (c *Canvas) Paint(r image.Rectangle, g Background) {
	if c.mask != nil {
		panic("paint: a background under a clip with soft edges")
	}
	if r = r.Intersect(c.clip); r.Empty() {
		return
	}
	g.paint(c, r)
}
