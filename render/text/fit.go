package text

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

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
	stackLeading = .22 // of Thai and Lao
	tallCap      = .78
	tibetanScale = .80 // of a title's ladder: its letters are as high as two lines of Latin ones
	minTrackedPx = 48  // minimum drawn px for negative tracking

	capitalsLeading     = .04 // titles in capitals
	capitalsTracking    = .035
	maxCapitalsTracking = .01
)

// metrics returns the metrics of p at a size. Titles in CJK and Tibetan are smaller: scaled says whether this is one.
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
		if p.stacked {
			lineHeight += stackLeading - tallLeading
		}
		if scaled && p.tibetanTitle {
			factor *= tibetanScale
		}
	}
	m := metrics{size: drawnSize(sizePx, factor)}
	if p.class == european && p.base == 0 && (track > 0 || m.size >= minTrackedPx) {
		m.tracking = track
	}
	if p.capitals {
		lineHeight += capitalsLeading
		m.tracking = min(m.tracking+capitalsTracking, maxCapitalsTracking)
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
		shown := strings.TrimRight(string(runes[:head]), ".") + "…" + strings.TrimLeft(string(runes[tail:]), ".")
		e.compose(&e.cut, shown, st.uncapped())
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
	for i, step := range ladder.regular() {
		if b := e.fitStep(p, step, box); b != nil {
			b = e.withoutParting(p, e.better(p, b, box, ladder[i+1:]), box, ladder[i:])
			return e.smallerWhole(p, b, box, ladder[i+1:])
		}
	}
	return e.smallerWhole(p, e.ratherSmaller(p, e.fitSmallest(p, box, ladder, 1), box, ladder, 1), box, ladder)
}

// fitStep returns p at one step of a ladder, or nil if it doesn't fit the box.
func (e *Engine) fitStep(p *paragraph, step Step, box Box) *Block {
	m, lines, ok := e.tryStep(p, step, box)
	if !ok {
		return nil
	}
	b := e.finish(p, m, box.W, lines)
	if b.lower(box.H); !b.fits(box) || b.overhangs(box) {
		return nil
	}
	if p.wantsLine(b.worst) && len(b.Lines) < p.maxLines(step) {
		saved := lineDemerits
		if b.worst < faultPenalty && p.isKorean() {
			saved = koreanLineDemerits
		}
		if more := e.oneMoreLine(p, m, box, len(b.Lines)+1); more != nil && more.demerits+saved < b.demerits {
			return more
		}
	}
	return b
}

// promises reports whether [Engine.fitStep] may return lines of fewer demerits than these, without building any.
func (e *Engine) promises(p *paragraph, step Step, box Box, demerits float64) bool {
	m, lines, ok := e.tryStep(p, step, box)
	if !ok {
		return false
	}
	lines = e.arrange(p, m, box.W, lines)
	return p.demerits < demerits || p.wantsLine(p.worst) && len(lines) < p.maxLines(step)
}

// wantsLine reports whether p is tried in one line more than it needs, if this is the worst penalty of its breaks.
func (p *paragraph) wantsLine(worst float64) bool {
	if p.fewLines && !p.clausal() {
		return p.isKorean() && worst >= faultPenalty
	}
	return worst >= faultPenalty || p.clausal() || p.isKorean() || p.grave(worst)
}

// oneMoreLine returns p in this many lines, or nil if they don't fit the box.
func (e *Engine) oneMoreLine(p *paragraph, m metrics, box Box, count int) *Block {
	if !p.style.Balance || !e.totalFit(p, m, box.W, count) ||
		box.H > 0 && p.height(e, e.best, m) > box.H+slack {
		return nil
	}
	b := e.build(p, e.best, m, box.W)
	b.demerits, b.worst = p.demerits, p.worst
	if b.lower(box.H); !b.fits(box) {
		return nil
	}
	return b
}

// fits reports whether a block that fits a box by calculation really does: its lines may have been moved apart.
func (b *Block) fits(box Box) bool { return box.H <= 0 || b.Ink.Y1 <= box.H+slack }

// overhangs reports whether marks at the end of a line, which may be wider than their letter, are outside of a box.
func (b *Block) overhangs(box Box) bool {
	const most = 4 // px
	return !b.RTL && b.Ink.X1 > box.W+most
}

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

// finish arranges lines that fit, and builds the block.
func (e *Engine) finish(p *paragraph, m metrics, w float64, lines []lineRange) *Block {
	b := e.build(p, e.arrange(p, m, w, lines), m, w)
	b.demerits, b.worst, b.cut, b.seam = p.demerits, p.worst, p.cut, p.seam
	return b
}

// arrange improves lines that fit: it keeps Chinese and Japanese phrases whole, balances lengths if the style requests
// it, and avoids a single short word on the last line. It sets the demerits of p.
func (e *Engine) arrange(p *paragraph, m metrics, w float64, lines []lineRange) []lineRange {
	p.demerits, p.worst, p.cut, p.seam = 0, 0, false, false
	if p.phrased {
		lines = e.keepPhrases(p, m, w, lines)
	}
	if p.style.Balance {
		lines = e.balance(p, m, w, lines)
	} else {
		p.fillLastLine(m, w, lines)
	}
	p.wholePhrases = false
	return lines
}

// fitSmallest lays out p at the smallest step of a ladder, in this many lines more than it has if all of the text
// fits then.
func (e *Engine) fitSmallest(p *paragraph, box Box, ladder Ladder, more int) *Block {
	step := Step{SizePx: p.style.SizePx, Lines: 1}
	spares := slices.Clone(ladder[len(ladder.regular()):])
	if ladder = ladder.regular(); len(ladder) > 0 {
		step = ladder[len(ladder)-1]
	}
	m := p.metrics(step.SizePx, true)
	lines := p.maxLines(step)
	if box.H > 0 && m.leading > 0 {
		most := 1 + int(math.Max(0, (box.H-p.capHeight()*m.size)/m.leading))
		if more > 0 && lines+more <= most {
			if b := e.wrapTight(p, m, box, lines+more); !b.Truncated && b.fits(box) {
				for i := range spares {
					spares[i].Lines = max(spares[i].Lines, len(b.Lines)-p.maxLines(Step{}))
				}
				b = e.better(p, b, box, spares)
				return e.withoutParting(p, b, box, Ladder{{SizePx: step.SizePx, Lines: len(b.Lines) - p.maxLines(Step{})}})
			}
		}
		lines = min(lines, most)
	}
	for {
		b := e.wrapTight(p, m, box, max(lines, 1))
		if b.Truncated && b.fits(box) {
			if whole := e.cutAtClause(p, m, box, max(lines, 1), utf8.RuneCountInString(b.Text())); whole != nil {
				return e.uncut(p, whole, step, box, max(lines, 1))
			}
		}
		if lines = len(b.Lines) - 1; b.fits(box) || lines < 1 {
			return b
		}
	}
}

// wrapTight is wrapAt, with lines nearer to each other where their marks would move a whole text out of its box.
func (e *Engine) wrapTight(p *paragraph, m metrics, box Box, lines int) *Block {
	b := e.wrapAt(p, m, box.W, lines)
	if b.fits(box) || b.Truncated && !b.RTL {
		return b
	}
	for _, tight := range tighter {
		switch {
		case tight < 1 && !b.RTL:
			continue
		case tight > mostTightCut && b.Truncated:
			return b
		}
		p.tight = tight
		other := e.wrapAt(p, m, box.W, lines)
		p.tight = 0
		if other.fits(box) {
			return other
		}
	}
	return b
}

// tighter are how near to each other lines are that would leave their box otherwise, from 0 to 1. Only Arabic dots need
// those between.
var tighter = [...]float64{.25, .5, .75, 1}

// mostTightCut is the last of these that a text which is cut anyway has.
const mostTightCut = .5

// clauseShare is the share of what fits that a clause must have for a title to end with it, without “…”, and
// sentenceShare that of a sentence.
const (
	clauseShare   = .6
	sentenceShare = .45
)

// inChain reports whether the dash at i is one of several with one or two words between them, as in “from Rome – Bari –
// Corfu”: without what follows, it would say something else.
func (p *paragraph) inChain(i int) bool {
	const most = 2 // words
	for _, step := range [...]int{-1, 1} {
		words := 0
		for j := i + step; j > 0 && j < len(p.runes)-1 && words <= most; j += step {
			switch {
			case p.runes[j] == p.runes[i] && blank(p.runes[j-1]) && blank(p.runes[j+1]):
				return true
			case blank(p.runes[j]) && j != i+step:
				words++
			case strings.ContainsRune(".:;?!", p.runes[j]):
				words = most + 1
			}
		}
	}
	return false
}

// cutAtClause returns the longest part of a title that ends with a clause and fits into this many lines; nil if there
// is none of clauseShare of the characters that fit.
func (e *Engine) cutAtClause(p *paragraph, m metrics, box Box, maxLines, fit int) *Block {
	for end := min(len(p.runes)-1, fit+longestTrim); end > 0 && float64(end) >= sentenceShare*float64(fit); end-- {
		if !p.endsPart(end) || opensPair(p.runes[:end]) ||
			float64(end) < clauseShare*float64(fit) && !p.asksBefore(end) {
			continue
		}
		e.compose(&e.cut, strings.TrimRight(string(p.runes[:end]), " "), p.style.uncapped())
		if lines, whole := e.cut.wrap(m, box.W, true, e.lines); whole && len(lines) <= maxLines {
			e.lines = lines
			b := e.finish(&e.cut, m, box.W, lines)
			if b.fits(box) && (b.worst < penaltyBound || b.worst >= penaltyOrphanWord) {
				b.Truncated, b.Missing, b.MissingShare = true, string(p.missing), p.missingShare()
				return b
			}
		}
	}
	return nil
}

// uncut returns a title that ends with a clause, or if it has a hyphen in a word, the one at a slightly smaller size at
// which that is whole.
func (e *Engine) uncut(p *paragraph, b *Block, step Step, box Box, maxLines int) *Block {
	if !b.cut || p.class != european {
		return b
	}
	n := utf8.RuneCountInString(b.Text())
	for px := step.SizePx - 2; px >= max(leastUncut, uncutShare*step.SizePx); px -= 2 {
		if other := e.cutAtClause(p, p.metrics(px, true), box, maxLines, n); other != nil && !other.cut {
			return other
		}
	}
	return b
}

// Sizes down to which a title that ends with a clause is made smaller for whole words: in px, and of its own size.
const (
	leastUncut = 44
	uncutShare = .68
)

// asksBefore reports whether a question or an exclamation of a European text ends before runes[i].
func (p *paragraph) asksBefore(i int) bool {
	return p.class == european && i > 0 && strings.ContainsRune("?!", p.runes[i-1])
}

// endsPart reports whether a part of a title ends before runes[i]: before a colon, a spaced dash, a bracket, a wide
// space or the space after a full stop.
func (p *paragraph) endsPart(i int) bool {
	next := i+1 < len(p.runes) && blank(p.runes[i+1])
	switch r := p.runes[i]; r {
	case ':', ';':
		return next
	case '：', '；', '（', '｜', 0x3000:
		return true
	case '–', '—', '|', '·':
		return next && blank(p.runes[i-1]) && !p.inChain(i) &&
			!rangeDash(string(p.runes[:i]), string(p.runes[i+1:]))
	case '(', '[':
		return blank(p.runes[i-1])
	case ' ':
		return strings.ContainsRune(".?!", p.runes[i-1]) && p.endsClause(i-1)
	}
	return false
}
