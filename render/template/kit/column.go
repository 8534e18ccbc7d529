package kit

import (
	"cmp"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/render/text"
)

// Column is a box of the layout in which blocks are stacked. See [Anchor] for the height of a block.
type Column struct {
	X, Y, W, H float64
	Anchor     Anchor  // of all blocks together: at the top, in the middle or at the bottom of the box
	Gap        float64 // from a baseline to the capitals below it, or more: see text.StackOffset
	// Under is where the content above the column ends; 0 means there is none. If marks that rise above the capitals would
	// be closer than UnderGap, or leave the text zone, the column is lower.
	Under float64
	// Foot is the maximum y of ink; 0 means unlimited. Deeper ink moves the column up.
	Foot float64
}

// UnderGap is the minimum distance from the ink of a column to what is above it, in pixels.
const UnderGap = 16

// PutColumn stacks blocks in a column. Empty blocks leave no gap. If ink above the capitals moves the column down, it
// may exceed its lower edge; [Card.PutHeading] fits its texts again instead.
func (c *Card) PutColumn(col Column, items ...Item) (placed []Text) {
	blocks, tops, _ := c.stack(col, items)
	for i, it := range blocks {
		placed = append(placed, c.Put(it, col.X, Top, tops[i]))
	}
	return placed
}

// stack returns the items that are not empty and their tops. lowered reports that ink moved them off their anchor.
func (c *Card) stack(col Column, items []Item) (blocks []Item, tops []float64, lowered bool) {
	top, height := 0.0, 0.0 // of the last block, from the top of the first
	for _, it := range items {
		if it.Empty() {
			continue
		}
		if n := len(blocks); n > 0 {
			top += text.StackOffset(blocks[n-1].Block.Block, it.Block.Block, col.Gap)
		}
		blocks, tops, height = append(blocks, it), append(tops, top), top+it.Height
	}
	if len(blocks) == 0 {
		return nil, nil, false
	}
	zone, _ := c.textZone()
	y := col.Anchor.top(col.Y-col.Anchor.top(0, col.H), height)
	if last := len(blocks) - 1; col.Foot > 0 {
		y = min(y, col.Foot-tops[last]-blocks[last].Ink.Y1)
	}
	least := max(zone, col.Under+UnderGap) - blocks[0].Ink.Y0
	for i := range tops {
		tops[i] += max(y, least)
	}
	return blocks, tops, least > y
}

// Heading is a title with the description below it, which share the height of a column.
type Heading struct {
	Title  string // "" is that of the card
	Style  text.Style
	Ladder text.Ladder
	MaxH   float64 // of the title, from its capitals to its lowest ink; 0 is the height of the column
	Firm   bool    // a title that is too long gets a smaller size, but no line more than the ladder says
	strict bool    // … nor a smaller size

	Description Description
}

// Description is the style of the description of a heading; the zero value omits it.
type Description struct {
	SizePx float64
	W      float64
	Exact  bool // no line of it is wider than W: artwork is beside it
	Lines  int
	More   int // further lines that a description may have below the same title to end better; 0 means one
	// MaxTitleLines is the maximum number of lines of the title above it; 0 means unlimited.
	MaxTitleLines int
	// Low is the lowest baseline of one that has no room in the column, in which it is at the top: as low as texts that
	// some platforms cover. 0 leaves it out.
	Low float64
}

// PutHeading fits the title and the description of the card into a column, places them, and returns the title. If ink
// moves the column off its anchor, it fits both again into the remaining height.
func (c *Card) PutHeading(on Surface, col Column, h Heading) Text {
	items, col := c.settleHeading(on, col, h)
	placed := c.PutColumn(col, items...)
	if len(placed) == 0 || placed[0].Role != Title {
		return Text{}
	}
	return placed[0]
}

// settleHeading returns the texts of a heading, and their column once ink has moved it.
func (c *Card) settleHeading(on Surface, col Column, h Heading) ([]Item, Column) {
	h.Title, h.MaxH = cmp.Or(h.Title, c.Title), cmp.Or(h.MaxH, col.H)
	items, foot := c.fitHeading(on, col, h), col.Foot
	col.Foot = h.footOf(items, foot)
	if _, tops, lowered := c.stack(col, items); lowered {
		down := tops[0] - col.Y
		col.Y, col.H, col.Anchor, h.MaxH = tops[0], col.H-down, Top, max(h.MaxH-down, 1)
		items = c.fitHeading(on, col, h)
		col.Foot = h.footOf(items, foot)
	}
	return items, col
}

// Describes reports whether a heading has a description in a column.
func (c *Card) Describes(on Surface, col Column, h Heading) bool {
	h.Title, h.MaxH = cmp.Or(h.Title, c.Title), cmp.Or(h.MaxH, col.H)
	return !c.fitHeading(on, col, h)[1].Empty()
}

// DescribesWhole reports whether a heading has all of its description in a column.
func (c *Card) DescribesWhole(on Surface, col Column, h Heading) bool {
	h.Title, h.MaxH = cmp.Or(h.Title, c.Title), cmp.Or(h.MaxH, col.H)
	description := c.fitHeading(on, col, h)[1]
	return !description.Empty() && !description.Truncated
}

// TitleFits reports whether a heading's title fits whole into a column at a size of its ladder.
func (c *Card) TitleFits(on Surface, col Column, h Heading) bool {
	h.strict = true
	return c.TitleWhole(on, col, h)
}

// TitleWhole reports whether a heading's title fits whole into a column, if necessary at a size below its ladder.
func (c *Card) TitleWhole(on Surface, col Column, h Heading) bool {
	h.Title, h.MaxH = cmp.Or(h.Title, c.Title), cmp.Or(h.MaxH, col.H)
	items := c.fitHeading(on, col, h)
	return len(items) > 0 && !items[0].Truncated && items[0].Ink.Y1 <= col.H+1
}

// TitleOf returns a heading's title as it is in a column.
func (c *Card) TitleOf(on Surface, col Column, h Heading) Block {
	h.Title, h.MaxH = cmp.Or(h.Title, c.Title), cmp.Or(h.MaxH, col.H)
	return c.fitHeading(on, col, h)[0].Block
}

// HeadingWidth returns how wide a heading's texts are in a column.
func (c *Card) HeadingWidth(on Surface, col Column, h Heading) (wide float64) {
	items, _ := c.settleHeading(on, col, h)
	for _, it := range items {
		if !it.Empty() {
			wide = max(wide, it.Width, it.Ink.X1-it.Ink.X0) // ink leaves out emoji
		}
	}
	return wide
}

// Roomy returns which of some columns a heading goes into, each with more room than the one before: the first in which
// its title is whole, otherwise the last.
func (c *Card) Roomy(on Surface, h Heading, cols ...Column) int {
	for i, col := range cols {
		if i == len(cols)-1 || c.TitleWhole(on, col, h) {
			return i
		}
	}
	return 0
}

// ColumnTop returns where the ink or the capitals of a column would begin; ok is false if all items are empty.
func (c *Card) ColumnTop(col Column, items ...Item) (y float64, ok bool) {
	blocks, tops, _ := c.stack(col, items)
	if len(blocks) == 0 {
		return 0, false
	}
	return tops[0] + min(blocks[0].Ink.Y0, 0), true
}

// smaller returns a ladder with the further steps that some titles need rather than a cut: those of Instrument Serif,
// which is drawn 1.3 times as large, and right-to-left ones, whose lines are farther apart.
func (c *Card) smaller(l text.Ladder) text.Ladder {
	shares := []float64{}
	switch {
	case len(l) == 0:
	case c.Family == text.InstrumentSerif:
		shares = []float64{.9, .8}
	case c.RTL:
		shares = []float64{.9}
	}
	for _, share := range shares {
		last := l[len(l)-1]
		last.SizePx, last.Last = 2*math.Round(last.SizePx*share/2), true
		l = append(l[:len(l):len(l)], last)
	}
	return l
}

// roomier returns the steps for a title that would be cut at the last one of a ladder: smaller ones, of more lines.
func roomier(l text.Ladder, more int) (steps text.Ladder) {
	if len(l) == 0 {
		return nil
	}
	last := l[len(l)-1]
	for _, share := range [...]float64{.9, .8, .72} {
		if px := 2 * math.Round(last.SizePx*share/2); px >= leastTitle {
			steps = steps.Then(last.Lines+more, px)
		}
	}
	return steps
}

// worthSmaller is how many times as many characters must be left of a title that is cut at a smaller size as well.
const worthSmaller = 1.2

// SaysMore reports whether a title is whole, unlike another one of the same text, or cut so much later that it's worth
// its smaller size without parting words that belong together, or not earlier with fewer words that are parted by a
// hyphen.
func SaysMore(b, other *text.Block) bool {
	n, least := utf8.RuneCountInString(b.Text()), utf8.RuneCountInString(other.Text())
	return !b.Truncated || float64(n) >= worthSmaller*float64(least) && (other.Parted() || !b.Parted()) ||
		n >= least && hyphens(b) < hyphens(other)
}

// hyphens returns how many lines of a text end in a hyphen.
func hyphens(b *text.Block) (n int) {
	for _, l := range b.Lines {
		if strings.HasSuffix(l.Text, "-") {
			n++
		}
	}
	return n
}

// moreLines returns in how many more lines a description that is cut, or that has a line which ends badly, is tried
// below the same title.
func (h *Heading) moreLines(description *text.Block) int {
	if h.Description.Lines == 0 || description != nil && !description.Truncated && !description.Awkward() {
		return 0
	}
	return max(h.Description.More, 1)
}

// withMoreLines returns the texts of a stack, of which the description has up to this many more lines if it ends better
// then below the same title. It sets the number of lines of the stack.
func (c *Card) withMoreLines(s *text.Stack, more int, title, description *text.Block) (t, d *text.Block) {
	longer := *s
	for range more {
		longer.TextLines++
		t, d := c.engine.FitStack(longer)
		if text.EndsBetter(d, description) && t.SizePx == title.SizePx && len(t.Lines) == len(title.Lines) {
			title, description, s.TextLines = t, d, longer.TextLines
		}
	}
	return title, description
}

// leastTitle is the size below which a title is cut instead. Source: docs/rendering.md#fit.
const leastTitle = 48

// withSpares returns a ladder with the smaller sizes for a title whose words would be parted at all others: of Arabic
// and Hindi, whose lines end as phrases do, also the smallest of all titles, unless it is short.
func withSpares(l text.Ladder, title string) text.Ladder {
	const long = 40 // characters
	l = l.WithSpares(leastTitle)
	if n := len(l); n > 0 && l[n-1].SizePx > leastTitle && utf8.RuneCountInString(title) > long &&
		strings.ContainsFunc(title, byPhrases) {
		l = append(l, text.Step{SizePx: leastTitle, Lines: l[n-1].Lines, Spare: true})
	}
	return l
}

// byPhrases reports whether r is a letter of Arabic or Hindi.
func byPhrases(r rune) bool { return unicode.In(r, unicode.Arabic, unicode.Devanagari) }

// fitHeading lays out the texts of a heading.
func (c *Card) fitHeading(on Surface, col Column, h Heading) []Item {
	s := text.Stack{
		Title: h.Title, TitleStyle: h.Style, TitleBox: text.Box{W: col.W, H: h.MaxH}, Ladder: c.smaller(h.Ladder),
		Gap: col.Gap, MaxHeight: col.H, Firm: h.Firm,
	}
	if d := h.Description; d.Lines > 0 {
		s.Text, s.TextGiven, s.TextStyle = c.Description, c.DescriptionGiven, c.TextStyle(d.SizePx, 400)
		s.TextWidth, s.TextLines, s.MaxTitleLines = d.W, d.Lines, d.MaxTitleLines
		s.TextExact = d.Exact || c.Kind == Custom && d.W >= col.W
	}
	s.TitleStyle, s.TextStyle = c.inDirection(s.TitleStyle, s.Title), c.inDirection(s.TextStyle, s.Text)
	ladder := s.Ladder
	if !h.strict {
		s.Ladder = withSpares(ladder, s.Title)
	}
	title, description := c.engine.FitStack(s)
	title, description = c.withMoreLines(&s, h.moreLines(description), title, description)
	if title.Truncated && s.TitleBox.H < col.H && !h.strict { // it may have the room of a description
		s.TitleBox.H = col.H
		if t, d := c.engine.FitStack(s); SaysMore(t, title) {
			t.Crowded = t.Crowded || title.Crowded
			title, description = t, d
		}
	}
	more := 1
	if h.Firm {
		more = 0
	}
	if ladder := roomier(ladder, more); title.Truncated && ladder != nil && !h.strict {
		s.Ladder = ladder
		if !s.TextGiven {
			s.Text = ""
		}
		if t, d := c.engine.FitStack(s); SaysMore(t, title) {
			t.Crowded = t.Crowded || title.Crowded || description != nil && d == nil
			title, description = t, d
		}
	}
	role := Essential
	s.Text = c.Description
	if low := h.Description.Low; low > col.Y && (description == nil || description.Truncated) {
		s.MaxHeight = low - col.Y
		if d := c.engine.FitBelow(s, title); text.EndsBetter(d, description) {
			role, title.Crowded, description = Repeated, false, d
		}
	}
	if description == nil && h.describes(title) { // its first sentence may have room
		if d := c.engine.FitBelow(s, title); !d.Empty() && !strings.HasSuffix(d.Text(), "…") {
			title.Crowded, description = false, d
		}
	}
	return []Item{
		{Block{title, s.TitleStyle}, Title, on.Text}, {Block{description, s.TextStyle}, role, on.Muted},
	}
}

// describes reports whether a description may be below a title.
func (h *Heading) describes(title *text.Block) bool {
	d := &h.Description
	return d.Lines > 0 && d.Low == 0 && !title.Truncated && (d.MaxTitleLines == 0 || len(title.Lines) <= d.MaxTitleLines)
}

// lowDepth is how far the ink of a low description may hang from its baseline.
const lowDepth = 10

// footOf returns the lowest y of ink of items in a column.
func (h *Heading) footOf(items []Item, foot float64) float64 {
	if low := h.Description.Low; low > 0 && items[1].Role == Repeated && !items[1].Empty() {
		return low + lowDepth
	}
	return foot
}
