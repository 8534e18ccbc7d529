// Package transform reads the transforms of CSS, and those of SVG attributes, as matrices and translations.
package transform

import (
	"math"
	"strings"

	"masthead/render/html/css/value"
)

// ParseAttribute reads the transform attribute of SVG, whose numbers are px and degrees; ok is false if it is invalid.
func ParseAttribute(s string) (list [][6]float64, ok bool) {
	for _, f := range value.Parse(s) {
		if f.Delim(",") {
			continue
		}
		if f.Kind != value.Function || len(list) > maxFunctions {
			return nil, false
		}
		var n []float64
		for _, a := range f.Args {
			if a.Kind == value.Number {
				n = append(n, a.Num)
			} else if !a.Delim(",") {
				return nil, false
			}
		}
		m, ok := attributeMatrix(f.Text, n)
		if !ok {
			return nil, false
		}
		list = append(list, m...)
	}
	return list, true
}

// attributeMatrix returns the matrices of a function of the transform attribute.
func attributeMatrix(name string, n []float64) ([][6]float64, bool) {
	const rad = math.Pi / 180
	get := func(i int, initial float64) float64 {
		if i < len(n) {
			return n[i]
		}
		return initial
	}
	if len(n) == 0 {
		return nil, false
	}
	switch name {
	case "matrix":
		if len(n) != 6 {
			return nil, false
		}
		return [][6]float64{{n[0], n[1], n[2], n[3], n[4], n[5]}}, true
	case "translate":
		return [][6]float64{{1, 0, 0, 1, n[0], get(1, 0)}}, true
	case "scale":
		return [][6]float64{{n[0], 0, 0, get(1, n[0]), 0, 0}}, true
	case "rotate":
		sin, cos := math.Sincos(n[0] * rad)
		x, y := get(1, 0), get(2, 0)
		return [][6]float64{{1, 0, 0, 1, x, y}, {cos, sin, -sin, cos, 0, 0}, {1, 0, 0, 1, -x, -y}}, true
	case "skewx":
		return [][6]float64{{1, 0, math.Tan(n[0] * rad), 1, 0, 0}}, true
	case "skewy":
		return [][6]float64{{1, math.Tan(n[0] * rad), 0, 1, 0, 0}}, true
	}
	return nil, false
}

// Kind is a transform function.
type Kind uint8

// The functions, as matrices or as what depends on the box.
const (
	Matrix Kind = iota
	Translate
)

// Transform is one function of transform.
type Transform struct {
	Kind   Kind
	Matrix [6]float64   // a b c d e f
	X, Y   value.Length // of a translation
}

// maxFunctions bounds the functions of a list.
const maxFunctions = 64

// reader reads transforms.
type reader struct{ value.Reader }

// Read reads transform.
func Read(u value.Units, v []value.Value) (list []Transform, ok bool) {
	r := reader{value.Reader{Units: u}}
	if len(v) == 1 && v[0].Is("none") {
		return nil, true
	}
	for i := range v {
		if v[i].Kind != value.Function || len(list) >= maxFunctions {
			return nil, false
		}
		var args []value.Value
		for _, part := range value.SplitCommas(v[i].Args) {
			if len(part) != 1 {
				return nil, false
			}
			args = append(args, part[0])
		}
		t, ok := r.function(v[i].Text, args)
		if !ok {
			return nil, false
		}
		list = append(list, t...)
	}
	return list, true
}

// ReadFunction reads one transform function from its name and arguments; it may be none that matters.
func ReadFunction(u value.Units, name string, v []value.Value) ([]Transform, bool) {
	return reader{value.Reader{Units: u}}.function(name, v)
}

func (r reader) function(name string, v []value.Value) ([]Transform, bool) {
	if len(v) == 0 {
		return nil, false
	}
	switch name {
	case "matrix":
		m, ok := r.matrix(v)
		return []Transform{{Matrix: m}}, ok
	case "matrix3d", "rotate3d":
		m, ok := r.flattened(name, v)
		return []Transform{{Matrix: m}}, ok
	case "perspective": // of a picture that nothing turns out of its plane
		_, ok := r.Px(&v[0])
		return nil, ok || v[0].Is("none")
	}
	if strings.HasPrefix(name, "translate") {
		return r.translation(name, v)
	}
	m, ok := r.turn(name, v)
	if !ok && strings.HasPrefix(name, "scale") {
		m, ok = r.scaling(name, v)
	}
	return []Transform{{Matrix: m}}, ok
}

// flattened reads the functions of three dimensions, and drops the third.
func (r reader) flattened(name string, v []value.Value) (m [6]float64, ok bool) {
	var n [16]float64
	if name == "matrix3d" {
		if len(v) != len(n) {
			return m, false
		}
		for i := range n {
			if n[i], ok = r.Number(&v[i]); !ok {
				return m, false
			}
		}
		return [6]float64{n[0], n[1], n[4], n[5], n[12], n[13]}, true
	}
	if len(v) != 4 {
		return m, false
	}
	for i := range 3 {
		if n[i], ok = r.Number(&v[i]); !ok {
			return m, false
		}
	}
	a, ok := r.Angle(&v[3])
	length := math.Sqrt(n[0]*n[0] + n[1]*n[1] + n[2]*n[2])
	if length == 0 {
		return [6]float64{1, 0, 0, 1, 0, 0}, ok
	}
	x, y, z := n[0]/length, n[1]/length, n[2]/length
	sin, cos := math.Sincos(a * math.Pi / 180)
	k := 1 - cos
	return [6]float64{k*x*x + cos, k*x*y + z*sin, k*x*y - z*sin, k*y*y + cos, 0, 0}, ok
}

func (r reader) matrix(v []value.Value) (m [6]float64, ok bool) {
	if len(v) != 6 {
		return m, false
	}
	for i := range m {
		if m[i], ok = r.Number(&v[i]); !ok {
			return m, false
		}
	}
	return m, true
}

func (r reader) translation(name string, v []value.Value) ([]Transform, bool) {
	x, ok := r.Length(&v[0])
	y := value.Length{}
	switch name {
	case "translate", "translate3d":
		if ok && len(v) > 1 {
			y, ok = r.Length(&v[1])
		}
	case "translatex":
	case "translatey":
		x, y = y, x
	case "translatez":
		return nil, ok
	default:
		return nil, false
	}
	return []Transform{{Kind: Translate, X: x, Y: y}}, ok
}

func (r reader) scaling(name string, v []value.Value) (m [6]float64, ok bool) {
	x, ok := r.NumberOrPercent(&v[0], 1)
	y := x
	if ok && len(v) > 1 {
		y, ok = r.NumberOrPercent(&v[1], 1)
	}
	switch name {
	case "scale", "scale3d":
	case "scalex":
		y = 1
	case "scaley":
		x, y = 1, x
	default:
		return m, false
	}
	return [6]float64{x, 0, 0, y, 0, 0}, ok
}

// turn reads the functions of angles: rotations about x and y are scales, without perspective.
func (r reader) turn(name string, v []value.Value) (m [6]float64, ok bool) {
	x, ok := r.Angle(&v[0])
	y := 0.0
	if ok && len(v) > 1 {
		y, ok = r.Angle(&v[1])
	}
	const rad = math.Pi / 180
	sin, cos := math.Sincos(x * rad)
	switch name {
	case "rotate", "rotatez":
		return [6]float64{cos, sin, -sin, cos, 0, 0}, ok && len(v) == 1
	case "rotatex":
		return [6]float64{1, 0, 0, cos, 0, 0}, ok
	case "rotatey":
		return [6]float64{cos, 0, 0, 1, 0, 0}, ok
	case "skew", "skewx":
		return [6]float64{1, math.Tan(y * rad), math.Tan(x * rad), 1, 0, 0}, ok
	case "skewy":
		return [6]float64{1, math.Tan(x * rad), 0, 1, 0, 0}, ok
	}
	return m, false
}
