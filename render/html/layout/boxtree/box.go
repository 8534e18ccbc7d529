package boxtree

import (
	"fmt"
	"strings"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
)

// Kind is what a box is to its parent and inside.
type Kind uint8

// The kinds of boxes.
const (
	FlowBox     Kind = iota // a block container
	FlexBox                 // a flex container
	GridBox                 // a grid container
	InlineBox               // an inline box
	TextBox                 // text in a block container or an inline box
	BreakBox                // a forced line break
	ReplacedBox             // img, svg
	TableBox                // a table
	GroupBox                // a group of rows in a table
	rowBox                  // a row of a table
	turnedBox               // around content in another writing mode; see turned.go
)

// Box is a box of the document. A block container has either only inline-level or only block-level children, apart
// from floats and absolutely positioned boxes.
type Box struct {
	Kind      Kind
	Node      *css.Node
	Style     *css.Style
	Parent    *Box
	Kids      []*Box
	Text      string
	Anonymous bool
	Inline    bool // inline-level: in lines of its parent
	Inlines   bool // its children are inline-level
	Item      bool // of a flex container or grid
	Root      bool // establishes a block formatting context
	Marker    bool // of a list item, outside
	cell      bool // of a table
	table     *Table
	Decor     []*Box
	Picture   *fragment.Image
	quarters  int  // by which it is turned with what is around it
	Fitted    bool // a copy made for --fit
	MaxLines  int  // of a copy that doesn't fit
	Fit       fittedBox

	AutoHeight *Box // a copy whose height is auto; nil until a flex container needs it

	Cache      [6]CachedPiece
	cacheNext  int
	sizes      [3]cachedSizes
	sizesNext  int
	layouts    int    // how often it was laid out
	last       *Piece // of the last time
	intrinsics int    // how often its intrinsic widths were computed
	Content    any    // of inline formatting: kept by it
}

// CachedPiece is a result of layout by its constraints.
type CachedPiece struct {
	space Space
	piece *Piece
}

// cachedSizes are intrinsic sizes by the height that percentages refer to.
type cachedSizes struct {
	ok     bool
	height float64
	sizes  Sizes
}

// OutOfFlow reports whether the box is absolutely positioned.
func (b *Box) OutOfFlow() bool {
	if b.Anonymous || b.Kind == TextBox || b.Kind == BreakBox {
		return false
	}
	return b.Style.Position == css.Absolute || b.Style.Position == css.FixedPosition
}

// Floating reports whether the box is a float.
func (b *Box) Floating() bool {
	return !b.Anonymous && b.Kind != TextBox && b.Kind != BreakBox && b.Style.Float != css.FloatNone &&
		!b.OutOfFlow() && !b.Item
}

// Relative reports whether the box is moved from its place in the flow.
func (b *Box) Relative() bool {
	return !b.Anonymous && b.Kind != TextBox && b.Style.Position == css.Relative
}

// Atomic reports whether the box is one unit in a line.
func (b *Box) Atomic() bool {
	return b.Inline && b.Kind != InlineBox && b.Kind != TextBox && b.Kind != BreakBox
}

// BuildRoot returns the box of the root element.
func (l *State) BuildRoot(n *css.Node) *Box {
	if n == nil || n.Style == nil || n.Style.Display == css.DisplayNone {
		return nil
	}
	root := l.newBox(n, nil, false)
	root.Inline, root.Root = false, true
	if root.Kind == InlineBox {
		root.Kind = FlowBox
	}
	l.fill(root, 1)
	return root
}

// newBox returns the box of an element without its children. blockify says that its display becomes block-level.
func (l *State) newBox(n *css.Node, parent *Box, blockify bool) *Box {
	l.boxes++
	if l.boxes > MaxBoxes {
		panic(bailout{fmt.Errorf("%w: it has more than %d boxes", ErrBounds, MaxBoxes)})
	}
	b := &Box{Node: n, Style: n.Style, Parent: parent}
	if parent != nil {
		b.quarters = parent.quarters
	}
	s := n.Style
	switch n.Kind {
	case css.PictureNode, css.DrawingNode:
		b.Kind = ReplacedBox
		b.Picture = l.pictureOf(n)
	default:
		b.Kind = l.innerKind(n)
		if b.Kind == FlowBox && !blockify {
			b.Kind, b.cell = tableKind(s.Display, parent)
		}
	}
	b.Inline = InlineLevel(s.Display)
	if blockify || s.Position == css.Absolute || s.Position == css.FixedPosition || s.Float != css.FloatNone {
		b.Inline = false
	}
	if b.Kind == InlineBox && (!b.Inline || b.turns() != 0) {
		b.Kind = FlowBox
	}
	b.Root = b.Kind != FlowBox || b.Inline || s.Display == css.DisplayFlowRoot || s.Display == css.DisplayTable ||
		(s.OverflowX == css.OverflowHidden || s.OverflowY == css.OverflowHidden) && !ofViewport(n, parent) || blockify ||
		s.Position == css.Absolute || s.Position == css.FixedPosition || s.Float != css.FloatNone ||
		Clamps(s) > 0 || b.cell || b.turns() != 0 || s.ContainerType != css.NoContainer
	b.Decor = decorations(b, parent)
	return b
}

// ofViewport reports whether the overflow of an element is that of the viewport: of body, unless html has its own.
// Source: CSS Overflow 3, 3.3.
func ofViewport(n *css.Node, parent *Box) bool {
	return n.Tag == "body" && parent != nil && parent.Parent == nil && parent.Style.OverflowX == css.OverflowVisible &&
		parent.Style.OverflowY == css.OverflowVisible
}

// decorations returns the boxes whose text decorations apply to the text of b. They propagate to all in-flow children
// but not into inline-blocks.
func decorations(b, parent *Box) []*Box {
	var out []*Box
	if parent != nil && !b.OutOfFlow() && !b.Floating() && !b.Atomic() {
		out = parent.Decor
	}
	if b.Style.Decoration.Any() {
		out = append(out[:len(out):len(out)], b)
	}
	return out
}

// InlineLevel reports whether boxes of a display are in lines.
func InlineLevel(d css.Display) bool {
	switch d {
	case css.DisplayInline, css.DisplayInlineBlock, css.DisplayInlineFlex, css.DisplayInlineGrid,
		css.DisplayInlineWebkitBox, css.DisplayInlineTable:
		return true
	}
	return false
}

// Clamps returns the maximum number of lines by line-clamp, or 0.
func Clamps(s *css.Style) int {
	if s.BoxOrient == css.OrientVertical &&
		(s.Display == css.DisplayWebkitBox || s.Display == css.DisplayInlineWebkitBox) {
		return s.LineClamp
	}
	return 0
}

// innerKind returns what an element is inside.
func (l *State) innerKind(n *css.Node) Kind {
	switch n.Style.Display {
	case css.DisplayInline:
		return InlineBox
	case css.DisplayTable, css.DisplayInlineTable:
		return TableBox
	case css.DisplayFlex, css.DisplayInlineFlex:
		return FlexBox
	case css.DisplayGrid, css.DisplayInlineGrid:
		return GridBox
	case css.DisplayWebkitBox, css.DisplayInlineWebkitBox:
		if Clamps(n.Style) > 0 {
			return FlowBox
		}
		return FlexBox
	}
	return FlowBox
}

// pictureOf returns the natural size of a replaced element.
func (l *State) pictureOf(n *css.Node) *fragment.Image {
	p := &fragment.Image{Source: n.Source, SVG: n.Kind == css.DrawingNode}
	if p.SVG {
		p.Width, p.Height, p.Ratio = n.AttrWidth, n.AttrHeight, n.Ratio
		if p.Ratio == 0 && p.Width > 0 && p.Height > 0 {
			p.Ratio = p.Width / p.Height
		}
		return p
	}
	if w, h, ratio, ok := l.images(n.Source); ok {
		p.Width, p.Height, p.Ratio = w, h, ratio
		if w > 0 && h > 0 {
			p.Ratio = w / h
		}
	} else {
		p.Missing = true
	}
	return p
}

// fill creates the children of b.
func (l *State) fill(b *Box, depth int) {
	if depth > MaxDepth*2 {
		panic(bailout{fmt.Errorf("%w: it is nested deeper than %d", ErrBounds, MaxDepth)})
	}
	if b.turns() != 0 {
		l.fillTurned(b, depth)
		return
	}
	switch b.Kind {
	case ReplacedBox, TextBox, BreakBox:
		return
	case FlexBox, GridBox:
		l.fillItems(b, depth)
	case TableBox, GroupBox, rowBox:
		l.fillTable(b, depth)
		if b.Kind == TableBox {
			l.TableOf(b)
		}
	default:
		l.collect(b, b.Node.Children, depth, false)
		l.normalize(b)
	}
}

// collect appends the boxes of nodes to b.
func (l *State) collect(b *Box, nodes []*css.Node, depth int, items bool) {
	if depth > MaxDepth*2 {
		panic(bailout{fmt.Errorf("%w: it is nested deeper than %d", ErrBounds, MaxDepth)})
	}
	for _, n := range nodes {
		l.Spend(1)
		if n.Style == nil || n.Style.Display == css.DisplayNone && n.Kind != css.TextNode {
			continue
		}
		switch n.Kind {
		case css.TextNode:
			if n.Data == "" {
				continue
			}
			l.boxes++
			b.Kids = append(b.Kids, &Box{
				Kind: TextBox, Node: n, Style: n.Style, Parent: b, Text: n.Data, Inline: true, Decor: textDecor(n, b),
			})
			continue
		case css.LineBreakNode:
			b.Kids = append(b.Kids, &Box{Kind: BreakBox, Node: n, Style: n.Style, Parent: b, Inline: true})
			continue
		case css.MarkerNode:
			if n.Style.ListInside && n.Symbol.Symbol() {
				b.Kids = append(b.Kids, l.newBox(l.symbolInside(n), b, items))
				continue
			}
			b.Kids = append(b.Kids, &Box{
				Kind: TextBox, Node: n, Style: tabular(n.Style), Parent: b, Text: n.Data, Inline: true,
				Marker: !n.Style.ListInside,
			})
			continue
		}
		if n.Style.Display == css.DisplayContents {
			l.collect(b, n.Children, depth+1, items)
			continue
		}
		kid := l.newBox(n, b, items)
		kid.Item = items && !kid.OutOfFlow()
		b.Kids = append(b.Kids, kid)
		l.fill(kid, depth+1)
	}
}

// symbolInside returns a symbol in the line of its list item as an element, with the space that browsers give it.
// Source: Blink, ListMarker::InlineMarginsForInside.
func (l *State) symbolInside(n *css.Node) *css.Node {
	st, size, _, above := l.contexts.Symbol(n)
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
func textDecor(_ *css.Node, b *Box) []*Box { return b.Decor }

// fillItems creates the items of a flex container or grid: every element is blockified, and text in between becomes an
// anonymous item.
func (l *State) fillItems(b *Box, depth int) {
	l.collect(b, b.Node.Children, depth, true)
	kids := b.Kids
	b.Kids = nil
	var run []*Box
	flush := func() {
		if !onlySpace(run) {
			b.Kids = append(b.Kids, l.anonymousBlock(b, run, true))
		}
		run = nil
	}
	for _, k := range kids {
		if k.Kind == TextBox || k.Kind == BreakBox {
			run = append(run, k)
			continue
		}
		flush()
		b.Kids = append(b.Kids, k)
	}
	flush()
}

// onlySpace reports whether boxes have nothing to show.
func onlySpace(boxes []*Box) bool {
	for _, k := range boxes {
		switch {
		case k.OutOfFlow() || k.Floating():
		case k.Kind == TextBox && strings.Trim(k.Text, " \t\n\r\f") == "" && Collapses(k.Style):
		default:
			return false
		}
	}
	return true
}

// anonymousBlock returns a block around inline-level boxes.
func (l *State) anonymousBlock(parent *Box, kids []*Box, item bool) *Box {
	l.boxes++
	out := &Box{
		Kind: FlowBox, Node: nil, Style: InheritedStyle(parent.Style), Parent: parent, Kids: kids, Anonymous: true,
		Inlines: true, Item: item, Root: item, Decor: parent.Decor,
	}
	for _, k := range kids {
		k.Parent = out
	}
	return out
}

// InheritedStyle returns the style of an anonymous box.
func InheritedStyle(s *css.Style) *css.Style {
	return &css.Style{
		Text: s.Text, Effects: s.Effects, Display: css.DisplayBlock, ZAuto: true, Opacity: 1,
		MaxWidth: value.Size{Kind: value.None}, MaxHeight: value.Size{Kind: value.None}, FlexShrink: 1,
		AlignSelf: css.AlignAuto, JustifySelf: css.AlignAuto,
	}
}

// normalize makes the children of a block container or an inline box all inline-level or all block-level. Blocks in
// inline boxes stay: they are lines of their own.
func (l *State) normalize(b *Box) {
	if b.Kind == InlineBox {
		return
	}
	blocks, inlines := false, false
	for _, k := range b.Kids {
		switch {
		case k.OutOfFlow() || k.Floating():
		case k.Inline:
			inlines = true
		default:
			blocks = true
		}
	}
	if !blocks {
		b.Inlines = inlines
		if inlines && onlySpace(b.Kids) {
			b.Inlines = false
			b.Kids = withoutSpace(b.Kids)
		}
		return
	}
	if !inlines {
		return
	}
	kids := b.Kids
	b.Kids = nil
	var run []*Box
	flush := func() {
		if onlySpace(run) {
			b.Kids = append(b.Kids, withoutSpace(run)...)
		} else {
			b.Kids = append(b.Kids, l.anonymousBlock(b, run, false))
		}
		run = nil
	}
	for _, k := range kids {
		if k.Inline || (k.OutOfFlow() || k.Floating()) && len(run) > 0 && !onlySpace(run) {
			run = append(run, k)
			continue
		}
		flush()
		b.Kids = append(b.Kids, k)
	}
	flush()
}

// withoutSpace returns the boxes that aren't text.
func withoutSpace(boxes []*Box) []*Box {
	var out []*Box
	for _, k := range boxes {
		if k.Kind != TextBox {
			out = append(out, k)
		}
	}
	return out
}

// Collapses reports whether white space of a style is collapsed.
func Collapses(s *css.Style) bool {
	switch s.WhiteSpace {
	case css.WhiteNormal, css.WhiteNowrap, css.WhitePreLine:
		return true
	}
	return false
}

// KeepsBreaks reports whether line feeds of a style break lines.
func KeepsBreaks(s *css.Style) bool {
	switch s.WhiteSpace {
	case css.WhiteNormal, css.WhiteNowrap:
		return false
	}
	return true
}

// Wraps reports whether lines of a style may be broken.
func Wraps(s *css.Style) bool { return s.WhiteSpace != css.WhiteNowrap && s.WhiteSpace != css.WhitePre }

// ContainsFixed reports whether a box contains even fixed boxes.
func ContainsFixed(b *Box) bool {
	if b.Kind == InlineBox || b.Style.Effects == nil {
		return false
	}
	e := b.Style.Effects
	return len(e.Transform) > 0 || len(e.Filter) > 0 || len(e.BackdropFilter) > 0
}

// fittedBox is the result of fittedTo.
type fittedBox struct {
	Box   *Box
	Width float64
}

// tabular returns a style with digits of equal width, as markers have.
func tabular(s *css.Style) *css.Style {
	out, inherited := *s, *s.Text
	inherited.Features = append(inherited.Features[:len(inherited.Features):len(inherited.Features)],
		css.Feature{Tag: "tnum", Value: 1})
	out.Text = &inherited
	return &out
}
