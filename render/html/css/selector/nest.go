package selector

import "masthead/render/html/css/value"

// Parse reads the selectors of a rule, and of one that is nested in a rule with the selectors parents; nil if
// they are invalid. unknown is the part that isn't supported.
func Parse(prelude []value.Value, parents []Selector) (list []Selector, unknown string) {
	if parents == nil {
		return parseSelectors(prelude, 0)
	}
	list, unknown = parseSelectors(nest(prelude), 0)
	for i := range list {
		list[i] = within(list[i], parents)
	}
	return list, unknown
}

// nestMark stands for & in the selector of a nested rule.
const nestMark = "\x00nest"

// nest puts the parent of a nested rule before selectors that don't name it.
func nest(prelude []value.Value) []value.Value {
	var out []value.Value
	for i, part := range value.SplitCommas(prelude) {
		if i > 0 {
			out = append(out, value.Value{Kind: value.Delimiter, Text: ","})
		}
		has := false
		for k := range part {
			has = has || part[k].Delim("&")
		}
		if !has {
			out = append(out, value.Value{Kind: value.Delimiter, Text: "."}, value.Value{Kind: value.Ident, Text: nestMark})
			for k := range part {
				part[k].Space = part[k].Space || k == 0
			}
		}
		for k := range part {
			if part[k].Delim("&") {
				out = append(out, value.Value{Kind: value.Delimiter, Text: ".", Space: part[k].Space},
					value.Value{Kind: value.Ident, Text: nestMark})
			} else {
				out = append(out, part[k])
			}
		}
	}
	return out
}

// within replaces the mark of nest by the parent's selectors.
func within(s Selector, parents []Selector) Selector {
	var best [3]int
	for i := range parents {
		if Heavier(parents[i].Specificity, best) {
			best = parents[i].Specificity
		}
	}
	list := make([]compound, len(s.compounds))
	copy(list, s.compounds)
	for i := range list {
		c := &list[i]
		var classes []string
		for _, class := range c.classes {
			if class != nestMark {
				classes = append(classes, class)
				continue
			}
			c.tests = append(c.tests[:len(c.tests):len(c.tests)], anyOf(parents))
			s.Specificity[1]--
			for k := range best {
				s.Specificity[k] += best[k]
			}
		}
		c.classes = classes
	}
	s.compounds = list
	return s
}

// Depth returns how deep the tests of selectors are nested.
func Depth(list []Selector) int {
	deepest := 0
	for i := range list {
		for k := range list[i].compounds {
			for _, t := range list[i].compounds[k].tests {
				if a, ok := t.(anyOf); ok {
					deepest = max(deepest, 1+Depth(a))
				}
			}
		}
	}
	return deepest
}
