package text

import (
	"strings"

	"github.com/go-text/typesetting/language"
)

// tibetanEnclitics are Tibetan syllables that belong to the preceding word: cases, endings, plurals, auxiliary verbs.
var tibetanEnclitics = wordSet(`གི ཀྱི གྱི ཡི འི གིས ཀྱིས གྱིས ཡིས ལ ན དུ ཏུ སུ རུ ར ནས ལས དང ནི ཀྱང ཡང འང པ པོ བ བོ མ
	མོ པའི བའི པོའི བོའི མའི མོའི པས བས པར བར པོར ཏེ སྟེ ཅིང ཞིང ཤིང ཅེས ཞེས ཤེས ཚོ ཚོའི ཚོར ཚོས རྣམས རེད ཡིན ཡོད འདུག`)

// Marks of Tibetan between syllables and after clauses.
const (
	tsheg = '་'
	shad  = '།'
)

// tibetan reports whether a line may end before p.runes[i] because a Tibetan syllable does.
func (p *paragraph) tibetan(i int) bool {
	return i > 0 && p.runes[i-1] == tsheg || i < len(p.runes) && scriptOf(p.runes[i]) == language.Tibetan
}

// tibetanPenalty returns the penalty of a break after a tsheg, before p.runes[next]: one word may have several of them.
func (p *paragraph) tibetanPenalty(next int) float64 {
	end := next
	for end < len(p.runes) && !blank(p.runes[end]) && p.runes[end] != tsheg && p.runes[end] != shad {
		end++
	}
	if tibetanEnclitics[string(p.runes[next:end])] {
		return penaltyShortWord
	}
	return 0
}

// opensTibetan reports whether a text is the mark that opens a Tibetan one: ༄༅། །
func opensTibetan(runes []rune) bool {
	const marks = "༄༅༆༇། "
	if len(runes) == 0 || len(runes) > 8 || runes[0] < '༄' || runes[0] > '༇' {
		return false
	}
	for _, r := range runes {
		if !strings.ContainsRune(marks, r) {
			return false
		}
	}
	return true
}
