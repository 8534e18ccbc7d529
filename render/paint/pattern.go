package paint

import (
	"image"
	"image/color"
	"math"
)

// Dots draws discs on a square grid over a rectangle, the first at half a pitch from its corner. weight, when not nil,
// fades each dot by its middle: 1 draws it in full, 0 leaves it out.
func (c *Canvas) Dots(
	r image.Rectangle, pitch int, radius float64, ink color.NRGBA, weight func(x, y float64) float64,
) {
	if !sane(r) || pitch < 1 || !(radius > 0 && radius <= maxDot) {
		return
	}
	undo := c.Clip(r)
	defer undo()
	n := 2*int(math.Ceil(radius+.5)) + 1
	dot, faded := discMask(n, radius), image.NewAlpha(image.Rect(0, 0, n, n))
	b := c.brush(ink)
	for y := firstDot(r.Min.Y+pitch/2, c.clip.Min.Y-n, pitch); y < min(r.Max.Y, c.clip.Max.Y+n); y += pitch {
		for x := firstDot(r.Min.X+pitch/2, c.clip.Min.X-n, pitch); x < min(r.Max.X, c.clip.Max.X+n); x += pitch {
			m := dot
			if weight != nil {
				v := min(max(weight(float64(x)+.5, float64(y)+.5), 0), 1)
				if !(v >= 1.0/hardSteps) {
					continue
				}
				for i, s := range dot.Pix {
					faded.Pix[i] = uint8(float64(s)*v + .5)
				}
				m = faded
			}
			c.maskWith(x-n/2, y-n/2, m, b)
		}
	}
}

// maxDot bounds the radius of a dot, which is drawn whole.
const maxDot = 256

// firstDot returns the first place of a row of dots that is not before from.
func firstDot(start, from, pitch int) int {
	if start >= from {
		return start
	}
	return start + (from-start+pitch-1)/pitch*pitch
}

// discMask returns a disc in the middle of a square of n (odd) pixels.
func discMask(n int, radius float64) *image.Alpha {
	m := image.NewAlpha(image.Rect(0, 0, n, n))
	for y := range n {
		for x := range n {
			m.Pix[y*n+x] = coverage(radius - math.Hypot(float64(x-n/2), float64(y-n/2)) + .5)
		}
	}
	return m
}

// Stripes draws diagonal bands that rise to the right, over a rectangle: width and pitch are measured across the band.
func (c *Canvas) Stripes(r image.Rectangle, width, pitch float64, ink color.NRGBA) {
	if !sane(r) || !(pitch >= .5 && width > 0) {
		return
	}
	// All rows are parts of one line, as with a gradient: x+y is the same along a band.
	line := make([]uint8, r.Dx()+r.Dy())
	for i := range line {
		at := math.Mod(float64(i+1)/math.Sqrt2, pitch)
		in := width/2 - math.Abs(at-width/2)         // this band
		next := width/2 - math.Abs(at-pitch-width/2) // the one after it
		line[i] = coverage(max(in, next) + .5)
	}
	b := c.brush(ink)
	for y := max(r.Min.Y, c.clip.Min.Y); y < min(r.Max.Y, c.clip.Max.Y); y++ {
		c.row(y, r.Min.X, line[y-r.Min.Y:][:r.Dx()], b)
	}
}

// Grid draws the lines of a square grid over a rectangle, one pixel wide, from its upper left corner; every strong-th
// line is drawn in the second ink (0: none is).
func (c *Canvas) Grid(r image.Rectangle, pitch, strong int, thin, thick color.NRGBA) {
	if pitch < 1 || !sane(r) {
		return
	}
	for _, second := range [2]bool{false, true} {
		ink := thin
		if second {
			ink = thick
		}
		for i := 0; i*pitch < max(r.Dx(), r.Dy()); i++ {
			if (strong > 0 && i%strong == 0) != second {
				continue
			}
			if x := r.Min.X + i*pitch; x < r.Max.X {
				c.Fill(image.Rect(x, r.Min.Y, x+1, r.Max.Y), ink)
			}
			if y := r.Min.Y + i*pitch; y < r.Max.Y {
				c.Fill(image.Rect(r.Min.X, y, r.Max.X, y+1), ink)
			}
		}
	}
}
