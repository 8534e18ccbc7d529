package kit

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/width"

	"masthead/fonts"
	"masthead/render/text"
)

// monoKind is what a part of a monospaced line is set in.
type monoKind uint8

const (
	monoLetters  monoKind = iota // the typeface itself
	otherLetters                 // another one
	rightToLeft                  // another one, as a whole
)

// monoRun is a part of a line of one kind.
type monoRun struct {
	text string
	kind monoKind
}

// monoRuns splits a text without gaps into runs, each of which is set by itself.
func monoRuns(s string, prose bool) (runs []monoRun) {
	if !strings.ContainsFunc(s, func(r rune) bool { return r > 0x7e }) { // the usual case
		return []monoRun{{s, monoLetters}}
	}
	if prose && HasRTL(s) && !strings.ContainsFunc(s, isLeftToRight) && !strings.ContainsAny(s, "\"'`{}[]<>=;$") {
		return []monoRun{{s, rightToLeft}}
	}
	runes := []rune(s)
	face := fonts.Find(string(text.JetBrainsMono), 400, false)
	for from := 0; from < len(runes); {
		end, kind := from+1, monoLetters
		switch {
		case isRightToLeft(runes[from]):
			end, kind = endOfRightToLeft(runes, from, prose), rightToLeft
		case !face.Has(runes[from]) || marked(runes, from, face):
			end, kind = endOfOthers(runes, from, face), otherLetters
		default:
			for end < len(runes) && face.Has(runes[end]) && !marked(runes, end, face) {
				end++
			}
		}
		runs = append(runs, monoRun{string(runes[from:end]), kind})
		from = end
	}
	return runs
}

// marked reports whether a letter has a mark that a face lacks.
func marked(runes []rune, i int, face *fonts.Face) bool {
	for i++; i < len(runes) && mark(runes[i]); i++ {
		if !face.Has(runes[i]) && !unicode.Is(unicode.Cf, runes[i]) {
			return true
		}
	}
	return false
}

// mark reports whether r belongs to the letter before it.
func mark(r rune) bool { return r > 0x7f && (unicode.Is(unicode.M, r) || unicode.Is(unicode.Cf, r)) }

// endOfOthers returns the end of the letters from runes[from] on that a face lacks. They have what is between two of
// them if that is a space, or a mark after which words go on.
func endOfOthers(runes []rune, from int, face *fonts.Face) int {
	end := from + 1
	for i := end; i < len(runes) && !isRightToLeft(runes[i]); i++ {
		r := runes[i]
		switch {
		case mark(r) && end == i, !face.Has(r), marked(runes, i, face):
			end = i + 1
		case i > end+1 || r != ' ' && !strings.ContainsRune(".,:;/-!?", r):
			return end
		}
	}
	return end
}

// isLeftToRight reports whether r is a letter of a script that is written from left to right.
func isLeftToRight(r rune) bool { return unicode.IsLetter(r) && !isRightToLeft(r) }

// isRightToLeft reports whether r is a letter of a script that is written from right to left.
func isRightToLeft(r rune) bool {
	if r < 0x590 {
		return false
	}
	props, _ := bidi.LookupRune(r)
	return props.Class() == bidi.R || props.Class() == bidi.AL
}

// endOfRightToLeft returns the end of the right-to-left text that begins at runes[from]: of its words; in prose also of
// what is between them but names of other scripts and code, of a number and of a bracket after them.
func endOfRightToLeft(runes []rune, from int, prose bool) int {
	const signs = ".,:;!?-–—()«»“”‘’…·←→+=/&|%٪،؛؟"
	end, open := from+1, 0
	for i := end; i < len(runes); i++ {
		r := runes[i]
		switch {
		case isRightToLeft(r) || mark(r) && end == i:
			end = i + 1
		case r == ' ':
		case !prose:
			return end
		case unicode.IsDigit(r) && (runes[i-1] == ' ' || runes[i-1] == '('):
			n := numberEnd(runes, i)
			if n == 0 {
				return end
			}
			i, end = n-1, n
		case !strings.ContainsRune(signs, r):
			return end
		case r == '(':
			open++
		case r == ')':
			if open--; open < 0 {
				return end
			}
			end = i + 1
		case strings.ContainsRune(".!…", r) && end == i && (i+1 == len(runes) || strings.ContainsRune("\"'`", runes[i+1])):
			end = i + 1
		}
	}
	return end
}

// numberEnd returns the end of the number that begins at runes[from] if no other token does, otherwise 0.
func numberEnd(runes []rune, from int) int {
	end := from
	for i := from; i < len(runes) && runes[i] != ' ' && runes[i] != ')'; i++ {
		if !unicode.IsDigit(runes[i]) && !strings.ContainsRune(".,:/-%٪٫٬،", runes[i]) {
			return 0
		}
		if unicode.IsDigit(runes[i]) || runes[i] == '%' || runes[i] == '٪' {
			end = i + 1
		}
	}
	return end
}

// columns returns how many columns a text has at least and at most: programs don't agree on wide letters and marks.
func columns(s string) (least, most int) {
	for _, r := range s {
		switch {
		case mark(r):
			most++
		case r >= 0x1100 && isWide(r):
			least, most = least+1, most+2
		default:
			least, most = least+1, most+1
		}
	}
	return least, most
}

// isWide reports whether terminals give r two columns.
func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}
