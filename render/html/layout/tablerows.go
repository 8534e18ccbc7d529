package layout

import (
	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/fragment"
)

// tableRows is the state of laying out a table: columns and rows have their places.
type tableRows struct {
	*boxtree.Table
	x, w    []float64 // of columns, in the content box of the table
	y, h    []float64 // of rows
	lines   []float64 // baselines of rows, from their top
	aligned []bool    // by cell: whether it stands on the baseline of its row
}

// layoutTable lays out the cells of a table into p and returns the height of its content.
func layoutTable(l *boxtree.State, b *boxtree.Box, p *boxtree.Piece, f boxtree.Frame, room boxtree.Area) float64 {
	t := l.TableOf(b)
	s := &tableRows{
		Table: t, w: tableColumns{t}.widths(room.W), h: make([]float64, len(t.Rows)), lines: make([]float64, len(t.Rows)),
		aligned: make([]bool, len(t.Cells)),
	}
	x := t.GapX
	for _, w := range s.w {
		s.x = append(s.x, x)
		x += w + t.GapX
	}
	if b.Style.Direction == css.RTL {
		for i := range s.x {
			s.x[i] = room.W - s.x[i] - s.w[i]
		}
	}
	top := s.captions(p, f, room, false, 0)
	s.heights()
	total := t.GapY
	for _, h := range s.h {
		total += h + t.GapY
	}
	if len(s.h) == 0 {
		total = 0
	}
	if want := max(room.Main, room.MinH) - top; want > total && len(s.h) > 0 {
		stretch(s.h, want-total)
		total = want
	}
	y := t.GapY
	for _, h := range s.h {
		s.y = append(s.y, y)
		y += h + t.GapY
	}
	s.place(p, f, top)
	s.borders(p, f.Left(), f.Top()+top)
	return top + total + s.captions(p, f, room, true, top+total)
}

// captions places the captions above or below the rows, and returns their height.
func (s *tableRows) captions(p *boxtree.Piece, f boxtree.Frame, room boxtree.Area, below bool, y float64) (h float64) {
	for _, k := range s.Box.Kids {
		if k.Kind != boxtree.FlowBox || k.OutOfFlow() || k.Anonymous || k.Style.CaptionBelow != below {
			continue
		}
		child := s.State.Layout(k, boxtree.SpaceOf(room.W, boxtree.Indefinite))
		m := boxtree.Margins(k, room.W)
		p.Add(child, f.Left()+m.Left, f.Top()+y+h+m.Top)
		h += child.H + m.Y()
	}
	return h
}

// span returns the width of a cell.
func (s *tableRows) span(c *boxtree.TableCell) float64 {
	w := s.GapX * float64(c.Cols-1)
	for i := range c.Cols {
		w += s.w[c.Col+i]
	}
	return boxtree.Unit(w)
}

// natural lays out a cell as high as it needs to be.
func (s *tableRows) natural(c *boxtree.TableCell) *boxtree.Piece {
	sp := boxtree.SpaceOf(s.span(c), boxtree.Indefinite)
	sp.FixW = s.span(c)
	return s.State.Layout(c.Box, sp)
}

// heights finds the heights of the rows, and their baselines.
func (s *tableRows) heights() {
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Anonymous || c.Style.VerticalAlign.Kind != css.VTop && c.Style.VerticalAlign.Kind != css.VMiddle &&
			c.Style.VerticalAlign.Kind != css.VBottom {
			if n := s.natural(c); !boxtree.IsNone(n.First) {
				s.aligned[i] = true
				s.lines[c.Row] = max(s.lines[c.Row], n.First)
			}
		}
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Rows > 1 {
			continue
		}
		n := s.natural(c)
		h := n.H
		if s.aligned[i] {
			h += s.lines[c.Row] - n.First
		}
		s.h[c.Row] = max(s.h[c.Row], h)
	}
	for r, row := range s.Rows {
		if !row.Anonymous && boxtree.Definite(row.Style.Height, boxtree.Indefinite) {
			s.h[r] = max(s.h[r], row.Style.Height.Resolve(0))
		}
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Rows == 1 {
			continue
		}
		have := s.GapY * float64(c.Rows-1)
		for r := range c.Rows {
			have += s.h[c.Row+r]
		}
		if more := s.natural(c).H - have; more > 0 {
			stretch(s.h[c.Row:c.Row+c.Rows], more)
		}
	}
	for r := range s.h {
		s.h[r] = boxtree.Unit(s.h[r])
	}
}

// stretch adds height to rows in proportion to theirs.
func stretch(rows []float64, more float64) {
	var sum float64
	for _, h := range rows {
		sum += h
	}
	for i, h := range rows {
		if sum > 0 {
			rows[i] += more * h / sum
		} else {
			rows[i] += more / float64(len(rows))
		}
	}
}

// place adds groups, rows and cells to the table.
func (s *tableRows) place(p *boxtree.Piece, f boxtree.Frame, top float64) {
	if len(s.Rows) == 0 {
		return
	}
	var w float64
	for _, c := range s.w {
		w += c
	}
	w += s.GapX * float64(max(len(s.w)-1, 0))
	left := f.Left() + s.GapX
	shell := func(b *boxtree.Box, h float64) *boxtree.Piece {
		return &boxtree.Piece{
			Kind: fragment.Box, Box: b, W: boxtree.Unit(w), H: h, HasLeft: true, HasRight: true,
			First: boxtree.None, Last: boxtree.None,
		}
	}
	rows := make([]*boxtree.Piece, len(s.Rows))
	for r, row := range s.Rows {
		rows[r] = shell(row, s.h[r])
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		x := s.x[c.Col]
		if s.Box.Style.Direction == css.RTL {
			x = s.x[c.Col+c.Cols-1]
		}
		s.under(rows[c.Row], c, x-s.GapX)
		rows[c.Row].Add(s.cell(i), x-s.GapX, 0)
	}
	for r, row := range s.Rows {
		y := f.Top() + top + s.y[r]
		for _, k := range row.Kids {
			if k.OutOfFlow() {
				rows[r].Links = append(rows[r].Links, boxtree.Link{Out: k})
			}
		}
		if boxtree.IsNone(p.First) {
			p.First = y + s.lines[r]
		}
		p.Last = y + s.lines[r]
		group := row.Parent
		if group.Kind != boxtree.GroupBox {
			p.Add(rows[r], left, y)
			continue
		}
		last := len(p.Links) - 1
		if last < 0 || p.Links[last].Piece == nil || p.Links[last].Piece.Box != group {
			p.Add(shell(group, 0), left, y)
			last++
		}
		g := p.Links[last]
		g.Piece.Add(rows[r], 0, y-g.Y)
		g.Piece.H = y + s.h[r] - g.Y
	}
	for _, k := range s.Box.Kids {
		if k.OutOfFlow() {
			p.Links = append(p.Links, boxtree.Link{Out: k, X: f.Left(), Y: f.Top()})
		}
	}
}

// cell lays out a cell as high as its rows, with its content where vertical-align says.
func (s *tableRows) cell(i int) *boxtree.Piece {
	c := &s.Cells[i]
	h := s.GapY * float64(c.Rows-1)
	for r := range c.Rows {
		h += s.h[c.Row+r]
	}
	n := s.natural(c)
	sp := boxtree.SpaceOf(s.span(c), boxtree.Indefinite)
	sp.FixW, sp.FixH = s.span(c), boxtree.Unit(h)
	p := s.State.Layout(c.Box, sp)
	if !s.aligned[i] {
		return p
	}
	by := s.lines[c.Row] - n.First
	if by <= 0 {
		return p
	}
	moved := *p
	moved.Links = append([]boxtree.Link(nil), p.Links...)
	for k := range moved.Links {
		moved.Links[k].Y += by
	}
	return &moved
}

// under paints the backgrounds of the row and of its group behind a cell, where there is spacing around it.
func (s *tableRows) under(row *boxtree.Piece, c *boxtree.TableCell, x float64) {
	if s.GapX == 0 && s.GapY == 0 {
		return
	}
	h := s.GapY * float64(c.Rows-1)
	for r := range c.Rows {
		h += s.h[c.Row+r]
	}
	for _, of := range []*boxtree.Box{row.Box.Parent, row.Box} {
		if of.Anonymous || of.Kind == boxtree.TableBox || !of.Node.Style.Painted() {
			continue
		}
		b := &boxtree.Box{Kind: boxtree.FlowBox, Node: of.Node, Style: of.Node.Style.Ground(), Parent: row.Box}
		row.Add(&boxtree.Piece{
			Kind: fragment.Box, Box: b, W: s.span(c), H: boxtree.Unit(h), HasLeft: true, HasRight: true,
			First: boxtree.None, Last: boxtree.None,
		}, x, 0)
	}
}
