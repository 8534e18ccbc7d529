package text

import (
	"slices"
	"strings"
	"unicode"
)

// This file is for lines of Korean, which is read by clauses, as its headlines are written: between two marks, and in
// these by phrases, of which a particle ends most. See koreanwords.go for the words.

// Penalties of lines of Korean, in addition to those of other languages.
const (
	penaltyTorn       = .130 // a line has the end of one clause and the beginning of another, for each that is parted
	penaltyTornPart   = .045 // … of what ends in a comma
	penaltyInPair     = .080 // a break inside brackets or quotes with at most longestPair characters
	penaltyCounted    = .100 // … after a number with its counter, before a noun: 100분 / 회담
	penaltyDated      = .050 // … that is a date
	penaltyEdition    = .215 // … after a number of an edition: 제30회 / 영화제
	penaltyNation     = .210 // … after a Chinese character that is a word: 美 / 조지아
	penaltyInitials   = .170 // … after Latin letters, before a noun: MLS / 데뷔골
	penaltyTwoWords   = .080 // … between two nouns, or before the verb whose object or subject the first is
	penaltyTwoNouns   = .130 // … of a phrase that has no others: 동네 / 책방에
	penaltyAttribute  = .050 // … after -의: 엄마의 / 편지
	penaltyAdnominal  = .030 // … after an adnominal ending, before more than a noun
	penaltyBoundNoun  = .205 // … after such an ending, before a noun that needs it: 절이는 / 법과
	penaltyAdverb     = .150 // … after one of koreanAdverbs: 자주 / 묻는
	penaltyListed     = .100 // … between two measures: 215g, / 4.2mm
	penaltyDotted     = .260 // … after a measure and a dot
	penaltyNamed      = .050 // … before its name in quotes: 로봇 / ‘아틀라스’
	penaltyBefore     = .060 // … before a word with an adnominal ending, after its object or the like
	penaltyOneWord    = .100 // a short line has one word
	penaltyPartStub   = .060 // a line has less than stubShare of the mean, and a part begins or ends there
	penaltyKoreanLast = .130 // … before the last word of a clause
)

const (
	koreanLineDemerits = .120 // what one line more of Korean must save, if that has no fault
	koreanEvenness     = .7   // how much of the squared deviation of its lines from their mean counts
	koreanSaving       = .9   // how much of what a smaller size must save it has to save
)

// longestWork is the number of characters of the title of a work that is on one line: 〈소금, 길을 내다〉.
const longestWork = 12

// longestPair is the number of characters between brackets or quotes from which they may be on two lines.
const longestPair = 20

// isKorean reports whether p has lines of Korean.
func (p *paragraph) isKorean() bool { return p.class == cjk && p.han == korean }

// findKoreanClauses sets p.clauseEnds: how many clauses end up to each position, and how many with the parts before
// commas.
func (p *paragraph) findKoreanClauses() {
	n := len(p.runes)
	for k := range p.clauseEnds {
		p.clauseEnds[k] = zeroed(p.clauseEnds[k], n+1)
	}
	last := 0 // where the last part begins
	for i := 1; i <= n; i++ {
		whole := i == n || p.clauseBegins(i)
		part := whole || i-last > shortPair+2 && p.commaBefore(i)
		for k, ends := range [...]bool{whole, part} {
			p.clauseEnds[k][i] = p.clauseEnds[k][i-1]
			if ends {
				p.clauseEnds[k][i]++
			}
		}
		if part {
			last = i
		}
	}
}

// clauseBegins reports whether a clause of Korean begins at i: after “…”, after another mark and a space, or with
// brackets or quotes that have several words.
func (p *paragraph) clauseBegins(i int) bool {
	mark, spaced := i-1, blank(p.runes[i-1])
	if spaced && i > 1 {
		mark--
	}
	r, next := p.runes[mark], p.runes[i]
	switch {
	case blank(next), closesWord(next), unicode.In(next, unicode.Po) && next != '"':
		return false
	case r == '…':
		return true
	case unicode.In(next, unicode.Ps, unicode.Pi) && p.phraseIn(i):
		return true
	case !spaced:
		return false
	case unicode.In(r, unicode.Pe, unicode.Pf):
		return p.phraseBefore(mark)
	}
	return p.endsClause(mark)
}

// phraseIn reports whether the brackets or quotes that open at i have several words and more than shortPair characters.
func (p *paragraph) phraseIn(i int) bool {
	const longest = 60 // characters
	for j := i + 1; j < len(p.runes) && j-i < longest; j++ {
		if unicode.In(p.runes[j], unicode.Pe, unicode.Pf) {
			return j-i-1 > shortPair && slices.ContainsFunc(p.runes[i:j], blank)
		}
	}
	return false
}

// phraseBefore is phraseIn for those that close at i.
func (p *paragraph) phraseBefore(i int) bool {
	for j := i - 1; j >= 0; j-- {
		if unicode.In(p.runes[j], unicode.Ps, unicode.Pi) {
			return p.phraseIn(j)
		}
	}
	return false
}

// commaBefore reports whether a comma and a space are before runes[i], but not between two measures.
func (p *paragraph) commaBefore(i int) bool {
	return i > 1 && blank(p.runes[i-1]) && p.runes[i-2] == ',' && !p.listed(i-1, i)
}

// listed reports whether two words, the first of which ends in a comma, are measures.
func (p *paragraph) listed(end, next int) bool {
	before := p.koreanWord(end - 1)
	return p.runes[end-1] == ',' && len(before) > 0 && unicode.IsDigit(before[0]) && before[len(before)-1] < 0x80 &&
		!closesWord(before[len(before)-1]) &&
		unicode.IsDigit(p.runes[next])
}

// tornPenalty returns the penalty of a line that has the end of one clause and the beginning of another.
func (p *paragraph) tornPenalty(start int, b *lineBreak) (penalty float64) {
	for k, each := range [...]float64{penaltyTorn, penaltyTornPart} {
		ends := p.clauseEnds[k]
		inside := ends[b.next] - ends[start]
		whole := ends[b.next] > ends[b.next-1]
		if whole {
			inside--
		}
		if inside <= 0 {
			continue
		}
		if start > 0 && ends[start] == ends[start-1] {
			penalty += each
		}
		if !whole {
			penalty += each
		}
	}
	return penalty
}

// koreanLine returns the penalty of a line that is short, or has parts of two clauses.
func (p *paragraph) koreanLine(start int, b *lineBreak, width, mean float64) float64 {
	const share = .75 // of the mean
	penalty := p.tornPenalty(start, b)
	topic := start == 0 && p.runes[b.end-1] == ',' // as in 손흥민,
	if width < share*mean && !topic && !slices.ContainsFunc(p.runes[start:b.end], blank) {
		penalty += penaltyOneWord
	}
	return penalty
}

// partAt reports whether a part begins at i.
func (p *paragraph) partAt(i int) bool {
	return i == 0 || p.clauseEnds[1][i] > p.clauseEnds[1][i-1]
}

// koreanWord returns the characters of the word that ends at end, without what a dot, a mark or a bracket parts from
// it.
func (p *paragraph) koreanWord(end int) []rune {
	start := end
	for start > 0 && !blank(p.runes[start-1]) && !partsKorean(p.runes[start-1]) {
		start--
	}
	return p.runes[start:end]
}

// koreanWordAt returns the characters of the word at i, and whether a mark follows that ends a part.
func (p *paragraph) koreanWordAt(i int) (word []rune, marked bool) {
	end := i
	for end < len(p.runes) && !blank(p.runes[end]) && !partsKorean(p.runes[end]) && !closesWord(p.runes[end]) {
		if containsRune(",:;?!", p.runes[end]) && (end+1 == len(p.runes) || !unicode.IsDigit(p.runes[end+1])) {
			break
		}
		end++
	}
	return p.runes[i:end], end == len(p.runes) || !blank(p.runes[end])
}

// partsKorean reports whether r parts two words without a space.
func partsKorean(r rune) bool {
	return r == '…' || r == '·' || unicode.In(r, unicode.Ps, unicode.Pi)
}

// koreanPenalty returns the penalty of a break inside a phrase of Korean, or of brackets or quotes.
func (p *paragraph) koreanPenalty(b lineBreak) float64 {
	if !p.isKorean() || b.end == 0 || b.next >= len(p.runes) {
		return 0
	}
	if b.end == b.next {
		if word := p.koreanWord(b.end - 1); p.runes[b.end-1] == '·' && len(word) > 1 && unicode.IsDigit(word[0]) {
			return penaltyDotted
		}
		return 0
	}
	penalty := p.insideKorean(b)
	if p.lastWordAt(b) {
		penalty += penaltyKoreanLast
	}
	switch n, title := p.pairAround(b); {
	case n > 0 && (n <= shortPair || title && n <= longestWork):
		penalty += penaltyShortPair
	case n > 0 && n <= longestPair:
		penalty += penaltyInPair
	}
	return penalty
}

// lastWordAt reports whether the word after a break is the last one of a clause that “…” or a colon ends, and not the
// only one of its part.
func (p *paragraph) lastWordAt(b lineBreak) bool {
	end := b.next
	for end < len(p.runes) && !blank(p.runes[end]) && !containsRune("…:", p.runes[end]) {
		end++
	}
	return end+1 < len(p.runes) && (p.runes[end] == '…' || p.runes[end] == ':' && blank(p.runes[end+1])) &&
		(unicode.In(p.runes[b.end-1], unicode.L, unicode.N) || closesWord(p.runes[b.end-1]))
}

// pairAround returns the number of characters between the brackets or quotes that a break is inside of, or 0, and
// whether those are of the title of a work.
func (p *paragraph) pairAround(b lineBreak) (n int, title bool) {
	open, end := b.end-1, b.next
	for ; open >= 0 && !unicode.In(p.runes[open], unicode.Ps, unicode.Pi); open-- {
		if b.end-open > longestPair || unicode.In(p.runes[open], unicode.Pe, unicode.Pf) {
			return 0, false
		}
	}
	for ; end < len(p.runes) && !unicode.In(p.runes[end], unicode.Pe, unicode.Pf); end++ {
		if end-b.next > longestPair || unicode.In(p.runes[end], unicode.Ps, unicode.Pi) {
			return 0, false
		}
	}
	if open < 0 || end == len(p.runes) {
		return 0, false
	}
	return end - open - 1, containsRune("〈《「『", p.runes[open])
}

// insideKorean returns the penalty of a break between two words of one phrase.
func (p *paragraph) insideKorean(b lineBreak) float64 {
	if p.listed(b.end, b.next) {
		return penaltyListed
	}
	word := p.koreanWord(b.end)
	after, marked := p.koreanWordAt(b.next)
	if len(word) == 0 {
		return 0
	}
	last := word[len(word)-1]
	if len(after) == 0 {
		if hangul(last) && !endsKorean(word) && p.quotesWord(b.next) {
			return penaltyNamed // 로봇 / ‘아틀라스’
		}
		return 0
	}
	switch {
	case p.namesVersion(b, after):
		return penaltyPerson
	case !unicode.In(last, unicode.L, unicode.N) && last != '%':
		return 0
	case p.belongsToLast(b.next):
		return penaltyPerson
	case koreanFollowers[string(after)]:
		return penaltyEnclitic
	case len(word) == 1 && isHan(last):
		return penaltyNation
	case slices.Contains(strings.Fields(koreanSeconds[string(word)]), string(bareKorean(after))):
		return penaltyModel
	case koreanAdverbs[string(word)]:
		return penaltyAdverb
	case unicode.IsDigit(word[0]), word[0] == '제' && len(word) > 1 && unicode.IsDigit(word[1]):
		return p.afterKoreanNumber(word, after)
	case unicode.IsDigit(after[0]):
		return beforeKoreanNumber(word, after)
	case last < 0x80:
		if hangul(after[0]) && unicode.IsLetter(last) {
			return penaltyInitials
		}
		return 0
	case !hangul(last):
		return 0
	case last == '의' && !koreanNouns[string(word)]:
		return penaltyAttribute
	case koreanAuxiliary(word, after):
		return penaltyBoundNoun
	case last == '적' && len(word) > 2:
		return penaltyTwoNouns // 경피적 / 관상동맥중재술
	case adnominal(word):
		if koreanWays[string(bareKorean(after))] || koreanWays[string(after[:1])] && len(after) == 2 && endsKorean(after) {
			return penaltyBoundNoun
		}
		if marked || endsKorean(after) && after[len(after)-1] != '의' {
			return penaltyTwoWords // 줄인 / 과정
		}
		return penaltyAdnominal // 바꾼 / 접이식 스마트폰
	case p.countsAfter(word, b.end):
		return penaltyCounted // 3만 대 / 투입
	case endsKorean(word), koreanLinks[string(word)]:
		return beforeVerb(word, after)
	case p.secondOfTwo(b.end - len(word)):
		return penaltyBoundNoun
	case (marked || endsKorean(after)) && p.beginsKoreanPhrase(b.end-len(word)):
		return penaltyTwoNouns
	}
	return penaltyTwoWords
}

// namesVersion reports whether a version follows a name with brackets: 도라지(Doraji) / 2.7.
func (p *paragraph) namesVersion(b lineBreak, after []rune) bool {
	if p.runes[b.end-1] != ')' || len(after) < 2 || !unicode.IsDigit(after[0]) || !slices.Contains(after, '.') {
		return false
	}
	for i := b.end - 1; i > 0 && !blank(p.runes[i]); i-- {
		if p.runes[i] == '(' {
			return !blank(p.runes[i-1])
		}
	}
	return false
}

// koreanAuxiliary reports whether a verb that must or may be done is parted from the one that says so: 확인해야 / 할,
// 줄여도 / 되는가.
func koreanAuxiliary(word, after []rune) bool {
	switch word[len(word)-1] {
	case '야':
		return len(word) > 1 && containsRune("하할한해합했", after[0])
	case '도':
		return len(word) > 1 && containsRune("되된될됩돼됐", after[0]) && !koreanNouns[string(word)]
	}
	return false
}

// beforeVerb returns the penalty of a break between a word with a particle and a verb before a noun or another clause.
func beforeVerb(word, after []rune) float64 {
	if adnominal(after) || containsRune("가이을를", word[len(word)-1]) && koreanLinks[string(after)] {
		return penaltyBefore // 일상을 / 바꾼 휴대폰, 난도가 / 높아 변별력을
	}
	return 0
}

// beginsKoreanPhrase reports whether a phrase begins at i: the word before it ends one.
func (p *paragraph) beginsKoreanPhrase(i int) bool {
	if i == 0 || !blank(p.runes[i-1]) {
		return true
	}
	word := p.koreanWord(i - 1)
	return len(word) == 0 || !unicode.In(word[len(word)-1], unicode.L, unicode.N) || adnominal(word) || endsKorean(word) ||
		len(word) > 2 && word[len(word)-1] == '용' // 산행용 등산 / 스틱과
}

// secondOfTwo reports whether “and” is before a word at i, which a break after it would make one of two: 색인과 메모리 /
// 사용량.
func (p *paragraph) secondOfTwo(i int) bool {
	if i < 2 || !blank(p.runes[i-1]) {
		return false
	}
	word := p.koreanWord(i - 1)
	return len(word) > 1 && containsRune("과와", word[len(word)-1]) && endsKorean(word)
}

// afterKoreanNumber is insideKorean after a word that begins with digits.
func (p *paragraph) afterKoreanNumber(word, after []rune) float64 {
	last := word[len(word)-1]
	text := string(word)
	switch {
	case word[0] == '제':
		return penaltyEdition
	case (strings.HasSuffix(text, "에서") || strings.HasSuffix(text, "부터")) && unicode.IsDigit(after[0]):
		return penaltyCounted // 38초에서 / 4초로
	case strings.HasSuffix(text, "%p"), strings.HasSuffix(text, "%"):
		return penaltyEdition // 10%p / 인하
	case !hangul(last) && unicode.IsLetter(last) && !unicode.IsDigit(after[0]):
		return penaltyEdition // 40MB / 컨테이너
	case !hangul(last):
		return penaltyCounted // 3-1 / 완승
	case containsRune("년월일시분", last) && len(word) > 1 && unicode.IsDigit(word[len(word)-2]):
		if last == '분' {
			return penaltyCounted
		}
		if endsKorean(after) {
			return 0
		}
		return penaltyDated
	case beginsWith(withoutDigits(word), koreanCounters) && !endsKorean(word), containsRune("차회호", last):
		return penaltyCounted
	case last == '의':
		return penaltyAttribute
	case endsKorean(word):
		return beforeVerb(word, after)
	}
	return penaltyCounted
}

// countsAfter reports whether a word that ends at end is the counter of the number before it.
func (p *paragraph) countsAfter(word []rune, end int) bool {
	const longest = 2 // letters
	before := end - len(word) - 1
	return len(word) <= longest && before > 0 && beginsWith(word, koreanCounters) && p.countsKorean(p.koreanWord(before))
}

// withoutDigits returns what follows the digits that a word begins with.
func withoutDigits(word []rune) []rune {
	return []rune(strings.TrimLeft(string(word), "0123456789.,"))
}

// beforeKoreanNumber is insideKorean before a word that begins with digits.
func beforeKoreanNumber(word, after []rune) float64 {
	switch rest := withoutDigits(after); {
	case !hangul(word[len(word)-1]) || endsKorean(word):
		return 0
	case len(rest) > 0 && containsRune("호차회탄세", rest[0]), len(rest) > 0 && rest[0] == '%':
		return penaltyModel // 차세대중형위성 / 3호, 관세 / 10%p
	}
	return penaltyTwoWords
}

// quotesWord reports whether one word in quotes is at i, without a particle.
func (p *paragraph) quotesWord(i int) bool {
	for j := i + 1; j < len(p.runes) && !blank(p.runes[j]); j++ {
		if closesWord(p.runes[j]) {
			return j+1 < len(p.runes) && blank(p.runes[j+1])
		}
	}
	return false
}

// adnominal reports whether a word probably ends in -는, -던, -ㄴ or -ㄹ, before a noun: 바꾼, 될. Nouns may, too.
func adnominal(word []rune) bool {
	const (
		syllables = 0xac00
		tails     = 28
		nieun     = 4
	)
	last := word[len(word)-1]
	if koreanVerbs[string(word[max(0, len(word)-2):])] || string(word) == "보내는" {
		return true
	}
	if len(word) < 2 || last < syllables || last > 0xd7a3 || containsRune("은을를", last) {
		return false
	}
	return (last-syllables)%tails == nieun
}

// endsKorean reports whether a word ends in a particle or an ending that ends a phrase.
func endsKorean(word []rune) bool {
	if len(word) < 2 || koreanNouns[string(word)] || len(word) > 2 && koreanNouns[string(word[len(word)-2:])] {
		return false
	}
	last := word[len(word)-1]
	return containsRune(koreanFinals, last) || slices.ContainsFunc(koreanEndings, func(ending string) bool {
		return strings.HasSuffix(string(word), ending)
	})
}

// bareKorean returns a word without a particle of one syllable.
func bareKorean(word []rune) []rune {
	if n := len(word); n > 2 && containsRune(koreanParticles+"로만", word[n-1]) {
		return word[:n-1]
	}
	return word
}
