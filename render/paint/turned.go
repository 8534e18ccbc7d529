package paint

import (
	"image"
	"math"
)

// Turn is a rotation of the canvas about a place, in radians, clockwise.
type Turn struct{ X, Y, Angle float64 }

// fineness is how many pixels of a picture that is drawn turned lie along a pixel of the canvas.
const fineness = 2

// Turned draws a picture that is turned about a place, by the coverage of a mask, which lies on the canvas as it is
// seen. The picture has twice the size that it is drawn in, so that what is fine in it stays sharp; at is where its
// upper left corner stands before the turn. Beyond its edges its border goes on. The canvas becomes RGBA.
func (c *Canvas) Turned(src *image.RGBA, at image.Point, t Turn, mask *image.Alpha) {
	r := mask.Rect.Intersect(c.clip)
	if r.Empty() || src.Rect.Empty() {
		return
	}
	c.Upgrade()
	sin, cos := math.Sincos(-t.Angle)
	w, h := src.Rect.Dx(), src.Rect.Dy()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		cov := mask.Pix[mask.PixOffset(r.Min.X, y):][:r.Dx()]
		dst := c.rgba.Pix[4*(y*c.w+r.Min.X):][:4*len(cov)]
		dx, dy := float64(r.Min.X)+.5-t.X, float64(y)+.5-t.Y
		u := fineness * (dx*cos - dy*sin + t.X - float64(at.X))
		v := fineness * (dx*sin + dy*cos + t.Y - float64(at.Y))
		for i, a := range cov {
			if a != 0 {
				k := float64(fineness * i)
				sum := boxAt(src, w, h, u+k*cos, v+k*sin)
				d := dst[4*i : 4*i+3 : 4*i+3]
				for ch := range d {
					d[ch] = uint8(div255(sum[ch]*uint32(a) + uint32(d[ch])*uint32(255-a)))
				}
			}
		}
	}
}

// boxAt returns the mean of a picture in a square of two pixels about a place.
func boxAt(src *image.RGBA, w, h int, x, y float64) (sum [3]uint32) {
	const one = 64 // parts of a pixel
	fx, fy := int((x-1)*one+1<<20)-1<<20, int((y-1)*one+1<<20)-1<<20
	x0, y0 := fx>>6, fy>>6
	wx, wy := uint32(fx&(one-1)), uint32(fy&(one-1))
	across, down := [3]uint32{one - wx, one, wx}, [3]uint32{one - wy, one, wy}
	for j, b := range down {
		row := src.Pix[min(max(y0+j, 0), h-1)*src.Stride:]
		for i, a := range across {
			p := row[4*min(max(x0+i, 0), w-1):][:3:3]
			k := a * b
			sum[0], sum[1], sum[2] = sum[0]+uint32(p[0])*k, sum[1]+uint32(p[1])*k, sum[2]+uint32(p[2])*k
		}
	}
	const whole = 4 * one * one
	for ch := range sum {
		sum[ch] = (sum[ch] + whole/2) / whole
	}
	return sum
}
