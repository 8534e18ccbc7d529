package draw

import (
	"encoding/binary"
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

// ink returns the shader of a paint; nil is none.
func (s *svgPainter) ink(paint string, alpha float64, st svgStyle, q path, m matrix) shader {
	if paint == "none" || alpha <= 0 {
		return nil
	}
	if strings.HasPrefix(paint, "url(") {
		head, fallback, _ := strings.Cut(paint, ")")
		if g := s.doc.ids[idOf(head+")")]; g != nil {
			return s.gradient(g, alpha, st, q.bounds(), m)
		}
		paint = strings.TrimSpace(fallback)
		if paint == "" || paint == "none" {
			return nil
		}
	}
	c, ok := css.ParseColor(paint, st.color)
	if !ok {
		return nil
	}
	c.A = to8(float64(c.A) / 255 * alpha)
	if c.A == 0 {
		return nil
	}
	return solidOf(c)
}

// gradientAttr returns an attribute of a gradient or of those that it refers to.
func (s *svgPainter) gradientAttr(g *svgNode, name string) string {
	for range 8 {
		if v := g.attrs[name]; v != "" {
			return v
		}
		if g = s.doc.ids[idOf(g.attrs["href"])]; g == nil {
			return ""
		}
	}
	return ""
}

// svgGradient is a gradient of a drawing, ready to be placed.
type svgGradient struct {
	s      *svgPainter
	node   *svgNode
	ramp   ramp
	last   solid   // the color of the last stop, which a gradient without a length has
	full   rect    // what percentages are of
	inv    matrix  // device pixels to the gradient's coordinates
	spread float64 // how often its length the ramp is
}

// gradient returns the shader of a gradient for a shape with a box.
func (s *svgPainter) gradient(node *svgNode, alpha float64, st svgStyle, box rect, m matrix) shader {
	list := s.stops(node, alpha, st)
	if len(list) == 0 || node.tag != "linearGradient" && node.tag != "radialGradient" {
		return nil
	}
	g := &svgGradient{s: s, node: node, last: solidOf(list[len(list)-1].Color.NRGBA), full: s.view, spread: 1}
	if len(list) == 1 || !g.place(box, m) {
		return g.last
	}
	of := &css.Gradient{Stops: list}
	stops := stopsOf(of, 1, st.color)
	switch s.gradientAttr(node, "spreadMethod") {
	case "repeat":
		of.Repeating = true
	case "reflect":
		of.Repeating = true
		g.spread = 2
		stops = reflected(stops)
	}
	if of.Repeating { // the whole range repeats, not only that of the stops
		stops = append([]stop{{at: 0, c: stops[0].c}}, append(stops, stop{at: 1, c: stops[len(stops)-1].c})...)
	}
	g.ramp, _, _ = newRamp(of, stops)
	if node.tag == "linearGradient" {
		return g.linear()
	}
	return g.radial()
}

// place sets where the gradient's coordinates are.
func (g *svgGradient) place(box rect, m matrix) bool {
	toUser := identity
	if g.s.gradientAttr(g.node, "gradientUnits") != "userSpaceOnUse" {
		if box.w() <= 0 || box.h() <= 0 {
			return false
		}
		g.full = rect{0, 0, 1, 1}
		toUser = matrix{a: box.w(), d: box.h(), e: box.x0, f: box.y0}
	}
	for a, n := g.node, 0; a != nil && n < 8; a, n = g.s.doc.ids[idOf(a.attrs["href"])], n+1 {
		if a.attrs["gradientTransform"] != "" {
			toUser = toUser.mul(transformOfSVG(a, "gradientTransform"))
			break
		}
	}
	var ok bool
	g.inv, ok = m.mul(toUser).inverse()
	return ok
}

func (g *svgGradient) get(name, initial string, full float64) float64 {
	v := g.s.gradientAttr(g.node, name)
	if v == "" {
		v = initial
	}
	return svgLength(v, full, 0)
}

func (g *svgGradient) linear() shader {
	w, h := g.full.w(), g.full.h()
	x1, y1 := g.get("x1", "0%", w), g.get("y1", "0%", h)
	dx, dy := g.get("x2", "100%", w)-x1, g.get("y2", "0%", h)-y1
	k := (dx*dx + dy*dy) * g.spread
	if k == 0 {
		return g.last
	}
	sh := &linearShader{ramp: g.ramp}
	sh.dx, sh.dy = (g.inv.a*dx+g.inv.b*dy)/k, (g.inv.c*dx+g.inv.d*dy)/k
	x0, y0 := g.inv.apply(.5, .5)
	sh.t0 = ((x0-x1)*dx + (y0-y1)*dy) / k
	return sh
}

func (g *svgGradient) radial() shader {
	w, h := g.full.w(), g.full.h()
	cx, cy := g.get("cx", "50%", w), g.get("cy", "50%", h)
	radius := g.get("r", "50%", math.Hypot(w, h)/math.Sqrt2) * g.spread
	if radius <= 0 {
		return g.last
	}
	k := matrix{a: 1 / radius, d: 1 / radius, e: -cx / radius, f: -cy / radius}
	sh := radialShader{ramp: g.ramp, inv: k.mul(g.inv), per: 1}
	x, y := cx, cy
	if v := g.s.gradientAttr(g.node, "fx"); v != "" {
		x = svgLength(v, w, cx)
	}
	if v := g.s.gradientAttr(g.node, "fy"); v != "" {
		y = svgLength(v, h, cy)
	}
	px, py := k.apply(x, y)
	if l := math.Hypot(px, py); l > .99 {
		px, py = px/l*.99, py/l*.99
	}
	if math.Hypot(px, py) < 1e-9 {
		return &sh
	}
	return &focalShader{radialShader: sh, fx: px, fy: py}
}

// reflected returns stops with their mirror image behind them, in half of the range each.
func reflected(list []stop) []stop {
	out := make([]stop, 0, 2*len(list))
	for _, s := range list {
		s.at /= 2
		out = append(out, s)
	}
	for i := len(list) - 1; i >= 0; i-- {
		out = append(out, stop{at: 1 - list[i].at/2, c: list[i].c})
	}
	return out
}

// focalShader is a radial gradient whose colors begin at a point other than the center of the unit circle.
type focalShader struct {
	radialShader
	fx, fy float64
}

func (s *focalShader) shade(y, x int, out []uint8) {
	u, v := s.inv.apply(float64(x)+.5, float64(y)+.5)
	c := s.fx*s.fx + s.fy*s.fy - 1
	for i := 0; i+3 < len(out); i += 4 {
		dx, dy := u-s.fx, v-s.fy
		// t is 1/k where the ray from the focus through the point meets the circle at k times its length.
		a, b := dx*dx+dy*dy, s.fx*dx+s.fy*dy
		t := 0.0
		if a > 0 {
			if k := (-b + math.Sqrt(max(b*b-a*c, 0))) / a; k > 0 {
				t = 1 / k
			}
		}
		binary.LittleEndian.PutUint32(out[i:], s.at(t))
		u += s.inv.a
		v += s.inv.b
	}
}

// stops returns the stops of a gradient, or of the one that it refers to.
func (s *svgPainter) stops(g *svgNode, alpha float64, st svgStyle) (list []css.Stop) {
	for range 8 {
		for _, c := range g.children {
			if c.tag != "stop" {
				continue
			}
			own := st
			s.inherit(&own, c)
			ink := color.NRGBA{A: 255}
			if v := c.attrs["stop-color"]; v != "" {
				if k, ok := css.ParseColor(v, own.color); ok {
					ink = k
				}
			}
			a := svgLength(c.attrs["stop-opacity"], 1, 1) * alpha
			ink.A = to8(float64(ink.A) / 255 * min(max(a, 0), 1))
			at := min(max(svgLength(c.attrs["offset"], 1, 0), 0), 1)
			list = append(list, css.Stop{Color: css.Color{NRGBA: ink}, At: css.Length{Percent: at * 100}})
		}
		if len(list) > 0 {
			return list
		}
		if g = s.doc.ids[idOf(g.attrs["href"])]; g == nil {
			return nil
		}
	}
	return nil
}

// bounds returns the box of an element in its own coordinates, without strokes.
func (s *svgPainter) bounds(n *svgNode, st svgStyle, depth int) rect {
	if depth > maxSVGDepth {
		return rect{}
	}
	switch n.tag {
	case "g", "a":
		var r rect
		for _, c := range n.children {
			r = r.union(transformOfSVG(c, "transform").bounds(s.bounds(c, st, depth+1)))
		}
		return r
	case "svg", "use", "image":
		x, y := svgLength(n.attrs["x"], s.view.w(), 0), svgLength(n.attrs["y"], s.view.h(), 0)
		if of := s.doc.ids[idOf(n.attrs["href"])]; n.tag == "use" && of != nil && of.tag != "symbol" && of.tag != "svg" {
			if s.uses++; s.uses > maxSVGUses {
				return rect{}
			}
			b := transformOfSVG(of, "transform").bounds(s.bounds(of, st, depth+1))
			return rect{b.x0 + x, b.y0 + y, b.x1 + x, b.y1 + y}
		}
		w, h := svgLength(n.attrs["width"], s.view.w(), s.view.w()), svgLength(n.attrs["height"], s.view.h(), s.view.h())
		return rect{x, y, x + w, y + h}
	case "defs", "symbol", "clipPath", "mask", "filter", "linearGradient", "radialGradient", "stop":
		return rect{}
	}
	return s.shape(n).bounds()
}

// clip limits a target to a <clipPath>.
func (s *svgPainter) clip(id string, n *svgNode, st svgStyle, t target, depth int) (target, bool) {
	c := s.doc.ids[id]
	if c == nil || c.tag != "clipPath" {
		return t, true
	}
	m := t.m
	if c.attrs["clipPathUnits"] == "objectBoundingBox" {
		b := s.bounds(n, st, depth)
		m = m.mul(matrix{a: b.w(), d: b.h(), e: b.x0, f: b.y0})
	}
	m = m.mul(transformOfSVG(c, "transform"))
	area := t.c.r
	if area.Empty() || !s.p.enter(area) {
		return t, false
	}
	defer s.p.leave(area)
	l := newLayer(area)
	defer l.release()
	inner := target{l: l, c: clip{r: area}, m: m}
	for _, k := range c.children {
		own := initialSVG
		own.clipEvenOdd = false
		s.inherit(&own, c)
		own.fill, own.stroke, own.fillAlpha = "black", "none", 1
		s.silhouette(k, own, inner, depth+1)
	}
	t.c = t.c.toMask(alphaOf(l))
	return t, true
}

// silhouette fills the shapes of an element in black.
func (s *svgPainter) silhouette(n *svgNode, st svgStyle, t target, depth int) {
	if depth > maxSVGDepth || n.attrs["display"] == "none" {
		return
	}
	t.m = t.m.mul(transformOfSVG(n, "transform"))
	s.inherit(&st, n)
	if n.tag == "use" {
		if of := s.doc.ids[idOf(n.attrs["href"])]; of != nil {
			if s.uses++; s.uses > maxSVGUses {
				return
			}
			t.m = t.m.mul(translation(svgLength(n.attrs["x"], s.view.w(), 0), svgLength(n.attrs["y"], s.view.h(), 0)))
			s.silhouette(of, st, t, depth+1)
		}
		return
	}
	if q := s.shape(n); len(q) > 0 && !st.hidden {
		s.p.fill(t.l, t.c, q.transformed(t.m), st.clipEvenOdd, solid{0, 0, 0, 255})
	}
}

// mask multiplies a layer by a <mask>.
func (s *svgPainter) mask(n *svgNode, l *layer, box rect, m matrix, depth int) {
	if !s.p.enter(l.r) {
		return
	}
	defer s.p.leave(l.r)
	one := newLayer(l.r)
	defer one.release()
	if n.attrs["maskContentUnits"] == "objectBoundingBox" {
		m = m.mul(matrix{a: box.w(), d: box.h(), e: box.x0, f: box.y0})
	}
	st := initialSVG
	s.inherit(&st, n)
	for _, c := range n.children {
		s.element(c, st, target{l: one, c: clip{r: l.r}, m: m}, depth+1)
	}
	luminance := n.attrs["mask-type"] != "alpha"
	for i := 0; i < len(l.pix); i += 4 {
		k := one.pix[i+3]
		if luminance {
			k = uint8((uint32(one.pix[i])*2126 + uint32(one.pix[i+1])*7152 + uint32(one.pix[i+2])*722 + 5000) / 10000)
		}
		for j := range 4 {
			l.pix[i+j] = mul(l.pix[i+j], k)
		}
	}
}
