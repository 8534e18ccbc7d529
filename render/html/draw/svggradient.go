package draw

import (
	"encoding/binary"
	"image/color"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/gradient"
	"masthead/render/html/css/value"
	"masthead/render/html/raster"
	"math"
	"strings"
)

// ink returns the shader of a paint; nil is none.
func (s *svgPainter) ink(paint string, alpha float64, st svgStyle, q raster.Path, m raster.Matrix) raster.Shader {
	if paint == "none" || alpha <= 0 {
		return nil
	}
	if strings.HasPrefix(paint, "url(") {
		head, fallback, _ := strings.Cut(paint, ")")
		if g := s.doc.ids[idOf(head+")")]; g != nil {
			return s.gradient(g, alpha, st, q.Bounds(), m)
		}
		paint = strings.TrimSpace(fallback)
		if paint == "" || paint == "none" {
			return nil
		}
	}
	c, ok := colors.Parse(paint, st.color)
	if !ok {
		return nil
	}
	c.A = raster.To8(float64(c.A) / 255 * alpha)
	if c.A == 0 {
		return nil
	}
	return raster.SolidOf(c)
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
	ramp   raster.Ramp
	last   raster.Solid  // the color of the last stop, which a gradient without a length has
	full   raster.Rect   // what percentages are of
	inv    raster.Matrix // device pixels to the gradient's coordinates
	spread float64       // how often its length the ramp is
}

// gradient returns the shader of a gradient for a shape with a box.
func (s *svgPainter) gradient(
	node *svgNode, alpha float64, st svgStyle, box raster.Rect, m raster.Matrix,
) raster.Shader {
	list := straightStops(s.stops(node, alpha, st))
	if len(list) == 0 || node.tag != "linearGradient" && node.tag != "radialGradient" {
		return nil
	}
	g := &svgGradient{s: s, node: node, last: raster.SolidOf(list[len(list)-1].Color.NRGBA), full: s.view, spread: 1}
	if len(list) == 1 || !g.place(box, m) {
		return g.last
	}
	of := &gradient.Gradient{Stops: list}
	stops := raster.StopsOf(of, 1, st.color)
	switch s.gradientAttr(node, "spreadMethod") {
	case "repeat":
		of.Repeating = true
	case "reflect":
		of.Repeating = true
		g.spread = 2
		stops = reflected(stops)
	}
	if of.Repeating { // the whole range repeats, not only that of the stops
		stops = append([]raster.Stop{{At: 0, C: stops[0].C}}, append(stops, raster.Stop{At: 1, C: stops[len(stops)-1].C})...)
	}
	g.ramp, _, _ = raster.NewRamp(of, stops)
	if node.tag == "linearGradient" {
		return g.linear()
	}
	return g.radial()
}

// straightStops adds stops between those of different colors and opacities: gradients of SVG interpolate the two
// apart from each other, those of CSS multiplied. Source: SVG 2, 14.2.4.
func straightStops(list []gradient.Stop) []gradient.Stop {
	const parts = 16
	var out []gradient.Stop
	for i, b := range list {
		if i > 0 {
			a := list[i-1]
			p, q := a.Color.NRGBA, b.Color.NRGBA
			for k := 1; k < parts && p.A != q.A && (p.R != q.R || p.G != q.G || p.B != q.B); k++ {
				mix := func(x, y uint8) uint8 { return uint8((int(x)*(parts-k) + int(y)*k + parts/2) / parts) }
				c := color.NRGBA{mix(p.R, q.R), mix(p.G, q.G), mix(p.B, q.B), mix(p.A, q.A)}
				at := a.At.Percent + (b.At.Percent-a.At.Percent)*float64(k)/parts
				out = append(out, gradient.Stop{Color: colors.Color{NRGBA: c}, At: value.Length{Percent: at}})
			}
		}
		out = append(out, b)
	}
	return out
}

// place sets where the gradient's coordinates are.
func (g *svgGradient) place(box raster.Rect, m raster.Matrix) bool {
	toUser := raster.Identity
	if g.s.gradientAttr(g.node, "gradientUnits") != "userSpaceOnUse" {
		if box.W() <= 0 || box.H() <= 0 {
			return false
		}
		g.full = raster.Rect{X0: 0, Y0: 0, X1: 1, Y1: 1}
		toUser = raster.Matrix{A: box.W(), D: box.H(), E: box.X0, F: box.Y0}
	}
	for a, n := g.node, 0; a != nil && n < 8; a, n = g.s.doc.ids[idOf(a.attrs["href"])], n+1 {
		if a.attrs["gradientTransform"] != "" {
			toUser = toUser.Mul(transformOfSVG(a, "gradientTransform"))
			break
		}
	}
	var ok bool
	g.inv, ok = m.Mul(toUser).Inverse()
	return ok
}

func (g *svgGradient) get(name, initial string, full float64) float64 {
	v := g.s.gradientAttr(g.node, name)
	if v == "" {
		v = initial
	}
	return svgLength(v, full, 0)
}

func (g *svgGradient) linear() raster.Shader {
	w, h := g.full.W(), g.full.H()
	x1, y1 := g.get("x1", "0%", w), g.get("y1", "0%", h)
	dx, dy := g.get("x2", "100%", w)-x1, g.get("y2", "0%", h)-y1
	k := (dx*dx + dy*dy) * g.spread
	if k == 0 {
		return g.last
	}
	sh := &raster.LinearShader{Ramp: g.ramp}
	sh.Dx, sh.Dy = (g.inv.A*dx+g.inv.B*dy)/k, (g.inv.C*dx+g.inv.D*dy)/k
	x0, y0 := g.inv.Apply(.5, .5)
	sh.T0 = ((x0-x1)*dx + (y0-y1)*dy) / k
	return sh
}

func (g *svgGradient) radial() raster.Shader {
	w, h := g.full.W(), g.full.H()
	cx, cy := g.get("cx", "50%", w), g.get("cy", "50%", h)
	radius := g.get("r", "50%", math.Hypot(w, h)/math.Sqrt2) * g.spread
	if radius <= 0 {
		return g.last
	}
	k := raster.Matrix{A: 1 / radius, D: 1 / radius, E: -cx / radius, F: -cy / radius}
	sh := raster.RadialShader{Ramp: g.ramp, Inv: k.Mul(g.inv), Per: 1}
	x, y := cx, cy
	if v := g.s.gradientAttr(g.node, "fx"); v != "" {
		x = svgLength(v, w, cx)
	}
	if v := g.s.gradientAttr(g.node, "fy"); v != "" {
		y = svgLength(v, h, cy)
	}
	px, py := k.Apply(x, y)
	if l := math.Hypot(px, py); l > .99 {
		px, py = px/l*.99, py/l*.99
	}
	if math.Hypot(px, py) < 1e-9 {
		return &sh
	}
	return &focalShader{RadialShader: sh, fx: px, fy: py}
}

// reflected returns stops with their mirror image behind them, in half of the range each.
func reflected(list []raster.Stop) []raster.Stop {
	out := make([]raster.Stop, 0, 2*len(list))
	for _, s := range list {
		s.At /= 2
		out = append(out, s)
	}
	for i := len(list) - 1; i >= 0; i-- {
		out = append(out, raster.Stop{At: 1 - list[i].At/2, C: list[i].C})
	}
	return out
}

// focalShader is a radial gradient whose colors begin at a point other than the center of the unit circle.
type focalShader struct {
	raster.RadialShader
	fx, fy float64
}

func (s *focalShader) Shade(y, x int, out []uint8) {
	u, v := s.Inv.Apply(float64(x)+.5, float64(y)+.5)
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
		binary.LittleEndian.PutUint32(out[i:], s.At(t))
		u += s.Inv.A
		v += s.Inv.B
	}
}

// stops returns the stops of a gradient, or of the one that it refers to.
func (s *svgPainter) stops(g *svgNode, alpha float64, st svgStyle) (list []gradient.Stop) {
	for range 8 {
		for _, c := range g.children {
			if c.tag != "stop" {
				continue
			}
			own := st
			s.inherit(&own, c)
			ink := color.NRGBA{A: 255}
			if v := c.attrs["stop-color"]; v != "" {
				if k, ok := colors.Parse(v, own.color); ok {
					ink = k
				}
			}
			a := svgLength(c.attrs["stop-opacity"], 1, 1) * alpha
			ink.A = raster.To8(float64(ink.A) / 255 * min(max(a, 0), 1))
			at := min(max(svgLength(c.attrs["offset"], 1, 0), 0), 1)
			list = append(list, gradient.Stop{Color: colors.Color{NRGBA: ink}, At: value.Length{Percent: at * 100}})
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
