package raster

import (
	"math"
	"slices"

	"masthead/render/html/meter"
)

// Pen is how a line is stroked.
type Pen struct {
	Width      float64
	Cap, Join  LineEnd
	MiterLimit float64
	Meter      *meter.Meter // counts what is stroked
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
func Stroke(list []Contour, width float64, round bool, miterLimit float64, m *meter.Meter) Path {
	k := Pen{Width: width, MiterLimit: miterLimit, Meter: m}
	if round {
		k.Cap, k.Join = RoundEnd, RoundEnd
	}
	return k.Stroke(list)
}

// Stroke returns the outline of a line along the contours, as [Stroke] does.
func (k Pen) Stroke(list []Contour) Path {
	s := &stroker{r: k.Width / 2, Pen: k}
	for _, c := range list {
		if s.contour(c); s.over() {
			return nil
		}
	}
	return s.out
}

// over counts the work of a piece, and reports whether stroking must end.
func (s *stroker) over() bool {
	const work = 8
	if len(s.out) > MaxSteps {
		s.Meter.Exceed("a stroke of too many pieces")
	}
	return s.Meter.Spend(work)
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
		if s.over() {
			return
		}
		q := strokePiece{a[0], a[1], b[0], b[1], -(b[1] - a[1]) / l * s.r, (b[0] - a[0]) / l * s.r}
		s.pieces = append(s.pieces, q)
		s.polygon(
			[2]float64{q.x0 + q.nx, q.y0 + q.ny}, [2]float64{q.x1 + q.nx, q.y1 + q.ny},
			[2]float64{q.x1 - q.nx, q.y1 - q.ny}, [2]float64{q.x0 - q.nx, q.y0 - q.ny},
		)
	}
	for i := 1; i < len(s.pieces) && !s.over(); i++ {
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
