package wording

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"masthead/render/text"
)

// What is in quotation marks is speech, not a name, from so many words, or from so many letters without a space.
const leastSpeech, leastUnspaced = 3, 12

// QuotesSomeone reports whether a title quotes someone: speech in quotation marks among other words, or a name with a
// colon.
func QuotesSomeone(title string) bool {
	for _, pair := range quotePairs {
		open, n := utf8.DecodeRuneInString(pair)
		_, speech, _ := strings.Cut(title, string(open))
		speech = speech[:max(strings.LastIndex(speech, pair[n:]), 0)]
		words := len(strings.Fields(speech))
		if words >= leastSpeech || words == 1 && utf8.RuneCountInString(speech) >= leastUnspaced {
			return true
		}
	}
	name, _, ok := strings.Cut(title, ":")
	words := strings.Fields(name)
	return ok && len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool {
		first, _ := utf8.DecodeRuneInString(w)
		return !unicode.IsUpper(first)
	})
}

// RepeatsQuotation reports whether the title of a page is a quotation, most of it, or little more than it and its
// speaker.
func RepeatsQuotation(title, said, speaker string) bool {
	const most = .6 // of the longer one that the other is at least, with the speaker
	long, short := utf8.RuneCountInString(title), utf8.RuneCountInString(said)
	switch {
	case text.Same(title, said):
		return true
	case text.Says(title, said):
		if text.Says(title, speaker) {
			short += utf8.RuneCountInString(speaker)
		}
	case text.Says(said, title):
		long, short = short, long
	default:
		return false
	}
	return float64(short) >= most*float64(long)
}

// quotePairs are marks that begin and end a quotation.
var quotePairs = []string{`""`, "“”", "„“", "„”", "””", "«»", "»«", "‹›", "「」", "『』", "‘’", "''"}

// BeginsSpeech reports whether a text begins with a quotation mark.
func BeginsSpeech(s string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(s))
	return slices.ContainsFunc(quotePairs, func(pair string) bool { return strings.HasPrefix(pair, string(first)) })
}

// WithoutQuotes returns a text without surrounding quotation marks, since the card has its own.
func WithoutQuotes(s string) string {
	s = strings.TrimSpace(s)
	for _, pair := range quotePairs {
		open, n := utf8.DecodeRuneInString(pair)
		shut := pair[n:]
		inner, ok := strings.CutPrefix(s, string(open))
		if inner, ok2 := strings.CutSuffix(inner, shut); ok && ok2 && !strings.Contains(inner, shut) {
			return strings.TrimSpace(inner)
		}
	}
	return s
}
