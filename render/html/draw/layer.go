package draw

import (
	"image"
	"image/color"

	"masthead/render/cache"
	"masthead/render/html/css"
)

// layer is pixels being drawn: premultiplied RGBA over a rectangle of the card.
type layer struct {
	pix    []uint8
	r      image.Rectangle
	stride int
}

// newLayer returns a transparent layer; release gives its memory back.
func newLayer(r image.Rectangle) *layer {
	l := &layer{r: r, stride: 4 * r.Dx()}
	l.pix = cache.Pixels.Take(l.stride * r.Dy())
	clear(l.pix)
	return l
}

func (l *layer) release() {
	cache.Pixels.Give(l.pix)
	l.pix = nil
}

func (l *layer) row(y, x0, x1 int) []uint8 {
	o := (y-l.r.Min.Y)*l.stride + 4*(x0-l.r.Min.X)
	return l.pix[o : o+4*(x1-x0)]
}

// shader gives the premultiplied colors of pixels: n = len(out)/4 of them from x in row y.
type shader interface {
	shade(y, x int, out []uint8)
}

// solid is a shader of one color.
type solid struct{ r, g, b, a uint8 }

func solidOf(c color.NRGBA) solid {
	return solid{mul(c.R, c.A), mul(c.G, c.A), mul(c.B, c.A), c.A}
}

func (s solid) shade(_, _ int, out []uint8) {
	for i := 0; i+3 < len(out); i += 4 {
		out[i], out[i+1], out[i+2], out[i+3] = s.r, s.g, s.b, s.a
	}
}

// span draws a shader over a run of pixels of one row, by a coverage and the clip.
func (p *painter) span(l *layer, c clip, s shader, y, x0, x1 int, alpha uint8) {
	if y < c.r.Min.Y || y >= c.r.Max.Y {
		return
	}
	x0, x1 = max(x0, c.r.Min.X), min(x1, c.r.Max.X)
	if x0 >= x1 || alpha == 0 {
		return
	}
	dst := l.row(y, x0, x1)
	var mask []uint8
	if c.mask != nil {
		mask = c.mask.Pix[c.mask.PixOffset(x0, y):][:x1-x0]
	}
	if k, ok := s.(solid); ok {
		if mask == nil {
			k.over(dst, alpha)
		} else {
			k.overMask(dst, mask, alpha)
		}
		return
	}
	src := p.scratch(4 * (x1 - x0))
	s.shade(y, x0, src)
	switch {
	case mask != nil:
		overMask(dst, src, mask, alpha)
	case alpha == 255:
		over(dst, src)
	default:
		overAlpha(dst, src, alpha)
	}
}

// maskRow is span with a coverage for each pixel.
func (p *painter) maskRow(l *layer, c clip, s shader, y, x int, cover []uint8) {
	if y < c.r.Min.Y || y >= c.r.Max.Y {
		return
	}
	x0, x1 := max(x, c.r.Min.X), min(x+len(cover), c.r.Max.X)
	if x0 >= x1 {
		return
	}
	cover = cover[x0-x : x1-x]
	if c.mask != nil {
		m := c.mask.Pix[c.mask.PixOffset(x0, y):]
		own := p.coverScratch(len(cover))
		for i, v := range cover {
			own[i] = mul(v, m[i])
		}
		cover = own
	}
	dst := l.row(y, x0, x1)
	if k, ok := s.(solid); ok {
		k.overMask(dst, cover, 255)
		return
	}
	src := p.scratch(4 * (x1 - x0))
	s.shade(y, x0, src)
	overMask(dst, src, cover, 255)
}

func (p *painter) scratch(n int) []uint8 {
	if cap(p.pixelRow) < n {
		p.pixelRow = make([]uint8, n)
	}
	return p.pixelRow[:n]
}

func (p *painter) coverScratch(n int) []uint8 {
	if cap(p.covers) < n {
		p.covers = make([]uint8, n)
	}
	return p.covers[:n]
}

func (k solid) over(dst []uint8, alpha uint8) {
	r, g, b, a := k.r, k.g, k.b, k.a
	if alpha != 255 {
		r, g, b, a = mul(r, alpha), mul(g, alpha), mul(b, alpha), mul(a, alpha)
	}
	if a == 255 {
		for i := 0; i+3 < len(dst); i += 4 {
			d := dst[i : i+4 : i+4]
			d[0], d[1], d[2], d[3] = r, g, b, 255
		}
		return
	}
	if a == 0 {
		return
	}
	n := 255 - a
	for i := 0; i+3 < len(dst); i += 4 {
		d := dst[i : i+4 : i+4]
		d[0], d[1], d[2], d[3] = r+mul(d[0], n), g+mul(d[1], n), b+mul(d[2], n), a+mul(d[3], n)
	}
}

func (k solid) overMask(dst, mask []uint8, alpha uint8) {
	if alpha != 255 {
		k = solid{mul(k.r, alpha), mul(k.g, alpha), mul(k.b, alpha), mul(k.a, alpha)}
	}
	for i, m := range mask {
		if m == 0 {
			continue
		}
		d := dst[4*i : 4*i+4 : 4*i+4]
		if m == 255 && k.a == 255 {
			d[0], d[1], d[2], d[3] = k.r, k.g, k.b, 255
			continue
		}
		a := mul(k.a, m)
		n := 255 - a
		d[0], d[1] = mul(k.r, m)+mul(d[0], n), mul(k.g, m)+mul(d[1], n)
		d[2], d[3] = mul(k.b, m)+mul(d[2], n), a+mul(d[3], n)
	}
}

func over(dst, src []uint8) {
	for i := 0; i+3 < len(dst); i += 4 {
		s, d := src[i:i+4:i+4], dst[i:i+4:i+4]
		switch s[3] {
		case 0:
		case 255:
			copy(d, s)
		default:
			n := 255 - s[3]
			d[0], d[1], d[2], d[3] = s[0]+mul(d[0], n), s[1]+mul(d[1], n), s[2]+mul(d[2], n), s[3]+mul(d[3], n)
		}
	}
}

func overAlpha(dst, src []uint8, alpha uint8) {
	for i := 0; i+3 < len(dst); i += 4 {
		s, d := src[i:i+4:i+4], dst[i:i+4:i+4]
		a := mul(s[3], alpha)
		n := 255 - a
		d[0], d[1] = mul(s[0], alpha)+mul(d[0], n), mul(s[1], alpha)+mul(d[1], n)
		d[2], d[3] = mul(s[2], alpha)+mul(d[2], n), a+mul(d[3], n)
	}
}

func overMask(dst, src, mask []uint8, alpha uint8) {
	for i, m := range mask {
		if alpha != 255 {
			m = mul(m, alpha)
		}
		if m == 0 {
			continue
		}
		s, d := src[4*i:4*i+4:4*i+4], dst[4*i:4*i+4:4*i+4]
		if m == 255 && s[3] == 255 {
			copy(d, s)
			continue
		}
		a := mul(s[3], m)
		n := 255 - a
		d[0], d[1] = mul(s[0], m)+mul(d[0], n), mul(s[1], m)+mul(d[1], n)
		d[2], d[3] = mul(s[2], m)+mul(d[2], n), a+mul(d[3], n)
	}
}

// fill draws a shader within a path in device pixels.
func (p *painter) fill(l *layer, c clip, q path, evenOdd bool, s shader) {
	p.raster.coverage(q, evenOdd, c.r, func(y, x0, x1 int, alpha uint32) {
		p.span(l, c, s, y, x0, x1, uint8(min(alpha, 255)))
	})
}

// fillRect draws a shader over whole pixels.
func (p *painter) fillRect(l *layer, c clip, r image.Rectangle, s shader) {
	r = r.Intersect(c.r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		p.span(l, c, s, y, r.Min.X, r.Max.X, 255)
	}
}

// fillMask draws a shader by a mask whose first pixel is at x, y.
func (p *painter) fillMask(l *layer, c clip, m *image.Alpha, x, y int, s shader) {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	for i := max(0, c.r.Min.Y-y); i < min(h, c.r.Max.Y-y); i++ {
		p.maskRow(l, c, s, y+i, x, m.Pix[i*m.Stride:i*m.Stride+w])
	}
}

// composite draws a layer over another, by an opacity, the clip and a blend mode.
func (p *painter) composite(l *layer, c clip, src *layer, opacity float64, mode css.Blend) {
	r := src.r.Intersect(c.r).Intersect(l.r)
	alpha := uint8(opacity*255 + .5)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		s, d := src.row(y, r.Min.X, r.Max.X), l.row(y, r.Min.X, r.Max.X)
		var mask []uint8
		if c.mask != nil {
			mask = c.mask.Pix[c.mask.PixOffset(r.Min.X, y):][:r.Dx()]
		}
		switch {
		case mode != css.BlendNormal:
			blendRow(d, s, mask, alpha, mode)
		case mask != nil:
			overMask(d, s, mask, alpha)
		case alpha == 255:
			over(d, s)
		default:
			overAlpha(d, s, alpha)
		}
	}
}
