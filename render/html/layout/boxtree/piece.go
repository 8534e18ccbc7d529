package boxtree

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout/fragment"
)

// Piece is a box laid out under constraints, with the places of its children relative to it. It is immutable once
// returned, since it is cached.
type Piece struct {
	Kind            fragment.Kind
	Box             *Box
	W, H            float64 // border box
	Border, Padding fragment.Edges
	Links           []Link
	// First and last are the distances of the first and the last baseline from the top, or NaN.
	First, Last float64
	// Of blocks: margins of children that stick out at the top and the bottom, and whether these collapse through.
	Top, Bottom Strut
	Through     bool
	Floats      bool // it has floats that reach out of it
	Sized       bool // percentages of heights of children refer to its height
	// Of pieces of inline boxes.
	HasLeft, HasRight       bool
	SliceOffset, SliceWidth float64
	Hidden, Rest            bool
	Text                    *fragment.TextRun // with places relative to the piece
}

// Link is a child at its place, relative to the border box of its parent.
type Link struct {
	Piece *Piece
	X, Y  float64
	// Out is an absolutely positioned box, whose static position is at x and y; alignX and alignY (0, .5, 1) say which
	// point of its margin box stands there.
	Out            *Box
	AlignX, AlignY float64
	// Area is the area of a grid that contains the box, if it is positioned and the grid does; nil is all of it.
	Area *fragment.Rect
}

// Add adds a child at a place.
func (p *Piece) Add(child *Piece, x, y float64) {
	p.Links = append(p.Links, Link{Piece: child, X: x, Y: y})
}

// None is the place of a baseline that there isn't.
var None = math.NaN()

// IsNone reports whether there is no baseline.
func IsNone(v float64) bool { return v != v }

// Strut is a set of margins that collapse with each other.
type Strut struct{ pos, neg float64 }

// With returns the margins with one more.
func (s Strut) With(m float64) Strut {
	if m >= 0 {
		s.pos = max(s.pos, m)
	} else {
		s.neg = min(s.neg, m)
	}
	return s
}

// Join returns the margins of both.
func (s Strut) Join(o Strut) Strut { return Strut{max(s.pos, o.pos), min(s.neg, o.neg)} }

// Sum returns the margin that they collapse to.
func (s Strut) Sum() float64 { return s.pos + s.neg }

// maxLayouts bounds how often a box is laid out, or its intrinsic widths are computed; after that it stays as it is.
// Boxes with a ratio, one in another, get other widths for each height, and those in them twice as many each time.
// Cards lay out a box 5 times at most, and of 400 random styles nested 26 deep, all but three 257 times.
const maxLayouts = 300

// Layout lays out a box that establishes a formatting context of its own.
func (l *State) Layout(b *Box, sp Space) *Piece { return l.LayoutIn(b, sp, nil, 0, 0) }

// LayoutIn lays out a box whose border box begins at x and y (as far as known) in the coordinates of the floats of its
// formatting context.
func (l *State) LayoutIn(b *Box, sp Space, fl *Floats, x, y float64) *Piece {
	if b.Root {
		fl = nil
	}
	clean := fl == nil || len(fl.List) == 0
	if l.Clamp != nil {
		if b.Root {
			defer func(outer *int) { l.Clamp = outer }(l.Clamp)
			l.Clamp = nil
		} else {
			clean = false
		}
	}
	if clean {
		for i := range b.Cache {
			if c := &b.Cache[i]; c.piece != nil && c.space == sp {
				return c.piece
			}
		}
	}
	if b.layouts == maxLayouts {
		return b.last
	}
	b.layouts++
	l.Spend(100)
	if fl == nil {
		fl, x, y = &Floats{}, 0, 0
	}
	p := l.compute(b, sp, fl, x, y)
	b.last = p
	if clean && (b.Root || len(fl.List) == 0) {
		b.Cache[b.cacheNext] = CachedPiece{sp, p}
		b.cacheNext = (b.cacheNext + 1) % len(b.Cache)
	}
	return p
}

// compute is LayoutIn without cache.
func (l *State) compute(b *Box, sp Space, fl *Floats, x, y float64) *Piece {
	f := FrameOf(b, sp.w)
	p := &Piece{Kind: fragment.Box, Box: b, Border: f.Border, Padding: f.Padding, First: None, Last: None}
	p.HasLeft, p.HasRight = true, true
	if b.Kind == ReplacedBox {
		p.Kind = fragment.Replaced
		p.W, p.H = l.ReplacedSize(b, sp, f)
		p.W, p.H = Unit(p.W), Unit(p.H)
		return p
	}
	if b.Kind == turnedBox {
		return l.computeTurned(b, sp, p)
	}
	p.W = Unit(l.BoxWidth(b, sp, f))
	h, fixed := l.FixedHeight(b, sp, f)
	byRatio := false
	if !fixed {
		if r, ok := HeightByRatio(b, p.W, f); ok {
			lo, hi := l.HeightLimits(b, sp, f, 0, Indefinite)
			h, fixed, byRatio = min(max(r, lo), hi), true, true
		}
	}
	room := Area{W: max(0, p.W-f.X()), H: Indefinite, Main: Indefinite, MinH: 0, MaxH: math.Inf(1)}
	if fixed {
		room.Main = max(0, h-f.Y())
		if !sp.LooseH {
			room.H = room.Main
		}
	} else {
		lo, hi := l.HeightLimits(b, sp, f, 0, Indefinite)
		room.MinH, room.MaxH = max(0, lo-f.Y()), max(0, hi-f.Y())
	}
	if b.Anonymous && !b.Item && !fixed { // percentages refer to the box around it
		room.H = sp.H
	}
	if byRatio && (b.Kind == FlexBox || b.Kind == GridBox) { // these return the height that they are given
		h = l.ratioHeight(b, p, f, room, sp, h)
		room.Main = max(0, h-f.Y())
		if !sp.LooseH {
			room.H = room.Main
		}
	}
	p.Sized = room.H >= 0
	natural := l.natural(b, p, f, room, fl, x, y)
	switch {
	case byRatio:
		if growsFromRatio(b) {
			_, hi := l.HeightLimits(b, sp, f, 0, natural)
			h = max(h, min(natural, hi))
		}
	case !fixed:
		lo, hi := l.HeightLimits(b, sp, f, 0, natural)
		h = max(min(natural, hi), lo, f.Y())
	}
	p.H = Unit(max(h, f.Y()))
	if b.Kind == FlowBox {
		l.alignBlock(b, p, p.H-natural)
		if fixed && !byRatio || p.H > natural {
			p.Bottom = Strut{}
			p.Through = p.Through && p.H == 0
		}
	}
	return p
}

// natural lays out the content of a box, and returns the height of the border box that fits it.
func (l *State) natural(b *Box, p *Piece, f Frame, room Area, fl *Floats, x, y float64) float64 {
	h := l.inside(b, p, f, room, fl, x, y)
	if contained(b) == css.SizeContainer {
		h = 0
		if b.Kind == GridBox {
			h = l.contexts.Grid(withoutContent(b), &Piece{}, f, room)
		}
	}
	return h + f.Y()
}

// ratioHeight returns the height of a flex or grid container that has a ratio: at least that of its content, if its
// minimum is automatic. Source: CSS Sizing 4, 5.1.
func (l *State) ratioHeight(b *Box, p *Piece, f Frame, room Area, sp Space, h float64) float64 {
	if !growsFromRatio(b) {
		return h
	}
	again := *p
	var natural float64
	if b.Kind == FlexBox && (b.Style.FlexDirection > css.RowReverse || b.Style.FlexWrap != css.NoWrap) {
		room.H, room.Main = Indefinite, Indefinite
		natural = l.inside(b, &again, f, room, &Floats{}, 0, 0) + f.Y()
	} else { // items are stretched over the height by the ratio first
		l.inside(b, &again, f, room, &Floats{}, 0, 0)
		natural = again.extent(room.W) + f.Y()
	}
	_, hi := l.HeightLimits(b, sp, f, 0, natural)
	return max(h, min(natural, hi))
}

// growsFromRatio reports whether a box that has its height by its ratio is at least as high as its content.
func growsFromRatio(b *Box) bool {
	return b.Style.MinHeight.IsAuto() && b.Style.Height.IsAuto() && b.Style.OverflowY != css.OverflowHidden
}

// extent returns the height that the boxes in a piece take with their margins.
func (p *Piece) extent(w float64) float64 {
	top, bottom := math.Inf(1), math.Inf(-1)
	for i := range p.Links {
		if k := p.Links[i].Piece; k != nil {
			m := Margins(k.Box, w)
			top, bottom = min(top, p.Links[i].Y-m.Top), max(bottom, p.Links[i].Y+k.H+m.Bottom)
		}
	}
	return max(0, bottom-top)
}

// inside lays out the content of a box into p, and returns its height.
func (l *State) inside(b *Box, p *Piece, f Frame, room Area, fl *Floats, x, y float64) float64 {
	switch {
	case b.Kind == FlexBox:
		return l.contexts.Flex(b, p, f, room)
	case b.Kind == GridBox:
		return l.contexts.Grid(b, p, f, room)
	case b.Kind == TableBox:
		return l.contexts.Table(b, p, f, room)
	case b.Inlines:
		return l.contexts.Inline(b, p, f, room, fl, x, y)
	}
	return l.contexts.Flow(b, p, f, room, fl, x, y)
}

// Area is the content box to fill. h is the height that percentages refer to and main the height itself, as far as
// known; minH and maxH limit it otherwise.
type Area struct {
	W, H, Main, MinH, MaxH float64
}

// alignBlock moves the content of a block container by align-content, which has room to spare.
func (l *State) alignBlock(b *Box, p *Piece, spare float64) {
	if b.Anonymous || spare == 0 {
		return
	}
	var by float64
	switch b.Style.AlignContent {
	case css.AlignCenter, css.AlignSpaceAround, css.AlignSpaceEvenly:
		by = spare / 2
	case css.AlignEnd, css.AlignFlexEnd:
		by = spare
	}
	if by == 0 {
		return
	}
	for i := range p.Links {
		p.Links[i].Y += by
	}
	if !IsNone(p.First) {
		p.First, p.Last = p.First+by, p.Last+by
	}
}
