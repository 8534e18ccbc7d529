package media_test

import (
	"testing"

	. "masthead/render/html/css/media"
	"masthead/render/html/css/value"
)

// units are px, and em of 16 px.
type units struct{}

func (units) Unit(n float64, unit string) (float64, bool) {
	px, ok := map[string]float64{"px": 1, "em": 16}[unit]
	return n * px, ok
}

func TestRead(t *testing.T) {
	view := Viewport{Width: 1200, Height: 630}
	for source, want := range map[string]bool{
		"": true, "all": true, "print": false, "screen and (min-width: 600px)": true, "(max-width:74em)": false,
		"(width >= 1200px)": true, "(400px <= width < 1200px)": false, "(aspect-ratio > 1)": true, "(orientation: portrait)": false,
		"not all and (orientation: portrait)": true, "print, (height = 630px)": true, "(width) and (not (hover))": true,
		"(prefers-color-scheme: dark)": false, "((width < 1px) or (height > 1px))": true, "(aspect-ratio: 40/21)": true,
	} {
		c, ok := Read(units{}, value.Parse(source))
		if !ok || c.Holds(view) != want {
			t.Errorf("%q is read: %v; want it to hold: %v", source, ok, want)
		}
	}
	for _, source := range []string{"(nonsense)", "(width: 5zz)", "(1px < width < 2px < 3px)", "5px", "(nonsense: 1)", "()"} {
		if _, ok := Read(units{}, value.Parse(source)); ok {
			t.Errorf("%q is read", source)
		}
	}
	dark, _ := Read(units{}, value.Parse("(prefers-color-scheme: dark)"))
	if view.Dark = true; !dark.Holds(view) || !HoldAll([]Condition{dark, Constant(true)}, view) {
		t.Error("a dark page isn't dark")
	}
}

func TestAsksHeight(t *testing.T) {
	for source, want := range map[string]bool{
		"(width > 1px)": false, "(inline-size > 1px) or (not (height < 2px))": true, "(orientation: portrait)": true,
	} {
		c, ok := ReadQuery(units{}, value.Parse(source))
		if !ok || AsksHeight(c) != want {
			t.Errorf("%s asks for the height: %v, want %v", source, !want, want)
		}
	}
}
