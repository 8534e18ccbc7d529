package draw

import (
	"image/color"

	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/gradient"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
	"masthead/render/paint"
)

// A card of flat colors, or of one linear gradient, is drawn on an indexed canvas: it compresses to half, and is drawn
// and encoded several times faster. What the canvas doesn't draw, such as a blurred shadow, turns it into RGBA on the
// way, so that this is a choice of speed alone; isFlat makes it well.

// gradientColors is the number of colors that a gradient of the canvas is made of.
const gradientColors = 65

// startFlat begins a flat document on an indexed canvas, with the background of the card; ok is false if it isn't flat.
func (p *painter) startFlat(root *fragment.Fragment) (c *paint.Canvas, ok bool) {
	p.ground = p.groundOf(root)
	defer func() {
		if !ok {
			p.ground = nil
		}
	}()
	if p.ground == nil || p.ground.Style.Visibility != css.Visible {
		return nil, false
	}
	from := p.ground
	if from == p.canvasSource { // whose background is placed by the root
		from = root
	}
	background, ok := p.flatBackground(from, p.ground.Style)
	if !ok {
		return nil, false
	}
	inks := map[color.NRGBA]bool{}
	if !p.isFlat(root, inks) || len(inks) > maxInks {
		return nil, false
	}
	list := make([]color.NRGBA, 0, len(inks))
	for ink := range inks {
		list = append(list, ink)
	}
	sortInks(list)
	return paint.New(p.width, p.height, background, list...), true
}

// maxInks is the number of colors above which a document isn't flat.
const maxInks = 12

// groundOf returns the box whose background is seen behind all others: one over the whole card, if nothing can be
// painted before it, otherwise the source of the canvas's.
func (p *painter) groundOf(root *fragment.Fragment) *fragment.Fragment {
	f := root
	for len(f.Children) == 1 && !p.isSeen(f) {
		f = f.Children[0]
		if f.Kind == fragment.Box && !f.Anonymous && len(f.Style.Transform) == 0 && f.Style.ColorClip == value.BoxBorder &&
			painted(f.Style) && f != p.canvasSource && p.isWhole(f) && p.isLowest(f) {
			return f
		}
	}
	return p.canvasSource
}

// isSeen reports whether a box on the way to the ground is seen itself, changes what is in it, or hides it.
func (p *painter) isSeen(f *fragment.Fragment) bool {
	st := f.Style
	if f.Kind != fragment.Box || f.Hidden || f.Parent != nil && makesContext(f) {
		return true
	}
	if f.Anonymous {
		return false
	}
	seen := f != p.canvasSource && painted(st) || f.BorderWidth != (fragment.Edges{}) || st.Outline.Width > 0 ||
		len(st.BoxShadow) > 0
	clips := st.OverflowX != css.OverflowVisible || st.OverflowY != css.OverflowVisible
	return seen || clips && !p.isWhole(f)
}

// isWhole reports whether a box is as large as the card, with square corners.
func (p *painter) isWhole(f *fragment.Fragment) bool {
	r := shapeOf(f)
	return r.Square() && r.Rect == raster.Rect{X0: 0, Y0: 0, X1: float64(p.width), Y1: float64(p.height)}
}

// isLowest reports whether nothing in a box is painted before its background.
func (p *painter) isLowest(f *fragment.Fragment) bool {
	if makesContext(f) {
		return true
	}
	for _, it := range collect(f, nil) {
		if it.z < 0 {
			return false
		}
	}
	return true
}

// flatBackground returns the background of a box if the indexed canvas has it.
func (p *painter) flatBackground(f *fragment.Fragment, st *css.Style) (paint.Background, bool) {
	base := st.BackgroundColor.Of(st.Color)
	layers := 0
	for i := range st.Background {
		if !st.Background[i].Image.None() {
			layers++
		}
	}
	if layers == 0 {
		return paint.Solid(base), base.A == 255
	}
	b := &st.Background[0]
	g := b.Image.Gradient
	if layers > 1 || len(st.Background) > 1 || g == nil || g.Kind != gradient.Linear || g.Repeating || g.Corner ||
		b.Size != (css.LayerSize{}) || b.Fixed || b.Clip == value.BoxText {
		return nil, false
	}
	if !p.isWhole(f) || f.BorderWidth != (fragment.Edges{}) {
		return nil, false
	}
	angle := paint.Angle(g.Angle)
	switch {
	case float64(angle) != g.Angle:
		return nil, false
	case angle != paint.Right && angle != paint.DownRight && angle != paint.Down && angle != paint.UpRight:
		return nil, false
	}
	stops := raster.StopsOf(g, 1, st.Color)
	for i := range g.Stops {
		if g.Stops[i].At.Px != 0 || g.Stops[i].At.Calc != nil || stops[i].C.A != 255 {
			return nil, false
		}
		if i > 0 && stops[i].At-stops[i-1].At < 2./gradientColors && stops[i].C != stops[i-1].C { // it would be soft
			return nil, false
		}
	}
	return paint.Linear{Angle: angle, Colors: sampled(g, stops)}, true
}

// sampled returns evenly spaced colors of a gradient.
func sampled(g *gradient.Gradient, stops []raster.Stop) []color.NRGBA {
	n := gradientColors
	if len(stops) == 2 && g.Space == colors.SRGB && stops[0].At == 0 && stops[1].At == 1 {
		n = 2
	}
	list := make([]color.NRGBA, n)
	k := 0
	for i := range list {
		t := float64(i) / float64(n-1)
		for k+1 < len(stops) && stops[k+1].At <= t {
			k++
		}
		list[i] = raster.ColorAt(g, stops, k, t)
	}
	return list
}

// isFlat reports whether a fragment and those in it are drawn in few colors, which it collects.
func (p *painter) isFlat(f *fragment.Fragment, inks map[color.NRGBA]bool) bool {
	if f.Hidden {
		return true
	}
	st := f.Style
	add := func(c color.NRGBA) {
		if c.A > 0 {
			inks[c] = true
		}
	}
	switch f.Kind {
	case fragment.Text, fragment.Emoji:
		add(st.FillColor.Of(st.Color))
		for i := range st.TextShadow {
			if st.TextShadow[i].Blur > 0 {
				return false
			}
			add(st.TextShadow[i].Color.Of(st.Color))
		}
		return len(inks) <= maxInks
	case fragment.Replaced:
		if !raster.IsSmall(f.Border.W*f.Border.H, p.width*p.height) {
			return false
		}
	}
	if !f.Anonymous {
		if st.Opacity < 1 || st.MixBlend != css.BlendNormal || st.ClipPath != nil ||
			len(st.Filter)+len(st.BackdropFilter)+len(st.Mask)+len(st.BackgroundMix) > 0 || !st.BorderImage.Source.None() {
			return false
		}
		for i := range st.BoxShadow {
			if st.BoxShadow[i].Blur > 0 {
				return false
			}
		}
		for i := range st.Background {
			if f != p.canvasSource && f != p.ground && !st.Background[i].Image.None() {
				return false
			}
		}
		if f != p.canvasSource && f != p.ground {
			add(st.BackgroundColor.Of(st.Color))
		}
		for _, b := range []*css.BorderSide{&st.Border.Top, &st.Border.Right, &st.Border.Bottom, &st.Border.Left} {
			if b.Width > 0 {
				add(b.Color.Of(st.Color))
			}
		}
	}
	for _, c := range f.Children {
		if !p.isFlat(c, inks) {
			return false
		}
	}
	return len(inks) <= maxInks
}

// sortInks puts colors in an order that doesn't depend on chance.
func sortInks(list []color.NRGBA) {
	key := func(c color.NRGBA) uint32 { return uint32(c.R)<<24 | uint32(c.G)<<16 | uint32(c.B)<<8 | uint32(c.A) }
	for i := 1; i < len(list); i++ {
		for k := i; k > 0 && key(list[k]) < key(list[k-1]); k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
}
