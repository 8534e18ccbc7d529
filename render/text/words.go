package text

import (
	_ "embed" // the dictionaries
	"encoding/binary"
	"slices"
	"sync"

	"github.com/go-text/typesetting/language"
)

// The words of the scripts without spaces, those of ICU 72 (brkitr/*dict.dict), whose license is words/ICU.LICENSE. A
// file has the number of words in four bytes, the most significant one first. For each word, in ascending order,
// follows how many letters it shares with the one before; then for each how many others it has; then those. A letter is
// a byte: its distance from the first one of its script. They are unpacked when a text of the script is first laid out.
//
// .ci/tools/fonts/words.sh generates the files.
var (
	//go:embed words/thai.bin.gz
	thaiWords string
	//go:embed words/lao.bin.gz
	laoWords string
	//go:embed words/khmer.bin.gz
	khmerWords string
	//go:embed words/burmese.bin.gz
	burmeseWords string
	// thaiCompoundWords are 16,000 of PyThaiNLP's words (CC0 1.0), which ICU only has the parts of.
	// .ci/tools/fonts/thaiwords.mjs generates the file.
	//go:embed words/thaicompounds.bin.gz
	thaiCompoundWords string
)

// wordList is a dictionary of words.
type wordList struct {
	letters string   // of all words, in ascending order
	ends    []uint32 // of each word in letters
	firsts  [257]int // the words that begin with a byte: from the number at its index up to the next one
	first   rune     // the letter that is byte 0
}

// wordLists are the dictionaries by script.
var wordLists = map[language.Script]func() *wordList{
	language.Thai: openWordList(thaiWords, 0x0e00), language.Lao: openWordList(laoWords, 0x0e80),
	language.Khmer: openWordList(khmerWords, 0x1780), language.Myanmar: openWordList(burmeseWords, 0x1000),
}

// openThaiCompounds unpacks thaiCompoundWords.
var openThaiCompounds = openWordList(thaiCompoundWords, firstWordScript)

// openWordList returns a function that unpacks a dictionary once.
func openWordList(packed string, first rune) func() *wordList {
	return sync.OnceValue(func() *wordList { return newWordList(unpack(packed), first) })
}

// newWordList reads a dictionary. It panics if it ends early: that is a broken build.
func newWordList(data string, first rune) *wordList {
	const head = 4
	n := int(binary.BigEndian.Uint32([]byte(data[:head])))
	shared, added, rest := data[head:head+n], data[head+n:head+2*n], data[head+2*n:]
	size := 0
	for i := range n {
		size += int(shared[i]) + int(added[i])
	}
	w, letters, last := &wordList{first: first, ends: make([]uint32, n)}, make([]byte, 0, size), 0
	for i := range n {
		start := len(letters)
		letters = append(letters, letters[last:last+int(shared[i])]...)
		letters = append(letters, rest[:added[i]]...)
		rest, last, w.ends[i] = rest[added[i]:], start, uint32(len(letters))
		w.firsts[int(letters[start])+1] = i + 1
	}
	for b := 1; b < len(w.firsts); b++ {
		w.firsts[b] = max(w.firsts[b], w.firsts[b-1])
	}
	w.letters = string(letters)
	return w
}

// letter returns the byte of a rune; ok is false if it isn't part of any word.
func (w *wordList) letter(r rune) (b byte, ok bool) {
	const joinerByte, nonJoinerByte, last = 0xff, 0xfe, 0xfd
	switch d := r - w.first; {
	case r == joiner:
		return joinerByte, true
	case r == nonJoiner:
		return nonJoinerByte, true
	case d >= 0 && d <= last:
		return byte(d), true
	}
	return 0, false
}

const nonJoiner = 0x200c

// start returns where a word begins in letters.
func (w *wordList) start(i int) uint32 {
	if i == 0 {
		return 0
	}
	return w.ends[i-1]
}

// prefixes appends the lengths of the words that runes begin with to dst, in ascending order.
func (w *wordList) prefixes(runes []rune, dst []int) []int {
	from, to := 0, len(w.ends) // the words that begin with the letters so far
	for i, r := range runes {
		b, ok := w.letter(r)
		switch {
		case !ok:
			return dst
		case i == 0:
			from, to = w.firsts[b], w.firsts[int(b)+1]
		default:
			from = w.search(from, to, i, int(b))
			to = w.search(from, to, i, int(b)+1)
		}
		if from == to {
			return dst
		}
		if w.start(from)+uint32(i)+1 == w.ends[from] {
			dst = append(dst, i+1)
			if from++; from == to {
				return dst
			}
		}
	}
	return dst
}

// search returns the first word between two, all longer than i and alike up to there, whose letter i is not below b.
func (w *wordList) search(from, to, i, b int) int {
	for from < to {
		middle := int(uint(from+to) >> 1)
		if int(w.letters[int(w.start(middle))+i]) < b {
			from = middle + 1
		} else {
			to = middle
		}
	}
	return from
}

// wordCosts are those of segmenting a text into words: few words are better than many, and a letter outside of words is
// worse than any word.
type wordCosts struct {
	word, function, fragment int32 // of a word, of a common short one, of another of at most two letters
	run, cluster             int32 // of letters outside of words, and of each cluster of them
}

// Costs of words as browsers find them, and of those of Thai titles. There, letters outside of words are mostly of one
// foreign word or a name, and so are short words between them.
var (
	plainCosts = wordCosts{word: wordCost, function: wordCost, fragment: wordCost, cluster: unknownCost}
	thaiCosts  = wordCosts{word: 4, function: 3, fragment: 5, run: 7, cluster: 4}
)

const (
	wordCost    = 1
	unknownCost = 3 // of a cluster that doesn't begin a word
)

// of returns the cost of a word.
func (c *wordCosts) of(word []rune) int32 {
	const longest = 5 // runes of a common short word, or of two letters with their marks
	switch {
	case c.function == c.word || len(word) > longest:
		return c.word
	case commonThai(string(word)):
		return c.function
	case thaiLetters(string(word)) <= 2:
		return c.fragment
	}
	return c.word
}

// maxWordRun is the maximum number of runes to segment; longer text isn't a title.
const maxWordRun = 512

// wordParts finds the words of runes, all in one script, and calls part with the start of each but the first, and
// unknown, unless it is nil, with the start and end of what is outside of words. starts reports grapheme starts: words
// begin only there. It chooses the fewest and longest words that cover the most; compounds are words if they are set.
func (w *wordList) wordParts(
	runes []rune, compounds bool, starts func(i int) bool, part func(i int), unknown func(from, to int),
) {
	long := w.chooseWords(runes[:min(len(runes), maxWordRun)], compounds, starts)
	n := len(long)
	for i := 0; i < n; {
		known := long[i] > 0
		next := i + int(max(long[i], -long[i]))
		if !known && unknown != nil {
			unknown(i, next)
		}
		if next < n && (known || long[next] > 0) && !dependent(runes[next]) &&
			!(compounds && endsCompound(runes[next:], int(long[next]))) {
			part(next)
		}
		i = next
	}
}

// wordStep is what begins at a rune: the best word, or cluster of letters outside of words.
type wordStep struct {
	cost, inside int32 // of all from here on, and if letters outside of words go on
	long         int16 // of the word; not positive: there is none
	cluster      int16
}

// chooseWords returns the length of the word that begins at each rune; a negative one is of a cluster that is in none.
func (w *wordList) chooseWords(runes []rune, compounds bool, starts func(i int) bool) []int16 {
	n, costs := len(runes), &plainCosts
	if compounds && w.first == firstWordScript {
		costs = &thaiCosts
	}
	begins := func(i int) bool { return i == n || starts(i) && !silent(runes[i:]) }
	steps := make([]wordStep, n+1)
	var lengths []int
	for i := n - 1; i >= 0; i-- {
		end := i + 1
		for !begins(end) {
			end++
		}
		s := &steps[i]
		s.inside = costs.cluster + min(steps[end].inside, steps[end].cost)
		s.cost, s.cluster = costs.run+s.inside, int16(end-i)
		if !begins(i) {
			continue
		}
		lengths = w.prefixes(runes[i:], lengths[:0])
		if compounds {
			lengths = w.compounds(runes[i:], lengths)
		}
		for _, l := range lengths {
			if cost := costs.of(runes[i:i+l]) + steps[i+l].cost; begins(i+l) && cost <= s.cost {
				s.cost, s.long = cost, int16(l)
			}
		}
	}
	long := make([]int16, n)
	for i, inside := 0, false; i < n; {
		s := steps[i]
		if long[i] = s.long; inside || s.long == 0 {
			long[i] = -s.cluster
			end := steps[i+int(s.cluster)]
			inside = end.inside < end.cost
		}
		i += int(max(long[i], -long[i]))
	}
	return long
}

// dependent reports whether r belongs to the preceding word: signs of repetition and abbreviation, closing marks.
func dependent(r rune) bool {
	switch r {
	case 'ๆ', 'ฯ', 'ໆ', 'ຯ', 'ៗ', '។', '៕', '၊', '။':
		return true
	}
	return false
}

// compounds appends the lengths of the compounds that runes begin with to dst.
func (w *wordList) compounds(runes []rune, dst []int) []int {
	if w.first != firstWordScript {
		return dst
	}
	dst = openThaiCompounds().prefixes(runes, dst)
	for _, c := range thaiCompounds()[runes[0]] {
		if len(runes) >= len(c) && slices.Equal(runes[:len(c)], c) {
			dst = append(dst, len(c))
		}
	}
	slices.Sort(dst) // of equally good words, the longest
	return dst
}

// silent reports whether runes begin with a Thai letter that isn't spoken, as its mark says: no word begins with it.
func silent(runes []rune) bool {
	const karan = '\u0e4c'
	return len(runes) > 1 && (runes[1] == karan || len(runes) > 2 && runes[2] == karan &&
		(runes[1] == '\u0e34' || runes[1] == '\u0e38')) // สิทธิ์, พันธุ์
}

// endsCompound reports whether runes begin with one of thaiEndings, or the first word of them, which has this length,
// is one of thaiTails.
func endsCompound(runes []rune, length int) bool {
	if length > 0 && thaiTails[string(runes[:length])] {
		return true
	}
	for _, w := range thaiEndings {
		if len(runes) >= len(w) && slices.Equal(runes[:len(w)], w) {
			return true
		}
	}
	return false
}

// leadsOn reports whether the letter after r belongs to it: r is a Thai or Lao vowel written before its consonant, or a
// sign that puts the next consonant below.
func leadsOn(r rune) bool {
	return r >= 0x0e40 && r <= 0x0e44 || r >= 0x0ec0 && r <= 0x0ec4 || r == 0x17d2 || r == 0x1039
}
