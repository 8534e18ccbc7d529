package base62_test

import (
	"strings"
	"testing"

	"masthead/pkg/base62"
)

func TestRandom_usesEveryDigitAlike(t *testing.T) {
	const n = 62_000
	text := base62.Random(n)
	if len(text) != n {
		t.Fatalf("got %d digits, want %d", len(text), n)
	}
	for _, digit := range base62.Alphabet {
		// 1000 are expected, with a standard deviation of 31: eight of them are never met by chance.
		if got := strings.Count(text, string(digit)); got < 750 || got > 1250 {
			t.Errorf("%c: got %d, want about 1000", digit, got)
		}
	}
	if first, second := base62.Random(22), base62.Random(22); first == second {
		t.Error("two ids are the same")
	}
}
