package text

import (
	"strings"
	"testing"
)

// Polish words are hyphenated between syllables: no sound is parted, nor the i that softens one.
func TestPolishPoints_wordsOfTitles(t *testing.T) {
	t.Parallel()
	for _, want := range []string{
		"odpo-wie-dzial-no-ści", "kon-sty-tu-cyj-no-prawne", "odszko-do-waw-czej", "prze-strzeń", "przed-się-bior-stwo",
		"bez-pie-czeń-stwa", "kre-dy-to-bior-ców", "niedź-wie-dzia", "pań-stwa", "dzie-więć-dzie-siąt", "anna",
	} {
		word := []rune(strings.ReplaceAll(want, "-", ""))
		var got strings.Builder
		last := 0
		polishPoints(word, func(i int) {
			got.WriteString(string(word[last:i]) + "-")
			last = i
		})
		if got.WriteString(string(word[last:])); got.String() != want {
			t.Errorf("%s, want %s", got.String(), want)
		}
	}
}
