// Package grid lays out grids: the cells of their items, the sizes of tracks, and the places of items in their areas.
package grid

import (
	"math"
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/fragment"
)

// item is an item of a grid: its box and its range of tracks on each axis, 0 columns and 1 rows.
type item struct {
	b     *boxtree.Box
	start [2]int
	span  [2]int
	fixed [2]bool // its place on the axis is given
	piece *boxtree.Piece
}

// maxTracks bounds the tracks of an axis.
const maxTracks = 1000

// state lays out one grid.
type state struct {
	l        *boxtree.State
	b        *boxtree.Box
	g        *css.Grid
	items    []*item
	explicit [2]int              // number of explicit tracks
	tracks   [2][]css.Track      // explicit ones, with automatic repetitions expanded
	fit      [2]map[int]bool     // tracks of auto-fit, which collapse when empty
	names    [2]map[string][]int // line numbers by name, from 0
	offset   [2]int              // implicit tracks before the explicit ones
	count    [2]int
	room     boxtree.Area
	gaps     [2]float64
	sizes    [2][]*track
	byHeight bool              // the rows are known, and give items with a ratio their widths
	shims    map[*item]float64 // how far items begin below their row, for the sake of a common baseline
}

var noGrid = &css.Grid{}

// newGrid reads the properties of a grid container and places its items. room.w may be indefinite.
func newGrid(l *boxtree.State, b *boxtree.Box, room boxtree.Area) *state {
	s := &state{l: l, b: b, g: b.Style.Grid, room: room}
	if s.g == nil {
		s.g = noGrid
	}
	s.gaps = [2]float64{boxtree.Gap(b.Style.ColumnGap, room.W), boxtree.Gap(b.Style.RowGap, room.H)}
	s.names = [2]map[string][]int{{}, {}}
	s.fit = [2]map[int]bool{{}, {}}
	s.expand(0, s.g.Columns, s.g.ColumnLines, room.W, math.Inf(1))
	limit := room.MaxH
	if limit == 0 {
		limit = math.Inf(1)
	}
	s.expand(1, s.g.Rows, s.g.RowLines, room.Main, limit)
	s.nameAreas()
	kids, _ := boxtree.FlexOrder(b)
	for _, k := range kids {
		s.items = append(s.items, s.newItem(k))
	}
	s.placeItems()
	return s
}

// expand fills s.tracks of an axis.
func (s *state) expand(axis int, in []css.Track, lines [][]string, avail, limit float64) {
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
func (s *state) repetitions(axis int, all []css.Track, t css.Track, avail, limit float64) int {
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
	n := int(math.Floor((avail + s.gaps[axis] - others + boxtree.Slack) / one))
	return max(1, min(n, maxTracks/len(t.Tracks)))
}

// fixedTrack returns the definite size of a track, for counting repetitions.
func (s *state) fixedTrack(t css.Track, avail float64) float64 {
	switch {
	case t.Fr == 0 && boxtree.Definite(t.Max, avail) && t.Max.Kind == value.Fixed:
		v := t.Max.Resolve(avail)
		if boxtree.Definite(t.Min, avail) {
			v = max(v, t.Min.Resolve(avail))
		}
		return v
	case boxtree.Definite(t.Min, avail):
		return t.Min.Resolve(avail)
	}
	return 0
}

// Layout lays out the items of b into p and returns the height of the content.
func Layout(l *boxtree.State, b *boxtree.Box, p *boxtree.Piece, f boxtree.Frame, room boxtree.Area) float64 {
	s := newGrid(l, b, room)
	st := b.Style
	s.sizes[0] = s.newTracks(0)
	s.size(0, room.W, maxContent, boxtree.StretchesContent(st.JustifyContent))
	columns := s.offsets(0, room.W, st.JustifyContent)
	total := s.sizeRows(room)
	if slices.ContainsFunc(s.items, func(it *item) bool { _, ok := s.ratioMinimum(it); return ok }) {
		s.byHeight = true // the columns depend on the rows: once more. Source: CSS Grid 1, 11.1
		s.sizes[0] = s.newTracks(0)
		s.size(0, room.W, maxContent, boxtree.StretchesContent(st.JustifyContent))
		columns = s.offsets(0, room.W, st.JustifyContent)
		total = s.sizeRows(room)
	}
	rows := s.offsets(1, total, st.AlignContent)
	s.placePieces(p, f, columns, rows)
	for _, k := range b.Kids {
		if k.OutOfFlow() {
			s.placeOut(p, f, k, room.W, total, columns, rows)
		}
	}
	return total
}

// onBaseline reports whether an item is aligned by its baseline, and doesn't depend on the height of its row.
func (s *state) onBaseline(it *item) bool {
	return s.alignSelf(it.b) == css.AlignBaseline && (it.b.Anonymous || !it.b.Style.Height.HasPercent())
}

// alignBaselines finds the shims of the items that are aligned by their baselines. Source: CSS Grid 1, 11.5.
func (s *state) alignBaselines() {
	if !slices.ContainsFunc(s.items, s.onBaseline) {
		return
	}
	s.shims = map[*item]float64{}
	most := map[int]float64{} // the largest distance of a baseline from the top of each row
	for _, it := range s.items {
		if !s.onBaseline(it) {
			continue
		}
		w := s.extent(0, it.start[0], it.span[0])
		s.shims[it] = baseline(s.l.Layout(it.b, s.areaSpace(it.b, w, boxtree.Indefinite))) + boxtree.Margins(it.b, w).Top
		most[it.start[1]] = max(most[it.start[1]], s.shims[it])
	}
	for it, base := range s.shims {
		s.shims[it] = most[it.start[1]] - base
	}
}

// placeOut adds an absolutely positioned child at its static position.
func (s *state) placeOut(p *boxtree.Piece, f boxtree.Frame, k *boxtree.Box, w, h float64, columns, rows []float64) {
	justify, align := k.Style.JustifySelf, k.Style.AlignSelf
	if justify == css.AlignAuto {
		justify = s.b.Style.JustifyItems
	}
	if align == css.AlignAuto {
		align = s.b.Style.AlignItems
	}
	r := fragment.Rect{X: f.Left(), Y: f.Top(), W: w, H: h}
	area := s.areaOut(f, k, w, h, columns, rows)
	if area != nil {
		r = *area
	}
	x, ax := boxtree.StaticAlong(justify, r.W, false)
	y, ay := boxtree.StaticAlong(align, r.H, false)
	p.Links = append(p.Links, boxtree.Link{Out: k, X: r.X + x, Y: r.Y + y, AlignX: ax, AlignY: ay, Area: area})
}

// areaOut returns the area of an absolutely positioned child, whose lines are edges of tracks or, where they are auto,
// those of the padding; nil if the grid doesn't contain it. Source: CSS Grid 1, 9.2.
func (s *state) areaOut(f boxtree.Frame, k *boxtree.Box, w, h float64, columns, rows []float64) *fragment.Rect {
	if s.b.Style.Position == css.Static && !boxtree.ContainsFixed(s.b) {
		return nil
	}
	g := k.Style.Grid
	if g == nil {
		g = &css.Grid{}
	}
	x0, x1 := s.linesOut(0, g.ColumnStart, g.ColumnEnd, columns, f.Padding.Left, w+f.Padding.Right)
	y0, y1 := s.linesOut(1, g.RowStart, g.RowEnd, rows, f.Padding.Top, h+f.Padding.Bottom)
	if s.b.Style.Direction == css.RTL {
		x0, x1 = w+f.Padding.Right-f.Padding.Left-x1, w+f.Padding.Right-f.Padding.Left-x0
	}
	return &fragment.Rect{X: f.Left() + x0, Y: f.Top() + y0, W: max(x1-x0, 0), H: max(y1-y0, 0)}
}

// linesOut returns where the lines of an absolutely positioned child are, from the content box on.
func (s *state) linesOut(axis int, from, to css.GridLine, at []float64, before, end float64) (a, z float64) {
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
func (s *state) percentRows() bool {
	percent := func(t css.Track) bool { return t.Min.HasPercent() || t.Max.HasPercent() }
	return s.b.Style.RowGap.HasPercent() || slices.ContainsFunc(s.tracks[1], percent) ||
		slices.ContainsFunc(s.g.AutoRows, percent)
}

// offsets returns where each track begins, by a value of *-content.
func (s *state) offsets(axis int, room float64, a css.Align) []float64 {
	tracks := s.sizes[axis]
	out := make([]float64, len(tracks))
	n := 0
	for _, t := range tracks {
		if !t.collapsed {
			n++
		}
	}
	at, between := boxtree.Distribute(a, room-s.total(axis), n, false)
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
func (s *state) total(axis int) float64 {
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
func (s *state) extent(axis, start, span int) float64 {
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
func (s *state) areaSpace(k *boxtree.Box, w, h float64) boxtree.Space {
	sp := boxtree.SpaceOf(w, h)
	sp.Shrink = true
	if k.Anonymous {
		if s.justifySelf(k) == css.AlignStretch {
			sp.FixW = w
		}
		if h >= 0 && s.alignSelf(k) == css.AlignStretch {
			sp.FixH = h
		}
		return sp
	}
	m := boxtree.Margins(k, w)
	st := k.Style
	f := boxtree.FrameOf(k, w)
	r, _ := boxtree.Ratio(k)
	justify, align := s.justifySelf(k), s.alignSelf(k)
	// A ratio gives a box with a height, or stretched over the height of its area, its width.
	byHeight := r > 0 && s.outer() && s.ownJustify(k) != css.AlignStretch && (boxtree.Definite(st.Height, h) ||
		h >= 0 && st.Height.IsAuto() && s.ownAlign(k) == css.AlignStretch)
	if justify == css.AlignStretch && st.Width.IsAuto() && !st.Margin.Left.IsAuto() && !st.Margin.Right.IsAuto() &&
		k.Kind != boxtree.ReplacedBox && !byHeight {
		lo, hi := s.l.WidthLimits(k, sp, f, 0)
		if r > 0 {
			lo, hi = s.l.Transferred(k, sp, f, lo, hi)
		}
		sp.FixW = max(min(w-m.X(), hi), lo, f.X())
	}
	free := st.Height.IsAuto() && !st.Margin.Top.IsAuto() && !st.Margin.Bottom.IsAuto()
	if h >= 0 && align == css.AlignStretch && free &&
		k.Kind != boxtree.ReplacedBox && (r == 0 || s.ownAlign(k) == css.AlignStretch || sp.FixW < 0 && st.Width.IsAuto()) {
		lo, hi := s.l.HeightLimits(k, sp, f, 0, boxtree.Indefinite)
		sp.FixH = max(min(h-m.Y(), hi), lo, f.Y())
	}
	return sp
}

func (s *state) ownJustify(k *boxtree.Box) css.Align {
	a := k.Style.JustifySelf
	if a == css.AlignAuto {
		a = s.b.Style.JustifyItems
	}
	return a
}

func (s *state) ownAlign(k *boxtree.Box) css.Align {
	a := k.Style.AlignSelf
	if a == css.AlignAuto {
		a = s.b.Style.AlignItems
	}
	return a
}

func (s *state) justifySelf(k *boxtree.Box) css.Align { return stretchDefault(s.ownJustifyOf(k)) }

func (s *state) alignSelf(k *boxtree.Box) css.Align { return stretchDefault(s.ownAlignOf(k)) }

func (s *state) ownJustifyOf(k *boxtree.Box) css.Align {
	if k.Anonymous {
		return s.b.Style.JustifyItems
	}
	return s.ownJustify(k)
}

func (s *state) ownAlignOf(k *boxtree.Box) css.Align {
	if k.Anonymous {
		return s.b.Style.AlignItems
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
func (s *state) placePieces(p *boxtree.Piece, f boxtree.Frame, columns, rows []float64) {
	base := map[int]float64{} // largest baseline of each row
	for _, it := range s.items {
		w := s.extent(0, it.start[0], it.span[0])
		h := s.extent(1, it.start[1], it.span[1])
		sp := s.areaSpace(it.b, w, h)
		if least, ok := s.ratioMinimum(it); ok && sp.FixW >= 0 && sp.FixH < 0 {
			sp.FixW = max(sp.FixW, least)
		}
		it.piece = s.l.Layout(it.b, sp)
		if s.onBaseline(it) {
			base[it.start[1]] = max(base[it.start[1]], baseline(it.piece)+boxtree.Margins(it.b, w).Top)
		}
	}
	top := [2]int{math.MaxInt, math.MaxInt}
	for _, it := range s.items {
		w := s.extent(0, it.start[0], it.span[0])
		h := s.extent(1, it.start[1], it.span[1])
		m := boxtree.Margins(it.b, w)
		var auto [4]bool
		if !it.b.Anonymous {
			mg := &it.b.Style.Margin
			auto = [4]bool{mg.Top.IsAuto(), mg.Right.IsAuto(), mg.Bottom.IsAuto(), mg.Left.IsAuto()}
		}
		rtl := s.b.Style.Direction == css.RTL
		left := columns[it.start[0]]
		if rtl {
			left = s.room.W - left - w
		}
		x := left + m.Left + inArea(s.justifySelf(it.b), w-it.piece.W-m.X(), auto[3], auto[1], rtl)
		y := rows[it.start[1]] + m.Top + inArea(s.alignSelf(it.b), h-it.piece.H-m.Y(), auto[0], auto[2], false)
		if b, ok := base[it.start[1]]; ok && s.onBaseline(it) {
			y = rows[it.start[1]] + b - baseline(it.piece)
		}
		p.Add(it.piece, f.Left()+x, f.Top()+y)
		if it.b.Relative() {
			p.Links[len(p.Links)-1].Area = &fragment.Rect{X: f.Left() + left, Y: f.Top() + rows[it.start[1]], W: w, H: h}
		}
		if it.start[1] < top[1] || it.start[1] == top[1] && it.start[0] < top[0] { // the first in the first row
			top = it.start
			p.First = f.Top() + y + baseline(it.piece)
			p.Last = p.First
		}
	}
}

// baseline returns the first baseline of an item, or its bottom without one.
func baseline(p *boxtree.Piece) float64 {
	if boxtree.IsNone(p.First) {
		return p.H
	}
	return p.First
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

// Intrinsic returns the intrinsic widths of a grid's content.
func Intrinsic(l *boxtree.State, b *boxtree.Box, h float64) boxtree.Sizes {
	inner := l.InnerHeight(b, h)
	room := boxtree.Area{W: boxtree.Indefinite, H: inner, Main: inner, MaxH: math.Inf(1)}
	s := newGrid(l, b, room)
	s.sizes[0] = s.newTracks(0)
	s.size(0, boxtree.Indefinite, minContent, false)
	out := boxtree.Sizes{Min: s.total(0)}
	s.sizes[0] = s.newTracks(0)
	s.size(0, boxtree.Indefinite, maxContent, false)
	out.Max = s.total(0)
	return out
}
