package template

import "masthead/render/text"

// Column is a place in the layout for blocks that stand under each other.
type Column struct {
	X      float64 // the left edge of the blocks
	Anchor Anchor  // of all blocks together
	Y      float64 // of the anchor
	Gap    float64 // from a baseline to the capitals below it, or more: see text.StackOffset
	// InkTop is the highest that ink may reach: for marks that rise above it from the capitals of the first line, the
	// column stands lower. 0: anywhere.
	InkTop float64
}

// lowered returns by how much the column must stand lower for its first block.
func (col *Column) lowered(top float64, first Block) float64 {
	if col.InkTop == 0 || first.Empty() {
		return 0
	}
	return max(0, col.InkTop-first.Ink.Y0-top)
}

// PutColumn places blocks under each other. Empty ones leave no trace, and no gap.
func (c *Card) PutColumn(col Column, items ...Item) []Placed {
	var blocks []Item
	var tops []float64 // of the blocks, from that of the first
	height := 0.0
	for _, it := range items {
		if it.Empty() {
			continue
		}
		top := 0.0
		if n := len(blocks); n > 0 {
			top = tops[n-1] + text.StackOffset(blocks[n-1].Block.Block, it.Block.Block, col.Gap)
		}
		blocks, tops = append(blocks, it), append(tops, top)
		height = top + it.Height
	}
	if len(blocks) == 0 {
		return nil
	}
	y := col.Anchor.top(col.Y, height)
	y += col.lowered(y, blocks[0].Block)
	placed := make([]Placed, len(blocks))
	for i, it := range blocks {
		placed[i] = c.Put(it, col.X, Top, y+tops[i])
	}
	return placed
}

// PutTitle fits a title and a description into a room and places them in a column that is anchored at its top. Where
// the column must stand lower, the two are fitted anew into less room: what stands below them stays clear.
func (c *Card) PutTitle(col Column, s text.Stack) {
	title, description := c.FitStack(s)
	if down := col.lowered(col.Y, title); down > 0 {
		col.Y, s.TitleBox.H, s.MaxHeight = col.Y+down, s.TitleBox.H-down, s.MaxHeight-down
		title, description = c.FitStack(s)
	}
	col.InkTop, col.Gap = 0, s.Gap
	c.PutColumn(col, Item{title, Title, c.Theme.Text}, Item{description, Essential, c.Theme.Muted})
}
