package shape_test

import (
	"math"
	"strings"
	"testing"

	. "masthead/render/html/css/shape"
	"masthead/render/html/css/value"
)

// units are px alone.
type units struct{}

func (units) Unit(n float64, unit string) (float64, bool) { return n, unit == "px" }

func TestParsePath(t *testing.T) {
	for source, want := range map[string]string{
		"M1 2 3 4z": "MLZ", "m1-2l.5.5 1e1,1": "MLL", "M0 0h5V6": "MLL", "M0 0c1 1 2 2 3 3s1 1 2 2": "MCC",
		"M0 0q1 1 2 2t3 3": "MQQ", "M0 0a5 5 0 0110 0": "MCC", "M0 0a0 5 0 1 0 9 9": "ML", "": "",
	} {
		steps, ok := ParsePath(source)
		got := ""
		for _, s := range steps {
			got += string(s.Op)
		}
		if !ok || got != want {
			t.Errorf("%q is %s, %v; want %s", source, got, ok, want)
		}
	}
	for source, want := range map[string]int{"L1 1": 0, "M1": 0, "M1 1 L2": 1, "M1 1z 3 4": 2, "M0 0a1 1 0 2 0 1 1": 1, "M0 0x": 1} {
		if steps, ok := ParsePath(source); ok || len(steps) != want {
			t.Errorf("%q has %d steps, %v; want %d before an error", source, len(steps), ok, want)
		}
	}
	steps, _ := ParsePath("m1 2 3 4 h1")
	if end := steps[2].Points; end[0] != 5 || end[1] != 6 {
		t.Errorf("the path ends at %v", end)
	}
}

// TestParsePath_isBounded reads a path with more steps than are kept.
func TestParsePath_isBounded(t *testing.T) {
	if _, ok := ParsePath("M0 0" + strings.Repeat("h1", 9_999)); !ok {
		t.Error("a path of 10,000 steps is refused")
	}
	if steps, ok := ParsePath("M0 0" + strings.Repeat("h1", 20_000)); ok || len(steps) > 10_001 {
		t.Errorf("%d steps are read, and %v", len(steps), ok)
	}
}

func TestRead(t *testing.T) {
	for source, want := range map[string]Kind{
		"padding-box": Reference, "inset(1px 2px round 3px / 4px)": Inset, "xywh(1px 2px 3px 4px)": Inset,
		"rect(auto 5px 6px 1px)": Inset, "circle()": Circle, "circle(5px at left 10%) border-box": Circle,
		"ellipse(closest-side 5px)": Ellipse, "polygon(evenodd, 0 0, 1px 1px)": Polygon, "path('M0 0h1')": Path,
		"shape(from 0 0, line to 1px 1px, arc by 1px 1px of 2px large, close)": Commands,
	} {
		s, ok := Read(units{}, value.Parse(source))
		if !ok || s.Kind != want {
			t.Errorf("%s is %+v, %v; want the kind %d", source, s, ok, want)
		}
	}
	for _, source := range []string{
		"inset()", "inset(1px round)", "xywh(1px)", "circle(1px 1px)", "ellipse(1px)", "circle(-1px)", "circle(at)",
		"polygon()", "polygon(1px)", "path('L')", "shape(line to 0 0)", "shape(from 0 0, curve to 1px)", "circle() circle()",
	} {
		if s, ok := Read(units{}, value.Parse(source)); ok {
			t.Errorf("%s is %+v, want no shape", source, s)
		}
	}
	s, _ := Read(units{}, value.Parse("xywh(10px 20px 30px 40px)"))
	if r, b := s.Inset.Right.Resolve(100), s.Inset.Bottom.Resolve(100); s.Inset.Left.Px != 10 || r != 60 || b != 40 {
		t.Errorf("xywh() is the inset %+v", s.Inset)
	}
	if s, ok := Read(units{}, value.Parse("none")); s != nil || !ok {
		t.Errorf("none is %+v, %v", s, ok)
	}
}

// TestRead_isBounded reads more points and commands than are kept.
func TestRead_isBounded(t *testing.T) {
	for source, want := range map[string]bool{
		"polygon(0 0" + strings.Repeat(",0 0", 2000) + ")": true, "polygon(0 0" + strings.Repeat(",0 0", 2001) + ")": false,
		"shape(from 0 0" + strings.Repeat(",hline to 1px", 10_000) + ")": true,
		"shape(from 0 0" + strings.Repeat(",hline to 1px", 10_001) + ")": false,
	} {
		if _, ok := Read(units{}, value.Parse(source)); ok != want {
			t.Errorf("%.30s… is read: %v, want %v", source, ok, want)
		}
	}
}

func TestReadCorners(t *testing.T) {
	c, ok := ReadCorners(units{}, value.Parse("1px 2px 3px / 4px"))
	if !ok || c.BottomLeft.X.Px != 2 || c.BottomRight.X.Px != 3 || c.TopLeft.Y.Px != 4 || c.None() {
		t.Errorf("got %+v, %v", c, ok)
	}
	if _, ok := ReadCorners(units{}, value.Parse("-1px")); ok {
		t.Error("a negative radius is read")
	}
	for source, want := range map[string]float64{
		"round": 0, "superellipse(1)": 0, "superellipse(0)": CornerBevel, "superellipse(infinity)": CornerSquare,
		"superellipse(-500)": CornerNotch, "squircle": 2,
	} {
		if n, ok := ReadCornerShape(units{}, &value.Parse(source)[0]); !ok || n != want {
			t.Errorf("%s is %v, %v; want %v", source, n, ok, want)
		}
	}
}

// FuzzParsePath reads any path: only M, L, C, Q and Z with finite numbers, beginning with M.
func FuzzParsePath(f *testing.F) {
	f.Add("M1 2c1 1 2 2 3 3s1 1 2 2q1 1 2 2t3 3a5 5 30 0110 0zm1e9-.5h1V2")
	f.Fuzz(func(t *testing.T, source string) {
		steps, _ := ParsePath(source)
		for i, s := range steps {
			if !strings.Contains("MLCQZ", string(s.Op)) || i == 0 && s.Op != 'M' {
				t.Fatalf("%q: step %d is %c", source, i, s.Op)
			}
			for _, n := range s.Points {
				if math.IsNaN(n) || math.IsInf(n, 0) {
					t.Fatalf("%q: step %d is %+v", source, i, s)
				}
			}
		}
		Read(units{}, value.Parse(source))
	})
}
