package text

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// Short titles are large: if the first step of a ladder leaves more than maxEmpty of the box empty, larger ones are
// tried before it, of which shortSteps chooses. Source: docs/rendering.md#fit.
const maxEmpty = .45

var largerSteps = [...]float64{1.45, 1.36, 1.24, 1.12}

// Choice of the size of a short title. Source: docs/rendering.md#fit.
const (
	shortTitle   = 28  // characters
	oneRowLength = 5   // … of a title in Chinese or Japanese that is one line
	oneRowThai   = 12  // … of one in Thai, without marks above and below
	oneWord      = 24  // … of a German word that is
	evenShare    = .70 // of the longest line, which the shortest of even ones has
	minEvenSize  = .80 // of the largest size that fits, down to which even lines are preferred
	minWholeSize = .78 // … in Romance languages, down to which those are that don't end in a function word
	minSingleRow = .62 // … down to which one line is
	rowSpare     = .85 // of the ladder's smallest size, where larger ones part words that belong together
	minRowOfStep = .78 // of the first step, below which fairly even lines are preferred to one
	fairShare    = .55 // of the longest line, which the shortest of those has
)

// tokenGain is how much larger a title must become to justify breaking a long token, at a suitable position. Source:
// docs/rendering.md#fit.
const tokenGain = 1.25

// wordGain is the same for hyphens inside words, which no one writes in a title.
const wordGain = 1.5

// prepareLadder returns the steps to try for p: those of a ladder, preceded by larger ones for a short text. It sets
// p.tokens if breaking a long token makes the text sufficiently larger.
func (e *Engine) prepareLadder(p *paragraph, box Box, ladder Ladder) Ladder {
	if len(ladder) == 0 || p.style.Exact {
		return ladder
	}
	if p.capitals && len(ladder.regular()) > 1 {
		ladder = ladder[1:]
	}
	m, lines, ok := e.tryStep(p, ladder[0], box)
	if !ok {
		p.tokens = e.breaksTokens(p, box, ladder)
		if p.tokens || len(p.runes) > shortTitle {
			return ladder
		}
		return e.shortSteps(p, box, ladder, ladder[0].SizePx)
	}
	widest := 0.0
	for _, l := range lines {
		widest = max(widest, p.width(l.start, l.end, m))
	}
	height := p.capHeight()*m.size + float64(len(lines)-1)*m.leading
	if box.H <= 0 || widest*height >= (1-maxEmpty)*box.W*box.H {
		if len(p.runes) > shortTitle {
			return ladder
		}
		return e.shortSteps(p, box, ladder, ladder[0].SizePx)
	}
	out := make(Ladder, 0, len(largerSteps)+len(ladder))
	for _, factor := range largerSteps {
		out = append(out, Step{SizePx: 2 * math.Round(ladder[0].SizePx*factor/2), Lines: ladder[0].Lines})
	}
	return e.shortSteps(p, box, append(out, ladder...), ladder[0].SizePx)
}

// shortSteps returns the steps of a ladder from the one that suits a short title: the largest whose lines are even and
// don't end in a function word (“La maison au / bord du lac”), otherwise one at which the title is one line, otherwise
// the largest that fits, or in Romance languages a slightly smaller one whose lines don't end in a function word.
// Fairly even lines are preferred to one that is much smaller than top, the first size of the design. One line may be
// as small as rowSpare where larger ones would part words that belong together.
func (e *Engine) shortSteps(p *paragraph, box Box, ladder Ladder, top float64) Ladder {
	first, whole, fair, largest, parted, down := -1, -1, -1, 0.0, false, minEvenSize
	if leaning[primaryLanguage(p.style.Lang)] > 0 || p.class == european {
		down = minWholeSize
	}
	if p.unspacedWord() {
		if row := e.oneRow(p, box, ladder); row != nil {
			return row
		}
	}
	for i, step := range ladder.regular() {
		if step.SizePx < down*largest {
			break
		}
		b := e.fitStep(p, step, box)
		if b == nil {
			continue
		}
		if first < 0 {
			first, largest, parted = i, step.SizePx, true
		}
		if b.worst < faultPenalty {
			parted = false
			if !b.endsInFunctionWord(p.style.Lang, p.englishTitle()) {
				if whole < 0 && down == minWholeSize {
					whole = i
				}
				if fair < 0 && b.even(fairShare) {
					fair = i
				}
				if b.even(evenShare) && step.SizePx >= minEvenSize*largest {
					return ladder[i:]
				}
			}
		}
	}
	if first < 0 {
		return ladder
	}
	if !slices.Contains(p.runes, ' ') {
		return ladder[first:]
	}
	m := p.metrics(ladder[first].SizePx, true)
	single := 2 * math.Floor(ladder[first].SizePx*box.W/p.width(0, len(p.runes), m)/2)
	lowest := ladder.regular()[len(ladder.regular())-1].SizePx
	if parted {
		lowest = max(ladder[len(ladder)-1].SizePx, 2*math.Round(lowest*rowSpare/2))
	}
	switch {
	case single < minSingleRow*largest && !parted, single < lowest:
		return ladder[max(first, whole):]
	case single < minRowOfStep*top && fair >= 0:
		return ladder[fair:]
	}
	if parted {
		if rows := e.unpartedSteps(p, box, ladder[first:], single/minEvenSize); rows != nil {
			return rows
		}
	}
	return rowSteps(single, ladder[first:])
}

// rowSteps returns a step of one line and the smaller steps of a ladder.
func rowSteps(px float64, ladder Ladder) Ladder {
	out := Ladder{{SizePx: px, Lines: 1}}
	for _, step := range ladder {
		if step.SizePx < px {
			out = append(out, step)
		}
	}
	return out
}

// unpartedSteps returns the steps of a ladder from the largest at which lines of Chinese or Korean part nothing that
// belongs together, nil if that is smaller than least.
func (e *Engine) unpartedSteps(p *paragraph, box Box, ladder Ladder, least float64) Ladder {
	if p.class != cjk || p.han == japanese {
		return nil
	}
	for i, step := range ladder.regular() {
		if step.SizePx < least {
			break
		}
		if b := e.fitStep(p, step, box); b != nil && b.worst < faultPenalty {
			return ladder[i:]
		}
	}
	return nil
}

// unspacedWord reports whether a title of a script without spaces is a word or two: 关于我们, ติดต่อเรา.
func (p *paragraph) unspacedWord() bool {
	if slices.Contains(p.runes, ' ') {
		return false
	}
	return p.class == cjk && len(p.runes) <= oneRowLength ||
		p.stacked && thaiLetters(string(p.runes)) <= oneRowThai
}

// oneRow returns the first step of a ladder at which p is one line, or nil.
func (e *Engine) oneRow(p *paragraph, box Box, ladder Ladder) Ladder {
	for _, step := range ladder.regular() {
		if _, lines, ok := e.tryStep(p, step, box); ok && len(lines) == 1 {
			return Ladder{step}
		}
	}
	return nil
}

// endsInFunctionWord reports whether a line of b other than the last ends in a function word; capitals says that those
// after the first word of the text don't count if they have a capital.
func (b *Block) endsInFunctionWord(lang string, capitals bool) bool {
	for i, l := range b.Lines[:max(len(b.Lines)-1, 0)] {
		words := strings.Fields(l.Text)
		if len(words) == 0 || capitals && i+len(words) > 1 && beginsCapital(words[len(words)-1]) ||
			strings.HasSuffix(l.Text, "-ce que") {
			continue
		}
		if last := strings.ToLower(words[len(words)-1]); functionWords(lang)[last] && keepsWithNext(last, lang) {
			return true
		}
	}
	return false
}

// even reports whether the shortest line of b has a share of the longest.
func (b *Block) even(share float64) bool {
	shortest := b.Width
	for _, l := range b.Lines {
		shortest = min(shortest, l.Width)
	}
	return shortest >= share*b.Width
}

// smallName reports whether a text is one word that begins with a small letter, as the name of a repository or a
// program does.
func (p *paragraph) smallName() bool {
	return len(p.runes) > 0 && unicode.IsLower(p.runes[0]) && !slices.ContainsFunc(p.runes, blank)
}

// breaksTokens reports whether the title becomes larger by tokenGain, or fits at all, if its long tokens are broken at
// allowed positions. It sets p.hyphens if words have to be hyphenated, too.
func (e *Engine) breaksTokens(p *paragraph, box Box, ladder Ladder) bool {
	size := func(tokens, hyphens bool) float64 {
		p.tokens, p.hyphens = tokens, hyphens
		for _, step := range ladder.regular() {
			if _, _, ok := e.tryStep(p, step, box); ok {
				return step.SizePx
			}
		}
		return 0
	}
	whole, parts := size(false, false), size(true, false)
	hyphens := 0.0
	if least := wordGain * max(whole, parts); least <= ladder[0].SizePx && !(whole > 0 && p.smallName()) {
		if hyphens = size(true, true); hyphens < least {
			hyphens = 0
		}
	}
	p.tokens, p.hyphens = false, hyphens > 0
	gain := tokenGain
	if p.german && len(p.runes) <= oneWord && !slices.Contains(p.runes, ' ') {
		gain = 1 / minSingleRow
	}
	return p.hyphens || parts > 0 && parts >= gain*whole
}
