package draw

import (
	"image"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout"
	"masthead/render/html/raster"
)

// maxSigma bounds the blur of shadows and filters in px.
const maxSigma = 250

// shadows paints the outer shadows of a box, the first on top.
func (p *painter) shadows(f *layout.Fragment, shape raster.RoundRect, t target) {
	st := f.Style
	bg := st.BackgroundColor.Of(st.Color)
	opaque := bg.A == 255 && st.ColorClip == css.BoxBorder
	for i := len(st.BoxShadow) - 1; i >= 0; i-- {
		s := &st.BoxShadow[i]
		c := s.Color.Of(st.Color)
		if s.Inset || c.A == 0 {
			continue
		}
		r := shape.Outset(s.Spread)
		r.Rect = raster.Rect{X0: r.X0 + s.X, Y0: r.Y0 + s.Y, X1: r.X1 + s.X, Y1: r.Y1 + s.Y}
		if r.Empty() {
			continue
		}
		var q raster.Path
		r.AddTo(&q)
		m := p.blurred(q.Transformed(t.m), false, s.Blur/2*t.m.Scale(), t.c.R)
		if m == nil {
			continue
		}
		if !opaque {
			var hole raster.Path
			shape.AddTo(&hole)
			p.cutOut(m, hole.Transformed(t.m))
		}
		p.FillMask(t.l, t.c, m, m.Rect.Min.X, m.Rect.Min.Y, raster.SolidOf(c))
	}
}

// insetShadows paints the inner shadows of a box.
func (p *painter) insetShadows(f *layout.Fragment, shape raster.RoundRect, t target) {
	st := f.Style
	for i := len(st.BoxShadow) - 1; i >= 0; i-- {
		s := &st.BoxShadow[i]
		c := s.Color.Of(st.Color)
		if !s.Inset || c.A == 0 {
			continue
		}
		inner := boxShape(f, shape, css.BoxPadding)
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
		m := p.blurred(q.Transformed(t.m), true, sigma, inside.c.R)
		if m == nil {
			continue
		}
		p.FillMask(inside.l, inside.c, m, m.Rect.Min.X, m.Rect.Min.Y, raster.SolidOf(c))
	}
}

// blurred returns the blurred coverage of a path, as far as it is within bounds.
func (p *painter) blurred(q raster.Path, evenOdd bool, sigma float64, bounds image.Rectangle) *image.Alpha {
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
		raster.Blur(m.Pix, area.Dx(), area.Dy(), m.Stride, 1, sigma, raster.EdgeZero)
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
