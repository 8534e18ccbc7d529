package layout

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
)

// sizes are the min-content and max-content width of a box's content.
type sizes struct {
	min, max float64
}

// contained returns how the size of a box is independent of its content.
func contained(b *box) css.ContainerType {
	if b.anonymous || b.kind == replacedBox || b.kind == inlineBox || b.kind == textBox {
		return css.NoContainer
	}
	return b.style.ContainerType
}

// withoutContent returns a copy of a box that has no children: what a grid measures that doesn't depend on its items
// are its own tracks. Source: CSS Containment 2, 3.1.
func withoutContent(b *box) *box {
	copied := *b
	copied.kids = nil
	return &copied
}

// intrinsic returns the intrinsic widths of the content of b, where percentages of heights refer to h.
func (l *layouter) intrinsic(b *box, h float64) sizes {
	for i := range b.sizes {
		if b.sizes[i].ok && b.sizes[i].height == h {
			return b.sizes[i].sizes
		}
	}
	l.spend(1)
	sz := l.computeIntrinsic(b, h)
	sz.max = max(sz.max, sz.min)
	b.sizes[b.sizesNext] = cachedSizes{true, h, sz}
	b.sizesNext = (b.sizesNext + 1) % len(b.sizes)
	return sz
}

func (l *layouter) computeIntrinsic(b *box, h float64) sizes {
	if contained(b) != css.NoContainer {
		if b.kind == gridBox {
			return l.gridIntrinsic(withoutContent(b), h)
		}
		return sizes{}
	}
	switch b.kind {
	case replacedBox:
		f := frameOf(b, 0)
		sp := in(0, h)
		sp.avail = defaultWidth + f.x()
		sp.w = indefinite
		w, _ := l.replacedSize(b, sp, f)
		w -= f.x()
		return sizes{w, w}
	case flexBox:
		return l.flexIntrinsic(b, h)
	case gridBox:
		return l.gridIntrinsic(b, h)
	case tableBox:
		return l.tableIntrinsic(b)
	}
	inner := l.innerHeight(b, h)
	if b.inlines {
		return l.inlineIntrinsic(b, inner)
	}
	var out sizes
	var floats float64 // of the floats in a row
	for _, k := range b.kids {
		if k.outOfFlow() {
			continue
		}
		c := l.contribution(k, inner)
		out.min = max(out.min, c.min)
		if k.floating() {
			if k.style.Clear != css.ClearNone {
				floats = 0
			}
			floats += c.max
			out.max = max(out.max, floats)
			continue
		}
		if !k.anonymous && k.style.Clear != css.ClearNone {
			floats = 0
		}
		if k.root {
			out.max = max(out.max, floats+c.max)
		} else {
			out.max = max(out.max, c.max)
		}
		floats = 0
	}
	return out
}

// innerHeight returns the height that percentages of the children of b refer to, if its own refer to h.
func (l *layouter) innerHeight(b *box, h float64) float64 {
	if b.anonymous {
		return h
	}
	f := frameOf(b, 0)
	if definite(b.style.Height, h) {
		return max(0, borderSize(b.style, b.style.Height.Resolve(max(h, 0)), f.y())-f.y())
	}
	return indefinite
}

// contribution returns the intrinsic widths of the margin box of b. Percentages refer to nothing: they count as auto,
// and as 0 in margins and padding.
func (l *layouter) contribution(b *box, h float64) sizes {
	f := frameOf(b, 0)
	s := b.style
	sp := in(indefinite, h)
	var out sizes
	got := false
	if !b.anonymous && b.kind != replacedBox {
		switch s.Width.Kind {
		case value.Fixed:
			if !s.Width.HasPercent() {
				w := borderSize(s, s.Width.Resolve(0), f.x())
				out, got = sizes{w, w}, true
			}
		case value.MinContent:
			w := l.intrinsic(b, h).min + f.x()
			out, got = sizes{w, w}, true
		case value.MaxContent:
			w := l.intrinsic(b, h).max + f.x()
			out, got = sizes{w, w}, true
		}
		if !got {
			if r, _ := ratio(b); r > 0 {
				if height, ok := l.fixedHeight(b, sp, f); ok {
					w, _ := widthByRatio(b, height, f)
					out, got = sizes{w, w}, true
				}
			}
		}
	}
	if !got {
		sz := l.intrinsic(b, h)
		out = sizes{sz.min + f.x(), sz.max + f.x()}
		if b.kind == replacedBox && (s.Width.HasPercent() || s.MaxWidth.HasPercent()) {
			out.min = f.x() // it can be compressed
			if definite(s.MinWidth, indefinite) {
				out.min = borderSize(s, s.MinWidth.Resolve(0), f.x())
			}
		}
	}
	if !b.anonymous {
		lo, hi := 0.0, math.Inf(1)
		if w, ok := l.width1(b, s.MinWidth, sp, f); ok && s.MinWidth.Kind != value.Stretch {
			lo = w
		}
		if w, ok := l.width1(b, s.MaxWidth, sp, f); ok && s.MaxWidth.Kind != value.Stretch {
			hi = w
		}
		out.min, out.max = max(min(out.min, hi), lo), max(min(out.max, hi), lo)
	}
	m := margins(b, 0)
	out.min, out.max = max(0, out.min+m.x()), max(0, out.max+m.x())
	return out
}
