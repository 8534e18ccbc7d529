package layout

import (
	"math"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
)

// maxBalanced is how many lines a text may have to be balanced. Source: measured in Chromium.
const maxBalanced = 6

// maxEvenBreaks bounds the breaks of a text to be balanced: finding the best lines compares their pairs.
const maxEvenBreaks = 400

// chosenLines returns the first rune of each line after the first, and the end, where text-wrap or a title chooses
// them; nil if lines are as long as possible.
func (s *inlineState) chosenLines(limit int) []int {
	if len(s.fl.List) > 0 || !boxtree.Wraps(s.b.Style) {
		return nil
	}
	if starts := s.titleLines(limit); starts != nil {
		return starts
	}
	switch s.b.Style.TextWrap {
	case css.TextWrapBalance:
		switch n := s.count(s.room.W, maxBalanced+1); {
		case limit > 1 && n > limit: // what a line-clamp leaves
			starts := s.greedy()
			if shown := s.even(limit, starts[limit-1]); shown != nil {
				return append(shown, starts[limit:]...)
			}
		case n >= 2 && n <= maxBalanced && limit != 1:
			return s.even(n, len(s.c.runes))
		}
	case css.TextWrapPretty:
		return s.withoutOrphan(limit)
	}
	return nil
}

// greedy returns the first rune of each line after the first at the full width, and the end.
func (s *inlineState) greedy() (starts []int) {
	keep := s.lineN
	for start := 0; start < len(s.c.runes); {
		ln := line{start: start, indent: s.indent()}
		s.fit(&ln, s.room.W-ln.indent)
		start = ln.end
		starts = append(starts, start)
		s.lineN++
		s.l.Spend(ln.end - ln.start)
	}
	s.lineN = keep
	return starts
}

// even distributes the first n runes over count lines such that the squares of what they leave free have the least
// sum. It returns nil if there are forced breaks, or no such lines.
func (s *inlineState) even(count, n int) []int {
	c := s.c
	at := []int{0}
	for i := 1; i <= n; i++ {
		if c.brk[i] == forceBreak && i < n {
			return nil
		}
		if c.brk[i] != noBreak {
			at = append(at, i)
		}
	}
	m := len(at)
	if m > maxEvenBreaks {
		return nil
	}
	s.l.Spend(m * m * count / 4)
	best := make([]float64, m) // the least sum of lines up to a break
	next := make([]float64, m)
	from := make([][]int, count)
	for i := 1; i < m; i++ {
		best[i] = math.Inf(1)
	}
	for k := range count {
		from[k] = make([]int, m)
		for j := range next {
			next[j] = math.Inf(1)
		}
		for i := range m - 1 {
			if math.IsInf(best[i], 1) {
				continue
			}
			indent := 0.0
			if i == 0 {
				indent = s.indent()
			}
			for j := i + 1; j < m; j++ {
				w := s.width(at[i], at[j]) + indent
				if w > s.room.W+boxtree.Slack {
					break
				}
				if sum := best[i] + (s.room.W-w)*(s.room.W-w); sum < next[j] {
					next[j], from[k][j] = sum, i
				}
			}
		}
		best, next = next, best
	}
	if math.IsInf(best[m-1], 1) {
		return nil
	}
	starts := make([]int, count)
	for k, j := count-1, m-1; k >= 0; k-- {
		starts[k] = at[j]
		j = from[k][j]
	}
	return starts
}

// Limits of the last line for text-wrap: pretty. Source: measured in Chromium.
const (
	orphanShare = .3 // of the room, under which a single word is an orphan
	orphanCost  = .2 // of the square of the room: what the line before may lose
)

// withoutOrphan returns the lines with a word moved from the last but one to the last line, if that has only a short
// one; otherwise nil.
func (s *inlineState) withoutOrphan(limit int) []int {
	starts := s.greedy()
	n := len(starts)
	if n < 2 || limit > 0 && n > limit {
		return nil
	}
	last, end, before := starts[n-2], starts[n-1], 0
	if n > 2 {
		before = starts[n-3]
	}
	if s.c.brk[last] == forceBreak || s.width(last, end) >= orphanShare*s.room.W {
		return nil
	}
	for i := last + 1; i < end; i++ {
		if s.c.brk[i] != noBreak {
			return nil
		}
	}
	for i := last - 1; i > before; i-- {
		if s.c.brk[i] == noBreak {
			continue
		}
		short, long := s.room.W-s.width(before, i), s.room.W-s.width(before, last)
		if s.width(i, end) > s.room.W+boxtree.Slack || short*short-long*long > orphanCost*s.room.W*s.room.W {
			return nil
		}
		starts[n-2] = i
		return starts
	}
	return nil
}

// count returns how many lines there are at a width, up to most.
func (s *inlineState) count(width float64, most int) int {
	lines := 0
	keep := s.lineN
	for start := 0; start < len(s.c.runes) && lines < most; {
		ln := line{start: start, indent: s.indent()}
		s.fit(&ln, width-ln.indent)
		start = ln.end
		lines++
		s.lineN++
		s.l.Spend(ln.end - ln.start)
	}
	s.lineN = keep
	return lines
}

// widest returns the width of the widest line at a width.
func (s *inlineState) widest(width float64) float64 {
	out := 0.0
	keep := s.lineN
	for start := 0; start < len(s.c.runes); {
		ln := line{start: start, indent: s.indent()}
		s.fit(&ln, width-ln.indent)
		out = max(out, s.width(ln.start, ln.end)+ln.indent)
		start = ln.end
		s.lineN++
	}
	s.lineN = keep
	return out
}
