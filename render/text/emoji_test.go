package text_test

import (
	"image"
	"testing"

	"masthead/fonts"
	"masthead/render/text"
)

// TestEmoji_sequencesAreOnePicture checks which clusters are emoji, that a sequence is one picture and that its text
// stays whole.
func TestEmoji_sequencesAreOnePicture(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct {
		in       string
		pictures int
	}{
		{"Hello 🎉 world", 1},
		{"Hello 👩‍👩‍👧‍👦!", 1},
		{"👩🏻‍❤️‍💋‍👨🏿", 1},
		{"🇩🇪🇫🇷", 2},
		{"🏴󠁧󠁢󠁥󠁮󠁧󠁿", 1},
		{"1️⃣ 2⃣ #️⃣", 3},
		{"👍🏽👍", 2},
		{"I ❤️ it", 1},
		{"I ❤ it, ☀ ☎ ™ © 5 and 🕶", 1}, // signs of text, and one that no face has as such
		{"☕ ⌚ ⭐", 3},
		{"🧑‍🚀‍🎉", 2}, // no such sequence: its parts
		{"plain 1 # *", 0},
	} {
		b := e.Line(c.in, text.Inter.Text(48, 400), 0)
		if b.Text() != c.in || b.Missing != "" {
			t.Errorf("%q is set as %q, missing %q", c.in, b.Text(), b.Missing)
		}
		pictures := 0
		e.DrawEmoji(b, 10, 10, func(x, y int, m *image.NRGBA) {
			pictures++
			if m.Rect != image.Rect(0, 0, 48, 48) {
				t.Errorf("%q: a picture of %v, want 48x48", c.in, m.Rect)
			}
			inked := 0
			for i := 3; i < len(m.Pix); i += 4 {
				if m.Pix[i] > 0 {
					inked++
				}
			}
			if inked < 48*48/5 {
				t.Errorf("%q: a picture with %d inked pixels", c.in, inked)
			}
			if !b.Ink.Holds(m.Rect.Add(image.Pt(x-10, y-10))) {
				t.Errorf("%q: a picture at %d,%d outside of the ink %v", c.in, x, y, b.Ink)
			}
		})
		if pictures != c.pictures {
			t.Errorf("%q has %d pictures, want %d", c.in, pictures, c.pictures)
		}
	}
}

// TestEmoji_cutTextKeepsThemWhole cuts a row of sequences at every width.
func TestEmoji_cutTextKeepsThemWhole(t *testing.T) {
	const family = "👩‍👩‍👧‍👦"
	e := text.NewEngine()
	for w := 40.; w < 500; w += 13 {
		b := e.Line(family+family+"❤️"+family+family+family, text.Inter.Text(48, 400), w)
		pictures := 0
		e.DrawEmoji(b, 0, 0, func(int, int, *image.NRGBA) { pictures++ })
		runes := []rune(b.Text())
		if n := len(runes); n > 0 && b.Truncated && runes[n-1] != '…' {
			t.Errorf("%v px: cut to %q", w, b.Text())
		}
		whole := 0
		for _, r := range runes {
			if r == '👦' || r == '❤' {
				whole++
			}
		}
		if whole != pictures || b.NotDef() != 0 {
			t.Errorf("%v px: %q has %d whole sequences and %d pictures", w, b.Text(), whole, pictures)
		}
	}
}

// TestEmoji_everyDrawingIsFoundBySequence sets every drawing that there is.
func TestEmoji_everyDrawingIsFoundBySequence(t *testing.T) {
	e := text.NewEngine()
	for id := range fonts.EmojiCount() {
		sequence := fonts.EmojiSequence(id)
		if found, ok := fonts.Emoji(sequence); !ok || found != id {
			t.Errorf("%q is %d, %v; want %d", sequence, found, ok, id)
		}
		pictures := 0
		b := e.Line(sequence+"\ufe0f", text.Inter.Text(16, 400), 0)
		e.DrawEmoji(b, 0, 0, func(int, int, *image.NRGBA) { pictures++ })
		if pictures != 1 {
			t.Errorf("%q has %d pictures: %+v", sequence, pictures, b)
		}
	}
	if n := fonts.EmojiCount(); n < 3000 {
		t.Errorf("there are %d drawings", n)
	}
}

// BenchmarkDrawEmoji draws the emoji of a title, without and with what was drawn before.
func BenchmarkDrawEmoji(b *testing.B) {
	e := text.NewEngine()
	block := e.Line("🚀 👩‍👩‍👧‍👦 🇩🇪", text.Inter.Title(92), 0)
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			e.DropMasks()
			e.DrawEmoji(block, 0, 0, func(int, int, *image.NRGBA) {})
		}
	})
	b.Run("warm", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e.DrawEmoji(block, 0, 0, func(int, int, *image.NRGBA) {})
		}
	})
}

// TestWrap_enclosingMarkIsLeftOutAndNamed sets letters and emoji with marks around them, which no face has: what they
// are on is drawn as it is.
func TestWrap_enclosingMarkIsLeftOutAndNamed(t *testing.T) {
	e := text.NewEngine()
	for _, c := range []struct{ in, want, missing string }{
		{"A\u20dd and 1\u20de", "A and 1", "\u20dd\u20de"},
		{"字\u20de א\u20dd", "字 א", "\u20de\u20dd"},
		{"No \U0001F6AD\u20e0 here", "No \U0001F6AD here", "\u20e0"},
		{"Press 5\ufe0f\u20e3", "Press 5\ufe0f\u20e3", ""},
	} {
		b := e.Wrap(c.in, text.Inter.Title(60), 900, 0)
		if b.Text() != c.want || b.Missing != c.missing {
			t.Errorf("%+q is set as %+q without %+q, want %+q without %+q", c.in, b.Text(), b.Missing, c.want, c.missing)
		}
	}
}
