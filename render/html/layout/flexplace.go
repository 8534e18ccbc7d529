package layout

import (
	"slices"

	"masthead/render/html/css"
)

// distribute returns where the first of n things begins and the space between them, by a value of *-content. reverse
// says that the start is at the far end, which matters to start and end.
func distribute(a css.Align, free float64, n int, reverse bool) (at, between float64) {
	if n == 0 {
		return 0, 0
	}
	switch a {
	case css.AlignCenter:
		return free / 2, 0
	case css.AlignFlexEnd:
		return free, 0
	case css.AlignEnd, css.AlignRight:
		if reverse {
			return 0, 0
		}
		return free, 0
	case css.AlignStart, css.AlignLeft:
		if reverse {
			return free, 0
		}
		return 0, 0
	case css.AlignSpaceBetween:
		if free > 0 && n > 1 {
			return 0, free / float64(n-1)
		}
	case css.AlignSpaceAround:
		if free > 0 {
			return free / float64(2*n), free / float64(n)
		}
	case css.AlignSpaceEvenly:
		if free > 0 {
			return free / float64(n+1), free / float64(n+1)
		}
	}
	return 0, 0
}

func boolTo(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// stretch lays out stretched items at the cross size of their line (step 11).
func (s *flexState) stretch(it *flexItem, ln *flexLine) {
	if !s.stretches(it) {
		return
	}
	lo, hi := s.crossLimits(it)
	v := unit(min(max(ln.cross-it.crossBefore-it.crossEnd, lo), hi))
	sp := s.itemSpace(it)
	if s.row {
		sp.fixH = v
	} else {
		sp.fixW = v
	}
	if v == it.cross && !s.row {
		return
	}
	it.piece = s.l.layout(it.b, sp)
	it.cross = v
}

// placeAll places the items along both axes (steps 12 to 14) and returns the height of the content.
func (s *flexState) placeAll() float64 {
	for n, ln := range s.lines {
		s.placeMain(ln)
		for _, it := range ln.items {
			s.placeCross(it, ln)
			s.add(it)
		}
		if n == 0 {
			s.baselines(ln)
		}
	}
	for _, k := range s.out {
		s.addOut(k)
	}
	s.sortLinks()
	if s.row {
		if s.room.main >= 0 {
			return s.room.main
		}
		return s.crossSize
	}
	return s.main
}

// placeMain places the items of a line along the main axis.
func (s *flexState) placeMain(ln *flexLine) {
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
		justify := s.b.style.JustifyContent
		if !s.row && (justify == css.AlignLeft || justify == css.AlignRight) {
			justify = css.AlignStart
		}
		rev := s.reverse
		if justify == css.AlignLeft || justify == css.AlignRight {
			justify, rev = physical(justify, s.reverse), s.reverse
		}
		at, between = distribute(justify, free, len(ln.items), rev)
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
func (s *flexState) placeCross(it *flexItem, ln *flexLine) {
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
		if !isNone(it.baseline) {
			shift = ln.baseline - it.baseline - it.crossBefore
			if s.flip {
				shift = free - shift
			}
		}
	case css.AlignLastBaseline:
		shift = free
	}
	it.crossAt = ln.at + before + shift
}

// add adds the piece of an item to the container.
func (s *flexState) add(it *flexItem) {
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
	s.p.add(it.piece, s.f.left()+x, s.f.top()+y)
}

// baselines sets the baselines of the container from its first line.
func (s *flexState) baselines(ln *flexLine) {
	pick := ln.items[0]
	for _, it := range ln.items {
		if s.row && it.align == css.AlignBaseline && !isNone(it.baseline) {
			pick = it
			break
		}
	}
	for i := range s.p.links {
		k := &s.p.links[i]
		if k.piece == pick.piece && k.piece.box == pick.b {
			base := pick.piece.first
			if isNone(base) {
				base = pick.piece.h
			}
			s.p.first = k.y + base
			s.p.last = s.p.first
		}
	}
}

// addOut adds an absolutely positioned child at its static position: as if it were the only item.
func (s *flexState) addOut(k *box) {
	main, mainAlign := staticAlong(s.b.style.JustifyContent, s.main, s.reverse)
	cross, crossAlign := staticAlong(alignOf(s.b.style, k), s.crossSize, s.flip)
	out := link{out: k, x: s.f.left() + main, y: s.f.top() + cross, alignX: mainAlign, alignY: crossAlign}
	if !s.row {
		out.x, out.y, out.alignX, out.alignY = s.f.left()+cross, s.f.top()+main, crossAlign, mainAlign
	}
	s.p.links = append(s.p.links, out)
}

// staticAlong returns the point of a box of the given size at which an alignment puts something.
func staticAlong(a css.Align, size float64, reverse bool) (at, align float64) {
	far := 0.0
	switch a {
	case css.AlignCenter, css.AlignSpaceAround, css.AlignSpaceEvenly:
		return size / 2, .5
	case css.AlignFlexEnd:
		far = 1
	case css.AlignEnd, css.AlignSelfEnd, css.AlignRight:
		return size, 1
	case css.AlignStart, css.AlignSelfStart, css.AlignLeft:
		return 0, 0
	}
	if reverse {
		far = 1 - far
	}
	return size * far, far
}

// sortLinks puts absolutely positioned children where they are in the document, between items with an order of 0.
func (s *flexState) sortLinks() {
	if len(s.out) == 0 {
		return
	}
	index := make(map[*box]int, len(s.b.kids))
	for i, k := range s.b.kids {
		index[k] = i
	}
	boxOf := func(k link) *box {
		if k.out != nil {
			return k.out
		}
		return k.piece.box
	}
	slices.SortStableFunc(s.p.links, func(a, z link) int {
		x, y := boxOf(a), boxOf(z)
		ox, oy := orderOf(x), orderOf(y)
		if a.out != nil {
			ox = 0
		}
		if z.out != nil {
			oy = 0
		}
		if ox != oy {
			return ox - oy
		}
		return index[x] - index[y]
	})
}
