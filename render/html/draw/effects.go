package draw

import (
	"image"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout"
)

// transformOf returns the transform of a fragment about its origin.
func transformOf(f *layout.Fragment) matrix {
	st := f.Style
	if len(st.Transform) == 0 || f.Kind == layout.Inline {
		return identity
	}
	w, h := f.Border.W, f.Border.H
	ox, oy := f.Border.X+st.Origin[0].Resolve(w), f.Border.Y+st.Origin[1].Resolve(h)
	m := translation(ox, oy)
	for _, t := range st.Transform {
		if t.Kind == css.TransformTranslate {
			m = m.mul(translation(t.X.Resolve(w), t.Y.Resolve(h)))
			continue
		}
		k := t.Matrix
		m = m.mul(matrix{k[0], k[1], k[2], k[3], k[4], k[5]})
	}
	return m.mul(translation(-ox, -oy))
}

// maxGroups is how many layers may be drawn into at a time; what is nested deeper has no effect of its own.
const maxGroups = 10

func (p *painter) enter() bool {
	if p.groups >= maxGroups {
		if !p.tooDeep {
			p.tooDeep = true
			p.warn(nil, "Effects are nested too deep: opacity, filters and masks below the tenth have no effect.")
		}
		return false
	}
	p.groups++
	return true
}

func (p *painter) leave() { p.groups-- }

// group draws into a layer and composites it.
func (p *painter) group(f *layout.Fragment, t target, r rect, draw func(target), opacity float64, mode css.Blend) {
	bounds := outer(t.m.bounds(r)).Intersect(t.c.r)
	if bounds.Empty() {
		return
	}
	if !p.enter() {
		draw(t)
		return
	}
	defer p.leave()
	l := newLayer(bounds)
	defer l.release()
	draw(target{l: l, c: clip{r: bounds}, m: t.m})
	p.composite(t.l, t.c, l, opacity, mode)
}

// withEffects draws a fragment with all effects of its style; draw draws its content.
func (p *painter) withEffects(f *layout.Fragment, t target, isolate bool, draw func(target)) {
	st := f.Style
	t.m = t.m.mul(transformOf(f))
	if det := t.m.a*t.m.d - t.m.b*t.m.c; math.Abs(det) < 1e-9 {
		return
	}
	if st.Opacity <= 0 {
		return
	}
	if st.ClipPath != nil {
		q, evenOdd := shapePath(f, st.ClipPath)
		if len(q) == 0 {
			return
		}
		t = p.clipPath(t, q, evenOdd)
	}
	if t.c.r.Empty() {
		return
	}
	if len(st.BackdropFilter) > 0 {
		p.backdrop(f, t)
	}
	masked := hasMask(st.Mask)
	if st.Opacity >= 1 && len(st.Filter) == 0 && !masked && st.MixBlend == css.BlendNormal && !isolate {
		draw(t)
		return
	}
	ink := p.inkBounds(f, 0)
	reach := filterReach(st.Filter, t.m.scale())
	device := outer(t.m.bounds(ink))
	visible := t.c.r
	if reach > 0 {
		visible = visible.Inset(-reach)
	}
	bounds := device.Inset(-1).Intersect(visible)
	if reach > 0 {
		bounds = bounds.Inset(-reach)
	}
	if bounds.Empty() {
		return
	}
	if !p.enter() {
		draw(t)
		return
	}
	defer p.leave()
	l := newLayer(bounds)
	defer func() { l.release() }()
	draw(target{l: l, c: clip{r: bounds}, m: t.m})
	for i := range st.Filter {
		l = p.filter(l, &st.Filter[i], t.m.scale(), f)
	}
	if masked {
		p.mask(f, l, t)
	}
	p.composite(t.l, t.c, l, st.Opacity, st.MixBlend)
}

func hasMask(list []css.Layer) bool {
	for i := range list {
		if !list[i].Image.None() {
			return true
		}
	}
	return false
}

// mask multiplies a layer by the mask of a fragment.
func (p *painter) mask(f *layout.Fragment, l *layer, t target) {
	if !p.enter() {
		return
	}
	defer p.leave()
	total := newLayer(l.r)
	defer total.release()
	shape := shapeOf(f)
	list := f.Style.Mask
	for i := len(list) - 1; i >= 0; i-- {
		one := newLayer(l.r)
		inner := target{l: one, c: clip{r: l.r}, m: t.m}
		within := boxShape(f, shape, list[i].Clip)
		if list[i].Clip == css.BoxNone {
			within = roundRect{rect: rectOf(f.Border).grow(far)}
		}
		if !list[i].Image.None() {
			p.layer(f, &list[i], shape, within, inner)
		}
		combine(total.pix, one.pix, list[i].MaskOp, i == len(list)-1, list[i].Luminous == css.MaskLuminance)
		one.release()
	}
	for i := 0; i < len(l.pix); i += 4 {
		m := total.pix[i+3]
		if m == 255 {
			continue
		}
		for k := range 4 {
			l.pix[i+k] = mul(l.pix[i+k], m)
		}
	}
}

// combine composes the alpha of a mask layer with those below it.
func combine(total, one []uint8, op css.MaskOp, lowest, luminance bool) {
	for i := 0; i < len(total); i += 4 {
		s, d := one[i+3], total[i+3]
		if luminance {
			s = uint8((uint32(one[i])*2126 + uint32(one[i+1])*7152 + uint32(one[i+2])*722 + 5000) / 10000)
		}
		switch {
		case lowest || op == css.MaskAdd:
			d = s + mul(d, 255-s)
		case op == css.MaskSubtract:
			d = mul(s, 255-d)
		case op == css.MaskIntersect:
			d = mul(s, d)
		default:
			d = mul(s, 255-d) + mul(d, 255-s)
		}
		total[i+3] = d
	}
}

// filterReach is how far filters draw beyond what they filter, in px.
func filterReach(list []css.Filter, scale float64) int {
	reach := 0.0
	for i := range list {
		switch f := &list[i]; f.Kind {
		case css.FilterBlur:
			reach += 3 * min(f.Amount*scale, maxSigma)
		case css.FilterDropShadow:
			reach += 3*min(f.Shadow.Blur*scale, maxSigma) + max(math.Abs(f.Shadow.X), math.Abs(f.Shadow.Y))*scale
		}
	}
	return int(min(math.Ceil(reach), 1000))
}

// filter applies a filter to a layer.
func (p *painter) filter(l *layer, f *css.Filter, scale float64, of *layout.Fragment) *layer {
	switch f.Kind {
	case css.FilterBlur:
		blur(l.pix, l.r.Dx(), l.r.Dy(), l.stride, 4, min(f.Amount*scale, maxSigma), edgeZero)
		return l
	case css.FilterDropShadow:
		return p.dropShadow(l, f, scale, of)
	}
	filterColors(l.pix, f)
	return l
}

func (p *painter) dropShadow(l *layer, f *css.Filter, scale float64, of *layout.Fragment) *layer {
	c := f.Shadow.Color.Of(of.Style.Color)
	w, h := l.r.Dx(), l.r.Dy()
	m := image.NewAlpha(l.r)
	dx, dy := int(math.Round(f.Shadow.X*scale)), int(math.Round(f.Shadow.Y*scale))
	for y := range h {
		sy := y - dy
		if sy < 0 || sy >= h {
			continue
		}
		for x := range w {
			if sx := x - dx; sx >= 0 && sx < w {
				m.Pix[y*w+x] = l.pix[sy*l.stride+4*sx+3]
			}
		}
	}
	blur(m.Pix, w, h, w, 1, min(f.Shadow.Blur*scale, maxSigma), edgeZero)
	out := newLayer(l.r)
	p.fillMask(out, clip{r: l.r}, m, l.r.Min.X, l.r.Min.Y, solidOf(c))
	for y := l.r.Min.Y; y < l.r.Max.Y; y++ {
		over(out.row(y, l.r.Min.X, l.r.Max.X), l.row(y, l.r.Min.X, l.r.Max.X))
	}
	l.release()
	return out
}

// filterColors applies a filter of colors to premultiplied pixels.
func filterColors(pix []uint8, f *css.Filter) {
	if f.Kind == css.FilterOpacity {
		a := uint8(f.Amount*255 + .5)
		for i := range pix {
			pix[i] = mul(pix[i], a)
		}
		return
	}
	m, scaleBy, add := colorMatrix(f)
	for i := 0; i+3 < len(pix); i += 4 {
		a := pix[i+3]
		if a == 0 {
			continue
		}
		fa := float64(a)
		r, g, b := float64(pix[i])/fa, float64(pix[i+1])/fa, float64(pix[i+2])/fa
		if m != nil {
			r, g, b = m[0]*r+m[1]*g+m[2]*b, m[3]*r+m[4]*g+m[5]*b, m[6]*r+m[7]*g+m[8]*b
		}
		for k, v := range [3]float64{r, g, b} {
			v = v*scaleBy + add
			pix[i+k] = uint8(min(max(v, 0), 1)*fa + .5)
		}
	}
}

// colorMatrix returns the matrix of a filter, then a factor and what is added.
func colorMatrix(f *css.Filter) (m *[9]float64, scale, add float64) {
	v := f.Amount
	switch f.Kind {
	case css.FilterBrightness:
		return nil, v, 0
	case css.FilterContrast:
		return nil, v, .5 - .5*v
	case css.FilterInvert:
		return nil, 1 - 2*v, v
	case css.FilterGrayscale:
		k := 1 - v
		return &[9]float64{
			.2126 + .7874*k, .7152 - .7152*k, .0722 - .0722*k,
			.2126 - .2126*k, .7152 + .2848*k, .0722 - .0722*k,
			.2126 - .2126*k, .7152 - .7152*k, .0722 + .9278*k,
		}, 1, 0
	case css.FilterSepia:
		k := 1 - v
		return &[9]float64{
			.393 + .607*k, .769 - .769*k, .189 - .189*k,
			.349 - .349*k, .686 + .314*k, .168 - .168*k,
			.272 - .272*k, .534 - .534*k, .131 + .869*k,
		}, 1, 0
	case css.FilterSaturate:
		return &[9]float64{
			.213 + .787*v, .715 - .715*v, .072 - .072*v,
			.213 - .213*v, .715 + .285*v, .072 - .072*v,
			.213 - .213*v, .715 - .715*v, .072 + .928*v,
		}, 1, 0
	case css.FilterHueRotate:
		s, c := math.Sincos(v * math.Pi / 180)
		return &[9]float64{
			.213 + c*.787 - s*.213, .715 - c*.715 - s*.715, .072 - c*.072 + s*.928,
			.213 - c*.213 + s*.143, .715 + c*.285 + s*.140, .072 - c*.072 - s*.283,
			.213 - c*.213 - s*.787, .715 - c*.715 + s*.715, .072 + c*.928 + s*.072,
		}, 1, 0
	}
	return nil, 1, 0
}

// backdrop filters what is behind a box, within its corners.
func (p *painter) backdrop(f *layout.Fragment, t target) {
	shape := shapeOf(f)
	inside := p.clipShape(t, shape)
	area := outer(t.m.bounds(shape.rect)).Intersect(t.l.r)
	if area.Empty() || inside.c.r.Empty() || !p.enter() {
		return
	}
	defer p.leave()
	l := newLayer(area)
	defer func() { l.release() }()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		copy(l.row(y, area.Min.X, area.Max.X), t.l.row(y, area.Min.X, area.Max.X))
	}
	for i := range f.Style.BackdropFilter {
		fl := &f.Style.BackdropFilter[i]
		if fl.Kind == css.FilterBlur {
			blur(l.pix, area.Dx(), area.Dy(), l.stride, 4, min(fl.Amount*t.m.scale(), maxSigma), edgeMirror)
			continue
		}
		l = p.filter(l, fl, t.m.scale(), f)
	}
	p.composite(t.l, inside.c, l, f.Style.Opacity, css.BlendNormal)
}

// shapePath returns the path of a clip-path, in the coordinates of the layout.
func shapePath(f *layout.Fragment, s *css.Shape) (q path, evenOdd bool) {
	shape := boxShape(f, roundRectOf(f), s.Ref)
	b := shape.rect
	w, h := b.w(), b.h()
	x, y := func(l css.Length) float64 { return b.x0 + l.Resolve(w) }, func(l css.Length) float64 { return b.y0 + l.Resolve(h) }
	switch s.Kind {
	case css.ShapeBox:
		shape.addTo(&q)
	case css.ShapeInset:
		r := roundRect{rect: b.inset(s.Inset.Top.Resolve(h), s.Inset.Right.Resolve(w), s.Inset.Bottom.Resolve(h), s.Inset.Left.Resolve(w))}
		for i, k := range [4]css.Radius{s.Radius.TopLeft, s.Radius.TopRight, s.Radius.BottomRight, s.Radius.BottomLeft} {
			r.rx[i], r.ry[i] = k.X.Resolve(w), k.Y.Resolve(h)
		}
		r.fit()
		if !r.empty() {
			r.addTo(&q)
		}
	case css.ShapeCircle, css.ShapeEllipse:
		cx, cy := x(s.X), y(s.Y)
		var rx, ry float64
		if s.Kind == css.ShapeCircle {
			if s.ExplicitX {
				rx = s.RX.Resolve(math.Hypot(w, h) / math.Sqrt2)
			} else {
				rx, _ = extent(s.ExtentX, true, cx-b.x0, cy-b.y0, w, h)
			}
			ry = rx
		} else {
			ex, _ := extent(s.ExtentX, false, cx-b.x0, cy-b.y0, w, h)
			_, ey := extent(s.ExtentY, false, cx-b.x0, cy-b.y0, w, h)
			rx, ry = ex, ey
			if s.ExplicitX {
				rx = s.RX.Resolve(w)
			}
			if s.ExplicitY {
				ry = s.RY.Resolve(h)
			}
		}
		if rx > 0 && ry > 0 {
			r := roundRect{rect: rect{cx - rx, cy - ry, cx + rx, cy + ry}, rx: [4]float64{rx, rx, rx, rx}, ry: [4]float64{ry, ry, ry, ry}}
			r.addTo(&q)
		}
	case css.ShapePolygon:
		for i, v := range s.Points {
			if i == 0 {
				q.move(x(v[0]), y(v[1]))
			} else {
				q.line(x(v[0]), y(v[1]))
			}
		}
		q.close()
	case css.ShapePath:
		q = path(s.Path).transformed(translation(b.x0, b.y0))
	case css.ShapeCommands:
		q = commandPath(s, b)
	}
	return q, s.EvenOdd
}

// roundRectOf is shapeOf without snapping to pixels.
func roundRectOf(f *layout.Fragment) roundRect {
	r := shapeOf(f)
	r.rect = rectOf(f.Border)
	return r
}

// commandPath returns the path of shape().
func commandPath(s *css.Shape, b rect) (q path) {
	w, h := b.w(), b.h()
	var px, py, sx, sy, cx, cy float64 // pen, start, last control point, relative to the box
	last := byte(0)
	for i := range s.Commands {
		c := &s.Commands[i]
		ex, ey := c.To[0].Resolve(w), c.To[1].Resolve(h)
		if c.Rel {
			ex, ey = ex+px, ey+py
		}
		control := func(p [2]css.Length, from css.ShapeOrigin) (float64, float64) {
			x, y := p[0].Resolve(w), p[1].Resolve(h)
			switch {
			case from == css.FromStart, from == css.FromDefault && c.Rel:
				x, y = x+px, y+py
			case from == css.FromEnd:
				x, y = x+ex, y+ey
			}
			return x, y
		}
		add := func(op byte, v ...float64) {
			st := css.PathStep{Op: op}
			for k := 0; k < len(v); k += 2 {
				st.Points[k], st.Points[k+1] = v[k]+b.x0, v[k+1]+b.y0
			}
			q = append(q, st)
		}
		switch c.Op {
		case 'M':
			add('M', ex, ey)
			sx, sy = ex, ey
		case 'L':
			add('L', ex, ey)
		case 'H':
			ey = py
			add('L', ex, ey)
		case 'V':
			ex = px
			if !c.Rel {
				ey = c.To[1].Resolve(h)
			} else {
				ey = py + c.To[1].Resolve(h)
			}
			add('L', ex, ey)
		case 'C':
			ax, ay := control(c.A, c.FromA)
			cx, cy = control(c.B, c.FromB)
			add('C', ax, ay, cx, cy, ex, ey)
		case 'Q':
			cx, cy = control(c.A, c.FromA)
			add('Q', cx, cy, ex, ey)
		case 'S':
			ax, ay := px, py
			if last == 'C' || last == 'S' || last == 'Q' || last == 'T' {
				ax, ay = 2*px-cx, 2*py-cy
			}
			cx, cy = control(c.A, c.FromA)
			add('C', ax, ay, cx, cy, ex, ey)
		case 'T':
			ax, ay := px, py
			if last == 'C' || last == 'S' || last == 'Q' || last == 'T' {
				ax, ay = 2*px-cx, 2*py-cy
			}
			cx, cy = ax, ay
			add('Q', ax, ay, ex, ey)
		case 'A':
			rx, ry := c.RX.Resolve(w), c.RY.Resolve(h)
			q = css.Arc(q, px+b.x0, py+b.y0, rx, ry, c.Rotation, c.Large, c.Sweep, ex+b.x0, ey+b.y0)
		case 'Z':
			q.close()
			ex, ey = sx, sy
		}
		px, py, last = ex, ey, c.Op
	}
	return q
}
