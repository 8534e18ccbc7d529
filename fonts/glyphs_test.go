package fonts_test

import (
	"slices"
	"testing"

	"github.com/go-text/typesetting/font"

	"masthead/fonts"
)

// TestOutline_isThatOfTheParser compares every glyph of every face with what the parser reads when it reads all.
func TestOutline_isThatOfTheParser(t *testing.T) {
	drawn := 0
	for _, f := range fonts.All() {
		parsed, err := fonts.Whole(f)
		if err != nil {
			t.Fatal(err)
		}
		whole, ours := font.NewFace(parsed), font.NewFace(f.Font())
		gid := font.GID(0)
		for ; ; gid++ {
			want, there := whole.GlyphDataOutline(gid)
			got, ok := f.Outline(ours, gid)
			if there != ok || !slices.Equal(want.Segments, got) {
				t.Fatalf("%s, glyph %d: %v %v, want %v %v", f.Name(), gid, ok, got, there, want.Segments)
			}
			if !there {
				break
			}
			drawn += len(got)
			box, _ := ours.GlyphExtents(gid)
			if whole, _ := whole.GlyphExtents(gid); whole != box {
				t.Fatalf("%s, glyph %d: extents %+v, want %+v", f.Name(), gid, box, whole)
			}
			if got, want := ours.HorizontalAdvance(gid), whole.HorizontalAdvance(gid); got != want {
				t.Fatalf("%s, glyph %d: advance %v, want %v", f.Name(), gid, got, want)
			}
		}
		if gid == 0 {
			t.Errorf("%s has no glyphs", f.Name())
		}
	}
	if drawn == 0 {
		t.Error("nothing was compared")
	}
}
