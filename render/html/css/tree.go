package css

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"masthead/render/html/counter"
	"masthead/render/html/css/media"
	"masthead/render/html/css/selector"
	"masthead/render/html/css/sheet"
	"masthead/render/html/css/value"
	"masthead/render/html/meter"
)

// Document is a parsed document with its style sheets, ready to be styled at any size. It is safe for concurrent use.
type Document struct {
	root     *selector.Element
	rules    []sheet.Rule
	warnings []Warning
	inline   map[*selector.Element][]sheet.Declaration

	containers bool
}

// Locate says where a node begins in its source, from 1.
type Locate func(n *html.Node) (line, column int)

// NewDocument prepares a document for styling. root is the html element.
func NewDocument(root *html.Node, styles *sheet.Sheet, position Locate) *Document {
	d := &Document{inline: map[*selector.Element][]sheet.Declaration{}}
	d.root = selector.NewTree(root, position)
	for e := range d.root.All() {
		d.unseen(e)
		if source, ok := e.Attr("style"); ok && source != "" {
			d.inline[e] = styles.Inline(source, e.Line, e.Column)
		}
	}
	d.rules, d.warnings = styles.Rules, append(styles.Warnings, d.warnings...)
	d.containers = d.asksContainers()
	return d
}

// Options of styling.
type Options struct {
	View media.Viewport
	// Properties are custom properties around the root element, such as --accent. Those of the document come first.
	Properties map[string]string
	// Zero returns the advance of the digit 0 in em for the unit ch; nil means .6.
	Zero func(*Text) float64
	// Containers are the sizes of containers in the last layout, by [Node.Container]; nil before the first one, for which
	// they are as large as the card.
	Containers map[int]ContainerSize
}

// styling is one run of the cascade over a document.
type styling struct {
	meter    *meter.Meter
	doc      *Document
	index    *sheet.Index
	builder  builder
	rootText Text
	warnings []Warning
	told     map[string]bool
	vars     []*Vars
	count    int
	customs  int // custom properties that elements have of their own

	counters counter.Scopes
	quotes   int // how many quotations are open

	around containers
	sizes  map[int]ContainerSize
}

// Style computes the styles of all nodes for a size. It fails only if ctx ends.
func (d *Document) Style(ctx context.Context, opts Options) (*Node, []Warning, error) {
	s := &styling{meter: meter.New(ctx), doc: d, index: sheet.NewIndex(d.rules, opts.View), told: map[string]bool{}}
	s.warnings = append(s.warnings, d.warnings...)
	s.rootText = *initial.Text
	s.builder.view, s.builder.zero, s.builder.root = opts.View, opts.Zero, &s.rootText
	s.builder.cq, s.sizes = opts.View, opts.Containers
	root := s.node(d.root, s.inherited(opts.Properties), DisplayBlock)
	for _, v := range s.vars {
		v.settle(s.meter)
	}
	if err := s.meter.Err(); err != nil {
		return nil, nil, err
	}
	if root == nil { // html{display:none}
		root = &Node{Kind: ElementNode, Tag: "html", Style: initial}
	}
	return root, s.warnings, nil
}

// inherited returns the style that the root element inherits from.
func (s *styling) inherited(properties map[string]string) *Style {
	if len(properties) == 0 {
		return initial
	}
	vars := &Vars{values: map[string]*custom{}}
	for name, text := range properties {
		vars.values[name] = &custom{values: value.Parse(text)}
	}
	s.vars = append(s.vars, vars)
	st, text := *initial, *initial.Text
	text.Vars, st.Text = vars, &text
	return &st
}

func (s *styling) warn(line, column int, format string, args ...any) {
	w := Warning{Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
	key := fmt.Sprint(w)
	const most = 200
	if !s.told[key] && len(s.warnings) < most {
		s.told[key] = true
		s.warnings = append(s.warnings, w)
	}
}

// ordered returns the declarations of an element by growing weight.
func (s *styling) ordered(e *selector.Element, pseudo string) (ua, author []*sheet.Declaration) {
	for _, m := range uaIndex().Find(e, pseudo, s.meter) {
		for i := range m.Rule.Declarations {
			ua = append(ua, &m.Rule.Declarations[i])
		}
	}
	found := s.asked(s.index.Find(e, pseudo, s.meter))
	layers := false
	for _, m := range found {
		layers = layers || m.Rule.Layer > 0
	}
	add := func(important bool) {
		pick := func(layer int) {
			for _, m := range found {
				if m.Rule.Layer != layer {
					continue
				}
				for i := range m.Rule.Declarations {
					if d := &m.Rule.Declarations[i]; d.Important == important {
						author = append(author, d)
					}
				}
			}
		}
		switch {
		case !layers:
			pick(0)
		case important: // layers in reverse
			pick(0)
			for l := s.maxLayer(found); l > 0; l-- {
				pick(l)
			}
		default:
			for l := 1; l <= s.maxLayer(found); l++ {
				pick(l)
			}
			pick(0)
		}
		if pseudo == "" {
			own := s.doc.inline[e]
			for i := range own {
				if own[i].Important == important {
					author = append(author, &own[i])
				}
			}
		}
	}
	add(false)
	add(true)
	return ua, author
}

func (s *styling) maxLayer(found []sheet.Match) int {
	n := 0
	for _, m := range found {
		n = max(n, m.Rule.Layer)
	}
	return n
}

// early are the properties that lengths and sides of others depend on.
var early = map[string]bool{"font-size": true, "font": true, "color": true, "direction": true, "all": true}

// compute returns the style of an element or pseudo-element.
func (s *styling) compute(e *selector.Element, pseudo string, parent *Style, container Display) *Style {
	b := &s.builder
	b.start(parent)
	ua, author := s.ordered(e, pseudo)
	s.customProperties(author)
	if pseudo == "" {
		s.language(e)
	}
	for pass := range 2 {
		for _, d := range ua {
			s.declare(d, pass, false)
		}
		b.reverted = nil
		if reverts(author) {
			b.reverted = b.snapshot()
		}
		if pseudo == "" {
			s.hints(e, pass)
		}
		for _, d := range author {
			s.declare(d, pass, true)
		}
		if pass == 0 {
			s.monospace(ua, author)
		}
	}
	b.reverted = nil
	if !b.textDirty && b.text.Vars != parent.Vars {
		b.textDirty = true
	}
	return b.finish(container, e.Parent == nil && pseudo == "")
}

// reverts reports whether a declaration goes back to the styles of the browser. Going back by one layer is the same
// here: what other layers say is lost.
func reverts(author []*sheet.Declaration) bool {
	for _, d := range author {
		if k, ok := wide(d.Values); ok && strings.HasPrefix(k, "revert") {
			return true
		}
	}
	return false
}

// monospace makes text whose size comes from a keyword smaller where its family is monospace alone, as browsers do.
func (s *styling) monospace(ua, author []*sheet.Declaration) {
	mono := false
	for _, list := range [][]*sheet.Declaration{ua, author} {
		for _, d := range list {
			switch d.Name {
			case "font-family":
				mono = len(d.Values) == 1 && d.Values[0].Is("monospace")
			case "font":
				mono = false
			}
		}
	}
	b := &s.builder
	was := len(b.parent.FontFamily) == 1 && b.parent.FontFamily[0] == "monospace"
	if mono && !was && !b.text.sized {
		b.text.FontSize *= 13.0 / 16
	}
}

// maxCustoms bounds the custom properties of all elements, which take some 200 bytes each.
const maxCustoms = 100_000

// customProperties collects the custom properties of an element.
func (s *styling) customProperties(author []*sheet.Declaration) {
	b := &s.builder
	var own *Vars
	for _, d := range author {
		if !strings.HasPrefix(d.Name, "--") {
			continue
		}
		if own == nil {
			own = &Vars{parent: b.parent.Vars, values: map[string]*custom{}}
			b.text.Vars = own
			s.vars = append(s.vars, own)
		}
		if k, ok := wide(d.Values); ok {
			switch k {
			case "initial":
				own.values[d.Name] = &custom{done: true, invalid: true}
			default:
				delete(own.values, d.Name)
			}
			continue
		}
		own.values[d.Name] = &custom{values: d.Values}
		if s.customs++; s.customs > maxCustoms {
			s.meter.Exceed("elements with too many custom properties")
		}
	}
}

// declare applies a declaration in the first pass if it is an early property, else in the second.
func (s *styling) declare(d *sheet.Declaration, pass int, author bool) {
	const work = 2 // of a declaration, and of each of its values
	if strings.HasPrefix(d.Name, "--") || s.meter.Spend(work+work*d.Size) {
		return
	}
	b := &s.builder
	name := b.physical(d.Name)
	if pass == 0 && !early[name] || pass == 1 && (name == "font-size" || name == "color" || name == "direction") {
		return
	}
	values := d.Values
	if d.Vars {
		budget := maxValues
		var ok bool
		values, ok = b.text.Vars.replace(d.Values, &budget, 0)
		if s.meter.Spend(work * (maxValues - budget)) {
			return
		}
		if !ok {
			b.unset(name)
			return
		}
	}
	if name == "all" {
		s.all(values, pass)
		return
	}
	if pass == 0 && name == "font" {
		if k, ok := wide(values); ok {
			b.touch(properties["font-size"])
			b.keyword(properties["font-size"], k)
			return
		}
		before := b.text
		if b.apply(name, values) {
			size, sized := b.text.FontSize, b.text.sized
			b.text = before
			b.text.FontSize, b.text.sized = size, sized
		}
		return
	}
	size := b.text.FontSize
	ok := b.apply(name, values)
	if name == "font" {
		b.text.FontSize = size
	}
	if ok || !author || isHarmless(name, values) {
		return
	}
	s.refused(d, name, values)
}

// all applies the shorthand of every property.
func (s *styling) all(values []value.Value, pass int) {
	b := &s.builder
	k, ok := wide(values)
	if !ok {
		return
	}
	if s.meter.Spend(len(properties)) {
		return
	}
	for name, p := range properties {
		if name == "direction" || name == "unicode-bidi" || early[name] != (pass == 0) {
			continue
		}
		b.touch(p)
		b.keyword(p, k)
	}
}

// refused tells of a declaration that isn't drawn.
func (s *styling) refused(d *sheet.Declaration, name string, values []value.Value) {
	switch {
	case strings.HasPrefix(name, "animation"):
		s.warn(d.Line, d.Column, "%s has no effect: the picture shows the styles without animations.", d.Name)
	case strings.HasPrefix(name, "-moz-"), strings.HasPrefix(name, "-ms-"), strings.HasPrefix(name, "-o-"):
	case properties[name] == nil && shorthands[name] == nil:
		s.warn(d.Line, d.Column, "The property %s is not supported.", short(d.Name))
	default:
		s.warn(d.Line, d.Column, "The value of %s is not supported: %s", d.Name, short(value.Format(values)))
	}
}

func short(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// node returns the styled node of an element, nil if it isn't displayed.
func (s *styling) node(e *selector.Element, parent *Style, container Display) *Node {
	const work = 64
	if s.meter.Spend(work) {
		return nil
	}
	s.count++
	st := s.compute(e, "", parent, container)
	if e.Parent == nil {
		s.rootText = *st.Text
	}
	if st.Display == DisplayNone {
		return nil
	}
	s.changeOf(e, st)
	n := &Node{Kind: ElementNode, Tag: e.Tag, Style: st, Line: e.Line, Column: e.Column, Index: s.count}
	n.Slot, _ = e.Attr("data-slot")
	hidden, _ := e.Attr("aria-hidden")
	n.Aside = strings.EqualFold(hidden, "true")
	if e.Node.Namespace == "svg" && e.Tag == "svg" {
		s.drawing(n, e)
		return n
	}
	switch e.Tag {
	case "br":
		n.Kind = LineBreakNode
		return n
	case "wbr":
		n.Kind, n.Data = TextNode, "\u200b"
		return n
	case "img":
		n.Kind = PictureNode
		n.Source, _ = e.Attr("src")
		n.AttrWidth, n.AttrHeight = attrPx(e, "width"), attrPx(e, "height")
		return n
	case "video", "canvas", "iframe", "audio", "object", "embed", "math":
		s.warn(e.Line, e.Column, "<%s> is not drawn.", e.Tag)
		return n
	case "input", "select", "textarea", "meter", "progress":
		s.warn(e.Line, e.Column, "<%s> is drawn as an empty box: forms have no controls.", e.Tag)
		return n
	case "rt", "legend", "marquee", "font":
		s.warn(e.Line, e.Column, "<%s> is drawn as plain text.", e.Tag)
	case "details":
		if _, open := e.Attr("open"); !open {
			s.warn(e.Line, e.Column, "<details> is drawn open.")
		}
	case "td", "th":
		n.ColSpan, n.RowSpan = attrCount(e, "colspan"), attrCount(e, "rowspan")
		if _, ok := e.Attr("rowspan"); ok && n.RowSpan == 0 {
			n.RowSpan = -1
		}
	}
	inner := st.Display
	if inner == DisplayContents {
		inner = container
	}
	leave := s.enter(n, e)
	s.content(n, e, st, inner)
	leave()
	return n
}

// unseen tells of what is never displayed: scripts, and what would be loaded.
func (d *Document) unseen(e *selector.Element) {
	message := ""
	switch e.Tag {
	case "script":
		message = "<script> is not run."
	case "link":
		if rel, _ := e.Attr("rel"); strings.EqualFold(rel, "stylesheet") {
			message = "A style sheet is not loaded: put its styles into the document."
		}
	case "audio", "object", "embed":
		message = "<" + e.Tag + "> is not drawn."
	}
	const most = 50
	if message != "" && len(d.warnings) < most {
		d.warnings = append(d.warnings, Warning{Line: e.Line, Column: e.Column, Message: message})
	}
}
