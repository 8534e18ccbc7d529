package layout

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
	"masthead/render/text"
)

// InlineIntrinsic returns the intrinsic widths of inline content: of its longest word, and of its longest line.
func (l *layouter) InlineIntrinsic(b *boxtree.Box, h float64) boxtree.Sizes {
	if f, ok := l.fitOf(b); ok {
		return l.fitIntrinsic(b, f, h)
	}
	c := l.contentOf(b)
	s := &inlineState{l: l, b: b, c: c, room: boxtree.Area{W: 0, H: h, Main: boxtree.Indefinite}, fl: &boxtree.Floats{}}
	s.pos = make([]float64, len(c.runes)+1)
	s.boxes = map[int]*boxtree.Piece{}
	mins := make([]float64, len(c.runes)+1) // widths at min-content
	s.measureIntrinsic(h, mins)
	var out boxtree.Sizes
	indent := b.Style.TextIndent.Resolve(0)
	from, fromMin := 0, 0
	floatMax := 0.0
	for j := 1; j <= len(c.runes); j++ {
		if f := &c.leaves[c.owner[j-1]]; f.kind == floatLeaf || f.kind == blockLeaf {
			w := l.Contribution(f.box, h)
			out.Min = max(out.Min, w.Min)
			if f.kind == floatLeaf {
				floatMax += w.Max
			} else {
				out.Max = max(out.Max, w.Max)
			}
		}
		if c.brk[j] == noBreak && !c.anywhere(j) {
			continue
		}
		w := s.trimmed(mins, fromMin, j)
		if fromMin == 0 {
			w += indent
		}
		if c.runes[j-1] == softHyphen && j < len(c.runes) {
			w += s.hyphenWidth(j)
		}
		out.Min = max(out.Min, w)
		fromMin = j
		if c.brk[j] == forceBreak {
			w := s.width(from, j)
			if from == 0 {
				w += indent
			}
			out.Max = max(out.Max, w+floatMax)
			from = j
		}
	}
	if !boxtree.Wraps(b.Style) {
		out.Min = max(out.Min, min(out.Max, out.Min))
	}
	return boxtree.Sizes{Min: ceilUnit(out.Min), Max: ceilUnit(max(out.Max, floatMax))}
}

// ceilUnit rounds up to a 64th of a pixel.
func ceilUnit(v float64) float64 { return math.Ceil(v*64-1e-6) / 64 }

// trimmed is width with other widths of runes.
func (s *inlineState) trimmed(pos []float64, start, end int) float64 {
	shown := s.visibleEnd(start, end, false)
	w := pos[end] - pos[start]
	for i := shown; i < end; i++ {
		w -= s.c.advance[i]
	}
	return w
}

// measureIntrinsic is measure with the contributions of atomic boxes.
func (s *inlineState) measureIntrinsic(h float64, mins []float64) {
	c := s.c
	n := len(c.runes)
	s.spans = make(map[*boxtree.Box]edgeSpan)
	extra := make([]float64, n+1)
	for _, e := range c.edges {
		span := s.spans[e.box]
		if e.open {
			span.open = e.at
			span.left, span.right = s.sideEdges(e.box)
			s.spans[e.box] = span
			continue
		}
		span.close = max(e.at, span.open)
		s.spans[e.box] = span
		start, end := span.left.X(), span.right.X()
		if e.box.Style.Direction == css.RTL {
			start, end = end, start
		}
		extra[min(span.open, n)] += start
		extra[min(span.close, n)] += end
	}
	tab := 0.0
	for i := range n {
		adv := boxtree.Sizes{Min: c.advance[i], Max: c.advance[i]}
		f := &c.leaves[c.owner[i]]
		switch f.kind {
		case atomicLeaf:
			adv = s.l.Contribution(f.box, h)
		case emojiLeaf:
			w := f.box.Style.FontSize * emojiAdvance
			adv = boxtree.Sizes{Min: w, Max: w}
		case breakLeaf:
			tab = s.pos[i] + extra[i]
			adv = boxtree.Sizes{}
		case tabLeaf:
			w := s.tabWidth(f.box.Style, s.pos[i]+extra[i]-tab)
			adv = boxtree.Sizes{Min: w, Max: w}
		}
		s.pos[i+1] = s.pos[i] + adv.Max + extra[i]
		mins[i+1] = mins[i] + adv.Min + extra[i]
	}
}

// stringWidth returns the width of a short text in the first face of a style.
func (l *layouter) stringWidth(s *css.Style, t string) float64 {
	w := 0.0
	for _, g := range l.shapeString(s, t).glyphs {
		w += float64(g.Advance) * s.FontSize
	}
	return w
}

// shapeString shapes a short text, such as an ellipsis, in one face of a style.
func (l *layouter) shapeString(s *css.Style, t string) *shapedRun {
	set := l.fonts(s)
	runes := []rune(t)
	c := &inlineContent{runes: runes}
	face := l.face(set, runes[:1], runes)
	run := &shapedRun{
		end: len(runes), face: face, size: s.FontSize, script: text.ScriptOf(runes[0]),
		bold: s.FontWeight >= boldFrom && face.Weight < boldFrom, oblique: s.Italic && !face.Italic,
	}
	l.shapeRun(c, set, run)
	return run
}
