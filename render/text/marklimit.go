package text

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// firstMark is the first combining mark of Unicode.
const firstMark = 0x0300

// Bounds of a pile of marks. Vietnamese, Greek and the phonetic alphabet need two above and one below a letter; Hebrew with vowels and
// accents has four in all, Arabic a doubling, a vowel and one more. What is beyond comes from texts that want to leave their box.
const (
	maxAbove  = 2
	maxBelow  = 1
	maxFew    = 3 // in Arabic and in alphabets with capitals
	maxOthers = 4 // in all other scripts, whose marks often do not pile up
	maxJoined = 12
)

// pile counts the marks on a letter, those that it was composed with included.
type pile struct {
	base                      rune
	above, below, all, joined int
	opened                    bool // the marks of base are counted
}

// takes reports whether a mark may still be drawn, and counts it.
func (p *pile) takes(r rune) bool {
	if !p.opened {
		p.opened = true
		for i, part := range norm.NFD.String(string(p.base)) {
			if i > 0 {
				p.count(part)
			}
		}
	}
	p.count(r)
	limit := maxOthers
	if unicode.In(p.base, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Armenian, unicode.Common) {
		limit = maxFew
	}
	return p.above <= maxAbove && p.below <= maxBelow && p.all <= limit && p.joined <= maxJoined
}

// count adds a mark by its class of combining. Source: UAX 44, table 15.
func (p *pile) count(r rune) {
	switch class := norm.NFC.PropertiesString(string(r)).CCC(); class {
	case 0: // vowel signs of India and other parts of a syllable, or an enclosing mark
		p.joined++
	case 230, 232, 228, 234:
		p.above++
		p.all++
	case 220, 222, 218, 233, 240, 202:
		p.below++
		p.all++
	default:
		p.all++
	}
}
