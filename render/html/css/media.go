package css

import (
	"strings"

	"masthead/render/html/css/selector"
	"masthead/render/html/css/value"
)

// Viewport is the size of the card in px, and whether dark colors are preferred.
type Viewport struct {
	Width, Height float64
	Dark          bool
}

// condition is a condition of @media; nil-safe alternatives of tests.
type condition interface{ holds(v Viewport) bool }

type (
	anyMedia []condition
	allMedia []condition
	notMedia struct{ condition }
	fixed    bool
	scheme   struct{ dark bool }
	feature  struct {
		name string
		op   string // "=", "<", "<=", ">", ">="
		want float64
	}
)

func (a anyMedia) holds(v Viewport) bool {
	for _, c := range a {
		if c.holds(v) {
			return true
		}
	}
	return len(a) == 0
}

func (a allMedia) holds(v Viewport) bool {
	for _, c := range a {
		if !c.holds(v) {
			return false
		}
	}
	return true
}

func (n notMedia) holds(v Viewport) bool { return !n.condition.holds(v) }

func (f fixed) holds(Viewport) bool { return bool(f) }

func (s scheme) holds(v Viewport) bool { return s.dark == v.Dark }

func (f feature) holds(v Viewport) bool {
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

func holdAll(list []condition, v Viewport) bool {
	for _, c := range list {
		if !c.holds(v) {
			return false
		}
	}
	return true
}

// parseMedia reads a list of media queries.
func parseMedia(v []value.Value) (condition, bool) {
	var list anyMedia
	for _, q := range value.SplitCommas(v) {
		c, ok := parseQuery(q)
		if !ok {
			return nil, false
		}
		list = append(list, c)
	}
	return list, true
}

func parseQuery(v []value.Value) (condition, bool) {
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
			list = append(list, fixed(true))
		case x.Kind == value.Ident:
			list = append(list, fixed(false))
		case x.Kind == value.Block && x.Text == "(":
			c, ok := parseFeature(x.Args)
			if !ok {
				return nil, false
			}
			list = append(list, c)
		default:
			return nil, false
		}
	}
	var c condition = list
	if or {
		c = anyMedia(list)
	}
	if negate {
		c = notMedia{c}
	}
	return c, true
}

// parseFeature reads what is in the parentheses of a query.
func parseFeature(v []value.Value) (condition, bool) {
	if len(v) == 0 {
		return nil, false
	}
	if v[0].Kind == value.Block || v[0].Is("not") {
		return parseQuery(v)
	}
	if len(v) == 1 && v[0].Kind == value.Ident {
		switch strings.ToLower(v[0].Text) {
		case "width", "height", "aspect-ratio", "color", "resolution":
			return fixed(true), true
		case "monochrome", "grid", "hover", "pointer":
			return fixed(false), true
		}
		return nil, false
	}
	if len(v) >= 3 && v[0].Kind == value.Ident && v[1].Delim(":") {
		return namedFeature(strings.ToLower(v[0].Text), v[2:])
	}
	return rangeFeature(v)
}

func namedFeature(name string, v []value.Value) (condition, bool) {
	op := "="
	if n, ok := strings.CutPrefix(name, "min-"); ok {
		name, op = n, ">="
	} else if n, ok := strings.CutPrefix(name, "max-"); ok {
		name, op = n, "<="
	}
	switch name {
	case "width", "height", "aspect-ratio", "resolution", "inline-size", "block-size":
		want, ok := mediaValue(v)
		return feature{name, op, want}, ok
	case "orientation":
		if v[0].Is("portrait") {
			return feature{"aspect-ratio", "<=", 1}, true
		}
		return feature{"aspect-ratio", ">", 1}, true
	case "prefers-color-scheme":
		return scheme{v[0].Is("dark")}, true
	case "prefers-reduced-motion":
		return fixed(v[0].Is("reduce")), true
	case "prefers-contrast", "forced-colors", "inverted-colors", "prefers-reduced-transparency":
		return fixed(v[0].Is("no-preference") || v[0].Is("none")), true
	case "hover", "pointer", "any-hover", "any-pointer", "update", "scripting":
		return fixed(v[0].Is("none")), true
	case "color", "color-index", "monochrome":
		return fixed(name == "color"), true
	}
	return nil, false
}

// rangeFeature reads width >= 600px and 400px <= width <= 700px.
func rangeFeature(v []value.Value) (condition, bool) {
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
		want, ok := mediaValue(b)
		name := strings.ToLower(a[0].Text)
		if !ok || !strings.Contains(" width height aspect-ratio resolution inline-size block-size ", " "+name+" ") {
			return nil, false
		}
		list = append(list, feature{name, op, want})
	}
	return list, true
}

// mediaValue is a length (em are 16 px), a number or a ratio.
func mediaValue(v []value.Value) (float64, bool) {
	if a, b, ok := value.SplitSlash(v); ok {
		x, ok1 := mediaValue(a)
		y, ok2 := mediaValue(b)
		return x / max(y, 1e-9), ok1 && ok2
	}
	if len(v) != 1 {
		return 0, false
	}
	b := builder{root: &Text{FontSize: 16}}
	b.text.FontSize = 16
	if v[0].Kind == value.Number {
		switch v[0].Unit {
		case "", "dppx", "x":
			return v[0].Num, true
		}
	}
	l, ok := b.length(&v[0])
	return l.Px, ok && !l.HasPercent()
}

// supports evaluates the condition of @supports.
func supports(v []value.Value) bool {
	result, negate, or := true, false, false
	for i := range v {
		x := &v[i]
		var holds bool
		switch {
		case x.Is("not"):
			negate = true
			continue
		case x.Is("and"):
			continue
		case x.Is("or"):
			or = true
			continue
		case x.Kind == value.Block && x.Text == "(":
			if len(x.Args) > 1 && x.Args[0].Kind == value.Ident && x.Args[1].Delim(":") {
				holds = known(strings.ToLower(x.Args[0].Text)) && declarable(x.Args)
			} else {
				holds = supports(x.Args)
			}
		case x.Fn("selector"):
			_, unknown := selector.Parse(x.Args, nil)
			holds = unknown == ""
		default:
			holds = false
		}
		holds, negate = holds != negate, false
		switch {
		case i == 0 || !or:
			result = result && holds
		default:
			result = result || holds
		}
	}
	return result
}
