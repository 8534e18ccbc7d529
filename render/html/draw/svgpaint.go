package draw

import (
	"image/color"
	"math"
	"strings"

	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/shape"
	"masthead/render/html/css/transform"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/meter"
	"masthead/render/html/raster"
)

// svgStyle is what elements of a drawing inherit.
type svgStyle struct {
	color                 color.NRGBA
	fill, stroke          string
	fillAlpha, lineAlpha  float64
	evenOdd, clipEvenOdd  bool
	pen                   raster.Pen
	dashes                []float64
	dashOffset            float64
	hidden                bool
	strokeFirst, noScale  bool
	interpolationIsLinear bool
}

// svgPainter draws a parsed drawing.
type svgPainter struct {
	p    *painter
	f    *fragment.Fragment // for warnings
	doc  *svgDocument
	view raster.Rect // of the viewport, for percentages
	// current is the color that the drawing inherits.
	current color.NRGBA
	uses    int
	// drawn counts elements, since those in masks and uses are drawn again and again.
	drawn int
}

// maxSVGDrawn bounds the elements that are drawn, all together.
const maxSVGDrawn = 10_000

var initialSVG = svgStyle{
	fill: "black", fillAlpha: 1, lineAlpha: 1, pen: raster.Pen{Width: 1, MiterLimit: 4}, stroke: "none",
	color: color.NRGBA{A: 255}, interpolationIsLinear: true,
}

// paintSVG draws a document over a rectangle of the layout.
func (p *painter) paintSVG(f *fragment.Fragment, d *svgDocument, to raster.Rect, t target, current color.NRGBA) {
	s := &svgPainter{p: p, f: f, doc: d, current: current}
	st := initialSVG
	st.color = current
	m := raster.Translation(to.X0, to.Y0)
	s.view = raster.Rect{X0: 0, Y0: 0, X1: to.W(), Y1: to.H()}
	if view, ok := d.root.viewBox(); ok {
		m = fit(view, to, d.root.attrs["preserveAspectRatio"])
		s.view = raster.Rect{X0: 0, Y0: 0, X1: view.W(), Y1: view.H()}
	}
	t.m = t.m.Mul(m)
	s.inherit(&st, d.root)
	for _, c := range d.root.children {
		s.element(c, st, t, 0)
	}
}

// inherit applies the attributes of an element to what it inherits.
func (s *svgPainter) inherit(st *svgStyle, n *svgNode) {
	get := func(name string, f func(v string)) {
		if v := strings.TrimSpace(n.attrs[name]); v != "" && v != "inherit" {
			f(v)
		}
	}
	share := func(v string) float64 {
		x := svgLength(v, 1, 1)
		return min(max(x, 0), 1)
	}
	diagonal := math.Hypot(s.view.W(), s.view.H()) / math.Sqrt2
	get("color", func(v string) {
		if c, ok := colors.Parse(v, st.color); ok {
			st.color = c
		}
	})
	get("fill", func(v string) { st.fill = v })
	get("stroke", func(v string) { st.stroke = v })
	get("fill-opacity", func(v string) { st.fillAlpha = share(v) })
	get("stroke-opacity", func(v string) { st.lineAlpha = share(v) })
	get("fill-rule", func(v string) { st.evenOdd = v == "evenodd" })
	get("clip-rule", func(v string) { st.clipEvenOdd = v == "evenodd" })
	get("stroke-width", func(v string) { st.pen.Width = max(svgLength(v, diagonal, 1), 0) })
	ends := map[string]raster.LineEnd{"round": raster.RoundEnd, "square": raster.SquareEnd, "bevel": raster.SquareEnd}
	get("stroke-linecap", func(v string) { st.pen.Cap = ends[v] })
	get("stroke-linejoin", func(v string) { st.pen.Join = ends[v] })
	get("stroke-miterlimit", func(v string) { st.pen.MiterLimit = max(svgLength(v, 1, 4), 1) })
	get("stroke-dasharray", func(v string) {
		st.dashes = numbers(v)
		if v == "none" {
			st.dashes = nil
		}
	})
	get("stroke-dashoffset", func(v string) { st.dashOffset = svgLength(v, diagonal, 0) })
	get("visibility", func(v string) { st.hidden = v != "visible" })
	get("paint-order", func(v string) { st.strokeFirst = strings.HasPrefix(v, "stroke") })
	get("vector-effect", func(v string) { st.noScale = v == "non-scaling-stroke" })
	get("color-interpolation-filters", func(v string) { st.interpolationIsLinear = v != "sRGB" })
}

// transformOfSVG returns the transform of an element.
func transformOfSVG(n *svgNode, name string) raster.Matrix {
	m := raster.Identity
	list, _ := transform.ParseAttribute(n.attrs[name])
	for _, k := range list {
		m = m.Mul(raster.Matrix{A: k[0], B: k[1], C: k[2], D: k[3], E: k[4], F: k[5]})
	}
	return m
}

// element draws an element with its effects.
func (s *svgPainter) element(n *svgNode, st svgStyle, t target, depth int) {
	if s.drawn++; s.drawn > maxSVGDrawn || s.p.stop() || depth > maxSVGDepth || n.attrs["display"] == "none" {
		return
	}
	switch n.tag {
	case "defs", "symbol", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "title", "desc", "metadata",
		"filter":
		return
	}
	t.m = t.m.Mul(transformOfSVG(n, "transform"))
	s.inherit(&st, n)
	if id := idOf(n.attrs["clip-path"]); id != "" {
		var ok bool
		if t, ok = s.clip(id, n, st, t, depth); !ok {
			return
		}
	}
	opacity := svgLength(n.attrs["opacity"], 1, 1)
	opacity = min(max(opacity, 0), 1)
	mode := blendOf(n.attrs["mix-blend-mode"])
	filter, mask := s.doc.ids[idOf(n.attrs["filter"])], s.doc.ids[idOf(n.attrs["mask"])]
	single := n.tag != "g" && n.tag != "use" && n.tag != "svg" && n.tag != "a" && n.tag != "image"
	if opacity < 1 && single && (st.fill == "none" || st.stroke == "none") { // nothing overlaps
		st.fillAlpha, st.lineAlpha, opacity = st.fillAlpha*opacity, st.lineAlpha*opacity, 1
	}
	if opacity >= 1 && mode == css.BlendNormal && filter == nil && mask == nil {
		s.content(n, st, t, depth)
		return
	}
	if opacity == 0 || t.c.R.Empty() {
		return
	}
	s.grouped(n, st, t, depth, opacity, mode, filter, mask)
}

func blendOf(name string) css.Blend {
	modes := map[string]css.Blend{
		"multiply": css.BlendMultiply, "screen": css.BlendScreen, "overlay": css.BlendOverlay, "darken": css.BlendDarken,
		"lighten": css.BlendLighten, "color-dodge": css.BlendColorDodge, "color-burn": css.BlendColorBurn,
		"hard-light": css.BlendHardLight, "soft-light": css.BlendSoftLight, "difference": css.BlendDifference,
		"exclusion": css.BlendExclusion, "hue": css.BlendHue, "saturation": css.BlendSaturation, "color": css.BlendColor,
		"luminosity": css.BlendLuminosity, "plus-lighter": css.BlendPlusLighter,
	}
	return modes[name]
}

// grouped draws an element into a layer of its own.
func (s *svgPainter) grouped(
	n *svgNode, st svgStyle, t target, depth int, opacity float64, mode css.Blend, filter, mask *svgNode,
) {
	box := s.bounds(n, st, depth)
	r := t.c.R
	if filter != nil {
		r = s.p.reachable(r.Inset(-maxReach))
	}
	area := raster.Outer(t.m.Bounds(box.Grow(st.pen.Width * max(st.pen.MiterLimit, 1)))).Inset(-1)
	if filter != nil {
		area = raster.Outer(t.m.Bounds(filterRegion(filter, box, s.view)))
	}
	area = area.Intersect(r)
	if area.Empty() {
		return
	}
	key := layerKey{n, t.m, area, s.view, s.current}
	keep := filter != nil && s.uses == 0 && !s.doc.pictures // nothing else changes what it becomes
	if keep {
		if l := s.p.in.Kept.layer(key); l != nil {
			s.p.Composite(t.l, t.c, l, opacity, mode)
			return
		}
	}
	if !s.p.enter(area) {
		return
	}
	defer s.p.leave(area)
	l := raster.NewLayer(area)
	defer func() { l.Release() }()
	s.content(n, st, target{l: l, c: raster.Clip{R: area}, m: t.m}, depth)
	if filter != nil && filter.tag == "filter" {
		l = s.filter(filter, l, st, t.m, box)
	}
	if mask != nil && mask.tag == "mask" {
		s.mask(mask, l, box, t.m, depth)
	}
	if keep && !s.p.stop() && !s.p.tooDeep {
		s.p.in.Kept.keep(key, l)
	}
	s.p.Composite(t.l, t.c, l, opacity, mode)
}

// content draws what an element shows.
func (s *svgPainter) content(n *svgNode, st svgStyle, t target, depth int) {
	switch n.tag {
	case "g", "a":
		for _, c := range n.children {
			s.element(c, st, t, depth+1)
		}
	case "svg":
		s.nested(n, n, st, t, depth)
	case "use":
		s.use(n, st, t, depth)
	case "image":
		s.image(n, t)
	default:
		if q := s.shape(n); len(q) > 0 && !st.hidden {
			s.paint(q, st, t)
		}
	}
}

// nested draws an <svg> or <symbol> in its viewport, which the attributes of at give.
func (s *svgPainter) nested(n, at *svgNode, st svgStyle, t target, depth int) {
	w, h := s.view.W(), s.view.H()
	x, y := svgLength(at.attrs["x"], w, 0), svgLength(at.attrs["y"], h, 0)
	if at != n { // a <use> has moved already
		x, y = 0, 0
	}
	vw, vh := svgLength(at.attrs["width"], w, w), svgLength(at.attrs["height"], h, h)
	if at != n && at.attrs["width"] == "" {
		vw = svgLength(n.attrs["width"], w, w)
	}
	if at != n && at.attrs["height"] == "" {
		vh = svgLength(n.attrs["height"], h, h)
	}
	to := raster.Rect{X0: x, Y0: y, X1: x + vw, Y1: y + vh}
	if to.Empty() {
		return
	}
	t = s.p.clipShape(t, raster.RoundRect{Rect: to})
	was := s.view
	m := raster.Translation(x, y)
	s.view = raster.Rect{X0: 0, Y0: 0, X1: vw, Y1: vh}
	if view, ok := n.viewBox(); ok {
		m = fit(view, to, n.attrs["preserveAspectRatio"])
		s.view = raster.Rect{X0: 0, Y0: 0, X1: view.W(), Y1: view.H()}
	}
	t.m = t.m.Mul(m)
	for _, c := range n.children {
		s.element(c, st, t, depth+1)
	}
	s.view = was
}

func (s *svgPainter) use(n *svgNode, st svgStyle, t target, depth int) {
	of := s.doc.ids[idOf(n.attrs["href"])]
	if s.uses++; of == nil || s.uses > maxSVGUses {
		return
	}
	for a := n; a != nil; a = a.parent { // it would contain itself
		if a == of {
			return
		}
	}
	t.m = t.m.Mul(raster.Translation(svgLength(n.attrs["x"], s.view.W(), 0), svgLength(n.attrs["y"], s.view.H(), 0)))
	if of.tag == "symbol" || of.tag == "svg" {
		s.inherit(&st, of)
		s.nested(of, n, st, t, depth+1)
		return
	}
	s.element(of, st, t, depth+1)
}

func (s *svgPainter) image(n *svgNode, t target) {
	href := n.attrs["href"]
	img := s.p.image(s.f, href)
	if img == nil {
		return
	}
	iw, ih, ratio := img.Size()
	x, y := svgLength(n.attrs["x"], s.view.W(), 0), svgLength(n.attrs["y"], s.view.H(), 0)
	w, h := svgLength(n.attrs["width"], s.view.W(), iw), svgLength(n.attrs["height"], s.view.H(), ih)
	to := raster.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	if to.Empty() {
		return
	}
	if iw <= 0 || ih <= 0 {
		iw, ih = 100, 100
		if ratio > 0 {
			iw = 100 * ratio
		}
	}
	m := fit(raster.Rect{X0: 0, Y0: 0, X1: iw, Y1: ih}, to, n.attrs["preserveAspectRatio"])
	t = s.p.clipShape(t, raster.RoundRect{Rect: to})
	s.p.picture(s.f, img, m.Bounds(raster.Rect{X0: 0, Y0: 0, X1: iw, Y1: ih}), t)
}

// shape returns the path of a basic shape.
func (s *svgPainter) shape(n *svgNode) (q raster.Path) {
	w, h := s.view.W(), s.view.H()
	num := func(name string, full float64) float64 { return svgLength(n.attrs[name], full, 0) }
	diagonal := math.Hypot(w, h) / math.Sqrt2
	switch n.tag {
	case "path":
		if n.steps == nil {
			steps, _ := shape.ParsePath(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(n.attrs["d"]), `path("`), `")`))
			return raster.Path(steps)
		}
		return n.steps
	case "rect":
		r := raster.RoundRect{Rect: raster.Rect{X0: num("x", w), Y0: num("y", h), X1: num("x", w) + num("width", w), Y1: num("y", h) + num("height", h)}}
		if r.Empty() {
			return nil
		}
		rx, ry := svgLength(n.attrs["rx"], w, -1), svgLength(n.attrs["ry"], h, -1)
		if rx < 0 {
			rx = ry
		}
		if ry < 0 {
			ry = rx
		}
		rx, ry = min(max(rx, 0), r.W()/2), min(max(ry, 0), r.H()/2)
		for i := range r.Rx {
			r.Rx[i], r.Ry[i] = rx, ry
		}
		r.AddTo(&q)
	case "circle":
		if r := num("r", diagonal); r > 0 {
			q.Ellipse(num("cx", w), num("cy", h), r, r)
		}
	case "ellipse":
		if rx, ry := num("rx", w), num("ry", h); rx > 0 && ry > 0 {
			q.Ellipse(num("cx", w), num("cy", h), rx, ry)
		}
	case "line":
		q.Move(num("x1", w), num("y1", h))
		q.Line(num("x2", w), num("y2", h))
	case "polyline", "polygon":
		list := numbers(n.attrs["points"])
		for i := 0; i+1 < len(list); i += 2 {
			if i == 0 {
				q.Move(list[i], list[i+1])
			} else {
				q.Line(list[i], list[i+1])
			}
		}
		if n.tag == "polygon" && len(q) > 0 {
			q.Close()
		}
	}
	return q
}

// paint fills and strokes a path.
func (s *svgPainter) paint(q raster.Path, st svgStyle, t target) {
	fill := func() {
		if ink := s.ink(st.fill, st.fillAlpha, st, q, t.m); ink != nil {
			s.p.Fill(t.l, t.c, q.Transformed(t.m), st.evenOdd, ink)
		}
	}
	line := func() {
		if st.stroke == "none" || st.pen.Width <= 0 {
			return
		}
		if ink := s.ink(st.stroke, st.lineAlpha, st, q, t.m); ink != nil {
			s.p.Fill(t.l, t.c, strokeOf(q, st, t.m, s.p.Meter), false, ink)
		}
	}
	if st.strokeFirst {
		line()
		fill()
		return
	}
	fill()
	line()
}

// strokeOf returns the outline of a stroked path in device pixels.
func strokeOf(q raster.Path, st svgStyle, m raster.Matrix, work *meter.Meter) raster.Path {
	k := m.Scale()
	if k <= 0 {
		return nil
	}
	if st.noScale {
		q, m, k = q.Transformed(m), raster.Identity, 1
	}
	list := q.Contours(.05/k, work)
	if len(st.dashes) > 0 {
		list = dashedBy(list, st.dashes, st.dashOffset)
	}
	pen := st.pen
	pen.Meter = work
	return pen.Stroke(list).Transformed(m)
}

// dashedBy cuts contours by a list of dashes and gaps.
func dashedBy(list []raster.Contour, dashes []float64, offset float64) []raster.Contour {
	sum := 0.0
	for _, d := range dashes {
		if d < 0 {
			return list
		}
		sum += d
	}
	if sum <= 0 {
		return list
	}
	if len(dashes) == 1 {
		return raster.Dashed(list, dashes[0], dashes[0], offset)
	}
	if len(dashes) == 2 {
		return raster.Dashed(list, dashes[0], dashes[1], offset)
	}
	if len(dashes)%2 == 1 {
		dashes = append(dashes[:len(dashes):len(dashes)], dashes...)
	}
	total := 0.0
	for _, d := range dashes {
		total += d
	}
	var out []raster.Contour
	at := 0.0
	for i := 0; i+1 < len(dashes) && len(out) < raster.MaxDashes; i += 2 { // each dash of the pattern by itself
		out = append(out, raster.Dashed(list, dashes[i], total-dashes[i], offset-at)...)
		at += dashes[i] + dashes[i+1]
	}
	return out
}
