package text

import (
	"slices"
	"strings"
	"unicode"
)

// Penalties of breaks in Arabic, Hindi and the like, whose readers want lines that end as phrases do before even ones.
// Those of gravePenalty and more call for a smaller size or one line more. They differ from all others, since a text is
// cut after some of them only.
const (
	penaltyLeaning    = .210  // a line ends in an Arabic preposition or particle, or in a word before its number
	penaltyNegation   = .292  // … in an Arabic “not”: rather in “who” before it
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
	penaltyPostpos    = .243  // … before a Hindi postposition or particle, which belongs to the word before it
	penaltyOwner      = .052  // … in a Hindi “of”, whose noun follows
	penaltyOwned      = .103  // … in a Hindi possessive: “उनका / समय”
	penaltyAnd        = .102  // … in a Hindi conjunction
	penaltyInfinitive = .063  // … before a Hindi infinitive with “of”, whose object or adverb precedes it
	penaltyQuoted     = .030  // … before a quoted name
	penaltyColon      = -.040 // … in a colon
	penaltyManner     = .146  // … if that is an adverb: “पैदल / चलने की जगह”
	penaltyLightVerb  = .121  // … before a Hindi verb that makes one of the word before it
	penaltyQuality    = .131  // … between a Hindi adjective and its noun
	penaltyHindiHead  = .071  // … before a Hindi noun that is mostly the second of two: “पुरातत्व / विभाग”
	penaltyQuestion   = .082  // … in a Hindi word of a question, before its verb
	penaltyMeasure    = .152  // … in an Arabic noun with “by” or “at”, before a number: “بكفاءة / 33.7%”

	penaltyClauseWord  = .140 // a line ends in the first word of a clause, or before its last one
	penaltyClauseWords = .060 // … in the second one, or before the last but one
	penaltyLastWord    = .140 // … before the last word of the text

	penaltyAcross      = .080 // a line begins inside a clause and ends inside the next one
	penaltyAcrossMark  = .100 // … in a European script, after a colon or a sentence
	penaltyAcrossComma = .050 // … after a comma
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
	case p.partsClause(end - 1), strings.ContainsRune("–—|([", p.runes[end+1]):
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

// addClauses sets lineBreak.clauses: the sum of what lines cost that go across the ends of clauses so far.
func (p *paragraph) addClauses() {
	sum := float32(0)
	for i := range p.breaks {
		b := &p.breaks[i]
		if b.end > 0 && b.end < b.next && b.next < len(p.runes) {
			sum += p.acrossPenalty(b.end - 1)
		}
		b.clauses = sum
	}
}

// acrossPenalty returns what a line costs that goes across the mark at i.
func (p *paragraph) acrossPenalty(i int) float32 {
	r := p.runes[i]
	switch {
	case p.class == european:
		if p.endsClause(i) && r != '–' && r != '—' {
			return penaltyAcrossMark
		}
	case r == ',' || r == '،':
		return penaltyAcrossComma
	case p.partsClause(i):
		return penaltyAcross
	}
	return 0
}

// clausesOf returns the sum of lineBreak.clauses after the first n breaks.
func clausesOf(breaks []lineBreak, n int) float32 {
	if n == 0 {
		return 0
	}
	return breaks[n-1].clauses
}

// across returns the penalty of a line from after break i to break j that has the end of one clause and the beginning
// of another, none of them whole.
func (p *paragraph) across(i, j int) float64 {
	from, to := clausesOf(p.breaks, i), clausesOf(p.breaks, j-1)
	if to <= from || from > clausesOf(p.breaks, i-1) || clausesOf(p.breaks, j) > to {
		return 0
	}
	if p.class == european {
		return min(float64(to-from), penaltyAcrossMark)
	}
	return min(float64(to-from), penaltyAcross)
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
		रहा रही रहे सकता सकती सकते दिया दिए लिया लिए चाहिए शुरू बंद`)
	// hindiQualities are adjectives, before the noun: new, old, big, small, good, long, first, easy, additional, special,
	// total, whole, heavy, main, national, international, common, empty, straight, …
	hindiQualities = wordSet(`नया नयी नई नए पुराना पुरानी पुराने बड़ा बड़ी बड़े छोटा छोटी छोटे अच्छा अच्छी अच्छे
		लंबा लंबी लंबे ऊंचा ऊंची ऊंचे पहला पहली दूसरा दूसरी दूसरे आख़िरी आखिरी अंतिम आसान मुश्किल
		अतिरिक्त विशेष ख़ास खास पूरा पूरी पूरे भारी मुख्य राष्ट्रीय अंतरराष्ट्रीय सरकारी निजी ताज़ा ताजा
		आम ख़ाली खाली सीधा सीधी सीधे
		शुरुआती सबसे तेज़ तेज तीखी तीखा तीखे नवीनतम ऐतिहासिक स्वदेशी स्थानीय आधिकारिक`)
	// hindiHeads are nouns that mostly follow another one, which says what kind they are of: department, ministry,
	// committee, commission, university, recruitment, century, grade, fee, prize, trophy, conference, bill.
	hindiHeads = wordSet(`विभाग मंत्रालय समिति आयोग विश्वविद्यालय भर्ती शतक श्रेणी शुल्क पुरस्कार ट्रॉफी सम्मेलन विधेयक`)
	// hindiAdverbs are on foot, fast, quickly, slowly, together, back, out, in, ahead, up, down.
	hindiAdverbs = wordSet(`पैदल तेज़ तेज जल्दी धीरे साथ वापस बाहर अंदर आगे ऊपर नीचे`)
	// hindiMeasured are adjectives after a number and its unit: old, long, high, big.
	hindiMeasured = wordSet(`पुराना पुरानी पुराने लंबा लंबी लंबे ऊंचा ऊंची ऊंचे बड़ा बड़ी बड़े`)
	// hindiQuestions are words of questions, before the verb.
	hindiQuestions = wordSet(`कैसे क्यों कब कहां कहाँ कौन किसने किसे कितना कितनी कितने`)
	// hindiLimits are only, about, nearly, in all, up to, before a number.
	hindiLimits = wordSet(`सिर्फ़ सिर्फ केवल क़रीब करीब लगभग कुल महज़ महज हर`)
)

// hindiPenalty returns the penalty of a break after a word of Hindi, before none that belongs to it.
func (p *paragraph) hindiPenalty(word []rune, start, next int) float64 {
	after := p.wordAfter(next)
	end := min(next+len(after)+1, len(p.runes))
	switch s := string(word); {
	case hindiInfinitive(after) && (hindiOwners[string(p.wordAfter(end))] || strings.HasPrefix(string(p.wordAfter(end)), "वाल")):
		if hindiAdverbs[s] {
			return penaltyManner
		}
		if hindiLightVerbs[string(after)] {
			return penaltyLightVerb
		}
		return penaltyInfinitive
	case hindiLightVerbs[string(after)]:
		return penaltyLightVerb
	case hindiQuality(s) && len(after) > 0 && devanagari(after[0]), units[s] && hindiMeasured[string(after)]:
		return penaltyQuality
	case hindiPossessives[s]:
		return penaltyOwned
	case hindiOwners[s]:
		return penaltyOwner
	case hindiQuestions[s] && len(after) > 0:
		return penaltyQuestion
	case p.namesSpeaker(start, next+len(after)):
		return penaltyOffice
	case strings.HasSuffix(s, "िंग") && len(after) > 0 && devanagari(after[0]):
		return penaltyQuality // “सीलिंग / फ़ैन”
	case hindiHeads[string(after)] && !hindiLightVerbs[s] && len(word) > 2:
		return penaltyHindiHead
	}
	return 0
}

// afterQuote returns the penalty of a break after a mark if that closes a quotation in a phrasal script: before a
// model, and in Hindi before a postposition, or of one word before its noun.
func (p *paragraph) afterQuote(b lineBreak, last rune) float64 {
	if !p.phrasal() || !unicode.In(last, unicode.Pf, unicode.Pe) || b.next >= len(p.runes) {
		return 0
	}
	switch {
	case unicode.Is(unicode.Pf, last) && latinModel(p.wordAfter(b.next)):
		return penaltyModel // «نسائم» / NX-24i
	case !p.devanagari:
		return 0
	case p.belongsToLast(b.next):
		return penaltyPostpos
	case unicode.In(p.runes[p.startOf(b.end)], unicode.Pi, unicode.Ps) && hindiHeads[string(p.wordAfter(b.next))]:
		return penaltyLightVerb // ‘गंभीर’ / श्रेणी
	}
	return 0
}

// hindiQuality reports whether a word of Hindi is an adjective, as its ending may say.
func hindiQuality(word string) bool {
	return hindiQualities[word] || strings.HasSuffix(word, "ीय") || strings.HasSuffix(word, "ात्मक")
}

// hindiInfinitive reports whether a word may be an infinitive before a postposition: चलने.
func hindiInfinitive(word []rune) bool {
	return len(word) > 3 && strings.HasSuffix(string(word), "ने") && !hindiPossessives[string(word)]
}

// devanagari reports whether r is a letter of Hindi.
func devanagari(r rune) bool { return r >= firstDevanagari && r < endDevanagari }

// latinModel reports whether a word is a model or a version: digits, perhaps with Latin letters, the first a capital.
func latinModel(word []rune) bool {
	return len(word) > 0 && word[0] < 0x80 && (unicode.IsUpper(word[0]) || unicode.IsDigit(word[0])) &&
		slices.ContainsFunc(word, unicode.IsDigit)
}

// shortModel reports whether a word is a name of a model in Latin letters with a digit, such as G1.
func shortModel(word []rune) bool {
	const longest = 4
	return len(word) > 1 && len(word) <= longest && unicode.IsUpper(word[0]) && word[0] < 0x80 &&
		unicode.IsDigit(word[len(word)-1])
}
