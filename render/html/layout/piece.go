package layout

import (
	"math"

	"masthead/render/html/css"
)

// piece is a box laid out under constraints, with the places of its children relative to it. It is immutable once
// returned, since it is cached.
type piece struct {
	kind            Kind
	box             *box
	w, h            float64 // border box
	border, padding Edges
	links           []link
	// first and last are the distances of the first and the last baseline from the top, or NaN.
	first, last float64
	// Of blocks: margins of children that stick out at the top and the bottom, and whether these collapse through.
	top, bottom strut
	through     bool
	floats      bool // it has floats that reach out of it
	// Of pieces of inline boxes.
	hasLeft, hasRight       bool
	sliceOffset, sliceWidth float64
	hidden, rest            bool
	text                    *TextRun // with places relative to the piece
}

// link is a child at its place, relative to the border box of its parent.
type link struct {
	piece *piece
	x, y  float64
	// out is an absolutely positioned box, whose static position is at x and y; alignX and alignY (0, .5, 1) say which
	// point of its margin box stands there.
	out            *box
	alignX, alignY float64
	// area is the area of a grid that contains the box, if the grid does; nil is all of it.
	area *Rect
}

func (p *piece) add(child *piece, x, y float64) {
	p.links = append(p.links, link{piece: child, x: x, y: y})
}

var none = math.NaN()

func isNone(v float64) bool { return v != v }

// strut is a set of margins that collapse with each other.
type strut struct{ pos, neg float64 }

func (s strut) with(m float64) strut {
	if m >= 0 {
		s.pos = max(s.pos, m)
	} else {
		s.neg = min(s.neg, m)
	}
	return s
}

func (s strut) join(o strut) strut { return strut{max(s.pos, o.pos), min(s.neg, o.neg)} }
func (s strut) sum() float64       { return s.pos + s.neg }

// layout lays out a box that establishes a formatting context of its own.
func (l *layouter) layout(b *box, sp space) *piece { return l.layoutIn(b, sp, nil, 0, 0) }

// layoutIn lays out a box whose border box begins at x and y (as far as known) in the coordinates of the floats of its
// formatting context.
func (l *layouter) layoutIn(b *box, sp space, fl *floats, x, y float64) *piece {
	if b.root {
		fl = nil
	}
	clean := fl == nil || len(fl.list) == 0
	if l.clamp != nil {
		if b.root {
			defer func(outer *int) { l.clamp = outer }(l.clamp)
			l.clamp = nil
		} else {
			clean = false
		}
	}
	if clean {
		for i := range b.cache {
			if c := &b.cache[i]; c.piece != nil && c.space == sp {
				return c.piece
			}
		}
	}
	l.spend(10)
	if fl == nil {
		fl, x, y = &floats{}, 0, 0
	}
	p := l.compute(b, sp, fl, x, y)
	if clean && (b.root || len(fl.list) == 0) {
		b.cache[b.cacheNext] = cachedPiece{sp, p}
		b.cacheNext = (b.cacheNext + 1) % len(b.cache)
	}
	return p
}

// compute is layoutIn without cache.
func (l *layouter) compute(b *box, sp space, fl *floats, x, y float64) *piece {
	f := frameOf(b, sp.w)
	p := &piece{kind: Box, box: b, border: f.border, padding: f.padding, first: none, last: none}
	p.hasLeft, p.hasRight = true, true
	if b.kind == replacedBox {
		p.kind = Replaced
		p.w, p.h = l.replacedSize(b, sp, f)
		p.w, p.h = unit(p.w), unit(p.h)
		return p
	}
	p.w = unit(l.boxWidth(b, sp, f))
	h, fixed := l.fixedHeight(b, sp, f)
	byRatio := false
	if !fixed {
		if r, ok := heightByRatio(b, p.w, f); ok {
			lo, hi := l.heightLimits(b, sp, f, 0, indefinite)
			h, fixed, byRatio = min(max(r, lo), hi), true, true
		}
	}
	room := area{w: max(0, p.w-f.x()), h: indefinite, main: indefinite, minH: 0, maxH: math.Inf(1)}
	if fixed {
		room.main = max(0, h-f.y())
		if !sp.looseH {
			room.h = room.main
		}
	} else {
		lo, hi := l.heightLimits(b, sp, f, 0, indefinite)
		room.minH, room.maxH = max(0, lo-f.y()), max(0, hi-f.y())
	}
	if b.anonymous && !b.item && !fixed { // percentages refer to the box around it
		room.h = sp.h
	}
	if byRatio && (b.kind == flexBox || b.kind == gridBox) { // these return the height that they are given
		h = l.ratioHeight(b, p, f, room, sp, h)
		room.main = max(0, h-f.y())
		if !sp.looseH {
			room.h = room.main
		}
	}
	natural := l.natural(b, p, f, room, fl, x, y)
	switch {
	case byRatio:
		if b.style.MinHeight.IsAuto() && b.style.OverflowY == css.OverflowVisible {
			_, hi := l.heightLimits(b, sp, f, 0, natural)
			h = max(h, min(natural, hi))
		}
	case !fixed:
		lo, hi := l.heightLimits(b, sp, f, 0, natural)
		h = max(min(natural, hi), lo, f.y())
	}
	p.h = unit(max(h, f.y()))
	if b.kind == flowBox {
		l.alignBlock(b, p, p.h-natural)
		if fixed && !byRatio || p.h > natural {
			p.bottom = strut{}
			p.through = p.through && p.h == 0
		}
	}
	return p
}

// natural lays out the content of a box, and returns the height of the border box that fits it.
func (l *layouter) natural(b *box, p *piece, f frame, room area, fl *floats, x, y float64) float64 {
	h := l.inside(b, p, f, room, fl, x, y)
	if contained(b) == css.SizeContainer {
		h = 0
		if b.kind == gridBox {
			h = l.grid(withoutContent(b), &piece{}, f, room)
		}
	}
	return h + f.y()
}

// ratioHeight returns the height of a flex or grid container that has a ratio: at least that of its content, if its
// minimum is automatic. Source: CSS Sizing 4, 5.1.
func (l *layouter) ratioHeight(b *box, p *piece, f frame, room area, sp space, h float64) float64 {
	if !b.style.MinHeight.IsAuto() || b.style.OverflowY != css.OverflowVisible {
		return h
	}
	room.h, room.main = indefinite, indefinite
	again := *p
	natural := l.inside(b, &again, f, room, &floats{}, 0, 0) + f.y()
	_, hi := l.heightLimits(b, sp, f, 0, natural)
	return max(h, min(natural, hi))
}

// inside lays out the content of a box into p, and returns its height.
func (l *layouter) inside(b *box, p *piece, f frame, room area, fl *floats, x, y float64) float64 {
	switch {
	case b.kind == flexBox:
		return l.flex(b, p, f, room)
	case b.kind == gridBox:
		return l.grid(b, p, f, room)
	case b.kind == tableBox:
		return l.tableBody(b, p, f, room)
	case b.inlines:
		return l.inline(b, p, f, room, fl, x, y)
	}
	return l.flow(b, p, f, room, fl, x, y)
}

// area is the content box to fill. h is the height that percentages refer to and main the height itself, as far as
// known; minH and maxH limit it otherwise.
type area struct {
	w, h, main, minH, maxH float64
}

// alignBlock moves the content of a block container by align-content, which has room to spare.
func (l *layouter) alignBlock(b *box, p *piece, spare float64) {
	if b.anonymous || spare == 0 {
		return
	}
	var by float64
	switch b.style.AlignContent {
	case css.AlignCenter, css.AlignSpaceAround, css.AlignSpaceEvenly:
		by = spare / 2
	case css.AlignEnd, css.AlignFlexEnd:
		by = spare
	}
	if by == 0 {
		return
	}
	for i := range p.links {
		p.links[i].y += by
	}
	if !isNone(p.first) {
		p.first, p.last = p.first+by, p.last+by
	}
}
