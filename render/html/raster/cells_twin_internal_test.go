package raster

import (
	"bytes"
	"image"
	"math/rand/v2"
	"testing"

	freetype "github.com/golang/freetype/raster"
	"golang.org/x/image/math/fixed"
)

// twinMask is rasterizer.Mask by golang/freetype, on a canvas that is larger than the path: there it makes no mistakes.
func twinMask(p Path, evenOdd bool, bounds image.Rectangle) *image.Alpha {
	m := image.NewAlpha(bounds)
	whole := Outer(p.Bounds()).Inset(-2)
	r := freetype.NewRasterizer(whole.Dx(), whole.Dy())
	r.UseNonZeroWinding = !evenOdd
	at := func(x, y float64) fixed.Point26_6 {
		return fixed.Point26_6{
			X: fixed.Int26_6(toFixed(x) - whole.Min.X*one), Y: fixed.Int26_6(toFixed(y) - whole.Min.Y*one),
		}
	}
	var start fixed.Point26_6
	p.Flatten(.03, func(x, y float64, begins, ends bool) (over bool) {
		switch {
		case begins:
			start = at(x, y)
			r.Start(start)
		case ends:
			r.Add1(start)
		default:
			r.Add1(at(x, y))
		}
		return false
	})
	r.Rasterize(freetype.PainterFunc(func(spans []freetype.Span, _ bool) {
		for _, s := range spans {
			for x := s.X0; x < s.X1; x++ {
				if q := image.Pt(x, s.Y).Add(whole.Min); q.In(bounds) {
					m.Pix[m.PixOffset(q.X, q.Y)] = uint8(s.Alpha >> 8)
				}
			}
		}
	}))
	return m
}

// letters returns a path of closed contours of lines and curves around a canvas of a size.
func letters(r *rand.Rand, size float64) (p Path) {
	v := func() float64 {
		switch r.IntN(8) {
		case 0: // on the sides, and on other whole pixels
			return float64(r.IntN(int(size) + 1))
		case 1: // far away
			return size * (20*r.Float64() - 10)
		}
		return size * (2*r.Float64() - .5)
	}
	for range 1 + r.IntN(4) {
		x, y := v(), v()
		p.Move(x, y)
		for range 1 + r.IntN(7) {
			switch r.IntN(5) {
			case 0:
				p.Cubic(v(), v(), v(), v(), v(), v())
			case 1:
				x = v()
				p.Line(x, y)
			case 2:
				y = v()
				p.Line(x, y)
			default:
				x, y = v(), v()
				p.Line(x, y)
			}
		}
		if r.IntN(4) > 0 {
			p.Close()
		}
	}
	return p
}

// compareMasks compares the mask of a path within bounds, and within a part of them, with those of the twin.
func compareMasks(t *testing.T, p Path, evenOdd bool, bounds image.Rectangle) {
	t.Helper()
	var z rasterizer
	got, want := image.NewAlpha(bounds), twinMask(p, evenOdd, bounds)
	drawn := z.Mask(p, evenOdd, bounds)
	for y := drawn.Rect.Min.Y; y < drawn.Rect.Max.Y; y++ {
		from := drawn.PixOffset(drawn.Rect.Min.X, y)
		copy(got.Pix[got.PixOffset(drawn.Rect.Min.X, y):], drawn.Pix[from:][:drawn.Rect.Dx()])
	}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		from := got.PixOffset(bounds.Min.X, y)
		a, b := got.Pix[from:][:bounds.Dx()], want.Pix[from:][:bounds.Dx()]
		if !bytes.Equal(a, b) {
			t.Fatalf("in %v, row %d: got %v, want %v of %v", bounds, y, a, b, p)
		}
	}
}

// TestMask_atTheSides_isAsItsTwin draws paths on canvases that cut them: the coverage is exactly that of the same part
// of a canvas that holds all of the path.
func TestMask_atTheSides_isAsItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		size := []float64{3, 20, 60, 120}[r.IntN(4)]
		x, y := r.IntN(int(size)), r.IntN(int(size))
		bounds := image.Rect(x, y, x+1+r.IntN(int(size)), y+1+r.IntN(int(size)))
		compareMasks(t, letters(r, size), r.IntN(3) == 0, bounds)
	}
}

// FuzzMask_isAsItsTwin is the same for other paths.
func FuzzMask_isAsItsTwin(f *testing.F) {
	f.Add(uint64(1), uint64(2), 0, 0, 20, 20, false)
	f.Add(uint64(3), uint64(4), -5, 7, 3, 40, true)
	f.Fuzz(func(t *testing.T, seed, more uint64, x, y, w, h int, evenOdd bool) {
		const most = 500
		if min(x, y) < -most || max(x, y) > most || min(w, h) < 1 || max(w, h) > most {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, more))
		compareMasks(t, letters(r, float64(1+r.IntN(200))), evenOdd, image.Rect(x, y, x+w, y+h))
	})
}
