package text

import (
	"slices"
	"strings"
	"unicode"
)

const ellipsis = "…"

// minCutShare is the minimum share of the fitting text for a cut at a word; otherwise the cut is at a grapheme.
const minCutShare = .5

// The maximum number of characters that a cut text gives up to avoid a line that ends inside a compound or a number:
// hanYield in Chinese and Japanese.
const (
	compoundYield = 24
	hanYield      = 8
)

// kernRoom is how much narrower, in em, kerning and tracking can make a cut text than the sum of its parts: wider
// candidates need not be tried.
const kernRoom = .15

// clamp lays out as much of p as fits into maxLines lines of width w, ending in “…”: cut at a word, without trailing
// punctuation and function words, or between graphemes if no word boundary is near.
func (e *Engine) clamp(p *paragraph, m metrics, w float64, maxLines int) *Block {
	e.lines, _ = p.wrap(m, w, true, e.lines)
	if len(e.lines) == 0 {
		return e.build(p, nil, m, w)
	}
	last := e.lines[min(maxLines, len(e.lines))-1]
	cut := e.cutPoint(p, m, w, maxLines, last)
	e.cut.wholePhrases = e.cut.phrased
	lines, _ := e.cut.wrap(m, w, true, e.lines)
	e.lines = lines
	if cut == 0 || len(lines) > maxLines {
		e.compose(&e.cut, "", p.style)
		lines = nil
	}
	e.cut.tight = p.tight
	b := e.finish(&e.cut, m, w, lines)
	e.cut.tight = 0
	b.Truncated, b.Missing, b.MissingShare = true, string(p.missing), p.missingShare()
	return b
}

// cutPoint composes the longest shortened form of p that fits into e.cut and returns how many runes of p it keeps; 0 if
// not even one letter with an ellipsis fits.
func (e *Engine) cutPoint(p *paragraph, m metrics, w float64, maxLines int, last lineRange) int {
	e.compose(&e.cut, ellipsis, p.style)
	dots := e.cut.width(0, len(e.cut.runes), m)
	try := func(end int) bool {
		if end > last.start && p.width(last.start, end, m)+dots > w+kernRoom*m.size {
			return false
		}
		e.compose(&e.cut, string(p.runes[:end])+ellipsis, p.style.uncapped())
		e.cut.wholePhrases = e.cut.phrased // lines don't end inside words
		lines, whole := e.cut.wrap(m, w, true, e.trial)
		e.trial = lines
		if n := len(lines); n > 1 && lines[n-1].end-lines[n-1].start == 1 {
			return false // “…” alone
		}
		return whole && len(lines) <= maxLines
	}
	// Of the cuts that fit: those that part a compound on a line, or after its hyphen, or have few words after a colon.
	longest, inside, barely := 0, 0, 0
	yield := compoundYield
	if p.class == cjk && p.han != korean {
		yield = hanYield
	}
	floor := int(minCutShare * float64(last.end))
	for i := len(p.breaks) - 1; i >= 0; i-- {
		b := p.breaks[i]
		if b.end <= last.end && !p.hangs(b) && !p.splitsWord(b) {
			end := trimCut(p.runes[:b.end], p.style.Lang)
			if end > floor && (opensLast(p.runes[:end]) || p.style.Balance && barelyBegins(p.runes[:end])) { // a title
				if barely == 0 && try(end) {
					barely = end
				}
				continue
			}
			if end <= floor || max(longest, inside)-end > yield {
				break
			}
			if end != longest && try(end) {
				switch {
				case e.partsCompound(m, w):
					longest = max(longest, end)
				case p.insideCompound(b):
					inside = max(inside, end)
				default:
					return end
				}
			}
		}
	}
	hanging := p.cutAfterAdjective(last.end, floor, try)
	for _, end := range [...]int{min(inside, max(barely, longest)), inside, max(longest, barely), hanging} {
		if end > 0 && try(end) {
			return end
		}
	}
	for i := last.end; i > 0; i-- {
		if p.flags[i]&graphemeStart == 0 {
			continue
		}
		end := trimPunctuation(p.runes[:i])
		if end > 0 && try(end) {
			return end
		}
	}
	return 0
}

// cutAfterAdjective returns the last end, after floor, of a cut after an adjective, of which try says that it
// fits, or 0: what hangs is better than half a word.
func (p *paragraph) cutAfterAdjective(last, floor int, try func(end int) bool) int {
	for i := len(p.breaks) - 1; i >= 0 && p.class == european; i-- {
		b := p.breaks[i]
		if b.end > last || b.end == b.next || p.penaltyOf(b) != penaltyAdjectiveFirst {
			continue
		}
		if end := trimCut(p.runes[:b.end], p.style.Lang); end > floor && try(end) {
			return end
		}
	}
	return 0
}

// leansOn reports whether the rune at i is a Chinese word of one character, such as 與, that belongs to the next word,
// or a Japanese one, such as 各.
func (p *paragraph) leansOn(i int) bool {
	if p.han == japanese {
		return i > 0 && containsRune("各約第毎全両同", p.runes[i]) && !isHan(p.runes[i-1])
	}
	return i > 0 && (p.leads(i) || p.clings(i) && !p.hanWordAt(i))
}

// endsAtDash reports whether a break is inside a word, after its dash: “Paris–Nice”.
func (p *paragraph) endsAtDash(b lineBreak) bool {
	return b.end == b.next && b.end < len(p.runes) && p.runes[b.end-1] == '–'
}

// hangs reports whether a cut at b would end before what its last word is about: “400…” of what?
func (p *paragraph) hangs(b lineBreak) bool {
	return p.endsInCount(b) || p.endsInsideName(b) || p.endsAtDash(b) || p.leadsThai(b) || p.partsThai(b) ||
		p.leadsToName(b) || p.class == cjk && p.han != korean && b.end > 0 &&
		(p.signsTo(b.end-1, -1) == penaltyLoneSign || p.leansOn(b.end-1))
}

// endsInsideName reports whether a cut at b would end in the first part of a name, as “an interview with Ana María…” or
// “from Saint…” (-Étienne).
func (p *paragraph) endsInsideName(b lineBreak) bool {
	if p.insideCompound(b) && unicode.IsUpper(p.runes[b.end]) {
		return true
	}
	switch p.penaltyOf(b) {
	case penaltyName, penaltyFullName, penaltyModel, penaltyModelSuffix, penaltyNameOf:
		return true
	}
	return false
}

// barelyBegins reports whether a cut text has no more than two words after a colon or an opening bracket, as “Tenancy
// law 2027: What…”, or one after a semicolon.
func barelyBegins(runes []rune) bool {
	const least = 3
	words := 1
	for i := len(runes) - 1; i > 0 && words < least; i-- {
		if runes[i] != ' ' {
			continue
		}
		if runes[i-1] == ':' || runes[i+1] == '(' || words == 1 && runes[i-1] == ';' {
			return true
		}
		words++
	}
	return false
}

// opensLast reports whether a cut text ends in the first word of brackets: “…, a record (talk…”.
func opensLast(runes []rune) bool {
	for i := len(runes) - 1; i > 0 && !blank(runes[i]); i-- {
		if unicode.Is(unicode.Ps, runes[i]) {
			return blank(runes[i-1]) && !slices.ContainsFunc(runes[i:], closesWord)
		}
	}
	return false
}

// insideCompound reports whether a break is after a hyphen: “First…” isn't how “First-Time Visitors” begins.
func (p *paragraph) insideCompound(b lineBreak) bool {
	return b.end == b.next && b.end > 1 && b.end < len(p.runes) && p.runes[b.end-1] == '-' &&
		unicode.IsLetter(p.runes[b.end-2]) && unicode.IsLetter(p.runes[b.end])
}

// splitsWord reports whether a break is inside a Chinese or Japanese word.
func (p *paragraph) splitsWord(b lineBreak) bool {
	return b.weak && !b.joint && b.next < len(p.runes) && p.phrasePenalty(b.end) >= penaltyWord
}

// partsCompound reports whether a line of the trial cut would end inside a compound or between two words that are never
// parted, or in a title inside a word.
func (e *Engine) partsCompound(m metrics, w float64) bool {
	if !e.cut.style.Balance {
		return false
	}
	fault := float64(penaltyBound)
	if e.cut.style.HangingPunctuation { // a title
		fault = penaltyWord
	}
	lines := e.balance(&e.cut, m, w, e.trial)
	for i := range len(lines) - 1 {
		for _, b := range e.cut.breaks {
			if b.end == lines[i].end && e.cut.penaltyOf(b) >= fault {
				return true
			}
		}
	}
	return false
}

// trimCut returns how much of a cut text remains without trailing punctuation and function words of a language.
func trimCut(runes []rune, lang string) int {
	hindi, arabic := primaryLanguage(lang) == "hi", primaryLanguage(lang) == "ar"
	end := len(runes)
	for {
		end = trimPunctuation(runes[:end])
		start := end
		for start > 0 && (unicode.In(runes[start-1], unicode.L, unicode.M) || apostrophe(runes[start-1]) ||
			runes[start-1] == '-') {
			start--
		}
		if start == end || start == 0 || !opens(runes[start-1]) {
			return end
		}
		word := strings.ToLower(string(runes[start:end]))
		if !leavesOpen(word, lang) && !(end-start == 1 && strings.Contains(letterWords, word)) && !englishWords[word] &&
			!(hindi && hindiCases[word]) && !(arabic && arabicParticle(runes[start:end])) {
			return end
		}
		end = start
	}
}

// letterWords are one-letter function words of any language, since pages don't always declare theirs correctly.
const letterWords = "aàeéèioóuyаиоувксяй"

// englishWords end no cut title of any language, since many pages in English declare another one.
var englishWords = wordSet("of the and with from")

// hindiCases are postpositions, after which a cut title leaves open what follows.
var hindiCases = wordSet("का की के ने को से में पर")

// joins are conjunctions of any language that end no clause: what is between commas follows, as in “planning and,
// above all, restoring”.
var joins = wordSet("and or und oder et ou och og e y o u i и или और")

func apostrophe(r rune) bool { return r == '\'' || r == '’' }

// opens reports whether a word can begin after r.
func opens(r rune) bool {
	return unicode.IsSpace(r) || apostrophe(r) || unicode.In(r, unicode.Ps, unicode.Pi)
}

// trailing reports whether r isn't allowed before an ellipsis: spaces, punctuation and opening brackets.
func trailing(r rune) bool {
	if strings.ContainsRune("%‰°٪％", r) || closes(r) {
		return false
	}
	return unicode.IsSpace(r) || unicode.IsPunct(r) || r == '|' || r == '+' || r == '=' || r == '<' || r == 0x200b
}

// closes reports whether r is a closing quote or bracket: it is allowed before an ellipsis, but not after other
// punctuation.
func closes(r rune) bool {
	return r == '"' || r == '\'' || unicode.In(r, unicode.Pe, unicode.Pf)
}

// trimPunctuation returns the length of a text without its trailing punctuation.
func trimPunctuation(runes []rune) int {
	end := len(runes)
	for end > 0 {
		before := end - 1
		for before > 0 && closes(runes[before]) {
			before--
		}
		if !trailing(runes[before]) {
			break
		}
		end = before
	}
	return end
}
