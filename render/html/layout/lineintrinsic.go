package layout

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/text"
)

// inlineIntrinsic returns the intrinsic widths of inline content: of its longest word, and of its longest line.
func (l *layouter) inlineIntrinsic(b *box, h float64) sizes {
	if f, ok := l.fitOf(b); ok {
		return l.fitIntrinsic(b, f, h)
	}
	c := l.contentOf(b)
	s := &inlineState{l: l, b: b, c: c, room: area{w: 0, h: h, main: indefinite}, fl: &floats{}}
	s.pos = make([]float64, len(c.runes)+1)
	s.boxes = map[int]*piece{}
	mins := make([]float64, len(c.runes)+1) // widths at min-content
	s.measureIntrinsic(h, mins)
	var out sizes
	indent := b.style.TextIndent.Resolve(0)
	from, fromMin := 0, 0
	floatMax := 0.0
	for j := 1; j <= len(c.runes); j++ {
		if f := &c.leaves[c.owner[j-1]]; f.kind == floatLeaf || f.kind == blockLeaf {
			w := l.contribution(f.box, h)
			out.min = max(out.min, w.min)
			if f.kind == floatLeaf {
				floatMax += w.max
			} else {
				out.max = max(out.max, w.max)
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
		out.min = max(out.min, w)
		fromMin = j
		if c.brk[j] == forceBreak {
			w := s.width(from, j)
			if from == 0 {
				w += indent
			}
			out.max = max(out.max, w+floatMax)
			from = j
		}
	}
	if !wraps(b.style) {
		out.min = max(out.min, min(out.max, out.min))
	}
	return sizes{ceilUnit(out.min), ceilUnit(max(out.max, floatMax))}
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
	s.spans = make(map[*box]edgeSpan)
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
		start, end := span.left.x(), span.right.x()
		if e.box.style.Direction == css.RTL {
			start, end = end, start
		}
		extra[min(span.open, n)] += start
		extra[min(span.close, n)] += end
	}
	tab := 0.0
	for i := range n {
		adv := sizes{c.advance[i], c.advance[i]}
		f := &c.leaves[c.owner[i]]
		switch f.kind {
		case atomicLeaf:
			adv = s.l.contribution(f.box, h)
		case emojiLeaf:
			w := f.box.style.FontSize * emojiAdvance
			adv = sizes{w, w}
		case breakLeaf:
			tab = s.pos[i] + extra[i]
			adv = sizes{}
		case tabLeaf:
			w := s.tabWidth(f.box.style, s.pos[i]+extra[i]-tab)
			adv = sizes{w, w}
		}
		s.pos[i+1] = s.pos[i] + adv.max + extra[i]
		mins[i+1] = mins[i] + adv.min + extra[i]
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
func (l *layouter) shapeString(s *css.Style, t string) *shaped {
	set := l.fonts(s)
	runes := []rune(t)
	c := &inlineContent{runes: runes}
	face := l.face(set, runes[:1], runes)
	run := &shaped{
		end: len(runes), face: face, size: s.FontSize, script: text.ScriptOf(runes[0]),
		bold: s.FontWeight >= boldFrom && face.Weight < boldFrom, oblique: s.Italic && !face.Italic,
	}
	l.shapeRun(c, set, run)
	return run
}
