package paint

import (
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"math"
)

// Photographs are scaled by our own loops, directly from the decoded JPEG planes: that reads a third of the bytes of
// RGBA pixels, and color, which has a quarter of the samples, is hardly scaled at all. Reduced samples are means over
// areas, enlarged ones are interpolated (Catmull-Rom).

// crop is a part of a picture, in pixels from its upper left corner.
type crop struct{ x, y, w, h float64 }

// coverCrop returns the largest part of a picture of pw×ph with the proportions of w×h; at is its position in the free
// space, 0 (left, top) to 1.
func coverCrop(pw, ph, w, h int, atX, atY float64) crop {
	c := crop{w: float64(pw), h: float64(ph)}
	if pw*h > ph*w {
		c.w = c.h * float64(w) / float64(h)
	} else {
		c.h = c.w * float64(h) / float64(w)
	}
	c.x, c.y = atX*(float64(pw)-c.w), atY*(float64(ph)-c.h)
	return c
}

// scaleCrop scales a part of a picture to w×h opaque RGBA pixels, over background where it is translucent.
func scaleCrop(img image.Image, c crop, w, h int, background color.NRGBA) []uint8 {
	dst := make([]uint8, 4*w*h)
	switch p := img.(type) {
	case *image.YCbCr:
		scaleYCbCr(dst, p, c, w, h)
		return dst
	case *image.NRGBA:
		if p.Opaque() {
			scaleRGBA(dst, p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y):], p.Stride, p.Rect.Size(), c, w, h)
			return dst
		}
	case *image.RGBA:
		if p.Opaque() {
			scaleRGBA(dst, p.Pix[p.PixOffset(p.Rect.Min.X, p.Rect.Min.Y):], p.Stride, p.Rect.Size(), c, w, h)
			return dst
		}
	}
	flat := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	fill32(flat.Pix, background)
	draw.Draw(flat, flat.Rect, img, img.Bounds().Min, draw.Over)
	scaleRGBA(dst, flat.Pix, flat.Stride, flat.Rect.Size(), c, w, h)
	return dst
}

// scaleRGBA scales pixels of four bytes each.
func scaleRGBA(dst, pix []uint8, stride int, size image.Point, c crop, w, h int) {
	across, down := newTaps(c.x, c.w, size.X, w), newTaps(c.y, c.h, size.Y, h)
	sums := pixelSums{make([]int64, across.last-across.from), make([]int32, across.last-across.from)}
	for y := range h {
		down.sumPixelRows(sums, pix[4*across.from:], stride, y)
		across.sumPixels(dst[4*y*w:][:4*w], sums)
	}
}

// scaleYCbCr scales the planes of a decoded JPEG, each from its own resolution.
func scaleYCbCr(dst []uint8, p *image.YCbCr, c crop, w, h int) {
	size := p.Rect.Size()
	luma := newPlane(p.Y[p.YOffset(p.Rect.Min.X, p.Rect.Min.Y):], p.YStride, size, c, w, h)
	half, chroma := c, size
	sx, sy := subsampling(p.SubsampleRatio)
	half.x, half.w, chroma.X = c.x/float64(sx), c.w/float64(sx), (size.X+sx-1)/sx
	half.y, half.h, chroma.Y = c.y/float64(sy), c.h/float64(sy), (size.Y+sy-1)/sy
	at := p.COffset(p.Rect.Min.X, p.Rect.Min.Y)
	cb, cr := newPlane(p.Cb[at:], p.CStride, chroma, half, w, h), newPlane(p.Cr[at:], p.CStride, chroma, half, w, h)
	for y := range h {
		a, b, r := luma.row(y), cb.row(y), cr.row(y)
		d := dst[4*y*w:][:4*w]
		for x := range a {
			toRGB(d[4*x:4*x+4:4*x+4], a[x], b[x], r[x])
		}
	}
}

// subsampling returns how many pixels share a sample of color, across and down.
func subsampling(r image.YCbCrSubsampleRatio) (across, down int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 1, 1
}

// toRGB writes an opaque pixel. Source: JFIF 1.02, in 16.16 fixed point.
func toRGB(d []uint8, y, cb, cr uint8) {
	l, b, r := int32(y)<<16+1<<15, int32(cb)-128, int32(cr)-128
	d[0], d[1], d[2], d[3] = clamp16(l+91881*r), clamp16(l-22554*b-46802*r), clamp16(l+116130*b), 255
}

func clamp16(v int32) uint8 { return uint8(min(max(v>>16, 0), 255)) }

// plane is one channel being scaled.
type plane struct {
	pix          []uint8
	stride       int
	across, down *taps
	acc          []int32
	out          []uint8
}

func newPlane(pix []uint8, stride int, size image.Point, c crop, w, h int) *plane {
	p := &plane{pix: pix, stride: stride, out: make([]uint8, w)}
	p.across, p.down = newTaps(c.x, c.w, size.X, w), newTaps(c.y, c.h, size.Y, h)
	p.acc = make([]int32, p.across.last-p.across.from)
	return p
}

func (p *plane) row(y int) []uint8 {
	p.down.sumRows(p.acc, p.pix[p.across.from:], p.stride, y)
	p.across.sumSamples(p.out, p.acc)
	return p.out
}

// taps are the source samples of each scaled sample in a row or column, with their weights, which add up to one.
type taps struct {
	n          int     // per scaled sample
	first      []int32 // first sample of each
	weight     []int32 // n per sample, in units of 1/(1<<tapBits)
	from, last int     // range of all samples used; last is excluded
}

const (
	tapBits = 14
	sumBits = 8 // by which vertical sums are shifted right, to leave room for the horizontal weights
)

// newTaps computes the taps for scaling length samples from start, out of count, to n.
func newTaps(start, length float64, count, n int) *taps {
	scale := length / float64(n)
	t := &taps{n: 4, first: make([]int32, n), from: count, last: 0}
	if scale > 1 {
		t.n = min(int(math.Ceil(scale))+1, count)
	}
	t.n = min(t.n, count)
	t.weight = make([]int32, n*t.n)
	raw := make([]float64, t.n)
	for i := range n {
		first := int(math.Floor(start + float64(i)*scale))
		center := start + (float64(i)+.5)*scale - .5
		if scale <= 1 {
			first = int(math.Floor(center)) - 1
		}
		clear(raw)
		base := min(max(first, 0), count-t.n)
		span := 4
		if scale > 1 {
			span = int(math.Ceil(scale)) + 1
		}
		for k := range span {
			at := first + k
			v := catmullRom(center - float64(at))
			if scale > 1 { // overlap of the sample and the area
				low, high := start+float64(i)*scale, start+float64(i+1)*scale
				v = max(min(high, float64(at+1))-max(low, float64(at)), 0)
			}
			raw[min(max(at, base), base+t.n-1)-base] += v // samples outside equal the nearest one inside
		}
		t.set(i, base, raw)
	}
	return t
}

// set stores the weights of a scaled sample, rounded so that they add up to one.
func (t *taps) set(i, first int, raw []float64) {
	t.first[i] = int32(first)
	t.from, t.last = min(t.from, first), max(t.last, first+t.n)
	sum, most := 0.0, 0
	for k, v := range raw {
		if sum += v; v > raw[most] {
			most = k
		}
	}
	w, rest := t.weight[i*t.n:][:t.n], int32(1<<tapBits)
	for k, v := range raw {
		w[k] = int32(math.Round(v / sum * (1 << tapBits)))
		rest -= w[k]
	}
	w[most] += rest
}

func catmullRom(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x < 1:
		return (1.5*x-2.5)*x*x + 1
	case x < 2:
		return ((-.5*x+2.5)*x-4)*x + 2
	}
	return 0
}

// sumRows adds up the source rows of scaled row i, starting at the samples that taps across use.
func (t *taps) sumRows(acc []int32, pix []uint8, stride, i int) {
	w := t.weight[i*t.n:][:t.n]
	at := int(t.first[i]) * stride
	for k := 0; k < len(w); k += 2 {
		a := pix[at+k*stride:][:len(acc)]
		wa, wb, b := w[k], int32(0), a
		if k+1 < len(w) {
			wb, b = w[k+1], pix[at+(k+1)*stride:][:len(acc)]
		}
		if k == 0 {
			for x := range acc {
				acc[x] = int32(a[x])*wa + int32(b[x])*wb
			}
			continue
		}
		if wa|wb == 0 {
			continue
		}
		for x := range acc {
			acc[x] += int32(a[x])*wa + int32(b[x])*wb
		}
	}
}

const half = 1 << (2*tapBits - sumBits - 1) // for rounding

// sumSamples adds up the samples of a row of one channel.
func (t *taps) sumSamples(dst []uint8, acc []int32) {
	for i := range dst {
		w := t.weight[i*t.n:][:t.n]
		s := acc[int(t.first[i])-t.from:][:len(w)]
		sum := int32(half)
		for k, v := range w {
			sum += s[k] >> sumBits * v
		}
		dst[i] = uint8(min(max(sum>>(2*tapBits-sumBits), 0), 255))
	}
}

// pixelSums are sums of the channels of pixels with weights. Red and blue are in one number, so that a multiplication
// scales both: red + blue<<32, either of which may be negative.
type pixelSums struct {
	rb []int64
	g  []int32
}

// split returns red and blue of a number of both.
func split(rb int64) (r, b int32) {
	r = int32(rb)
	return r, int32((rb - int64(r)) >> 32)
}

// shifted returns a number of red and blue with either shifted right by sumBits.
func shifted(rb int64) int64 {
	r, b := split(rb)
	return int64(r>>sumBits) + int64(b>>sumBits)<<32
}

// sumPixelRows is sumRows for pixels. Sums are shifted right by sumBits.
func (t *taps) sumPixelRows(to pixelSums, pix []uint8, stride, i int) {
	w := t.weight[i*t.n:][:t.n]
	at, n := int(t.first[i])*stride, len(to.rb)
	rb, g := to.rb[:n], to.g[:n]
	row := func(k int) []uint8 { return pix[at+k*stride:][:4*n] }
	if len(w) == 4 { // of every enlarged picture
		p, q, r, s := row(0), row(1), row(2), row(3)
		wp, wq, wr, ws := w[0], w[1], w[2], w[3]
		for x := range rb {
			p, q := binary.LittleEndian.Uint32(p[4*x:]), binary.LittleEndian.Uint32(q[4*x:])
			r, s := binary.LittleEndian.Uint32(r[4*x:]), binary.LittleEndian.Uint32(s[4*x:])
			rb[x] = shifted(redBlue(p)*int64(wp) + redBlue(q)*int64(wq) + redBlue(r)*int64(wr) + redBlue(s)*int64(ws))
			g[x] = (green(p)*wp + green(q)*wq + green(r)*wr + green(s)*ws) >> sumBits
		}
		return
	}
	clear(rb)
	clear(g)
	for k := 0; k < len(w); k += 2 {
		p, wp, q, wq := row(k), w[k], row(k), int32(0)
		if k+1 < len(w) {
			q, wq = row(k+1), w[k+1]
		}
		if wp|wq == 0 {
			continue
		}
		for x := range rb {
			p, q := binary.LittleEndian.Uint32(p[4*x:]), binary.LittleEndian.Uint32(q[4*x:])
			rb[x] += redBlue(p)*int64(wp) + redBlue(q)*int64(wq)
			g[x] += green(p)*wp + green(q)*wq
		}
	}
	for x := range rb {
		rb[x], g[x] = shifted(rb[x]), g[x]>>sumBits
	}
}

func redBlue(pixel uint32) int64 { return int64(pixel&0xff) | int64(pixel>>16&0xff)<<32 }

func green(pixel uint32) int32 { return int32(pixel >> 8 & 0xff) }

// sumPixels adds up the pixels of a row; the fourth channel becomes opaque.
func (t *taps) sumPixels(dst []uint8, from pixelSums) {
	for i, first := range t.first[:len(dst)/4] {
		w := t.weight[i*t.n:][:t.n]
		at := int(first) - t.from
		rb, g := from.rb[at:][:len(w)], from.g[at:][:len(w)]
		two, one := int64(half)<<32+half, int32(half)
		if len(w) == 4 {
			two += rb[0]*int64(w[0]) + rb[1]*int64(w[1]) + rb[2]*int64(w[2]) + rb[3]*int64(w[3])
			one += g[0]*w[0] + g[1]*w[1] + g[2]*w[2] + g[3]*w[3]
		} else {
			for k, v := range w {
				two, one = two+rb[k]*int64(v), one+g[k]*v
			}
		}
		r, b := split(two)
		const down = 2*tapBits - sumBits
		d := dst[4*i : 4*i+4 : 4*i+4]
		d[0], d[1], d[2], d[3] = uint8(min(max(r>>down, 0), 255)), uint8(min(max(one>>down, 0), 255)),
			uint8(min(max(b>>down, 0), 255)), 255
	}
}
