package paint

import (
	"image"
	"image/color"
)

// Grid draws the lines of a square grid over a rectangle, one pixel wide, from its upper left corner; every strong-th
// line is drawn in the second ink (0: none).
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
