package text

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// trieWords lists all that is in a trie of bytes, each as the bytes that lead to it: a plain reader of the form that
// trieState goes through by one byte. Source: ICU, bytestrie.h.
type trieWords struct {
	trie  string
	words map[string]bool
}

// number returns a value or a jump, whose one-byte form ends below two, and the place after it. Values begin at base.
func (w *trieWords) number(at, lead, base, two, three, four int) (value, after int) {
	bytes := func(first, n int) (int, int) {
		for range n {
			first, at = first<<8|int(w.trie[at]), at+1
		}
		return first, at
	}
	switch {
	case lead < two:
		return lead - base, at
	case lead < three:
		return bytes(lead-two, 1)
	case lead < four:
		return bytes(lead-three, 2)
	case lead == four:
		return bytes(0, 3)
	}
	return bytes(0, 4)
}

// node reads what follows a prefix.
func (w *trieWords) node(at int, prefix string) {
	lead := int(w.trie[at])
	at++
	switch {
	case lead < 0x10:
		if lead == 0 {
			lead, at = int(w.trie[at]), at+1
		}
		w.branch(at, lead+1, prefix)
	case lead < 0x20:
		n := lead - 0x10 + 1
		w.node(at+n, prefix+w.trie[at:at+n])
	default:
		w.words[prefix] = true
		if _, at = w.number(at, lead>>1, 0x10, 0x51, 0x6c, 0x7e); lead&1 == 0 {
			w.node(at, prefix)
		}
	}
}

// branch reads n branches.
func (w *trieWords) branch(at, n int, prefix string) {
	if n > 5 {
		jump, after := w.number(at+2, int(w.trie[at+1]), 0, 0xc0, 0xf0, 0xfe)
		w.branch(after+jump, n>>1, prefix)
		w.branch(after, n-n>>1, prefix)
		return
	}
	for ; n > 1; n-- {
		word, lead := prefix+w.trie[at:at+1], int(w.trie[at+1])
		value, after := w.number(at+2, lead>>1, 0x10, 0x51, 0x6c, 0x7e)
		if at = after; lead&1 == 1 {
			w.words[word] = true
		} else {
			w.node(after+value, word)
		}
	}
	w.node(at+1, prefix+w.trie[at:at+1])
}

// TestWordTrie_hasTheWordsOfItsFile looks up every ninth word of each dictionary, and all of them with
// MASTHEAD_TEST_FULL=1, with another one after it, and changed in a letter.
func TestWordTrie_hasTheWordsOfItsFile(t *testing.T) {
	for script, open := range wordTries {
		dictionary := open()
		all := trieWords{trie: dictionary.trie, words: map[string]bool{}}
		all.node(0, "")
		if len(all.words) < 5000 {
			t.Fatalf("%v has %d words", script, len(all.words))
		}
		letters := func(word string) (runes []rune) {
			for i := range len(word) {
				r := dictionary.first + rune(word[i])
				switch word[i] {
				case 0xff:
					r = joiner
				case 0xfe:
					r = nonJoiner
				}
				runes = append(runes, r)
			}
			return runes
		}
		random, last, step := rand.New(rand.NewPCG(1, 2)), "", 9
		if os.Getenv("MASTHEAD_TEST_FULL") == "1" {
			step = 1
		}
		for i, word := range slices.Sorted(maps.Keys(all.words)) {
			if i%step != 0 {
				continue
			}
			changed := []byte(word + last)
			changed[random.IntN(len(changed))] = word[0] + uint8(random.IntN(5))
			last = word
			for _, s := range []string{word + last, string(changed)} {
				var want []int
				for n := 1; n <= len(s); n++ {
					if all.words[s[:n]] {
						want = append(want, n)
					}
				}
				if got := dictionary.prefixes(letters(s), nil); !slices.Equal(got, want) {
					t.Fatalf("%v: %q begins with words of %v letters, want %v", script, string(letters(s)), got, want)
				}
			}
		}
	}
}
