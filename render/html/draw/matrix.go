package draw

import "math"

// matrix is an affine transform: x' = a·x + c·y + e, y' = b·x + d·y + f.
type matrix struct {
	a, b, c, d, e, f float64
}

var identity = matrix{a: 1, d: 1}

// mul returns m after n: n applies first.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		a: m.a*n.a + m.c*n.b, b: m.b*n.a + m.d*n.b,
		c: m.a*n.c + m.c*n.d, d: m.b*n.c + m.d*n.d,
		e: m.a*n.e + m.c*n.f + m.e, f: m.b*n.e + m.d*n.f + m.f,
	}
}

func translation(x, y float64) matrix { return matrix{a: 1, d: 1, e: x, f: y} }

func (m matrix) apply(x, y float64) (float64, float64) {
	return m.a*x + m.c*y + m.e, m.b*x + m.d*y + m.f
}

// inverse returns the inverse; ok is false if there is none.
func (m matrix) inverse() (n matrix, ok bool) {
	det := m.a*m.d - m.b*m.c
	if math.Abs(det) < 1e-12 || math.IsNaN(det) || math.IsInf(det, 0) {
		return identity, false
	}
	n = matrix{a: m.d / det, b: -m.b / det, c: -m.c / det, d: m.a / det}
	n.e = -(n.a*m.e + n.c*m.f)
	n.f = -(n.b*m.e + n.d*m.f)
	return n, true
}

// moves reports whether the transform only moves.
func (m matrix) moves() bool { return m.a == 1 && m.b == 0 && m.c == 0 && m.d == 1 }

// straight reports whether rectangles stay rectangles with upright sides.
func (m matrix) straight() bool { return m.b == 0 && m.c == 0 }

// scale returns the mean factor of lengths.
func (m matrix) scale() float64 { return math.Sqrt(math.Abs(m.a*m.d - m.b*m.c)) }

// rect is a rectangle in px.
type rect struct {
	x0, y0, x1, y1 float64
}

func (r rect) w() float64 { return r.x1 - r.x0 }
func (r rect) h() float64 { return r.y1 - r.y0 }

func (r rect) empty() bool { return !(r.x1 > r.x0 && r.y1 > r.y0) }

func (r rect) inset(t, ri, b, l float64) rect {
	s := rect{r.x0 + l, r.y0 + t, r.x1 - ri, r.y1 - b}
	if s.x1 < s.x0 {
		s.x1 = s.x0
	}
	if s.y1 < s.y0 {
		s.y1 = s.y0
	}
	return s
}

func (r rect) grow(d float64) rect { return rect{r.x0 - d, r.y0 - d, r.x1 + d, r.y1 + d} }

func (r rect) union(s rect) rect {
	if r.empty() {
		return s
	}
	if s.empty() {
		return r
	}
	return rect{min(r.x0, s.x0), min(r.y0, s.y0), max(r.x1, s.x1), max(r.y1, s.y1)}
}

// snapped returns the rectangle on whole pixels, as browsers place boxes.
func (r rect) snapped() rect {
	return rect{math.Round(r.x0), math.Round(r.y0), math.Round(r.x1), math.Round(r.y1)}
}

// bounds returns the rectangle around r after a transform.
func (m matrix) bounds(r rect) rect {
	x, y := m.apply(r.x0, r.y0)
	out := rect{x, y, x, y}
	for _, p := range [3][2]float64{{r.x1, r.y0}, {r.x0, r.y1}, {r.x1, r.y1}} {
		x, y := m.apply(p[0], p[1])
		out = rect{min(out.x0, x), min(out.y0, y), max(out.x1, x), max(out.y1, y)}
	}
	return out
}
