package render_test

import (
	"os"
	"os/exec"
	"slices"
	"testing"

	"masthead/fonts"
	"masthead/render"
	"masthead/render/specimen"
)

// latinOnly is set for the process in which TestDraw_latinParsesNoFallback draws, since other tests draw all scripts.
const latinOnly = "MASTHEAD_TEST_LATIN_ONLY"

// TestDraw_latinParsesNoFallback draws Latin cards in every family in a new process: none of the faces that stand in
// for other scripts is parsed, so that whoever draws Latin only pays nothing for them.
func TestDraw_latinParsesNoFallback(t *testing.T) {
	if os.Getenv(latinOnly) == "" {
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), latinOnly+"=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	for _, font := range render.Fonts() {
		r := specimen.Find("140").Request("editorial", render.OG)
		r.Font = font
		if _, err := render.Draw(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range fonts.All() {
		if f.Parsed() && slices.Contains(fonts.Fallbacks(), f.Family) {
			t.Errorf("%s was parsed for a Latin card", f.Name())
		}
	}
}
