package draw

import (
	"image"
	"image/color"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/shape"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
	"masthead/render/palette"
)

func rectOf(r fragment.Rect) raster.Rect {
	return raster.Rect{X0: r.X, Y0: r.Y, X1: r.X + r.W, Y1: r.Y + r.H}
}

// shape returns the border box of a fragment on whole pixels, with its corners.
func shapeOf(f *fragment.Fragment) raster.RoundRect {
	b := rectOf(f.Border)
	if f.Kind != fragment.Inline {
		b = b.Snapped()
	} else {
		b = raster.Rect{X0: math.Round(b.X0), Y0: math.Round(b.Y0), X1: math.Round(b.X1), Y1: math.Round(b.Y1)}
	}
	r := raster.RoundRect{Rect: b}
	c := &f.Style.Radius
	if !c.None() {
		w, h := f.Border.W, f.Border.H
		for i, k := range [4]shape.Radius{c.TopLeft, c.TopRight, c.BottomRight, c.BottomLeft} {
			r.Rx[i], r.Ry[i] = max(k.X.Resolve(w), 0), max(k.Y.Resolve(h), 0)
		}
		if f.Kind == fragment.Inline {
			if !f.HasLeft {
				r.Rx[0], r.Rx[3] = 0, 0
			}
			if !f.HasRight {
				r.Rx[1], r.Rx[2] = 0, 0
			}
		}
		r.Shape = c.Shape
		r.Fit()
	}
	return r
}

// boxShape returns one of the boxes of a fragment.
func boxShape(f *fragment.Fragment, outer raster.RoundRect, b value.Box) raster.RoundRect {
	w, p := f.BorderWidth, f.PaddingWidth
	switch b {
	case value.BoxPadding:
		return outer.Inset(w.Top, w.Right, w.Bottom, w.Left)
	case value.BoxContent:
		r := outer.Inset(w.Top+p.Top, w.Right+p.Right, w.Bottom+p.Bottom, w.Left+p.Left)
		r.Rect = r.Rect.Snapped()
		return r
	case value.BoxMargin:
		return outer
	}
	return outer
}

// fillShape draws a shader in a rounded rectangle.
func (p *painter) fillShape(t target, r raster.RoundRect, s raster.Shader) {
	if r.Empty() {
		return
	}
	if r.Square() && t.m.Straight() {
		b := t.m.Bounds(r.Rect)
		if px, ok := raster.WholePixels(b); ok {
			p.FillRect(t.l, t.c, px, s)
			return
		}
	}
	var q raster.Path
	r.AddTo(&q)
	p.Fill(t.l, t.c, q.Transformed(t.m), false, s)
}

// clipShape limits a target to a rounded rectangle.
func (p *painter) clipShape(t target, r raster.RoundRect) target {
	if r.Empty() {
		t.c.R = image.Rectangle{}
		return t
	}
	if r.Square() && t.m.Straight() {
		if px, ok := raster.WholePixels(t.m.Bounds(r.Rect)); ok {
			t.c = t.c.ToRect(px)
			return t
		}
	}
	var q raster.Path
	r.AddTo(&q)
	key := clipKey{r, t.m, t.c.R}
	known := t.c.Mask == t.made
	t = p.clipPath(t, q, false)
	if known {
		t.shapes, t.made = append(t.shapes[:len(t.shapes):len(t.shapes)], key), t.c.Mask
	}
	return t
}

// clipKey is what a shape makes of a clip, besides the mask before.
type clipKey struct {
	shape raster.RoundRect
	m     raster.Matrix
	clip  image.Rectangle
}

func (p *painter) clipPath(t target, q raster.Path, evenOdd bool) target {
	t.c = t.c.ToMask(p.Mask(q.Transformed(t.m), evenOdd, t.c.R))
	return t
}

// decorate paints shadows, background and borders of a box.
func (p *painter) decorate(f *fragment.Fragment, t target) {
	st := f.Style
	if p.stop() || f.Anonymous || st.Visibility != css.Visible ||
		f == p.canvasSource && f.BorderWidth == (fragment.Edges{}) ||
		st.BackgroundColor == (colors.Color{}) && f.BorderWidth == (fragment.Edges{}) &&
			len(st.Background)+len(st.BoxShadow) == 0 || p.putOff(paintBox, f, t) {
		return
	}
	if f == p.canvasSource {
		p.borders(f, shapeOf(f), t)
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
func (p *painter) borders(f *fragment.Fragment, shape raster.RoundRect, t target) {
	if f.BorderWidth == (fragment.Edges{}) || shape.Empty() || p.borderImage(f, shape, t) {
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

func (b *borderSide) dashed() bool { return b.style == css.LineDashed || b.style == css.LineDotted }

// arced reports whether the inner edge of a side is curved at one of its ends. Otherwise, its dashes are on a straight
// line. Source: Blink, BorderWillArcInnerEdge.
func arced(inner raster.RoundRect, i int) bool {
	j := (i + 1) % 4
	return inner.Rx[i]+inner.Ry[i]+inner.Rx[j]+inner.Ry[j] > 0
}

// frame paints four lines round a rounded rectangle, inside of it.
func (p *painter) frame(shape raster.RoundRect, sides [4]borderSide, t target) {
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
	inner := shape.Inset(sides[0].width, sides[1].width, sides[2].width, sides[3].width)
	for i := range sides { // an invisible border still takes its room
		all = all && (sides[i].width > 0)
	}
	hidden := false
	for i := range sides {
		hidden = hidden || sides[i].width > 0 && !sides[i].visible()
	}
	switch {
	case same && all && first.style == css.LineSolid && even(sides) && shape.Shape != [4]float64{}:
		p.shapedRing(shape, sides[0].width, raster.SolidOf(first.color), t)
		return
	case same && !hidden && first.style == css.LineSolid:
		p.ring(shape, inner, raster.SolidOf(first.color), t)
		return
	case same && all && first.style == css.LineDouble:
		p.double(shape, sides, first.color, t)
		return
	case same && all && first.dashed() && even(sides) && (arced(inner, 0) || arced(inner, 2)):
		p.roundDashes(shape, sides, 0, t)
		return
	}
	p.sides(shape, inner, sides, t)
}

// sides paints the borders of a frame one by one, those that are solid with the same color together: between them there
// is no seam.
func (p *painter) sides(shape, inner raster.RoundRect, sides [4]borderSide, t target) {
	for i := range sides {
		s := &sides[i]
		if !s.visible() {
			continue
		}
		if s.style != css.LineSolid {
			p.side(shape, inner, sides, i, t)
			continue
		}
		var q raster.Path
		first := true
		for j := range sides {
			if o := &sides[j]; o.visible() && o.style == css.LineSolid && o.color == s.color {
				first = first && j >= i
				q = append(q, p.part(shape, inner, j)...)
			}
		}
		if first {
			p.ring(shape, inner, raster.SolidOf(s.color), p.clipPath(t, q, false))
		}
	}
}

// part returns what belongs to a border of a frame: the corners are cut from the outer to the inner corner.
func (p *painter) part(shape, inner raster.RoundRect, i int) raster.Path {
	o, n := shape.Rect, inner.Rect
	corners := [4][2]float64{{o.X0, o.Y0}, {o.X1, o.Y0}, {o.X1, o.Y1}, {o.X0, o.Y1}}
	inside := [4][2]float64{{n.X0, n.Y0}, {n.X1, n.Y0}, {n.X1, n.Y1}, {n.X0, n.Y1}}
	for k := range inside { // the cut goes on to the end of a round corner
		if shape.Rx[k] > 0 && shape.Ry[k] > 0 {
			inside[k] = p.cutEnd(shape, inner, corners[k], inside[k], k)
		}
	}
	j := (i + 1) % 4
	var q raster.Path
	q.Move(corners[i][0], corners[i][1])
	q.Line(corners[j][0], corners[j][1])
	q.Line(inside[j][0], inside[j][1])
	q.Line(inside[i][0], inside[i][1])
	q.Close()
	return q
}

// even reports whether all sides have the same width.
func even(sides [4]borderSide) bool {
	w := sides[0].width
	return sides[1].width == w && sides[2].width == w && sides[3].width == w
}

// ring fills what is between two rounded rectangles.
func (p *painter) ring(outside, inside raster.RoundRect, s raster.Shader, t target) {
	if outside.Square() && inside.Square() && t.m.Straight() {
		o, ok1 := raster.WholePixels(t.m.Bounds(outside.Rect))
		i, ok2 := raster.WholePixels(t.m.Bounds(inside.Rect))
		if ok1 && ok2 {
			if i.Empty() {
				p.FillRect(t.l, t.c, o, s)
				return
			}
			p.FillRect(t.l, t.c, image.Rect(o.Min.X, o.Min.Y, o.Max.X, i.Min.Y), s)
			p.FillRect(t.l, t.c, image.Rect(o.Min.X, i.Max.Y, o.Max.X, o.Max.Y), s)
			p.FillRect(t.l, t.c, image.Rect(o.Min.X, i.Min.Y, i.Min.X, i.Max.Y), s)
			p.FillRect(t.l, t.c, image.Rect(i.Max.X, i.Min.Y, o.Max.X, i.Max.Y), s)
			return
		}
	}
	var q, hole raster.Path
	outside.AddTo(&q)
	if !inside.Empty() {
		inside.AddTo(&hole)
		q = append(q, hole.Reversed()...) // where the two edges are the same, nothing is left
	}
	p.Fill(t.l, t.c, q.Transformed(t.m), false, s)
}

// shapedRing fills what is within a width of the outline, inside of it: borders follow the curves of shaped corners.
// Source: CSS Borders and Box Decorations 4, corner-shape.
func (p *painter) shapedRing(outside raster.RoundRect, width float64, s raster.Shader, t target) {
	var q raster.Path
	outside.AddTo(&q)
	pen := raster.Pen{Width: 2 * width, MiterLimit: 10}
	t = p.clipPath(t, q, false)
	p.Fill(t.l, t.c, pen.Stroke(q.Contours(.05, p.Meter)).Transformed(t.m), false, s)
}

// double paints two lines, each a third of the width. Source: Blink, BorderEdge::GetDoubleBorderStripeWidths.
func (p *painter) double(shape raster.RoundRect, sides [4]borderSide, c color.NRGBA, t target) {
	var a, b, w [4]float64
	for i := range sides {
		w[i] = sides[i].width
		a[i] = math.Floor((w[i] + 1) / 3)
		b[i] = w[i] - a[i]
		if w[i] < 3 { // one line
			a[i], b[i] = w[i], w[i]
		}
	}
	p.ring(shape, shape.Inset(a[0], a[1], a[2], a[3]), raster.SolidOf(c), t)
	p.ring(shape.Inset(b[0], b[1], b[2], b[3]), shape.Inset(w[0], w[1], w[2], w[3]), raster.SolidOf(c), t)
}

// side paints one border, within its part of the frame.
func (p *painter) side(shape, inner raster.RoundRect, sides [4]borderSide, i int, t target) {
	s := sides[i]
	before, after := sides[(i+3)%4], sides[(i+1)%4]
	unlike := func(o borderSide) bool { return o.width > 0 && (o.style != s.style || o.color != s.color) }
	straight := s.dashed() && !arced(inner, i)
	if !straight && (before.width > 0 || after.width > 0 || sides[(i+2)%4].width > 0 || !shape.Square()) ||
		straight && (unlike(before) || unlike(after)) {
		t = p.clipPath(t, p.part(shape, inner, i), false)
	}
	if straight {
		if !shape.Square() {
			t = p.clipShape(t, shape)
		}
		p.dashes(shape, sides, i, t)
		return
	}
	c := s.color
	switch s.style {
	case css.LineDashed, css.LineDotted:
		p.roundDashes(shape, sides, i, t)
	case css.LineDouble:
		p.double(shape, sides, c, t)
	case css.LineInset, css.LineOutset:
		c, light := relief(c)
		if (s.style == css.LineInset) != (i == 0 || i == 3) {
			c = light
		}
		p.ring(shape, inner, raster.SolidOf(c), t)
	case css.LineGroove, css.LineRidge:
		mid := shape.Inset(sides[0].width/2, sides[1].width/2, sides[2].width/2, sides[3].width/2)
		a, b := relief(c)
		if (s.style == css.LineGroove) != (i == 0 || i == 3) {
			a, b = b, a
		}
		p.ring(shape, mid, raster.SolidOf(a), t)
		p.ring(mid, inner, raster.SolidOf(b), t)
	}
}

// cutEnd extends the cut between two borders to the center of the corner's curve.
func (p *painter) cutEnd(shape, inner raster.RoundRect, from, to [2]float64, k int) [2]float64 {
	dx, dy := to[0]-from[0], to[1]-from[1]
	if dx == 0 && dy == 0 {
		return to
	}
	f := 1.0
	if dx != 0 {
		f = max(f, shape.Rx[k]/math.Abs(dx))
	}
	if dy != 0 {
		f = max(f, shape.Ry[k]/math.Abs(dy))
	}
	// Neither coordinate goes beyond the center.
	if dx != 0 {
		f = min(f, max(math.Abs((inner.X0+inner.X1)/2-from[0])/math.Abs(dx), 1))
	}
	if dy != 0 {
		f = min(f, max(math.Abs((inner.Y0+inner.Y1)/2-from[1])/math.Abs(dy), 1))
	}
	x, y := from[0]+dx*f, from[1]+dy*f
	return [2]float64{x, y}
}

// relief returns the colors of the dark and the light sides of inset, outset, groove and ridge borders. As measured in
// Chromium, both are lighter than a very dark color, and a very light one isn't made lighter.
func relief(c color.NRGBA) (dark, light color.NRGBA) {
	const darkest, lightest = .0155, .84
	switch y := palette.Luminance(c); {
	case y < darkest:
		dark = lighter(c)
		return dark, lighter(dark)
	case y > lightest:
		return darker(c), c
	}
	return darker(c), lighter(c)
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
func (p *painter) outline(f *fragment.Fragment, t target) {
	o := f.Style.Outline
	if o.Width <= 0 || f.Anonymous || f.Style.Visibility != css.Visible || p.putOff(paintOutline, f, t) {
		return
	}
	shape := shapeOf(f)
	d := o.Width + f.Style.OutlineOffset
	shape = shape.Outset(d)
	side := borderSide{o.Width, o.Style, o.Color.Of(f.Style.Color)}
	p.frame(shape, [4]borderSide{side, side, side, side}, t)
}
