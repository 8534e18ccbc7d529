package text

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/language"
)

// thaiPenalty returns the penalty of a line that ends between two Thai words: high if its last word is the first part
// of one, if they are probably parts of a name, or are all that is between two spaces.
func (p *paragraph) thaiPenalty(b lineBreak) float64 {
	word := p.thaiWordBefore(b)
	switch {
	case word == "":
		return 0
	case p.shortThai(b.end), p.insideThaiName(b):
		return penaltyBetween
	case p.insideThaiWhole(b.end), p.thaiOrdinalAt(b.next):
		return penaltyBound
	case thaiRoyal[word]:
		return penaltyBetween
	case thaiPrefixes[word]:
		return penaltyPrefix
	case thaiFollowers[p.thaiWordAfter(b)]:
		return penaltyFollower
	case thaiPrepositions[word]:
		return penaltyThaiLead
	}
	return p.strayThai(b)
}

// strayThai returns the penalty of a line that ends with the first word after a space, or of one that begins with the
// last word before a space: spaces are between phrases.
func (p *paragraph) strayThai(b lineBreak) (penalty float64) {
	first, last := p.thaiWordBefore(b), p.thaiWordAfter(b)
	if start := b.end - len([]rune(first)); start > 0 && blank(p.runes[start-1]) {
		penalty += penaltyStray
	}
	if end := b.next + len([]rune(last)); last != "" && end < len(p.runes) && blank(p.runes[end]) {
		penalty += penaltyStray
	}
	return penalty
}

// thaiSpacePenalty is thaiPenalty for a line that ends at a space, as Thai has between phrases.
func (p *paragraph) thaiSpacePenalty(b lineBreak) float64 {
	if thaiPrepositions[p.thaiWordBefore(b)] {
		return penaltyThaiLead
	}
	return penaltySentence
}

// thaiOrdinalAt reports whether -th and a number are at i: “นาทีที่ 12”.
func (p *paragraph) thaiOrdinalAt(i int) bool {
	const mark = "ที่ "
	n := len([]rune(mark))
	return i+n < len(p.runes) && unicode.IsDigit(p.runes[i+n]) && string(p.runes[i:i+n]) == mark
}

// insideThaiName reports whether a break is inside a name that the dictionary lacks: between letters that are in no
// word and a short word, which is one only by chance, or between a title and the next space.
func (p *paragraph) insideThaiName(b lineBreak) bool {
	const short = 3 // letters of a word that part of a name may happen to be
	before, after := p.thaiWordBefore(b), p.thaiWordAfter(b)
	if before == "" || after == "" || thaiParticles[before] || thaiParticles[after] ||
		thaiPrepositions[before] || thaiPrepositions[after] {
		return false
	}
	left := p.flags[b.end-1]&unknownWord != 0
	right := p.flags[b.next]&unknownWord != 0
	if left && right || left && thaiLetters(after) <= short || right && thaiLetters(before) <= short {
		return true
	}
	chunk := p.thaiChunk(b.end)
	start := p.startOf(b.end)
	return len(chunk) <= longestThaiName && (titledThai(chunk) || p.unknownThai(start, start+len(chunk)) ||
		start > 0 && titledThai(p.thaiChunk(start-1)))
}

// longestThaiName is the length of the longest name of a person without a surname, in runes.
const longestThaiName = 20

// titledThai reports whether characters without a space are a name with one of thaiTitles.
func titledThai(chunk []rune) bool {
	s := string(chunk)
	for _, office := range thaiOffices {
		if strings.HasPrefix(s, office) {
			return false
		}
	}
	for _, title := range thaiTitles {
		if strings.HasPrefix(s, title) && len(s) > len(title) {
			return true
		}
	}
	return false
}

// thaiChunk returns the characters around i up to the next spaces.
func (p *paragraph) thaiChunk(i int) []rune {
	end := i
	for end < len(p.runes) && !blank(p.runes[end]) {
		end++
	}
	return p.runes[p.startOf(i):end]
}

// betweenThaiNames reports whether the space of a break is between a person's name and surname: after a name with a
// title, or between letters that are in no word.
func (p *paragraph) betweenThaiNames(b lineBreak) bool {
	const surname = 20 // runes
	if b.end == 0 || b.end == b.next || b.next >= len(p.runes) || !thai(p.runes[b.end-1]) || !thai(p.runes[b.next]) {
		return false
	}
	first, second := p.thaiChunk(b.end), p.thaiChunk(b.next)
	if len(first) > longestThaiName || len(second) > surname {
		return false
	}
	if titledThai(first) {
		return true
	}
	return p.unknownThai(b.end-len(first), b.end) &&
		(p.unknownThai(b.next, b.next+len(second)) || p.plainThai(b.next, b.next+len(second)))
}

// unknownThai reports whether some of runes[from:to] are in no word of the dictionary.
func (p *paragraph) unknownThai(from, to int) bool {
	return slices.ContainsFunc(p.flags[from:to], func(f breakFlag) bool { return f&unknownWord != 0 })
}

// plainThai reports whether runes[from:to] are few letters in several words, none of which is a particle: a surname,
// rather than what somebody does.
func (p *paragraph) plainThai(from, to int) bool {
	const most = 10
	if thaiLetters(string(p.runes[from:to])) > most {
		return false
	}
	words := 0
	for _, b := range p.breaks {
		if b.end > from && b.end <= to {
			word := p.thaiWordBefore(b)
			if thaiParticles[word] || thaiPrepositions[word] || thaiFollowers[word] {
				return false
			}
			words++
		}
	}
	return words > 1
}

// thaiOrdinal reports whether the number that ends at end follows one of thaiOrdinals: no noun follows it.
func (p *paragraph) thaiOrdinal(end int) bool {
	start := p.startOf(end)
	return start > 1 && thai(p.runes[start-2]) && endsInNumber(p.runes[:start-1], thaiOrdinals)
}

// thaiAbbreviation reports whether one to three Thai letters with a full stop are at i: a month, a unit.
func (p *paragraph) thaiAbbreviation(i int) bool {
	const most = 3
	for n := 0; i+n < len(p.runes) && n <= most; n++ {
		if p.runes[i+n] == '.' {
			return n > 0
		}
		if !thai(p.runes[i+n]) {
			return false
		}
	}
	return false
}

func thai(r rune) bool { return r >= firstWordScript && scriptOf(r) == language.Thai }

// insideThaiWhole reports whether a break before runes[i] is inside one of thaiWholes, or before the Great, which ends
// a name.
func (p *paragraph) insideThaiWhole(i int) bool {
	const longest = 14
	around := string(p.runes[max(i-longest, 0):min(i+longest, len(p.runes))])
	at := len(string(p.runes[max(i-longest, 0):i]))
	for _, w := range thaiWholes {
		for from := 0; ; {
			k := strings.Index(around[from:], w)
			if k < 0 {
				break
			}
			if k += from; k < at && k+len(w) > at || k == at && w == thaiWholes[0] {
				return true
			}
			from = k + len(w)
		}
	}
	return false
}

// thaiWordBefore returns the last word of a line that ends at b, if that is Thai.
func (p *paragraph) thaiWordBefore(b lineBreak) string {
	if b.end == 0 || !thai(p.runes[b.end-1]) {
		return ""
	}
	for i := len(p.breaks) - 1; i >= 0; i-- {
		if start := p.breaks[i].next; start < b.end {
			return string(p.runes[start:b.end])
		}
	}
	return string(p.runes[:b.end])
}

// thaiWordAfter returns the first word of the line after b, if that is Thai.
func (p *paragraph) thaiWordAfter(b lineBreak) string {
	if b.next >= len(p.runes) || !thai(p.runes[b.next]) {
		return ""
	}
	for _, other := range p.breaks {
		if other.end > b.next {
			return string(p.runes[b.next:other.end])
		}
	}
	return string(p.runes[b.next:])
}

// thaiLetters counts the letters of a word, without marks above and below.
func thaiLetters(word string) (n int) {
	for _, r := range word {
		if !unicode.Is(unicode.Mn, r) {
			n++
		}
	}
	return n
}

// shortThai reports whether runes[i] is inside a few Thai letters between two spaces. Names are written so, and their
// parts aren't in the dictionary.
func (p *paragraph) shortThai(i int) bool {
	const most = 8 // letters, without marks above and below
	start, end := i, i
	for start > 0 && i-start <= 2*most && !blank(p.runes[start-1]) {
		start--
	}
	for end < len(p.runes) && end-i <= 2*most && !blank(p.runes[end]) {
		end++
	}
	return thaiLetters(string(p.runes[start:end])) <= most
}
