package css

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/render/html/css/selector"
)

// firstLetter gives the first letter of a block its own style, if there is one for it: it becomes an element. Source:
// CSS Pseudo-Elements 4, 2.2.
func (s *styling) firstLetter(n *Node, e *selector.Element, st *Style) {
	if len(s.index.Find(e, "first-letter", s.meter)) == 0 {
		return
	}
	switch st.Display {
	case DisplayBlock, DisplayListItem, DisplayFlowRoot, DisplayInlineBlock, DisplayTableCell:
	default:
		return
	}
	t, _ := firstText(n)
	if t == nil {
		return
	}
	from, to := letterIn(t.Data)
	if from == to {
		return
	}
	own := s.compute(e, "first-letter", t.Parent.Style, t.Parent.Style.Display)
	if own.Display == DisplayNone {
		return
	}
	part := func(data string) *Node {
		c := *t
		c.Data = data
		return &c
	}
	letter := &Node{Kind: ElementNode, Style: own, Parent: t.Parent, Line: e.Line, Column: e.Column, Index: t.Index}
	inner := part(t.Data[from:to])
	inner.Style, inner.Parent = own, letter
	letter.Children = []*Node{inner}
	var list []*Node
	for _, c := range t.Parent.Children {
		switch {
		case c != t:
			list = append(list, c)
		default:
			if from > 0 {
				list = append(list, part(t.Data[:from]))
			}
			list = append(list, letter)
			if to < len(t.Data) {
				list = append(list, part(t.Data[to:]))
			}
		}
	}
	t.Parent.Children = list
}

// firstText returns the first text of a block that isn't blank, unless something else begins its first line. ended
// says that the search is over.
func firstText(n *Node) (t *Node, ended bool) {
	for _, c := range n.Children {
		switch c.Kind {
		case TextNode:
			if strings.TrimSpace(c.Data) != "" {
				return c, true
			}
		case MarkerNode:
		case ElementNode:
			if c.Style.Float != FloatNone || c.Style.Position == Absolute || c.Style.Position == FixedPosition {
				continue
			}
			switch c.Style.Display {
			case DisplayInline, DisplayContents, DisplayBlock, DisplayListItem, DisplayFlowRoot:
				if t, ended = firstText(c); ended {
					return t, true
				}
			default:
				return nil, true
			}
		default:
			return nil, true
		}
	}
	return nil, false
}

// letterIn returns where the first letter of a text is, with marks on it and punctuation around it: that alone, if the
// letter is in another element, as in Chromium.
func letterIn(text string) (from, to int) {
	from = len(text) - len(strings.TrimLeft(text, " \t\r\n\f"))
	letters := 0
	for to = from; to < len(text); {
		r, size := utf8.DecodeRuneInString(text[to:])
		punctuation := unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf, unicode.Po)
		if !punctuation && !unicode.Is(unicode.M, r) {
			if letters++; letters > 1 || unicode.IsSpace(r) {
				break
			}
		}
		to += size
	}
	return from, to
}
