package text_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"masthead/render/text"
)

// TestReorder_mixedDirectionsAreInVisualOrder checks the order of mixed directions on one line.
func TestReorder_mixedDirectionsAreInVisualOrder(t *testing.T) {
	for _, c := range []struct {
		name, in string
		dir      text.Dir
		want     string
	}{
		{"Latin", "abc 123", text.Auto, "abc 123"},
		{"Hebrew", "אבג", text.Auto, "גבא"},
		{"number in Hebrew", "אבג 123 דהו", text.Auto, "והד 123 גבא"},
		{"Latin in Hebrew", "אבג abc דהו", text.Auto, "והד abc גבא"},
		{"Hebrew in Latin", "abc אבג דהו xyz", text.Auto, "abc והד גבא xyz"},
		{"number in Hebrew in Latin", "abc אבג 123 xyz", text.Auto, "abc 123 גבא xyz"},
		{"percent in Arabic stands left of its number", "بنسبة 40% فقط", text.Auto, "طقف %40 ةبسنب"},
		{"brackets in Hebrew", "אב (abc) גד", text.Auto, "דג )abc( בא"},
		{"full stop of a Hebrew sentence that ends in Latin", "אבג abc.", text.Auto, ".abc גבא"},
		{"Latin told to run left", "abc.", text.RightToLeft, ".abc"},
		{"isolate", "abc \u2067אב 12\u2069 3", text.Auto, "abc \u206712 בא\u2069 3"},
	} {
		if got := text.Visual(c.in, c.dir); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestWrap_linesStandWhereTheStyleAligns checks where lines stand in their box, in both directions.
func TestWrap_linesStandWhereTheStyleAligns(t *testing.T) {
	e := text.NewEngine()
	const w = 600
	for _, c := range []struct {
		name, s     string
		align       text.Align
		left, right bool // the side at which the line's advance ends
	}{
		{"start", "abc", text.Start, true, false},
		{"end", "abc", text.End, false, true},
		{"left", "abc", text.Left, true, false},
		{"right", "abc", text.Right, false, true},
		{"start of Hebrew", "אבג", text.Start, false, true},
		{"end of Hebrew", "אבג", text.End, true, false},
		{"left, Hebrew", "אבג", text.Left, true, false},
		{"right, Hebrew", "אבג", text.Right, false, true},
		{"center", "abc", text.Center, false, false},
	} {
		st := text.Inter.Title(60)
		st.OpticalMargin, st.Align = false, c.align
		line := e.Wrap(c.s, st, w, 0).Lines[0]
		left, right := line.X == 0, math.Abs(line.X+line.Width-w) < 1e-6
		if left != c.left || right != c.right {
			t.Errorf("%s: from %v to %v", c.name, line.X, line.X+line.Width)
		}
		if c.align == text.Center && math.Abs(line.X-(w-line.Width)/2) > 1e-6 {
			t.Errorf("%s: from %v, %v wide", c.name, line.X, line.Width)
		}
	}
}

// TestWrap_opticalMarginPutsInkOnTheEdge checks that ink stands on the edge, round and slanted letters just outside,
// and opening quotes hang.
func TestWrap_opticalMarginPutsInkOnTheEdge(t *testing.T) {
	e := text.NewEngine()
	const size = 100.0
	for _, c := range []struct {
		name, s  string
		from, to float64 // of the ink's outer edge past the box, px
	}{
		{"stem", "Heading", -.01, .01},
		{"round letter", "Office", 1.1, 1.3},
		{"slanted letter", "Why", 1.1, 1.3},
		{"opening quote", "“Heading”", 25, 60},
		{"opening bracket", "(Heading)", -.01, .01},
		{"German quote", "„Haus“", 20, 60},
		{"Hebrew", "הכותרת", -.01, .01},
		{"Hebrew in brackets", "(הכותרת)", -.01, .01},
		{"Latin at the edge of Hebrew", "Postgres הכותרת", -.01, .01},
	} {
		b := e.Wrap(c.s, text.Inter.Title(size), 900, 0)
		past := -b.Ink.X0
		if b.RTL {
			past = b.Ink.X1 - 900
		}
		if past < c.from || past > c.to {
			t.Errorf("%s: ink stands %.2f px outside, want %v to %v", c.name, past, c.from, c.to)
		}
	}
	plain := text.Inter.Title(size)
	plain.HangingPunctuation = false
	if b := e.Wrap("“Heading”", plain, 900, 0); b.Ink.X0 < -2 {
		t.Errorf("without HangingPunctuation the quote stands %v px outside", -b.Ink.X0)
	}
	centered := text.Inter.Title(size)
	centered.Align = text.Center
	if b := e.Wrap("“Heading”", centered, 900, 0); math.Abs(b.Lines[0].X+b.Lines[0].Width/2-450) > 1e-6 {
		t.Errorf("centered text was moved to %v", b.Lines[0].X)
	}
}

// TestWrap_measuresOfABlockAgree checks the vertical measures of a block.
func TestWrap_measuresOfABlockAgree(t *testing.T) {
	e := text.NewEngine()
	b := e.Wrap("One two", text.Inter.Title(100), 210, 0)
	if len(b.Lines) != 2 {
		t.Fatalf("%d lines, want 2", len(b.Lines))
	}
	if got, want := b.CapHeight, 72.7; math.Abs(got-want) > .1 {
		t.Errorf("cap height %v, want %v", got, want)
	}
	if b.Lines[0].Baseline != b.CapHeight || math.Abs(b.Lines[1].Baseline-b.CapHeight-106) > 1e-9 ||
		b.Height != b.Lines[1].Baseline {
		t.Errorf("baselines %v and %v, height %v", b.Lines[0].Baseline, b.Lines[1].Baseline, b.Height)
	}
	if math.Abs(b.Ink.Y0) > 1.5 {
		t.Errorf("ink starts %v below the top of the capitals", b.Ink.Y0)
	}
}

// TestWrap_accentsDoNotTouchTheLineAbove checks that lines are moved apart where a descender stands over a stacked
// accent, and only there.
func TestWrap_accentsDoNotTouchTheLineAbove(t *testing.T) {
	e := text.NewEngine()
	st := text.Inter.Title(100)
	st.LineHeight = .96
	clash, clear := e.Wrap("ggggg ỄỄỄỄ", st, 400, 0), e.Wrap("nnnnn nnnn", st, 400, 0)
	if len(clash.Lines) != 2 || clash.Leading < 120 {
		t.Errorf("%d lines, leading %v, want room for the accents", len(clash.Lines), clash.Leading)
	}
	if math.Abs(clear.Leading-96) > 1e-9 {
		t.Errorf("leading %v without a clash, want 96", clear.Leading)
	}
	box := text.Box{W: 400, H: 200}
	if b := e.Fit("ggggg ỄỄỄỄ", st, box, text.Steps(2, 100, 90, 80, 70, 60)); b.Ink.Y1 > box.H {
		t.Errorf("at %v px the ink reaches %v, past the box of %v", b.SizePx, b.Ink.Y1, box.H)
	}
}

// TestWrap_cutRunIsShapedAgain checks that a line which is cut where glyphs depend on each other has the glyphs of its
// own text: no kerning with the next line, Arabic letters in the forms of the whole word, ligatures never parted.
func TestWrap_cutRunIsShapedAgain(t *testing.T) {
	e := text.NewEngine()
	st := text.Inter.Text(60, 400)
	st.OpticalMargin = false
	b := e.Wrap("aaaa-TVAVA-TAVAV", st, e.Measure("aaaa-TVAVA-", st)+1, 0)
	for _, l := range b.Lines {
		if want := e.Measure(l.Text, st); math.Abs(l.Width-want) > .01 {
			t.Errorf("%q is %v wide on its line and %v alone", l.Text, l.Width, want)
		}
	}
	if len(b.Lines) < 2 || e.Measure("-TA", st) == e.Measure("-", st)+e.Measure("TA", st) {
		t.Errorf("lines %q: nothing was cut between letters that are kerned", b.Text())
	}
	arrow := e.Wrap("aaaa->bbbb", st, e.Measure("aaaa-", st)+1, 0)
	if got := arrow.Text(); got != "aaaa ->bb bb" && got != "aaaa ->bbbb" {
		t.Errorf("lines %s, want the arrow whole", got)
	}
	const word = "مستشفياتهمالكبيرة"
	whole, cut := e.Wrap(word, st, 10000, 0), e.Wrap(word, st, e.Measure(word, st)/2, 0)
	if len(cut.Lines) < 2 || cut.Text() == whole.Text() || !slices.Equal(cut.Glyphs(), whole.Glyphs()) {
		t.Errorf("a word that is broken has other forms of its letters:\n got %v\nwant %v",
			cut.Glyphs(), whole.Glyphs())
	}
}

// TestWrap_endlessTextIsBounded checks that a text is cut to a bounded length before any work is done.
func TestWrap_endlessTextIsBounded(t *testing.T) {
	e := text.NewEngine()
	b := e.Wrap(strings.Repeat("word كلمة ", 500000), text.Inter.Text(30, 400), 900, 0)
	if n := utf8.RuneCountInString(b.Text()); n > 2100 {
		t.Errorf("%d characters were set", n)
	}
}
