package layout

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
)

// definiteCross returns the border box cross size of an item, if it is definite before its main size is known.
func (s *flexState) definiteCross(it *flexItem) (float64, bool) {
	if s.stretches(it) && !s.wrap && s.crossSize >= 0 {
		v := max(0, s.crossSize-it.crossBefore-it.crossEnd)
		lo, hi := s.crossLimits(it)
		return min(max(v, lo), hi), true
	}
	if it.b.anonymous {
		return 0, false
	}
	sp := s.space()
	if s.row {
		return s.l.fixedHeight(it.b, sp, it.f)
	}
	if w, ok := s.l.width1(it.b, it.b.style.Width, sp, it.f); ok {
		lo, hi := s.crossLimits(it)
		return min(max(w, lo), hi), true
	}
	return 0, false
}

func (s *flexState) crossLimits(it *flexItem) (lo, hi float64) {
	sp := s.space()
	if s.row {
		lo, hi = s.l.heightLimits(it.b, sp, it.f, 0, indefinite)
		return max(lo, it.f.y()), max(hi, it.f.y())
	}
	lo, hi = s.l.widthLimits(it.b, sp, it.f, 0)
	return max(lo, it.f.x()), max(hi, it.f.x())
}

// baseSize returns the flex base size (step 3).
func (s *flexState) baseSize(it *flexItem) float64 {
	k := it.b
	if k.anonymous {
		return s.contentSize(it)
	}
	basis := k.style.FlexBasis
	frameMain := it.f.x()
	percent := s.room.w
	if !s.row {
		frameMain, percent = it.f.y(), s.room.main
		if s.room.h < 0 {
			percent = s.room.h
		}
	}
	if basis.Kind == value.Auto {
		basis = s.mainProperty(k)
	}
	switch {
	case basis.Kind == value.Fixed && definite(basis, percent):
		return unit(borderSize(k.style, basis.Resolve(max(percent, 0)), frameMain))
	case s.row && (byContent(basis) || basis.Kind == value.Stretch):
		if w, ok := s.l.width1(k, basis, s.space(), it.f); ok {
			return w
		}
	}
	if r, _ := ratio(k); r > 0 {
		if cross, ok := s.definiteCross(it); ok {
			return s.mainByRatio(it, cross)
		}
	}
	return s.contentSize(it)
}

func (s *flexState) mainByRatio(it *flexItem, cross float64) float64 {
	var v float64
	if s.row {
		v, _ = widthByRatio(it.b, cross, it.f)
	} else {
		v, _ = heightByRatio(it.b, cross, it.f)
	}
	return v
}

// contentSize returns the max-content size along the main axis.
func (s *flexState) contentSize(it *flexItem) float64 {
	if s.row {
		if it.b.kind == replacedBox {
			sp := s.space()
			w, _ := s.l.replacedSize(it.b, sp, it.f)
			return w
		}
		return s.l.intrinsic(it.b, s.room.h).max + it.f.x()
	}
	return s.columnPiece(it).h
}

// columnPiece lays out an item of a column at its cross size and with the height of its content.
func (s *flexState) columnPiece(it *flexItem) *piece {
	sp := s.space()
	sp.h = s.room.h
	if s.stretches(it) && !s.wrap {
		if w, ok := s.definiteCross(it); ok {
			sp.fixW = w
		}
	}
	return s.l.layout(it.b, sp)
}

// limits returns the minimum and maximum main size (4.5 for auto).
func (s *flexState) limits(it *flexItem) (lo, hi float64) {
	k, l := it.b, s.l
	sp := s.space()
	frameMain := it.f.x()
	if !s.row {
		frameMain = it.f.y()
	}
	if k.anonymous {
		if s.row {
			return min(l.intrinsic(k, s.room.h).min, it.base), math.Inf(1)
		}
		return it.base, math.Inf(1)
	}
	st := k.style
	minimum, overflow := st.MinWidth, st.OverflowX
	if s.row {
		lo, hi = l.widthLimits(k, sp, it.f, 0)
	} else {
		content := float64(indefinite)
		if byContent(st.MinHeight) || byContent(st.MaxHeight) {
			content = s.columnPiece(it).h
		}
		lo, hi = l.heightLimits(k, sp, it.f, 0, content)
		minimum = st.MinHeight
	}
	if st.OverflowY != css.OverflowVisible && overflow == css.OverflowVisible {
		overflow = st.OverflowY
	}
	if minimum.Kind == value.Auto && (overflow == css.OverflowVisible || overflow == css.OverflowClip) {
		lo = min(s.autoMinimum(it), hi)
	}
	lo = max(lo, frameMain)
	return lo, max(hi, lo)
}

// byContent reports whether a size is a keyword for the size of the content.
func byContent(s value.Size) bool {
	return s.Kind == value.MinContent || s.Kind == value.MaxContent || s.Kind == value.FitContent
}

// autoMinimum returns the content-based minimum size.
func (s *flexState) autoMinimum(it *flexItem) float64 {
	k := it.b
	size := s.mainProperty(k)
	percent := s.room.w
	frameMain := it.f.x()
	if !s.row {
		percent, frameMain = s.room.h, it.f.y()
	}
	specified := math.Inf(1)
	if definite(size, percent) && size.Kind == value.Fixed {
		specified = unit(borderSize(k.style, size.Resolve(max(percent, 0)), frameMain))
	}
	var content float64
	switch {
	case k.kind == replacedBox:
		if r, _ := ratio(k); r > 0 {
			if cross, ok := s.definiteCross(it); ok {
				content = s.mainByRatio(it, cross)
				break
			}
		}
		r, _ := ratio(k)
		w, h := naturalSize(k.picture, r, s.room.w)
		content = w + it.f.x()
		if !s.row {
			content = h + it.f.y()
		}
		if r > 0 { // the limits of the other size, through the ratio
			lo, hi := s.crossLimits(it)
			content = max(min(content, s.mainByRatio(it, hi)), s.mainByRatio(it, lo))
		}
	case s.row:
		content = s.l.intrinsic(k, s.room.h).min + it.f.x()
	case !k.style.Height.IsAuto():
		if !math.IsInf(specified, 1) {
			content = s.contentHeight(it)
		} else {
			content = s.columnPiece(it).h
		}
	default:
		content = it.base
		if k.style.FlexBasis.Kind != value.Auto && k.style.FlexBasis.Kind != value.Content {
			content = s.columnPiece(it).h
		}
	}
	if r, _ := ratio(k); r > 0 && k.kind != replacedBox {
		if cross, ok := s.definiteCross(it); ok {
			content = s.mainByRatio(it, cross)
		}
	}
	return min(specified, content)
}

// contentHeight returns the height of an item's content as if its height were auto.
func (s *flexState) contentHeight(it *flexItem) float64 {
	if s.contentOnly(it.b) {
		return it.f.y()
	}
	copied := *it.b
	style := *it.b.style
	style.Height = value.Size{}
	copied.style = &style
	copied.cache = [6]cachedPiece{}
	sp := s.space()
	if s.stretches(it) && !s.wrap {
		if w, ok := s.definiteCross(it); ok {
			sp.fixW = w
		}
	}
	return s.l.layout(&copied, sp).h
}

// contentOnly reports whether a box has no content.
func (s *flexState) contentOnly(b *box) bool { return len(b.kids) == 0 && b.kind != replacedBox }
