package paint

import (
	"image"
	"image/color"
	"testing"

	"github.com/fogleman/gg"
)

// TestPaintMask_fillsAShapeWithAGradient checks colors within a shape, at its edge and outside of it, on both formats
// of pixels.
func TestPaintMask_fillsAShapeWithAGradient(t *testing.T) {
	background, light, deep := color.NRGBA{R: 10, G: 12, B: 20, A: 255}, color.NRGBA{R: 240, G: 200, B: 90, A: 255},
		color.NRGBA{R: 90, G: 20, B: 160, A: 255}
	mask := PathMask(image.Rect(40, 20, 161, 101), func(g *gg.Context) {
		g.DrawRectangle(40, 20, 120.5, 80)
		g.Fill()
	})
	for _, c := range []*Canvas{New(200, 120, Solid(background)), NewRGBA(200, 120, Solid(background))} {
		c.PaintMask(mask, image.Rect(0, 20, 200, 100), Linear{Angle: Down, Colors: []color.NRGBA{light, deep}})
		for _, p := range []struct {
			x, y int
			want color.NRGBA
		}{{100, 20, light}, {100, 99, deep}, {100, 60, mid(light, deep)}, {30, 60, background}, {100, 101, background},
			{160, 20, mid(light, background)}} {
			if got := c.At(p.x, p.y); abs(int(got.R)-int(p.want.R)) > 9 || abs(int(got.B)-int(p.want.B)) > 9 {
				t.Errorf("indexed %v: %d,%d is %v, want %v", c.Indexed(), p.x, p.y, got, p.want)
			}
		}
		c.Release()
	}
}

// TestPaintMask_outgrowsThePalette checks that a shape which finds no room in the palette is drawn all the same.
func TestPaintMask_outgrowsThePalette(t *testing.T) {
	c := New(200, 120, Solid(color.NRGBA{A: 255}))
	defer c.Release()
	full := RoundMask(image.Rect(0, 0, 200, 120), 0)
	for i := range 6 {
		hue := color.NRGBA{R: uint8(40 * i), G: uint8(250 - 40*i), B: 128, A: 255}
		c.PaintMask(full, full.Rect, Linear{Angle: Right, Colors: []color.NRGBA{{A: 255}, hue}})
	}
	if c.Indexed() {
		t.Error("the canvas has a palette still")
	}
	if got, want := c.At(199, 60), (color.NRGBA{R: 200, G: 50, B: 128, A: 255}); abs(int(got.R)-int(want.R)) > 4 {
		t.Errorf("the last color is %v, want %v", got, want)
	}
}

// TestLinear_staysWithinItsPart checks From and To: before and beyond them a gradient has its end colors.
func TestLinear_staysWithinItsPart(t *testing.T) {
	light, deep := color.NRGBA{R: 240, A: 255}, color.NRGBA{B: 240, A: 255}
	l := Linear{Angle: Right, Colors: []color.NRGBA{light, deep}, From: 50, To: 150}
	for _, c := range []*Canvas{New(200, 10, l), NewRGBA(200, 10, l)} {
		for x, want := range map[int]color.NRGBA{0: light, 48: light, 100: mid(light, deep), 152: deep, 199: deep} {
			if got := c.At(x, 5); abs(int(got.R)-int(want.R)) > 4 || abs(int(got.B)-int(want.B)) > 4 {
				t.Errorf("indexed %v: %d is %v, want %v", c.Indexed(), x, got, want)
			}
		}
		c.Release()
	}
}

func mid(p, q color.NRGBA) color.NRGBA {
	half := func(a, b uint8) uint8 { return uint8((int(a) + int(b)) / 2) }
	return color.NRGBA{R: half(p.R, q.R), G: half(p.G, q.G), B: half(p.B, q.B), A: 255}
}
