package transform_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	. "masthead/render/html/css/transform"
	"masthead/render/html/css/value"
)

// units are px alone.
type units struct{}

func (units) Unit(n float64, unit string) (float64, bool) { return n, unit == "px" }

func TestRead(t *testing.T) {
	for source, want := range map[string][6]float64{
		"matrix(1,2,3,4,5,6)": {1, 2, 3, 4, 5, 6}, "scale(2)": {2, 0, 0, 2, 0, 0}, "scale(2, 50%)": {2, 0, 0, .5, 0, 0},
		"scaleY(3)": {1, 0, 0, 3, 0, 0}, "rotate(0)": {1, 0, 0, 1, 0, 0}, "skewX(45deg)": {1, 0, 1, 1, 0, 0},
		"matrix3d(1,2,0,0, 3,4,0,0, 0,0,1,0, 5,6,0,1)": {1, 2, 3, 4, 5, 6}, "rotate3d(0,0,0,1deg)": {1, 0, 0, 1, 0, 0},
	} {
		list, ok := Read(units{}, value.Parse(source))
		if !ok || len(list) != 1 || list[0].Kind != Matrix {
			t.Errorf("%s is %+v, %v", source, list, ok)
			continue
		}
		for i, got := range list[0].Matrix {
			if math.Abs(got-want[i]) > 1e-9 {
				t.Errorf("%s is %v, want %v", source, list[0].Matrix, want)
				break
			}
		}
	}
	list, ok := Read(units{}, value.Parse("translate(50%, 3px) perspective(9px) translateY(1px) translateZ(2px)"))
	if !ok || len(list) != 2 || list[0].X.Percent != 50 || list[0].Y.Px != 3 || list[1].Y.Px != 1 ||
		list[1].Kind != Translate {
		t.Errorf("got %+v, %v", list, ok)
	}
	if list, ok := Read(units{}, value.Parse("none")); list != nil || !ok {
		t.Errorf("none is %v, %v", list, ok)
	}
	for _, source := range []string{"matrix(1)", "scale()", "rotate(1px)", "nonsense(1)", "red", "translate(1px 2px)", "rotate(1deg, 2deg)"} {
		if list, ok := Read(units{}, value.Parse(source)); ok {
			t.Errorf("%s is %+v, want nothing", source, list)
		}
	}
}

func TestParseAttribute(t *testing.T) {
	for source, want := range map[string]string{
		"translate(3)": "[[1 0 0 1 3 0]]", "scale(2), scale(1 3)": "[[2 0 0 2 0 0] [1 0 0 3 0 0]]",
		"rotate(0 5 6)": "[[1 0 0 1 5 6] [1 0 -0 1 0 0] [1 0 0 1 -5 -6]]", "": "[]",
	} {
		list, ok := ParseAttribute(source)
		if got := fmt.Sprint(list); !ok || got != want {
			t.Errorf("%q is %s, %v; want %s", source, got, ok, want)
		}
	}
	for _, source := range []string{"scale()", "matrix(1 2)", "nonsense(1)", "scale", "scale(a)"} {
		if list, ok := ParseAttribute(source); ok {
			t.Errorf("%q is %v, want nothing", source, list)
		}
	}
}

// TestRead_isBounded reads lists of more functions than are kept.
func TestRead_isBounded(t *testing.T) {
	if list, ok := Read(units{}, value.Parse(strings.Repeat("scale(1) ", 64))); !ok || len(list) != 64 {
		t.Errorf("64 functions are %d, %v", len(list), ok)
	}
	if _, ok := Read(units{}, value.Parse(strings.Repeat("scale(1) ", 65))); ok {
		t.Error("65 functions are read")
	}
	if _, ok := ParseAttribute(strings.Repeat("rotate(1) ", 100)); ok {
		t.Error("an attribute of 100 functions is read")
	}
}
