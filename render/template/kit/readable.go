package kit

import (
	"image"
	"image/color"

	"masthead/render/palette"
)

// Parameters of the final check.
const (
	checkSide  = 8   // side of the blocks whose mean is measured, in pixels
	checkSlack = .05 // loss of contrast by rounding and dithering
	checkShare = .02 // of single pixels that may be worse than their block
)

// readable measures the drawn background under each line of text. It comes before the texts themselves.
func (c *Card) readable() bool {
	for _, p := range c.texts {
		if p.Role == Monogram { // its tile was made for it
			continue
		}
		for _, l := range p.Lines {
			if !l.Ink.Empty() && !c.lineReadable(p.Box(l.Ink), p.Color) {
				return false
			}
		}
	}
	return true
}

// lineReadable reports whether text in a color is readable in a box: against the mean of each block, and against nearly
// all pixels.
func (c *Card) lineReadable(box image.Rectangle, ink color.NRGBA) bool {
	box = box.Intersect(c.canvas.Bounds())
	text := palette.Luminance(ink) + .05
	poor, all := 0, 0
	for y := box.Min.Y; y < box.Max.Y; y += checkSide {
		for x := box.Min.X; x < box.Max.X; x += checkSide {
			sum, n := 0.0, 0.0
			block := image.Rect(x, y, x+checkSide, y+checkSide).Intersect(box)
			for j := block.Min.Y; j < block.Max.Y; j += 2 {
				for i := block.Min.X; i < block.Max.X; i += 2 {
					at := palette.Luminance(c.canvas.At(i, j)) + .05
					if max(at, text) < (palette.MinText-checkSlack)*min(at, text) {
						poor++
					}
					sum, n = sum+at, n+1
				}
			}
			all += int(n)
			if at := sum / n; max(at, text) < (palette.MinText-checkSlack)*min(at, text) {
				return false
			}
		}
	}
	return float64(poor) <= checkShare*float64(all)
}
