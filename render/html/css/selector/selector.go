// Package selector reads the selectors of CSS and matches elements of a document with them.
package selector

import (
	"slices"
	"strings"

	"masthead/render/html/css/value"
	"masthead/render/html/meter"
)

// Selector is a complex selector: compounds from right to left.
type Selector struct {
	compounds   []compound
	Pseudo      string // before, after, marker, first-letter or "" (an element)
	Specificity [3]int
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
type test interface {
	Match(e *Element, m *meter.Meter) bool
}

// maxSelectors bounds the selectors of one list and their parts.
const maxSelectors = 64

// parseSelectors reads a list of selectors; nil if it is invalid. unknown is the part that isn't supported.
func parseSelectors(v []value.Value, depth int) (list []Selector, unknown string) {
	parts := value.SplitCommas(v)
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

// parseForgiving reads a list of selectors and leaves out invalid ones. Source: Selectors 4, 18.2.
func parseForgiving(v []value.Value, depth int) (list []Selector, unknown string) {
	parts := value.SplitCommas(v)
	if len(parts) > maxSelectors || depth > 4 {
		return nil, "a list of too many selectors"
	}
	for _, part := range parts {
		if s, unknown := parseSelector(part, depth); unknown == "" {
			list = append(list, s)
		}
	}
	return list, ""
}

func parseSelector(v []value.Value, depth int) (s Selector, unknown string) {
	if len(v) == 0 || len(v) > maxSelectors {
		return s, "an empty selector"
	}
	combinator := byte(0)
	for i := 0; i < len(v); {
		if i > 0 || v[i].Kind == value.Delimiter && strings.Contains(">+~", v[i].Text) {
			if v[i].Kind == value.Delimiter && strings.Contains(">+~", v[i].Text) {
				if i == 0 {
					return s, "a selector that begins with " + v[i].Text
				}
				combinator = v[i].Text[0]
				i++
			} else {
				combinator = ' '
			}
		}
		if i == len(v) {
			return s, "a selector without its end"
		}
		if s.Pseudo != "" {
			return s, "something after ::" + s.Pseudo
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
func (s Selector) reversed() Selector {
	n := len(s.compounds)
	list := make([]compound, n)
	for i, c := range s.compounds {
		list[n-1-i] = c
	}
	s.compounds = list
	return s
}

// compound reads a compound selector, and returns the number of its values.
func (s *Selector) compound(c *compound, v []value.Value, depth int) (n int, unknown string) {
	for i := 0; i < len(v); i++ {
		x := &v[i]
		if i > 0 && x.Space {
			return i, ""
		}
		switch {
		case x.Kind == value.Delimiter && strings.Contains(">+~", x.Text):
			return i, ""
		case x.Kind == value.Ident && i == 0:
			c.tag = strings.ToLower(x.Text)
			s.Specificity[2]++
		case x.Delim("*") && i == 0:
		case x.Kind == value.Hash:
			if c.id != "" && c.id != x.Text {
				c.tests = append(c.tests, never{})
			}
			c.id = x.Text
			s.Specificity[0]++
		case x.Delim(".") && i+1 < len(v) && v[i+1].Kind == value.Ident && !v[i+1].Space:
			i++
			c.classes = append(c.classes, v[i].Text)
			s.Specificity[1]++
		case x.Kind == value.Block && x.Text == "[":
			t, ok := attributeTest(x.Args)
			if !ok {
				return i, "an attribute selector of this form"
			}
			c.tests = append(c.tests, t)
			s.Specificity[1]++
		case x.Delim(":"):
			k, unknown := s.pseudoPart(c, v[i+1:], depth)
			if unknown != "" {
				return i, unknown
			}
			i += k
		default:
			return i, "a selector with " + x.Text
		}
	}
	return len(v), ""
}

// pseudoPart reads what follows a colon.
func (s *Selector) pseudoPart(c *compound, v []value.Value, depth int) (n int, unknown string) {
	if len(v) == 0 {
		return 0, "a selector that ends with :"
	}
	n = 1
	double := v[0].Delim(":")
	if double {
		n++
		v = v[1:]
		if len(v) == 0 {
			return 0, "a selector that ends with ::"
		}
	}
	name := strings.ToLower(v[0].Text)
	old := name == "before" || name == "after" || name == "first-letter"
	if v[0].Kind == value.Ident && (double || old) {
		if old || name == "marker" {
			s.Pseudo = name
			s.Specificity[2]++
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
		s.Specificity[i] += k
	}
	c.tests = append(c.tests, t)
	return n, ""
}

// pseudoClass returns the test of a pseudo-class, and its specificity.
func pseudoClass(v *value.Value, name string, depth int) (t test, spec [3]int, ok bool) {
	spec = [3]int{0, 1, 0}
	if v.Kind == value.Function {
		return functionalClass(v, depth)
	}
	if v.Kind != value.Ident {
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

func functionalClass(v *value.Value, depth int) (t test, spec [3]int, ok bool) {
	spec = [3]int{0, 1, 0}
	switch v.Text {
	case "not", "is", "where", "matches", "-webkit-any", "has":
		list, unknown := parseSelectors(trimRelative(v), depth+1)
		if forgiving := v.Text != "not" && v.Text != "has"; forgiving {
			list, unknown = parseForgiving(v.Args, depth+1)
		}
		if unknown != "" {
			return nil, spec, false
		}
		var best [3]int
		for _, s := range list {
			if s.Pseudo != "" {
				return nil, spec, false
			}
			if Heavier(s.Specificity, best) {
				best = s.Specificity
			}
		}
		switch v.Text {
		case "where":
			return anyOf(list), [3]int{}, true
		case "not":
			return noneOf(list), best, true
		case "has":
			return has{list, relativeTo(v)}, best, true
		}
		return anyOf(list), best, true
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		n, ok := parseNth(v.Args, depth)
		n.last = strings.Contains(v.Text, "last")
		n.ofType = strings.HasSuffix(v.Text, "type")
		var best [3]int
		for _, s := range n.of {
			if Heavier(s.Specificity, best) {
				best = s.Specificity
			}
		}
		spec = [3]int{best[0], best[1] + 1, best[2]}
		return n, spec, ok
	case "lang":
		if len(v.Args) == 1 && (v.Args[0].Kind == value.Ident || v.Args[0].Kind == value.String) {
			return lang(strings.ToLower(v.Args[0].Text)), spec, true
		}
	case "dir":
		return never{}, spec, true
	}
	return nil, spec, false
}

// trimRelative drops the combinator at the beginning of the arguments of :has().
func trimRelative(v *value.Value) []value.Value {
	if v.Text == "has" && len(v.Args) > 0 && v.Args[0].Kind == value.Delimiter && strings.Contains(">+~", v.Args[0].Text) {
		return v.Args[1:]
	}
	return v.Args
}

func relativeTo(v *value.Value) byte {
	if len(v.Args) > 0 && v.Args[0].Kind == value.Delimiter && strings.Contains(">+~", v.Args[0].Text) {
		return v.Args[0].Text[0]
	}
	return ' '
}

// Heavier reports whether a specificity is greater than another one.
func Heavier(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] > b[i]
		}
	}
	return false
}

// Match reports whether the element (or that of the pseudo-element) matches. m counts the work; nil has no limit.
func (s *Selector) Match(e *Element, m *meter.Meter) bool { return s.matchFrom(0, e, m) == matches }

// outcome of matching the rest of a selector. A failure says which other candidates fail too, so that matching takes
// polynomial time.
type outcome uint8

const (
	matches        outcome = iota
	fails                  // here
	failsSiblings          // with all siblings before
	failsAncestors         // with all ancestors
)

func (s *Selector) matchFrom(i int, e *Element, m *meter.Meter) outcome {
	c := &s.compounds[i]
	if m.Spend(1) || !c.Match(e, m) {
		return fails
	}
	if i == len(s.compounds)-1 {
		return matches
	}
	switch c.combinator {
	case '>':
		if e.Parent == nil {
			return failsAncestors
		}
		return s.matchFrom(i+1, e.Parent, m)
	case '+':
		if e.index == 0 {
			return failsSiblings
		}
		return s.matchFrom(i+1, e.siblings[e.index-1], m)
	case '~':
		for k := e.index - 1; k >= 0; k-- {
			if r := s.matchFrom(i+1, e.siblings[k], m); r != fails {
				return r
			}
		}
		return failsSiblings
	}
	for a := e.Parent; a != nil; a = a.Parent {
		if r := s.matchFrom(i+1, a, m); r == matches || r == failsAncestors {
			return r
		}
	}
	return failsAncestors
}

// Subject returns what an element has for sure that matches: its ID, a class and its tag, each empty if it isn't named.
func (s *Selector) Subject() (id, class, tag string) {
	c := &s.compounds[0]
	if len(c.classes) > 0 {
		class = c.classes[0]
	}
	return c.id, class, c.tag
}

func (c *compound) Match(e *Element, m *meter.Meter) bool {
	if c.tag != "" && c.tag != e.Tag || c.id != "" && c.id != e.ID {
		return false
	}
	for _, class := range c.classes {
		if !slices.Contains(e.Classes, class) {
			return false
		}
	}
	for _, t := range c.tests {
		if !t.Match(e, m) {
			return false
		}
	}
	return true
}
