package raster

import (
	"math"

	"masthead/render/html/css/shape"
)

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
