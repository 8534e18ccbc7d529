package layout

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/fragment"
)

// inlineState lays out the inline content of one block container at one width.
type inlineState struct {
	l     *layouter
	b     *boxtree.Box
	c     *inlineContent
	p     *boxtree.Piece
	f     boxtree.Frame
	room  boxtree.Area
	fl    *boxtree.Floats
	x, y  float64   // of the content box in the coordinates of the floats
	pos   []float64 // width of the text up to each rune, with atomic boxes and edges
	boxes map[int]*boxtree.Piece
	spans map[*boxtree.Box]edgeSpan
	// cloned are the inline boxes that have all their edges on each line.
	cloned []*boxtree.Box
	// edged are the runes that have a margin, border or padding of an inline box.
	edged map[int]bool
	// pulled are the negative margins after runes at the ends of inline boxes. A text must fit without them.
	pulled map[int]float64
	lineN  int
	rest   bool // what is laid out is left out by line-clamp
	// starts are where the lines after the first begin, of a title.
	starts []int
	// sliced are the pieces of each inline box in their order.
	sliced map[*boxtree.Box][]*boxtree.Piece
}

// edgeSpan is the range of an inline box, with the runes that its edges belong to.
type edgeSpan struct {
	open, close int
	left, right fragment.Edges // margin, border and padding as Left and Right of both sides
}

// line is a range of inline content on one line.
type line struct {
	start, end int  // runes[start:end]
	shown      int  // end without the spaces that hang
	last       bool // ends with a forced break or the content
	hyphen     bool // ends with a soft hyphen
	indent     float64
	left, room float64 // where it begins in the content box, and how wide it may be
}

// Inline lays out the inline-level children of b into p and returns the height of the content.
func (l *layouter) Inline(
	b *boxtree.Box, p *boxtree.Piece, f boxtree.Frame, room boxtree.Area, fl *boxtree.Floats, x, y float64,
) float64 {
	b = l.fittedTo(b, room.W)
	c := l.contentOf(b)
	s := &inlineState{
		l: l, b: b, c: c, p: p, f: f, room: room, fl: fl, x: x + f.Left(), y: y + f.Top(), boxes: map[int]*boxtree.Piece{},
		sliced: map[*boxtree.Box][]*boxtree.Piece{},
	}
	s.measure()
	top, limit := 0.0, s.clamp()
	s.starts = s.chosenLines(limit)
	placed := map[int]bool{}
	end, last := boxtree.None, boxtree.None // of the content that a line-clamp leaves
	for start := 0; start < len(c.runes); {
		ln, y := s.lineAt(start, top, placed)
		top = y
		clamped := limit > 0 && s.lineN+1 == limit && (l.Clamp != nil || s.solid(ln.end, len(c.runes)))
		if s.blockLine(ln) {
			top = s.placeBlock(ln, top)
		} else if s.solid(ln.start, ln.end) {
			top += s.build(ln, top, clamped)
			s.lineN++
		} else {
			s.empty(ln, top)
		}
		start = ln.end
		if clamped {
			if l.Clamp != nil || b.MaxLines > 0 {
				break
			}
			end, last, s.rest = top, p.Last, true // what follows shows where the box is higher
		}
	}
	if !boxtree.IsNone(end) {
		top, p.Last = end, last
	}
	s.slice()
	if l.Clamp != nil {
		*l.Clamp -= s.lineN
	}
	if b.Root && len(fl.List) > 0 {
		top = max(top, fl.Clear(css.ClearBoth)-s.y)
	}
	if s.lineN == 0 && !b.Root && f.Y() == 0 {
		p.Through = true
	}
	return top
}

// slice tells each piece of an inline box its place in the whole box.
func (s *inlineState) slice() {
	for _, pieces := range s.sliced {
		at := 0.0
		for _, p := range pieces {
			p.SliceOffset = at
			at += p.W
		}
		for _, p := range pieces {
			p.SliceWidth = at
			if p.Box.Style.CloneEdges {
				p.SliceOffset, p.SliceWidth = 0, p.W
			}
		}
	}
}

// clamp returns the maximum number of lines, or 0.
func (s *inlineState) clamp() int {
	b := s.b
	if s.l.Clamp != nil {
		return *s.l.Clamp
	}
	if b.MaxLines > 0 {
		return b.MaxLines
	}
	if b.Anonymous {
		return 0
	}
	return boxtree.Clamps(b.Style)
}

// solid reports whether a range has something that makes a line.
func (s *inlineState) solid(start, end int) bool {
	c := s.c
	for i := start; i < end; i++ {
		switch c.leaves[c.owner[i]].kind {
		case outLeaf, floatLeaf, markerLeaf, emptyLeaf:
			if s.edged[i] {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// measure lays out atomic boxes and sums up widths.
func (s *inlineState) measure() {
	c := s.c
	n := len(c.runes)
	s.spans = make(map[*boxtree.Box]edgeSpan)
	s.cloned, s.edged, s.pulled = nil, nil, nil
	s.pos = make([]float64, n+1)
	extra := make([]float64, n+1)
	for _, e := range c.edges {
		span := s.spans[e.box]
		if e.open {
			span.open = e.at
			span.left, span.right = s.sideEdges(e.box)
			s.spans[e.box] = span
			if e.box.Style.CloneEdges {
				s.cloned = append(s.cloned, e.box)
			}
			continue
		}
		span.close = max(e.at, span.open)
		s.spans[e.box] = span
		start, end := span.left.X(), span.right.X()
		if e.box.Style.Direction == css.RTL {
			start, end = end, start
		}
		extra[min(span.open, n)] += start
		extra[min(span.close, n)] += end
		if end < 0 {
			if s.pulled == nil {
				s.pulled = map[int]float64{}
			}
			s.pulled[span.close] += end
		}
		if start != 0 || end != 0 {
			if s.edged == nil {
				s.edged = map[int]bool{}
			}
			s.edged[span.open], s.edged[span.close] = s.edged[span.open] || start != 0, s.edged[span.close] || end != 0
		}
	}
	tab := 0.0
	for i := range n {
		adv := c.advance[i]
		f := &c.leaves[c.owner[i]]
		switch f.kind {
		case atomicLeaf:
			child := s.atomic(f.box)
			s.boxes[int(c.owner[i])] = child
			adv = child.W + boxtree.Margins(f.box, s.room.W).X()
		case emojiLeaf:
			adv = f.box.Style.FontSize * emojiAdvance
		case breakLeaf:
			tab = s.pos[i] + extra[i]
			adv = 0
		case tabLeaf:
			adv = s.tabWidth(f.box.Style, s.pos[i]+extra[i]-tab)
		}
		s.pos[i+1] = s.pos[i] + adv + extra[i]
	}
}

// Sizes of an emoji in em: its picture is 1 em wide with a margin at either side, and its foot stands below the
// baseline.
const (
	emojiMargin  = .04
	emojiAdvance = 1 + 2*emojiMargin
	emojiFoot    = .12
)

// tabWidth returns the distance to the next tab stop from x.
func (s *inlineState) tabWidth(st *css.Style, x float64) float64 {
	stop := st.TabSize.Px
	if stop == 0 {
		stop = st.TabSize.Spaces * (s.l.primaryMetrics(st).space + st.LetterSpacing + st.WordSpacing)
	}
	if stop <= 0 {
		return 0
	}
	w := stop - math.Mod(x, stop)
	if w < s.l.primaryMetrics(st).space/2 {
		w += stop
	}
	return w
}

// sideEdges returns margin+border+padding of an inline box on its left and right, as Edges with Left the margin and
// Right the rest.
func (s *inlineState) sideEdges(b *boxtree.Box) (left, right fragment.Edges) {
	border, padding := boxtree.EdgesOf(b, s.room.W)
	m := boxtree.Margins(b, s.room.W)
	return fragment.Edges{Left: m.Left, Right: border.Left + padding.Left},
		fragment.Edges{Left: m.Right, Right: border.Right + padding.Right}
}

// atomic lays out an inline-block or the like.
func (s *inlineState) atomic(b *boxtree.Box) *boxtree.Piece {
	sp := boxtree.SpaceOf(s.room.W, s.room.H)
	sp.Shrink = true
	return s.l.Layout(b, sp)
}

// indent returns the text-indent of the first line.
func (s *inlineState) indent() float64 {
	if s.lineN > 0 {
		return 0
	}
	if s.b.Anonymous && !s.b.Item && s.b.Parent != nil && len(s.b.Parent.Kids) > 0 && s.b.Parent.Kids[0] != s.b {
		return 0
	}
	return s.b.Style.TextIndent.Resolve(s.room.W)
}

// lineAt finds the line that begins at a rune, and places the floats in it. It returns its top, too: a line that
// doesn't fit beside floats moves below them, unless its text doesn't wrap.
func (s *inlineState) lineAt(start int, top float64, placed map[int]bool) (line, float64) {
	strut := s.strutHeight()
	for {
		ln := line{start: start, left: 0, room: s.room.W, indent: s.indent()}
		if len(s.fl.List) > 0 {
			l, r := s.fl.Bounds(s.y+top, max(strut, 1), s.x, s.x+s.room.W)
			ln.left, ln.room = l-s.x, r-l
		}
		s.fit(&ln, ln.room-ln.indent)
		if s.lineN < len(s.starts) && s.starts[s.lineN] <= ln.end {
			s.end(&ln, s.starts[s.lineN])
		}
		i := s.floatIn(ln, placed)
		if i < 0 {
			wide := s.width(ln.start, ln.end)+ln.indent > ln.room+boxtree.Slack && s.solid(ln.start, ln.end) &&
				boxtree.Wraps(s.b.Style)
			if below := s.fl.Next(s.y + top); wide && ln.room < s.room.W && !math.IsInf(below, 1) {
				top = below - s.y
				continue
			}
			return ln, top
		}
		placed[i] = true
		s.placeFloat(i, ln, top, strut)
	}
}

// strutHeight returns the height of an empty line.
func (s *inlineState) strutHeight() float64 {
	a, d := leading(s.b.Style, s.l.primaryMetrics(s.b.Style))
	return a + d
}

// floatIn returns the first leaf of a line that is a float not placed yet, or -1.
func (s *inlineState) floatIn(ln line, placed map[int]bool) int {
	for i := ln.start; i < ln.end; i++ {
		if at := int(s.c.owner[i]); s.c.leaves[at].kind == floatLeaf && !placed[at] {
			return at
		}
	}
	return -1
}

// placeFloat places a float at the top of its line if there is room, otherwise below it.
func (s *inlineState) placeFloat(i int, ln line, top, strut float64) {
	f := &s.c.leaves[i]
	child := s.atomic(f.box)
	m := boxtree.Margins(f.box, s.room.W)
	y := s.y + top
	if s.width(ln.start, f.start)+child.W+m.X() > ln.room+boxtree.Slack && f.start > ln.start &&
		s.solid(ln.start, f.start) {
		y += strut
	}
	px, py := s.fl.Place(f.box.Style, child.W+m.X(), child.H+m.Y(), s.x, s.x+s.room.W, y)
	s.p.Add(child, px+m.Left-s.x+s.f.Left(), py+m.Top-s.y+s.f.Top())
	s.p.Floats = true
}

// fit ends a line at the last break within width.
func (s *inlineState) fit(ln *line, width float64) {
	c := s.c
	n := len(c.runes)
	best, cut := -1, -1
	for j := ln.start + 1; j <= n; j++ {
		if c.brk[j] == noBreak && !c.emergency(j) {
			continue
		}
		w := s.width(ln.start, j)
		w -= s.pulled[j-1]
		if hyphenated := c.runes[j-1] == softHyphen; hyphenated && j < n {
			w += s.hyphenWidth(j)
		}
		fits := w <= width+boxtree.Slack
		if c.brk[j] == noBreak {
			if fits || cut < 0 {
				cut = j
			}
			if !fits && (best >= 0 || cut >= 0 && cut < j) {
				break
			}
			continue
		}
		if fits || best < 0 && cut < 0 {
			best = j
		}
		if !fits || c.brk[j] == forceBreak {
			break
		}
	}
	switch {
	case best >= 0 && (s.width(ln.start, best) <= width+boxtree.Slack || cut < 0):
		s.end(ln, best)
	case cut >= 0:
		s.end(ln, cut)
	default:
		s.end(ln, n)
	}
}

// end ends a line before a rune.
func (s *inlineState) end(ln *line, end int) {
	ln.end, ln.last = end, s.ends(end)
	ln.hyphen = !ln.last && s.c.runes[end-1] == softHyphen && s.c.brk[end] == mayBreak
	ln.shown = s.visibleEnd(ln.start, end, ln.last)
}

// visibleEnd returns end without the spaces at the end of a line that hang, and what has no width beside them.
// Preserved spaces only hang where the line is broken.
func (s *inlineState) visibleEnd(start, end int, last bool) int {
	c := s.c
	for end > start {
		f := &c.leaves[c.owner[end-1]]
		switch {
		case f.kind == breakLeaf:
		case (f.kind == outLeaf || f.kind == floatLeaf || f.kind == emptyLeaf) && !s.edged[end-1]:
		case f.kind == textLeaf && c.runes[end-1] == ' ' && boxtree.Collapses(f.box.Style):
		case f.kind == textLeaf && c.runes[end-1] == ' ' && f.box.Style.WhiteSpace == css.WhitePreWrap && !last:
		default:
			return end
		}
		end--
	}
	return end
}

// ends reports whether a line that ends before rune i isn't continued: by a forced break, or the content's end.
func (s *inlineState) ends(i int) bool { return i == len(s.c.runes) || s.c.brk[i] == forceBreak }

// width returns the width of runes[start:end] as a line, without the spaces that hang at its end.
func (s *inlineState) width(start, end int) float64 {
	shown := s.visibleEnd(start, end, s.ends(end))
	w := s.pos[end] - s.pos[start]
	for i := shown; i < end; i++ {
		w -= s.c.advance[i]
	}
	for _, b := range s.cloned {
		if e := s.spans[b]; e.open < start && e.close >= start { // as Chromium, it keeps no room for the edge at the end
			w += e.left.X()
		}
	}
	return w
}

// hyphenWidth returns the width of the hyphen before rune j.
func (s *inlineState) hyphenWidth(j int) float64 {
	st := s.c.leaves[s.c.owner[j-1]].box.Style
	if w, ok := s.l.hyphens[st.Text]; ok {
		return w
	}
	if s.l.hyphens == nil {
		s.l.hyphens = map[*css.Text]float64{}
	}
	w := s.l.stringWidth(st, hyphenFor(s.l, st))
	s.l.hyphens[st.Text] = w
	return w
}

// hyphenFor returns the hyphen of a style's face.
func hyphenFor(l *layouter, s *css.Style) string {
	if l.fonts(s).faces[0].Has(0x2010) {
		return "\u2010"
	}
	return "-"
}

// blockLine reports whether a line is a block inside an inline box.
func (s *inlineState) blockLine(ln line) bool {
	return ln.end == ln.start+1 && s.c.leaves[s.c.owner[ln.start]].kind == blockLeaf
}

// placeBlock lays out a block inside an inline box as a line of its own, and returns the top of the next.
func (s *inlineState) placeBlock(ln line, top float64) float64 {
	k := s.c.leaves[s.c.owner[ln.start]].box
	sp := boxtree.SpaceOf(s.room.W, s.room.H)
	m := boxtree.Margins(k, s.room.W)
	child := s.l.LayoutIn(k, sp, s.fl, s.x+m.Left, s.y+top+m.Top)
	before, after := m.Top+child.Top.Sum(), m.Bottom+child.Bottom.Sum()
	s.p.Add(child, s.f.Left()+m.Left, s.f.Top()+top+before)
	if !boxtree.IsNone(child.First) {
		if boxtree.IsNone(s.p.First) {
			s.p.First = s.f.Top() + top + before + child.First
		}
		s.p.Last = s.f.Top() + top + before + child.Last
	}
	s.lineN++
	return top + before + child.H + after
}

// empty places what a line without height has.
func (s *inlineState) empty(ln line, top float64) {
	for i := ln.start; i < ln.end; i++ {
		f := &s.c.leaves[s.c.owner[i]]
		if f.kind == outLeaf {
			s.out(f.box, s.alignedStart(ln), top)
		}
	}
}

// alignedStart returns where the text of an empty line would begin.
func (s *inlineState) alignedStart(ln line) float64 {
	return ln.left + alignOffset(s.b.Style, s.c.rtl, ln.room, 0, true)
}

// out adds an absolutely positioned box at its static position in the content box.
func (s *inlineState) out(k *boxtree.Box, x, y float64) {
	if !inlineByNature(k) { // it would have been a block
		x = 0
	}
	s.p.Links = append(s.p.Links, boxtree.Link{Out: k, X: s.f.Left() + x, Y: s.f.Top() + y})
}

// inlineByNature reports whether an absolutely positioned box would be inline in the flow: its display is block in any
// case.
func inlineByNature(k *boxtree.Box) bool {
	switch k.Node.Tag {
	case "", "span", "i", "b", "em", "strong", "small", "a", "img", "svg", "u", "s", "code", "mark", "sup", "sub", "time":
		return k.Style.Display == css.DisplayBlock || boxtree.InlineLevel(k.Style.Display)
	}
	return false
}
