package text

import (
	"strings"
	"unicode"

	"github.com/go-text/typesetting/language"
)

// breakFlag describes a position between two runes.
type breakFlag uint8

const (
	graphemeStart breakFlag = 1 << iota // a grapheme cluster starts here
	lineStart                           // a line may start here (UAX 14)
	tokenStart                          // like lineStart if a token is too long: after - _ . / or before a camelCase hump
	unsafeBreak                         // glyphs change if the text is broken here
	hyphenStart                         // a word that is too long may be hyphenated here
	insideGlyph                         // one glyph covers both sides: a ligature, which is never split
	seamStart                           // like hyphenStart, between two words of a German or Russian compound
	unknownWord                         // in no word of the dictionary of a script without spaces
)

// lineBreak is a position where a line may end.
type lineBreak struct {
	end     int     // the line's last rune + 1, without trailing spaces
	next    int     // the first rune of the next line
	weak    bool    // inside a Chinese or Japanese phrase
	joint   bool    // weak, between two words of a Japanese compound
	cut     bool    // inside a token that is too wide; see paragraph.withCuts
	clauses float32 // of lines across the ends of clauses up to here, see paragraph.across; in phrasal scripts
	penalty float64 // of ending a line here; see paragraph.judge
}

// findBreaks fills p.flags and p.breaks from the segmenter, which has p.runes. It applies UAX 14 with the strict
// resolution of small kana (kinsoku); Korean breaks only at spaces, as is usual in titles.
func (e *Engine) findBreaks(p *paragraph) {
	p.breaks, p.phrased, p.judged = p.breaks[:0], false, false
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
	lines, from := e.seg.LineIterator(), 0 // where the words begin that the next break ends
	for lines.Next() {
		line := lines.Line()
		next := line.Offset + len(line.Text)
		if next < n && (p.flags[next]&(graphemeStart|insideGlyph) != graphemeStart || keepsTogether(p.runes, next)) {
			continue
		}
		p.flags[next] |= lineStart
		end := next
		for end > from && (blank(p.runes[end-1]) || p.parting(from, end, next)) {
			end--
		}
		p.partWords(from, end)
		from = next
		weak := next < n && end == next && p.insidePhrase(next)
		p.breaks = append(p.breaks, lineBreak{end: end, next: next, weak: weak})
	}
	p.findJoints()
	for i := 1; i < n; i++ {
		if p.flags[i]&(graphemeStart|insideGlyph) == graphemeStart && tokenBreak(p.runes, i) {
			p.flags[i] |= tokenStart
		}
	}
}

// partWords adds the breaks between the words of runes[start:end] in scripts without spaces.
func (p *paragraph) partWords(start, end int) {
	for i := start; i < end; i++ {
		if p.runes[i] == '…' && i > start && i+1 < end && hangul(p.runes[i-1]) &&
			unicode.Is(unicode.Pi, p.runes[i+1]) {
			p.flags[i+1] |= lineStart // a headline and a quotation
			p.breaks = append(p.breaks, lineBreak{end: i + 1, next: i + 1})
		}
		if p.runes[i] < firstWordScript {
			continue
		}
		script := scriptOf(p.runes[i])
		open, ok := wordLists[script]
		if !ok {
			continue
		}
		until := i + 1
		for until < min(end, i+maxWordRun) && (scriptOf(p.runes[until]) == script || ignorable(p.runes[until])) {
			until++
		}
		from := i
		open().wordParts(p.runes[from:until], true,
			func(i int) bool {
				return p.flags[from+i]&(graphemeStart|insideGlyph) == graphemeStart &&
					(i == 0 || !leadsOn(p.runes[from+i-1]))
			},
			func(i int) {
				p.flags[from+i] |= lineStart
				p.breaks = append(p.breaks, lineBreak{end: from + i, next: from + i})
			},
			func(start, end int) {
				for i := from + start; i < from+end && !dependent(p.runes[i]); i++ {
					p.flags[i] |= unknownWord
				}
			})
		i = until - 1
	}
}

// firstWordScript is the first letter of the scripts without spaces: that of Thai.
const firstWordScript = 0x0e00

// keepsTogether reports whether to reject a break before runes[i] that UAX 14 allows: in a word with hangul, whose
// particles follow foreign names, quotes and brackets without a space, and before a dash, a separator or a colon, which
// stay with the preceding word.
func keepsTogether(runes []rune, i int) bool {
	a, b := runes[i-1], runes[i]
	if dependent(b) || a == '-' && loneLetter(runes, i) || opensTibetan(runes[:i]) ||
		insideFraction(runes, i) || keepsEast(runes, i) ||
		a == '-' && (countsLetters(runes, i) || inShortToken(runes, i, longCompound)) ||
		a == ' ' && (groupsAt(runes, i) || betweenInitials(runes, i)) ||
		a == '/' && inShortToken(runes, i, longToken) || a == '–' && insideRange(runes, i) {
		return true
	}
	if hangul(b) && (a == '"' || a == '\'' || a == '%' || unicode.In(a, unicode.Pe, unicode.Pf, unicode.Sk)) {
		return true // a particle
	}
	if a == '–' && unicode.IsDigit(b) && i > 1 && unicode.IsDigit(runes[i-2]) {
		return true // a range
	}
	switch b {
	case '–', '—':
		return a < 0x2e80
	case '-', '|', '·', '•', '/':
		return a == ' ' && i+1 < len(runes) && runes[i+1] == ' '
	case '：', '；', '・': // UAX 14 keeps full stops and commas after a space, but not these
		return blank(a)
	}
	return (hangul(a) && alphanumeric(b) || alphanumeric(a) && hangul(b)) && !east(language.LookupScript(a)) &&
		!east(language.LookupScript(b))
}

// loneLetter reports whether one letter is alone between a hyphen before runes[i] and the next or the last one: the t
// of “sera-t-elle”, the e of “e-mail”.
func loneLetter(runes []rune, i int) bool {
	letter := func(i int) bool { return i >= 0 && i < len(runes) && unicode.IsLetter(runes[i]) }
	return letter(i-2) && !letter(i-3) || letter(i) && i+1 < len(runes) && runes[i+1] == '-'
}

// countsLetters reports whether the hyphen before runes[i] is between a number and letters: 3-pokojowe, 19-летний.
func countsLetters(runes []rune, i int) bool {
	if i >= len(runes) || !unicode.IsLetter(runes[i]) {
		return false
	}
	start := i - 1
	for start > 0 && unicode.IsDigit(runes[start-1]) {
		start--
	}
	return start < i-1 && (start == 0 || !unicode.IsLetter(runes[start-1]))
}

// betweenInitials reports whether the space before runes[i] is between two initials: A. S.
func betweenInitials(runes []rune, i int) bool {
	initial := func(i int) bool {
		return i >= 0 && i+1 < len(runes) && unicode.IsUpper(runes[i]) && runes[i+1] == '.' && (i == 0 || blank(runes[i-1]))
	}
	return initial(i-3) && initial(i)
}

// groupsAt reports whether the space before runes[i] is between the thousands of a number: 300 000.
func groupsAt(runes []rune, i int) bool {
	const most = 4 // runes of a group and the space after it
	end := min(len(runes), i+most)
	for end > i && !unicode.IsDigit(runes[end-1]) {
		end--
	}
	return groups(runes[max(0, i-1-most):i-1], runes[i:end])
}

// Lengths, in characters, from which a token with slashes and a compound with hyphens may be on two lines.
const (
	longToken    = 12
	longCompound = 9
)

// inShortToken reports whether runes[i] is in a token that is too short for two lines: (m/f/x), TCP/IP, week-end.
func inShortToken(runes []rune, i, long int) bool {
	start, end := i, i
	for start > 0 && i-start < long && !blank(runes[start-1]) {
		start--
	}
	for end < len(runes) && end-start < long && !blank(runes[end]) {
		end++
	}
	return end-start < long
}

// insideRange reports whether a number or a sum begins at runes[i], after a dash and another one: 80,000–120,000.
func insideRange(runes []rune, i int) bool {
	if i < 2 || blank(runes[i-2]) || !unicode.IsDigit(runes[i]) && !unicode.Is(unicode.Sc, runes[i]) {
		return false
	}
	for i -= 2; i >= 0 && !blank(runes[i]); i-- {
		if unicode.IsDigit(runes[i]) {
			return true
		}
	}
	return false
}

// partsRange reports whether a range of two numbers is parted before runes[i].
func (p *paragraph) partsRange(i int) bool { return p.runes[i-1] == '–' && insideRange(p.runes, i) }

func hangul(r rune) bool { return r >= 0x1100 && language.LookupScript(r) == language.Hangul }

// blank reports whether r is white space that hangs at the end of a line.
func blank(r rune) bool {
	return r == ' ' || r == 0x3000 || r == 0x200b || r >= 0x2000 && r <= 0x200a && r != 0x2007
}

// tokenBreak reports whether runes[i] is a good position to break an overlong token: after - _ . / and so on, or at a
// camelCase hump (fooBar: before B; HTMLParser: before P).
func tokenBreak(runes []rune, i int) bool {
	a, b := runes[i-1], runes[i]
	switch a {
	case '-', '_', '.', '/', '\\', '\u2010', '\u2013', '\u2014', ':', '@', '#', '&', '=', '?', '+', ',', ';', '|', '~':
		if unicode.IsDigit(b) && strings.ContainsRune(".,:", a) && i > 1 && unicode.IsDigit(runes[i-2]) {
			return false // inside a number: $190,000
		}
		follows := unicode.IsLetter(b) || unicode.IsDigit(b) || a == '\u2013' && unicode.Is(unicode.Sc, b)
		return follows && !(a == '-' && countsLetters(runes, i))
	}
	if unicode.IsLower(a) && unicode.IsUpper(b) {
		return true
	}
	return unicode.IsUpper(a) && unicode.IsUpper(b) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && i >= 2
}

func east(s language.Script) bool {
	return s == language.Han || s == language.Hiragana || s == language.Katakana
}
