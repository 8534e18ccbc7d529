package text_test

import (
	"strings"
	"testing"

	"masthead/render/text"
)

// TestMarkLimit_languagesPassAndNothingMore checks that what languages put on a letter is drawn, and that nothing more
// is.
func TestMarkLimit_languagesPassAndNothingMore(t *testing.T) {
	e := text.NewEngine()
	st := text.Inter.Title(92)
	for name, s := range map[string]string{
		"vietnamese": "Ậ Ẵ ệ ợ", "greek": "ᾧ ᾂ ΐ", "lithuanian": "i̇́ ė̃",
		"yoruba": "ẹ́ Ọ̀", "ipa": "ɔ̃́", "arabic": "مُحَمَّدٌ رَبِّيٰ",
		"hebrew": "שָּׁלוֹם בְּרֵאשִׁ֖ית", "devanagari": "क्षँ", "thai": "น้ำ ที่", "emoji": "❤️ 1️⃣",
	} {
		got, want := len(e.Drawable(s)), len([]rune(s))
		if got < want-len(strings.Fields(s)) { // some are composed
			t.Errorf("%s: %d of %d characters are read", name, got, want)
		}
	}
	for name, s := range map[string]string{
		"zalgo":               "Z" + strings.Repeat("̀", 40) + "a" + strings.Repeat("̖̂", 40) + "l",
		"vietnamese and more": "Ế" + strings.Repeat("́", 9),
		"arabic":              "م" + strings.Repeat("َ", 20), "common": "1" + strings.Repeat("̀", 20),
	} {
		b := e.Fit(s, st, text.Box{W: 900, H: 280}, text.Steps(1, 92))
		if over := -b.Ink.Y0 / b.SizePx; over > .7 {
			t.Errorf("%s: marks rise %.2f em over the capitals, want .7 at most", name, over)
		}
		if under := (b.Ink.Y1 - b.Height) / b.SizePx; under > .6 {
			t.Errorf("%s: marks reach %.2f em below the line, want .6 at most", name, under)
		}
	}
	for _, s := range []string{"̀̂̃", " ̀ ̂ ", "\u200d̀", "َُِ", "\u034f\u0300"} {
		if b := e.Line(s, st, 0); !b.Empty() {
			t.Errorf("%q draws %q, want nothing: it has no letter", s, b.Text())
		}
	}
}
