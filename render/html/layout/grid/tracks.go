package grid

import (
	"math"
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/boxtree"
)

// track is a column or row while its size is found. Source: CSS Grid 1, section 11.
type track struct {
	def         css.Track
	base, limit float64
	collapsed   bool
	between     float64 // by *-content, after it
	planned     float64
	growable    bool    // infinitely growable: its limit was infinite one step before
	fitLimit    float64 // of fit-content(), infinite otherwise
}

// constraint is the size under which a grid without a definite one is laid out.
type constraint uint8

const (
	maxContent constraint = iota
	minContent
)

// newTracks returns the tracks of an axis, explicit and implicit.
func (s *state) newTracks(axis int) []*track {
	auto := s.g.AutoColumns
	if axis == 1 {
		auto = s.g.AutoRows
	}
	if len(auto) == 0 {
		auto = []css.Track{{}}
	}
	used := make([]bool, s.count[axis])
	for _, it := range s.items {
		for i := it.start[axis]; i < it.start[axis]+it.span[axis] && i < len(used); i++ {
			used[i] = true
		}
	}
	out := make([]*track, s.count[axis])
	s.l.Spend(len(out))
	for i := range out {
		t := &track{fitLimit: math.Inf(1)}
		at := i - s.offset[axis]
		switch {
		case at >= 0 && at < len(s.tracks[axis]):
			t.def = s.tracks[axis][at]
			t.collapsed = s.fit[axis][at] && !used[i]
		case at < 0:
			n := len(auto)
			t.def = auto[((at%n)+n)%n]
		default:
			t.def = auto[(at-len(s.tracks[axis]))%len(auto)]
		}
		out[i] = t
	}
	return out
}

// intrinsicMin reports whether the track's minimum depends on its items.
func (t *track) intrinsicMin() bool { return t.def.Min.Kind != value.Fixed }

func (t *track) intrinsicMax() bool { return t.def.Fr == 0 && t.def.Max.Kind != value.Fixed }

// size sizes the tracks of an axis in avail, which may be indefinite; stretch says that auto tracks take what is left.
func (s *state) size(axis int, avail float64, under constraint, stretch bool) {
	tracks := s.sizes[axis]
	for _, t := range tracks {
		s.initialize(t, avail)
	}
	s.intrinsicSizes(axis, avail)
	for _, t := range tracks {
		if math.IsInf(t.limit, 1) {
			t.limit = t.base
		}
		t.limit = max(t.limit, t.base)
	}
	if avail >= 0 {
		s.maximize(axis, avail-s.total(axis))
	} else if under == maxContent {
		for _, t := range tracks {
			t.base = max(t.base, min(t.limit, t.fitLimit))
		}
	}
	s.flexible(axis, avail, under)
	if stretch && avail >= 0 {
		s.stretchTracks(axis, avail-s.total(axis))
	}
}

// initialize sets the first sizes of a track.
func (s *state) initialize(t *track, avail float64) {
	d := &t.def
	if d.Min.Kind == value.Fixed && !boxtree.Definite(d.Min, avail) {
		d.Min = value.Size{}
	}
	if d.Max.Kind == value.Fixed && !boxtree.Definite(d.Max, avail) {
		d.Max = value.Size{}
	}
	t.base, t.limit = 0, math.Inf(1)
	if t.collapsed {
		t.limit = 0
		d.Min, d.Max, d.Fr = value.Px(0), value.Px(0), 0
		return
	}
	if d.Min.Kind == value.Fixed {
		t.base = boxtree.Unit(max(0, d.Min.Resolve(max(avail, 0))))
	}
	if d.Fr == 0 && d.Max.Kind == value.Fixed {
		t.limit = max(t.base, boxtree.Unit(d.Max.Resolve(max(avail, 0))))
	}
	if d.Max.Kind == value.FitContent && !d.Max.Zero() {
		t.fitLimit = max(0, d.Max.Resolve(max(avail, 0)))
		if d.Max.HasPercent() && avail < 0 {
			t.fitLimit = math.Inf(1)
		}
	}
}

// contributions are those of an item to its tracks.
type contributions struct {
	minimum, min, max float64
}

// contributionsOf measures an item along an axis.
func (s *state) contributionsOf(axis int, it *item, avail float64) contributions {
	k := it.b
	if axis == 0 {
		h := float64(boxtree.Indefinite)
		c := s.l.Contribution(k, h)
		out := contributions{c.Min, c.Min, c.Max}
		if w, ok := s.byRatio(it); ok {
			w += boxtree.Margins(k, 0).X()
			return contributions{max(c.Min, w), max(c.Min, w), max(c.Max, w)}
		}
		if !k.Anonymous && k.Style.OverflowX == css.OverflowHidden && !boxtree.Definite(k.Style.Width, boxtree.Indefinite) {
			lo, _ := s.l.WidthLimits(k, boxtree.SpaceOf(boxtree.Indefinite, boxtree.Indefinite), boxtree.FrameOf(k, 0), 0)
			out.minimum = max(lo, boxtree.FrameOf(k, 0).X()) + boxtree.Margins(k, 0).X()
		} else if !k.Anonymous && k.Style.MinWidth.Kind == value.Fixed &&
			!boxtree.Definite(k.Style.Width, boxtree.Indefinite) {
			lo, _ := s.l.WidthLimits(k, boxtree.SpaceOf(boxtree.Indefinite, boxtree.Indefinite), boxtree.FrameOf(k, 0), 0)
			out.minimum = max(lo, boxtree.FrameOf(k, 0).X()) + boxtree.Margins(k, 0).X()
		}
		return out
	}
	w := s.extent(0, it.start[0], it.span[0])
	sp := s.areaSpace(k, w, boxtree.Indefinite)
	p := s.l.Layout(k, sp)
	m := boxtree.Margins(k, w)
	h := max(0, p.H+m.Y()) + s.shims[it]
	out := contributions{h, h, h}
	if !k.Anonymous && !boxtree.Definite(k.Style.Height, boxtree.Indefinite) && (k.Style.OverflowY == css.OverflowHidden ||
		k.Style.MinHeight.Kind == value.Fixed) {
		f := boxtree.FrameOf(k, w)
		lo, _ := s.l.HeightLimits(k, sp, f, 0, boxtree.Indefinite)
		out.minimum = min(h, max(lo, f.Y())+m.Y())
	}
	return out
}

// measuredItem is an item with its contributions.
type measuredItem struct {
	it *item
	c  contributions
}

// intrinsicSizes resolves intrinsic track sizes (11.5).
func (s *state) intrinsicSizes(axis int, avail float64) {
	tracks := s.sizes[axis]
	var plain, flexing []measuredItem
	needed := false
	for _, t := range tracks {
		needed = needed || t.intrinsicMin() || t.intrinsicMax()
	}
	if !needed {
		return
	}
	for _, it := range s.items {
		flex, intrinsic := false, false
		for _, t := range s.span(axis, it) {
			flex = flex || t.def.Fr > 0
			intrinsic = intrinsic || t.intrinsicMin() || t.intrinsicMax()
		}
		if !intrinsic {
			continue
		}
		m := measuredItem{it, s.contributionsOf(axis, it, avail)}
		s.limitMinimum(axis, it, &m.c)
		if flex {
			m.c.minimum = s.flexMinimum(axis, it, m.c)
			flexing = append(flexing, m)
		} else {
			plain = append(plain, m)
		}
	}
	s.distributePlain(axis, plain)
	for _, t := range tracks {
		t.planned = 0
	}
	for _, m := range flexing {
		s.distributeFlex(axis, m.it, m.c)
	}
	for _, t := range tracks {
		t.base += t.planned
		t.planned = 0
		if t.limit < t.base {
			t.limit = t.base
		}
	}
}

// distributePlain distributes the contributions of items without flexible tracks, from small spans to large ones.
func (s *state) distributePlain(axis int, plain []measuredItem) {
	tracks := s.sizes[axis]
	slices.SortStableFunc(plain, func(a, z measuredItem) int { return a.it.span[axis] - z.it.span[axis] })
	for from := 0; from < len(plain); {
		to := from
		for to < len(plain) && plain[to].it.span[axis] == plain[from].it.span[axis] {
			to++
		}
		for step := range 5 {
			for _, t := range tracks {
				t.planned = 0
			}
			for _, m := range plain[from:to] {
				s.distributeStep(axis, m.it, m.c, step)
			}
			applyPlanned(tracks, step)
		}
		from = to
	}
}

// limitMinimum limits the automatic minimum of an item by the fixed maximum of its tracks.
func (s *state) limitMinimum(axis int, it *item, c *contributions) {
	sum := s.gaps[axis] * float64(it.span[axis]-1)
	for _, t := range s.span(axis, it) {
		if t.def.Fr > 0 || t.def.Max.Kind != value.Fixed {
			return
		}
		sum += t.limit
	}
	c.minimum = min(c.minimum, sum)
}

// flexMinimum returns the minimum contribution of an item in flexible tracks: an automatic minimum is that of its edges
// over several.
func (s *state) flexMinimum(axis int, it *item, c contributions) float64 {
	if it.span[axis] > 1 {
		k := it.b
		size := value.Size{}
		if !k.Anonymous {
			size = k.Style.Width
			if axis == 1 {
				size = k.Style.Height
			}
		}
		if size.IsAuto() {
			f, m := boxtree.FrameOf(k, 0), boxtree.Margins(k, 0)
			return max(0, [2]float64{f.X() + m.X(), f.Y() + m.Y()}[axis])
		}
	}
	return c.minimum
}

// span returns the tracks of an item.
func (s *state) span(axis int, it *item) []*track {
	tracks := s.sizes[axis]
	from := min(it.start[axis], len(tracks))
	return tracks[from:min(it.start[axis]+it.span[axis], len(tracks))]
}

// sizeRows sizes the rows, and returns the height of all.
func (s *state) sizeRows(room boxtree.Area) float64 {
	stretch := boxtree.StretchesContent(s.b.Style.AlignContent)
	s.sizes[1] = s.newTracks(1)
	s.alignBaselines()
	s.size(1, room.Main, maxContent, stretch)
	if room.Main >= 0 {
		return room.Main
	}
	total := s.total(1)
	want := min(max(total, room.MinH), room.MaxH)
	if want != total || s.percentRows() { // percentages are of the height that came out
		s.gaps[1] = boxtree.Gap(s.b.Style.RowGap, want)
		s.sizes[1] = s.newTracks(1)
		s.size(1, want, maxContent, stretch)
	}
	return want
}
