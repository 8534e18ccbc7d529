package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// closeMarks are marks that have no space before them in any language, unlike ! and ? in French.
const closeMarks = ".,،۔।"

// leastSpaced is the minimum number of letters of the words on both sides of a comma for a space that is missing after
// it: “x,y” may be meant.
const leastSpaced = 3

// spaced returns a text with the spaces beside marks that many pages get wrong: none before a full stop or comma, and
// one after a comma between two words, or after “…” before another sentence.
func spaced(s string) string {
	if !mayLackSpaces(s) {
		return s
	}
	runes := []rune(s)
	out := make([]rune, 0, len(runes)+1)
	for i, r := range runes {
		mark := strings.ContainsRune(closeMarks, r)
		if n := len(out); mark && n > 1 && out[n-1] == ' ' && unicode.In(out[n-2], unicode.L, unicode.M) &&
			(i+1 == len(runes) || runes[i+1] == ' ') {
			out = out[:n-1]
		}
		out = append(out, r)
		if i == 0 || i+1 == len(runes) {
			continue
		}
		switch next := runes[i+1]; {
		case (r == ',' || r == '،') && lettersBefore(runes[:i]) >= leastSpaced && lettersAfter(runes[i+1:]) >= leastSpaced:
			out = append(out, ' ')
		case r == '…' && unicode.IsLower(runes[i-1]) && unicode.IsUpper(next):
			out = append(out, ' ')
		}
	}
	return string(out)
}

// mayLackSpaces reports whether a text has a mark with a space before it, or without one after it: few have.
func mayLackSpaces(s string) bool {
	for i := range len(s) - 1 {
		switch {
		case s[i] == ' ' && (s[i+1] == '.' || s[i+1] == ',' || s[i+1] >= utf8.RuneSelf):
			if mark, _ := utf8.DecodeRuneInString(s[i+1:]); strings.ContainsRune(closeMarks, mark) {
				return true
			}
		case s[i] == ',' && (s[i+1] >= 'a' || s[i+1] >= utf8.RuneSelf):
			return true
		}
	}
	return strings.Contains(s, ellipsis) || strings.Contains(s, "،")
}

// lettersBefore returns how many of the last letters before a mark are of a word in small letters, up to leastSpaced.
func lettersBefore(runes []rune) (n int) {
	for n < leastSpaced && n < len(runes) && joinsWord(runes[len(runes)-1-n]) {
		n++
	}
	return n
}

// lettersAfter is lettersBefore for the first letters after a mark.
func lettersAfter(runes []rune) (n int) {
	for n < leastSpaced && n < len(runes) && joinsWord(runes[n]) {
		n++
	}
	return n
}

// joinsWord reports whether r is a letter of a word after which a comma has a space: a small letter, or one of Arabic.
func joinsWord(r rune) bool {
	return unicode.IsLower(r) || unicode.Is(unicode.Arabic, r) && unicode.IsLetter(r)
}
