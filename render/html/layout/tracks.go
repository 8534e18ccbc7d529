package layout

import (
	"math"
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
)

// track is a column or row while its size is found. Source: CSS Grid 1, section 11.
type track struct {
	def         css.Track
	base, limit float64
	collapsed   bool
	between     float64 // by *-content, after it
	planned     float64
	fitLimit    float64 // of fit-content(), infinite otherwise
}

// constraint is the size under which a grid without a definite one is laid out.
type constraint uint8

const (
	maxContent constraint = iota
	minContent
)

// newTracks returns the tracks of an axis, explicit and implicit.
func (s *gridState) newTracks(axis int) []*track {
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
	s.l.spend(len(out))
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
func (s *gridState) size(axis int, avail float64, under constraint, stretch bool) {
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
func (s *gridState) initialize(t *track, avail float64) {
	d := &t.def
	if d.Min.Kind == value.Fixed && !definite(d.Min, avail) {
		d.Min = value.Size{}
	}
	if d.Max.Kind == value.Fixed && !definite(d.Max, avail) {
		d.Max = value.Size{}
	}
	t.base, t.limit = 0, math.Inf(1)
	if t.collapsed {
		t.limit = 0
		d.Min, d.Max, d.Fr = value.Px(0), value.Px(0), 0
		return
	}
	if d.Min.Kind == value.Fixed {
		t.base = unit(max(0, d.Min.Resolve(max(avail, 0))))
	}
	if d.Fr == 0 && d.Max.Kind == value.Fixed {
		t.limit = max(t.base, unit(d.Max.Resolve(max(avail, 0))))
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
func (s *gridState) contributionsOf(axis int, it *gridItem, avail float64) contributions {
	k := it.b
	if axis == 0 {
		h := float64(indefinite)
		c := s.l.contribution(k, h)
		out := contributions{c.min, c.min, c.max}
		if !k.anonymous && k.style.OverflowX == css.OverflowHidden && !definite(k.style.Width, indefinite) {
			lo, _ := s.l.widthLimits(k, in(indefinite, indefinite), frameOf(k, 0), 0)
			out.minimum = max(lo, frameOf(k, 0).x()) + margins(k, 0).x()
		} else if !k.anonymous && k.style.MinWidth.Kind == value.Fixed && !definite(k.style.Width, indefinite) {
			lo, _ := s.l.widthLimits(k, in(indefinite, indefinite), frameOf(k, 0), 0)
			out.minimum = max(lo, frameOf(k, 0).x()) + margins(k, 0).x()
		}
		return out
	}
	w := s.extent(0, it.start[0], it.span[0])
	sp := s.areaSpace(k, w, indefinite)
	p := s.l.layout(k, sp)
	m := margins(k, w)
	h := max(0, p.h+m.y()) + s.shims[it]
	out := contributions{h, h, h}
	if !k.anonymous && !definite(k.style.Height, indefinite) && (k.style.OverflowY == css.OverflowHidden ||
		k.style.MinHeight.Kind == value.Fixed || k.kind == replacedBox && !k.style.Height.IsAuto()) {
		f := frameOf(k, w)
		lo, _ := s.l.heightLimits(k, sp, f, 0, indefinite)
		out.minimum = min(h, max(lo, f.y())+m.y())
	}
	return out
}

// measured is an item with its contributions.
type measured struct {
	it *gridItem
	c  contributions
}

// intrinsicSizes resolves intrinsic track sizes (11.5).
func (s *gridState) intrinsicSizes(axis int, avail float64) {
	tracks := s.sizes[axis]
	var plain, flexing []measured
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
		m := measured{it, s.contributionsOf(axis, it, avail)}
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
func (s *gridState) distributePlain(axis int, plain []measured) {
	tracks := s.sizes[axis]
	slices.SortStableFunc(plain, func(a, z measured) int { return a.it.span[axis] - z.it.span[axis] })
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
func (s *gridState) limitMinimum(axis int, it *gridItem, c *contributions) {
	sum := s.gaps[axis] * float64(it.span[axis]-1)
	for _, t := range s.span(axis, it) {
		if t.def.Fr > 0 || t.def.Max.Kind != value.Fixed {
			return
		}
		sum += t.limit
	}
	c.minimum = min(c.minimum, sum)
}

// flexMinimum returns the minimum contribution of an item in flexible tracks: an automatic minimum is 0 over several.
func (s *gridState) flexMinimum(axis int, it *gridItem, c contributions) float64 {
	if it.span[axis] > 1 {
		k := it.b
		size := value.Size{}
		if !k.anonymous {
			size = k.style.Width
			if axis == 1 {
				size = k.style.Height
			}
		}
		if size.IsAuto() {
			return 0
		}
	}
	return c.minimum
}

// span returns the tracks of an item.
func (s *gridState) span(axis int, it *gridItem) []*track {
	tracks := s.sizes[axis]
	from := min(it.start[axis], len(tracks))
	return tracks[from:min(it.start[axis]+it.span[axis], len(tracks))]
}

// distributeStep distributes the contribution of an item to the planned increases of its tracks: of bases by minimum,
// min-content and max-content, then of limits by min-content and max-content.
func (s *gridState) distributeStep(axis int, it *gridItem, c contributions, step int) {
	tracks := s.span(axis, it)
	s.l.spend(len(tracks))
	var affected []*track
	var size float64
	for _, t := range tracks {
		ok := false
		switch step {
		case 0:
			ok, size = t.intrinsicMin(), c.minimum
		case 1:
			ok, size = t.def.Min.Kind == value.MinContent || t.def.Min.Kind == value.MaxContent, c.min
		case 2:
			ok, size = t.def.Min.Kind == value.MaxContent, c.max
		case 3:
			ok, size = t.intrinsicMax(), c.min
		case 4:
			ok, size = t.intrinsicMax() && t.def.Max.Kind != value.MinContent, c.max
		}
		if ok {
			affected = append(affected, t)
		}
	}
	if len(affected) == 0 {
		return
	}
	space := size - s.gaps[axis]*float64(len(tracks)-1)
	limits := step >= 3
	for _, t := range tracks {
		v := t.base
		if limits && !math.IsInf(t.limit, 1) {
			v = t.limit
		}
		space -= v
	}
	if space <= 0 && !limits {
		return
	}
	give(affected, max(space, 0), limits)
}

// give plans an increase of tracks by space together: equally, up to their limits while any is below it.
func give(tracks []*track, space float64, limits bool) {
	room := func(t *track) float64 {
		if limits {
			if !math.IsInf(t.fitLimit, 1) {
				base := t.base
				if !math.IsInf(t.limit, 1) {
					base = t.limit
				}
				return max(0, t.fitLimit-base)
			}
			return math.Inf(1)
		}
		return max(0, t.limit-t.base)
	}
	got := make([]float64, len(tracks))
	open := len(tracks)
	done := make([]bool, len(tracks))
	for open > 0 && space > 1e-9 {
		share := space / float64(open)
		closed := false
		for i, t := range tracks {
			if done[i] {
				continue
			}
			if r := room(t) - got[i]; r <= share {
				space -= r
				got[i] += r
				done[i], closed = true, true
				open--
			}
		}
		if !closed {
			for i := range tracks {
				if !done[i] {
					got[i] += share
				}
			}
			space = 0
		}
	}
	if space > 1e-9 && !limits { // beyond the limits
		var intrinsic []int
		for i, t := range tracks {
			if t.intrinsicMax() {
				intrinsic = append(intrinsic, i)
			}
		}
		if len(intrinsic) == 0 {
			for i := range tracks {
				intrinsic = append(intrinsic, i)
			}
		}
		for _, i := range intrinsic {
			got[i] += space / float64(len(intrinsic))
		}
	}
	for i, t := range tracks {
		v := got[i]
		if limits && math.IsInf(t.limit, 1) && v == 0 {
			v = math.SmallestNonzeroFloat64 // the limit becomes the base
		}
		t.planned = max(t.planned, v)
	}
}

// applyPlanned adds what a step planned.
func applyPlanned(tracks []*track, step int) {
	for _, t := range tracks {
		if t.planned == 0 {
			continue
		}
		if step < 3 {
			t.base += t.planned
			if t.limit < t.base {
				t.limit = t.base
			}
			continue
		}
		if math.IsInf(t.limit, 1) {
			t.limit = t.base + t.planned
		} else {
			t.limit += t.planned
		}
	}
}

// distributeFlex distributes the contributions of an item over its flexible tracks, by their fractions: its minimum to
// all whose minimum depends on it, and its min-content and max-content to those that name them.
func (s *gridState) distributeFlex(axis int, it *gridItem, c contributions) {
	tracks := s.span(axis, it)
	share := func(size float64, takes func(t *track) bool) {
		space := size - s.gaps[axis]*float64(len(tracks)-1)
		sum := 0.0
		for _, t := range tracks {
			space -= t.base
			if t.def.Fr > 0 && takes(t) {
				sum += t.def.Fr
			}
		}
		if sum == 0 || space <= 0 {
			return
		}
		for _, t := range tracks {
			if t.def.Fr > 0 && takes(t) {
				t.planned = max(t.planned, space*t.def.Fr/sum)
			}
		}
	}
	share(c.minimum, (*track).intrinsicMin)
	share(c.min, func(t *track) bool { return t.def.Min.Kind == value.MinContent || t.def.Min.Kind == value.MaxContent })
	share(c.max, func(t *track) bool { return t.def.Min.Kind == value.MaxContent })
}

// maximize distributes free space equally up to the limits (11.6).
func (s *gridState) maximize(axis int, free float64) {
	tracks := s.sizes[axis]
	for range len(tracks) + 1 {
		if free <= 1e-9 {
			return
		}
		open := 0
		for _, t := range tracks {
			if t.growth() > 0 {
				open++
			}
		}
		if open == 0 {
			return
		}
		share := free / float64(open)
		for _, t := range tracks {
			if g := t.growth(); g > 0 {
				v := min(g, share)
				t.base += v
				free -= v
			}
		}
	}
}

func (t *track) growth() float64 {
	if t.def.Fr > 0 {
		return 0
	}
	return min(t.limit, max(t.fitLimit, t.base)) - t.base
}

// flexible sizes the tracks with fractions (11.7).
func (s *gridState) flexible(axis int, avail float64, under constraint) {
	tracks := s.sizes[axis]
	var flexing []*track
	for _, t := range tracks {
		if t.def.Fr > 0 {
			flexing = append(flexing, t)
		}
	}
	if len(flexing) == 0 {
		return
	}
	fraction := 0.0
	switch {
	case avail >= 0:
		fraction = s.fraction(axis, tracks, avail)
	case under == minContent:
	default:
		for _, t := range flexing {
			fraction = max(fraction, t.base/max(1, t.def.Fr))
		}
		for _, it := range s.items {
			span := s.span(axis, it)
			if slices.ContainsFunc(span, func(t *track) bool { return t.def.Fr > 0 }) {
				c := s.contributionsOf(axis, it, avail)
				fraction = max(fraction, s.fraction(axis, span, c.max))
			}
		}
	}
	for _, t := range flexing {
		t.base = max(t.base, unit(fraction*t.def.Fr))
	}
}

// fraction returns the size of 1fr such that tracks fill a space (11.7.1).
func (s *gridState) fraction(axis int, tracks []*track, space float64) float64 {
	fixed := map[*track]bool{}
	n := 0
	for _, t := range tracks {
		if !t.collapsed {
			n++
		}
	}
	space -= s.gaps[axis] * float64(max(0, n-1))
	for range len(tracks) + 1 {
		left, sum := space, 0.0
		for _, t := range tracks {
			if t.def.Fr > 0 && !fixed[t] {
				sum += t.def.Fr
			} else {
				left -= t.base
			}
		}
		if sum == 0 {
			return 0
		}
		fr := max(0, left) / max(sum, 1)
		again := false
		for _, t := range tracks {
			if t.def.Fr > 0 && !fixed[t] && fr*t.def.Fr < t.base {
				fixed[t], again = true, true
			}
		}
		if !again {
			return fr
		}
	}
	return 0
}

// stretchTracks gives free space to tracks with a maximum of auto (11.8).
func (s *gridState) stretchTracks(axis int, free float64) {
	var auto []*track
	for _, t := range s.sizes[axis] {
		if t.def.Fr == 0 && t.def.Max.Kind == value.Auto && !t.collapsed {
			auto = append(auto, t)
		}
	}
	if free <= 0 || len(auto) == 0 {
		return
	}
	for _, t := range auto {
		t.base += free / float64(len(auto))
	}
}
