package text

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/language"
)

// judge finds the penalties of all breaks, which are the same at any size.
func (p *paragraph) judge() {
	if p.judged {
		return
	}
	p.judged = true
	switch {
	case p.clausal():
		p.findClauses()
	case p.isKorean():
		p.findKoreanClauses()
	}
	for i, b := range p.breaks {
		penalty := p.breakPenalty(b)
		if penalty < penaltyWord {
			penalty += p.insideClause(b)
		}
		p.breaks[i].penalty = penalty
	}
	if p.byPhrases() {
		p.addClauses()
		p.judgeBrackets()
	}
}

// breakPenalty returns the penalty of ending a line at a break: below 0 where a sentence or a clause ends.
func (p *paragraph) breakPenalty(b lineBreak) float64 {
	if b.end == 0 {
		return 0
	}
	penalty := p.penaltyOf(b)
	if more := p.koreanPenalty(b); more > 0 && (penalty < more || penalty == penaltyHyphen) {
		penalty = more
	}
	if penalty >= 0 {
		penalty += p.strayPenalty(b) + p.eastStray(b)
	}
	return penalty + p.lastWord(b)
}

// strayPenalty returns the penalty of a break that separates one word from a clause: the first word after a colon, or
// the last before it.
func (p *paragraph) strayPenalty(b lineBreak) (penalty float64) {
	if b.end == b.next || b.next >= len(p.runes) {
		return 0
	}
	if p.phrasal() {
		penalty = p.clauseWords(p.startOf(b.end), b)
	}
	start := b.end
	for start > 0 && !blank(p.runes[start-1]) {
		start--
	}
	if start > 1 && p.endsClause(start-2) {
		penalty = max(penalty, p.firstStray(start, b))
	}
	if p.class == european && penalty == 0 {
		penalty = p.secondStray(start, b)
	}
	if start > 0 && p.class == european && unicode.In(p.runes[start], unicode.Ps, unicode.Pi) &&
		!closesWord(p.runes[b.end-1]) {
		penalty += penaltyStrayBracket // “(receta”
	}
	if p.han == korean && p.class == cjk && unicode.In(p.runes[start], unicode.Ps, unicode.Pi) &&
		!slices.ContainsFunc(p.runes[start:b.end], closesWord) && p.runes[b.end-1] != ',' { // not ‘어쩔수가없다’로
		penalty += penaltyOpened // “나는
	}
	if p.han == korean && p.class == cjk && slices.Contains(p.runes[start:max(start, b.end-1)], '…') {
		penalty += penaltyStrayArticle // 유치…누적
	}
	if unicode.Is(unicode.Ps, p.runes[start]) && !closesWord(p.runes[b.end-1]) {
		penalty += penaltyLabel // “(No / Plumber Needed)”
	}
	end := b.next
	for end < len(p.runes) && !blank(p.runes[end]) {
		end++
	}
	switch {
	case end+1 >= len(p.runes): // or a space that is kept
	case p.han == korean && p.class == cjk && strings.ContainsRune("?!", p.runes[end-1]):
		penalty += penaltyStrayArticle // 얼마면 / 될까?
	case (p.class == tall || p.class == rtlScripts) && p.runes[end-1] == ':' && p.numeral(p.runes[b.next:end-1]):
		penalty += penaltyStrayArticle // भर्ती 2026:
	case p.runes[end+1] == '&' && p.namesTwo(start, b.next):
		penalty += penaltyPerson // “Tom / Petty & The Heartbreakers”
	case p.runes[end-1] == ':' && start > 0 && p.namesTwo(start, b.next):
		penalty += penaltyStray + penaltyName // “Arsenal 3–2 Real / Madrid: …”
	case p.phrasal(): // see clauseWords
	case p.endsClause(end - 1), strings.ContainsRune("–—:;?!»", p.runes[end+1]): // in French after a space
		if penalty += penaltyStray; p.class == european {
			penalty += penaltyStrayLast - penaltyStray
		}
	case p.runes[end-1] == ',':
		penalty += penaltyStrayComma
	}
	return penalty
}

// firstStray returns the penalty of a break after the first word of a clause, from start.
func (p *paragraph) firstStray(start int, b lineBreak) float64 {
	word, penalty := strings.ToLower(string(p.wordBefore(b.end))), float64(penaltyStray)
	if p.class == european {
		penalty = penaltyStrayWord
	}
	if p.class == european && p.asks(word) {
		return penaltyStrayQuestion
	}
	if !keepsWithNext(word, p.style.Lang) && !degrees[primaryLanguage(p.style.Lang)][string(p.wordAfter(b.next))] {
		return penalty
	}
	mark := p.runes[start-2]
	switch {
	case p.class == european && mark == ':':
		return penaltyStrayLabel
	case p.class == european && (mark == '?' || mark == '!'):
		return penaltyStrayFirst
	}
	return max(penalty, penaltyStrayArticle)
}

// asks reports whether a word is one of questions, which a line that begins a clause doesn't end in: “Ask HN: What /
// are”.
func (p *paragraph) asks(word string) bool {
	return strings.Contains(questions[cmp.Or(primaryLanguage(p.style.Lang), "en")], " "+word+" ")
}

// secondStray returns the penalty of a break after the second word of a clause, whose last letter is before b: “? Pas
// si / vite”.
func (p *paragraph) secondStray(start int, b lineBreak) float64 {
	const longest = 10 // letters of both
	if start < 2 || !blank(p.runes[start-1]) {
		return 0
	}
	first := start - 1
	for first > 0 && !blank(p.runes[first-1]) {
		first--
	}
	if first > 1 && b.end-first <= longest && p.endsClause(first-2) && !p.endsClause(b.end-1) && p.runes[start-2] != ',' {
		return penaltySecondWord
	}
	return 0
}

// endsClause reports whether the mark at i definitely ends a clause.
func (p *paragraph) endsClause(i int) bool {
	r := p.runes[i]
	return strings.ContainsRune(":;?!؟–—", r) || r == '.' && !p.abbreviates(i) && !p.goesOn(i)
}

// goesOn reports whether a small letter follows the full stop at i, as after an abbreviation: “5 min. away”, or a
// number after a unit: “2 Std. 45 Min.”.
func (p *paragraph) goesOn(i int) bool {
	if i+2 >= len(p.runes) || !blank(p.runes[i+1]) {
		return false
	}
	next := p.runes[i+2]
	return unicode.IsLower(next) || unicode.IsDigit(next) && units[string(p.wordBefore(i))]
}

// besides returns the characters before and after a break, 0 beyond the ends of the text.
func (p *paragraph) besides(b lineBreak) (last, next rune) {
	if b.end > 0 {
		last = p.runes[b.end-1]
	}
	if b.next < len(p.runes) {
		next = p.runes[b.next]
	}
	return last, next
}

// penaltyOf is breakPenalty by the text on both sides of the break.
func (p *paragraph) penaltyOf(b lineBreak) float64 {
	last, next := p.besides(b)
	if penalty, ok := p.eastPenalty(b, last, next); ok {
		return penalty
	}
	switch {
	case b.joint && last == '・' && b.end > 1 && !katakana(p.runes[b.end-2]):
		return penaltyClause // between two parts of a list: 正社員・フルリモート
	case b.weak && last == '・' && !katakana(next) && b.end == b.next:
		return penaltyPoint // 阪神・淡路
	case b.joint:
		return p.jointPenalty(b, last, next)
	case b.weak:
		return p.phrasePenalty(b.end)
	case b.end < b.next && b.next < len(p.runes) && p.bound(b.end, b.next):
		return penaltyBound
	case p.marks(b.next):
		return penaltyMark
	case b.end == b.next && b.end > 1 && containsRune("：；", p.runes[b.end-2]) && east(language.LookupScript(last)):
		return penaltyLetter
	case last == '.' && p.acronymAt(b.end):
		return 0
	case last == '.' && p.abbreviates(b.end-1):
		return penaltyShortWord
	case p.splitsRate(b):
		return penaltyRate
	case last == '.' && p.goesOn(b.end-1):
		return 0
	case last == '–' && b.end == b.next && next < 0x2e80: // “Paris–Nice”
		return penaltyLetter
	case last == ':' && p.phrasal():
		return penaltyColon
	case strings.ContainsRune(".:;?!؟。！？：；।", last), last == shad, last == '–' || last == '—':
		return penaltySentence
	case b.end == b.next && p.tibetan(b.next):
		return p.tibetanPenalty(b.next)
	case b.end == b.next && (eastOrEmoji(last) || eastOrEmoji(next) || wordLists[scriptOf(last)] != nil):
		return p.unspacedPenalty(b, last)
	case b.end == b.next, last == '-':
		return penaltyHyphen
	case (last == ',' || last == '.') && p.datesWeekday(b):
		return penaltyPerson
	case p.class == european && last == ',' && p.inSeries(b):
		return penaltySeries
	case p.class == european && unicode.Is(unicode.Ps, next) && unicode.IsLetter(last) && p.wholeBracket(b.next):
		return penaltyBracket
	case strings.ContainsRune(",،、，", last), unicode.Is(unicode.Ps, next):
		return penaltyClause
	case p.modelSuffix(b.next) && alphanumeric(last):
		return penaltyModelSuffix
	case p.class == tall && last < firstDevanagari && p.belongsToLast(b.next):
		return penaltyPostpos // G1 की
	case last == '&' && b.end > 1 && blank(p.runes[b.end-2]):
		return penaltyRomance
	case unicode.IsDigit(last) || strings.ContainsRune("%٪％ºª", last):
		return p.afterNumber(b)
	case !unicode.In(last, unicode.L, unicode.M):
		return p.afterQuote(b, last)
	case p.eastern && p.han == korean && (p.belongsToLast(b.next) || string(p.wordBefore(b.end)) == "수" &&
		containsRune("있없", next)):
		return penaltyEnclitic
	}
	return p.afterWord(b, next)
}

// marks reports whether an emoji is at i, or an ellipsis that stands alone.
func (p *paragraph) marks(i int) bool {
	const afterEmoji = 0x20000 // Chinese characters
	switch {
	case i >= len(p.runes):
		return false
	case p.runes[i] == '…':
		return i+1 == len(p.runes) || blank(p.runes[i+1])
	}
	return p.runes[i] >= firstEmoji && p.runes[i] < afterEmoji
}

// eastOrEmoji reports whether r is written next to others without a space.
func eastOrEmoji(r rune) bool {
	return r >= 0x231a && (east(language.LookupScript(r)) || r >= firstEmoji || !unicode.In(r, unicode.L, unicode.M))
}

// firstSymbol is the first geometric shape, which Japanese names end in.
const firstSymbol = 0x25a0

// phrasePenalty returns the penalty of a break inside a Chinese or Japanese phrase, between two of its letters. It is
// higher if that is certainly inside a word: one of two Han characters, one with an ending in kana, or between two
// katakana. A foreign word in “-ing” may end one of those; see also findJoints.
func (p *paragraph) phrasePenalty(i int) float64 {
	a, b := p.runes[i-1], p.runes[i]
	as, bs := language.LookupScript(a), language.LookupScript(b)
	switch {
	case a == 'グ' && i > 2 && p.runes[i-2] == 'ン' && bs == language.Katakana && !strings.ContainsRune("ラリルレロ", b):
		return penaltyPhrase
	case bs == language.Hiragana && closesWord(a) && containsRune(particles+"かまよ", b): // から, まで, より
		return penaltyParticle
	case p.han == japanese && (bs == language.Hiragana && containsRune(particles, b) &&
		(katakana(a) || alphanumeric(a) && a < 0x80) || b >= firstSymbol && unicode.Is(unicode.So, b)):
		return penaltyWord // ゆるキャン△, クリームパスタの
	case p.han == japanese && a == '回' && isHan(b) && i > 1 && unicode.IsDigit(p.runes[i-2]):
		return penaltyVerb // 第107回 / 全国…
	case katakana(a) && katakana(b) && p.shortKatakana(i):
		return penaltyBound
	case katakana(a) && katakana(b):
		return penaltyKatakana
	case p.hanSuffixAt(i), p.looseHan(i), p.looseBefore(i):
		return penaltyCompound
	case katakana(a) && containsRune(katakanaSuffixes, b) && !p.kanjiAfter(i):
		return penaltyWord
	case p.insideWord(i), p.insideFoundWord(i), p.insideVerbNoun(i), p.isParticle(b) && !p.beginsHanWord(i),
		p.loneKanji(i), bs == language.Hiragana && (as == language.Han || as == language.Hiragana):
		return penaltyWord
	case p.afterKanaNoun(i):
		return penaltyCompound
	case as == language.Hiragana && containsRune(endsKana, a): // a verb before its noun
		return penaltyVerb
	case as == language.Hiragana && katakana(b):
		return penaltyPoint // しっとり / サラダ
	case p.han == japanese:
		return penaltyCompound
	}
	return penaltyPhrase
}

// particles are those of Japanese that often follow a number or a bracket.
const particles = "をはがにでとのへやも"

// unspacedPenalty is breakPenalty between two words without a space.
func (p *paragraph) unspacedPenalty(b lineBreak, last rune) float64 {
	if p.thaiCounts(b) {
		return penaltyBound
	}
	if penalty := p.thaiPenalty(b); penalty > 0 {
		return penalty
	}
	if p.han != japanese && containsRune(leadsHan, last) && b.end > 1 && p.phrased && p.phraseEnds[b.end-1] {
		return penaltyShortWord
	}
	return 0
}

// endsKana are the kana that end a verb or an adjective, and の.
const endsKana = "るただうくすつぬぶむぐいなの"

// leadsHan are Chinese words of one character that belong to the next word.
const leadsHan = "把在并並而和与與对對从從向被让讓给給将將用为為及或于於以因当當比跟下上每这這那各某不很更最"

// wordStart returns the start of the word that ends at end.
func (p *paragraph) wordStart(end int) int {
	start := end
	for start > 0 && unicode.In(p.runes[start-1], unicode.L, unicode.M) {
		start--
	}
	return min(start, max(end-1, 0))
}

// abbreviates reports whether the full stop at i follows an initial, a person's title or an ordinal.
func (p *paragraph) abbreviates(i int) bool {
	start := i
	for start > 0 && unicode.In(p.runes[start-1], unicode.L, unicode.M) {
		start--
	}
	word := string(p.runes[start:i])
	return titles[word] || numbered[word] || word == "vs" || i-start == 1 && beginsName(p.runes[start]) ||
		leadsOnward(string(p.wordUpTo(i)), p.style.Lang) || i-start == 2 && doubled(p.runes[start:i]) || p.ordinal(i)
}

// wordUpTo returns the characters between the last space before i and i, without an opening bracket or quote: that of
// “m.in.” has a full stop.
func (p *paragraph) wordUpTo(i int) []rune {
	if i == 0 {
		return nil
	}
	return p.wordBefore(i)
}

// partOfName reports whether a capitalized word and the next are probably two words of a name. This doesn't work in
// German, which capitalizes nouns, or in title case. The first word of a text has a capital anyway, but is no name if
// it is a function word.
func (p *paragraph) partOfName(start int, b lineBreak, next rune) bool {
	if !unicode.IsUpper(p.runes[start]) || !unicode.IsUpper(next) || primaryLanguage(p.style.Lang) == "de" ||
		start == 0 && (!p.hasSmallWord() || functionWords(p.style.Lang)[strings.ToLower(string(p.runes[:b.end]))]) {
		return false
	}
	if sentenceCase[primaryLanguage(p.style.Lang)] {
		return !p.allCapitalized()
	}
	return !p.inTitleCase()
}

// allCapitalized reports whether all words of a text but function words have a capital: in a language that only
// capitalizes names, a text with many names isn't in title case.
func (p *paragraph) allCapitalized() bool {
	words := functionWords(p.style.Lang)
	for i, r := range p.runes {
		if i > 0 && p.runes[i-1] == ' ' && unicode.IsLower(r) && !words[string(p.wordAfter(i))] {
			return false
		}
	}
	return true
}

// hasSmallWord reports whether a word of a text begins with a small letter.
func (p *paragraph) hasSmallWord() bool {
	for i, r := range p.runes {
		if i > 0 && blank(p.runes[i-1]) && unicode.IsLower(r) {
			return true
		}
	}
	return false
}

// Words that are kept with the next one like function words, although a text may be cut after them, and words for which
// the opposite is true.
var (
	pronouns = map[string]string{
		"en": " i we you he she they it ", "de": " ich wir du er sie es man ",
		"fr": " je tu il elle on nous vous ils elles ne se me te ",
		"es": " yo tú me te ", "pt": " eu me te ", "it": " io mi ti si ci vi ",
	}
	questions = map[string]string{
		"en": " how why what which who when where is are do does did can ", "de": " was wie wer wo wann warum wieso welche ",
		"fr": " que qui quoi quand où comment pourquoi quel quelle ", "es": " qué quién cómo cuándo dónde por ",
		"pl": " co kto jak kiedy gdzie dlaczego czy ", "ru": " что кто как когда где почему зачем сколько ",
	}
)

// englishQuestions are words that a line of English may end in, although a text isn't cut after them.
const englishQuestions = " how why what which who "

// leaning are the languages in which a short article, preposition or particle is read as one with the next word, and
// the letters of the longest.
var leaning = map[string]int{
	"es": 5, "fr": 6, "it": 5, "pt": 5, "ar": 5, "ru": 3, "uk": 3, "be": 3, "bg": 3, "pl": 3, "cs": 3, "sk": 3,
}

// slavic are languages in which no line should end in a word of one letter: in Poland it counts as an error.
var slavic = map[string]bool{"pl": true, "cs": true, "sk": true, "ru": true, "uk": true, "be": true, "bg": true}

// sentenceCase are languages whose titles only capitalize names, so that two capitalized words are one.
var sentenceCase = map[string]bool{
	"es": true, "pl": true, "ru": true, "uk": true, "fr": true, "it": true, "pt": true, "cs": true, "sk": true,
	"be": true, "bg": true,
}

// enclitics are words, by language, that belong to the preceding word.
var enclitics = map[string]string{
	"hi": " को में से का की के पर ने तक भी ही है हैं लिए " +
		"पार जी वाला वाली वाले ",
	"mr": " ने ला चा ची चे च ही आहे ", "ne": " को मा ले लाई का की ",
	"tr": " de da mi mı mu mü ki ",
	"pl": " się by ", "ru": " ли же бы ", "cs": " se si by ", "sk": " sa si by ",
	"ko": " 위한 위해 위하여 대한 대해 대하여 통한 통해 관한 관해 따른 따라 의한 의해 인한 인해 된 만에 하는 있는 없는 않는 않은 " +
		"감독 작가 선수 교수 장관 대통령 총리 의원 대표 회장 박사 배우 ",
}

// belongsToLast reports whether the word at i belongs to the preceding one.
func (p *paragraph) belongsToLast(i int) bool {
	words := enclitics[primaryLanguage(p.style.Lang)]
	if words == "" {
		return false
	}
	end := i
	for end < len(p.runes) && unicode.In(p.runes[end], unicode.L, unicode.M) {
		end++
	}
	if end-i > 1 && hangul(p.runes[end-1]) && containsRune(koreanParticles, p.runes[end-1]) &&
		strings.Contains(words, " "+string(p.runes[i:end-1])+" ") {
		return true // 총리와
	}
	return strings.Contains(words, " "+string(p.runes[i:end])+" ")
}

// koreanParticles are those of one syllable, which follow a noun.
const koreanParticles = "와과은는이가을를의도에"

// keepsWithNext reports whether a lowercase word should stay with the next one.
func keepsWithNext(word, lang string) bool {
	set := functionWords(lang)
	if lang = primaryLanguage(lang); lang == "" {
		lang = "en"
	}
	if spaced := " " + word + " "; strings.Contains(pronouns[lang], spaced) {
		return true
	} else if lang == "en" && strings.Contains(englishQuestions, spaced) {
		return false
	}
	return set[word]
}
