package template

import (
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// startsRightward reports whether the first letter of s that has a direction runs right to left.
func startsRightward(s string) bool {
	for _, r := range s {
		if unicode.IsSpace(r) || r < 0x80 && !unicode.IsLetter(r) {
			continue
		}
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.L:
			return false
		case bidi.R, bidi.AL:
			return true
		}
	}
	return false
}

// hasRightward reports whether any letter of s runs right to left.
func hasRightward(s string) bool {
	for _, r := range s {
		if r < 0x590 {
			continue
		}
		if p, _ := bidi.LookupRune(r); p.Class() == bidi.R || p.Class() == bidi.AL {
			return true
		}
	}
	return false
}
