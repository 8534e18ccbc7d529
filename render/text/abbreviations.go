package text

import (
	"strings"
	"unicode"
)

// leadingAbbreviations are abbreviations by language, without the full stop that ends them, that belong to the next
// word: no line and no sentence ends after one. Those that also end sentences, such as “руб.”, aren't among them.
var leadingAbbreviations = map[string]map[string]bool{
	"es": wordSet(`aprox art arts av avda cap dpto dra ej fig gral lcda lcdo máx mín núm pág págs pdte prof prov sr sra
		tel ud uds vol`),
	"pl": wordSet(`al art cz dot gen godz hab im inż kpt ks lek m.in mec mgr np nr ok pkt pl poz por prof płk red rozdz św
		tel tj tzw ul ur ust wg woj ww zob`),
	"hi": wordSet(`कु डॉ पं प्रो मो श्री सुश्री स्व`),
	"ru": wordSet(`акад ген гл им инж кат кв корп наб напр ок пер пл пос просп проф рис св см ср ст стр ул чл`),
}

// leadsOnward reports whether an abbreviation, without its full stop, belongs to the next word in a language.
func leadsOnward(abbreviation, lang string) bool {
	lang = primaryLanguage(lang)
	switch lang {
	case "uk", "be":
		lang = "ru"
	}
	return leadingAbbreviations[lang][strings.ToLower(abbreviation)]
}

// isArticleOfName reports whether the word that ends at end is an article that a name of Galicia begins with: A Coruña,
// O Grove.
func (p *paragraph) isArticleOfName(word []rune, end int) bool {
	if len(word) != 1 || word[0] != 'A' && word[0] != 'O' || p.beginsClause(end-1) {
		return false
	}
	switch primaryLanguage(p.style.Lang) {
	case "es", "gl":
		return true
	}
	return false
}

// followsTitle reports whether the word before the one at start is a person's title, or another abbreviation.
func (p *paragraph) followsTitle(start int) bool {
	if start < 2 || !blank(p.runes[start-1]) {
		return false
	}
	word := p.wordBefore(start - 1)
	return titled(word) || string(word) == "dr" || len(word) > 0 && word[len(word)-1] == '.'
}

// endsStreet reports whether a word that ends at end is the last of a street's name, whose number follows.
func (p *paragraph) endsStreet(word []rune, end int) bool {
	const most = 3 // words of a name
	if !unicode.IsUpper(word[0]) || !unicode.IsLetter(word[len(word)-1]) && word[len(word)-1] != ',' {
		return false
	}
	for range most {
		start := end - len(word)
		if start < 2 {
			return false
		}
		end = start - 1
		if word = p.wordBefore(end); streets[string(word)] {
			return true
		}
	}
	return false
}

// endsInAmount reports whether the word before start is a number, or a sign of a number: 145 %.
func (p *paragraph) endsInAmount(start int) bool {
	if start < 2 || !blank(p.runes[start-1]) {
		return false
	}
	last := p.runes[start-2]
	return unicode.IsDigit(last) || last == '%' || unicode.Is(unicode.Sc, last)
}
