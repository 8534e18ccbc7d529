package page

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"masthead/pkg/cleantext"
)

// Most texts need nothing done to them, and are told apart by their bytes. Here everything is done to each.

// slowCollapse is collapse without a look at whether it has anything to do.
func slowCollapse(s string) string {
	var words []string
	for _, word := range strings.FieldsFunc(s, unicode.IsSpace) {
		word = strings.Map(func(r rune) rune {
			switch {
			case cleantext.Invisible(r):
				return -1
			case r == 0:
				return utf8.RuneError
			}
			return r
		}, word)
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// twiceEscapedPattern matches what authors escape twice.
var twiceEscapedPattern = regexp.MustCompile(`&(amp|lt|gt|quot|apos|nbsp|#[0-9]+|#[xX][0-9a-fA-F]+);`)

// checkTexts compares a text that is valid UTF-8 under each rule with the plain form of it.
func checkTexts(t *testing.T, s string) {
	t.Helper()
	if got, want := collapse(s), slowCollapse(s); got != want {
		t.Errorf("%q collapsed is %q, want %q", s, got, want)
	}
	if got, want := decodeText([]byte(s)), html.UnescapeString(strings.ReplaceAll(s, "\x00", "\uFFFD")); got != want {
		t.Errorf("%q decoded is %q, want %q", s, got, want)
	}
	if got, want := unescapeAgain(s), twiceEscapedPattern.ReplaceAllStringFunc(s, html.UnescapeString); got != want {
		t.Errorf("%q decoded again is %q, want %q", s, got, want)
	}
}

// TestTexts_everyCharacter has each character alone, between letters, and at the ends of a word.
func TestTexts_everyCharacter(t *testing.T) {
	for r := range unicode.MaxRune + 1 {
		if utf8.ValidRune(r) {
			c := string(r)
			for _, s := range []string{c, "a" + c + "b", c + "a " + c, "a" + c + c + " b"} {
				if got, want := collapse(s), slowCollapse(s); got != want {
					t.Fatalf("%q collapsed is %q, want %q", s, got, want)
				}
			}
		}
	}
}

// FuzzTexts compares texts, and what is known of bytes, with their plain forms.
func FuzzTexts(f *testing.F) {
	for _, seed := range []string{
		"", " ", "a b", " a", "a ", "a  b", "a\u00A0b", "\u200Ba \u200B b\uFEFF", "a \u200B", "\x00", "a \x00 b", "\u0085", "\u2028x", "\u3000",
		"&amp;amp; &#38;#38; &lt &nbsp;&quot;&apos;&#x26;&#X3c;&#x;&#;&#12a;&copy;&amp", "&&amp;;", "&#0;&#1114112;",
		"1234567\x80", "12345678é", "abcdefg\xe2\x82", "é", "\xff", "ABC\xc3",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkTexts(t, strings.ToValidUTF8(s, "?"))
		b := []byte(s)
		whole := b
		for cut := 0; cut < utf8.UTFMax && cut <= len(b); cut++ {
			if rest := b[len(b)-cut:]; cut > 0 && rest[0] >= 0xC0 && !utf8.FullRune(rest) {
				whole = b[:len(b)-cut]
			}
		}
		if got := wholeRunes(b); !bytes.Equal(got, whole) {
			t.Errorf("%q without a cut character is %q, want %q", b, got, whole)
		}
		valid, multi := true, false
		for rest := whole; len(rest) > 0; {
			r, n := utf8.DecodeRune(rest)
			valid = valid && (r != utf8.RuneError || n > 1)
			multi = multi || n > 1
			rest = rest[n:]
		}
		if gotValid, gotMulti := validUTF8(b); gotValid != valid || valid && gotMulti != multi {
			t.Errorf("%q: valid %v with several bytes %v, want %v and %v", b, gotValid, gotMulti, valid, multi)
		}
		lower := []byte(s)
		for i, c := range lower {
			if 'A' <= c && c <= 'Z' {
				lower[i] = c + 'a' - 'A'
			}
		}
		for _, word := range []string{"script", string(lower), string(lower) + "x"} {
			if got, want := equalFold(b, word), string(lower) == word; got != want {
				t.Errorf("equalFold(%q, %q) is %v", b, word, got)
			}
		}
		for _, enc := range []*charmap.Charmap{charmap.Windows1252, charmap.KOI8R, charmap.ISO8859_8} {
			want, err := enc.NewDecoder().Bytes(b)
			if got := convertSingleByte(b, enc); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%q of %v is %q, want %q, %v", b, enc, got, want, err)
			}
		}
	})
}

// TestConvertSingleByte_eachByte has all bytes of each encoding of one byte a character.
func TestConvertSingleByte_eachByte(t *testing.T) {
	var all []byte
	for c := range 256 {
		all = append(all, byte(c), byte(c), 'a', byte(255-c))
	}
	for _, enc := range charmap.All {
		enc, ok := enc.(*charmap.Charmap)
		if !ok {
			continue
		}
		if _, err := htmlindex.Name(enc); err != nil {
			continue // no page may be in it
		}
		want, err := enc.NewDecoder().Bytes(all)
		if got := convertSingleByte(all, enc); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: got %q, want %q, %v", enc, got, want, err)
		}
	}
}
