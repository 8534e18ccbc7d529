package layout

import (
	"math"

	"masthead/render/html/counter"
	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/shape"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/boxtree"
	"masthead/render/html/layout/fragment"
	"masthead/render/text"
)

// put adds the piece of a segment to its parent, whose border box is at ox and oy.
func (b *lineState) put(sg *segment, into *boxtree.Piece, x, ox, oy, base float64) {
	v := b.boxOf(sg.parent)
	if sg.leaf < 0 {
		b.putText(sg, into, x, ox, oy, base, v)
		return
	}
	f := &b.c.leaves[sg.leaf]
	switch f.kind {
	case textLeaf, tabLeaf:
		b.putText(sg, into, x, ox, oy, base, v)
	case emojiLeaf:
		size := f.box.Style.FontSize
		a := b.atoms[sg.leaf]
		p := &boxtree.Piece{
			Kind: fragment.Emoji, Box: f.box, W: size, H: size, First: boxtree.None, Last: boxtree.None,
			HasLeft: true, HasRight: true,
			Text: &fragment.TextRun{Runs: []fragment.GlyphRun{{Size: size, Glyphs: []fragment.Glyph{{ID: f.emoji}}}}},
		}
		into.Add(p, x+emojiMargin*size-ox, base+a.group.shift+a.shift-oy)
	case atomicLeaf:
		a := b.atoms[sg.leaf]
		m := boxtree.Margins(f.box, b.room.W)
		into.Add(b.boxes[sg.leaf], x+m.Left-ox, base+a.group.shift+a.shift+m.Top-oy)
	case outLeaf:
		left, top := x, base-b.above
		if !inlineByNature(f.box) { // it would have been a block, below the line so far
			left = b.f.Left()
			if b.solid(b.ln.start, f.start) {
				top = base + b.below
			}
		}
		into.Links = append(into.Links, boxtree.Link{Out: f.box, X: left - ox, Y: top - oy})
	case markerLeaf:
		b.putMarker(f, into, x, ox, oy, base)
	}
}

// markerGap is the space between a symbol and the text of a list item, in px. Source: Blink, ListMarker.
const markerGap = 7

// putMarker adds the marker of a list item beside its line.
func (b *lineState) putMarker(f *leaf, into *boxtree.Piece, x, ox, oy, base float64) {
	if f.box.Node.Symbol.Symbol() {
		b.putSymbol(f, into, x, ox, oy, base)
		return
	}
	st := f.box.Style
	run := b.l.shapeString(st, f.box.Text)
	sg := segment{leaf: -1, parent: f.parent, extra: run, style: st}
	for _, g := range run.glyphs {
		sg.width += float64(g.Advance) * run.size
	}
	at := x - sg.width
	if b.c.rtl {
		at = x + b.used
	}
	b.putText(&sg, into, at, ox, oy, base, b.root)
}

// Symbol returns the style of a disc, circle or square as a box, its size, its border, and how far its top is above
// the baseline. Source: Blink, ListMarker::RelativeSymbolMarkerRect.
func (l *layouter) Symbol(n *css.Node) (st *css.Style, size, border, above float64) {
	st = boxtree.InheritedStyle(n.Style)
	ink := colors.Color{NRGBA: n.Style.Color}
	half := shape.Radius{X: value.Length{Percent: 50}, Y: value.Length{Percent: 50}}
	if n.Symbol != counter.Square {
		st.Radius.TopLeft, st.Radius.TopRight, st.Radius.BottomRight, st.Radius.BottomLeft = half, half, half, half
	}
	if n.Symbol == counter.Circle {
		border = 1
		side := css.BorderSide{Width: border, Style: css.LineSolid, Color: ink}
		st.Border = value.Sides[css.BorderSide]{Top: side, Right: side, Bottom: side, Left: side}
	} else {
		st.BackgroundColor = ink
	}
	ascent := l.primaryMetrics(n.Style).ascent
	offset := symbolOffset(ascent)
	size = math.Floor((offset + 1) / 2)
	return st, size, border, ascent - math.Floor(3*(ascent-offset)/2)
}

// symbolOffset is how wide a symbol is with the space before it, and twice its size.
func symbolOffset(ascent float64) float64 { return math.Floor(ascent * 2 / 3) }

// putSymbol adds a disc, circle or square, as a box with a background or border.
func (b *lineState) putSymbol(f *leaf, into *boxtree.Piece, x, ox, oy, base float64) {
	st, size, border, above := b.l.Symbol(f.box.Node)
	offset := symbolOffset(b.l.primaryMetrics(f.box.Style).ascent)
	at := x - offset - markerGap
	if b.c.rtl {
		at = x + b.used + offset + markerGap - size
	}
	p := &boxtree.Piece{
		Kind: fragment.Box, W: size, H: size, First: boxtree.None, Last: boxtree.None, HasLeft: true, HasRight: true,
		Box:    &boxtree.Box{Kind: boxtree.FlowBox, Node: f.box.Node, Style: st, Parent: f.parent, Root: true},
		Border: fragment.Edges{Top: border, Right: border, Bottom: border, Left: border},
	}
	into.Add(p, at-ox, base-above-oy)
}

// putText adds a text piece.
func (b *lineState) putText(sg *segment, into *boxtree.Piece, x, ox, oy, base float64, v *verticalBox) {
	m := b.l.primaryMetrics(sg.style)
	p := &boxtree.Piece{
		Kind: fragment.Text, Box: b.textBox(sg), W: sg.width, H: m.ascent + m.descent,
		First: boxtree.None, Last: boxtree.None,
		HasLeft: true, HasRight: true, Rest: b.rest,
		Text: &fragment.TextRun{Baseline: m.ascent, Ascent: m.ascent, Descent: m.descent},
	}
	b.glyphRun(p.Text, sg, 0)
	p.Text.Decorations = b.decorate(p, v)
	into.Add(p, x-ox, base+v.group.shift+v.shift-m.ascent-oy)
}

// boxtree.TextBox returns the box of a segment's text.
func (b *lineState) textBox(sg *segment) *boxtree.Box {
	if sg.leaf >= 0 {
		return b.c.leaves[sg.leaf].box
	}
	return &boxtree.Box{Kind: boxtree.TextBox, Style: sg.style, Parent: sg.parent, Inline: true, Decor: sg.parent.Decor}
}

// joins reports whether a segment continues the text piece of the previous one.
func (b *lineState) joins(previous, sg *segment, into *boxtree.Piece) bool {
	if len(into.Links) == 0 || previous.run == nil || sg.run == nil {
		return false
	}
	last := into.Links[len(into.Links)-1].Piece
	return previous.leaf == sg.leaf && last != nil && last.Kind == fragment.Text
}

// extend adds a segment to the text piece of the previous one.
func (b *lineState) extend(to boxtree.Link, sg *segment, ox float64) {
	b.glyphRun(to.Piece.Text, sg, sg.x-ox-to.X)
	to.Piece.W = sg.x - ox - to.X + sg.width
}

// glyphRun adds the glyphs of a segment to a text, from x on.
func (b *lineState) glyphRun(t *fragment.TextRun, sg *segment, x float64) {
	run, runes := sg.run, b.c.runes
	if sg.extra != nil {
		run = sg.extra
		runes = nil
	}
	if run == nil {
		return // a tab
	}
	out := fragment.GlyphRun{Face: run.face, Size: run.size, Bold: run.bold, Oblique: run.oblique}
	from, to := 0, len(run.glyphs)
	if runes != nil {
		from, to = run.glyphRange(sg.start, sg.end)
	}
	for i := from; i < to; i++ {
		g := &run.glyphs[i]
		at := int(g.Cluster)
		adv := float64(g.Advance) * run.size
		r := rune(0)
		if runes != nil {
			r = runes[at]
			if lastOfCluster(run.glyphs, i) {
				adv += b.c.spacing(run, sg.style, at)
				if b.gap != 0 && b.spread[at] {
					adv += b.gap
				}
			}
		}
		if r != ' ' && r != softHyphen && !(runes != nil && text.Ignorable(r)) {
			glyph := fragment.Glyph{
				ID: g.ID, X: x + float64(g.DX)*run.size, Y: t.Baseline - float64(g.DY)*run.size, Advance: adv,
				Cluster: g.Cluster, Rune: r,
			}
			if run.upright(sg.style.Text, r, g) {
				b.stand(&glyph, t, run, g)
			}
			out.Glyphs = append(out.Glyphs, glyph)
		}
		x += adv
	}
	if len(out.Glyphs) > 0 {
		t.Runs = append(t.Runs, out)
	}
	if runes != nil {
		t.Source += string(runes[sg.start:sg.end])
	} else {
		t.Source += "…"
	}
}

// stand places a glyph upright, with its center in that of its cell of the turned line.
func (b *lineState) stand(to *fragment.Glyph, t *fragment.TextRun, run *shapedRun, g *text.RunGlyph) {
	m := b.l.metrics(run.face, run.size)
	middle := (m.ascent - m.descent) / 2
	if css.Han(to.Rune) {
		const ofHan = .38 // em above the baseline
		middle = ofHan * run.size
	}
	own := float64(g.Advance-2*g.DX) * run.size
	to.Upright = true
	to.X += own/2 + middle
	to.Y += own/2 - (t.Ascent-t.Descent)/2
	if css.Stop(to.Rune) && run.usual(to.Rune, g) { // the face has no vertical form
		const up, right = .52, .56 // em
		to.X -= up * run.size
		to.Y -= right * run.size
	}
}

// lastOfCluster reports whether glyph i is the last of its cluster in visual order.
func lastOfCluster(glyphs []text.RunGlyph, i int) bool {
	return i+1 == len(glyphs) || glyphs[i+1].Cluster != glyphs[i].Cluster
}

// decorate returns the decorations of a text piece.
func (b *lineState) decorate(p *boxtree.Piece, v *verticalBox) []fragment.Decoration {
	decor := p.Box.Decor
	if len(decor) == 0 {
		if v.box != nil {
			decor = v.box.Decor
		} else {
			decor = b.b.Decor
		}
	}
	var out []fragment.Decoration
	for _, d := range decor {
		st, m := d.Style, b.l.primaryMetrics(d.Style)
		if inherited := !isInlineOf(d, b.b); inherited && b.b.Style.Text != st.Text { // as if the block had it
			st, m = withFontSize(st, b.b.Style.FontSize), b.l.primaryMetrics(b.b.Style)
		}
		// The baseline of the decorating box, relative to that of the text.
		shift := 0.0
		if at, ok := b.vertical[d]; ok {
			shift = at.shift - v.shift
		} else if !isInlineOf(d, b.b) {
			shift = b.root.shift - v.shift
			if v.group != b.root.group {
				shift = 0
			}
		}
		out = append(out, decorationLines(st, m, p.Text.Baseline+shift)...)
	}
	return out
}

// withFontSize returns a style with the size of another font.
func withFontSize(s *css.Style, size float64) *css.Style {
	out, text := *s, *s.Text
	text.FontSize = size
	out.Text = &text
	return &out
}

// isInlineOf reports whether d is an inline box in the block container k.
func isInlineOf(d, k *boxtree.Box) bool {
	for x := d; x != nil; x = x.Parent {
		if x == k {
			return d != k && d.Kind == boxtree.InlineBox
		}
	}
	return false
}

// decorationLines returns the lines of a decoration about a baseline. Source: Blink, TextDecorationInfo and
// TextDecorationOffset.
func decorationLines(s *css.Style, m faceMetrics, baseline float64) []fragment.Decoration {
	exact := max(1, s.FontSize/10)
	switch t := s.Decoration.Thickness; t.Kind {
	case value.Fixed:
		exact = max(1, math.Round(t.Resolve(s.FontSize)))
	case value.Content:
		if m.underlineThickness > 0 {
			exact = max(1, m.underlineThickness)
		}
	}
	thickness := exact
	if st := s.Decoration.Style; st == css.LineSolid || st == css.LineDouble {
		thickness = math.Floor(exact)
	}
	line := func(kind fragment.DecorationLine, offset float64) fragment.Decoration {
		return fragment.Decoration{Line: kind, Style: s, Y: baseline + offset, Thickness: thickness}
	}
	var out []fragment.Decoration
	if s.Decoration.Underline {
		offset := max(1, math.Ceil(exact/2))
		if s.UnderlineOff.Kind == value.Fixed {
			offset = math.Round(s.UnderlineOff.Resolve(s.FontSize))
		} else if s.UnderlineLow {
			offset = 1
		}
		if s.UnderlineLow {
			offset += m.descent
		}
		out = append(out, line(fragment.Underline, offset))
	}
	if s.Decoration.Overline {
		out = append(out, line(fragment.Overline, -m.ascent-thickness))
	}
	if s.Decoration.LineThrough {
		out = append(out, line(fragment.LineThrough, -m.ascent/3-exact/2))
	}
	return out
}

// shapeAlone shapes a part of a run as if the text ended at its ends.
func (l *layouter) shapeAlone(c *inlineContent, set *fontSet, run *shapedRun, start, end int) []text.RunGlyph {
	alone := &inlineContent{runes: c.runes[start:end]}
	again := *run
	again.start, again.end = 0, end-start
	glyphs := l.shapeRange(alone, set, &again, 0, end-start)
	for i := range glyphs {
		glyphs[i].Cluster += int32(start)
	}
	return glyphs
}
