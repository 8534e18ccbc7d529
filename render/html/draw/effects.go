package draw

import (
	"encoding/binary"
	"image"
	"math"

	"masthead/render/cache"
	"masthead/render/html/css"
	"masthead/render/html/css/transform"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
)

// transformOf returns the transform of a fragment about its origin.
func transformOf(f *fragment.Fragment) raster.Matrix {
	st := f.Style
	if len(st.Transform) == 0 || f.Kind == fragment.Inline {
		return raster.Identity
	}
	w, h := f.Border.W, f.Border.H
	ox, oy := f.Border.X+st.Origin[0].Resolve(w), f.Border.Y+st.Origin[1].Resolve(h)
	m := raster.Translation(ox, oy)
	for _, t := range st.Transform {
		if t.Kind == transform.Translate {
			m = m.Mul(raster.Translation(t.X.Resolve(w), t.Y.Resolve(h)))
			continue
		}
		k := t.Matrix
		m = m.Mul(raster.Matrix{A: k[0], B: k[1], C: k[2], D: k[3], E: k[4], F: k[5]})
	}
	return m.Mul(raster.Translation(-ox, -oy))
}

// maxLayerBytes bounds the memory of the layers that are drawn into at a time, besides the card. Effects nested deeper
// have no effect.
const maxLayerBytes = 40 << 20

// enter reports whether there is room for a layer; leave ends its use.
func (p *painter) enter(r image.Rectangle) bool {
	n := 4 * r.Dx() * r.Dy()
	if p.layerBytes+n > maxLayerBytes || p.stop() {
		if !p.tooDeep && p.Meter.Err() == nil {
			p.tooDeep = true
			p.warn(nil, "Effects are nested too deep: opacity, filters and masks in so many others have no effect.")
		}
		return false
	}
	p.layerBytes += n
	return true
}

func (p *painter) leave(r image.Rectangle) { p.layerBytes -= 4 * r.Dx() * r.Dy() }

// maxReach is how far beyond the card layers may reach for filters, in px.
const maxReach = 300

// reachable limits the rectangle of a layer to what can be seen.
func (p *painter) reachable(r image.Rectangle) image.Rectangle {
	return r.Intersect(image.Rect(0, 0, p.width, p.height).Inset(-maxReach))
}

// group draws into a layer and composites it.
func (p *painter) group(
	f *fragment.Fragment, t target, r raster.Rect, draw func(target), opacity float64, mode css.Blend,
) {
	bounds := raster.Outer(t.m.Bounds(r)).Intersect(t.c.R)
	if bounds.Empty() {
		return
	}
	if !p.enter(bounds) {
		draw(t)
		return
	}
	defer p.leave(bounds)
	l := raster.NewLayer(bounds)
	defer l.Release()
	draw(target{l: l, c: raster.Clip{R: bounds}, m: t.m})
	p.Composite(t.l, t.c, l, opacity, mode)
}

// withEffects draws a fragment with all effects of its style; draw draws its content.
func (p *painter) withEffects(f *fragment.Fragment, t target, isolate bool, draw func(target)) {
	st := f.Style
	t.m = t.m.Mul(transformOf(f))
	if det := t.m.A*t.m.D - t.m.B*t.m.C; math.Abs(det) < 1e-9 {
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
	if t.c.R.Empty() {
		return
	}
	masked := hasMask(st.Mask)
	filtered := len(st.Filter) > 0 || masked // what is behind the box, too
	if len(st.BackdropFilter) > 0 && !filtered {
		p.backdrop(f, t, t, st.Opacity)
	}
	if st.Opacity >= 1 && !filtered && st.MixBlend == css.BlendNormal && !isolate {
		draw(t)
		return
	}
	bounds := p.layerBounds(f, t)
	if bounds.Empty() {
		return
	}
	if !p.enter(bounds) {
		draw(t)
		return
	}
	defer p.leave(bounds)
	l := raster.NewLayer(bounds)
	defer func() { l.Release() }()
	inner := target{l: l, c: raster.Clip{R: bounds}, m: t.m}
	if len(st.BackdropFilter) > 0 && filtered {
		p.backdrop(f, t, inner, 1)
	}
	draw(inner)
	for i := range st.Filter {
		if p.stop() {
			return
		}
		l = p.filter(l, &st.Filter[i], t.m, f)
	}
	if masked {
		p.maskImages(f, l, t)
	}
	p.Composite(t.l, t.c, l, st.Opacity, st.MixBlend)
}

// layerBounds returns the pixels that the layer of a fragment with effects needs.
func (p *painter) layerBounds(f *fragment.Fragment, t target) image.Rectangle {
	ink := p.inkBounds(f, 0)
	reach := filterReach(f.Style.Filter, t.m.Scale())
	device := raster.Outer(t.m.Bounds(ink))
	visible := t.c.R
	if reach > 0 {
		visible = visible.Inset(-reach)
	}
	bounds := device.Inset(-1).Intersect(visible)
	if reach > 0 {
		bounds = bounds.Inset(-reach)
	}
	return p.reachable(bounds)
}

func hasMask(list []css.Layer) bool {
	for i := range list {
		if !list[i].Image.None() {
			return true
		}
	}
	return false
}

// maskImages multiplies a layer by the mask of a fragment.
func (p *painter) maskImages(f *fragment.Fragment, l *raster.Layer, t target) {
	if !p.enter(l.R) {
		return
	}
	defer p.leave(l.R)
	total := cache.Pixels.Take(len(l.Pix) / 4) // alpha only: a layer less of a large card
	defer cache.Pixels.Give(total)
	clear(total)
	shape := shapeOf(f)
	list := f.Style.Mask
	for i := len(list) - 1; i >= 0 && !p.stop(); i-- {
		one := raster.NewLayer(l.R)
		inner := target{l: one, c: raster.Clip{R: l.R}, m: t.m}
		within := boxShape(f, shape, list[i].Clip)
		if list[i].Clip == value.BoxNone {
			within = raster.RoundRect{Rect: rectOf(f.Border).Grow(raster.Far)}
		}
		if !list[i].Image.None() {
			p.layer(f, &list[i], shape, within, inner)
		}
		combine(total, one.Pix, list[i].MaskOp, i == len(list)-1, list[i].Luminous == css.MaskLuminance)
		one.Release()
	}
	for i := 0; i < len(l.Pix); i += 4 {
		m := total[i/4]
		if m == 255 {
			continue
		}
		for k := range 4 {
			l.Pix[i+k] = raster.Mul(l.Pix[i+k], m)
		}
	}
}

// combine composes a mask layer's alpha, or its luminance, with the alpha of those below it, a byte for each pixel.
func combine(total, one []uint8, op css.MaskOp, lowest, luminance bool) {
	for i := 0; i < len(one); i += 4 {
		s, d := one[i+3], total[i/4]
		if luminance {
			s = uint8((uint32(one[i])*2126 + uint32(one[i+1])*7152 + uint32(one[i+2])*722 + 5000) / 10000)
		}
		switch {
		case lowest || op == css.MaskAdd:
			d = s + raster.Mul(d, 255-s)
		case op == css.MaskSubtract:
			d = raster.Mul(s, 255-d)
		case op == css.MaskIntersect:
			d = raster.Mul(s, d)
		default:
			d = raster.Mul(s, 255-d) + raster.Mul(d, 255-s)
		}
		total[i/4] = d
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

// filter applies a filter to a layer. m are the transforms of what is in it, which turn shadows, too.
func (p *painter) filter(l *raster.Layer, f *css.Filter, m raster.Matrix, of *fragment.Fragment) *raster.Layer {
	scale := m.Scale()
	switch f.Kind {
	case css.FilterBlur:
		raster.Blur(l.Pix, l.R.Dx(), l.R.Dy(), l.Stride, 4, min(f.Amount*scale, maxSigma), raster.EdgeZero)
		return l
	case css.FilterDropShadow:
		return p.dropShadow(l, f, m, of)
	}
	filterColors(l.Pix, f)
	return l
}

// dropShadow draws the shadow of a layer below it.
func (p *painter) dropShadow(l *raster.Layer, f *css.Filter, t raster.Matrix, of *fragment.Fragment) *raster.Layer {
	scale := t.Scale()
	c := f.Shadow.Color.Of(of.Style.Color)
	w, h := l.R.Dx(), l.R.Dy()
	m := image.NewAlpha(l.R)
	x, y := f.Shadow.X, f.Shadow.Y
	dx, dy := int(math.Round(t.A*x+t.C*y)), int(math.Round(t.B*x+t.D*y))
	x0, x1 := max(dx, 0), min(w, w+dx)
	for y := max(dy, 0); y < min(h, h+dy) && x0 < x1; y++ {
		from, to := l.Pix[(y-dy)*l.Stride+4*(x0-dx):][:4*(x1-x0)], m.Pix[y*w+x0:][:x1-x0]
		for x := range to {
			to[x] = from[4*x+3]
		}
	}
	raster.Blur(m.Pix, w, h, w, 1, min(f.Shadow.Blur*scale, maxSigma), raster.EdgeZero)
	raster.Under(l, m, raster.SolidOf(c))
	return l
}

// filterColors applies a filter of colors to premultiplied pixels.
func filterColors(pix []uint8, f *css.Filter) {
	if f.Kind == css.FilterOpacity {
		a := uint8(f.Amount*255 + .5)
		for i := range pix {
			pix[i] = raster.Mul(pix[i], a)
		}
		return
	}
	m, scaleBy, add := colorMatrix(f)
	t := newColorTables(m, scaleBy, add)
	var last, out uint32 // a pixel, and what becomes of it: that of many after it
	for ; len(pix) >= 4; pix = pix[4:] {
		v := binary.LittleEndian.Uint32(pix)
		if v != last {
			last = v
			switch pix[3] {
			case 0:
			case 255:
				t.opaque(pix[:4:4])
			default:
				filterColor(pix[:4:4], m, scaleBy, add)
			}
			out = binary.LittleEndian.Uint32(pix)
			continue
		}
		binary.LittleEndian.PutUint32(pix, out)
	}
}

// filterColor applies a matrix, a factor and what is added to a premultiplied pixel.
func filterColor(pixel []uint8, m *[9]float64, scaleBy, add float64) {
	fa := float64(pixel[3])
	r, g, b := float64(pixel[0])/fa, float64(pixel[1])/fa, float64(pixel[2])/fa
	if m != nil {
		r, g, b = m[0]*r+m[1]*g+m[2]*b, m[3]*r+m[4]*g+m[5]*b, m[6]*r+m[7]*g+m[8]*b
	}
	for k, v := range [3]float64{r, g, b} {
		v = v*scaleBy + add
		pixel[k] = uint8(min(max(v, 0), 1)*fa + .5)
	}
}

// colorTables are the parts of a filter's results for opaque pixels, by the value of a channel.
type colorTables struct {
	alone  [256]uint8          // without a matrix
	shares *[3][256][3]float64 // of a channel, by its value, in each of the three
}

func newColorTables(m *[9]float64, scaleBy, add float64) *colorTables {
	t := &colorTables{}
	for v := range 256 {
		pixel := []uint8{uint8(v), 0, 0, 255}
		filterColor(pixel, nil, scaleBy, add)
		t.alone[v] = pixel[0]
	}
	if m != nil {
		t.shares = new([3][256][3]float64)
		for i, k := range m {
			for v := range 256 {
				t.shares[i%3][v][i/3] = k * (float64(v) / 255)
			}
		}
	}
	return t
}

// opaque is filterColor of an opaque pixel; matrices have no factor and add nothing.
func (t *colorTables) opaque(pixel []uint8) {
	r, g, b := pixel[0], pixel[1], pixel[2]
	if t.shares == nil {
		pixel[0], pixel[1], pixel[2] = t.alone[r], t.alone[g], t.alone[b]
		return
	}
	shares := t.shares
	ofR, ofG, ofB := &shares[0][r], &shares[1][g], &shares[2][b]
	for k := range 3 {
		v := int((ofR[k]+ofG[k]+ofB[k])*255 + .5) // limited as an integer, which is faster and the same
		pixel[k] = uint8(min(max(v, 0), 255))
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

// backdrop filters what is behind a box in t, within its corners, and draws it into another target.
func (p *painter) backdrop(f *fragment.Fragment, t, into target, opacity float64) {
	shape := shapeOf(f)
	inside := p.clipShape(into, shape)
	area := raster.Outer(t.m.Bounds(shape.Rect)).Intersect(t.l.R)
	if area.Empty() || inside.c.R.Empty() || !p.enter(area) {
		return
	}
	defer p.leave(area)
	l := raster.NewLayer(area)
	defer func() { l.Release() }()
	t.l.Upgrade()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		copy(l.Row(y, area.Min.X, area.Max.X), t.l.Row(y, area.Min.X, area.Max.X))
	}
	for i := range f.Style.BackdropFilter {
		if p.stop() {
			return
		}
		fl := &f.Style.BackdropFilter[i]
		if fl.Kind == css.FilterBlur {
			raster.Blur(l.Pix, area.Dx(), area.Dy(), l.Stride, 4, min(fl.Amount*t.m.Scale(), maxSigma), raster.EdgeMirror)
			continue
		}
		l = p.filter(l, fl, t.m, f)
	}
	p.Composite(into.l, inside.c, l, opacity, css.BlendNormal)
}

// roundRectOf is shapeOf without snapping to pixels.
func roundRectOf(f *fragment.Fragment) raster.RoundRect {
	r := shapeOf(f)
	r.Rect = rectOf(f.Border)
	return r
}
