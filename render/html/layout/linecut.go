package layout

import (
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
)

// fill fills b.segs with all of the line, in logical order.
func (b *lineState) fill() {
	b.addRange(b.ln.start, max(b.ln.shown, b.ln.start))
	if b.ln.shown < b.ln.end {
		b.addInvisible(b.ln.shown)
	}
}

// ellipsis reports whether the line ends with an ellipsis, since it is too long or the last of a clamped box.
func (b *lineState) ellipsis(clamped bool) bool {
	st := b.b.Style
	if b.b.Anonymous && b.b.Parent != nil && !b.b.Item {
		st = b.b.Parent.Style
	}
	return clamped || st.TextOverflow == css.TextEllipsis && st.OverflowX != css.OverflowVisible &&
		(!b.b.Anonymous || !b.b.Item) && b.width(b.ln.start, b.ln.end)+b.ln.indent > b.ln.room+boxtree.Slack
}

// hyphenate adds the hyphen of a line that is broken in a word.
func (b *lineState) hyphenate() {
	f := &b.c.leaves[b.c.owner[b.ln.end-1]]
	hyphen := b.l.shapeString(f.box.Style, hyphenFor(b.l, f.box.Style))
	b.segs = append(b.segs, segment{
		leaf: -1, parent: f.parent, extra: hyphen, width: b.hyphenWidth(b.ln.end), style: f.box.Style,
		level: b.c.level[b.ln.end-1], start: b.ln.end, end: b.ln.end,
	})
}

// cut replaces what doesn't fit beside an ellipsis with it. The line keeps its height, and what is left of it its
// place. Source: Blink, LineTruncator::TruncateLine.
func (b *lineState) cut() {
	b.uncut = b.width(b.ln.start, b.ln.end)
	end := b.ln.shown
	tail := b.l.shapeString(b.b.Style, "…")
	tailWidth := 0.0
	for _, g := range tail.glyphs {
		tailWidth += float64(g.Advance) * tail.size
	}
	b.segs = b.segs[:0]
	if room := b.ln.room - b.ln.indent - tailWidth; b.mixed(end) {
		b.addRange(b.ln.start, end)
		b.cutVisually(room)
	} else {
		end = b.cutFor(end, room)
		b.addRange(b.ln.start, max(end, b.ln.start))
	}
	level := int8(0)
	if b.c.rtl {
		level = 1
	}
	b.segs = append(b.segs, segment{
		leaf: -1, parent: b.b, extra: tail, width: tailWidth, level: level, style: b.b.Style, start: end, end: end,
	})
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
		if sg.width <= width+boxtree.Slack {
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
			if w > width+boxtree.Slack {
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
		if w > width+boxtree.Slack {
			break
		}
		if b.c.cluster[i] {
			sg.start = i
		}
	}
	return sg.start < end
}

// addInvisible adds the leaves behind the visible text that still have a place: absolutely positioned boxes, inline
// boxes without content, and the forced break, whose inline box counts for the height of the line.
func (b *lineState) addInvisible(from int) {
	for i := from; i < b.ln.end; i++ {
		at := int(b.c.owner[i])
		if k := b.c.leaves[at].kind; k != textLeaf {
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
		if b.pos[i]-b.pos[b.ln.start] > width+boxtree.Slack && !first {
			break
		}
		first = false
		out = i
	}
	return out
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
	case floatLeaf:
		return
	case textLeaf:
		for i := start; i < end; {
			run := &c.runs[c.runOf[i]]
			until := min(end, run.end)
			b.segs = append(b.segs, segment{
				leaf: at, parent: f.parent, run: run, start: i, end: until, level: run.level, style: f.box.Style,
			})
			i = until
		}
		return
	}
	b.segs = append(b.segs, segment{
		leaf: at, parent: f.parent, start: start, end: end, level: c.level[start], style: f.box.Style,
	})
}
