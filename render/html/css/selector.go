package css

import (
	"strings"

	"golang.org/x/net/html"
)

// element is an element of a document, prepared for matching selectors.
type element struct {
	node    *html.Node
	tag     string
	id      string
	classes []string
	parent  *element
	// Among the elements of its parent: the siblings, and its place.
	siblings []*element
	index    int
	children []*element
	line     int
	column   int
}

func (e *element) attr(name string) (string, bool) {
	for _, a := range e.node.Attr {
		if strings.EqualFold(a.Key, name) {
			return a.Val, true
		}
	}
	return "", false
}

// selector is a complex selector: compounds from right to left.
type selector struct {
	compounds   []compound
	pseudo      string // before, after or "" (an element)
	specificity [3]int
}

// compound is a compound selector, and how it relates to the one at its left.
type compound struct {
	combinator byte // ' ', '>', '+', '~', or 0 of the leftmost
	tag        string
	id         string
	classes    []string
	tests      []test
}

// test is an attribute selector or a pseudo-class.
type test interface{ match(e *element) bool }

// maxSelectors bounds the selectors of one list and their parts.
const maxSelectors = 64

// parseSelectors reads a list of selectors; nil if it is invalid. unknown is the part that isn't supported.
func parseSelectors(v []value, depth int) (list []selector, unknown string) {
	parts := splitCommas(v)
	if len(parts) > maxSelectors || depth > 4 {
		return nil, "a list of too many selectors"
	}
	for _, part := range parts {
		s, unknown := parseSelector(part, depth)
		if unknown != "" {
			return nil, unknown
		}
		list = append(list, s)
	}
	return list, ""
}

func parseSelector(v []value, depth int) (s selector, unknown string) {
	if len(v) == 0 || len(v) > maxSelectors {
		return s, "an empty selector"
	}
	combinator := byte(0)
	for i := 0; i < len(v); {
		if i > 0 || v[i].kind == delimiter && strings.Contains(">+~", v[i].text) {
			if v[i].kind == delimiter && strings.Contains(">+~", v[i].text) {
				if i == 0 {
					return s, "a selector that begins with " + v[i].text
				}
				combinator = v[i].text[0]
				i++
			} else {
				combinator = ' '
			}
		}
		if i == len(v) {
			return s, "a selector without its end"
		}
		if s.pseudo != "" {
			return s, "something after ::" + s.pseudo
		}
		c := compound{}
		n, unknown := s.compound(&c, v[i:], depth)
		if unknown != "" {
			return s, unknown
		}
		i += n
		c.combinator = combinator
		s.compounds = append(s.compounds, c)
	}
	return s.reversed(), ""
}

// reversed puts the compounds in the order of matching: combinator says how to get from a compound to the next.
func (s selector) reversed() selector {
	n := len(s.compounds)
	list := make([]compound, n)
	for i, c := range s.compounds {
		list[n-1-i] = c
	}
	s.compounds = list
	return s
}

// compound reads a compound selector, and returns the number of its values.
func (s *selector) compound(c *compound, v []value, depth int) (n int, unknown string) {
	for i := 0; i < len(v); i++ {
		x := &v[i]
		if i > 0 && x.space {
			return i, ""
		}
		switch {
		case x.kind == delimiter && strings.Contains(">+~", x.text):
			return i, ""
		case x.kind == ident && i == 0:
			c.tag = strings.ToLower(x.text)
			s.specificity[2]++
		case x.delim("*") && i == 0:
		case x.kind == hash:
			if c.id != "" && c.id != x.text {
				c.tests = append(c.tests, never{})
			}
			c.id = x.text
			s.specificity[0]++
		case x.delim(".") && i+1 < len(v) && v[i+1].kind == ident && !v[i+1].space:
			i++
			c.classes = append(c.classes, v[i].text)
			s.specificity[1]++
		case x.kind == block && x.text == "[":
			t, ok := attributeTest(x.args)
			if !ok {
				return i, "an attribute selector of this form"
			}
			c.tests = append(c.tests, t)
			s.specificity[1]++
		case x.delim(":"):
			k, unknown := s.pseudoPart(c, v[i+1:], depth)
			if unknown != "" {
				return i, unknown
			}
			i += k
		default:
			return i, "a selector with " + x.text
		}
	}
	return len(v), ""
}

// pseudoPart reads what follows a colon.
func (s *selector) pseudoPart(c *compound, v []value, depth int) (n int, unknown string) {
	if len(v) == 0 {
		return 0, "a selector that ends with :"
	}
	n = 1
	double := v[0].delim(":")
	if double {
		n++
		v = v[1:]
		if len(v) == 0 {
			return 0, "a selector that ends with ::"
		}
	}
	name := strings.ToLower(v[0].text)
	if v[0].kind == ident && (double || name == "before" || name == "after") {
		if name == "before" || name == "after" {
			s.pseudo = name
			s.specificity[2]++
			return n, ""
		}
		return n, "::" + name
	}
	if double {
		return n, "::" + name
	}
	t, spec, ok := pseudoClass(&v[0], name, depth)
	if !ok {
		return n, ":" + name
	}
	for i, k := range spec {
		s.specificity[i] += k
	}
	c.tests = append(c.tests, t)
	return n, ""
}

// pseudoClass returns the test of a pseudo-class, and its specificity.
func pseudoClass(v *value, name string, depth int) (t test, spec [3]int, ok bool) {
	spec = [3]int{0, 1, 0}
	if v.kind == function {
		return functionalClass(v, depth)
	}
	if v.kind != ident {
		return nil, spec, false
	}
	switch name {
	case "first-child":
		return nth{b: 1}, spec, true
	case "last-child":
		return nth{b: 1, last: true}, spec, true
	case "only-child":
		return allOf{nth{b: 1}, nth{b: 1, last: true}}, spec, true
	case "first-of-type":
		return nth{b: 1, ofType: true}, spec, true
	case "last-of-type":
		return nth{b: 1, last: true, ofType: true}, spec, true
	case "only-of-type":
		return allOf{nth{b: 1, ofType: true}, nth{b: 1, last: true, ofType: true}}, spec, true
	case "root", "scope":
		return root{}, spec, true
	case "empty":
		return empty{}, spec, true
	case "link", "any-link":
		return link{}, spec, true
	case "hover", "focus", "active", "visited", "focus-visible", "focus-within", "target", "checked", "disabled",
		"fullscreen", "popover-open", "open", "modal", "playing":
		return never{}, spec, true
	case "enabled", "defined":
		return allOf{}, spec, true
	}
	return nil, spec, false
}

func functionalClass(v *value, depth int) (t test, spec [3]int, ok bool) {
	spec = [3]int{0, 1, 0}
	switch v.text {
	case "not", "is", "where", "matches", "-webkit-any", "has":
		list, unknown := parseSelectors(trimRelative(v), depth+1)
		if unknown != "" {
			return nil, spec, false
		}
		var best [3]int
		for _, s := range list {
			if s.pseudo != "" {
				return nil, spec, false
			}
			if heavier(s.specificity, best) {
				best = s.specificity
			}
		}
		switch v.text {
		case "where":
			return anyOf(list), [3]int{}, true
		case "not":
			return noneOf(list), best, true
		case "has":
			return has{list, relativeTo(v)}, best, true
		}
		return anyOf(list), best, true
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		n, ok := parseNth(v.args, depth)
		n.last = strings.Contains(v.text, "last")
		n.ofType = strings.HasSuffix(v.text, "type")
		for _, s := range n.of {
			if heavier(s.specificity, [3]int{}) {
				spec = [3]int{s.specificity[0], s.specificity[1] + 1, s.specificity[2]}
			}
		}
		return n, spec, ok
	case "lang":
		if len(v.args) == 1 && (v.args[0].kind == ident || v.args[0].kind == text) {
			return lang(strings.ToLower(v.args[0].text)), spec, true
		}
	case "dir":
		return never{}, spec, true
	}
	return nil, spec, false
}

// trimRelative drops the combinator at the beginning of the arguments of :has().
func trimRelative(v *value) []value {
	if v.text == "has" && len(v.args) > 0 && v.args[0].kind == delimiter && strings.Contains(">+~", v.args[0].text) {
		return v.args[1:]
	}
	return v.args
}

func relativeTo(v *value) byte {
	if len(v.args) > 0 && v.args[0].kind == delimiter && strings.Contains(">+~", v.args[0].text) {
		return v.args[0].text[0]
	}
	return ' '
}

func heavier(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return false
}

type (
	never  struct{}
	root   struct{}
	empty  struct{}
	link   struct{}
	allOf  []test
	anyOf  []selector
	noneOf []selector
	lang   string
	has    struct {
		list     []selector
		relation byte
	}
)

func (never) match(*element) bool  { return false }
func (root) match(e *element) bool { return e.parent == nil }
func (empty) match(e *element) bool {
	for c := e.node.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode || c.Type == html.TextNode && c.Data != "" {
			return false
		}
	}
	return true
}

func (link) match(e *element) bool {
	_, ok := e.attr("href")
	return ok && e.tag == "a"
}

func (a allOf) match(e *element) bool {
	for _, t := range a {
		if !t.match(e) {
			return false
		}
	}
	return true
}

func (a anyOf) match(e *element) bool {
	for i := range a {
		if a[i].match(e) {
			return true
		}
	}
	return false
}

func (n noneOf) match(e *element) bool { return !anyOf(n).match(e) }

func (l lang) match(e *element) bool {
	for ; e != nil; e = e.parent {
		if v, ok := e.attr("lang"); ok {
			v = strings.ToLower(v)
			return v == string(l) || strings.HasPrefix(v, string(l)+"-")
		}
	}
	return false
}

// maxHas bounds the elements that one :has() looks at.
const maxHas = 200

func (h has) match(e *element) bool {
	budget := maxHas
	switch h.relation {
	case '+':
		return e.index+1 < len(e.siblings) && anyOf(h.list).match(e.siblings[e.index+1])
	case '~':
		for _, s := range e.siblings[min(e.index+1, len(e.siblings)):] {
			if budget--; budget < 0 {
				return false
			}
			if anyOf(h.list).match(s) {
				return true
			}
		}
		return false
	}
	return h.within(e, &budget)
}

func (h has) within(e *element, budget *int) bool {
	for _, c := range e.children {
		if *budget--; *budget < 0 {
			return false
		}
		if anyOf(h.list).match(c) || h.relation == ' ' && h.within(c, budget) {
			return true
		}
	}
	return false
}

// nth is :nth-child() and its relatives: a·n + b, of those that match of or have the same type.
type nth struct {
	a, b         int
	last, ofType bool
	of           []selector
}

func (n nth) match(e *element) bool {
	if e.siblings == nil {
		return n.reaches(1)
	}
	if n.of != nil && !anyOf(n.of).match(e) {
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
	for i := e.index + step; i != end; i += step {
		s := e.siblings[i]
		if n.ofType && s.tag == e.tag || n.of != nil && anyOf(n.of).match(s) {
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
func parseNth(v []value, depth int) (n nth, ok bool) {
	for i := range v {
		if v[i].is("of") {
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
		switch v[i].kind {
		case ident, delimiter:
			b.WriteString(v[i].text)
		case number:
			b.WriteString(v[i].raw)
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
	f, unit := numberOf(s)
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

func (a attribute) match(e *element) bool {
	v, ok := e.attr(a.name)
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

func attributeTest(v []value) (t attribute, ok bool) {
	if len(v) == 0 || v[0].kind != ident {
		return t, false
	}
	t.name = v[0].text
	v = v[1:]
	if len(v) == 0 {
		return t, true
	}
	op := ""
	for len(v) > 0 && v[0].kind == delimiter {
		op += v[0].text
		v = v[1:]
	}
	if op == "" || op[len(op)-1] != '=' || len(op) > 2 || !strings.Contains("=~|^$*", op[:1]) || len(v) == 0 {
		return t, false
	}
	t.op = op[0]
	switch v[0].kind {
	case ident, text:
		t.value = v[0].text
	case number:
		t.value = v[0].raw
	default:
		return t, false
	}
	t.fold = len(v) > 1 && v[1].is("i")
	return t, len(v) == 1 || v[1].is("i") || v[1].is("s")
}

// match reports whether the element (or that of the pseudo-element) matches.
func (s *selector) match(e *element) bool { return s.matchFrom(0, e) == matches }

// outcome of matching the rest of a selector. A failure says which other candidates fail too, so that matching takes
// polynomial time.
type outcome uint8

const (
	matches        outcome = iota
	fails                  // here
	failsSiblings          // with all siblings before
	failsAncestors         // with all ancestors
)

func (s *selector) matchFrom(i int, e *element) outcome {
	c := &s.compounds[i]
	if !c.match(e) {
		return fails
	}
	if i == len(s.compounds)-1 {
		return matches
	}
	switch c.combinator {
	case '>':
		if e.parent == nil {
			return failsAncestors
		}
		return s.matchFrom(i+1, e.parent)
	case '+':
		if e.index == 0 {
			return failsSiblings
		}
		return s.matchFrom(i+1, e.siblings[e.index-1])
	case '~':
		for k := e.index - 1; k >= 0; k-- {
			if r := s.matchFrom(i+1, e.siblings[k]); r != fails {
				return r
			}
		}
		return failsSiblings
	}
	for a := e.parent; a != nil; a = a.parent {
		if r := s.matchFrom(i+1, a); r == matches || r == failsAncestors {
			return r
		}
	}
	return failsAncestors
}

func (c *compound) match(e *element) bool {
	if c.tag != "" && c.tag != e.tag || c.id != "" && c.id != e.id {
		return false
	}
	for _, class := range c.classes {
		if !contains(e.classes, class) {
			return false
		}
	}
	for _, t := range c.tests {
		if !t.match(e) {
			return false
		}
	}
	return true
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}
