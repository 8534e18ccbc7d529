package draw

import (
	"bytes"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"masthead/render/html/css"
	"masthead/render/html/layout"
	"masthead/render/html/raster"
)

// filterPixels returns premultiplied pixels, many of them opaque.
func filterPixels(r *rand.Rand, n int) []uint8 {
	pix := make([]uint8, 0, 4*n)
	for range n {
		a := uint8([]int{255, 255, r.IntN(256)}[r.IntN(3)])
		for range 3 {
			pix = append(pix, raster.Mul(uint8(r.IntN(256)), a))
		}
		pix = append(pix, a)
	}
	return pix
}

// Filters of colors are what their matrix says for each pixel, also where tables have parts of it.
func TestFilterColors_tables_areAsTheirTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for kind := css.FilterKind(0); kind < 32; kind++ {
		switch kind {
		case css.FilterBlur, css.FilterDropShadow, css.FilterOpacity:
			continue
		}
		for _, amount := range []float64{0, .3, 1, 1.7} {
			f := &css.Filter{Kind: kind, Amount: amount}
			pix := filterPixels(r, 3000)
			want := bytes.Clone(pix)
			m, scale, add := colorMatrix(f)
			for i := 0; i < len(want); i += 4 {
				if want[i+3] > 0 {
					filterColor(want[i:i+4], m, scale, add)
				}
			}
			if filterColors(pix, f); !bytes.Equal(pix, want) {
				t.Errorf("filter %d of %g: other pixels", kind, amount)
			}
		}
	}
}

// A drop shadow is what is drawn over its moved and blurred alpha, also where it leaves the layer.
func TestDropShadow_below_isAsItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	p := &painter{}
	ink := css.Color{NRGBA: color.NRGBA{30, 60, 200, 130}}
	of := &layout.Fragment{Style: &css.Style{Text: &css.Text{}}}
	for range 40 {
		rect := image.Rect(0, 0, 1+r.IntN(50), 1+r.IntN(50)).Add(image.Pt(r.IntN(9), r.IntN(9)))
		w, h := rect.Dx(), rect.Dy()
		dx, dy := r.IntN(130)-65, r.IntN(130)-65
		l, out := raster.NewLayer(rect), raster.NewLayer(rect)
		copy(l.Pix, filterPixels(r, w*h))
		m := image.NewAlpha(rect)
		for y := range h {
			for x := range w {
				if u, v := x-dx, y-dy; u >= 0 && v >= 0 && u < w && v < h {
					m.Pix[y*w+x] = l.Pix[4*(v*w+u)+3]
				}
			}
		}
		f := &css.Filter{Kind: css.FilterDropShadow}
		f.Shadow.X, f.Shadow.Y, f.Shadow.Blur, f.Shadow.Color = float64(dx), float64(dy), 3*r.Float64(), ink
		raster.Blur(m.Pix, w, h, w, 1, f.Shadow.Blur, raster.EdgeZero)
		p.FillMask(out, raster.Clip{R: rect}, m, rect.Min.X, rect.Min.Y, raster.SolidOf(ink.Of(of.Style.Color)))
		raster.Over(out.Pix, l.Pix)
		if got := p.dropShadow(l, f, 1, of); !bytes.Equal(got.Pix, out.Pix) {
			t.Fatalf("a shadow at %d, %d of %dx%d is another", dx, dy, w, h)
		}
	}
}
