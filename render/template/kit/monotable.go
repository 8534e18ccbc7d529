package kit

import "math"

// align puts the cells of lines in their places: what follows a gap in the same column as in the lines beside it if
// their columns can be the same, otherwise as far behind the text before it as the gap is wide.
func (m *Mono) align() {
	for k, more := 0, true; more; k++ {
		more = false
		for i := range m.lines {
			if m.has(i, k) {
				more = true
				m.place(i, k)
			}
		}
		for i := 0; i < len(m.lines) && k > 0; {
			i = m.alignFrom(i, k)
		}
	}
}

func (m *Mono) has(line, k int) bool { return line < len(m.lines) && k < len(m.lines[line]) }

// place puts a cell behind the one before it.
func (m *Mono) place(line, k int) {
	cell, before := &m.lines[line][k], monoCell{}
	if k > 0 {
		before = m.lines[line][k-1]
	}
	cell.lo, cell.hi = before.lo+before.min+cell.gap, before.hi+before.max+cell.gap
	cell.x = before.x + before.w + float64(cell.gap)*m.Cell
}

// alignFrom aligns the cells k of lines from one on, and returns the next line after them. Numbers end in the same
// column, or else begin there as texts do.
func (m *Mono) alignFrom(line, k int) (next int) {
	if !m.has(line, k) {
		return line + 1
	}
	next, lo, hi := m.together(line, k, false)
	byEnd := false
	if m.lines[line][k].number {
		if n, l, h := m.together(line, k, true); n >= next {
			next, lo, hi, byEnd = n, l, h, true
		}
	}
	if next == line+1 {
		return next
	}
	end := func(cell *monoCell) float64 {
		if byEnd {
			return cell.w
		}
		return 0
	}
	x := 0.0
	for i := line; i < next; i++ {
		cell := &m.lines[i][k]
		x = max(x, cell.x+end(cell))
	}
	for i := line; i < next; i++ {
		cell := &m.lines[i][k]
		cell.x = x - end(cell)
		if cell.lo, cell.hi = lo, hi; byEnd {
			cell.lo, cell.hi = lo-cell.max, hi-cell.min
		}
	}
	return next
}

// together returns the first line after one whose cells k can't begin, or end, in the same column as those of the lines
// before it, and the first and last column in which these can.
func (m *Mono) together(line, k int, byEnd bool) (next, lo, hi int) {
	hi = math.MaxInt
	for next = line; m.has(next, k) && (!byEnd || m.lines[next][k].number); next++ {
		cell := m.lines[next][k]
		if byEnd {
			cell.lo, cell.hi = cell.lo+cell.min, cell.hi+cell.max
		}
		if max(lo, cell.lo) > min(hi, cell.hi) {
			break
		}
		lo, hi = max(lo, cell.lo), min(hi, cell.hi)
	}
	return next, lo, hi
}
