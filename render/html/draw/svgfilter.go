package draw

import (
	"image"
	"image/color"
	"math"
	"strings"

	"masthead/render/html/css"
)

// alphaOf returns the alpha of a layer as a mask.
func alphaOf(l *layer) *image.Alpha {
	m := image.NewAlpha(l.r)
	for i := range m.Pix {
		m.Pix[i] = l.pix[4*i+3]
	}
	return m
}

// filterRegion returns the region of a filter, in the coordinates of the element.
func filterRegion(n *svgNode, box, view rect) rect {
	if n.attrs["filterUnits"] == "userSpaceOnUse" {
		x, y := svgLength(n.attrs["x"], view.w(), box.x0-box.w()/10), svgLength(n.attrs["y"], view.h(), box.y0-box.h()/10)
		w, h := svgLength(n.attrs["width"], view.w(), box.w()*1.2), svgLength(n.attrs["height"], view.h(), box.h()*1.2)
		return rect{x, y, x + w, y + h}
	}
	x, y := svgLength(n.attrs["x"], 1, -.1), svgLength(n.attrs["y"], 1, -.1)
	w, h := svgLength(n.attrs["width"], 1, 1.2), svgLength(n.attrs["height"], 1, 1.2)
	x0, y0 := box.x0+x*box.w(), box.y0+y*box.h()
	return rect{x0, y0, x0 + w*box.w(), y0 + h*box.h()}
}

// filter runs the primitives of a <filter> over a layer, and returns the result; it takes the layer.
func (s *svgPainter) filter(n *svgNode, l *layer, st svgStyle, m matrix, box rect) *layer {
	s.inherit(&st, n)
	region := outer(m.bounds(filterRegion(n, box, s.view))).Intersect(l.r)
	k := m.scale()
	results := map[string]*layer{"SourceGraphic": l}
	last := l
	var own []*layer
	for i, c := range n.children {
		const most = 24
		if i >= most || s.p.stop() || !s.p.enter(l.r) {
			break
		}
		out := newLayer(l.r)
		own = append(own, out)
		f := &svgPrimitive{s: s, n: c, st: st, scale: k, out: out, results: results, last: last, source: l, units: 1}
		s.inherit(&f.st, c)
		if n.attrs["primitiveUnits"] == "objectBoundingBox" {
			f.units = math.Hypot(box.w(), box.h()) / math.Sqrt2
		}
		f.run()
		keepOnly(out, region)
		last = out
		if name := c.attrs["result"]; name != "" {
			results[name] = out
		}
	}
	for _, o := range own {
		s.p.leave(l.r)
		if o != last {
			o.release()
		}
	}
	if last != l {
		l.release()
	}
	return last
}

// keepOnly clears a layer outside of a region.
func keepOnly(l *layer, r image.Rectangle) {
	if r.Eq(l.r) {
		return
	}
	for y := l.r.Min.Y; y < l.r.Max.Y; y++ {
		if y < r.Min.Y || y >= r.Max.Y || r.Empty() {
			clear(l.row(y, l.r.Min.X, l.r.Max.X))
			continue
		}
		clear(l.row(y, l.r.Min.X, r.Min.X))
		clear(l.row(y, r.Max.X, l.r.Max.X))
	}
}

// svgPrimitive is one filter primitive.
type svgPrimitive struct {
	s                 *svgPainter
	n                 *svgNode
	st                svgStyle
	scale, units      float64
	out, last, source *layer
	results           map[string]*layer
}

// input copies an input to dst.
func (f *svgPrimitive) input(name string, dst *layer) {
	switch in := f.n.attrs[name]; {
	case in == "SourceAlpha":
		for i := 3; i < len(dst.pix); i += 4 {
			dst.pix[i] = f.source.pix[i]
		}
	case in == "" || f.results[in] == nil && !strings.HasSuffix(in, "Image") && !strings.HasSuffix(in, "Paint"):
		copy(dst.pix, f.last.pix)
	case f.results[in] != nil:
		copy(dst.pix, f.results[in].pix)
	}
}

// two returns the sizes of an attribute of one or two numbers, in device pixels.
func (f *svgPrimitive) two(name string) (x, y float64) {
	v := numbers(f.n.attrs[name])
	switch len(v) {
	case 0:
		return 0, 0
	case 1:
		v = append(v, v[0])
	}
	k := f.scale * f.units
	return v[0] * k, v[1] * k
}

func (f *svgPrimitive) run() {
	out := f.out
	switch f.n.tag {
	case "feGaussianBlur":
		f.input("in", out)
		x, y := f.two("stdDeviation")
		f.blur(out, (x+y)/2)
	case "feOffset":
		one := newLayer(out.r)
		f.input("in", one)
		k := f.scale * f.units
		shift(out, one, svgLength(f.n.attrs["dx"], 1, 0)*k, svgLength(f.n.attrs["dy"], 1, 0)*k)
		one.release()
	case "feFlood":
		f.flood(out)
	case "feDropShadow":
		f.dropShadow(out)
	case "feMerge":
		for _, c := range f.n.children {
			node := *f
			node.n = c
			one := newLayer(out.r)
			node.input("in", one)
			over(out.pix, one.pix)
			one.release()
		}
	case "feComposite":
		f.composite(out)
	case "feBlend":
		one := newLayer(out.r)
		f.input("in2", out)
		f.input("in", one)
		if mode := blendOf(f.n.attrs["mode"]); mode == css.BlendNormal {
			over(out.pix, one.pix)
		} else {
			blendRow(out.pix, one.pix, nil, 255, mode)
		}
		one.release()
	case "feColorMatrix":
		f.input("in", out)
		f.colorMatrix(out)
	default:
		f.input("in", out)
	}
}

// blur blurs a layer, in linear light unless the drawing asks for sRGB.
func (f *svgPrimitive) blur(l *layer, sigma float64) {
	sigma = min(sigma, maxSigma)
	if f.st.interpolationIsLinear {
		convert(l.pix, &toLinear)
		defer convert(l.pix, &fromLinear)
	}
	blur(l.pix, l.r.Dx(), l.r.Dy(), l.stride, 4, sigma, edgeZero)
}

// toLinear and fromLinear are the transfer of sRGB, of 255.
var toLinear, fromLinear [256]uint8

func init() {
	for i := range toLinear {
		v := float64(i) / 255
		if v > .04045 {
			toLinear[i] = to8(math.Pow((v+.055)/1.055, 2.4))
		} else {
			toLinear[i] = to8(v / 12.92)
		}
		if v > .0031308 {
			fromLinear[i] = to8(1.055*math.Pow(v, 1/2.4) - .055)
		} else {
			fromLinear[i] = to8(v * 12.92)
		}
	}
}

// convert applies a transfer to the colors of premultiplied pixels.
func convert(pix []uint8, table *[256]uint8) {
	for i := 0; i+3 < len(pix); i += 4 {
		a := uint32(pix[i+3])
		if a == 0 {
			continue
		}
		for k := range 3 {
			v := min(uint32(pix[i+k])*255/a, 255)
			pix[i+k] = mul(table[v], uint8(a))
		}
	}
}

func (f *svgPrimitive) flood(out *layer) {
	ink := solidOf(f.floodColor())
	ink.shade(0, 0, out.pix)
}

func (f *svgPrimitive) floodColor() color.NRGBA {
	c := color.NRGBA{A: 255}
	if v, ok := css.ParseColor(f.n.attrs["flood-color"], f.st.color); ok {
		c = v
	}
	a := svgLength(f.n.attrs["flood-opacity"], 1, 1)
	c.A = to8(float64(c.A) / 255 * min(max(a, 0), 1))
	return c
}

func (f *svgPrimitive) dropShadow(out *layer) {
	one := newLayer(out.r)
	defer one.release()
	f.input("in", one)
	k := f.scale * f.units
	shift(out, one, svgLength(f.n.attrs["dx"], 1, 2)*k, svgLength(f.n.attrs["dy"], 1, 2)*k)
	x, y := f.two("stdDeviation")
	if f.n.attrs["stdDeviation"] == "" {
		x, y = 2*k, 2*k
	}
	m := alphaOf(out)
	blur(m.Pix, m.Rect.Dx(), m.Rect.Dy(), m.Stride, 1, min((x+y)/2, maxSigma), edgeZero)
	clear(out.pix)
	f.s.p.fillMask(out, clip{r: out.r}, m, out.r.Min.X, out.r.Min.Y, solidOf(f.floodColor()))
	over(out.pix, one.pix)
}

// shift copies a layer, moved by whole pixels.
func shift(dst, src *layer, dx, dy float64) {
	x, y := int(math.Round(min(max(dx, -far), far))), int(math.Round(min(max(dy, -far), far)))
	r := src.r.Add(image.Pt(x, y)).Intersect(dst.r)
	for row := r.Min.Y; row < r.Max.Y; row++ {
		copy(dst.row(row, r.Min.X, r.Max.X), src.row(row-y, r.Min.X-x, r.Max.X-x))
	}
}

// composite combines two inputs by their alpha.
func (f *svgPrimitive) composite(out *layer) {
	one := newLayer(out.r)
	defer one.release()
	f.input("in2", out)
	f.input("in", one)
	k := [4]float64{}
	for i, name := range []string{"k1", "k2", "k3", "k4"} {
		k[i] = svgLength(f.n.attrs[name], 1, 0)
	}
	operator := f.n.attrs["operator"]
	for i := 0; i+3 < len(out.pix); i += 4 {
		a, b := one.pix[i:i+4:i+4], out.pix[i:i+4:i+4]
		if operator == "arithmetic" {
			arithmetic(a, b, k)
			continue
		}
		sa, sb := shares(operator, a[3], b[3])
		for j := range b {
			b[j] = uint8(min(int(mul(a[j], sa))+int(mul(b[j], sb)), 255))
		}
	}
}

// shares returns the shares of the two inputs by a Porter-Duff operator.
func shares(operator string, a, b uint8) (sa, sb uint8) {
	switch operator {
	case "in":
		return b, 0
	case "out":
		return 255 - b, 0
	case "atop":
		return b, 255 - a
	case "xor":
		return 255 - b, 255 - a
	case "lighter":
		return 255, 255
	}
	return 255, 255 - a
}

func arithmetic(a, b []uint8, k [4]float64) {
	alpha := 0.0
	for j := 3; j >= 0; j-- {
		x, y := float64(a[j])/255, float64(b[j])/255
		v := min(max(k[0]*x*y+k[1]*x+k[2]*y+k[3], 0), 1)
		if j == 3 {
			alpha = v
		}
		b[j] = to8(min(v, alpha))
	}
}

// colorMatrix applies feColorMatrix.
func (f *svgPrimitive) colorMatrix(l *layer) {
	v := numbers(f.n.attrs["values"])
	one := func(initial float64) float64 {
		if len(v) > 0 {
			return v[0]
		}
		return initial
	}
	if f.st.interpolationIsLinear {
		convert(l.pix, &toLinear)
		defer convert(l.pix, &fromLinear)
	}
	switch f.n.attrs["type"] {
	case "saturate":
		filterColors(l.pix, &css.Filter{Kind: css.FilterSaturate, Amount: max(one(1), 0)})
		return
	case "hueRotate":
		filterColors(l.pix, &css.Filter{Kind: css.FilterHueRotate, Amount: one(0)})
		return
	case "luminanceToAlpha":
		v = []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, .2125, .7154, .0721, 0, 0}
	}
	if len(v) != 20 {
		return
	}
	for i := 0; i+3 < len(l.pix); i += 4 {
		p := l.pix[i : i+4 : i+4]
		var c [4]float64
		c[3] = float64(p[3]) / 255
		if p[3] > 0 {
			for j := range 3 {
				c[j] = float64(p[j]) / float64(p[3])
			}
		}
		var out [4]float64
		for j := range out {
			r := v[5*j : 5*j+5]
			out[j] = min(max(r[0]*c[0]+r[1]*c[1]+r[2]*c[2]+r[3]*c[3]+r[4], 0), 1)
		}
		p[3] = to8(out[3])
		for j := range 3 {
			p[j] = to8(out[j] * out[3])
		}
	}
}
