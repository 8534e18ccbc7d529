package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Articles that aren't part of a name's initial, in any language, and those that are other words in other languages.
var (
	articles    = " the a an der das le la les el il "
	articlesOwn = map[string]string{
		"de": " die ", "es": " los las ", "pt": " o a os as ", "it": " lo i gli ", "nl": " de het een ",
		"fr": " l un une ", "ca": " els ", "el": " ο η το οι τα ", "hu": " a az ",
	}
	articleBreak = " \u00a0"
)

// withoutArticle returns a name of several words without a leading article: the initial of "The Guardian" is G. A word
// in capitals is an article only if the whole name is in capitals ("LA Times").
func withoutArticle(name, lang string) string {
	first, rest, several := strings.Cut(strings.TrimSpace(name), " ")
	if rest = strings.TrimLeft(rest, articleBreak); !several || !strings.ContainsFunc(rest, unicode.IsLetter) {
		return name
	}
	word := strings.ToLower(first)
	lang, _, _ = strings.Cut(strings.ToLower(lang), "-")
	if !strings.Contains(articles+articlesOwn[lang], " "+word+" ") {
		return name
	}
	if utf8.RuneCountInString(first) > 1 && first == strings.ToUpper(first) && name != strings.ToUpper(name) {
		return name
	}
	return rest
}

// withoutArabicArticle returns an Arabic name without the article that its first word begins with, of which half of all
// names would have the letter: that of "الجزيرة" is ج. Other languages in this script have no such article.
func withoutArabicArticle(name, lang string) string {
	const article, least = "ال", 2 // letters that follow it
	if lang, _, _ = strings.Cut(strings.ToLower(lang), "-"); lang != "" && lang != "ar" {
		return name
	}
	trimmed := strings.TrimLeftFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	rest, ok := strings.CutPrefix(trimmed, article)
	if !ok {
		return name
	}
	letters := 0
	for _, r := range rest {
		if !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) {
			break
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	if letters < least {
		return name
	}
	return rest
}

// Initial returns the first letter of a name in upper case, otherwise its first digit, otherwise 0, for a monogram. It
// ignores a leading article, and a vowel written before its consonant (Thai, Lao).
func Initial(name, lang string) rune {
	name = withoutArabicArticle(withoutArticle(withoutService(name), lang), lang)
	for _, accept := range []func(rune) bool{leads, unicode.IsLetter, unicode.IsDigit} {
		for _, r := range name {
			if accept(r) {
				return unicode.ToUpper(r)
			}
		}
	}
	return 0
}

// services are first labels of hosts that say what is served there, not by whom.
const services = " www blog docs doc help support learn shop store forum news m status dev developer api wiki "

// withoutService returns an address without its first label if that is one of [services]: docs.acme.example is of Acme.
func withoutService(name string) string {
	label, rest, ok := strings.Cut(name, ".")
	if ok && strings.Contains(rest, ".") && !strings.ContainsAny(name, " /") && strings.Contains(services, " "+label+" ") {
		return rest
	}
	return name
}

// leads reports whether a letter represents the first sound of a word. Source: Unicode's property
// Logical_Order_Exception.
func leads(r rune) bool {
	return unicode.IsLetter(r) && !unicode.Is(unicode.Logical_Order_Exception, r)
}
