package draw

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
)

// background paints the color and layers of a box.
func (p *painter) background(f *fragment.Fragment, shape raster.RoundRect, t target) {
	st := f.Style
	hasText := st.ColorClip == value.BoxText
	for i := range st.Background {
		hasText = hasText || st.Background[i].Clip == value.BoxText
	}
	if hasText {
		p.textBackground(f, shape, t)
		return
	}
	paint := func(t target) {
		if c := st.BackgroundColor.Of(st.Color); c.A > 0 {
			p.fillShape(t, boxShape(f, shape, st.ColorClip), raster.SolidOf(c))
		}
		p.layers(f, shape, t, func(i int) bool { return true })
	}
	if len(st.BackgroundMix) > 0 { // layers blend with those below them, not with what is behind the box
		p.group(f, t, shape.Rect, paint, 1, css.BlendNormal)
		return
	}
	paint(t)
}

// layers paints background layers from the lowest to the highest.
func (p *painter) layers(f *fragment.Fragment, shape raster.RoundRect, t target, which func(i int) bool) {
	st := f.Style
	for i := len(st.Background) - 1; i >= 0; i-- {
		layer := &st.Background[i]
		if layer.Image.None() || !which(i) || p.stop() {
			continue
		}
		mode := css.BlendNormal
		if n := len(st.BackgroundMix); n > 0 {
			mode = st.BackgroundMix[i%n]
		}
		if mode != css.BlendNormal {
			p.group(f, t, shape.Rect, func(inner target) {
				p.layer(f, layer, shape, boxShape(f, shape, layer.Clip), inner)
			}, 1, mode)
			continue
		}
		p.layer(f, layer, shape, boxShape(f, shape, layer.Clip), t)
	}
}

// textBackground paints a background that is clipped to the text in the box, at least in part.
func (p *painter) textBackground(f *fragment.Fragment, shape raster.RoundRect, t target) {
	st := f.Style
	isText := func(i int) bool { return st.Background[i].Clip == value.BoxText }
	if c := st.BackgroundColor.Of(st.Color); c.A > 0 && st.ColorClip != value.BoxText {
		p.fillShape(t, boxShape(f, shape, st.ColorClip), raster.SolidOf(c))
	}
	p.layers(f, shape, t, func(i int) bool { return !isText(i) })
	bounds := raster.Outer(t.m.Bounds(shape.Rect)).Intersect(t.c.R)
	if bounds.Empty() || !p.enter(bounds) {
		return
	}
	defer p.leave(bounds)
	fill, words := raster.NewLayer(bounds), raster.NewLayer(bounds)
	defer fill.Release()
	defer words.Release()
	inner := target{l: fill, c: raster.Clip{R: bounds}, m: t.m}
	if c := st.BackgroundColor.Of(st.Color); c.A > 0 && st.ColorClip == value.BoxText {
		p.fillShape(inner, shape, raster.SolidOf(c))
	}
	p.layers(f, shape, inner, isText)
	was := p.textOnly
	p.textOnly = true
	inner.l = words
	p.foreground(f, inner)
	p.textOnly = was
	for i := 0; i < len(fill.Pix); i += 4 {
		m := words.Pix[i+3]
		for k := range 4 {
			fill.Pix[i+k] = raster.Mul(fill.Pix[i+k], m)
		}
	}
	p.Composite(t.l, t.c, fill, 1, css.BlendNormal)
}

// layer paints one layer of a background or mask within a clip shape.
func (p *painter) layer(f *fragment.Fragment, layer *css.Layer, shape, within raster.RoundRect, t target) {
	area := boxShape(f, shape, layer.Origin).Rect
	if f.Kind == fragment.Inline && f.SliceWidth > f.Border.W {
		area.X0 -= f.SliceOffset
		area.X1 = area.X0 + f.SliceWidth
	}
	if layer.Fixed {
		area = raster.Rect{X0: 0, Y0: 0, X1: float64(p.width), Y1: float64(p.height)}
	}
	p.layerIn(f, layer, area, within, t)
}

func (p *painter) layerIn(f *fragment.Fragment, layer *css.Layer, area raster.Rect, within raster.RoundRect, t target) {
	var img Image
	if layer.Image.URL != "" {
		if img = p.image(f, layer.Image.URL); img == nil {
			return
		}
	}
	w, h := layerSize(layer, area, img)
	if !(w > 0 && h > 0) {
		return
	}
	rx, ry := layer.RepeatX, layer.RepeatY
	// As in Chromium, the position is that of the image before it is rounded.
	x, y := area.X0+layer.X.Resolve(area.W()-w), area.Y0+layer.Y.Resolve(area.H()-h)
	gapX, gapY := 0.0, 0.0
	if rx == css.RepeatRound {
		n := max(1, math.Round(area.W()/w))
		if layer.Size.H.Kind == value.Auto && ry != css.RepeatRound { // the ratio is kept, also that of gradients
			h *= area.W() / n / w
		}
		w = area.W() / n
	}
	if ry == css.RepeatRound {
		n := max(1, math.Round(area.H()/h))
		if layer.Size.W.Kind == value.Auto && rx != css.RepeatRound {
			w *= area.H() / n / h
		}
		h = area.H() / n
	}
	if rx == css.RepeatSpace {
		if n := math.Floor(area.W() / w); n >= 2 {
			gapX, x = (area.W()-n*w)/(n-1), area.X0
		} else {
			rx = css.RepeatNone
		}
	}
	if ry == css.RepeatSpace {
		if n := math.Floor(area.H() / h); n >= 2 {
			gapY, y = (area.H()-n*h)/(n-1), area.Y0
		} else {
			ry = css.RepeatNone
		}
	}
	tile := raster.Rect{X0: x, Y0: y, X1: x + w, Y1: y + h}
	const eps = .01
	onceX := rx == css.RepeatNone || tile.X0 <= within.X0+eps && tile.X1 >= within.X1-eps
	onceY := ry == css.RepeatNone || tile.Y0 <= within.Y0+eps && tile.Y1 >= within.Y1-eps
	if onceX && onceY {
		p.once(f, layer, img, tile, within, t)
		return
	}
	if (rx == css.RepeatNone || ry == css.RepeatNone) && !within.Square() { // what is cut has no corners any more
		t = p.clipShape(t, within)
	}
	if rx == css.RepeatNone {
		within = cut(within, raster.Rect{X0: tile.X0, Y0: within.Y0, X1: tile.X1, Y1: within.Y1}.Snapped())
	}
	if ry == css.RepeatNone {
		within = cut(within, raster.Rect{X0: within.X0, Y0: tile.Y0, X1: within.X1, Y1: tile.Y1}.Snapped())
	}
	p.repeated(f, layer, img, tile, gapX, gapY, !onceX, !onceY, within, t)
}

// cut limits a rounded rectangle to another that covers whole sides of it, in which case corners are lost.
func cut(r raster.RoundRect, to raster.Rect) raster.RoundRect {
	out := raster.RoundRect{Rect: raster.Rect{
		X0: max(r.X0, to.X0), Y0: max(r.Y0, to.Y0), X1: min(r.X1, to.X1), Y1: min(r.Y1, to.Y1),
	}}
	if out.Rect == r.Rect {
		return r
	}
	return out
}

// once paints a layer whose image isn't repeated.
func (p *painter) once(
	f *fragment.Fragment, layer *css.Layer, img Image, tile raster.Rect, within raster.RoundRect, t target,
) {
	const eps = .01
	covers := tile.X0 <= within.X0+eps && tile.Y0 <= within.Y0+eps &&
		tile.X1 >= within.X1-eps && tile.Y1 >= within.Y1-eps
	if img != nil || !covers && !within.Square() {
		t = p.clipShape(t, within)
	}
	if img == nil {
		s := raster.Gradient(layer.Image.Gradient, tile, t.m, f.Style.Color)
		if !covers {
			within = cut(within, tile.Snapped())
		}
		p.fillShape(t, within, s)
		return
	}
	p.picture(f, img, tile, t)
}

// maxTile bounds the pixels of a tile.
const maxTile = 4 << 20

// repeated paints a layer by repeating a tile.
func (p *painter) repeated(
	f *fragment.Fragment, layer *css.Layer, img Image, tile raster.Rect, gapX, gapY float64, repeatX, repeatY bool,
	within raster.RoundRect, t target,
) {
	scale := 1.0
	if !t.m.Moves() {
		scale = t.m.Scale()
	}
	w, h := int(math.Round(tile.W()*scale)), int(math.Round(tile.H()*scale))
	w, h = max(w, 1), max(h, 1)
	if w*h > maxTile {
		k := math.Sqrt(float64(maxTile) / float64(w) / float64(h))
		w, h = max(int(float64(w)*k), 1), max(int(float64(h)*k), 1)
		w, h = min(w, maxTile/h), min(h, maxTile)
	}
	var pic *raster.Pixels
	if img != nil {
		pic = p.pixels(f, img, w, h)
		if pic == nil {
			return
		}
	} else {
		pic = &raster.Pixels{Pix: make([]uint8, 4*w*h), W: w, H: h}
		one := raster.Rect{X0: 0, Y0: 0, X1: tile.W(), Y1: tile.H()}
		fit := raster.Matrix{A: float64(w) / one.W(), D: float64(h) / one.H()}
		s := raster.Gradient(layer.Image.Gradient, one, fit, f.Style.Color)
		for y := 0; y < h && !p.Meter.Spend(w); y++ {
			s.Shade(y, 0, pic.Pix[4*w*y:][:4*w])
		}
	}
	kx, ky := float64(w)/tile.W(), float64(h)/tile.H()
	s := &raster.PictureShader{Pixels: pic, RepeatX: repeatX, RepeatY: repeatY, Nearest: f.Style.ImagePixels}
	s.PeriodX, s.PeriodY = max((tile.W()+gapX)*kx, float64(w)), max((tile.H()+gapY)*ky, float64(h))
	inv, ok := t.m.Inverse()
	if !ok {
		return
	}
	s.At = raster.Matrix{A: kx, D: ky, E: -tile.X0 * kx, F: -tile.Y0 * ky}.Mul(inv)
	whole := func(v float64) bool { return math.Abs(v-math.Round(v)) < 1e-3 }
	if t.m.Moves() && math.Abs(kx-1) < 1e-6 && math.Abs(ky-1) < 1e-6 && whole(s.PeriodX) && whole(s.PeriodY) {
		s.Exact = true
		s.At.E, s.At.F = math.Round(s.At.E), math.Round(s.At.F)
		s.PeriodX, s.PeriodY = math.Round(s.PeriodX), math.Round(s.PeriodY)
	} else if img == nil {
		s.Nearest = true
	}
	p.fillShape(t, within, s)
}

// layerSize returns the size of a layer's image.
func layerSize(l *css.Layer, area raster.Rect, img Image) (w, h float64) {
	aw, ah := area.W(), area.H()
	ratio, iw, ih := 0.0, 0.0, 0.0
	if img != nil {
		iw, ih, ratio = img.Size()
	}
	s := &l.Size
	switch {
	case s.Cover || s.Contain:
		if ratio <= 0 {
			return aw, ah
		}
		if (aw/ah > ratio) == s.Cover {
			return aw, aw / ratio
		}
		return ah * ratio, ah
	case s.W.Kind == value.Auto && s.H.Kind == value.Auto:
		if iw > 0 && ih > 0 {
			return iw, ih
		}
		if ratio > 0 {
			if aw/ah > ratio {
				return ah * ratio, ah
			}
			return aw, aw / ratio
		}
		return aw, ah
	case s.H.Kind == value.Auto:
		w = s.W.Resolve(aw)
		switch {
		case ratio > 0:
			return w, w / ratio
		case ih > 0:
			return w, ih
		}
		return w, ah
	case s.W.Kind == value.Auto:
		h = s.H.Resolve(ah)
		switch {
		case ratio > 0:
			return h * ratio, h
		case iw > 0:
			return iw, h
		}
		return aw, h
	}
	return s.W.Resolve(aw), s.H.Resolve(ah)
}
