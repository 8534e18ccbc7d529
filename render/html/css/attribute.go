package css

import (
	"math"
	"strings"

	"masthead/render/html/css/value"
)

// ParseTransform reads the transform attribute of SVG, whose numbers are px and degrees; ok is false if it is invalid.
func ParseTransform(s string) (list [][6]float64, ok bool) {
	for _, f := range value.Parse(s) {
		if f.Delim(",") {
			continue
		}
		if f.Kind != value.Function || len(list) > maxList {
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

// ParseDeclarations splits the text of a style attribute into properties and their values as text.
func ParseDeclarations(s string) map[string]string {
	sheet := &Sheet{}
	m := map[string]string{}
	for _, d := range sheet.inline(s, 1, 1) {
		m[d.name] = strings.TrimSpace(value.Format(d.values))
	}
	return m
}
