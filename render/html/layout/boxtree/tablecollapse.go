package boxtree

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/value"
)

// lineWeights are the styles of borders by growing weight where borders of the same width meet.
// Source: CSS 2.1, 17.6.2.1.
var lineWeights = map[css.LineStyle]int{
	css.LineInset: 1, css.LineGroove: 2, css.LineOutset: 3, css.LineRidge: 4, css.LineDotted: 5, css.LineDashed: 6,
	css.LineSolid: 7, css.LineDouble: 8,
}

// collapse finds the borders between cells, which are painted once each, in the middle between them: the widest one of
// cells, rows, groups and the table. Half of it is in each cell; where pixels can't be halved, the larger part is in
// the cell to the right or below. At the edges, the table has the other half of the widest border.
func (t *Table) collapse() {
	for range len(t.Rows) + 1 {
		t.Level = append(t.Level, make([]css.BorderSide, t.Columns))
		t.Upright = append(t.Upright, make([]css.BorderSide, t.Columns+1))
	}
	rtl := t.Box.Style.Direction == css.RTL
	// around puts the borders of a box around rows and columns.
	around := func(b *Box, row, rows, col, cols int) {
		if b.Anonymous || rows == 0 {
			return
		}
		border := b.Style.Border
		if rtl {
			border.Left, border.Right = border.Right, border.Left
		}
		for c := col; c < col+cols; c++ {
			t.meet(&t.Level[row][c], border.Top, b)
			t.meet(&t.Level[row+rows][c], border.Bottom, b)
		}
		for r := row; r < row+rows; r++ {
			t.meet(&t.Upright[r][col], border.Left, b)
			t.meet(&t.Upright[r][col+cols], border.Right, b)
		}
	}
	for _, c := range t.Cells {
		around(c.Box, c.Row, c.Rows, c.Col, c.Cols)
	}
	for r, row := range t.Rows {
		around(row, r, 1, 0, t.Columns)
	}
	for r := 0; r < len(t.Rows); {
		group, from := t.Rows[r].Parent, r
		for r < len(t.Rows) && t.Rows[r].Parent == group {
			r++
		}
		if group.Kind == GroupBox {
			around(group, from, r-from, 0, t.Columns)
		}
	}
	around(t.Box, 0, len(t.Rows), 0, t.Columns)
	for _, c := range t.Cells {
		t.open(c)
	}
	t.halve(rtl)
}

// Stronger reports whether a border is wider than another one, or as wide and of a style that is heavier.
func Stronger(a, b css.BorderSide) bool {
	if a.Width != b.Width {
		return a.Width > b.Width
	}
	return lineWeights[a.Style] > lineWeights[b.Style]
}

// meet chooses between a border and that of another box; the first one wins if they are alike. Hidden ones win always.
func (t *Table) meet(at *css.BorderSide, b css.BorderSide, of *Box) {
	if at.Style == css.LineHidden || b.Style == css.LineNone || b.Style != css.LineHidden && b.Width <= 0 {
		return
	}
	if b.Style == css.LineHidden || Stronger(b, *at) {
		b.Color = colors.Color{NRGBA: b.Color.Of(of.Style.Color)}
		if *at = b; b.Style == css.LineHidden {
			at.Width = 0
		}
	}
}

// open takes away the borders of rows and groups within a cell that spans several.
func (t *Table) open(c TableCell) {
	for r := c.Row; r < c.Row+c.Rows; r++ {
		for k := c.Col; k < c.Col+c.Cols; k++ {
			if r > c.Row {
				t.Level[r][k] = css.BorderSide{}
			}
			if k > c.Col {
				t.Upright[r][k] = css.BorderSide{}
			}
		}
	}
}

// halve gives cells and the table their parts of the borders, as room that isn't painted.
func (t *Table) halve(rtl bool) {
	before := func(w float64) css.BorderSide { return css.BorderSide{Style: css.LineSolid, Width: math.Floor(w / 2)} }
	after := func(w float64) css.BorderSide {
		return css.BorderSide{Style: css.LineSolid, Width: w - math.Floor(w/2)}
	}
	var edges value.Sides[float64]
	for i := range t.Cells {
		c := &t.Cells[i]
		var w value.Sides[float64]
		for k := c.Col; k < c.Col+c.Cols; k++ {
			w.Top, w.Bottom = max(w.Top, t.Level[c.Row][k].Width), max(w.Bottom, t.Level[c.Row+c.Rows][k].Width)
		}
		for r := c.Row; r < c.Row+c.Rows; r++ {
			w.Left, w.Right = max(w.Left, t.Upright[r][c.Col].Width), max(w.Right, t.Upright[r][c.Col+c.Cols].Width)
		}
		if c.Row == 0 {
			edges.Top = max(edges.Top, w.Top)
		}
		if c.Row+c.Rows == len(t.Rows) {
			edges.Bottom = max(edges.Bottom, w.Bottom)
		}
		if c.Col == 0 {
			edges.Left = max(edges.Left, w.Left)
		}
		if c.Col+c.Cols == t.Columns {
			edges.Right = max(edges.Right, w.Right)
		}
		if c.Anonymous {
			continue
		}
		c.Style.Border = value.Sides[css.BorderSide]{
			Top: after(w.Top), Right: before(w.Right), Bottom: before(w.Bottom), Left: after(w.Left),
		}
		if rtl {
			c.Style.Border.Left, c.Style.Border.Right = after(w.Right), before(w.Left)
		}
	}
	table := *t.Box.Style
	if rtl {
		edges.Left, edges.Right = edges.Right, edges.Left
	}
	table.Border = value.Sides[css.BorderSide]{
		Top: before(edges.Top), Right: after(edges.Right), Bottom: after(edges.Bottom), Left: before(edges.Left),
	}
	table.Padding = value.Sides[value.Length]{}
	t.Box.Style = &table
}
