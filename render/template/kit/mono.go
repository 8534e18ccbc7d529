package kit

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"masthead/render/text"
)

// MonoPart is a part of a monospaced line, in one color and weight.
type MonoPart struct {
	Text   string
	Weight int // 0 is 400
	Ink    color.NRGBA
	Prose  bool // sentences: what is between two right-to-left words has their direction, also numbers and marks
	Aside  bool // may be in one column with those of other lines, such as comments
}

// MonoSize is a size of monospaced lines, and how many of them there is room for.
type MonoSize struct {
	Px           float64
	Pitch, Lines int
}

// Mono is lines in a monospaced typeface. What that lacks is set in another one, as wide as it is; what follows a gap
// of a table is in its column again. Lines read from left to right, and each right-to-left text in them is a whole.
type Mono struct {
	MonoSize
	Cell  float64 // width of a column
	c     *Card
	lines []monoLine
}

// monoLine is the cells of a line, which gaps part.
type monoLine []monoCell

// monoCell is a text without gaps, which have two spaces or more.
type monoCell struct {
	gap      int // columns before it
	min, max int // its width in columns, see columns
	lo, hi   int // the column where it may begin
	number   bool
	x, w     float64
	pieces   []monoPiece
}

// monoPiece is a part of a cell in one typeface and color.
type monoPiece struct {
	monoRun
	part  *MonoPart
	x, w  float64
	block *text.Block // nil in the typeface itself, whose width is known
}

// MonoSizes returns sizes with the number of lines that a height has room for, from the first baseline to the last, a
// little nearer to each other if more have room then. The last of them isn't blank.
func MonoSizes(sizes []MonoSize, height int, lines [][]MonoPart) []MonoSize {
	const nearer = 4
	says := func(p MonoPart) bool { return strings.TrimSpace(p.Text) != "" }
	sizes = slices.Clone(sizes)
	for i := range sizes {
		size := &sizes[i]
		size.Lines = max(0, min(len(lines), height/(size.Pitch-nearer)+1))
		for size.Lines > 0 && !slices.ContainsFunc(lines[size.Lines-1], says) {
			size.Lines--
		}
		if size.Lines > 1 {
			size.Pitch = min(size.Pitch, height/(size.Lines-1))
		}
	}
	return sizes
}

// boxes are ASCII for the lines of boxes and trees, which no typeface has.
var boxes = strings.NewReplacer("─", "-", "━", "-", "═", "=", "│", "|", "┃", "|", "║", "|", "├", "|", "└", "`",
	"╰", "`", "┌", "+", "┐", "+", "┘", "+", "┬", "+", "┴", "+", "┼", "+", "┤", "|", "╭", "+", "╮", "+", "╯", "+")

// PlainLine returns a line of code or output with what can be set for the lines of boxes, and spaces for tabs: two for
// each at its beginning, then up to the next stop.
func PlainLine(s string) string {
	const indent, stop = 2, 8
	rest := strings.TrimLeft(s, "\t")
	var b strings.Builder
	for i, part := range strings.Split(boxes.Replace(rest), "\t") {
		if i > 0 {
			_, n := columns(b.String())
			b.WriteString(strings.Repeat(" ", stop-n%stop))
		}
		b.WriteString(part)
	}
	return strings.Repeat(" ", indent*(len(s)-len(rest))) + b.String()
}

// FitMono sets lines at the first of the sizes, which begin with the largest, at which most of those that are shown
// are whole in the room, in pixels, that is right of where they begin. The others end in “…”.
func (c *Card) FitMono(lines [][]MonoPart, sizes []MonoSize, room func(cell float64) float64) *Mono {
	m := c.SetMono(lines, sizes[0])
	px, at, least := m.Px, 0, math.MaxInt
	for i, size := range sizes {
		cut, scale := 0, size.Px/px // all widths grow with the size
		for j := range min(size.Lines, len(m.lines)) {
			if m.End(j)*scale > room(m.Cell*scale)+1 {
				cut++
			}
		}
		if cut < least {
			at, least = i, cut
		}
	}
	if at > 0 {
		m = c.SetMono(lines, sizes[at])
	}
	for i := range m.lines {
		m.cut(i, room(m.Cell))
	}
	return m
}

// SetMono sets lines at a size.
func (c *Card) SetMono(lines [][]MonoPart, size MonoSize) *Mono {
	m := &Mono{MonoSize: size, c: c}
	zero := func(s string) float64 { return m.set(monoRun{s, monoLetters}, &MonoPart{}, 0).BoxWidth }
	m.Cell = zero("00") - zero("0")
	for _, parts := range lines {
		m.lines = append(m.lines, m.cells(parts))
	}
	m.align()
	return m
}

// set sets a run of a part, in no more than a width if there is one.
func (m *Mono) set(run monoRun, part *MonoPart, room float64) *text.Block {
	st := text.Style{
		Family: text.JetBrainsMono, Weight: max(part.Weight, 400), SizePx: m.Px, Exact: true, Lang: m.c.Lang,
		Dir: text.LeftToRight,
	}
	s := run.text
	switch run.kind {
	case monoLetters:
		s = strings.ReplaceAll(s, " ", "\u00A0") // also at the ends
		st.Tracking, st.Lang = .001, "en"        // tracked letters have no ligatures
	case otherLetters: // also the spaces and marks between them
		st.Family = text.Inter
	case rightToLeft:
		st.Dir, st.Align = text.RightToLeft, text.Left
	}
	return m.c.engine.Line(s, st, room)
}

// cells returns the cells of a line.
func (m *Mono) cells(parts []MonoPart) (line monoLine) {
	spaces := 0
	for i := range parts {
		part, aside := &parts[i], parts[i].Aside
		rest := norm.NFC.String(part.Text)
		for {
			words := strings.TrimLeft(rest, " ")
			spaces += len(rest) - len(words)
			if words == "" {
				break
			}
			end := len(words)
			if i := strings.Index(words, "  "); i >= 0 {
				end = i
			}
			chunk := strings.TrimRight(words[:end], " ")
			rest = words[len(chunk):]
			if len(line) == 0 || spaces > 1 || spaces == 1 && aside {
				line = append(line, monoCell{gap: spaces, number: numeric(chunk)})
			} else if cell := &line[len(line)-1]; spaces == 1 {
				cell.w, cell.min, cell.max = cell.w+m.Cell, cell.min+1, cell.max+1
			}
			spaces, aside = 0, false
			m.fill(&line[len(line)-1], chunk, part)
		}
	}
	return line
}

// numeric reports whether a text begins as numbers do, which tables align at their end.
func numeric(s string) bool {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return unicode.Is(unicode.Sc, r) || strings.ContainsRune("+-−~ ", r) })
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsDigit(r)
}

// fill adds a text of a part to a cell, in pieces.
func (m *Mono) fill(cell *monoCell, s string, part *MonoPart) {
	for _, run := range monoRuns(s, part.Prose) {
		lo, hi := columns(run.text)
		cell.min, cell.max = cell.min+lo, cell.max+hi
		cell.add(m.piece(run, part))
	}
}

// add adds a piece to the end of a cell.
func (cell *monoCell) add(p monoPiece) {
	p.x = cell.w
	cell.w += p.w
	cell.pieces = append(cell.pieces, p)
}

// piece sets a run of a part.
func (m *Mono) piece(run monoRun, part *MonoPart) monoPiece {
	p := monoPiece{monoRun: run, part: part}
	if run.kind == monoLetters {
		n, _ := columns(run.text)
		p.w = float64(n) * m.Cell
	} else {
		p.block = m.set(run, part, 0)
		p.w = p.block.BoxWidth
	}
	return p
}

// End returns where a line ends, from where it begins.
func (m *Mono) End(i int) float64 {
	line := m.lines[i]
	if len(line) == 0 {
		return 0
	}
	last := &line[len(line)-1]
	return last.x + last.w
}

// Draw draws a line that begins at x.
func (m *Mono) Draw(i int, x float64, baseline int) {
	for _, cell := range m.lines[i] {
		for _, p := range cell.pieces {
			b := p.block
			if b == nil {
				b = m.set(p.monoRun, p.part, 0)
			}
			if b.Empty() {
				continue
			}
			x, y := x+cell.x+p.x, float64(baseline)-b.Lines[0].Baseline
			m.c.engine.DrawEmoji(b, x, y, func(x, y int, emoji *image.NRGBA) {
				m.c.canvas.Picture(emoji, emoji.Rect.Add(image.Pt(x, y)), 0)
			})
			m.c.engine.Draw(b, x, y, func(x, y int, mask *image.Alpha) { m.c.canvas.Mask(x, y, mask, p.part.Ink) })
		}
	}
}

// cut ends a line that is wider than the room, after one of its words, in “…”.
func (m *Mono) cut(i int, room float64) {
	if m.End(i) <= room+1 {
		return
	}
	for n := range m.lines[i] {
		cell := &m.lines[i][n]
		if cell.x > room-m.Cell { // behind a wide gap
			m.lines[i] = m.lines[i][:n]
			if n > 0 {
				before := &m.lines[i][n-1]
				before.add(m.piece(monoRun{"…", monoLetters}, before.pieces[len(before.pieces)-1].part))
			}
			return
		}
		for k, p := range cell.pieces {
			left := room - cell.x - p.x
			if p.w <= left-m.Cell {
				continue
			}
			m.lines[i] = m.lines[i][:n+1]
			m.endIn(cell, k, left)
			return
		}
	}
}

// endIn ends a cell with the piece k, of which a width is left, in “…”.
func (m *Mono) endIn(cell *monoCell, k int, left float64) {
	p := cell.pieces[k]
	cell.pieces, cell.w = cell.pieces[:k], p.x
	if p.kind != monoLetters {
		if p.block = m.set(p.monoRun, p.part, min(left, p.w-1)); !p.block.Empty() {
			p.w = p.block.Width
			cell.add(p)
			return
		}
		p.text = ""
	}
	cell.add(m.piece(monoRun{shortened(p.text, int(left/m.Cell)-1) + "…", monoLetters}, p.part))
}

// shortened returns at most n letters of a text, up to the end of a word if that isn't far.
func shortened(s string, n int) string {
	const far = 10
	runes := []rune(s)
	n = min(max(n, 0), len(runes))
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for k := n; k > max(0, n-far); k-- {
		if k == len(runes) || !word(runes[k-1]) || !word(runes[k]) {
			n = k
			break
		}
	}
	return strings.TrimRight(string(runes[:n]), " .,")
}
