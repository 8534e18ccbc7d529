package text

import (
	"strings"
	"unicode"
)

// Penalties of breaks in Arabic, Hindi and the like, whose readers want lines that end as phrases do before even ones.
// Those of gravePenalty and more call for a smaller size or one line more. They differ from all others, since a text is
// cut after some of them only.
const (
	penaltyLeaning    = .210  // a line ends in an Arabic preposition or particle, or in a word before its number
	penaltyPlace      = .210  // … between a noun such as street, university or firm and its name
	penaltyTitle      = .250  // … between a title such as king and the name
	penaltyPlaceName  = .171  // … in such a name before an adjective: “أرامكو / السعودية”
	penaltyOffice     = .161  // … between what a person is and the name: “النجم / حسين فهمي”
	penaltyGenitive   = .111  // … between two nouns of Arabic, of which the second has an article
	penaltyConstruct  = .151  // … if the first is certainly a noun, as its ending says
	penaltyChain      = .061  // … or is followed by one that has
	penaltyAdjective  = .081  // … between two words with an article, or two with the ending of adverbs and adjectives
	penaltyBareNouns  = .051  // … between two other words that may be nouns
	penaltyVerbFirst  = .062  // … in “and” and a verb, which begin a clause
	penaltyOwner      = .052  // … in a Hindi “of”, whose noun follows
	penaltyOwned      = .103  // … in a Hindi possessive: “उनका / समय”
	penaltyAnd        = .102  // … in a Hindi conjunction
	penaltyInfinitive = .063  // … before a Hindi infinitive with “of”, whose object or adverb precedes it
	penaltyQuoted     = .030  // … before a quoted name
	penaltyColon      = -.040 // … in a colon
	penaltyLightVerb  = .121  // … before a Hindi verb that makes one of the word before it

	penaltyClauseWord  = .140 // a line ends in the first word of a clause, or before its last one
	penaltyClauseWords = .060 // … in the second one, or before the last but one
	penaltyLastWord    = .140 // … before the last word of the text
)

// phraseStub is the fraction of the mean below which a line of a phrasal script is too short.
const phraseStub = .50

// phrasal reports whether a text is of a script whose lines end as phrases do: Arabic, Hebrew and the like, Devanagari.
func (p *paragraph) phrasal() bool { return p.class == rtlScripts || p.devanagari }

// stubOf returns the width below which a line other than the first and the last is too short.
func (p *paragraph) stubOf(mean float64) float64 {
	if p.phrasal() {
		return phraseStub * mean
	}
	return stubShare * mean
}

// clauseWords returns the penalty of a break that separates one or two words from a clause, in a phrasal script. The
// line's last word is runes[start:b.end].
func (p *paragraph) clauseWords(start int, b lineBreak) (penalty float64) {
	const short = 9 // characters of two words that are no part of a clause
	second := p.startOf(max(start-1, 0))
	switch {
	case start > 1 && p.partsClause(start-2):
		penalty = penaltyClauseWord
	case second > 1 && second < start && b.end-second <= short && p.partsClause(second-2):
		penalty = penaltyClauseWords
	}
	if r := p.runes[b.next]; unicode.Is(unicode.Pi, r) && r != '«' {
		penalty += penaltyQuoted
	}
	end := p.endOf(b.next)
	switch {
	case end+1 >= len(p.runes):
		return penalty // see lastWord
	case p.partsClause(end - 1), strings.ContainsRune("–—|", p.runes[end+1]):
		return penalty + penaltyClauseWord
	}
	if after := p.endOf(end + 1); after < len(p.runes) && p.partsClause(after-1) && p.runes[b.next] != 'و' {
		penalty += penaltyClauseWords
	}
	return penalty
}

// lastWord returns the penalty of a break before the last word of a text in a phrasal script.
func (p *paragraph) lastWord(b lineBreak) float64 {
	if p.phrasal() && b.end < b.next && p.endOf(b.next) == len(p.runes) {
		return penaltyLastWord
	}
	return 0
}

// endOf returns the end of the characters without a space that begin at start.
func (p *paragraph) endOf(start int) int {
	for start < len(p.runes) && !blank(p.runes[start]) {
		start++
	}
	return start
}

// partsClause reports whether the mark at i ends a clause, or a part of it such as a comma does.
func (p *paragraph) partsClause(i int) bool {
	return strings.ContainsRune(",،؛|", p.runes[i]) || p.endsClause(i)
}

// Words of Hindi.
var (
	// hindiOwners are “of”, whose noun follows.
	hindiOwners = wordSet(`का की के`)
	// hindiPossessives are my, your, our, their, its, one’s own.
	hindiPossessives = wordSet(`मेरा मेरी मेरे हमारा हमारी हमारे आपका आपकी आपके तुम्हारा तुम्हारी तुम्हारे
		उनका उनकी उनके उसका उसकी उसके इनका इनकी इनके इसका इसकी इसके किसका किसकी किसके अपना अपनी अपने`)
	// hindiLightVerbs follow the noun or the verb that they make a verb of: do, be, become, go, give, …
	hindiLightVerbs = wordSet(`कर करें करे करेगा करेगी करेंगे करना करने करता करती करते किया किए
		हो होगा होगी होंगे होना होने हुआ हुई हुए था थी थे गया गई गए जाए जाएं जाएगा जाएगी जाएंगे
		रहा रही रहे सकता सकती सकते दिया दिए लिया लिए चाहिए`)
	// hindiLimits are only, about, nearly, in all, up to, before a number.
	hindiLimits = wordSet(`सिर्फ़ सिर्फ केवल क़रीब करीब लगभग कुल महज़ महज हर`)
)

// hindiPenalty returns the penalty of a break after a word of Hindi, before none that belongs to it.
func (p *paragraph) hindiPenalty(word []rune, next int) float64 {
	after := p.wordAfter(next)
	end := min(next+len(after)+1, len(p.runes))
	switch s := string(word); {
	case hindiInfinitive(after) && (hindiOwners[string(p.wordAfter(end))] || strings.HasPrefix(string(p.wordAfter(end)), "वाल")):
		return penaltyInfinitive
	case hindiLightVerbs[string(p.wordAfter(next))]:
		return penaltyLightVerb
	case hindiPossessives[s]:
		return penaltyOwned
	case hindiOwners[s]:
		return penaltyOwner
	}
	return 0
}

// hindiInfinitive reports whether a word may be an infinitive before a postposition: चलने.
func hindiInfinitive(word []rune) bool {
	return len(word) > 3 && strings.HasSuffix(string(word), "ने") && !hindiPossessives[string(word)]
}

// devanagari reports whether r is a letter of Hindi.
func devanagari(r rune) bool { return r >= firstDevanagari && r < endDevanagari }

// shortModel reports whether a word is a name of a model in Latin letters with a digit, such as G1.
func shortModel(word []rune) bool {
	const longest = 4
	return len(word) > 1 && len(word) <= longest && unicode.IsUpper(word[0]) && word[0] < 0x80 &&
		unicode.IsDigit(word[len(word)-1])
}
