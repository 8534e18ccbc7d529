// Package media reads the conditions of @media and @container, and says whether they hold for a size.
package media

import (
	"strings"

	"masthead/render/html/css/value"
)

// Viewport is the size of the card in px, and whether dark colors are preferred.
type Viewport struct {
	Width, Height float64
	Dark          bool
}

// Condition is a condition of @media.
type Condition interface{ Holds(v Viewport) bool }

// Constant is a condition that holds always, or never.
type Constant bool

type (
	anyMedia []Condition
	allMedia []Condition
	notMedia struct{ Condition }
	scheme   struct{ dark bool }
	feature  struct {
		name string
		op   string // "=", "<", "<=", ">", ">="
		want float64
	}
)

func (a anyMedia) Holds(v Viewport) bool {
	for _, c := range a {
		if c.Holds(v) {
			return true
		}
	}
	return len(a) == 0
}

func (a allMedia) Holds(v Viewport) bool {
	for _, c := range a {
		if !c.Holds(v) {
			return false
		}
	}
	return true
}

func (n notMedia) Holds(v Viewport) bool { return !n.Condition.Holds(v) }

// Holds reports whether the condition holds.
func (f Constant) Holds(Viewport) bool { return bool(f) }

func (s scheme) Holds(v Viewport) bool { return s.dark == v.Dark }

func (f feature) Holds(v Viewport) bool {
	have := 0.0
	switch f.name {
	case "width", "inline-size":
		have = v.Width
	case "height", "block-size":
		have = v.Height
	case "aspect-ratio":
		have = v.Width / v.Height
	case "resolution":
		have = 1
	}
	switch f.op {
	case "<":
		return have < f.want
	case "<=":
		return have <= f.want
	case ">":
		return have > f.want
	case ">=":
		return have >= f.want
	}
	d := have - f.want
	return d < 1e-6 && d > -1e-6
}

// HoldAll reports whether all conditions hold.
func HoldAll(list []Condition, v Viewport) bool {
	for _, c := range list {
		if !c.Holds(v) {
			return false
		}
	}
	return true
}

// reader reads queries.
type reader struct{ value.Reader }

// Read reads a list of media queries.
func Read(u value.Units, v []value.Value) (Condition, bool) {
	return reader{value.Reader{Units: u}}.parseMedia(v)
}

// ReadQuery reads one query.
func ReadQuery(u value.Units, v []value.Value) (Condition, bool) {
	return reader{value.Reader{Units: u}}.parseQuery(v)
}

func (r reader) parseMedia(v []value.Value) (Condition, bool) {
	var list anyMedia
	for _, q := range value.SplitCommas(v) {
		c, ok := r.parseQuery(q)
		if !ok {
			return nil, false
		}
		list = append(list, c)
	}
	return list, true
}

func (r reader) parseQuery(v []value.Value) (Condition, bool) {
	var list allMedia
	negate, or := false, false
	for i := range v {
		x := &v[i]
		switch {
		case x.Is("not"):
			negate = true
		case x.Is("only"), x.Is("and"):
		case x.Is("or"):
			or = true
		case x.Is("all"), x.Is("screen"):
			list = append(list, Constant(true))
		case x.Kind == value.Ident:
			list = append(list, Constant(false))
		case x.Kind == value.Block && x.Text == "(":
			c, ok := r.parseFeature(x.Args)
			if !ok {
				return nil, false
			}
			list = append(list, c)
		default:
			return nil, false
		}
	}
	var c Condition = list
	if or {
		c = anyMedia(list)
	}
	if negate {
		c = notMedia{c}
	}
	return c, true
}

// parseFeature reads what is in the parentheses of a query.
func (r reader) parseFeature(v []value.Value) (Condition, bool) {
	if len(v) == 0 {
		return nil, false
	}
	if v[0].Kind == value.Block || v[0].Is("not") {
		return r.parseQuery(v)
	}
	if len(v) == 1 && v[0].Kind == value.Ident {
		switch strings.ToLower(v[0].Text) {
		case "width", "height", "aspect-ratio", "color", "resolution":
			return Constant(true), true
		case "monochrome", "grid", "hover", "pointer":
			return Constant(false), true
		}
		return nil, false
	}
	if len(v) >= 3 && v[0].Kind == value.Ident && v[1].Delim(":") {
		return r.namedFeature(strings.ToLower(v[0].Text), v[2:])
	}
	return r.rangeFeature(v)
}

func (r reader) namedFeature(name string, v []value.Value) (Condition, bool) {
	op := "="
	if n, ok := strings.CutPrefix(name, "min-"); ok {
		name, op = n, ">="
	} else if n, ok := strings.CutPrefix(name, "max-"); ok {
		name, op = n, "<="
	}
	switch name {
	case "width", "height", "aspect-ratio", "resolution", "inline-size", "block-size":
		want, ok := r.mediaValue(v)
		return feature{name, op, want}, ok
	case "orientation":
		if v[0].Is("portrait") {
			return feature{"aspect-ratio", "<=", 1}, true
		}
		return feature{"aspect-ratio", ">", 1}, true
	case "prefers-color-scheme":
		return scheme{v[0].Is("dark")}, true
	case "prefers-reduced-motion":
		return Constant(v[0].Is("reduce")), true
	case "prefers-contrast", "forced-colors", "inverted-colors", "prefers-reduced-transparency":
		return Constant(v[0].Is("no-preference") || v[0].Is("none")), true
	case "hover", "pointer", "any-hover", "any-pointer", "update", "scripting":
		return Constant(v[0].Is("none")), true
	case "color", "color-index", "monochrome":
		return Constant(name == "color"), true
	}
	return nil, false
}

// rangeFeature reads width >= 600px and 400px <= width <= 700px.
func (r reader) rangeFeature(v []value.Value) (Condition, bool) {
	var parts [][]value.Value
	var ops []string
	start := 0
	for i := 0; i < len(v); i++ {
		if v[i].Kind != value.Delimiter || !strings.Contains("<>=", v[i].Text) {
			continue
		}
		parts = append(parts, v[start:i])
		op := v[i].Text
		if i+1 < len(v) && v[i+1].Delim("=") {
			op += "="
			i++
		}
		ops = append(ops, op)
		start = i + 1
	}
	parts = append(parts, v[start:])
	if len(ops) == 0 || len(ops) > 2 {
		return nil, false
	}
	var list allMedia
	for i, op := range ops {
		a, b := parts[i], parts[i+1]
		if len(b) == 1 && b[0].Kind == value.Ident { // 400px <= width
			a, b = b, a
			op = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}[op]
		}
		if len(a) != 1 || a[0].Kind != value.Ident {
			return nil, false
		}
		want, ok := r.mediaValue(b)
		name := strings.ToLower(a[0].Text)
		if !ok || !strings.Contains(" width height aspect-ratio resolution inline-size block-size ", " "+name+" ") {
			return nil, false
		}
		list = append(list, feature{name, op, want})
	}
	return list, true
}

// mediaValue is a length (em are 16 px), a number or a ratio.
func (r reader) mediaValue(v []value.Value) (float64, bool) {
	if a, b, ok := value.SplitSlash(v); ok {
		x, ok1 := r.mediaValue(a)
		y, ok2 := r.mediaValue(b)
		return x / max(y, 1e-9), ok1 && ok2
	}
	if len(v) != 1 {
		return 0, false
	}
	if v[0].Kind == value.Number {
		switch v[0].Unit {
		case "", "dppx", "x":
			return v[0].Num, true
		}
	}
	l, ok := r.Length(&v[0])
	return l.Px, ok && !l.HasPercent()
}

// AsksHeight reports whether a condition depends on the height.
func AsksHeight(c Condition) bool {
	any := func(list []Condition) bool {
		for _, c := range list {
			if AsksHeight(c) {
				return true
			}
		}
		return false
	}
	switch c := c.(type) {
	case anyMedia:
		return any(c)
	case allMedia:
		return any(c)
	case notMedia:
		return AsksHeight(c.Condition)
	case feature:
		return c.name != "width" && c.name != "inline-size"
	}
	return false
}
