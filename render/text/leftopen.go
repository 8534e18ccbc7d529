package text

import (
	"strings"
	"unicode"
)

// openWordLists are words, by language, that lines may end with but no cut text: what they count or are about follows.
var openWordLists = map[string]string{
	"en": " whether all each both several many two three four five six seven eight nine ten eleven twelve twenty hundred ",
	"de": " alle allen aller viele vielen mehrere einige zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig " +
		"hundert tausend ",
	"fr": " tout toute tous toutes plusieurs chaque quelques aucun aucune il ils on je deux trois quatre cinq six sept huit " +
		"neuf dix onze douze quinze vingt trente quarante cinquante soixante cent mille ", //nolint:misspell // French
	"es": " todo toda todos todas varios varias algunos algunas muchos muchas dos tres cuatro cinco seis siete ocho nueve " +
		"diez doce quince veinte cien mil ",
	"pt": " todo toda todos todas vários várias alguns algumas muitos muitas dois duas três quatro cinco seis sete oito nove " +
		"dez cem mil ",
	"it": " tutto tutta tutti tutte alcuni alcune ogni molti molte due tre quattro cinque sette otto nove dieci cento mille ",
	"nl": " alle elke twee drie vier vijf zes zeven acht negen tien ",
	"pl": " każdy każda każde wszystkie dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć sto ",
	"ru": " все всех каждый каждая каждое два две три четыре пять шесть семь восемь девять десять сто ",
}

// leavesOpen reports whether a cut text can't end with a word, in small letters: a function word or one of
// openWordLists, or some of them that an apostrophe or hyphens join: “d’une”, “c’est”, “dix-huit”.
func leavesOpen(word, lang string) bool {
	words, open := functionWords(lang), openWordLists[primaryLanguage(lang)]
	if words[word] {
		return true
	}
	joins := func(r rune) bool { return apostrophe(r) || r == '-' }
	for part := range strings.FieldsFuncSeq(word, joins) {
		if !words[part] && !strings.Contains(open, " "+part+" ") {
			return false
		}
	}
	return strings.ContainsFunc(word, unicode.IsLetter)
}
