package layout

import (
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
)

// containing are the fragments that contain absolutely positioned and fixed boxes; nil is the canvas.
type containing struct {
	absolute, fixed *Fragment
}

// placeRoot lays out the root element and places everything.
func (l *layouter) placeRoot(b *box) *Fragment {
	sp := in(l.width, l.height)
	p := l.layout(b, sp)
	m := margins(b, l.width)
	x := m.Left
	if b.style.Margin.Left.IsAuto() && b.style.Margin.Right.IsAuto() {
		x = max(0, (l.width-p.w)/2)
	}
	if b.outOfFlow() {
		return l.placeOut(link{out: b}, nil, containing{}, 0, 0)
	}
	return l.place(p, nil, x, m.Top, containing{})
}

// place turns a piece whose border box begins at x and y into a fragment.
func (l *layouter) place(p *piece, parent *Fragment, x, y float64, cb containing) *Fragment {
	l.spend(1)
	b := p.box
	f := &Fragment{
		Kind: p.kind, Node: b.node, Style: b.style, Anonymous: b.anonymous, Parent: parent,
		Border: Rect{x, y, p.w, p.h}, BorderWidth: p.border, PaddingWidth: p.padding,
		HasLeft: p.hasLeft, HasRight: p.hasRight, SliceWidth: p.w, FlexItem: b.item && !b.anonymous,
		Float: b.floating(), Atomic: b.atomic(), Replaced: b.picture, Hidden: p.hidden, Rest: p.rest,
	}
	if p.kind != Text && p.kind != Emoji && !b.anonymous {
		f.Positioned = b.style.Position != css.Static
		f.OutOfFlow = b.outOfFlow()
		if b.relative() {
			dx, dy := l.relativeOffset(b, parent)
			x, y = x+dx, y+dy
			f.Border.X, f.Border.Y = x, y
		}
		if f.Positioned {
			cb.absolute = f
		}
		if containsFixed(b) {
			cb.absolute, cb.fixed = f, f
		}
	}
	if p.kind == Inline {
		f.SliceOffset, f.SliceWidth = p.sliceOffset, p.sliceWidth
	}
	if p.text != nil {
		f.Text = p.text.at(x, y)
	}
	if p.kind == Text || p.kind == Emoji {
		f.Atomic = false
		return f
	}
	if len(p.links) > 0 {
		f.Children = make([]*Fragment, 0, len(p.links))
	}
	for i := range p.links {
		k := &p.links[i]
		if k.out == nil {
			f.Children = append(f.Children, l.place(k.piece, f, x+k.x, y+k.y, cb))
			continue
		}
		if out := l.placeOut(*k, f, cb, x+k.x, y+k.y); out != nil {
			f.Children = append(f.Children, out)
		}
	}
	return f
}

// containsFixed reports whether a box contains even fixed boxes.
func containsFixed(b *box) bool {
	if b.kind == inlineBox || b.style.Effects == nil {
		return false
	}
	e := b.style.Effects
	return len(e.Transform) > 0 || len(e.Filter) > 0 || len(e.BackdropFilter) > 0
}

// at returns a text moved to an absolute place.
func (t *TextRun) at(x, y float64) *TextRun {
	out := *t
	out.Baseline += y
	out.Runs = slices.Clone(t.Runs)
	for i := range out.Runs {
		glyphs := slices.Clone(out.Runs[i].Glyphs)
		for j := range glyphs {
			glyphs[j].X += x
			glyphs[j].Y += y
		}
		out.Runs[i].Glyphs = glyphs
	}
	out.Decorations = slices.Clone(t.Decorations)
	for i := range out.Decorations {
		out.Decorations[i].Y += y
	}
	return &out
}

// relativeOffset returns how far a relatively positioned box is moved.
func (l *layouter) relativeOffset(b *box, parent *Fragment) (dx, dy float64) {
	w, h := l.width, l.height
	for parent != nil && parent.Kind == Inline {
		parent = parent.Parent
	}
	if parent != nil {
		c := parent.Content()
		w, h = c.W, c.H
		if parent.Style.Height.IsAuto() && !parent.OutOfFlow && !parent.FlexItem {
			h = indefinite
		}
	}
	in := &b.style.Inset
	left, right := definite(in.Left, w), definite(in.Right, w)
	switch {
	case left && !(right && b.style.Direction == css.RTL):
		dx = unit(in.Left.Resolve(w))
	case right:
		dx = -unit(in.Right.Resolve(w))
	}
	switch {
	case definite(in.Top, h):
		dy = unit(in.Top.Resolve(max(h, 0)))
	case definite(in.Bottom, h):
		dy = -unit(in.Bottom.Resolve(max(h, 0)))
	}
	return dx, dy
}

// placeOut lays out an absolutely positioned box, whose static position is at x and y.
func (l *layouter) placeOut(k link, parent *Fragment, cb containing, x, y float64) *Fragment {
	b := k.out
	container := cb.absolute
	if b.style.Position == css.FixedPosition {
		container = cb.fixed
	}
	r := Rect{0, 0, l.width, l.height}
	if container != nil {
		r = container.Padding()
		if k.area != nil && container == parent {
			r = Rect{parent.Border.X + k.area.X, parent.Border.Y + k.area.Y, k.area.W, k.area.H}
		}
	}
	p, px, py := l.absolute(b, k, r, x, y)
	out := l.place(p, parent, px, py, cb)
	out.Containing = container
	return out
}

// insetsOf are the insets of a box in its containing block, as far as they are definite.
type insetsOf struct {
	left, right, top, bottom             float64
	hasLeft, hasRight, hasTop, hasBottom bool
}

func insets(s *css.Style, r Rect) insetsOf {
	var out insetsOf
	one := func(v value.Size, base float64) (float64, bool) {
		if v.Kind != value.Fixed {
			return 0, false
		}
		return unit(v.Resolve(base)), true
	}
	out.left, out.hasLeft = one(s.Inset.Left, r.W)
	out.right, out.hasRight = one(s.Inset.Right, r.W)
	out.top, out.hasTop = one(s.Inset.Top, r.H)
	out.bottom, out.hasBottom = one(s.Inset.Bottom, r.H)
	return out
}

// absolute lays out a box in its containing block r. It returns its piece and the place of the border box.
func (l *layouter) absolute(b *box, k link, r Rect, x, y float64) (p *piece, px, py float64) {
	s := b.style
	in4 := insets(s, r)
	m := margins(b, r.W)
	f := frameOf(b, r.W)
	rtl := b.parent != nil && b.parent.style.Direction == css.RTL
	sp := in(r.W, r.H)
	sp.shrink = true
	sp.avail = r.W - in4.left - in4.right
	if !in4.hasLeft && !in4.hasRight && k.alignX == 0 && !rtl {
		sp.avail = r.X + r.W - x
	}
	replaced := b.kind == replacedBox
	selfX, selfY := selfAlign(s.JustifySelf), selfAlign(s.AlignSelf)
	rat, _ := ratio(b)
	fullH := in4.hasTop && in4.hasBottom && s.Height.IsAuto() && selfY < 0 && !replaced
	fullW := in4.hasLeft && in4.hasRight && s.Width.IsAuto() && selfX < 0 && !replaced
	if rat > 0 && fullW && fullH {
		fullH = false
	}
	if rat > 0 && fullW && !s.Height.IsAuto() {
		fullW = false
	}
	if fullH {
		h := max(r.H-in4.top-in4.bottom-m.y(), f.y())
		lo, hi := l.heightLimits(b, sp, f, 0, indefinite)
		sp.fixH = max(min(h, hi), lo, f.y())
	}
	if fullW {
		w := max(r.W-in4.left-in4.right-m.x(), f.x())
		lo, hi := l.widthLimits(b, sp, f, 0)
		sp.fixW = max(min(w, hi), lo, f.x())
	}
	p = l.layout(b, sp)
	px = alongAxis(axisIn{
		start: r.X, room: r.W, size: p.w, before: m.Left, after: m.Right, hasStart: in4.hasLeft, hasEnd: in4.hasRight,
		insetStart: in4.left, insetEnd: in4.right, autoBefore: s.Margin.Left.IsAuto(), autoAfter: s.Margin.Right.IsAuto(),
		static: x, align: k.alignX, self: selfX, rtl: rtl,
	})
	py = alongAxis(axisIn{
		start: r.Y, room: r.H, size: p.h, before: m.Top, after: m.Bottom, hasStart: in4.hasTop, hasEnd: in4.hasBottom,
		insetStart: in4.top, insetEnd: in4.bottom, autoBefore: s.Margin.Top.IsAuto(), autoAfter: s.Margin.Bottom.IsAuto(),
		static: y, align: k.alignY, self: selfY,
	})
	return p, px, py
}

// selfAlign returns where a value of *-self puts a box between its insets: 0 to 1, or -1 for the initial values.
func selfAlign(a css.Align) float64 {
	switch a {
	case css.AlignCenter:
		return .5
	case css.AlignStart, css.AlignFlexStart, css.AlignSelfStart, css.AlignLeft, css.AlignBaseline:
		return 0
	case css.AlignEnd, css.AlignFlexEnd, css.AlignSelfEnd, css.AlignRight:
		return 1
	}
	return -1
}

// axisIn is what places an absolutely positioned box along one axis.
type axisIn struct {
	start, room, size     float64 // of the containing block and the border box
	before, after         float64 // margins
	hasStart, hasEnd      bool
	insetStart, insetEnd  float64
	autoBefore, autoAfter bool
	static, align, self   float64
	rtl                   bool
}

// alongAxis returns where the border box begins.
func alongAxis(a axisIn) float64 {
	switch {
	case a.hasStart && a.hasEnd:
		spare := a.room - a.insetStart - a.insetEnd - a.size - a.before - a.after
		at := a.start + a.insetStart + a.before
		switch {
		case a.autoBefore && a.autoAfter:
			if spare < 0 && !a.rtl {
				return at
			}
			return at + spare/2
		case a.autoBefore:
			return at + spare
		case a.autoAfter:
			return at
		case a.self >= 0:
			return at + spare*a.self
		case a.rtl:
			return at + spare
		}
		return at
	case a.hasStart:
		return a.start + a.insetStart + a.before
	case a.hasEnd:
		return a.start + a.room - a.insetEnd - a.after - a.size
	}
	outer := a.size + a.before + a.after
	return a.static - outer*a.align + a.before
}
