package text

import (
	"math"
	"unicode"

	"github.com/go-text/typesetting/font"
)

// visualRun is the part of a run on a line.
type visualRun struct {
	run        int
	start, end int
	level      int8
}

// build places the glyphs of lines in a box of width w.
func (e *Engine) build(p *paragraph, lines []lineRange, m metrics, w float64) *Block {
	b := &Block{
		SizePx: m.size, CapHeight: p.capHeight() * m.size, Leading: m.leading, BoxWidth: w, RTL: p.base == 1,
		MissingShare: p.missingShare(), Missing: string(p.missing),
		Lines: make([]Line, 0, len(lines)), glyphs: make([]positionedGlyph, 0, len(p.glyphs)+4),
	}
	e.inks = e.inks[:0]
	for i, l := range lines {
		b.Lines = append(b.Lines, Line{Text: string(p.runes[l.start:l.end]), g0: len(b.glyphs)})
		line := &b.Lines[i]
		e.placeLine(p, b, line, l, m)
		e.alignLine(p, b, line, l, m)
		b.Width = max(b.Width, line.Width)
	}
	if !p.style.Exact {
		gap := between(clearGap, tightGap, p.tight)
		if b.RTL {
			gap = max(gap, between(clearGapRTL, tightGapRTL, p.tight)*b.SizePx)
		}
		b.Leading = e.clearLeading(b, gap)
	}
	if b.RTL && p.style.Balance && !p.style.Exact { // a title
		e.partDots(b, p.tight)
	}
	apart := 0.
	for i := range b.Lines {
		line := &b.Lines[i]
		apart += line.apart
		baseline := b.CapHeight + float64(i)*b.Leading + apart
		line.Baseline = baseline
		line.Ink.Y0 += baseline
		line.Ink.Y1 += baseline
		b.Ink = b.Ink.Union(line.Ink)
		b.Height = baseline
	}
	return b
}

// The minimum distance between the ink of two lines: in px, less for a title that would be cut otherwise, and in em in
// right-to-left scripts, where a dot near the next line is read as one of its letters. Source: docs/rendering.md#fit.
const (
	clearGap    = 6.0
	tightGap    = 2.0
	clearGapRTL = .26
	tightGapRTL = .12
	dotGap      = .38 // between a dot and a letter of the other line
	twoDotsGap  = .32 // … and a dot of the other line
)

// between returns the value between wide and tight that a share from 0 to 1 says.
func between(wide, tight, share float64) float64 { return wide + (tight-wide)*share }

// What a dot is: a glyph of at most dotHeight, in em, that is below the baseline or dotsAbove above it. It is read with
// letters that are within dotReach beside it.
const (
	dotHeight = .28
	dotsAbove = .35
	dotReach  = .06
)

// Shares of the leading: how much farther apart than that two lines are for their dots, and by how much the distances
// of lines differ.
const (
	mostApart  = .18
	mostDiffer = .10
)

// partDots moves the lines of a title of a right-to-left script apart for their dots, the others nearly as much.
func (e *Engine) partDots(b *Block, tight float64) {
	most := 0.
	for i := 1; i < len(b.Lines); i++ {
		b.Lines[i].apart = min(e.dotsApart(b, i, tight), mostApart*b.Leading)
		most = max(most, b.Lines[i].apart)
	}
	for i := 1; i < len(b.Lines); i++ {
		b.Lines[i].apart = max(b.Lines[i].apart, most-mostDiffer*b.Leading)
	}
}

// dotsApart returns how much farther than the leading line i of a title is from the one above it so that no dot of a
// right-to-left script is read with a letter of the other line.
func (e *Engine) dotsApart(b *Block, i int, tight float64) (px float64) {
	upper, lower, em := &b.Lines[i-1], &b.Lines[i], b.SizePx
	one, two := between(dotGap, tightGapRTL, tight)*em, between(twoDotsGap, tightGapRTL, tight)*em
	if upper.Ink.Y1-upper.Baseline-lower.Ink.Y0+one <= b.Leading {
		return 0
	}
	for _, over := range e.inks[upper.g0:upper.g1] {
		below := over.Y0 > 0 && over.Y1-over.Y0 < dotHeight*em
		for _, under := range e.inks[lower.g0:lower.g1] {
			if over.X0 >= under.X1+dotReach*em || under.X0 >= over.X1+dotReach*em || over.Empty() || under.Empty() {
				continue
			}
			above := under.Y1 < -dotsAbove*em && under.Y1-under.Y0 < dotHeight*em
			switch {
			case below && above:
				px = max(px, over.Y1-under.Y0+two-b.Leading)
			case below, above:
				px = max(px, over.Y1-under.Y0+one-b.Leading)
			}
		}
	}
	return px
}

// flexShare is the share of what dots moved lines apart that may be taken back where a box is too low for it.
const flexShare = .65

// lower moves lines whose dots are apart nearer to each other by up to flexShare if the block fits into h px then.
func (b *Block) lower(h float64) {
	over, apart := b.Ink.Y1-h, 0.
	for _, l := range b.Lines {
		apart += l.apart
	}
	if h <= 0 || over <= slack || over > flexShare*apart {
		return
	}
	up := 0.
	b.Ink = Rect{}
	for i := range b.Lines {
		l := &b.Lines[i]
		less := l.apart * over / apart
		l.apart -= less
		up += less
		l.Baseline -= up
		l.Ink.Y0 -= up
		l.Ink.Y1 -= up
		b.Ink = b.Ink.Union(l.Ink)
	}
	b.Height -= up
}

// clearLeading returns the distance between baselines at which no letters of adjacent lines touch, nor are nearer than
// gap: that of the style, or more if a descender meets stacked accents (Vietnamese capitals) or lines are very tight.
func (e *Engine) clearLeading(b *Block, gap float64) float64 {
	leading := b.Leading
	for i := 1; i < len(b.Lines); i++ {
		upper, lower := b.Lines[i-1], b.Lines[i]
		if upper.Ink.Y1-lower.Ink.Y0+gap <= leading {
			continue
		}
		for _, over := range e.inks[upper.g0:upper.g1] {
			for _, under := range e.inks[lower.g0:lower.g1] {
				if over.X0 < under.X1 && under.X0 < over.X1 {
					leading = max(leading, over.Y1-under.Y0+gap)
				}
			}
		}
	}
	return leading
}

// placeLine appends the glyphs of a line, from x = 0, in visual order (UAX 9, L2), and measures it. A run that is cut
// where glyphs depend on their neighbors is reshaped for the line.
func (e *Engine) placeLine(p *paragraph, b *Block, line *Line, l lineRange, m metrics) {
	e.visual = e.visual[:0]
	for i, r := range p.runs {
		if start, end := max(r.start, l.start), min(r.end, l.end); start < end {
			e.visual = append(e.visual, visualRun{run: i, start: start, end: end, level: r.level})
		}
	}
	reorder(e.visual)
	pen, size := 0.0, float32(m.size)
	for _, v := range e.visual {
		r := p.runs[v.run]
		glyphs := p.glyphs[r.g0:r.g1]
		if v.start > r.start && p.flags[v.start]&unsafeBreak != 0 || v.end < r.end && p.flags[v.end]&unsafeBreak != 0 {
			e.reshaped = e.shapeRange(p, v.start, v.end, e.reshaped[:0])
			glyphs = e.reshaped
		}
		cluster := int32(-1)
		for _, g := range glyphs {
			if int(g.cluster) < v.start || int(g.cluster) >= v.end {
				continue
			}
			if g.cluster != cluster && m.tracking != 0 && len(b.glyphs) > line.g0 && !r.over {
				pen += m.tracking * m.size
			}
			cluster = g.cluster
			b.emoji = b.emoji || g.face == emojiFace
			b.glyphs = append(b.glyphs, positionedGlyph{
				gid: g.gid, face: g.face, scale: g.scale, x: float32(pen) + g.dx*size, y: g.dy * size,
			})
			pen += float64(g.adv * size)
		}
	}
	if p.hyphenAt(l.end) && len(b.glyphs) > line.g0 {
		g := p.hyphen
		pen += m.tracking * m.size
		b.glyphs = append(b.glyphs, positionedGlyph{gid: g.gid, face: g.face, scale: 1, x: float32(pen)})
		pen += float64(g.adv) * m.size
		line.Text += "-"
	}
	line.g1 = len(b.glyphs)
	line.Width = pen
	for _, g := range b.glyphs[line.g0:line.g1] {
		ink := e.glyphInk(g, m.size)
		e.inks = append(e.inks, ink)
		line.Ink = line.Ink.Union(ink)
	}
}

// glyphInk returns the area covered by a placed glyph, with its baseline at 0.
func (e *Engine) glyphInk(g positionedGlyph, size float64) Rect {
	x0, y0, x1, y1 := e.faces[g.face].ink(g.gid)
	size *= float64(g.scale)
	return Rect{
		X0: float64(g.x) + float64(x0)*size, X1: float64(g.x) + float64(x1)*size,
		Y0: -float64(g.y) - float64(y1)*size, Y1: -float64(g.y) - float64(y0)*size,
	}
}

// reorder reorders the runs of a line from logical to visual order: from the highest level down to the lowest odd one,
// every stretch of that level or higher is reversed.
func reorder(runs []visualRun) {
	highest, lowestOdd := int8(0), int8(127)
	for _, r := range runs {
		highest = max(highest, r.level)
		if r.level&1 == 1 {
			lowestOdd = min(lowestOdd, r.level)
		}
	}
	for level := highest; level >= lowestOdd; level-- {
		for i := 0; i < len(runs); i++ {
			if runs[i].level < level {
				continue
			}
			j := i
			for j < len(runs) && runs[j].level >= level {
				j++
			}
			for a, z := i, j-1; a < z; a, z = a+1, z-1 {
				runs[a], runs[z] = runs[z], runs[a]
			}
			i = j
		}
	}
}

// alignLine moves a line to its position in the box.
func (e *Engine) alignLine(p *paragraph, b *Block, line *Line, l lineRange, m metrics) {
	align := p.style.Align
	switch {
	case align == Start && !b.RTL, align == End && b.RTL:
		align = Left
	case align == Start, align == End:
		align = Right
	}
	switch align {
	case Right:
		line.X = b.BoxWidth - line.Width
	case Center:
		line.X = (b.BoxWidth - line.Width) / 2
	}
	if p.style.OpticalMargin && (align == Left && !b.RTL || align == Right && b.RTL) {
		line.X += e.opticalShift(p, b, line, l, m, align == Right)
	}
	for i := line.g0; i < line.g1; i++ {
		b.glyphs[i].x += float32(line.X)
		e.inks[i].X0 += line.X
		e.inks[i].X1 += line.X
	}
	if !line.Ink.Empty() {
		line.Ink.X0 += line.X
		line.Ink.X1 += line.X
	}
}

// overshoot is how far a round or slanted first letter extends beyond the edge, in em, to look aligned with straight
// stems. overshootLetters are these letters.
const (
	overshoot        = .012
	overshootLetters = "CGOQSAVWcdeoqavwyОСЭАФΟΘΑΛΦ"
)

// How far a quote may hang outside: in px, from the margin of 72 to 24, and in em. Source: docs/rendering.md#fit.
const (
	maxHang   = 48
	maxHangEm = .5
)

// opticalShift returns the offset of a line that aligns its first letter's ink, instead of its side bearing, with the
// edge. Round and slanted letters extend slightly outside; an opening quote at the start of a text may hang outside
// completely.
func (e *Engine) opticalShift(p *paragraph, b *Block, line *Line, l lineRange, m metrics, right bool) float64 {
	if line.g0 == line.g1 || line.Ink.Empty() {
		return 0
	}
	first, over := p.runes[l.start], 0.0
	if right && p.level[l.start]&1 == 0 {
		first = 0 // the letter at the edge is another one
	}
	for _, r := range overshootLetters {
		if r == first {
			over = overshoot * m.size
			break
		}
	}
	ink := line.Ink
	if p.style.HangingPunctuation && l.start == 0 && hangs(first) && line.g1-line.g0 > 1 && !p.wideQuote() {
		hang := min(maxHang, maxHangEm*m.size)
		inner := e.inks[line.g0+1 : line.g1]
		if right {
			inner = e.inks[line.g0 : line.g1-1]
		}
		ink = Rect{}
		for _, r := range inner {
			ink = ink.Union(r)
		}
		over = 0
		if right { // but not so far that a rounded corner of the card would cut it
			ink.X1 = max(ink.X1, line.Ink.X1-hang)
		} else {
			ink.X0 = min(ink.X0, line.Ink.X0+hang)
		}
	}
	if right {
		return line.Width - ink.X1 + over
	}
	if first == 'j' || first == 'ј' { // the hook hangs outside, the stem is at the edge
		if stem, ok := e.stemLeft(b.glyphs[line.g0]); ok {
			return -stem * m.size * float64(b.glyphs[line.g0].scale)
		}
	}
	return -ink.X0 - over
}

// aboveHook is the height, in em, above which a j has only its stem and dot.
const aboveHook = .1

// stemLeft returns the left edge, in em, of a glyph's part above its hook.
func (e *Engine) stemLeft(g positionedGlyph) (left float64, ok bool) {
	f := e.faces[g.face]
	outline, ok := f.src.Outline(f.ft, font.GID(g.gid))
	if !ok {
		return 0, false
	}
	least := float32(math.Inf(1))
	for i := range outline {
		for _, a := range outline[i].ArgsSlice() {
			if a.Y*f.em > aboveHook {
				least = min(least, a.X*f.em)
			}
		}
	}
	return float64(least), !math.IsInf(float64(least), 1)
}

// wideQuote reports whether the quote that a text begins with is a Chinese or Japanese one, which doesn't hang.
func (p *paragraph) wideQuote() bool {
	return p.class == cjk && p.han != korean && wideIn(p.runes, 0)
}

// hangs reports whether r is an opening quote above or below the letters. Guillemets, which are as wide as they, and
// brackets stand on the edge.
func hangs(r rune) bool {
	switch r {
	case '"', '\'', '„', '‚', '”':
		return true
	case '«', '‹':
		return false
	}
	return unicode.Is(unicode.Pi, r)
}
