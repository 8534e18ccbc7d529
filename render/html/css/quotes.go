package css

import (
	"strings"

	"masthead/render/html/css/value"
)

// Quotes are the marks around quotations: an opening and a closing one for each depth. None is auto, by the language;
// a single empty pair is none.
type Quotes []string

var noQuotes = Quotes{"", ""}

// languageQuotes are the marks of languages. Source: Unicode CLDR, delimiters, as Chromium has them.
var languageQuotes = func() map[string]Quotes {
	byLanguage := map[string]Quotes{}
	for marks, languages := range map[string]string{
		"“ ” ‘ ’": "en", "„ “ ‚ ‘": "de cs sk hr sl et lt is", "« » « »": "fr", "« » ‹ ›": "fr-ch",
		"« » “ ”": "it el pt-pt", "« » „ “": "ru uk be", "„ ” « »": "pl ro", "‘ ’ “ ”": "nl", "” ” ’ ’": "sv fi he",
		"« » ‘ ’": "no nb nn", "„ ” » «": "hu", "「 」 『 』": "ja zh-hant", "” “ ’ ‘": "ar", "„ “ „ “": "bg",
	} {
		for _, language := range strings.Fields(languages) {
			byLanguage[language] = strings.Fields(marks)
		}
	}
	return byLanguage
}()

// readQuotes reads auto, none, or pairs of marks.
func readQuotes(_ *builder, v []value.Value) (Quotes, bool) {
	if len(v) == 1 && v[0].Is("auto") {
		return nil, true
	}
	if len(v) == 1 && v[0].Is("none") {
		return noQuotes, true
	}
	var q Quotes
	for i := range v {
		if v[i].Kind != value.String {
			return nil, false
		}
		q = append(q, v[i].Text)
	}
	return q, len(q) > 0 && len(q)%2 == 0
}

// quote returns the mark that opens or closes a quotation in depth others; the innermost pair repeats.
func (t *Text) quote(depth int, closes bool) string {
	q := t.Quotes
	for tag := strings.ToLower(t.Lang); q == nil; tag = tag[:max(strings.LastIndexByte(tag, '-'), 0)] {
		if q = languageQuotes[tag]; tag == "" {
			q = languageQuotes["en"]
		}
	}
	i := 2 * min(depth, len(q)/2-1)
	if closes {
		i++
	}
	return q[i]
}
