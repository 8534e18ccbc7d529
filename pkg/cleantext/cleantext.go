// Package cleantext owns what may stay in a text from outside (a page, a model, a request) that is drawn, stored or
// put into a prompt: one set of characters that go, one way to fold white space, one list of lengths.
//
// A text is cleaned once, where it comes in: what a page says by pkg/page and pkg/scrape, what a request says by the
// module that takes it. Whoever stands behind that border trusts it. Cleaning decodes nothing: "&amp;" stays as it
// is. Escaping belongs to the place where a text is written out (JSON, HTML, SVG, a log).
//
// To have a character removed everywhere, add it to removed, or to [Invisible] when previews shall lose it too.
package cleantext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Lengths of texts from outside, in characters, for drawing, storing and prompts: the limits to give to [Clean].
// Source: security requirements, "Text from pages and models". A preview shows texts uncut.
const (
	MaxTitle       = 300
	MaxDescription = 1000
	MaxSite        = 100
	MaxOther       = 200
)

// maxMarks is the number of combining marks that a base character keeps.
const maxMarks = 8

// Clean prepares a text for drawing, storing and prompts: valid UTF-8 in at most maxChars characters, with single
// spaces and nothing invisible that could reorder, hide or break it. Removed are control characters, bidirectional
// overrides and marks, zero-width spaces, noncharacters, joiners outside the scripts and emoji that need them, tag
// characters outside flags, and marks after the eighth on one base. A text is never cut inside a grapheme cluster.
// What was cleaned once stays as it is.
func Clean(s string, maxChars int) string {
	if plain(s) && len(s) <= maxChars {
		return s
	}
	c := cleaner{}
	c.out.Grow(min(len(s), 4*maxChars+64))
	for i, r := range s {
		if c.chars > maxChars+4*maxMarks { // enough to see where the last cluster ends
			break
		}
		if r != utf8.RuneError || s[i] == 0xEF { // else a byte that is no UTF-8
			c.add(r)
		}
	}
	c.join(0)
	return cut(c.out.String(), maxChars)
}

// cleaner writes the characters of a text that stay.
type cleaner struct {
	out    strings.Builder
	chars  int
	last   rune // the last character written
	marks  int  // since the last base
	gap    bool // white space was read
	joiner rune // a joiner was read that the next character decides on
}

func (c *cleaner) add(r rune) {
	switch {
	case unicode.IsSpace(r):
		c.join(0)
		c.gap = c.out.Len() > 0
		return
	case removed(r):
		return
	case r == '\u200C' || r == '\u200D':
		if !c.gap {
			c.joiner = r
		}
		return
	case r >= 0xE0000 && r <= 0xE007F:
		if last := c.last; last != '\U0001F3F4' && (last < 0xE0020 || last > 0xE007E) || c.gap {
			return
		}
	case unicode.Is(unicode.M, r):
		if c.marks++; c.marks > maxMarks {
			return
		}
	default:
		c.marks = 0
	}
	c.join(r)
	if c.gap {
		c.out.WriteByte(' ')
		c.gap = false
		c.chars++
	}
	c.out.WriteRune(r)
	c.chars++
	c.last = r
}

// join writes the joiner that was read last when it does something between the last character and next (0: the end of a
// word): in the scripts whose letters change by it, and, the zero-width joiner, in emoji sequences.
func (c *cleaner) join(next rune) {
	r, last := c.joiner, c.last
	c.joiner = 0
	if r == 0 {
		return
	}
	letters := unicode.In(last, joining...) && (r == '\u200D' || unicode.In(next, joining...))
	emoji := r == '\u200D' && pictograph(next) && (pictograph(last) || last == 0xFE0F)
	if letters || emoji {
		c.out.WriteRune(r)
		c.chars++
		c.last = r
	}
}

// plain reports whether s is printable ASCII with single spaces inside: nothing to clean.
func plain(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c > '~' || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return !space || s == ""
}

// cut returns the longest run of whole grapheme clusters at the start of s that has at most n characters.
func cut(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	end, chars, state, rest := 0, 0, -1, s
	for rest != "" {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if chars += utf8.RuneCountInString(cluster); chars > n {
			break
		}
		end += len(cluster)
	}
	return strings.TrimRight(s[:end], " \u200C\u200D")
}

// removed reports whether r never stays in a cleaned text. White space is no matter of it.
func removed(r rune) bool {
	switch {
	case r < ' ', r >= 0x7F && r <= 0x9F: // C0 and C1
		return true
	case r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE: // noncharacters
		return true
	case r == utf8.RuneError: // what decoding makes of NUL and of broken bytes: there is nothing to show
		return true
	}
	return Invisible(r)
}

// Invisible reports whether r shows nothing and is removed from every text of a page, previews included. Source:
// audit rules, C.3; and the characters that do nothing but change the direction of text (Unicode, UAX #9, 2), by which
// one text could reorder another that it is shown beside.
func Invisible(r rune) bool {
	switch r {
	case '\u200B', '\u2060', '\uFEFF':
		return true
	case '\u061C', '\u200E', '\u200F': // marks of a direction
		return true
	}
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 // embeddings, overrides, isolates
}

// joining are the scripts that joiners belong to.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic,
	unicode.Hanifi_Rohingya, unicode.Adlam,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// pictograph reports whether r may be part of an emoji sequence: the blocks in which such characters stand.
func pictograph(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF ||
		r >= 0x2190 && r <= 0x21FF || r >= 0x2B00 && r <= 0x2BFF
}
