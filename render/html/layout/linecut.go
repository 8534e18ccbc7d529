package layout

import (
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
)

// cutSegments fills b.segs in logical order, with an ellipsis where the line is too long.
func (b *lineState) cutSegments(clamped bool) {
	end := b.ln.shown
	ellipsis := clamped
	st := b.b.Style
	if b.b.Anonymous && b.b.Parent != nil && !b.b.Item {
		st = b.b.Parent.Style
	}
	width := b.width(b.ln.start, b.ln.end) + b.ln.indent
	if st.TextOverflow == css.TextEllipsis && st.OverflowX != css.OverflowVisible && (!b.b.Anonymous || !b.b.Item) &&
		width > b.ln.room+boxtree.Slack {
		ellipsis = true
	}
	var tail *shaped
	tailWidth := 0.0
	if ellipsis {
		tail = b.l.shapeString(b.b.Style, "…")
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
		b.cut, b.whole = true, width-b.ln.indent
		level := int8(0)
		if b.c.rtl {
			level = 1
		}
		b.segs = append(b.segs, segment{
			leaf: -1, parent: b.b, extra: tail, width: tailWidth, level: level, style: b.b.Style,
			start: end, end: end,
		})
	} else if b.ln.hyphen {
		f := &b.c.leaves[b.c.owner[b.ln.end-1]]
		hyphen := b.l.shapeString(f.box.Style, hyphenFor(b.l, f.box.Style))
		b.segs = append(b.segs, segment{
			leaf: -1, parent: f.parent, extra: hyphen, width: b.hyphenWidth(b.ln.end), style: f.box.Style,
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
