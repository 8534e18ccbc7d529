package text

import (
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/go-text/typesetting/language"
)

// wordsOf lists the words of a file in the plainest way.
func wordsOf(data string) map[string]bool {
	words, last := map[string]bool{}, ""
	n := int(data[0])<<24 | int(data[1])<<16 | int(data[2])<<8 | int(data[3])
	data = data[4:]
	rest := data[2*n:]
	for i := range n {
		last = last[:data[i]] + rest[:data[n+i]]
		rest = rest[data[n+i]:]
		words[last] = true
	}
	return words
}

// TestWordList_hasTheWordsOfItsFile looks up every ninth word of each dictionary, and all of them with
// MASTHEAD_TEST_FULL=1, with another one after it, and changed in a letter.
func TestWordList_hasTheWordsOfItsFile(t *testing.T) {
	for script, of := range map[language.Script]struct {
		packed string
		words  int
	}{
		language.Thai: {thaiWords, 26383}, language.Lao: {laoWords, 30550}, language.Khmer: {khmerWords, 81028},
		language.Myanmar: {burmeseWords, 41120},
	} {
		dictionary, all := wordLists[script](), wordsOf(unpack(of.packed))
		if len(all) != of.words {
			t.Fatalf("%v has %d words, want ICU's %d", script, len(all), of.words)
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
		for i, word := range slices.Sorted(maps.Keys(all)) {
			if i%step != 0 {
				continue
			}
			changed := []byte(word + last)
			changed[random.IntN(len(changed))] = word[0] + uint8(random.IntN(5))
			last = word
			for _, s := range []string{word + last, string(changed)} {
				var want []int
				for n := 1; n <= len(s); n++ {
					if all[s[:n]] {
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
