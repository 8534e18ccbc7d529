package draw

import (
	"image"
	"image/color"
	"math"
	"strings"

	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/raster"
)

// alphaOf returns the alpha of a layer as a mask.
func alphaOf(l *raster.Layer) *image.Alpha {
	m := image.NewAlpha(l.R)
	for i := range m.Pix {
		m.Pix[i] = l.Pix[4*i+3]
	}
	return m
}

// filterRegion returns the region of a filter, in the coordinates of the element.
func filterRegion(n *svgNode, box, view raster.Rect) raster.Rect {
	if n.attrs["filterUnits"] == "userSpaceOnUse" {
		x, y := svgLength(n.attrs["x"], view.W(), box.X0-box.W()/10), svgLength(n.attrs["y"], view.H(), box.Y0-box.H()/10)
		w, h := svgLength(n.attrs["width"], view.W(), box.W()*1.2), svgLength(n.attrs["height"], view.H(), box.H()*1.2)
		return raster.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	}
	x, y := svgLength(n.attrs["x"], 1, -.1), svgLength(n.attrs["y"], 1, -.1)
	w, h := svgLength(n.attrs["width"], 1, 1.2), svgLength(n.attrs["height"], 1, 1.2)
	x0, y0 := box.X0+x*box.W(), box.Y0+y*box.H()
	return raster.Rect{X0: x0, Y0: y0, X1: x0 + w*box.W(), Y1: y0 + h*box.H()}
}

// filter runs the primitives of a <filter> over a layer, and returns the result; it takes the layer.
func (s *svgPainter) filter(n *svgNode, l *raster.Layer, st svgStyle, m raster.Matrix, box raster.Rect) *raster.Layer {
	s.inherit(&st, n)
	region := raster.Outer(m.Bounds(filterRegion(n, box, s.view))).Intersect(l.R)
	k := m.Scale()
	results := map[string]*raster.Layer{"SourceGraphic": l}
	last := l
	var own []*raster.Layer
	for i, c := range n.children {
		const most = 24
		if i >= most || s.p.stop() || !s.p.enter(l.R) {
			break
		}
		out := raster.NewLayer(l.R)
		own = append(own, out)
		f := &svgPrimitive{s: s, n: c, st: st, scale: k, out: out, results: results, last: last, source: l, units: 1}
		s.inherit(&f.st, c)
		if n.attrs["primitiveUnits"] == "objectBoundingBox" {
			f.units = math.Hypot(box.W(), box.H()) / math.Sqrt2
		}
		f.run()
		keepOnly(out, region)
		last = out
		if name := c.attrs["result"]; name != "" {
			results[name] = out
		}
	}
	for _, o := range own {
		s.p.leave(l.R)
		if o != last {
			o.Release()
		}
	}
	if last != l {
		l.Release()
	}
	return last
}

// keepOnly clears a layer outside of a region.
func keepOnly(l *raster.Layer, r image.Rectangle) {
	if r.Eq(l.R) {
		return
	}
	for y := l.R.Min.Y; y < l.R.Max.Y; y++ {
		if y < r.Min.Y || y >= r.Max.Y || r.Empty() {
			clear(l.Row(y, l.R.Min.X, l.R.Max.X))
			continue
		}
		clear(l.Row(y, l.R.Min.X, r.Min.X))
		clear(l.Row(y, r.Max.X, l.R.Max.X))
	}
}

// svgPrimitive is one filter primitive.
type svgPrimitive struct {
	s                 *svgPainter
	n                 *svgNode
	st                svgStyle
	scale, units      float64
	out, last, source *raster.Layer
	results           map[string]*raster.Layer
}

// input copies an input to dst.
func (f *svgPrimitive) input(name string, dst *raster.Layer) {
	switch in := f.n.attrs[name]; {
	case in == "SourceAlpha":
		for i := 3; i < len(dst.Pix); i += 4 {
			dst.Pix[i] = f.source.Pix[i]
		}
	case in == "" || f.results[in] == nil && !strings.HasSuffix(in, "Image") && !strings.HasSuffix(in, "Paint"):
		copy(dst.Pix, f.last.Pix)
	case f.results[in] != nil:
		copy(dst.Pix, f.results[in].Pix)
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
		one := raster.NewLayer(out.R)
		f.input("in", one)
		k := f.scale * f.units
		shift(out, one, svgLength(f.n.attrs["dx"], 1, 0)*k, svgLength(f.n.attrs["dy"], 1, 0)*k)
		one.Release()
	case "feFlood":
		f.flood(out)
	case "feDropShadow":
		f.dropShadow(out)
	case "feMerge":
		for _, c := range f.n.children {
			node := *f
			node.n = c
			one := raster.NewLayer(out.R)
			node.input("in", one)
			raster.Over(out.Pix, one.Pix)
			one.Release()
		}
	case "feComposite":
		f.composite(out)
	case "feBlend":
		one := raster.NewLayer(out.R)
		f.input("in2", out)
		f.input("in", one)
		if mode := blendOf(f.n.attrs["mode"]); mode == css.BlendNormal {
			raster.Over(out.Pix, one.Pix)
		} else {
			f.s.p.BlendRow(out.Pix, one.Pix, nil, 255, mode)
		}
		one.Release()
	case "feColorMatrix":
		f.input("in", out)
		f.colorMatrix(out)
	default:
		f.input("in", out)
	}
}

// blur blurs a layer, in linear light unless the drawing asks for sRGB.
func (f *svgPrimitive) blur(l *raster.Layer, sigma float64) {
	sigma = min(sigma, maxSigma)
	if f.st.interpolationIsLinear {
		convert(l.Pix, &toLinear)
		defer convert(l.Pix, &fromLinear)
	}
	raster.Blur(l.Pix, l.R.Dx(), l.R.Dy(), l.Stride, 4, sigma, raster.EdgeZero)
}

// toLinear and fromLinear are the transfer of sRGB, of 255.
var toLinear, fromLinear [256]uint8

func init() {
	for i := range toLinear {
		v := float64(i) / 255
		if v > .04045 {
			toLinear[i] = raster.To8(math.Pow((v+.055)/1.055, 2.4))
		} else {
			toLinear[i] = raster.To8(v / 12.92)
		}
		if v > .0031308 {
			fromLinear[i] = raster.To8(1.055*math.Pow(v, 1/2.4) - .055)
		} else {
			fromLinear[i] = raster.To8(v * 12.92)
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
			pix[i+k] = raster.Mul(table[v], uint8(a))
		}
	}
}

func (f *svgPrimitive) flood(out *raster.Layer) {
	ink := raster.SolidOf(f.floodColor())
	ink.Shade(0, 0, out.Pix)
}

func (f *svgPrimitive) floodColor() color.NRGBA {
	c := color.NRGBA{A: 255}
	if v, ok := colors.Parse(f.n.attrs["flood-color"], f.st.color); ok {
		c = v
	}
	a := svgLength(f.n.attrs["flood-opacity"], 1, 1)
	c.A = raster.To8(float64(c.A) / 255 * min(max(a, 0), 1))
	return c
}

func (f *svgPrimitive) dropShadow(out *raster.Layer) {
	one := raster.NewLayer(out.R)
	defer one.Release()
	f.input("in", one)
	k := f.scale * f.units
	shift(out, one, svgLength(f.n.attrs["dx"], 1, 2)*k, svgLength(f.n.attrs["dy"], 1, 2)*k)
	x, y := f.two("stdDeviation")
	if f.n.attrs["stdDeviation"] == "" {
		x, y = 2*k, 2*k
	}
	m := alphaOf(out)
	raster.Blur(m.Pix, m.Rect.Dx(), m.Rect.Dy(), m.Stride, 1, min((x+y)/2, maxSigma), raster.EdgeZero)
	clear(out.Pix)
	f.s.p.FillMask(out, raster.Clip{R: out.R}, m, out.R.Min.X, out.R.Min.Y, raster.SolidOf(f.floodColor()))
	raster.Over(out.Pix, one.Pix)
}

// shift copies a layer, moved by whole pixels.
func shift(dst, src *raster.Layer, dx, dy float64) {
	x, y := int(math.Round(min(max(dx, -raster.Far), raster.Far))), int(math.Round(min(max(dy, -raster.Far), raster.Far)))
	r := src.R.Add(image.Pt(x, y)).Intersect(dst.R)
	for row := r.Min.Y; row < r.Max.Y; row++ {
		copy(dst.Row(row, r.Min.X, r.Max.X), src.Row(row-y, r.Min.X-x, r.Max.X-x))
	}
}

// composite combines two inputs by their alpha.
func (f *svgPrimitive) composite(out *raster.Layer) {
	one := raster.NewLayer(out.R)
	defer one.Release()
	f.input("in2", out)
	f.input("in", one)
	k := [4]float64{}
	for i, name := range []string{"k1", "k2", "k3", "k4"} {
		k[i] = svgLength(f.n.attrs[name], 1, 0)
	}
	operator := f.n.attrs["operator"]
	for i := 0; i+3 < len(out.Pix); i += 4 {
		a, b := one.Pix[i:i+4:i+4], out.Pix[i:i+4:i+4]
		if operator == "arithmetic" {
			arithmetic(a, b, k)
			continue
		}
		sa, sb := shares(operator, a[3], b[3])
		for j := range b {
			b[j] = uint8(min(int(raster.Mul(a[j], sa))+int(raster.Mul(b[j], sb)), 255))
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
		b[j] = raster.To8(min(v, alpha))
	}
}

// colorMatrix applies feColorMatrix.
func (f *svgPrimitive) colorMatrix(l *raster.Layer) {
	v := numbers(f.n.attrs["values"])
	one := func(initial float64) float64 {
		if len(v) > 0 {
			return v[0]
		}
		return initial
	}
	if f.st.interpolationIsLinear {
		convert(l.Pix, &toLinear)
		defer convert(l.Pix, &fromLinear)
	}
	switch f.n.attrs["type"] {
	case "saturate":
		filterColors(l.Pix, &css.Filter{Kind: css.FilterSaturate, Amount: max(one(1), 0)})
		return
	case "hueRotate":
		filterColors(l.Pix, &css.Filter{Kind: css.FilterHueRotate, Amount: one(0)})
		return
	case "luminanceToAlpha":
		v = []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, .2125, .7154, .0721, 0, 0}
	}
	if len(v) != 20 {
		return
	}
	for i := 0; i+3 < len(l.Pix); i += 4 {
		p := l.Pix[i : i+4 : i+4]
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
		p[3] = raster.To8(out[3])
		for j := range 3 {
			p[j] = raster.To8(out[j] * out[3])
		}
	}
}
