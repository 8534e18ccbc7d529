package template

import "masthead/render/text"

// Column is a box of the layout in which blocks stand under each other. The height of a block is that of its [Anchor].
type Column struct {
	X, Y, W, H float64
	Anchor     Anchor  // of all blocks together: at the top, in the middle or at the bottom of the box
	Gap        float64 // from a baseline to the capitals below it, or more: see text.StackOffset
	// Under is where that ends which stands over the column; 0: nothing does. Where marks that rise above the capitals
	// would come nearer than underGap, or leave the zone of text, the column stands lower.
	Under float64
}

// underGap is the least distance of the ink of a column to what stands over it.
const underGap = 16

// PutColumn places blocks under each other. Empty ones leave no trace, and no gap. Where the column stands lower for
// its ink, it may pass its lower edge; [Card.PutHeading] fits its texts anew instead.
func (c *Card) PutColumn(col Column, items ...Item) []Placed {
	items, tops, height := stack(items, col.Gap)
	y, _ := c.columnTop(col, items, height)
	placed := make([]Placed, len(items))
	for i, it := range items {
		placed[i] = c.Put(it, col.X, Top, y+tops[i])
	}
	return placed
}

// stack returns the items that are not empty, how far each begins below the top of the first, and the height of all.
func stack(items []Item, gap float64) (blocks []Item, tops []float64, height float64) {
	for _, it := range items {
		if it.Empty() {
			continue
		}
		top := 0.0
		if n := len(blocks); n > 0 {
			top = tops[n-1] + text.StackOffset(blocks[n-1].Block.Block, it.Block.Block, gap)
		}
		blocks, tops, height = append(blocks, it), append(tops, top), top+it.Height
	}
	return blocks, tops, height
}

// columnTop returns where the first block of a column begins: where its anchor says, or lower for its ink.
func (c *Card) columnTop(col Column, blocks []Item, height float64) (y float64, lowered bool) {
	y = col.Anchor.top(col.Y-col.Anchor.top(0, col.H), height)
	if len(blocks) == 0 {
		return y, false
	}
	least := max(c.textTop(), col.Under+underGap) - blocks[0].Ink.Y0
	return max(y, least), least > y
}

// Heading is a title and the description under it, which share the height of a column.
type Heading struct {
	Title  string // "" is that of the card
	Style  text.Style
	Ladder text.Ladder
	MaxH   float64 // of the title, from its capitals to its lowest ink; 0 is the height of the column

	Description Description
}

// Description says how that of a card is set; the zero value leaves it out.
type Description struct {
	SizePx float64
	W      float64
	Lines  int
}

// PutHeading fits the title of a card, and its description, into a column and places them. Where marks do not let the
// column stand at its anchor, the two are fitted anew into the room that is left. It returns the title.
func (c *Card) PutHeading(on Surface, col Column, h Heading) Placed {
	items := c.fitHeading(on, col, h)
	blocks, _, height := stack(items, col.Gap)
	if y, lowered := c.columnTop(col, blocks, height); lowered {
		if h.MaxH > 0 {
			h.MaxH -= y - col.Y
		}
		col.Y, col.H, col.Anchor = y, col.H-(y-col.Y), Top
		items = c.fitHeading(on, col, h)
	}
	for _, p := range c.PutColumn(col, items...) {
		if p.Role == Title {
			return p
		}
	}
	return Placed{}
}

// fitHeading sets the texts of a heading.
func (c *Card) fitHeading(on Surface, col Column, h Heading) []Item {
	if h.Title == "" {
		h.Title = c.Title
	}
	if h.MaxH == 0 {
		h.MaxH = col.H
	}
	s := text.Stack{
		Title: h.Title, TitleStyle: h.Style, TitleBox: text.Box{W: col.W, H: h.MaxH}, Ladder: h.Ladder,
		Gap: col.Gap, MaxHeight: col.H,
	}
	if d := h.Description; d.Lines > 0 {
		s.Text, s.TextGiven, s.TextStyle = c.Description, c.DescriptionGiven, c.TextStyle(d.SizePx, 400)
		s.TextWidth, s.TextLines = d.W, d.Lines
	}
	title, description := c.FitStack(s)
	return []Item{{title, Title, on.Text}, {description, Essential, on.Muted}}
}
