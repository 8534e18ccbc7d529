package layout

import (
	"fmt"
	"strings"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
)

// boxKind is what a box is to its parent and inside.
type boxKind uint8

const (
	flowBox     boxKind = iota // a block container
	flexBox                    // a flex container
	gridBox                    // a grid container
	inlineBox                  // an inline box
	textBox                    // text in a block container or an inline box
	breakBox                   // a forced line break
	replacedBox                // img, svg
	tableBox                   // a table
	groupBox                   // a group of rows in a table
	rowBox                     // a row of a table
)

// box is a box of the document. A block container has either only inline-level or only block-level children, apart
// from floats and absolutely positioned boxes.
type box struct {
	kind      boxKind
	node      *css.Node
	style     *css.Style
	parent    *box
	kids      []*box
	text      string
	anonymous bool
	inline    bool // inline-level: in lines of its parent
	inlines   bool // its children are inline-level
	item      bool // of a flex container or grid
	root      bool // establishes a block formatting context
	marker    bool // of a list item, outside
	cell      bool // of a table
	table     *table
	decor     []*box
	picture   *Picture
	fitted    bool // a copy made for --fit
	maxLines  int  // of a copy that doesn't fit
	fit       fittedBox

	cache     [6]cachedPiece
	cacheNext int
	sizes     [3]cachedSizes
	sizesNext int
	content   *inlineContent
}

// cachedPiece is a result of layout by its constraints.
type cachedPiece struct {
	space space
	piece *piece
}

// cachedSizes are intrinsic sizes by the height that percentages refer to.
type cachedSizes struct {
	ok     bool
	height float64
	sizes  sizes
}

// outOfFlow reports whether the box is absolutely positioned.
func (b *box) outOfFlow() bool {
	if b.anonymous || b.kind == textBox || b.kind == breakBox {
		return false
	}
	return b.style.Position == css.Absolute || b.style.Position == css.FixedPosition
}

// floating reports whether the box is a float.
func (b *box) floating() bool {
	return !b.anonymous && b.kind != textBox && b.kind != breakBox && b.style.Float != css.FloatNone &&
		!b.outOfFlow() && !b.item
}

// relative reports whether the box is moved from its place in the flow.
func (b *box) relative() bool {
	return !b.anonymous && b.kind != textBox && b.style.Position == css.Relative
}

// atomic reports whether the box is one unit in a line.
func (b *box) atomic() bool {
	return b.inline && b.kind != inlineBox && b.kind != textBox && b.kind != breakBox
}

// buildRoot returns the box of the root element.
func (l *layouter) buildRoot(n *css.Node) *box {
	if n == nil || n.Style == nil || n.Style.Display == css.DisplayNone {
		return nil
	}
	root := l.newBox(n, nil, false)
	root.inline, root.root = false, true
	if root.kind == inlineBox {
		root.kind = flowBox
	}
	l.fill(root, 1)
	return root
}

// newBox returns the box of an element without its children. blockify says that its display becomes block-level.
func (l *layouter) newBox(n *css.Node, parent *box, blockify bool) *box {
	l.boxes++
	if l.boxes > MaxBoxes {
		panic(stopped{fmt.Errorf("%w: it has more than %d boxes", ErrBounds, MaxBoxes)})
	}
	b := &box{node: n, style: n.Style, parent: parent}
	s := n.Style
	switch n.Kind {
	case css.PictureNode, css.DrawingNode:
		b.kind = replacedBox
		b.picture = l.pictureOf(n)
	default:
		b.kind = l.innerKind(n)
		if b.kind == flowBox && !blockify {
			b.kind, b.cell = tableKind(s.Display, parent)
		}
	}
	b.inline = inlineLevel(s.Display)
	if blockify || s.Position == css.Absolute || s.Position == css.FixedPosition || s.Float != css.FloatNone {
		b.inline = false
	}
	if b.kind == inlineBox && !b.inline {
		b.kind = flowBox
	}
	b.root = b.kind != flowBox || b.inline || s.Display == css.DisplayFlowRoot || s.Display == css.DisplayTable ||
		(s.OverflowX == css.OverflowHidden || s.OverflowY == css.OverflowHidden) && !ofViewport(n, parent) || blockify ||
		s.Position == css.Absolute || s.Position == css.FixedPosition || s.Float != css.FloatNone ||
		clamps(s) > 0 || b.cell || s.ContainerType != css.NoContainer
	b.decor = decorations(b, parent)
	return b
}

// ofViewport reports whether the overflow of an element is that of the viewport: of body, unless html has its own.
// Source: CSS Overflow 3, 3.3.
func ofViewport(n *css.Node, parent *box) bool {
	return n.Tag == "body" && parent != nil && parent.parent == nil && parent.style.OverflowX == css.OverflowVisible &&
		parent.style.OverflowY == css.OverflowVisible
}

// decorations returns the boxes whose text decorations apply to the text of b. They propagate to all in-flow children
// but not into inline-blocks.
func decorations(b, parent *box) []*box {
	var out []*box
	if parent != nil && !b.outOfFlow() && !b.floating() && !b.atomic() {
		out = parent.decor
	}
	if b.style.Decoration.Any() {
		out = append(out[:len(out):len(out)], b)
	}
	return out
}

func inlineLevel(d css.Display) bool {
	switch d {
	case css.DisplayInline, css.DisplayInlineBlock, css.DisplayInlineFlex, css.DisplayInlineGrid,
		css.DisplayInlineWebkitBox, css.DisplayInlineTable:
		return true
	}
	return false
}

// clamps returns the maximum number of lines by line-clamp, or 0.
func clamps(s *css.Style) int {
	if s.BoxOrient == css.OrientVertical &&
		(s.Display == css.DisplayWebkitBox || s.Display == css.DisplayInlineWebkitBox) {
		return s.LineClamp
	}
	return 0
}

// innerKind returns what an element is inside.
func (l *layouter) innerKind(n *css.Node) boxKind {
	switch n.Style.Display {
	case css.DisplayInline:
		return inlineBox
	case css.DisplayTable, css.DisplayInlineTable:
		return tableBox
	case css.DisplayFlex, css.DisplayInlineFlex:
		return flexBox
	case css.DisplayGrid, css.DisplayInlineGrid:
		return gridBox
	case css.DisplayWebkitBox, css.DisplayInlineWebkitBox:
		if clamps(n.Style) > 0 {
			return flowBox
		}
		return flexBox
	}
	return flowBox
}

// pictureOf returns the natural size of a replaced element.
func (l *layouter) pictureOf(n *css.Node) *Picture {
	p := &Picture{Source: n.Source, SVG: n.Kind == css.DrawingNode}
	if p.SVG {
		p.Width, p.Height, p.Ratio = n.AttrWidth, n.AttrHeight, n.Ratio
		if p.Ratio == 0 && p.Width > 0 && p.Height > 0 {
			p.Ratio = p.Width / p.Height
		}
		return p
	}
	if w, h, ok := l.images(n.Source); ok {
		p.Width, p.Height = w, h
		if w > 0 && h > 0 {
			p.Ratio = w / h
		}
	} else {
		p.Missing = true
	}
	return p
}

// fill creates the children of b.
func (l *layouter) fill(b *box, depth int) {
	if depth > MaxDepth*2 {
		panic(stopped{fmt.Errorf("%w: it is nested deeper than %d", ErrBounds, MaxDepth)})
	}
	switch b.kind {
	case replacedBox, textBox, breakBox:
		return
	case flexBox, gridBox:
		l.fillItems(b, depth)
	case tableBox, groupBox, rowBox:
		l.fillTable(b, depth)
		if b.kind == tableBox {
			l.tableOf(b)
		}
	default:
		l.collect(b, b.node.Children, depth, false)
		l.normalize(b)
	}
}

// collect appends the boxes of nodes to b.
func (l *layouter) collect(b *box, nodes []*css.Node, depth int, items bool) {
	if depth > MaxDepth*2 {
		panic(stopped{fmt.Errorf("%w: it is nested deeper than %d", ErrBounds, MaxDepth)})
	}
	for _, n := range nodes {
		l.spend(1)
		if n.Style == nil || n.Style.Display == css.DisplayNone && n.Kind != css.TextNode {
			continue
		}
		switch n.Kind {
		case css.TextNode:
			if n.Data == "" {
				continue
			}
			l.boxes++
			b.kids = append(b.kids, &box{
				kind: textBox, node: n, style: n.Style, parent: b, text: n.Data, inline: true, decor: textDecor(n, b),
			})
			continue
		case css.LineBreakNode:
			b.kids = append(b.kids, &box{kind: breakBox, node: n, style: n.Style, parent: b, inline: true})
			continue
		case css.MarkerNode:
			if n.Style.ListInside && n.Symbol.Symbol() {
				b.kids = append(b.kids, l.newBox(l.symbolInside(n), b, items))
				continue
			}
			b.kids = append(b.kids, &box{
				kind: textBox, node: n, style: tabular(n.Style), parent: b, text: n.Data, inline: true,
				marker: !n.Style.ListInside,
			})
			continue
		}
		if n.Style.Display == css.DisplayContents {
			l.collect(b, n.Children, depth+1, items)
			continue
		}
		kid := l.newBox(n, b, items)
		kid.item = items && !kid.outOfFlow()
		b.kids = append(b.kids, kid)
		l.fill(kid, depth+1)
	}
}

// symbolInside returns a symbol in the line of its list item as an element, with the space that browsers give it.
// Source: Blink, ListMarker::InlineMarginsForInside.
func (l *layouter) symbolInside(n *css.Node) *css.Node {
	st, size, _, above := l.symbolOf(n)
	st.Display, st.BoxSizing = css.DisplayInlineBlock, css.BorderBox
	st.Width, st.Height = value.Px(size), value.Px(size)
	st.VerticalAlign = css.VerticalAlign{Raise: above - size}
	st.Margin.Right = value.Px(n.Style.FontSize + 1)
	if n.Style.Direction == css.RTL {
		st.Margin.Left, st.Margin.Right = st.Margin.Right, st.Margin.Left
	}
	return &css.Node{Kind: css.ElementNode, Style: st, Line: n.Line, Column: n.Column, Parent: n.Parent}
}

// textDecor returns the decorations of text whose node's parent may have display: contents.
func textDecor(_ *css.Node, b *box) []*box { return b.decor }

// fillItems creates the items of a flex container or grid: every element is blockified, and text in between becomes an
// anonymous item.
func (l *layouter) fillItems(b *box, depth int) {
	l.collect(b, b.node.Children, depth, true)
	kids := b.kids
	b.kids = nil
	var run []*box
	flush := func() {
		if !onlySpace(run) {
			b.kids = append(b.kids, l.anonymousBlock(b, run, true))
		}
		run = nil
	}
	for _, k := range kids {
		if k.kind == textBox || k.kind == breakBox {
			run = append(run, k)
			continue
		}
		flush()
		b.kids = append(b.kids, k)
	}
	flush()
}

// onlySpace reports whether boxes have nothing to show.
func onlySpace(boxes []*box) bool {
	for _, k := range boxes {
		switch {
		case k.outOfFlow() || k.floating():
		case k.kind == textBox && strings.Trim(k.text, " \t\n\r\f") == "" && collapses(k.style):
		default:
			return false
		}
	}
	return true
}

// anonymousBlock returns a block around inline-level boxes.
func (l *layouter) anonymousBlock(parent *box, kids []*box, item bool) *box {
	l.boxes++
	out := &box{
		kind: flowBox, node: nil, style: inheritedStyle(parent.style), parent: parent, kids: kids, anonymous: true,
		inlines: true, item: item, root: item, decor: parent.decor,
	}
	for _, k := range kids {
		k.parent = out
	}
	return out
}

// inheritedStyle returns the style of an anonymous box.
func inheritedStyle(s *css.Style) *css.Style {
	return &css.Style{
		Text: s.Text, Effects: s.Effects, Display: css.DisplayBlock, ZAuto: true, Opacity: 1,
		MaxWidth: value.Size{Kind: value.None}, MaxHeight: value.Size{Kind: value.None}, FlexShrink: 1,
		AlignSelf: css.AlignAuto, JustifySelf: css.AlignAuto,
	}
}

// normalize makes the children of a block container or an inline box all inline-level or all block-level. Blocks in
// inline boxes stay: they are lines of their own.
func (l *layouter) normalize(b *box) {
	if b.kind == inlineBox {
		return
	}
	blocks, inlines := false, false
	for _, k := range b.kids {
		switch {
		case k.outOfFlow() || k.floating():
		case k.inline:
			inlines = true
		default:
			blocks = true
		}
	}
	if !blocks {
		b.inlines = inlines
		if inlines && onlySpace(b.kids) {
			b.inlines = false
			b.kids = withoutSpace(b.kids)
		}
		return
	}
	if !inlines {
		return
	}
	kids := b.kids
	b.kids = nil
	var run []*box
	flush := func() {
		if onlySpace(run) {
			b.kids = append(b.kids, withoutSpace(run)...)
		} else {
			b.kids = append(b.kids, l.anonymousBlock(b, run, false))
		}
		run = nil
	}
	for _, k := range kids {
		if k.inline || (k.outOfFlow() || k.floating()) && len(run) > 0 && !onlySpace(run) {
			run = append(run, k)
			continue
		}
		flush()
		b.kids = append(b.kids, k)
	}
	flush()
}

// withoutSpace returns the boxes that aren't text.
func withoutSpace(boxes []*box) []*box {
	var out []*box
	for _, k := range boxes {
		if k.kind != textBox {
			out = append(out, k)
		}
	}
	return out
}

// collapses reports whether white space of a style is collapsed.
func collapses(s *css.Style) bool {
	switch s.WhiteSpace {
	case css.WhiteNormal, css.WhiteNowrap, css.WhitePreLine:
		return true
	}
	return false
}

// keepsBreaks reports whether line feeds of a style break lines.
func keepsBreaks(s *css.Style) bool {
	switch s.WhiteSpace {
	case css.WhiteNormal, css.WhiteNowrap:
		return false
	}
	return true
}

// wraps reports whether lines of a style may be broken.
func wraps(s *css.Style) bool { return s.WhiteSpace != css.WhiteNowrap && s.WhiteSpace != css.WhitePre }
