package layout

import (
	"math"

	"masthead/render/html/css/value"
	"masthead/render/html/layout/boxtree"
)

// column is what a column of a table may be wide, with the padding and borders of its cells.
type column struct {
	min, max float64
	fixed    bool    // max is a width that was asked for
	percent  float64 // of the table, 0 for none
}

// tableColumns is a table whose columns are measured.
type tableColumns struct{ *boxtree.Table }

// columnsOf returns the columns of a table. Cells that span several come last: what they need beyond the others is
// shared by their columns.
func (t tableColumns) columnsOf() []column {
	cols := make([]column, t.Columns)
	for _, c := range t.Cells {
		if c.Cols > 1 {
			continue
		}
		sz, fixed, percent := t.cellSizes(c)
		k := &cols[c.Col]
		k.min, k.percent = max(k.min, sz.Min), max(k.percent, percent)
		switch {
		case fixed && !k.fixed:
			k.fixed, k.max = true, sz.Max
		case fixed == k.fixed:
			k.max = max(k.max, sz.Max)
		}
	}
	for i := range cols {
		cols[i].max = max(cols[i].max, cols[i].min)
	}
	for _, c := range t.Cells {
		if c.Cols == 1 {
			continue
		}
		sz, _, _ := t.cellSizes(c)
		gaps := t.GapX * float64(c.Cols-1)
		widen(cols[c.Col:c.Col+c.Cols], boxtree.Sizes{Min: sz.Min - gaps, Max: sz.Max - gaps})
	}
	return cols
}

// widen gives columns together the sizes of a cell that spans them: those without a width grow, if there are any.
func widen(cols []column, to boxtree.Sizes) {
	var has boxtree.Sizes
	for _, k := range cols {
		has.Min, has.Max = has.Min+k.min, has.Max+k.max
	}
	mins, maxs := make([]float64, len(cols)), make([]float64, len(cols))
	grow(cols, mins, max(0, to.Min-has.Min))
	grow(cols, maxs, max(0, to.Max-has.Max))
	for i := range cols {
		cols[i].min += mins[i]
		cols[i].max = max(cols[i].max+maxs[i], cols[i].min)
	}
}

// cellSizes returns the widths that a cell can have, and that it asks for.
func (t tableColumns) cellSizes(c boxtree.TableCell) (sz boxtree.Sizes, fixed bool, percent float64) {
	f := boxtree.FrameOf(c.Box, 0)
	in := t.State.Intrinsic(c.Box, boxtree.Indefinite)
	sz = boxtree.Sizes{Min: in.Min + f.X(), Max: in.Max + f.X()}
	if c.Anonymous {
		return sz, false, 0
	}
	s := c.Style
	if boxtree.Definite(s.MinWidth, boxtree.Indefinite) {
		w := boxtree.BorderSize(s, s.MinWidth.Resolve(0), f.X())
		sz.Min, sz.Max = max(sz.Min, w), max(sz.Max, w)
	}
	switch {
	case s.Width.Kind != value.Fixed:
	case s.Width.HasPercent():
		percent = s.Width.Resolve(1) - s.Width.Resolve(0)
	default:
		fixed, sz.Max = true, max(sz.Min, boxtree.BorderSize(s, s.Width.Resolve(0), f.X()))
	}
	return sz, fixed, percent
}

// intrinsicTable returns the intrinsic widths of a table.
func intrinsicTable(l *boxtree.State, b *boxtree.Box) (out boxtree.Sizes) {
	t := tableColumns{l.TableOf(b)}
	var rest, share, whole float64 // of columns without a percentage, the percentages of others, and what those ask for
	for _, c := range t.columnsOf() {
		out.Min, out.Max = out.Min+c.min, out.Max+c.max
		if c.percent > 0 {
			share += c.percent
			whole = max(whole, c.max/c.percent)
		} else {
			rest += c.max
		}
	}
	out.Max = max(out.Max, whole)
	if share > 0 && share < 1 {
		out.Max = max(out.Max, rest/(1-share))
	}
	if t.Box.Style.FixedTable && !t.Box.Style.Width.IsAuto() { // what its cells hold doesn't count
		out.Min = 0
		for _, w := range t.fixedWidths(0) {
			out.Min += w
		}
	}
	gaps := t.gaps()
	out.Min, out.Max = out.Min+gaps, out.Max+gaps
	for _, k := range b.Kids {
		if k.Kind == boxtree.FlowBox && !k.OutOfFlow() {
			out.Min = max(out.Min, l.Contribution(k, boxtree.Indefinite).Min)
		}
	}
	return out
}

// gaps is the spacing beside and between the columns.
func (t tableColumns) gaps() float64 {
	if t.Columns == 0 {
		return 0
	}
	return t.GapX * float64(t.Columns+1)
}

// widths returns the widths of the columns in a table whose content is w wide. Source: CSS Tables 3, 3.9.3, which says
// how browsers do what CSS 2.1, 17.5.2.2 leaves open: columns grow from their minimums to percentages, to widths that
// were asked for, to what they hold, and beyond that those without a width in proportion.
func (t tableColumns) widths(w float64) []float64 {
	cols := t.columnsOf()
	room := max(0, w-t.gaps())
	if t.Box.Style.FixedTable && !t.Box.Style.Width.IsAuto() {
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
func (t tableColumns) fixedWidths(room float64) []float64 {
	all := make([]float64, t.Columns)
	for i := range all {
		all[i] = math.NaN()
	}
	var sum float64
	for _, c := range t.Cells {
		if c.Row > 0 {
			break
		}
		if c.Anonymous || !boxtree.Definite(c.Style.Width, room) {
			continue
		}
		f := boxtree.FrameOf(c.Box, room)
		w := boxtree.BorderSize(c.Style, c.Style.Width.Resolve(room), f.X()) - t.GapX*float64(c.Cols-1)
		for i := range c.Cols {
			all[c.Col+i] = max(0, w/float64(c.Cols))
			sum += all[c.Col+i]
		}
	}
	free := 0
	for _, w := range all {
		if boxtree.IsNone(w) {
			free++
		}
	}
	for i, w := range all {
		switch {
		case boxtree.IsNone(w):
			all[i] = max(0, room-sum) / float64(free)
		case free == 0 && sum > 0:
			all[i] = w * max(room, sum) / sum
		}
	}
	return all
}
