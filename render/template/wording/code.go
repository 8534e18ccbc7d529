package wording

import (
	"slices"
	"strings"
	"unicode"

	"masthead/render/template/kit"
)

// LitLine returns the index of the line that has the most of the title's words, two of them or a long one, otherwise
// -1.
func LitLine(c *kit.Card) (line int) {
	const least, long = 3, 6 // letters
	words := codeWords(c.Title)
	best, line := 1, -1
	for i, s := range c.Code.Lines {
		n := 0
		for _, w := range codeWords(s) {
			said := func(word string) bool { return sameWord(w, word) }
			if len(w) >= least && slices.ContainsFunc(words, said) {
				if n++; len(w) >= long {
					n++
				}
			}
		}
		if n > best {
			best, line = n, i
		}
	}
	return line
}

// sameWord reports whether two words differ at most in their ending: job and jobs, queue and queued.
func sameWord(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return len(a) >= 3 && strings.HasPrefix(b, a) && len(b)-len(a) <= len(a)/3
}

// codeWords returns the distinct words of a text in lower case; a hump of an identifier begins one.
func codeWords(s string) (words []string) {
	var b strings.Builder
	end := func() {
		if w := b.String(); w != "" && !slices.Contains(words, w) {
			words = append(words, w)
		}
		b.Reset()
	}
	small := false
	for _, r := range s {
		if !unicode.IsLetter(r) || small && unicode.IsUpper(r) {
			end()
		}
		small = unicode.IsLower(r)
		if unicode.IsLetter(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	end()
	return words
}
