package draw

import (
	"bytes"
	"image"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
)

// What a document paints before its first text or picture is often the same on every page: backgrounds, shadows,
// blurred shapes, drawings. It is the underlay. Its steps are put off until something else is painted; if they are
// those of an earlier page, in the same places, its pixels are copied, otherwise the steps are painted then. Texts and
// pictures are always painted.

// underlay is steps that were put off.
type underlay struct {
	steps []step
	keys  []stepKey
}

// stepKind is what a step paints.
type stepKind uint8

const (
	paintCanvas  stepKind = iota // the background of the card
	paintBox                     // shadows, background and borders
	paintOutline                 // an outline
	paintDrawing                 // an inline <svg>
	paintContext                 // a stacking context with effects, and what is in it
	within                       // not a step: a fragment in the one before
	clipped                      // not a step: a shape that clips the one before
)

// step paints a fragment.
type step struct {
	kind stepKind
	f    *fragment.Fragment
	t    target
}

// stepKey is all that a step depends on, besides the size of the picture. Styles are those of one document for one set
// of properties: the same page has the same ones again.
type stepKey struct {
	kind        stepKind
	depth       int
	clip        image.Rectangle
	m           raster.Matrix
	style       *css.Style
	tag, source string
	fragment    fragmentKey
	containing  fragment.Rect
	shape       raster.RoundRect // of a clip
}

// fragmentKey is what is painted of a fragment by its style.
type fragmentKey struct {
	kind                                         fragment.Kind
	border                                       fragment.Rect
	borders, padding                             fragment.Edges
	hasLeft, hasRight                            bool
	sliceOffset, sliceWidth                      float64
	anonymous, positioned, item, atomic, floated bool
	outOfFlow, hidden, contained                 bool
}

// maxSteps bounds the fragments of an underlay, and the shapes that clip them.
const maxSteps = 512

// putOff adds a step to the underlay. It returns false if the step must be painted now, and then what is below it has
// been.
func (p *painter) putOff(kind stepKind, f *fragment.Fragment, t target) bool {
	u := p.under
	if u == nil {
		return false
	}
	n := len(u.keys)
	if t.c.Mask == t.made && u.add(p, kind, f, t, 0) && len(u.keys)+len(t.shapes) <= maxSteps {
		for _, s := range t.shapes {
			u.keys = append(u.keys, stepKey{kind: clipped, clip: s.clip, m: s.m, shape: s.shape})
		}
		u.steps = append(u.steps, step{kind, f, t})
		return true
	}
	u.keys = u.keys[:n]
	p.paintUnder()
	return false
}

// add adds the keys of a fragment, and of those in a stacking context. It returns false if they depend on something
// else: on texts, or on pictures.
func (u *underlay) add(p *painter, kind stepKind, f *fragment.Fragment, t target, depth int) bool {
	if f.Hidden && kind == within {
		return true
	}
	if len(u.keys) == maxSteps || f.Text != nil || f.Kind == fragment.Text || f.Kind == fragment.Emoji {
		return false
	}
	k := stepKey{kind: kind, depth: depth, clip: t.c.R, m: t.m, fragment: fragmentKey{
		kind: f.Kind, border: f.Border, borders: f.BorderWidth, padding: f.PaddingWidth,
		hasLeft: f.HasLeft, hasRight: f.HasRight, sliceOffset: f.SliceOffset, sliceWidth: f.SliceWidth,
		anonymous: f.Anonymous, positioned: f.Positioned, item: f.FlexItem, atomic: f.Atomic, floated: f.Float,
		outOfFlow: f.OutOfFlow, hidden: f.Hidden, contained: f.Containing != nil,
	}}
	if f.Containing != nil {
		k.containing = f.Containing.Border
	}
	if f.Node != nil {
		k.tag = f.Node.Tag
	}
	if !f.Anonymous {
		k.style = f.Style
		if namesPicture(f.Style) {
			return false
		}
	}
	if kind == paintCanvas { // which the root places
		k.style = p.canvasSource.Style
		if namesPicture(k.style) {
			return false
		}
	}
	if f.Replaced != nil {
		if !f.Replaced.SVG || f.Node == nil {
			return false
		}
		if d := p.in.Kept.drawing(drawingOf(f)); d == nil || d.pictures {
			return false
		}
		k.source = f.Node.Source
	}
	u.keys = append(u.keys, k)
	if kind != paintContext && kind != within {
		return true
	}
	for _, c := range f.Children {
		if !u.add(p, within, c, t, depth+1) {
			return false
		}
	}
	return true
}

// namesPicture reports whether what a style paints is more than colors and gradients: pictures, or the text in a box.
func namesPicture(st *css.Style) bool {
	if st.ColorClip == value.BoxText || st.BorderImage.Source.URL != "" {
		return true
	}
	for i := range st.Background {
		if l := &st.Background[i]; l.Image.URL != "" || l.Clip == value.BoxText {
			return true
		}
	}
	for i := range st.Mask {
		if st.Mask[i].Image.URL != "" {
			return true
		}
	}
	return false
}

// plain reports whether a stacking context only orders what is in it: its content is painted where it is.
func plain(st *css.Style, isolate bool) bool {
	return st.Opacity >= 1 && len(st.Filter) == 0 && len(st.BackdropFilter) == 0 && st.ClipPath == nil &&
		!hasMask(st.Mask) && st.MixBlend == css.BlendNormal && !isolate
}

// paintUnder paints the underlay, from the pixels of an earlier page if there are any, and ends it.
func (p *painter) paintUnder() {
	u := p.under
	if u == nil {
		return
	}
	p.under = nil
	l := p.base
	pix, again := p.in.Kept.underlay(u.keys, l.R)
	if pix != nil {
		pix.copyTo(l)
		return
	}
	clear(l.Pix)
	if src := p.canvasSource; src == nil || src.Style.BackgroundColor.Of(src.Style.Color).A < 255 {
		raster.Fill4(l.Pix, []uint8{255, 255, 255, 255})
	}
	warned := p.warned
	for _, s := range u.steps {
		if p.stop() {
			return
		}
		p.paintStep(s)
	}
	if again && !p.stop() && p.warned == warned {
		p.in.Kept.keepUnderlay(u.keys, l)
	}
}

func (p *painter) paintStep(s step) {
	switch s.kind {
	case paintCanvas:
		p.canvas(s.f, s.t)
	case paintBox:
		p.decorate(s.f, s.t)
	case paintOutline:
		p.outline(s.f, s.t)
	case paintDrawing:
		p.replaced(s.f, s.t)
	default:
		p.context(s.f, s.t, false)
	}
}

// rows are the pixels of a picture; equal rows below one another are stored once.
type rows struct {
	pix []uint8
	at  []int // of each row
}

func rowsOf(l *raster.Layer) *rows {
	out := &rows{at: make([]int, l.R.Dy())}
	different := 0
	for y := range out.at {
		if y == 0 || !bytes.Equal(l.Pix[(y-1)*l.Stride:][:l.Stride], l.Pix[y*l.Stride:][:l.Stride]) {
			different++
		}
		out.at[y] = (different - 1) * l.Stride
	}
	out.pix = make([]uint8, 0, different*l.Stride)
	for y, at := range out.at {
		if at == len(out.pix) {
			out.pix = append(out.pix, l.Pix[y*l.Stride:][:l.Stride]...)
		}
	}
	return out
}

// copyTo stores the pixels in a layer of their size.
func (r *rows) copyTo(l *raster.Layer) {
	for y, at := range r.at {
		copy(l.Pix[y*l.Stride:][:l.Stride], r.pix[at:])
	}
}

// size returns the memory of the pixels.
func (r *rows) size() int {
	if r == nil {
		return 0
	}
	return len(r.pix)
}
