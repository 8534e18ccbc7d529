package layout

import (
	"math"

	"masthead/render/html/css"
)

// flow lays out the block-level children of b into p and returns the height of the content.
func (l *layouter) flow(b *box, p *piece, f frame, room area, fl *floats, x, y float64) float64 {
	c := &flowState{
		l: l, b: b, p: p, f: f, room: room, fl: fl, x: x + f.left(), y: y + f.top(),
		atTop: !b.root && f.top() == 0,
	}
	if l.clamp == nil && !b.anonymous && clamps(b.style) > 0 && l.lines(b, room) > clamps(b.style) {
		left := clamps(b.style)
		l.clamp = &left
		defer func() { l.clamp = nil }()
	}
	for _, k := range b.kids {
		if l.clamp != nil && *l.clamp <= 0 {
			break
		}
		switch {
		case k.outOfFlow():
			p.links = append(p.links, link{out: k, x: f.left(), y: f.top() + c.cursor + c.pending.sum()})
		case k.floating():
			c.float(k)
		default:
			c.block(k)
		}
	}
	return c.finish()
}

// lines returns how many lines the blocks in b have without line-clamp.
func (l *layouter) lines(b *box, room area) int {
	n := 0
	var count func(k *box, w float64)
	count = func(k *box, w float64) {
		if k.outOfFlow() || k.floating() || k.kind != flowBox || k != b && k.root && !k.anonymous {
			return
		}
		if k.inlines {
			none := frame{}
			s := &inlineState{
				l: l, b: k, c: l.contentOf(k), p: &piece{}, f: none, room: area{w: w, h: indefinite, main: indefinite},
				fl: &floats{}, boxes: map[int]*piece{},
			}
			s.measure()
			n += s.count(w, maxText)
			return
		}
		for _, c := range k.kids {
			count(c, l.boxWidth(c, in(w, indefinite), frameOf(c, w))-frameOf(c, w).x())
		}
	}
	count(b, room.w)
	return n
}

// flowState is the state of a block formatting context within one container.
type flowState struct {
	l       *layouter
	b       *box
	p       *piece
	f       frame
	room    area
	fl      *floats
	x, y    float64 // of the content box, in the coordinates of the floats
	cursor  float64 // bottom of the last child, in the content box
	pending strut   // margins below it
	atTop   bool    // the margins of children so far collapse with the top of the container
}

// float places a float.
func (c *flowState) float(k *box) {
	sp := in(c.room.w, c.room.h)
	sp.shrink = true
	child := c.l.layout(k, sp)
	m := margins(k, c.room.w)
	y := c.y + c.cursor + c.pending.sum()
	px, py := c.fl.place(k.style, child.w+m.x(), child.h+m.y(), c.x, c.x+c.room.w, y)
	c.p.add(child, px+m.Left-c.x+c.f.left(), py+m.Top-c.y+c.f.top())
	c.p.floats = true
}

// block places an in-flow block.
func (c *flowState) block(k *box) {
	l := c.l
	m := margins(k, c.room.w)
	sp := in(c.room.w, c.room.h)
	if !k.anonymous && (k.style.Display == css.DisplayTable || k.kind == replacedBox) {
		sp.shrink = true
	}
	before := c.pending.with(m.Top)
	clear := c.clearance(k)
	guess := c.cursor + before.sum()
	if c.atTop && len(c.fl.list) == 0 {
		guess = c.cursor
	}
	guess = max(guess, clear)
	left, right := 0.0, 0.0
	if (k.root || k.kind == replacedBox) && len(c.fl.list) > 0 {
		guess, left, right = c.beside(k, sp, m, guess)
		sp.avail = c.room.w - left - right
	}
	child := l.layoutIn(k, sp, c.fl, c.x+m.Left+left, c.y+guess)
	collapses := !k.root && k.kind == flowBox
	top := before
	if collapses {
		top = top.join(child.top)
	}
	cx := c.f.left() + c.blockX(k, m, child, left, right)
	if collapses && child.through && clear <= c.cursor+top.sum() {
		c.p.add(child, cx, c.f.top()+c.at(top))
		c.pending = top.with(m.Bottom).join(child.bottom)
		c.p.floats = c.p.floats || child.floats
		return
	}
	y := c.cursor + top.sum()
	if c.atTop {
		c.p.top = top
		y = c.cursor
	}
	if clear > y {
		y = clear
		if c.atTop {
			c.p.top = strut{}
		}
	}
	if left > 0 || right > 0 {
		y = max(y, guess)
	}
	c.put(child, cx, y)
	c.cursor = y + child.h
	c.pending = strut{}.with(m.Bottom)
	if collapses {
		c.pending = c.pending.join(child.bottom)
	}
}

// clearance returns the y below the floats that a box clears, infinitely high without any.
func (c *flowState) clearance(k *box) float64 {
	if k.anonymous || k.style.Clear == css.ClearNone {
		return math.Inf(-1)
	}
	return c.fl.clear(k.style.Clear) - c.y
}

// put adds the piece of an in-flow block at x and y.
func (c *flowState) put(child *piece, x, y float64) {
	c.atTop = false
	c.p.add(child, x, c.f.top()+y)
	c.p.floats = c.p.floats || child.floats
	if !isNone(child.first) {
		if isNone(c.p.first) {
			c.p.first = c.f.top() + y + child.first
		}
		c.p.last = c.f.top() + y + child.last
	}
}

// at returns where a box through which margins collapse is.
func (c *flowState) at(top strut) float64 {
	if c.atTop {
		return c.cursor
	}
	return c.cursor + top.sum()
}

// beside finds the place of a formatting context next to floats, and the room that they take on both sides.
func (c *flowState) beside(k *box, sp space, m Edges, y float64) (at, left, right float64) {
	for range len(c.fl.list) + 1 {
		l, r := c.fl.bounds(c.y+y, 1, c.x, c.x+c.room.w)
		left, right = l-c.x, c.x+c.room.w-r
		if left <= 0 && right <= 0 {
			return y, 0, 0
		}
		sp.avail = c.room.w - left - right
		if child := c.l.layout(k, sp); child.w+m.x() <= sp.avail+.02 {
			return y, left, right
		}
		next := c.fl.next(c.y + y)
		if math.IsInf(next, 1) {
			break
		}
		y = next - c.y
	}
	return y, left, right
}

// blockX returns the x of the border box: the margins, of which auto ones share what is left.
func (c *flowState) blockX(k *box, m Edges, child *piece, left, right float64) float64 {
	spare := c.room.w - left - right - child.w - m.x()
	if k.anonymous {
		return left
	}
	s := k.style
	autoL, autoR := s.Margin.Left.IsAuto(), s.Margin.Right.IsAuto()
	switch {
	case autoL && autoR:
		return left + max(0, spare/2)
	case autoL:
		return left + max(0, spare)
	case c.b.style.Direction == css.RTL && !autoR:
		return left + m.Left + spare
	}
	return left + m.Left
}

// finish returns the height of the content, and decides which margins stick out at the bottom.
func (c *flowState) finish() float64 {
	p, b := c.p, c.b
	if b.root && len(c.fl.list) > 0 { // a formatting context contains its floats
		c.cursor = max(c.cursor, 0)
		end := c.fl.clear(css.ClearBoth) - c.y
		if end > c.cursor+c.pending.sum() {
			c.cursor, c.pending = end, strut{}
		}
	}
	open := !b.root && c.f.border.Bottom == 0 && c.f.padding.Bottom == 0
	if c.atTop { // nothing but margins
		p.top, p.bottom = c.pending, c.pending
		p.through = open && c.cursor == 0
		if !p.through {
			p.bottom = strut{}
		}
		return 0
	}
	if open && c.room.main < 0 {
		p.bottom = c.pending
		return c.cursor
	}
	return max(0, c.cursor+c.pending.sum())
}

// floats are the floats of a block formatting context, in its coordinates.
type floats struct {
	list []floated
}

// floated is the margin box of a placed float.
type floated struct {
	left           bool
	x0, y0, x1, y1 float64
}

// bounds returns the room between floats in [x0, x1] from y to y+h.
func (fl *floats) bounds(y, h, x0, x1 float64) (left, right float64) {
	left, right = x0, x1
	for _, r := range fl.list {
		if r.y1 <= y || r.y0 >= y+h {
			continue
		}
		if r.left {
			left = max(left, r.x1)
		} else {
			right = min(right, r.x0)
		}
	}
	return left, right
}

// next returns the next bottom of a float below y.
func (fl *floats) next(y float64) float64 {
	out := math.Inf(1)
	for _, r := range fl.list {
		if r.y1 > y {
			out = min(out, r.y1)
		}
	}
	return out
}

// clear returns the y below the floats of a side.
func (fl *floats) clear(side css.Clear) float64 {
	out := math.Inf(-1)
	for _, r := range fl.list {
		if side == css.ClearBoth || side == css.ClearLeft && r.left || side == css.ClearRight && !r.left {
			out = max(out, r.y1)
		}
	}
	return out
}

// maxFloats bounds the floats of a formatting context: finding room takes time for each.
const maxFloats = 200

// place finds the place of a float with a margin box of w by h at or below y, in [x0, x1].
func (fl *floats) place(s *css.Style, w, h, x0, x1, y float64) (x, top float64) {
	left := s.Float == css.FloatLeft
	if s.Clear != css.ClearNone {
		y = max(y, fl.clear(s.Clear))
	}
	for _, r := range fl.list { // not above an earlier one
		y = max(y, r.y0)
	}
	for range len(fl.list) + 1 {
		l, r := fl.bounds(y, max(h, 1), x0, x1)
		if r-l >= w-.02 || math.IsInf(fl.next(y), 1) {
			break
		}
		y = fl.next(y)
	}
	l, r := fl.bounds(y, max(h, 1), x0, x1)
	x = l
	if !left {
		x = r - w
	}
	if len(fl.list) < maxFloats {
		fl.list = append(fl.list, floated{left, x, y, x + w, y + h})
	}
	return x, y
}
