package text

import "testing"

// TestLine_superscriptsAreOfTheFamily checks those of a family that has none: they are small digits of its own, as high
// as its capitals. Inter has its own.
func TestLine_superscriptsAreOfTheFamily(t *testing.T) {
	e := NewEngine()
	for family, raised := range map[Family]bool{InstrumentSerif: true, Inter: false} {
		b := e.Line("m²", family.Title(100), 0)
		letter, two := b.glyphs[0], b.glyphs[1]
		if two.face != letter.face {
			t.Errorf("%s: the superscript is of face %d, not %d", family, two.face, letter.face)
		}
		if (two.scale < letter.scale) != raised || (two.y > 0) != raised {
			t.Errorf("%s: the superscript has the scale %v and is at %v", family, two.scale, two.y)
		}
	}
}
