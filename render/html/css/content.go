package css

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// content adds the children of an element: marker, generated content, text and elements.
func (s *styling) content(n *Node, e *element, st *Style, inner Display) {
	add := func(c *Node) {
		if c != nil {
			c.Parent = n
			n.Children = append(n.Children, c)
		}
	}
	if st.Display == DisplayListItem && st.ListStyle != ListNone {
		add(&Node{Kind: MarkerNode, Style: st, Data: marker(e, st.ListStyle), Line: e.line, Column: e.column})
	}
	add(s.generated(e, "before", st, inner))
	child := 0
	for c := e.node.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			if c.Data != "" {
				add(&Node{Kind: TextNode, Style: st, Data: c.Data, Line: e.line, Column: e.column, Index: s.count})
			}
		case html.ElementNode:
			add(s.node(e.children[child], st, inner))
			child++
		}
	}
	add(s.generated(e, "after", st, inner))
}

// marker returns the text of a list item's marker.
func marker(e *element, style ListStyle) string {
	n := 1
	if e.parent != nil {
		if v, ok := e.parent.attr("start"); ok {
			n, _ = strconv.Atoi(strings.TrimSpace(v))
		}
	}
	for _, c := range e.siblings {
		if v, ok := c.attr("value"); ok && c.tag == "li" {
			n, _ = strconv.Atoi(strings.TrimSpace(v))
		}
		if c == e {
			break
		}
		if c.tag == "li" {
			n++
		}
	}
	n = min(max(n, -9999), 9999)
	switch style {
	case ListDisc:
		return "•"
	case ListCircle:
		return "◦"
	case ListSquare:
		return "▪"
	case ListDecimalZero:
		return fmt.Sprintf("%02d.", n)
	case ListLowerAlpha, ListUpperAlpha:
		t := letters(n)
		if style == ListUpperAlpha {
			t = strings.ToUpper(t)
		}
		return t + "."
	case ListLowerRoman, ListUpperRoman:
		t := roman(n)
		if style == ListUpperRoman {
			t = strings.ToUpper(t)
		}
		return t + "."
	}
	return strconv.Itoa(n) + "."
}

func letters(n int) string {
	if n < 1 {
		return strconv.Itoa(n)
	}
	t := ""
	for ; n > 0; n = (n - 1) / 26 {
		t = string(rune('a'+(n-1)%26)) + t
	}
	return t
}

func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, d := range []struct {
		n int
		s string
	}{
		{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"},
		{9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"},
	} {
		for ; n >= d.n; n -= d.n {
			b.WriteString(d.s)
		}
	}
	return b.String()
}

// generated returns the node of ::before or ::after; nil without content.
func (s *styling) generated(e *element, pseudo string, parent *Style, container Display) *Node {
	if len(s.index.find(e, pseudo)) == 0 && e.tag != "q" {
		return nil
	}
	st := s.compute(e, pseudo, parent, container)
	if st.Display == DisplayNone || len(st.content) == 0 ||
		len(st.content) == 1 && (st.content[0].is("none") || st.content[0].is("normal")) {
		return nil
	}
	n := &Node{Kind: ElementNode, Style: st, Line: e.line, Column: e.column, Index: s.count}
	var words strings.Builder
	flush := func() {
		if words.Len() > 0 {
			n.Children = append(n.Children, &Node{
				Kind: TextNode, Style: st, Data: words.String(), Parent: n, Line: e.line, Column: e.column,
			})
			words.Reset()
		}
	}
	for i := range st.content {
		v := &st.content[i]
		switch {
		case v.kind == text:
			words.WriteString(v.text)
		case v.kind == address:
			flush()
			pic := *initial
			pic.Text = st.Text
			n.Children = append(n.Children, &Node{
				Kind: PictureNode, Style: &pic, Source: v.text, Parent: n, Line: e.line, Column: e.column,
			})
		case v.fn("attr") && len(v.args) > 0:
			a, _ := e.attr(v.args[0].text)
			words.WriteString(a)
		case v.is("open-quote"):
			words.WriteString("“")
		case v.is("close-quote"):
			words.WriteString("”")
		case v.delim("/"): // alternative text
			flush()
			return n
		case v.is("no-open-quote"), v.is("no-close-quote"):
		default:
			s.warn(e.line, e.column, "content with %s is not supported.", short(textOf(st.content[i:i+1])))
			return nil
		}
	}
	flush()
	return n
}
