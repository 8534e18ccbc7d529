package draw

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
