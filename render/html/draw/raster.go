package draw

import (
	"image"
	"math"

	"github.com/golang/freetype/raster"
	"golang.org/x/image/math/fixed"
)

// clip is what limits drawing: a rectangle, and a mask with soft edges over at least that rectangle, if not nil. It is
// never changed.
type clip struct {
	r    image.Rectangle
	mask *image.Alpha
}

// rasterizer turns paths into runs of coverage.
type rasterizer struct {
	r *raster.Rasterizer
}

// far bounds coordinates of paths.
const far = 8000

func toFixed(v float64) fixed.Int26_6 {
	if v != v {
		return 0
	}
	return fixed.Int26_6(math.Floor(min(max(v, -far), far)*64 + .5))
}

// coverage calls f with runs of equal coverage of a path in device pixels within bounds.
func (z *rasterizer) coverage(p path, evenOdd bool, bounds image.Rectangle, f func(y, x0, x1 int, alpha uint32)) {
	b := p.bounds()
	r := outer(b).Intersect(bounds)
	if r.Empty() {
		return
	}
	w, h := r.Dx(), r.Dy()
	if z.r == nil {
		z.r = raster.NewRasterizer(w, h)
	} else {
		z.r.SetBounds(w, h)
	}
	z.r.Clear()
	z.r.UseNonZeroWinding = !evenOdd
	ox, oy := float64(r.Min.X), float64(r.Min.Y)
	at := func(x, y float64) fixed.Point26_6 {
		return fixed.Point26_6{X: toFixed(x - ox), Y: toFixed(y - oy)}
	}
	var start, last fixed.Point26_6
	open := false
	p.flatten(.03, func(x, y float64, begins, ends bool) {
		q := at(x, y)
		switch {
		case begins:
			if open && last != start {
				z.r.Add1(start)
			}
			z.r.Start(q)
			start, open = q, true
		case ends:
			if last != start {
				z.r.Add1(start)
			}
			open = false
		default:
			z.r.Add1(q)
		}
		last = q
	})
	z.r.Rasterize(raster.PainterFunc(func(ss []raster.Span, _ bool) {
		for i := range ss {
			s := &ss[i]
			f(s.Y+r.Min.Y, s.X0+r.Min.X, s.X1+r.Min.X, s.Alpha>>8)
		}
	}))
}

// outer returns the pixels that a rectangle touches.
func outer(r rect) image.Rectangle {
	lim := func(v float64) int {
		if v != v {
			return 0
		}
		return int(min(max(v, -far), far))
	}
	if r.x1 < r.x0 || r.y1 < r.y0 {
		return image.Rectangle{}
	}
	return image.Rect(lim(math.Floor(r.x0)), lim(math.Floor(r.y0)), lim(math.Ceil(r.x1)), lim(math.Ceil(r.y1)))
}

// mask returns the coverage of a path within bounds.
func (z *rasterizer) mask(p path, evenOdd bool, bounds image.Rectangle) *image.Alpha {
	r := outer(p.bounds()).Intersect(bounds)
	m := image.NewAlpha(r)
	z.coverage(p, evenOdd, r, func(y, x0, x1 int, alpha uint32) {
		row := m.Pix[m.PixOffset(x0, y):]
		for i := range row[:x1-x0] {
			row[i] = uint8(alpha)
		}
	})
	return m
}

// wholePixels returns the rectangle of a path that is one on whole pixels.
func wholePixels(r rect) (image.Rectangle, bool) {
	s := r.snapped()
	if math.Abs(s.x0-r.x0)+math.Abs(s.y0-r.y0)+math.Abs(s.x1-r.x1)+math.Abs(s.y1-r.y1) > 1e-4 {
		return image.Rectangle{}, false
	}
	return outer(s), true
}

// toRect limits a clip to a rectangle on whole pixels.
func (c clip) toRect(r image.Rectangle) clip {
	c.r = c.r.Intersect(r)
	return c
}

// toMask limits a clip to a mask; outside of the mask nothing is drawn.
func (c clip) toMask(m *image.Alpha) clip {
	r := c.r.Intersect(m.Rect)
	if c.mask == nil {
		return clip{r, m}
	}
	out := image.NewAlpha(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		d := out.Pix[out.PixOffset(r.Min.X, y):][:r.Dx()]
		a, b := m.Pix[m.PixOffset(r.Min.X, y):], c.mask.Pix[c.mask.PixOffset(r.Min.X, y):]
		for i := range d {
			d[i] = mul(a[i], b[i])
		}
	}
	return clip{r, out}
}

// mul multiplies two shares of 255.
func mul(a, b uint8) uint8 {
	t := uint32(a)*uint32(b) + 128
	return uint8((t + t>>8) >> 8)
}
