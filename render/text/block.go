package text

// Block is text laid out in a box: lines of placed glyphs. Its coordinates are in pixels, relative to the left edge of
// the box and to the top of the capital letters of the first line; y points down. It is immutable and may be drawn by
// any engine.
type Block struct {
	Lines []Line
	// SizePx is the size drawn, after the family's factor and the adjustment for the script.
	SizePx float64
	// CapHeight is the height of the capital letters; Leading the distance between baselines, of which those with Arabic
	// dots between them may have more.
	CapHeight, Leading float64
	// BoxWidth is the width of the box in which lines are aligned; Width is that of the widest line.
	BoxWidth, Width float64
	// Height is from the top of the first line's capital letters to the last baseline; 0 without lines.
	Height float64
	// Ink is the area covered by glyphs. It extends beyond the top by accents, the bottom by descenders and the sides by
	// hanging quotes.
	Ink Rect
	// RTL reports whether the paragraph is right-to-left.
	RTL bool
	// Truncated reports whether words were left out.
	Truncated bool
	// Missing has the characters left out because no face has them, at most 64.
	Missing string
	// MissingShare is the share of letters and digits that were left out, 0 to 1. A text that lost many is meaningless:
	// show another one.
	MissingShare float64

	// Crowded means that there was no room for a description next to this title.
	Crowded bool

	glyphs   []positionedGlyph
	emoji    bool    // some glyphs are emoji
	demerits float64 // of its lines, see totalFit: another size may have fewer
	worst    float64 // of the penalties of its breaks
	cut      bool    // a line ends inside a word, other than at a seam
	seam     bool    // … at a seam
}

// Line is one line of a block.
type Line struct {
	// Text is what the line shows, in logical order.
	Text string
	// X is the left end of the line's advance, Width its length.
	X, Width float64
	// Baseline is relative to the top of the block. It is drawn at the nearest whole pixel.
	Baseline float64
	// Ink is the area covered by the line's glyphs; the zero Rect for a line of spaces.
	Ink Rect

	g0, g1 int
	apart  float64 // px that it is farther than the leading from the line above
}

// Rect is a rectangle in pixels, with y down.
type Rect struct {
	X0, Y0, X1, Y1 float64
}

// Empty reports whether r covers nothing.
func (r Rect) Empty() bool { return r.X0 >= r.X1 || r.Y0 >= r.Y1 }

// Union returns the smallest rectangle around r and s; empty ones are ignored.
func (r Rect) Union(s Rect) Rect {
	switch {
	case r.Empty():
		return s
	case s.Empty():
		return r
	}
	return Rect{min(r.X0, s.X0), min(r.Y0, s.Y0), max(r.X1, s.X1), max(r.Y1, s.Y1)}
}

// positionedGlyph is a glyph with its position in a block: the pen in px from the left edge of the box, the offset from
// the line's baseline in px with y up.
type positionedGlyph struct {
	gid   uint32
	face  uint8
	scale float32
	x, y  float32
}

// Empty reports whether the block draws nothing.
func (b *Block) Empty() bool { return b == nil || b.Ink.Empty() }

// Text returns the text of the block, with lines joined by spaces.
func (b *Block) Text() string {
	if b == nil {
		return ""
	}
	var out []byte
	for i, l := range b.Lines {
		if i > 0 {
			out = append(out, ' ')
		}
		out = append(out, l.Text...)
	}
	return string(out)
}
