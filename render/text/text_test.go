package text_test

import (
	"image"
	"strings"
	"testing"

	"masthead/render/text"
)

// ladder is that of the editorial design.
var ladder = text.Steps(3, 92, 84, 76, 68).Then(4, 60, 54)

// TestFit_takesTheLargestSizeThatFits checks that a short title takes the first size and a long one a smaller one, in
// its box.
func TestFit_takesTheLargestSizeThatFits(t *testing.T) {
	e := text.NewEngine()
	box := text.Box{W: 984, H: 284}
	for _, c := range []struct {
		title string
		size  float64
		lines int
	}{
		{"Hello", 134, 1}, // short titles go on beyond the first step
		{"Why we moved our render queue to Postgres", 92, 3},
		{"How a small team migrated eleven years of customer data across three continents", 68, 3},
	} {
		b := e.Fit(c.title, text.Inter.Title(0), box, ladder)
		if b.SizePx != c.size || len(b.Lines) != c.lines || b.Truncated {
			t.Errorf("%q: size %v in %d lines, truncated %v; want %v in %d",
				c.title, b.SizePx, len(b.Lines), b.Truncated, c.size, c.lines)
		}
		if got := b.Text(); got != c.title {
			t.Errorf("text of the lines = %q, want %q", got, c.title)
		}
		if b.Width > box.W || b.Ink.Y1 > box.H {
			t.Errorf("%q: width %v, ink %v, out of %v", c.title, b.Width, b.Ink, box)
		}
	}
}

// TestDraw_masksLieInTheInk checks that every mask has ink and lies where the block says.
func TestDraw_masksLieInTheInk(t *testing.T) {
	e := text.NewEngine()
	b := e.Wrap("Ägypten, Łódź und Việt Nam", text.Inter.Title(64), 500, 0)
	count := 0
	e.Draw(b, 72, 168, func(x, y int, m *image.Alpha) {
		count++
		if !b.Ink.Holds(m.Rect.Add(image.Pt(x-72, y-168))) {
			t.Errorf("mask %v at %d,%d is out of the block's ink %v", m.Rect, x, y, b.Ink)
		}
	})
	if letters := len(strings.ReplaceAll("Agypten, Lodz und Viet Nam", " ", "")); count < letters {
		t.Errorf("drew %d masks, want at least %d", count, letters)
	}
}
