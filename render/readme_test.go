package render_test

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"masthead/render"
)

// TestReadme_saysHowManyDesignsThereAre compares the numbers in the README with the catalog.
func TestReadme_saysHowManyDesignsThereAre(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0 // those of share images and of heroes
	for _, t := range render.Templates() {
		n += len(t.Kinds)
	}
	said := regexp.MustCompile(`(\d+) designs`).FindAllSubmatch(text, -1)
	if len(said) < 2 {
		t.Errorf("the README says %d times how many designs there are, want 2", len(said))
	}
	for _, s := range said {
		if string(s[1]) != strconv.Itoa(n) {
			t.Errorf("the README says %s, want %d designs", s[0], n)
		}
	}
}
