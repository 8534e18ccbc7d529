package flex

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/boxtree"
)

// definiteCross returns the border box cross size of an item, if it is definite before its main size is known.
func (s *state) definiteCross(it *item) (float64, bool) {
	if s.stretches(it) && !s.wrap && s.crossSize >= 0 {
		v := max(0, s.crossSize-it.crossBefore-it.crossEnd)
		lo, hi := s.crossLimits(it)
		return min(max(v, lo), hi), true
	}
	if it.b.Anonymous {
		return 0, false
	}
	sp := s.space()
	if s.row {
		return s.l.FixedHeight(it.b, sp, it.f)
	}
	if w, ok := s.l.WidthOf(it.b, it.b.Style.Width, sp, it.f); ok {
		lo, hi := s.crossLimits(it)
		return min(max(w, lo), hi), true
	}
	return 0, false
}

func (s *state) crossLimits(it *item) (lo, hi float64) {
	sp := s.space()
	if s.row {
		lo, hi = s.l.HeightLimits(it.b, sp, it.f, 0, boxtree.Indefinite)
		return max(lo, it.f.Y()), max(hi, it.f.Y())
	}
	lo, hi = s.l.WidthLimits(it.b, sp, it.f, 0)
	return max(lo, it.f.X()), max(hi, it.f.X())
}

// baseSize returns the flex base size (step 3).
func (s *state) baseSize(it *item) float64 {
	k := it.b
	if k.Anonymous {
		return s.contentSize(it)
	}
	basis := k.Style.FlexBasis
	frameMain := it.f.X()
	percent := s.room.W
	if !s.row {
		frameMain, percent = it.f.Y(), s.room.Main
		if s.room.H < 0 {
			percent = s.room.H
		}
	}
	if basis.Kind == value.Auto {
		basis = s.mainProperty(k)
	}
	switch {
	case basis.Kind == value.Fixed && boxtree.Definite(basis, percent):
		return boxtree.Unit(boxtree.BorderSize(k.Style, basis.Resolve(max(percent, 0)), frameMain))
	case s.row && (byContent(basis) || basis.Kind == value.Stretch):
		if w, ok := s.l.WidthOf(k, basis, s.space(), it.f); ok {
			return w
		}
	}
	if r, _ := boxtree.Ratio(k); r > 0 {
		if cross, ok := s.definiteCross(it); ok {
			return s.mainByRatio(it, cross)
		}
		if k.Kind != boxtree.ReplacedBox {
			return s.withinCross(it, s.contentSize(it))
		}
	}
	return s.contentSize(it)
}

// withinCross applies the limits of the other size to a main size, through the ratio.
func (s *state) withinCross(it *item, v float64) float64 {
	lo, hi := s.crossLimits(it)
	return max(min(v, s.mainByRatio(it, hi)), s.mainByRatio(it, lo))
}

func (s *state) mainByRatio(it *item, cross float64) float64 {
	var v float64
	if s.row {
		v, _ = boxtree.WidthByRatio(it.b, cross, it.f)
	} else {
		v, _ = boxtree.HeightByRatio(it.b, cross, it.f)
	}
	return v
}

// contentSize returns the max-content size along the main axis.
func (s *state) contentSize(it *item) float64 {
	if s.row {
		if it.b.Kind == boxtree.ReplacedBox {
			sp := s.space()
			w, _ := s.l.ReplacedSize(it.b, sp, it.f)
			return w
		}
		return s.l.Intrinsic(it.b, s.room.H).Max + it.f.X()
	}
	if k := it.b; !k.Anonymous {
		ratio, _ := boxtree.Ratio(k)
		limited := k.Style.MinHeight.Kind == value.Fixed && k.Kind != boxtree.ReplacedBox && ratio == 0
		if limited || k.Style.FlexBasis.Kind != value.Auto && !k.Style.Height.IsAuto() {
			return s.contentHeight(it)
		}
	}
	return s.columnPiece(it).H
}

// columnPiece lays out an item of a column at its cross size and with the height of its content.
func (s *state) columnPiece(it *item) *boxtree.Piece {
	sp := s.space()
	sp.H = s.room.H
	if s.stretches(it) && !s.wrap {
		if w, ok := s.definiteCross(it); ok {
			sp.FixW = w
		}
	}
	return s.l.Layout(it.b, sp)
}

// limits returns the minimum and maximum main size (4.5 for auto).
func (s *state) limits(it *item) (lo, hi float64) {
	k, l := it.b, s.l
	sp := s.space()
	frameMain := it.f.X()
	if !s.row {
		frameMain = it.f.Y()
	}
	if k.Anonymous {
		if s.row {
			return min(l.Intrinsic(k, s.room.H).Min, it.base), math.Inf(1)
		}
		return it.base, math.Inf(1)
	}
	st := k.Style
	minimum, overflow := st.MinWidth, st.OverflowX
	if s.row {
		lo, hi = l.WidthLimits(k, sp, it.f, 0)
	} else {
		content := float64(boxtree.Indefinite)
		if byContent(st.MinHeight) || byContent(st.MaxHeight) {
			content = s.columnPiece(it).H
		}
		lo, hi = l.HeightLimits(k, sp, it.f, 0, content)
		minimum = st.MinHeight
	}
	if st.OverflowY != css.OverflowVisible && overflow == css.OverflowVisible {
		overflow = st.OverflowY
	}
	if minimum.Kind == value.Auto && (overflow == css.OverflowVisible || overflow == css.OverflowClip) {
		lo = min(s.autoMinimum(it), hi)
	}
	if s.row && k.Kind == boxtree.TableBox {
		lo = max(lo, l.Intrinsic(k, boxtree.Indefinite).Min+frameMain)
	}
	lo = max(lo, frameMain)
	return lo, max(hi, lo)
}

// byContent reports whether a size is a keyword for the size of the content.
func byContent(s value.Size) bool {
	return s.Kind == value.MinContent || s.Kind == value.MaxContent || s.Kind == value.FitContent
}

// autoMinimum returns the content-based minimum size.
func (s *state) autoMinimum(it *item) float64 {
	k := it.b
	size := s.mainProperty(k)
	percent := s.room.W
	frameMain := it.f.X()
	if !s.row {
		percent, frameMain = s.room.H, it.f.Y()
	}
	specified := math.Inf(1)
	if boxtree.Definite(size, percent) && size.Kind == value.Fixed {
		specified = boxtree.Unit(boxtree.BorderSize(k.Style, size.Resolve(max(percent, 0)), frameMain))
	}
	var content float64
	switch {
	case k.Kind == boxtree.ReplacedBox:
		if r, _ := boxtree.Ratio(k); r > 0 {
			if cross, ok := s.definiteCross(it); ok {
				content = s.mainByRatio(it, cross)
				break
			}
		}
		r, _ := boxtree.Ratio(k)
		w, h := boxtree.NaturalSize(k.Picture, r, s.room.W)
		content = w + it.f.X()
		if !s.row {
			content = h + it.f.Y()
		}
		if r > 0 {
			content = s.withinCross(it, content)
		}
	case s.row:
		content = s.l.Intrinsic(k, s.room.H).Min + it.f.X()
	case !k.Style.Height.IsAuto():
		if !math.IsInf(specified, 1) {
			content = s.contentHeight(it)
		} else {
			content = s.columnPiece(it).H
		}
	default:
		content = it.base
		r, _ := boxtree.Ratio(k)
		if basis := k.Style.FlexBasis.Kind; r > 0 || basis != value.Auto && basis != value.Content {
			content = s.columnPiece(it).H
		}
	}
	if r, _ := boxtree.Ratio(k); r > 0 && k.Kind != boxtree.ReplacedBox {
		if cross, ok := s.definiteCross(it); ok {
			content = max(content, s.mainByRatio(it, cross))
		} else {
			content = s.withinCross(it, content)
		}
	}
	return min(specified, content)
}

// contentHeight returns the height of an item's content as if its height and its least one were auto.
func (s *state) contentHeight(it *item) float64 {
	if s.contentOnly(it.b) {
		return it.f.Y()
	}
	if it.b.AutoHeight == nil { // kept, so that boxes in each other take no exponential time
		copied := *it.b
		style := *it.b.Style
		style.Height, style.MinHeight = value.Size{}, value.Size{}
		copied.Style = &style
		copied.Cache = [6]boxtree.CachedPiece{}
		it.b.AutoHeight = &copied
	}
	sp := s.space()
	if s.stretches(it) && !s.wrap {
		if w, ok := s.definiteCross(it); ok {
			sp.FixW = w
		}
	}
	return s.l.Layout(it.b.AutoHeight, sp).H
}

// contentOnly reports whether a box has no content.
func (s *state) contentOnly(b *boxtree.Box) bool {
	return len(b.Kids) == 0 && b.Kind != boxtree.ReplacedBox
}
