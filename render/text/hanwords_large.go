//go:build !smallfonts

package text

import (
	_ "embed" // the words
	"sync"
)

var (
	//go:embed words/hanwords1.bin.gz
	packedHanForms string
	//go:embed words/hanwords2.bin.gz
	packedHanWords2 string
	//go:embed words/hanwords3.bin.gz
	packedHanWords3 string
	//go:embed words/hanwords4.bin.gz
	packedHanWords4 string
)

// hanWords returns common Chinese and Japanese words of two, three or four Han characters, in simplified characters.
// With the model of phrases they show where a line shouldn't end. All numbers are big-endian, of two bytes: how many
// first characters there are; each of them, in ascending order, with the number of words up to its last; the second
// characters of all words, ascending for each first one; then the third and the fourth ones. For 1 it returns the
// characters that have a simplified form, in ascending order, and then the forms. Sources: ICU 72, cjdict.dict, all of
// which takes 2 MB, and its transliterator Hant-Hans; their license is words/ICU.LICENSE.
//
// .ci/tools/fonts/words.sh generates the files.
func hanWords(characters int) string { return openHanWords[characters-1]() }

// openHanWords unpack the words of each length when they are first looked for.
var openHanWords = [longestHanWord]func() string{
	sync.OnceValue(func() string { return unpack(packedHanForms) }),
	sync.OnceValue(func() string { return unpack(packedHanWords2) }),
	sync.OnceValue(func() string { return unpack(packedHanWords3) }),
	sync.OnceValue(func() string { return unpack(packedHanWords4) }),
}
