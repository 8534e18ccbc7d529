package apikeys_test

import (
	"hash/crc32"
	"regexp"
	"strings"
	"testing"

	"masthead/pkg/apikeys"
)

func TestNewSecret_isOfTheForm(t *testing.T) {
	form := regexp.MustCompile(`^og_live_[0-9A-Za-z]{38}$`)
	seen, letters := map[string]bool{}, map[rune]int{}
	const n = 1000
	for range n {
		secret := apikeys.NewSecret()
		if !form.MatchString(secret) || !apikeys.WellFormed(secret) || seen[secret] {
			t.Fatalf("got %q", secret)
		}
		seen[secret] = true
		for _, r := range secret[8:40] {
			letters[r]++
		}
	}
	// 516 of each are expected; a letter off by 7 standard deviations is not chance.
	for r, count := range letters {
		if count < 358 || count > 674 {
			t.Errorf("%c came %d times of %d", r, count, n*32)
		}
	}
	if len(letters) != 62 {
		t.Errorf("got %d different characters, want 62", len(letters))
	}
}

func TestChecksum_isKnown(t *testing.T) {
	// The check value of CRC-32 is cbf43926 for 123456789. Source: the catalogue of parametrised CRC algorithms.
	if got, want := apikeys.Checksum("123456789"), "3jZRME"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := apikeys.Checksum(""), "000000"; got != want {
		t.Errorf("of nothing: got %q, want %q", got, want)
	}
}

// good is a well-formed secret that nobody has.
var good = "og_live_" + strings.Repeat("A", 32) + apikeys.Checksum("og_live_"+strings.Repeat("A", 32))

func TestWellFormed_otherTextsAreRefused(t *testing.T) {
	if !apikeys.WellFormed(good) {
		t.Fatalf("%q is refused", good)
	}
	swapped := []byte(good)
	swapped[8], swapped[45] = swapped[45], swapped[8]
	for name, text := range map[string]string{
		"nothing":           "",
		"the prefix":        "og_live_",
		"cut":               good[:45],
		"too long":          good + "0",
		"another prefix":    "og_test_" + good[8:],
		"another case":      strings.ToUpper(good[:8]) + good[8:],
		"a mistyped letter": good[:20] + "B" + good[21:],
		"swapped letters":   string(swapped),
		"another checksum":  good[:45] + "!",
		"a sign": "og_live_" + strings.Repeat("-",
			32) + apikeys.Checksum("og_live_"+strings.Repeat("-", 32)),
		"a letter of 2 bytes": "og_live_" + strings.Repeat("é",
			16) + apikeys.Checksum("og_live_"+strings.Repeat("é", 16)),
		"a space before": " " + good,
		"a line after":   good + "\n",
	} {
		if apikeys.WellFormed(text) {
			t.Errorf("%s: %q is taken", name, text)
		}
	}
}

func FuzzWellFormed(f *testing.F) {
	for _, seed := range []string{good, good[:45], "og_live_", "", strings.Repeat("0", 46),
		"og_live_" + strings.Repeat("é", 19)} {
		f.Add(seed)
	}
	form := regexp.MustCompile(`^og_live_[0-9A-Za-z]{38}$`)
	f.Fuzz(func(t *testing.T, text string) {
		if !apikeys.WellFormed(text) {
			return
		}
		if !form.MatchString(text) {
			t.Fatalf("%q is taken", text)
		}
		var sum uint64
		for _, c := range text[40:] {
			sum = sum*62 + uint64(strings.IndexRune("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
				c))
		}
		if sum != uint64(crc32.ChecksumIEEE([]byte(text[:40]))) {
			t.Errorf("%q is taken with the checksum %d", text, sum)
		}
	})
}
