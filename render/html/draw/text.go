package draw

import (
	"image"
	"image/color"
	"math"
	"slices"

	"masthead/render/html/css"
	"masthead/render/html/css/shape"
	"masthead/render/html/layout/fragment"
	"masthead/render/html/raster"
	"masthead/render/text"
)

// text paints a piece of text: shadows, lines below it, the letters, the line through them.
func (p *painter) text(f *fragment.Fragment, t target) {
	run := f.Text
	if run == nil || p.in.NoText || f.Style.Visibility != css.Visible || t.c.R.Empty() {
		return
	}
	p.paintUnder()
	st := f.Style
	fill := st.FillColor.Of(st.Color)
	strokeColor := st.StrokeColor.Of(st.Color)
	if p.textOnly {
		black := raster.Solid{R: 0, G: 0, B: 0, A: 255}
		p.decorations(f, t, true, true, black)
		p.letters(f, t, black)
		if st.StrokeWidth > 0 {
			p.strokes(f, t, black)
		}
		return
	}
	if len(st.TextShadow) > 0 {
		p.textShadows(f, t, fill)
	}
	p.decorations(f, t, true, false, nil)
	stroked := st.StrokeWidth > 0 && strokeColor.A > 0
	if stroked && st.StrokeFirst {
		p.strokes(f, t, raster.SolidOf(strokeColor))
	}
	if fill.A > 0 {
		p.letters(f, t, raster.SolidOf(fill))
	}
	if stroked && !st.StrokeFirst {
		p.strokes(f, t, raster.SolidOf(strokeColor))
	}
	p.emoji(f, t)
	p.decorations(f, t, false, true, nil)
}

// letters fills the glyphs of a text with a shader.
func (p *painter) letters(f *fragment.Fragment, t target, s raster.Shader) {
	for i := range f.Text.Runs {
		run := &f.Text.Runs[i]
		if run.Face == nil {
			continue
		}
		if t.m.Moves() && !run.Bold && !run.Oblique && !slices.ContainsFunc(run.Glyphs, isUpright) {
			for _, g := range run.Glyphs {
				if run.Size >= largeGlyph && p.hidesGlyph(run, g, t) {
					continue
				}
				m, at := p.in.Engine.GlyphMask(run.Face, g.ID, run.Size, g.X+t.m.E, g.Y+t.m.F)
				if m != nil {
					p.FillMask(t.l, t.c, m, at.X, at.Y, s)
				}
			}
			continue
		}
		q := p.outlines(run, t.m, 2*boldness(run.Size)*t.m.Scale(), t.c.R)
		if run.Bold {
			q = append(q, raster.Stroke(q.Contours(.05, p.Meter), boldness(run.Size)*t.m.Scale(), false, 4, p.Meter)...)
		}
		p.Fill(t.l, t.c, q, false, s)
	}
}

// largeGlyph is the size in px from which the work of drawing a glyph counts.
const largeGlyph = 64

// hidesGlyph counts the work of drawing a large glyph, and reports whether it isn't drawn: it is outside of the clip,
// or the time is over.
func (p *painter) hidesGlyph(run *fragment.GlyphRun, g fragment.Glyph, t target) bool {
	ink := t.m.Mul(glyphMatrix(run, g)).Bounds(raster.Rect(p.in.Engine.GlyphInk(run.Face, g.ID)))
	const fast = 8 // runs of pixels
	return !raster.Outer(ink.Grow(1)).Overlaps(t.c.R) || p.Meter.Spend(int(min(run.Size*run.Size/fast, 1e6)))
}

func isUpright(g fragment.Glyph) bool { return g.Upright }

// boldness is the width of the line round the letters of synthetic bold.
func boldness(size float64) float64 {
	k := 1.0 / 24
	switch {
	case size >= 36:
		k = 1.0 / 32
	case size > 9:
		k = 1.0/24 + (size-9)/27*(1.0/32-1.0/24)
	}
	return size * k
}

// outlines returns the outlines of the glyphs of a run in device pixels, without those whose ink is more than reach px
// outside of a rectangle, unless it is empty.
func (p *painter) outlines(run *fragment.GlyphRun, m raster.Matrix, reach float64, within image.Rectangle) raster.Path {
	var q raster.Path
	for _, g := range run.Glyphs {
		if len(q) > raster.MaxSteps {
			p.Meter.Exceed("a text of too many lines")
		}
		if p.Meter.Spend(16) {
			return nil
		}
		segments, ok := p.in.Engine.GlyphPath(run.Face, g.ID)
		if !ok {
			continue
		}
		glyph := glyphMatrix(run, g)
		if m.Moves() { // the baseline is on a whole pixel
			glyph.F = math.Floor(g.Y+m.F+.5) - m.F
		}
		all := m.Mul(glyph)
		if !within.Empty() {
			ink := all.Bounds(raster.Rect(p.in.Engine.GlyphInk(run.Face, g.ID)))
			if !raster.Outer(ink.Grow(reach + 1)).Overlaps(within) {
				continue
			}
		}
		for _, s := range segments {
			step := shape.Step{}
			n := 0
			switch s.Op {
			case text.MoveTo:
				if len(q) > 0 {
					q.Close()
				}
				step.Op, n = 'M', 1
			case text.LineTo:
				step.Op, n = 'L', 1
			case text.QuadTo:
				step.Op, n = 'Q', 2
			case text.CubeTo:
				step.Op, n = 'C', 3
			}
			for k := range n {
				step.Points[2*k], step.Points[2*k+1] = all.Apply(s.Points[k].X, s.Points[k].Y)
			}
			q = append(q, step)
		}
		q.Close()
	}
	return q
}

func glyphMatrix(run *fragment.GlyphRun, g fragment.Glyph) raster.Matrix {
	m := raster.Matrix{A: run.Size, D: run.Size, E: g.X, F: g.Y}
	if run.Oblique {
		m.C = -run.Size / 4
	}
	if g.Upright {
		m = turnedBack(1, g.X, g.Y).Mul(m)
	}
	return m
}

// turnedBack returns a rotation counterclockwise about a point by quarters of a turn.
func turnedBack(quarters int, x, y float64) raster.Matrix {
	m := raster.Translation(x, y)
	for range quarters {
		m = m.Mul(raster.Matrix{B: -1, C: 1})
	}
	return m.Mul(raster.Translation(-x, -y))
}

// strokes draws the lines round the letters (-webkit-text-stroke), centered on their outlines.
func (p *painter) strokes(f *fragment.Fragment, t target, s raster.Shader) {
	width := f.Style.StrokeWidth * t.m.Scale()
	for i := range f.Text.Runs {
		run := &f.Text.Runs[i]
		if run.Face == nil {
			continue
		}
		list := p.outlines(run, t.m, width*2, t.c.R).Contours(.05, p.Meter)
		for k := range list {
			list[k].Closed = true
		}
		p.Fill(t.l, t.c, raster.Stroke(list, width, false, 4, p.Meter), false, s)
	}
}

// emoji draws the emoji of a text.
func (p *painter) emoji(f *fragment.Fragment, t target) {
	for i := range f.Text.Runs {
		run := &f.Text.Runs[i]
		if run.Face != nil {
			continue
		}
		for _, g := range run.Glyphs {
			r := raster.Rect{X0: g.X, Y0: g.Y - run.Size, X1: g.X + run.Size, Y1: g.Y}
			p.emojiAt(g.ID, r, f.Style.WritingMode.Quarters(), t)
		}
	}
}

func (p *painter) emojiAt(id uint32, r raster.Rect, quarters int, t target) {
	const largest = 1024
	side := int(math.Round(r.W() * t.m.Scale()))
	if side < 1 {
		return
	}
	side = min(side, largest)
	img := p.in.Engine.EmojiPicture(id, side)
	if img == nil {
		return
	}
	pic := raster.PictureOf(img)
	if quarters > 0 { // pictures aren't turned with their text
		t.m = t.m.Mul(turnedBack(quarters, (r.X0+r.X1)/2, (r.Y0+r.Y1)/2))
	}
	d := t.m.Bounds(r)
	if t.m.Moves() && pic.W == side {
		x, y := math.Round(d.X0), math.Round(d.Y0)
		s := &raster.PictureShader{Pixels: pic, Exact: true, At: raster.Translation(-x, -y)}
		p.FillRect(t.l, t.c, image.Rect(int(x), int(y), int(x)+pic.W, int(y)+pic.H), s)
		return
	}
	inv, ok := t.m.Inverse()
	if !ok {
		return
	}
	k := float64(pic.W) / r.W()
	s := &raster.PictureShader{Pixels: pic, At: raster.Matrix{A: k, D: k, E: -r.X0 * k, F: -r.Y0 * k}.Mul(inv)}
	var q raster.Path
	q.Rect(r)
	p.Fill(t.l, t.c, q.Transformed(t.m), false, s)
}

// textShadows draws the shadows of a text with its lines, the first on top.
func (p *painter) textShadows(f *fragment.Fragment, t target, fill color.NRGBA) {
	st := f.Style
	for i := len(st.TextShadow) - 1; i >= 0; i-- {
		s := &st.TextShadow[i]
		c := s.Color.Of(st.Color)
		if c.A == 0 || p.stop() {
			continue
		}
		sigma := min(s.Blur/2*t.m.Scale(), maxSigma)
		moved := t
		moved.m = t.m.Mul(raster.Translation(s.X, s.Y))
		if sigma < .05 {
			p.decorations(f, moved, true, true, raster.SolidOf(c))
			p.letters(f, moved, raster.SolidOf(c))
			if st.StrokeWidth > 0 {
				p.strokes(f, moved, raster.SolidOf(c))
			}
			continue
		}
		reach := int(math.Ceil(3*sigma)) + 2
		area := raster.Outer(moved.m.Bounds(inkOf(f))).Inset(-reach).Intersect(t.c.R.Inset(-reach))
		area = p.reachable(area)
		if area.Empty() || !p.enter(area) {
			continue
		}
		l := raster.NewLayer(area)
		inner := target{l: l, c: raster.Clip{R: area}, m: moved.m}
		black := raster.Solid{R: 0, G: 0, B: 0, A: 255}
		p.decorations(f, inner, true, true, black)
		p.letters(f, inner, black)
		if st.StrokeWidth > 0 {
			p.strokes(f, inner, black)
		}
		m := image.NewAlpha(area)
		for k := range m.Pix {
			m.Pix[k] = l.Pix[4*k+3]
		}
		l.Release()
		p.leave(area)
		raster.Blur(m.Pix, area.Dx(), area.Dy(), m.Stride, 1, sigma, raster.EdgeZero)
		p.FillMask(t.l, t.c, m, area.Min.X, area.Min.Y, raster.SolidOf(c))
	}
}

// inkOf returns a rectangle around the ink of a text.
func inkOf(f *fragment.Fragment) raster.Rect {
	r := rectOf(f.Border)
	size := f.Style.FontSize
	return r.Grow(size*.6 + f.Style.StrokeWidth)
}

// decorations draws the lines of a text: below the letters (under and over them) or above (through them). With a
// shader it is used for all.
func (p *painter) decorations(f *fragment.Fragment, t target, below, above bool, s raster.Shader) {
	for i := range f.Text.Decorations {
		d := &f.Text.Decorations[i]
		if through := d.Line == fragment.LineThrough; through && !above || !through && !below {
			continue
		}
		st := d.Style
		ink := s
		if ink == nil {
			c := st.Decoration.Color.Of(st.FillColor.Of(st.Color))
			if c.A == 0 {
				continue
			}
			ink = raster.SolidOf(c)
		}
		line := raster.Rect{X0: f.Border.X, Y0: d.Y, X1: f.Border.X + f.Border.W, Y1: d.Y + d.Thickness}
		style := st.Decoration.Style
		inner := t
		if style == css.LineWavy {
			line = waveLine(line, d.Line)
		}
		if d.Line != fragment.LineThrough && f.Style.SkipInk {
			reach := line
			if style == css.LineWavy {
				reach = line.Grow(waveHeight(line.H()))
			}
			inner = p.skipInk(f, d, reach, t)
		}
		p.decorationLine(line, style, ink, inner)
		if style == css.LineDouble {
			gap := d.Thickness + 1
			if d.Line == fragment.Overline {
				gap = -gap
			}
			second := line
			second.Y0, second.Y1 = second.Y0+gap, second.Y1+gap
			if d.Line != fragment.LineThrough && f.Style.SkipInk {
				inner = p.skipInk(f, d, second, t)
			}
			p.decorationLine(second, css.LineSolid, ink, inner)
		}
	}
}

func (p *painter) decorationLine(r raster.Rect, style css.LineStyle, s raster.Shader, t target) {
	switch style {
	case css.LineDashed, css.LineDotted:
		y := (r.Y0 + r.Y1) / 2
		if t.m.Moves() { // lines of an odd width lie on the middle of pixels. Source: Blink, DrawLineAsStroke
			y = math.Floor(r.Y0 + max(r.H()/2, .5))
			y += math.Mod(math.Round(r.H()), 2) / 2
		}
		p.dashedLine([2]float64{r.X0, y}, [2]float64{r.X1, y}, r.H(), style, s, t)
	case css.LineWavy:
		p.wave(r, s, t)
	default:
		var q raster.Path
		if t.m.Moves() { // thin lines lie on whole pixels
			y := math.Floor(r.Y0 + .5)
			r.Y0, r.Y1 = y, y+r.H()
			if h := r.Y1 - r.Y0; h < 1 {
				r.Y1 = r.Y0 + 1
			}
		}
		q.Rect(r)
		p.Fill(t.l, t.c, q.Transformed(t.m), false, s)
	}
}

// waveLine returns where the middle of a wavy line is: beyond the place of a straight one.
func waveLine(r raster.Rect, line fragment.DecorationLine) raster.Rect {
	d := r.H()/2 + 1
	switch line {
	case fragment.LineThrough:
		return r
	case fragment.Overline:
		d = -d
	}
	return raster.Rect{X0: r.X0, Y0: r.Y0 + d, X1: r.X1, Y1: r.Y1 + d}
}

// waveControl returns how far the control points of a wave are from its middle, and from each other, as in Chromium.
func waveControl(thickness float64) (height, step float64) {
	t := max(thickness, 1)
	return .5 + math.Floor(3*t+1), .5 + math.Floor(2*t+1)
}

// waveHeight is how far a wave reaches beyond a straight line.
func waveHeight(thickness float64) float64 {
	height, _ := waveControl(thickness)
	return height * .29
}

// wave draws a wavy line.
func (p *painter) wave(r raster.Rect, s raster.Shader, t target) {
	height, step := waveControl(r.H())
	y := (r.Y0 + r.Y1) / 2
	var q raster.Path
	x := r.X0 - 2*step
	q.Move(x, y)
	for i := 0; x < r.X1+2*step && i < raster.MaxDashes; i++ {
		q.Cubic(x+step, y+height, x+step, y-height, x+2*step, y)
		x += 2 * step
	}
	t = p.clipShape(t, raster.RoundRect{Rect: raster.Rect{X0: r.X0, Y0: r.Y0 - 2*height, X1: r.X1, Y1: r.Y1 + 2*height}})
	p.Fill(t.l, t.c, raster.Stroke(q.Contours(.05, p.Meter), max(r.H(), 1), false, 4, p.Meter).Transformed(t.m), false, s)
}

// skipInk cuts out of a line what is near the ink of letters that reach into it.
func (p *painter) skipInk(f *fragment.Fragment, d *fragment.Decoration, line raster.Rect, t target) target {
	var cuts []raster.Rect
	for i := range f.Text.Runs {
		run := &f.Text.Runs[i]
		if run.Face == nil {
			continue
		}
		for _, g := range run.Glyphs {
			if skips(g.Rune) {
				continue
			}
			x0, x1, ok := p.crossing(run, g, line.Y0, line.Y1)
			if ok {
				cuts = append(cuts, raster.Rect{
					X0: x0 - d.Thickness, Y0: line.Y0 - d.Thickness - 1,
					X1: x1 + d.Thickness, Y1: line.Y1 + d.Thickness + 1,
				})
			}
		}
	}
	if len(cuts) == 0 {
		return t
	}
	bounds := raster.Outer(t.m.Bounds(line.Grow(d.Thickness + 2))).Intersect(t.c.R)
	m := image.NewAlpha(bounds)
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	for _, c := range cuts {
		var q raster.Path
		q.Rect(c)
		p.cutOut(m, q.Transformed(t.m))
	}
	t.c = t.c.ToMask(m)
	return t
}

// skips reports whether lines go on under a character: those of Han, kana and hangul.
func skips(r rune) bool {
	return r >= 0x2e80 && r <= 0xd7ff || r >= 0xf900 && r <= 0xfaff || r >= 0xff00 && r <= 0xffef || r >= 0x20000
}

// crossing returns where a glyph's ink is between two heights.
func (p *painter) crossing(run *fragment.GlyphRun, g fragment.Glyph, y0, y1 float64) (x0, x1 float64, ok bool) {
	ink := p.in.Engine.GlyphInk(run.Face, g.ID)
	if g.Y+ink.Y1*run.Size <= y0 || g.Y+ink.Y0*run.Size >= y1 {
		return 0, 0, false
	}
	single := fragment.GlyphRun{Face: run.Face, Size: run.Size, Oblique: run.Oblique, Glyphs: []fragment.Glyph{g}}
	x0, x1 = math.Inf(1), math.Inf(-1)
	var px, py float64
	whole := p.outlines(&single, raster.Identity, 0, image.Rectangle{})
	whole.Flatten(.05, func(x, y float64, start, end bool) (over bool) {
		if !start && !end {
			segment(px, py, x, y, y0, y1, func(x float64) { x0, x1 = min(x0, x), max(x1, x) })
		}
		px, py = x, y
		return p.Meter.Spend(1)
	})
	return x0, x1, x0 <= x1
}

// segment passes the ends of the part of a line between two heights to f.
func segment(ax, ay, bx, by, y0, y1 float64, f func(x float64)) {
	if ay > by {
		ax, ay, bx, by = bx, by, ax, ay
	}
	if by < y0 || ay > y1 {
		return
	}
	at := func(y float64) float64 {
		if by == ay {
			return ax
		}
		return ax + (bx-ax)*(y-ay)/(by-ay)
	}
	f(at(max(ay, y0)))
	f(at(min(by, y1)))
}
