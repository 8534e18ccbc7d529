package page

import "strings"

// Block is one script element of type application/ld+json.
type Block struct {
	// Root is the value of the block; Err, a [*JSONError], says why it has none.
	Root Value
	Err  error
	// Line is the line of the document, counted from 1, on which the block begins.
	Line int
}

// Get returns the member of an object by name, or nil. Of duplicates it returns the last one.
func (v *Value) Get(name string) *Value {
	if v == nil || v.Type != Object {
		return nil
	}
	for i := len(v.Members) - 1; i >= 0; i-- {
		if v.Members[i].Name == name {
			return &v.Members[i].Value
		}
	}
	return nil
}

// String returns the text of a string or number, that of the first such element of an array, and otherwise "". The text
// is as written in the block, neither decoded nor collapsed.
func (v *Value) String() string {
	if v == nil {
		return ""
	}
	switch v.Type {
	case String, Number:
		return v.Text
	case Array:
		for i := range v.Members {
			if e := &v.Members[i].Value; e.Type != Array {
				if s := e.String(); s != "" {
					return s
				}
			}
		}
	case Object:
		return v.Get("@value").scalar()
	}
	return ""
}

func (v *Value) scalar() string {
	if v != nil && (v.Type == String || v.Type == Number) {
		return v.Text
	}
	return ""
}

// Each returns the elements of an array, nothing for null, and otherwise v alone.
func (v *Value) Each() []*Value {
	switch {
	case v == nil || v.Type == Null:
		return nil
	case v.Type != Array:
		return []*Value{v}
	}
	out := make([]*Value, len(v.Members))
	for i := range v.Members {
		out[i] = &v.Members[i].Value
	}
	return out
}

// Types returns the node's types without their vocabulary: "Article" for "https://schema.org/Article".
func (v *Value) Types() []string {
	var out []string
	for _, t := range v.Get("@type").Each() {
		if t.Type == String && len(out) < maxTypes {
			out = append(out, typeName(t.Text))
		}
	}
	return out
}

// typeName removes the vocabulary from the name of a type.
func typeName(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexAny(s, "/#:")+1:]
}

// anyType reports whether a type of the node satisfies is.
func (v *Value) anyType(is func(string) bool) bool {
	t := v.Get("@type")
	if t == nil {
		return false
	}
	if t.Type == String {
		return is(typeName(t.Text))
	}
	for i := range t.Members {
		if m := &t.Members[i].Value; m.Type == String && is(typeName(m.Text)) {
			return true
		}
	}
	return false
}

// HasType reports whether the node has the named type.
func (v *Value) HasType(name string) bool {
	return v.anyType(func(t string) bool { return t == name })
}

// Nodes returns the nodes of all blocks in order: the top-level objects, the elements of top-level arrays, and those of
// "@graph".
func (p *Page) Nodes() []*Value { return p.nodes }

func (p *Page) collectNodes() {
	for i := range p.JSONLD {
		root := &p.JSONLD[i].Root
		if root.Type == Array {
			for j := range root.Members {
				p.collectNode(&root.Members[j].Value)
			}
			continue
		}
		p.collectNode(root)
	}
}

func (p *Page) collectNode(v *Value) {
	if v.Type != Object {
		return
	}
	add := func(n *Value) {
		if n.Type == Object && len(p.nodes) < maxNodes {
			p.nodes = append(p.nodes, n)
		}
	}
	graph := v.Get("@graph")
	if graph == nil || v.Get("@type") != nil {
		add(v)
	}
	for _, n := range graph.Each() {
		add(n)
	}
}

// MainNode returns the node about the page itself: the first article, otherwise the first of the other kinds of pages
// and things. It returns nil without one.
func (p *Page) MainNode() *Value {
	for _, n := range p.nodes {
		if n.anyType(isArticleType) {
			return n
		}
	}
	for _, n := range p.nodes {
		if n.anyType(isMainType) {
			return n
		}
	}
	return nil
}

func isArticleType(t string) bool {
	return strings.HasSuffix(t, "Article") || t == "BlogPosting" || t == "Report"
}

func isMainType(t string) bool {
	switch t {
	case "Product", "Recipe", "Event", "VideoObject", "WebPage", "Book", "Movie", "SoftwareApplication":
		return true
	}
	return false
}

// Follow returns the node that v refers to if v has only an "@id" (and possibly a type), otherwise v.
func (p *Page) Follow(v *Value) *Value {
	if v == nil || v.Type != Object || len(v.Members) > 2 || v.Get("name") != nil || v.Get("url") != nil {
		return v
	}
	id := v.Get("@id").scalar()
	if id == "" {
		return v
	}
	for _, n := range p.nodes {
		if n != v && n.Get("@id").scalar() == id {
			return n
		}
	}
	return v
}

// ldText returns a text of JSON-LD, cleaned like attributes.
func ldText(v *Value) string { return cleanValue(v.String()) }

// ldName returns the name of the person or organization in v: a string, or an object with a name.
func (p *Page) ldName(v *Value) string {
	for _, e := range v.Each() {
		e = p.Follow(e)
		name := e.Get("name")
		if e.Type == String {
			name = e
		}
		if s := ldText(name); s != "" {
			return s
		}
	}
	return ""
}

// ldImage returns the first usable address of a picture. v is a string, an object with url or contentUrl, or an array
// of either.
func (p *Page) ldImage(v *Value) string {
	for _, e := range v.Each() {
		e = p.Follow(e)
		if e.Type == String {
			if s, ok := p.Resolve(e.Text); ok {
				return s
			}
			continue
		}
		for _, name := range [...]string{"url", "contentUrl"} {
			if s, ok := p.Resolve(e.Get(name).String()); ok {
				return s
			}
		}
	}
	return ""
}
