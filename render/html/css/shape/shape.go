// Package shape reads the shapes of CSS: the corners of boxes, what clip-path cuts out, and the paths of SVG.
package shape

import (
	"strings"

	"masthead/render/html/css/value"
)

// Kind is the kind of a clip-path.
type Kind uint8

// The shapes.
const (
	Reference Kind = iota // only a reference box
	Inset
	Circle
	Ellipse
	Polygon
	Path
	Commands
)

// Shape is a clip-path.
type Shape struct {
	Kind    Kind
	Ref     value.Box
	Inset   value.Sides[value.Length]
	Radius  Corners
	X, Y    value.Length // center
	RX, RY  value.Length
	ExtentX value.Extent // ClosestSide or FarthestSide where ExplicitX is false
	ExtentY value.Extent
	// ExplicitX and ExplicitY: RX and RY are given.
	ExplicitX, ExplicitY bool
	Points               [][2]value.Length
	EvenOdd              bool
	Path                 []Step // absolute, in px
	Commands             []Command
}

var refBoxes = map[string]value.Box{
	"border-box": value.BoxBorder, "padding-box": value.BoxPadding, "content-box": value.BoxContent,
	"margin-box": value.BoxMargin, "fill-box": value.BoxContent, "stroke-box": value.BoxBorder,
	"view-box": value.BoxBorder,
}

// reader reads shapes.
type reader struct{ value.Reader }

// Read reads clip-path; nil is none.
func Read(u value.Units, v []value.Value) (*Shape, bool) {
	r := reader{value.Reader{Units: u}}
	if len(v) == 1 && v[0].Is("none") {
		return nil, true
	}
	s := &Shape{}
	found := false
	for i := range v {
		if box, ok := refBoxes[strings.ToLower(v[i].Text)]; ok && v[i].Kind == value.Ident {
			s.Ref = box
			continue
		}
		if v[i].Kind != value.Function || found || !r.basicShape(s, &v[i]) {
			return nil, false
		}
		found = true
	}
	return s, true
}

func (r reader) basicShape(s *Shape, v *value.Value) bool {
	args := v.Args
	switch v.Text {
	case "inset", "xywh", "rect":
		return r.insetShape(s, v)
	case "circle", "ellipse":
		s.Kind = Circle
		if v.Text == "ellipse" {
			s.Kind = Ellipse
		}
		s.X, s.Y = value.Length{Percent: 50}, value.Length{Percent: 50}
		s.ExtentX, s.ExtentY = value.ClosestSide, value.ClosestSide
		at := len(args)
		for i := range args {
			if args[i].Is("at") {
				at = i
				p, ok := r.Position(args[i+1:])
				if !ok {
					return false
				}
				s.X, s.Y = p[0], p[1]
			}
		}
		return r.shapeRadii(s, args[:at])
	case "polygon":
		parts := value.SplitCommas(args)
		s.Kind = Polygon
		if len(parts[0]) == 1 && parts[0][0].Kind == value.Ident {
			s.EvenOdd = parts[0][0].Is("evenodd")
			parts = parts[1:]
		}
		const most = 2000
		for _, p := range parts {
			if len(p) != 2 || len(s.Points) > most {
				return false
			}
			x, ok1 := r.Length(&p[0])
			y, ok2 := r.Length(&p[1])
			if !ok1 || !ok2 {
				return false
			}
			s.Points = append(s.Points, [2]value.Length{x, y})
		}
		return len(s.Points) > 0
	case "path":
		parts := value.SplitCommas(args)
		s.Kind = Path
		if len(parts) == 2 && len(parts[0]) == 1 {
			s.EvenOdd = parts[0][0].Is("evenodd")
			parts = parts[1:]
		}
		if len(parts) != 1 || len(parts[0]) != 1 || parts[0][0].Kind != value.String {
			return false
		}
		steps, ok := ParsePath(parts[0][0].Text)
		s.Path = steps
		return ok
	case "shape":
		return r.shapeFunction(s, args)
	}
	return false
}

func (r reader) insetShape(s *Shape, v *value.Value) bool {
	s.Kind = Inset
	args := v.Args
	for i := range args {
		if args[i].Is("round") {
			var ok bool
			if s.Radius, ok = r.radii(args[i+1:]); !ok {
				return false
			}
			args = args[:i]
			break
		}
	}
	var l [4]value.Length
	if v.Text == "inset" {
		list, ok := value.Four(args)
		if !ok {
			return false
		}
		for i := range l {
			if l[i], ok = r.Length(&list[i][0]); !ok {
				return false
			}
		}
	} else {
		if len(args) != 4 {
			return false
		}
		for i := range l {
			var ok bool
			if args[i].Is("auto") {
				ok = v.Text == "rect"
				l[i] = value.Length{Percent: []float64{0, 100, 100, 0}[i]}
			} else {
				l[i], ok = r.Length(&args[i])
			}
			if !ok {
				return false
			}
		}
		full := func(a ...value.Length) value.Length { // 100 % minus all
			rest := value.Length{Percent: 100}
			for _, x := range a {
				rest = rest.Minus(x)
			}
			return rest
		}
		if v.Text == "xywh" {
			l = [4]value.Length{l[1], full(l[0], l[2]), full(l[1], l[3]), l[0]}
		} else {
			l = [4]value.Length{l[0], full(l[1]), full(l[2]), l[3]}
		}
	}
	s.Inset = value.Sides[value.Length]{Top: l[0], Right: l[1], Bottom: l[2], Left: l[3]}
	return true
}

func (r reader) shapeRadii(s *Shape, v []value.Value) bool {
	read := func(x *value.Value) (l value.Length, e value.Extent, explicit, ok bool) {
		switch {
		case x.Is("closest-side"):
			return l, value.ClosestSide, false, true
		case x.Is("farthest-side"):
			return l, value.FarthestSide, false, true
		}
		l, ok = r.Positive(x)
		return l, 0, true, ok
	}
	if len(v) == 0 {
		return true
	}
	if s.Kind == Circle && len(v) != 1 || s.Kind == Ellipse && len(v) != 2 {
		return false
	}
	var ok bool
	if s.RX, s.ExtentX, s.ExplicitX, ok = read(&v[0]); !ok {
		return false
	}
	s.RY, s.ExtentY, s.ExplicitY, ok = read(&v[len(v)-1])
	return ok
}
