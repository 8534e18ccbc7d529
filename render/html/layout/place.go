package layout

import (
	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/fragment"
)

// containing are the fragments that contain absolutely positioned and fixed boxes; nil is the canvas.
type containing struct {
	absolute, fixed *fragment.Fragment
}

// placeRoot lays out the root element and places everything.
func (l *layouter) placeRoot(b *boxtree.Box) *fragment.Fragment {
	sp := boxtree.SpaceOf(l.Width, l.Height)
	p := l.Layout(b, sp)
	m := boxtree.Margins(b, l.Width)
	x := m.Left
	if b.Style.Margin.Left.IsAuto() && b.Style.Margin.Right.IsAuto() {
		x = max(0, (l.Width-p.W)/2)
	}
	if b.OutOfFlow() {
		return l.placeOut(boxtree.Link{Out: b}, nil, containing{}, 0, 0)
	}
	return l.place(p, nil, x, m.Top, containing{})
}

// place turns a piece whose border box begins at x and y into a fragment.
func (l *layouter) place(p *boxtree.Piece, parent *fragment.Fragment, x, y float64, cb containing) *fragment.Fragment {
	return l.placeIn(p, parent, nil, x, y, cb)
}

// placeIn is place for an item of a grid in an area.
func (l *layouter) placeIn(
	p *boxtree.Piece, parent *fragment.Fragment, area *fragment.Rect, x, y float64, cb containing,
) *fragment.Fragment {
	l.Spend(1)
	b := p.Box
	f := &fragment.Fragment{
		Kind: p.Kind, Node: b.Node, Style: b.Style, Anonymous: b.Anonymous, Parent: parent,
		Border: fragment.Rect{X: x, Y: y, W: p.W, H: p.H}, BorderWidth: p.Border, PaddingWidth: p.Padding,
		HasLeft: p.HasLeft, HasRight: p.HasRight, SliceWidth: p.W, FlexItem: b.Item && !b.Anonymous,
		Float: b.Floating(), Atomic: b.Atomic(), Replaced: b.Picture, Hidden: p.Hidden, Rest: p.Rest,
		Sized: p.Sized,
	}
	if p.Kind != fragment.Text && p.Kind != fragment.Emoji && !b.Anonymous {
		f.Positioned = b.Style.Position != css.Static
		f.OutOfFlow = b.OutOfFlow()
		if b.Relative() {
			dx, dy := l.relativeOffset(b, parent, area)
			x, y = x+dx, y+dy
			f.Border.X, f.Border.Y = x, y
		}
		if f.Positioned {
			cb.absolute = f
		}
		if boxtree.ContainsFixed(b) {
			cb.absolute, cb.fixed = f, f
		}
	}
	if p.Kind == fragment.Inline {
		f.SliceOffset, f.SliceWidth = p.SliceOffset, p.SliceWidth
	}
	if p.Text != nil {
		f.Text = p.Text.At(x, y)
	}
	if p.Kind == fragment.Text || p.Kind == fragment.Emoji {
		f.Atomic = false
		return f
	}
	if len(p.Links) > 0 {
		f.Children = make([]*fragment.Fragment, 0, len(p.Links))
	}
	for i := range p.Links {
		k := &p.Links[i]
		if k.Out == nil {
			f.Children = append(f.Children, l.placeIn(k.Piece, f, k.Area, x+k.X, y+k.Y, cb))
			continue
		}
		if out := l.placeOut(*k, f, cb, x+k.X, y+k.Y); out != nil {
			f.Children = append(f.Children, out)
		}
	}
	return f
}

// relativeOffset returns how far a relatively positioned box is moved. area is that of an item of a grid.
func (l *layouter) relativeOffset(
	b *boxtree.Box, parent *fragment.Fragment, area *fragment.Rect,
) (dx, dy float64) {
	w, h := l.Width, l.Height
	for parent != nil && (parent.Kind == fragment.Inline || parent.Anonymous && !b.Item) {
		parent = parent.Parent
	}
	switch {
	case area != nil:
		w, h = area.W, area.H
	case parent != nil:
		c := parent.Content()
		w, h = c.W, c.H
		if !parent.Sized {
			h = boxtree.Indefinite
		}
	}
	in := &b.Style.Inset
	left, right := boxtree.Definite(in.Left, w), boxtree.Definite(in.Right, w)
	switch {
	case left && !(right && b.Style.Direction == css.RTL):
		dx = boxtree.Unit(in.Left.Resolve(w))
	case right:
		dx = -boxtree.Unit(in.Right.Resolve(w))
	}
	switch {
	case boxtree.Definite(in.Top, h):
		dy = boxtree.Unit(in.Top.Resolve(max(h, 0)))
	case boxtree.Definite(in.Bottom, h):
		dy = -boxtree.Unit(in.Bottom.Resolve(max(h, 0)))
	}
	return dx, dy
}

// placeOut lays out an absolutely positioned box, whose static position is at x and y.
func (l *layouter) placeOut(k boxtree.Link, parent *fragment.Fragment, cb containing, x, y float64) *fragment.Fragment {
	b := k.Out
	container := cb.absolute
	if b.Style.Position == css.FixedPosition {
		container = cb.fixed
	}
	r := fragment.Rect{X: 0, Y: 0, W: l.Width, H: l.Height}
	if container != nil {
		r = container.Padding()
		if k.Area != nil && container == parent {
			r = fragment.Rect{X: parent.Border.X + k.Area.X, Y: parent.Border.Y + k.Area.Y, W: k.Area.W, H: k.Area.H}
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

func insets(s *css.Style, r fragment.Rect) insetsOf {
	var out insetsOf
	one := func(v value.Size, base float64) (float64, bool) {
		if v.Kind != value.Fixed {
			return 0, false
		}
		return boxtree.Unit(v.Resolve(base)), true
	}
	out.left, out.hasLeft = one(s.Inset.Left, r.W)
	out.right, out.hasRight = one(s.Inset.Right, r.W)
	out.top, out.hasTop = one(s.Inset.Top, r.H)
	out.bottom, out.hasBottom = one(s.Inset.Bottom, r.H)
	return out
}

// absolute lays out a box in its containing block r. It returns its piece and the place of the border box.
func (l *layouter) absolute(
	b *boxtree.Box, k boxtree.Link, r fragment.Rect, x, y float64,
) (p *boxtree.Piece, px, py float64) {
	s := b.Style
	in4 := insets(s, r)
	m := boxtree.Margins(b, r.W)
	f := boxtree.FrameOf(b, r.W)
	rtl := b.Parent != nil && b.Parent.Style.Direction == css.RTL
	sp := boxtree.SpaceOf(r.W, r.H)
	sp.Shrink = true
	sp.Avail = r.W - in4.left - in4.right
	if !in4.hasLeft && !in4.hasRight && k.AlignX == 0 && !rtl {
		sp.Avail = r.X + r.W - x
	}
	replaced := b.Kind == boxtree.ReplacedBox
	selfX, selfY := selfAlign(s.JustifySelf), selfAlign(s.AlignSelf)
	rat, _ := boxtree.Ratio(b)
	fullH := in4.hasTop && in4.hasBottom && s.Height.IsAuto() && selfY < 0 && !replaced
	fullW := in4.hasLeft && in4.hasRight && s.Width.IsAuto() && selfX < 0 && !replaced
	if rat > 0 && fullW && fullH {
		fullH = false
	}
	if rat > 0 && fullW && !s.Height.IsAuto() {
		fullW = false
	}
	if rat > 0 && fullH && !s.Width.IsAuto() {
		fullH = false
	}
	if fullH {
		h := max(r.H-in4.top-in4.bottom-m.Y(), f.Y())
		lo, hi := l.HeightLimits(b, sp, f, 0, boxtree.Indefinite)
		sp.FixH = max(min(h, hi), lo, f.Y())
	}
	if fullW {
		w := max(r.W-in4.left-in4.right-m.X(), f.X())
		lo, hi := l.WidthLimits(b, sp, f, 0)
		sp.FixW = max(min(w, hi), lo, f.X())
	}
	p = l.Layout(b, sp)
	px = alongAxis(axisIn{
		start: r.X, room: r.W, size: p.W, before: m.Left, after: m.Right, hasStart: in4.hasLeft, hasEnd: in4.hasRight,
		insetStart: in4.left, insetEnd: in4.right, autoBefore: s.Margin.Left.IsAuto(), autoAfter: s.Margin.Right.IsAuto(),
		static: x, align: k.AlignX, self: selfX, rtl: rtl,
	})
	py = alongAxis(axisIn{
		start: r.Y, room: r.H, size: p.H, before: m.Top, after: m.Bottom, hasStart: in4.hasTop, hasEnd: in4.hasBottom,
		insetStart: in4.top, insetEnd: in4.bottom, autoBefore: s.Margin.Top.IsAuto(), autoAfter: s.Margin.Bottom.IsAuto(),
		static: y, align: k.AlignY, self: selfY, vertical: true,
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
	rtl, vertical         bool
}

// alongAxis returns where the border box begins.
func alongAxis(a axisIn) float64 {
	switch {
	case a.hasStart && a.hasEnd:
		spare := a.room - a.insetStart - a.insetEnd - a.size - a.before - a.after
		at := a.start + a.insetStart + a.before
		switch {
		case a.autoBefore && a.autoAfter:
			switch { // Source: CSS 2.2, 10.3.7 and 10.6.4
			case spare >= 0 || a.vertical:
				return at + spare/2
			case a.rtl:
				return at + spare
			}
			return at
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
