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
	case p.insideThaiWhole(b.end), p.thaiOrdinalAt(b.next), p.thaiOrdinalAt(b.end - len([]rune(word))):
		return penaltyBound
	case p.insideThaiPlace(b):
		return penaltyCompound
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
		if penalty += penaltyStray; thaiTopics[first] {
			penalty += penaltyStrayArticle
		}
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

// thaiOrdinalMark is “-th”, before the number.
const thaiOrdinalMark = "ที่"

// thaiOrdinalAt reports whether -th and a number are at i, in digits or a word: “นาทีที่ 12”, “เพลงที่สี่”.
func (p *paragraph) thaiOrdinalAt(i int) bool {
	n := i + len([]rune(thaiOrdinalMark))
	if n >= len(p.runes) || string(p.runes[i:n]) != thaiOrdinalMark {
		return false
	}
	return thaiOrdinalNumbers[p.thaiWordFrom(n)] ||
		n+1 < len(p.runes) && p.runes[n] == ' ' && unicode.IsDigit(p.runes[n+1])
}

// thaiCounts reports whether a line that ends at b ends in a number in words whose noun follows: not in an ordinal
// number, nor in “one” after its noun, as in “คืนหนึ่ง”.
func (p *paragraph) thaiCounts(b lineBreak) bool {
	const one = "หนึ่ง"
	word := p.thaiWordBefore(b)
	if word == "" || !endsInNumber([]rune(word), thaiNumbers) {
		return false
	}
	noun, isOne := strings.CutSuffix(word, one)
	return !(isOne && noun != "" && !endsInNumber([]rune(noun), thaiNumbers)) &&
		!p.thaiOrdinalAt(max(b.end-len([]rune(word))-len([]rune(thaiOrdinalMark)), 0))
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
	left := p.flags[b.end-1]&unknownWord != 0 && !commonThai(after)
	right := p.flags[b.next]&unknownWord != 0 && !commonThai(before)
	if left && right || left && thaiLetters(after) <= short || right && thaiLetters(before) <= short {
		return true
	}
	chunk := p.thaiChunk(b.end)
	start := p.startOf(b.end)
	return len(chunk) <= longestThaiName && (titledThai(chunk) || p.unknownThai(start, start+len(chunk)) ||
		start > 0 && titledThai(p.thaiChunk(start-1)))
}

// longestThaiName is the length of the longest name or surname of a person, in runes.
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

// insideThaiPlace reports whether a break is between a word such as lake and the next space, or in the few letters
// between them: the name of a place.
func (p *paragraph) insideThaiPlace(b lineBreak) bool {
	const most = 8 // letters of a name
	end := b.next
	for end < len(p.runes) && end-b.next < 2*most && thai(p.runes[end]) {
		end++
	}
	for at := b; at.end > 0 && thai(p.runes[at.end-1]); {
		word := p.thaiWordBefore(at)
		if thaiPlaces[word] {
			return p.thaiNameIn(at.end, end, most)
		}
		at.end -= len([]rune(word))
		if at.next = at.end; b.next-at.end > 2*most {
			return false
		}
	}
	return false
}

// thaiNameIn reports whether runes[from:to] may be a name: at most so many letters, and none of the common words.
func (p *paragraph) thaiNameIn(from, to, most int) bool {
	if from >= to || to < len(p.runes) && !blank(p.runes[to]) || thaiLetters(string(p.runes[from:to])) > most {
		return false
	}
	for from < to {
		word := p.thaiWordFrom(from)
		if word == "" || commonThai(word) || thaiTopics[word] {
			return false
		}
		from += len([]rune(word))
	}
	return true
}

// betweenThaiNames reports whether the space of a break is between a person's name and surname, or between an office
// and such a name: after a name with a title, one that somebody talks to, or letters that are in no word.
func (p *paragraph) betweenThaiNames(b lineBreak) bool {
	if b.end == 0 || b.end == b.next || b.next >= len(p.runes) || !thai(p.runes[b.end-1]) || !thai(p.runes[b.next]) {
		return false
	}
	first := p.thaiChunk(b.end)
	start, end := b.end-len(first), b.next+len(p.thaiChunk(b.next))
	if office(string(first)) {
		return end+1 < len(p.runes) && p.thaiGiven(b.next, end) && p.thaiSurname(end+1)
	}
	if len(first) <= longestThaiName && titledThai(first) {
		return end-b.next <= longestThaiName
	}
	for _, w := range thaiTalks {
		if name, ok := strings.CutPrefix(string(first), w); ok {
			return p.thaiGiven(b.end-len([]rune(name)), b.end) && p.thaiSurname(b.next)
		}
	}
	if len(first) > longestThaiName || end-b.next > longestThaiName {
		return false
	}
	if p.unknownThai(start, b.end) {
		return p.unknownThai(b.next, end) || p.plainThai(b.next, end)
	}
	return p.thaiGiven(start, b.end) && p.unknownThai(b.next, end)
}

// office reports whether characters end in one of thaiAbbreviatedOffices, which a person's name follows.
func office(s string) bool {
	return slices.ContainsFunc(thaiAbbreviatedOffices, func(w string) bool { return strings.HasSuffix(s, w) })
}

// thaiGiven reports whether runes[from:to] may be a given name.
func (p *paragraph) thaiGiven(from, to int) bool {
	const most = 8 // letters
	return p.thaiNameIn(from, to, most)
}

// thaiSurname reports whether the characters from i up to the next space may be a surname.
func (p *paragraph) thaiSurname(i int) bool {
	const most = 12 // letters
	end := i + len(p.thaiChunk(i))
	return p.thaiNameIn(i, end, most) && (p.unknownThai(i, end) || p.plainThai(i, end))
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

// commonThai reports whether a Thai word is so common that it isn't taken for letters of a foreign word.
func commonThai(word string) bool {
	return thaiPrepositions[word] || thaiVerbs[word] || thaiParticles[word] || thaiFollowers[word]
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
