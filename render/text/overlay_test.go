package text_test

import (
	"math"
	"strings"
	"testing"

	"masthead/render/golden"
	"masthead/render/text"
)

// overlayMarks are strokes through letters.
const overlayMarks = "\u0334\u0335\u0336\u0337\u0338\u20d2\u20d3\u20e5"

// TestWrap_overlaysStandOnTheirLetter sets letters with strokes through them between others: the middle of the stroke
// is within the ink of its letter, whose face is that of the family, and nothing is wider for it.
func TestWrap_overlaysStandOnTheirLetter(t *testing.T) {
	e := text.NewEngine()
	for _, family := range families() {
		style := family.Title(60)
		for _, letter := range "abdegimxyAJLWOT5" {
			plain := "n" + string(letter) + "n"
			for _, mark := range overlayMarks {
				s := "n" + string(letter) + string(mark) + "n"
				b := e.Wrap(s, style, 900, 0)
				placed := e.Placed(b)
				if len(placed) == 3 && b.Missing == "" {
					continue // the face has the letter with its stroke
				}
				if b.Missing != "" || len(placed) != 4 {
					t.Fatalf("%s: %+q has %d glyphs, without %+q", family, s, len(placed), b.Missing)
				}
				in, over := placed[1].Ink, placed[2].Ink
				x, y := (over.X0+over.X1)/2, (over.Y0+over.Y1)/2
				if x < in.X0 || x > in.X1 || y < in.Y0 || y > in.Y1 {
					t.Errorf("%s: the stroke of %+q is around %.0f, %.0f, its letter %.0f", family, s, x, y, in)
				}
				if got := placed[1].Family; got != string(family) {
					t.Errorf("%s: the letter of %+q is set in %s", family, s, got)
				}
				if got, want := e.Measure(s, style), e.Measure(plain, style); math.Abs(got-want) > .08*b.SizePx {
					t.Errorf("%s: %+q is %.1f px wide, %q %.1f", family, s, got, plain, want)
				}
			}
		}
	}
}

// TestWrap_struckWordIsAsPlain sets a struck word: its lines are those of the plain one.
func TestWrap_struckWordIsAsPlain(t *testing.T) {
	e := text.NewEngine()
	const plain = "Prices that we struck: nothing is free"
	struck := strings.NewReplacer("struck", "s̶t̶r̶u̶c̶k̶", "free", "f̸r̸e̸e̸").Replace(plain)
	for _, family := range families() {
		want, got := e.Wrap(plain, family.Title(64), 420, 0), e.Wrap(struck, family.Title(64), 420, 0)
		if len(got.Lines) != len(want.Lines) {
			t.Fatalf("%s: %d lines, plain %d", family, len(got.Lines), len(want.Lines))
		}
		for i := range got.Lines {
			line := strings.Map(func(r rune) rune {
				if strings.ContainsRune(overlayMarks, r) {
					return -1
				}
				return r
			}, got.Lines[i].Text)
			if line != want.Lines[i].Text {
				t.Errorf("%s: line %d is %q, plain %q", family, i, line, want.Lines[i].Text)
			}
		}
	}
}

// TestDraw_overlaysAreAsGolden draws letters with overlays in all families; somebody has looked at them.
func TestDraw_overlaysAreAsGolden(t *testing.T) {
	e := text.NewEngine()
	s := newSheet(1240, 640)
	for i, family := range families() {
		b := e.Wrap("a̸ b̷ o̵ m̶ n̴ A̸ W̶ O̷ x̸ i̶ d̵ ≠ ∉ was s̶t̶r̶u̶c̶k̶ é̶ a⃒ b⃓ l⃥", family.Title(44), 1210, 0)
		s.draw(e, b, 20, 40+100*float64(i))
	}
	golden.Image(t, "overlays", s)
}
