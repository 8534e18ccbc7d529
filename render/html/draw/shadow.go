package draw

import (
	"image"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout"
)

// maxSigma bounds the blur of shadows and filters in px.
const maxSigma = 250

// shadows paints the outer shadows of a box, the first on top.
func (p *painter) shadows(f *layout.Fragment, shape roundRect, t target) {
	st := f.Style
	bg := st.BackgroundColor.Of(st.Color)
	opaque := bg.A == 255 && st.ColorClip == css.BoxBorder
	for i := len(st.BoxShadow) - 1; i >= 0; i-- {
		s := &st.BoxShadow[i]
		c := s.Color.Of(st.Color)
		if s.Inset || c.A == 0 {
			continue
		}
		r := shape.outset(s.Spread)
		r.rect = rect{r.x0 + s.X, r.y0 + s.Y, r.x1 + s.X, r.y1 + s.Y}
		if r.empty() {
			continue
		}
		var q path
		r.addTo(&q)
		m := p.blurred(q.transformed(t.m), false, s.Blur/2*t.m.scale(), t.c.r)
		if m == nil {
			continue
		}
		if !opaque {
			var hole path
			shape.addTo(&hole)
			p.cutOut(m, hole.transformed(t.m))
		}
		p.fillMask(t.l, t.c, m, m.Rect.Min.X, m.Rect.Min.Y, solidOf(c))
	}
}

// insetShadows paints the inner shadows of a box.
func (p *painter) insetShadows(f *layout.Fragment, shape roundRect, t target) {
	st := f.Style
	for i := len(st.BoxShadow) - 1; i >= 0; i-- {
		s := &st.BoxShadow[i]
		c := s.Color.Of(st.Color)
		if !s.Inset || c.A == 0 {
			continue
		}
		inner := boxShape(f, shape, css.BoxPadding)
		if inner.empty() {
			continue
		}
		hole := inner.inset(s.Spread, s.Spread, s.Spread, s.Spread)
		if s.Spread < 0 {
			hole = inner.outset(-s.Spread)
		}
		hole.rect = rect{hole.x0 + s.X, hole.y0 + s.Y, hole.x1 + s.X, hole.y1 + s.Y}
		sigma := s.Blur / 2 * t.m.scale()
		var q path
		q.rect(inner.rect.grow(3*s.Blur + math.Abs(s.X) + math.Abs(s.Y) + math.Abs(s.Spread) + 8))
		if !hole.empty() {
			hole.addTo(&q)
		}
		inside := p.clipShape(t, inner)
		m := p.blurred(q.transformed(t.m), true, sigma, inside.c.r)
		if m == nil {
			continue
		}
		p.fillMask(inside.l, inside.c, m, m.Rect.Min.X, m.Rect.Min.Y, solidOf(c))
	}
}

// blurred returns the blurred coverage of a path, as far as it is within bounds.
func (p *painter) blurred(q path, evenOdd bool, sigma float64, bounds image.Rectangle) *image.Alpha {
	sigma = min(sigma, maxSigma)
	reach := int(math.Ceil(3*sigma)) + 1
	if sigma < .05 {
		reach = 0
	}
	area := outer(q.bounds()).Inset(-reach).Intersect(bounds.Inset(-reach))
	if area.Empty() || area.Inset(reach).Intersect(bounds).Empty() && area.Intersect(bounds).Empty() {
		return nil
	}
	m := image.NewAlpha(area)
	p.raster.coverage(q, evenOdd, area, func(y, x0, x1 int, alpha uint32) {
		row := m.Pix[m.PixOffset(x0, y):]
		for i := range row[:x1-x0] {
			row[i] = uint8(min(alpha, 255))
		}
	})
	if reach > 0 {
		blur(m.Pix, area.Dx(), area.Dy(), m.Stride, 1, sigma, edgeZero)
	}
	return m
}

// cutOut removes a path from a mask.
func (p *painter) cutOut(m *image.Alpha, q path) {
	p.raster.coverage(q, false, m.Rect, func(y, x0, x1 int, alpha uint32) {
		row := m.Pix[m.PixOffset(x0, y):][:x1-x0]
		k := uint8(255 - min(alpha, 255))
		if k == 0 {
			clear(row)
			return
		}
		for i := range row {
			row[i] = mul(row[i], k)
		}
	})
}

// edge says what is beyond the edge of what is blurred.
type edge uint8

const (
	edgeZero edge = iota
	edgeMirror
)

// blur blurs pixels of n channels by a Gaussian of sigma px: exactly where it is narrow, else by three boxes.
func blur(pix []uint8, w, h, stride, n int, sigma float64, e edge) {
	if sigma < .05 || w == 0 || h == 0 {
		return
	}
	long := max(w, h)
	z := &blurrer{src: make([]uint8, long), dst: make([]uint8, long), n: n, edge: e}
	z.plan(sigma)
	for c := range n {
		for y := range h {
			z.line(pix[y*stride+c:], w, n)
		}
		for x := range w {
			z.line(pix[x*n+c:], h, stride)
		}
	}
}

type blurrer struct {
	src, dst []uint8
	n        int
	edge     edge
	kernel   []int32 // of a narrow blur, by distance
	boxes    [3]box
	pad      int
	padded   []int32
	sums     []int32
}

// box is a mean of size pixels, of which left are before the pixel.
type box struct{ size, left int }

func (z *blurrer) plan(sigma float64) {
	if sigma < 2 {
		r := int(math.Ceil(3 * sigma))
		z.kernel = make([]int32, r+1)
		sum := 0.0
		weight := func(i int) float64 { return math.Exp(-float64(i*i) / (2 * sigma * sigma)) }
		for i := -r; i <= r; i++ {
			sum += weight(i)
		}
		total := int32(0)
		for i := r; i > 0; i-- {
			z.kernel[i] = int32(weight(i)/sum*65536 + .5)
			total += 2 * z.kernel[i]
		}
		z.kernel[0] = 65536 - total
		z.pad = r
		return
	}
	size := int(math.Floor(sigma*3*math.Sqrt(2*math.Pi)/4 + .5))
	if size%2 == 1 {
		b := box{size, size / 2}
		z.boxes = [3]box{b, b, b}
	} else {
		z.boxes = [3]box{{size, size / 2}, {size, size/2 - 1}, {size + 1, size / 2}}
	}
	z.pad = 3 * (size/2 + 1)
}

// line blurs a line of count values, step bytes apart.
func (z *blurrer) line(pix []uint8, count, step int) {
	n := count + 2*z.pad
	if cap(z.padded) < n {
		z.padded, z.sums = make([]int32, n), make([]int32, n)
	}
	a, b := z.padded[:n], z.sums[:n]
	any := false
	for i := range count {
		v := pix[i*step]
		a[z.pad+i] = int32(v)
		any = any || v != 0
	}
	if !any {
		return
	}
	for i := range z.pad {
		a[i], a[n-1-i] = 0, 0
		if z.edge == edgeMirror {
			a[z.pad-1-i] = a[z.pad+mirror(i, count)]
			a[z.pad+count+i] = a[z.pad+count-1-mirror(i, count)]
		}
	}
	if z.kernel != nil {
		for i := range count {
			s := z.kernel[0] * a[z.pad+i]
			for k := 1; k < len(z.kernel); k++ {
				s += z.kernel[k] * (a[z.pad+i-k] + a[z.pad+i+k])
			}
			pix[i*step] = uint8((s + 1<<15) >> 16)
		}
		return
	}
	// Values keep 4 more bits between the passes.
	for i := range a {
		a[i] <<= 4
	}
	for _, k := range z.boxes {
		sum := int32(0)
		inv := float32(1) / float32(k.size)
		right := k.size - k.left // pixels from the pixel on
		for i := 0; i < min(right-1, n); i++ {
			sum += a[i]
		}
		for i := range b {
			if j := i + right - 1; j < n {
				sum += a[j]
			}
			b[i] = int32(float32(sum)*inv + .5)
			if j := i - k.left; j >= 0 {
				sum -= a[j]
			}
		}
		a, b = b, a
	}
	for i := range count {
		pix[i*step] = uint8(min((a[z.pad+i]+8)>>4, 255))
	}
}

// mirror returns the index that lies opposite of i beyond the edge of count values.
func mirror(i, count int) int {
	i %= 2 * count
	if i >= count {
		i = 2*count - 1 - i
	}
	return i
}
