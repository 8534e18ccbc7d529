package text

import (
	"strings"
	"unicode"

	"github.com/go-text/typesetting/language"
)

// breakFlag says what a position between two runes is.
type breakFlag uint8

const (
	graphemeStart breakFlag = 1 << iota // a grapheme cluster starts here
	lineStart                           // a line may start here (UAX 14)
	tokenStart                          // as lineStart when a token is too long: after - _ . / or before a hump
	unsafeBreak                         // glyphs differ when the text is cut here
	hyphenStart                         // a word that is too long may be parted here, with a hyphen
	insideGlyph                         // one glyph stands for both sides: a ligature, which no line parts
)

// lineBreak is a place where a line may end.
type lineBreak struct {
	end  int  // the line's last rune + 1, without trailing spaces
	next int  // the first rune of the next line
	weak bool // inside a phrase of Chinese or Japanese
}

// findBreaks fills p.flags and p.breaks from the segmenter, which holds p.runes. UAX 14 with the strict resolution of
// small kana (kinsoku); Korean breaks at spaces only, as its titles are set.
func (e *Engine) findBreaks(p *paragraph) {
	p.breaks = p.breaks[:0]
	n := len(p.runes)
	if n == 0 {
		return
	}
	p.flags[0] |= graphemeStart
	p.flags[n] |= graphemeStart | lineStart
	graphemes := e.seg.GraphemeIterator()
	for graphemes.Next() {
		p.flags[graphemes.Grapheme().Offset] |= graphemeStart
	}
	lines := e.seg.LineIterator()
	for lines.Next() {
		line := lines.Line()
		next := line.Offset + len(line.Text)
		if next < n && (p.flags[next]&(graphemeStart|insideGlyph) != graphemeStart || keepsTogether(p.runes, next)) {
			continue
		}
		p.flags[next] |= lineStart
		end := next
		for end > line.Offset && blank(p.runes[end-1]) {
			end--
		}
		p.partWords(line.Offset, end)
		weak := next < n && end == next && insidePhrase(p.runes[next-1], p.runes[next])
		p.breaks = append(p.breaks, lineBreak{end: end, next: next, weak: weak})
	}
	for i := 1; i < n; i++ {
		if p.flags[i]&(graphemeStart|insideGlyph) == graphemeStart && tokenBreak(p.runes, i) {
			p.flags[i] |= tokenStart
		}
	}
}

// partWords adds the breaks between the words of runes[start:end] where they are of a script without spaces.
func (p *paragraph) partWords(start, end int) {
	for i := start; i < end; i++ {
		if p.runes[i] < firstWordScript {
			continue
		}
		script := scriptOf(p.runes[i])
		trie, ok := wordTries[script]
		if !ok {
			continue
		}
		until := i + 1
		for until < min(end, i+maxWordRun) && (scriptOf(p.runes[until]) == script || ignorable(p.runes[until])) {
			until++
		}
		from := i
		trie.wordParts(p.runes[from:until],
			func(i int) bool {
				return p.flags[from+i]&(graphemeStart|insideGlyph) == graphemeStart &&
					(i == 0 || !leadsOn(p.runes[from+i-1]))
			},
			func(i int) {
				p.flags[from+i] |= lineStart
				p.breaks = append(p.breaks, lineBreak{end: from + i, next: from + i})
			})
		i = until - 1
	}
}

// firstWordScript is the first letter of the scripts that are written without spaces: of Thai.
const firstWordScript = 0x0e00

// keepsTogether reports whether a break before runes[i] that UAX 14 allows is refused: in a word with hangul, whose
// particles follow foreign names without a space, and before a dash, a separator or a colon, which stay with the word
// before them.
func keepsTogether(runes []rune, i int) bool {
	a, b := runes[i-1], runes[i]
	if dependent(b) {
		return true
	}
	switch b {
	case '–', '—':
		return a < 0x2e80
	case '-', '|', '·', '•', '/':
		return a == ' ' && i+1 < len(runes) && runes[i+1] == ' '
	case '：', '；', '・': // UAX 14 keeps full stops and commas behind a space, and not these
		return blank(a)
	}
	return (hangul(a) && alphanumeric(b) || alphanumeric(a) && hangul(b)) && !east(language.LookupScript(a)) &&
		!east(language.LookupScript(b))
}

func hangul(r rune) bool { return r >= 0x1100 && language.LookupScript(r) == language.Hangul }

// blank reports whether r is white space that hangs at the end of a line.
func blank(r rune) bool {
	return r == ' ' || r == 0x3000 || r == 0x200b || r >= 0x2000 && r <= 0x200a && r != 0x2007
}

// tokenBreak reports whether an over-long token is best broken before runes[i]: after - _ . / and the like, or at a
// camelCase hump (fooBar: before B; HTMLParser: before P).
func tokenBreak(runes []rune, i int) bool {
	a, b := runes[i-1], runes[i]
	switch a {
	case '-', '_', '.', '/', '\\', '\u2010', '\u2013', '\u2014', ':', '@', '#', '&', '=', '?', '+', ',', ';', '|', '~':
		return unicode.IsLetter(b) || unicode.IsDigit(b)
	}
	if unicode.IsLower(a) && unicode.IsUpper(b) {
		return true
	}
	return unicode.IsUpper(a) && unicode.IsUpper(b) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && i >= 2
}

// Particles, by the side on which a line is better broken. Of kana only those that end a phrase: with others (ち, み, け)
// the stem of a compound may end.
const (
	breakAfterKana = "はがをにでともへのやかばらてただるうくすつぬぶむぐなねよん"
	honorifics     = "おご" // begin a word after a particle
	breakAfterHan  = "的了吗呢吧们"
	breakBeforeHan = "和与與及或把"
)

// insidePhrase reports whether a break between two runes of Chinese or Japanese would part a phrase. A phrase ends with
// punctuation, and in Japanese where a particle or an ending is followed by another script; in Chinese after or before
// certain particles. Without a dictionary this is a guess, so it is a preference and never forbids a break.
func insidePhrase(a, b rune) bool {
	as, bs := language.LookupScript(a), language.LookupScript(b)
	if !east(as) && !east(bs) {
		return false
	}
	switch {
	case unicode.IsPunct(a) || unicode.IsSpace(a), unicode.In(b, unicode.Ps, unicode.Pi):
		return false
	case as == language.Hiragana && (bs != language.Hiragana || strings.ContainsRune(honorifics, b)):
		return !strings.ContainsRune(breakAfterKana, a)
	case as == language.Han && (bs == language.Han || bs == language.Latin):
		return !strings.ContainsRune(breakAfterHan, a) && !strings.ContainsRune(breakBeforeHan, b)
	}
	return true
}

func east(s language.Script) bool {
	return s == language.Han || s == language.Hiragana || s == language.Katakana
}
