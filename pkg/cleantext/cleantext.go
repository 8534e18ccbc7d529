// Package cleantext cleans untrusted text (from pages, models and requests) before it is drawn, stored or put into a
// prompt. It defines which characters are removed, how white space is folded and the maximum lengths.
//
// Text is cleaned once, where it enters: pkg/page and pkg/scrape clean text from pages, and each module cleans text
// from requests. Code behind that point trusts it. Cleaning decodes nothing: "&amp;" stays as it is. Text is escaped
// where it is written out (JSON, HTML, SVG, logs).
//
// To remove a character everywhere, add it to removed, or to [Invisible] if previews should lose it too.
package cleantext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Maximum lengths of untrusted text, in characters, for drawing, storing and prompts: the limits to pass to [Clean].
// Previews show text without truncation. Source: docs/security.md#text-from-pages-and-models.
const (
	MaxTitle       = 300
	MaxDescription = 1000
	MaxSite        = 100
	MaxOther       = 200
)

// maxMarks is the maximum number of combining marks per base character.
const maxMarks = 8

// Clean prepares text for drawing, storing and prompts. The result is valid UTF-8 with at most maxChars characters,
// single spaces, and no invisible characters that could reorder, hide or break the text. Clean removes control
// characters, bidirectional overrides and marks, zero-width spaces, noncharacters, joiners outside the scripts and
// emoji that need them, tag characters outside flags, and all but the first eight marks on a base character. It never
// truncates inside a grapheme cluster. Clean is idempotent.
func Clean(s string, maxChars int) string {
	if plain(s) && len(s) <= maxChars {
		return s
	}
	c := cleaner{}
	c.out.Grow(min(len(s), 4*maxChars+64))
	for i, r := range s {
		if c.chars > maxChars+4*maxMarks { // enough to find the end of the last cluster
			break
		}
		if r != utf8.RuneError || s[i] == 0xEF { // else an invalid byte
			c.add(r)
		}
	}
	c.join(0)
	return cut(c.out.String(), maxChars)
}

// cleaner writes the characters of a text that remain after cleaning.
type cleaner struct {
	out    strings.Builder
	chars  int
	last   rune // the last character written
	marks  int  // since the last base
	gap    bool // white space is pending
	joiner rune // a pending joiner; the next character decides whether it stays
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

// join writes the pending joiner if it has an effect between the last character and next (0 at the end of a word): in
// scripts where joiners change letter shapes and, for the zero-width joiner, in emoji sequences.
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

// plain reports whether s is printable ASCII with single inner spaces, so that there is nothing to clean.
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

// cut returns the longest prefix of s that consists of whole grapheme clusters and has at most n characters.
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

// removed reports whether Clean always removes r. White space is handled separately.
func removed(r rune) bool {
	switch {
	case r < ' ', r >= 0x7F && r <= 0x9F: // C0 and C1
		return true
	case r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE: // noncharacters
		return true
	case r == utf8.RuneError: // decoders produce it for NUL and invalid bytes
		return true
	}
	return Invisible(r)
}

// Invisible reports whether r has no visible form and is removed from all text of pages, including previews: zero-width
// characters, and those that only change the direction of text (Unicode, UAX #9, 2:
// https://www.unicode.org/reports/tr9/), which could reorder neighboring text.
func Invisible(r rune) bool {
	switch r {
	case '\u200B', '\u2060', '\uFEFF':
		return true
	case '\u061C', '\u200E', '\u200F': // directional marks
		return true
	}
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 // embeddings, overrides, isolates
}

// joining lists the scripts that use joiners.
var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Nko, unicode.Mandaic,
	unicode.Hanifi_Rohingya, unicode.Adlam,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu,
	unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// pictograph reports whether r is in a block whose characters can be part of an emoji sequence.
func pictograph(r rune) bool {
	return r >= 0x1F000 && r <= 0x1FAFF || r >= 0x2600 && r <= 0x27BF ||
		r >= 0x2190 && r <= 0x21FF || r >= 0x2B00 && r <= 0x2BFF
}
