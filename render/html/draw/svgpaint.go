package draw

import (
	"image/color"
	"math"
	"strings"

	"masthead/render/html/css"
	"masthead/render/html/layout"
)

// svgStyle is what elements of a drawing inherit.
type svgStyle struct {
	color                 color.NRGBA
	fill, stroke          string
	fillAlpha, lineAlpha  float64
	evenOdd, clipEvenOdd  bool
	pen                   pen
	dashes                []float64
	dashOffset            float64
	hidden                bool
	strokeFirst, noScale  bool
	interpolationIsLinear bool
}

// svgPainter draws a parsed drawing.
type svgPainter struct {
	p    *painter
	f    *layout.Fragment // for warnings
	doc  *svgDocument
	view rect // of the viewport, for percentages
	uses int
	// drawn counts elements, since those in masks and uses are drawn again and again.
	drawn int
}

// maxSVGDrawn bounds the elements that are drawn, all together.
const maxSVGDrawn = 10_000

var initialSVG = svgStyle{
	fill: "black", fillAlpha: 1, lineAlpha: 1, pen: pen{width: 1, miterLimit: 4}, stroke: "none",
	color: color.NRGBA{A: 255}, interpolationIsLinear: true,
}

// paintSVG draws a document over a rectangle of the layout.
func (p *painter) paintSVG(f *layout.Fragment, d *svgDocument, to rect, t target, current color.NRGBA) {
	s := &svgPainter{p: p, f: f, doc: d}
	st := initialSVG
	st.color = current
	m := translation(to.x0, to.y0)
	s.view = rect{0, 0, to.w(), to.h()}
	if view, ok := d.root.viewBox(); ok {
		m = fit(view, to, d.root.attrs["preserveAspectRatio"])
		s.view = rect{0, 0, view.w(), view.h()}
	}
	t.m = t.m.mul(m)
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
	diagonal := math.Hypot(s.view.w(), s.view.h()) / math.Sqrt2
	get("color", func(v string) {
		if c, ok := css.ParseColor(v, st.color); ok {
			st.color = c
		}
	})
	get("fill", func(v string) { st.fill = v })
	get("stroke", func(v string) { st.stroke = v })
	get("fill-opacity", func(v string) { st.fillAlpha = share(v) })
	get("stroke-opacity", func(v string) { st.lineAlpha = share(v) })
	get("fill-rule", func(v string) { st.evenOdd = v == "evenodd" })
	get("clip-rule", func(v string) { st.clipEvenOdd = v == "evenodd" })
	get("stroke-width", func(v string) { st.pen.width = max(svgLength(v, diagonal, 1), 0) })
	ends := map[string]lineEnd{"round": roundEnd, "square": squareEnd, "bevel": squareEnd}
	get("stroke-linecap", func(v string) { st.pen.cap = ends[v] })
	get("stroke-linejoin", func(v string) { st.pen.join = ends[v] })
	get("stroke-miterlimit", func(v string) { st.pen.miterLimit = max(svgLength(v, 1, 4), 1) })
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
func transformOfSVG(n *svgNode, name string) matrix {
	m := identity
	list, _ := css.ParseTransform(n.attrs[name])
	for _, k := range list {
		m = m.mul(matrix{k[0], k[1], k[2], k[3], k[4], k[5]})
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
	t.m = t.m.mul(transformOfSVG(n, "transform"))
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
	if opacity == 0 || t.c.r.Empty() {
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
	r := t.c.r
	if filter != nil {
		r = s.p.reachable(r.Inset(-maxReach))
	}
	area := outer(t.m.bounds(box.grow(st.pen.width * max(st.pen.miterLimit, 1)))).Inset(-1)
	if filter != nil {
		area = outer(t.m.bounds(filterRegion(filter, box, s.view)))
	}
	area = area.Intersect(r)
	if area.Empty() || !s.p.enter(area) {
		return
	}
	defer s.p.leave(area)
	l := newLayer(area)
	defer func() { l.release() }()
	s.content(n, st, target{l: l, c: clip{r: area}, m: t.m}, depth)
	if filter != nil && filter.tag == "filter" {
		l = s.filter(filter, l, st, t.m, box)
	}
	if mask != nil && mask.tag == "mask" {
		s.mask(mask, l, box, t.m, depth)
	}
	s.p.composite(t.l, t.c, l, opacity, mode)
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
	w, h := s.view.w(), s.view.h()
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
	to := rect{x, y, x + vw, y + vh}
	if to.empty() {
		return
	}
	t = s.p.clipShape(t, roundRect{rect: to})
	was := s.view
	m := translation(x, y)
	s.view = rect{0, 0, vw, vh}
	if view, ok := n.viewBox(); ok {
		m = fit(view, to, n.attrs["preserveAspectRatio"])
		s.view = rect{0, 0, view.w(), view.h()}
	}
	t.m = t.m.mul(m)
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
	t.m = t.m.mul(translation(svgLength(n.attrs["x"], s.view.w(), 0), svgLength(n.attrs["y"], s.view.h(), 0)))
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
	x, y := svgLength(n.attrs["x"], s.view.w(), 0), svgLength(n.attrs["y"], s.view.h(), 0)
	w, h := svgLength(n.attrs["width"], s.view.w(), iw), svgLength(n.attrs["height"], s.view.h(), ih)
	to := rect{x, y, x + w, y + h}
	if to.empty() {
		return
	}
	if iw <= 0 || ih <= 0 {
		iw, ih = 100, 100
		if ratio > 0 {
			iw = 100 * ratio
		}
	}
	m := fit(rect{0, 0, iw, ih}, to, n.attrs["preserveAspectRatio"])
	t = s.p.clipShape(t, roundRect{rect: to})
	s.p.picture(s.f, img, m.bounds(rect{0, 0, iw, ih}), t)
}

// shape returns the path of a basic shape.
func (s *svgPainter) shape(n *svgNode) (q path) {
	w, h := s.view.w(), s.view.h()
	num := func(name string, full float64) float64 { return svgLength(n.attrs[name], full, 0) }
	diagonal := math.Hypot(w, h) / math.Sqrt2
	switch n.tag {
	case "path":
		if n.steps == nil {
			steps, _ := css.ParsePath(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(n.attrs["d"]), `path("`), `")`))
			return path(steps)
		}
		return n.steps
	case "rect":
		r := roundRect{rect: rect{num("x", w), num("y", h), num("x", w) + num("width", w), num("y", h) + num("height", h)}}
		if r.empty() {
			return nil
		}
		rx, ry := svgLength(n.attrs["rx"], w, -1), svgLength(n.attrs["ry"], h, -1)
		if rx < 0 {
			rx = ry
		}
		if ry < 0 {
			ry = rx
		}
		rx, ry = min(max(rx, 0), r.w()/2), min(max(ry, 0), r.h()/2)
		for i := range r.rx {
			r.rx[i], r.ry[i] = rx, ry
		}
		r.addTo(&q)
	case "circle":
		if r := num("r", diagonal); r > 0 {
			q.ellipse(num("cx", w), num("cy", h), r, r)
		}
	case "ellipse":
		if rx, ry := num("rx", w), num("ry", h); rx > 0 && ry > 0 {
			q.ellipse(num("cx", w), num("cy", h), rx, ry)
		}
	case "line":
		q.move(num("x1", w), num("y1", h))
		q.line(num("x2", w), num("y2", h))
	case "polyline", "polygon":
		list := numbers(n.attrs["points"])
		for i := 0; i+1 < len(list); i += 2 {
			if i == 0 {
				q.move(list[i], list[i+1])
			} else {
				q.line(list[i], list[i+1])
			}
		}
		if n.tag == "polygon" && len(q) > 0 {
			q.close()
		}
	}
	return q
}

// paint fills and strokes a path.
func (s *svgPainter) paint(q path, st svgStyle, t target) {
	fill := func() {
		if ink := s.ink(st.fill, st.fillAlpha, st, q, t.m); ink != nil {
			s.p.fill(t.l, t.c, q.transformed(t.m), st.evenOdd, ink)
		}
	}
	line := func() {
		if st.stroke == "none" || st.pen.width <= 0 {
			return
		}
		if ink := s.ink(st.stroke, st.lineAlpha, st, q, t.m); ink != nil {
			s.p.fill(t.l, t.c, strokeOf(q, st, t.m), false, ink)
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
func strokeOf(q path, st svgStyle, m matrix) path {
	k := m.scale()
	if k <= 0 {
		return nil
	}
	if st.noScale {
		q, m, k = q.transformed(m), identity, 1
	}
	list := q.contours(.05 / k)
	if len(st.dashes) > 0 {
		list = dashedBy(list, st.dashes, st.dashOffset)
	}
	return st.pen.stroke(list).transformed(m)
}

// dashedBy cuts contours by a list of dashes and gaps.
func dashedBy(list []contour, dashes []float64, offset float64) []contour {
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
		return dashed(list, dashes[0], dashes[0], offset)
	}
	if len(dashes) == 2 {
		return dashed(list, dashes[0], dashes[1], offset)
	}
	if len(dashes)%2 == 1 {
		dashes = append(dashes[:len(dashes):len(dashes)], dashes...)
	}
	total := 0.0
	for _, d := range dashes {
		total += d
	}
	var out []contour
	at := 0.0
	for i := 0; i+1 < len(dashes); i += 2 { // each dash of the pattern by itself
		out = append(out, dashed(list, dashes[i], total-dashes[i], offset-at)...)
		at += dashes[i] + dashes[i+1]
	}
	return out
}
