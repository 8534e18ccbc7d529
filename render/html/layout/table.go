package layout

import (
	"fmt"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/value"
)

// This file arranges the boxes of tables: rows of cells, with the boxes that CSS 2.1, 17.2.1 adds where they are
// missing. tablecolumns.go has the widths of columns, tablerows.go the heights of rows.

// maxColumns and maxCells bound a table: cells that span many columns or rows take room without content.
const (
	maxColumns = 100
	maxCells   = 10_000
)

// table is the grid of a table's cells.
type table struct {
	l       *layouter
	b       *box
	rows    []*box
	cells   []tableCell
	columns int
	// gapX and gapY are the spacing of cells.
	gapX, gapY float64
}

// tableCell is a cell with its place in the grid.
type tableCell struct {
	*box
	row, col, rows, cols int
}

// fillTable creates the children of a table, of a group of rows or of a row.
func (l *layouter) fillTable(b *box, depth int) {
	if !b.anonymous {
		l.collect(b, b.node.Children, depth, false)
	}
	kids := b.kids
	b.kids = nil
	var run []*box
	flush := func() {
		if !onlySpace(run) {
			b.kids = append(b.kids, l.tableWrapper(b, run, depth))
		} else {
			b.kids = append(b.kids, withoutSpace(run)...) // positioned boxes
		}
		run = nil
	}
	for _, k := range kids {
		if k.kind == textBox || k.outOfFlow() || !fits(b.kind, k) {
			run = append(run, k)
			continue
		}
		flush()
		if k.anonymous || k.style.Display != css.DisplayTableColumn {
			b.kids = append(b.kids, k)
		}
	}
	flush()
}

// fits reports whether a box is a proper child of a table, a group or a row.
func fits(parent boxKind, k *box) bool {
	if k.kind == textBox || k.kind == breakBox || k.outOfFlow() {
		return false
	}
	d := k.style.Display
	switch parent {
	case tableBox:
		return k.kind == groupBox || k.kind == rowBox || d == css.DisplayTableCaption || d == css.DisplayTableColumn
	case groupBox:
		return k.kind == rowBox
	}
	return k.cell
}

// tableWrapper returns the anonymous row or cell around boxes.
func (l *layouter) tableWrapper(parent *box, kids []*box, depth int) *box {
	l.boxes++
	if depth > MaxDepth*2 {
		panic(stopped{fmt.Errorf("%w: it is nested deeper than %d", ErrBounds, MaxDepth)})
	}
	out := &box{
		kind: rowBox, style: inheritedStyle(parent.style), parent: parent, kids: kids, anonymous: true, root: true,
		decor: parent.decor,
	}
	for _, k := range kids {
		k.parent = out
	}
	if parent.kind != rowBox {
		l.fillTable(out, depth+1)
		return out
	}
	out.kind, out.cell = flowBox, true
	l.normalize(out)
	return out
}

// tableKind returns what a box of a table is in its parent: outside of a table, it is a block.
func tableKind(d css.Display, parent *box) (kind boxKind, cell bool) {
	within := func(kinds ...boxKind) bool {
		for _, k := range kinds {
			if parent != nil && parent.kind == k {
				return true
			}
		}
		return false
	}
	switch d {
	case css.DisplayTableRowGroup:
		if within(tableBox) {
			return groupBox, false
		}
	case css.DisplayTableRow:
		if within(tableBox, groupBox) {
			return rowBox, false
		}
	case css.DisplayTableCell:
		return flowBox, within(tableBox, groupBox, rowBox)
	}
	return flowBox, false
}

// cellStyle returns the style of a cell: heights are minimums, margins have no effect, and what it holds is aligned by
// vertical-align.
func cellStyle(s *css.Style) *css.Style {
	c := *s
	c.Margin = value.Sides[value.Size]{Top: value.Px(0), Right: value.Px(0), Bottom: value.Px(0), Left: value.Px(0)}
	if c.Height.Kind == value.Fixed && !c.Height.HasPercent() {
		c.MinHeight = c.Height
	}
	c.Height = value.Size{}
	c.AlignContent = css.AlignNormal
	switch s.VerticalAlign.Kind {
	case css.VMiddle:
		c.AlignContent = css.AlignCenter
	case css.VBottom:
		c.AlignContent = css.AlignEnd
	}
	return &c
}

// tableOf returns the grid of a table's cells, which is made once.
func (l *layouter) tableOf(b *box) *table {
	if b.table != nil {
		return b.table
	}
	t := &table{l: l, b: b}
	b.table = t
	if !b.style.Collapse {
		t.gapX, t.gapY = b.style.Spacing[0], b.style.Spacing[1]
	}
	for _, k := range b.kids {
		switch k.kind {
		case rowBox:
			t.rows = append(t.rows, k)
		case groupBox:
			for _, r := range k.kids {
				if r.kind == rowBox {
					t.rows = append(t.rows, r)
				}
			}
		}
	}
	t.number()
	t.dress()
	return t
}

// number gives cells their places: those that span several rows keep the cells of the next ones away.
func (t *table) number() {
	var taken [maxColumns]int // rows that are left of a cell above, by column
	for r, row := range t.rows {
		col := 0
		for _, k := range row.kids {
			if !k.cell || k.outOfFlow() || len(t.cells) >= maxCells {
				continue
			}
			for col < maxColumns && taken[col] > r {
				col++
			}
			if col >= maxColumns {
				break
			}
			c := tableCell{k, r, col, 1, 1}
			if k.node != nil {
				c.cols = min(max(1, k.node.ColSpan), maxColumns-col)
				if c.rows = min(max(1, k.node.RowSpan), len(t.rows)-r); k.node.RowSpan < 0 { // all that are left
					c.rows = len(t.rows) - r
				}
			}
			for i := range c.cols {
				taken[col+i] = r + c.rows
			}
			col += c.cols
			t.columns = max(t.columns, col)
			t.cells = append(t.cells, c)
		}
	}
}

// dress gives the cells the styles by which they are painted: backgrounds of rows are seen in their cells only, and
// borders are those of the cells, or the widest of both in the collapsing model.
func (t *table) dress() {
	for i := range t.cells {
		c := &t.cells[i]
		if !c.anonymous {
			c.style = cellStyle(c.style)
		}
		if !t.b.style.Collapse || c.anonymous {
			continue
		}
		row := t.rows[c.row]
		if !row.anonymous {
			c.style.Border.Top = wider(c.style.Border.Top, row.style.Border.Top)
			c.style.Border.Bottom = wider(c.style.Border.Bottom, row.style.Border.Bottom)
			if c.col == 0 {
				c.style.Border.Left = wider(c.style.Border.Left, row.style.Border.Left)
			}
			if c.col+c.cols == t.columns {
				c.style.Border.Right = wider(c.style.Border.Right, row.style.Border.Right)
			}
		}
	}
	for _, row := range t.rows {
		t.strip(row)
		if row.parent.kind == groupBox {
			t.strip(row.parent)
		}
	}
	if t.b.style.Collapse {
		t.collapse()
	}
}

// strip takes from a row or group what it isn't painted with itself.
func (t *table) strip(b *box) {
	if b.anonymous {
		return
	}
	s := *b.style
	s.Border, s.Padding = value.Sides[css.BorderSide]{}, value.Sides[value.Length]{}
	if t.gapX > 0 || t.gapY > 0 {
		s.Background, s.BackgroundColor = nil, colors.Color{}
	}
	b.style = &s
}

// wider returns the border that wins where two meet: none of width 0, else the wider one, else the first.
func wider(a, b css.BorderSide) css.BorderSide {
	if b.Width > a.Width {
		return b
	}
	return a
}

// collapse draws each border between cells once: the wider one, half in each cell, where pixels can't be halved the
// larger part in the cell to the right or below. Those at the edges win over the border of the table, or are replaced
// by it.
func (t *table) collapse() {
	at := map[[2]int]*tableCell{}
	for i := range t.cells {
		c := &t.cells[i]
		for r := range c.rows {
			for k := range c.cols {
				at[[2]int{c.row + r, c.col + k}] = c
			}
		}
	}
	table := *t.b.style
	var left, right, top, bottom []*css.BorderSide // of the cells at the edges
	for i := range t.cells {
		c := &t.cells[i]
		if c.anonymous {
			continue
		}
		border := &c.style.Border
		if next := at[[2]int{c.row, c.col + c.cols}]; next == nil {
			right = append(right, &border.Right)
		} else if !next.anonymous {
			halve(&border.Right, &next.style.Border.Left)
		}
		if next := at[[2]int{c.row + c.rows, c.col}]; next == nil {
			bottom = append(bottom, &border.Bottom)
		} else if !next.anonymous {
			halve(&border.Bottom, &next.style.Border.Top)
		}
		if c.col == 0 {
			left = append(left, &border.Left)
		}
		if c.row == 0 {
			top = append(top, &border.Top)
		}
	}
	share(left, &table.Border.Left)
	share(right, &table.Border.Right)
	share(top, &table.Border.Top)
	share(bottom, &table.Border.Bottom)
	table.Padding = value.Sides[value.Length]{}
	t.b.style = &table
}

// halve shares the border between two cells.
func halve(a, b *css.BorderSide) {
	w := wider(*a, *b)
	*a, *b = w, w
	a.Width = math.Floor(w.Width / 2)
	b.Width = w.Width - a.Width
}

// share leaves the borders at an edge to the table if its own is the widest of all, else to the cells.
func share(cells []*css.BorderSide, table *css.BorderSide) {
	wins := true
	for _, c := range cells {
		wins = wins && c.Width < table.Width
	}
	for _, c := range cells {
		if wins {
			*c = css.BorderSide{}
		} else {
			*c = wider(*c, *table)
		}
	}
	if !wins {
		*table = css.BorderSide{}
	}
}
