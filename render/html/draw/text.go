package draw

import (
	"image"
	"image/color"
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout"
	"masthead/render/text"
)

// text paints a piece of text: shadows, lines below it, the letters, the line through them.
func (p *painter) text(f *layout.Fragment, t target) {
	run := f.Text
	if run == nil || p.in.NoText || f.Style.Visibility != css.Visible || t.c.r.Empty() {
		return
	}
	st := f.Style
	fill := st.FillColor.Of(st.Color)
	strokeColor := st.StrokeColor.Of(st.Color)
	if p.textOnly {
		black := solid{0, 0, 0, 255}
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
		p.strokes(f, t, solidOf(strokeColor))
	}
	if fill.A > 0 {
		p.letters(f, t, solidOf(fill))
	}
	if stroked && !st.StrokeFirst {
		p.strokes(f, t, solidOf(strokeColor))
	}
	p.emoji(f, t)
	p.decorations(f, t, false, true, nil)
}

// letters fills the glyphs of a text with a shader.
func (p *painter) letters(f *layout.Fragment, t target, s shader) {
	for i := range f.Text.Runs {
		run := &f.Text.Runs[i]
		if run.Face == nil {
			continue
		}
		if t.m.moves() && !run.Bold && !run.Oblique {
			for _, g := range run.Glyphs {
				m, at := p.in.Engine.GlyphMask(run.Face, g.ID, run.Size, g.X+t.m.e, g.Y+t.m.f)
				if m != nil {
					p.fillMask(t.l, t.c, m, at.X, at.Y, s)
				}
			}
			continue
		}
		q := p.outlines(run, t.m)
		if run.Bold {
			q = append(q, stroke(q.contours(.05), boldness(run.Size)*t.m.scale(), false, 4)...)
		}
		p.fill(t.l, t.c, q, false, s)
	}
}

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

// outlines returns the outlines of a run in device pixels.
func (p *painter) outlines(run *layout.GlyphRun, m matrix) path {
	var q path
	for _, g := range run.Glyphs {
		segments, ok := p.in.Engine.GlyphPath(run.Face, g.ID)
		if !ok {
			continue
		}
		glyph := glyphMatrix(run, g)
		if m.moves() { // the baseline is on a whole pixel
			glyph.f = math.Floor(g.Y+m.f+.5) - m.f
		}
		all := m.mul(glyph)
		for _, s := range segments {
			step := css.PathStep{}
			n := 0
			switch s.Op {
			case text.MoveTo:
				if len(q) > 0 {
					q.close()
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
				step.Points[2*k], step.Points[2*k+1] = all.apply(s.Points[k].X, s.Points[k].Y)
			}
			q = append(q, step)
		}
		q.close()
	}
	return q
}

func glyphMatrix(run *layout.GlyphRun, g layout.Glyph) matrix {
	m := matrix{a: run.Size, d: run.Size, e: g.X, f: g.Y}
	if run.Oblique {
		m.c = -run.Size / 4
	}
	return m
}

// strokes draws the lines round the letters (-webkit-text-stroke), centered on their outlines.
func (p *painter) strokes(f *layout.Fragment, t target, s shader) {
	width := f.Style.StrokeWidth * t.m.scale()
	for i := range f.Text.Runs {
		run := &f.Text.Runs[i]
		if run.Face == nil {
			continue
		}
		list := p.outlines(run, t.m).contours(.05)
		for k := range list {
			list[k].closed = true
		}
		p.fill(t.l, t.c, stroke(list, width, false, 4), false, s)
	}
}

// emoji draws the emoji of a text.
func (p *painter) emoji(f *layout.Fragment, t target) {
	for i := range f.Text.Runs {
		run := &f.Text.Runs[i]
		if run.Face != nil {
			continue
		}
		for _, g := range run.Glyphs {
			p.emojiAt(g.ID, rect{g.X, g.Y - run.Size, g.X + run.Size, g.Y}, t)
		}
	}
}

func (p *painter) emojiAt(id uint32, r rect, t target) {
	const largest = 1024
	side := int(math.Round(r.w() * t.m.scale()))
	if side < 1 {
		return
	}
	side = min(side, largest)
	img := p.in.Engine.EmojiPicture(id, side)
	if img == nil {
		return
	}
	pic := pictureOf(img)
	d := t.m.bounds(r)
	if t.m.moves() && pic.w == side {
		x, y := math.Round(d.x0), math.Round(d.y0)
		s := &pictureShader{picture: pic, exact: true, at: translation(-x, -y)}
		p.fillRect(t.l, t.c, image.Rect(int(x), int(y), int(x)+pic.w, int(y)+pic.h), s)
		return
	}
	inv, ok := t.m.inverse()
	if !ok {
		return
	}
	k := float64(pic.w) / r.w()
	s := &pictureShader{picture: pic, at: matrix{a: k, d: k, e: -r.x0 * k, f: -r.y0 * k}.mul(inv)}
	var q path
	q.rect(r)
	p.fill(t.l, t.c, q.transformed(t.m), false, s)
}

// textShadows draws the shadows of a text with its lines, the first on top.
func (p *painter) textShadows(f *layout.Fragment, t target, fill color.NRGBA) {
	st := f.Style
	for i := len(st.TextShadow) - 1; i >= 0; i-- {
		s := &st.TextShadow[i]
		c := s.Color.Of(st.Color)
		if c.A == 0 {
			continue
		}
		sigma := min(s.Blur/2*t.m.scale(), maxSigma)
		moved := t
		moved.m = t.m.mul(translation(s.X, s.Y))
		if sigma < .05 {
			p.decorations(f, moved, true, true, solidOf(c))
			p.letters(f, moved, solidOf(c))
			if st.StrokeWidth > 0 {
				p.strokes(f, moved, solidOf(c))
			}
			continue
		}
		reach := int(math.Ceil(3*sigma)) + 2
		area := outer(moved.m.bounds(inkOf(f))).Inset(-reach).Intersect(t.c.r.Inset(-reach))
		area = p.reachable(area)
		if area.Empty() || !p.enter(area) {
			continue
		}
		l := newLayer(area)
		inner := target{l: l, c: clip{r: area}, m: moved.m}
		black := solid{0, 0, 0, 255}
		p.decorations(f, inner, true, true, black)
		p.letters(f, inner, black)
		if st.StrokeWidth > 0 {
			p.strokes(f, inner, black)
		}
		m := image.NewAlpha(area)
		for k := range m.Pix {
			m.Pix[k] = l.pix[4*k+3]
		}
		l.release()
		p.leave(area)
		blur(m.Pix, area.Dx(), area.Dy(), m.Stride, 1, sigma, edgeZero)
		p.fillMask(t.l, t.c, m, area.Min.X, area.Min.Y, solidOf(c))
	}
}

// inkOf returns a rectangle around the ink of a text.
func inkOf(f *layout.Fragment) rect {
	r := rectOf(f.Border)
	size := f.Style.FontSize
	return r.grow(size*.6 + f.Style.StrokeWidth)
}

// decorations draws the lines of a text: below the letters (under and over them) or above (through them). With a
// shader it is used for all.
func (p *painter) decorations(f *layout.Fragment, t target, below, above bool, s shader) {
	for i := range f.Text.Decorations {
		d := &f.Text.Decorations[i]
		if through := d.Line == layout.LineThrough; through && !above || !through && !below {
			continue
		}
		st := d.Style
		ink := s
		if ink == nil {
			c := st.Decoration.Color.Of(st.FillColor.Of(st.Color))
			if c.A == 0 {
				continue
			}
			ink = solidOf(c)
		}
		line := rect{f.Border.X, d.Y, f.Border.X + f.Border.W, d.Y + d.Thickness}
		style := st.Decoration.Style
		inner := t
		if style == css.LineWavy {
			line = waveLine(line, d.Line)
		}
		if d.Line != layout.LineThrough && f.Style.SkipInk {
			reach := line
			if style == css.LineWavy {
				reach = line.grow(waveHeight(line.h()))
			}
			inner = p.skipInk(f, d, reach, t)
		}
		p.decorationLine(line, style, ink, inner)
		if style == css.LineDouble {
			gap := d.Thickness + 1
			if d.Line == layout.Overline {
				gap = -gap
			}
			second := line
			second.y0, second.y1 = second.y0+gap, second.y1+gap
			if d.Line != layout.LineThrough && f.Style.SkipInk {
				inner = p.skipInk(f, d, second, t)
			}
			p.decorationLine(second, css.LineSolid, ink, inner)
		}
	}
}

func (p *painter) decorationLine(r rect, style css.LineStyle, s shader, t target) {
	switch style {
	case css.LineDashed, css.LineDotted:
		y := (r.y0 + r.y1) / 2
		if t.m.moves() {
			y = math.Floor(r.y0+.5) + r.h()/2
		}
		p.dashedLine([2]float64{r.x0, y}, [2]float64{r.x1, y}, r.h(), style, s, t)
	case css.LineWavy:
		p.wave(r, s, t)
	default:
		var q path
		if t.m.moves() { // thin lines lie on whole pixels
			y := math.Floor(r.y0 + .5)
			r.y0, r.y1 = y, y+r.h()
			if h := r.y1 - r.y0; h < 1 {
				r.y1 = r.y0 + 1
			}
		}
		q.rect(r)
		p.fill(t.l, t.c, q.transformed(t.m), false, s)
	}
}

// waveLine returns where the middle of a wavy line is: beyond the place of a straight one.
func waveLine(r rect, line layout.DecorationLine) rect {
	d := r.h()/2 + 1
	switch line {
	case layout.LineThrough:
		return r
	case layout.Overline:
		d = -d
	}
	return rect{r.x0, r.y0 + d, r.x1, r.y1 + d}
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
func (p *painter) wave(r rect, s shader, t target) {
	height, step := waveControl(r.h())
	y := (r.y0 + r.y1) / 2
	var q path
	x := r.x0 - 2*step
	q.move(x, y)
	for i := 0; x < r.x1+2*step && i < maxDashes; i++ {
		q.cubic(x+step, y+height, x+step, y-height, x+2*step, y)
		x += 2 * step
	}
	t = p.clipShape(t, roundRect{rect: rect{r.x0, r.y0 - 2*height, r.x1, r.y1 + 2*height}})
	p.fill(t.l, t.c, stroke(q.contours(.05), max(r.h(), 1), false, 4).transformed(t.m), false, s)
}

// skipInk cuts out of a line what is near the ink of letters that reach into it.
func (p *painter) skipInk(f *layout.Fragment, d *layout.Decoration, line rect, t target) target {
	var cuts []rect
	for i := range f.Text.Runs {
		run := &f.Text.Runs[i]
		if run.Face == nil {
			continue
		}
		for _, g := range run.Glyphs {
			if skips(g.Rune) {
				continue
			}
			x0, x1, ok := p.crossing(run, g, line.y0, line.y1)
			if ok {
				cuts = append(cuts, rect{x0 - d.Thickness, line.y0 - d.Thickness - 1, x1 + d.Thickness, line.y1 + d.Thickness + 1})
			}
		}
	}
	if len(cuts) == 0 {
		return t
	}
	bounds := outer(t.m.bounds(line.grow(d.Thickness + 2))).Intersect(t.c.r)
	m := image.NewAlpha(bounds)
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	for _, c := range cuts {
		var q path
		q.rect(c)
		p.cutOut(m, q.transformed(t.m))
	}
	t.c = t.c.toMask(m)
	return t
}

// skips reports whether lines go on under a character: those of Han, kana and hangul.
func skips(r rune) bool {
	return r >= 0x2e80 && r <= 0xd7ff || r >= 0xf900 && r <= 0xfaff || r >= 0xff00 && r <= 0xffef || r >= 0x20000
}

// crossing returns where a glyph's ink is between two heights.
func (p *painter) crossing(run *layout.GlyphRun, g layout.Glyph, y0, y1 float64) (x0, x1 float64, ok bool) {
	ink := p.in.Engine.GlyphInk(run.Face, g.ID)
	if g.Y+ink.Y1*run.Size <= y0 || g.Y+ink.Y0*run.Size >= y1 {
		return 0, 0, false
	}
	single := layout.GlyphRun{Face: run.Face, Size: run.Size, Oblique: run.Oblique, Glyphs: []layout.Glyph{g}}
	x0, x1 = math.Inf(1), math.Inf(-1)
	var px, py float64
	p.outlines(&single, identity).flatten(.05, func(x, y float64, start, end bool) {
		if !start && !end {
			segment(px, py, x, y, y0, y1, func(x float64) { x0, x1 = min(x0, x), max(x1, x) })
		}
		px, py = x, y
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
