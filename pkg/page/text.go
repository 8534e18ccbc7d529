package page

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"masthead/pkg/cleantext"
)

// Texts of elements and texts of attributes are cleaned differently. The text of an element (title, h1 to h6, the
// details from the body) is decoded once, as browsers display it: on a page about markup, “&amp;amp;” in the source is
// “&amp;” for readers. Attributes (the content of meta elements) and JSON-LD are invisible to readers, so a template
// that escapes them twice goes unnoticed; the few references still left there are decoded again. Source:
// docs/audit-rules.md, og.title and og.description, and the pages of the corpus.

// cleanText returns the raw text of an element as displayed: character references decoded once, then collapsed.
func cleanText(raw []byte) string {
	return collapse(decodeText(trim(raw)))
}

// cleanAttr returns the raw value of an attribute as text: character references decoded, including double-escaped ones,
// then collapsed.
func cleanAttr(raw []byte) string {
	return cleanValue(decodeAttr(trim(raw)))
}

// cleanValue returns a decoded value, of an attribute or of JSON-LD, as text: remaining escapes are decoded again, then
// it is collapsed.
func cleanValue(s string) string {
	return collapse(unescapeAgain(s))
}

// trim removes white space at both ends, which most texts have, so that most of them need no collapsing.
func trim(raw []byte) []byte { return bytes.Trim(raw, " \t\n\f\r") }

// decodeText decodes the character references of raw character data; NUL becomes U+FFFD.
func decodeText(raw []byte) string {
	s := withoutNUL(raw)
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return html.UnescapeString(s)
}

// decodeAttr is decodeText with the rule for attributes: a named reference without its semicolon counts only if it
// isn't followed by a letter, a digit or "=", so that "?a=1&copy=2" stays unchanged.
func decodeAttr(raw []byte) string {
	s := withoutNUL(raw)
	amp := strings.IndexByte(s, '&')
	if amp < 0 {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	for {
		out.WriteString(s[:amp])
		s = s[amp:]
		n := referenceLen(s)
		out.WriteString(decodeReference(s[:n], n < len(s) && s[n] == '='))
		s = s[n:]
		if amp = strings.IndexByte(s, '&'); amp < 0 {
			out.WriteString(s)
			return out.String()
		}
	}
}

// referenceLen returns the length of a possible character reference at the start of s: '&', "#", all following letters
// and digits, and a semicolon.
func referenceLen(s string) int {
	n := 1
	if n < len(s) && s[n] == '#' {
		n++
	}
	for n < len(s) && (class[s[n]]&isLetter != 0 || '0' <= s[n] && s[n] <= '9') {
		n++
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	return n
}

// longestReference is the length of the longest named reference, "&CounterClockwiseContourIntegral;".
const longestReference = 33

// decodeReference decodes ref, as delimited by referenceLen, with the rule for attributes.
func decodeReference(ref string, equals bool) string {
	if strings.HasPrefix(ref, "&#") {
		return html.UnescapeString(ref)
	}
	if len(ref) < 3 || len(ref) > longestReference || equals && ref[len(ref)-1] != ';' {
		return ref
	}
	// UnescapeString decodes the longest name that is a prefix of ref. Whole names give one or two characters. A name with
	// leftovers gives more or, without its semicolon, more than one.
	out := html.UnescapeString(ref)
	n := utf8.RuneCountInString(out)
	if n == 1 || n == 2 && ref[len(ref)-1] == ';' {
		return out
	}
	return ref
}

func withoutNUL(raw []byte) string {
	if bytes.IndexByte(raw, 0) < 0 {
		return string(raw)
	}
	return string(bytes.ReplaceAll(raw, []byte{0}, []byte("\uFFFD")))
}

// collapse removes invisible characters, replaces each run of white space with one space, and trims the ends. Letters,
// quotes and dashes stay unchanged, and nothing is cut.
func collapse(s string) string {
	if collapsed(s) {
		return s
	}
	var out strings.Builder
	out.Grow(len(s))
	gap := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			gap = out.Len() > 0
		case cleantext.Invisible(r):
		default:
			if gap {
				out.WriteByte(' ')
				gap = false
			}
			if r == 0 {
				r = utf8.RuneError
			}
			out.WriteRune(r)
		}
	}
	return out.String()
}

// collapsed reports whether collapse has nothing to do: the common case, which doesn't allocate.
func collapsed(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == ' ':
			if space {
				return false
			}
			space = true
		case c < ' ':
			if c == 0 || '\t' <= c && c <= '\r' {
				return false
			}
			space = false
		case c == 0xC2: // U+0085, U+00A0
			if i+1 < len(s) && (s[i+1] == 0x85 || s[i+1] == 0xA0) {
				return false
			}
			space = false
		// All other white space and invisible characters begin with these bytes.
		case c == 0xD8 || c == 0xE1 || c == 0xE2 || c == 0xE3 || c == 0xEF:
			r, _ := utf8.DecodeRuneInString(s[i:])
			if unicode.IsSpace(r) || cleantext.Invisible(r) {
				return false
			}
			space = false
		default:
			space = false
		}
	}
	return !space || s == ""
}

// unescapeAgain decodes the few references that authors escape twice. Others stay: "&copy;" may be intended.
func unescapeAgain(s string) string {
	amp := strings.IndexByte(s, '&')
	if amp < 0 || strings.IndexByte(s[amp:], ';') < 0 {
		return s
	}
	var out strings.Builder
	rest := s
	for {
		n := referenceLen(rest[amp:])
		ref := rest[amp : amp+n]
		if twiceEscaped(ref) {
			if out.Len() == 0 {
				out.Grow(len(s))
			}
			out.WriteString(rest[:amp])
			out.WriteString(html.UnescapeString(ref))
		} else {
			out.WriteString(rest[:amp+n])
		}
		rest = rest[amp+n:]
		if amp = strings.IndexByte(rest, '&'); amp < 0 {
			out.WriteString(rest)
			return out.String()
		}
	}
}

func twiceEscaped(ref string) bool {
	switch ref {
	case "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&nbsp;":
		return true
	}
	if !strings.HasPrefix(ref, "&#") || !strings.HasSuffix(ref, ";") || len(ref) < 4 {
		return false
	}
	digits := ref[2 : len(ref)-1]
	if digits[0] == 'x' || digits[0] == 'X' {
		return len(digits) > 1 && strings.Trim(digits[1:], "0123456789abcdefABCDEF") == ""
	}
	return strings.Trim(digits, "0123456789") == ""
}

// reference matches a character reference with its semicolon.
var reference = regexp.MustCompile(`&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});`)

// mostEscapes is how many times a text may have been escaped.
const mostEscapes = 4

// WithoutReferences returns a text with all character references in it decoded, however many times they were escaped.
// Those without a semicolon stay: they may be parameters of an address.
func WithoutReferences(s string) string {
	decoded := s
	for range mostEscapes {
		if strings.IndexByte(decoded, '&') < 0 {
			break
		}
		decoded = reference.ReplaceAllStringFunc(decoded, html.UnescapeString)
	}
	if decoded == s {
		return s
	}
	return collapse(decoded)
}

// WithoutEscapes returns a text for cards without references that were escaped twice and therefore are in the text
// that readers see: those of letters, spaces, joiners and quotation marks are decoded. Others stay, so that a page
// about markup says what it says: "&amp;", "&lt;" and "&copy;" may be intended.
func WithoutEscapes(s string) string {
	amp := strings.IndexByte(s, '&')
	if amp < 0 || strings.IndexByte(s[amp:], ';') < 0 {
		return s
	}
	var out strings.Builder
	rest, changed := s, false
	for ; amp >= 0; amp = strings.IndexByte(rest, '&') {
		out.WriteString(rest[:amp])
		rest = rest[amp+1:]
		name := rest
		for strings.HasPrefix(name, "amp;") {
			name = name[len("amp;"):]
		}
		end := strings.IndexByte(name[:min(len(name), longestReference)], ';')
		if end < 1 {
			out.WriteByte('&')
			continue
		}
		r, size := utf8.DecodeRuneInString(html.UnescapeString("&" + name[:end+1]))
		if decoded := html.UnescapeString("&" + name[:end+1]); size != len(decoded) || !strayEscape(r) {
			out.WriteByte('&')
			continue
		}
		out.WriteRune(r)
		rest, changed = name[end+1:], true
	}
	if !changed {
		return s
	}
	out.WriteString(rest)
	return collapse(out.String())
}

// strayEscape reports whether a reference to r in a displayed text is a mistake: nobody writes about it.
func strayEscape(r rune) bool {
	switch r {
	case '"', '\'', 0xad, 0x200c, 0x200d, 0x2060:
		return true
	case '&', '<', '>':
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsSpace(r) || unicode.In(r, unicode.Pi, unicode.Pf)
}
