package text

import "unicode"

// quotes are the quotation marks of a language: double and single, opening and closing. gap is the space inside the
// double ones.
type quotes struct {
	open, shut             rune
	singleOpen, singleShut rune
	gap                    string
}

var (
	english        = quotes{'“', '”', '‘', '’', ""}
	german         = quotes{'„', '“', '‚', '‘', ""}
	swedish        = quotes{'”', '”', '’', '’', ""}
	polish         = quotes{'„', '”', '‚', '’', ""}
	guillemets     = quotes{'«', '»', '‹', '›', ""}
	spanish        = quotes{'«', '»', '“', '”', ""}
	russian        = quotes{'«', '»', '„', '“', ""}
	danish         = quotes{'»', '«', '›', '‹', ""}
	cornerBrackets = quotes{'「', '」', '『', '』', ""}
	arabic         = quotes{'”', '“', '’', '‘', ""}
	hebrew         = quotes{'”', '”', '’', '’', ""}
)

// languageQuotes are the quotation marks by language. Source: CLDR 45, delimiters.
var languageQuotes = map[string]quotes{
	"en": english, "nl": {'‘', '’', '“', '”', ""}, "tr": english, "pt": english, "vi": english, "id": english,
	"ms": english, "ko": english, "hi": english, "th": english,
	"de": german, "cs": german, "sk": german, "sl": german, "bg": german, "is": german, "lt": german, "et": german,
	"sr": german, "mk": german,
	"pl": polish, "ro": {'„', '”', '«', '»', ""}, "hu": {'„', '”', '»', '«', ""}, "hr": polish,
	"sv": swedish, "fi": swedish,
	"fr": {'«', '»', '“', '”', "\u202f"}, "it": guillemets, "es": spanish, "ca": spanish, "el": spanish,
	"nb": guillemets, "nn": guillemets, "no": guillemets,
	"ru": russian, "uk": russian, "be": russian, "da": danish,
	"ar": arabic, "fa": guillemets, "he": hebrew,
	"ja": cornerBrackets, "zh": english,
}

// quotesOf returns the quotation marks of a language; English is the default.
func quotesOf(lang string) quotes {
	primary := primaryLanguage(lang)
	if primary == "zh" && traditional(lang) {
		return cornerBrackets
	}
	if q, ok := languageQuotes[primary]; ok {
		return q
	}
	return english
}

// OpeningQuote returns the opening quotation mark of a language, for large decorative quotes.
func OpeningQuote(lang string) rune { return quotesOf(lang).open }

// smartQuotes replaces straight quotes: between letters by an apostrophe, after a digit without a preceding opening
// quote by a prime (5" 6'), otherwise by the opening or closing quotation mark, depending on what precedes it.
func smartQuotes(s string, q quotes) string {
	runes := []rune(s)
	out := make([]rune, 0, len(runes)+8)
	double, single := false, false // open
	for i, r := range runes {
		before, after := rune(' '), rune(' ')
		if i > 0 {
			before = runes[i-1]
		}
		if i+1 < len(runes) {
			after = runes[i+1]
		}
		opens := !unicode.IsSpace(after) && (unicode.IsSpace(before) || before == '/' || before == '"' && i == 1 ||
			unicode.In(before, unicode.Ps, unicode.Pi, unicode.Pd))
		switch {
		case r == '"' && !double && unicode.IsDigit(before) && !opens:
			out = append(out, '″')
		case r == '"' && (opens || !double && !unicode.IsSpace(after)):
			double = true
			out = append(out, q.open)
			out = append(out, []rune(q.gap)...)
		case r == '"':
			double = false
			out = append(out, []rune(q.gap)...)
			out = append(out, q.shut)
		case r == '\'' && unicode.IsDigit(before) && !single && !unicode.IsLetter(after):
			out = append(out, '′')
		case r == '\'' && opens && !elided(runes[i+1:]):
			single = true
			out = append(out, q.singleOpen)
		case r == '\'' && single && !(unicode.IsLetter(before) && unicode.IsLetter(after)):
			single = false
			out = append(out, q.singleShut)
		case r == '\'':
			out = append(out, '’')
		default:
			out = append(out, r)
		}
	}
	return string(out)
}

// elided reports whether an apostrophe before this text replaces omitted letters: '90s, 'tis, 'n'.
func elided(rest []rune) bool {
	if len(rest) > 0 && unicode.IsDigit(rest[0]) {
		return true
	}
	word := make([]rune, 0, 5)
	for _, r := range rest {
		if !unicode.IsLetter(r) || len(word) == cap(word) {
			break
		}
		word = append(word, unicode.ToLower(r))
	}
	switch string(word) {
	case "tis", "twas", "n", "em", "til", "cause":
		return true
	}
	return false
}
