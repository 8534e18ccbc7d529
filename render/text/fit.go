package text

import "math"

// Box is the space for a block, in pixels. H is from the top of the first line's capital letters to the lowest ink of
// the last line; 0 means no limit.
type Box struct {
	W, H float64
}

// Adjustments for scripts. Source: docs/rendering.md#text.
const (
	rtlLeading   = .12
	cjkLeading   = .10
	cjkScale     = .90 // of a title's ladder
	tallLeading  = .15
	tallCap      = .78
	minTrackedPx = 48 // minimum drawn px for negative tracking
)

// metrics returns the metrics of p at a size. CJK titles are smaller: scaled says whether this is a title.
func (p *paragraph) metrics(sizePx float64, scaled bool) metrics {
	st := p.style
	if st.Exact {
		return metrics{size: sizePx, tracking: st.Tracking, leading: st.LineHeight * sizePx}
	}
	factor, lineHeight, track := p.factor, st.LineHeight, st.Tracking
	if p.primary.src.Family == string(InstrumentSerif) {
		lineHeight += familyTraits[InstrumentSerif].leading
	}
	switch {
	case p.base == 1 || p.class == rtlScripts:
		lineHeight += rtlLeading
	case p.class == cjk:
		lineHeight += cjkLeading
		if scaled {
			factor *= cjkScale
		}
	case p.class == tall:
		lineHeight += tallLeading
	}
	m := metrics{size: drawnSize(sizePx, factor)}
	if p.class == european && p.base == 0 && (track > 0 || m.size >= minTrackedPx) {
		m.tracking = track
	}
	m.leading = lineHeight * m.size
	return m
}

// capHeight returns the height of capital letters in em.
func (p *paragraph) capHeight() float64 {
	if p.class == tall && !p.style.Exact {
		return tallCap
	}
	return p.primary.cap
}

// height returns the height of n lines, from the top of the capitals to the lowest ink of the last line.
func (p *paragraph) height(e *Engine, lines []lineRange, m metrics) float64 {
	if len(lines) == 0 {
		return 0
	}
	last := lines[len(lines)-1]
	below := float32(0)
	for _, r := range p.runs {
		if r.end <= last.start || r.start >= last.end {
			continue
		}
		for _, g := range p.glyphs[r.g0:r.g1] {
			if int(g.cluster) >= last.start && int(g.cluster) < last.end {
				_, y0, _, _ := e.faces[g.face].ink(g.gid)
				below = max(below, -y0*g.scale-g.dy)
			}
		}
	}
	return p.capHeight()*m.size + float64(len(lines)-1)*m.leading + float64(below)*m.size
}

// Line lays out s on one line of at most maxW px. Text that doesn't fit is cut, at a word if that leaves half of it,
// otherwise at a letter, and ends in “…”. maxW 0 means no limit; the box is then as wide as the line.
func (e *Engine) Line(s string, st Style, maxW float64) *Block {
	p := &e.para
	e.compose(p, s, st)
	m := p.metrics(st.SizePx, false)
	all := p.width(0, len(p.runes), m)
	if maxW <= 0 {
		maxW = all
	}
	if all <= maxW+slack {
		return e.build(p, oneLine(p), m, maxW)
	}
	return e.clamp(p, m, maxW, 1)
}

// oneLine returns all of p as one line, or no line if it is empty.
func oneLine(p *paragraph) []lineRange {
	if len(p.runes) == 0 {
		return nil
	}
	return []lineRange{{0, len(p.runes)}}
}

// TruncateMiddle lays out a path or an address on one line. If it doesn't fit, its middle is replaced by “…”, and the
// end (the page) keeps more than the beginning.
func (e *Engine) TruncateMiddle(s string, st Style, maxW float64) *Block {
	p := &e.para
	e.compose(p, s, st)
	m := p.metrics(st.SizePx, false)
	if maxW <= 0 || p.width(0, len(p.runes), m) <= maxW+slack {
		return e.Line(s, st, maxW)
	}
	runes := append([]rune(nil), p.runes...)
	flags := append([]breakFlag(nil), p.flags...)
	missing, lost := string(p.missing), p.missingShare()
	lo, hi := 0, len(runes)-1 // number of runes kept
	var fit *Block
	for lo <= hi {
		keep := (lo + hi) / 2
		head, tail := keep*2/5, len(runes)-(keep-keep*2/5)
		for head > 0 && flags[head]&graphemeStart == 0 {
			head--
		}
		for tail < len(runes) && flags[tail]&graphemeStart == 0 {
			tail++
		}
		e.compose(&e.cut, string(runes[:head])+"…"+string(runes[tail:]), st.uncapped())
		if w := e.cut.width(0, len(e.cut.runes), m); w <= maxW+slack {
			fit = e.build(&e.cut, oneLine(&e.cut), m, maxW)
			lo = keep + 1
		} else {
			hi = keep - 1
		}
	}
	if fit == nil {
		e.compose(&e.cut, "", st)
		fit = e.build(&e.cut, nil, m, maxW)
	}
	fit.Truncated, fit.Missing, fit.MissingShare = true, missing, lost
	return fit
}

// uncapped returns st for text already in capitals.
func (st Style) uncapped() Style {
	st.Caps = false
	return st
}

// Wrap lays out s at one size in lines of at most w px. Overlong tokens are broken; text of more than maxLines lines
// (0: no limit) is cut by the ellipsis rules.
func (e *Engine) Wrap(s string, st Style, w float64, maxLines int) *Block {
	p := &e.para
	e.compose(p, s, st)
	return e.wrapAt(p, p.metrics(st.SizePx, false), w, maxLines)
}

// wrapAt is Wrap for a composed text.
func (e *Engine) wrapAt(p *paragraph, m metrics, w float64, maxLines int) *Block {
	e.lines, _ = p.wrap(m, w, true, e.lines)
	if maxLines > 0 && len(e.lines) > maxLines {
		return e.clamp(p, m, w, maxLines)
	}
	return e.finish(p, m, w, e.lines)
}

// Fit lays out a title at the largest size of a ladder at which its lines, their height and every word fit the box. If
// none fits, it takes the smallest: overlong tokens are broken, and the rest is cut by the ellipsis rules.
func (e *Engine) Fit(s string, st Style, box Box, ladder Ladder) *Block {
	p := &e.para
	e.compose(p, s, st)
	ladder = e.prepareLadder(p, box, ladder)
	for i, step := range ladder {
		if b := e.fitStep(p, step, box); b != nil {
			return e.better(p, b, box, ladder[i+1:])
		}
	}
	return e.fitSmallest(p, box, ladder)
}

// fitStep returns p at one step of a ladder, or nil if it doesn't fit the box.
func (e *Engine) fitStep(p *paragraph, step Step, box Box) *Block {
	m, lines, ok := e.tryStep(p, step, box)
	if !ok {
		return nil
	}
	if b := e.finish(p, m, box.W, lines); b.fits(box) {
		return b
	}
	return nil
}

// better returns b, or the text at the next smaller step if its lines are worth the loss of size: those of b have a
// fault (a break inside a compound, one short word as the last line), or read much worse. It also tries the two steps
// after that in Chinese and Japanese if they avoid splitting a word, and the first of them in languages that avoid
// one-letter words at the end of a line.
func (e *Engine) better(p *paragraph, b *Block, box Box, smaller Ladder) *Block {
	most := 1
	switch {
	case p.class == cjk:
		most = 3
	case letterStays[primaryLanguage(p.style.Lang)]:
		most = 2
	}
	best, score := b, b.demerits
	for i, saved := range []float64{stepDemerits, twoStepsDemerits, threeStepsDemerits}[:most] {
		if score < saved || i >= len(smaller) {
			break
		}
		if other := e.fitStep(p, smaller[i], box); other != nil && other.demerits+saved < score {
			best, score = other, other.demerits+saved
		}
	}
	return best
}

// Short titles are large: if the first step of a ladder leaves more than maxEmpty of the box empty, larger ones are
// tried before it. Source: docs/rendering.md#fit.
const maxEmpty = .45

var largerSteps = [...]float64{1.45, 1.36, 1.24, 1.12}

// tokenGain is how much larger a title must become to justify breaking a long token, at a suitable position. Source:
// docs/rendering.md#fit.
const tokenGain = 1.25

// prepareLadder returns the steps to try for p: those of a ladder, preceded by larger ones for a short text. It sets
// p.tokens if breaking a long token makes the text sufficiently larger.
func (e *Engine) prepareLadder(p *paragraph, box Box, ladder Ladder) Ladder {
	if len(ladder) == 0 || p.style.Exact {
		return ladder
	}
	m, lines, ok := e.tryStep(p, ladder[0], box)
	if !ok {
		p.tokens = e.breaksTokens(p, box, ladder)
		return ladder
	}
	widest := 0.0
	for _, l := range lines {
		widest = max(widest, p.width(l.start, l.end, m))
	}
	height := p.capHeight()*m.size + float64(len(lines)-1)*m.leading
	if box.H <= 0 || widest*height >= (1-maxEmpty)*box.W*box.H {
		return ladder
	}
	out := make(Ladder, 0, len(largerSteps)+len(ladder))
	for _, factor := range largerSteps {
		out = append(out, Step{SizePx: 2 * math.Round(ladder[0].SizePx*factor/2), Lines: ladder[0].Lines})
	}
	return append(out, ladder...)
}

// breaksTokens reports whether the title becomes larger by tokenGain, or fits at all, if its long tokens are broken at
// allowed positions.
func (e *Engine) breaksTokens(p *paragraph, box Box, ladder Ladder) bool {
	sizes := [2]float64{}
	for i, tokens := range [...]bool{false, true} {
		p.tokens = tokens
		for _, step := range ladder {
			if _, _, ok := e.tryStep(p, step, box); ok {
				sizes[i] = step.SizePx
				break
			}
		}
	}
	p.tokens = false
	return sizes[1] > 0 && sizes[1] >= tokenGain*sizes[0]
}

// fits reports whether a block that fits a box by calculation really does: its lines may have been moved apart.
func (b *Block) fits(box Box) bool { return box.H <= 0 || b.Ink.Y1 <= box.H+slack }

// tryStep wraps p at one step of a ladder and reports whether it fits the box.
func (e *Engine) tryStep(p *paragraph, step Step, box Box) (metrics, []lineRange, bool) {
	m := p.metrics(step.SizePx, true)
	lines, whole := p.wrap(m, box.W, false, e.lines)
	e.lines = lines
	if !whole || len(lines) > p.maxLines(step) {
		return m, lines, false
	}
	return m, lines, box.H <= 0 || p.height(e, lines, m) <= box.H+slack
}

// maxLines returns the number of lines allowed at a step: one more for CJK.
func (p *paragraph) maxLines(step Step) int {
	if p.class == cjk && !p.style.Exact {
		return step.Lines + 1
	}
	return step.Lines
}

// finish improves lines that fit: it keeps Chinese and Japanese phrases whole, balances lengths if the style requests
// it, and avoids a single short word on the last line. Then it builds the block.
func (e *Engine) finish(p *paragraph, m metrics, w float64, lines []lineRange) *Block {
	p.demerits = 0
	if p.class == cjk {
		lines = e.keepPhrases(p, m, w, lines)
	}
	if p.style.Balance {
		lines = e.balance(p, m, w, lines)
	} else {
		p.fillLastLine(m, w, lines)
	}
	p.wholePhrases = false
	b := e.build(p, lines, m, w)
	b.demerits = p.demerits
	return b
}

// fitSmallest lays out p at the smallest step of a ladder in as many lines as fit the box's height.
func (e *Engine) fitSmallest(p *paragraph, box Box, ladder Ladder) *Block {
	step := Step{SizePx: p.style.SizePx, Lines: 1}
	if len(ladder) > 0 {
		step = ladder[len(ladder)-1]
	}
	m := p.metrics(step.SizePx, true)
	lines := p.maxLines(step)
	if box.H > 0 && m.leading > 0 {
		lines = min(lines, 1+int(math.Max(0, (box.H-p.capHeight()*m.size)/m.leading)))
	}
	for {
		b := e.wrapAt(p, m, box.W, max(lines, 1))
		if lines = len(b.Lines) - 1; b.fits(box) || lines < 1 {
			return b
		}
	}
}
