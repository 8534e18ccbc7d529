package text

import "math"

// lineRange is one line of a paragraph: runes[start:end], without trailing spaces.
type lineRange struct {
	start, end int
}

// metrics are the parameters for laying out a paragraph at one size.
type metrics struct {
	size     float64 // px
	tracking float64 // em
	leading  float64 // px between baselines
}

// width returns the advance width in px of runes[a:b]; tracking is between clusters, not after the last.
func (p *paragraph) width(a, b int, m metrics) float64 {
	if a >= b {
		return 0
	}
	w := p.advances[b] - p.advances[a]
	if m.tracking != 0 {
		if n := p.clusters[b] - p.clusters[a]; n > 1 {
			w += float64(n-1) * m.tracking
		}
	}
	return w * m.size
}

// minPhraseShare is the minimum share of the width of a line that ends with a phrase.
const minPhraseShare = .55

// slack is how much wider than its box a line may be, in px, due to rounding.
const slack = 1e-6

// wrap fills dst with the lines of p that fit into width w (greedy). A token wider than w is broken if breakLong is
// set, or if p.tokens is set and it has a suitable position; otherwise it stays whole on its line and whole is false.
func (p *paragraph) wrap(m metrics, w float64, breakLong bool, dst []lineRange) (lines []lineRange, whole bool) {
	lines, whole = dst[:0], true
	start := 0
	fit := -1    // the last break that fits on the line
	phrase := -1 // the last one that ends a phrase
	for i := 0; i < len(p.breaks); {
		b := p.breaks[i]
		if p.width(start, b.end, m) <= w+slack {
			fit = i
			if !b.weak || b.joint {
				phrase = i
			}
			i++
			continue
		}
		if p.wholePhrases && phrase >= 0 && phrase < fit &&
			p.width(start, p.breaks[phrase].end, m) >= minPhraseShare*w {
			fit = phrase
			i = phrase + 1
		}
		phrase = -1
		if fit >= 0 && p.breaks[fit].next > start {
			lines = append(lines, lineRange{start, p.breaks[fit].end})
			start = p.breaks[fit].next
			fit = -1
			continue
		}
		cut := b.end
		if breakLong || p.tokens {
			p.hyphenate()
		}
		if breakLong {
			cut = p.cutToken(start, b.end, m, w)
		} else if p.tokens {
			if cut = p.goodCut(start, b.end, m, w); cut < b.end && p.partsRange(cut) {
				cut = b.end // $165,000–$190,000
			}
		}
		if !breakLong && cut == b.end {
			whole = false
			lines = append(lines, lineRange{start, b.end})
			start, fit = b.next, -1
			i++
			continue
		}
		if cut >= b.end {
			lines = append(lines, lineRange{start, b.end})
			start, fit = b.next, -1
			i++
			continue
		}
		lines = append(lines, lineRange{start, cut})
		start = cut
	}
	if fit >= 0 && start < len(p.runes) {
		lines = append(lines, lineRange{start, p.breaks[fit].end})
	}
	return lines, whole
}

// keepPhrases wraps again so that lines end with phrases, if that takes no more lines. If so, p.wholePhrases stays set.
func (e *Engine) keepPhrases(p *paragraph, m metrics, w float64, lines []lineRange) []lineRange {
	p.wholePhrases = true
	trial, whole := p.wrap(m, w, false, e.trial)
	e.trial = trial
	if !whole || len(trial) != len(lines) {
		p.wholePhrases = false
		return lines
	}
	return append(lines[:0], trial...)
}

// cutToken returns where to break runes[start:end], too wide for w: at the last suitable position that fits, otherwise
// at a hyphenation point, otherwise at the last grapheme that fits, and at least after the first grapheme.
func (p *paragraph) cutToken(start, end int, m metrics, w float64) int {
	if good := p.goodCut(start, end, m, w); good < end && p.width(start, good, m) >= w/3 {
		return good
	}
	if good := p.hyphenCut(start, end, m, w); good < end && p.width(start, good, m) >= w/3 {
		return good
	}
	last, first := -1, end
	for i := start + 1; i < end; i++ {
		if p.flags[i]&(graphemeStart|insideGlyph) != graphemeStart {
			continue
		}
		if first == end {
			first = i
		}
		if p.width(start, i, m) > w+slack {
			break
		}
		if !p.hyphenAt(i) {
			last = i
		}
	}
	if last > start {
		return last
	}
	return first
}

// goodCut returns the last suitable position to break runes[start:end] that fits: between the parts of a token,
// otherwise at a hyphenation point, which in German is between the words of a compound. It is end if there is none.
func (p *paragraph) goodCut(start, end int, m metrics, w float64) int {
	if cut := p.cutAt(tokenStart, start, end, m, w); cut < end {
		return cut
	}
	if p.german {
		return p.cutAt(seamStart, start, end, m, w)
	}
	if !p.hyphens {
		return end
	}
	return p.hyphenCut(start, end, m, w)
}

// hyphenCut returns the last hyphenation point of runes[start:end] that fits, or end: one between the words of a
// compound, if that fills a third of the line.
func (p *paragraph) hyphenCut(start, end int, m metrics, w float64) int {
	if cut := p.cutAt(seamStart, start, end, m, w); cut < end && p.width(start, cut, m) >= w/3 {
		return cut
	}
	if cut := p.cutAt(hyphenStart, start, max(start, end-hyphenRest+1), m, w); cut <= end-hyphenRest &&
		p.width(start, cut, m) >= w/3 {
		return cut // not Schilddrüsenunterfunk-tion
	}
	return p.cutAt(hyphenStart, start, end, m, w)
}

// hyphenRest is how many letters of a word should be left for the next line.
const hyphenRest = 5

// cutAt returns the last position of a kind in runes[start:end] that fits, or end.
func (p *paragraph) cutAt(kind breakFlag, start, end int, m metrics, w float64) int {
	for i := end - 1; i > start; i-- {
		if p.flags[i]&kind != 0 && p.width(start, i, m)+p.hyphenWidth(i, m) <= w+slack {
			return i
		}
	}
	return end
}

// bisectWidth is balance by reducing the wrap width as far as the number of lines stays the same, then moving words to
// a last line that is too short. It is for Chinese and Japanese, whose lines may end nearly anywhere but should end
// with phrases.
func (e *Engine) bisectWidth(p *paragraph, m metrics, w float64, lines []lineRange) []lineRange {
	count := len(lines)
	lo, hi := 0.0, 0.0
	for _, l := range lines {
		width := p.width(l.start, l.end, m)
		lo += width
		hi = math.Max(hi, width)
	}
	lo /= float64(count)
	e.best = append(e.best[:0], lines...)
	if hi > w+slack { // a token doesn't fit anyway
		return e.best
	}
	for range 12 {
		if hi-lo < 1 {
			break
		}
		mid := (lo + hi) / 2
		trial, whole := p.wrap(m, mid, false, e.trial)
		e.trial = trial
		if len(trial) <= count && whole {
			hi = mid
			e.best = append(e.best[:0], trial...)
		} else {
			lo = mid
		}
	}
	p.fillLastLine(m, w, e.best)
	return e.best
}

// Limits of a last line that looks orphaned. Source: docs/rendering.md#fit.
const (
	minLastLineShare = .25 // of the longest line
	minClausalLast   = .47 // … of Chinese and Japanese, unless it is a clause
	shortWord        = 4   // letters of a single word
)

// fillLastLine moves words from the previous line to a last line that is under a quarter of the longest or a single
// short word, as long as the longest line stays within w.
func (p *paragraph) fillLastLine(m metrics, w float64, lines []lineRange) {
	n := len(lines)
	if n < 2 {
		return
	}
	longest := 0.0
	for _, l := range lines[:n-1] {
		longest = math.Max(longest, p.width(l.start, l.end, m))
	}
	last, before := &lines[n-1], &lines[n-2]
	for p.isOrphan(*last, m, longest) {
		moved := false
		for i := len(p.breaks) - 1; i >= 0; i-- {
			b := p.breaks[i]
			if b.next >= last.start || b.end <= before.start {
				continue
			}
			lifted := p.width(b.next, last.end, m)
			if lifted <= w+slack && p.width(before.start, b.end, m) >= lifted/2 {
				before.end, last.start = b.end, b.next
				moved = true
			}
			break
		}
		if !moved {
			return
		}
	}
}

// isOrphan reports whether a last line is too short.
func (p *paragraph) isOrphan(l lineRange, m metrics, longest float64) bool {
	return p.orphanPenalty(l, m, longest) > 0
}

// orphanPenalty returns the penalty of a last line that is too short compared with longest.
func (p *paragraph) orphanPenalty(l lineRange, m metrics, longest float64) float64 {
	short := p.width(l.start, l.end, m) < minLastLineShare*longest
	if l.end-l.start <= shortWord {
		alone := true
		for _, b := range p.breaks {
			alone = alone && (b.next <= l.start || b.next >= l.end)
		}
		if alone {
			return penaltyOrphanWord
		}
	}
	switch {
	case short:
		return penaltyOrphan
	case p.judged && p.class == cjk && p.clausal() && !p.clauseAt(l.start) &&
		p.width(l.start, l.end, m) < minClausalLast*longest:
		return penaltyClausalLast
	}
	return 0
}
