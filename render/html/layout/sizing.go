package layout

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
)

// indefinite is a size that isn't known.
const indefinite = -1

// space is the constraints of a layout: a comparable value, so that results can be cached by it.
type space struct {
	// w and h are the size of the containing block, to which percentages refer; h may be indefinite.
	w, h float64
	// fixW and fixH are the border box imposed by a flex container, a grid or insets; indefinite if there is none.
	fixW, fixH float64
	// looseH says that percentages of children can't refer to fixH.
	looseH bool
	// shrink says that a width of auto fits the content.
	shrink bool
	// avail is the room for a shrinking box with its margins, if that isn't w.
	avail float64
}

// in returns the constraints of an in-flow block.
func in(w, h float64) space {
	return space{w: w, h: h, fixW: indefinite, fixH: indefinite, avail: w}
}

// unit rounds down to a 64th of a pixel, as browsers store lengths.
func unit(v float64) float64 { return math.Floor(v*64+1e-6) / 64 }

// edges returns the widths of borders and padding; percentages refer to w.
func edges(b *box, w float64) (border, padding Edges) {
	if b.anonymous {
		return
	}
	s := b.style
	border = Edges{s.Border.Top.Width, s.Border.Right.Width, s.Border.Bottom.Width, s.Border.Left.Width}
	if w < 0 {
		w = 0
	}
	padding = Edges{
		unit(max(0, s.Padding.Top.Resolve(w))), unit(max(0, s.Padding.Right.Resolve(w))),
		unit(max(0, s.Padding.Bottom.Resolve(w))), unit(max(0, s.Padding.Left.Resolve(w))),
	}
	return border, padding
}

// margins returns the margins with auto as 0.
func margins(b *box, w float64) Edges {
	if b.anonymous {
		return Edges{}
	}
	w = max(w, 0)
	m := &b.style.Margin
	return Edges{margin(m.Top, w), margin(m.Right, w), margin(m.Bottom, w), margin(m.Left, w)}
}

func margin(s value.Size, w float64) float64 {
	if s.Kind != value.Fixed {
		return 0
	}
	return unit(s.Resolve(w))
}

func (e Edges) x() float64 { return e.Left + e.Right }
func (e Edges) y() float64 { return e.Top + e.Bottom }

// frame is borders and padding of a box together.
type frame struct {
	border, padding Edges
}

func (f frame) x() float64    { return f.border.x() + f.padding.x() }
func (f frame) y() float64    { return f.border.y() + f.padding.y() }
func (f frame) left() float64 { return f.border.Left + f.padding.Left }
func (f frame) top() float64  { return f.border.Top + f.padding.Top }

func frameOf(b *box, w float64) frame {
	border, padding := edges(b, w)
	return frame{border, padding}
}

// borderSize converts a value of width or height to that of the border box.
func borderSize(s *css.Style, v, frame float64) float64 {
	if s.BoxSizing == css.BorderBox {
		return max(v, frame)
	}
	return max(v, 0) + frame
}

// definite reports whether a size resolves to px when percentages refer to base.
func definite(s value.Size, base float64) bool {
	return s.Kind == value.Fixed && (base >= 0 || !s.HasPercent())
}

// widthLimits returns the minimum and maximum width of the border box. auto is the minimum of min-width: auto.
func (l *layouter) widthLimits(b *box, sp space, f frame, auto float64) (lo, hi float64) {
	s := b.style
	lo, hi = auto, math.Inf(1)
	if b.anonymous {
		return lo, hi
	}
	if w, ok := l.width1(b, s.MinWidth, sp, f); ok {
		lo = w
	}
	if w, ok := l.width1(b, s.MaxWidth, sp, f); ok {
		hi = w
	}
	return lo, max(lo, hi)
}

// width1 resolves one of width, min-width and max-width to a border box. ok is false for auto and none.
func (l *layouter) width1(b *box, v value.Size, sp space, f frame) (w float64, ok bool) {
	switch v.Kind {
	case value.Fixed:
		if !definite(v, sp.w) {
			return 0, false
		}
		return unit(borderSize(b.style, v.Resolve(sp.w), f.x())), true
	case value.MinContent:
		return l.intrinsic(b, sp.h).min + f.x(), true
	case value.MaxContent:
		return l.intrinsic(b, sp.h).max + f.x(), true
	case value.FitContent:
		avail := l.availWidth(b, sp)
		if !v.Zero() {
			avail = borderSize(b.style, v.Resolve(max(sp.w, 0)), f.x())
		}
		return l.fitContent(b, sp.h, f, avail), true
	case value.Stretch:
		return max(l.availWidth(b, sp), f.x()), true
	}
	return 0, false
}

// availWidth returns the room for the border box of b.
func (l *layouter) availWidth(b *box, sp space) float64 {
	return max(0, sp.avail-margins(b, sp.w).x())
}

// fitContent returns the fit-content width of the border box in avail.
func (l *layouter) fitContent(b *box, h float64, f frame, avail float64) float64 {
	sz := l.intrinsic(b, h)
	return min(sz.max+f.x(), max(sz.min+f.x(), avail))
}

// ratio returns the width by height that a box keeps, and whether it is of the border box.
func ratio(b *box) (r float64, border bool) {
	if b.anonymous {
		return 0, false
	}
	a := b.style.AspectRatio
	if b.kind == replacedBox && b.picture.Ratio > 0 && (a.Ratio == 0 || a.Auto) {
		return b.picture.Ratio, false
	}
	if b.kind == inlineBox || b.kind == textBox {
		return 0, false
	}
	return a.Ratio, b.style.BoxSizing == css.BorderBox && !a.Auto
}

// heightByRatio returns the border box height of a width.
func heightByRatio(b *box, w float64, f frame) (float64, bool) {
	r, border := ratio(b)
	if r <= 0 {
		return 0, false
	}
	if border {
		return max(w/r, f.y()), true
	}
	return max(w-f.x(), 0)/r + f.y(), true
}

// widthByRatio returns the border box width of a height.
func widthByRatio(b *box, h float64, f frame) (float64, bool) {
	r, border := ratio(b)
	if r <= 0 {
		return 0, false
	}
	if border {
		return max(h*r, f.x()), true
	}
	return max(h-f.y(), 0)*r + f.x(), true
}

// fixedHeight returns the border box height of b if it doesn't depend on its content: imposed, or by its properties.
func (l *layouter) fixedHeight(b *box, sp space, f frame) (h float64, ok bool) {
	if sp.fixH >= 0 {
		return sp.fixH, true
	}
	if b.anonymous {
		return 0, false
	}
	if definite(b.style.Height, sp.h) {
		h = unit(borderSize(b.style, b.style.Height.Resolve(sp.h), f.y()))
		lo, hi := l.heightLimits(b, sp, f, 0, indefinite)
		return min(max(h, lo), max(lo, hi)), true
	}
	if b.style.Height.Kind == value.Stretch && sp.h >= 0 {
		return max(sp.h-margins(b, sp.w).y(), f.y()), true
	}
	return 0, false
}

// heightLimits returns the limits of the border box height. content is the height of the content for keywords, or
// indefinite; auto is the minimum of min-height: auto.
func (l *layouter) heightLimits(b *box, sp space, f frame, auto, content float64) (lo, hi float64) {
	lo, hi = auto, math.Inf(1)
	if b.anonymous {
		return lo, hi
	}
	one := func(v value.Size, none float64) float64 {
		switch {
		case definite(v, sp.h):
			return unit(borderSize(b.style, v.Resolve(max(sp.h, 0)), f.y()))
		case content >= 0 && (v.Kind == value.MinContent || v.Kind == value.MaxContent || v.Kind == value.FitContent):
			return content
		}
		return none
	}
	lo = one(b.style.MinHeight, lo)
	hi = one(b.style.MaxHeight, hi)
	return lo, max(lo, hi)
}

// boxWidth returns the border box width of a box that isn't replaced.
func (l *layouter) boxWidth(b *box, sp space, f frame) float64 {
	if sp.fixW >= 0 {
		return max(sp.fixW, f.x())
	}
	var w float64
	s := b.style
	got := false
	if !b.anonymous {
		w, got = l.width1(b, s.Width, sp, f)
	}
	if !got {
		stretches := !sp.shrink
		if r, _ := ratio(b); r > 0 {
			if h, ok := l.fixedHeight(b, sp, f); ok {
				w, got = widthByRatio(b, h, f)
			}
		}
		switch {
		case got:
		case stretches:
			w = max(l.availWidth(b, sp), f.x())
		default:
			w = l.fitContent(b, sp.h, f, l.availWidth(b, sp))
		}
	}
	auto := 0.0
	if b.kind == tableBox {
		auto = l.intrinsic(b, indefinite).min + f.x()
	}
	lo, hi := l.widthLimits(b, sp, f, auto)
	if r, _ := ratio(b); r > 0 && !definite(s.Width, sp.w) {
		lo, hi = l.transferred(b, sp, f, lo, hi)
	}
	return max(min(max(w, lo), hi), f.x())
}

// transferred adds the limits of the height, through the ratio, to those of the width.
func (l *layouter) transferred(b *box, sp space, f frame, lo, hi float64) (float64, float64) {
	s := b.style
	if definite(s.MaxHeight, sp.h) {
		if w, ok := widthByRatio(b, borderSize(s, s.MaxHeight.Resolve(max(sp.h, 0)), f.y()), f); ok {
			hi = max(min(hi, w), lo)
		}
	}
	if definite(s.MinHeight, sp.h) {
		if w, ok := widthByRatio(b, borderSize(s, s.MinHeight.Resolve(max(sp.h, 0)), f.y()), f); ok {
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

// replacedSize returns the border box of a replaced element.
func (l *layouter) replacedSize(b *box, sp space, f frame) (w, h float64) {
	s, p := b.style, b.picture
	r, _ := ratio(b)
	gotW, gotH := false, false
	if sp.fixW >= 0 {
		w, gotW = sp.fixW-f.x(), true
	} else if s.Width.Kind == value.Fixed && definite(s.Width, sp.w) {
		w, gotW = unit(borderSize(s, s.Width.Resolve(sp.w), f.x()))-f.x(), true
	} else if s.Width.Kind == value.Stretch {
		w, gotW = l.availWidth(b, sp)-f.x(), true
	}
	if sp.fixH >= 0 {
		h, gotH = sp.fixH-f.y(), true
	} else if definite(s.Height, sp.h) {
		h, gotH = unit(borderSize(s, s.Height.Resolve(max(sp.h, 0)), f.y()))-f.y(), true
	}
	loW, hiW := l.replacedLimits(s.MinWidth, s.MaxWidth, s, sp.w, f.x())
	loH, hiH := l.replacedLimits(s.MinHeight, s.MaxHeight, s, sp.h, f.y())
	clampW := func(v float64) float64 { return max(min(v, hiW), loW) }
	clampH := func(v float64) float64 { return max(min(v, hiH), loH) }
	if sp.fixW >= 0 {
		clampW = func(v float64) float64 { return max(v, 0) }
	}
	if sp.fixH >= 0 {
		clampH = func(v float64) float64 { return max(v, 0) }
	}
	switch {
	case gotW && gotH:
		w, h = clampW(w), clampH(h)
	case gotW:
		w = clampW(w)
		h = naturalHeight(p, r, w)
		h = clampH(h)
	case gotH:
		h = clampH(h)
		switch {
		case r > 0:
			w = h * r
		case p.Width > 0:
			w = p.Width
		case !p.Missing:
			w = defaultWidth
		}
		w = clampW(w)
	default:
		w, h = naturalSize(p, r, l.availWidth(b, sp)-f.x())
		w, h = limitSize(w, h, r, loW, hiW, loH, hiH)
	}
	return max(w, 0) + f.x(), max(h, 0) + f.y()
}

func (l *layouter) replacedLimits(lo, hi value.Size, s *css.Style, base, frame float64) (float64, float64) {
	a, z := 0.0, math.Inf(1)
	if definite(lo, base) {
		a = max(0, borderSize(s, lo.Resolve(max(base, 0)), frame)-frame)
	}
	if definite(hi, base) {
		z = max(0, borderSize(s, hi.Resolve(max(base, 0)), frame)-frame)
	}
	return a, max(a, z)
}

func naturalHeight(p *Picture, r, w float64) float64 {
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

// naturalSize returns the size of a picture without width and height.
func naturalSize(p *Picture, r, avail float64) (w, h float64) {
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
		w = avail
		if w <= 0 || math.IsInf(w, 0) {
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
