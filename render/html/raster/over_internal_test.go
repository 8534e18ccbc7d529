package raster

import (
	"bytes"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"masthead/render/html/css"
)

// premultiplied returns pixels with runs of one color, transparent and opaque ones among them.
func premultiplied(r *rand.Rand, n int) []uint8 {
	pix := make([]uint8, 4*n)
	for i := 0; i < len(pix); {
		a := uint8([]int{0, 255, 255, r.IntN(256)}[r.IntN(4)])
		c := []uint8{Mul(uint8(r.IntN(256)), a), Mul(uint8(r.IntN(256)), a), Mul(uint8(r.IntN(256)), a), a}
		for k := r.IntN(9); k >= 0 && i < len(pix); k-- {
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
		n := r.IntN(40)
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
					if z.enlarge(got, w, h, n*w); !bytes.Equal(got, plainEnlarged(z, w, h)) {
						t.Fatalf("%d channels, 1/%d, %dx%d, edge %d: other pixels", n, 1<<shift, w, h, e)
					}
				}
			}
		}
	}
}
