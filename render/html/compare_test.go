package html_test

import (
	"image"
	"image/draw"
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
	flat := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(flat, flat.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(flat, flat.Rect, img, b.Min, draw.Over)
	factors := [3][3]float32{{.299, .587, .114}, {.5, -.4187, -.0813}, {-.1687, -.3313, .5}}
	var out [3][]float32
	tmp := make([]float32, w*h)
	for k := range out {
		src, f := make([]float32, w*h), factors[k]
		for i := range src {
			p := flat.Pix[4*i : 4*i+3 : 4*i+3]
			src[i] = f[0]*float32(p[0]) + f[1]*float32(p[1]) + f[2]*float32(p[2])
		}
		for y := range h {
			row, to := src[y*w:][:w], tmp[y*w:][:w]
			for x := range row {
				to[x] = (row[max(0, x-1)] + 2*row[x] + row[min(w-1, x+1)]) / 4
			}
		}
		for y := range h {
			a, m, c := tmp[max(0, y-1)*w:][:w], tmp[y*w:][:w], tmp[min(h-1, y+1)*w:][:w]
			for x, v := range m {
				src[y*w+x] = (a[x] + 2*v + c[x]) / 4
			}
		}
		out[k] = src
	}
	return out
}

// blockAt compares the block of a at x0, y0 with that of b moved by dx, dy.
func blockAt(a, b *[3][]float32, w, h, x0, y0, dx, dy int) (similar, far float64, busy, flat bool) {
	const c1, c2 = (.01 * 255) * (.01 * 255), (.03 * 255) * (.03 * 255)
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
