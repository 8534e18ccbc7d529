package counter_test

import (
	"math"
	"slices"
	"testing"

	"masthead/render/html/counter"
)

// The example of CSS Lists 3, 4.5: nested lists are numbered by themselves, and siblings go on.
func TestScopes_nestedLists_countByThemselves(t *testing.T) {
	var s counter.Scopes
	list := func() { s.Reset(counter.Op{Name: "item"}) }
	item := func(want ...int) {
		t.Helper()
		s.Increment(counter.Op{Name: "item", Value: 1})
		if got := s.Values("item"); !slices.Equal(got, want) || s.Value("item") != want[len(want)-1] {
			t.Errorf("it is number %v, want %v", got, want)
		}
	}
	list()
	s.Enter()
	item(1)
	item(2)
	s.Enter()
	list()
	s.Enter()
	item(2, 1)
	item(2, 2)
	s.Leave()
	list() // a second list replaces the first
	s.Enter()
	item(2, 1)
	s.Leave()
	s.Leave()
	item(3)
	s.Leave()
	list()
	s.Enter()
	item(1)
	s.Leave()
}

func TestScopes_withoutReset_beginAtTheirElement(t *testing.T) {
	var s counter.Scopes
	if s.Value("n") != 0 || !slices.Equal(s.Values("n"), []int{0}) {
		t.Error("a counter that isn't there isn't 0")
	}
	s.Enter()
	s.Increment(counter.Op{Name: "n", Value: 2})
	s.Increment(counter.Op{Name: "n", Value: 3}) // of a sibling
	s.Set(counter.Op{Name: "m", Value: 9})
	if s.Value("n") != 5 || s.Value("m") != 9 {
		t.Errorf("n is %d and m %d", s.Value("n"), s.Value("m"))
	}
	s.Leave()
	if s.Value("n") != 0 {
		t.Errorf("outside, it is %d", s.Value("n"))
	}
	for range 4 {
		s.Increment(counter.Op{Name: "n", Value: math.MaxInt})
	}
	if s.Value("n") != math.MaxInt32 {
		t.Errorf("at the limit it is %d", s.Value("n"))
	}
}

func TestFormat_styles_areThoseOfCSS(t *testing.T) {
	for _, c := range []struct {
		style counter.Style
		n     int
		want  string
	}{
		{counter.Decimal, -3, "-3"}, {counter.DecimalZero, 7, "07"}, {counter.DecimalZero, -7, "-07"},
		{counter.DecimalZero, 12, "12"}, {counter.LowerAlpha, 1, "a"}, {counter.LowerAlpha, 26, "z"},
		{counter.LowerAlpha, 27, "aa"}, {counter.UpperAlpha, 703, "AAA"}, {counter.LowerAlpha, 0, "0"},
		{counter.LowerRoman, 1994, "mcmxciv"}, {counter.UpperRoman, 14, "XIV"}, {counter.UpperRoman, 4000, "4000"},
		{counter.LowerGreek, 24, "ω"}, {counter.LowerGreek, 25, "αα"}, {counter.Hiragana, 2, "い"},
		{counter.Katakana, 48, "ン"}, {counter.CJKDecimal, 105, "一〇五"}, {counter.ArabicIndic, 19, "١٩"},
		{counter.Persian, 45, "۴۵"}, {counter.Devanagari, 30, "३०"}, {counter.Bengali, 8, "৮"}, {counter.Thai, 12, "๑๒"},
		{counter.Disc, 5, "•"}, {counter.Circle, 5, "◦"}, {counter.Square, 5, "▪"}, {counter.None, 5, ""},
	} {
		if got := c.style.Format(c.n); got != c.want {
			t.Errorf("%d in style %d is %q, want %q", c.n, c.style, got, c.want)
		}
	}
	for name, style := range counter.Styles {
		if style.Format(3) == "" && name != "none" {
			t.Errorf("%s writes nothing", name)
		}
	}
}
