package text

// Block is text laid out for a box: lines of placed glyphs. Its measures are in pixels, relative to the left edge of
// the box and to the top of the capital letters of the first line; y runs down. It is immutable and may be drawn by any
// engine.
type Block struct {
	Lines []Line
	// SizePx is the size drawn, after the family's factor and the adaption to the script.
	SizePx float64
	// CapHeight is the height of the capital letters; Leading the distance of baselines.
	CapHeight, Leading float64
	// BoxWidth is the width of the box in which lines are aligned; Width is that of the widest line.
	BoxWidth, Width float64
	// Height reaches from the top of the first line's capital letters to the last baseline; 0 without lines.
	Height float64
	// Ink is what the glyphs cover. It passes the top by accents, the bottom by descenders and the sides by hanging
	// quotes.
	Ink Rect
	// RTL tells the direction of the paragraph.
	RTL bool
	// Truncated tells that words were left out.
	Truncated bool
	// Missing holds the characters that no face could draw and that were left out, at most 64.
	Missing string
	// MissingShare is the share of letters and digits that were left out, 0 to 1. A text that lost many says nothing:
	// show another.
	MissingShare float64

	// Crowded tells that a description which was worth setting found no room beside this title.
	Crowded bool

	glyphs   []positionedGlyph
	emoji    bool    // some are emoji
	demerits float64 // of its lines, see totalFit: another size may have fewer
}

// Line is one line of a block.
type Line struct {
	// Text is what the line shows, in logical order.
	Text string
	// X is where the line's advance begins on the left, Width how far it reaches.
	X, Width float64
	// Baseline is measured from the top of the block. It is drawn at the nearest whole pixel.
	Baseline float64
	// Ink is what the line's glyphs cover; the zero Rect for a line of spaces.
	Ink Rect

	g0, g1 int
}

// Rect is a rectangle in pixels, with y down.
type Rect struct {
	X0, Y0, X1, Y1 float64
}

// Empty reports whether r covers nothing.
func (r Rect) Empty() bool { return r.X0 >= r.X1 || r.Y0 >= r.Y1 }

// Union returns the smallest rectangle around r and s; empty ones count as nothing.
func (r Rect) Union(s Rect) Rect {
	switch {
	case r.Empty():
		return s
	case s.Empty():
		return r
	}
	return Rect{min(r.X0, s.X0), min(r.Y0, s.Y0), max(r.X1, s.X1), max(r.Y1, s.Y1)}
}

// positionedGlyph is a glyph at its place in a block: the pen in px from the left edge of the box, the offset from the
// line's baseline in px with y up.
type positionedGlyph struct {
	gid   uint32
	face  uint8
	scale float32
	x, y  float32
}

// Empty reports whether the block draws nothing.
func (b *Block) Empty() bool { return b == nil || b.Ink.Empty() }

// Text returns what the block shows, lines joined by spaces.
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
