package raster

import (
	"image"
	"image/color"
	"slices"

	"masthead/render/cache"
	"masthead/render/html/css"
)

// Layer is pixels being drawn: premultiplied RGBA over a rectangle of the card.
type Layer struct {
	Pix    []uint8
	R      image.Rectangle
	Stride int
	Canvas canvas // holds the pixels instead while all is flat (canvas.go)
}

// NewLayer returns a transparent layer; release gives its memory back.
func NewLayer(r image.Rectangle) *Layer {
	l := EmptyLayer(r)
	clear(l.Pix)
	return l
}

// EmptyLayer is NewLayer with pixels of any value.
func EmptyLayer(r image.Rectangle) *Layer {
	l := &Layer{R: r, Stride: 4 * r.Dx()}
	l.Pix = cache.Pixels.Take(l.Stride * r.Dy())
	return l
}

// Release gives the memory of the layer back; its pixels may not be used afterwards.
func (l *Layer) Release() {
	cache.Pixels.Give(l.Pix)
	l.Pix = nil
}

// Cropped returns a copy of what isn't transparent, in memory of its own.
func (l *Layer) Cropped() *Layer {
	r := image.Rectangle{}
	for y := l.R.Min.Y; y < l.R.Max.Y; y++ {
		row := l.Row(y, l.R.Min.X, l.R.Max.X)
		from := slices.IndexFunc(row, func(v uint8) bool { return v != 0 })
		if from < 0 {
			continue
		}
		to := len(row) - 1
		for row[to] == 0 {
			to--
		}
		r = r.Union(image.Rect(l.R.Min.X+from/4, y, l.R.Min.X+to/4+1, y+1))
	}
	out := &Layer{R: r, Stride: 4 * r.Dx(), Pix: make([]uint8, 4*r.Dx()*r.Dy())}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		copy(out.Row(y, r.Min.X, r.Max.X), l.Row(y, r.Min.X, r.Max.X))
	}
	return out
}

// Row returns the pixels x0 to x1 of row y, in pixels of the card.
func (l *Layer) Row(y, x0, x1 int) []uint8 {
	o := (y-l.R.Min.Y)*l.Stride + 4*(x0-l.R.Min.X)
	return l.Pix[o : o+4*(x1-x0)]
}

// Shader gives the premultiplied colors of pixels: n = len(out)/4 of them from x in row y.
type Shader interface {
	Shade(y, x int, out []uint8)
}

// Solid is a shader of one color.
type Solid struct{ R, G, B, A uint8 }

// SolidOf returns the shader of a color.
func SolidOf(c color.NRGBA) Solid {
	return Solid{Mul(c.R, c.A), Mul(c.G, c.A), Mul(c.B, c.A), c.A}
}

// Shade implements [Shader].
func (s Solid) Shade(_, _ int, out []uint8) {
	for i := 0; i+3 < len(out); i += 4 {
		out[i], out[i+1], out[i+2], out[i+3] = s.R, s.G, s.B, s.A
	}
}

// Compositor draws shapes onto layers. Its memory is used again for each row.
type Compositor struct {
	rasterizer
	pixels []uint8
	alphas []uint8
	blends *blendMemo
}

// ended counts the work of filling a rectangle with one color, and reports whether drawing must end. The pixels of
// other shaders are counted as they are drawn.
func (p *Compositor) ended(r image.Rectangle) bool {
	const base, fast = 16, 16 // many pixels at a time
	return p.Meter.Spend(base + r.Dx()*r.Dy()/fast)
}

// span draws a shader over a run of pixels of one row, by a coverage and the clip.
func (p *Compositor) span(l *Layer, c Clip, s Shader, y, x0, x1 int, alpha uint8) {
	if y < c.R.Min.Y || y >= c.R.Max.Y {
		return
	}
	x0, x1 = max(x0, c.R.Min.X), min(x1, c.R.Max.X)
	if x0 >= x1 || alpha == 0 {
		return
	}
	l.Upgrade()
	dst := l.Row(y, x0, x1)
	var mask []uint8
	if c.Mask != nil {
		mask = c.Mask.Pix[c.Mask.PixOffset(x0, y):][:x1-x0]
	}
	if k, ok := s.(Solid); ok {
		if mask == nil {
			k.over(dst, alpha)
		} else {
			k.overMask(dst, mask, alpha)
		}
		return
	}
	if p.Meter.Spend(x1 - x0) {
		return
	}
	if o, ok := s.(interface{ IsOpaque() bool }); ok && mask == nil && alpha == 255 && o.IsOpaque() {
		s.Shade(y, x0, dst)
		return
	}
	if g, ok := s.(reaching); ok { // nothing is drawn where it is transparent
		from, to := g.reach(y)
		if from, to = max(from, x0), min(to, x1); from >= to {
			return
		}
		from = x0 + (from-x0)/chord*chord // as if all of the run was shaded
		to = min(x0+(to-x0+chord-1)/chord*chord, x1)
		dst = dst[4*(from-x0) : 4*(to-x0)]
		if mask != nil {
			mask = mask[from-x0 : to-x0]
		}
		x0, x1 = from, to
	}
	src := p.scratch(4 * (x1 - x0))
	s.Shade(y, x0, src)
	switch {
	case mask != nil:
		overMask(dst, src, mask, alpha)
	case alpha == 255:
		Over(dst, src)
	default:
		overAlpha(dst, src, alpha)
	}
}

// maskRow is span with a coverage for each pixel.
func (p *Compositor) maskRow(l *Layer, c Clip, s Shader, y, x int, cover []uint8) {
	if y < c.R.Min.Y || y >= c.R.Max.Y {
		return
	}
	x0, x1 := max(x, c.R.Min.X), min(x+len(cover), c.R.Max.X)
	if x0 >= x1 {
		return
	}
	cover = cover[x0-x : x1-x]
	if c.Mask != nil {
		m := c.Mask.Pix[c.Mask.PixOffset(x0, y):]
		own := p.coverScratch(len(cover))
		for i, v := range cover {
			own[i] = Mul(v, m[i])
		}
		cover = own
	}
	dst := l.Row(y, x0, x1)
	if k, ok := s.(Solid); ok {
		k.overMask(dst, cover, 255)
		return
	}
	if p.Meter.Spend(x1 - x0) {
		return
	}
	src := p.scratch(4 * (x1 - x0))
	s.Shade(y, x0, src)
	overMask(dst, src, cover, 255)
}

func (p *Compositor) scratch(n int) []uint8 {
	if cap(p.pixels) < n {
		p.pixels = make([]uint8, n)
	}
	return p.pixels[:n]
}

func (p *Compositor) coverScratch(n int) []uint8 {
	if cap(p.alphas) < n {
		p.alphas = make([]uint8, n)
	}
	return p.alphas[:n]
}

// Fill draws a shader within a path in device pixels.
func (p *Compositor) Fill(l *Layer, c Clip, q Path, evenOdd bool, s Shader) {
	if p.ended(Outer(q.Bounds()).Intersect(c.R)) {
		return
	}
	if canvas, k, ok := l.flat(s); ok {
		m := p.Mask(q, evenOdd, c.R)
		undo := Clipped(canvas, c)
		canvas.Mask(m.Rect.Min.X, m.Rect.Min.Y, m, k.ink())
		undo()
		return
	}
	p.Coverage(q, evenOdd, c.R, func(y, x0, x1 int, alpha uint32) {
		p.span(l, c, s, y, x0, x1, uint8(min(alpha, 255)))
	})
}

// FillRect draws a shader over whole pixels.
func (p *Compositor) FillRect(l *Layer, c Clip, r image.Rectangle, s Shader) {
	if pic, ok := s.(*PictureShader); ok && p.flatPicture(l, c, pic, r) {
		return
	}
	if r = r.Intersect(c.R); p.ended(r) {
		return
	}
	if canvas, k, ok := l.flat(s); ok {
		undo := Clipped(canvas, c)
		canvas.Fill(r, k.ink())
		undo()
		return
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		p.span(l, c, s, y, r.Min.X, r.Max.X, 255)
	}
}

// FillMask draws a shader by a mask whose first pixel is at x, y.
func (p *Compositor) FillMask(l *Layer, c Clip, m *image.Alpha, x, y int, s Shader) {
	if p.ended(m.Rect) {
		return
	}
	if canvas, k, ok := l.flat(s); ok {
		undo := Clipped(canvas, c)
		canvas.Mask(x, y, m, k.ink())
		undo()
		return
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	for i := max(0, c.R.Min.Y-y); i < min(h, c.R.Max.Y-y); i++ {
		p.maskRow(l, c, s, y+i, x, m.Pix[i*m.Stride:i*m.Stride+w])
	}
}

// FillAround draws a shader by a mask on its place, besides the pixels in except.
func (p *Compositor) FillAround(l *Layer, c Clip, m *image.Alpha, except image.Rectangle, s Shader) {
	except = except.Intersect(m.Rect)
	if except.Empty() || l.Canvas != nil {
		p.FillMask(l, c, m, m.Rect.Min.X, m.Rect.Min.Y, s)
		return
	}
	for y := max(m.Rect.Min.Y, c.R.Min.Y); y < min(m.Rect.Max.Y, c.R.Max.Y); y++ {
		row := m.Pix[m.PixOffset(m.Rect.Min.X, y):][:m.Rect.Dx()]
		if y < except.Min.Y || y >= except.Max.Y {
			p.maskRow(l, c, s, y, m.Rect.Min.X, row)
			continue
		}
		p.maskRow(l, c, s, y, m.Rect.Min.X, row[:except.Min.X-m.Rect.Min.X])
		p.maskRow(l, c, s, y, except.Max.X, row[except.Max.X-m.Rect.Min.X:])
	}
}

// Composite draws a layer over another, by an opacity, the clip and a blend mode.
func (p *Compositor) Composite(l *Layer, c Clip, src *Layer, opacity float64, mode css.Blend) {
	l.Upgrade()
	r := src.R.Intersect(c.R).Intersect(l.R)
	alpha := uint8(opacity*255 + .5)
	work := 1 + r.Dx()/8
	if mode != css.BlendNormal {
		work = r.Dx()
	}
	for y := r.Min.Y; y < r.Max.Y && !p.Meter.Spend(work); y++ {
		s, d := src.Row(y, r.Min.X, r.Max.X), l.Row(y, r.Min.X, r.Max.X)
		var mask []uint8
		if c.Mask != nil {
			mask = c.Mask.Pix[c.Mask.PixOffset(r.Min.X, y):][:r.Dx()]
		}
		switch {
		case mode != css.BlendNormal:
			p.BlendRow(d, s, mask, alpha, mode)
		case mask != nil:
			overMask(d, s, mask, alpha)
		case alpha == 255:
			Over(d, s)
		default:
			overAlpha(d, s, alpha)
		}
	}
}
