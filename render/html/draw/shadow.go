package draw

import (
	"image"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout"
)

// maxSigma bounds the blur of shadows and filters in px.
const maxSigma = 250

// shadows paints the outer shadows of a box, the first on top.
func (p *painter) shadows(f *layout.Fragment, shape roundRect, t target) {
	st := f.Style
	bg := st.BackgroundColor.Of(st.Color)
	opaque := bg.A == 255 && st.ColorClip == css.BoxBorder
	for i := len(st.BoxShadow) - 1; i >= 0; i-- {
		s := &st.BoxShadow[i]
		c := s.Color.Of(st.Color)
		if s.Inset || c.A == 0 {
			continue
		}
		r := shape.outset(s.Spread)
		r.rect = rect{r.x0 + s.X, r.y0 + s.Y, r.x1 + s.X, r.y1 + s.Y}
		if r.empty() {
			continue
		}
		var q path
		r.addTo(&q)
		m := p.blurred(q.transformed(t.m), false, s.Blur/2*t.m.scale(), t.c.r)
		if m == nil {
			continue
		}
		if !opaque {
			var hole path
			shape.addTo(&hole)
			p.cutOut(m, hole.transformed(t.m))
		}
		p.fillMask(t.l, t.c, m, m.Rect.Min.X, m.Rect.Min.Y, solidOf(c))
	}
}

// insetShadows paints the inner shadows of a box.
func (p *painter) insetShadows(f *layout.Fragment, shape roundRect, t target) {
	st := f.Style
	for i := len(st.BoxShadow) - 1; i >= 0; i-- {
		s := &st.BoxShadow[i]
		c := s.Color.Of(st.Color)
		if !s.Inset || c.A == 0 {
			continue
		}
		inner := boxShape(f, shape, css.BoxPadding)
		if inner.empty() {
			continue
		}
		hole := inner.inset(s.Spread, s.Spread, s.Spread, s.Spread)
		if s.Spread < 0 {
			hole = inner.outset(-s.Spread)
		}
		hole.rect = rect{hole.x0 + s.X, hole.y0 + s.Y, hole.x1 + s.X, hole.y1 + s.Y}
		sigma := s.Blur / 2 * t.m.scale()
		var q path
		q.rect(inner.rect.grow(3*s.Blur + math.Abs(s.X) + math.Abs(s.Y) + math.Abs(s.Spread) + 8))
		if !hole.empty() {
			hole.addTo(&q)
		}
		inside := p.clipShape(t, inner)
		m := p.blurred(q.transformed(t.m), true, sigma, inside.c.r)
		if m == nil {
			continue
		}
		p.fillMask(inside.l, inside.c, m, m.Rect.Min.X, m.Rect.Min.Y, solidOf(c))
	}
}

// blurred returns the blurred coverage of a path, as far as it is within bounds.
func (p *painter) blurred(q path, evenOdd bool, sigma float64, bounds image.Rectangle) *image.Alpha {
	sigma = min(sigma, maxSigma)
	reach := int(math.Ceil(3*sigma)) + 1
	if sigma < .05 {
		reach = 0
	}
	area := outer(q.bounds()).Inset(-reach).Intersect(bounds.Inset(-reach))
	area = p.reachable(area)
	if p.stop() || area.Empty() || area.Inset(reach).Intersect(bounds).Empty() && area.Intersect(bounds).Empty() {
		return nil
	}
	m := image.NewAlpha(area)
	p.raster.coverage(q, evenOdd, area, func(y, x0, x1 int, alpha uint32) {
		row := m.Pix[m.PixOffset(x0, y):]
		for i := range row[:x1-x0] {
			row[i] = uint8(min(alpha, 255))
		}
	})
	if reach > 0 {
		blur(m.Pix, area.Dx(), area.Dy(), m.Stride, 1, sigma, edgeZero)
	}
	return m
}

// cutOut removes a path from a mask.
func (p *painter) cutOut(m *image.Alpha, q path) {
	p.raster.coverage(q, false, m.Rect, func(y, x0, x1 int, alpha uint32) {
		row := m.Pix[m.PixOffset(x0, y):][:x1-x0]
		k := uint8(255 - min(alpha, 255))
		if k == 0 {
			clear(row)
			return
		}
		for i := range row {
			row[i] = mul(row[i], k)
		}
	})
}
