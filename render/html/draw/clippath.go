package draw

import (
	"math"

	"masthead/render/html/css/shape"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
)

// shapePath returns the path of a clip-path, in the coordinates of the layout.
func shapePath(f *fragment.Fragment, s *shape.Shape) (q raster.Path, evenOdd bool) {
	box := boxShape(f, roundRectOf(f), s.Ref)
	b := box.Rect
	w, h := b.W(), b.H()
	x := func(l value.Length) float64 { return b.X0 + l.Resolve(w) }
	y := func(l value.Length) float64 { return b.Y0 + l.Resolve(h) }
	switch s.Kind {
	case shape.Reference:
		box.AddTo(&q)
	case shape.Inset:
		n := &s.Inset
		r := raster.RoundRect{Rect: b.Inset(n.Top.Resolve(h), n.Right.Resolve(w), n.Bottom.Resolve(h), n.Left.Resolve(w))}
		for i, k := range [4]shape.Radius{s.Radius.TopLeft, s.Radius.TopRight, s.Radius.BottomRight, s.Radius.BottomLeft} {
			r.Rx[i], r.Ry[i] = k.X.Resolve(w), k.Y.Resolve(h)
		}
		r.Fit()
		if !r.Empty() {
			r.AddTo(&q)
		}
	case shape.Circle, shape.Ellipse:
		cx, cy := x(s.X), y(s.Y)
		if rx, ry := shapeRadii(s, cx-b.X0, cy-b.Y0, w, h); rx > 0 && ry > 0 {
			q.Ellipse(cx, cy, rx, ry)
		}
	case shape.Polygon:
		for i, v := range s.Points {
			if i == 0 {
				q.Move(x(v[0]), y(v[1]))
			} else {
				q.Line(x(v[0]), y(v[1]))
			}
		}
		q.Close()
	case shape.Path:
		q = raster.Path(s.Path).Transformed(raster.Translation(b.X0, b.Y0))
	case shape.Commands:
		q = commandPath(s, b)
	}
	return q, s.EvenOdd
}

// shapeRadii returns the radii of circle() and ellipse() with their center at cx, cy of a box.
func shapeRadii(s *shape.Shape, cx, cy, w, h float64) (rx, ry float64) {
	if s.Kind == shape.Circle {
		if s.ExplicitX {
			rx = s.RX.Resolve(math.Hypot(w, h) / math.Sqrt2)
			return rx, rx
		}
		return raster.Extent(s.ExtentX, true, cx, cy, w, h)
	}
	rx, _ = raster.Extent(s.ExtentX, false, cx, cy, w, h)
	_, ry = raster.Extent(s.ExtentY, false, cx, cy, w, h)
	if s.ExplicitX {
		rx = s.RX.Resolve(w)
	}
	if s.ExplicitY {
		ry = s.RY.Resolve(h)
	}
	return rx, ry
}

// commandPath returns the path of shape().
func commandPath(s *shape.Shape, b raster.Rect) raster.Path {
	w := &commandWalker{box: b}
	for i := range s.Commands {
		w.step(&s.Commands[i])
	}
	return w.out
}

// commandWalker follows the commands of shape(); its points are relative to the box.
type commandWalker struct {
	box    raster.Rect
	out    raster.Path
	px, py float64 // the pen
	sx, sy float64 // the start of the contour
	cx, cy float64 // the last control point
	curved byte    // what the last command was: a cubic ('C') or quadratic ('Q') curve, or 0
}

func (w *commandWalker) add(op byte, v ...float64) {
	st := shape.Step{Op: op}
	for k := range v {
		st.Points[k] = v[k] + [2]float64{w.box.X0, w.box.Y0}[k%2]
	}
	w.out = append(w.out, st)
}

// control returns a control point of a command that ends at ex, ey.
func (w *commandWalker) control(
	c *shape.Command, p [2]value.Length, from shape.Origin, ex, ey float64,
) (x, y float64) {
	x, y = p[0].Resolve(w.box.W()), p[1].Resolve(w.box.H())
	switch {
	case from == shape.FromStart, from == shape.FromDefault && c.Rel:
		return x + w.px, y + w.py
	case from == shape.FromEnd:
		return x + ex, y + ey
	}
	return x, y
}

// reflected returns the control point that continues the last curve smoothly, if it was of the same kind.
func (w *commandWalker) reflected(kind byte) (x, y float64) {
	if w.curved != kind {
		return w.px, w.py
	}
	return 2*w.px - w.cx, 2*w.py - w.cy
}

func (w *commandWalker) step(c *shape.Command) {
	ex, ey := c.To[0].Resolve(w.box.W()), c.To[1].Resolve(w.box.H())
	if c.Rel {
		ex, ey = ex+w.px, ey+w.py
	}
	curved := byte(0)
	switch c.Op {
	case 'M':
		w.add('M', ex, ey)
		w.sx, w.sy = ex, ey
	case 'H':
		ey = w.py
		w.add('L', ex, ey)
	case 'V':
		ex = w.px
		w.add('L', ex, ey)
	case 'C':
		ax, ay := w.control(c, c.A, c.FromA, ex, ey)
		w.cx, w.cy = w.control(c, c.B, c.FromB, ex, ey)
		w.add('C', ax, ay, w.cx, w.cy, ex, ey)
		curved = 'C'
	case 'Q':
		w.cx, w.cy = w.control(c, c.A, c.FromA, ex, ey)
		w.add('Q', w.cx, w.cy, ex, ey)
		curved = 'Q'
	case 'S':
		ax, ay := w.reflected('C')
		w.cx, w.cy = w.control(c, c.A, c.FromA, ex, ey)
		w.add('C', ax, ay, w.cx, w.cy, ex, ey)
		curved = 'C'
	case 'T':
		w.cx, w.cy = w.reflected('Q')
		w.add('Q', w.cx, w.cy, ex, ey)
		curved = 'Q'
	case 'A':
		x0, y0 := w.px+w.box.X0, w.py+w.box.Y0
		rx, ry := c.RX.Resolve(w.box.W()), c.RY.Resolve(w.box.H())
		w.out = shape.Arc(w.out, x0, y0, rx, ry, c.Rotation, c.Large, c.Sweep, ex+w.box.X0, ey+w.box.Y0)
	case 'Z':
		w.out.Close()
		ex, ey = w.sx, w.sy
	default:
		w.add('L', ex, ey)
	}
	w.px, w.py, w.curved = ex, ey, curved
}
