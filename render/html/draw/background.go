package draw

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout"
)

// background paints the color and layers of a box.
func (p *painter) background(f *layout.Fragment, shape roundRect, t target) {
	st := f.Style
	hasText := st.ColorClip == css.BoxText
	for i := range st.Background {
		hasText = hasText || st.Background[i].Clip == css.BoxText
	}
	if hasText {
		p.textBackground(f, shape, t)
		return
	}
	if c := st.BackgroundColor.Of(st.Color); c.A > 0 {
		p.fillShape(t, boxShape(f, shape, st.ColorClip), solidOf(c))
	}
	p.layers(f, shape, t, func(i int) bool { return true })
}

// layers paints background layers from the lowest to the highest.
func (p *painter) layers(f *layout.Fragment, shape roundRect, t target, which func(i int) bool) {
	st := f.Style
	for i := len(st.Background) - 1; i >= 0; i-- {
		layer := &st.Background[i]
		if layer.Image.None() || !which(i) {
			continue
		}
		mode := css.BlendNormal
		if n := len(st.BackgroundMix); n > 0 {
			mode = st.BackgroundMix[i%n]
		}
		if mode != css.BlendNormal {
			p.group(f, t, shape.rect, func(inner target) {
				p.layer(f, layer, shape, boxShape(f, shape, layer.Clip), inner)
			}, 1, mode)
			continue
		}
		p.layer(f, layer, shape, boxShape(f, shape, layer.Clip), t)
	}
}

// textBackground paints a background that is clipped to the text in the box, at least in part.
func (p *painter) textBackground(f *layout.Fragment, shape roundRect, t target) {
	st := f.Style
	isText := func(i int) bool { return st.Background[i].Clip == css.BoxText }
	if c := st.BackgroundColor.Of(st.Color); c.A > 0 && st.ColorClip != css.BoxText {
		p.fillShape(t, boxShape(f, shape, st.ColorClip), solidOf(c))
	}
	p.layers(f, shape, t, func(i int) bool { return !isText(i) })
	bounds := outer(t.m.bounds(shape.rect)).Intersect(t.c.r)
	if bounds.Empty() || !p.enter(bounds) {
		return
	}
	defer p.leave(bounds)
	fill, words := newLayer(bounds), newLayer(bounds)
	defer fill.release()
	defer words.release()
	inner := target{l: fill, c: clip{r: bounds}, m: t.m}
	if c := st.BackgroundColor.Of(st.Color); c.A > 0 && st.ColorClip == css.BoxText {
		p.fillShape(inner, shape, solidOf(c))
	}
	p.layers(f, shape, inner, isText)
	was := p.textOnly
	p.textOnly = true
	inner.l = words
	p.foreground(f, inner)
	p.textOnly = was
	for i := 0; i < len(fill.pix); i += 4 {
		m := words.pix[i+3]
		for k := range 4 {
			fill.pix[i+k] = mul(fill.pix[i+k], m)
		}
	}
	p.composite(t.l, t.c, fill, 1, css.BlendNormal)
}

// layer paints one layer of a background or mask within a clip shape.
func (p *painter) layer(f *layout.Fragment, layer *css.Layer, shape, within roundRect, t target) {
	area := boxShape(f, shape, layer.Origin).rect
	if f.Kind == layout.Inline && f.SliceWidth > f.Border.W {
		area.x0 -= f.SliceOffset
		area.x1 = area.x0 + f.SliceWidth
	}
	if layer.Fixed {
		area = rect{0, 0, float64(p.width), float64(p.height)}
	}
	p.layerIn(f, layer, area, within, t)
}

func (p *painter) layerIn(f *layout.Fragment, layer *css.Layer, area rect, within roundRect, t target) {
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
	gapX, gapY := 0.0, 0.0
	if rx == css.RepeatRound {
		n := max(1, math.Round(area.w()/w))
		if layer.Size.H.Kind == css.Auto && !layer.Size.Cover && !layer.Size.Contain && img != nil && ry != css.RepeatRound {
			h *= area.w() / n / w
		}
		w = area.w() / n
	}
	if ry == css.RepeatRound {
		n := max(1, math.Round(area.h()/h))
		h = area.h() / n
	}
	x := area.x0 + layer.X.Resolve(area.w()-w)
	y := area.y0 + layer.Y.Resolve(area.h()-h)
	if rx == css.RepeatSpace {
		if n := math.Floor(area.w() / w); n >= 2 {
			gapX, x = (area.w()-n*w)/(n-1), area.x0
		} else {
			rx = css.RepeatNone
		}
	}
	if ry == css.RepeatSpace {
		if n := math.Floor(area.h() / h); n >= 2 {
			gapY, y = (area.h()-n*h)/(n-1), area.y0
		} else {
			ry = css.RepeatNone
		}
	}
	tile := rect{x, y, x + w, y + h}
	const eps = .01
	onceX := rx == css.RepeatNone || tile.x0 <= within.x0+eps && tile.x1 >= within.x1-eps
	onceY := ry == css.RepeatNone || tile.y0 <= within.y0+eps && tile.y1 >= within.y1-eps
	if onceX && onceY {
		p.once(f, layer, img, tile, within, t)
		return
	}
	if rx == css.RepeatNone {
		within = cut(within, rect{tile.x0, within.y0, tile.x1, within.y1}.snapped())
	}
	if ry == css.RepeatNone {
		within = cut(within, rect{within.x0, tile.y0, within.x1, tile.y1}.snapped())
	}
	p.repeated(f, layer, img, tile, gapX, gapY, !onceX, !onceY, within, t)
}

// cut limits a rounded rectangle to another that covers whole sides of it, in which case corners are lost.
func cut(r roundRect, to rect) roundRect {
	out := roundRect{rect: rect{max(r.x0, to.x0), max(r.y0, to.y0), min(r.x1, to.x1), min(r.y1, to.y1)}}
	if out.rect == r.rect {
		return r
	}
	return out
}

// once paints a layer whose image isn't repeated.
func (p *painter) once(f *layout.Fragment, layer *css.Layer, img Image, tile rect, within roundRect, t target) {
	const eps = .01
	covers := tile.x0 <= within.x0+eps && tile.y0 <= within.y0+eps && tile.x1 >= within.x1-eps && tile.y1 >= within.y1-eps
	if !covers && !within.square() {
		t = p.clipShape(t, within)
	}
	if img == nil {
		s := gradient(layer.Image.Gradient, tile, t.m, f.Style.Color)
		if !covers {
			within = cut(within, tile.snapped())
		}
		p.fillShape(t, within, s)
		return
	}
	if !within.square() || !t.m.straight() {
		t = p.clipShape(t, within)
	} else if px, ok := wholePixels(t.m.bounds(within.rect)); ok {
		t.c = t.c.toRect(px)
	}
	p.picture(f, img, tile, t)
}

// maxTile bounds the pixels of a tile.
const maxTile = 4 << 20

// repeated paints a layer by repeating a tile.
func (p *painter) repeated(
	f *layout.Fragment, layer *css.Layer, img Image, tile rect, gapX, gapY float64, repeatX, repeatY bool,
	within roundRect, t target,
) {
	scale := 1.0
	if !t.m.moves() {
		scale = t.m.scale()
	}
	w, h := int(math.Round(tile.w()*scale)), int(math.Round(tile.h()*scale))
	w, h = max(w, 1), max(h, 1)
	if w*h > maxTile {
		k := math.Sqrt(float64(maxTile) / float64(w) / float64(h))
		w, h = max(int(float64(w)*k), 1), max(int(float64(h)*k), 1)
		w, h = min(w, maxTile/h), min(h, maxTile)
	}
	var pic *picture
	if img != nil {
		pic = p.pixels(f, img, w, h)
		if pic == nil {
			return
		}
	} else {
		pic = &picture{pix: make([]uint8, 4*w*h), w: w, h: h}
		one := rect{0, 0, tile.w(), tile.h()}
		s := gradient(layer.Image.Gradient, one, matrix{a: float64(w) / one.w(), d: float64(h) / one.h()}, f.Style.Color)
		for y := range h {
			s.shade(y, 0, pic.pix[4*w*y:][:4*w])
		}
	}
	kx, ky := float64(w)/tile.w(), float64(h)/tile.h()
	s := &pictureShader{picture: pic, repeatX: repeatX, repeatY: repeatY, nearest: f.Style.ImagePixels}
	s.periodX, s.periodY = max((tile.w()+gapX)*kx, float64(w)), max((tile.h()+gapY)*ky, float64(h))
	inv, ok := t.m.inverse()
	if !ok {
		return
	}
	s.at = matrix{a: kx, d: ky, e: -tile.x0 * kx, f: -tile.y0 * ky}.mul(inv)
	whole := func(v float64) bool { return math.Abs(v-math.Round(v)) < 1e-3 }
	if t.m.moves() && math.Abs(kx-1) < 1e-6 && math.Abs(ky-1) < 1e-6 && whole(s.periodX) && whole(s.periodY) {
		s.exact = true
		s.at.e, s.at.f = math.Round(s.at.e), math.Round(s.at.f)
		s.periodX, s.periodY = math.Round(s.periodX), math.Round(s.periodY)
	} else if img == nil {
		s.nearest = true
	}
	p.fillShape(t, within, s)
}

// layerSize returns the size of a layer's image.
func layerSize(l *css.Layer, area rect, img Image) (w, h float64) {
	aw, ah := area.w(), area.h()
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
	case s.W.Kind == css.Auto && s.H.Kind == css.Auto:
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
	case s.H.Kind == css.Auto:
		w = s.W.Resolve(aw)
		switch {
		case ratio > 0:
			return w, w / ratio
		case ih > 0:
			return w, ih
		}
		return w, ah
	case s.W.Kind == css.Auto:
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
