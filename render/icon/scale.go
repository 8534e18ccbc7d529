package icon

import (
	"image"
	"math/bits"

	"github.com/disintegration/imaging"
)

// This file scales pictures: first by halves, which is cheap, and from the last half with imaging.

// pyramid is a picture with its successive halves.
type pyramid struct{ levels []*image.NRGBA }

// newPyramid takes ownership of a picture whose first pixel is at 0, 0.
func newPyramid(img *image.NRGBA) *pyramid { return &pyramid{[]*image.NRGBA{img}} }

// level returns the picture halved n times, at most as often as [halvings].
func (p *pyramid) level(n int) *image.NRGBA {
	for i := len(p.levels); i <= n; i++ {
		p.levels = append(p.levels, half(p.levels[i-1]))
	}
	return p.levels[n]
}

// halvings returns how often a picture can be halved; a picture with a side of 1 can't.
func halvings(size image.Point) int { return max(bits.Len(uint(min(size.X, size.Y)))-1, 0) }

// halvingsBelow returns the number of halvings after which the longer side is less than bound, or the maximum.
func halvingsBelow(size image.Point, bound int) int {
	most := halvings(size)
	for n := range most {
		if max(size.X, size.Y)>>n < bound {
			return n
		}
	}
	return most
}

// below returns the first level whose longer side is less than bound, otherwise the smallest.
func (p *pyramid) below(bound int) *image.NRGBA {
	return p.level(halvingsBelow(p.levels[0].Rect.Size(), bound))
}

// halvingsFor returns how often to halve a picture before a part of it is scaled to w×h pixels: to a level of at least
// 1.3 times the size, or three times if the part isn't aligned to that level's pixels.
func halvingsFor(size image.Point, part image.Rectangle, w, h int) int {
	most := halvings(size)
	for n := range most {
		next := image.Rect(0, 0, size.X>>(n+1), size.Y>>(n+1))
		r, exact := reduced(part, n+1)
		if (next.Dx() < w || next.Dy() < h) && r == next {
			return n
		}
		if least := leastRatio(exact); float64(r.Dx()) < least*float64(w) || float64(r.Dy()) < least*float64(h) {
			return n
		}
	}
	return most
}

// scaled returns a part of the picture at w×h pixels.
func (p *pyramid) scaled(part image.Rectangle, w, h int) *image.NRGBA {
	n := halvingsFor(p.levels[0].Rect.Size(), part, w, h)
	img := p.level(n)
	r, _ := reduced(part, n)
	r = r.Intersect(img.Rect)
	if r.Dx() == w && r.Dy() == h {
		return imaging.Clone(img.SubImage(r))
	}
	sub := img.SubImage(r).(*image.NRGBA)
	if r.Dx() < w || r.Dy() < h {
		return imaging.Resize(sub, w, h, imaging.Lanczos) // fit sharpens it, within the values around each pixel
	}
	return imaging.Resize(sub, w, h, imaging.Lanczos)
}

// leastRatio is the minimum ratio of a level to the result.
func leastRatio(exact bool) float64 {
	if exact {
		return 1.3
	}
	return 3
}

// reduced returns a rectangle on a level, and whether it is exactly the same there.
func reduced(r image.Rectangle, n int) (_ image.Rectangle, exact bool) {
	mask := 1<<n - 1
	exact = (r.Min.X|r.Min.Y|r.Max.X|r.Max.Y)&mask == 0
	round := func(v int) int { return (v + mask/2) >> n }
	return image.Rect(round(r.Min.X), round(r.Min.Y), round(r.Max.X), round(r.Max.Y)), exact
}

// half returns a picture of half the size, each pixel the mean of four, weighted by alpha. An odd last row or column is
// dropped, which is invisible as part of a larger reduction.
func half(img *image.NRGBA) *image.NRGBA {
	w, h := img.Rect.Dx()/2, img.Rect.Dy()/2
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		upper := img.Pix[2*y*img.Stride:][:8*w]
		lower := img.Pix[(2*y+1)*img.Stride:][:8*w]
		dst := out.Pix[y*out.Stride:][:4*w]
		for len(dst) > 0 {
			p, q := (*[8]uint8)(upper), (*[8]uint8)(lower)
			d := (*[4]uint8)(dst)
			a, b, c, e := uint32(p[3]), uint32(p[7]), uint32(q[3]), uint32(q[7])
			switch sum := a + b + c + e; sum {
			case 0:
			case 4 * 255:
				for i := range 3 {
					d[i] = uint8((uint32(p[i]) + uint32(p[4+i]) + uint32(q[i]) + uint32(q[4+i]) + 2) / 4)
				}
				d[3] = 255
			default:
				for i := range 3 {
					d[i] = uint8((uint32(p[i])*a + uint32(p[4+i])*b + uint32(q[i])*c + uint32(q[4+i])*e + sum/2) / sum)
				}
				d[3] = uint8((sum + 2) / 4)
			}
			upper, lower, dst = upper[8:], lower[8:], dst[4:]
		}
	}
	return out
}

// enlarged repeats each pixel of a part n times in both directions.
func enlarged(img *image.NRGBA, part image.Rectangle, n int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, n*part.Dx(), n*part.Dy()))
	for y := range out.Rect.Dy() {
		src, dst := img.Pix[img.PixOffset(part.Min.X, part.Min.Y+y/n):], out.Pix[y*out.Stride:]
		for x := range out.Rect.Dx() {
			copy(dst[4*x:4*x+4], src[4*(x/n):])
		}
	}
	return out
}

// neighbors are the positions around a pixel, with their weights.
var neighbors = [8][3]int{
	{-1, 0, 2}, {1, 0, 2}, {0, -1, 2}, {0, 1, 2}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1},
}

// sharpened restores the edges of a small picture that reducing has blurred. No pixel becomes lighter or darker than
// its neighbors, so there are no halos.
func sharpened(img *image.NRGBA, amount float64) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewNRGBA(img.Rect)
	at := func(x, y int) (p [4]float64) {
		if x < 0 || y < 0 || x >= w || y >= h {
			return p // transparent: the mark ends at the edge of its box
		}
		s := img.Pix[y*img.Stride+4*x:][:4]
		a := float64(s[3])
		return [4]float64{float64(s[0]) * a / 255, float64(s[1]) * a / 255, float64(s[2]) * a / 255, a}
	}
	opaque := img.Opaque()
	for y := range h {
		for x := range w {
			p := at(x, y)
			var sum, least, most [4]float64
			least, most = p, p
			n := 0.0
			for _, d := range neighbors {
				nx, ny := x+d[0], y+d[1]
				if opaque {
					nx, ny = min(max(nx, 0), w-1), min(max(ny, 0), h-1)
				}
				q := at(nx, ny)
				n += float64(d[2])
				for i := range 4 {
					sum[i] += float64(d[2]) * q[i]
					least[i], most[i] = min(least[i], q[i]), max(most[i], q[i])
				}
			}
			var v [4]float64
			for i := range 4 {
				v[i] = min(max(p[i]+amount*(p[i]-sum[i]/n), least[i]), most[i])
			}
			if a := v[3]; a >= .5 {
				d := out.Pix[y*out.Stride+4*x:][:4]
				for i := range 3 {
					d[i] = uint8(min(v[i]*255/a+.5, 255))
				}
				d[3] = uint8(a + .5)
			}
		}
	}
	return out
}
