package text

import (
	"strings"
	"unicode"
)

// numeral reports whether a word is a number: digits with a sign, separators and a currency.
func (p *paragraph) numeral(word []rune) bool {
	if len(word) > 1 && containsRune(arabicPrefixes, word[0]) {
		word = word[1:] // و85
	}
	digits := false
	for _, r := range word {
		switch {
		case unicode.IsDigit(r):
			digits = true
		case strings.ContainsRune(".,:/–-+−~≈±<>'’%٪½¼¾ºª", r) || unicode.Is(unicode.Sc, r):
		default:
			return false
		}
	}
	return digits
}

// leadsNumber reports whether a word before a number is never parted from it.
func (p *paragraph) leadsNumber(word []rune) bool {
	if n := len(word); word[n-1] == '.' {
		bare := string(word[:n-1])
		return numbered[bare] || versions[bare]
	}
	if len(word) > maxMonth {
		return false
	}
	s := string(word)
	return currencies[s] || versions[s] || arabicGovernors[s] || months[strings.ToLower(s)]
}

// isVersion reports whether a word is a number with a point, which after a name is its version: “Lumen 3.2”.
func isVersion(word []rune) bool {
	points := 0
	for i, r := range word {
		switch {
		case r == '.' && i > 0 && i+1 < len(word):
			points++
		case r < '0' || r > '9':
			return false
		}
	}
	return points > 0
}

// followsNumber reports whether a word at next is never parted from the number before it.
func (p *paragraph) followsNumber(word []rune, next int) bool {
	if r := word[0]; r == '%' || r == '‰' || r == '°' || r == '٪' || unicode.Is(unicode.Sc, r) {
		return true
	}
	if hangul(word[0]) {
		return beginsWith(word, koreanCounters)
	}
	if p.thaiAbbreviation(next) {
		return true // 15 ธ.ค., 315 กม.
	}
	if len(word) > maxMonth {
		return false
	}
	s := string(word)
	if slash := strings.IndexByte(s, '/'); slash > 0 && slash < len(s)-1 && len(s) <= maxUnit {
		return true // U/min
	}
	if s == "am" {
		return primaryLanguage(p.style.Lang) != "de" // am 14. am Abend
	}
	return units[s] || currencies[s] || magnitudeWords[strings.ToLower(s)] || months[strings.ToLower(s)] ||
		frenchUnits[s] && primaryLanguage(p.style.Lang) == "fr"
}

// maxUnit is the length, in bytes, of the longest unit per another one: Std./Woche.
const maxUnit = 10

// endsInSum reports whether a magnitude between start and end is of a number without a currency, whose noun follows.
func (p *paragraph) endsInSum(start, end int) bool {
	if !p.endsInDigit(start) || !magnitudeWords[string(p.runes[start:end])] {
		return false
	}
	number := p.wordBefore(start - 1)
	at := start - 1 - len(number)
	return !unicode.Is(unicode.Sc, number[0]) && !(at > 0 && currencies[string(p.wordBefore(at-1))])
}

// ordinal reports whether r makes an ordinal of the digits before it, as in “5ª edição”.
func ordinal(r rune) bool { return r == 'º' || r == 'ª' }

// year reports whether the number at i is probably a year.
func (p *paragraph) year(i int) bool {
	const digits = 4
	word := p.wordAfter(i)
	return len(word) == digits && p.numeral(word) && (string(word[:2]) == "19" || string(word[:2]) == "20")
}
