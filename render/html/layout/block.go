package layout

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/fragment"
)

// Flow lays out the block-level children of b into p and returns the height of the content.
func (l *layouter) Flow(
	b *boxtree.Box, p *boxtree.Piece, f boxtree.Frame, room boxtree.Area, fl *boxtree.Floats, x, y float64,
) float64 {
	c := &flowState{
		l: l, b: b, p: p, f: f, room: room, fl: fl, x: x + f.Left(), y: y + f.Top(),
		atTop: !b.Root && f.Top() == 0,
	}
	if l.Clamp == nil && !b.Anonymous && boxtree.Clamps(b.Style) > 0 && l.lines(b, room) > boxtree.Clamps(b.Style) {
		left := boxtree.Clamps(b.Style)
		l.Clamp = &left
		defer func() { l.Clamp = nil }()
	}
	for _, k := range b.Kids {
		if l.Clamp != nil && *l.Clamp <= 0 {
			break
		}
		switch {
		case k.OutOfFlow():
			p.Links = append(p.Links, boxtree.Link{Out: k, X: f.Left(), Y: f.Top() + c.cursor + c.pending.Sum()})
		case k.Floating():
			c.float(k)
		default:
			c.block(k)
		}
	}
	return c.finish()
}

// lines returns how many lines the blocks in b have without line-clamp.
func (l *layouter) lines(b *boxtree.Box, room boxtree.Area) int {
	n := 0
	var count func(k *boxtree.Box, w float64)
	count = func(k *boxtree.Box, w float64) {
		if k.OutOfFlow() || k.Floating() || k.Kind != boxtree.FlowBox || k != b && k.Root && !k.Anonymous {
			return
		}
		if k.Inlines {
			none := boxtree.Frame{}
			s := &inlineState{
				l: l, b: k, c: l.contentOf(k), p: &boxtree.Piece{}, f: none,
				room: boxtree.Area{W: w, H: boxtree.Indefinite, Main: boxtree.Indefinite},
				fl:   &boxtree.Floats{}, boxes: map[int]*boxtree.Piece{},
			}
			s.measure()
			n += s.count(w, maxText)
			return
		}
		for _, c := range k.Kids {
			count(c, l.BoxWidth(c, boxtree.SpaceOf(w, boxtree.Indefinite), boxtree.FrameOf(c, w))-boxtree.FrameOf(c, w).X())
		}
	}
	count(b, room.W)
	return n
}

// flowState is the state of a block formatting context within one container.
type flowState struct {
	l       *layouter
	b       *boxtree.Box
	p       *boxtree.Piece
	f       boxtree.Frame
	room    boxtree.Area
	fl      *boxtree.Floats
	x, y    float64       // of the content box, in the coordinates of the floats
	cursor  float64       // bottom of the last child, in the content box
	pending boxtree.Strut // margins below it
	atTop   bool          // the margins of children so far collapse with the top of the container
}

// float places a float.
func (c *flowState) float(k *boxtree.Box) {
	sp := boxtree.SpaceOf(c.room.W, c.room.H)
	sp.Shrink = true
	child := c.l.Layout(k, sp)
	m := boxtree.Margins(k, c.room.W)
	y := c.y + c.cursor + c.pending.Sum()
	px, py := c.fl.Place(k.Style, child.W+m.X(), child.H+m.Y(), c.x, c.x+c.room.W, y)
	c.p.Add(child, px+m.Left-c.x+c.f.Left(), py+m.Top-c.y+c.f.Top())
	c.p.Floats = true
}

// block places an in-flow block.
func (c *flowState) block(k *boxtree.Box) {
	l := c.l
	m := boxtree.Margins(k, c.room.W)
	sp := boxtree.SpaceOf(c.room.W, c.room.H)
	if !k.Anonymous && (k.Style.Display == css.DisplayTable || k.Kind == boxtree.ReplacedBox) {
		sp.Shrink = true
	}
	if c.justify(k) != css.AlignNormal {
		sp.Shrink = true
	}
	before := c.pending.With(m.Top)
	clear := c.clearance(k)
	guess := c.cursor + before.Sum()
	if c.atTop && len(c.fl.List) == 0 {
		guess = c.cursor
	}
	guess = max(guess, clear)
	left, right := 0.0, 0.0
	if (k.Root || k.Kind == boxtree.ReplacedBox) && len(c.fl.List) > 0 {
		guess, left, right = c.beside(k, sp, m, guess)
		sp.Avail = c.room.W - left - right
	}
	child := l.LayoutIn(k, sp, c.fl, c.startOf(k, m, sp, left, right), c.y+guess)
	collapses := !k.Root && k.Kind == boxtree.FlowBox
	top := before
	if collapses {
		top = top.Join(child.Top)
	}
	cx := c.f.Left() + c.blockX(k, m, child.W, left, right)
	if collapses && child.Through && clear <= c.cursor+top.Sum() {
		c.p.Add(child, cx, c.f.Top()+c.at(top))
		c.pending = top.With(m.Bottom).Join(child.Bottom)
		c.p.Floats = c.p.Floats || child.Floats
		return
	}
	y := c.cursor + top.Sum()
	if c.atTop {
		c.p.Top = top
		y = c.cursor
	}
	if clear > y {
		y = clear
		if c.atTop {
			c.p.Top = boxtree.Strut{}
		}
	}
	if left > 0 || right > 0 {
		y = max(y, guess)
	}
	c.put(child, cx, y)
	c.cursor = y + child.H
	c.pending = boxtree.Strut{}.With(m.Bottom)
	if collapses {
		c.pending = c.pending.Join(child.Bottom)
	}
}

// startOf returns the x of a block before it is laid out, in the coordinates of the floats.
func (c *flowState) startOf(k *boxtree.Box, m fragment.Edges, sp boxtree.Space, left, right float64) float64 {
	if k.Root || k.Anonymous || k.Kind != boxtree.FlowBox {
		return c.x + m.Left + left
	}
	w := c.l.BoxWidth(k, sp, boxtree.FrameOf(k, c.room.W))
	return c.x + c.blockX(k, m, w, left, right)
}

// clearance returns the y below the floats that a box clears, infinitely high without any.
func (c *flowState) clearance(k *boxtree.Box) float64 {
	if k.Anonymous || k.Style.Clear == css.ClearNone {
		return math.Inf(-1)
	}
	return c.fl.Clear(k.Style.Clear) - c.y
}

// put adds the piece of an in-flow block at x and y.
func (c *flowState) put(child *boxtree.Piece, x, y float64) {
	c.atTop = false
	c.p.Add(child, x, c.f.Top()+y)
	c.p.Floats = c.p.Floats || child.Floats
	if !boxtree.IsNone(child.First) {
		if boxtree.IsNone(c.p.First) {
			c.p.First = c.f.Top() + y + child.First
		}
		c.p.Last = c.f.Top() + y + child.Last
	}
}

// at returns where a box through which margins collapse is.
func (c *flowState) at(top boxtree.Strut) float64 {
	if c.atTop {
		return c.cursor
	}
	return c.cursor + top.Sum()
}

// beside finds the place of a formatting context next to floats, and the room that they take on both sides.
func (c *flowState) beside(k *boxtree.Box, sp boxtree.Space, m fragment.Edges, y float64) (at, left, right float64) {
	for range len(c.fl.List) + 1 {
		l, r := c.fl.Bounds(c.y+y, 1, c.x, c.x+c.room.W)
		left, right = l-c.x, c.x+c.room.W-r
		if left <= 0 && right <= 0 {
			return y, 0, 0
		}
		sp.Avail = c.room.W - left - right
		if child := c.l.Layout(k, sp); child.W+m.X() <= sp.Avail+.02 {
			return y, left, right
		}
		next := c.fl.Next(c.y + y)
		if math.IsInf(next, 1) {
			break
		}
		y = next - c.y
	}
	return y, left, right
}

// blockX returns the x of a border box of width w: the margins, of which auto ones share what is left.
func (c *flowState) blockX(k *boxtree.Box, m fragment.Edges, w, left, right float64) float64 {
	spare := c.room.W - left - right - w - m.X()
	if k.Anonymous {
		return left
	}
	s := k.Style
	autoL, autoR := s.Margin.Left.IsAuto(), s.Margin.Right.IsAuto()
	switch {
	case autoL && autoR:
		return left + max(0, spare/2)
	case autoL:
		return left + max(0, spare)
	case autoR:
		return left + m.Left
	}
	switch rtl := c.b.Style.Direction == css.RTL; c.justify(k) {
	case css.AlignCenter:
		return left + m.Left + max(0, spare/2)
	case css.AlignRight:
		return left + m.Left + max(0, spare)
	case css.AlignEnd, css.AlignFlexEnd, css.AlignSelfEnd:
		if !rtl {
			return left + m.Left + max(0, spare)
		}
	case css.AlignLeft:
	default:
		if rtl {
			return left + m.Left + spare
		}
	}
	return left + m.Left
}

// justify returns how a block is aligned in the line direction, normal if it fills its container. Source: CSS Box
// Alignment 3, 6.1.
func (c *flowState) justify(k *boxtree.Box) css.Align {
	if k.Anonymous || c.b.Anonymous {
		return css.AlignNormal
	}
	a := k.Style.JustifySelf
	if a == css.AlignAuto {
		a = c.b.Style.JustifyItems
	}
	if a == css.AlignAuto || a == css.AlignStretch {
		return css.AlignNormal
	}
	return a
}

// finish returns the height of the content, and decides which margins stick out at the bottom.
func (c *flowState) finish() float64 {
	p, b := c.p, c.b
	if b.Root && len(c.fl.List) > 0 { // a formatting context contains its floats
		c.cursor = max(c.cursor, 0)
		end := c.fl.Clear(css.ClearBoth) - c.y
		if end > c.cursor+c.pending.Sum() {
			c.cursor, c.pending = end, boxtree.Strut{}
		}
	}
	open := !b.Root && c.f.Border.Bottom == 0 && c.f.Padding.Bottom == 0
	if c.atTop { // nothing but margins
		p.Top, p.Bottom = c.pending, c.pending
		p.Through = open && c.cursor == 0
		if !p.Through {
			p.Bottom = boxtree.Strut{}
		}
		return 0
	}
	if open && c.room.Main < 0 {
		p.Bottom = c.pending
		return c.cursor
	}
	return max(0, c.cursor+c.pending.Sum())
}
