package text_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"masthead/fonts"
	"masthead/render/text"
)

// TestShape_glyphsAreThoseOfHarfBuzz compares the glyphs, advances and offsets of sample strings in every face with
// those of HarfBuzz.
func TestShape_glyphsAreThoseOfHarfBuzz(t *testing.T) {
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
		name := f.Name()
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

// TestShape_alternatesAreSkippedOnlyWhereTheyDoNothing shapes random text with contextual alternates as the engine
// decides and with them always on.
func TestShape_alternatesAreSkippedOnlyWhereTheyDoNothing(t *testing.T) {
	e := text.NewEngine()
	random := rand.New(rand.NewPCG(1, 2))
	letters := []rune("aeinorstxxxHELOTX   ::....,'’“”?!0123éßжЖλǺ\u0301")
	for _, f := range fonts.All() {
		for range 300 {
			runes := make([]rune, 3+random.IntN(12))
			for i := range runes {
				runes[i] = letters[random.IntN(len(letters))]
			}
			sample := strings.ReplaceAll(string(runes), ":", "n: ")
			if got, want := e.ShapeIn(f, sample), e.ShapeAllIn(f, sample); got != want {
				t.Fatalf("%s %d %q:\n got %s\nwant %s", f.Family, f.Weight, sample, got, want)
			}
		}
	}
}

// TestShapingLanguage_madeUpTagIsNone checks that letter forms follow the language, and that a page cannot make up
// languages to shape in.
func TestShapingLanguage_madeUpTagIsNone(t *testing.T) {
	for lang, want := range map[string]string{
		"": "", "en": "", "tr-TR": "tr", "RO": "ro", "sr-Latn": "sr", "zh": "zh-hans", "zh-TW": "zh-hant",
		"zh_Hant_HK":     "zh-hant",
		"ur-PK":          "ur",
		"x-made-up-4711": "", strings.Repeat("tr-", 100): "",
	} {
		if got := text.ShapingLanguage(lang); got != want {
			t.Errorf("%q is shaped as %q, want %q", lang, got, want)
		}
	}
	e := text.NewEngine()
	width := func(lang string) float64 {
		st := text.NotoSans.Text(100, 400)
		st.Lang = lang
		return e.Measure("ﬁfi бгд fı", st)
	}
	if width("en") == 0 || width("xx") != width("en") {
		t.Errorf("an unknown language is set %v wide, English %v", width("xx"), width("en"))
	}
}
