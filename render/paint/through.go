package paint

import (
	"encoding/binary"
	"image"
	"image/color"
)

// Through is a background of one opaque color with a gradient visible through a shape in it. Inks of [New] are prepared
// for both the gradient and the color.
type Through struct {
	Gradient Linear // over the whole background
	Shape    *Stencil
	Around   color.NRGBA
}

func (t Through) paint(c *Canvas, r image.Rectangle) {
	n := t.Gradient.steps(r)
	if c.indexed == nil || r != c.Bounds() || c.clip != r || c.mask != nil || len(t.Gradient.Colors) < 2 {
		t.paintWhole(c, r)
		return
	}
	line, ok := t.Gradient.entries(c, n)
	if !ok {
		t.paintWhole(c, r)
		return
	}
	b := c.brush(t.Around)
	if c.span(0, 0, c.w, b); c.indexed == nil { // the color may not fit the palette
		t.paintWhole(c, r)
		return
	}
	set(c.indexed.Pix, c.indexed.Pix[0])
	rest := make([]uint8, t.Shape.Rect.Dx()+8)
	for y := r.Min.Y; y < r.Max.Y && c.indexed != nil; y++ {
		t.Shape.within(y, r, func(x0, x1 int, cov []uint8) {
			if c.indexed == nil {
				return
			}
			t.Gradient.copyEntries(c.indexed.Pix[y*c.stride+x0:y*c.stride+x1], line, r, y, x0)
			if cov != nil {
				c.row(y, x0, inverse(rest, cov), b)
			}
		})
	}
	if c.indexed == nil { // an edge needed more entries than the palette has
		t.paintWhole(c, r)
	}
}

// paintWhole covers the rectangle with the gradient, and everything but the shape with the color.
func (t Through) paintWhole(c *Canvas, r image.Rectangle) {
	t.Gradient.paint(c, r)
	b, rest := c.brush(t.Around), make([]uint8, t.Shape.Rect.Dx()+8)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from := r.Min.X
		t.Shape.within(y, r, func(x0, x1 int, cov []uint8) {
			c.span(y, from, x0, b)
			if from = x1; cov != nil {
				c.row(y, x0, inverse(rest, cov), b)
			}
		})
		c.span(y, from, r.Max.X, b)
	}
}

// inverse writes the inverse of a coverage to dst, which has eight bytes more.
func inverse(dst, cov []uint8) []uint8 {
	i := 0
	for ; i+8 <= len(cov); i += 8 {
		binary.LittleEndian.PutUint64(dst[i:], ^binary.LittleEndian.Uint64(cov[i:]))
	}
	for ; i < len(cov); i++ {
		dst[i] = ^cov[i]
	}
	return dst[:len(cov)]
}
