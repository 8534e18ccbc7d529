package boxtree

import (
	"masthead/render/html/css"
	"masthead/render/html/layout/fragment"
)

// turns returns by how many quarters clockwise the content of an element is turned in its box, 0 if its writing mode is
// that of what is around it.
func (b *Box) turns() int {
	if b.Node == nil || b.Anonymous || b.Kind == TextBox || b.Kind == BreakBox || b.Kind == ReplacedBox {
		return 0
	}
	if by := (b.Style.WritingMode.Quarters() - b.quarters + 4) % 4; by != 2 { // one sideways text in another stays
		return by
	}
	return 0
}

// fillTurned creates the content of an element with a writing mode of its own: it is laid out as horizontal text is, in
// a box that is turned about its center, which has a place in a turnedBox, the only child of the element.
func (l *State) fillTurned(b *Box, depth int) {
	by := b.turns()
	inner := *b.Node
	inner.Style = b.Style.Inner(by)
	styles := map[*css.Style]*css.Style{}
	inner.Children = l.turnedNodes(b.Node.Children, b.Style.WritingMode.Quarters(), styles)
	around := &Box{
		Kind: turnedBox, Style: InheritedStyle(b.Style), Parent: b, Anonymous: true, Root: true, quarters: b.quarters,
	}
	content := l.newBox(&inner, around, true)
	content.quarters, content.Decor = b.Style.WritingMode.Quarters(), b.Decor
	around.Kids = []*Box{content}
	b.Kind, b.Kids = FlowBox, []*Box{around}
	l.fill(content, depth+1)
}

// turnedNodes returns nodes with their styles in a turned frame, and those in them that are in the same one.
func (l *State) turnedNodes(nodes []*css.Node, quarters int, styles map[*css.Style]*css.Style) []*css.Node {
	out := make([]*css.Node, len(nodes))
	for i, n := range nodes {
		l.Spend(1)
		c := *n
		if n.Style != nil {
			if styles[n.Style] == nil {
				styles[n.Style] = n.Style.Turn(quarters)
			}
			c.Style = styles[n.Style]
			if n.Style.WritingMode.Quarters() == quarters {
				c.Children = l.turnedNodes(n.Children, quarters, styles)
			}
		}
		out[i] = &c
	}
	return out
}

// turnedPiece lays out the content of a turnedBox in a length, or, if that is indefinite, as long as it is, and at most
// as the canvas is high. across is the sum of its lines, or indefinite.
func (l *State) turnedPiece(b *Box, length, across float64) *Piece {
	sp := SpaceOf(l.Height, Indefinite)
	sp.Shrink = true
	if length >= 0 {
		sp = SpaceOf(length, Indefinite)
	}
	sp.FixH = across
	return l.Layout(b.Kids[0], sp)
}

// computeTurned lays out a turnedBox into p.
func (l *State) computeTurned(b *Box, sp Space, p *Piece) *Piece {
	p.W = max(sp.w, 0)
	k := l.turnedPiece(b, sp.H, p.W)
	p.H = k.W
	if b.Style.WritingMode == css.VerticalLR {
		k = k.mirrored()
	}
	p.Add(k, (p.W-k.W)/2, (p.H-k.H)/2)
	return p
}

// mirrored returns a piece whose lines and blocks follow each other upward.
func (p *Piece) mirrored() *Piece {
	out := *p
	out.Links = make([]Link, len(p.Links))
	for i, k := range p.Links {
		if k.Piece == nil {
			k.Y = p.H - k.Y
		} else {
			k.Y = p.H - k.Y - k.Piece.H
			if k.Piece.Kind == fragment.Box && k.Piece.Box.Kind != turnedBox {
				k.Piece = k.Piece.mirrored()
			}
		}
		out.Links[i] = k
	}
	return &out
}
