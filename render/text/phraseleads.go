package text

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Where phrases of European languages begin: with an article, a preposition, a conjunction, a pronoun or an auxiliary
// verb. A line that ends before one of these reads better than one that ends between an adjective and its noun, or
// between the nouns of a compound: “Spots Water Vapor / Around a Tiny, Steamy Planet”.

// phraseLeadLists are words, by language, that a phrase begins with, besides function words.
var phraseLeadLists = map[string]string{
	"en": "will would can could may might must should shall has have had do does did not no all some more most just " +
		"only also even still again back up out off down it they he she we you i them him us me here there now today " +
		"each both another other such like around across against behind beyond during among along despite toward " +
		"towards near past because although though whether once whose whom where",
	"de": "wird werden wurde wurden hat haben hatte kann können muss müssen soll sollen will wollen darf dürfen er es " +
		"wir ich man ihn ihm ihnen mich dich uns euch auch noch nur schon mehr alle hier jetzt heute innerhalb " +
		"außerhalb statt ab sowie sondern denn doch damit dabei wo wer was warum wieso gibt",
	"fr": "je tu il elle on nous vous ils elles ne pas plus se lui y aussi très tout tous toute toutes lors après " +
		"avant afin car donc lorsque quand si ni devant derrière parmi hors qui comment pourquoi a ont fait va",
	"es": "él ella ellos ellas yo tú nos os me te ya más muy también solo sólo si qué quién cómo cuándo dónde cuando " +
		"donde porque aunque mientras antes después dentro fuera frente junto sino ha han había hay está están fue " +
		"fueron será todo todos toda todas cuánto cuánta cuántos cuántas", //nolint:misspell // Spanish
	"pl": "go ją ich mu mi nam im który która które których którym której jako także też tylko już jeszcze bardzo aby " +
		"żeby by bo ponieważ gdzie kiedy dlaczego co kto będzie był była były ma mają może mogą ile",
	"ru": "который которая которое которые которых он она они оно его её их мы вы ты я нас вас им ей ему же ли бы ещё " +
		"уже только также тоже где когда куда почему зачем кто сколько потому ни нет был была было были будет будут " +
		"может могут нельзя можно нужно надо ради сквозь вокруг возле внутри из-за из-под",
	"it": "ho ha hanno è sono non più anche già solo se chi dove quando perché",
	"pt": "há não mais também já só quem onde quando porque foi são está",
}

// phraseLeads returns the words, by language, that a phrase begins with, created when they are first needed.
var phraseLeads = sync.OnceValue(func() map[string]map[string]bool {
	out := make(map[string]map[string]bool, len(functionWordLists))
	for lang, set := range functionWordSets() {
		if list := phraseLeadLists[lang]; list != "" {
			merged := wordSet(list)
			for word := range set {
				merged[word] = true
			}
			set = merged
		}
		out[lang] = set
	}
	return out
})

// adjectivesFirst are adjectives, by language, that mostly precede their noun where others follow it, or that a number
// often precedes. Russian and Polish ones are known by their endings.
var adjectivesFirst = map[string]map[string]bool{
	"fr": wordSet(`nouveau nouveaux nouvel nouvelle nouvelles premier premiers première premières dernier derniers
		dernière dernières grand grands grande grandes petit petits petite petites bon bons bonne bonnes meilleur
		meilleurs meilleure meilleures autre autres seul seule seuls seules jeune jeunes prochain prochains prochaine
		prochaines mauvais mauvaise principal principaux ancien anciens ancienne anciennes`),
	"es": wordSet(`nuevo nuevos nueva nuevas primer primero primeros primera primeras último últimos última últimas gran
		grandes mejor mejores peor peores máximo máximos máxima máximas próximo próximos próxima próximas buen buenos
		buena buenas otro otros otra otras principal principales`), //nolint:misspell // Spanish
	"en": wordSet(`new best top first last other next great big more`),
}

// degrees are adverbs, by language, that the word after them completes: “Pas si vite”.
var degrees = map[string]map[string]bool{
	"en": wordSet("very too so no"), "de": wordSet("sehr so zu"), "fr": wordSet("si très trop aussi"),
	"es": wordSet("muy tan más"), "pl": wordSet("bardzo bardziej najbardziej zbyt"),
	"ru": wordSet("очень самый самая самое самые более менее слишком"),
}

// auxiliaries are verbs, by language, before a participle: “ha llegado”, “ont quitté”.
var auxiliaries = map[string]map[string]bool{
	"es": wordSet("he has ha hemos han había habían haya hayan haber"),
	"it": wordSet("ho ha abbiamo hanno aveva avevano"),
	"fr": wordSet("ont avons avez avait avaient aura auront ayant avoir été"),
	"pt": wordSet("tem têm tinha tinham foi foram"),
	"en": wordSet("has have had been being was were is are get gets"),
}

// participleEndings are what participles mostly end in, by language.
var participleEndings = map[string][]string{
	"es": {"ado", "ido", "cho", "sto", "rto"}, "it": {"ato", "uto", "ito", "tto", "sto"},
	"pt": {"ado", "ido", "ada", "ida"},
	"fr": {"é", "és", "ée", "ées", "i", "is", "it", "u", "us", "ert"}, "en": {"ed", "en", "wn", "ne", "lt", "ght"},
}

// participle reports whether a word ends as participles do.
func participle(lang string, word []rune) bool {
	s := string(word)
	return len(word) > 2 && slices.ContainsFunc(participleEndings[lang], func(end string) bool {
		return strings.HasSuffix(s, end)
	})
}

// numberWords are numbers in words, by language, before what they count.
var numberWords = map[string]map[string]bool{
	"en": wordSet("two three four five six seven eight nine ten twelve"),
	"de": wordSet("zwei drei vier fünf sechs sieben acht neun zehn zwölf"),
	"fr": wordSet("deux trois quatre cinq six sept huit neuf dix douze vingt"),
	"es": wordSet("dos tres cuatro cinco seis siete ocho nueve diez doce veinte"),
	"it": wordSet("due tre quattro cinque sei sette otto nove dieci"),
	"pt": wordSet("dois duas três quatro cinco seis dez"),
	"pl": wordSet("dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć"),
	"ru": wordSet("два две три четыре пять шесть семь восемь девять десять"),
}

// longestLead is the length of the longest of the words of these lists, in letters.
const longestLead = 12

// lowered appends a word of at most longestLead letters to dst, in small letters, and nothing of a longer one.
func lowered(dst []byte, word []rune) []byte {
	if len(word) > longestLead {
		return dst
	}
	for _, r := range word {
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst
}

// withinPhrase returns the penalty of a line that ends in a word from start, before one that no phrase begins with.
func (p *paragraph) withinPhrase(start int, b lineBreak, next rune) float64 {
	if p.class != european || !unicode.IsLetter(next) {
		return 0
	}
	lang := cmp.Or(primaryLanguage(p.style.Lang), "en")
	leads := phraseLeads()[lang]
	if leads == nil {
		return 0
	}
	var buf, buf2 [utf8.UTFMax * longestLead]byte
	word := lowered(buf[:0], p.runes[start:b.end])
	if degrees[lang][string(word)] {
		return penaltyFunction
	}
	after := p.wordAfter(b.next)
	if at := slices.IndexFunc(after, apostrophe); at > 0 {
		if lang == "fr" || lang == "it" {
			return 0 // l’intelligence
		}
		after = after[:at]
	}
	switch {
	case auxiliaries[lang][string(word)] && participle(lang, after):
		return penaltyFunction // “ha / llegado”
	case leads[string(lowered(buf2[:0], after))]:
		return 0
	case numberWords[lang][string(word)]:
		return penaltyNumberWord // “dos / años”
	case !adjectivesFirst[lang][string(word)] && !(lang == "ru" && slavicPlural(p.runes[start:b.end])):
		return penaltyInPhrase
	case start > 1 && p.numeral(p.wordBefore(start-1)):
		return penaltyAdjectiveOf // 12 nouveaux foyers
	}
	return penaltyAdjectiveFirst
}

// slavicPlural reports whether a Russian word ends as adjectives in the plural do, which a number may precede.
func slavicPlural(word []rune) bool {
	const shortest = 5
	n := len(word)
	if n < shortest || !strings.ContainsRune("ыи", word[n-2]) {
		return false
	}
	return word[n-1] == 'х' || word[n-1] == 'е'
}

// sumLeads are words, by language, between a sum and what it buys or how often it is paid: “2 € le litre”.
var sumLeads = map[string]map[string]bool{
	"fr": wordSet("le la les par"), "es": wordSet("el la al por"), "it": wordSet("al alla il la"),
	"pt": wordSet("por o a"),
	"de": wordSet("pro je"), "pl": wordSet("za"), "ru": wordSet("за в"), "en": wordSet("a an per"),
}

// splitsRate reports whether a line that ends at b ends in a sum, before what it buys or how often it is paid.
func (p *paragraph) splitsRate(b lineBreak) bool {
	if p.class != european || b.next >= len(p.runes) {
		return false
	}
	word := p.wordBefore(b.end)
	n := len(word)
	joined := n > 1 && unicode.IsDigit(word[n-2]) && unicode.Is(unicode.Sc, word[n-1])
	if !joined && (n > maxFirm || !p.endsInDigit(b.end-n) || !currencies[string(word)] && string(word) != "руб.") {
		return false
	}
	return sumLeads[primaryLanguage(p.style.Lang)][string(p.wordAfter(b.next))]
}

// ofNames are words, by language, between two words of the name of a place or an institution: Alcalá de Henares.
var ofNames = map[string]map[string]bool{
	"es": wordSet("de del"), "fr": wordSet("de du des"), "pt": wordSet("de do da dos das"), "it": wordSet("di del della"),
}

// nameArticles follow ofNames: Casa de los Arcos.
var nameArticles = wordSet("la las los le les el")

// insideNameOf reports whether a line that ends at b ends before the “de” of a name: the last word begins at start.
func (p *paragraph) insideNameOf(start int, b lineBreak) bool {
	words := ofNames[primaryLanguage(p.style.Lang)]
	if words == nil || start == 0 || !unicode.IsUpper(p.runes[start]) || p.allCapitalized() {
		return false
	}
	of := p.wordAfter(b.next)
	if !words[string(of)] {
		return false
	}
	next := min(b.next+len(of)+1, len(p.runes))
	name := p.wordAfter(next)
	if nameArticles[string(name)] {
		name = p.wordAfter(min(next+len(name)+1, len(p.runes)))
	}
	return len(name) > 0 && unicode.IsUpper(name[0]) && !p.endsLongName(start)
}

// endsLongName reports whether the word at start is the last of a name of more words, or has an article: a line may end
// after “el Ayuntamiento” or “Noche en Blanco”, before “de Málaga”.
func (p *paragraph) endsLongName(start int) bool {
	if start < 2 {
		return false
	}
	before := string(p.wordBefore(start - 1))
	at := start - 1 - len([]rune(before))
	if nameArticles[strings.ToLower(before)] {
		return at > 0 // “La Camerata del Duero” begins a text with its name
	}
	if at < 2 || !functionWords(p.style.Lang)[before] {
		return false
	}
	name := p.wordBefore(at - 1)
	return len(name) > 0 && unicode.IsUpper(name[0])
}

// articlePenalty returns the penalty of a line that ends in a short article or preposition from start to end: a higher
// one inside a name, as in “Alcalá de / Henares”, and in an article before a name: “dans les / Landes”.
func (p *paragraph) articlePenalty(start, end int) float64 {
	if p.class != european {
		return penaltyRomance
	}
	if words := ofNames[primaryLanguage(p.style.Lang)]; start > 1 && words[string(p.runes[start:end])] {
		before, after := p.wordBefore(start-1), p.wordAfter(min(end+1, len(p.runes)))
		if nameArticles[string(after)] {
			after = p.wordAfter(min(end+1+len(after)+1, len(p.runes)))
		}
		if len(before) > 0 && len(after) > 0 && unicode.IsUpper(before[0]) && unicode.IsUpper(after[0]) {
			return penaltyFullName
		}
	}
	next := min(end+1, len(p.runes)-1)
	if nameArticles[string(p.runes[start:end])] && !p.allCapitalized() && unicode.IsUpper(p.runes[next]) {
		return penaltyNameArticle
	}
	return penaltyArticle
}
