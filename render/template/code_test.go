package template

import (
	"slices"
	"testing"

	"masthead/render/palette"
	"masthead/render/template/kit"
)

// TestCodeInks_canBeRead checks each color of code on the sheet and on the lit line.
func TestCodeInks_canBeRead(t *testing.T) {
	for _, hex := range []uint32{0x4F46E5, 0xE11D48, 0xFACC15, 0x10B981, 0x111827, 0xFFFFFF, 0xE0930F, 0x00FF00} {
		for _, dark := range []bool{true, false} {
			th := palette.New(palette.RGB(hex), dark)
			inks := codeInksOf(&th)
			for i, ink := range []struct{ R, G, B, A uint8 }{
				inks.keyword, inks.name, inks.text, inks.number, inks.comment, inks.rest,
			} {
				if a, b := palette.Contrast(ink, inks.sheet), palette.Contrast(ink, inks.lit); min(a, b) < palette.MinText {
					t.Errorf("%06X, dark %v: color %d has %.2f and %.2f", hex, dark, i, a, b)
				}
			}
		}
	}
}

// TestCode_lowestLineIsNotLit: at the foot of the card, the lit row would be a band of its own.
func TestCode_lowestLineIsNotLit(t *testing.T) {
	lines := slices.Repeat([]string{"a := b"}, 12)
	for lit, want := range map[int]bool{1: true, 5: false} { // of which six are drawn
		code := kit.Code{First: 1, Lines: slices.Clone(lines)}
		code.Lines[lit] = "queue.worker(b)"
		title := "Supreme Court Rules 6–3 That States May Tax Every Queue Worker"
		c := openCard(t, "code", kit.Spec{Texts: kit.Texts{Title: title, SiteName: "A", Code: code}})
		c.Layout()
		inks, got := codeInksOf(&c.Theme), false
		for y := 320; y < c.H; y++ {
			got = got || c.Canvas().At(1190, y) == inks.lit
		}
		if got != want {
			t.Errorf("line %d is lit: %v", lit, got)
		}
	}
}
