// Package draw paints a laid-out document: fragments in the order of CSS, on layers of pixels.
//
// What is drawn becomes coverage times a shader in package raster, in pixels of the card, so that transforms need no
// resampling. Effects on groups (opacity, filters, masks, blend modes) draw into a layer of their own, which is then
// composited.
//
//	draw.go      Draw: the canvas, clips; order.go: the order of painting, stacking contexts
//	box.go       borders, outlines; dashes.go: dashed ones; background.go: backgrounds; shadow.go: shadows
//	text.go      letters, their lines and shadows; picture.go: pictures
//	svg.go       inline SVG; svgdoc.go, svgpaint.go, svggradient.go, svgclip.go, svgfilter.go: drawing it
//	kept.go      parts of drawings that are kept from one picture to the next
//	effects.go   transforms, opacity, filters, masks; clippath.go: clip-path
//	flat.go      documents of few colors, which are drawn on an indexed canvas
package draw

import (
	"context"
	"image"
	"image/color"
	"slices"

	"masthead/render/cache"
	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/meter"
	"masthead/render/html/raster"
	"masthead/render/paint"
	"masthead/render/text"
)

// Input is what is drawn.
type Input struct {
	Root          *fragment.Fragment
	Width, Height int
	Engine        *text.Engine
	// Images returns a picture by its address; nil if there is none.
	Images func(url string) Image
	// SVG draws an SVG document on w×h pixels; nil if that isn't possible.
	SVG func(ctx context.Context, document string, w, h int) (*image.NRGBA, error)
	// Warn is told what isn't drawn, and of which node (nil if of none).
	Warn func(n *css.Node, message string)
	// Kept has parts of earlier pictures of the same document; nil for none.
	Kept *Cache
	// NoText leaves out all texts, to measure what is behind them.
	NoText bool
}

// target is where something is drawn: a layer, the clip, and the transform to its pixels.
type target struct {
	l *raster.Layer
	c raster.Clip
	m raster.Matrix
	// The shapes that made the mask of the clip, if it is made of them alone: if made is that mask.
	shapes []clipKey
	made   *image.Alpha
}

type painter struct {
	ctx           context.Context
	in            *Input
	width, height int
	raster.Compositor
	canvasSource *fragment.Fragment // whose background is that of the canvas
	ground       *fragment.Fragment // whose background is drawn already
	base         *raster.Layer      // the card
	under        *underlay          // what is put off; nil once it is painted
	warned       int                // warnings so far
	textOnly     bool
	layerBytes   int // of the layers in use
	tooDeep      bool
}

func newPainter(ctx context.Context, in *Input) *painter {
	p := &painter{ctx: ctx, in: in, width: in.Width, height: in.Height}
	p.Meter = meter.New(ctx)
	return p
}

func (p *painter) warn(f *fragment.Fragment, message string) {
	p.warned++
	if p.in.Warn == nil {
		return
	}
	for ; f != nil; f = f.Parent {
		if f.Node != nil {
			p.in.Warn(f.Node, message)
			return
		}
	}
	p.in.Warn(nil, message)
}

// Bitmap is what was drawn: an opaque *image.RGBA, or an *image.Paletted for a document of few colors.
type Bitmap struct {
	image.Image
	canvas *paint.Canvas
	pix    []uint8
}

// Release frees the memory of the picture, which may not be used afterwards.
func (p *Bitmap) Release() {
	if p.canvas != nil {
		p.canvas.Release()
	}
	cache.Pixels.Give(p.pix)
	*p = Bitmap{}
}

// Clone returns the picture in memory of its own.
func (p *Bitmap) Clone() image.Image {
	switch img := p.Image.(type) {
	case *image.Paletted:
		own := *img
		own.Pix, own.Palette = slices.Clone(img.Pix), make(color.Palette, len(img.Palette))
		for i, c := range img.Palette {
			own.Palette[i] = color.RGBAModel.Convert(c)
		}
		return &own
	case *image.RGBA:
		own := *img
		own.Pix = slices.Clone(img.Pix)
		return &own
	}
	return p.Image
}

// Draw paints a document over white. It fails if ctx ends.
func Draw(ctx context.Context, in Input) (*Bitmap, error) {
	p := newPainter(ctx, &in)
	r := image.Rect(0, 0, in.Width, in.Height)
	p.canvasSource = canvasSource(in.Root)
	t := target{c: raster.Clip{R: r}, m: raster.Identity}
	out := &Bitmap{}
	if c, ok := p.startFlat(in.Root); ok {
		t.l, out.canvas = &raster.Layer{R: r, Canvas: c}, c
	} else {
		t.l = raster.EmptyLayer(r)
		out.pix = t.l.Pix
		p.base, p.under = t.l, &underlay{}
		if in.Kept == nil || in.NoText {
			p.paintUnder()
		}
		p.canvas(in.Root, t)
	}
	p.context(in.Root, t, true)
	p.paintUnder()
	if err := p.Meter.Err(); err != nil {
		out.abandon()
		return nil, err
	}
	out.Image = &image.RGBA{Pix: out.pix, Stride: t.l.Stride, Rect: r}
	if out.canvas != nil {
		out.Image = out.canvas.Image()
	}
	return out, nil
}

// abandon is Release of a picture whose drawing was ended.
func (p *Bitmap) abandon() {
	if p.canvas != nil {
		p.canvas.Abandon()
	}
	cache.Pixels.Give(p.pix)
}

// canvasSource returns the fragment whose background is that of the canvas: the root or body; nil if none has one.
func canvasSource(root *fragment.Fragment) *fragment.Fragment {
	if painted(root.Style) {
		return root
	}
	for _, c := range root.Children {
		if c.Node != nil && c.Node.Tag == "body" && painted(c.Style) {
			return c
		}
	}
	return nil
}

// canvas paints the background of the root or body over the whole card.
func (p *painter) canvas(root *fragment.Fragment, t target) {
	source := p.canvasSource
	if source == nil {
		return
	}
	if p.putOff(paintCanvas, root, t) {
		return
	}
	st := source.Style
	all := raster.RoundRect{Rect: raster.Rect{X0: 0, Y0: 0, X1: float64(p.width), Y1: float64(p.height)}}
	if c := st.BackgroundColor.Of(st.Color); c.A > 0 {
		p.fillShape(t, all, raster.SolidOf(c))
	}
	shape := shapeOf(root)
	shape.Rx, shape.Ry = [4]float64{}, [4]float64{}
	for i := len(st.Background) - 1; i >= 0; i-- {
		if l := &st.Background[i]; !l.Image.None() {
			area := boxShape(root, shape, l.Origin).Rect
			if l.Fixed {
				area = all.Rect
			}
			p.layerIn(source, l, area, all, t)
		}
	}
}

func painted(st *css.Style) bool {
	if st.BackgroundColor.A > 0 || st.BackgroundColor.Current {
		return true
	}
	for i := range st.Background {
		if !st.Background[i].Image.None() {
			return true
		}
	}
	return false
}

// makesContext reports whether a fragment makes a stacking context.
func makesContext(f *fragment.Fragment) bool {
	if f.Anonymous || f.Kind == fragment.Text || f.Kind == fragment.Emoji {
		return false
	}
	st := f.Style
	if st.Opacity < 1 || st.Isolate || st.MixBlend != css.BlendNormal || len(st.Transform) > 0 || len(st.Filter) > 0 ||
		len(st.BackdropFilter) > 0 || st.ClipPath != nil || hasMask(st.Mask) {
		return true
	}
	if st.Position == css.FixedPosition || st.Position == css.Sticky {
		return true
	}
	return (f.Positioned || f.FlexItem) && !st.ZAuto
}

// scene is the clips within a stacking context.
type scene struct {
	p     *painter
	root  *fragment.Fragment
	base  target
	clips map[*fragment.Fragment]target
}

// within returns the target for the content of a fragment: limited to its box if it clips its overflow.
func (s *scene) within(f *fragment.Fragment, t target) target {
	st := f.Style
	visible := st.OverflowX == css.OverflowVisible && st.OverflowY == css.OverflowVisible
	if visible || f.Anonymous || f.Kind != fragment.Box || f.Parent == nil {
		return t
	}
	if f.Node != nil && (f.Node.Tag == "body" || f.Node.Tag == "html") && s.p.viewportClip(f) {
		return t
	}
	if c, ok := s.clips[f]; ok {
		// The clip of this fragment is known in full.
		t.c, t.shapes, t.made = c.c, c.shapes, c.made
		return t
	}
	shape := boxShape(f, shapeOf(f), value.BoxPadding)
	if st.OverflowX == css.OverflowVisible {
		shape = raster.RoundRect{Rect: raster.Rect{X0: shape.X0 - raster.Far, Y0: shape.Y0, X1: shape.X1 + raster.Far, Y1: shape.Y1}}
	}
	if st.OverflowY == css.OverflowVisible {
		shape = raster.RoundRect{Rect: raster.Rect{X0: shape.X0, Y0: shape.Y0 - raster.Far, X1: shape.X1, Y1: shape.Y1 + raster.Far}}
	}
	t = s.p.clipShape(t, shape)
	s.clips[f] = t
	return t
}

// viewportClip reports whether the overflow of body or html is that of the viewport, which clips to the card anyway.
func (p *painter) viewportClip(f *fragment.Fragment) bool {
	if f.Parent == nil || f.Node.Tag == "html" {
		return true
	}
	root := f.Parent
	for root.Parent != nil {
		root = root.Parent
	}
	return root.Style.OverflowX == css.OverflowVisible && root.Style.OverflowY == css.OverflowVisible
}

// targetOf returns the target for a fragment painted apart: with the clips of the boxes that contain it, up to the
// stacking context.
func (s *scene) targetOf(f *fragment.Fragment) target {
	var chain []*fragment.Fragment
	for c := f; c != s.root; {
		next := c.Parent
		if c.OutOfFlow {
			next = c.Containing
			if next == nil || !s.contains(next) { // contained by something outside of the context
				break
			}
		}
		if next == nil {
			break
		}
		chain = append(chain, next)
		c = next
	}
	t := s.base
	for i := len(chain) - 1; i >= 0; i-- {
		t = s.within(chain[i], t)
	}
	return t
}

// contains reports whether a fragment is in this context, or is its root.
func (s *scene) contains(f *fragment.Fragment) bool {
	for ; f != nil; f = f.Parent {
		if f == s.root {
			return true
		}
	}
	return false
}

// stop reports whether drawing must end, between elements and effects, each of which may take long.
func (p *painter) stop() bool { return p.Meter.Over() }

// inkBounds returns a rectangle around what a fragment and those in it draw.
func (p *painter) inkBounds(f *fragment.Fragment, depth int) raster.Rect {
	if f.Hidden || depth > 300 {
		return raster.Rect{}
	}
	st := f.Style
	var r raster.Rect
	switch f.Kind {
	case fragment.Text, fragment.Emoji:
		r = inkOf(f)
		for i := range st.TextShadow {
			r = r.Union(r.Grow(st.TextShadow[i].Blur*1.6 + max(abs(st.TextShadow[i].X), abs(st.TextShadow[i].Y))))
		}
		return r
	}
	r = rectOf(f.Border)
	if !f.Anonymous {
		grow := 0.0
		for i := range st.BoxShadow {
			if s := &st.BoxShadow[i]; !s.Inset {
				grow = max(grow, s.Blur*1.6+s.Spread+max(abs(s.X), abs(s.Y)))
			}
		}
		if st.Outline.Width > 0 {
			grow = max(grow, st.Outline.Width+st.OutlineOffset)
		}
		r = r.Grow(grow + 1)
	}
	clipped := f.Kind == fragment.Box && !f.Anonymous
	clipped = clipped && st.OverflowX != css.OverflowVisible && st.OverflowY != css.OverflowVisible
	for _, c := range f.Children {
		if clipped && !c.OutOfFlow {
			continue
		}
		b := p.inkBounds(c, depth+1)
		if makesContext(c) {
			if n := filterReach(c.Style.Filter, 1); n > 0 {
				b = b.Grow(float64(n))
			}
			b = transformOf(c).Bounds(b)
		}
		r = r.Union(b)
	}
	return r
}

func abs(v float64) float64 { return max(v, -v) }
