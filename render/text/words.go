package text

import (
	_ "embed" // the dictionaries
	"encoding/binary"
	"sync"

	"github.com/go-text/typesetting/language"
)

// The words of the scripts without spaces, in ICU's format: a trie of bytes, each a letter's distance from the first of
// its script. They are unpacked when a text of the script is first laid out, and used in place. Source: ICU 72,
// brkitr/*dict.dict, whose license is words/ICU.LICENSE; the format is that of ICU's DictionaryData and BytesTrie.
//
// .ci/tools/fonts/words.sh generates the files.
var (
	//go:embed words/thaidict.dict.gz
	thaiWords string
	//go:embed words/laodict.dict.gz
	laoWords string
	//go:embed words/khmerdict.dict.gz
	khmerWords string
	//go:embed words/burmesedict.dict.gz
	burmeseWords string
)

// wordTrie is a dictionary of words.
type wordTrie struct {
	trie  string
	first rune // the letter that is byte 0
}

// wordTries are the dictionaries by script.
var wordTries = map[language.Script]func() wordTrie{
	language.Thai: openWordTrie(thaiWords), language.Lao: openWordTrie(laoWords),
	language.Khmer: openWordTrie(khmerWords), language.Myanmar: openWordTrie(burmeseWords),
}

// openWordTrie returns a function that unpacks a dictionary once.
func openWordTrie(packed string) func() wordTrie {
	return sync.OnceValue(func() wordTrie { return newWordTrie(unpack(packed)) })
}

// newWordTrie reads the header of a dictionary. It panics on another format: that is a broken build.
func newWordTrie(data string) wordTrie {
	header := []byte(data[:4+8*4+256])
	body := int(binary.LittleEndian.Uint16(header))
	index := func(i int) int { return int(binary.LittleEndian.Uint32(header[body+4*i:])) }
	const (
		trieAt, trieType, transform = 0, 4, 5
		typeMask, offsetType        = 7, 0x1000000
		offsetMask                  = 0x1fffff
	)
	if index(trieType)&typeMask != 0 || index(transform)&^offsetMask != offsetType {
		panic("text: a dictionary of words has another form")
	}
	return wordTrie{trie: data[body+index(trieAt):], first: rune(index(transform) & offsetMask)}
}

// letter returns the byte of a rune; ok is false if it isn't part of any word.
func (w wordTrie) letter(r rune) (b byte, ok bool) {
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

// prefixes appends the lengths of the words that runes begin with to dst, in ascending order.
func (w wordTrie) prefixes(runes []rune, dst []int) []int {
	state := trieState{trie: w.trie, rest: -1}
	for i, r := range runes {
		b, ok := w.letter(r)
		if !ok {
			break
		}
		word, on := state.next(b)
		if word {
			dst = append(dst, i+1)
		}
		if !on {
			break
		}
	}
	return dst
}

// trieState is a position in a BytesTrie.
type trieState struct {
	trie string
	at   int
	rest int // bytes of a linear node left to match, minus one; -1 outside of such a node
}

// Lead bytes of nodes, of values and of jumps. Source: ICU, bytestrie.h.
const (
	linearLead = 0x10
	valueLead  = 0x20
	finalValue = 1

	oneByteValue, twoByteValue, threeByteValue, fourByteValue = 0x10, 0x51, 0x6c, 0x7e

	twoByteDelta, threeByteDelta, fourByteDelta = 0xc0, 0xf0, 0xfe

	maxLinearBranch = 5
)

// next advances by a byte. word means that a word ends with it, on that the trie continues.
func (s *trieState) next(b byte) (word, on bool) {
	if s.rest >= 0 {
		return s.match(b, s.rest)
	}
	for {
		node := int(s.take())
		switch {
		case node < linearLead:
			return s.branch(node, b)
		case node < valueLead:
			return s.match(b, node-linearLead)
		case node&finalValue != 0:
			return false, false
		}
		s.skipValue(node)
	}
}

// take returns the next byte of the trie.
func (s *trieState) take() byte {
	s.at++
	return s.trie[s.at-1]
}

// match compares a byte with the next one of a linear node; left is the number of bytes after it.
func (s *trieState) match(b byte, left int) (word, on bool) {
	if s.take() != b {
		return false, false
	}
	s.rest = left - 1
	if s.rest >= 0 {
		return false, true
	}
	return s.arrived()
}

// arrived returns the properties of the node that a byte has led to.
func (s *trieState) arrived() (word, on bool) {
	node := s.trie[s.at]
	return node >= valueLead, node < valueLead || node&finalValue == 0
}

// branch follows the byte of a branch node.
func (s *trieState) branch(length int, b byte) (word, on bool) {
	if length == 0 {
		length = int(s.take())
	}
	length++
	for length > maxLinearBranch {
		if b < s.take() {
			length >>= 1
			jump := s.delta()
			s.at += jump
		} else {
			length -= length >> 1
			s.delta()
		}
	}
	for ; length > 1; length-- {
		if s.take() != b {
			s.skipValue(int(s.take()))
			continue
		}
		node := int(s.trie[s.at])
		if node&finalValue != 0 {
			return true, false
		}
		s.at++
		jump := s.value(node >> 1)
		s.at += jump
		return s.arrived()
	}
	if s.take() != b {
		return false, false
	}
	return s.arrived()
}

// delta reads a jump.
func (s *trieState) delta() int {
	switch lead := int(s.take()); {
	case lead < twoByteDelta:
		return lead
	case lead < threeByteDelta:
		return (lead-twoByteDelta)<<8 | s.number(1)
	case lead < fourByteDelta:
		return (lead-threeByteDelta)<<16 | s.number(2)
	case lead == fourByteDelta:
		return s.number(3)
	}
	return s.number(4)
}

// value reads the rest of a value whose lead is known.
func (s *trieState) value(lead int) int {
	switch {
	case lead < twoByteValue:
		return lead - oneByteValue
	case lead < threeByteValue:
		return (lead-twoByteValue)<<8 | s.number(1)
	case lead < fourByteValue:
		return (lead-threeByteValue)<<16 | s.number(2)
	case lead == fourByteValue:
		return s.number(3)
	}
	return s.number(4)
}

// skipValue skips the rest of a value whose lead byte was read.
func (s *trieState) skipValue(node int) { s.value(node >> 1) }

// number reads n bytes as a number.
func (s *trieState) number(n int) int {
	v := 0
	for range n {
		v = v<<8 | int(s.take())
	}
	return v
}

// Costs of segmenting a text into words: few words are better than many, and a letter outside of words is worse than
// any word.
const (
	wordCost    = 1
	unknownCost = 3 // of a cluster that doesn't begin a word
)

// maxWordRun is the maximum number of runes to segment; longer text isn't a title.
const maxWordRun = 512

// wordParts finds the words of runes, all in one script, and calls part with the start of each but the first. starts
// reports grapheme starts: words begin only there. It chooses the fewest and longest words that cover the most.
func (w wordTrie) wordParts(runes []rune, starts func(i int) bool, part func(i int)) {
	n := min(len(runes), maxWordRun)
	cost := make([]int32, n+1)
	long := make([]int16, n+1) // of the word or cluster at i; negative: not a word
	var lengths []int
	for i := n - 1; i >= 0; i-- {
		end := i + 1
		for end < n && !starts(end) {
			end++
		}
		cost[i], long[i] = unknownCost+cost[end], int16(i-end)
		if !starts(i) {
			continue
		}
		lengths = w.prefixes(runes[i:n], lengths[:0])
		for _, l := range lengths {
			if end := i + l; (end == n || starts(end)) && wordCost+cost[end] <= cost[i] {
				cost[i], long[i] = wordCost+cost[end], int16(l)
			}
		}
	}
	for i := 0; i < n; {
		known := long[i] > 0
		next := i + int(max(long[i], -long[i]))
		if next < n && (known || long[next] > 0) && !dependent(runes[next]) {
			part(next)
		}
		i = next
	}
}

// dependent reports whether r belongs to the preceding word: signs of repetition and abbreviation, closing marks.
func dependent(r rune) bool {
	switch r {
	case 'ๆ', 'ฯ', 'ໆ', 'ຯ', 'ៗ', '។', '៕', '၊', '။':
		return true
	}
	return false
}

// leadsOn reports whether the letter after r belongs to it: r is a Thai or Lao vowel written before its consonant, or a
// sign that puts the next consonant below.
func leadsOn(r rune) bool {
	return r >= 0x0e40 && r <= 0x0e44 || r >= 0x0ec0 && r <= 0x0ec4 || r == 0x17d2 || r == 0x1039
}
