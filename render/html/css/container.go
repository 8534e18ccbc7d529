package css

import (
	"slices"
	"strings"

	"masthead/render/html/css/media"
	"masthead/render/html/css/selector"
	"masthead/render/html/css/sheet"
	"masthead/render/html/css/value"
)

// Container queries. Source: CSS Containment 3 (now CSS Conditional 5), “Container Queries”. A container's size doesn't
// depend on what is in it, so a document is styled with the sizes that its last layout had, until they don't change.

// ContainerType is container-type.
type ContainerType uint8

// What of a container can be queried. Its size along that doesn't depend on its content.
const (
	NoContainer ContainerType = iota
	InlineContainer
	SizeContainer
)

var containerTypes = map[string]ContainerType{
	"normal": NoContainer, "inline-size": InlineContainer, "size": SizeContainer,
}

// ContainerSize is the size of the content box of a container in px.
type ContainerSize struct{ Width, Height float64 }

// containerQuery is a condition of @container. It holds for any card, and for an element by its containers.
type containerQuery struct {
	name   string
	cond   media.Condition
	height bool // it asks for more than the width
}

// Holds is true: which container it is asked of decides.
func (containerQuery) Holds(media.Viewport) bool { return true }

// containers are the elements around the one that is styled that can be queried, from the outermost.
type containers []container

type container struct {
	kind  ContainerType
	names []string
	size  ContainerSize
	known bool // it has a size
}

// holds reports whether a condition holds for the nearest container that it can ask.
func (all containers) holds(q containerQuery, view media.Viewport) bool {
	for i := len(all) - 1; i >= 0; i-- {
		c := &all[i]
		if q.height && c.kind != SizeContainer || q.name != "" && !slices.Contains(c.names, q.name) {
			continue
		}
		view.Width, view.Height = c.size.Width, c.size.Height
		return c.known && q.cond.Holds(view)
	}
	return false
}

// view returns what the units cqw and cqh refer to: the nearest container with that size, or else the card.
func (all containers) view(card media.Viewport) media.Viewport {
	width, height := false, false
	for i := len(all) - 1; i >= 0 && !(width && height); i-- {
		c := &all[i]
		if !c.known {
			continue
		}
		if !width {
			card.Width, width = c.size.Width, true
		}
		if !height && c.kind == SizeContainer {
			card.Height, height = c.size.Height, true
		}
	}
	return card
}

// parseContainer reads the prelude of @container.
func parseContainer(v []value.Value) (q containerQuery, ok bool) {
	if len(v) > 0 && v[0].Kind == value.Ident && !v[0].Is("not") {
		q.name, v = v[0].Text, v[1:]
	}
	if len(v) == 0 {
		q.cond = media.Constant(true)
		return q, q.name != ""
	}
	q.cond, ok = media.ReadQuery(queryUnits, v)
	q.height = media.AsksHeight(q.cond)
	return q, ok
}

// readNames reads container-name.
func readNames(_ *builder, v []value.Value) (names []string, ok bool) {
	if len(v) == 1 && v[0].Is("none") {
		return nil, true
	}
	for i := range v {
		if v[i].Kind != value.Ident || v[i].Is("and") || v[i].Is("or") || v[i].Is("not") || v[i].Is("none") {
			return nil, false
		}
		names = append(names, v[i].Text)
	}
	return names, len(names) > 0
}

func addContainerProperties() {
	properties["container-type"] = of(func(s *Style) *ContainerType { return &s.ContainerType }, keyword(containerTypes))
	properties["container-name"] = of(func(s *Style) *[]string { return &s.containerNames }, readNames)
	shorthands["container"] = &shorthand{
		longhands: []string{"container-type", "container-name"},
		set: func(b *builder, v []value.Value) bool {
			names, kind, slash := value.SplitSlash(v)
			if !slash {
				names, kind = v, []value.Value{{Kind: value.Ident, Text: "normal"}}
			}
			return properties["container-name"].set(b, names) && properties["container-type"].set(b, kind)
		},
	}
}

// asksContainers reports whether rules or declarations need the sizes of containers.
func (d *Document) asksContainers() bool {
	asks := func(list []sheet.Declaration) bool {
		for i := range list {
			if name := list[i].Name; strings.HasPrefix(name, "container") && !strings.HasSuffix(name, "-name") {
				return true
			}
		}
		return false
	}
	for i := range d.rules {
		if asks(d.rules[i].Declarations) {
			return true
		}
	}
	for _, own := range d.inline {
		if asks(own) {
			return true
		}
	}
	return false
}

// HasContainers reports whether the document has elements that can be queried: then its styles depend on its layout.
func (d *Document) HasContainers() bool { return d.containers }

// asked returns the rules whose conditions of @container hold for the element that is styled.
func (s *styling) asked(found []sheet.Match) []sheet.Match {
	return slices.DeleteFunc(found, func(m sheet.Match) bool {
		return slices.ContainsFunc(m.Rule.Conditions, func(c media.Condition) bool {
			q, ok := c.(containerQuery)
			return ok && !s.around.holds(q, s.builder.view)
		})
	})
}

// enter makes an element the nearest container of what is in it; leave undoes that.
func (s *styling) enter(n *Node, e *selector.Element) (leave func()) {
	if n.Style.ContainerType == NoContainer {
		return func() {}
	}
	n.Container = e.Order + 1
	c := container{kind: n.Style.ContainerType, names: n.Style.containerNames}
	if s.sizes == nil { // not laid out yet
		c.size, c.known = ContainerSize{s.builder.view.Width, s.builder.view.Height}, true
	} else {
		c.size, c.known = s.sizes[n.Container]
	}
	outer := s.builder.cq
	s.around = append(s.around, c)
	s.builder.cq = s.around.view(s.builder.view)
	return func() { s.around, s.builder.cq = s.around[:len(s.around)-1], outer }
}
