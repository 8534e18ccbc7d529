package boxtree

import (
	"math"

	"masthead/render/html/css"
)

// Floats are the floats of a block formatting context, in its coordinates.
type Floats struct {
	List []floatBox
}

// floatBox is the margin box of a placed float.
type floatBox struct {
	left           bool
	x0, y0, x1, y1 float64
}

// Bounds returns the room between floats in [x0, x1] from y to y+h.
func (fl *Floats) Bounds(y, h, x0, x1 float64) (left, right float64) {
	left, right = x0, x1
	for _, r := range fl.List {
		if r.y1 <= y || r.y0 >= y+h {
			continue
		}
		if r.left {
			left = max(left, r.x1)
		} else {
			right = min(right, r.x0)
		}
	}
	return left, right
}

// Next returns the next bottom of a float below y.
func (fl *Floats) Next(y float64) float64 {
	out := math.Inf(1)
	for _, r := range fl.List {
		if r.y1 > y {
			out = min(out, r.y1)
		}
	}
	return out
}

// Clear returns the y below the floats of a side.
func (fl *Floats) Clear(side css.Clear) float64 {
	out := math.Inf(-1)
	for _, r := range fl.List {
		if side == css.ClearBoth || side == css.ClearLeft && r.left || side == css.ClearRight && !r.left {
			out = max(out, r.y1)
		}
	}
	return out
}

// maxFloats bounds the floats of a formatting context: finding room takes time for each.
const maxFloats = 200

// Place finds the place of a float with a margin box of w by h at or below y, in [x0, x1].
func (fl *Floats) Place(s *css.Style, w, h, x0, x1, y float64) (x, top float64) {
	left := s.Float == css.FloatLeft
	if s.Clear != css.ClearNone {
		y = max(y, fl.Clear(s.Clear))
	}
	for _, r := range fl.List { // not above an earlier one
		y = max(y, r.y0)
	}
	for range len(fl.List) + 1 {
		l, r := fl.Bounds(y, max(h, 1), x0, x1)
		if r-l >= w-.02 || math.IsInf(fl.Next(y), 1) {
			break
		}
		y = fl.Next(y)
	}
	l, r := fl.Bounds(y, max(h, 1), x0, x1)
	x = l
	if !left {
		x = r - w
	}
	if len(fl.List) < maxFloats {
		fl.List = append(fl.List, floatBox{left, x, y, x + w, y + h})
	}
	return x, y
}
