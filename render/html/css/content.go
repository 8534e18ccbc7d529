package css

import (
	"strings"

	"golang.org/x/net/html"

	"masthead/render/html/css/selector"
	"masthead/render/html/css/value"
)

// content adds the children of an element: marker, generated content, text and elements.
func (s *styling) content(n *Node, e *selector.Element, st *Style, inner Display) {
	add := func(c *Node) {
		if c != nil {
			c.Parent = n
			n.Children = append(n.Children, c)
		}
	}
	s.counters.Enter()
	defer s.counters.Leave()
	if st.Display == DisplayListItem {
		add(s.marker(e, st, inner))
	}
	add(s.generated(e, "before", st, inner))
	child := 0
	for c := e.Node.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			if c.Data != "" {
				add(&Node{Kind: TextNode, Style: st, Data: c.Data, Line: e.Line, Column: e.Column, Index: s.count})
			}
		case html.ElementNode:
			add(s.node(e.Children[child], st, inner))
			child++
		}
	}
	add(s.generated(e, "after", st, inner))
	s.firstLetter(n, e, st)
}

// generated returns the node of ::before or ::after; nil without content.
func (s *styling) generated(e *selector.Element, pseudo string, parent *Style, container Display) *Node {
	if len(s.index.Find(e, pseudo, s.meter)) == 0 && e.Tag != "q" {
		return nil
	}
	st := s.compute(e, pseudo, parent, container)
	if st.Display == DisplayNone || len(st.content) == 0 ||
		len(st.content) == 1 && (st.content[0].Is("none") || st.content[0].Is("normal")) {
		return nil
	}
	s.change(st)
	n := &Node{Kind: ElementNode, Style: st, Line: e.Line, Column: e.Column, Index: s.count}
	if !s.contentOf(n, e, st) {
		return nil
	}
	return n
}

// contentOf adds the content of a pseudo-element; ok is false if it has something that isn't supported.
func (s *styling) contentOf(n *Node, e *selector.Element, st *Style) (ok bool) {
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			n.Children = append(n.Children, &Node{
				Kind: TextNode, Style: st, Data: words.String(), Parent: n, Line: e.Line, Column: e.Column,
			})
			words.Reset()
		}
	}
	for i := range st.content {
		v := &st.content[i]
		switch {
		case v.Kind == value.String:
			words.WriteString(v.Text)
		case v.Kind == value.URL:
			flush()
			pic := *initial
			pic.Text = st.Text
			n.Children = append(n.Children, &Node{
				Kind: PictureNode, Style: &pic, Source: v.Text, Parent: n, Line: e.Line, Column: e.Column,
			})
		case v.Fn("attr") && len(v.Args) > 0:
			a, _ := e.Attr(v.Args[0].Text)
			words.WriteString(a)
		case v.Is("open-quote"):
			words.WriteString(st.quote(s.quotes, false))
			s.quotes++
		case v.Is("close-quote"):
			if s.quotes > 0 { // without an open quote there is nothing to close
				s.quotes--
				words.WriteString(st.quote(s.quotes, true))
			}
		case v.Delim("/"): // alternative text
			flush()
			return true
		case v.Fn("counter"), v.Fn("counters"):
			words.WriteString(s.counted(v))
		case v.Is("no-open-quote"):
			s.quotes++
		case v.Is("no-close-quote"):
			s.quotes = max(s.quotes-1, 0)
		default:
			s.warn(e.Line, e.Column, "content with %s is not supported.", short(value.Format(st.content[i:i+1])))
			return false
		}
	}
	flush()
	return true
}
