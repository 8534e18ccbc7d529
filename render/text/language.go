package text

import (
	"strings"

	"github.com/go-text/typesetting/language"
)

// maxLanguageTag is how long a BCP 47 tag may be to be looked at; longer ones come from no honest page.
const maxLanguageTag = 35

// shapingLanguages are the languages for which faces have letter forms of their own (feature locl). The shaper keeps a
// plan for every language that it is told, and the tag comes from the page: whatever is not here is shaped as no
// language.
var shapingLanguages = map[string]language.Language{
	"az": "az", "ba": "ba", "bg": "bg", "ca": "ca", "crh": "crh", "fa": "fa", "ga": "ga", "gag": "gag", "kk": "kk",
	"ks": "ks", "ku": "ku", "ky": "ky", "mk": "mk", "mo": "mo", "mr": "mr", "ne": "ne", "nl": "nl", "pl": "pl",
	"ps": "ps", "ro": "ro", "sd": "sd", "sr": "sr", "tr": "tr", "tt": "tt", "ug": "ug",
	"ur": "ur", "vi": "vi", "ja": "ja", "ko": "ko", "zh-hans": "zh-hans", "zh-hant": "zh-hant",
}

// shapingLanguage returns what the shaper is told of a BCP 47 tag.
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

// traditional reports whether a tag of Chinese asks for traditional characters.
func traditional(lang string) bool {
	for _, part := range strings.FieldsFunc(strings.ToLower(lang), func(r rune) bool { return r == '-' || r == '_' }) {
		switch part {
		case "hant", "tw", "hk", "mo":
			return true
		}
	}
	return false
}

// primaryLanguage returns the first subtag of a BCP 47 tag, in lower case: "de" of "de-AT". It is empty for an absurd
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
