package html_test

import (
	"image"
	"math"
)

// This file judges pictures as compare.mjs of the corpus does, with the same numbers.

// By how much the mean of a block may be off, of 255: one with edges in it, and a plain one.
const (
	offBlock = 16.0
	offFlat  = 6.0
)

// verdict is how alike two pictures are.
type verdict struct {
	ssim, off float64
	size      bool
}

// holds reports whether a case with or without text holds.
func (v verdict) holds(text bool) bool {
	if text {
		return v.ssim >= .95 && v.off <= .02
	}
	return v.ssim >= .98 && v.off <= .01
}

// planes returns luma and two planes of chroma, smoothed by a 3x3 binomial.
func planes(img image.Image) [3][]float32 {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	var out [3][]float32
	rgb := make([][3]float64, w*h)
	for y := range h {
		for x := range w {
			r, g, bl, a := img.At(b.Min.X+x, b.Min.Y+y).RGBA()
			over := func(v uint32) float64 { return math.RoundToEven(float64(v+(0xffff-a)) / 257) }
			rgb[y*w+x] = [3]float64{over(r), over(g), over(bl)}
		}
	}
	for k := range out {
		src, tmp, dst := make([]float32, w*h), make([]float32, w*h), make([]float32, w*h)
		for i, c := range rgb {
			switch k {
			case 0:
				src[i] = float32(.299*c[0] + .587*c[1] + .114*c[2])
			case 1:
				src[i] = float32(.5*c[0] - .4187*c[1] - .0813*c[2])
			default:
				src[i] = float32(-.1687*c[0] - .3313*c[1] + .5*c[2])
			}
		}
		for y := range h {
			for x := range w {
				o := y * w
				tmp[o+x] = (src[o+max(0, x-1)] + 2*src[o+x] + src[o+min(w-1, x+1)]) / 4
			}
		}
		for y := range h {
			for x := range w {
				dst[y*w+x] = (tmp[max(0, y-1)*w+x] + 2*tmp[y*w+x] + tmp[min(h-1, y+1)*w+x]) / 4
			}
		}
		out[k] = dst
	}
	return out
}

// blockAt compares the block of a at x0, y0 with that of b moved by dx, dy.
func blockAt(a, b *[3][]float32, w, h, x0, y0, dx, dy int) (similar, far float64, busy, flat bool) {
	c1, c2 := math.Pow(.01*255, 2), math.Pow(.03*255, 2)
	xa, xb := max(x0, -dx), min(w, x0+8, w-dx)
	ya, yb := max(y0, -dy), min(h, y0+8, h-dy)
	if xb <= xa || yb <= ya {
		return 0, 255, true, false
	}
	n := float64((xb - xa) * (yb - ya))
	similar, flat = 1, true
	for k := range 3 {
		p, q := a[k], b[k]
		var sa, sb, saa, sbb, sab float64
		for y := ya; y < yb; y++ {
			i, j := y*w+xa, (y+dy)*w+xa+dx
			for range xb - xa {
				u, v := float64(p[i]), float64(q[j])
				sa, sb, saa, sbb, sab = sa+u, sb+v, saa+u*u, sbb+v*v, sab+u*v
				i++
				j++
			}
		}
		ma, mb := sa/n, sb/n
		va, vb, cov := max(0, saa/n-ma*ma), max(0, sbb/n-mb*mb), sab/n-ma*mb
		la, lb := ma, mb
		if k > 0 {
			la, lb = ma+128, mb+128
		}
		s := ((2*la*lb + c1) * (2*cov + c2)) / ((la*la + lb*lb + c1) * (va + vb + c2))
		similar = min(similar, s)
		far = max(far, math.Abs(ma-mb))
		if va > 4 || vb > 4 {
			flat = false
		} else if math.Abs(ma-mb) > 2 {
			busy = true
		}
	}
	if flat {
		far *= offBlock / offFlat
	}
	return similar, far, busy || !flat, flat
}

// compare judges a picture by the expected one.
func compare(got, want image.Image) verdict {
	if got.Bounds().Size() != want.Bounds().Size() {
		return verdict{off: 1}
	}
	w, h := got.Bounds().Dx(), got.Bounds().Dy()
	a, b := planes(got), planes(want)
	sum, live, off, blocks := 0.0, 0, 0, 0
	for y0 := 0; y0 < h; y0 += 8 {
		for x0 := 0; x0 < w; x0 += 8 {
			s, far, busy, flat := blockAt(&a, &b, w, h, x0, y0, 0, 0)
			blocks++
			if !busy {
				continue
			}
			if s < .995 || far > offBlock {
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						if dx == 0 && dy == 0 {
							continue
						}
						s2, far2, _, _ := blockAt(&a, &b, w, h, x0, y0, dx, dy)
						s, far = max(s, s2), min(far, far2)
					}
				}
			}
			if !flat {
				live++
				sum += max(0, s)
			}
			if far > offBlock {
				off++
			}
		}
	}
	v := verdict{ssim: 1, off: float64(off) / float64(blocks), size: true}
	if live > 0 {
		v.ssim = sum / float64(live)
	}
	return v
}
