package layout

import (
	"math"
	"slices"

	"masthead/render/html/css"
)

// gridItem is an item of a grid: its box and its range of tracks on each axis, 0 columns and 1 rows.
type gridItem struct {
	b     *box
	start [2]int
	span  [2]int
	fixed [2]bool // its place on the axis is given
	piece *piece
}

// maxTracks bounds the tracks of an axis.
const maxTracks = 1000

// gridState lays out one grid.
type gridState struct {
	l        *layouter
	b        *box
	g        *css.Grid
	items    []*gridItem
	explicit [2]int              // number of explicit tracks
	tracks   [2][]css.Track      // explicit ones, with automatic repetitions expanded
	fit      [2]map[int]bool     // tracks of auto-fit, which collapse when empty
	names    [2]map[string][]int // line numbers by name, from 0
	offset   [2]int              // implicit tracks before the explicit ones
	count    [2]int
	room     area
	gaps     [2]float64
	sizes    [2][]*track
}

var noGrid = &css.Grid{}

// newGrid reads the properties of a grid container and places its items. room.w may be indefinite.
func (l *layouter) newGrid(b *box, room area) *gridState {
	s := &gridState{l: l, b: b, g: b.style.Grid, room: room}
	if s.g == nil {
		s.g = noGrid
	}
	s.gaps = [2]float64{gap(b.style.ColumnGap, room.w), gap(b.style.RowGap, room.h)}
	s.names = [2]map[string][]int{{}, {}}
	s.fit = [2]map[int]bool{{}, {}}
	s.expand(0, s.g.Columns, s.g.ColumnLines, room.w, math.Inf(1))
	limit := room.maxH
	if limit == 0 {
		limit = math.Inf(1)
	}
	s.expand(1, s.g.Rows, s.g.RowLines, room.main, limit)
	s.nameAreas()
	kids, _ := flexOrder(b)
	for _, k := range kids {
		s.items = append(s.items, s.newItem(k))
	}
	s.placeItems()
	return s
}

// expand fills s.tracks of an axis.
func (s *gridState) expand(axis int, in []css.Track, lines [][]string, avail, limit float64) {
	var out []css.Track
	name := func(at int, names []string) {
		for _, n := range names {
			if !slices.Contains(s.names[axis][n], at) {
				s.names[axis][n] = append(s.names[axis][n], at)
			}
		}
	}
	for i, t := range in {
		if i < len(lines) {
			name(len(out), lines[i])
		}
		if t.Repeat == css.NoRepeat {
			out = append(out, t)
			continue
		}
		n := s.repetitions(axis, in, t, avail, limit)
		for range n {
			for j, inner := range t.Tracks {
				if j < len(t.TrackNames) {
					name(len(out), t.TrackNames[j])
				}
				if t.Repeat == css.AutoFit {
					s.fit[axis][len(out)] = true
				}
				out = append(out, inner)
			}
			if len(t.TrackNames) > len(t.Tracks) {
				name(len(out), t.TrackNames[len(t.Tracks)])
			}
		}
	}
	if len(lines) > len(in) {
		name(len(out), lines[len(in)])
	}
	if len(out) > maxTracks {
		out = out[:maxTracks]
	}
	s.tracks[axis] = out
	s.explicit[axis] = len(out)
}

// repetitions returns how often an automatic repetition fits.
func (s *gridState) repetitions(axis int, all []css.Track, t css.Track, avail, limit float64) int {
	if avail < 0 && !math.IsInf(limit, 1) {
		avail = limit
	}
	if avail < 0 || len(t.Tracks) == 0 {
		return 1
	}
	one, others := 0.0, 0.0
	for _, inner := range t.Tracks {
		one += s.fixedTrack(inner, avail) + s.gaps[axis]
	}
	for _, o := range all {
		if o.Repeat == css.NoRepeat {
			others += s.fixedTrack(o, avail) + s.gaps[axis]
		}
	}
	if one <= 0 {
		return 1
	}
	n := int(math.Floor((avail + s.gaps[axis] - others + slack) / one))
	return max(1, min(n, maxTracks/len(t.Tracks)))
}

// fixedTrack returns the definite size of a track, for counting repetitions.
func (s *gridState) fixedTrack(t css.Track, avail float64) float64 {
	switch {
	case t.Fr == 0 && definite(t.Max, avail) && t.Max.Kind == css.Fixed:
		v := t.Max.Resolve(avail)
		if definite(t.Min, avail) {
			v = max(v, t.Min.Resolve(avail))
		}
		return v
	case definite(t.Min, avail):
		return t.Min.Resolve(avail)
	}
	return 0
}

// nameAreas adds the lines of named areas, and the tracks that they need.
func (s *gridState) nameAreas() {
	s.explicit[1] = max(s.explicit[1], len(s.g.Areas))
	type extent struct{ c0, c1, r0, r1 int }
	found := map[string]*extent{}
	var order []string
	for r, row := range s.g.Areas {
		s.explicit[0] = max(s.explicit[0], len(row))
		for c, name := range row {
			if name == "." || name == "" {
				continue
			}
			e := found[name]
			if e == nil {
				e = &extent{c, c + 1, r, r + 1}
				found[name] = e
				order = append(order, name)
			}
			e.c0, e.c1, e.r0, e.r1 = min(e.c0, c), max(e.c1, c+1), min(e.r0, r), max(e.r1, r+1)
		}
	}
	for _, name := range order {
		e := found[name]
		s.names[0][name+"-start"] = append(s.names[0][name+"-start"], e.c0)
		s.names[0][name+"-end"] = append(s.names[0][name+"-end"], e.c1)
		s.names[1][name+"-start"] = append(s.names[1][name+"-start"], e.r0)
		s.names[1][name+"-end"] = append(s.names[1][name+"-end"], e.r1)
	}
}

// newItem resolves the lines of an item.
func (s *gridState) newItem(k *box) *gridItem {
	it := &gridItem{b: k, span: [2]int{1, 1}}
	if k.anonymous || k.style.Grid == nil {
		return it
	}
	g := k.style.Grid
	s.resolveLines(it, 0, g.ColumnStart, g.ColumnEnd)
	s.resolveLines(it, 1, g.RowStart, g.RowEnd)
	return it
}

// resolveLines sets the place of an item on an axis.
func (s *gridState) resolveLines(it *gridItem, axis int, from, to css.GridLine) {
	a, gotA := s.line(axis, from, "-start")
	z, gotZ := s.line(axis, to, "-end")
	bound := func(v int) int { return max(-maxTracks, min(v, maxTracks)) }
	a, z = bound(a), bound(z)
	switch {
	case gotA && gotZ:
		if a > z {
			a, z = z, a
		}
		if a == z {
			z = a + 1
		}
		it.start[axis], it.span[axis], it.fixed[axis] = a, z-a, true
	case gotA:
		it.start[axis], it.span[axis], it.fixed[axis] = a, s.spanOf(axis, to, a, 1), true
	case gotZ:
		n := s.spanOf(axis, from, z, -1)
		it.start[axis], it.span[axis], it.fixed[axis] = z-n, n, true
	default:
		n := from.Span
		if n == 0 {
			n = to.Span
		}
		it.span[axis] = max(1, min(n, maxTracks))
	}
}

// spanOf returns the span that a line value means from a line on.
func (s *gridState) spanOf(axis int, v css.GridLine, from, step int) int {
	if v.Span > 0 && v.Name != "" {
		n := 0
		for i := from + step; i >= 0 && i <= s.explicit[axis]; i += step {
			if slices.Contains(s.names[axis][v.Name], i) {
				if n++; n == v.Span {
					return max(1, (i-from)*step)
				}
			}
		}
	}
	return max(1, min(v.Span, maxTracks))
}

// line returns the line that a value names, from 0.
func (s *gridState) line(axis int, v css.GridLine, suffix string) (int, bool) {
	if v.Span > 0 {
		return 0, false
	}
	n := s.explicit[axis]
	if v.Name == "" {
		switch {
		case v.Line > 0:
			return v.Line - 1, true
		case v.Line < 0:
			return n + 1 + v.Line, true
		}
		return 0, false
	}
	lines := s.names[axis][v.Name]
	if v.Line == 0 {
		if named := s.names[axis][v.Name+suffix]; len(named) > 0 {
			return named[0], true
		}
	}
	slices.Sort(lines)
	switch at := v.Line; {
	case at == 0 && len(lines) > 0:
		return lines[0], true
	case at > 0 && at <= len(lines):
		return lines[at-1], true
	case at < 0 && -at <= len(lines):
		return lines[len(lines)+at], true
	case at < 0:
		return -1, true
	}
	return n + max(1, v.Line-len(lines)), true // all implicit lines have every name
}

// occupied is the cells that have items.
type occupied map[[2]int]bool

func (s *gridState) free(o occupied, it *gridItem, c, r int) bool {
	for y := r; y < r+it.span[1]; y++ {
		for x := c; x < c+it.span[0]; x++ {
			if o[[2]int{x, y}] {
				return false
			}
		}
	}
	return true
}

func (s *gridState) occupy(o occupied, it *gridItem) {
	s.l.spend(it.span[0] * it.span[1])
	for y := it.start[1]; y < it.start[1]+it.span[1]; y++ {
		for x := it.start[0]; x < it.start[0]+it.span[0]; x++ {
			o[[2]int{x, y}] = true
		}
	}
}

// placeItems places the items without a given place. Source: CSS Grid 1, 8.5.
func (s *gridState) placeItems() {
	flow, cross := 1, 0 // rows are filled one after the other
	if s.g.FlowColumn {
		flow, cross = 0, 1
	}
	for axis := range 2 {
		for _, it := range s.items {
			if it.fixed[axis] {
				s.offset[axis] = max(s.offset[axis], -it.start[axis])
			}
		}
		s.count[axis] = s.explicit[axis] + s.offset[axis]
	}
	for _, it := range s.items {
		for axis := range 2 {
			if it.fixed[axis] {
				it.start[axis] += s.offset[axis]
				s.count[axis] = max(s.count[axis], it.start[axis]+it.span[axis])
			} else {
				s.count[axis] = max(s.count[axis], it.span[axis])
			}
		}
	}
	o := occupied{}
	for _, it := range s.items {
		if it.fixed[0] && it.fixed[1] {
			s.occupy(o, it)
		}
	}
	next := map[int]int{}
	for _, it := range s.items { // those locked to a row
		if !it.fixed[flow] || it.fixed[cross] {
			continue
		}
		at := s.offset[cross] * 0
		if !s.g.Dense {
			at = next[it.start[flow]]
		}
		for !s.freeAt(o, it, flow, it.start[flow], at) {
			at++
		}
		it.start[cross] = at
		next[it.start[flow]] = at + it.span[cross]
		s.count[cross] = max(s.count[cross], at+it.span[cross])
		s.occupy(o, it)
	}
	s.placeAuto(o, flow, cross)
	for axis := range 2 {
		s.count[axis] = max(s.count[axis], 0)
		for _, it := range s.items {
			s.count[axis] = max(s.count[axis], it.start[axis]+it.span[axis])
		}
	}
}

func (s *gridState) freeAt(o occupied, it *gridItem, flow, f, c int) bool {
	s.l.spend(it.span[0] * it.span[1])
	if flow == 1 {
		return s.free(o, it, c, f)
	}
	return s.free(o, it, f, c)
}

// placeAuto places the other items.
func (s *gridState) placeAuto(o occupied, flow, cross int) {
	f, c := 0, 0
	for _, it := range s.items {
		if it.fixed[flow] {
			continue
		}
		if s.g.Dense {
			f, c = 0, 0
		}
		if it.fixed[cross] {
			if it.start[cross] < c && !s.g.Dense {
				f++
			}
			c = it.start[cross]
			for !s.freeAt(o, it, flow, f, c) {
				f++
			}
		} else {
			for {
				if c+it.span[cross] > s.count[cross] {
					f, c = f+1, 0
					continue
				}
				if s.freeAt(o, it, flow, f, c) {
					break
				}
				c++
			}
		}
		it.start[flow], it.start[cross] = f, c
		s.occupy(o, it)
		c += it.span[cross]
		if it.fixed[cross] {
			c = it.start[cross]
		}
	}
}

// grid lays out the items of b into p and returns the height of the content.
func (l *layouter) grid(b *box, p *piece, f frame, room area) float64 {
	s := l.newGrid(b, room)
	st := b.style
	s.sizes[0] = s.newTracks(0)
	s.size(0, room.w, maxContent, stretchesContent(st.JustifyContent))
	columns := s.offsets(0, room.w, st.JustifyContent)
	s.sizes[1] = s.newTracks(1)
	s.size(1, room.main, maxContent, stretchesContent(st.AlignContent))
	total := s.total(1)
	if room.main < 0 {
		if want := min(max(total, room.minH), room.maxH); want != total {
			s.sizes[1] = s.newTracks(1)
			s.size(1, want, maxContent, stretchesContent(st.AlignContent))
			total = want
		}
	} else {
		total = room.main
	}
	rows := s.offsets(1, total, st.AlignContent)
	s.placePieces(p, f, columns, rows)
	for _, k := range b.kids {
		if k.outOfFlow() {
			s.placeOut(p, f, k, room.w, total)
		}
	}
	return total
}

// placeOut adds an absolutely positioned child at its static position.
func (s *gridState) placeOut(p *piece, f frame, k *box, w, h float64) {
	justify, align := k.style.JustifySelf, k.style.AlignSelf
	if justify == css.AlignAuto {
		justify = s.b.style.JustifyItems
	}
	if align == css.AlignAuto {
		align = s.b.style.AlignItems
	}
	x, ax := staticAlong(justify, w, false)
	y, ay := staticAlong(align, h, false)
	p.links = append(p.links, link{out: k, x: f.left() + x, y: f.top() + y, alignX: ax, alignY: ay})
}

func stretchesContent(a css.Align) bool {
	return a == css.AlignNormal || a == css.AlignStretch || a == css.AlignAuto
}

// offsets returns where each track begins, by a value of *-content.
func (s *gridState) offsets(axis int, room float64, a css.Align) []float64 {
	tracks := s.sizes[axis]
	out := make([]float64, len(tracks))
	n := 0
	for _, t := range tracks {
		if !t.collapsed {
			n++
		}
	}
	at, between := distribute(a, room-s.total(axis), n, false)
	for i, t := range tracks {
		out[i] = at
		if !t.collapsed {
			at += t.base + s.gaps[axis] + between
		}
		t.between = between
	}
	return out
}

// total returns the sum of an axis' tracks and gaps.
func (s *gridState) total(axis int) float64 {
	sum, n := 0.0, 0
	for _, t := range s.sizes[axis] {
		if !t.collapsed {
			sum += t.base
			n++
		}
	}
	return sum + s.gaps[axis]*float64(max(0, n-1))
}

// extent returns the size of a range of tracks.
func (s *gridState) extent(axis, start, span int) float64 {
	sum, n := 0.0, 0
	between := 0.0
	for _, t := range s.sizes[axis][start:min(start+span, len(s.sizes[axis]))] {
		if !t.collapsed {
			sum += t.base
			n++
			between = t.between
		}
	}
	return sum + (s.gaps[axis]+between)*float64(max(0, n-1))
}

// areaSpace returns the constraints of an item in an area of w by h; h may be indefinite.
func (s *gridState) areaSpace(k *box, w, h float64) space {
	sp := in(w, h)
	sp.shrink = true
	if k.anonymous {
		sp.fixW = w
		if h >= 0 && s.alignSelf(k) == css.AlignStretch {
			sp.fixH = h
		}
		return sp
	}
	m := margins(k, w)
	st := k.style
	f := frameOf(k, w)
	r, _ := ratio(k)
	justify, align := s.justifySelf(k), s.alignSelf(k)
	if justify == css.AlignStretch && st.Width.IsAuto() && !st.Margin.Left.IsAuto() && !st.Margin.Right.IsAuto() &&
		k.kind != replacedBox {
		lo, hi := s.l.widthLimits(k, sp, f, 0)
		sp.fixW = max(min(w-m.x(), hi), lo, f.x())
	}
	free := st.Height.IsAuto() && !st.Margin.Top.IsAuto() && !st.Margin.Bottom.IsAuto()
	if h >= 0 && align == css.AlignStretch && free &&
		k.kind != replacedBox && (r == 0 || s.ownAlign(k) == css.AlignStretch) {
		lo, hi := s.l.heightLimits(k, sp, f, 0, indefinite)
		sp.fixH = max(min(h-m.y(), hi), lo, f.y())
	}
	return sp
}

func (s *gridState) ownJustify(k *box) css.Align {
	a := k.style.JustifySelf
	if a == css.AlignAuto {
		a = s.b.style.JustifyItems
	}
	return a
}

func (s *gridState) ownAlign(k *box) css.Align {
	a := k.style.AlignSelf
	if a == css.AlignAuto {
		a = s.b.style.AlignItems
	}
	return a
}

func (s *gridState) justifySelf(k *box) css.Align { return stretchDefault(s.ownJustifyOf(k)) }

func (s *gridState) alignSelf(k *box) css.Align { return stretchDefault(s.ownAlignOf(k)) }

func (s *gridState) ownJustifyOf(k *box) css.Align {
	if k.anonymous {
		return s.b.style.JustifyItems
	}
	return s.ownJustify(k)
}

func (s *gridState) ownAlignOf(k *box) css.Align {
	if k.anonymous {
		return s.b.style.AlignItems
	}
	return s.ownAlign(k)
}

func stretchDefault(a css.Align) css.Align {
	if a == css.AlignNormal || a == css.AlignAuto {
		return css.AlignStretch
	}
	return a
}

// placePieces lays out the items in their areas.
func (s *gridState) placePieces(p *piece, f frame, columns, rows []float64) {
	base := map[int]float64{} // largest baseline of each row
	for _, it := range s.items {
		w := s.extent(0, it.start[0], it.span[0])
		h := s.extent(1, it.start[1], it.span[1])
		it.piece = s.l.layout(it.b, s.areaSpace(it.b, w, h))
		if s.alignSelf(it.b) == css.AlignBaseline && !isNone(it.piece.first) {
			base[it.start[1]] = max(base[it.start[1]], it.piece.first+margins(it.b, w).Top)
		}
	}
	topRow := math.MaxInt
	for _, it := range s.items {
		w := s.extent(0, it.start[0], it.span[0])
		h := s.extent(1, it.start[1], it.span[1])
		m := margins(it.b, w)
		var auto [4]bool
		if !it.b.anonymous {
			mg := &it.b.style.Margin
			auto = [4]bool{mg.Top.IsAuto(), mg.Right.IsAuto(), mg.Bottom.IsAuto(), mg.Left.IsAuto()}
		}
		rtl := s.b.style.Direction == css.RTL
		left := columns[it.start[0]]
		if rtl {
			left = s.room.w - left - w
		}
		x := left + m.Left + inArea(s.justifySelf(it.b), w-it.piece.w-m.x(), auto[3], auto[1], rtl)
		y := rows[it.start[1]] + m.Top + inArea(s.alignSelf(it.b), h-it.piece.h-m.y(), auto[0], auto[2], false)
		if b, ok := base[it.start[1]]; ok && s.alignSelf(it.b) == css.AlignBaseline && !isNone(it.piece.first) {
			y = rows[it.start[1]] + b - it.piece.first
		}
		p.add(it.piece, f.left()+x, f.top()+y)
		if it.start[1] < topRow {
			topRow = it.start[1]
			first := it.piece.first
			if isNone(first) {
				first = it.piece.h
			}
			p.first = f.top() + y + first
			p.last = p.first
		}
	}
}

// inArea returns where an alignment puts a box in an area with spare room, which auto margins take first.
func inArea(a css.Align, spare float64, before, after, rtl bool) float64 {
	if before || after {
		switch {
		case spare <= 0:
			return 0
		case before && after:
			return spare / 2
		case before:
			return spare
		}
		return 0
	}
	switch a {
	case css.AlignCenter:
		return spare / 2
	case css.AlignEnd, css.AlignFlexEnd, css.AlignSelfEnd:
		if rtl {
			return 0
		}
		return spare
	case css.AlignRight, css.AlignLastBaseline:
		return spare
	case css.AlignLeft:
		return 0
	}
	if rtl {
		return spare
	}
	return 0
}

// gridIntrinsic returns the intrinsic widths of a grid's content.
func (l *layouter) gridIntrinsic(b *box, h float64) sizes {
	inner := l.innerHeight(b, h)
	room := area{w: indefinite, h: inner, main: inner, maxH: math.Inf(1)}
	s := l.newGrid(b, room)
	s.sizes[0] = s.newTracks(0)
	s.size(0, indefinite, minContent, false)
	out := sizes{min: s.total(0)}
	s.sizes[0] = s.newTracks(0)
	s.size(0, indefinite, maxContent, false)
	out.max = s.total(0)
	return out
}
