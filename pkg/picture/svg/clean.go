package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"
)

// This file parses a document into a tree of what may be drawn, and serializes the tree.
//
// It uses encoding/xml, since SVG is XML: names have case and namespaces, and documents that aren't well-formed are
// rejected. An HTML parser would lose both and repair errors in its own way. The engine sees only what is serialized
// here, without comments, declarations, sections and foreign names, so the two parsers can't disagree.
//
// What is removed although it may draw something is noted: see [Document.Omitted].

const (
	namespace = "http://www.w3.org/2000/svg"
	xlink     = "http://www.w3.org/1999/xlink"
)

// kinds are the elements that are kept. All others are removed with their content: script, style in other languages,
// foreignObject, image, animations, metadata, and filters of other parts than [primitives].
var kinds = map[string]struct {
	draws bool // by itself
	plain bool // allowed in a small document
}{
	"svg": {}, "g": {draws: true, plain: true}, "defs": {plain: true}, "symbol": {}, "use": {draws: true},
	"switch": {}, "a": {draws: true, plain: true}, "style": {plain: true},
	"path": {true, true}, "rect": {true, true}, "circle": {true, true}, "ellipse": {true, true}, "line": {true, true},
	"polyline": {true, true}, "polygon": {true, true}, "text": {draws: true}, "tspan": {}, "textPath": {},
	"linearGradient": {plain: true}, "radialGradient": {plain: true}, "stop": {plain: true},
	"pattern": {}, "clipPath": {}, "mask": {}, "marker": {}, "filter": {},
}

// omitted are removed elements that may draw something, in the words of [Document.Omitted].
var omitted = map[string]string{
	"foreignObject": "foreignObject", "image": "a picture", "video": "a video", "canvas": "a canvas",
}

// node is a kept element.
type node struct {
	name     string
	attrs    []xml.Attr
	children []*node
	text     string // the content of a style, or the words of a node without a name

	id   string
	refs []string // IDs that it references
	mark uint8    // for the walk along references
	sum  weight

	partial bool // of a filter: it has a part that isn't drawn
	settled bool // of a filter: it can be drawn
}

// Clean parses a document. Errors match [ErrTooLarge], [ErrDamaged] or [ErrUnsupported].
func Clean(data []byte) (*Document, error) {
	if len(data) > MaxBytes {
		return nil, tooLarge("%d bytes", len(data))
	}
	r := reader{ids: map[string]*node{}, small: true}
	if err := r.read(data); err != nil {
		return nil, err
	}
	r.drawEmoji(r.root, nil)
	r.dropFilters(r.root)
	if err := r.weigh(); err != nil {
		return nil, err
	}
	if r.root.sum.filtered > maxFiltered {
		r.ids, r.filters = nil, false
		r.dropFilters(r.root)
	}
	d := &Document{
		Omitted: strings.Join(r.omits, ", "), root: r.root, drawn: r.drawn, words: r.text,
		bounded: r.small && r.drawn <= smallDrawn && r.elements <= smallElements,
	}
	if s := r.root.sum.segments; s > smallSegments || r.stroked && s > smallStroked {
		d.bounded = false
	}
	if err := d.size(r.root.attrs); err != nil {
		return nil, err
	}
	d.content = contentOf(r.root)
	if r.filters {
		r.ids = nil // without any filter
		r.dropFilters(r.root)
		d.plain = contentOf(r.root)
	}
	return d, nil
}

func contentOf(root *node) string {
	var b strings.Builder
	for _, child := range root.children {
		child.write(&b)
	}
	return b.String()
}

// reader parses one document.
type reader struct {
	root     *node
	open     []*node
	ids      map[string]*node
	elements int // of all kinds
	drawn    int
	text     bool // there are words
	stroked  bool // there may be strokes
	small    bool // nothing so far is disallowed in a small document
	filters  bool // there are filters that are drawn
	omits    []string
}

// maxOmits is the maximum number of kinds of parts that are named as left out.
const maxOmits = 5

// omit notes a part that is left out.
func (r *reader) omit(what string) {
	if len(r.omits) < maxOmits && !slices.Contains(r.omits, what) {
		r.omits = append(r.omits, what)
	}
}

func (r *reader) read(data []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.CharsetReader = charset.NewReaderLabel
	depth, skipped := 0, 0 // skipped is the depth of the outermost removed element
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return readFault(err)
		}
		switch token := token.(type) {
		case xml.Directive:
			if decoder.Entity == nil && r.root == nil {
				if decoder.Entity, err = entitiesOf(token, data); err != nil {
					return err
				}
			}
		case xml.StartElement:
			depth++
			r.elements++
			switch {
			case depth > maxDepth:
				return tooLarge("elements are nested deeper than %d", maxDepth)
			case r.elements > maxElements:
				return tooLarge("more than %d elements", maxElements)
			case len(token.Attr) > maxAttributes:
				return tooLarge("an element has %d attributes", len(token.Attr))
			case depth == 1 && r.root != nil:
				return damaged("it has two roots")
			}
			if skipped == 0 && !r.start(token) {
				skipped = depth
			}
			if r.root == nil {
				return damaged("its root is %s", token.Name.Local)
			}
		case xml.EndElement:
			if skipped == 0 {
				r.end()
			}
			if skipped == depth {
				skipped = 0
			}
			depth--
		case xml.CharData:
			if skipped == 0 {
				r.chars(token)
			}
		}
	}
	if r.root == nil {
		return damaged("it is empty")
	}
	return nil
}

// readFault classifies an error of the parser.
func readFault(err error) error {
	if strings.Contains(err.Error(), "character entity") {
		return fmt.Errorf("%w: %w", ErrEntity, err)
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// end handles the end of a kept element.
func (r *reader) end() {
	n := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	if n.name == "filter" {
		n.settled = n.settle()
	}
}

// inFilter returns the filter whose part is read, or nil.
func (r *reader) inFilter() *node {
	for _, n := range r.open {
		if n.name == "filter" {
			return n
		}
	}
	return nil
}

// start handles an element, and reports whether it is kept.
func (r *reader) start(token xml.StartElement) bool {
	kind, known := kinds[token.Name.Local]
	filter := r.inFilter()
	if filter != nil {
		known = primitives[token.Name.Local]
	}
	if space := token.Name.Space; !known || space != namespace && space != "" {
		if filter != nil {
			filter.partial = true
		} else if what := omitted[token.Name.Local]; what != "" {
			r.omit(what)
		}
		return false
	}
	if r.root == nil && token.Name.Local != "svg" {
		return false
	}
	n := &node{name: token.Name.Local}
	for _, a := range token.Attr {
		if a.Name.Local == "style" {
			if by, ok := filterOf(a.Value); ok && !n.has("filter") {
				r.attribute(n, by)
			} else if cssFilter.MatchString(a.Value) && !ok {
				r.omit("a filter")
			}
		}
		if a, ok := cleanAttribute(n.name, a); ok && !n.has(a.Name.Local) {
			r.attribute(n, a)
		}
	}
	if len(r.open) == 0 {
		r.root = n
	} else {
		parent := r.open[len(r.open)-1]
		parent.children = append(parent.children, n)
		r.small = r.small && kind.plain
	}
	if kind.draws {
		r.drawn++
	}
	r.open = append(r.open, n)
	return true
}

func (r *reader) attribute(n *node, a xml.Attr) {
	switch a.Name.Local {
	case "id":
		if r.ids[a.Value] != nil {
			return // the first one counts, for us and for the engine
		}
		n.id, r.ids[a.Value] = a.Value, n
	case "href":
		n.refs = append(n.refs, a.Value[1:])
	default:
		n.refs = append(n.refs, localReferences(a.Value)...)
	}
	if r.small && a.Name.Local != "id" && a.Name.Local != "class" {
		r.small = !hasHuge(a.Value) && !strings.Contains(a.Name.Local, "dash") && !strings.Contains(a.Value, "dash")
	}
	r.stroked = r.stroked || strings.Contains(a.Name.Local, "stroke") || strings.Contains(a.Value, "stroke")
	n.attrs = append(n.attrs, a)
}

func (n *node) has(name string) bool {
	return slices.ContainsFunc(n.attrs, func(a xml.Attr) bool { return a.Name.Local == name })
}

// chars handles text between tags, which matters only in styles and texts.
func (r *reader) chars(text []byte) {
	if len(r.open) == 0 {
		return
	}
	n := r.open[len(r.open)-1]
	switch n.name {
	case "style":
		n.text += cleanSheet(string(text))
		r.stroked = r.stroked || strings.Contains(n.text, "stroke")
		if cssFilter.Match(text) {
			r.omit("a filter")
		}
		if len(n.text) > smallStyle || hasHuge(n.text) || strings.Contains(n.text, "dash") {
			r.small = false
		}
	case "text", "tspan", "textPath":
		n.children = append(n.children, &node{text: string(text)}) // text between spans keeps its position
	}
}

func (n *node) write(b *strings.Builder) {
	if n.name == "" {
		escape(b, n.text)
		return
	}
	writeStart(b, n.name, n.attrs)
	escape(b, n.text)
	for _, child := range n.children {
		child.write(b)
	}
	b.WriteString("</" + n.name + ">")
}

func writeStart(b *strings.Builder, name string, attrs []xml.Attr) {
	b.WriteString("<" + name)
	for _, a := range attrs {
		b.WriteString(" " + a.Name.Local + `="`)
		escape(b, a.Value)
		b.WriteByte('"')
	}
	b.WriteByte('>')
}

func escape(b *strings.Builder, s string) {
	_ = xml.EscapeText(b, []byte(s)) // a strings.Builder never fails
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

func tooLarge(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrTooLarge, fmt.Sprintf(format, args...))
}
