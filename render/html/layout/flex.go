package layout

import (
	"math"
	"slices"

	"masthead/render/html/css"
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
		if k.style.Visibility == css.Collapse && !k.anonymous {
			continue
		}
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
func gap(v css.Length, base float64) float64 { return max(0, unit(v.Resolve(max(base, 0)))) }

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

func (s *flexState) crossProperty(b *box) css.Size {
	if s.row {
		return b.style.Height
	}
	return b.style.Width
}

func (s *flexState) mainProperty(b *box) css.Size {
	if s.row {
		return b.style.Width
	}
	return b.style.Height
}

// definiteCross returns the border box cross size of an item, if it is definite before its main size is known.
func (s *flexState) definiteCross(it *flexItem) (float64, bool) {
	if s.stretches(it) && !s.wrap && s.crossSize >= 0 {
		v := max(0, s.crossSize-it.crossBefore-it.crossEnd)
		lo, hi := s.crossLimits(it)
		return min(max(v, lo), hi), true
	}
	if it.b.anonymous {
		return 0, false
	}
	sp := s.space()
	if s.row {
		return s.l.fixedHeight(it.b, sp, it.f)
	}
	if w, ok := s.l.width1(it.b, it.b.style.Width, sp, it.f); ok {
		lo, hi := s.crossLimits(it)
		return min(max(w, lo), hi), true
	}
	return 0, false
}

func (s *flexState) crossLimits(it *flexItem) (lo, hi float64) {
	sp := s.space()
	if s.row {
		lo, hi = s.l.heightLimits(it.b, sp, it.f, 0, indefinite)
		return max(lo, it.f.y()), max(hi, it.f.y())
	}
	lo, hi = s.l.widthLimits(it.b, sp, it.f, 0)
	return max(lo, it.f.x()), max(hi, it.f.x())
}

// baseSize returns the flex base size (step 3).
func (s *flexState) baseSize(it *flexItem) float64 {
	k := it.b
	if k.anonymous {
		return s.contentSize(it)
	}
	basis := k.style.FlexBasis
	frameMain := it.f.x()
	percent := s.room.w
	if !s.row {
		frameMain, percent = it.f.y(), s.room.main
		if s.room.h < 0 {
			percent = s.room.h
		}
	}
	if basis.Kind == css.Auto {
		basis = s.mainProperty(k)
	}
	switch {
	case basis.Kind == css.Fixed && definite(basis, percent):
		return unit(borderSize(k.style, basis.Resolve(max(percent, 0)), frameMain))
	case s.row && (byContent(basis) || basis.Kind == css.Stretch):
		if w, ok := s.l.width1(k, basis, s.space(), it.f); ok {
			return w
		}
	}
	if r, _ := ratio(k); r > 0 {
		if cross, ok := s.definiteCross(it); ok {
			return s.mainByRatio(it, cross)
		}
	}
	return s.contentSize(it)
}

func (s *flexState) mainByRatio(it *flexItem, cross float64) float64 {
	var v float64
	if s.row {
		v, _ = widthByRatio(it.b, cross, it.f)
	} else {
		v, _ = heightByRatio(it.b, cross, it.f)
	}
	return v
}

// contentSize returns the max-content size along the main axis.
func (s *flexState) contentSize(it *flexItem) float64 {
	if s.row {
		if it.b.kind == replacedBox {
			sp := s.space()
			w, _ := s.l.replacedSize(it.b, sp, it.f)
			return w
		}
		return s.l.intrinsic(it.b, s.room.h).max + it.f.x()
	}
	return s.columnPiece(it).h
}

// columnPiece lays out an item of a column at its cross size and with the height of its content.
func (s *flexState) columnPiece(it *flexItem) *piece {
	sp := s.space()
	sp.h = s.room.h
	if s.stretches(it) && !s.wrap {
		if w, ok := s.definiteCross(it); ok {
			sp.fixW = w
		}
	}
	return s.l.layout(it.b, sp)
}

// limits returns the minimum and maximum main size (4.5 for auto).
func (s *flexState) limits(it *flexItem) (lo, hi float64) {
	k, l := it.b, s.l
	sp := s.space()
	frameMain := it.f.x()
	if !s.row {
		frameMain = it.f.y()
	}
	if k.anonymous {
		if s.row {
			return min(l.intrinsic(k, s.room.h).min, it.base), math.Inf(1)
		}
		return it.base, math.Inf(1)
	}
	st := k.style
	minimum, overflow := st.MinWidth, st.OverflowX
	if s.row {
		lo, hi = l.widthLimits(k, sp, it.f, 0)
	} else {
		content := float64(indefinite)
		if byContent(st.MinHeight) || byContent(st.MaxHeight) {
			content = s.columnPiece(it).h
		}
		lo, hi = l.heightLimits(k, sp, it.f, 0, content)
		minimum = st.MinHeight
	}
	if st.OverflowY != css.OverflowVisible && overflow == css.OverflowVisible {
		overflow = st.OverflowY
	}
	if minimum.Kind == css.Auto && (overflow == css.OverflowVisible || overflow == css.OverflowClip) {
		lo = min(s.autoMinimum(it), hi)
	}
	lo = max(lo, frameMain)
	return lo, max(hi, lo)
}

// byContent reports whether a size is a keyword for the size of the content.
func byContent(s css.Size) bool {
	return s.Kind == css.MinContent || s.Kind == css.MaxContent || s.Kind == css.FitContent
}

// autoMinimum returns the content-based minimum size.
func (s *flexState) autoMinimum(it *flexItem) float64 {
	k := it.b
	size := s.mainProperty(k)
	percent := s.room.w
	frameMain := it.f.x()
	if !s.row {
		percent, frameMain = s.room.h, it.f.y()
	}
	specified := math.Inf(1)
	if definite(size, percent) && size.Kind == css.Fixed {
		specified = unit(borderSize(k.style, size.Resolve(max(percent, 0)), frameMain))
	}
	var content float64
	switch {
	case k.kind == replacedBox:
		if r, _ := ratio(k); r > 0 {
			if cross, ok := s.definiteCross(it); ok {
				content = s.mainByRatio(it, cross)
				break
			}
		}
		r, _ := ratio(k)
		w, h := naturalSize(k.picture, r, s.room.w)
		content = w + it.f.x()
		if !s.row {
			content = h + it.f.y()
		}
	case s.row:
		content = s.l.intrinsic(k, s.room.h).min + it.f.x()
	case !k.style.Height.IsAuto():
		if !math.IsInf(specified, 1) {
			content = s.contentHeight(it)
		} else {
			content = s.columnPiece(it).h
		}
	default:
		content = it.base
		if k.style.FlexBasis.Kind != css.Auto && k.style.FlexBasis.Kind != css.Content {
			content = s.columnPiece(it).h
		}
	}
	if r, _ := ratio(k); r > 0 && k.kind != replacedBox {
		if cross, ok := s.definiteCross(it); ok {
			content = s.mainByRatio(it, cross)
		}
	}
	return min(specified, content)
}

// contentHeight returns the height of an item's content as if its height were auto.
func (s *flexState) contentHeight(it *flexItem) float64 {
	if s.contentOnly(it.b) {
		return it.f.y()
	}
	copied := *it.b
	style := *it.b.style
	style.Height = css.Size{}
	copied.style = &style
	copied.cache = [6]cachedPiece{}
	sp := s.space()
	if s.stretches(it) && !s.wrap {
		if w, ok := s.definiteCross(it); ok {
			sp.fixW = w
		}
	}
	return s.l.layout(&copied, sp).h
}

// contentOnly reports whether a box has no content.
func (s *flexState) contentOnly(b *box) bool { return len(b.kids) == 0 && b.kind != replacedBox }

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
