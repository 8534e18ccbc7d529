package css

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"masthead/render/html/css/selector"
	"masthead/render/html/css/value"
)

// drawing makes the node of an inline <svg>: Source is all behind "<svg", without its size.
func (s *styling) drawing(n *Node, e *selector.Element) {
	n.Kind = DrawingNode
	n.AttrWidth, n.AttrHeight = attrPx(e, "width"), attrPx(e, "height")
	if v, ok := e.Attr("viewBox"); ok {
		var box []float64
		for _, f := range strings.FieldsFunc(v, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\t' }) {
			x, _ := value.NumberOf(f)
			box = append(box, x)
		}
		if len(box) == 4 && box[2] > 0 && box[3] > 0 {
			n.Ratio = box[2] / box[3]
		}
	}
	var b strings.Builder
	s.writeSVG(&b, e, n.Style, true)
	n.Source = strings.TrimPrefix(b.String(), "<svg")
}

// painted are the properties of an <svg> that its drawing inherits; others are those of its box.
func painted(name string) bool {
	return strings.HasPrefix(name, "fill") || strings.HasPrefix(name, "stroke") || strings.HasPrefix(name, "stop-") ||
		name == "text-anchor" || name == "clip-rule" || name == "dominant-baseline"
}

// ofBox are the attributes of an <svg> that are those of its box, or that its document is given.
var ofBox = map[string]bool{"width": true, "height": true, "xmlns": true, "class": true, "xmlns:xlink": true}

// writeSVG writes an element of a drawing, with the declarations that apply to it as its style attribute.
func (s *styling) writeSVG(b *strings.Builder, e *selector.Element, st *Style, isRoot bool) {
	b.WriteString("<" + e.Node.Data)
	for _, a := range e.Node.Attr {
		if a.Key == "style" || isRoot && (ofBox[a.Key] || a.Namespace == "xmlns") {
			continue
		}
		name := a.Key
		if a.Namespace != "" {
			name = a.Namespace + ":" + name
		}
		if strings.ContainsAny(name, "<>\"'&= \t\n/") {
			continue
		}
		fmt.Fprintf(b, ` %s="%s"`, name, html.EscapeString(a.Val))
	}
	var style strings.Builder
	if isRoot {
		c := st.Color
		fmt.Fprintf(&style, "color:rgba(%d,%d,%d,%.4g);font-size:%.6gpx;", c.R, c.G, c.B, float64(c.A)/255, st.FontSize)
	}
	_, author := s.ordered(e, "")
	for _, d := range author {
		if strings.HasPrefix(d.Name, "--") || isRoot && !painted(d.Name) {
			continue
		}
		values := d.Values
		if d.Vars {
			budget := maxValues
			var ok bool
			if values, ok = st.Vars.replace(values, &budget, 0); !ok {
				continue
			}
		}
		style.WriteString(d.Name + ":" + value.Format(values) + ";")
	}
	if style.Len() > 0 {
		fmt.Fprintf(b, ` style="%s"`, html.EscapeString(style.String()))
	}
	if e.Node.FirstChild == nil {
		b.WriteString("/>")
		return
	}
	b.WriteByte('>')
	child := 0
	for c := e.Node.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			b.WriteString(html.EscapeString(c.Data))
		case html.ElementNode:
			s.writeSVG(b, e.Children[child], st, false)
			child++
		}
	}
	b.WriteString("</" + e.Node.Data + ">")
}
