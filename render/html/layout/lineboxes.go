package layout

import (
	"math"
	"slices"

	"masthead/render/html/css"
	"masthead/render/text"
)

// segment is a leaf, or the part of a text leaf that is on one line in one face.
type segment struct {
	leaf       int // index of its leaf; -1 of a hyphen or an ellipsis
	parent     *box
	run        *shaped // of text
	start, end int     // runes
	level      int8
	width      float64
	x          float64 // from the left edge of the line
	extra      *shaped // a hyphen or an ellipsis
	style      *css.Style
}

// verticalBox is an inline box on a line: its baseline below that of the line, and what it adds to the line's height.
type verticalBox struct {
	box          *box
	parent       *verticalBox
	group        *alignGroup
	shift        float64
	above, below float64 // with leading
	m            faceMetrics
}

// alignGroup is boxes aligned with each other: those of the line's baseline, or a box aligned with its top or bottom.
type alignGroup struct {
	align       css.VAlign
	top, bottom float64 // extent, relative to the group's baseline
	shift       float64
	used        bool
}

func (g *alignGroup) extend(top, bottom float64) {
	if !g.used {
		g.top, g.bottom, g.used = top, bottom, true
		return
	}
	g.top, g.bottom = min(g.top, top), max(g.bottom, bottom)
}

// lineState builds one line.
type lineState struct {
	*inlineState
	ln       line
	segs     []segment
	root     *verticalBox
	vertical map[*box]*verticalBox
	groups   []*alignGroup
	atoms    map[int]*verticalAtom
	gap      float64 // added to each space of a justified line
	used     float64 // width of all segments
}

// verticalAtom is the place of an atomic box or an emoji.
type verticalAtom struct {
	group *alignGroup
	shift float64 // of the top of its margin box, relative to the group's baseline
}

// build lays out a line whose top is at top in the content box, and returns its height.
func (s *inlineState) build(ln line, top float64, clamped bool) float64 {
	b := &lineState{inlineState: s, ln: ln, vertical: map[*box]*verticalBox{}, atoms: map[int]*verticalAtom{}}
	b.cutSegments(clamped)
	baseline, height := b.align()
	b.place(top, baseline)
	y := s.f.top() + top + baseline
	if isNone(s.p.first) {
		s.p.first = y
	}
	s.p.last = y
	return height
}

// cutSegments fills b.segs in logical order, with an ellipsis where the line is too long.
func (b *lineState) cutSegments(clamped bool) {
	end := b.ln.shown
	ellipsis := clamped
	st := b.b.style
	if b.b.anonymous && b.b.parent != nil && !b.b.item {
		st = b.b.parent.style
	}
	width := b.width(b.ln.start, b.ln.end) + b.ln.indent
	if st.TextOverflow == css.TextEllipsis && st.OverflowX != css.OverflowVisible && (!b.b.anonymous || !b.b.item) &&
		width > b.ln.room+slack {
		ellipsis = true
	}
	var tail *shaped
	tailWidth := 0.0
	if ellipsis {
		tail = b.l.shapeString(b.b.style, "…")
		for _, g := range tail.glyphs {
			tailWidth += float64(g.Advance) * tail.size
		}
	}
	switch room := b.ln.room - b.ln.indent - tailWidth; {
	case !ellipsis:
		b.addRange(b.ln.start, max(end, b.ln.start))
	case b.mixed(end):
		b.addRange(b.ln.start, end)
		b.cutVisually(room)
	default:
		end = b.cutFor(end, room)
		b.addRange(b.ln.start, max(end, b.ln.start))
	}
	if end < b.ln.end && !ellipsis {
		b.addInvisible(end)
	}
	if ellipsis {
		level := int8(0)
		if b.c.rtl {
			level = 1
		}
		b.segs = append(b.segs, segment{
			leaf: -1, parent: b.b, extra: tail, width: tailWidth, level: level, style: b.b.style,
			start: end, end: end,
		})
	} else if b.ln.hyphen {
		f := &b.c.leaves[b.c.owner[b.ln.end-1]]
		hyphen := b.l.shapeString(f.box.style, hyphenFor(b.l, f.box.style))
		b.segs = append(b.segs, segment{
			leaf: -1, parent: f.parent, extra: hyphen, width: b.hyphenWidth(b.ln.end), style: f.box.style,
			level: b.c.level[b.ln.end-1], start: b.ln.end, end: b.ln.end,
		})
	}
}

// mixed reports whether the line has text in the direction that isn't its block's.
func (b *lineState) mixed(end int) bool {
	base := int8(0)
	if b.c.rtl {
		base = 1
	}
	for i := b.ln.start; i < end; i++ {
		if b.c.level[i] != base {
			return true
		}
	}
	return false
}

// cutVisually removes what doesn't fit into width, from the side where the line ends.
func (b *lineState) cutVisually(width float64) {
	for i := range b.segs {
		b.shapeSegment(&b.segs[i])
	}
	order := b.visual()
	if b.c.rtl {
		slices.Reverse(order)
	}
	keep := make([]bool, len(b.segs))
	for _, i := range order {
		sg := &b.segs[i]
		if sg.width <= width+slack {
			width -= sg.width
			sg.width, keep[i] = 0, true // it is shaped again later
			continue
		}
		if sg.run != nil {
			keep[i] = b.cutSegment(sg, width)
		}
		break
	}
	kept := b.segs[:0]
	for i := range b.segs {
		if keep[i] {
			b.segs[i].width = 0
			kept = append(kept, b.segs[i])
		}
	}
	b.segs = kept
}

// cutSegment keeps what fits of a segment, beginning where the line does. It reports whether anything does.
func (b *lineState) cutSegment(sg *segment, width float64) bool {
	start, end := sg.start, sg.end
	if (sg.level&1 == 1) == b.c.rtl {
		for i, w := start, 0.0; i < end; {
			next := b.c.clusterEnd(i, end)
			for ; i < next; i++ {
				w += b.c.advance[i]
			}
			if w > width+slack {
				return sg.end > sg.start && sg.end < end
			}
			sg.end = next
			if next == end {
				break
			}
		}
		return true
	}
	sg.start = end
	for i, w := end, 0.0; i > start; {
		i--
		w += b.c.advance[i]
		if w > width+slack {
			break
		}
		if b.c.cluster[i] {
			sg.start = i
		}
	}
	return sg.start < end
}

// addInvisible adds the leaves behind the visible text that still have a place: absolutely positioned boxes and inline
// boxes without content.
func (b *lineState) addInvisible(from int) {
	for i := from; i < b.ln.end; i++ {
		at := int(b.c.owner[i])
		if k := b.c.leaves[at].kind; k != textLeaf && k != breakLeaf {
			b.addLeaf(at, i, i+1)
		}
	}
}

// cutFor returns the last position up to which the line fits into width, but not before its first cluster.
func (b *lineState) cutFor(end int, width float64) int {
	first := true
	out := b.ln.start
	for i := b.ln.start + 1; i <= end; i++ {
		if i < len(b.c.runes) && !b.c.cluster[i] {
			continue
		}
		if b.pos[i]-b.pos[b.ln.start] > width+slack && !first {
			break
		}
		first = false
		out = i
	}
	return b.visibleEnd(b.ln.start, out, false)
}

// addRange adds segments for runes[start:end].
func (b *lineState) addRange(start, end int) {
	for i := start; i < end; {
		at := int(b.c.owner[i])
		f := &b.c.leaves[at]
		until := min(end, f.end)
		if until <= i {
			i++
			continue
		}
		b.addLeaf(at, i, until)
		i = until
	}
}

// addLeaf adds the segments of runes[start:end] of a leaf.
func (b *lineState) addLeaf(at, start, end int) {
	c := b.c
	f := &c.leaves[at]
	switch f.kind {
	case breakLeaf, floatLeaf:
		return
	case textLeaf:
		for i := start; i < end; {
			run := &c.runs[c.runOf[i]]
			until := min(end, run.end)
			b.segs = append(b.segs, segment{
				leaf: at, parent: f.parent, run: run, start: i, end: until, level: run.level, style: f.box.style,
			})
			i = until
		}
		return
	}
	b.segs = append(b.segs, segment{
		leaf: at, parent: f.parent, start: start, end: end, level: c.level[start], style: f.box.style,
	})
}

// boxOf returns the vertical box of an inline box, and those around it.
func (b *lineState) boxOf(k *box) *verticalBox {
	if k == b.b || k == nil {
		return b.root
	}
	if v, ok := b.vertical[k]; ok {
		return v
	}
	parent := b.boxOf(k.parent)
	v := &verticalBox{box: k, parent: parent, m: b.l.primaryMetrics(k.style)}
	v.above, v.below = leading(k.style, v.m)
	v.group, v.shift = b.shiftOf(parent, k.style, v.above, v.below)
	b.vertical[k] = v
	v.group.extend(v.shift-v.above, v.shift+v.below)
	return v
}

// shiftOf returns the baseline of something with a vertical-align in parent, relative to its group.
func (b *lineState) shiftOf(parent *verticalBox, s *css.Style, above, below float64) (*alignGroup, float64) {
	size := parent.style(b).FontSize
	switch va := s.VerticalAlign; va.Kind {
	case css.VBaseline:
		return parent.group, parent.shift - va.Raise
	case css.VSub:
		return parent.group, parent.shift + unit(size/5) + 1
	case css.VSuper:
		return parent.group, parent.shift - unit(size/3) - 1
	case css.VTextTop:
		return parent.group, parent.shift - parent.m.ascent + above
	case css.VTextBottom:
		return parent.group, parent.shift + parent.m.descent - below
	case css.VMiddle:
		return parent.group, parent.shift - math.Round(parent.m.xHeight/2*64)/64 + (above-below)/2
	default:
		g := &alignGroup{align: va.Kind}
		b.groups = append(b.groups, g)
		return g, 0
	}
}

func (v *verticalBox) style(b *lineState) *css.Style {
	if v.box == nil {
		return b.b.style
	}
	return v.box.style
}

// align places everything vertically. It returns the baseline and the height of the line, from its top.
func (b *lineState) align() (baseline, height float64) {
	main := &alignGroup{}
	b.root = &verticalBox{group: main, m: b.l.primaryMetrics(b.b.style)}
	b.root.above, b.root.below = leading(b.b.style, b.root.m)
	main.extend(-b.root.above, b.root.below)
	for i := range b.segs {
		sg := &b.segs[i]
		v := b.boxOf(sg.parent)
		if sg.leaf < 0 {
			continue
		}
		f := &b.c.leaves[sg.leaf]
		switch f.kind {
		case textLeaf:
			if s := f.box.style; s.LineHeight.Normal && sg.run.face != b.l.fonts(s).faces[0] {
				above, below := leading(s, b.l.metrics(sg.run.face, sg.run.size))
				v.group.extend(v.shift-above, v.shift+below)
			}
		case emojiLeaf:
			size := f.box.style.FontSize
			b.atoms[sg.leaf] = &verticalAtom{v.group, v.shift + (emojiFoot-1)*size}
			v.group.extend(v.shift+(emojiFoot-1)*size, v.shift+emojiFoot*size)
		case atomicLeaf:
			child := b.boxes[sg.leaf]
			m := margins(f.box, b.room.w)
			base := b.atomBaseline(f.box, child, m)
			h := child.h + m.y()
			group, shift := b.shiftOf(v, f.box.style, base, h-base)
			b.atoms[sg.leaf] = &verticalAtom{group, shift - base}
			group.extend(shift-base, shift-base+h)
		}
	}
	top, bottom := main.top, main.bottom
	for _, g := range b.groups {
		if g.align == css.VTop {
			bottom = max(bottom, top+g.bottom-g.top)
		}
	}
	for _, g := range b.groups {
		if g.align != css.VTop {
			top = min(top, bottom-(g.bottom-g.top))
		}
	}
	for _, g := range b.groups {
		if g.align == css.VTop {
			g.shift = top - g.top
		} else {
			g.shift = bottom - g.bottom
		}
	}
	return -top, bottom - top
}

// atomBaseline returns the baseline of an atomic box from the top of its margin box.
func (b *lineState) atomBaseline(k *box, child *piece, m Edges) float64 {
	switch k.kind {
	case replacedBox:
	case flexBox, gridBox:
		if !isNone(child.first) {
			return m.Top + child.first
		}
	default:
		if !isNone(child.last) && k.style.OverflowY == css.OverflowVisible {
			return m.Top + child.last
		}
	}
	return m.Top + child.h + m.Bottom
}

// place places everything horizontally, and adds the pieces of the line.
func (b *lineState) place(top, baseline float64) {
	for i := range b.segs {
		b.shapeSegment(&b.segs[i])
	}
	order := b.visual()
	opens := b.sides(order)
	for _, i := range order {
		sg := &b.segs[i]
		b.used += sg.width
	}
	for k, o := range opens {
		b.used += o.width(b.spans[k])
	}
	st := b.b.style
	indent := b.ln.indent
	room := b.ln.room - indent
	align := st.TextAlign
	if b.ln.last {
		align = st.TextAlignLast
		if align == css.TextAuto {
			align = css.TextStart
		}
	} else if st.TextAlignLast != css.TextAuto && false {
		align = st.TextAlignLast
	}
	if (st.TextAlign == css.TextJustify && !b.ln.last || align == css.TextJustify) && room > b.used {
		b.justify(room - b.used)
	}
	x := b.ln.left + alignOffset(st, b.c.rtl, room, b.used, b.ln.last)
	if !b.c.rtl {
		x += indent
	}
	b.pieces(order, opens, x, top, baseline)
}

// justify widens spaces to fill spare px.
func (b *lineState) justify(spare float64) {
	n := 0
	for i := range b.segs {
		sg := &b.segs[i]
		if sg.run == nil {
			continue
		}
		for _, r := range b.c.runes[sg.start:sg.end] {
			if r == ' ' || r == 0xa0 {
				n++
			}
		}
	}
	if n == 0 {
		return
	}
	b.gap = spare / float64(n)
	for i := range b.segs {
		sg := &b.segs[i]
		if sg.run == nil {
			continue
		}
		for _, r := range b.c.runes[sg.start:sg.end] {
			if r == ' ' || r == 0xa0 {
				sg.width += b.gap
				b.used += b.gap
			}
		}
	}
}

// shapeSegment sets the width of a segment, and shapes text again whose glyphs change where its line was broken.
func (b *lineState) shapeSegment(sg *segment) {
	c := b.c
	switch {
	case sg.extra != nil:
		return
	case sg.run == nil:
		f := &c.leaves[sg.leaf]
		switch f.kind {
		case atomicLeaf:
			sg.width = b.boxes[sg.leaf].w + margins(f.box, b.room.w).x()
		case emojiLeaf:
			sg.width = f.box.style.FontSize * emojiAdvance
		case tabLeaf:
			sg.width = b.pos[sg.end] - b.pos[sg.start] // without edges in practice
		}
		return
	}
	run := sg.run
	if sg.start > run.start && unsafeAt(run, sg.start) || sg.end == b.ln.end && sg.end < run.end && unsafeAt(run, sg.end) {
		again := *run
		again.start, again.end = sg.start, sg.end
		again.glyphs = b.l.shapeAlone(c, b.l.fonts(sg.style), run, sg.start, sg.end)
		sg.run = &again
		for i := range again.glyphs {
			g := &again.glyphs[i]
			sg.width += float64(g.Advance) * again.size
		}
		for i := sg.start; i < sg.end; i++ {
			sg.width += c.spacing(&again, sg.style, i)
		}
		return
	}
	for i := sg.start; i < sg.end; i++ {
		sg.width += c.advance[i]
	}
	sg.width = ceilUnit(sg.width)
}

// unsafeAt reports whether breaking a run before rune i changes glyphs.
func unsafeAt(run *shaped, i int) bool {
	from, to := run.glyphRange(i, i+1)
	return from < to && run.glyphs[from].Unsafe
}

// visual returns the order of the segments from left to right (UAX 9, L2).
func (b *lineState) visual() []int {
	order := make([]int, len(b.segs))
	highest, lowestOdd := int8(0), int8(127)
	for i := range b.segs {
		order[i] = i
		lv := b.segs[i].level
		highest = max(highest, lv)
		if lv&1 == 1 {
			lowestOdd = min(lowestOdd, lv)
		}
	}
	for lv := highest; lv >= lowestOdd && lv > 0; lv-- {
		for i := 0; i < len(order); {
			if b.segs[order[i]].level < lv {
				i++
				continue
			}
			j := i
			for j < len(order) && b.segs[order[j]].level >= lv {
				j++
			}
			slices.Reverse(order[i:j])
			i = j
		}
	}
	return order
}

// side says which edges an inline box has on a line, and at which segments.
type side struct {
	first, last int // its first and last segment in logical order
	open, close bool
}

func (o side) width(e edgeSpan) float64 {
	w := 0.0
	if o.open {
		w += e.left.x()
	}
	if o.close {
		w += e.right.x()
	}
	return w
}

// sides returns the inline boxes on the line.
func (b *lineState) sides([]int) map[*box]side {
	out := map[*box]side{}
	for i := range b.segs {
		for k := b.segs[i].parent; k != nil && k != b.b; k = k.parent {
			o, ok := out[k]
			if !ok {
				o.first = i
			}
			o.last = i
			out[k] = o
		}
	}
	for k, o := range out {
		e := b.spans[k]
		opens := e.open >= b.ln.start && (e.open < b.ln.end || b.ln.end == len(b.c.runes))
		closes := e.close >= b.ln.start && (e.close < b.ln.end || b.ln.end == len(b.c.runes))
		if k.style.Direction == css.RTL {
			opens, closes = closes, opens
		}
		o.open, o.close = opens, closes // now left and right
		out[k] = o
	}
	return out
}

// pieceWriter creates the pieces of a line from left to right; inline boxes are open while their segments follow each
// other.
type pieceWriter struct {
	*lineState
	opens map[*box]side
	x     float64
	base  float64      // y of the baseline
	stack []*openPiece // open boxes, from the outside
	count map[*box]int // segments of each box not placed yet
	total map[*box]int
}

// pieces creates the pieces of the line.
func (b *lineState) pieces(order []int, opens map[*box]side, x, top, baseline float64) {
	w := &pieceWriter{
		lineState: b, opens: opens, x: x + b.f.left(), base: b.f.top() + top + baseline,
		count: map[*box]int{}, total: map[*box]int{},
	}
	for _, i := range order {
		for k := b.segs[i].parent; k != nil && k != b.b; k = k.parent {
			w.count[k]++
			w.total[k]++
		}
	}
	for n, i := range order {
		sg := &b.segs[i]
		w.enter(sg.parent)
		into, ox, oy := w.innermost()
		sg.x = w.x
		if n > 0 && b.joins(&b.segs[order[n-1]], sg, into) {
			b.extend(into.links[len(into.links)-1], sg, ox)
		} else {
			b.put(sg, into, w.x, ox, oy, w.base)
		}
		w.x += sg.width
	}
	for len(w.stack) > 0 {
		w.shut()
	}
}

// innermost returns the piece that segments are added to, and its place.
func (w *pieceWriter) innermost() (into *piece, x, y float64) {
	if len(w.stack) == 0 {
		return w.p, 0, 0
	}
	o := w.stack[len(w.stack)-1]
	return o.p, o.x, o.y
}

// enter closes the boxes that a segment in parent isn't in, and opens the others.
func (w *pieceWriter) enter(parent *box) {
	var chain []*box
	for k := parent; k != nil && k != w.b; k = k.parent {
		chain = append(chain, k)
	}
	slices.Reverse(chain)
	common := 0
	for common < len(w.stack) && common < len(chain) && w.stack[common].box == chain[common] {
		common++
	}
	for len(w.stack) > common {
		w.shut()
	}
	for _, k := range chain[common:] {
		o := w.openPiece(k, w.opens[k], w.count[k] == w.total[k], w.base)
		e := w.spans[k]
		if o.p.hasLeft {
			w.x += e.left.Left
		}
		o.x = w.x
		if o.p.hasLeft {
			w.x += e.left.Right
		}
		w.stack = append(w.stack, o)
	}
	for _, k := range chain {
		w.count[k]--
	}
	for _, o := range w.stack {
		o.p.hasRight = w.opens[o.box].close && w.count[o.box] == 0
	}
}

// shut closes the innermost box.
func (w *pieceWriter) shut() {
	o := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	e := w.spans[o.box]
	if o.p.hasRight {
		w.x += e.right.Right
	} else {
		o.p.border.Right, o.p.padding.Right = 0, 0
	}
	o.p.w = w.x - o.x
	if o.p.hasRight {
		w.x += e.right.Left
	}
	into, x, y := w.innermost()
	into.add(o.p, o.x-x, o.y-y)
	w.sliced[o.box] = append(w.sliced[o.box], o.p)
}

// openPiece is a piece of an inline box while its content is placed.
type openPiece struct {
	box  *box
	p    *piece
	x, y float64 // of its border box
}

// openPiece returns a new piece of an inline box; first says that it is its first one on the line.
func (b *lineState) openPiece(k *box, o side, first bool, base float64) *openPiece {
	v := b.boxOf(k)
	border, padding := edges(k, b.room.w)
	p := &piece{kind: Inline, box: k, border: border, padding: padding, first: none, last: none}
	p.hasLeft = o.open && first
	if !p.hasLeft {
		p.border.Left, p.padding.Left = 0, 0
	}
	y := base + v.group.shift + v.shift - v.m.ascent - border.Top - padding.Top
	p.h = v.m.ascent + v.m.descent + border.y() + padding.y()
	return &openPiece{box: k, p: p, y: y}
}

// put adds the piece of a segment to its parent, whose border box is at ox and oy.
func (b *lineState) put(sg *segment, into *piece, x, ox, oy, base float64) {
	v := b.boxOf(sg.parent)
	if sg.leaf < 0 {
		b.putText(sg, into, x, ox, oy, base, v)
		return
	}
	f := &b.c.leaves[sg.leaf]
	switch f.kind {
	case textLeaf, tabLeaf:
		b.putText(sg, into, x, ox, oy, base, v)
	case emojiLeaf:
		size := f.box.style.FontSize
		a := b.atoms[sg.leaf]
		p := &piece{
			kind: Emoji, box: f.box, w: size, h: size, first: none, last: none, hasLeft: true, hasRight: true,
			text: &TextRun{Runs: []GlyphRun{{Size: size, Glyphs: []Glyph{{ID: f.emoji}}}}},
		}
		into.add(p, x+emojiMargin*size-ox, base+a.group.shift+a.shift-oy)
	case atomicLeaf:
		a := b.atoms[sg.leaf]
		m := margins(f.box, b.room.w)
		into.add(b.boxes[sg.leaf], x+m.Left-ox, base+a.group.shift+a.shift+m.Top-oy)
	case outLeaf:
		left := x
		if !inlineByNature(f.box) {
			left = b.f.left()
		}
		into.links = append(into.links, link{out: f.box, x: left - ox, y: base - b.lineTop() - oy})
	case markerLeaf:
		b.putMarker(f, into, x, ox, oy, base)
	}
}

// lineTop returns the distance from the top of the line to its baseline.
func (b *lineState) lineTop() float64 { return b.root.above }

// markerGap is the space between a symbol and the text of a list item, in px. Source: Blink, ListMarker.
const markerGap = 7

// putMarker adds the marker of a list item beside its line.
func (b *lineState) putMarker(f *leaf, into *piece, x, ox, oy, base float64) {
	st := f.box.style
	switch st.ListStyle {
	case css.ListDisc, css.ListCircle, css.ListSquare:
		b.putSymbol(f, into, x, ox, oy, base)
		return
	}
	st = tabular(st)
	run := b.l.shapeString(st, f.box.text+" ")
	sg := segment{leaf: -1, parent: f.parent, extra: run, style: st}
	for _, g := range run.glyphs {
		sg.width += float64(g.Advance) * run.size
	}
	at := x - sg.width
	if b.c.rtl {
		at = x + b.used
	}
	b.putText(&sg, into, at, ox, oy, base, b.root)
}

// tabular returns a style with digits of equal width, as markers have.
func tabular(s *css.Style) *css.Style {
	out, inherited := *s, *s.Text
	inherited.Features = append(inherited.Features[:len(inherited.Features):len(inherited.Features)],
		css.Feature{Tag: "tnum", Value: 1})
	out.Text = &inherited
	return &out
}

// putSymbol adds a disc, circle or square, as a box with a background or border.
func (b *lineState) putSymbol(f *leaf, into *piece, x, ox, oy, base float64) {
	inherited := f.box.style
	st := inheritedStyle(inherited)
	ink := css.Color{NRGBA: inherited.Color}
	half := css.Radius{X: css.Length{Percent: 50}, Y: css.Length{Percent: 50}}
	if inherited.ListStyle != css.ListSquare {
		st.Radius.TopLeft, st.Radius.TopRight, st.Radius.BottomRight, st.Radius.BottomLeft = half, half, half, half
	}
	side := css.BorderSide{}
	if inherited.ListStyle == css.ListCircle {
		side = css.BorderSide{Width: 1, Style: css.LineSolid, Color: ink}
		st.Border = css.Sides[css.BorderSide]{Top: side, Right: side, Bottom: side, Left: side}
	} else {
		st.BackgroundColor = ink
	}
	ascent := b.l.primaryMetrics(inherited).ascent
	offset := math.Floor(ascent * 2 / 3)
	size := math.Floor((offset + 1) / 2)
	at := x - offset - markerGap
	if b.c.rtl {
		at = x + b.used + offset + markerGap - size
	}
	p := &piece{
		kind: Box, box: &box{kind: flowBox, node: f.box.node, style: st, parent: f.parent, root: true}, w: size, h: size,
		first: none, last: none, hasLeft: true, hasRight: true,
		border: Edges{side.Width, side.Width, side.Width, side.Width},
	}
	into.add(p, at-ox, base-ascent+math.Floor(3*(ascent-offset)/2)-oy)
}

// putText adds a text piece.
func (b *lineState) putText(sg *segment, into *piece, x, ox, oy, base float64, v *verticalBox) {
	m := b.l.primaryMetrics(sg.style)
	p := &piece{
		kind: Text, box: b.textBox(sg), w: sg.width, h: m.ascent + m.descent, first: none, last: none,
		hasLeft: true, hasRight: true,
		text: &TextRun{Baseline: m.ascent, Ascent: m.ascent, Descent: m.descent},
	}
	b.glyphRun(p.text, sg, 0)
	p.text.Decorations = b.decorate(p, v)
	into.add(p, x-ox, base+v.group.shift+v.shift-m.ascent-oy)
}

// textBox returns the box of a segment's text.
func (b *lineState) textBox(sg *segment) *box {
	if sg.leaf >= 0 {
		return b.c.leaves[sg.leaf].box
	}
	return &box{kind: textBox, style: sg.style, parent: sg.parent, inline: true, decor: sg.parent.decor}
}

// joins reports whether a segment continues the text piece of the previous one.
func (b *lineState) joins(previous, sg *segment, into *piece) bool {
	if len(into.links) == 0 || previous.run == nil || sg.run == nil {
		return false
	}
	last := into.links[len(into.links)-1].piece
	return previous.leaf == sg.leaf && last != nil && last.kind == Text
}

// extend adds a segment to the text piece of the previous one.
func (b *lineState) extend(to link, sg *segment, ox float64) {
	b.glyphRun(to.piece.text, sg, sg.x-ox-to.x)
	to.piece.w = sg.x - ox - to.x + sg.width
}

// glyphRun adds the glyphs of a segment to a text, from x on.
func (b *lineState) glyphRun(t *TextRun, sg *segment, x float64) {
	run, runes := sg.run, b.c.runes
	if sg.extra != nil {
		run = sg.extra
		runes = nil
	}
	if run == nil {
		return // a tab
	}
	out := GlyphRun{Face: run.face, Size: run.size, Bold: run.bold, Oblique: run.oblique}
	from, to := 0, len(run.glyphs)
	if runes != nil {
		from, to = run.glyphRange(sg.start, sg.end)
	}
	for i := from; i < to; i++ {
		g := &run.glyphs[i]
		at := int(g.Cluster)
		adv := float64(g.Advance) * run.size
		r := rune(0)
		if runes != nil {
			r = runes[at]
			if lastOfCluster(run.glyphs, i) {
				adv += b.c.spacing(run, sg.style, at)
				if b.gap != 0 && (r == ' ' || r == 0xa0) {
					adv += b.gap
				}
			}
		}
		if r != ' ' && r != softHyphen && !(runes != nil && text.Ignorable(r)) {
			out.Glyphs = append(out.Glyphs, Glyph{
				ID: g.ID, X: x + float64(g.DX)*run.size, Y: t.Baseline - float64(g.DY)*run.size, Advance: adv,
				Cluster: g.Cluster, Rune: r,
			})
		}
		x += adv
	}
	if len(out.Glyphs) > 0 {
		t.Runs = append(t.Runs, out)
	}
	if runes != nil {
		t.Source += string(runes[sg.start:sg.end])
	} else {
		t.Source += "…"
	}
}

// lastOfCluster reports whether glyph i is the last of its cluster in visual order.
func lastOfCluster(glyphs []text.RunGlyph, i int) bool {
	return i+1 == len(glyphs) || glyphs[i+1].Cluster != glyphs[i].Cluster
}

// decorate returns the decorations of a text piece.
func (b *lineState) decorate(p *piece, v *verticalBox) []Decoration {
	decor := p.box.decor
	if len(decor) == 0 {
		if v.box != nil {
			decor = v.box.decor
		} else {
			decor = b.b.decor
		}
	}
	var out []Decoration
	for _, d := range decor {
		m := b.l.primaryMetrics(d.style)
		// The baseline of the decorating box, relative to that of the text.
		shift := 0.0
		if at, ok := b.vertical[d]; ok {
			shift = at.shift - v.shift
		} else if !isInlineOf(d, b.b) {
			shift = b.root.shift - v.shift
			if v.group != b.root.group {
				shift = 0
			}
		}
		out = append(out, decorationLines(d.style, b.textStyle(p), m, p.text.Baseline+shift)...)
	}
	return out
}

func (b *lineState) textStyle(p *piece) *css.Style { return p.box.style }

// isInlineOf reports whether d is an inline box in the block container k.
func isInlineOf(d, k *box) bool {
	for x := d; x != nil; x = x.parent {
		if x == k {
			return d != k && d.kind == inlineBox
		}
	}
	return false
}

// decorationLines returns the lines of a decoration about a baseline. Source: Blink, TextDecorationInfo and
// TextDecorationOffset.
func decorationLines(s, own *css.Style, m faceMetrics, baseline float64) []Decoration {
	exact := max(1, s.FontSize/10)
	switch t := s.Decoration.Thickness; t.Kind {
	case css.Fixed:
		exact = max(1, math.Round(t.Resolve(s.FontSize)))
	case css.Content:
		if m.underlineThickness > 0 {
			exact = max(1, m.underlineThickness)
		}
	}
	thickness := exact
	if st := s.Decoration.Style; st == css.LineSolid || st == css.LineDouble {
		thickness = math.Floor(exact)
	}
	line := func(kind DecorationLine, offset float64) Decoration {
		return Decoration{Line: kind, Style: s, Y: baseline + offset, Thickness: thickness}
	}
	var out []Decoration
	if s.Decoration.Underline {
		offset := max(1, math.Ceil(exact/2))
		if own.UnderlineOff.Kind == css.Fixed {
			offset = math.Round(own.UnderlineOff.Resolve(s.FontSize))
		} else if own.UnderlineLow {
			offset = 1
		}
		if own.UnderlineLow {
			offset += m.descent
		}
		out = append(out, line(Underline, offset))
	}
	if s.Decoration.Overline {
		out = append(out, line(Overline, -m.ascent-thickness))
	}
	if s.Decoration.LineThrough {
		out = append(out, line(LineThrough, -m.ascent/3-exact/2))
	}
	return out
}

// shapeAlone shapes a part of a run as if the text ended at its ends.
func (l *layouter) shapeAlone(c *inlineContent, set *fontSet, run *shaped, start, end int) []text.RunGlyph {
	alone := &inlineContent{runes: c.runes[start:end]}
	again := *run
	again.start, again.end = 0, end-start
	glyphs := l.shapeRange(alone, set, &again, 0, end-start)
	for i := range glyphs {
		glyphs[i].Cluster += int32(start)
	}
	return glyphs
}
