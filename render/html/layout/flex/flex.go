// Package flex lays out flex containers: the sizes of their items, lines of items, and the places of both.
package flex

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/fragment"
)

// item is an item of a flex container. Main and cross sizes are of its border box.
type item struct {
	b                     *boxtree.Box
	f                     boxtree.Frame
	m                     fragment.Edges
	base, lo, hi          float64 // layoutFlex base size and limits along the main axis
	target                float64
	frozen                bool
	violation             float64
	cross                 float64
	piece                 *boxtree.Piece
	mainBefore, mainAfter float64 // margins
	crossBefore, crossEnd float64
	autoMain              [2]bool
	autoCross             [2]bool
	align                 css.Align
	baseline              float64
	mainAt, crossAt       float64
}

func (i *item) outer(size float64) float64 { return size + i.mainBefore + i.mainAfter }

// line is a line of items.
type line struct {
	items     []*item
	cross     float64
	at        float64
	baseline  float64 // largest distance of a baseline from the top
	below     float64 // and from the bottom
	hasShared bool
}

// state lays out one flex container. Source of the numbered steps: CSS Flexbox 1, section 9.
type state struct {
	l             *boxtree.State
	b             *boxtree.Box
	p             *boxtree.Piece
	f             boxtree.Frame
	room          boxtree.Area
	row           bool
	reverse       bool // main start is at the right or the bottom
	flip          bool // cross start is at the right or the bottom
	wrap          bool
	gap, crossGap float64
	main          float64 // inner main size; indefinite of a column without height
	items         []*item
	out           []*boxtree.Box
	lines         []*line
	crossSize     float64 // inner cross size as far as known
}

// axes returns the direction of a container's axes.
func axes(s *css.Style) (row, reverse, wrap, flip bool) {
	switch s.FlexDirection {
	case css.Row:
		row, reverse = true, s.Direction == css.RTL
	case css.RowReverse:
		row, reverse = true, s.Direction != css.RTL
	case css.ColumnReverse:
		reverse = true
	}
	if s.Display == css.DisplayWebkitBox || s.Display == css.DisplayInlineWebkitBox {
		row, reverse = s.BoxOrient != css.OrientVertical, false
	}
	wrap = s.FlexWrap != css.NoWrap
	flip = s.FlexWrap == css.WrapReverse
	if !row && s.Direction == css.RTL {
		flip = !flip
	}
	return row, reverse, wrap, flip
}

// Layout lays out the items of b into p and returns the height of the content.
func Layout(l *boxtree.State, b *boxtree.Box, p *boxtree.Piece, f boxtree.Frame, room boxtree.Area) float64 {
	s := &state{l: l, b: b, p: p, f: f, room: room}
	s.row, s.reverse, s.wrap, s.flip = axes(b.Style)
	colGap, rowGap := boxtree.Gap(b.Style.ColumnGap, room.W), boxtree.Gap(b.Style.RowGap, room.H)
	if s.row {
		s.gap, s.crossGap = colGap, rowGap
		s.main, s.crossSize = room.W, room.Main
	} else {
		s.gap, s.crossGap = rowGap, colGap
		s.main, s.crossSize = room.Main, room.W
	}
	kids, out := boxtree.FlexOrder(b)
	s.out = out
	for _, k := range kids {
		s.items = append(s.items, s.newItem(k))
	}
	s.collectLines()
	if !s.row && s.main < 0 {
		s.main = s.columnMain()
	}
	for _, ln := range s.lines {
		s.resolve(ln)
	}
	for _, ln := range s.lines {
		for _, it := range ln.items {
			s.hypotheticalCross(it)
		}
		s.lineCross(ln)
	}
	s.crossSizes()
	for _, ln := range s.lines {
		for _, it := range ln.items {
			s.stretch(it, ln)
		}
	}
	return s.placeAll()
}

// newItem measures an item: its flex base size and its limits (steps 3 and 4).
func (s *state) newItem(k *boxtree.Box) *item {
	it := &item{b: k, f: boxtree.FrameOf(k, s.room.W), m: boxtree.Margins(k, s.room.W), baseline: boxtree.None}
	var auto [4]bool
	if !k.Anonymous {
		mg := &k.Style.Margin
		auto = [4]bool{mg.Top.IsAuto(), mg.Right.IsAuto(), mg.Bottom.IsAuto(), mg.Left.IsAuto()}
	}
	if s.row {
		it.mainBefore, it.mainAfter, it.crossBefore, it.crossEnd = it.m.Left, it.m.Right, it.m.Top, it.m.Bottom
		it.autoMain, it.autoCross = [2]bool{auto[3], auto[1]}, [2]bool{auto[0], auto[2]}
	} else {
		it.mainBefore, it.mainAfter, it.crossBefore, it.crossEnd = it.m.Top, it.m.Bottom, it.m.Left, it.m.Right
		it.autoMain, it.autoCross = [2]bool{auto[0], auto[2]}, [2]bool{auto[3], auto[1]}
	}
	it.align = alignOf(s.b.Style, k)
	it.base = s.baseSize(it)
	it.lo, it.hi = s.limits(it)
	it.target = min(max(it.base, it.lo), it.hi)
	return it
}

// alignOf returns align-self of an item, or align-items of its container.
func alignOf(container *css.Style, k *boxtree.Box) css.Align {
	a := css.AlignAuto
	if !k.Anonymous {
		a = k.Style.AlignSelf
	}
	if a == css.AlignAuto {
		a = container.AlignItems
	}
	if a == css.AlignNormal || a == css.AlignAuto {
		return css.AlignStretch
	}
	return a
}

// space returns the constraints of an item's layout before flexing.
func (s *state) space() boxtree.Space {
	sp := boxtree.SpaceOf(s.room.W, s.room.H)
	sp.Shrink = true
	return sp
}

// stretches reports whether an item's cross size is that of its line.
func (s *state) stretches(it *item) bool {
	if it.align != css.AlignStretch || it.autoCross[0] || it.autoCross[1] {
		return false
	}
	return it.b.Anonymous || s.crossProperty(it.b).IsAuto()
}

func (s *state) crossProperty(b *boxtree.Box) value.Size {
	if s.row {
		return b.Style.Height
	}
	return b.Style.Width
}

func (s *state) mainProperty(b *boxtree.Box) value.Size {
	if s.row {
		return b.Style.Width
	}
	return b.Style.Height
}

// collectLines distributes the items over lines (step 5).
func (s *state) collectLines() {
	limit := s.main
	if !s.row && limit < 0 && !math.IsInf(s.room.MaxH, 1) {
		limit = s.room.MaxH
	}
	ln := &line{}
	used := 0.0
	for _, it := range s.items {
		size := it.outer(it.target)
		if s.wrap && limit >= 0 && len(ln.items) > 0 && used+s.gap+size > limit+boxtree.Slack {
			s.lines = append(s.lines, ln)
			ln, used = &line{}, 0
		}
		if len(ln.items) > 0 {
			used += s.gap
		}
		used += size
		ln.items = append(ln.items, it)
	}
	if len(ln.items) > 0 {
		s.lines = append(s.lines, ln)
	}
}

// columnMain returns the main size of a column without a height: the longest line, within its limits.
func (s *state) columnMain() float64 {
	longest := 0.0
	for _, ln := range s.lines {
		sum := s.gap * float64(len(ln.items)-1)
		for _, it := range ln.items {
			sum += it.outer(it.target)
		}
		longest = max(longest, sum)
	}
	return min(max(longest, s.room.MinH), s.room.MaxH)
}

// resolve resolves the flexible lengths of a line (9.7).
func (s *state) resolve(ln *line) {
	gaps := s.gap * float64(len(ln.items)-1)
	sum := gaps
	for _, it := range ln.items {
		sum += it.outer(it.target)
	}
	grow := sum < s.main
	free := func() float64 {
		v := s.main - gaps
		for _, it := range ln.items {
			if it.frozen {
				v -= it.outer(it.target)
			} else {
				v -= it.outer(it.base)
			}
		}
		return v
	}
	for _, it := range ln.items {
		factor := s.factor(it, grow)
		it.frozen = factor == 0 || grow && it.base > it.target || !grow && it.base < it.target
	}
	initial := free()
	for range len(ln.items) + 1 {
		left, scaled, factors := free(), 0.0, 0.0
		open := 0
		for _, it := range ln.items {
			if !it.frozen {
				factors += s.factor(it, grow)
				scaled += s.factor(it, false) * s.innerBase(it)
				open++
			}
		}
		if open == 0 {
			return
		}
		if factors < 1 && math.Abs(initial*factors) < math.Abs(left) {
			left = initial * factors
		}
		s.share(ln, grow, left, factors, scaled)
	}
}

// share gives left px to the items that aren't frozen, by their factors, and freezes those that violate their limits.
func (s *state) share(ln *line, grow bool, left, factors, scaled float64) {
	total := 0.0
	for _, it := range ln.items {
		if it.frozen {
			continue
		}
		v := it.base
		switch {
		case left == 0:
		case grow:
			v += left * s.factor(it, true) / factors
		case scaled > 0:
			v += left * s.factor(it, false) * s.innerBase(it) / scaled
		}
		it.target = min(max(v, it.lo), it.hi)
		it.violation = it.target - v
		total += it.violation
	}
	for _, it := range ln.items {
		if !it.frozen {
			it.frozen = total == 0 || total > 0 && it.violation > 0 || total < 0 && it.violation < 0
		}
	}
}

func (s *state) factor(it *item, grow bool) float64 {
	if it.b.Anonymous {
		if grow {
			return 0
		}
		return 1
	}
	if grow {
		return it.b.Style.FlexGrow
	}
	return it.b.Style.FlexShrink
}

func (s *state) innerBase(it *item) float64 {
	if s.row {
		return max(0, it.base-it.f.X())
	}
	return max(0, it.base-it.f.Y())
}

// itemSpace returns the constraints of an item at its main size.
func (s *state) itemSpace(it *item) boxtree.Space {
	sp := s.space()
	it.target = boxtree.Unit(it.target + 1.0/128)
	if s.row {
		sp.FixW = it.target
	} else {
		sp.FixH = it.target
		sp.LooseH = s.room.Main < 0 && (it.b.Anonymous || !boxtree.Definite(it.b.Style.Height, s.room.H)) && !sized(it)
	}
	return sp
}

// sized reports whether the basis of an item is definite, so that its main size is. Source: CSS Flexbox 1, 9.8, which
// asks for items that don't flex; Chromium doesn't.
func sized(it *item) bool {
	return !it.b.Anonymous && boxtree.Definite(it.b.Style.FlexBasis, boxtree.Indefinite)
}

// hypotheticalCross lays out an item at its main size (step 7).
func (s *state) hypotheticalCross(it *item) {
	sp := s.itemSpace(it)
	if s.stretches(it) && !s.wrap && s.crossSize >= 0 {
		if v, ok := s.definiteCross(it); ok {
			if s.row {
				sp.FixH = v
			} else {
				sp.FixW = v
			}
		}
	}
	it.piece = s.l.Layout(it.b, sp)
	it.cross = it.piece.H
	if !s.row {
		it.cross = it.piece.W
	}
	aligned := it.align == css.AlignBaseline || it.align == css.AlignLastBaseline
	if s.row && aligned && !it.autoCross[0] && !it.autoCross[1] {
		it.baseline = it.piece.First
		if it.align == css.AlignLastBaseline {
			it.baseline = it.piece.Last
		}
		if boxtree.IsNone(it.baseline) {
			it.baseline = it.piece.H
		}
	}
}

// lineCross sets the cross size of a line (step 8).
func (s *state) lineCross(ln *line) {
	above, below, largest := 0.0, 0.0, 0.0
	for _, it := range ln.items {
		outer := it.cross + it.crossBefore + it.crossEnd
		if !boxtree.IsNone(it.baseline) && it.align == css.AlignBaseline {
			ln.hasShared = true
			above = max(above, it.baseline+it.crossBefore)
			below = max(below, outer-it.baseline-it.crossBefore)
			continue
		}
		largest = max(largest, outer)
	}
	ln.baseline, ln.below = above, below
	ln.cross = max(largest, above+below)
	if !s.wrap {
		if s.crossSize >= 0 {
			ln.cross = s.crossSize
		} else if s.row {
			ln.cross = min(max(ln.cross, s.room.MinH), s.room.MaxH)
		}
	}
}

// crossSizes stretches lines and places them (steps 9 and 16).
func (s *state) crossSizes() {
	total := s.crossGap * float64(max(0, len(s.lines)-1))
	for _, ln := range s.lines {
		total += ln.cross
	}
	size := s.crossSize
	if size < 0 {
		size = total
		if s.row {
			size = min(max(total, s.room.MinH), s.room.MaxH)
		}
	}
	free := size - total
	align := s.b.Style.AlignContent
	if s.wrap && len(s.lines) > 0 && free > 0 && boxtree.StretchesContent(align) {
		for _, ln := range s.lines {
			ln.cross += free / float64(len(s.lines))
		}
		free = 0
	}
	at, between := 0.0, 0.0
	if s.wrap {
		at, between = boxtree.Distribute(align, free, len(s.lines), s.flip)
	}
	for _, ln := range s.lines {
		ln.at = at
		at += ln.cross + s.crossGap + between
	}
	s.crossSize = size
}

// Intrinsic returns the intrinsic widths of a flex container's content.
func Intrinsic(l *boxtree.State, b *boxtree.Box, h float64) boxtree.Sizes {
	row, _, wrap, _ := axes(b.Style)
	inner := l.InnerHeight(b, h)
	kids, _ := boxtree.FlexOrder(b)
	var out boxtree.Sizes
	for _, k := range kids {
		c := l.Contribution(k, inner)
		if !row {
			out.Min, out.Max = max(out.Min, c.Min), max(out.Max, c.Max)
			continue
		}
		out.Max += c.Max
		if wrap {
			out.Min = max(out.Min, c.Min)
		} else {
			out.Min += c.Min
		}
	}
	if row && len(kids) > 1 {
		gaps := boxtree.Gap(b.Style.ColumnGap, 0) * float64(len(kids)-1)
		out.Max += gaps
		if !wrap {
			out.Min += gaps
		}
	}
	return out
}
