package kit

import (
	"cmp"

	"masthead/render/text"
)

// BestColumn returns which of some columns a heading goes into, each with more room than the one before, for which
// something else on the card gives way: the first in which the title is whole at a size of its ladder, and no line
// ends awkwardly; else the first that comes closest to that, and for a title that none holds the last.
func (c *Card) BestColumn(on Surface, h Heading, cols ...Column) int {
	best, rank := len(cols)-1, 0
	for i, col := range cols {
		r := c.titleRank(on, col, h)
		if r > rank {
			best, rank = i, r
		}
		if r == mostRank {
			break
		}
	}
	return best
}

const mostRank = 3

// titleRank returns how well a column suits a heading's title: 0 if it is cut, otherwise 1, and one more each for lines
// that end well, and for a size of its ladder.
func (c *Card) titleRank(on Surface, col Column, h Heading) (rank int) {
	h.Title, h.MaxH = cmp.Or(h.Title, c.Title), cmp.Or(h.MaxH, col.H)
	fit := func(h Heading) *text.Block { // without what doesn't fit
		b := c.fitHeading(on, col, h)[0].Block.Block
		if b == nil || b.Truncated || b.Ink.Y1 > col.H+1 {
			return nil
		}
		return b
	}
	b := fit(h)
	if b == nil {
		return 0
	}
	rank = 1
	if !b.Awkward() {
		rank++
	}
	h.strict = true
	if large := fit(h); large != nil && large.SizePx <= b.SizePx {
		rank++
	}
	return rank
}
