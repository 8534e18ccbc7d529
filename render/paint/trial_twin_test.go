package paint

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"
)

// FuzzTrial compares a trial with a veil that is covered whole, at places that the trial is for.
func FuzzTrial(f *testing.F) {
	scripts(f, 200, 60)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		w, h := 1+s.n(200), 1+s.n(200)
		v, reused := NewVeil(w, h), *NewVeil(1+s.n(200), 1+s.n(200))
		rect := func() image.Rectangle { return image.Rect(s.n(220)-10, s.n(220)-10, s.n(220)-10, s.n(220)-10) }
		wave := func(k float64) func(x, y float64) float64 {
			return func(x, y float64) float64 { return math.Sin(x*k) * math.Cos(y/9) }
		}
		v.Cover(rect(), wave(.1))
		v.Blur(rect(), wave(.2))
		shape, before := v.NewVeilShape(rect(), wave(.05)), v.Clone()
		for range 3 {
			r, part := rect(), float64(s.n(21))/20
			want := v.Clone()
			want.CoverBy(shape, part)
			v.Trial(&reused, r, shape, part)
			for y := max(r.Min.Y, 0); y < min(r.Max.Y, h); y++ {
				for x := max(r.Min.X, 0); x < min(r.Max.X, w); x++ {
					cover, blur := reused.At(x, y)
					if c, b := want.At(x, y); cover != c || blur != b {
						t.Fatalf("at %d,%d: %v, %v, want %v, %v", x, y, cover, blur, c, b)
					}
				}
			}
		}
		if !slices.Equal(v.cover, before.cover) || !slices.Equal(v.blur, before.blur) {
			t.Error("a trial changed the veil")
		}
	})
}

// FuzzEveryOther compares the cells of EveryOther with those of Cells, of which it leaves out every other one, and
// stops it anywhere.
func FuzzEveryOther(f *testing.F) {
	scripts(f, 200, 20)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		img := image.NewNRGBA(image.Rect(0, 0, 1+s.n(90), 1+s.n(90)))
		for i := range img.Pix {
			img.Pix[i] = uint8(i * 7)
		}
		img.SetNRGBA(0, 0, color.NRGBA{A: 255})
		p := NewPlate(img, PlateSpec{W: 4 + s.n(90), H: 4 + s.n(90)})
		r := image.Rect(s.n(110)-10, s.n(110)-10, s.n(110)-10, s.n(110)-10)
		type place struct {
			x, y int
			c    *Cell
		}
		var want, got []place
		p.Cells(r, func(x, y int, c *Cell) {
			if (x/CellSide+y/CellSide)%2 == 0 {
				want = append(want, place{x, y, c})
			}
		})
		if got := p.CountEveryOther(r); got != len(want) {
			t.Errorf("%v of %dx%d: %d cells, want %d", r, p.w, p.h, got, len(want))
		}
		stop := 1 + s.n(120)
		want = want[:min(stop, len(want))]
		p.EveryOther(r, func(x, y int, c *Cell) bool {
			got = append(got, place{x, y, c})
			return len(got) < stop
		})
		if !slices.Equal(got, want) {
			t.Errorf("%v of %dx%d: %v, want %v", r, p.w, p.h, got, want)
		}
	})
}
