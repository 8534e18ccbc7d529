// Package draw paints a laid-out document: fragments in the order of CSS, on layers of pixels.
//
// What is drawn becomes coverage times a shader in package raster, in pixels of the card, so that transforms need no
// resampling. Effects on groups (opacity, filters, masks, blend modes) draw into a layer of their own, which is then
// composited.
//
//	draw.go      Draw: the order of painting, stacking contexts, clips
//	box.go       borders, outlines; dashes.go: dashed ones; background.go: backgrounds; shadow.go: shadows
//	text.go      letters, their lines and shadows; picture.go: pictures
//	svg.go       inline SVG; svgdoc.go, svgpaint.go, svggradient.go, svgclip.go, svgfilter.go: drawing it
//	kept.go      parts of drawings that are kept from one picture to the next
//	effects.go   transforms, opacity, filters, masks, clip-path
//	flat.go      documents of few colors, which are drawn on an indexed canvas
package draw

import (
	"context"
	"image"
	"image/color"
	"slices"
	"sort"

	"masthead/render/cache"
	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout"
	"masthead/render/html/raster"
	"masthead/render/paint"
	"masthead/render/text"
)

// Input is what is drawn.
type Input struct {
	Root          *layout.Fragment
	Width, Height int
	Engine        *text.Engine
	// Images returns a picture by its address; nil if there is none.
	Images func(url string) Image
	// SVG draws an SVG document on w×h pixels; nil if that isn't possible.
	SVG func(ctx context.Context, document string, w, h int) (*image.NRGBA, error)
	// Warn is told what isn't drawn, and of which node (nil if of none).
	Warn func(n *css.Node, message string)
	// Kept has parts of earlier pictures of the same document; nil for none.
	Kept *Kept
	// NoText leaves out all texts, to measure what is behind them.
	NoText bool
}

// target is where something is drawn: a layer, the clip, and the transform to its pixels.
type target struct {
	l *raster.Layer
	c raster.Clip
	m raster.Matrix
}

type painter struct {
	ctx           context.Context
	in            *Input
	width, height int
	raster.Compositor
	canvasSource *layout.Fragment // whose background is that of the canvas
	ground       *layout.Fragment // whose background is drawn already
	textOnly     bool
	layerBytes   int // of the layers in use
	tooDeep      bool
	count        int
	err          error
}

func (p *painter) warn(f *layout.Fragment, message string) {
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

// Picture is what was drawn: an opaque *image.RGBA, or an *image.Paletted for a document of few colors.
type Picture struct {
	image.Image
	canvas *paint.Canvas
	pix    []uint8
}

// Release frees the memory of the picture, which may not be used afterwards.
func (p *Picture) Release() {
	if p.canvas != nil {
		p.canvas.Release()
	}
	cache.Pixels.Give(p.pix)
	*p = Picture{}
}

// Clone returns the picture in memory of its own.
func (p *Picture) Clone() image.Image {
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
func Draw(ctx context.Context, in Input) (*Picture, error) {
	p := &painter{ctx: ctx, in: &in, width: in.Width, height: in.Height}
	r := image.Rect(0, 0, in.Width, in.Height)
	p.canvasSource = canvasSource(in.Root)
	t := target{c: raster.Clip{R: r}, m: raster.Identity}
	out := &Picture{}
	if c, ok := p.startFlat(in.Root); ok {
		t.l, out.canvas = &raster.Layer{R: r, Canvas: c}, c
	} else {
		t.l = raster.NewLayer(r)
		out.pix = t.l.Pix
		if src := p.canvasSource; src == nil || src.Style.BackgroundColor.Of(src.Style.Color).A < 255 {
			raster.Fill4(out.pix, []uint8{255, 255, 255, 255})
		}
		p.canvas(in.Root, t)
	}
	p.context(in.Root, t, true)
	if p.err != nil {
		out.abandon()
		return nil, p.err
	}
	out.Image = &image.RGBA{Pix: out.pix, Stride: t.l.Stride, Rect: r}
	if out.canvas != nil {
		out.Image = out.canvas.Image()
	}
	return out, nil
}

// abandon is Release of a picture whose drawing was ended.
func (p *Picture) abandon() {
	if p.canvas != nil {
		p.canvas.Abandon()
	}
	cache.Pixels.Give(p.pix)
}

// canvasSource returns the fragment whose background is that of the canvas: the root or body; nil if none has one.
func canvasSource(root *layout.Fragment) *layout.Fragment {
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
func (p *painter) canvas(root *layout.Fragment, t target) {
	source := p.canvasSource
	if source == nil {
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
func makesContext(f *layout.Fragment) bool {
	if f.Anonymous || f.Kind == layout.Text || f.Kind == layout.Emoji {
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

// item is a positioned box or stacking context to be painted by its z-index.
type item struct {
	f  *layout.Fragment
	z  int
	up bool // a stacking context of its own
}

// collect gathers what is painted by z-index within a stacking context, in the order of the document.
func collect(f *layout.Fragment, list []item) []item {
	for _, c := range f.Children {
		if c.Hidden {
			continue
		}
		switch own := makesContext(c); {
		case own:
			list = append(list, item{c, c.Style.ZIndex, true})
		case c.Positioned && !c.Anonymous:
			list = append(list, item{c, 0, false})
			list = collect(c, list)
		default:
			list = collect(c, list)
		}
	}
	return list
}

// apart reports whether a fragment isn't painted in the flow of its parent.
func apart(f *layout.Fragment) bool { return f.Positioned && !f.Anonymous || makesContext(f) }

// context paints a stacking context, with its effects.
func (p *painter) context(f *layout.Fragment, t target, root bool) {
	if p.stop() {
		return
	}
	items := collect(f, nil)
	sort.SliceStable(items, func(i, k int) bool { return items[i].z < items[k].z })
	isolate := false
	if !root {
		for _, it := range items {
			isolate = isolate || it.f.Style.MixBlend != css.BlendNormal
		}
	}
	inside := func(t target) {
		s := &scene{p: p, root: f, base: t, clips: map[*layout.Fragment]raster.Clip{}}
		p.decorate(f, t)
		k := 0
		for ; k < len(items) && items[k].z < 0; k++ {
			p.item(items[k], s)
		}
		inner := s.within(f, t)
		p.phases(f, inner, s)
		p.outline(f, t)
		for ; k < len(items); k++ {
			p.item(items[k], s)
		}
	}
	if root {
		inside(t)
		return
	}
	p.withEffects(f, t, isolate, inside)
}

// scene is the clips within a stacking context.
type scene struct {
	p     *painter
	root  *layout.Fragment
	base  target
	clips map[*layout.Fragment]raster.Clip
}

// within returns the target for the content of a fragment: limited to its box if it clips its overflow.
func (s *scene) within(f *layout.Fragment, t target) target {
	st := f.Style
	visible := st.OverflowX == css.OverflowVisible && st.OverflowY == css.OverflowVisible
	if visible || f.Anonymous || f.Kind != layout.Box || f.Parent == nil {
		return t
	}
	if f.Node != nil && (f.Node.Tag == "body" || f.Node.Tag == "html") && s.p.viewportClip(f) {
		return t
	}
	if c, ok := s.clips[f]; ok {
		// The clip of this fragment is known in full.
		t.c = c
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
	s.clips[f] = t.c
	return t
}

// viewportClip reports whether the overflow of body or html is that of the viewport, which clips to the card anyway.
func (p *painter) viewportClip(f *layout.Fragment) bool {
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
func (s *scene) targetOf(f *layout.Fragment) target {
	var chain []*layout.Fragment
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
func (s *scene) contains(f *layout.Fragment) bool {
	for ; f != nil; f = f.Parent {
		if f == s.root {
			return true
		}
	}
	return false
}

func (p *painter) item(it item, s *scene) {
	t := s.targetOf(it.f)
	if t.c.R.Empty() {
		return
	}
	if it.up {
		p.context(it.f, t, false)
		return
	}
	p.atomic(it.f, t, s)
}

// atomic paints a box with all that isn't painted apart, as if it made a stacking context.
func (p *painter) atomic(f *layout.Fragment, t target, s *scene) {
	if p.stop() || f.Hidden {
		return
	}
	switch f.Kind {
	case layout.Text, layout.Emoji:
		p.foregroundOf(f, t, s)
		return
	case layout.Inline:
		p.foregroundOf(f, t, s)
		return
	}
	p.decorate(f, t)
	inner := s.within(f, t)
	p.phases(f, inner, s)
	p.outline(f, t)
}

// phases paints the content of a box: backgrounds of blocks, floats, then text and inline boxes, then outlines.
func (p *painter) phases(f *layout.Fragment, t target, s *scene) {
	if f.Kind == layout.Replaced {
		p.replaced(f, t)
		return
	}
	p.blocks(f, t, s)
	p.floats(f, t, s)
	p.inlines(f, t, s)
	p.blockOutlines(f, t, s)
}

// isBlock reports whether a fragment is a block in the flow.
func isBlock(c *layout.Fragment) bool {
	return (c.Kind == layout.Box || c.Kind == layout.Replaced && !c.Atomic) && !c.Atomic && !c.FlexItem && !c.Float
}

func (p *painter) blocks(f *layout.Fragment, t target, s *scene) {
	for _, c := range f.Children {
		if c.Hidden || apart(c) || !isBlock(c) || p.textOnly {
			continue
		}
		p.decorate(c, t)
		if c.Kind == layout.Box {
			p.blocks(c, s.within(c, t), s)
		}
	}
}

func (p *painter) floats(f *layout.Fragment, t target, s *scene) {
	for _, c := range f.Children {
		if c.Hidden || apart(c) {
			continue
		}
		if c.Float {
			p.atomic(c, t, s)
			continue
		}
		if isBlock(c) && c.Kind == layout.Box {
			p.floats(c, s.within(c, t), s)
		} else if c.Kind == layout.Inline {
			p.floats(c, t, s)
		}
	}
}

func (p *painter) inlines(f *layout.Fragment, t target, s *scene) {
	for _, c := range f.Children {
		if c.Hidden || apart(c) || c.Float {
			continue
		}
		p.foregroundOf(c, t, s)
	}
}

// foregroundOf paints the text and inline boxes of a fragment.
func (p *painter) foregroundOf(c *layout.Fragment, t target, s *scene) {
	if p.stop() {
		return
	}
	switch {
	case c.Kind == layout.Text:
		p.text(c, t)
	case c.Kind == layout.Emoji:
		p.emojiFragment(c, t)
	case c.Kind == layout.Inline:
		if !p.textOnly {
			p.decorate(c, t)
		}
		p.inlines(c, t, s)
		if !p.textOnly {
			p.outline(c, t)
		}
	case isBlock(c) && c.Kind == layout.Box:
		p.inlines(c, s.within(c, t), s)
	case isBlock(c):
		p.replaced(c, t)
	case p.textOnly:
		p.inlines(c, s.within(c, t), s)
	default:
		p.atomic(c, t, s)
	}
}

// blockOutlines paints the outlines of the blocks in a box.
func (p *painter) blockOutlines(f *layout.Fragment, t target, s *scene) {
	for _, c := range f.Children {
		if c.Hidden || apart(c) || !isBlock(c) || p.textOnly {
			continue
		}
		p.outline(c, t)
		if c.Kind == layout.Box {
			p.blockOutlines(c, s.within(c, t), s)
		}
	}
}

// foreground paints only the text within a box, for backgrounds that are clipped to it.
func (p *painter) foreground(f *layout.Fragment, t target) {
	s := &scene{p: p, root: f, base: t, clips: map[*layout.Fragment]raster.Clip{}}
	p.words(f, t, s)
}

func (p *painter) words(f *layout.Fragment, t target, s *scene) {
	for _, c := range f.Children {
		if c.Hidden || p.stop() {
			continue
		}
		if c.Kind == layout.Text {
			p.text(c, t)
			continue
		}
		inner := t
		if makesContext(c) {
			inner.m = t.m.Mul(transformOf(c))
		}
		p.words(c, inner, s)
	}
}

// emojiFragment paints an emoji that layout made a box of its own.
func (p *painter) emojiFragment(f *layout.Fragment, t target) {
	if f.Text == nil || f.Style.Visibility != css.Visible || p.textOnly {
		return
	}
	for i := range f.Text.Runs {
		for _, g := range f.Text.Runs[i].Glyphs {
			p.emojiAt(g.ID, rectOf(f.Border), t)
		}
	}
}

// stop reports whether drawing must end; it looks at the context now and then.
func (p *painter) stop() bool {
	if p.err != nil {
		return true
	}
	if p.count++; p.count%16 == 0 {
		p.err = p.ctx.Err()
	}
	return p.err != nil
}

// inkBounds returns a rectangle around what a fragment and those in it draw.
func (p *painter) inkBounds(f *layout.Fragment, depth int) raster.Rect {
	if f.Hidden || depth > 300 {
		return raster.Rect{}
	}
	st := f.Style
	var r raster.Rect
	switch f.Kind {
	case layout.Text, layout.Emoji:
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
	clipped := f.Kind == layout.Box && !f.Anonymous
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
