package layout

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/fragment"
)

// borders adds the collapsed borders of a table whose content begins at x, y: boxes with one border each.
func (s *tableRows) borders(p *boxtree.Piece, x, y float64) {
	if len(s.Level) == 0 || s.Columns == 0 {
		return
	}
	add := func(r fragment.Rect, b css.BorderSide, level bool) {
		st, width := s.Box.Style.Ground(), fragment.Edges{Left: b.Width}
		st.Background, st.BackgroundColor, st.Border.Left = nil, colors.Color{}, b
		if level {
			st.Border.Left, st.Border.Top, width = css.BorderSide{}, b, fragment.Edges{Top: b.Width}
		}
		box := &boxtree.Box{Kind: boxtree.FlowBox, Style: st, Parent: s.Box}
		p.Add(&boxtree.Piece{
			Kind: fragment.Box, Box: box, W: r.W, H: r.H, Border: width, HasLeft: true, HasRight: true,
			First: boxtree.None, Last: boxtree.None,
		}, x+r.X, y+r.Y)
	}
	for r, row := range s.Level {
		for c, b := range row {
			if b.Width <= 0 {
				continue
			}
			from := s.column(c) + s.reach(r, c, b, true, false)
			to := s.column(c+1) + s.reach(r, c+1, b, true, true)
			add(fragment.Rect{X: from, Y: s.row(r) - math.Floor(b.Width/2), W: to - from, H: b.Width}, b, true)
		}
	}
	for r, row := range s.Upright[:len(s.Rows)] {
		for c, b := range row {
			if b.Width <= 0 {
				continue
			}
			from := s.row(r) + s.reach(r, c, b, false, false)
			to := s.row(r+1) + s.reach(r+1, c, b, false, true)
			add(fragment.Rect{X: s.column(c) - math.Floor(b.Width/2), Y: from, W: b.Width, H: to - from}, b, false)
		}
	}
}

// column and row return where the middle of borders is.
func (s *tableRows) column(c int) float64 {
	if c == len(s.x) {
		return s.x[c-1] + s.w[c-1]
	}
	return s.x[c]
}

func (s *tableRows) row(r int) float64 {
	if r == len(s.y) {
		return s.y[r-1] + s.h[r-1]
	}
	return s.y[r]
}

// reach returns how far a border goes beyond the middle of where it meets others: to the far side of those across,
// unless one of them all is stronger; then it ends where they begin.
func (s *tableRows) reach(r, c int, b css.BorderSide, level, end bool) float64 {
	at := func(list [][]css.BorderSide, r, c int) css.BorderSide {
		if r < 0 || c < 0 || r >= len(list) || c >= len(list[r]) {
			return css.BorderSide{}
		}
		return list[r][c]
	}
	flat := [2]css.BorderSide{at(s.Level, r, c-1), at(s.Level, r, c)}
	across := [2]css.BorderSide{at(s.Upright, r-1, c), at(s.Upright, r, c)}
	if !level {
		flat, across = across, flat
	}
	wins := true
	for _, o := range []css.BorderSide{flat[0], flat[1], across[0], across[1]} {
		wins = wins && !boxtree.Stronger(o, b)
	}
	width := max(across[0].Width, across[1].Width)
	half := math.Floor(width / 2)
	if wins != end {
		return -half
	}
	return width - half
}
