package draw

import (
	"image"
	"image/color"

	"masthead/render/cache"
	"masthead/render/html/css"
	"masthead/render/paint"
)

// layer is pixels being drawn: premultiplied RGBA over a rectangle of the card.
type layer struct {
	pix    []uint8
	r      image.Rectangle
	stride int
	canvas canvas // holds the pixels instead while all is flat (flat.go)
}

// canvas is an indexed canvas: *paint.Canvas, and its slow twin of the tests.
type canvas interface {
	Fill(r image.Rectangle, ink color.NRGBA)
	Mask(x, y int, m *image.Alpha, ink color.NRGBA)
	Picture(img *image.NRGBA, r image.Rectangle, radius float64)
	Clip(r image.Rectangle) (undo func())
	ClipMask(m *image.Alpha) (undo func())
	Indexed() bool
	Upgrade()
	Image() image.Image
}

var _ canvas = (*paint.Canvas)(nil)

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
	l.upgrade()
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
	if o, ok := s.(interface{ isOpaque() bool }); ok && mask == nil && alpha == 255 && o.isOpaque() {
		s.shade(y, x0, dst)
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

// lanes returns the color as lanes, by an alpha of 255.
func (k solid) lanes(alpha uint8) uint64 {
	v := uint64(k.r) | uint64(k.g)<<16 | uint64(k.b)<<32 | uint64(k.a)<<48
	if alpha == 255 {
		return v
	}
	return mulLanes(v, uint64(alpha))
}

// alphaLane returns the alpha of lanes.
func alphaLane(v uint64) uint64 { return v >> 48 }

func (k solid) over(dst []uint8, alpha uint8) {
	v := k.lanes(alpha)
	switch a := alphaLane(v); a {
	case 0:
	case 255:
		fill4(dst, []uint8{k.r, k.g, k.b, 255})
	default:
		for n := 255 - a; len(dst) >= 4; dst = dst[4:] {
			putLanes(dst, v+mulLanes(lanes(dst), n))
		}
	}
}

func (k solid) overMask(dst, mask []uint8, alpha uint8) {
	v := k.lanes(alpha)
	opaque := alphaLane(v) == 255
	for i, m := range mask {
		if m == 0 {
			continue
		}
		d := dst[4*i : 4*i+4 : 4*i+4]
		if m == 255 && opaque {
			putLanes(d, v)
			continue
		}
		s := mulLanes(v, uint64(m))
		putLanes(d, s+mulLanes(lanes(d), 255-alphaLane(s)))
	}
}

func over(dst, src []uint8) {
	for ; len(src) >= 4 && len(dst) >= 4; src, dst = src[4:], dst[4:] {
		switch src[3] {
		case 0:
		case 255:
			copy(dst[:4], src)
		default:
			putLanes(dst, lanes(src)+mulLanes(lanes(dst), uint64(255-src[3])))
		}
	}
}

func overAlpha(dst, src []uint8, alpha uint8) {
	for ; len(src) >= 4 && len(dst) >= 4; src, dst = src[4:], dst[4:] {
		if src[3] != 0 {
			s := mulLanes(lanes(src), uint64(alpha))
			putLanes(dst, s+mulLanes(lanes(dst), 255-alphaLane(s)))
		}
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
		v := mulLanes(lanes(s), uint64(m))
		putLanes(d, v+mulLanes(lanes(d), 255-alphaLane(v)))
	}
}

// fill draws a shader within a path in device pixels.
func (p *painter) fill(l *layer, c clip, q path, evenOdd bool, s shader) {
	if canvas, k, ok := l.flat(s); ok {
		m := p.raster.mask(q, evenOdd, c.r)
		undo := clipped(canvas, c)
		canvas.Mask(m.Rect.Min.X, m.Rect.Min.Y, m, k.ink())
		undo()
		return
	}
	p.raster.coverage(q, evenOdd, c.r, func(y, x0, x1 int, alpha uint32) {
		p.span(l, c, s, y, x0, x1, uint8(min(alpha, 255)))
	})
}

// fillRect draws a shader over whole pixels.
func (p *painter) fillRect(l *layer, c clip, r image.Rectangle, s shader) {
	if pic, ok := s.(*pictureShader); ok && p.flatPicture(l, c, pic, r) {
		return
	}
	r = r.Intersect(c.r)
	if canvas, k, ok := l.flat(s); ok {
		undo := clipped(canvas, c)
		canvas.Fill(r, k.ink())
		undo()
		return
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		p.span(l, c, s, y, r.Min.X, r.Max.X, 255)
	}
}

// fillMask draws a shader by a mask whose first pixel is at x, y.
func (p *painter) fillMask(l *layer, c clip, m *image.Alpha, x, y int, s shader) {
	if canvas, k, ok := l.flat(s); ok {
		undo := clipped(canvas, c)
		canvas.Mask(x, y, m, k.ink())
		undo()
		return
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	for i := max(0, c.r.Min.Y-y); i < min(h, c.r.Max.Y-y); i++ {
		p.maskRow(l, c, s, y+i, x, m.Pix[i*m.Stride:i*m.Stride+w])
	}
}

// composite draws a layer over another, by an opacity, the clip and a blend mode.
func (p *painter) composite(l *layer, c clip, src *layer, opacity float64, mode css.Blend) {
	l.upgrade()
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
