package raster

import (
	"bytes"
	"image"
	"image/color"
	"math/rand/v2"
	"slices"
	"testing"

	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/gradient"
	"masthead/render/html/css/value"
)

// premultiplied returns pixels with runs of one color, transparent and opaque ones among them.
func premultiplied(r *rand.Rand, n int) []uint8 {
	pix := make([]uint8, 4*n)
	for i := 0; i < len(pix); {
		a := uint8([]int{0, 255, 255, r.IntN(256)}[r.IntN(4)])
		c := []uint8{Mul(uint8(r.IntN(256)), a), Mul(uint8(r.IntN(256)), a), Mul(uint8(r.IntN(256)), a), a}
		for k := r.IntN(9) * (1 + 2*r.IntN(2)); k >= 0 && i < len(pix); k-- {
			copy(pix[i:], c)
			i += 4
		}
	}
	return pix
}

func maskOf(r *rand.Rand, n int) []uint8 {
	m := make([]uint8, n)
	for i := 0; i < n; {
		v := uint8([]int{0, 255, r.IntN(256)}[r.IntN(3)])
		for k := r.IntN(12); k >= 0 && i < n; k-- {
			m[i] = v
			i++
		}
	}
	return m
}

// plainOver draws a pixel over another by the definition, for each channel; m and alpha are shares of it.
func plainOver(d, s []uint8, m, alpha uint8) {
	share := Mul(m, alpha)
	a := Mul(s[3], share)
	for k := range 4 {
		d[k] = Mul(s[k], share) + Mul(d[k], 255-a)
	}
}

// Pixels that are drawn two at a time, and in runs, are what they are one by one.
func TestOver_rows_areAsTheirTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for i := range 4000 {
		n := r.IntN(60)
		dst, src, mask := premultiplied(r, n), premultiplied(r, n), maskOf(r, n)
		alpha := uint8([]int{255, r.IntN(256)}[r.IntN(2)])
		c := premultiplied(r, 1)
		k := Solid{c[0], c[1], c[2], c[3]}
		for name, f := range map[string]struct {
			fast  func(d []uint8)
			plain func(d []uint8, i int)
		}{
			"Over":      {func(d []uint8) { Over(d, src) }, func(d []uint8, i int) { plainOver(d, src[4*i:], 255, 255) }},
			"overAlpha": {func(d []uint8) { overAlpha(d, src, alpha) }, func(d []uint8, i int) { plainOver(d, src[4*i:], 255, alpha) }},
			"overMask": {
				func(d []uint8) { overMask(d, src, mask, alpha) },
				func(d []uint8, i int) { plainOver(d, src[4*i:], mask[i], alpha) },
			},
			"over":           {func(d []uint8) { k.over(d, alpha) }, func(d []uint8, _ int) { plainOver(d, c, 255, alpha) }},
			"Solid.overMask": {func(d []uint8) { k.overMask(d, mask, 255) }, func(d []uint8, i int) { plainOver(d, c, mask[i], 255) }},
		} {
			got, want := slices.Clone(dst), slices.Clone(dst)
			f.fast(got)
			for i := range n {
				f.plain(want[4*i:4*i+4], i)
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%s, %d pixels (%d): % x, want % x", name, n, i, got, want)
			}
		}
		if n == 0 {
			continue
		}
		l := &Layer{R: image.Rect(0, 0, n, 1), Stride: 4 * n, Pix: slices.Clone(dst)}
		Under(l, &image.Alpha{Pix: mask, Stride: n, Rect: l.R}, k)
		for i := range n {
			want := make([]uint8, 4)
			plainOver(want, c, mask[i], 255)
			if plainOver(want, dst[4*i:], 255, 255); !bytes.Equal(l.Pix[4*i:4*i+4], want) {
				t.Fatalf("below % x: % x, want % x", dst[4*i:4*i+4], l.Pix[4*i:4*i+4], want)
			}
		}
	}
}

// Blended pixels that are remembered are those of the definition, also when mode and alpha change.
func TestBlendRow_remembered_isAsItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	p := &Compositor{}
	for range 600 {
		n := r.IntN(200)
		dst, src, mask := premultiplied(r, n), premultiplied(r, n), maskOf(r, n)
		if r.IntN(2) == 0 {
			mask = nil
		}
		mode := []css.Blend{css.BlendMultiply, css.BlendOverlay, css.BlendLuminosity, css.BlendPlusLighter}[r.IntN(4)]
		alpha := uint8([]int{255, 0, 100}[r.IntN(3)])
		got, want := slices.Clone(dst), slices.Clone(dst)
		p.BlendRow(got, src, mask, alpha, mode)
		if blendRow(want, src, mask, alpha, mode); !bytes.Equal(got, want) {
			t.Fatalf("mode %d, alpha %d: % x, want % x", mode, alpha, got, want)
		}
	}
}

// plainEnlarged is the slow twin of enlarge: each channel of each pixel between four cells.
func plainEnlarged(z *blurrer, w, h int) []uint8 {
	out := make([]uint8, z.n*w*h)
	for y := range h {
		a, b, k := z.between(y, z.h)
		for x := range w {
			c, d, m := z.between(x, z.w)
			for i := range z.n {
				at := func(x, y int) uint64 { return z.cells[y*z.w+x] >> (16 * i) & 0xff }
				mix := func(a, b, k uint64) uint64 { return ((256-k)*a + k*b + 128) >> 8 }
				out[z.n*(y*w+x)+i] = uint8(mix(mix(at(c, a), at(c, b), k), mix(at(d, a), at(d, b), k), m))
			}
		}
	}
	return out
}

// plainReduced is the slow twin of reduce: the mean of each square.
func plainReduced(z *blurrer, pix []uint8, w, h int) []uint64 {
	side := 1 << z.shift
	out := make([]uint64, z.w*z.h)
	for cy := range z.h {
		for cx := range z.w {
			for i := range z.n {
				sum := 0
				for y := (cy - z.border) * side; y < (cy-z.border+1)*side; y++ {
					for x := (cx - z.border) * side; x < (cx-z.border+1)*side; x++ {
						u, v := x, y
						if z.edge == EdgeMirror {
							u, v = mirrored(x, w), mirrored(y, h)
						}
						if u >= 0 && v >= 0 && u < w && v < h {
							sum += int(pix[z.n*(v*w+u)+i])
						}
					}
				}
				out[cy*z.w+cx] |= uint64((sum+side*side/2)/(side*side)) << (16 * i)
			}
		}
	}
	return out
}

// Sums and differences of lanes are those of single channels, at every scale and for sizes that no scale divides.
func TestBlur_atAFraction_isAsItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for shift := range maxShift + 1 {
		for _, n := range []int{1, 4} {
			for _, e := range []Edge{EdgeZero, EdgeMirror} {
				for range 60 {
					w, h := 1+r.IntN(70), 1+r.IntN(40)
					pix := premultiplied(r, w*h)
					if n == 1 {
						if pix = maskOf(r, w*h); shift == 0 {
							continue // blurred otherwise
						}
					}
					z := &blurrer{n: n, edge: e, shift: shift}
					z.reduce(pix, w, h, n*w)
					if want := plainReduced(z, pix, w, h); !slices.Equal(z.cells, want) {
						t.Fatalf("%d channels, 1/%d, %dx%d: other cells", n, 1<<shift, w, h)
					}
					got := make([]uint8, n*w*h)
					if z.enlarge(got, w, h, n*w, image.Rectangle{}); !bytes.Equal(got, plainEnlarged(z, w, h)) {
						t.Fatalf("%d channels, 1/%d, %dx%d, edge %d: other pixels", n, 1<<shift, w, h, e)
					}
				}
			}
		}
	}
}

// A gradient is drawn where it isn't transparent as if it was drawn everywhere.
func TestFillRect_transparentGradients_areAsTheirTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	card := image.Rect(0, 0, 130, 90)
	p := &Compositor{}
	stop := func(a uint8, at float64) gradient.Stop {
		s := gradient.Stop{Color: colors.Color{NRGBA: color.NRGBA{uint8(r.IntN(256)), 90, 200, a}}}
		s.At = value.Length{Percent: 100 * at}
		return s
	}
	parts := 0
	for range 400 {
		g := &gradient.Gradient{Kind: gradient.Radial, Circle: r.IntN(2) == 0, Angle: 180 * float64(r.IntN(2))}
		if r.IntN(3) == 0 {
			g.Kind = gradient.Linear
		}
		g.X, g.Y = value.Length{Percent: r.Float64()*140 - 20}, value.Length{Percent: r.Float64()*140 - 20}
		alphas := [][]uint8{{255, 0}, {0, 255}, {0, 120, 0}, {0, 0, 255}, {120, 30, 0}}[r.IntN(5)]
		for i, a := range alphas {
			g.Stops = append(g.Stops, stop(a, float64(i)*(.1+.3*r.Float64())))
		}
		m := Matrix{A: .5 + r.Float64(), B: r.Float64() - .5, C: r.Float64() - .5, D: 1, E: 9, F: 3}
		if r.IntN(2) == 0 {
			m = Identity
		}
		s := Gradient(g, Rect{X0: 5, Y0: 7, X1: 120, Y1: 80}, m, color.NRGBA{})
		got, want := NewLayer(card), NewLayer(card)
		copy(got.Pix, premultiplied(r, 130*90))
		copy(want.Pix, got.Pix)
		at := image.Rect(r.IntN(60), r.IntN(40), 70+r.IntN(60), 45+r.IntN(40))
		p.FillRect(got, Clip{R: card}, at, s)
		for y := at.Min.Y; y < at.Max.Y; y++ {
			row := make([]uint8, 4*at.Dx())
			s.Shade(y, at.Min.X, row)
			Over(want.Row(y, at.Min.X, at.Max.X), row)
			if g, ok := s.(reaching); ok {
				if from, to := g.reach(y); from > at.Min.X || to < at.Max.X {
					parts++
				}
			}
		}
		if !bytes.Equal(got.Pix, want.Pix) {
			t.Fatalf("a gradient of kind %d through %v in %v differs", g.Kind, alphas, at)
		}
		got.Release()
		want.Release()
	}
	if parts < 1000 {
		t.Errorf("only %d rows are drawn in part", parts)
	}
}

// A mask is blurred beside what doesn't matter as if all of it did.
func TestBlurMask_except_isAsItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 400 {
		m := image.NewAlpha(image.Rect(0, 0, 1+r.IntN(120), 1+r.IntN(60)).Add(image.Pt(r.IntN(9), r.IntN(9))))
		copy(m.Pix, maskOf(r, len(m.Pix)))
		want := image.NewAlpha(m.Rect)
		copy(want.Pix, m.Pix)
		sigma := []float64{.4, 2, 4, 7, 20, 50}[r.IntN(6)]
		x, y := r.IntN(120), r.IntN(60)
		except := image.Rect(x, y, x+r.IntN(90), y+r.IntN(40))
		BlurMask(m, sigma, except)
		Blur(want.Pix, want.Rect.Dx(), want.Rect.Dy(), want.Stride, 1, sigma, EdgeZero)
		for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
			for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
				if !image.Pt(x, y).In(except) && m.AlphaAt(x, y) != want.AlphaAt(x, y) {
					t.Fatalf("sigma %g, %v besides %v: %d, %d is %d, want %d", sigma, m.Rect, except, x, y,
						m.AlphaAt(x, y).A, want.AlphaAt(x, y).A)
				}
			}
		}
	}
}

func TestCropped_transparentEdges_areLeftOut(t *testing.T) {
	l := NewLayer(image.Rect(5, 5, 25, 25))
	l.Row(9, 8, 9)[3], l.Row(14, 12, 13)[0] = 7, 8
	own := l.Cropped()
	if own.R != image.Rect(8, 9, 13, 15) || own.Row(9, 8, 9)[3] != 7 || own.Row(14, 12, 13)[0] != 8 {
		t.Errorf("what is left is %v: %v", own.R, own.Pix)
	}
	clear(l.Pix)
	if own = l.Cropped(); len(own.Pix) > 0 || !own.R.Empty() {
		t.Errorf("of nothing, %v is left", own.R)
	}
}
