package raster

import (
	"masthead/render/html/css/shape"
	"math"
	"slices"
)

// Path is a sequence of steps M, L, C, Q and Z.
type Path []shape.Step

// Move begins a part of the path at a point.
func (p *Path) Move(x, y float64) { *p = append(*p, shape.Step{Op: 'M', Points: [6]float64{x, y}}) }

// Line adds a straight line.
func (p *Path) Line(x, y float64) { *p = append(*p, shape.Step{Op: 'L', Points: [6]float64{x, y}}) }

// Cubic adds a cubic Bézier curve by its two control points and its end.
func (p *Path) Cubic(a, b, c, d, x, y float64) {
	*p = append(*p, shape.Step{Op: 'C', Points: [6]float64{a, b, c, d, x, y}})
}

// Close closes the part of the path.
func (p *Path) Close() { *p = append(*p, shape.Step{Op: 'Z'}) }

// Rect adds a rectangle.
func (p *Path) Rect(r Rect) {
	p.Move(r.X0, r.Y0)
	p.Line(r.X1, r.Y0)
	p.Line(r.X1, r.Y1)
	p.Line(r.X0, r.Y1)
	p.Close()
}

// Ellipse adds an ellipse by its center and radii.
func (p *Path) Ellipse(cx, cy, rx, ry float64) {
	kx, ky := kappa*rx, kappa*ry
	p.Move(cx+rx, cy)
	p.Cubic(cx+rx, cy+ky, cx+kx, cy+ry, cx, cy+ry)
	p.Cubic(cx-kx, cy+ry, cx-rx, cy+ky, cx-rx, cy)
	p.Cubic(cx-rx, cy-ky, cx-kx, cy-ry, cx, cy-ry)
	p.Cubic(cx+kx, cy-ry, cx+rx, cy-ky, cx+rx, cy)
	p.Close()
}

// points returns how many coordinates a step has.
func points(op byte) int {
	switch op {
	case 'M', 'L':
		return 2
	case 'Q':
		return 4
	case 'C':
		return 6
	}
	return 0
}

// Transformed returns the path after a transform.
func (p Path) Transformed(m Matrix) Path {
	if m == Identity {
		return p
	}
	out := make(Path, len(p))
	for i, s := range p {
		out[i].Op = s.Op
		for k := 0; k < points(s.Op); k += 2 {
			out[i].Points[k], out[i].Points[k+1] = m.Apply(s.Points[k], s.Points[k+1])
		}
	}
	return out
}

// Reversed returns closed contours of a path in the other direction.
func (p Path) Reversed() Path {
	var out Path
	for i := len(p) - 1; i >= 0; i-- {
		n := points(p[i].Op)
		if p[i].Op == 'Z' || n == 0 {
			continue
		}
		s := &p[i].Points
		if len(out) == 0 || p[min(i+1, len(p)-1)].Op == 'Z' {
			out.Move(s[n-2], s[n-1])
		}
		if p[i].Op == 'M' {
			out.Close()
			continue
		}
		m := points(p[i-1].Op)
		x, y := p[i-1].Points[m-2], p[i-1].Points[m-1]
		switch p[i].Op {
		case 'C':
			out.Cubic(s[2], s[3], s[0], s[1], x, y)
		case 'Q':
			out = append(out, shape.Step{Op: 'Q', Points: [6]float64{s[0], s[1], x, y}})
		default:
			out.Line(x, y)
		}
	}
	return out
}

// Bounds returns a rectangle around the path.
func (p Path) Bounds() Rect {
	r := Rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for i := range p {
		for k := 0; k < points(p[i].Op); k += 2 {
			x, y := p[i].Points[k], p[i].Points[k+1]
			r = Rect{min(r.X0, x), min(r.Y0, y), max(r.X1, x), max(r.Y1, y)}
		}
	}
	if len(p) == 0 || r.X0 > r.X1 {
		return Rect{}
	}
	return r
}

// RoundRect is a rectangle with elliptical corners: top left, top right, bottom right, bottom left.
type RoundRect struct {
	Rect
	Rx, Ry [4]float64
	Shape  [4]float64 // corner-shape; 0 is round
}

// Square reports whether all corners are square.
func (r *RoundRect) Square() bool {
	for i := range r.Rx {
		if r.Rx[i] > 0 && r.Ry[i] > 0 {
			return false
		}
	}
	return true
}

// Fit scales the radii so that they don't overlap.
func (r *RoundRect) Fit() {
	f := 1.0
	limit := func(a, b, side float64) {
		if a+b > side && a+b > 0 {
			f = min(f, side/(a+b))
		}
	}
	limit(r.Rx[0], r.Rx[1], r.W())
	limit(r.Rx[3], r.Rx[2], r.W())
	limit(r.Ry[0], r.Ry[3], r.H())
	limit(r.Ry[1], r.Ry[2], r.H())
	if f < 1 {
		for i := range r.Rx {
			r.Rx[i] *= max(f, 0)
			r.Ry[i] *= max(f, 0)
		}
	}
}

// Inset returns the inner rounded rectangle behind borders of these widths; negative ones grow it.
func (r RoundRect) Inset(t, ri, b, l float64) RoundRect {
	out := r
	out.Rect = Rect{r.X0 + l, r.Y0 + t, r.X1 - ri, r.Y1 - b}
	if out.X1 < out.X0 {
		out.X0 = (out.X0 + out.X1) / 2
		out.X1 = out.X0
	}
	if out.Y1 < out.Y0 {
		out.Y0 = (out.Y0 + out.Y1) / 2
		out.Y1 = out.Y0
	}
	left, right := [4]float64{l, ri, ri, l}, [4]float64{t, t, b, b}
	for i := range out.Rx {
		if r.Rx[i] <= 0 || r.Ry[i] <= 0 {
			continue
		}
		out.Rx[i] = max(r.Rx[i]-left[i], 0)
		out.Ry[i] = max(r.Ry[i]-right[i], 0)
	}
	return out
}

// Outset grows a rounded rectangle evenly as the spread of a shadow does: small radii grow less.
func (r RoundRect) Outset(d float64) RoundRect {
	out := r
	out.Rect = r.Grow(d)
	if out.X1 < out.X0 || out.Y1 < out.Y0 {
		out.Rect = Rect{(r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2, (r.X0 + r.X1) / 2, (r.Y0 + r.Y1) / 2}
	}
	grow := func(v float64) float64 {
		if d <= 0 {
			return max(v+d, 0)
		}
		if v >= d {
			return v + d
		}
		k := v/d - 1
		return v + d*(1+k*k*k)
	}
	for i := range out.Rx {
		if r.Rx[i] > 0 && r.Ry[i] > 0 {
			out.Rx[i], out.Ry[i] = grow(r.Rx[i]), grow(r.Ry[i])
		}
	}
	return out
}

// kappa is how far the control points of a quarter circle are along its tangents.
const kappa = .5522847498307936

// AddTo appends the outline, clockwise.
func (r *RoundRect) AddTo(p *Path) {
	if r.Square() {
		p.Rect(r.Rect)
		return
	}
	rx, ry := r.Rx, r.Ry
	p.Move(r.X0+rx[0], r.Y0)
	p.Line(r.X1-rx[1], r.Y0)
	corner(p, r.Shape[1], r.X1-rx[1], r.Y0, rx[1], 0, r.X1, r.Y0+ry[1], 0, ry[1])
	p.Line(r.X1, r.Y1-ry[2])
	corner(p, r.Shape[2], r.X1, r.Y1-ry[2], 0, ry[2], r.X1-rx[2], r.Y1, -rx[2], 0)
	p.Line(r.X0+rx[3], r.Y1)
	corner(p, r.Shape[3], r.X0+rx[3], r.Y1, -rx[3], 0, r.X0, r.Y1-ry[3], 0, -ry[3])
	p.Line(r.X0, r.Y0+ry[0])
	corner(p, r.Shape[0], r.X0, r.Y0+ry[0], 0, -ry[0], r.X0+rx[0], r.Y0, rx[0], 0)
	p.Close()
}

// corner appends a corner from x0, y0, whose sides are the vectors a and b, to x, y.
func corner(p *Path, exponent, x0, y0, ax, ay, x, y, bx, by float64) {
	if ax == 0 && ay == 0 || bx == 0 && by == 0 {
		p.Line(x, y)
		return
	}
	switch {
	case exponent == 0:
		p.Cubic(x0+kappa*ax, y0+kappa*ay, x-kappa*bx, y-kappa*by, x, y)
	case exponent >= shape.CornerSquare:
		p.Line(x0+ax, y0+ay)
		p.Line(x, y)
	case exponent <= shape.CornerNotch:
		p.Line(x0+bx, y0+by)
		p.Line(x, y)
	case math.Abs(exponent) < .001:
		p.Line(x, y)
	default:
		superellipse(p, exponent, x0, y0, ax, ay, x, y, bx, by)
	}
}

// superellipse appends a corner of the curve u^k + v^k = 1, with k = 2^exponent.
func superellipse(p *Path, exponent, x0, y0, ax, ay, x, y, bx, by float64) {
	k := math.Pow(2, math.Abs(exponent))
	const steps = 32
	for i := 1; i < steps; i++ {
		sin, cos := math.Sincos(float64(i) / steps * math.Pi / 2)
		u, v := 1-math.Pow(cos, 2/k), math.Pow(sin, 2/k) // from the start along b, and along a
		if exponent < 0 {
			u, v = math.Pow(sin, 2/k), 1-math.Pow(cos, 2/k)
		}
		p.Line(x0+ax*v+bx*u, y0+ay*v+by*u)
	}
	p.Line(x, y)
}

// Flatten passes the path's lines to f: start begins a contour.
func (p Path) Flatten(tolerance float64, f func(x, y float64, start, end bool)) {
	var x, y, sx, sy float64
	open := false
	for i := range p {
		s := &p[i].Points
		switch p[i].Op {
		case 'M':
			if open {
				f(x, y, false, true)
			}
			x, y = s[0], s[1]
			sx, sy = x, y
			f(x, y, true, false)
			open = true
		case 'L':
			x, y = s[0], s[1]
			f(x, y, false, false)
		case 'Q', 'C':
			a := *s
			if p[i].Op == 'Q' {
				const k = 2.0 / 3
				a = [6]float64{x + k*(s[0]-x), y + k*(s[1]-y), s[2] + k*(s[0]-s[2]), s[3] + k*(s[1]-s[3]), s[2], s[3]}
			}
			flattenCubic(x, y, a, tolerance, func(px, py float64) { f(px, py, false, false) })
			x, y = a[4], a[5]
		case 'Z':
			if x != sx || y != sy {
				f(sx, sy, false, false)
			}
			x, y = sx, sy
		}
	}
	if open {
		f(x, y, false, true)
	}
}

func flattenCubic(x0, y0 float64, a [6]float64, tolerance float64, f func(x, y float64)) {
	d := math.Hypot(x0-2*a[0]+a[2], y0-2*a[1]+a[3]) + math.Hypot(a[0]-2*a[2]+a[4], a[1]-2*a[3]+a[5])
	n := int(math.Sqrt(d*.75/tolerance)) + 1
	n = min(n, 200)
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		u := 1 - t
		c0, c1, c2, c3 := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
		f(c0*x0+c1*a[0]+c2*a[2]+c3*a[4], c0*y0+c1*a[1]+c2*a[3]+c3*a[5])
	}
}

// Contour is a polyline.
type Contour struct {
	Points [][2]float64
	Closed bool
}

// Contours returns the path as polylines that are at most a tolerance in px off.
func (p Path) Contours(tolerance float64) []Contour {
	var list []Contour
	p.Flatten(tolerance, func(x, y float64, start, end bool) {
		if start {
			list = append(list, Contour{})
		}
		if end || len(list) == 0 {
			return
		}
		c := &list[len(list)-1]
		if n := len(c.Points); n > 0 && math.Hypot(c.Points[n-1][0]-x, c.Points[n-1][1]-y) < 1e-6 {
			return
		}
		c.Points = append(c.Points, [2]float64{x, y})
	})
	for i := range list {
		c := &list[i]
		n := len(c.Points)
		if n > 2 && math.Hypot(c.Points[0][0]-c.Points[n-1][0], c.Points[0][1]-c.Points[n-1][1]) < 1e-6 {
			c.Points = c.Points[:n-1]
			c.Closed = true
		}
	}
	return list
}

// Pen is how a line is stroked.
type Pen struct {
	Width      float64
	Cap, Join  LineEnd
	MiterLimit float64
}

// LineEnd is the form of the ends and corners of a line.
type LineEnd uint8

// The forms of ends.
const (
	flatEnd   LineEnd = iota // of corners: mitered
	RoundEnd                 // a half disc
	SquareEnd                // of corners: beveled
)

// Stroke returns the outline of a line of a width along the contours, to be filled by the nonzero rule: a quadrilateral
// for each piece, and a joint between two. Caps are round or flat, and corners round or mitered.
func Stroke(list []Contour, width float64, round bool, miterLimit float64) Path {
	k := Pen{Width: width, MiterLimit: miterLimit}
	if round {
		k.Cap, k.Join = RoundEnd, RoundEnd
	}
	return k.Stroke(list)
}

// Stroke returns the outline of a line along the contours, as [Stroke] does.
func (k Pen) Stroke(list []Contour) Path {
	s := &stroker{r: k.Width / 2, Pen: k}
	for _, c := range list {
		s.contour(c)
	}
	return s.out
}

type stroker struct {
	Pen
	out    Path
	r      float64
	pieces []strokePiece
}

// strokePiece is a straight piece of a line, and its normal, as long as half of the width.
type strokePiece struct{ x0, y0, x1, y1, nx, ny float64 }

func (s *stroker) contour(c Contour) {
	n := len(c.Points)
	if n == 1 {
		x, y := c.Points[0][0], c.Points[0][1]
		switch s.Cap {
		case RoundEnd:
			s.out.Ellipse(x, y, s.r, s.r)
		case SquareEnd:
			s.out.Rect(Rect{x - s.r, y - s.r, x + s.r, y + s.r})
		}
		return
	}
	count := n - 1
	if c.Closed {
		count = n
	}
	s.pieces = s.pieces[:0]
	for i := range count {
		a, b := c.Points[i], c.Points[(i+1)%n]
		l := math.Hypot(b[0]-a[0], b[1]-a[1])
		if l == 0 {
			continue
		}
		q := strokePiece{a[0], a[1], b[0], b[1], -(b[1] - a[1]) / l * s.r, (b[0] - a[0]) / l * s.r}
		s.pieces = append(s.pieces, q)
		s.polygon(
			[2]float64{q.x0 + q.nx, q.y0 + q.ny}, [2]float64{q.x1 + q.nx, q.y1 + q.ny},
			[2]float64{q.x1 - q.nx, q.y1 - q.ny}, [2]float64{q.x0 - q.nx, q.y0 - q.ny},
		)
	}
	for i := 1; i < len(s.pieces); i++ {
		s.joint(s.pieces[i-1], s.pieces[i])
	}
	if len(s.pieces) == 0 {
		return
	}
	first, last := s.pieces[0], s.pieces[len(s.pieces)-1]
	if c.Closed && len(s.pieces) > 1 {
		s.joint(last, first)
		return
	}
	switch s.Cap {
	case RoundEnd:
		s.out.Ellipse(first.x0, first.y0, s.r, s.r)
		s.out.Ellipse(last.x1, last.y1, s.r, s.r)
	case SquareEnd:
		s.square(first.x0, first.y0, -first.ny, first.nx)
		s.square(last.x1, last.y1, last.ny, -last.nx)
	}
}

// square adds half a square at an end; dx, dy is the direction beyond it.
func (s *stroker) square(x, y, dx, dy float64) {
	s.polygon(
		[2]float64{x - dy, y + dx}, [2]float64{x - dy + dx, y + dx + dy},
		[2]float64{x + dy + dx, y - dx + dy}, [2]float64{x + dy, y - dx},
	)
}

// polygon adds a polygon; all turn the same way.
func (s *stroker) polygon(pts ...[2]float64) {
	area := 0.0
	for i := range pts {
		j := (i + 1) % len(pts)
		area += pts[i][0]*pts[j][1] - pts[j][0]*pts[i][1]
	}
	if area < 0 {
		slices.Reverse(pts)
	}
	s.out.Move(pts[0][0], pts[0][1])
	for _, p := range pts[1:] {
		s.out.Line(p[0], p[1])
	}
	s.out.Close()
}

// joint fills the corner between two pieces.
func (s *stroker) joint(a, b strokePiece) {
	cross := a.nx*b.ny - a.ny*b.nx
	dot := (a.nx*b.nx + a.ny*b.ny) / (s.r * s.r)
	if s.Join == RoundEnd && dot < .98 { // a corner; along a curve the pieces nearly meet
		s.out.Ellipse(a.x1, a.y1, s.r, s.r)
		return
	}
	side := 1.0
	if cross > 0 { // the outer side
		side = -1
	}
	center := [2]float64{a.x1, a.y1}
	p := [2]float64{a.x1 + side*a.nx, a.y1 + side*a.ny}
	q := [2]float64{a.x1 + side*b.nx, a.y1 + side*b.ny}
	if half := math.Sqrt(max((1+dot)/2, 0)); s.Join == flatEnd && half > 1e-3 && 1/half <= s.MiterLimit {
		f := side / (half * half)
		s.polygon(center, p, [2]float64{a.x1 + (a.nx+b.nx)/2*f, a.y1 + (a.ny+b.ny)/2*f}, q)
		return
	}
	s.polygon(center, p, q)
}

// MaxDashes bounds the dashes of one line.
const MaxDashes = 5000

// Dashed cuts contours into dashes of on and gaps of off, beginning with a dash moved back by phase.
func Dashed(list []Contour, on, off, phase float64) []Contour {
	var out []Contour
	period := on + off
	if !(period > .05) {
		return list
	}
	for _, c := range list {
		pts := c.Points
		if c.Closed && len(pts) > 0 {
			pts = append(append([][2]float64{}, pts...), pts[0])
		}
		at := math.Mod(phase, period)
		if at < 0 {
			at += period
		}
		drawing := at < on
		left := on - at
		if !drawing {
			left = period - at
		}
		var cur Contour
		if drawing && len(pts) > 0 {
			cur.Points = append(cur.Points, pts[0])
		}
		for i := 1; i < len(pts) && len(out) < MaxDashes; i++ {
			a, b := pts[i-1], pts[i]
			l := math.Hypot(b[0]-a[0], b[1]-a[1])
			done := 0.0
			for l-done > left && len(out) < MaxDashes {
				done += left
				p := [2]float64{a[0] + (b[0]-a[0])*done/l, a[1] + (b[1]-a[1])*done/l}
				if drawing {
					cur.Points = append(cur.Points, p)
					out = append(out, cur)
					cur = Contour{}
					left = off
				} else {
					cur.Points = [][2]float64{p}
					left = on
				}
				drawing = !drawing
			}
			left -= l - done
			if drawing {
				cur.Points = append(cur.Points, b)
			}
		}
		if drawing && len(cur.Points) > 1 {
			out = append(out, cur)
		}
	}
	return out
}
