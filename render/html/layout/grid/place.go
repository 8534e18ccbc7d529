package grid

import (
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
)

// nameAreas adds the lines of named areas, and the tracks that they need.
func (s *state) nameAreas() {
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
func (s *state) newItem(k *boxtree.Box) *item {
	it := &item{b: k, span: [2]int{1, 1}}
	if k.Anonymous || k.Style.Grid == nil {
		return it
	}
	g := k.Style.Grid
	s.resolveLines(it, 0, g.ColumnStart, g.ColumnEnd)
	s.resolveLines(it, 1, g.RowStart, g.RowEnd)
	return it
}

// resolveLines sets the place of an item on an axis.
func (s *state) resolveLines(it *item, axis int, from, to css.GridLine) {
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
func (s *state) spanOf(axis int, v css.GridLine, from, step int) int {
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
func (s *state) line(axis int, v css.GridLine, suffix string) (int, bool) {
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

// occupancy is the cells that have items.
type occupancy map[[2]int]bool

func (s *state) free(o occupancy, it *item, c, r int) bool {
	for y := r; y < r+it.span[1]; y++ {
		for x := c; x < c+it.span[0]; x++ {
			if o[[2]int{x, y}] {
				return false
			}
		}
	}
	return true
}

func (s *state) occupy(o occupancy, it *item) {
	s.l.Spend(it.span[0] * it.span[1])
	for y := it.start[1]; y < it.start[1]+it.span[1]; y++ {
		for x := it.start[0]; x < it.start[0]+it.span[0]; x++ {
			o[[2]int{x, y}] = true
		}
	}
}

// placeItems places the items without a given place. Source: CSS Grid 1, 8.5.
func (s *state) placeItems() {
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
	o := occupancy{}
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

func (s *state) freeAt(o occupancy, it *item, flow, f, c int) bool {
	s.l.Spend(it.span[0] * it.span[1])
	if flow == 1 {
		return s.free(o, it, c, f)
	}
	return s.free(o, it, f, c)
}

// placeAuto places the other items.
func (s *state) placeAuto(o occupancy, flow, cross int) {
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
