package layout

import (
	"masthead/render/html/css/value"
	"math"
)

// column is what a column of a table may be wide, with the padding and borders of its cells.
type column struct {
	min, max float64
	fixed    bool    // max is a width that was asked for
	percent  float64 // of the table, 0 for none
}

// columnsOf returns the columns of a table. Cells that span several come last: what they need beyond the others is
// shared by their columns.
func (t *table) columnsOf() []column {
	cols := make([]column, t.columns)
	for _, c := range t.cells {
		if c.cols > 1 {
			continue
		}
		sz, fixed, percent := t.cellSizes(c)
		k := &cols[c.col]
		k.min, k.percent = max(k.min, sz.min), max(k.percent, percent)
		switch {
		case fixed && !k.fixed:
			k.fixed, k.max = true, sz.max
		case fixed == k.fixed:
			k.max = max(k.max, sz.max)
		}
	}
	for i := range cols {
		cols[i].max = max(cols[i].max, cols[i].min)
	}
	for _, c := range t.cells {
		if c.cols == 1 {
			continue
		}
		sz, _, _ := t.cellSizes(c)
		gaps := t.gapX * float64(c.cols-1)
		widen(cols[c.col:c.col+c.cols], sizes{sz.min - gaps, sz.max - gaps})
	}
	return cols
}

// widen gives columns together the sizes of a cell that spans them: those without a width grow, if there are any.
func widen(cols []column, to sizes) {
	var has sizes
	for _, k := range cols {
		has.min, has.max = has.min+k.min, has.max+k.max
	}
	mins, maxs := make([]float64, len(cols)), make([]float64, len(cols))
	grow(cols, mins, max(0, to.min-has.min))
	grow(cols, maxs, max(0, to.max-has.max))
	for i := range cols {
		cols[i].min += mins[i]
		cols[i].max = max(cols[i].max+maxs[i], cols[i].min)
	}
}

// cellSizes returns the widths that a cell can have, and that it asks for.
func (t *table) cellSizes(c tableCell) (sz sizes, fixed bool, percent float64) {
	f := frameOf(c.box, 0)
	in := t.l.intrinsic(c.box, indefinite)
	sz = sizes{in.min + f.x(), in.max + f.x()}
	if c.anonymous {
		return sz, false, 0
	}
	s := c.style
	if definite(s.MinWidth, indefinite) {
		w := borderSize(s, s.MinWidth.Resolve(0), f.x())
		sz.min, sz.max = max(sz.min, w), max(sz.max, w)
	}
	switch {
	case s.Width.Kind != value.Fixed:
	case s.Width.HasPercent():
		percent = s.Width.Resolve(1) - s.Width.Resolve(0)
	default:
		fixed, sz.max = true, max(sz.min, borderSize(s, s.Width.Resolve(0), f.x()))
	}
	return sz, fixed, percent
}

// tableIntrinsic returns the intrinsic widths of a table.
func (l *layouter) tableIntrinsic(b *box) (out sizes) {
	t := l.tableOf(b)
	var rest, share, whole float64 // of columns without a percentage, the percentages of others, and what those ask for
	for _, c := range t.columnsOf() {
		out.min, out.max = out.min+c.min, out.max+c.max
		if c.percent > 0 {
			share += c.percent
			whole = max(whole, c.max/c.percent)
		} else {
			rest += c.max
		}
	}
	out.max = max(out.max, whole)
	if share > 0 && share < 1 {
		out.max = max(out.max, rest/(1-share))
	}
	gaps := t.gaps()
	out.min, out.max = out.min+gaps, out.max+gaps
	for _, k := range b.kids {
		if k.kind == flowBox && !k.outOfFlow() {
			out.min = max(out.min, l.contribution(k, indefinite).min)
		}
	}
	return out
}

// gaps is the spacing beside and between the columns.
func (t *table) gaps() float64 {
	if t.columns == 0 {
		return 0
	}
	return t.gapX * float64(t.columns+1)
}

// widths returns the widths of the columns in a table whose content is w wide. Source: CSS Tables 3, 3.9.3, which says
// how browsers do what CSS 2.1, 17.5.2.2 leaves open: columns grow from their minimums to percentages, to widths that
// were asked for, to what they hold, and beyond that those without a width in proportion.
func (t *table) widths(w float64) []float64 {
	cols := t.columnsOf()
	room := max(0, w-t.gaps())
	if t.b.style.FixedTable && !t.b.style.Width.IsAuto() {
		return t.fixedWidths(room)
	}
	guess := func(step int) (all []float64, sum float64) {
		all = make([]float64, len(cols))
		for i, c := range cols {
			switch {
			case c.percent > 0 && step > 0:
				all[i] = max(c.min, c.percent*room)
			case c.percent == 0 && (c.fixed && step > 1 || step > 2):
				all[i] = c.max
			default:
				all[i] = c.min
			}
			sum += all[i]
		}
		return all, sum
	}
	low, sum := guess(0)
	if sum >= room {
		return low
	}
	for step := 1; step < 4; step++ {
		high, more := guess(step)
		if more >= room {
			for i := range low {
				low[i] += (high[i] - low[i]) * (room - sum) / (more - sum)
			}
			return low
		}
		low, sum = high, more
	}
	grow(cols, low, room-sum)
	return low
}

// grow shares spare room: among columns without a width by what they hold, else among fixed ones, else among all.
func grow(cols []column, all []float64, spare float64) {
	for _, takes := range []func(c column) float64{
		func(c column) float64 { return when(c.percent == 0 && !c.fixed, c.max) },
		func(c column) float64 { return when(c.percent == 0 && c.fixed, c.max) },
		func(c column) float64 { return c.percent },
		func(column) float64 { return 1 },
	} {
		var sum float64
		for _, c := range cols {
			sum += takes(c)
		}
		if sum == 0 {
			continue
		}
		for i, c := range cols {
			all[i] += spare * takes(c) / sum
		}
		return
	}
}

func when(yes bool, v float64) float64 {
	if yes {
		return v
	}
	return 0
}

// fixedWidths are the widths by the first row alone: table-layout fixed.
func (t *table) fixedWidths(room float64) []float64 {
	all := make([]float64, t.columns)
	for i := range all {
		all[i] = math.NaN()
	}
	var sum float64
	for _, c := range t.cells {
		if c.row > 0 {
			break
		}
		if c.anonymous || !definite(c.style.Width, room) {
			continue
		}
		f := frameOf(c.box, room)
		w := borderSize(c.style, c.style.Width.Resolve(room), f.x()) - t.gapX*float64(c.cols-1)
		for i := range c.cols {
			all[c.col+i] = max(0, w/float64(c.cols))
			sum += all[c.col+i]
		}
	}
	free := 0
	for _, w := range all {
		if isNone(w) {
			free++
		}
	}
	for i, w := range all {
		switch {
		case isNone(w):
			all[i] = max(0, room-sum) / float64(free)
		case free == 0 && sum > 0:
			all[i] = w * max(room, sum) / sum
		}
	}
	return all
}
