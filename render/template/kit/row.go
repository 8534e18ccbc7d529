package kit

import (
	"image/color"
	"strings"

	"masthead/render/text"
)

// Span is a horizontal part of the layout, in pixels.
type Span struct{ X0, X1 float64 }

// Row is a line of texts and icons. It moves up if ink would leave the text zone at the bottom.
type Row struct {
	Span
	Anchor Anchor
	Y      float64 // of the anchor of each text; icons are centered on the first one's capitals
	Gap    float64 // between items
	// MinFree is the minimum width that stays empty: between the two ends, or after the last item.
	MinFree float64
}

// RowItem is a text or an icon in a row. The zero value is ignored.
type RowItem struct {
	Text  string
	Style text.Style
	Role  Role
	Color color.NRGBA
	MaxW  float64 // maximum width before truncation; 0 means unlimited
	// Address means truncation in the middle, since the end is the most important; all others end in “…”.
	Address bool
	// Parts replace Text, separated by dots. The last ones are dropped before the first is cut.
	Parts []string

	// Icon is the side of the site's icon, which replaces the text.
	Icon int
	On   Surface // of the icon

	// AtEnd places the item at the end of the row; all others follow each other from its start.
	AtEnd bool
}

// PutRow places items in a row, the most important first. If they do not fit, it drops them from the last one on, and
// finally truncates the first text. Empty items leave no gap. It returns the bottom of the row in the layout; ok is
// false if the row is empty.
func (c *Card) PutRow(row Row, items ...RowItem) (bottom float64, ok bool) {
	set := c.fitRow(row, items)
	_, lowest := c.textZone()
	y, height := row.Y, 0.0 // height is that of the first text
	for i := len(set) - 1; i >= 0; i-- {
		if it := set[i]; it.from.Icon == 0 {
			height = it.Height
			y = min(y, row.Y+lowest-row.Anchor.top(row.Y, it.Height)-it.Ink.Y1)
		}
	}
	x0, x1 := row.X0, row.X1
	for _, it := range set {
		x := x0
		if it.from.AtEnd {
			x = x1 - it.width()
			x1 = x - row.Gap
		} else {
			x0 += it.width() + row.Gap
		}
		if side := it.from.Icon; side > 0 {
			top := int(row.Anchor.top(row.Y, height) + (height-float64(side))/2 + .5)
			c.drawIcon(it.from.On, int(x), top, side)
			bottom = max(bottom, float64(top+side))
			continue
		}
		p := c.Put(it.Item, x, row.Anchor, y)
		if p.Empty() { // too little room
			continue
		}
		bottom = max(bottom, p.Bounds().Y1-c.down)
	}
	return bottom, len(set) > 0
}

// rowItem is an item with its laid-out text.
type rowItem struct {
	Item
	from RowItem
}

func (it *rowItem) width() float64 {
	if it.from.Icon > 0 {
		return float64(it.from.Icon)
	}
	return it.BoxWidth
}

// fitRow lays out the items that fit into the row.
func (c *Card) fitRow(row Row, items []RowItem) []rowItem {
	var set []rowItem
	for _, it := range items {
		if b := c.setRowItem(it, it.MaxW); it.Icon > 0 || !b.Empty() {
			set = append(set, rowItem{Item{b, it.Role, it.Color}, it})
		}
	}
	least := 1 // the first text, and an icon before it
	if len(set) > 0 && set[0].from.Icon > 0 {
		least = 2
	}
	for len(set) > least && row.excess(set) > 0 {
		set = set[:len(set)-1]
	}
	if over := row.excess(set); over > 0 && len(set) > 0 {
		if last := &set[len(set)-1]; last.from.Icon == 0 {
			last.Block = c.setRowItem(last.from, max(last.BoxWidth-over, 1))
		}
	}
	return set
}

// setRowItem lays out a text in at most maxW pixels; 0 means no limit.
func (c *Card) setRowItem(it RowItem, maxW float64) Block {
	switch {
	case it.Address:
		return c.TruncateMiddle(it.Text, it.Style, maxW)
	case len(it.Parts) == 0:
		return c.Line(it.Text, it.Style, maxW)
	}
	for n := len(it.Parts); n > 1; n-- {
		if b := c.Line(strings.Join(it.Parts[:n], " · "), it.Style, 0); maxW == 0 || b.BoxWidth <= maxW {
			return b
		}
	}
	b := c.Line(it.Parts[0], it.Style, maxW)
	if at := strings.LastIndex(b.Text(), ", "); b.Truncated && 2*at > len(b.Text()) { // of several names, whole ones
		b = c.Line(b.Text()[:at]+"…", it.Style, 0)
		b.Truncated = true
	}
	return b
}

// excess returns by how many pixels the items exceed the row, including gaps and required free space.
func (r *Row) excess(set []rowItem) float64 {
	width, free, atEnd := 0.0, r.MinFree, 0
	for i := range set {
		width += set[i].width()
		if set[i].from.AtEnd {
			atEnd++
		}
	}
	gaps := max(len(set)-1, 0)
	if atEnd > 0 && atEnd < len(set) { // one gap lies between the ends
		gaps, free = gaps-1, max(r.MinFree, r.Gap)
	}
	return width + float64(gaps)*r.Gap + free - (r.X1 - r.X0)
}
