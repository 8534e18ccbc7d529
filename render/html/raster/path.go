package raster

import (
	"math"

	"masthead/render/html/css/shape"
	"masthead/render/html/meter"
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

// Flatten passes the path's lines to f until f returns true: start begins a contour.
func (p Path) Flatten(tolerance float64, f func(x, y float64, start, end bool) (over bool)) {
	var x, y, sx, sy float64
	open := false
	over := false
	for i := 0; i < len(p) && !over; i++ {
		s := &p[i].Points
		switch p[i].Op {
		case 'M':
			if open {
				f(x, y, false, true)
			}
			x, y = s[0], s[1]
			sx, sy = x, y
			over = f(x, y, true, false)
			open = true
		case 'L':
			x, y = s[0], s[1]
			over = f(x, y, false, false)
		case 'Q', 'C':
			a := *s
			if p[i].Op == 'Q' {
				const k = 2.0 / 3
				a = [6]float64{x + k*(s[0]-x), y + k*(s[1]-y), s[2] + k*(s[0]-s[2]), s[3] + k*(s[1]-s[3]), s[2], s[3]}
			}
			flattenCubic(x, y, a, tolerance, func(px, py float64) { over = f(px, py, false, false) })
			x, y = a[4], a[5]
		case 'Z':
			if x != sx || y != sy {
				over = f(sx, sy, false, false)
			}
			x, y = sx, sy
		}
	}
	if open && !over {
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

// MaxSteps bounds the steps of a path, and the points of its contours, which take 30 MB: the text of a card has fewer.
const MaxSteps = 1 << 19

// Contours returns the path as polylines that are at most a tolerance in px off.
func (p Path) Contours(tolerance float64, m *meter.Meter) []Contour {
	const work = 2 // of a point
	var list []Contour
	count := 0
	p.Flatten(tolerance, func(x, y float64, start, end bool) (over bool) {
		if start {
			list = append(list, Contour{})
		}
		if end || len(list) == 0 {
			return false
		}
		c := &list[len(list)-1]
		if n := len(c.Points); n > 0 && math.Hypot(c.Points[n-1][0]-x, c.Points[n-1][1]-y) < 1e-6 {
			return false
		}
		c.Points = append(c.Points, [2]float64{x, y})
		if count++; count > MaxSteps {
			m.Exceed("a line of too many points")
		}
		return m.Spend(work)
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
