package boxtree

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
)

// Indefinite is a size that isn't known.
const Indefinite = -1

// Space is the constraints of a layout: a comparable value, so that results can be cached by it.
type Space struct {
	// w and h are the size of the containing block, to which percentages refer; h may be indefinite.
	w, H float64
	// FixW and fixH are the border box imposed by a flex container, a grid or insets; indefinite if there is none.
	FixW, FixH float64
	// LooseH says that percentages of children can't refer to fixH.
	LooseH bool
	// Shrink says that a width of auto fits the content.
	Shrink bool
	// Avail is the room for a shrinking box with its margins, if that isn't w.
	Avail float64
}

// SpaceOf returns the constraints of an in-flow block.
func SpaceOf(w, h float64) Space {
	return Space{w: w, H: h, FixW: Indefinite, FixH: Indefinite, Avail: w}
}

// Unit rounds down to a 64th of a pixel, as browsers store lengths.
func Unit(v float64) float64 { return math.Floor(v*64+1e-6) / 64 }

// EdgesOf returns the widths of borders and padding; percentages refer to w.
func EdgesOf(b *Box, w float64) (border, padding fragment.Edges) {
	if b.Anonymous {
		return
	}
	s := b.Style
	border = fragment.Edges{
		Top: s.Border.Top.Width, Right: s.Border.Right.Width, Bottom: s.Border.Bottom.Width, Left: s.Border.Left.Width,
	}
	if w < 0 {
		w = 0
	}
	padding = fragment.Edges{
		Top: Unit(max(0, s.Padding.Top.Resolve(w))), Right: Unit(max(0, s.Padding.Right.Resolve(w))),
		Bottom: Unit(max(0, s.Padding.Bottom.Resolve(w))), Left: Unit(max(0, s.Padding.Left.Resolve(w))),
	}
	return border, padding
}

// Margins returns the margins with auto as 0.
func Margins(b *Box, w float64) fragment.Edges {
	if b.Anonymous {
		return fragment.Edges{}
	}
	w = max(w, 0)
	m := &b.Style.Margin
	return fragment.Edges{
		Top: margin(m.Top, w), Right: margin(m.Right, w), Bottom: margin(m.Bottom, w), Left: margin(m.Left, w),
	}
}

func margin(s value.Size, w float64) float64 {
	if s.Kind != value.Fixed {
		return 0
	}
	return Unit(s.Resolve(w))
}

// Frame is borders and padding of a box together.
type Frame struct {
	Border, Padding fragment.Edges
}

// X returns the width of both sides.
func (f Frame) X() float64 { return f.Border.X() + f.Padding.X() }

// Y returns the height of top and bottom.
func (f Frame) Y() float64 { return f.Border.Y() + f.Padding.Y() }

// Left returns the distance of the content from the left edge.
func (f Frame) Left() float64 { return f.Border.Left + f.Padding.Left }

// Top returns the distance of the content from the top.
func (f Frame) Top() float64 { return f.Border.Top + f.Padding.Top }

// FrameOf returns the frame of a box in a container of width w.
func FrameOf(b *Box, w float64) Frame {
	border, padding := EdgesOf(b, w)
	return Frame{border, padding}
}

// BorderSize converts a value of width or height to that of the border box.
func BorderSize(s *css.Style, v, frame float64) float64 {
	if s.BoxSizing == css.BorderBox {
		return max(v, frame)
	}
	return max(v, 0) + frame
}

// Definite reports whether a size resolves to px when percentages refer to base.
func Definite(s value.Size, base float64) bool {
	return s.Kind == value.Fixed && (base >= 0 || !s.HasPercent())
}

// WidthLimits returns the minimum and maximum width of the border box. auto is the minimum of min-width: auto.
func (l *State) WidthLimits(b *Box, sp Space, f Frame, auto float64) (lo, hi float64) {
	s := b.Style
	lo, hi = auto, math.Inf(1)
	if b.Anonymous {
		return lo, hi
	}
	if w, ok := l.WidthOf(b, s.MinWidth, sp, f); ok {
		lo = w
	}
	if w, ok := l.WidthOf(b, s.MaxWidth, sp, f); ok {
		hi = w
	}
	return lo, max(lo, hi)
}

// WidthOf resolves one of width, min-width and max-width to a border box. ok is false for auto and none.
func (l *State) WidthOf(b *Box, v value.Size, sp Space, f Frame) (w float64, ok bool) {
	switch v.Kind {
	case value.Fixed:
		if !Definite(v, sp.w) {
			return 0, false
		}
		return Unit(BorderSize(b.Style, v.Resolve(sp.w), f.X())), true
	case value.MinContent:
		return l.contentWidths(b, sp, f).Min, true
	case value.MaxContent:
		return l.contentWidths(b, sp, f).Max, true
	case value.FitContent:
		avail := l.availWidth(b, sp)
		if !v.Zero() {
			avail = BorderSize(b.Style, v.Resolve(max(sp.w, 0)), f.X())
		}
		return l.fitContent(b, sp, f, avail), true
	case value.Stretch:
		return max(l.availWidth(b, sp), f.X()), true
	}
	return 0, false
}

// availWidth returns the room for the border box of b.
func (l *State) availWidth(b *Box, sp Space) float64 {
	return max(0, sp.Avail-Margins(b, sp.w).X())
}

// maxRatios bounds the boxes with a ratio, one in another, whose content widths follow their heights: what is in them
// is laid out in other widths for each height, and in each box around them twice as often.
const maxRatios = 3

// withinRatios reports whether a box is in more boxes with a ratio than content widths follow.
func withinRatios(b *Box) bool {
	ratios := 0
	for p := b.Parent; p != nil; p = p.Parent {
		if r, _ := Ratio(p); r > 0 {
			if ratios++; ratios == maxRatios {
				return true
			}
		}
	}
	return false
}

// contentWidths returns the min-content and max-content widths of the border box, which a ratio gives a box with a
// height. Source: CSS Sizing 4, 5.1.
func (l *State) contentWidths(b *Box, sp Space, f Frame) Sizes {
	if r, _ := Ratio(b); r > 0 && b.Kind != ReplacedBox && !withinRatios(b) {
		if h, ok := l.FixedHeight(b, sp, f); ok {
			w, _ := WidthByRatio(b, h, f)
			return Sizes{w, w}
		}
	}
	sz := l.Intrinsic(b, sp.H)
	return Sizes{sz.Min + f.X(), sz.Max + f.X()}
}

// fitContent returns the fit-content width of the border box in avail.
func (l *State) fitContent(b *Box, sp Space, f Frame, avail float64) float64 {
	sz := l.contentWidths(b, sp, f)
	return min(sz.Max, max(sz.Min, avail))
}

// Ratio returns the width by height that a box keeps, and whether it is of the border box.
func Ratio(b *Box) (r float64, border bool) {
	if b.Anonymous {
		return 0, false
	}
	a := b.Style.AspectRatio
	if b.Kind == ReplacedBox && b.Picture.Ratio > 0 && (a.Ratio == 0 || a.Auto) {
		return b.Picture.Ratio, false
	}
	if b.Kind == InlineBox || b.Kind == TextBox {
		return 0, false
	}
	return a.Ratio, b.Style.BoxSizing == css.BorderBox && !a.Auto
}

// HeightByRatio returns the border box height of a width.
func HeightByRatio(b *Box, w float64, f Frame) (float64, bool) {
	r, border := Ratio(b)
	if r <= 0 {
		return 0, false
	}
	if border {
		return max(w/r, f.Y()), true
	}
	return max(w-f.X(), 0)/r + f.Y(), true
}

// WidthByRatio returns the border box width of a height.
func WidthByRatio(b *Box, h float64, f Frame) (float64, bool) {
	r, border := Ratio(b)
	if r <= 0 {
		return 0, false
	}
	if border {
		return max(h*r, f.X()), true
	}
	return max(h-f.Y(), 0)*r + f.X(), true
}

// FixedHeight returns the border box height of b if it doesn't depend on its content: imposed, or by its properties.
func (l *State) FixedHeight(b *Box, sp Space, f Frame) (h float64, ok bool) {
	if sp.FixH >= 0 {
		return sp.FixH, true
	}
	if b.Anonymous {
		return 0, false
	}
	if Definite(b.Style.Height, sp.H) {
		h = Unit(BorderSize(b.Style, b.Style.Height.Resolve(sp.H), f.Y()))
		lo, hi := l.HeightLimits(b, sp, f, 0, Indefinite)
		return min(max(h, lo), max(lo, hi)), true
	}
	if b.Style.Height.Kind == value.Stretch && sp.H >= 0 {
		return max(sp.H-Margins(b, sp.w).Y(), f.Y()), true
	}
	return 0, false
}

// HeightLimits returns the limits of the border box height. content is the height of the content for keywords, or
// indefinite; auto is the minimum of min-height: auto.
func (l *State) HeightLimits(b *Box, sp Space, f Frame, auto, content float64) (lo, hi float64) {
	lo, hi = auto, math.Inf(1)
	if b.Anonymous {
		return lo, hi
	}
	one := func(v value.Size, none float64) float64 {
		switch {
		case Definite(v, sp.H):
			return Unit(BorderSize(b.Style, v.Resolve(max(sp.H, 0)), f.Y()))
		case content >= 0 && (v.Kind == value.MinContent || v.Kind == value.MaxContent || v.Kind == value.FitContent):
			return content
		}
		return none
	}
	lo = one(b.Style.MinHeight, lo)
	hi = one(b.Style.MaxHeight, hi)
	return lo, max(lo, hi)
}

// BoxWidth returns the border box width of a box that isn't replaced.
func (l *State) BoxWidth(b *Box, sp Space, f Frame) float64 {
	auto := 0.0
	if b.Kind == TableBox { // a table is never narrower than its columns
		auto = l.Intrinsic(b, Indefinite).Min + f.X()
	}
	if sp.FixW >= 0 {
		return max(sp.FixW, f.X(), auto)
	}
	var w float64
	s := b.Style
	got := false
	if !b.Anonymous {
		w, got = l.WidthOf(b, s.Width, sp, f)
	}
	if !got {
		stretches := !sp.Shrink && b.turns() == 0
		if r, _ := Ratio(b); r > 0 {
			if h, ok := l.FixedHeight(b, sp, f); ok {
				w, got = WidthByRatio(b, h, f)
				if s.MinWidth.IsAuto() && s.OverflowX != css.OverflowHidden { // not narrower than its content
					auto = l.Intrinsic(b, sp.H).Min + f.X()
				}
			}
		}
		switch {
		case got:
		case stretches:
			w = max(l.availWidth(b, sp), f.X())
		default:
			w = l.fitContent(b, sp, f, l.availWidth(b, sp))
		}
	}
	lo, hi := l.WidthLimits(b, sp, f, 0)
	if b.Kind == TableBox {
		lo, hi = max(lo, auto), max(hi, auto)
	} else {
		lo = max(lo, min(auto, hi))
	}
	if r, _ := Ratio(b); r > 0 && !Definite(s.Width, sp.w) {
		lo, hi = l.Transferred(b, sp, f, lo, hi)
	}
	return max(min(max(w, lo), hi), f.X())
}

// Transferred adds the limits of the height, through the ratio of a box, to those of the width.
func (l *State) Transferred(b *Box, sp Space, f Frame, lo, hi float64) (float64, float64) {
	s := b.Style
	if Definite(s.MaxHeight, sp.H) {
		if w, ok := WidthByRatio(b, BorderSize(s, s.MaxHeight.Resolve(max(sp.H, 0)), f.Y()), f); ok {
			hi = max(min(hi, w), lo)
		}
	}
	if Definite(s.MinHeight, sp.H) {
		if w, ok := WidthByRatio(b, BorderSize(s, s.MinHeight.Resolve(max(sp.H, 0)), f.Y()), f); ok {
			lo = min(max(lo, w), hi)
		}
	}
	return lo, hi
}

// Natural sizes of a replaced element without any. Source: CSS 2.2, 10.3.2.
const (
	defaultWidth  = 300
	defaultHeight = 150
)

// ReplacedSize returns the border box of a replaced element.
func (l *State) ReplacedSize(b *Box, sp Space, f Frame) (w, h float64) {
	s, p := b.Style, b.Picture
	r, border := Ratio(b)
	gotW, gotH := false, false
	if sp.FixW >= 0 {
		w, gotW = sp.FixW-f.X(), true
	} else if s.Width.Kind == value.Fixed && Definite(s.Width, sp.w) {
		w, gotW = Unit(BorderSize(s, s.Width.Resolve(sp.w), f.X()))-f.X(), true
	} else if s.Width.Kind == value.Stretch && sp.w >= 0 {
		w, gotW = l.availWidth(b, sp)-f.X(), true
	}
	if sp.FixH >= 0 {
		h, gotH = sp.FixH-f.Y(), true
	} else if Definite(s.Height, sp.H) {
		h, gotH = Unit(BorderSize(s, s.Height.Resolve(max(sp.H, 0)), f.Y()))-f.Y(), true
	}
	loW, hiW := l.replacedLimits(s.MinWidth, s.MaxWidth, s, sp.w, f.X())
	loH, hiH := l.replacedLimits(s.MinHeight, s.MaxHeight, s, sp.H, f.Y())
	byBorder := func(w, h float64) float64 { // a ratio of the border box
		if border {
			h, _ = HeightByRatio(b, w+f.X(), f)
			h -= f.Y()
		}
		return h
	}
	clampW := func(v float64) float64 { return max(min(v, hiW), loW) }
	clampH := func(v float64) float64 { return max(min(v, hiH), loH) }
	if sp.FixW >= 0 {
		clampW = func(v float64) float64 { return max(v, 0) }
	}
	if sp.FixH >= 0 {
		clampH = func(v float64) float64 { return max(v, 0) }
	}
	switch {
	case gotW && gotH:
		w, h = clampW(w), clampH(h)
	case gotW:
		w = clampW(w)
		h = clampH(byBorder(w, naturalHeight(p, r, w)))
	case gotH:
		h = clampH(h)
		switch {
		case r > 0:
			w, _ = WidthByRatio(b, h+f.Y(), f)
			w -= f.X()
		case p.Width > 0:
			w = p.Width
		case !p.Missing:
			w = defaultWidth
		}
		w = clampW(w)
	default:
		w, h = NaturalSize(p, r, l.availWidth(b, sp)-f.X())
		w, h = limitSize(w, byBorder(w, h), r, loW, hiW, loH, hiH)
	}
	return max(w, 0) + f.X(), max(h, 0) + f.Y()
}

func (l *State) replacedLimits(lo, hi value.Size, s *css.Style, base, frame float64) (float64, float64) {
	a, z := 0.0, math.Inf(1)
	if Definite(lo, base) {
		a = max(0, BorderSize(s, lo.Resolve(max(base, 0)), frame)-frame)
	}
	if Definite(hi, base) {
		z = max(0, BorderSize(s, hi.Resolve(max(base, 0)), frame)-frame)
	}
	return a, max(a, z)
}

func naturalHeight(p *fragment.Image, r, w float64) float64 {
	switch {
	case r > 0:
		return w / r
	case p.Height > 0:
		return p.Height
	case !p.Missing:
		return defaultHeight
	}
	return 0
}

// NaturalSize returns the size of a picture without width and height.
func NaturalSize(p *fragment.Image, r, avail float64) (w, h float64) {
	switch {
	case p.Width > 0 && p.Height > 0:
		if r > 0 {
			return p.Width, p.Width / r
		}
		return p.Width, p.Height
	case p.Width > 0:
		return p.Width, naturalHeight(p, r, p.Width)
	case p.Height > 0:
		if r > 0 {
			return p.Height * r, p.Height
		}
		return defaultWidth, p.Height
	case r > 0:
		if w = max(avail, 0); math.IsInf(w, 0) {
			w = defaultWidth
		}
		return w, w / r
	case !p.Missing:
		return defaultWidth, defaultHeight
	}
	return 0, 0
}

// limitSize clamps a natural size and keeps its ratio where the limits allow. Source: CSS 2.2, 10.4.
func limitSize(w, h, r, loW, hiW, loH, hiH float64) (float64, float64) {
	if r <= 0 {
		return max(min(w, hiW), loW), max(min(h, hiH), loH)
	}
	if w > hiW || h > hiH {
		k := 1.0
		if w > hiW && w > 0 {
			k = hiW / w
		}
		if h > hiH && h > 0 {
			k = min(k, hiH/h)
		}
		w, h = w*k, h*k
	}
	if w < loW || h < loH {
		k := 1.0
		if w < loW && w > 0 {
			k = loW / w
		}
		if h < loH && h > 0 {
			k = max(k, loH/h)
		}
		w, h = w*k, h*k
	}
	return max(min(w, hiW), loW), max(min(h, hiH), loH)
}
