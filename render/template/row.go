package template

import (
	"image/color"

	"masthead/render/text"
)

// Row is a line of texts between two edges of the layout.
type Row struct {
	X0, X1 float64
	Anchor Anchor
	Y      float64 // of the anchor of each text
	Gap    float64 // between texts at the same end
	// MinFree is the least width that stays empty: that between the two ends, or beyond the last text.
	MinFree float64
	// InkBottom is the lowest that ink may reach: for more that hangs below its texts, the whole row stands higher.
	// 0: anywhere.
	InkBottom float64
}

// RowText is a text of a row.
type RowText struct {
	Text  string
	Style text.Style
	Role  Role
	Ink   color.NRGBA
	MaxW  float64 // beyond it the text is cut; 0: no limit
	// Address is cut in its middle, since its end says most; all others end in “…”.
	Address bool
	// AtEnd puts the text at the end of the row; all others follow each other from its start.
	AtEnd bool
}

// PutRow places texts in a row, the most important first: where not all of them have room, the last goes, then the
// one before it, and the first is cut. Empty ones leave no trace, and no gap. It returns the lowest ink of the row in
// the layout; 0 for an empty row.
func (c *Card) PutRow(row Row, texts ...RowText) (inkBottom float64) {
	items := c.fitRow(row, texts)
	y := row.Y
	if row.InkBottom > 0 {
		for _, it := range items {
			y = min(y, row.Y+row.InkBottom-row.Anchor.top(row.Y, it.Height)-it.Block.Ink.Y1)
		}
	}
	x0, x1 := row.X0, row.X1
	for _, it := range items {
		var x float64
		if it.from.AtEnd {
			x1 -= it.BoxWidth
			x, x1 = x1, x1-row.Gap
		} else {
			x, x0 = x0, x0+it.BoxWidth+row.Gap
		}
		p := c.Put(it.Item, x, row.Anchor, y)
		inkBottom = max(inkBottom, p.Bounds().Y1-c.down)
	}
	return inkBottom
}

// rowItem is a text of a row that has been set.
type rowItem struct {
	Item
	from RowText
}

// fitRow sets the texts that a row has room for.
func (c *Card) fitRow(row Row, texts []RowText) []rowItem {
	var items []rowItem
	for _, t := range texts {
		if b := c.setRowText(t, t.MaxW); !b.Empty() {
			items = append(items, rowItem{Item{b, t.Role, t.Ink}, t})
		}
	}
	room := max(row.X1-row.X0-row.MinFree, 1)
	for len(items) > 1 && rowWidth(items, row.Gap) > room {
		items = items[:len(items)-1]
	}
	if len(items) == 1 && items[0].BoxWidth > room {
		items[0].Block = c.setRowText(items[0].from, room)
	}
	return items
}

// setRowText sets a text in at most maxW.
func (c *Card) setRowText(t RowText, maxW float64) Block {
	if t.Address {
		return c.TruncateMiddle(t.Text, t.Style, maxW)
	}
	return c.Line(t.Text, t.Style, maxW)
}

// rowWidth returns what items take, with the gaps between those at the same end.
func rowWidth(items []rowItem, gap float64) (w float64) {
	start, end := 0, 0
	for _, it := range items {
		w += it.BoxWidth
		if it.from.AtEnd {
			end++
		} else {
			start++
		}
	}
	return w + gap*float64(max(start-1, 0)+max(end-1, 0))
}
