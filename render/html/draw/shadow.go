package draw

import (
	"image"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
	"math"
)

// maxSigma bounds the blur of shadows and filters in px.
const maxSigma = 250

// shadows paints the outer shadows of a box, the first on top.
func (p *painter) shadows(f *fragment.Fragment, shape raster.RoundRect, t target) {
	st := f.Style
	bg := st.BackgroundColor.Of(st.Color)
	opaque := bg.A == 255 && st.ColorClip == value.BoxBorder
	covered := p.covered(f, shape, t)
	for i := len(st.BoxShadow) - 1; i >= 0; i-- {
		s := &st.BoxShadow[i]
		c := s.Color.Of(st.Color)
		if s.Inset || c.A == 0 || p.stop() {
			continue
		}
		r := shape.Outset(s.Spread)
		r.Rect = raster.Rect{X0: r.X0 + s.X, Y0: r.Y0 + s.Y, X1: r.X1 + s.X, Y1: r.Y1 + s.Y}
		if r.Empty() {
			continue
		}
		var q raster.Path
		r.AddTo(&q)
		m := p.blurred(q.Transformed(t.m), false, s.Blur/2*t.m.Scale(), t.c.R, covered)
		if m == nil {
			continue
		}
		if !opaque {
			var hole raster.Path
			shape.AddTo(&hole)
			p.cutOut(m, hole.Transformed(t.m))
		}
		p.FillAround(t.l, t.c, m, covered, raster.SolidOf(c))
	}
}

// covered returns pixels within a box that its shadows don't change: they are below its background, or cut out.
func (p *painter) covered(f *fragment.Fragment, shape raster.RoundRect, t target) image.Rectangle {
	if f == p.ground || t.l.Canvas != nil || !t.m.Moves() {
		return image.Rectangle{}
	}
	const corner = .3 // of a radius: more than 1 - √½, so that the rectangle is within round corners
	dx, dy := 1.0, 1.0
	for i := range shape.Rx {
		if shape.Shape[i] != 0 {
			return image.Rectangle{}
		}
		dx, dy = max(dx, 1+corner*shape.Rx[i]), max(dy, 1+corner*shape.Ry[i])
	}
	r := t.m.Bounds(shape.Rect)
	x0, y0, x1, y1 := math.Ceil(r.X0+dx), math.Ceil(r.Y0+dy), math.Floor(r.X1-dx), math.Floor(r.Y1-dy)
	if x1 <= x0 || y1 <= y0 {
		return image.Rectangle{}
	}
	return raster.Outer(raster.Rect{X0: x0, Y0: y0, X1: x1, Y1: y1})
}

// insetShadows paints the inner shadows of a box.
func (p *painter) insetShadows(f *fragment.Fragment, shape raster.RoundRect, t target) {
	st := f.Style
	for i := len(st.BoxShadow) - 1; i >= 0; i-- {
		s := &st.BoxShadow[i]
		c := s.Color.Of(st.Color)
		if !s.Inset || c.A == 0 || p.stop() {
			continue
		}
		inner := boxShape(f, shape, value.BoxPadding)
		if inner.Empty() {
			continue
		}
		hole := inner.Inset(s.Spread, s.Spread, s.Spread, s.Spread)
		if s.Spread < 0 {
			hole = inner.Outset(-s.Spread)
		}
		hole.Rect = raster.Rect{X0: hole.X0 + s.X, Y0: hole.Y0 + s.Y, X1: hole.X1 + s.X, Y1: hole.Y1 + s.Y}
		sigma := s.Blur / 2 * t.m.Scale()
		var q raster.Path
		q.Rect(inner.Rect.Grow(3*s.Blur + math.Abs(s.X) + math.Abs(s.Y) + math.Abs(s.Spread) + 8))
		if !hole.Empty() {
			hole.AddTo(&q)
		}
		inside := p.clipShape(t, inner)
		m := p.blurred(q.Transformed(t.m), true, sigma, inside.c.R, image.Rectangle{})
		if m == nil {
			continue
		}
		p.FillMask(inside.l, inside.c, m, m.Rect.Min.X, m.Rect.Min.Y, raster.SolidOf(c))
	}
}

// blurred returns the blurred coverage of a path, as far as it is within bounds. What it is in the pixels of except
// doesn't matter.
func (p *painter) blurred(
	q raster.Path, evenOdd bool, sigma float64, bounds, except image.Rectangle,
) *image.Alpha {
	sigma = min(sigma, maxSigma)
	reach := int(math.Ceil(3*sigma)) + 1
	if sigma < .05 {
		reach = 0
	}
	area := raster.Outer(q.Bounds()).Inset(-reach).Intersect(bounds.Inset(-reach))
	area = p.reachable(area)
	if p.stop() || area.Empty() || area.Inset(reach).Intersect(bounds).Empty() && area.Intersect(bounds).Empty() {
		return nil
	}
	m := image.NewAlpha(area)
	p.Coverage(q, evenOdd, area, func(y, x0, x1 int, alpha uint32) {
		row := m.Pix[m.PixOffset(x0, y):]
		for i := range row[:x1-x0] {
			row[i] = uint8(min(alpha, 255))
		}
	})
	if reach > 0 {
		raster.BlurMask(m, sigma, except)
	}
	return m
}

// cutOut removes a path from a mask.
func (p *painter) cutOut(m *image.Alpha, q raster.Path) {
	p.Coverage(q, false, m.Rect, func(y, x0, x1 int, alpha uint32) {
		row := m.Pix[m.PixOffset(x0, y):][:x1-x0]
		k := uint8(255 - min(alpha, 255))
		if k == 0 {
			clear(row)
			return
		}
		for i := range row {
			row[i] = raster.Mul(row[i], k)
		}
	})
}
