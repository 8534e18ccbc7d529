package text

import (
	"strings"

	"github.com/go-text/typesetting/language"
)

// maxLanguageTag is the maximum length of a BCP 47 tag; longer ones aren't genuine.
const maxLanguageTag = 35

// shapingLanguages are the languages for which faces have their own letter forms (feature locl). The shaper caches a
// plan for every language, and the tag comes from the page, so all other languages are shaped as none.
var shapingLanguages = map[string]language.Language{
	"az": "az", "ba": "ba", "bg": "bg", "ca": "ca", "crh": "crh", "fa": "fa", "ga": "ga", "gag": "gag", "kk": "kk",
	"ks": "ks", "ku": "ku", "ky": "ky", "mk": "mk", "mo": "mo", "mr": "mr", "ne": "ne", "nl": "nl", "pl": "pl",
	"ps": "ps", "ro": "ro", "sd": "sd", "sr": "sr", "tr": "tr", "tt": "tt", "ug": "ug",
	"ur": "ur", "vi": "vi", "ja": "ja", "ko": "ko", "zh-hans": "zh-hans", "zh-hant": "zh-hant",
}

// shapingLanguage returns the shaper's language for a BCP 47 tag.
func shapingLanguage(lang string) language.Language {
	primary := primaryLanguage(lang)
	if primary == "zh" {
		primary = "zh-hans"
		if traditional(lang) {
			primary = "zh-hant"
		}
	}
	return shapingLanguages[primary]
}

// traditional reports whether a Chinese tag means traditional characters.
func traditional(lang string) bool {
	for _, part := range strings.FieldsFunc(strings.ToLower(lang), func(r rune) bool { return r == '-' || r == '_' }) {
		switch part {
		case "hant", "tw", "hk", "mo":
			return true
		}
	}
	return false
}

// primaryLanguage returns the first subtag of a BCP 47 tag, in lower case: "de" of "de-AT". It is empty for an invalid
// tag.
func primaryLanguage(lang string) string {
	if len(lang) > maxLanguageTag {
		return ""
	}
	if i := strings.IndexAny(lang, "-_"); i >= 0 {
		lang = lang[:i]
	}
	return strings.ToLower(lang)
}
