package raster

import (
	"image"
	"math"
)

// Pixels are those of a picture to be drawn, premultiplied.
type Pixels struct {
	Pix  []uint8
	W, H int
}

// PictureOf converts a picture, keeping colors premultiplied.
func PictureOf(img *image.NRGBA) *Pixels {
	p := &Pixels{W: img.Rect.Dx(), H: img.Rect.Dy()}
	p.Pix = make([]uint8, 4*p.W*p.H)
	for y := range p.H {
		src := img.Pix[img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y):][:4*p.W]
		dst := p.Pix[4*p.W*y:][:4*p.W]
		for i := 0; i < len(src); i += 4 {
			a := src[i+3]
			if a == 255 {
				copy(dst[i:i+4], src[i:i+4])
				continue
			}
			dst[i], dst[i+1], dst[i+2], dst[i+3] = Mul(src[i], a), Mul(src[i+1], a), Mul(src[i+2], a), a
		}
	}
	return p
}

// Part returns a copy of a part of a picture, which has it.
func (p *Pixels) Part(x, y, w, h int) *Pixels {
	out := &Pixels{Pix: make([]uint8, 0, 4*w*h), W: w, H: h}
	for i := range h {
		out.Pix = append(out.Pix, p.Pix[4*((y+i)*p.W+x):][:4*w]...)
	}
	return out
}

// PictureShader draws a picture: at takes device pixels to its pixels. Outside it is transparent, or repeated.
type PictureShader struct {
	*Pixels
	At               Matrix
	RepeatX, RepeatY bool
	Exact            bool // whole pixels, moved only
	Nearest          bool
	// periods with space between repetitions; the picture's own size without
	PeriodX, PeriodY float64
}

func wrap(v, n int) int {
	v %= n
	if v < 0 {
		v += n
	}
	return v
}

// Shade implements [Shader].
func (s *PictureShader) Shade(y, x int, out []uint8) {
	if s.Exact {
		s.copyRow(y, x, out)
		return
	}
	u, v := s.At.Apply(float64(x)+.5, float64(y)+.5)
	for i := 0; i+3 < len(out); i += 4 {
		s.sample(u, v, out[i:i+4:i+4])
		u += s.At.A
		v += s.At.B
	}
}

func (s *PictureShader) copyRow(y, x int, out []uint8) {
	v, u := y+int(s.At.F), x+int(s.At.E)
	n := len(out) / 4
	if s.RepeatY {
		v = wrap(v, int(s.PeriodY))
	}
	if v < 0 || v >= s.H {
		clear(out)
		return
	}
	row := s.Pix[4*s.W*v:][:4*s.W]
	period := int(s.PeriodX)
	for i := 0; i < n; {
		k := u + i
		if s.RepeatX {
			k = wrap(k, period)
		}
		switch {
		case k < 0:
			m := min(-k, n-i)
			clear(out[4*i : 4*(i+m)])
			i += m
		case k >= s.W:
			m := n - i
			if s.RepeatX {
				m = min(period-k, n-i)
			}
			clear(out[4*i : 4*(i+m)])
			i += m
		default:
			m := min(s.W-k, n-i)
			copy(out[4*i:4*(i+m)], row[4*k:])
			i += m
		}
	}
}

// sample reads the picture at u, v with bilinear interpolation; edges are repeated.
func (s *PictureShader) sample(u, v float64, out []uint8) {
	if s.RepeatX {
		u -= s.PeriodX * math.Floor(u/s.PeriodX)
	}
	if s.RepeatY {
		v -= s.PeriodY * math.Floor(v/s.PeriodY)
	}
	if u < 0 || v < 0 || u > float64(s.W) || v > float64(s.H) {
		out[0], out[1], out[2], out[3] = 0, 0, 0, 0
		return
	}
	if s.Nearest {
		x, y := min(int(u), s.W-1), min(int(v), s.H-1)
		copy(out, s.Pix[4*(y*s.W+x):][:4])
		return
	}
	u, v = u-.5, v-.5
	fx, fy := math.Floor(u), math.Floor(v)
	x0, y0 := int(fx), int(fy)
	x1, y1 := x0+1, y0+1
	tx, ty := int(256*(u-fx)), int(256*(v-fy))
	aroundX, aroundY := s.RepeatX && s.PeriodX == float64(s.W), s.RepeatY && s.PeriodY == float64(s.H)
	x0, x1 = within(x0, s.W, aroundX), within(x1, s.W, aroundX)
	y0, y1 = within(y0, s.H, aroundY), within(y1, s.H, aroundY)
	a, b := s.Pix[4*(y0*s.W+x0):][:4], s.Pix[4*(y0*s.W+x1):][:4]
	c, d := s.Pix[4*(y1*s.W+x0):][:4], s.Pix[4*(y1*s.W+x1):][:4]
	for k := range 4 {
		top := int(a[k])*(256-tx) + int(b[k])*tx
		low := int(c[k])*(256-tx) + int(d[k])*tx
		out[k] = uint8((top*(256-ty) + low*ty + 1<<15) >> 16)
	}
}

// within returns the index of a pixel of n: the other end's beyond an end, or the nearest.
func within(k, n int, around bool) int {
	if around && (k < 0 || k >= n) {
		return wrap(k, n)
	}
	return min(max(k, 0), n-1)
}
