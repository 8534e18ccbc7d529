package layout

import (
	"masthead/render/html/css"
)

// tableRows is the state of laying out a table: columns and rows have their places.
type tableRows struct {
	*table
	x, w    []float64 // of columns, in the content box of the table
	y, h    []float64 // of rows
	lines   []float64 // baselines of rows, from their top
	aligned []bool    // by cell: whether it stands on the baseline of its row
}

// tableBody lays out the cells of a table into p and returns the height of its content.
func (l *layouter) tableBody(b *box, p *piece, f frame, room area) float64 {
	t := l.tableOf(b)
	s := &tableRows{
		table: t, w: t.widths(room.w), h: make([]float64, len(t.rows)), lines: make([]float64, len(t.rows)),
		aligned: make([]bool, len(t.cells)),
	}
	x := t.gapX
	for _, w := range s.w {
		s.x = append(s.x, x)
		x += w + t.gapX
	}
	if b.style.Direction == css.RTL {
		for i := range s.x {
			s.x[i] = room.w - s.x[i] - s.w[i]
		}
	}
	top := s.captions(p, f, room, false, 0)
	s.heights()
	total := t.gapY
	for _, h := range s.h {
		total += h + t.gapY
	}
	if len(s.h) == 0 {
		total = 0
	}
	if want := max(room.main, room.minH) - top; want > total && len(s.h) > 0 {
		stretch(s.h, want-total)
		total = want
	}
	y := t.gapY
	for _, h := range s.h {
		s.y = append(s.y, y)
		y += h + t.gapY
	}
	s.place(p, f, top)
	return top + total + s.captions(p, f, room, true, top+total)
}

// captions places the captions above or below the rows, and returns their height.
func (s *tableRows) captions(p *piece, f frame, room area, below bool, y float64) (h float64) {
	for _, k := range s.b.kids {
		if k.kind != flowBox || k.outOfFlow() || k.anonymous || k.style.CaptionBelow != below {
			continue
		}
		child := s.l.layout(k, in(room.w, indefinite))
		m := margins(k, room.w)
		p.add(child, f.left()+m.Left, f.top()+y+h+m.Top)
		h += child.h + m.y()
	}
	return h
}

// span returns the width of a cell.
func (s *tableRows) span(c *tableCell) float64 {
	w := s.gapX * float64(c.cols-1)
	for i := range c.cols {
		w += s.w[c.col+i]
	}
	return unit(w)
}

// natural lays out a cell as high as it needs to be.
func (s *tableRows) natural(c *tableCell) *piece {
	sp := in(s.span(c), indefinite)
	sp.fixW = s.span(c)
	return s.l.layout(c.box, sp)
}

// heights finds the heights of the rows, and their baselines.
func (s *tableRows) heights() {
	for i := range s.cells {
		c := &s.cells[i]
		if c.anonymous || c.style.VerticalAlign.Kind != css.VTop && c.style.VerticalAlign.Kind != css.VMiddle &&
			c.style.VerticalAlign.Kind != css.VBottom {
			if n := s.natural(c); !isNone(n.first) {
				s.aligned[i] = true
				s.lines[c.row] = max(s.lines[c.row], n.first)
			}
		}
	}
	for i := range s.cells {
		c := &s.cells[i]
		if c.rows > 1 {
			continue
		}
		n := s.natural(c)
		h := n.h
		if s.aligned[i] {
			h += s.lines[c.row] - n.first
		}
		s.h[c.row] = max(s.h[c.row], h)
	}
	for r, row := range s.rows {
		if !row.anonymous && definite(row.style.Height, indefinite) {
			s.h[r] = max(s.h[r], row.style.Height.Resolve(0))
		}
	}
	for i := range s.cells {
		c := &s.cells[i]
		if c.rows == 1 {
			continue
		}
		have := s.gapY * float64(c.rows-1)
		for r := range c.rows {
			have += s.h[c.row+r]
		}
		if more := s.natural(c).h - have; more > 0 {
			stretch(s.h[c.row:c.row+c.rows], more)
		}
	}
	for r := range s.h {
		s.h[r] = unit(s.h[r])
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
func (s *tableRows) place(p *piece, f frame, top float64) {
	if len(s.rows) == 0 {
		return
	}
	var w float64
	for _, c := range s.w {
		w += c
	}
	w += s.gapX * float64(max(len(s.w)-1, 0))
	left := f.left() + s.gapX
	shell := func(b *box, h float64) *piece {
		return &piece{kind: Box, box: b, w: unit(w), h: h, hasLeft: true, hasRight: true, first: none, last: none}
	}
	rows := make([]*piece, len(s.rows))
	for r, row := range s.rows {
		rows[r] = shell(row, s.h[r])
	}
	for i := range s.cells {
		c := &s.cells[i]
		x := s.x[c.col]
		if s.b.style.Direction == css.RTL {
			x = s.x[c.col+c.cols-1]
		}
		s.under(rows[c.row], c, x-s.gapX)
		rows[c.row].add(s.cell(i), x-s.gapX, 0)
	}
	for r, row := range s.rows {
		y := f.top() + top + s.y[r]
		for _, k := range row.kids {
			if k.outOfFlow() {
				rows[r].links = append(rows[r].links, link{out: k})
			}
		}
		if isNone(p.first) {
			p.first = y + s.lines[r]
		}
		p.last = y + s.lines[r]
		group := row.parent
		if group.kind != groupBox {
			p.add(rows[r], left, y)
			continue
		}
		last := len(p.links) - 1
		if last < 0 || p.links[last].piece == nil || p.links[last].piece.box != group {
			p.add(shell(group, 0), left, y)
			last++
		}
		g := p.links[last]
		g.piece.add(rows[r], 0, y-g.y)
		g.piece.h = y + s.h[r] - g.y
	}
	for _, k := range s.b.kids {
		if k.outOfFlow() {
			p.links = append(p.links, link{out: k, x: f.left(), y: f.top()})
		}
	}
}

// cell lays out a cell as high as its rows, with its content where vertical-align says.
func (s *tableRows) cell(i int) *piece {
	c := &s.cells[i]
	h := s.gapY * float64(c.rows-1)
	for r := range c.rows {
		h += s.h[c.row+r]
	}
	n := s.natural(c)
	sp := in(s.span(c), indefinite)
	sp.fixW, sp.fixH = s.span(c), unit(h)
	p := s.l.layout(c.box, sp)
	if !s.aligned[i] {
		return p
	}
	by := s.lines[c.row] - n.first
	if by <= 0 {
		return p
	}
	moved := *p
	moved.links = append([]link(nil), p.links...)
	for k := range moved.links {
		moved.links[k].y += by
	}
	return &moved
}

// under paints the backgrounds of the row and of its group behind a cell, where there is spacing around it.
func (s *tableRows) under(row *piece, c *tableCell, x float64) {
	if s.gapX == 0 && s.gapY == 0 {
		return
	}
	h := s.gapY * float64(c.rows-1)
	for r := range c.rows {
		h += s.h[c.row+r]
	}
	for _, of := range []*box{row.box.parent, row.box} {
		if of.anonymous || of.kind == tableBox || !of.node.Style.Painted() {
			continue
		}
		b := &box{kind: flowBox, node: of.node, style: of.node.Style.Ground(), parent: row.box}
		row.add(&piece{
			kind: Box, box: b, w: s.span(c), h: unit(h), hasLeft: true, hasRight: true, first: none, last: none,
		}, x, 0)
	}
}
