package humanize_test

import (
	"testing"

	"masthead/pkg/humanize"
)

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1 KB", 1001: "2 KB", 400_001: "401 KB", 600_000: "600 KB",
		999_001: "1000 KB", 1_000_000: "1 MB", 1_049_000: "1 MB", 1_400_000: "1.4 MB", 5_000_000: "5 MB",
		123_450_000: "123.5 MB",
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
