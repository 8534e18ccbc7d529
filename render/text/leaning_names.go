package text

import (
	"strings"
	"unicode"
)

var (
	// arabicPrepositions precede a noun: from, to, in, on, about, with, between, at, before, after, under, around, …
	arabicPrepositions = wordSet(`من إلى في على عن مع بين لدى عند قبل بعد تحت فوق حول ضد عبر دون خلال أمام وسط ضمن منذ
		حتى`)
	// arabicLamNouns begin with a letter that is a preposition elsewhere: for.
	arabicLamNouns = strings.Fields(`لاعب لاجئ لافت لازم لاتين لاحق`)
	// hindiSuffixes make who does something of an infinitive, or a quality of a noun.
	hindiSuffixes = wordSet(`वाला वाली वाले वालों वालियों`)
	// hindiSpeech are said, asked and so on, after who does.
	hindiSpeech = wordSet(`बोला बोली बोले बोलीं ने`)
)

// among reports whether a word of Arabic is in a set of short ones, without the marks on its letters, such as that of a
// double consonant, or also without “and” or “so” before it: ولم.
func among(set map[string]bool, word []rune) bool {
	const most = 8 // letters and marks
	if len(word) > most {
		return false
	}
	var buf [most]rune
	bare := buf[:0]
	for _, r := range word {
		if !unicode.Is(unicode.Mn, r) {
			bare = append(bare, r)
		}
	}
	return set[string(bare)] || len(bare) > 2 && (bare[0] == 'و' || bare[0] == 'ف') && set[string(bare[1:])]
}

// arabicParticle reports whether a word of Arabic is one of the language’s function words.
func arabicParticle(word []rune) bool { return among(functionWords("ar"), word) }

// arabicAction reports whether a word of Arabic is a noun that says what is done, of the form of تطوير: developing. Its
// first letter looks like that of a verb.
func arabicAction(word string) bool {
	const letters = 5
	runes := []rune(strings.TrimPrefix(word, "و"))
	return len(runes) == letters && runes[0] == 'ت' && runes[letters-2] == 'ي'
}

// opensPhrase reports whether a word of Arabic begins with a preposition: “for the …”, “with the …”, “to unify …”.
func opensPhrase(word []rune) bool {
	const shortest, noun = 4, 5 // letters
	s := string(word)
	switch {
	case len(word) < shortest:
		return false
	case strings.HasPrefix(s, "لل"), strings.HasPrefix(s, "بال") && len(word) > noun:
		return true
	case len(word) < noun || beginsWith(word, arabicLamNouns):
		return false
	}
	return strings.HasPrefix(s, "لت") || strings.HasPrefix(s, "لإ") || strings.HasPrefix(s, "لا")
}

// namesSpeaker reports whether a word of Hindi from start and the next one, which ends at end, are the first ones after
// a postposition or a mark, and somebody speaks or does something, or something is done with them: such are mostly the
// two words of a name: “के रमेश / पोरवाल बोले”, “— गरिमा / धस्माना के साथ”.
func (p *paragraph) namesSpeaker(start, end int) bool {
	if end >= len(p.runes) || !blank(p.runes[end]) || start > 0 && !p.beginsPhrase(start) {
		return false
	}
	third := p.wordAfter(end + 1)
	next := end + 1 + len(third)
	return hindiSpeech[strings.TrimRight(string(third), "—–")] ||
		string(third) == "के" && next < len(p.runes) && string(p.wordAfter(next+1)) == "साथ"
}

// beginsPhrase reports whether a postposition, a dash or another mark is before the word at start.
func (p *paragraph) beginsPhrase(start int) bool {
	before := p.startOf(start - 1)
	return start > 1 && (p.belongsToLast(before) || p.partsClause(start-2))
}
