package flex

import (
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
)

// stretch lays out stretched items at the cross size of their line (step 11).
func (s *state) stretch(it *item, ln *line) {
	if !s.stretches(it) {
		return
	}
	lo, hi := s.crossLimits(it)
	v := boxtree.Unit(min(max(ln.cross-it.crossBefore-it.crossEnd, lo), hi))
	sp := s.itemSpace(it)
	if s.row {
		sp.FixH = v
	} else {
		sp.FixW = v
	}
	if v == it.cross && !s.row {
		return
	}
	it.piece = s.l.Layout(it.b, sp)
	it.cross = v
}

// placeAll places the items along both axes (steps 12 to 14) and returns the height of the content.
func (s *state) placeAll() float64 {
	for _, ln := range s.lines {
		s.placeMain(ln)
		for _, it := range ln.items {
			s.placeCross(it, ln)
			s.add(it)
		}
	}
	if len(s.lines) > 0 {
		s.baselines(s.lines[0])
	}
	reversed := s.paintedReversed()
	for _, k := range s.out {
		s.addOut(k)
	}
	if !reversed {
		s.sortLinks()
	}
	if s.row {
		if s.room.Main >= 0 {
			return s.room.Main
		}
		return s.crossSize
	}
	return s.main
}

// paintedReversed puts items into the order in which Chromium paints them, and reports whether that isn't the one of
// the document: from the left to the right in row-reverse, from the top to the bottom in column-reverse and
// wrap-reverse. Source: Blink, FlexLayoutAlgorithm::ApplyReversals.
func (s *state) paintedReversed() bool {
	st := s.b.Style
	items := st.FlexDirection == css.RowReverse || st.FlexDirection == css.ColumnReverse
	lines := st.FlexWrap == css.WrapReverse
	if items != lines {
		at := 0
		for _, ln := range s.lines {
			slices.Reverse(s.p.Links[at:][:len(ln.items)])
			at += len(ln.items)
		}
	}
	if lines {
		slices.Reverse(s.p.Links)
	}
	return items || lines
}

// placeMain places the items of a line along the main axis.
func (s *state) placeMain(ln *line) {
	free := s.main - s.gap*float64(len(ln.items)-1)
	autos := 0
	for _, it := range ln.items {
		free -= it.outer(it.target)
		autos += int(boolTo(it.autoMain[0]) + boolTo(it.autoMain[1]))
	}
	at, between := 0.0, 0.0
	share := 0.0
	if autos > 0 && free > 0 {
		share = free / float64(autos)
	} else if autos == 0 || free <= 0 {
		justify := s.b.Style.JustifyContent
		if !s.row && (justify == css.AlignLeft || justify == css.AlignRight) {
			justify = css.AlignStart
		}
		rev := s.reverse
		if justify == css.AlignLeft || justify == css.AlignRight {
			justify, rev = physical(justify, s.reverse), s.reverse
		}
		at, between = boxtree.Distribute(justify, free, len(ln.items), rev)
	}
	for _, it := range ln.items {
		before, after := it.mainBefore, it.mainAfter
		auto := it.autoMain
		if s.reverse {
			before, after = after, before
			auto[0], auto[1] = auto[1], auto[0]
		}
		if auto[0] {
			before += share
		}
		if auto[1] {
			after += share
		}
		it.mainAt = at + before
		at += before + it.target + after + s.gap + between
	}
}

// physical turns left and right into start and end of a row.
func physical(a css.Align, reverse bool) css.Align {
	if (a == css.AlignLeft) != reverse {
		return css.AlignFlexStart
	}
	return css.AlignFlexEnd
}

// placeCross places an item along the cross axis, from the cross start of its line.
func (s *state) placeCross(it *item, ln *line) {
	free := ln.cross - it.cross - it.crossBefore - it.crossEnd
	before := it.crossBefore
	auto := it.autoCross
	if s.flip {
		before = it.crossEnd
		auto[0], auto[1] = auto[1], auto[0]
	}
	if auto[0] || auto[1] {
		switch {
		case free <= 0:
		case auto[0] && auto[1]:
			before += free / 2
		case auto[0]:
			before += free
		}
		it.crossAt = ln.at + before
		return
	}
	shift := 0.0
	switch it.align {
	case css.AlignCenter:
		shift = free / 2
	case css.AlignFlexEnd:
		shift = free
	case css.AlignEnd, css.AlignSelfEnd, css.AlignRight:
		if !s.flip {
			shift = free
		}
	case css.AlignStart, css.AlignSelfStart, css.AlignLeft:
		if s.flip {
			shift = free
		}
	case css.AlignBaseline:
		if !boxtree.IsNone(it.baseline) {
			shift = ln.baseline - it.baseline - it.crossBefore
			if s.flip { // from the bottom
				shift = ln.below - (it.cross + it.crossEnd - it.baseline)
			}
		}
	case css.AlignLastBaseline:
		shift = free
	}
	it.crossAt = ln.at + before + shift
}

// add adds the piece of an item to the container.
func (s *state) add(it *item) {
	main, cross := it.mainAt, it.crossAt
	if s.reverse {
		main = s.main - main - it.target
	}
	if s.flip {
		cross = s.crossSize - cross - it.cross
	}
	x, y := main, cross
	if !s.row {
		x, y = cross, main
	}
	s.p.Add(it.piece, s.f.Left()+x, s.f.Top()+y)
}

// baselines sets the baselines of the container from its first line.
func (s *state) baselines(ln *line) {
	pick := ln.items[0]
	if !s.row && s.reverse {
		pick = ln.items[len(ln.items)-1]
	}
	for _, it := range ln.items {
		if s.row && it.align == css.AlignBaseline && !boxtree.IsNone(it.baseline) {
			pick = it
			break
		}
	}
	for i := range s.p.Links {
		k := &s.p.Links[i]
		if k.Piece == pick.piece && k.Piece.Box == pick.b {
			base := pick.piece.First
			if boxtree.IsNone(base) {
				base = pick.piece.H
			}
			s.p.First = k.Y + base
			s.p.Last = s.p.First
		}
	}
}

// addOut adds an absolutely positioned child at its static position: as if it were the only item.
func (s *state) addOut(k *boxtree.Box) {
	main, mainAlign := boxtree.StaticAlong(s.b.Style.JustifyContent, s.main, s.reverse)
	cross, crossAlign := boxtree.StaticAlong(alignOf(s.b.Style, k), s.crossSize, s.flip)
	out := boxtree.Link{Out: k, X: s.f.Left() + main, Y: s.f.Top() + cross, AlignX: mainAlign, AlignY: crossAlign}
	if !s.row {
		out.X, out.Y, out.AlignX, out.AlignY = s.f.Left()+cross, s.f.Top()+main, crossAlign, mainAlign
	}
	s.p.Links = append(s.p.Links, out)
}

// sortLinks puts absolutely positioned children where they are in the document, between items with an order of 0.
func (s *state) sortLinks() {
	if len(s.out) == 0 {
		return
	}
	index := make(map[*boxtree.Box]int, len(s.b.Kids))
	for i, k := range s.b.Kids {
		index[k] = i
	}
	boxOf := func(k boxtree.Link) *boxtree.Box {
		if k.Out != nil {
			return k.Out
		}
		return k.Piece.Box
	}
	slices.SortStableFunc(s.p.Links, func(a, z boxtree.Link) int {
		x, y := boxOf(a), boxOf(z)
		ox, oy := boxtree.OrderOf(x), boxtree.OrderOf(y)
		if a.Out != nil {
			ox = 0
		}
		if z.Out != nil {
			oy = 0
		}
		if ox != oy {
			return ox - oy
		}
		return index[x] - index[y]
	})
}

func boolTo(v bool) float64 {
	if v {
		return 1
	}
	return 0
}
