package text

import (
	"slices"
	"strings"
	"unicode"
)

// This file is for the words of Korean that are read with the one before them: an auxiliary after its verb, a version
// after its name, the nouns after -와.

// koreanAuxiliary reports whether a word is the auxiliary of the verb before it: 확인해야 할, 줄여도 되는가.
func koreanAuxiliary(word, after []rune) bool {
	list := koreanAuxiliaries[word[len(word)-1]]
	return list != nil && len(word) > 1 && beginsWith(after, list)
}

// koreanAuxiliaries are what follows an ending of a verb, by its last syllable: must, may, had better, not, want,
// come to.
var koreanAuxiliaries = map[rune][]string{
	'야': strings.Fields("할 하는 하나 한다 했 합니 해요 될 되는 된 됩 돼"),
	'도': strings.Fields("되는 될 된다 되나 됩니 돼 괜찮 좋은 좋을 좋다 좋습"),
	'면': strings.Fields("되는 된다 됩니 돼 좋을까 좋겠"),
	'지': strings.Fields("않 못 말고 말아 마세"),
	'고': strings.Fields("싶 있는 있다 있습"),
	'게': strings.Fields("되는 된 될 됩 되었 됐"),
}

// koreanVersion reports whether a break before a word is between a name and its version: 도라지(Doraji) 2.7.
func (p *paragraph) koreanVersion(end int, after []rune) bool {
	last := p.runes[end-1]
	if !isVersion(after) || !unicode.IsLetter(last) && last != ')' {
		return false
	}
	word := p.koreanWord(end)
	return len(word) == 0 || !hangul(last) || !endsKorean(word)
}

// forKorean reports whether a word says what the next one is for: 산행용, not 재활용.
func forKorean(word []rune) bool {
	n := len(word)
	return n > 2 && word[n-1] == '용' && !containsRune("비활사이적내채허인응신수미운", word[n-2])
}

// followsAnd reports whether the word at i follows -와 or -과, so that what both words are is said by the next one only
// if that is on the same line.
func (p *paragraph) followsAnd(i int) bool {
	if i == 0 || !blank(p.runes[i-1]) {
		return false
	}
	return leadsAnd(p.koreanWord(i - 1))
}

// leadsAnd reports whether a word ends in -와 or -과.
func leadsAnd(word []rune) bool {
	return len(word) > 1 && containsRune("와과", word[len(word)-1]) && endsKorean(word)
}

// lastQuoted reports whether a break is before the last word of a quotation that is a clause.
func (p *paragraph) lastQuoted(b lineBreak) bool {
	end := b.next
	for end < len(p.runes) && !blank(p.runes[end]) && !unicode.In(p.runes[end], unicode.Pf) {
		end++
	}
	return end < len(p.runes) && p.runes[end] == '”' && end-b.next < shortPair &&
		!slices.Contains(p.runes[b.next:end], '“') && p.phraseBefore(end)
}

// koreanWorks open the title of a work.
const koreanWorks = "〈《「『"

// workAt reports whether the title of a work is at i.
func (p *paragraph) workAt(i int) bool {
	return i < len(p.runes) && containsRune(koreanWorks, p.runes[i])
}

// objectOf reports whether a word ends in a particle after which no number says how much of it there is.
func objectOf(word []rune) bool {
	return containsRune("을를로에", word[len(word)-1]) && endsKorean(word)
}
