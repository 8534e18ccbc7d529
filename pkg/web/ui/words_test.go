package ui_test

import (
	"testing"

	"masthead/pkg/web/ui"
	"masthead/render"
)

func TestNumber_groupsThousands(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 12345: "12,345", 1234567: "1,234,567"} {
		if got := ui.Number(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

// TestNeeds_namesAll finds a fact that a design needs and that has no words.
func TestNeeds_namesAll(t *testing.T) {
	t.Parallel()
	for _, design := range render.Templates() {
		for _, need := range design.Needs {
			if words := ui.Needs([]string{need}); words == need && need != "code" {
				t.Errorf("%s needs %q, which has no words", design.Slug, need)
			}
		}
	}
	if got := ui.Needs([]string{"title", "picture"}); got != "a title and a picture" {
		t.Errorf("got %q", got)
	}
}
