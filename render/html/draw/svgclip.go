package draw

import "masthead/render/html/raster"

// bounds returns the box of an element in its own coordinates, without strokes.
func (s *svgPainter) bounds(n *svgNode, st svgStyle, depth int) raster.Rect {
	if depth > maxSVGDepth {
		return raster.Rect{}
	}
	switch n.tag {
	case "g", "a":
		var r raster.Rect
		for _, c := range n.children {
			r = r.Union(transformOfSVG(c, "transform").Bounds(s.bounds(c, st, depth+1)))
		}
		return r
	case "svg", "use", "image":
		x, y := svgLength(n.attrs["x"], s.view.W(), 0), svgLength(n.attrs["y"], s.view.H(), 0)
		if of := s.doc.ids[idOf(n.attrs["href"])]; n.tag == "use" && of != nil && of.tag != "symbol" && of.tag != "svg" {
			if s.uses++; s.uses > maxSVGUses {
				return raster.Rect{}
			}
			b := transformOfSVG(of, "transform").Bounds(s.bounds(of, st, depth+1))
			return raster.Rect{X0: b.X0 + x, Y0: b.Y0 + y, X1: b.X1 + x, Y1: b.Y1 + y}
		}
		w, h := svgLength(n.attrs["width"], s.view.W(), s.view.W()), svgLength(n.attrs["height"], s.view.H(), s.view.H())
		return raster.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	case "defs", "symbol", "clipPath", "mask", "filter", "linearGradient", "radialGradient", "stop":
		return raster.Rect{}
	}
	return s.shape(n).Bounds()
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
		m = m.Mul(raster.Matrix{A: b.W(), D: b.H(), E: b.X0, F: b.Y0})
	}
	m = m.Mul(transformOfSVG(c, "transform"))
	area := t.c.R
	if area.Empty() || !s.p.enter(area) {
		return t, false
	}
	defer s.p.leave(area)
	l := raster.NewLayer(area)
	defer l.Release()
	inner := target{l: l, c: raster.Clip{R: area}, m: m}
	for _, k := range c.children {
		own := initialSVG
		own.clipEvenOdd = false
		s.inherit(&own, c)
		own.fill, own.stroke, own.fillAlpha = "black", "none", 1
		s.silhouette(k, own, inner, depth+1)
	}
	t.c = t.c.ToMask(alphaOf(l))
	return t, true
}

// silhouette fills the shapes of an element in black.
func (s *svgPainter) silhouette(n *svgNode, st svgStyle, t target, depth int) {
	if depth > maxSVGDepth || n.attrs["display"] == "none" {
		return
	}
	t.m = t.m.Mul(transformOfSVG(n, "transform"))
	s.inherit(&st, n)
	if n.tag == "use" {
		if of := s.doc.ids[idOf(n.attrs["href"])]; of != nil {
			if s.uses++; s.uses > maxSVGUses {
				return
			}
			t.m = t.m.Mul(raster.Translation(svgLength(n.attrs["x"], s.view.W(), 0), svgLength(n.attrs["y"], s.view.H(), 0)))
			s.silhouette(of, st, t, depth+1)
		}
		return
	}
	if q := s.shape(n); len(q) > 0 && !st.hidden {
		s.p.Fill(t.l, t.c, q.Transformed(t.m), st.clipEvenOdd, raster.Solid{R: 0, G: 0, B: 0, A: 255})
	}
}

// mask multiplies a layer by a <mask>.
func (s *svgPainter) mask(n *svgNode, l *raster.Layer, box raster.Rect, m raster.Matrix, depth int) {
	if !s.p.enter(l.R) {
		return
	}
	defer s.p.leave(l.R)
	one := raster.NewLayer(l.R)
	defer one.Release()
	if n.attrs["maskContentUnits"] == "objectBoundingBox" {
		m = m.Mul(raster.Matrix{A: box.W(), D: box.H(), E: box.X0, F: box.Y0})
	}
	st := initialSVG
	s.inherit(&st, n)
	for _, c := range n.children {
		s.element(c, st, target{l: one, c: raster.Clip{R: l.R}, m: m}, depth+1)
	}
	luminance := n.attrs["mask-type"] != "alpha"
	for i := 0; i < len(l.Pix); i += 4 {
		k := one.Pix[i+3]
		if luminance {
			k = uint8((uint32(one.Pix[i])*2126 + uint32(one.Pix[i+1])*7152 + uint32(one.Pix[i+2])*722 + 5000) / 10000)
		}
		for j := range 4 {
			l.Pix[i+j] = raster.Mul(l.Pix[i+j], k)
		}
	}
}
