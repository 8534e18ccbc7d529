//go:build !smallfonts

package text

import _ "embed" // the words

// hanWords are common Chinese and Japanese words of two Han characters, sorted, four bytes each: two big-endian UTF-16
// units. With the model of phrases they show where a line shouldn't end. Source: ICU 72, cjdict.dict, whose license is
// words/ICU.LICENSE; all of it takes 2 MB.
//
// .ci/tools/fonts/words.sh generates the file.
//
//go:embed words/hanwords.bin
var hanWords string
