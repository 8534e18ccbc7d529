package selector

import (
	"strings"

	"golang.org/x/net/html"

	"masthead/render/html/css/value"
	"masthead/render/html/meter"
)

type (
	never  struct{}
	root   struct{}
	empty  struct{}
	link   struct{}
	allOf  []test
	anyOf  []Selector
	noneOf []Selector
	lang   string
	has    struct {
		list     []Selector
		relation byte
	}
)

func (never) Match(*Element, *meter.Meter) bool    { return false }
func (root) Match(e *Element, _ *meter.Meter) bool { return e.Parent == nil }
func (empty) Match(e *Element, _ *meter.Meter) bool {
	for c := e.Node.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode || c.Type == html.TextNode && c.Data != "" {
			return false
		}
	}
	return true
}

func (link) Match(e *Element, _ *meter.Meter) bool {
	_, ok := e.Attr("href")
	return ok && e.Tag == "a"
}

func (a allOf) Match(e *Element, m *meter.Meter) bool {
	for _, t := range a {
		if !t.Match(e, m) {
			return false
		}
	}
	return true
}

func (a anyOf) Match(e *Element, m *meter.Meter) bool {
	for i := range a {
		if a[i].Match(e, m) {
			return true
		}
	}
	return false
}

func (n noneOf) Match(e *Element, m *meter.Meter) bool { return !anyOf(n).Match(e, m) }

func (l lang) Match(e *Element, m *meter.Meter) bool {
	for ; e != nil && !m.Spend(1+len(e.Node.Attr)/8); e = e.Parent {
		if v, ok := e.Attr("lang"); ok {
			v = strings.ToLower(v)
			return v == string(l) || strings.HasPrefix(v, string(l)+"-")
		}
	}
	return false
}

// maxHas bounds the elements that one :has() looks at.
const maxHas = 200

func (h has) Match(e *Element, m *meter.Meter) bool {
	budget := maxHas
	switch h.relation {
	case '+':
		return e.index+1 < len(e.siblings) && anyOf(h.list).Match(e.siblings[e.index+1], m)
	case '~':
		for _, s := range e.siblings[min(e.index+1, len(e.siblings)):] {
			if budget--; budget < 0 {
				return false
			}
			if anyOf(h.list).Match(s, m) {
				return true
			}
		}
		return false
	}
	return h.within(e, &budget, m)
}

func (h has) within(e *Element, budget *int, m *meter.Meter) bool {
	for _, c := range e.Children {
		if *budget--; *budget < 0 {
			return false
		}
		if anyOf(h.list).Match(c, m) || h.relation == ' ' && h.within(c, budget, m) {
			return true
		}
	}
	return false
}

// nth is :nth-child() and its relatives: a·n + b, of those that match of or have the same type.
type nth struct {
	a, b         int
	last, ofType bool
	of           []Selector
}

func (n nth) Match(e *Element, m *meter.Meter) bool {
	if e.siblings == nil {
		return n.reaches(1)
	}
	if n.of != nil && !anyOf(n.of).Match(e, m) {
		return false
	}
	place := 1
	step, end := -1, -1
	if n.last {
		step, end = 1, len(e.siblings)
	}
	if !n.ofType && n.of == nil {
		if n.last {
			place = len(e.siblings) - e.index
		} else {
			place = e.index + 1
		}
		return n.reaches(place)
	}
	for i := e.index + step; i != end && !m.Spend(1); i += step {
		s := e.siblings[i]
		if n.ofType && s.Tag == e.Tag || n.of != nil && anyOf(n.of).Match(s, m) {
			place++
		}
	}
	return n.reaches(place)
}

// reaches reports whether a·n + b is the place for some n of 0 or more.
func (n nth) reaches(place int) bool {
	if n.a == 0 {
		return place == n.b
	}
	d := place - n.b
	return d%n.a == 0 && d/n.a >= 0
}

// parseNth reads an+b, even or odd, and "of" with selectors.
func parseNth(v []value.Value, depth int) (n nth, ok bool) {
	for i := range v {
		if v[i].Is("of") {
			list, unknown := parseSelectors(v[i+1:], depth+1)
			if unknown != "" {
				return n, false
			}
			n.of = list
			v = v[:i]
			break
		}
	}
	var b strings.Builder
	for i := range v {
		switch v[i].Kind {
		case value.Ident, value.Delimiter:
			b.WriteString(v[i].Text)
		case value.Number:
			b.WriteString(v[i].Raw)
		default:
			return n, false
		}
	}
	s := strings.ToLower(b.String())
	switch s {
	case "even":
		n.a = 2
		return n, true
	case "odd":
		n.a, n.b = 2, 1
		return n, true
	}
	a, rest, hasN := strings.Cut(s, "n")
	if !hasN {
		n.b, ok = integer(s)
		return n, ok
	}
	switch a {
	case "", "+":
		n.a, ok = 1, true
	case "-":
		n.a, ok = -1, true
	default:
		n.a, ok = integer(a)
	}
	if ok && rest != "" {
		n.b, ok = integer(rest)
	}
	return n, ok
}

func integer(s string) (int, bool) {
	f, unit := value.NumberOf(s)
	if s == "" || unit != "" || f != float64(int(f)) {
		return 0, false
	}
	return int(f), true
}

// attribute is an attribute selector.
type attribute struct {
	name, value string
	op          byte // 0 for [name], '=', '~', '|', '^', '$', '*'
	fold        bool
}

func (a attribute) Match(e *Element, m *meter.Meter) bool {
	v, ok := e.Attr(a.name)
	if m.Spend((len(e.Node.Attr) + len(v)) / 8) {
		return false
	}
	if !ok || a.op == 0 {
		return ok
	}
	want := a.value
	if a.fold {
		v, want = strings.ToLower(v), strings.ToLower(want)
	}
	switch a.op {
	case '=':
		return v == want
	case '~':
		for _, f := range strings.Fields(v) {
			if f == want {
				return true
			}
		}
		return false
	case '|':
		return v == want || strings.HasPrefix(v, want+"-")
	}
	if want == "" {
		return false
	}
	switch a.op {
	case '^':
		return strings.HasPrefix(v, want)
	case '$':
		return strings.HasSuffix(v, want)
	}
	return strings.Contains(v, want)
}

func attributeTest(v []value.Value) (t attribute, ok bool) {
	if len(v) == 0 || v[0].Kind != value.Ident {
		return t, false
	}
	t.name = v[0].Text
	v = v[1:]
	if len(v) == 0 {
		return t, true
	}
	op := ""
	for len(v) > 0 && v[0].Kind == value.Delimiter {
		op += v[0].Text
		v = v[1:]
	}
	if op == "" || op[len(op)-1] != '=' || len(op) > 2 || !strings.Contains("=~|^$*", op[:1]) || len(v) == 0 {
		return t, false
	}
	t.op = op[0]
	switch v[0].Kind {
	case value.Ident, value.String:
		t.value = v[0].Text
	case value.Number:
		t.value = v[0].Raw
	default:
		return t, false
	}
	t.fold = len(v) > 1 && v[1].Is("i")
	return t, len(v) == 1 || v[1].Is("i") || v[1].Is("s")
}
