package layout

import (
	"math"

	"masthead/render/html/counter"
	"masthead/render/html/css"
	"masthead/render/html/css/colors"
	"masthead/render/html/css/shape"
	"masthead/render/html/css/value"
	"masthead/render/text"
)

// put adds the piece of a segment to its parent, whose border box is at ox and oy.
func (b *lineState) put(sg *segment, into *piece, x, ox, oy, base float64) {
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
		size := f.box.style.FontSize
		a := b.atoms[sg.leaf]
		p := &piece{
			kind: Emoji, box: f.box, w: size, h: size, first: none, last: none, hasLeft: true, hasRight: true,
			text: &TextRun{Runs: []GlyphRun{{Size: size, Glyphs: []Glyph{{ID: f.emoji}}}}},
		}
		into.add(p, x+emojiMargin*size-ox, base+a.group.shift+a.shift-oy)
	case atomicLeaf:
		a := b.atoms[sg.leaf]
		m := margins(f.box, b.room.w)
		into.add(b.boxes[sg.leaf], x+m.Left-ox, base+a.group.shift+a.shift+m.Top-oy)
	case outLeaf:
		left, top := x, base-b.lineTop()
		if !inlineByNature(f.box) { // it would have been a block, below the line so far
			left = b.f.left()
			if b.solid(b.ln.start, f.start) {
				top = base + b.below
			}
		}
		into.links = append(into.links, link{out: f.box, x: left - ox, y: top - oy})
	case markerLeaf:
		b.putMarker(f, into, x, ox, oy, base)
	}
}

// lineTop returns the distance from the top of the line to its baseline.
func (b *lineState) lineTop() float64 { return b.root.above }

// markerGap is the space between a symbol and the text of a list item, in px. Source: Blink, ListMarker.
const markerGap = 7

// putMarker adds the marker of a list item beside its line.
func (b *lineState) putMarker(f *leaf, into *piece, x, ox, oy, base float64) {
	if f.box.node.Symbol.Symbol() {
		b.putSymbol(f, into, x, ox, oy, base)
		return
	}
	st := f.box.style
	run := b.l.shapeString(st, f.box.text)
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

// tabular returns a style with digits of equal width, as markers have.
func tabular(s *css.Style) *css.Style {
	out, inherited := *s, *s.Text
	inherited.Features = append(inherited.Features[:len(inherited.Features):len(inherited.Features)],
		css.Feature{Tag: "tnum", Value: 1})
	out.Text = &inherited
	return &out
}

// symbolOf returns the style of a disc, circle or square as a box, its size, its border, and how far its top is above
// the baseline. Source: Blink, ListMarker::RelativeSymbolMarkerRect.
func (l *layouter) symbolOf(n *css.Node) (st *css.Style, size, border, above float64) {
	st = inheritedStyle(n.Style)
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
func (b *lineState) putSymbol(f *leaf, into *piece, x, ox, oy, base float64) {
	st, size, border, above := b.l.symbolOf(f.box.node)
	offset := symbolOffset(b.l.primaryMetrics(f.box.style).ascent)
	at := x - offset - markerGap
	if b.c.rtl {
		at = x + b.used + offset + markerGap - size
	}
	p := &piece{
		kind: Box, box: &box{kind: flowBox, node: f.box.node, style: st, parent: f.parent, root: true}, w: size, h: size,
		first: none, last: none, hasLeft: true, hasRight: true, border: Edges{border, border, border, border},
	}
	into.add(p, at-ox, base-above-oy)
}

// putText adds a text piece.
func (b *lineState) putText(sg *segment, into *piece, x, ox, oy, base float64, v *verticalBox) {
	m := b.l.primaryMetrics(sg.style)
	p := &piece{
		kind: Text, box: b.textBox(sg), w: sg.width, h: m.ascent + m.descent, first: none, last: none,
		hasLeft: true, hasRight: true, rest: b.rest,
		text: &TextRun{Baseline: m.ascent, Ascent: m.ascent, Descent: m.descent},
	}
	b.glyphRun(p.text, sg, 0)
	p.text.Decorations = b.decorate(p, v)
	into.add(p, x-ox, base+v.group.shift+v.shift-m.ascent-oy)
}

// textBox returns the box of a segment's text.
func (b *lineState) textBox(sg *segment) *box {
	if sg.leaf >= 0 {
		return b.c.leaves[sg.leaf].box
	}
	return &box{kind: textBox, style: sg.style, parent: sg.parent, inline: true, decor: sg.parent.decor}
}

// joins reports whether a segment continues the text piece of the previous one.
func (b *lineState) joins(previous, sg *segment, into *piece) bool {
	if len(into.links) == 0 || previous.run == nil || sg.run == nil {
		return false
	}
	last := into.links[len(into.links)-1].piece
	return previous.leaf == sg.leaf && last != nil && last.kind == Text
}

// extend adds a segment to the text piece of the previous one.
func (b *lineState) extend(to link, sg *segment, ox float64) {
	b.glyphRun(to.piece.text, sg, sg.x-ox-to.x)
	to.piece.w = sg.x - ox - to.x + sg.width
}

// glyphRun adds the glyphs of a segment to a text, from x on.
func (b *lineState) glyphRun(t *TextRun, sg *segment, x float64) {
	run, runes := sg.run, b.c.runes
	if sg.extra != nil {
		run = sg.extra
		runes = nil
	}
	if run == nil {
		return // a tab
	}
	out := GlyphRun{Face: run.face, Size: run.size, Bold: run.bold, Oblique: run.oblique}
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
			out.Glyphs = append(out.Glyphs, Glyph{
				ID: g.ID, X: x + float64(g.DX)*run.size, Y: t.Baseline - float64(g.DY)*run.size, Advance: adv,
				Cluster: g.Cluster, Rune: r,
			})
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

// lastOfCluster reports whether glyph i is the last of its cluster in visual order.
func lastOfCluster(glyphs []text.RunGlyph, i int) bool {
	return i+1 == len(glyphs) || glyphs[i+1].Cluster != glyphs[i].Cluster
}

// decorate returns the decorations of a text piece.
func (b *lineState) decorate(p *piece, v *verticalBox) []Decoration {
	decor := p.box.decor
	if len(decor) == 0 {
		if v.box != nil {
			decor = v.box.decor
		} else {
			decor = b.b.decor
		}
	}
	var out []Decoration
	for _, d := range decor {
		m := b.l.primaryMetrics(d.style)
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
		out = append(out, decorationLines(d.style, b.textStyle(p), m, p.text.Baseline+shift)...)
	}
	return out
}

func (b *lineState) textStyle(p *piece) *css.Style { return p.box.style }

// isInlineOf reports whether d is an inline box in the block container k.
func isInlineOf(d, k *box) bool {
	for x := d; x != nil; x = x.parent {
		if x == k {
			return d != k && d.kind == inlineBox
		}
	}
	return false
}

// decorationLines returns the lines of a decoration about a baseline. Source: Blink, TextDecorationInfo and
// TextDecorationOffset.
func decorationLines(s, own *css.Style, m faceMetrics, baseline float64) []Decoration {
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
	line := func(kind DecorationLine, offset float64) Decoration {
		return Decoration{Line: kind, Style: s, Y: baseline + offset, Thickness: thickness}
	}
	var out []Decoration
	if s.Decoration.Underline {
		offset := max(1, math.Ceil(exact/2))
		if own.UnderlineOff.Kind == value.Fixed {
			offset = math.Round(own.UnderlineOff.Resolve(s.FontSize))
		} else if own.UnderlineLow {
			offset = 1
		}
		if own.UnderlineLow {
			offset += m.descent
		}
		out = append(out, line(Underline, offset))
	}
	if s.Decoration.Overline {
		out = append(out, line(Overline, -m.ascent-thickness))
	}
	if s.Decoration.LineThrough {
		out = append(out, line(LineThrough, -m.ascent/3-exact/2))
	}
	return out
}

// shapeAlone shapes a part of a run as if the text ended at its ends.
func (l *layouter) shapeAlone(c *inlineContent, set *fontSet, run *shaped, start, end int) []text.RunGlyph {
	alone := &inlineContent{runes: c.runes[start:end]}
	again := *run
	again.start, again.end = 0, end-start
	glyphs := l.shapeRange(alone, set, &again, 0, end-start)
	for i := range glyphs {
		glyphs[i].Cluster += int32(start)
	}
	return glyphs
}
