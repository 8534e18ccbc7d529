package kit

import (
	"cmp"

	"masthead/render/text"
)

// BestColumn returns which of some columns a heading goes into, each with more room than the one before, for which
// something else on the card gives way: the first in which the title is whole at a size of its ladder, and no line
// ends awkwardly; else the first that comes closest to that, and for a title that none holds the last. The next one
// may be better, too, for a title of three lines or more that has clearly better lines there, which are worth a smaller
// size, and one that is only larger there isn't if its lines are clearly worse.
func (c *Card) BestColumn(on Surface, h Heading, cols ...Column) int {
	best, rank := len(cols)-1, 0
	var title *text.Block
	for i, col := range cols {
		b, r := c.titleRank(on, col, h)
		better := r > rank
		switch {
		case title == nil || b == nil:
		case r == rank:
			better = b.WorthRoom(title) && (b.SizePx >= title.SizePx || text.ReadsBetter(b, title))
		case better && !title.Awkward(): // it is only larger
			better = !title.WorthRoom(b)
		}
		if better {
			best, rank, title = i, r, b
		}
		if rank == mostRank && (i > 0 || len(title.Lines) <= 2) {
			break
		}
	}
	return best
}

const mostRank = 3

// titleRank returns a heading's title, and how well a column suits it: 0 if it is cut, otherwise 1, and one more each
// for lines that end well, and for a size of its ladder.
func (c *Card) titleRank(on Surface, col Column, h Heading) (b *text.Block, rank int) {
	h.Title, h.MaxH = cmp.Or(h.Title, c.Title), cmp.Or(h.MaxH, col.H)
	fit := func(h Heading) *text.Block { // without what doesn't fit
		b := c.fitHeading(on, col, h)[0].Block.Block
		if b == nil || b.Truncated || b.Ink.Y1 > col.H+1 {
			return nil
		}
		return b
	}
	if b = fit(h); b == nil {
		return nil, 0
	}
	rank = 1
	if !b.Awkward() {
		rank++
	}
	h.strict = true
	if large := fit(h); large != nil && large.SizePx <= b.SizePx {
		rank++
	}
	return b, rank
}
