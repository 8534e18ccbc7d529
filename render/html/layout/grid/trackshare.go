package grid

import (
	"math"
	"slices"

	"masthead/render/html/css/value"
	"masthead/render/html/layout/boxtree"
)

// distributeStep distributes the contribution of an item to the planned increases of its tracks: of bases by minimum,
// min-content and max-content, then of limits by min-content and max-content.
func (s *state) distributeStep(axis int, it *item, c contributions, step int) {
	tracks := s.span(axis, it)
	s.l.Spend(len(tracks))
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

// room returns by how much a base, or a limit, may grow before those of other tracks.
func (t *track) room(limits bool) float64 {
	switch {
	case !limits:
		return max(0, t.limit-t.base)
	case !math.IsInf(t.fitLimit, 1):
		base := t.base
		if !math.IsInf(t.limit, 1) {
			base = t.limit
		}
		return max(0, t.fitLimit-base)
	case math.IsInf(t.limit, 1) || t.growable:
		return math.Inf(1)
	}
	return 0
}

// give plans an increase of tracks by space together: equally, up to their limits while any is below it.
func give(tracks []*track, space float64, limits bool) {
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
			if r := t.room(limits) - got[i]; r <= share {
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
	if space > 1e-9 { // beyond the limits
		var intrinsic []int
		for i, t := range tracks {
			if t.intrinsicMax() && (!limits || math.IsInf(t.fitLimit, 1)) {
				intrinsic = append(intrinsic, i)
			}
		}
		if len(intrinsic) == 0 && !limits {
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
		t.growable = step == 3 && t.planned > 0 && (t.growable || math.IsInf(t.limit, 1))
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
func (s *state) distributeFlex(axis int, it *item, c contributions) {
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
func (s *state) maximize(axis int, free float64) {
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
func (s *state) flexible(axis int, avail float64, under constraint) {
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
		t.base = max(t.base, boxtree.Unit(fraction*t.def.Fr))
	}
}

// fraction returns the size of 1fr such that tracks fill a space (11.7.1).
func (s *state) fraction(axis int, tracks []*track, space float64) float64 {
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
func (s *state) stretchTracks(axis int, free float64) {
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
