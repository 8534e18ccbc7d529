package draw

import (
	"encoding/binary"
	"image/color"
	"math"
	"strings"

	"masthead/render/html/css"
)

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
