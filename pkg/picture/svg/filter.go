package svg

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
)

// This file keeps the filters of shadows, the only ones that icons commonly have. Any other filter is left out, and
// what it is applied to is drawn without it.

// primitives are the parts of a filter that are kept. feDropShadow is replaced by the others.
var primitives = map[string]bool{
	"feDropShadow": true, "feGaussianBlur": true, "feOffset": true, "feFlood": true, "feComposite": true,
	"feMerge": true, "feMergeNode": true,
}

// maxPrimitives is the maximum number of parts of a filter, and maxFiltered that of elements to which one is applied:
// each takes a picture of its own. Beyond it, all filters are left out.
const maxPrimitives, maxFiltered = 16, 24

// ownFilter is a reference to a filter in a style attribute.
var ownFilter = regexp.MustCompile(`(?i)(?:^|[;{\s])(?:-webkit-)?filter\s*:\s*(url\([^;}]*)`)

// filterOf returns the filter that a style attribute refers to, as an attribute.
func filterOf(style string) (a xml.Attr, ok bool) {
	found := ownFilter.FindStringSubmatch(style)
	if found == nil {
		return a, false
	}
	id := localID(found[1])
	return attr("filter", "url(#"+id+")"), id != ""
}

func attr(name, value string) xml.Attr { return xml.Attr{Name: xml.Name{Local: name}, Value: value} }

// value returns an attribute, or "".
func (n *node) value(name string) string {
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// without returns the attributes except those of some names.
func (n *node) without(names ...string) (rest []xml.Attr) {
next:
	for _, a := range n.attrs {
		for _, name := range names {
			if a.Name.Local == name {
				continue next
			}
		}
		rest = append(rest, a)
	}
	return rest
}

// settle replaces a filter's shadows by the primitives that they stand for, and reports whether it can be drawn.
// Source: Filter Effects 1, 9.10 (https://www.w3.org/TR/filter-effects-1/#feDropShadowElement).
func (n *node) settle() bool {
	if n.partial || len(n.children) == 0 || len(n.children) > maxPrimitives {
		return false
	}
	var out []*node
	last := "SourceGraphic"
	for i, p := range n.children {
		result := cmp.Or(p.value("result"), fmt.Sprintf("shadow-%d", i))
		if p.name != "feDropShadow" {
			p.attrs = append(p.without("result"), attr("result", result))
			out, last = append(out, p), result
			continue
		}
		out = append(out, p.shadow(cmp.Or(p.value("in"), last), result)...)
		last = result
	}
	n.children = out
	return true
}

// shadow returns the primitives of a shadow of in, which may be the name of an earlier result.
func (n *node) shadow(in, result string) []*node {
	named := func(part string) string { return result + "-" + part }
	space := n.value("color-interpolation-filters")
	make := func(name string, attrs ...xml.Attr) *node {
		made := &node{name: name, attrs: attrs}
		if space != "" {
			made.attrs = append(made.attrs, attr("color-interpolation-filters", space))
		}
		return made
	}
	flood := make("feFlood", attr("result", named("color")))
	for _, name := range []string{"flood-color", "flood-opacity", "style", "class"} {
		if v := n.value(name); v != "" {
			flood.attrs = append(flood.attrs, attr(name, v))
		}
	}
	merge := make("feMerge", attr("result", result))
	merge.children = []*node{
		make("feMergeNode", attr("in", named("shape"))), make("feMergeNode", attr("in", in)),
	}
	return []*node{
		make("feGaussianBlur", attr("in", in), attr("stdDeviation", cmp.Or(n.value("stdDeviation"), "2")),
			attr("result", named("blur"))),
		make("feOffset", attr("in", named("blur")), attr("dx", cmp.Or(n.value("dx"), "2")),
			attr("dy", cmp.Or(n.value("dy"), "2")), attr("result", named("offset"))),
		flood,
		make("feComposite", attr("in", named("color")), attr("in2", named("offset")), attr("operator", "in"),
			attr("result", named("shape"))),
		merge,
	}
}

// dropFilters removes the references to filters that can't be drawn, or to all of them: an element that refers to a
// missing filter isn't drawn at all.
func (r *reader) dropFilters(n *node) {
	if v := n.value("filter"); v != "" {
		target := r.ids[localID(v)]
		if target == nil || target.name != "filter" || !target.settled {
			r.omit("a filter")
			n.attrs = n.without("filter")
		} else {
			r.filters = true
		}
	}
	n.children = slices.DeleteFunc(n.children, func(child *node) bool {
		return child.name == "filter" && (!child.settled || r.ids == nil)
	})
	for _, child := range n.children {
		r.dropFilters(child)
	}
}
