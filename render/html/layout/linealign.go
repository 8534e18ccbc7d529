package layout

import (
	"math"
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/fragment"
)

// boxOf returns the vertical box of an inline box, and those around it.
func (b *lineState) boxOf(k *boxtree.Box) *verticalBox {
	if k == b.b || k == nil {
		return b.root
	}
	if v, ok := b.vertical[k]; ok {
		return v
	}
	parent := b.boxOf(k.Parent)
	v := &verticalBox{box: k, parent: parent, m: b.l.primaryMetrics(k.Style)}
	v.above, v.below = leading(k.Style, v.m)
	switch va := k.Style.VerticalAlign.Kind; va {
	case css.VMiddle, css.VTextTop, css.VTextBottom:
		v.group = &alignGroup{align: va, parent: parent}
		b.groups = append(b.groups, v.group)
	default:
		v.group, v.shift = b.shiftOf(parent, k.Style, v.above, v.below)
	}
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
		return parent.group, parent.shift + boxtree.Unit(size/5) + 1
	case css.VSuper:
		return parent.group, parent.shift - boxtree.Unit(size/3) - 1
	case css.VTextTop, css.VTextBottom, css.VMiddle:
		return parent.group, parent.shift + parent.alignedShift(va.Kind, above, below)
	default:
		g := &alignGroup{align: va.Kind}
		b.groups = append(b.groups, g)
		return g, 0
	}
}

// alignedShift returns the baseline, relative to that of v, of what is aligned with the text of v. Source: Blink,
// InlineLayoutStateStack::ApplyBaselineShift.
func (v *verticalBox) alignedShift(align css.VAlign, above, below float64) float64 {
	switch align {
	case css.VTextTop:
		return above - v.m.ascent
	case css.VTextBottom:
		return v.m.descent - below
	}
	return (above-below)/2 - math.Round(v.m.xHeight/2*64)/64
}

func (v *verticalBox) style(b *lineState) *css.Style {
	if v.box == nil {
		return b.b.Style
	}
	return v.box.Style
}

// align places everything vertically. It returns the baseline and the height of the line, from its top.
func (b *lineState) align() (baseline, height float64) {
	main := &alignGroup{}
	b.root = &verticalBox{group: main, m: b.l.primaryMetrics(b.b.Style)}
	b.root.above, b.root.below = leading(b.b.Style, b.root.m)
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
			if s := f.box.Style; s.LineHeight.Normal && sg.run.face != b.l.fonts(s).faces[0] {
				above, below := leading(s, b.l.metrics(sg.run.face, sg.run.size))
				v.group.extend(v.shift-above, v.shift+below)
			}
		case emojiLeaf:
			size := f.box.Style.FontSize
			b.atoms[sg.leaf] = &verticalAtom{v.group, v.shift + (emojiFoot-1)*size}
			v.group.extend(v.shift+(emojiFoot-1)*size, v.shift+emojiFoot*size)
		case atomicLeaf:
			child := b.boxes[sg.leaf]
			m := boxtree.Margins(f.box, b.room.W)
			base := b.atomBaseline(f.box, child, m)
			h := child.H + m.Y()
			group, shift := b.shiftOf(v, f.box.Style, base, h-base)
			b.atoms[sg.leaf] = &verticalAtom{group, shift - base}
			group.extend(shift-base, shift-base+h)
		}
	}
	for _, g := range slices.Backward(b.groups) { // from the innermost to the outermost
		if p := g.parent; p != nil {
			g.shift = p.alignedShift(g.align, -g.top, g.bottom)
			p.group.extend(p.shift+g.shift+g.top, p.shift+g.shift+g.bottom)
		}
	}
	top, bottom := main.top, main.bottom
	for _, g := range b.groups {
		if g.align == css.VTop {
			bottom = max(bottom, top+g.bottom-g.top)
		}
	}
	for _, g := range b.groups {
		if g.align == css.VBottom {
			top = min(top, bottom-(g.bottom-g.top))
		}
	}
	for _, g := range b.groups {
		switch g.align {
		case css.VTop:
			g.shift = top - g.top
		case css.VBottom:
			g.shift = bottom - g.bottom
		default:
			g.shift += g.parent.group.shift + g.parent.shift
		}
	}
	return -top, bottom - top
}

// atomBaseline returns the baseline of an atomic box from the top of its margin box.
func (b *lineState) atomBaseline(k *boxtree.Box, child *boxtree.Piece, m fragment.Edges) float64 {
	switch k.Kind {
	case boxtree.ReplacedBox:
	case boxtree.FlexBox, boxtree.GridBox, boxtree.TableBox:
		if !boxtree.IsNone(child.First) {
			return m.Top + child.First
		}
	default:
		if !boxtree.IsNone(child.Last) && k.Style.OverflowY == css.OverflowVisible {
			return m.Top + child.Last
		}
	}
	return m.Top + child.H + m.Bottom
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
	st := b.b.Style
	indent := b.ln.indent
	room := b.ln.room - indent
	align := st.TextAlign
	if b.ln.last {
		align = st.TextAlignLast
		if align == css.TextAuto {
			align = css.TextStart
		}
	}
	if (st.TextAlign == css.TextJustify && !b.ln.last || align == css.TextJustify) && room > b.used {
		b.justify(room - b.used)
	}
	x := b.ln.left
	if b.uncut == 0 || b.gap > 0 {
		x += alignOffset(st, b.c.rtl, room, b.used, b.ln.last)
	} else if x += alignOffset(st, b.c.rtl, room, b.uncut, b.ln.last); b.c.rtl {
		x += b.uncut - b.used
	}
	if !b.c.rtl {
		x += indent
	}
	b.pieces(order, opens, x, top, baseline)
}

// justify widens spaces, and the gaps between ideographs, to fill spare px.
func (b *lineState) justify(spare float64) {
	b.spread = map[int]bool{}
	last := -1 // the last rune of the line
	for i := range b.segs {
		if sg := &b.segs[i]; sg.run != nil {
			last = max(last, sg.end-1)
		}
	}
	for i := range b.segs {
		sg := &b.segs[i]
		if sg.run == nil {
			continue
		}
		for k := sg.start; k < sg.end; k++ {
			if b.c.widens(k, last) {
				b.spread[k] = true
			}
		}
	}
	if len(b.spread) == 0 {
		return
	}
	b.gap = spare / float64(len(b.spread))
	for i := range b.segs {
		sg := &b.segs[i]
		if sg.run == nil {
			continue
		}
		for k := sg.start; k < sg.end; k++ {
			if b.spread[k] {
				sg.width += b.gap
				b.used += b.gap
			}
		}
	}
}

// widens reports whether a justified line is widened after rune i: at spaces, and beside ideographs.
func (c *inlineContent) widens(i, last int) bool {
	switch r := c.runes[i]; {
	case r == ' ' || r == 0xa0:
		return true
	case i >= last || !c.cluster[i+1] || c.runes[i+1] == ' ' || c.runes[i+1] == 0xa0:
		return false
	default:
		return ideographic(r) || ideographic(c.runes[i+1])
	}
}

// ideographic reports whether a character may be justified apart from its neighbors. Source: Blink,
// Character::IsCJKIdeographOrSymbol.
func ideographic(r rune) bool {
	switch {
	case r < 0x2e80 || r >= 0xac00 && r <= 0xd7a3:
		return false
	case r <= 0x9fff, r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe4f, r >= 0xff00 && r <= 0xffef,
		r >= 0x20000 && r <= 0x3ffff:
		return true
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
