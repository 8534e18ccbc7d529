package boxtree

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
)

// Sizes are the min-content and max-content width of a box's content.
type Sizes struct {
	Min, Max float64
}

// contained returns how the size of a box is independent of its content.
func contained(b *Box) css.ContainerType {
	if b.Anonymous || b.Kind == ReplacedBox || b.Kind == InlineBox || b.Kind == TextBox {
		return css.NoContainer
	}
	return b.Style.ContainerType
}

// withoutContent returns a copy of a box that has no children: what a grid measures that doesn't depend on its items
// are its own tracks. Source: CSS Containment 2, 3.1.
func withoutContent(b *Box) *Box {
	copied := *b
	copied.Kids = nil
	return &copied
}

// Intrinsic returns the intrinsic widths of the content of b, where percentages of heights refer to h.
func (l *State) Intrinsic(b *Box, h float64) Sizes {
	for i := range b.sizes {
		if b.sizes[i].ok && b.sizes[i].height == h {
			return b.sizes[i].sizes
		}
	}
	if b.intrinsics == maxLayouts {
		return b.sizes[(b.sizesNext+len(b.sizes)-1)%len(b.sizes)].sizes
	}
	b.intrinsics++
	l.Spend(20)
	sz := l.computeIntrinsic(b, h)
	sz.Max = max(sz.Max, sz.Min)
	b.sizes[b.sizesNext] = cachedSizes{true, h, sz}
	b.sizesNext = (b.sizesNext + 1) % len(b.sizes)
	return sz
}

func (l *State) computeIntrinsic(b *Box, h float64) Sizes {
	if contained(b) != css.NoContainer {
		if b.Kind == GridBox {
			return l.contexts.GridIntrinsic(withoutContent(b), h)
		}
		return Sizes{}
	}
	switch b.Kind {
	case ReplacedBox:
		f := FrameOf(b, 0)
		sp := SpaceOf(0, h)
		sp.Avail = defaultWidth + f.X()
		sp.w = Indefinite
		w, _ := l.ReplacedSize(b, sp, f)
		w -= f.X()
		if p, s := b.Picture, b.Style; p.Width == 0 && p.Height == 0 && p.Ratio > 0 && s.Width.IsAuto() &&
			!Definite(s.Height, h) { // as wide as its container
			w, _ = l.replacedLimits(s.MinWidth, s.MaxWidth, s, Indefinite, f.X())
		}
		return Sizes{w, w}
	case turnedBox:
		k := l.turnedPiece(b, h, Indefinite)
		return Sizes{k.H, k.H}
	case FlexBox:
		return l.contexts.FlexIntrinsic(b, h)
	case GridBox:
		return l.contexts.GridIntrinsic(b, h)
	case TableBox:
		return l.contexts.TableIntrinsic(b)
	}
	inner := l.InnerHeight(b, h)
	if b.Inlines {
		return l.contexts.InlineIntrinsic(b, inner)
	}
	var out Sizes
	var floats float64 // of the floats in a row
	for _, k := range b.Kids {
		if k.OutOfFlow() {
			continue
		}
		c := l.Contribution(k, inner)
		out.Min = max(out.Min, c.Min)
		if k.Floating() {
			if k.Style.Clear != css.ClearNone {
				floats = 0
			}
			floats += c.Max
			out.Max = max(out.Max, floats)
			continue
		}
		if !k.Anonymous && k.Style.Clear != css.ClearNone {
			floats = 0
		}
		if k.Root {
			out.Max = max(out.Max, floats+c.Max)
		} else {
			out.Max = max(out.Max, c.Max)
		}
		floats = 0
	}
	return out
}

// InnerHeight returns the height that percentages of the children of b refer to, if its own refer to h.
func (l *State) InnerHeight(b *Box, h float64) float64 {
	if b.Anonymous {
		return h
	}
	f := FrameOf(b, 0)
	if Definite(b.Style.Height, h) {
		return max(0, BorderSize(b.Style, b.Style.Height.Resolve(max(h, 0)), f.Y())-f.Y())
	}
	return Indefinite
}

// Contribution returns the intrinsic widths of the margin box of b. Percentages refer to nothing: they count as auto,
// and as 0 in margins and padding.
func (l *State) Contribution(b *Box, h float64) Sizes {
	f := FrameOf(b, 0)
	s := b.Style
	sp := SpaceOf(Indefinite, h)
	var out Sizes
	got := false
	if !b.Anonymous && b.Kind != ReplacedBox {
		switch s.Width.Kind {
		case value.Fixed:
			if !s.Width.HasPercent() {
				w := BorderSize(s, s.Width.Resolve(0), f.X())
				out, got = Sizes{w, w}, true
			}
		case value.MinContent:
			w := l.contentWidths(b, sp, f).Min
			out, got = Sizes{w, w}, true
		case value.MaxContent:
			w := l.contentWidths(b, sp, f).Max
			out, got = Sizes{w, w}, true
		}
		if !got {
			if r, _ := Ratio(b); r > 0 {
				if height, ok := l.FixedHeight(b, sp, f); ok {
					w, _ := WidthByRatio(b, height, f)
					out, got = Sizes{w, w}, true
				}
			}
		}
	}
	if !got {
		sz := l.Intrinsic(b, h)
		out = Sizes{sz.Min + f.X(), sz.Max + f.X()}
		if b.Kind == ReplacedBox && (s.Width.HasPercent() || s.MaxWidth.HasPercent()) {
			out.Min = f.X() // it can be compressed
			if Definite(s.MinWidth, Indefinite) {
				out.Min = BorderSize(s, s.MinWidth.Resolve(0), f.X())
			}
		}
	}
	if !b.Anonymous {
		lo, hi := 0.0, math.Inf(1)
		if b.Kind == TableBox {
			lo = l.Intrinsic(b, Indefinite).Min + f.X()
		}
		if w, ok := l.WidthOf(b, s.MinWidth, sp, f); ok && s.MinWidth.Kind != value.Stretch {
			lo = max(lo, w)
		}
		if w, ok := l.WidthOf(b, s.MaxWidth, sp, f); ok && s.MaxWidth.Kind != value.Stretch {
			hi = w
		}
		if r, _ := Ratio(b); r > 0 && b.Kind != ReplacedBox && !Definite(s.Width, Indefinite) {
			lo, hi = l.Transferred(b, sp, f, lo, hi)
		}
		out.Min, out.Max = max(min(out.Min, hi), lo), max(min(out.Max, hi), lo)
	}
	m := Margins(b, 0)
	out.Min, out.Max = out.Min+m.X(), out.Max+m.X()
	return out
}
