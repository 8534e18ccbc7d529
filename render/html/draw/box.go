package draw

import (
	"image"
	"image/color"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout"
)

func rectOf(r layout.Rect) rect { return rect{r.X, r.Y, r.X + r.W, r.Y + r.H} }

// shape returns the border box of a fragment on whole pixels, with its corners.
func shapeOf(f *layout.Fragment) roundRect {
	b := rectOf(f.Border)
	if f.Kind != layout.Inline {
		b = b.snapped()
	} else {
		b = rect{math.Round(b.x0), math.Round(b.y0), math.Round(b.x1), math.Round(b.y1)}
	}
	r := roundRect{rect: b}
	c := &f.Style.Radius
	if !c.None() {
		w, h := f.Border.W, f.Border.H
		for i, k := range [4]css.Radius{c.TopLeft, c.TopRight, c.BottomRight, c.BottomLeft} {
			r.rx[i], r.ry[i] = max(k.X.Resolve(w), 0), max(k.Y.Resolve(h), 0)
		}
		if f.Kind == layout.Inline {
			if !f.HasLeft {
				r.rx[0], r.rx[3] = 0, 0
			}
			if !f.HasRight {
				r.rx[1], r.rx[2] = 0, 0
			}
		}
		r.shape = c.Shape
		r.fit()
	}
	return r
}

// boxShape returns one of the boxes of a fragment.
func boxShape(f *layout.Fragment, outer roundRect, b css.Box) roundRect {
	w, p := f.BorderWidth, f.PaddingWidth
	switch b {
	case css.BoxPadding:
		return outer.inset(w.Top, w.Right, w.Bottom, w.Left)
	case css.BoxContent:
		r := outer.inset(w.Top+p.Top, w.Right+p.Right, w.Bottom+p.Bottom, w.Left+p.Left)
		r.rect = r.rect.snapped()
		return r
	case css.BoxMargin:
		return outer
	}
	return outer
}

// fillShape draws a shader in a rounded rectangle.
func (p *painter) fillShape(t target, r roundRect, s shader) {
	if r.empty() {
		return
	}
	if r.square() && t.m.straight() {
		b := t.m.bounds(r.rect)
		if px, ok := wholePixels(b); ok {
			p.fillRect(t.l, t.c, px, s)
			return
		}
	}
	var q path
	r.addTo(&q)
	p.fill(t.l, t.c, q.transformed(t.m), false, s)
}

// clipShape limits a target to a rounded rectangle.
func (p *painter) clipShape(t target, r roundRect) target {
	if r.empty() {
		t.c.r = image.Rectangle{}
		return t
	}
	if r.square() && t.m.straight() {
		if px, ok := wholePixels(t.m.bounds(r.rect)); ok {
			t.c = t.c.toRect(px)
			return t
		}
	}
	var q path
	r.addTo(&q)
	return p.clipPath(t, q, false)
}

func (p *painter) clipPath(t target, q path, evenOdd bool) target {
	t.c = t.c.toMask(p.raster.mask(q.transformed(t.m), evenOdd, t.c.r))
	return t
}

// decorate paints shadows, background and borders of a box.
func (p *painter) decorate(f *layout.Fragment, t target) {
	st := f.Style
	if f.Anonymous || st.Visibility != css.Visible || f == p.canvasSource {
		if f == p.canvasSource && st.Visibility == css.Visible {
			p.borders(f, shapeOf(f), t)
		}
		return
	}
	if st.BackgroundColor == (css.Color{}) && f.BorderWidth == (layout.Edges{}) &&
		len(st.Background)+len(st.BoxShadow) == 0 {
		return
	}
	shape := shapeOf(f)
	if len(st.BoxShadow) > 0 {
		p.shadows(f, shape, t)
	}
	if f != p.ground {
		p.background(f, shape, t)
	}
	if len(st.BoxShadow) > 0 {
		p.insetShadows(f, shape, t)
	}
	p.borders(f, shape, t)
}

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

// borders paints the borders of a box.
func (p *painter) borders(f *layout.Fragment, shape roundRect, t target) {
	if f.BorderWidth == (layout.Edges{}) || shape.empty() {
		return
	}
	st := f.Style
	sides := [4]borderSide{
		{f.BorderWidth.Top, st.Border.Top.Style, st.Border.Top.Color.Of(st.Color)},
		{f.BorderWidth.Right, st.Border.Right.Style, st.Border.Right.Color.Of(st.Color)},
		{f.BorderWidth.Bottom, st.Border.Bottom.Style, st.Border.Bottom.Color.Of(st.Color)},
		{f.BorderWidth.Left, st.Border.Left.Style, st.Border.Left.Color.Of(st.Color)},
	}
	p.frame(shape, sides, t)
}

type borderSide struct {
	width float64
	style css.LineStyle
	color color.NRGBA
}

func (b *borderSide) visible() bool {
	return b.width > 0 && b.style != css.LineNone && b.style != css.LineHidden && b.color.A > 0
}

// frame paints four lines round a rounded rectangle, inside of it.
func (p *painter) frame(shape roundRect, sides [4]borderSide, t target) {
	var first *borderSide
	same, any := true, false
	for i := range sides {
		s := &sides[i]
		if !s.visible() {
			continue
		}
		any = true
		if first == nil {
			first = s
		}
		same = same && s.style == first.style && s.color == first.color
	}
	if !any {
		return
	}
	all := true
	for i := range sides {
		all = all && sides[i].visible()
	}
	inner := shape.inset(sides[0].width, sides[1].width, sides[2].width, sides[3].width)
	for i := range sides { // an invisible border still takes its room
		all = all && (sides[i].width > 0)
	}
	hidden := false
	for i := range sides {
		hidden = hidden || sides[i].width > 0 && !sides[i].visible()
	}
	switch {
	case same && !hidden && first.style == css.LineSolid:
		p.ring(shape, inner, solidOf(first.color), t)
		return
	case same && all && first.style == css.LineDouble:
		p.double(shape, sides, first.color, t)
		return
	case same && all && !shape.square() && (first.style == css.LineDashed || first.style == css.LineDotted) && even(sides):
		p.roundDashes(shape, sides, 0, t)
		return
	}
	for i := range sides {
		if sides[i].visible() {
			p.side(shape, inner, sides, i, t)
		}
	}
}

// even reports whether all sides have the same width.
func even(sides [4]borderSide) bool {
	w := sides[0].width
	return sides[1].width == w && sides[2].width == w && sides[3].width == w
}

// ring fills what is between two rounded rectangles.
func (p *painter) ring(outside, inside roundRect, s shader, t target) {
	if outside.square() && inside.square() && t.m.straight() {
		o, ok1 := wholePixels(t.m.bounds(outside.rect))
		i, ok2 := wholePixels(t.m.bounds(inside.rect))
		if ok1 && ok2 {
			if i.Empty() {
				p.fillRect(t.l, t.c, o, s)
				return
			}
			p.fillRect(t.l, t.c, image.Rect(o.Min.X, o.Min.Y, o.Max.X, i.Min.Y), s)
			p.fillRect(t.l, t.c, image.Rect(o.Min.X, i.Max.Y, o.Max.X, o.Max.Y), s)
			p.fillRect(t.l, t.c, image.Rect(o.Min.X, i.Min.Y, i.Min.X, i.Max.Y), s)
			p.fillRect(t.l, t.c, image.Rect(i.Max.X, i.Min.Y, o.Max.X, i.Max.Y), s)
			return
		}
	}
	var q, hole path
	outside.addTo(&q)
	if !inside.empty() {
		inside.addTo(&hole)
		q = append(q, hole.reversed()...) // where the two edges are the same, nothing is left
	}
	p.fill(t.l, t.c, q.transformed(t.m), false, s)
}

// double paints two lines, each a third of the width.
func (p *painter) double(shape roundRect, sides [4]borderSide, c color.NRGBA, t target) {
	var a, b, w [4]float64
	for i := range sides {
		w[i] = sides[i].width
		a[i] = math.Ceil(w[i] / 3)
		b[i] = w[i] - a[i]
	}
	p.ring(shape, shape.inset(a[0], a[1], a[2], a[3]), solidOf(c), t)
	p.ring(shape.inset(b[0], b[1], b[2], b[3]), shape.inset(w[0], w[1], w[2], w[3]), solidOf(c), t)
}

// side paints one border, within its part of the frame: the corners are cut from the outer to the inner corner.
func (p *painter) side(shape, inner roundRect, sides [4]borderSide, i int, t target) {
	s := sides[i]
	straight := shape.square() && (s.style == css.LineDashed || s.style == css.LineDotted)
	if straight {
		p.dashes(shape, sides, i, t)
		return
	}
	o, n := shape.rect, inner.rect
	corners := [4][2]float64{{o.x0, o.y0}, {o.x1, o.y0}, {o.x1, o.y1}, {o.x0, o.y1}}
	inside := [4][2]float64{{n.x0, n.y0}, {n.x1, n.y0}, {n.x1, n.y1}, {n.x0, n.y1}}
	for k := range inside { // the cut goes on to the end of a round corner
		if shape.rx[k] > 0 && shape.ry[k] > 0 {
			inside[k] = p.cutEnd(shape, inner, corners[k], inside[k], k)
		}
	}
	j := (i + 1) % 4
	var q path
	q.move(corners[i][0], corners[i][1])
	q.line(corners[j][0], corners[j][1])
	q.line(inside[j][0], inside[j][1])
	q.line(inside[i][0], inside[i][1])
	q.close()
	alone := sides[(i+1)%4].width == 0 && sides[(i+3)%4].width == 0 && shape.square()
	if !alone {
		t = p.clipPath(t, q, false)
	}
	c := s.color
	switch s.style {
	case css.LineDashed, css.LineDotted:
		p.roundDashes(shape, sides, i, t)
	case css.LineDouble:
		p.double(shape, sides, c, t)
	case css.LineInset, css.LineOutset:
		if (s.style == css.LineInset) == (i == 0 || i == 3) {
			c = darker(c)
		} else {
			c = lighter(c)
		}
		p.ring(shape, inner, solidOf(c), t)
	case css.LineGroove, css.LineRidge:
		mid := shape.inset(sides[0].width/2, sides[1].width/2, sides[2].width/2, sides[3].width/2)
		a, b := darker(c), lighter(c)
		if (s.style == css.LineGroove) != (i == 0 || i == 3) {
			a, b = b, a
		}
		p.ring(shape, mid, solidOf(a), t)
		p.ring(mid, inner, solidOf(b), t)
	default:
		p.ring(shape, inner, solidOf(c), t)
	}
}

// cutEnd extends the cut between two borders to the center of the corner's curve.
func (p *painter) cutEnd(shape, inner roundRect, from, to [2]float64, k int) [2]float64 {
	dx, dy := to[0]-from[0], to[1]-from[1]
	if dx == 0 && dy == 0 {
		return to
	}
	f := 1.0
	if dx != 0 {
		f = max(f, shape.rx[k]/math.Abs(dx))
	}
	if dy != 0 {
		f = max(f, shape.ry[k]/math.Abs(dy))
	}
	f = min(f, 1000)
	cx, cy := (inner.x0+inner.x1)/2, (inner.y0+inner.y1)/2
	x, y := from[0]+dx*f, from[1]+dy*f
	if (x-cx)*(from[0]-cx) < 0 {
		x = cx
	}
	if (y-cy)*(from[1]-cy) < 0 {
		y = cy
	}
	return [2]float64{x, y}
}

// darker returns the color of the dark sides of inset, outset, groove and ridge borders.
func darker(c color.NRGBA) color.NRGBA {
	v := float64(max(c.R, c.G, c.B)) / 255
	if v == 0 {
		return c
	}
	k := max(0, (v-.33)/v)
	f := func(x uint8) uint8 { return uint8(float64(x) * k) }
	return color.NRGBA{f(c.R), f(c.G), f(c.B), c.A}
}

// lighter returns the color of the light sides.
func lighter(c color.NRGBA) color.NRGBA {
	v := float64(max(c.R, c.G, c.B)) / 255
	if v == 0 {
		return color.NRGBA{0x54, 0x54, 0x54, c.A}
	}
	k := min(1, v+.33) / v
	f := func(x uint8) uint8 { return uint8(min(float64(x)*k, 255)) }
	return color.NRGBA{f(c.R), f(c.G), f(c.B), c.A}
}

// dashPattern returns the lengths of dashes and gaps that fit a line, as Chromium chooses them.
func dashPattern(style css.LineStyle, width, length float64, closed bool) (on, off float64) {
	if style == css.LineDotted {
		if width <= 3 && !closed {
			return width, bestGap(length, width, width, closed)
		}
		return 0, bestGap(length, width, width, closed) + width
	}
	on, off = width*3, width*2
	if width >= 3 {
		on, off = width*2, width
	}
	return on, bestGap(length, on, off, closed)
}

func bestGap(length, dash, gap float64, closed bool) float64 {
	room := length
	if !closed {
		room += gap
	}
	low := math.Floor(room / (dash + gap))
	high := low + 1
	lowGaps, highGaps := low, high
	if !closed {
		lowGaps, highGaps = low-1, high-1
	}
	if lowGaps < 1 {
		if highGaps < 1 {
			return gap
		}
		return max((length-high*dash)/highGaps, gap)
	}
	a, b := (length-low*dash)/lowGaps, (length-high*dash)/highGaps
	if b <= 0 || math.Abs(a-gap) < math.Abs(b-gap) {
		return a
	}
	return b
}

// dashes paints a straight dashed or dotted border from corner to corner.
func (p *painter) dashes(shape roundRect, sides [4]borderSide, i int, t target) {
	s, r := sides[i], shape.rect
	h := s.width / 2
	var a, b [2]float64
	switch i {
	case 0:
		a, b = [2]float64{r.x0, r.y0 + h}, [2]float64{r.x1, r.y0 + h}
	case 1:
		a, b = [2]float64{r.x1 - h, r.y0}, [2]float64{r.x1 - h, r.y1}
	case 2:
		a, b = [2]float64{r.x0, r.y1 - h}, [2]float64{r.x1, r.y1 - h}
	default:
		a, b = [2]float64{r.x0 + h, r.y0}, [2]float64{r.x0 + h, r.y1}
	}
	p.dashedLine(a, b, s.width, s.style, solidOf(s.color), t)
}

// dashedLine strokes a line with dashes or dots.
func (p *painter) dashedLine(a, b [2]float64, width float64, style css.LineStyle, s shader, t target) {
	length := math.Hypot(b[0]-a[0], b[1]-a[1])
	if length <= 0 || width <= 0 {
		return
	}
	round := style == css.LineDotted && width > 3
	if round { // the caps of dots reach over the ends
		dx, dy := (b[0]-a[0])/length*width/2, (b[1]-a[1])/length*width/2
		a, b = [2]float64{a[0] + dx, a[1] + dy}, [2]float64{b[0] - dx, b[1] - dy}
	}
	on, off := dashPattern(style, width, length, false)
	var list []contour
	if round {
		inner := length - width
		n := 1
		if off > 0 {
			n = int(math.Round(inner/off)) + 1
		}
		n = min(max(n, 1), maxDashes)
		for k := range n {
			f := 0.0
			if n > 1 {
				f = float64(k) / float64(n-1)
			}
			list = append(list, contour{points: [][2]float64{{a[0] + (b[0]-a[0])*f, a[1] + (b[1]-a[1])*f}}})
		}
	} else {
		list = dashed([]contour{{points: [][2]float64{a, b}}}, on, off, 0)
	}
	q := stroke(list, width, round, 1)
	p.fill(t.l, t.c, q.transformed(t.m), false, s)
}

// roundDashes strokes dashes along the middle of a rounded frame.
func (p *painter) roundDashes(shape roundRect, sides [4]borderSide, i int, t target) {
	s := sides[i]
	mid := shape.inset(sides[0].width/2, sides[1].width/2, sides[2].width/2, sides[3].width/2)
	var q path
	mid.addTo(&q)
	list := q.contours(.05)
	length := 0.0
	for _, c := range list {
		for k := range c.points {
			n := c.points[(k+1)%len(c.points)]
			length += math.Hypot(n[0]-c.points[k][0], n[1]-c.points[k][1])
		}
	}
	on, off := dashPattern(s.style, s.width, length, true)
	round := s.style == css.LineDotted
	if round {
		on = .01
		off -= .01
	}
	out := stroke(dashed(list, on, off, 0), s.width, round, 1)
	p.fill(t.l, t.c, out.transformed(t.m), false, solidOf(s.color))
}

// outline paints the outline of a box.
func (p *painter) outline(f *layout.Fragment, t target) {
	o := f.Style.Outline
	if o.Width <= 0 || f.Anonymous || f.Style.Visibility != css.Visible {
		return
	}
	shape := shapeOf(f)
	d := o.Width + f.Style.OutlineOffset
	shape = shape.outset(d)
	side := borderSide{o.Width, o.Style, o.Color.Of(f.Style.Color)}
	p.frame(shape, [4]borderSide{side, side, side, side}, t)
}
