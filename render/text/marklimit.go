package text

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// firstCombiningMark is the first combining mark of Unicode.
const firstCombiningMark = 0x0300

// The combining-mark limit: how many marks a letter may have. Vietnamese, Greek and the phonetic alphabet need two
// above and one below a letter; Hebrew with vowels and accents has four in total, Arabic a doubling, a vowel and one
// more. More marks come from texts that try to leave their box ("zalgo"). It limits what is drawn; cleantext limits,
// less strictly, what is stored.
const (
	maxMarksAbove     = 2
	maxMarksBelow     = 1
	maxMarksAlphabet  = 3  // above, below and at the sides, in Arabic and in alphabets with capitals
	maxMarksOther     = 4  // the same in all other scripts, whose marks often don't stack
	maxMarksUnordered = 12 // of combining class 0, in any script
)

// alphabets are the scripts of maxMarksAlphabet.
var alphabets = []*unicode.RangeTable{
	unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Armenian, unicode.Common,
}

// markCount counts the marks on a letter, including those it was composed with.
type markCount struct {
	base                         rune
	above, below, all, unordered int  // all are those with a combining class other than 0
	baseCounted                  bool // the marks that base was composed with
}

// allows reports whether one more mark may be drawn, and counts it.
func (m *markCount) allows(r rune) bool {
	if !m.baseCounted {
		m.baseCounted = true
		for i, part := range norm.NFD.String(string(m.base)) {
			if i > 0 {
				m.count(part)
			}
		}
	}
	m.count(r)
	limit := maxMarksOther
	if unicode.In(m.base, alphabets...) {
		limit = maxMarksAlphabet
	}
	return m.above <= maxMarksAbove && m.below <= maxMarksBelow && m.all <= limit && m.unordered <= maxMarksUnordered
}

// count adds a mark by its combining class. Source: UAX 44, table 15.
func (m *markCount) count(r rune) {
	switch class := norm.NFC.PropertiesString(string(r)).CCC(); class {
	case 0: // Indic vowel signs and other parts of a syllable, or an enclosing mark
		m.unordered++
	case 230, 232, 228, 234:
		m.above++
		m.all++
	case 220, 222, 218, 233, 240, 202:
		m.below++
		m.all++
	default:
		m.all++
	}
}
