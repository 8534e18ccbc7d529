package layout

import (
	"math"
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
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
	shims    map[*gridItem]float64 // how far items begin below their row, for the sake of a common baseline
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
	case t.Fr == 0 && definite(t.Max, avail) && t.Max.Kind == value.Fixed:
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

// grid lays out the items of b into p and returns the height of the content.
func (l *layouter) grid(b *box, p *piece, f frame, room area) float64 {
	s := l.newGrid(b, room)
	st := b.style
	s.sizes[0] = s.newTracks(0)
	s.size(0, room.w, maxContent, stretchesContent(st.JustifyContent))
	columns := s.offsets(0, room.w, st.JustifyContent)
	s.sizes[1] = s.newTracks(1)
	s.alignBaselines()
	s.size(1, room.main, maxContent, stretchesContent(st.AlignContent))
	total := s.total(1)
	if room.main < 0 {
		want := min(max(total, room.minH), room.maxH)
		if want != total || s.percentRows() { // percentages are of the height that came out
			s.gaps[1] = gap(b.style.RowGap, want)
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
			s.placeOut(p, f, k, room.w, total, columns, rows)
		}
	}
	return total
}

// alignBaselines finds the shims of the items that are aligned by their baselines. Source: CSS Grid 1, 11.5.
func (s *gridState) alignBaselines() {
	aligned := func(it *gridItem) bool { return s.alignSelf(it.b) == css.AlignBaseline }
	if !slices.ContainsFunc(s.items, aligned) {
		return
	}
	s.shims = map[*gridItem]float64{}
	most := map[int]float64{} // the largest distance of a baseline from the top of each row
	for _, it := range s.items {
		if !aligned(it) {
			continue
		}
		w := s.extent(0, it.start[0], it.span[0])
		if p := s.l.layout(it.b, s.areaSpace(it.b, w, indefinite)); !isNone(p.first) {
			s.shims[it] = p.first + margins(it.b, w).Top
			most[it.start[1]] = max(most[it.start[1]], s.shims[it])
		}
	}
	for it, base := range s.shims {
		s.shims[it] = most[it.start[1]] - base
	}
}

// placeOut adds an absolutely positioned child at its static position.
func (s *gridState) placeOut(p *piece, f frame, k *box, w, h float64, columns, rows []float64) {
	justify, align := k.style.JustifySelf, k.style.AlignSelf
	if justify == css.AlignAuto {
		justify = s.b.style.JustifyItems
	}
	if align == css.AlignAuto {
		align = s.b.style.AlignItems
	}
	r := Rect{f.left(), f.top(), w, h}
	area := s.areaOut(f, k, w, h, columns, rows)
	if area != nil {
		r = *area
	}
	x, ax := staticAlong(justify, r.W, false)
	y, ay := staticAlong(align, r.H, false)
	p.links = append(p.links, link{out: k, x: r.X + x, y: r.Y + y, alignX: ax, alignY: ay, area: area})
}

// areaOut returns the area of an absolutely positioned child, whose lines are edges of tracks or, where they are auto,
// those of the padding; nil without any lines, or if the grid doesn't contain it. Source: CSS Grid 1, 9.2.
func (s *gridState) areaOut(f frame, k *box, w, h float64, columns, rows []float64) *Rect {
	g := k.style.Grid
	if g == nil || s.b.style.Position == css.Static && !containsFixed(s.b) {
		return nil
	}
	x0, x1 := s.linesOut(0, g.ColumnStart, g.ColumnEnd, columns, f.padding.Left, w+f.padding.Right)
	y0, y1 := s.linesOut(1, g.RowStart, g.RowEnd, rows, f.padding.Top, h+f.padding.Bottom)
	if s.b.style.Direction == css.RTL {
		x0, x1 = w+f.padding.Right-f.padding.Left-x1, w+f.padding.Right-f.padding.Left-x0
	}
	return &Rect{f.left() + x0, f.top() + y0, max(x1-x0, 0), max(y1-y0, 0)}
}

// linesOut returns where the lines of an absolutely positioned child are, from the content box on.
func (s *gridState) linesOut(axis int, from, to css.GridLine, at []float64, before, end float64) (a, z float64) {
	place := func(v css.GridLine, suffix string, auto float64) float64 {
		i, ok := s.line(axis, v, suffix)
		i += s.offset[axis]
		if !ok || i < 0 || i > len(at) || len(at) == 0 {
			return auto
		}
		switch {
		case suffix == "-start" && i < len(at):
			return at[i]
		case i > 0:
			return at[i-1] + s.sizes[axis][i-1].base
		}
		return at[0]
	}
	return place(from, "-start", -before), place(to, "-end", end)
}

// percentRows reports whether heights of rows or the gap between them are percentages of the grid's height.
func (s *gridState) percentRows() bool {
	percent := func(t css.Track) bool { return t.Min.HasPercent() || t.Max.HasPercent() }
	return s.b.style.RowGap.HasPercent() || slices.ContainsFunc(s.tracks[1], percent) ||
		slices.ContainsFunc(s.g.AutoRows, percent)
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
		k.kind != replacedBox && (r == 0 || s.ownAlign(k) == css.AlignStretch || sp.fixW < 0 && st.Width.IsAuto()) {
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
