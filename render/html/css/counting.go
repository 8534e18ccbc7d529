package css

import (
	"strconv"
	"strings"

	"masthead/render/html/counter"
	"masthead/render/html/css/selector"
	"masthead/render/html/css/value"
)

// The properties that change counters, in the order in which they do.
const (
	changeReset = iota
	changeIncrement
	changeSet
	counterChanges
)

// maxCounters bounds the counters that an element changes.
const maxCounters = 32

// readCounters reads names of counters with numbers; without one it is 1 of increments, else 0.
func readCounters(increment bool) func(b *builder, v []value.Value) ([]counter.Op, bool) {
	usual := 0
	if increment {
		usual = 1
	}
	return func(b *builder, v []value.Value) (list []counter.Op, ok bool) {
		if len(v) == 1 && v[0].Is("none") {
			return nil, true
		}
		for i := 0; i < len(v); i++ {
			if v[i].Kind != value.Ident || len(list) == maxCounters {
				return nil, false
			}
			op := counter.Op{Name: v[i].Text, Value: usual}
			if i+1 < len(v) {
				if n, isNumber := b.number(&v[i+1]); isNumber {
					op.Value = int(min(max(n, -1e9), 1e9))
					i++
				}
			}
			list = append(list, op)
		}
		return list, len(list) > 0
	}
}

// listItem is the counter of list items.
const listItem = "list-item"

// change applies the changes of a style to the counters.
func (s *styling) change(st *Style) {
	for _, op := range st.counters[changeReset] {
		s.counters.Reset(op)
	}
	for _, op := range st.counters[changeIncrement] {
		s.counters.Increment(op)
	}
	for _, op := range st.counters[changeSet] {
		s.counters.Set(op)
	}
}

// changeOf applies the changes of an element: those of its style, and those that lists have by themselves.
func (s *styling) changeOf(e *selector.Element, st *Style) {
	own := &st.counters
	switch e.Tag {
	case "ol", "ul", "menu", "dir":
		if !counter.Has(own[changeReset], listItem) {
			s.counters.Reset(counter.Op{Name: listItem, Value: beforeFirst(e)})
		}
	}
	s.change(st)
	if st.Display == DisplayListItem && !counter.Has(own[changeIncrement], listItem) {
		step := 1
		if e.Parent != nil && reversed(e.Parent) {
			step = -1
		}
		s.counters.Increment(counter.Op{Name: listItem, Value: step})
		for _, op := range own[changeSet] { // what is set holds
			s.counters.Set(op)
		}
	}
	if v, ok := e.Attr("value"); ok && e.Tag == "li" && !counter.Has(own[changeSet], listItem) {
		if n, err := strconv.Atoi(strings.TrimSpace(v)); err == nil {
			s.counters.Set(counter.Op{Name: listItem, Value: n})
		}
	}
}

func reversed(e *selector.Element) bool {
	_, ok := e.Attr("reversed")
	return ok && e.Tag == "ol"
}

// beforeFirst returns the number before that of the first item of a list.
func beforeFirst(e *selector.Element) int {
	step, first := 1, 1
	if reversed(e) {
		step, first = -1, 0
		for _, c := range e.Children {
			if c.Tag == "li" {
				first++
			}
		}
	}
	if v, ok := e.Attr("start"); ok && e.Tag == "ol" {
		if n, err := strconv.Atoi(strings.TrimSpace(v)); err == nil {
			first = n
		}
	}
	return first - step
}

// maxCounted bounds the text that counters() makes, in bytes.
const maxCounted = 1000

// counted returns the text of counter() or counters().
func (s *styling) counted(v *value.Value) string {
	args := value.SplitCommas(v.Args)
	at := 1
	if v.Fn("counters") {
		at = 2
	}
	if len(args) < at || len(args[0]) != 1 {
		return ""
	}
	style := counter.Decimal
	if len(args) > at && len(args[at]) == 1 {
		if k, ok := counter.Styles[strings.ToLower(args[at][0].Text)]; ok {
			style = k
		}
	}
	name := args[0][0].Text
	if at == 1 {
		return style.Format(s.counters.Value(name))
	}
	if len(args[1]) != 1 {
		return ""
	}
	var b strings.Builder
	for i, n := range s.counters.Values(name) {
		part := style.Format(n)
		if i > 0 {
			part = args[1][0].Text + part
		}
		if b.Len()+len(part) > maxCounted {
			break
		}
		b.WriteString(part)
	}
	return b.String()
}

// marker returns the marker of a list item, with the style of its ::marker; nil if it has none.
func (s *styling) marker(e *selector.Element, st *Style, inner Display) *Node {
	n := &Node{Kind: MarkerNode, Style: st, Line: e.Line, Column: e.Column, Symbol: st.listType.style}
	if len(s.index.Find(e, "marker", s.meter)) > 0 {
		own := s.compute(e, "marker", st, inner)
		style := *initial
		style.Text = own.Text
		n.Style = &style
		switch c := own.content; {
		case len(c) == 1 && c[0].Is("none"):
			return nil
		case len(c) > 0 && !c[0].Is("normal"):
			words := &Node{Kind: ElementNode, Line: e.Line, Column: e.Column}
			if !s.contentOf(words, e, own) {
				return nil
			}
			for _, w := range words.Children {
				n.Data += w.Data
			}
			n.Symbol = counter.Text
			return n
		}
	}
	switch style := st.listType.style; style {
	case counter.None:
		return nil
	case counter.Text:
		n.Data = st.listType.text
	default:
		n.Data = style.Format(s.counters.Value(listItem)) + style.Suffix()
	}
	return n
}
