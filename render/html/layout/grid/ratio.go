package grid

import (
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
)

// maxRatioGrids bounds the grids, one in another, whose items get widths by their heights: items are laid out with
// other widths then while the rows are sized, and in each grid that is within another one, twice as many.
const maxRatioGrids = 3

// outer reports whether the grid is among the outer ones whose items get widths by their heights.
func (s *state) outer() bool {
	grids := 0
	for b := s.b.Parent; b != nil; b = b.Parent {
		if b.Kind == boxtree.GridBox && slices.ContainsFunc(b.Kids, hasRatio) {
			if grids++; grids == maxRatioGrids {
				return false
			}
		}
	}
	return true
}

func hasRatio(b *boxtree.Box) bool {
	r, _ := boxtree.Ratio(b)
	return r > 0 && b.Kind != boxtree.ReplacedBox
}

// ratioMinimum returns the automatic minimum width that an item has by its ratio and the height of its rows, over which
// it is stretched; ok is false of an item that isn't, or whose columns have no automatic minimum.
// Source: CSS Grid 1, 6.6, and how Chromium draws it.
func (s *state) ratioMinimum(it *item) (w float64, ok bool) {
	r, _ := boxtree.Ratio(it.b)
	if r == 0 || it.b.Kind == boxtree.ReplacedBox || s.alignSelf(it.b) != css.AlignStretch {
		return 0, false
	}
	st := it.b.Style
	if !st.Width.IsAuto() || !st.Height.IsAuto() || !st.MinWidth.IsAuto() || st.OverflowX == css.OverflowHidden ||
		st.Margin.Top.IsAuto() || st.Margin.Bottom.IsAuto() {
		return 0, false
	}
	auto, flexible := false, false
	for _, t := range s.span(0, it) {
		auto, flexible = auto || t.intrinsicMin(), flexible || t.def.Fr > 0
	}
	if !auto || flexible && it.span[0] > 1 || !s.outer() {
		return 0, false
	}
	area := s.extent(0, it.start[0], it.span[0])
	h := s.extent(1, it.start[1], it.span[1]) - boxtree.Margins(it.b, area).Y()
	sp, f := boxtree.SpaceOf(area, boxtree.Indefinite), boxtree.FrameOf(it.b, area)
	loH, hiH := s.l.HeightLimits(it.b, sp, f, 0, boxtree.Indefinite)
	lo, hi := s.l.WidthLimits(it.b, sp, f, 0)
	w, _ = boxtree.WidthByRatio(it.b, max(min(h, hiH), loH), f)
	return max(min(w, hi), lo), true
}

// byRatio is ratioMinimum when the rows are known.
func (s *state) byRatio(it *item) (w float64, ok bool) {
	if !s.byHeight {
		return 0, false
	}
	return s.ratioMinimum(it)
}
