package paint

import (
	"bytes"
	"image"
	"image/color"
	"testing"

	"github.com/fogleman/gg"
)

// blobs returns the coverage of shapes with soft edges, wide and narrow, which reaches beyond a canvas of 200×120.
func blobs() *image.Alpha {
	return PathMask(image.Rect(-20, -10, 230, 130), func(g *gg.Context) {
		g.DrawCircle(60.3, 50.2, 47)
		g.DrawRectangle(120, 10.5, 3, 90)
		g.DrawCircle(215, 118, 50)
		g.Fill()
	})
}

// samePixels fails unless two canvases show the same.
func samePixels(t *testing.T, name string, got, want *Canvas) {
	t.Helper()
	for y := range want.h {
		for x := range want.w {
			if p, q := got.At(x, y), want.At(x, y); p != q {
				t.Fatalf("%s, indexed %v: %d,%d is %v, want %v", name, got.Indexed(), x, y, p, q)
			}
		}
	}
}

// TestStencil_drawsAsItsMaskDoes checks that runs cover what the mask does, in the clip and moved.
func TestStencil_drawsAsItsMaskDoes(t *testing.T) {
	mask, ink := blobs(), color.NRGBA{R: 240, G: 90, B: 40, A: 255}
	s := NewStencil(mask)
	if s.Bytes() > len(mask.Pix)/2 {
		t.Errorf("the stencil takes %d bytes, its mask %d", s.Bytes(), len(mask.Pix))
	}
	background := Solid(color.NRGBA{R: 10, G: 20, B: 60, A: 255})
	for name, draw := range map[string][2]func(c *Canvas){
		"shape": {
			func(c *Canvas) { c.Stencil(s, ink) }, func(c *Canvas) { c.Mask(-20, -10, mask, ink) },
		},
		"moved": {
			func(c *Canvas) { c.Stencil(s.Add(image.Pt(31, -7)), ink) }, func(c *Canvas) { c.Mask(11, -17, mask, ink) },
		},
		"translucent": {
			func(c *Canvas) { c.Stencil(s, color.NRGBA{G: 255, A: 99}) },
			func(c *Canvas) { c.Mask(-20, -10, mask, color.NRGBA{G: 255, A: 99}) },
		},
		"clipped": {
			func(c *Canvas) {
				defer c.ClipRound(image.Rect(30, 15, 170, 110), 30)()
				c.Stencil(s, ink)
			},
			func(c *Canvas) {
				defer c.ClipRound(image.Rect(30, 15, 170, 110), 30)()
				c.Mask(-20, -10, mask, ink)
			},
		},
	} {
		for _, make := range []func() *Canvas{
			func() *Canvas { return New(200, 120, background) }, func() *Canvas { return NewRGBA(200, 120, background) },
		} {
			got, want := make(), make()
			draw[0](got)
			draw[1](want)
			samePixels(t, name, got, want)
			got.Release()
			want.Release()
		}
	}
}

// TestPaintStencil_hasTheColorsOfTheGradient compares a shape on a palette with the exact one, in each direction.
func TestPaintStencil_hasTheColorsOfTheGradient(t *testing.T) {
	const most = 14 // levels, at edges
	s, background := NewStencil(blobs()), Solid(color.NRGBA{R: 10, G: 20, B: 60, A: 255})
	for _, angle := range []Angle{UpRight, Right, DownRight, Down} {
		l := Linear{Angle: angle, Colors: []color.NRGBA{{R: 200, G: 90, B: 40, A: 255}, {R: 60, G: 40, B: 140, A: 255}}}
		indexed, exact := New(200, 120, background), NewRGBA(200, 120, background)
		for _, c := range []*Canvas{indexed, exact} {
			undo := c.Clip(image.Rect(5, 0, 200, 110))
			c.PaintStencil(s, image.Rect(0, -20, 220, 140), l)
			undo()
		}
		for y := range 120 {
			for x := range 200 {
				p, q := indexed.At(x, y), exact.At(x, y)
				if max(abs(int(p.R)-int(q.R)), abs(int(p.G)-int(q.G)), abs(int(p.B)-int(q.B))) > most {
					t.Fatalf("angle %d: %d,%d is %v, want about %v", angle, x, y, p, q)
				}
			}
		}
		if !indexed.Indexed() {
			t.Errorf("angle %d: the canvas has lost its palette", angle)
		}
		indexed.Release()
		exact.Release()
	}
}

// TestConvexMask_isWhatConvexFills compares a mask of a polygon with the polygon.
func TestConvexMask_isWhatConvexFills(t *testing.T) {
	corners, ink := []Point{{20, 30.5}, {90, 10}, {120.25, 60}, {70, 100}}, color.NRGBA{R: 255, G: 255, B: 255, A: 255}
	c := NewRGBA(200, 120, Solid{})
	defer c.Release()
	c.Convex(ink, corners...)
	want := make([]uint8, 200*120)
	for i := range want {
		want[i] = c.rgba.Pix[4*i]
	}
	m, got := ConvexMask(corners...), make([]uint8, 200*120)
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		copy(got[200*y+m.Rect.Min.X:], m.Pix[m.PixOffset(m.Rect.Min.X, y):][:m.Rect.Dx()])
	}
	if !bytes.Equal(got, want) {
		t.Error("the mask differs from the polygon")
	}
	if m := ConvexMask(corners[:2]...); !m.Rect.Empty() {
		t.Errorf("a line has the mask %v", m.Rect)
	}
}

// TestSoftMask_ofLevelCoverage checks that runs of one coverage are blended as their pixels are, where what lies below
// changes in the middle of them.
func TestSoftMask_ofLevelCoverage(t *testing.T) {
	make := func() *Canvas {
		c := New(100, 4, Solid(color.NRGBA{R: 200, G: 210, B: 220, A: 255}))
		c.Fill(image.Rect(41, 0, 77, 3), color.NRGBA{R: 30, G: 60, B: 90, A: 255})
		return c
	}
	whole, single := make(), make()
	defer whole.Release()
	defer single.Release()
	ink, row := color.NRGBA{A: 60}, image.NewAlpha(image.Rect(0, 0, 90, 4))
	for i := range row.Pix {
		row.Pix[i] = uint8(20 * (i % 90 / 31))
	}
	whole.SoftMask(3, 0, row, ink)
	for x := range 90 {
		single.SoftMask(3+x, 0, &image.Alpha{Pix: row.Pix[x:], Stride: 90, Rect: image.Rect(0, 0, 1, 4)}, ink)
	}
	samePixels(t, "level", whole, single)
}
