package kit

import (
	"fmt"
	"image"

	"masthead/render/paint"
)

// TurnedLine returns the shape of a line of text, not an empty one, on the canvas, rotated around a point: before the
// rotation, the middle of its ink is at x and the top of its capitals at y.
func (c *Card) TurnedLine(b Block, x, y float64, t paint.Turn) *paint.Stencil {
	key := c.LetterKey(fmt.Sprint("turned ", b.Style.Weight, b.Style.Tracking, b.Style.Caps, t.Angle, x, y), b)
	return Stencil(key, func() *image.Alpha {
		style := b.Style
		style.SizePx *= 2
		large := c.engine.Line(b.Text(), style, 0)
		at := paint.Point{X: x - (large.Ink.X0+large.Ink.X1)/4, Y: y}
		ink := c.inkMask(large, 0, 0, image.Rect(-2*c.W, -2*c.H, 2*c.W, 2*c.H))
		return paint.TurnMask(ink, at, t, image.Rect(0, 0, c.W, c.H))
	})
}
