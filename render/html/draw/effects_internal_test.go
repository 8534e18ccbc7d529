package draw

import (
	"bytes"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/layout/fragment"
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
		for r.IntN(3) == 0 { // equal ones one after another
			pix = append(pix, pix[len(pix)-4:]...)
		}
	}
	return pix[:4*n]
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
	ink := colors.Color{NRGBA: color.NRGBA{30, 60, 200, 130}}
	of := &fragment.Fragment{Style: &css.Style{Text: &css.Text{}}}
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
		if got := p.dropShadow(l, f, raster.Identity, of); !bytes.Equal(got.Pix, out.Pix) {
			t.Fatalf("a shadow at %d, %d of %dx%d is another", dx, dy, w, h)
		}
	}
}

// What shadows leave out is within their box, and the rest is as if they left out nothing.
func TestCovered_shadows_areAsTheirTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 3))
	p := &painter{ctx: t.Context(), width: 300, height: 200}
	card, f := image.Rect(0, 0, 300, 200), &fragment.Fragment{}
	empty := 0
	for range 300 {
		shape := raster.RoundRect{Rect: raster.Rect{X0: float64(r.IntN(260) - 30), Y0: float64(r.IntN(150) - 30)}}
		shape.X1, shape.Y1 = shape.X0+float64(1+r.IntN(250)), shape.Y0+float64(1+r.IntN(200))
		for i := range shape.Rx {
			if r.IntN(3) > 0 {
				shape.Rx[i], shape.Ry[i] = float64(r.IntN(150)), float64(r.IntN(100))
			}
		}
		shape.Fit()
		got, want := raster.NewLayer(card), raster.NewLayer(card)
		copy(got.Pix, filterPixels(r, 300*200))
		copy(want.Pix, got.Pix)
		m := raster.Translation(r.Float64(), float64(r.IntN(20)))
		at := target{l: got, c: raster.Clip{R: image.Rect(3, 2, 290, 199)}, m: m}
		covered := p.covered(f, shape, at)
		if covered.Empty() {
			empty++
		}
		var q raster.Path
		shape.AddTo(&q)
		q = q.Transformed(m)
		inside := p.Mask(q, false, covered)
		for y := covered.Min.Y; y < covered.Max.Y; y++ {
			for x := covered.Min.X; x < covered.Max.X; x++ {
				if image.Pt(x, y).In(card) && inside.AlphaAt(x, y).A != 255 {
					t.Fatalf("%d, %d isn't within %+v", x, y, shape)
				}
			}
		}
		sigma := []float64{0, .8, 3, 8, 20, 60}[r.IntN(6)]
		ink := raster.SolidOf(color.NRGBA{200, 30, 60, 170})
		q = q.Transformed(raster.Translation(3, 7))
		if mask := p.blurred(q, false, sigma, at.c.R, covered); mask != nil {
			p.FillAround(got, at.c, mask, covered, ink)
		}
		if mask := p.blurred(q, false, sigma, at.c.R, image.Rectangle{}); mask != nil {
			p.FillMask(want, at.c, mask, mask.Rect.Min.X, mask.Rect.Min.Y, ink)
		}
		for i := 0; i < len(got.Pix); i += 4 {
			x, y := i/4%300, i/4/300
			if !image.Pt(x, y).In(covered) && !bytes.Equal(got.Pix[i:i+4], want.Pix[i:i+4]) {
				t.Fatalf("sigma %g, %+v: %d, %d is % x, want % x", sigma, shape, x, y, got.Pix[i:i+4], want.Pix[i:i+4])
			}
		}
		got.Release()
		want.Release()
	}
	if empty > 150 {
		t.Errorf("%d of 300 boxes cover nothing", empty)
	}
}

// A drawing whose filters are kept looks as it did the first time, and as without anything kept.
func TestKept_drawings_areAsTheirTwin(t *testing.T) {
	const source = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="70" viewBox="0 0 90 70"><defs>
		<filter id="b"><feGaussianBlur stdDeviation="4"/></filter><mask id="k"><rect width="50" height="70" fill="#fff"/></mask>
		</defs><rect width="90" height="70" fill="#ffd166"/><g filter="url(#b)" opacity=".6" style="mix-blend-mode:overlay">
		<circle cx="30" cy="30" r="20" fill="currentColor"/></g><rect x="40" y="20" width="40" height="40" filter="url(#b)"
		mask="url(#k)" fill="#118ab2"/></svg>`
	r := image.Rect(0, 0, 120, 100)
	kept := &Cache{}
	draw := func(k *Cache, m raster.Matrix, c color.NRGBA) []uint8 {
		l := raster.NewLayer(r)
		p := &painter{ctx: t.Context(), width: 120, height: 100, in: &Input{Kept: k}}
		d := k.drawing(source)
		p.paintSVG(nil, d, raster.Rect{X0: 0, Y0: 0, X1: 90, Y1: 70}, target{l: l, c: raster.Clip{R: r}, m: m}, c)
		return l.Pix
	}
	turned := raster.Matrix{A: .8, B: .3, C: -.3, D: .8, E: 30, F: 2}
	for _, m := range []raster.Matrix{raster.Identity, raster.Translation(9, 5), turned} {
		for _, c := range []color.NRGBA{{255, 0, 0, 255}, {0, 90, 255, 255}} {
			want := draw(nil, m, c)
			for i := range 3 {
				if !bytes.Equal(draw(kept, m, c), want) {
					t.Fatalf("picture %d differs", i)
				}
			}
		}
	}
	if n := len(kept.layers); n != 12 || len(kept.drawings) != 1 || kept.Size() < 1000 {
		t.Errorf("%d layers of %d drawings are kept, %d bytes", n, len(kept.drawings), kept.Size())
	}
	sum := func() (n int) {
		for _, l := range kept.layers {
			n += len(l.l.Pix)
		}
		for _, d := range kept.drawings {
			n += perSVGByte * len(d.source)
		}
		return n
	}
	for i := range 40 {
		l := raster.NewLayer(image.Rect(0, 0, 500, 400))
		for k := range l.Pix {
			l.Pix[k] = 255
		}
		kept.keep(layerKey{area: image.Rect(i, 0, 9, 9)}, l)
		l.Release()
		kept.drawing(source + string(bytes.Repeat([]byte(" "), i)))
		if kept.bytes > maxKeptBytes || len(kept.drawings) > maxKeptDrawings || kept.bytes != sum() {
			t.Fatalf("%d bytes are kept, counted as %d, of %d drawings", sum(), kept.bytes, len(kept.drawings))
		}
	}
	last, first := layerKey{area: image.Rect(39, 0, 9, 9)}, layerKey{area: image.Rect(1, 0, 9, 9)}
	if kept.layer(last) == nil || kept.layer(first) != nil {
		t.Error("what was used last isn't what is kept")
	}
}
