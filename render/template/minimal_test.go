package template

import (
	"testing"

	"masthead/render/template/kit"
)

// TestWithoutStop_otherMarkNeedsNoDisc checks which titles end in a disc.
func TestWithoutStop_otherMarkNeedsNoDisc(t *testing.T) {
	for _, c := range []struct {
		title, want string
		stops       bool
	}{
		{"Hello", "Hello", true}, {"Hello.", "Hello", true}, {"Hello?", "Hello?", false}, {"Hello!", "Hello!", false},
		{"Hello…", "Hello…", false}, {"", "", false}, {".", ".", false}, {"終わり。", "終わり", true},
		{"ما هذا؟", "ما هذا؟", false},
		{"“Ready?”", "“Ready?”", false}, {"(At last!)", "(At last!)", false}, {"“Ready”", "“Ready”", true},
	} {
		if got, stops := kit.WithoutStop(c.title); got != c.want || stops != c.stops {
			t.Errorf("WithoutStop(%q) = %q, %v, want %q, %v", c.title, got, stops, c.want, c.stops)
		}
	}
}
