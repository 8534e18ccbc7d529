// Package raster turns paths into pixels: what package draw paints boxes, texts and SVG with.
//
// Everything drawn is a coverage (a path, a mask, whole pixels) times a shader (a color, a gradient, a picture), in
// pixels of the card, on layers of premultiplied RGBA or on an indexed canvas while all colors are flat.
//
//	matrix.go    transforms and rectangles; path.go: paths; roundrect.go: rounded rectangles; stroke.go: strokes, dashes
//	raster.go    paths into coverage, clips; cells.go: the pixels that their lines cross
//	shader.go    gradients, pictures; resample.go: scaling them
//	layer.go     layers and the compositor, which draws on them; canvas.go: indexed ones; lanes.go: four bytes at once
//	blend.go     blend modes; blur.go: blurring
package raster

import "math"

// Matrix is an affine transform: x' = a·x + c·y + e, y' = b·x + d·y + f.
type Matrix struct {
	A, B, C, D, E, F float64
}

// Identity is the transform that changes nothing.
var Identity = Matrix{A: 1, D: 1}

// Mul returns m after n: n applies first.
func (m Matrix) Mul(n Matrix) Matrix {
	return Matrix{
		A: m.A*n.A + m.C*n.B, B: m.B*n.A + m.D*n.B,
		C: m.A*n.C + m.C*n.D, D: m.B*n.C + m.D*n.D,
		E: m.A*n.E + m.C*n.F + m.E, F: m.B*n.E + m.D*n.F + m.F,
	}
}

// Translation returns the transform that moves by x and y.
func Translation(x, y float64) Matrix { return Matrix{A: 1, D: 1, E: x, F: y} }

// Apply returns where the transform takes a point.
func (m Matrix) Apply(x, y float64) (float64, float64) {
	return m.A*x + m.C*y + m.E, m.B*x + m.D*y + m.F
}

// Inverse returns the inverse; ok is false if there is none.
func (m Matrix) Inverse() (n Matrix, ok bool) {
	det := m.A*m.D - m.B*m.C
	if math.Abs(det) < 1e-12 || math.IsNaN(det) || math.IsInf(det, 0) {
		return Identity, false
	}
	n = Matrix{A: m.D / det, B: -m.B / det, C: -m.C / det, D: m.A / det}
	n.E = -(n.A*m.E + n.C*m.F)
	n.F = -(n.B*m.E + n.D*m.F)
	return n, true
}

// Moves reports whether the transform only moves.
func (m Matrix) Moves() bool { return m.A == 1 && m.B == 0 && m.C == 0 && m.D == 1 }

// Straight reports whether rectangles stay rectangles with upright sides.
func (m Matrix) Straight() bool { return m.B == 0 && m.C == 0 }

// Scale returns the mean factor of lengths.
func (m Matrix) Scale() float64 { return math.Sqrt(math.Abs(m.A*m.D - m.B*m.C)) }

// Rect is a rectangle in px.
type Rect struct {
	X0, Y0, X1, Y1 float64
}

// W returns the width.
func (r Rect) W() float64 { return r.X1 - r.X0 }

// H returns the height.
func (r Rect) H() float64 { return r.Y1 - r.Y0 }

// Empty reports whether the rectangle has no area.
func (r Rect) Empty() bool { return !(r.X1 > r.X0 && r.Y1 > r.Y0) }

// Inset returns the rectangle with its sides (top, right, bottom, left) moved inwards; it never turns inside out.
func (r Rect) Inset(t, ri, b, l float64) Rect {
	s := Rect{r.X0 + l, r.Y0 + t, r.X1 - ri, r.Y1 - b}
	if s.X1 < s.X0 {
		s.X1 = s.X0
	}
	if s.Y1 < s.Y0 {
		s.Y1 = s.Y0
	}
	return s
}

// Grow returns the rectangle with each side moved outwards by d.
func (r Rect) Grow(d float64) Rect { return Rect{r.X0 - d, r.Y0 - d, r.X1 + d, r.Y1 + d} }

// Union returns the smallest rectangle that holds both; empty ones are ignored.
func (r Rect) Union(s Rect) Rect {
	if r.Empty() {
		return s
	}
	if s.Empty() {
		return r
	}
	return Rect{min(r.X0, s.X0), min(r.Y0, s.Y0), max(r.X1, s.X1), max(r.Y1, s.Y1)}
}

// Snapped returns the rectangle on whole pixels, as browsers place boxes.
func (r Rect) Snapped() Rect {
	return Rect{math.Round(r.X0), math.Round(r.Y0), math.Round(r.X1), math.Round(r.Y1)}
}

// Bounds returns the rectangle around r after a transform.
func (m Matrix) Bounds(r Rect) Rect {
	x, y := m.Apply(r.X0, r.Y0)
	out := Rect{x, y, x, y}
	for _, p := range [3][2]float64{{r.X1, r.Y0}, {r.X0, r.Y1}, {r.X1, r.Y1}} {
		x, y := m.Apply(p[0], p[1])
		out = Rect{min(out.X0, x), min(out.Y0, y), max(out.X1, x), max(out.Y1, y)}
	}
	return out
}
