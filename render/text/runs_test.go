package text_test

import (
	"math"
	"slices"
	"testing"

	"masthead/fonts"
	"masthead/render/text"
)

// runOf returns the glyphs of a text in Inter.
func runOf(e *text.Engine, s string, features ...string) []text.RunGlyph {
	runes := []rune(s)
	run := text.Run{
		Face: fonts.Find("inter", 400, false), Runes: runes, End: len(runes), Script: text.ScriptOf('a'), Lang: "en",
	}
	for _, f := range features {
		off, ok := text.Feature(f, 0)
		if !ok {
			panic(f)
		}
		run.Features = append(run.Features, off)
	}
	return e.ShapeRun(run, nil)
}

func TestShapeRun(t *testing.T) {
	e := text.NewEngine()
	width := func(glyphs []text.RunGlyph) (w float64) {
		for _, g := range glyphs {
			w += float64(g.Advance)
		}
		return w
	}
	kerned, plain := width(runOf(e, "AVATAR To")), width(runOf(e, "AVATAR To", "kern"))
	if kerned >= plain {
		t.Errorf("AVATAR To is %.3f em wide kerned, %.3f without", kerned, plain)
	}
	for range 3 { // the second result is kept, the third one is the kept one
		if again := width(runOf(e, "AVATAR To")); again != kerned {
			t.Errorf("shaped again it is %.3f em wide, not %.3f", again, kerned)
		}
		if again := width(runOf(e, "AVATAR To", "kern")); again != plain {
			t.Errorf("without kerning again it is %.3f em wide, not %.3f", again, plain)
		}
	}
	runes := []rune("xx AVATAR To")
	inside := text.Run{Face: fonts.Find("inter", 400, false), Runes: runes, Start: 3, End: len(runes), Script: text.ScriptOf('a')}
	for range 3 {
		if glyphs := e.ShapeRun(inside, nil); glyphs[0].Cluster != 3 {
			t.Errorf("clusters count from %d, want 3", glyphs[0].Cluster)
		}
	}
	if arrow := runOf(e, "->"); len(arrow) != 1 && slices.Equal(arrow, runOf(e, "->", "calt")) {
		t.Error("contextual alternates change nothing in ->")
	}
}

func TestMetrics(t *testing.T) {
	e := text.NewEngine()
	m := e.Metrics(fonts.Find("inter", 400, false))
	for name, v := range map[string]struct{ got, want float64 }{
		"ascent": {m.Ascent, .96875}, "descent": {m.Descent, .2412}, "x-height": {m.XHeight, .546}, "space": {m.Space, .2817},
	} {
		if math.Abs(v.got-v.want) > .001 {
			t.Errorf("%s of Inter: %.4f em, want %.4f", name, v.got, v.want)
		}
	}
	if e.HasFeature(fonts.Find("inter", 400, false), "nope") || !e.HasFeature(fonts.Find("inter", 400, false), "tnum") {
		t.Error("Inter has tabular figures, and no feature nope")
	}
}

// A mask is where the path is.
func TestGlyphMask_path(t *testing.T) {
	e := text.NewEngine()
	face := fonts.Find("inter", 700, false)
	g := e.ShapeRun(text.Run{Face: face, Runes: []rune("R"), End: 1, Script: text.ScriptOf('R')}, nil)[0]
	mask, at := e.GlyphMask(face, g.ID, 100, 10.3, 200)
	path, ok := e.GlyphPath(face, g.ID)
	if mask == nil || !ok {
		t.Fatal("R has no mask or no path")
	}
	left, right, top := math.Inf(1), math.Inf(-1), math.Inf(1)
	for _, s := range path {
		p := s.Points[0]
		left, right, top = min(left, p.X*100), max(right, p.X*100), min(top, p.Y*100)
	}
	box := mask.Rect.Add(at)
	ink := e.GlyphInk(face, g.ID)
	if math.Abs(float64(box.Min.X)-10.3-left) > 1.5 || math.Abs(float64(box.Min.Y)-200-top) > 1.5 {
		t.Errorf("the mask begins at %v, the path at %.1f %.1f", box.Min, 10.3+left, 200+top)
	}
	if math.Abs(ink.X0*100-left) > .5 || math.Abs(ink.X1*100-right) > .5 || math.Abs(ink.Y0*100-top) > .5 {
		t.Errorf("ink %+v, path from %.1f to %.1f and %.1f", ink, left, right, top)
	}
	if mask, _ := e.GlyphMask(face, runOf(e, " ")[0].ID, 100, 0, 0); mask != nil {
		t.Error("a space has a mask")
	}
}

func TestLeadingEmoji(t *testing.T) {
	for s, want := range map[string]int{"🎉": 1, "❤\ufe0f": 2, "👨‍👩‍👧": 5, "a": 0, "✓": 0, "🇩🇪": 2} {
		id, n := text.LeadingEmoji([]rune(s))
		if n != want {
			t.Errorf("%q: %d runes, want %d", s, n, want)
		}
		if n > 0 && text.NewEngine().EmojiPicture(id, 20).Rect.Dx() != 20 {
			t.Errorf("%q has another size", s)
		}
	}
}

func TestWordStarts(t *testing.T) {
	var got []int
	text.WordStarts([]rune("ab ภาษาไทย"), func(i int) { got = append(got, i) })
	if !slices.Contains(got, 7) { // ภาษา|ไทย
		t.Errorf("words begin at %v", got)
	}
}

// TestTitleLines_newEngine distributes titles that its caller has shaped, with an engine that has shaped nothing: the
// engine knows words of Thai only from shaping.
func TestTitleLines_newEngine(t *testing.T) {
	for _, c := range []struct {
		lang, title, want string
	}{
		{"en", "a fine title of two lines", "a fine title|of two lines"},
		{"th", "ธนาคาร แห่ง ประเทศไทย ประกาศ", "ธนาคาร แห่ง|ประเทศไทย ประกาศ"},
	} {
		runes := []rune(c.title)
		advances := make([]float64, len(runes))
		var breaks []text.Break
		for i, r := range runes {
			advances[i] = 10
			if r == ' ' {
				breaks = append(breaks, text.Break{End: i, Next: i + 1})
			}
		}
		breaks = append(breaks, text.Break{End: len(runes), Next: len(runes)})
		starts, ok := text.NewEngine().TitleLines(runes, c.lang, advances, breaks, 200, 2)
		if !ok || len(starts) != 1 {
			t.Fatalf("%s: %v %v", c.title, starts, ok)
		}
		if got := string(runes[:starts[0]-1]) + "|" + string(runes[starts[0]:]); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestLine_exactKeepsTheFamily: digits in words of another script are in the family of the style.
func TestLine_exactKeepsTheFamily(t *testing.T) {
	e := text.NewEngine()
	for _, s := range []string{"في 0.03 ث", "ราคา 5 บาท"} {
		st := text.Style{Family: text.JetBrainsMono, Weight: 400, SizePx: 32, Exact: true}
		if got := e.Line(s, st, 0).Families(); !slices.Contains(got, string(text.JetBrainsMono)) {
			t.Errorf("%s is in %v", s, got)
		}
	}
}
