package text_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"masthead/fonts"
	"masthead/render/text"
)

// TestShapingIsHarfBuzz compares the glyphs, advances and offsets of sample strings in every face with those of HarfBuzz.
func TestShapingIsHarfBuzz(t *testing.T) {
	data, err := os.ReadFile("testdata/shapes.json")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[string]string
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	e := text.NewEngine()
	for _, f := range fonts.All() {
		name := fmt.Sprintf("%s-%d", f.Family, f.Weight)
		if f.Italic {
			name += "-italic"
		}
		if len(want[name]) == 0 {
			t.Errorf("no samples of %s", name)
		}
		for s, glyphs := range want[name] {
			if got := e.ShapeIn(f, s); got != glyphs {
				t.Errorf("%s %q:\n got %s\nwant %s", name, s, got, glyphs)
			}
		}
	}
}
