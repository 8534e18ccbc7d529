package draw

import (
	"image"
	"image/color"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout"
)

func rectOf(r layout.Rect) rect { return rect{r.X, r.Y, r.X + r.W, r.Y + r.H} }

// shape returns the border box of a fragment on whole pixels, with its corners.
func shapeOf(f *layout.Fragment) roundRect {
	b := rectOf(f.Border)
	if f.Kind != layout.Inline {
		b = b.snapped()
	} else {
		b = rect{math.Round(b.x0), math.Round(b.y0), math.Round(b.x1), math.Round(b.y1)}
	}
	r := roundRect{rect: b}
	c := &f.Style.Radius
	if !c.None() {
		w, h := f.Border.W, f.Border.H
		for i, k := range [4]css.Radius{c.TopLeft, c.TopRight, c.BottomRight, c.BottomLeft} {
			r.rx[i], r.ry[i] = max(k.X.Resolve(w), 0), max(k.Y.Resolve(h), 0)
		}
		if f.Kind == layout.Inline {
			if !f.HasLeft {
				r.rx[0], r.rx[3] = 0, 0
			}
			if !f.HasRight {
				r.rx[1], r.rx[2] = 0, 0
			}
		}
		r.shape = c.Shape
		r.fit()
	}
	return r
}

// boxShape returns one of the boxes of a fragment.
func boxShape(f *layout.Fragment, outer roundRect, b css.Box) roundRect {
	w, p := f.BorderWidth, f.PaddingWidth
	switch b {
	case css.BoxPadding:
		return outer.inset(w.Top, w.Right, w.Bottom, w.Left)
	case css.BoxContent:
		r := outer.inset(w.Top+p.Top, w.Right+p.Right, w.Bottom+p.Bottom, w.Left+p.Left)
		r.rect = r.rect.snapped()
		return r
	case css.BoxMargin:
		return outer
	}
	return outer
}

// fillShape draws a shader in a rounded rectangle.
func (p *painter) fillShape(t target, r roundRect, s shader) {
	if r.empty() {
		return
	}
	if r.square() && t.m.straight() {
		b := t.m.bounds(r.rect)
		if px, ok := wholePixels(b); ok {
			p.fillRect(t.l, t.c, px, s)
			return
		}
	}
	var q path
	r.addTo(&q)
	p.fill(t.l, t.c, q.transformed(t.m), false, s)
}

// clipShape limits a target to a rounded rectangle.
func (p *painter) clipShape(t target, r roundRect) target {
	if r.empty() {
		t.c.r = image.Rectangle{}
		return t
	}
	if r.square() && t.m.straight() {
		if px, ok := wholePixels(t.m.bounds(r.rect)); ok {
			t.c = t.c.toRect(px)
			return t
		}
	}
	var q path
	r.addTo(&q)
	return p.clipPath(t, q, false)
}

func (p *painter) clipPath(t target, q path, evenOdd bool) target {
	t.c = t.c.toMask(p.raster.mask(q.transformed(t.m), evenOdd, t.c.r))
	return t
}

// decorate paints shadows, background and borders of a box.
func (p *painter) decorate(f *layout.Fragment, t target) {
	st := f.Style
	if f.Anonymous || st.Visibility != css.Visible || f == p.canvasSource {
		if f == p.canvasSource && st.Visibility == css.Visible {
			p.borders(f, shapeOf(f), t)
		}
		return
	}
	if st.BackgroundColor == (css.Color{}) && f.BorderWidth == (layout.Edges{}) &&
		len(st.Background)+len(st.BoxShadow) == 0 {
		return
	}
	shape := shapeOf(f)
	if len(st.BoxShadow) > 0 {
		p.shadows(f, shape, t)
	}
	if f != p.ground {
		p.background(f, shape, t)
	}
	if len(st.BoxShadow) > 0 {
		p.insetShadows(f, shape, t)
	}
	p.borders(f, shape, t)
}

// borders paints the borders of a box.
func (p *painter) borders(f *layout.Fragment, shape roundRect, t target) {
	if f.BorderWidth == (layout.Edges{}) || shape.empty() {
		return
	}
	st := f.Style
	sides := [4]borderSide{
		{f.BorderWidth.Top, st.Border.Top.Style, st.Border.Top.Color.Of(st.Color)},
		{f.BorderWidth.Right, st.Border.Right.Style, st.Border.Right.Color.Of(st.Color)},
		{f.BorderWidth.Bottom, st.Border.Bottom.Style, st.Border.Bottom.Color.Of(st.Color)},
		{f.BorderWidth.Left, st.Border.Left.Style, st.Border.Left.Color.Of(st.Color)},
	}
	p.frame(shape, sides, t)
}

type borderSide struct {
	width float64
	style css.LineStyle
	color color.NRGBA
}

func (b *borderSide) visible() bool {
	return b.width > 0 && b.style != css.LineNone && b.style != css.LineHidden && b.color.A > 0
}

// frame paints four lines round a rounded rectangle, inside of it.
func (p *painter) frame(shape roundRect, sides [4]borderSide, t target) {
	var first *borderSide
	same, any := true, false
	for i := range sides {
		s := &sides[i]
		if !s.visible() {
			continue
		}
		any = true
		if first == nil {
			first = s
		}
		same = same && s.style == first.style && s.color == first.color
	}
	if !any {
		return
	}
	all := true
	for i := range sides {
		all = all && sides[i].visible()
	}
	inner := shape.inset(sides[0].width, sides[1].width, sides[2].width, sides[3].width)
	for i := range sides { // an invisible border still takes its room
		all = all && (sides[i].width > 0)
	}
	hidden := false
	for i := range sides {
		hidden = hidden || sides[i].width > 0 && !sides[i].visible()
	}
	switch {
	case same && !hidden && first.style == css.LineSolid:
		p.ring(shape, inner, solidOf(first.color), t)
		return
	case same && all && first.style == css.LineDouble:
		p.double(shape, sides, first.color, t)
		return
	case same && all && !shape.square() && (first.style == css.LineDashed || first.style == css.LineDotted) && even(sides):
		p.roundDashes(shape, sides, 0, t)
		return
	}
	for i := range sides {
		if sides[i].visible() {
			p.side(shape, inner, sides, i, t)
		}
	}
}

// even reports whether all sides have the same width.
func even(sides [4]borderSide) bool {
	w := sides[0].width
	return sides[1].width == w && sides[2].width == w && sides[3].width == w
}

// ring fills what is between two rounded rectangles.
func (p *painter) ring(outside, inside roundRect, s shader, t target) {
	if outside.square() && inside.square() && t.m.straight() {
		o, ok1 := wholePixels(t.m.bounds(outside.rect))
		i, ok2 := wholePixels(t.m.bounds(inside.rect))
		if ok1 && ok2 {
			if i.Empty() {
				p.fillRect(t.l, t.c, o, s)
				return
			}
			p.fillRect(t.l, t.c, image.Rect(o.Min.X, o.Min.Y, o.Max.X, i.Min.Y), s)
			p.fillRect(t.l, t.c, image.Rect(o.Min.X, i.Max.Y, o.Max.X, o.Max.Y), s)
			p.fillRect(t.l, t.c, image.Rect(o.Min.X, i.Min.Y, i.Min.X, i.Max.Y), s)
			p.fillRect(t.l, t.c, image.Rect(i.Max.X, i.Min.Y, o.Max.X, i.Max.Y), s)
			return
		}
	}
	var q, hole path
	outside.addTo(&q)
	if !inside.empty() {
		inside.addTo(&hole)
		q = append(q, hole.reversed()...) // where the two edges are the same, nothing is left
	}
	p.fill(t.l, t.c, q.transformed(t.m), false, s)
}

// double paints two lines, each a third of the width.
func (p *painter) double(shape roundRect, sides [4]borderSide, c color.NRGBA, t target) {
	var a, b, w [4]float64
	for i := range sides {
		w[i] = sides[i].width
		a[i] = math.Ceil(w[i] / 3)
		b[i] = w[i] - a[i]
	}
	p.ring(shape, shape.inset(a[0], a[1], a[2], a[3]), solidOf(c), t)
	p.ring(shape.inset(b[0], b[1], b[2], b[3]), shape.inset(w[0], w[1], w[2], w[3]), solidOf(c), t)
}

// side paints one border, within its part of the frame: the corners are cut from the outer to the inner corner.
func (p *painter) side(shape, inner roundRect, sides [4]borderSide, i int, t target) {
	s := sides[i]
	straight := shape.square() && (s.style == css.LineDashed || s.style == css.LineDotted)
	if straight {
		p.dashes(shape, sides, i, t)
		return
	}
	o, n := shape.rect, inner.rect
	corners := [4][2]float64{{o.x0, o.y0}, {o.x1, o.y0}, {o.x1, o.y1}, {o.x0, o.y1}}
	inside := [4][2]float64{{n.x0, n.y0}, {n.x1, n.y0}, {n.x1, n.y1}, {n.x0, n.y1}}
	for k := range inside { // the cut goes on to the end of a round corner
		if shape.rx[k] > 0 && shape.ry[k] > 0 {
			inside[k] = p.cutEnd(shape, inner, corners[k], inside[k], k)
		}
	}
	j := (i + 1) % 4
	var q path
	q.move(corners[i][0], corners[i][1])
	q.line(corners[j][0], corners[j][1])
	q.line(inside[j][0], inside[j][1])
	q.line(inside[i][0], inside[i][1])
	q.close()
	alone := sides[(i+1)%4].width == 0 && sides[(i+3)%4].width == 0 && shape.square()
	if !alone {
		t = p.clipPath(t, q, false)
	}
	c := s.color
	switch s.style {
	case css.LineDashed, css.LineDotted:
		p.roundDashes(shape, sides, i, t)
	case css.LineDouble:
		p.double(shape, sides, c, t)
	case css.LineInset, css.LineOutset:
		if (s.style == css.LineInset) == (i == 0 || i == 3) {
			c = darker(c)
		} else {
			c = lighter(c)
		}
		p.ring(shape, inner, solidOf(c), t)
	case css.LineGroove, css.LineRidge:
		mid := shape.inset(sides[0].width/2, sides[1].width/2, sides[2].width/2, sides[3].width/2)
		a, b := darker(c), lighter(c)
		if (s.style == css.LineGroove) != (i == 0 || i == 3) {
			a, b = b, a
		}
		p.ring(shape, mid, solidOf(a), t)
		p.ring(mid, inner, solidOf(b), t)
	default:
		p.ring(shape, inner, solidOf(c), t)
	}
}

// cutEnd extends the cut between two borders to the center of the corner's curve.
func (p *painter) cutEnd(shape, inner roundRect, from, to [2]float64, k int) [2]float64 {
	dx, dy := to[0]-from[0], to[1]-from[1]
	if dx == 0 && dy == 0 {
		return to
	}
	f := 1.0
	if dx != 0 {
		f = max(f, shape.rx[k]/math.Abs(dx))
	}
	if dy != 0 {
		f = max(f, shape.ry[k]/math.Abs(dy))
	}
	f = min(f, 1000)
	cx, cy := (inner.x0+inner.x1)/2, (inner.y0+inner.y1)/2
	x, y := from[0]+dx*f, from[1]+dy*f
	if (x-cx)*(from[0]-cx) < 0 {
		x = cx
	}
	if (y-cy)*(from[1]-cy) < 0 {
		y = cy
	}
	return [2]float64{x, y}
}

// darker returns the color of the dark sides of inset, outset, groove and ridge borders.
func darker(c color.NRGBA) color.NRGBA {
	v := float64(max(c.R, c.G, c.B)) / 255
	if v == 0 {
		return c
	}
	k := max(0, (v-.33)/v)
	f := func(x uint8) uint8 { return uint8(float64(x) * k) }
	return color.NRGBA{f(c.R), f(c.G), f(c.B), c.A}
}

// lighter returns the color of the light sides.
func lighter(c color.NRGBA) color.NRGBA {
	v := float64(max(c.R, c.G, c.B)) / 255
	if v == 0 {
		return color.NRGBA{0x54, 0x54, 0x54, c.A}
	}
	k := min(1, v+.33) / v
	f := func(x uint8) uint8 { return uint8(min(float64(x)*k, 255)) }
	return color.NRGBA{f(c.R), f(c.G), f(c.B), c.A}
}

// outline paints the outline of a box.
func (p *painter) outline(f *layout.Fragment, t target) {
	o := f.Style.Outline
	if o.Width <= 0 || f.Anonymous || f.Style.Visibility != css.Visible {
		return
	}
	shape := shapeOf(f)
	d := o.Width + f.Style.OutlineOffset
	shape = shape.outset(d)
	side := borderSide{o.Width, o.Style, o.Color.Of(f.Style.Color)}
	p.frame(shape, [4]borderSide{side, side, side, side}, t)
}
