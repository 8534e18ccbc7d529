package layout

import (
	"math"
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
)

// flexItem is an item of a flex container. Main and cross sizes are of its border box.
type flexItem struct {
	b                     *box
	f                     frame
	m                     Edges
	base, lo, hi          float64 // flex base size and limits along the main axis
	target                float64
	frozen                bool
	violation             float64
	cross                 float64
	piece                 *piece
	mainBefore, mainAfter float64 // margins
	crossBefore, crossEnd float64
	autoMain              [2]bool
	autoCross             [2]bool
	align                 css.Align
	baseline              float64
	mainAt, crossAt       float64
}

func (i *flexItem) outer(size float64) float64 { return size + i.mainBefore + i.mainAfter }

// flexLine is a line of items.
type flexLine struct {
	items     []*flexItem
	cross     float64
	at        float64
	baseline  float64 // largest distance of a baseline from the top
	hasShared bool
}

// flexState lays out one flex container. Source of the numbered steps: CSS Flexbox 1, section 9.
type flexState struct {
	l             *layouter
	b             *box
	p             *piece
	f             frame
	room          area
	row           bool
	reverse       bool // main start is at the right or the bottom
	flip          bool // cross start is at the right or the bottom
	wrap          bool
	gap, crossGap float64
	main          float64 // inner main size; indefinite of a column without height
	items         []*flexItem
	out           []*box
	lines         []*flexLine
	crossSize     float64 // inner cross size as far as known
}

// flexOrder returns the in-flow children by order, and the others.
func flexOrder(b *box) (items, out []*box) {
	for _, k := range b.kids {
		if k.outOfFlow() {
			out = append(out, k)
			continue
		}
		items = append(items, k)
	}
	slices.SortStableFunc(items, func(a, z *box) int { return orderOf(a) - orderOf(z) })
	return items, out
}

func orderOf(b *box) int {
	if b.anonymous {
		return 0
	}
	return b.style.Order
}

// flexAxes returns the direction of a container's axes.
func flexAxes(s *css.Style) (row, reverse, wrap, flip bool) {
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

// flex lays out the items of b into p and returns the height of the content.
func (l *layouter) flex(b *box, p *piece, f frame, room area) float64 {
	s := &flexState{l: l, b: b, p: p, f: f, room: room}
	s.row, s.reverse, s.wrap, s.flip = flexAxes(b.style)
	colGap, rowGap := gap(b.style.ColumnGap, room.w), gap(b.style.RowGap, room.h)
	if s.row {
		s.gap, s.crossGap = colGap, rowGap
		s.main, s.crossSize = room.w, room.main
	} else {
		s.gap, s.crossGap = rowGap, colGap
		s.main, s.crossSize = room.main, room.w
	}
	kids, out := flexOrder(b)
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

// gap resolves a gap; percentages of an indefinite size are 0.
func gap(v value.Length, base float64) float64 { return max(0, unit(v.Resolve(max(base, 0)))) }

// newItem measures an item: its flex base size and its limits (steps 3 and 4).
func (s *flexState) newItem(k *box) *flexItem {
	it := &flexItem{b: k, f: frameOf(k, s.room.w), m: margins(k, s.room.w), baseline: none}
	var auto [4]bool
	if !k.anonymous {
		mg := &k.style.Margin
		auto = [4]bool{mg.Top.IsAuto(), mg.Right.IsAuto(), mg.Bottom.IsAuto(), mg.Left.IsAuto()}
	}
	if s.row {
		it.mainBefore, it.mainAfter, it.crossBefore, it.crossEnd = it.m.Left, it.m.Right, it.m.Top, it.m.Bottom
		it.autoMain, it.autoCross = [2]bool{auto[3], auto[1]}, [2]bool{auto[0], auto[2]}
	} else {
		it.mainBefore, it.mainAfter, it.crossBefore, it.crossEnd = it.m.Top, it.m.Bottom, it.m.Left, it.m.Right
		it.autoMain, it.autoCross = [2]bool{auto[0], auto[2]}, [2]bool{auto[3], auto[1]}
	}
	it.align = alignOf(s.b.style, k)
	it.base = s.baseSize(it)
	it.lo, it.hi = s.limits(it)
	it.target = min(max(it.base, it.lo), it.hi)
	return it
}

// alignOf returns align-self of an item, or align-items of its container.
func alignOf(container *css.Style, k *box) css.Align {
	a := css.AlignAuto
	if !k.anonymous {
		a = k.style.AlignSelf
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
func (s *flexState) space() space {
	sp := in(s.room.w, s.room.h)
	sp.shrink = true
	return sp
}

// stretches reports whether an item's cross size is that of its line.
func (s *flexState) stretches(it *flexItem) bool {
	if it.align != css.AlignStretch || it.autoCross[0] || it.autoCross[1] {
		return false
	}
	return it.b.anonymous || s.crossProperty(it.b).IsAuto()
}

func (s *flexState) crossProperty(b *box) value.Size {
	if s.row {
		return b.style.Height
	}
	return b.style.Width
}

func (s *flexState) mainProperty(b *box) value.Size {
	if s.row {
		return b.style.Width
	}
	return b.style.Height
}

// collectLines distributes the items over lines (step 5).
func (s *flexState) collectLines() {
	limit := s.main
	if !s.row && limit < 0 && !math.IsInf(s.room.maxH, 1) {
		limit = s.room.maxH
	}
	ln := &flexLine{}
	used := 0.0
	for _, it := range s.items {
		size := it.outer(it.target)
		if s.wrap && limit >= 0 && len(ln.items) > 0 && used+s.gap+size > limit+slack {
			s.lines = append(s.lines, ln)
			ln, used = &flexLine{}, 0
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
func (s *flexState) columnMain() float64 {
	longest := 0.0
	for _, ln := range s.lines {
		sum := s.gap * float64(len(ln.items)-1)
		for _, it := range ln.items {
			sum += it.outer(it.target)
		}
		longest = max(longest, sum)
	}
	return min(max(longest, s.room.minH), s.room.maxH)
}

// resolve resolves the flexible lengths of a line (9.7).
func (s *flexState) resolve(ln *flexLine) {
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
func (s *flexState) share(ln *flexLine, grow bool, left, factors, scaled float64) {
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

func (s *flexState) factor(it *flexItem, grow bool) float64 {
	if it.b.anonymous {
		if grow {
			return 0
		}
		return 1
	}
	if grow {
		return it.b.style.FlexGrow
	}
	return it.b.style.FlexShrink
}

func (s *flexState) innerBase(it *flexItem) float64 {
	if s.row {
		return max(0, it.base-it.f.x())
	}
	return max(0, it.base-it.f.y())
}

// itemSpace returns the constraints of an item at its main size.
func (s *flexState) itemSpace(it *flexItem) space {
	sp := s.space()
	it.target = unit(it.target + 1.0/128)
	if s.row {
		sp.fixW = it.target
	} else {
		sp.fixH = it.target
		sp.looseH = s.room.main < 0 && (it.b.anonymous || !definite(it.b.style.Height, s.room.h))
	}
	return sp
}

// hypotheticalCross lays out an item at its main size (step 7).
func (s *flexState) hypotheticalCross(it *flexItem) {
	sp := s.itemSpace(it)
	if s.stretches(it) && !s.wrap && s.crossSize >= 0 {
		if v, ok := s.definiteCross(it); ok {
			if s.row {
				sp.fixH = v
			} else {
				sp.fixW = v
			}
		}
	}
	it.piece = s.l.layout(it.b, sp)
	it.cross = it.piece.h
	if !s.row {
		it.cross = it.piece.w
	}
	aligned := it.align == css.AlignBaseline || it.align == css.AlignLastBaseline
	if s.row && aligned && !it.autoCross[0] && !it.autoCross[1] {
		it.baseline = it.piece.first
		if it.align == css.AlignLastBaseline {
			it.baseline = it.piece.last
		}
		if isNone(it.baseline) {
			it.baseline = it.piece.h
		}
	}
}

// lineCross sets the cross size of a line (step 8).
func (s *flexState) lineCross(ln *flexLine) {
	above, below, largest := 0.0, 0.0, 0.0
	for _, it := range ln.items {
		outer := it.cross + it.crossBefore + it.crossEnd
		if !isNone(it.baseline) && it.align == css.AlignBaseline {
			ln.hasShared = true
			above = max(above, it.baseline+it.crossBefore)
			below = max(below, outer-it.baseline-it.crossBefore)
			continue
		}
		largest = max(largest, outer)
	}
	ln.baseline = above
	ln.cross = max(largest, above+below)
	if !s.wrap {
		if s.crossSize >= 0 {
			ln.cross = s.crossSize
		} else if s.row {
			ln.cross = min(max(ln.cross, s.room.minH), s.room.maxH)
		}
	}
}

// crossSizes stretches lines and places them (steps 9 and 16).
func (s *flexState) crossSizes() {
	total := s.crossGap * float64(max(0, len(s.lines)-1))
	for _, ln := range s.lines {
		total += ln.cross
	}
	size := s.crossSize
	if size < 0 {
		size = total
		if s.row {
			size = min(max(total, s.room.minH), s.room.maxH)
		}
	}
	free := size - total
	align := s.b.style.AlignContent
	if s.wrap && len(s.lines) > 0 && free > 0 && stretchesContent(align) {
		for _, ln := range s.lines {
			ln.cross += free / float64(len(s.lines))
		}
		free = 0
	}
	at, between := 0.0, 0.0
	if s.wrap {
		at, between = distribute(align, free, len(s.lines), s.flip)
	}
	for _, ln := range s.lines {
		ln.at = at
		at += ln.cross + s.crossGap + between
	}
	s.crossSize = size
}

// flexIntrinsic returns the intrinsic widths of a flex container's content.
func (l *layouter) flexIntrinsic(b *box, h float64) sizes {
	row, _, wrap, _ := flexAxes(b.style)
	inner := l.innerHeight(b, h)
	kids, _ := flexOrder(b)
	var out sizes
	for _, k := range kids {
		c := l.contribution(k, inner)
		if !row {
			out.min, out.max = max(out.min, c.min), max(out.max, c.max)
			continue
		}
		out.max += c.max
		if wrap {
			out.min = max(out.min, c.min)
		} else {
			out.min += c.min
		}
	}
	if row && len(kids) > 1 {
		gaps := gap(b.style.ColumnGap, 0) * float64(len(kids)-1)
		out.max += gaps
		if !wrap {
			out.min += gaps
		}
	}
	return out
}
