package draw

import (
	"math"
	"slices"

	"masthead/render/html/css"
)

// path is a sequence of steps M, L, C, Q and Z.
type path []css.PathStep

func (p *path) move(x, y float64) { *p = append(*p, css.PathStep{Op: 'M', Points: [6]float64{x, y}}) }
func (p *path) line(x, y float64) { *p = append(*p, css.PathStep{Op: 'L', Points: [6]float64{x, y}}) }
func (p *path) cubic(a, b, c, d, x, y float64) {
	*p = append(*p, css.PathStep{Op: 'C', Points: [6]float64{a, b, c, d, x, y}})
}
func (p *path) close() { *p = append(*p, css.PathStep{Op: 'Z'}) }

func (p *path) rect(r rect) {
	p.move(r.x0, r.y0)
	p.line(r.x1, r.y0)
	p.line(r.x1, r.y1)
	p.line(r.x0, r.y1)
	p.close()
}

func (p *path) ellipse(cx, cy, rx, ry float64) {
	kx, ky := kappa*rx, kappa*ry
	p.move(cx+rx, cy)
	p.cubic(cx+rx, cy+ky, cx+kx, cy+ry, cx, cy+ry)
	p.cubic(cx-kx, cy+ry, cx-rx, cy+ky, cx-rx, cy)
	p.cubic(cx-rx, cy-ky, cx-kx, cy-ry, cx, cy-ry)
	p.cubic(cx+kx, cy-ry, cx+rx, cy-ky, cx+rx, cy)
	p.close()
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

// transformed returns the path after a transform.
func (p path) transformed(m matrix) path {
	if m == identity {
		return p
	}
	out := make(path, len(p))
	for i, s := range p {
		out[i].Op = s.Op
		for k := 0; k < points(s.Op); k += 2 {
			out[i].Points[k], out[i].Points[k+1] = m.apply(s.Points[k], s.Points[k+1])
		}
	}
	return out
}

// reversed returns closed contours of a path in the other direction.
func (p path) reversed() path {
	var out path
	for i := len(p) - 1; i >= 0; i-- {
		n := points(p[i].Op)
		if p[i].Op == 'Z' || n == 0 {
			continue
		}
		s := &p[i].Points
		if len(out) == 0 || p[min(i+1, len(p)-1)].Op == 'Z' {
			out.move(s[n-2], s[n-1])
		}
		if p[i].Op == 'M' {
			out.close()
			continue
		}
		m := points(p[i-1].Op)
		x, y := p[i-1].Points[m-2], p[i-1].Points[m-1]
		switch p[i].Op {
		case 'C':
			out.cubic(s[2], s[3], s[0], s[1], x, y)
		case 'Q':
			out = append(out, css.PathStep{Op: 'Q', Points: [6]float64{s[0], s[1], x, y}})
		default:
			out.line(x, y)
		}
	}
	return out
}

// bounds returns a rectangle around the path.
func (p path) bounds() rect {
	r := rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for i := range p {
		for k := 0; k < points(p[i].Op); k += 2 {
			x, y := p[i].Points[k], p[i].Points[k+1]
			r = rect{min(r.x0, x), min(r.y0, y), max(r.x1, x), max(r.y1, y)}
		}
	}
	if len(p) == 0 || r.x0 > r.x1 {
		return rect{}
	}
	return r
}

// roundRect is a rectangle with elliptical corners: top left, top right, bottom right, bottom left.
type roundRect struct {
	rect
	rx, ry [4]float64
	shape  [4]float64 // corner-shape; 0 is round
}

// square reports whether all corners are square.
func (r *roundRect) square() bool {
	for i := range r.rx {
		if r.rx[i] > 0 && r.ry[i] > 0 {
			return false
		}
	}
	return true
}

// fit scales the radii so that they don't overlap.
func (r *roundRect) fit() {
	f := 1.0
	limit := func(a, b, side float64) {
		if a+b > side && a+b > 0 {
			f = min(f, side/(a+b))
		}
	}
	limit(r.rx[0], r.rx[1], r.w())
	limit(r.rx[3], r.rx[2], r.w())
	limit(r.ry[0], r.ry[3], r.h())
	limit(r.ry[1], r.ry[2], r.h())
	if f < 1 {
		for i := range r.rx {
			r.rx[i] *= max(f, 0)
			r.ry[i] *= max(f, 0)
		}
	}
}

// inset returns the inner rounded rectangle behind borders of these widths; negative ones grow it.
func (r roundRect) inset(t, ri, b, l float64) roundRect {
	out := r
	out.rect = rect{r.x0 + l, r.y0 + t, r.x1 - ri, r.y1 - b}
	if out.x1 < out.x0 {
		out.x0 = (out.x0 + out.x1) / 2
		out.x1 = out.x0
	}
	if out.y1 < out.y0 {
		out.y0 = (out.y0 + out.y1) / 2
		out.y1 = out.y0
	}
	left, right := [4]float64{l, ri, ri, l}, [4]float64{t, t, b, b}
	for i := range out.rx {
		if r.rx[i] <= 0 || r.ry[i] <= 0 {
			continue
		}
		out.rx[i] = max(r.rx[i]-left[i], 0)
		out.ry[i] = max(r.ry[i]-right[i], 0)
	}
	return out
}

// outset grows a rounded rectangle evenly as the spread of a shadow does: small radii grow less.
func (r roundRect) outset(d float64) roundRect {
	out := r
	out.rect = r.grow(d)
	if out.x1 < out.x0 || out.y1 < out.y0 {
		out.rect = rect{(r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2, (r.x0 + r.x1) / 2, (r.y0 + r.y1) / 2}
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
	for i := range out.rx {
		if r.rx[i] > 0 && r.ry[i] > 0 {
			out.rx[i], out.ry[i] = grow(r.rx[i]), grow(r.ry[i])
		}
	}
	return out
}

// kappa is how far the control points of a quarter circle are along its tangents.
const kappa = .5522847498307936

// addTo appends the outline, clockwise.
func (r *roundRect) addTo(p *path) {
	if r.square() {
		p.rect(r.rect)
		return
	}
	rx, ry := r.rx, r.ry
	p.move(r.x0+rx[0], r.y0)
	p.line(r.x1-rx[1], r.y0)
	corner(p, r.shape[1], r.x1-rx[1], r.y0, rx[1], 0, r.x1, r.y0+ry[1], 0, ry[1])
	p.line(r.x1, r.y1-ry[2])
	corner(p, r.shape[2], r.x1, r.y1-ry[2], 0, ry[2], r.x1-rx[2], r.y1, -rx[2], 0)
	p.line(r.x0+rx[3], r.y1)
	corner(p, r.shape[3], r.x0+rx[3], r.y1, -rx[3], 0, r.x0, r.y1-ry[3], 0, -ry[3])
	p.line(r.x0, r.y0+ry[0])
	corner(p, r.shape[0], r.x0, r.y0+ry[0], 0, -ry[0], r.x0+rx[0], r.y0, rx[0], 0)
	p.close()
}

// corner appends a corner from x0, y0, whose sides are the vectors a and b, to x, y.
func corner(p *path, shape, x0, y0, ax, ay, x, y, bx, by float64) {
	if ax == 0 && ay == 0 || bx == 0 && by == 0 {
		p.line(x, y)
		return
	}
	switch {
	case shape == 0:
		p.cubic(x0+kappa*ax, y0+kappa*ay, x-kappa*bx, y-kappa*by, x, y)
	case shape >= css.CornerSquare:
		p.line(x0+ax, y0+ay)
		p.line(x, y)
	case shape <= css.CornerNotch:
		p.line(x0+bx, y0+by)
		p.line(x, y)
	case math.Abs(shape) < .001:
		p.line(x, y)
	default:
		superellipse(p, shape, x0, y0, ax, ay, x, y, bx, by)
	}
}

// superellipse appends a corner of the curve u^k + v^k = 1, with k = 2^shape.
func superellipse(p *path, shape, x0, y0, ax, ay, x, y, bx, by float64) {
	k := math.Pow(2, math.Abs(shape))
	const steps = 32
	for i := 1; i < steps; i++ {
		sin, cos := math.Sincos(float64(i) / steps * math.Pi / 2)
		u, v := 1-math.Pow(cos, 2/k), math.Pow(sin, 2/k) // from the start along b, and along a
		if shape < 0 {
			u, v = math.Pow(sin, 2/k), 1-math.Pow(cos, 2/k)
		}
		p.line(x0+ax*v+bx*u, y0+ay*v+by*u)
	}
	p.line(x, y)
}

// flatten passes the path's lines to f: start begins a contour.
func (p path) flatten(tolerance float64, f func(x, y float64, start, end bool)) {
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

// contour is a polyline.
type contour struct {
	points [][2]float64
	closed bool
}

func (p path) contours(tolerance float64) []contour {
	var list []contour
	p.flatten(tolerance, func(x, y float64, start, end bool) {
		if start {
			list = append(list, contour{})
		}
		if end || len(list) == 0 {
			return
		}
		c := &list[len(list)-1]
		if n := len(c.points); n > 0 && math.Hypot(c.points[n-1][0]-x, c.points[n-1][1]-y) < 1e-6 {
			return
		}
		c.points = append(c.points, [2]float64{x, y})
	})
	for i := range list {
		c := &list[i]
		n := len(c.points)
		if n > 2 && math.Hypot(c.points[0][0]-c.points[n-1][0], c.points[0][1]-c.points[n-1][1]) < 1e-6 {
			c.points = c.points[:n-1]
			c.closed = true
		}
	}
	return list
}

// pen is how a line is stroked.
type pen struct {
	width      float64
	cap, join  lineEnd
	miterLimit float64
}

// lineEnd is the form of the ends and corners of a line.
type lineEnd uint8

const (
	flatEnd lineEnd = iota // of corners: mitered
	roundEnd
	squareEnd // of corners: beveled
)

// stroke returns the outline of a line of a width along the contours, to be filled by the nonzero rule: a quadrilateral
// for each piece, and a joint between two. Caps are round or flat, and corners round or mitered.
func stroke(list []contour, width float64, round bool, miterLimit float64) path {
	k := pen{width: width, miterLimit: miterLimit}
	if round {
		k.cap, k.join = roundEnd, roundEnd
	}
	return k.stroke(list)
}

func (k pen) stroke(list []contour) path {
	s := &stroker{r: k.width / 2, pen: k}
	for _, c := range list {
		s.contour(c)
	}
	return s.out
}

type stroker struct {
	pen
	out    path
	r      float64
	pieces []strokePiece
}

// strokePiece is a straight piece of a line, and its normal, as long as half of the width.
type strokePiece struct{ x0, y0, x1, y1, nx, ny float64 }

func (s *stroker) contour(c contour) {
	n := len(c.points)
	if n == 1 {
		x, y := c.points[0][0], c.points[0][1]
		switch s.cap {
		case roundEnd:
			s.out.ellipse(x, y, s.r, s.r)
		case squareEnd:
			s.out.rect(rect{x - s.r, y - s.r, x + s.r, y + s.r})
		}
		return
	}
	count := n - 1
	if c.closed {
		count = n
	}
	s.pieces = s.pieces[:0]
	for i := range count {
		a, b := c.points[i], c.points[(i+1)%n]
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
	if c.closed && len(s.pieces) > 1 {
		s.joint(last, first)
		return
	}
	switch s.cap {
	case roundEnd:
		s.out.ellipse(first.x0, first.y0, s.r, s.r)
		s.out.ellipse(last.x1, last.y1, s.r, s.r)
	case squareEnd:
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
	s.out.move(pts[0][0], pts[0][1])
	for _, p := range pts[1:] {
		s.out.line(p[0], p[1])
	}
	s.out.close()
}

// joint fills the corner between two pieces.
func (s *stroker) joint(a, b strokePiece) {
	cross := a.nx*b.ny - a.ny*b.nx
	dot := (a.nx*b.nx + a.ny*b.ny) / (s.r * s.r)
	if s.join == roundEnd && dot < .98 { // a corner; along a curve the pieces nearly meet
		s.out.ellipse(a.x1, a.y1, s.r, s.r)
		return
	}
	side := 1.0
	if cross > 0 { // the outer side
		side = -1
	}
	center := [2]float64{a.x1, a.y1}
	p := [2]float64{a.x1 + side*a.nx, a.y1 + side*a.ny}
	q := [2]float64{a.x1 + side*b.nx, a.y1 + side*b.ny}
	if half := math.Sqrt(max((1+dot)/2, 0)); s.join == flatEnd && half > 1e-3 && 1/half <= s.miterLimit {
		f := side / (half * half)
		s.polygon(center, p, [2]float64{a.x1 + (a.nx+b.nx)/2*f, a.y1 + (a.ny+b.ny)/2*f}, q)
		return
	}
	s.polygon(center, p, q)
}

// maxDashes bounds the dashes of one line.
const maxDashes = 5000

// dashed cuts contours into dashes of on and gaps of off, beginning with a dash moved back by phase.
func dashed(list []contour, on, off, phase float64) []contour {
	var out []contour
	period := on + off
	if !(period > .05) {
		return list
	}
	for _, c := range list {
		pts := c.points
		if c.closed && len(pts) > 0 {
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
		var cur contour
		if drawing && len(pts) > 0 {
			cur.points = append(cur.points, pts[0])
		}
		for i := 1; i < len(pts) && len(out) < maxDashes; i++ {
			a, b := pts[i-1], pts[i]
			l := math.Hypot(b[0]-a[0], b[1]-a[1])
			done := 0.0
			for l-done > left && len(out) < maxDashes {
				done += left
				p := [2]float64{a[0] + (b[0]-a[0])*done/l, a[1] + (b[1]-a[1])*done/l}
				if drawing {
					cur.points = append(cur.points, p)
					out = append(out, cur)
					cur = contour{}
					left = off
				} else {
					cur.points = [][2]float64{p}
					left = on
				}
				drawing = !drawing
			}
			left -= l - done
			if drawing {
				cur.points = append(cur.points, b)
			}
		}
		if drawing && len(cur.points) > 1 {
			out = append(out, cur)
		}
	}
	return out
}
