//go:build !smallfonts

package text

import (
	_ "embed" // the words
	"sync"
)

//go:embed words/hanwords.bin.gz
var packedHanWords string

// hanWords returns common Chinese and Japanese words of two Han characters. With the model of phrases they show where a
// line shouldn't end. All numbers are big-endian, of two bytes: how many first characters there are; each of them, in
// ascending order, with the number of words up to its last; the second characters of all words, ascending for each
// first one. Source: ICU 72, cjdict.dict, whose license is words/ICU.LICENSE; all of it takes 2 MB.
//
// .ci/tools/fonts/words.sh generates the file.
var hanWords = sync.OnceValue(func() string { return unpack(packedHanWords) })
