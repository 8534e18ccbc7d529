package boxtree_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"masthead/render/html/css"
	"masthead/render/html/css/media"
	. "masthead/render/html/layout/boxtree"
)

// tree returns the boxes of a document on a card of 400 by 300 px; the error is the reason why there are none.
func tree(ctx context.Context, t *testing.T, source string) (l *State, b *Box, err error) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader("<!doctype html>" + source))
	if err != nil {
		t.Fatal(err)
	}
	here := func(*html.Node) (line, column int) { return 1, 1 }
	styled, _, err := css.NewDocument(doc.LastChild, css.NewSheet(), here).Style(
		t.Context(), css.Options{View: media.Viewport{Width: 400, Height: 300}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if r := recover(); r != nil {
			Recovered(r, &err)
		}
	}()
	l = New(ctx, 400, 300, nil, nil)
	return l, l.BuildRoot(styled), nil
}

// shape writes boxes: F, a block container, X a flex container, I an inline box, t text, T, g, r and c a table, a group
// of rows, a row and a cell; anonymous ones are in parentheses.
func shape(b *Box) string {
	s := map[Kind]string{
		FlowBox: "F", FlexBox: "X", InlineBox: "I", TextBox: "t", BreakBox: "n", TableBox: "T", GroupBox: "g", GridBox: "G",
	}[b.Kind]
	if s == "" {
		s = "r"
	}
	for _, k := range b.Kids {
		s += shape(k)
	}
	if b.Anonymous {
		return "(" + s + ")"
	}
	if len(b.Kids) > 0 {
		return s + "."
	}
	return s
}

func TestBuildRoot(t *testing.T) {
	for source, want := range map[string]string{
		"<p>a<b>c</b></p>": "FtIt",
		"a<p>b</p>":        "(Ft)Ft",
		"<div style='display:flex'>a <b></b></div>":   "X(Ft)F",
		"<div style='display:none'>a</div>":           "",
		"<p>a<br>b</p>":                               "Ftnt",
		"<table><tr><td>a<td></table>":                "TgrFt.F",
		"<div style='display:table'><p>a</p></div>":   "T(r(FFt.))",
		"<div style='display:contents'><p></p></div>": "F",
	} {
		_, b, err := tree(t.Context(), t, "<body>"+source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		got := strings.TrimRight(shape(b), ".")
		if want := "FF" + want; got != want {
			t.Errorf("%s has the boxes %s, want %s", source, got, want)
		}
	}
}

func TestBuildRoot_isBounded(t *testing.T) {
	for name, source := range map[string]string{
		"boxes": strings.Repeat("<p>", MaxBoxes), "depth": strings.Repeat("<div>", MaxDepth*2+2),
		"tables": strings.Repeat("<div style='display:table-row'>", MaxDepth*2+2),
	} {
		if _, _, err := tree(t.Context(), t, source); !errors.Is(err, ErrBounds) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func TestState_Spend_stops(t *testing.T) {
	l, _, _ := tree(t.Context(), t, "a")
	err := func() (err error) {
		defer func() { Recovered(recover(), &err) }()
		for {
			l.Spend(1_000_000)
		}
	}()
	if !errors.Is(err, ErrBounds) {
		t.Errorf("work without end ends with %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	l, _, _ = tree(ctx, t, "a")
	cancel()
	err = func() (err error) {
		defer func() { Recovered(recover(), &err) }()
		l.Spend(2000)
		return nil
	}()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled layout ends with %v", err)
	}
}

func TestFloats(t *testing.T) {
	fl := &Floats{}
	left, right := &css.Style{Float: css.FloatLeft}, &css.Style{Float: css.FloatRight}
	for _, c := range []struct {
		style *css.Style
		w, h  float64
		want  string
	}{
		{left, 100, 50, "0 0"}, {right, 80, 20, "220 0"}, {left, 100, 10, "100 0"}, {left, 60, 10, "100 10"},
		{right, 250, 5, "50 50"},
	} {
		x, y := fl.Place(c.style, c.w, c.h, 0, 300, 0)
		if got := fmt.Sprint(x, y); got != c.want {
			t.Errorf("a float of %v is at %s, want %s", c.w, got, c.want)
		}
	}
	if a, z := fl.Bounds(5, 1, 0, 300); a != 200 || z != 220 {
		t.Errorf("a line has the room from %v to %v", a, z)
	}
	if l, r := fl.Clear(css.ClearLeft), fl.Clear(css.ClearBoth); l != 50 || r != 55 {
		t.Errorf("floats end at %v and %v", l, r)
	}
}

func TestStrut(t *testing.T) {
	s := Strut{}.With(10).With(-4).With(6).Join(Strut{}.With(-7))
	if s.Sum() != 3 {
		t.Errorf("the margins collapse to %v, want 3", s.Sum())
	}
}

func TestDistribute(t *testing.T) {
	for align, want := range map[css.Align]string{
		css.AlignStart: "0 0", css.AlignEnd: "60 0", css.AlignCenter: "30 0", css.AlignSpaceBetween: "0 30",
		css.AlignSpaceAround: "10 20", css.AlignSpaceEvenly: "15 15",
	} {
		at, between := Distribute(align, 60, 3, false)
		if got := fmt.Sprint(at, between); got != want {
			t.Errorf("alignment %d is %s, want %s", align, got, want)
		}
	}
}
