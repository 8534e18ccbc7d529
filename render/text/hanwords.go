package text

import (
	_ "embed" // the words
	"sort"
)

// hanWords are the common words of two Han characters of Chinese and Japanese, sorted, four bytes each: two big-endian
// units of UTF-16. With them no text is parted into words; they tell where no line should end. Source: ICU 72,
// cjdict.dict, whose license is words/ICU.LICENSE. A dictionary that parts texts takes 2 MB.
//
// .ci/tools/fonts/words.sh makes the file.
//
//go:embed words/hanwords.bin
var hanWords string

// hanWord reports whether two letters are a common word of Chinese or Japanese.
func hanWord(a, b rune) bool {
	if a < 0x4e00 || a > 0x9fff || b < 0x4e00 || b > 0x9fff {
		return false
	}
	word := string([]byte{byte(a >> 8), byte(a), byte(b >> 8), byte(b)})
	n := len(hanWords) / 4
	i := sort.Search(n, func(i int) bool { return hanWords[4*i:4*i+4] >= word })
	return i < n && hanWords[4*i:4*i+4] == word
}
