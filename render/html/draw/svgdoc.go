package draw

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/raster"
)

// errSVG says that a drawing needs what this package doesn't draw: it is left to the engine for SVG.
var errSVG = errors.New("the drawing needs the engine for SVG")

// Limits of a drawing.
const (
	maxSVGElements = 2000
	maxSVGDepth    = 48
	maxSVGUses     = 500 // of <use>, all together
	maxSVGBytes    = 256 << 10
)

// svgNode is an element of a drawing.
type svgNode struct {
	tag      string
	attrs    map[string]string // with the declarations of its style attribute over them
	children []*svgNode
	parent   *svgNode
	steps    raster.Path // of a <path>, once read
}

// svgDocument is a parsed drawing.
type svgDocument struct {
	root *svgNode
	ids  map[string]*svgNode
	// pictures says that it shows others, by their address.
	pictures bool
}

// svgTags are the elements that are drawn, or have nothing to draw.
var svgTags = map[string]bool{}

func init() {
	for _, t := range strings.Fields(`svg g a defs symbol use path rect circle ellipse line polyline polygon
		linearGradient radialGradient stop clipPath mask image title desc metadata filter feGaussianBlur feDropShadow
		feOffset feFlood feComposite feMerge feMergeNode feColorMatrix feBlend`) {
		svgTags[t] = true
	}
}

// svgAttributes are attributes that need the engine.
var svgAttributes = []string{"marker-start", "marker-mid", "marker-end", "marker", "onload", "externalResourcesRequired"}

// parseSVG reads a drawing. The error is errSVG if it has what isn't drawn here.
func parseSVG(source string) (*svgDocument, error) {
	if len(source) > maxSVGBytes {
		return nil, errSVG
	}
	d := &svgDocument{ids: map[string]*svgNode{}}
	z := xml.NewDecoder(strings.NewReader(source))
	z.Strict = false
	var cur *svgNode
	count, depth := 0, 0
	for {
		token, err := z.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, errSVG
		}
		switch t := token.(type) {
		case xml.StartElement:
			if count++; count > maxSVGElements || depth >= maxSVGDepth || !svgTags[t.Name.Local] {
				return nil, errSVG
			}
			depth++
			n, err := newSVGNode(t, cur)
			if err != nil {
				return nil, err
			}
			if id := n.attrs["id"]; id != "" && d.ids[id] == nil {
				d.ids[id] = n
			}
			d.pictures = d.pictures || n.tag == "image"
			if cur == nil {
				if d.root != nil {
					return nil, errSVG
				}
				d.root = n
			} else {
				cur.children = append(cur.children, n)
			}
			cur = n
		case xml.EndElement:
			if cur == nil {
				return nil, errSVG
			}
			depth--
			cur = cur.parent
		}
	}
	if d.root == nil || d.root.tag != "svg" {
		return nil, errSVG
	}
	return d, nil
}

func newSVGNode(t xml.StartElement, parent *svgNode) (*svgNode, error) {
	n := &svgNode{tag: t.Name.Local, parent: parent, attrs: make(map[string]string, len(t.Attr))}
	for _, a := range t.Attr {
		name := a.Name.Local
		if name == "href" || a.Name.Space == "" || a.Name.Space == "xlink" {
			n.attrs[name] = a.Value
		}
	}
	if style := n.attrs["style"]; style != "" {
		for name, v := range css.ParseDeclarations(style) {
			n.attrs[name] = v
		}
	}
	for _, name := range svgAttributes {
		if v := n.attrs[name]; v != "" && v != "none" {
			return nil, errSVG
		}
	}
	return n, nil
}

// numbers reads a list of numbers.
func numbers(s string) []float64 {
	var list []float64
	separates := func(r rune) bool { return strings.ContainsRune(" ,\n\t\r", r) }
	for _, f := range strings.FieldsFunc(s, separates) {
		// Numbers may follow each other without a space: 1-2.5.3
		for f != "" {
			end := 1
			dot := f[0] == '.'
			for end < len(f) {
				c := f[end]
				if c == '.' && !dot {
					dot = true
				} else if exponent := (c == '-' || c == '+') && f[end-1]|0x20 == 'e'; !exponent && !inNumber(c) {
					break
				}
				end++
			}
			part := f[:end]
			if strings.HasPrefix(part, ".") {
				part = "0" + part
			}
			if strings.HasPrefix(part, "-.") {
				part = "-0" + part[1:]
			}
			n, unit := value.NumberOf(part)
			if unit != "" && unit != "px" {
				return list
			}
			list = append(list, n)
			f = f[end:]
		}
	}
	return list
}

func inNumber(c byte) bool { return '0' <= c && c <= '9' || c|0x20 == 'e' }

// svgLength reads a coordinate; percentages are of full.
func svgLength(s string, full, initial float64) float64 {
	s = strings.TrimSpace(s)
	if s == "" {
		return initial
	}
	if strings.HasPrefix(s, ".") {
		s = "0" + s
	}
	if strings.HasPrefix(s, "-.") {
		s = "-0" + s[1:]
	}
	n, unit := value.NumberOf(s)
	switch unit {
	case "", "px":
		return n
	case "%":
		return n / 100 * full
	case "em", "rem":
		return n * 16
	case "pt":
		return n * 96 / 72
	case "mm":
		return n * 96 / 25.4
	case "cm":
		return n * 96 / 2.54
	case "in":
		return n * 96
	}
	return initial
}

// box reads viewBox.
func (n *svgNode) viewBox() (r raster.Rect, ok bool) {
	v := numbers(n.attrs["viewBox"])
	if len(v) != 4 || v[2] <= 0 || v[3] <= 0 {
		return r, false
	}
	return raster.Rect{X0: v[0], Y0: v[1], X1: v[0] + v[2], Y1: v[1] + v[3]}, true
}

// fit returns the transform of a view box to a rectangle by preserveAspectRatio.
func fit(view, to raster.Rect, ratio string) raster.Matrix {
	sx, sy := to.W()/view.W(), to.H()/view.H()
	f := strings.Fields(ratio)
	align := "xMidYMid"
	slice := false
	for _, w := range f {
		switch {
		case w == "slice":
			slice = true
		case w != "meet" && w != "defer":
			align = w
		}
	}
	if align == "none" {
		return raster.Matrix{A: sx, D: sy, E: to.X0 - view.X0*sx, F: to.Y0 - view.Y0*sy}
	}
	s := min(sx, sy)
	if slice {
		s = max(sx, sy)
	}
	x, y := to.X0-view.X0*s, to.Y0-view.Y0*s
	freeX, freeY := to.W()-view.W()*s, to.H()-view.H()*s
	switch {
	case strings.Contains(align, "xMid"):
		x += freeX / 2
	case strings.Contains(align, "xMax"):
		x += freeX
	}
	switch {
	case strings.Contains(align, "YMid"):
		y += freeY / 2
	case strings.Contains(align, "YMax"):
		y += freeY
	}
	return raster.Matrix{A: s, D: s, E: x, F: y}
}

// idOf returns the id in url(#id) or #id.
func idOf(s string) string {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "url("); ok {
		s = strings.Trim(strings.TrimSuffix(strings.TrimSpace(rest), ")"), `"' `)
	}
	id, ok := strings.CutPrefix(s, "#")
	if !ok {
		return ""
	}
	return id
}
