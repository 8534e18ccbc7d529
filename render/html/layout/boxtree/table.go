package boxtree

import (
	"fmt"

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

// Table is the grid of a table's cells.
type Table struct {
	State   *State
	Box     *Box
	Rows    []*Box
	Cells   []TableCell
	Columns int
	// GapX and gapY are the spacing of cells.
	GapX, GapY float64
	// Of collapsed borders: Upright are those beside the columns of each row, Level those above the rows and below the
	// last one, by column.
	Upright, Level [][]css.BorderSide
}

// TableCell is a cell with its place in the grid.
type TableCell struct {
	*Box
	Row, Col, Rows, Cols int
}

// fillTable creates the children of a table, of a group of rows or of a row.
func (l *State) fillTable(b *Box, depth int) {
	if !b.Anonymous {
		l.collect(b, b.Node.Children, depth, false)
	}
	kids := b.Kids
	b.Kids = nil
	var run []*Box
	flush := func() {
		if !onlySpace(run) {
			b.Kids = append(b.Kids, l.tableWrapper(b, run, depth))
		} else {
			b.Kids = append(b.Kids, withoutSpace(run)...) // positioned boxes
		}
		run = nil
	}
	for _, k := range kids {
		if k.Kind == TextBox || k.OutOfFlow() || !fits(b.Kind, k) {
			run = append(run, k)
			continue
		}
		flush()
		if k.Anonymous || k.Style.Display != css.DisplayTableColumn {
			b.Kids = append(b.Kids, k)
		}
	}
	flush()
}

// fits reports whether a box is a proper child of a table, a group or a row.
func fits(parent Kind, k *Box) bool {
	if k.Kind == TextBox || k.Kind == BreakBox || k.OutOfFlow() {
		return false
	}
	d := k.Style.Display
	switch parent {
	case TableBox:
		return k.Kind == GroupBox || k.Kind == rowBox || d == css.DisplayTableCaption || d == css.DisplayTableColumn
	case GroupBox:
		return k.Kind == rowBox
	}
	return k.cell
}

// tableWrapper returns the anonymous row or cell around boxes.
func (l *State) tableWrapper(parent *Box, kids []*Box, depth int) *Box {
	l.boxes++
	if depth > MaxDepth*2 {
		panic(bailout{fmt.Errorf("%w: it is nested deeper than %d", ErrBounds, MaxDepth)})
	}
	out := &Box{
		Kind: rowBox, Style: InheritedStyle(parent.Style), Parent: parent, Kids: kids, Anonymous: true, Root: true,
		Decor: parent.Decor,
	}
	for _, k := range kids {
		k.Parent = out
	}
	if parent.Kind != rowBox {
		l.fillTable(out, depth+1)
		return out
	}
	out.Kind, out.cell = FlowBox, true
	l.normalize(out)
	return out
}

// tableKind returns what a box of a table is in its parent: outside of a table, it is a block.
func tableKind(d css.Display, parent *Box) (kind Kind, cell bool) {
	within := func(kinds ...Kind) bool {
		for _, k := range kinds {
			if parent != nil && parent.Kind == k {
				return true
			}
		}
		return false
	}
	switch d {
	case css.DisplayTableRowGroup:
		if within(TableBox) {
			return GroupBox, false
		}
	case css.DisplayTableRow:
		if within(TableBox, GroupBox) {
			return rowBox, false
		}
	case css.DisplayTableCell:
		return FlowBox, within(TableBox, GroupBox, rowBox)
	}
	return FlowBox, false
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

// TableOf returns the grid of a table's cells, which is made once.
func (l *State) TableOf(b *Box) *Table {
	if b.table != nil {
		return b.table
	}
	t := &Table{State: l, Box: b}
	b.table = t
	if !b.Style.Collapse {
		t.GapX, t.GapY = b.Style.Spacing[0], b.Style.Spacing[1]
	}
	for _, k := range b.Kids {
		switch k.Kind {
		case rowBox:
			t.Rows = append(t.Rows, k)
		case GroupBox:
			for _, r := range k.Kids {
				if r.Kind == rowBox {
					t.Rows = append(t.Rows, r)
				}
			}
		}
	}
	t.number()
	t.dress()
	return t
}

// number gives cells their places: those that span several rows keep the cells of the next ones away.
func (t *Table) number() {
	var taken [maxColumns]int // rows that are left of a cell above, by column
	for r, row := range t.Rows {
		col := 0
		for _, k := range row.Kids {
			if !k.cell || k.OutOfFlow() || len(t.Cells) >= maxCells {
				continue
			}
			for col < maxColumns && taken[col] > r {
				col++
			}
			if col >= maxColumns {
				break
			}
			c := TableCell{k, r, col, 1, 1}
			if k.Node != nil {
				c.Cols = min(max(1, k.Node.ColSpan), maxColumns-col)
				if c.Rows = min(max(1, k.Node.RowSpan), len(t.Rows)-r); k.Node.RowSpan < 0 { // all that are left
					c.Rows = len(t.Rows) - r
				}
			}
			for i := range c.Cols {
				taken[col+i] = r + c.Rows
			}
			col += c.Cols
			t.Columns = max(t.Columns, col)
			t.Cells = append(t.Cells, c)
		}
	}
}

// dress gives the cells the styles by which they are painted: backgrounds of rows are seen in their cells only, and
// borders are those of the cells, unless they collapse.
func (t *Table) dress() {
	for i := range t.Cells {
		c := &t.Cells[i]
		if !c.Anonymous {
			c.Style = cellStyle(c.Style)
		}
	}
	if t.Box.Style.Collapse {
		t.collapse()
	}
	for _, row := range t.Rows {
		t.strip(row)
		if row.Parent.Kind == GroupBox {
			t.strip(row.Parent)
		}
	}
}

// strip takes from a row or group what it isn't painted with itself.
func (t *Table) strip(b *Box) {
	if b.Anonymous {
		return
	}
	s := *b.Style
	s.Border, s.Padding = value.Sides[css.BorderSide]{}, value.Sides[value.Length]{}
	if t.GapX > 0 || t.GapY > 0 {
		s.Background, s.BackgroundColor = nil, colors.Color{}
	}
	b.Style = &s
}
