package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
	"masthead/render/html/layout/boxtree"
	"masthead/render/text"
)

// fit is a step of the value of --fit: the sizes that a text may have, in px, and in how many lines it must fit.
type fit struct {
	least, most float64
	lines       int
}

// titleSlot is the value of data-slot of titles.
const titleSlot = "title"

// Limits of --fit.
const (
	maxFitSteps = 6
	maxFitSize  = 1000
	maxFitLines = 20
)

// parseFit reads a value such as "48px 116px / 3", or several of them with commas between them.
func parseFit(s string) (steps []fit, ok bool) {
	for part := range strings.SplitSeq(s, ",") {
		f, ok := parseStep(part)
		if !ok || len(steps) == maxFitSteps {
			return nil, false
		}
		steps = append(steps, f)
	}
	return steps, true
}

func parseStep(s string) (f fit, ok bool) {
	sizes, lines, _ := strings.Cut(s, "/")
	fields := strings.Fields(sizes)
	if len(fields) != 2 {
		return f, false
	}
	px := func(s string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSuffix(s, "px"), 64)
		if err != nil || !(v >= 1 && v <= maxFitSize) {
			return 0
		}
		return v
	}
	f.least, f.most = px(fields[0]), px(fields[1])
	n, err := strconv.Atoi(strings.TrimSpace(lines))
	f.lines = n
	return f, err == nil && n >= 1 && n <= maxFitLines && f.least > 0 && f.most >= f.least
}

// owner returns the box whose element has the text of a block container: the container itself, or the one around an
// anonymous item.
func owner(b *boxtree.Box) *boxtree.Box {
	if b.Anonymous && b.Item && b.Parent != nil {
		return b.Parent
	}
	return b
}

// fitOf returns the value of --fit for the text of b.
func (l *layouter) fitOf(b *boxtree.Box) ([]fit, bool) {
	if b.Fitted || b.Style.Vars == nil {
		return nil, false
	}
	value, ok := b.Style.Vars.Get("--fit")
	if !ok {
		return nil, false
	}
	steps, ok := parseFit(value)
	if !ok {
		l.Warn(owner(b).Node,
			"--fit is two sizes and a number of lines, as in 48px 116px / 3, or up to 6 of them with commas.")
	}
	return steps, ok
}

// fittedTo returns b, or a copy of it with the text in the largest size that fits lines of width px: by the first step
// of --fit at which it fits.
func (l *layouter) fittedTo(b *boxtree.Box, width float64) *boxtree.Box {
	steps, ok := l.fitOf(b)
	if !ok {
		return b
	}
	if b.Fit.Box != nil && b.Fit.Width == width {
		return b.Fit.Box
	}
	height := math.Inf(1)
	if m := owner(b).Style.MaxHeight; m.Kind == value.Fixed && m.Percent == 0 && m.Calc == nil {
		height = m.Px
	}
	lead := l.titleLead(b)
	var best *boxtree.Box
	for _, f := range steps {
		var fits bool
		if best, fits = l.largest(b, f, lead, width, height); fits {
			b.Fit.Box, b.Fit.Width = best, width
			return best
		}
	}
	last := steps[len(steps)-1]
	best.MaxLines = last.lines
	if line := best.Style.LineHeight.Px; line > 0 && height/line < float64(last.lines) {
		best.MaxLines = max(int((height+boxtree.Slack)/line), 1)
	}
	l.Warn(owner(b).Node, fmt.Sprintf("The text doesn't fit in %d lines at %gpx: it is cut.", best.MaxLines, last.least))
	b.Fit.Box, b.Fit.Width = best, width
	return best
}

// largest returns a copy of b with the text in the largest size of a step that fits a width and a height; otherwise in
// its least size, and fits is false.
func (l *layouter) largest(b *boxtree.Box, f fit, lead, width, height float64) (best *boxtree.Box, fits bool) {
	fit := func(k *boxtree.Box) bool {
		s := &inlineState{
			l: l, b: k, c: l.contentOf(k), p: &boxtree.Piece{},
			room: boxtree.Area{W: width, H: boxtree.Indefinite, Main: boxtree.Indefinite},
			fl:   &boxtree.Floats{}, boxes: map[int]*boxtree.Piece{}, sliced: map[*boxtree.Box][]*boxtree.Piece{},
		}
		s.measure()
		lines := s.count(width, f.lines+1)
		return lines <= f.lines && float64(lines)*k.Style.LineHeight.Px <= height+boxtree.Slack &&
			s.widest(width) <= width+boxtree.Slack
	}
	if best = l.scaled(b, f.most, lead); fit(best) {
		return best, true
	}
	if best = l.scaled(b, f.least, lead); !fit(best) {
		return best, false
	}
	for lo, hi := math.Floor(f.least), math.Ceil(f.most); hi-lo > 1; { // lo fits, and hi doesn't
		mid := math.Floor((lo + hi) / 2)
		if k := l.scaled(b, mid, lead); fit(k) {
			lo, best = mid, k
		} else {
			hi = mid
		}
	}
	return best, true
}

// titleLead returns what the script of a title adds to its line height, in em; 0 for other texts.
func (l *layouter) titleLead(b *boxtree.Box) float64 {
	if node := owner(b).Node; node == nil || node.Slot != titleSlot {
		return 0
	}
	return text.Leading(l.contentOf(b).runes)
}

// fitIntrinsic returns the intrinsic widths of a text with --fit: of words in the smallest size, and of its line in the
// largest.
func (l *layouter) fitIntrinsic(b *boxtree.Box, steps []fit, h float64) boxtree.Sizes {
	least, most := steps[0].least, steps[0].most
	for _, f := range steps {
		least, most = min(least, f.least), max(most, f.most)
	}
	return boxtree.Sizes{
		Min: l.InlineIntrinsic(l.scaled(b, least, 0), h).Min,
		Max: l.InlineIntrinsic(l.scaled(b, most, 0), h).Max,
	}
}

// scaler copies boxes with their text in another size.
type scaler struct {
	factor float64
	lead   float64 // added to line heights, in em
	styles map[*css.Style]*css.Style
	texts  map[*css.Text]*css.Text
	boxes  map[*boxtree.Box]*boxtree.Box
}

// scaled returns a copy of b with a font size, and everything in it in proportion. lead is added to its line height, in
// em.
func (l *layouter) scaled(b *boxtree.Box, size, lead float64) *boxtree.Box {
	s := &scaler{
		factor: size / max(b.Style.FontSize, 1), lead: lead, styles: map[*css.Style]*css.Style{},
		texts: map[*css.Text]*css.Text{}, boxes: map[*boxtree.Box]*boxtree.Box{},
	}
	return s.box(l, b, b.Parent)
}

func (s *scaler) box(l *layouter, b, parent *boxtree.Box) *boxtree.Box {
	l.Spend(1)
	out := &boxtree.Box{
		Kind: b.Kind, Node: b.Node, Style: s.style(b.Style), Parent: parent, Text: b.Text, Anonymous: b.Anonymous,
		Inline: b.Inline, Inlines: b.Inlines, Item: b.Item, Root: b.Root, Marker: b.Marker, Picture: b.Picture, Fitted: true,
	}
	s.boxes[b] = out
	for _, d := range b.Decor {
		if copied := s.boxes[d]; copied != nil {
			d = copied
		}
		out.Decor = append(out.Decor, d)
	}
	for _, k := range b.Kids {
		out.Kids = append(out.Kids, s.box(l, k, out))
	}
	return out
}

func (s *scaler) style(st *css.Style) *css.Style {
	if out := s.styles[st]; out != nil {
		return out
	}
	out := *st
	out.Text = s.text(st.Text)
	out.VerticalAlign.Raise *= s.factor
	s.styles[st] = &out
	return &out
}

func (s *scaler) text(t *css.Text) *css.Text {
	if out := s.texts[t]; out != nil {
		return out
	}
	out := *t
	out.FontSize *= s.factor
	out.LetterSpacing *= s.factor
	out.WordSpacing *= s.factor
	if t.LineHeight.Number > 0 {
		out.LineHeight.Number += s.lead
		out.LineHeight.Px = out.LineHeight.Number * out.FontSize
	}
	s.texts[t] = &out
	return &out
}

// titleLines returns where the lines of a title begin after the first, distributed by meaning, or nil.
func (s *inlineState) titleLines(limit int) []int {
	node := owner(s.b).Node
	if node == nil || node.Slot != titleSlot {
		return nil
	}
	c := s.c
	n := len(c.runes)
	count := s.count(s.room.W, maxFitLines)
	if count < 2 || limit > 0 && count > limit {
		return nil
	}
	var breaks []text.Break
	for i := 1; i <= n; i++ {
		if c.brk[i] == forceBreak && i < n {
			return nil
		}
		if c.brk[i] != noBreak {
			breaks = append(breaks, text.Break{End: s.visibleEnd(0, i, i == n), Next: i})
		}
	}
	advances := make([]float64, n)
	for i := range advances {
		advances[i] = s.pos[i+1] - s.pos[i]
	}
	starts, ok := s.l.engine.TitleLines(c.runes, s.b.Style.Lang, advances, breaks, s.room.W, count)
	if !ok {
		return nil
	}
	return append(starts, n)
}
