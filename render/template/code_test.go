package template

import (
	"testing"

	"masthead/render/palette"
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
