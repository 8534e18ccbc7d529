package gradient_test

import (
	"image/color"
	"strings"
	"testing"

	"masthead/render/html/css/colors"
	. "masthead/render/html/css/gradient"
	"masthead/render/html/css/value"
)

// page is a light page with black text, and px alone.
type page struct{}

func (page) Unit(n float64, unit string) (float64, bool) { return n, unit == "px" }
func (page) CurrentColor() color.NRGBA                   { return color.NRGBA{A: 255} }
func (page) Dark() bool                                  { return false }

func read(source string) (*Gradient, bool) { return Read(page{}, &value.Parse(source)[0]) }

func TestRead(t *testing.T) {
	for source, holds := range map[string]func(g *Gradient) bool{
		"linear-gradient(red, blue)":          func(g *Gradient) bool { return g.Angle == 180 && g.Space == colors.SRGB },
		"linear-gradient(to left, red, blue)": func(g *Gradient) bool { return g.Angle == 270 },
		"linear-gradient(to top right, red)":  func(g *Gradient) bool { return g.Corner && g.SideX == 1 && g.SideY == -1 },
		"repeating-linear-gradient(45deg, red 1px 2px)": func(g *Gradient) bool {
			return g.Repeating && g.Angle == 45 && len(g.Stops) == 2 && g.Stops[1].At.Px == 2
		},
		"linear-gradient(in oklch longer hue, red, blue)": func(g *Gradient) bool {
			return g.Space == colors.Oklch && g.Hue == colors.HueLonger
		},
		"linear-gradient(oklch(.5 .1 9), red)": func(g *Gradient) bool { return g.Space == colors.Oklab },
		"linear-gradient(red, 30%, blue)":      func(g *Gradient) bool { return g.Stops[1].Hint && g.Stops[0].Auto },
		"radial-gradient(circle closest-side at left, red, 5px blue)": func(g *Gradient) bool {
			return g.Kind == Radial && g.Circle && g.Extent == value.ClosestSide && g.X.Zero() && g.Y.Percent == 50
		},
		"radial-gradient(1px 2px, red, blue)": func(g *Gradient) bool { return g.Explicit && g.RY.Px == 2 },
		"conic-gradient(from 90deg at 1px 2px, currentcolor, blue .5turn)": func(g *Gradient) bool {
			return g.Kind == Conic && g.Angle == 90 && g.Y.Px == 2 && g.Stops[0].Color.Current && g.Stops[1].At.Percent == 50
		},
	} {
		if g, ok := read(source); !ok || !holds(g) {
			t.Errorf("%s is %+v, %v", source, g, ok)
		}
	}
	for _, source := range []string{
		"linear-gradient()", "linear-gradient(to middle, red)", "linear-gradient(30%, red)", "linear-gradient(red, 30%)",
		"radial-gradient(circle 1px 2px, red)", "radial-gradient(ellipse 1px, red)", "conic-gradient(red 1zz)", "red(1)",
		"linear-gradient(red 1px 2px 3px)",
	} {
		if g, ok := read(source); ok {
			t.Errorf("%s is %+v, want no gradient", source, g)
		}
	}
}

// TestRead_isBounded reads more stops than are kept.
func TestRead_isBounded(t *testing.T) {
	for n, want := range map[int]bool{200: true, 203: false} {
		if _, ok := read("linear-gradient(red" + strings.Repeat(",red", n) + ")"); ok != want {
			t.Errorf("%d stops are read: %v, want %v", n+1, ok, want)
		}
	}
}
