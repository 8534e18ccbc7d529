package text

import (
	"slices"
	"strings"
	"unicode"
)

// afterWord is breakPenalty of a break after a letter.
func (p *paragraph) afterWord(b lineBreak, next rune) float64 {
	start := p.wordStart(b.end)
	word := p.runes[start:b.end]
	if p.betweenThaiNames(b) {
		return penaltyPerson
	}
	if start > 0 && !opens(p.runes[start-1]) && !(p.runes[start-1] == '·' && hangul(word[0])) {
		unit := (p.class == tall || p.class == rtlScripts) && units[string(word)] // 200MP
		if unicode.IsDigit(p.runes[start-1]) && (unit || hindiOrdinals[string(word)]) ||
			ordinalWord(p.wordBefore(b.end)) {
			return p.beforeNoun(b)
		}
		switch {
		case p.continuesModel(b):
			return penaltyModelSuffix
		case p.class == european && apostrophe(p.runes[start-1]) && functionWords(p.style.Lang)[string(word)]:
			return penaltyArticle // “d’une / infirmière”
		case p.runes[start-1] == '-' && functionWords(p.style.Lang)[string(p.wordBefore(b.end))]:
			return penaltyFunction // “из-за / прорыва”
		}
		return 0
	}
	switch {
	case p.leadsDigits(word, b.next):
		return penaltyLeaning
	case p.endsInSum(start, b.end) && !unicode.IsUpper(next):
		return p.beforeNoun(b)
	case devanagari(word[0]) && unicode.Is(unicode.Sc, next):
		return penaltySum
	case unicode.IsDigit(next) && (p.beginsSum(b.next) || arabicAmounts[string(word)]):
		return penaltySum
	case len(word) == 1 && unicode.IsLower(word[0]):
		if p.endsInDigit(start) && units[string(word)] && !unicode.IsDigit(next) {
			return 0 // 2 h
		}
		if slavic[primaryLanguage(p.style.Lang)] {
			return penaltyLoneLetter
		}
		return penaltyLetter
	case unicode.IsDigit(next) && p.endsInAmount(start) && ranges[string(word)]:
		return penaltyCount
	case unicode.IsDigit(next) && p.belongsToLast(start):
		return 0 // after a postposition
	case p.namesModel(word, b.next):
		return penaltyModel
	case unicode.IsDigit(next) && hangul(word[0]) && p.measured(b.next):
		if objectOf(word) {
			return 0 // 애플리케이션을 / 40MB 컨테이너로
		}
		return penaltyModel // 고춧가루 2kg
	case unicode.IsDigit(next):
		return p.beforeNumber(word, b.next)
	}
	return p.betweenWords(start, b, next)
}

// betweenWords is breakPenalty of a break after a word from start, before none of digits.
func (p *paragraph) betweenWords(start int, b lineBreak, next rune) float64 {
	word := p.runes[start:b.end]
	switch {
	case p.vietnameseWord(word, b.next):
		return penaltySyllable
	case p.belongsToLast(b.next):
		switch primaryLanguage(p.style.Lang) {
		case "tr":
			return penaltyShortWord
		case "hi":
			return penaltyPostpos
		case "pl", "cs", "sk":
			return penaltyFunction
		}
		return penaltyRomance
	case len(word) == 1 && (p.style.Lang == "" || primaryLanguage(p.style.Lang) == "en"):
		return penaltyShortWord
	case len(word) == 2 && string(word) == "vs":
		return penaltyShortWord
	case arabicLetter(word[0]) && arabicNegations[string(word)]:
		return penaltyNegation
	case len(word) == 3 && string(word) == "que" && start > 0 && p.joinsQue(p.wordBefore(start-1)):
		return 0 // “Qu’est-ce que / la taxe”
	case primaryLanguage(p.style.Lang) == "ar" && arabicParticle(word):
		return penaltyLeaning
	case devanagari(word[0]) && functionWords("hi")[string(word)]:
		return penaltyAnd
	case keepsWithNext(strings.ToLower(string(word)), p.style.Lang):
		return p.leaningPenalty(word, start, b.end)
	case thai(p.runes[b.end-1]):
		return p.thaiSpacePenalty(b)
	case p.insideEuropeanName(start, b):
		return penaltyFullName
	case p.insideNameOf(start, b):
		return penaltyNameOf
	case p.pairOfNouns(start, b, next):
		if p.leadsModel(b.next) {
			return penaltyNameOf // Wechselrichter HX 8.2
		}
		return penaltyGermanNouns
	case p.partOfName(start, b, next):
		if capitalLetters(word) && capitalLetters(p.wordAfter(b.next)) {
			return penaltyModel // PKO BP
		}
		if sentenceCase[primaryLanguage(p.style.Lang)] {
			return penaltyFullName
		}
		return penaltyName
	case p.insideName(start, b):
		return penaltyPerson
	case p.class == european && p.leadsCapital(start, next):
		return penaltyApposition
	case devanagari(word[0]) && hindiNumbers[string(word)] && b.next < len(p.runes) && unicode.IsLetter(next):
		return penaltyNumeral
	case len(word) == 1 && p.han == korean && (hangul(word[0]) || isHan(word[0])) && !koreanTails[string(word)] &&
		!(start > 1 && p.countsKorean(p.wordBefore(start-1))):
		return penaltyShortWord // 다, 막, 美
	case arabicLetter(word[0]) && (p.style.Lang == "" || primaryLanguage(p.style.Lang) == "ar"):
		return p.arabicPenalty(word, start, b.next)
	case devanagari(word[0]):
		return p.hindiPenalty(word, start, b.next)
	}
	return p.withinPhrase(start, b, next)
}

// leaningPenalty returns the penalty of a line that ends in a word from start to end which is read with the next one.
func (p *paragraph) leaningPenalty(word []rune, start, end int) float64 {
	lower, lang := strings.ToLower(string(word)), primaryLanguage(p.style.Lang)
	switch {
	case lang == "fr" && lower == "qui":
		return penaltyRelative
	case len(word) <= leaning[lang] && functionWords(p.style.Lang)[lower]: // a pronoun isn't one
		return p.articlePenalty(start, end)
	case p.capitalized(start, end):
		return penaltyCapital
	case objects[string(word)]:
		return penaltyObject
	case possessives[string(word)]:
		return penaltyPossessive
	case strings.Contains(pronouns[lang], " "+lower+" "):
		return penaltyShortWord
	}
	return p.functionPenalty(word)
}

// beforeNumber returns the penalty of a line that ends in a word before a number: “le 1er novembre”, “at 4.25%”.
func (p *paragraph) beforeNumber(word []rune, next int) float64 {
	lower, lang := strings.ToLower(string(word)), primaryLanguage(p.style.Lang)
	switch {
	case arabicLetter(word[0]) && word[0] == 'ب' && len(word) > 3:
		return penaltyMeasure
	case p.class != european:
		return penaltyNumber
	case functionWords(p.style.Lang)[lower] && keepsWithNext(lower, p.style.Lang):
		switch {
		case nameArticles[lower]:
			return penaltyNameArticle
		case len(word) <= leaning[lang]:
			return penaltyArticle
		}
		return p.functionPenalty(word)
	case lang == "de" && germanLeads[lower]:
		return penaltyFunction
	case unicode.IsUpper(word[0]) && numberedLetter(p.wordAfter(next)):
		return penaltyModel // Entgeltgruppe 9c
	case unicode.IsUpper(word[0]), p.year(next) && sentenceCase[lang]:
		return penaltyNumbered
	}
	return penaltyNumber
}

// numberedLetter reports whether a word is a number with a small letter, which is part of a list's numbers: 9c.
func numberedLetter(word []rune) bool {
	n := len(word)
	return n > 1 && unicode.IsLower(word[n-1]) && unicode.IsDigit(word[n-2]) && !units[string(word[n-1:])]
}

// germanLeads are prepositions before numbers that are parts of verbs elsewhere: “ab 15. Dezember”, “es lehnt ab”.
var germanLeads = wordSet("ab je rund knapp")

// objects are pronouns that may be the object of the verb before them: “Ship it / weekly”.
var objects = wordSet("it you sie es Sie elle elles nous vous")

// possessives are the ones that may be parted from what is owned rather than titles have one short line more.
var possessives = wordSet(`my your his her its our their mein dein sein ihr unser mon ton son ma ta sa mes tes ses
	mi tu su`)

// functionPenalty returns the penalty of a line that ends in a function word.
func (p *paragraph) functionPenalty(word []rune) float64 {
	short := len(word) <= shortWordLetters
	switch {
	case p.class == european && short:
		return penaltyFunction
	case p.class == european:
		return penaltyPreposition
	case short:
		return penaltyShortWord
	}
	return penaltyLongWord
}

// measured reports whether a number at i has a unit in Latin letters.
func (p *paragraph) measured(i int) bool {
	word := p.wordAfter(i)
	n := 0
	for n < len(word) && (unicode.IsDigit(word[n]) || word[n] == '.' || word[n] == ',') {
		n++
	}
	end := n
	for end < len(word) && word[end] < 0x80 && unicode.IsLetter(word[end]) {
		end++
	}
	return end > n && units[string(word[n:end])]
}

// countsKorean reports whether a word is a number, which its counter follows.
func (p *paragraph) countsKorean(word []rune) bool {
	return len(word) > 0 && (unicode.IsDigit(word[0]) || koreanNumbers[string(word)])
}

// modelSuffixes are words that end the names of devices: Galaxy S26 Ultra.
var modelSuffixes = wordSet("Air Lite Max Mini Plus Pro SE Ultra")

// modelSuffix reports whether the word at i is one of modelSuffixes, and the one before it ends in a digit or is
// another one.
func (p *paragraph) modelSuffix(i int) bool {
	if i < 2 || i >= len(p.runes) || !unicode.IsUpper(p.runes[i]) || p.runes[i-1] != ' ' {
		return false
	}
	before := p.wordBefore(i - 1)
	if len(before) == 0 || !unicode.IsDigit(before[len(before)-1]) && !modelSuffixes[string(before)] {
		return false
	}
	return modelSuffixes[strings.TrimSuffix(string(p.wordAfter(i)), "+")]
}

// namesTwo reports whether the words at start and next are capitalized, so that a label that ends with both is probably
// a name: “Real Madrid:”. German capitalizes nouns.
func (p *paragraph) namesTwo(start, next int) bool {
	return unicode.IsUpper(p.runes[start]) && unicode.IsUpper(p.runes[next]) &&
		primaryLanguage(p.style.Lang) != "de"
}

// capitalLetters reports whether a word has several letters, none of them small.
func capitalLetters(word []rune) bool {
	return len(word) > 1 && !slices.ContainsFunc(word, unicode.IsLower)
}

// startOf returns the start of the characters without a space that end at end.
func (p *paragraph) startOf(end int) int {
	for end > 0 && !blank(p.runes[end-1]) {
		end--
	}
	return end
}

// namesModel reports whether a word before next names something whose model or version follows: “Galaxy S26”, and
// among letters without capitals “PostgreSQL 17”.
func (p *paragraph) namesModel(word []rune, next int) bool {
	if next >= len(p.runes) || !hangul(word[0]) && !slices.ContainsFunc(word, unicode.IsUpper) { // iOS 20
		return false
	}
	r := p.runes[next]
	if unicode.IsDigit(r) {
		return p.class != european && p.class != cjk
	}
	return unicode.IsUpper(r) && next+1 < len(p.runes) && unicode.IsDigit(p.runes[next+1])
}

// afterNumber is breakPenalty of a break after a digit: a number stays with its unit or noun, if one follows.
func (p *paragraph) afterNumber(b lineBreak) float64 {
	start := b.end
	for start > 0 && p.runes[start-1] != ' ' {
		start--
	}
	if p.continuesModel(b) {
		return penaltyModelSuffix
	}
	for _, r := range p.runes[start:b.end] {
		if unicode.IsLetter(r) && !ordinal(r) && !containsRune(arabicPrefixes, r) {
			return 0 // a name, such as GPT-4
		}
	}
	if p.thaiOrdinal(b.end) || b.next < len(p.runes) && thai(p.runes[b.next]) &&
		(thaiOpens(p.thaiWordFrom(b.next)) || p.standsAlone(start)) {
		return 0
	}
	if b.next < len(p.runes) && thaiUnits[p.thaiWordFrom(b.next)] {
		return penaltyBound
	}
	if b.next < len(p.runes) && hangul(p.runes[b.next]) || start > 1 && unicode.IsUpper(p.runes[p.wordStart(start-1)]) {
		lead := string(p.wordBefore(start - 1))
		at := start - 1 - len([]rune(lead))
		counts := functionWords(p.style.Lang)[strings.ToLower(lead)] || at > 1 && p.runes[at-2] == '.' && p.beginsClause(at)
		if !counts && !p.countsInTitle(b.end) { // “Nos 15 idées”, “… Garantie 2 ans”
			return 0 // "Model 3 goes"; for Korean counters see paragraph.bound
		}
	}
	return p.beforeNoun(b)
}

// beforeNoun is breakPenalty of a break between what counts and the next word: none if that can't be its noun.
func (p *paragraph) beforeNoun(b lineBreak) float64 {
	if b.next >= len(p.runes) || !unicode.IsLetter(p.runes[b.next]) {
		return 0
	}
	if unicode.IsUpper(p.runes[b.next]) && primaryLanguage(p.style.Lang) != "de" && !p.countsInTitle(b.end) {
		return 0 // a noun in German: 10 Regeln
	}
	end := b.next
	for end < len(p.runes) && unicode.In(p.runes[end], unicode.L, unicode.M) {
		end++
	}
	switch {
	case !functionWords(p.style.Lang)[strings.ToLower(string(p.runes[b.next:end]))]:
		return penaltyCount
	case end+1 < len(p.runes) && unicode.IsDigit(p.runes[end+1]) && p.numeral(p.wordBefore(b.end)):
		if p.class == european && ranges[string(p.runes[b.next:end])] {
			return penaltySum
		}
		return penaltyNumber // "8 al 11"
	}
	return 0 // "in 2026 and"
}
