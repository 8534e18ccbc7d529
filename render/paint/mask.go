package paint

import (
	"image"
	"image/color"
)

// Mask draws ink by the coverage of a mask, with its upper left pixel (mask.Rect.Min) at x, y. All glyphs and paths are
// drawn this way. The mask is only read, and may be shared.
func (c *Canvas) Mask(x, y int, mask *image.Alpha, ink color.NRGBA) {
	c.maskWith(x, y, mask, c.brush(ink))
}

// SoftMask is Mask for blurred masks: an indexed canvas gives them finer steps.
func (c *Canvas) SoftMask(x, y int, mask *image.Alpha, ink color.NRGBA) {
	c.maskWith(x, y, mask, c.softBrush(ink))
}

func (c *Canvas) maskWith(x, y int, mask *image.Alpha, b brush) {
	w, h := mask.Rect.Dx(), mask.Rect.Dy()
	from, to := max(0, c.clip.Min.Y-y), min(h, c.clip.Max.Y-y)
	for i := from; i < to; i++ {
		c.row(y+i, x, mask.Pix[i*mask.Stride:i*mask.Stride+w], b)
	}
}

// Clip limits all drawing to a rectangle within the current clip. The returned function restores the former clip.
//
//	undo := c.Clip(column)
//	c.Disc(1200, 315, 400, th.Gfx)
//	undo()
func (c *Canvas) Clip(r image.Rectangle) (undo func()) {
	clip, mask := c.clip, c.mask
	c.clip = c.clip.Intersect(r)
	return func() { c.clip, c.mask = clip, mask }
}

// ClipMask limits all drawing to a mask in the coordinates of the canvas (mask.Rect is its position), within the
// current clip. Edges of the mask are soft. The returned function restores the former clip.
func (c *Canvas) ClipMask(mask *image.Alpha) (undo func()) {
	clip, old := c.clip, c.mask
	c.clip = c.clip.Intersect(mask.Rect)
	if old != nil {
		mask = intersect(old, mask, c.clip)
	}
	c.mask = mask
	return func() { c.clip, c.mask = clip, old }
}

// ClipRound limits all drawing to a rectangle with rounded corners. The returned function restores the former clip.
func (c *Canvas) ClipRound(r image.Rectangle, radius float64) (undo func()) {
	return c.ClipMask(RoundMask(r, radius))
}

// RoundMask returns the coverage of a rounded rectangle at its position. It is empty if a side exceeds 4096 pixels.
func RoundMask(r image.Rectangle, radius float64) *image.Alpha {
	if !sane(r) || r.Dx() > maxSide || r.Dy() > maxSide {
		return image.NewAlpha(image.Rectangle{})
	}
	m := image.NewAlpha(r)
	radius = fitRadius(r, radius)
	for y := range r.Dy() {
		row := m.Pix[y*m.Stride:][:r.Dx()]
		top := min(y, r.Dy()-1-y)
		for x := range row {
			row[x] = roundEdge(min(x, r.Dx()-1-x), top, radius)
		}
	}
	return m
}

// multiply multiplies coverages by those of another mask of the same rectangle.
func multiply(a, b []uint8) {
	for i, v := range b[:len(a)] {
		a[i] = mul8(a[i], v)
	}
}

// intersect multiplies two masks within a rectangle inside both.
func intersect(a, b *image.Alpha, r image.Rectangle) *image.Alpha {
	m := image.NewAlpha(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		d := m.Pix[m.PixOffset(r.Min.X, y):][:r.Dx()]
		p, q := a.Pix[a.PixOffset(r.Min.X, y):], b.Pix[b.PixOffset(r.Min.X, y):]
		for i := range d {
			d[i] = mul8(p[i], q[i])
		}
	}
	return m
}
