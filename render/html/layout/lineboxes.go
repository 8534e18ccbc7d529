package layout

import (
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/fragment"
)

// segment is a leaf, or the part of a text leaf that is on one line in one face.
type segment struct {
	leaf       int // index of its leaf; -1 of a hyphen or an ellipsis
	parent     *boxtree.Box
	run        *shapedRun // of text
	start, end int        // runes
	level      int8
	width      float64
	x          float64    // from the left edge of the line
	extra      *shapedRun // a hyphen or an ellipsis
	style      *css.Style
}

// verticalBox is an inline box on a line: its baseline below that of the line, and what it adds to the line's height.
type verticalBox struct {
	box          *boxtree.Box
	parent       *verticalBox
	group        *alignGroup
	shift        float64
	above, below float64 // with leading
	m            faceMetrics
}

// alignGroup is boxes aligned with each other: those of the line's baseline, or an inline box with all in it that is
// aligned with the top or bottom of the line, or the middle, top or bottom of the text of its parent.
type alignGroup struct {
	align       css.VAlign
	parent      *verticalBox // of one that is aligned with a text
	top, bottom float64      // extent, relative to the group's baseline
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
	vertical map[*boxtree.Box]*verticalBox
	groups   []*alignGroup
	atoms    map[int]*verticalAtom
	gap      float64      // added at each place where a justified line is widened
	spread   map[int]bool // those places: the runes before
	used     float64      // width of all segments
	uncut    float64      // width of a line that is cut, as a whole
	above    float64      // from the top of the line to the baseline
	below    float64      // from the baseline to the bottom of the line
}

// verticalAtom is the place of an atomic box or an emoji.
type verticalAtom struct {
	group *alignGroup
	shift float64 // of the top of its margin box, relative to the group's baseline
}

// build lays out a line whose top is at top in the content box, and returns its height.
func (s *inlineState) build(ln line, top float64, clamped bool) float64 {
	b := &lineState{inlineState: s, ln: ln, vertical: map[*boxtree.Box]*verticalBox{}, atoms: map[int]*verticalAtom{}}
	b.fill()
	ellipsis := b.ellipsis(clamped)
	if ln.hyphen && !ellipsis {
		b.hyphenate()
	}
	baseline, height := b.align()
	b.above, b.below = baseline, height-baseline
	if ellipsis {
		b.cut()
	}
	b.place(top, baseline)
	y := s.f.Top() + top + baseline
	if boxtree.IsNone(s.p.First) {
		s.p.First = y
	}
	s.p.Last = y
	return height
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
			sg.width = b.boxes[sg.leaf].W + boxtree.Margins(f.box, b.room.W).X()
		case emojiLeaf:
			sg.width = f.box.Style.FontSize * emojiAdvance
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
func unsafeAt(run *shapedRun, i int) bool {
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
		w += e.left.X()
	}
	if o.close {
		w += e.right.X()
	}
	return w
}

// sides returns the inline boxes on the line.
func (b *lineState) sides([]int) map[*boxtree.Box]side {
	out := map[*boxtree.Box]side{}
	for i := range b.segs {
		for k := b.segs[i].parent; k != nil && k != b.b; k = k.Parent {
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
		if k.Style.Direction == css.RTL {
			opens, closes = closes, opens
		}
		if k.Style.CloneEdges {
			opens, closes = true, true
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
	opens map[*boxtree.Box]side
	x     float64
	base  float64              // y of the baseline
	stack []*openPiece         // open boxes, from the outside
	count map[*boxtree.Box]int // segments of each box not placed yet
	total map[*boxtree.Box]int
}

// pieces creates the pieces of the line.
func (b *lineState) pieces(order []int, opens map[*boxtree.Box]side, x, top, baseline float64) {
	w := &pieceWriter{
		lineState: b, opens: opens, x: x + b.f.Left(), base: b.f.Top() + top + baseline,
		count: map[*boxtree.Box]int{}, total: map[*boxtree.Box]int{},
	}
	for _, i := range order {
		for k := b.segs[i].parent; k != nil && k != b.b; k = k.Parent {
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
			b.extend(into.Links[len(into.Links)-1], sg, ox)
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
func (w *pieceWriter) innermost() (into *boxtree.Piece, x, y float64) {
	if len(w.stack) == 0 {
		return w.p, 0, 0
	}
	o := w.stack[len(w.stack)-1]
	return o.p, o.x, o.y
}

// enter closes the boxes that a segment in parent isn't in, and opens the others.
func (w *pieceWriter) enter(parent *boxtree.Box) {
	var chain []*boxtree.Box
	for k := parent; k != nil && k != w.b; k = k.Parent {
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
		if o.p.HasLeft {
			w.x += e.left.Left
		}
		o.x = w.x
		if o.p.HasLeft {
			w.x += e.left.Right
		}
		w.stack = append(w.stack, o)
	}
	for _, k := range chain {
		w.count[k]--
	}
	for _, o := range w.stack {
		o.p.HasRight = w.opens[o.box].close && w.count[o.box] == 0
	}
}

// shut closes the innermost box.
func (w *pieceWriter) shut() {
	o := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	e := w.spans[o.box]
	if o.p.HasRight {
		w.x += e.right.Right
	} else {
		o.p.Border.Right, o.p.Padding.Right = 0, 0
	}
	o.p.W = w.x - o.x
	if o.p.HasRight {
		w.x += e.right.Left
	}
	into, x, y := w.innermost()
	into.Add(o.p, o.x-x, o.y-y)
	w.sliced[o.box] = append(w.sliced[o.box], o.p)
}

// openPiece is a piece of an inline box while its content is placed.
type openPiece struct {
	box  *boxtree.Box
	p    *boxtree.Piece
	x, y float64 // of its border box
}

// openPiece returns a new piece of an inline box; first says that it is its first one on the line.
func (b *lineState) openPiece(k *boxtree.Box, o side, first bool, base float64) *openPiece {
	v := b.boxOf(k)
	border, padding := boxtree.EdgesOf(k, b.room.W)
	p := &boxtree.Piece{
		Kind: fragment.Inline, Box: k, Border: border, Padding: padding, First: boxtree.None, Last: boxtree.None,
	}
	p.HasLeft = o.open && first
	if !p.HasLeft {
		p.Border.Left, p.Padding.Left = 0, 0
	}
	y := base + v.group.shift + v.shift - v.m.ascent - border.Top - padding.Top
	p.H = v.m.ascent + v.m.descent + border.Y() + padding.Y()
	return &openPiece{box: k, p: p, y: y}
}
