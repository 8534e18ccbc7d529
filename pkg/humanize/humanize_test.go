package humanize_test

import (
	"testing"

	"masthead/pkg/humanize"
)

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1 KB", 1001: "2 KB", 400_001: "401 KB", 600_000: "600 KB",
		999_001: "1000 KB", 1_000_000: "1 MB", 1_049_000: "1 MB", 1_400_000: "1.4 MB", 5_000_000: "5 MB",
		123_450_000: "123.5 MB", 1_000_000_000: "1 GB", 36_860_000_000_000: "36.9 TB", 2_000_000_000_000_000: "2 PB",
	} {
		if got := humanize.Bytes(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 pages", 1: "1 page", 2: "2 pages"} {
		if got := humanize.Count(n, "page"); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}

func TestCapital(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "A", "pro": "Pro", "The page": "The page", "2 pages": "2 pages",
		"“large” is unknown.": "“large” is unknown.", "été": "été", "\xff": "\xff",
	} {
		if got := humanize.Capital(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestLists(t *testing.T) {
	for _, c := range []struct {
		words   []string
		and, or string
	}{
		{nil, "", ""},
		{[]string{"X"}, "X", "X"},
		{[]string{"X", "Slack"}, "X and Slack", "X or Slack"},
		{[]string{"X", "Slack", "Discord"}, "X, Slack and Discord", "X, Slack or Discord"},
	} {
		if and, or := humanize.And(c.words), humanize.Or(c.words); and != c.and || or != c.or {
			t.Errorf("%q: got %q and %q, want %q and %q", c.words, and, or, c.and, c.or)
		}
	}
}
