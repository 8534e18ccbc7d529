package template

import "testing"

// TestWithoutStop_otherMarkNeedsNoDisc checks which titles end in a disc.
func TestWithoutStop_otherMarkNeedsNoDisc(t *testing.T) {
	for _, c := range []struct {
		title, want string
		stops       bool
	}{
		{"Hello", "Hello", true}, {"Hello.", "Hello", true}, {"Hello?", "Hello?", false}, {"Hello!", "Hello!", false},
		{"Hello…", "Hello…", false}, {"", "", false}, {".", ".", false}, {"終わり。", "終わり", true},
		{"ما هذا؟", "ما هذا؟", false},
	} {
		if got, stops := withoutStop(c.title); got != c.want || stops != c.stops {
			t.Errorf("withoutStop(%q) = %q, %v, want %q, %v", c.title, got, stops, c.want, c.stops)
		}
	}
}
