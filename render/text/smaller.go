package text

import (
	"math"
	"slices"
)

// better returns b, or the text at the next smaller step if its lines are worth the loss of size: those of b read much
// worse. It also tries the four steps after that if the lines of b have a fault: a break inside a compound or a word,
// or between words that belong together, or one short word as the last line.
func (e *Engine) better(p *paragraph, b *Block, box Box, smaller Ladder) *Block {
	if p.byPhrases() && b.worst < penaltyOrphanWord {
		return e.worthSmaller(p, b, box, smaller)
	}
	most := 1
	switch {
	case b.worst >= faultPenalty && b.worst < penaltyOrphanWord:
		most = 5
	case p.clausal(), p.isKorean():
		most = 3
	}
	best, score := b, b.demerits
	steps := [...]float64{
		stepDemerits, twoStepsDemerits, threeStepsDemerits, fourStepsDemerits, fiveStepsDemerits,
	}
	for i, saved := range steps[:most] {
		saved *= p.saving()
		if score < saved && !p.clausal() || i >= len(smaller) || smaller[i].Last || smaller[i].Spare && !p.wantsSpare(best) ||
			p.tooSmall(b, best, smaller[i]) {
			break
		}
		if other := e.fitStep(p, smaller[i], box); other != nil && other.demerits+saved < score {
			best, score = other, other.demerits+saved
		}
	}
	return best
}

// wantsSpare reports whether lines of a text that is read by clauses are so bad that spare sizes are tried for better
// ones, though none of them parts what belongs together.
func (p *paragraph) wantsSpare(b *Block) bool {
	const least = .28 // demerits
	return p.clausal() && b.demerits >= least && b.worst < faultPenalty
}

// withoutParting returns b, or the text in one line more than its step has, if b parts what belongs together and none
// of the next steps has better lines.
func (e *Engine) withoutParting(p *paragraph, b *Block, box Box, ladder Ladder) *Block {
	if box.H <= 0 {
		return b
	}
	if !b.parts() {
		if p.grave(b.worst) {
			return e.withoutGrave(p, b, box, ladder)
		}
		return b
	}
	const steps = 4
	best, score := b, b.demerits-penaltyBound/2
	for _, step := range ladder[:min(steps, len(ladder))] {
		if step.Last || step.Spare {
			break
		}
		more := e.oneMoreLine(p, p.metrics(step.SizePx, true), box, p.maxLines(step)+1)
		switch {
		case more == nil:
		case more.worst < faultPenalty && more.demerits < b.demerits:
			return more
		case more.demerits < score: // parts less
			best, score = more, more.demerits
		}
	}
	return best
}

// parts reports whether a line of b ends between words that are never parted, in a word of one letter, before the noun
// of a number, or after the hyphen of a compound.
func (b *Block) parts() bool {
	return b.worst >= penaltyCount && b.worst < penaltyOrphanWord && b.worst != penaltyStair || b.worst >= penaltyHyphen
}

// Parted reports whether a line of b ends between words that belong together.
func (b *Block) Parted() bool { return b.worst >= faultPenalty && b.worst < penaltyOrphanWord }

// Sizes, as fractions of that of a title whose words are parted, down to which one is tried that has them whole.
const (
	wholeShare    = .70
	unpartedShare = .85 // … if its words are whole, but those that belong together aren't
	clausalShare  = .72 // … in Chinese, Japanese or Thai, of which a line ends nearly anywhere
	koreanShare   = .78 // … in Korean
	slugShare     = .64 // … if the name of a package is parted
	seamShare     = .90 // … if a word is parted at the seam of a compound
)

// smallerWhole returns b, or the text at the largest of some smaller steps, in no more lines than b or the step has, at
// which all that b parts is whole: words, and words that belong together, or at least the words.
func (e *Engine) smallerWhole(p *paragraph, b *Block, box Box, smaller Ladder) *Block {
	share, seam := unpartedShare, false
	switch {
	case p.clausal():
		share = clausalShare
	case p.isKorean():
		share = koreanShare
	}
	switch {
	case b.Truncated || p.style.Exact:
		return b
	case b.worst >= penaltyHyphen && isSlug(p.runes):
		share = slugShare
	case b.cut, b.worst >= penaltyWord && b.worst < penaltyOrphanWord,
		b.worst >= penaltyHyphen && slices.Contains(p.runes, ' '):
		share = wholeShare
	case b.worst == penaltyStair:
		share = minWholeSize
	case b.worst <= faultPenalty && b.seam && slices.Contains(p.runes, ' '):
		share, seam = seamShare, true
	case b.worst <= faultPenalty:
		return b
	}
	best := b
	for _, step := range smaller {
		px := p.metrics(step.SizePx, true).size
		if px >= b.SizePx {
			continue
		}
		if px < share*b.SizePx {
			break
		}
		step.Lines += max(len(b.Lines)-p.maxLines(step), 0) // no more than b has
		other := e.fitStep(p, step, box)
		switch {
		case other == nil || other.cut || seam && other.seam:
		case other.worst <= faultPenalty:
			return other
		case best == b && (b.cut || b.worst >= penaltyWord) && other.worst < penaltyWord, // its words are whole
			p.clausal() && (px >= unpartedShare*b.SizePx || share == wholeShare) && other.worst <= best.worst &&
				other.demerits+clausalGain < best.demerits:
			best = other
		}
	}
	return best
}

// isSlug reports whether a whole text is the name of a package, such as hangul-fold, which is no compound.
func isSlug(runes []rune) bool {
	const longest = 12 // letters; a longer one would be small on one line
	for _, r := range runes {
		if r != '-' && r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return len(runes) <= longest
}

// byPhrases reports whether lines of a text end as phrases do rather than be even: in European and in phrasal scripts.
func (p *paragraph) byPhrases() bool { return p.class == european || p.phrasal() }

// grave reports whether the worst break of lines is one that such a text should avoid at the price of some size:
// between words of a name, between a number and its noun, or after a function word.
func (p *paragraph) grave(worst float64) bool {
	return p.byPhrases() && worst >= gravePenalty && worst < penaltyOrphanWord
}

// lossPrice is the price of a size that is smaller by a share, in demerits.
type lossPrice struct {
	linear, squared float64
	least           float64 // that better lines must save besides
	most            float64 // no size is smaller than that for better lines
	last            bool    // the last steps may be taken for a grave break
}

// The prices of scripts: that of 10 % is .055 in a European one and .033 in a phrasal one, that of 20 % .140 and .082.
var (
	europeanPrice = lossPrice{linear: .40, squared: 1.50, most: .26}
	phrasalPrice  = lossPrice{linear: .25, squared: .80, least: .025, most: .30, last: true}
)

func (l *lossPrice) of(loss float64) float64 { return l.linear*loss + l.squared*loss*loss }

// sizePrice returns the price of smaller sizes for a text.
func (p *paragraph) sizePrice() *lossPrice {
	if p.phrasal() {
		return &phrasalPrice
	}
	return &europeanPrice
}

// worthSmaller is better for a text whose lines end as phrases do: it tries the next two sizes, and all of them, also
// spare ones, if b has a grave break.
func (e *Engine) worthSmaller(p *paragraph, b *Block, box Box, smaller Ladder) *Block {
	const bad = .2 // demerits
	best, score, grave, l := b, p.costOf(b), p.grave(b.worst) || p.class == european && b.demerits >= bad, p.sizePrice()
	smaller = p.withBetween(b, smaller)
	for _, step := range smaller {
		if !grave && step.Spare {
			break
		}
		loss := 1 - p.metrics(step.SizePx, true).size/b.SizePx
		price := l.of(loss)
		if step.Last && !(grave && l.last) || loss > l.most || score < price+l.least {
			break
		}
		if loss <= 0 || !e.promises(p, step, box, score-price) {
			continue
		}
		other := e.fitStep(p, step, box)
		if other == nil {
			continue
		}
		if cost := p.costOf(other) + price; cost < score {
			best, score = other, cost
		}
	}
	return best
}

// costOf returns the demerits of lines, and in a European script what a grave break costs besides.
func (p *paragraph) costOf(b *Block) float64 {
	if p.class == european && p.grave(b.worst) {
		return b.demerits + faultGrave/2
	}
	return b.demerits
}

// withBetween returns the smaller steps with four sizes before the first of them, and below the last one, each for as
// many lines as b has: for lines that end well a few percent are often enough.
func (p *paragraph) withBetween(b *Block, smaller Ladder) Ladder {
	const least, ragged, unit = 44, .5, 200 // px; demerits; px
	if p.style.Exact || b.Truncated {
		return smaller
	}
	px := b.SizePx * unit / p.metrics(unit, true).size // of a step
	lines := max(len(b.Lines)-p.maxLines(Step{}), 1)
	n := len(smaller)
	if n == 0 || smaller[0].Last {
		return append(sizesBetween(px, least, lines), smaller...)
	}
	steps := append(sizesBetween(px, smaller[0].SizePx, lines), smaller...)
	if last := smaller[n-1]; !last.Last && (p.grave(b.worst) || b.demerits >= ragged) && p.class != rtlScripts {
		steps = append(steps, sizesBetween(last.SizePx, least, lines)...)
	}
	return steps
}

// ratherSmaller returns b, or if that is a long title of a European script in several lines and cut, the whole title at
// a size slightly smaller than the last of a ladder, in this many lines more, if its lines end well.
func (e *Engine) ratherSmaller(p *paragraph, b *Block, box Box, ladder Ladder, more int) *Block {
	const (
		least = 48  // px, as of the spare sizes of designs
		bad   = .15 // demerits
		long  = 70  // characters; a shorter title is cut in columns that are only tried, or in one line
	)
	steps := ladder.regular()
	if n := len(steps); n > 0 {
		steps = steps[n-1:]
	}
	if !b.Truncated || p.class != european || len(p.runes) <= long || !p.style.Balance || p.style.Exact ||
		len(steps) == 0 || steps[0].Lines < 2 {
		return b
	}
	for _, s := range sizesBetween(steps[0].SizePx, least-1, steps[0].Lines+more) {
		if other := e.fitStep(p, s, box); other != nil && !other.cut && other.worst < gravePenalty && other.demerits < bad {
			return other
		}
	}
	return b
}

// sizesBetween returns up to four sizes below px, 2.5 % of it apart and above another one.
func sizesBetween(px, above float64, lines int) (steps Ladder) {
	const share, most = .025, 4
	last := 2 * math.Round(px/2)
	for k := range most {
		next := 2 * math.Round(px*(1-share*float64(k+1))/2)
		if next <= above {
			break
		}
		if next < last {
			last = next
			steps = append(steps, Step{SizePx: next, Lines: lines})
		}
	}
	return steps
}

// withoutGrave returns b, or the text without a grave break in one line more than its step or the next one has.
func (e *Engine) withoutGrave(p *paragraph, b *Block, box Box, ladder Ladder) *Block {
	const steps = 2
	for _, step := range ladder[:min(steps, len(ladder))] {
		if step.Last || step.Spare {
			break
		}
		more := e.oneMoreLine(p, p.metrics(step.SizePx, true), box, p.maxLines(step)+1)
		if more == nil {
			continue
		}
		price := p.sizePrice().of(max(1-more.SizePx/b.SizePx, 0))
		if more.worst < gravePenalty && more.demerits+graveLine+price < b.demerits {
			return more
		}
	}
	return b
}
