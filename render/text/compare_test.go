package text_test

import (
	"testing"

	"masthead/render/text"
)

// TestReadsBetter_weighsSizesAndBreaks compares layouts of titles in two columns: the wider one, of fewer faults and a
// smaller size, is better unless it is much smaller.
func TestReadsBetter_weighsSizesAndBreaks(t *testing.T) {
	e, st := text.NewEngine(), text.Inter.Title(0)
	for _, c := range []struct {
		lang, title   string
		narrow, wide  float64 // columns
		before, after float64 // sizes in them
		better        bool
	}{
		{"es", "Cómo instalar Docker en Ubuntu 24.04 LTS paso a paso", 640, 1000, 92, 84, true},   // fewer faults
		{"en", "Why Is Everyone in the U.K. Talking About Heat Pumps?", 1000, 420, 84, 44, false}, // much smaller
		{"en", "Ship it weekly", 640, 640, 100, 84, false},                                        // only smaller
		{"en", "Ship it weekly", 640, 640, 84, 100, true},
		{"de", "Grundsteuerbescheid", 640, 1200, 92, 80, true}, // whole
		{"de", "Grundsteuerbescheid", 1200, 640, 80, 92, false},
	} {
		st.Lang = c.lang
		fit := func(w, px float64) *text.Block {
			return e.Fit(c.title, st, text.Box{W: w, H: 5.5 * px}, text.Steps(5, px))
		}
		before := fit(c.narrow, c.before)
		if after := fit(c.wide, c.after); text.ReadsBetter(after, before) != c.better {
			t.Errorf("%s: %q at %v is better than %q at %v: %v", c.title, linesOf(after), after.SizePx, linesOf(before),
				before.SizePx, !c.better)
		}
	}
	cut := e.Fit("All the words of a long title", st, text.Box{W: 300, H: 90}, text.Steps(1, 64))
	if whole := e.Fit("All the words of a long title", st, text.Box{W: 900, H: 90}, text.Steps(1, 48)); !cut.Truncated ||
		!text.ReadsBetter(whole, cut) || text.ReadsBetter(cut, whole) {
		t.Errorf("%q is better than %q", linesOf(cut), linesOf(whole))
	}
}
