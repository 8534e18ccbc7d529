package draw

import "math"

// scaled returns a picture at another size: averaged where it shrinks, interpolated where it grows.
func (p *picture) scaled(w, h int, nearest bool) *picture {
	if w == p.w && h == p.h {
		return p
	}
	if nearest {
		out := &picture{pix: make([]uint8, 4*w*h), w: w, h: h}
		for y := range h {
			for x := range w {
				copy(out.pix[4*(y*w+x):][:4], p.pix[4*((2*y+1)*p.h/(2*h)*p.w+(2*x+1)*p.w/(2*w)):])
			}
		}
		return out
	}
	across := resample(p.pix, p.w, p.h, w, 4, 4*p.w, 4, 4*w)
	down := resample(across, p.h, w, h, 4*w, 4, 4*w, 4)
	return &picture{pix: down, w: w, h: h}
}

// tap is the source pixels of one pixel: their weights, of 1<<14 together.
type tap struct {
	from    int
	weights []int32
}

// taps returns how n pixels make m: by the shares that they cover where it shrinks, by interpolation where it grows.
func taps(n, m int) []tap {
	ratio := float64(n) / float64(m)
	list := make([]tap, m)
	for i := range list {
		center := (float64(i) + .5) * ratio
		reach := max(ratio/2, 1)
		if ratio > 1 {
			reach = ratio / 2
		}
		lo, hi := center-reach, center+reach
		from, to := max(int(math.Floor(lo)), 0), min(int(math.Ceil(hi)), n)
		shares := make([]float64, to-from)
		sum := 0.0
		for k := range shares {
			at := float64(from + k)
			if ratio > 1 {
				shares[k] = max(min(at+1, hi)-max(at, lo), 0)
			} else {
				shares[k] = max(1-math.Abs(at+.5-center), 0)
			}
			sum += shares[k]
		}
		t := tap{from: from, weights: make([]int32, len(shares))}
		rest, best := int32(1<<14), 0
		for k, w := range shares {
			t.weights[k] = int32(w/sum*(1<<14) + .5)
			rest -= t.weights[k]
			if t.weights[k] > t.weights[best] {
				best = k
			}
		}
		t.weights[best] += rest
		list[i] = t
	}
	return list
}

// resample scales count lines of n pixels to m pixels. step and line are the distances of pixels and lines in bytes, of
// the source and of the result.
func resample(src []uint8, n, count, m, step, line, outStep, outLine int) []uint8 {
	if n == m {
		return src
	}
	out := make([]uint8, 4*m*count)
	for i, t := range taps(n, m) {
		for l := range count {
			var a [4]int32
			o := l*line + t.from*step
			for _, w := range t.weights {
				s := src[o : o+4 : o+4]
				a[0] += w * int32(s[0])
				a[1] += w * int32(s[1])
				a[2] += w * int32(s[2])
				a[3] += w * int32(s[3])
				o += step
			}
			d := out[l*outLine+i*outStep:][:4]
			for k := range a {
				d[k] = uint8((a[k] + 1<<13) >> 14)
			}
		}
	}
	return out
}
