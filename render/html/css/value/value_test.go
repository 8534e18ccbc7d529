package value_test

import (
	"math"
	"strings"
	"testing"

	. "masthead/render/html/css/value"
)

// units are those of an element with text of 20 px.
type units struct{}

func (units) Unit(n float64, unit string) (float64, bool) {
	px, ok := map[string]float64{"px": 1, "em": 20, "vw": 12}[unit]
	return n * px, ok
}

func one(t *testing.T, source string) *Value {
	t.Helper()
	list := Parse(source)
	if len(list) != 1 {
		t.Fatalf("%q has %d values, want 1", source, len(list))
	}
	return &list[0]
}

func TestReader_Length(t *testing.T) {
	for source, want := range map[string]float64{ // of 200 px
		"3px": 3, "2em": 40, "50%": 100, "0": 0, "calc(50% - 1em)": 80, "calc((1px + 1vw) * 2)": 26,
		"min(10%, 5px)": 5, "max(10%, 5px)": 20, "clamp(30px, 10%, 40px)": 30, "clamp(none, 50%, 40px)": 40,
		"calc(2 * max(10%, 5px) + 1px)": 41, "abs(-4px)": 4, "round(up, 11px, 5px)": 15, "mod(-1px, 4px)": 3,
		"calc(10px * sin(90deg))": 10, "calc(10px / 4px * 1px)": 2.5, "calc(1px * pow(2, 3))": 8,
	} {
		l, ok := Reader{Units: units{}}.Length(one(t, source))
		if got := l.Resolve(200); !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, %v; want %v", source, got, ok, want)
		}
	}
	for _, source := range []string{
		"3", "3zz", "red", "calc(1px + 1)", "calc(1px * 1px)", "calc(1px / 0)", "min(1px, 1)", "clamp(1px, none, 2px)",
		"clamp(1px, 2px)", "foo(1px)", "calc()", "sin()",
	} {
		if l, ok := (Reader{Units: units{}}).Length(one(t, source)); ok {
			t.Errorf("%s is %+v, want no length", source, l)
		}
	}
}

func TestReader_numbers(t *testing.T) {
	r := Reader{Units: units{}}
	if n, ok := r.NumberOrPercent(one(t, "25%"), 8); !ok || n != 2 {
		t.Errorf("got %v, %v; want 2", n, ok)
	}
	if n, ok := r.NumberOrPercent(one(t, "calc(20% + 5%)"), 8); !ok || n != 2 {
		t.Errorf("got %v, %v; want 2", n, ok)
	}
	for source, want := range map[string]float64{"90deg": 90, ".25turn": 90, "100grad": 90, "calc(45deg * 2)": 90, "0": 0} {
		if n, ok := r.Angle(one(t, source)); !ok || n != want {
			t.Errorf("%s is %v, %v; want %v", source, n, ok, want)
		}
	}
	if _, ok := r.Positive(one(t, "-1px")); ok {
		t.Error("a negative length is positive")
	}
	if l, ok := r.Positive(one(t, "calc(1px - 2px)")); !ok || l.Px != 0 {
		t.Errorf("got %v, %v; want a calculation to be at least 0", l, ok)
	}
}

func TestReader_Position(t *testing.T) {
	for source, want := range map[string][2]float64{ // of 200 px
		"left": {0, 100}, "top": {100, 0}, "center": {100, 100}, "bottom right": {200, 200}, "10px 25%": {10, 50},
		"right 10px bottom 25%": {190, 150}, "left 5px top": {5, 0},
	} {
		p, ok := Reader{Units: units{}}.Position(Parse(source))
		if got := [2]float64{p[0].Resolve(200), p[1].Resolve(200)}; !ok || got != want {
			t.Errorf("%s is %v, %v; want %v", source, got, ok, want)
		}
	}
	for _, source := range []string{"", "10px top left", "a", "top 10px", "1px 2px 3px 4px 5px"} {
		if p, ok := (Reader{Units: units{}}).Position(Parse(source)); ok {
			t.Errorf("%s is %v, want no position", source, p)
		}
	}
}

func TestParse(t *testing.T) {
	for source, want := range map[string]string{
		`a b,c`: `a b,c`, `url( 'x y' )`: `url("x y")`, `"a\22 b"`: `"a\"b"`, `F(1px /*c*/ + [2])`: `f(1px + [2])`,
		`#\66 00`: `#f00`, `@Media`: `@media`, `{a:b`: `{a:b}`, `1.50e1PX`: `1.50e1PX`,
	} {
		if got := Format(Parse(source)); got != want {
			t.Errorf("%s is written %s, want %s", source, got, want)
		}
	}
	if n, unit := NumberOf("-1.5E2Px"); n != -150 || unit != "px" {
		t.Errorf("got %v %q", n, unit)
	}
	if n, _ := NumberOf("1e400"); math.Abs(n) > 1e9 {
		t.Errorf("got %v, want a bounded number", n)
	}
}

// TestParse_isBounded reads functions nested deeper than is kept: of the deepest one, the name alone is.
func TestParse_isBounded(t *testing.T) {
	list, depth := Parse(strings.Repeat("calc(", 1000)+"1px"), 0
	for len(list) > 0 {
		list, depth = list[0].Args, depth+1
	}
	if depth != MaxNesting+1 {
		t.Errorf("the depth is %d, want %d", depth, MaxNesting+1)
	}
}

// FuzzParse reads values and writes them, which is the same again when it is read; it also evaluates them.
func FuzzParse(f *testing.F) {
	f.Add("calc(1px + 2%) min(1em,max(3vw,1px)) 'a\\'b' url(x) #f00 {a:b;c:[d]} @media")
	f.Add("round(up, 1px, 0px) hypot(3px, 4px) 1e999 -.5e-3q calc(1px / (1px - 1px)) atan2(1px, 2px)")
	f.Fuzz(func(t *testing.T, source string) {
		list := Parse(source)
		r := Reader{Units: units{}}
		for i := range list {
			if l, ok := r.Length(&list[i]); ok && math.IsNaN(l.Resolve(100)) {
				t.Errorf("the length %q is not a number", source)
			}
			r.Angle(&list[i])
			r.Size(&list[i])
		}
		r.Position(list)
		_ = Format(list)
	})
}
