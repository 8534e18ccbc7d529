package layout

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/text"
)

// slack is how much wider than its room a line may be, in px, due to rounding.
const slack = 1.0 / 64

// inlineState lays out the inline content of one block container at one width.
type inlineState struct {
	l     *layouter
	b     *box
	c     *inlineContent
	p     *piece
	f     frame
	room  area
	fl    *floats
	x, y  float64   // of the content box in the coordinates of the floats
	pos   []float64 // width of the text up to each rune, with atomic boxes and edges
	boxes map[int]*piece
	spans map[*box]edgeSpan
	lineN int
	// starts are where the lines after the first begin, of a title.
	starts []int
	// sliced are the pieces of each inline box in their order.
	sliced map[*box][]*piece
}

// edgeSpan is the range of an inline box, with the runes that its edges belong to.
type edgeSpan struct {
	open, close int
	left, right Edges // margin, border and padding as Left and Right of both sides
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

// inline lays out the inline-level children of b into p and returns the height of the content.
func (l *layouter) inline(b *box, p *piece, f frame, room area, fl *floats, x, y float64) float64 {
	b = l.fittedTo(b, room.w)
	c := l.contentOf(b)
	s := &inlineState{
		l: l, b: b, c: c, p: p, f: f, room: room, fl: fl, x: x + f.left(), y: y + f.top(), boxes: map[int]*piece{},
		sliced: map[*box][]*piece{},
	}
	s.measure()
	top, limit := 0.0, s.clamp()
	s.starts = s.chosenLines(limit)
	placed := map[int]bool{}
	for start := 0; start < len(c.runes); {
		ln := s.lineAt(start, top, placed)
		clamped := limit > 0 && s.lineN+1 == limit && (l.clamp != nil || s.solid(ln.end, len(c.runes)))
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
			break
		}
	}
	s.slice()
	if l.clamp != nil {
		*l.clamp -= s.lineN
	}
	if b.root && len(fl.list) > 0 {
		top = max(top, fl.clear(css.ClearBoth)-s.y)
	}
	if s.lineN == 0 && !b.root && f.y() == 0 {
		p.through = true
	}
	return top
}

// slice tells each piece of an inline box its place in the whole box.
func (s *inlineState) slice() {
	for _, pieces := range s.sliced {
		at := 0.0
		for _, p := range pieces {
			p.sliceOffset = at
			at += p.w
		}
		for _, p := range pieces {
			p.sliceWidth = at
		}
	}
}

// clamp returns the maximum number of lines, or 0.
func (s *inlineState) clamp() int {
	b := s.b
	if s.l.clamp != nil {
		return *s.l.clamp
	}
	if b.maxLines > 0 {
		return b.maxLines
	}
	if b.anonymous {
		return 0
	}
	return clamps(b.style)
}

// solid reports whether a range has something that makes a line.
func (s *inlineState) solid(start, end int) bool {
	c := s.c
	for i := start; i < end; i++ {
		switch c.leaves[c.owner[i]].kind {
		case outLeaf, floatLeaf, markerLeaf:
		case emptyLeaf:
			if f := &c.leaves[c.owner[i]]; f.start == i && s.hasEdges(f.box) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func (s *inlineState) hasEdges(b *box) bool {
	e := s.spans[b]
	return e.left.x() != 0 || e.right.x() != 0
}

// measure lays out atomic boxes and sums up widths.
func (s *inlineState) measure() {
	c := s.c
	n := len(c.runes)
	s.spans = make(map[*box]edgeSpan)
	s.pos = make([]float64, n+1)
	extra := make([]float64, n+1)
	for _, e := range c.edges {
		span := s.spans[e.box]
		if e.open {
			span.open = e.at
			span.left, span.right = s.sideEdges(e.box)
			s.spans[e.box] = span
			continue
		}
		span.close = max(e.at, span.open)
		s.spans[e.box] = span
		start, end := span.left.x(), span.right.x()
		if e.box.style.Direction == css.RTL {
			start, end = end, start
		}
		extra[min(span.open, n)] += start
		extra[min(span.close, n)] += end
	}
	tab := 0.0
	for i := range n {
		adv := c.advance[i]
		f := &c.leaves[c.owner[i]]
		switch f.kind {
		case atomicLeaf:
			child := s.atomic(f.box)
			s.boxes[int(c.owner[i])] = child
			adv = child.w + margins(f.box, s.room.w).x()
		case emojiLeaf:
			adv = f.box.style.FontSize * emojiAdvance
		case breakLeaf:
			tab = s.pos[i] + extra[i]
			adv = 0
		case tabLeaf:
			adv = s.tabWidth(f.box.style, s.pos[i]+extra[i]-tab)
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
func (s *inlineState) sideEdges(b *box) (left, right Edges) {
	border, padding := edges(b, s.room.w)
	m := margins(b, s.room.w)
	return Edges{Left: m.Left, Right: border.Left + padding.Left}, Edges{Left: m.Right, Right: border.Right + padding.Right}
}

// atomic lays out an inline-block or the like.
func (s *inlineState) atomic(b *box) *piece {
	sp := in(s.room.w, s.room.h)
	sp.shrink = true
	return s.l.layout(b, sp)
}

// indent returns the text-indent of the first line.
func (s *inlineState) indent() float64 {
	if s.lineN > 0 {
		return 0
	}
	if s.b.anonymous && !s.b.item && s.b.parent != nil && len(s.b.parent.kids) > 0 && s.b.parent.kids[0] != s.b {
		return 0
	}
	return s.b.style.TextIndent.Resolve(s.room.w)
}

// lineAt finds the line that begins at a rune, and places the floats in it.
func (s *inlineState) lineAt(start int, top float64, placed map[int]bool) line {
	strut := s.strutHeight()
	for {
		ln := line{start: start, left: 0, room: s.room.w, indent: s.indent()}
		if len(s.fl.list) > 0 {
			l, r := s.fl.bounds(s.y+top, max(strut, 1), s.x, s.x+s.room.w)
			ln.left, ln.room = l-s.x, r-l
		}
		s.fit(&ln, ln.room-ln.indent)
		if s.lineN < len(s.starts) && s.starts[s.lineN] <= ln.end {
			s.end(&ln, s.starts[s.lineN])
		}
		i := s.floatIn(ln, placed)
		if i < 0 {
			return ln
		}
		placed[i] = true
		s.placeFloat(i, ln, top, strut)
	}
}

// strutHeight returns the height of an empty line.
func (s *inlineState) strutHeight() float64 {
	a, d := leading(s.b.style, s.l.primaryMetrics(s.b.style))
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
	m := margins(f.box, s.room.w)
	y := s.y + top
	if s.pos[f.start]-s.pos[ln.start]+child.w+m.x() > ln.room+slack && f.start > ln.start && s.solid(ln.start, f.start) {
		y += strut
	}
	px, py := s.fl.place(f.box.style, child.w+m.x(), child.h+m.y(), s.x, s.x+s.room.w, y)
	s.p.add(child, px+m.Left-s.x+s.f.left(), py+m.Top-s.y+s.f.top())
	s.p.floats = true
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
		if hyphenated := c.runes[j-1] == softHyphen; hyphenated && j < n {
			w += s.hyphenWidth(j)
		}
		fits := w <= width+slack
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
	case best >= 0 && (s.width(ln.start, best) <= width+slack || cut < 0):
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

// visibleEnd returns end without the spaces at the end of a line that hang. Preserved ones only do where the line is
// broken.
func (s *inlineState) visibleEnd(start, end int, last bool) int {
	c := s.c
	for end > start {
		f := &c.leaves[c.owner[end-1]]
		switch {
		case f.kind == breakLeaf:
		case f.kind == textLeaf && c.runes[end-1] == ' ' && collapses(f.box.style):
		case f.kind == textLeaf && c.runes[end-1] == ' ' && f.box.style.WhiteSpace == css.WhitePreWrap && !last:
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
	return w
}

// hyphenWidth returns the width of the hyphen before rune j.
func (s *inlineState) hyphenWidth(j int) float64 {
	st := s.c.leaves[s.c.owner[j-1]].box.style
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

// maxBalanced is how many lines a text may have to be balanced. Source: measured in Chromium.
const maxBalanced = 6

// maxEvenBreaks bounds the breaks of a text to be balanced: finding the best lines compares their pairs.
const maxEvenBreaks = 400

// chosenLines returns the first rune of each line after the first, and the end, where text-wrap or a title chooses
// them; nil if lines are as long as possible.
func (s *inlineState) chosenLines(limit int) []int {
	if len(s.fl.list) > 0 || !wraps(s.b.style) {
		return nil
	}
	if starts := s.titleLines(limit); starts != nil {
		return starts
	}
	switch s.b.style.TextWrap {
	case css.TextWrapBalance:
		if n := s.count(s.room.w, maxBalanced+1); n >= 2 && n <= maxBalanced && (limit == 0 || n <= limit) {
			return s.even(n)
		}
	case css.TextWrapPretty:
		return s.withoutOrphan(limit)
	}
	return nil
}

// greedy returns the first rune of each line after the first at the full width, and the end.
func (s *inlineState) greedy() (starts []int) {
	keep := s.lineN
	for start := 0; start < len(s.c.runes); {
		ln := line{start: start, indent: s.indent()}
		s.fit(&ln, s.room.w-ln.indent)
		start = ln.end
		starts = append(starts, start)
		s.lineN++
		s.l.spend(ln.end - ln.start)
	}
	s.lineN = keep
	return starts
}

// even distributes the text over count lines such that the squares of their widths have the least sum. It returns nil
// if there are forced breaks, or no such lines.
func (s *inlineState) even(count int) []int {
	c := s.c
	n := len(c.runes)
	at := []int{0}
	for i := 1; i <= n; i++ {
		if c.brk[i] == forceBreak && i < n {
			return nil
		}
		if c.brk[i] != noBreak {
			at = append(at, i)
		}
	}
	m := len(at)
	if m > maxEvenBreaks {
		return nil
	}
	s.l.spend(m * m * count / 4)
	best := make([]float64, m) // the least sum of lines up to a break
	next := make([]float64, m)
	from := make([][]int, count)
	for i := 1; i < m; i++ {
		best[i] = math.Inf(1)
	}
	for k := range count {
		from[k] = make([]int, m)
		for j := range next {
			next[j] = math.Inf(1)
		}
		for i := range m - 1 {
			if math.IsInf(best[i], 1) {
				continue
			}
			indent := 0.0
			if i == 0 {
				indent = s.indent()
			}
			for j := i + 1; j < m; j++ {
				w := s.width(at[i], at[j]) + indent
				if w > s.room.w+slack {
					break
				}
				if sum := best[i] + w*w; sum < next[j] {
					next[j], from[k][j] = sum, i
				}
			}
		}
		best, next = next, best
	}
	if math.IsInf(best[m-1], 1) {
		return nil
	}
	starts := make([]int, count)
	for k, j := count-1, m-1; k >= 0; k-- {
		starts[k] = at[j]
		j = from[k][j]
	}
	return starts
}

// Limits of the last line for text-wrap: pretty. Source: measured in Chromium.
const (
	orphanShare = .3 // of the room, under which a single word is an orphan
	orphanCost  = .2 // of the square of the room: what the line before may lose
)

// withoutOrphan returns the lines with a word moved from the last but one to the last line, if that has only a short
// one; otherwise nil.
func (s *inlineState) withoutOrphan(limit int) []int {
	starts := s.greedy()
	n := len(starts)
	if n < 2 || limit > 0 && n > limit {
		return nil
	}
	last, end, before := starts[n-2], starts[n-1], 0
	if n > 2 {
		before = starts[n-3]
	}
	if s.c.brk[last] == forceBreak || s.width(last, end) >= orphanShare*s.room.w {
		return nil
	}
	for i := last + 1; i < end; i++ {
		if s.c.brk[i] != noBreak {
			return nil
		}
	}
	for i := last - 1; i > before; i-- {
		if s.c.brk[i] == noBreak {
			continue
		}
		short, long := s.room.w-s.width(before, i), s.room.w-s.width(before, last)
		if s.width(i, end) > s.room.w+slack || short*short-long*long > orphanCost*s.room.w*s.room.w {
			return nil
		}
		starts[n-2] = i
		return starts
	}
	return nil
}

// count returns how many lines there are at a width, up to most.
func (s *inlineState) count(width float64, most int) int {
	lines := 0
	keep := s.lineN
	for start := 0; start < len(s.c.runes) && lines < most; {
		ln := line{start: start, indent: s.indent()}
		s.fit(&ln, width-ln.indent)
		start = ln.end
		lines++
		s.lineN++
		s.l.spend(ln.end - ln.start)
	}
	s.lineN = keep
	return lines
}

// widest returns the width of the widest line at a width.
func (s *inlineState) widest(width float64) float64 {
	out := 0.0
	keep := s.lineN
	for start := 0; start < len(s.c.runes); {
		ln := line{start: start, indent: s.indent()}
		s.fit(&ln, width-ln.indent)
		out = max(out, s.width(ln.start, ln.end)+ln.indent)
		start = ln.end
		s.lineN++
	}
	s.lineN = keep
	return out
}

// blockLine reports whether a line is a block inside an inline box.
func (s *inlineState) blockLine(ln line) bool {
	return ln.end == ln.start+1 && s.c.leaves[s.c.owner[ln.start]].kind == blockLeaf
}

// placeBlock lays out a block inside an inline box as a line of its own, and returns the top of the next.
func (s *inlineState) placeBlock(ln line, top float64) float64 {
	k := s.c.leaves[s.c.owner[ln.start]].box
	sp := in(s.room.w, s.room.h)
	m := margins(k, s.room.w)
	child := s.l.layoutIn(k, sp, s.fl, s.x+m.Left, s.y+top+m.Top)
	before, after := m.Top+child.top.sum(), m.Bottom+child.bottom.sum()
	s.p.add(child, s.f.left()+m.Left, s.f.top()+top+before)
	if !isNone(child.first) {
		if isNone(s.p.first) {
			s.p.first = s.f.top() + top + before + child.first
		}
		s.p.last = s.f.top() + top + before + child.last
	}
	s.lineN++
	return top + before + child.h + after
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
	return ln.left + alignOffset(s.b.style, s.c.rtl, ln.room, 0, true)
}

// out adds an absolutely positioned box at its static position in the content box.
func (s *inlineState) out(k *box, x, y float64) {
	if !inlineByNature(k) { // it would have been a block
		x = 0
	}
	s.p.links = append(s.p.links, link{out: k, x: s.f.left() + x, y: s.f.top() + y})
}

// inlineByNature reports whether an absolutely positioned box would be inline in the flow: its display is block in any
// case.
func inlineByNature(k *box) bool {
	switch k.node.Tag {
	case "", "span", "i", "b", "em", "strong", "small", "a", "img", "svg", "u", "s", "code", "mark", "sup", "sub", "time":
		return k.style.Display == css.DisplayBlock || inlineLevel(k.style.Display)
	}
	return false
}

// alignOffset returns how far a line of a width moves in its room.
func alignOffset(s *css.Style, rtl bool, room, width float64, last bool) float64 {
	align := s.TextAlign
	if last && s.TextAlignLast != css.TextAuto {
		align = s.TextAlignLast
	} else if align == css.TextJustify {
		align = css.TextStart
	}
	spare := room - width
	right := align == css.TextRight || align == css.TextStart && rtl || align == css.TextEnd && !rtl ||
		align == css.TextJustify && rtl
	if spare < 0 {
		if rtl {
			return spare
		}
		return 0
	}
	switch {
	case align == css.TextCenter:
		return spare / 2
	case right:
		return spare
	}
	return 0
}

// inlineIntrinsic returns the intrinsic widths of inline content: of its longest word, and of its longest line.
func (l *layouter) inlineIntrinsic(b *box, h float64) sizes {
	if f, ok := l.fitOf(b); ok {
		return l.fitIntrinsic(b, f, h)
	}
	c := l.contentOf(b)
	s := &inlineState{l: l, b: b, c: c, room: area{w: 0, h: h, main: indefinite}, fl: &floats{}}
	s.pos = make([]float64, len(c.runes)+1)
	s.boxes = map[int]*piece{}
	mins := make([]float64, len(c.runes)+1) // widths at min-content
	s.measureIntrinsic(h, mins)
	var out sizes
	indent := b.style.TextIndent.Resolve(0)
	from, fromMin := 0, 0
	floatMax := 0.0
	for j := 1; j <= len(c.runes); j++ {
		if f := &c.leaves[c.owner[j-1]]; f.kind == floatLeaf || f.kind == blockLeaf {
			w := l.contribution(f.box, h)
			out.min = max(out.min, w.min)
			if f.kind == floatLeaf {
				floatMax += w.max
			} else {
				out.max = max(out.max, w.max)
			}
		}
		if c.brk[j] == noBreak && !c.anywhere(j) {
			continue
		}
		w := s.trimmed(mins, fromMin, j)
		if fromMin == 0 {
			w += indent
		}
		if c.runes[j-1] == softHyphen && j < len(c.runes) {
			w += s.hyphenWidth(j)
		}
		out.min = max(out.min, w)
		fromMin = j
		if c.brk[j] == forceBreak {
			w := s.width(from, j)
			if from == 0 {
				w += indent
			}
			out.max = max(out.max, w+floatMax)
			from = j
		}
	}
	if !wraps(b.style) {
		out.min = max(out.min, min(out.max, out.min))
	}
	return sizes{ceilUnit(out.min), ceilUnit(max(out.max, floatMax))}
}

// ceilUnit rounds up to a 64th of a pixel.
func ceilUnit(v float64) float64 { return math.Ceil(v*64-1e-6) / 64 }

// trimmed is width with other widths of runes.
func (s *inlineState) trimmed(pos []float64, start, end int) float64 {
	shown := s.visibleEnd(start, end, false)
	w := pos[end] - pos[start]
	for i := shown; i < end; i++ {
		w -= s.c.advance[i]
	}
	return w
}

// measureIntrinsic is measure with the contributions of atomic boxes.
func (s *inlineState) measureIntrinsic(h float64, mins []float64) {
	c := s.c
	n := len(c.runes)
	s.spans = make(map[*box]edgeSpan)
	extra := make([]float64, n+1)
	for _, e := range c.edges {
		span := s.spans[e.box]
		if e.open {
			span.open = e.at
			span.left, span.right = s.sideEdges(e.box)
			s.spans[e.box] = span
			continue
		}
		span.close = max(e.at, span.open)
		s.spans[e.box] = span
		start, end := span.left.x(), span.right.x()
		if e.box.style.Direction == css.RTL {
			start, end = end, start
		}
		extra[min(span.open, n)] += start
		extra[min(span.close, n)] += end
	}
	tab := 0.0
	for i := range n {
		adv := sizes{c.advance[i], c.advance[i]}
		f := &c.leaves[c.owner[i]]
		switch f.kind {
		case atomicLeaf:
			adv = s.l.contribution(f.box, h)
		case emojiLeaf:
			w := f.box.style.FontSize * emojiAdvance
			adv = sizes{w, w}
		case breakLeaf:
			tab = s.pos[i] + extra[i]
			adv = sizes{}
		case tabLeaf:
			w := s.tabWidth(f.box.style, s.pos[i]+extra[i]-tab)
			adv = sizes{w, w}
		}
		s.pos[i+1] = s.pos[i] + adv.max + extra[i]
		mins[i+1] = mins[i] + adv.min + extra[i]
	}
}

// stringWidth returns the width of a short text in the first face of a style.
func (l *layouter) stringWidth(s *css.Style, t string) float64 {
	w := 0.0
	for _, g := range l.shapeString(s, t).glyphs {
		w += float64(g.Advance) * s.FontSize
	}
	return w
}

// shapeString shapes a short text, such as an ellipsis, in one face of a style.
func (l *layouter) shapeString(s *css.Style, t string) *shaped {
	set := l.fonts(s)
	runes := []rune(t)
	c := &inlineContent{runes: runes}
	face := l.face(set, runes[:1], runes)
	run := &shaped{
		end: len(runes), face: face, size: s.FontSize, script: text.ScriptOf(runes[0]),
		bold: s.FontWeight >= boldFrom && face.Weight < boldFrom, oblique: s.Italic && !face.Italic,
	}
	l.shapeRun(c, set, run)
	return run
}
