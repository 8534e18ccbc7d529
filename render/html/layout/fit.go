package layout

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"masthead/render/html/css"
	"masthead/render/html/css/value"
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
func owner(b *box) *box {
	if b.anonymous && b.item && b.parent != nil {
		return b.parent
	}
	return b
}

// fitOf returns the value of --fit for the text of b.
func (l *layouter) fitOf(b *box) ([]fit, bool) {
	if b.fitted || b.style.Vars == nil {
		return nil, false
	}
	value, ok := b.style.Vars.Get("--fit")
	if !ok {
		return nil, false
	}
	steps, ok := parseFit(value)
	if !ok {
		l.warn(owner(b).node,
			"--fit is two sizes and a number of lines, as in 48px 116px / 3, or up to 6 of them with commas.")
	}
	return steps, ok
}

// fittedTo returns b, or a copy of it with the text in the largest size that fits lines of width px: by the first step
// of --fit at which it fits.
func (l *layouter) fittedTo(b *box, width float64) *box {
	steps, ok := l.fitOf(b)
	if !ok {
		return b
	}
	if b.fit.box != nil && b.fit.width == width {
		return b.fit.box
	}
	height := math.Inf(1)
	if m := owner(b).style.MaxHeight; m.Kind == value.Fixed && m.Percent == 0 && m.Calc == nil {
		height = m.Px
	}
	lead := l.titleLead(b)
	var best *box
	for _, f := range steps {
		var fits bool
		if best, fits = l.largest(b, f, lead, width, height); fits {
			b.fit.box, b.fit.width = best, width
			return best
		}
	}
	last := steps[len(steps)-1]
	best.maxLines = last.lines
	if line := best.style.LineHeight.Px; line > 0 && height/line < float64(last.lines) {
		best.maxLines = max(int((height+slack)/line), 1)
	}
	l.warn(owner(b).node, fmt.Sprintf("The text doesn't fit in %d lines at %gpx: it is cut.", best.maxLines, last.least))
	b.fit.box, b.fit.width = best, width
	return best
}

// largest returns a copy of b with the text in the largest size of a step that fits a width and a height; otherwise in
// its least size, and fits is false.
func (l *layouter) largest(b *box, f fit, lead, width, height float64) (best *box, fits bool) {
	fit := func(k *box) bool {
		s := &inlineState{
			l: l, b: k, c: l.contentOf(k), p: &piece{}, room: area{w: width, h: indefinite, main: indefinite},
			fl: &floats{}, boxes: map[int]*piece{}, sliced: map[*box][]*piece{},
		}
		s.measure()
		lines := s.count(width, f.lines+1)
		return lines <= f.lines && float64(lines)*k.style.LineHeight.Px <= height+slack && s.widest(width) <= width+slack
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
func (l *layouter) titleLead(b *box) float64 {
	if node := owner(b).node; node == nil || node.Slot != titleSlot {
		return 0
	}
	return text.Leading(l.contentOf(b).runes)
}

// fittedBox is the result of fittedTo.
type fittedBox struct {
	box   *box
	width float64
}

// fitIntrinsic returns the intrinsic widths of a text with --fit: of words in the smallest size, and of its line in the
// largest.
func (l *layouter) fitIntrinsic(b *box, steps []fit, h float64) sizes {
	least, most := steps[0].least, steps[0].most
	for _, f := range steps {
		least, most = min(least, f.least), max(most, f.most)
	}
	return sizes{
		min: l.inlineIntrinsic(l.scaled(b, least, 0), h).min,
		max: l.inlineIntrinsic(l.scaled(b, most, 0), h).max,
	}
}

// scaler copies boxes with their text in another size.
type scaler struct {
	factor float64
	lead   float64 // added to line heights, in em
	styles map[*css.Style]*css.Style
	texts  map[*css.Text]*css.Text
	boxes  map[*box]*box
}

// scaled returns a copy of b with a font size, and everything in it in proportion. lead is added to its line height, in
// em.
func (l *layouter) scaled(b *box, size, lead float64) *box {
	s := &scaler{
		factor: size / max(b.style.FontSize, 1), lead: lead, styles: map[*css.Style]*css.Style{},
		texts: map[*css.Text]*css.Text{}, boxes: map[*box]*box{},
	}
	return s.box(l, b, b.parent)
}

func (s *scaler) box(l *layouter, b, parent *box) *box {
	l.spend(1)
	out := &box{
		kind: b.kind, node: b.node, style: s.style(b.style), parent: parent, text: b.text, anonymous: b.anonymous,
		inline: b.inline, inlines: b.inlines, item: b.item, root: b.root, marker: b.marker, picture: b.picture, fitted: true,
	}
	s.boxes[b] = out
	for _, d := range b.decor {
		if copied := s.boxes[d]; copied != nil {
			d = copied
		}
		out.decor = append(out.decor, d)
	}
	for _, k := range b.kids {
		out.kids = append(out.kids, s.box(l, k, out))
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
	node := owner(s.b).node
	if node == nil || node.Slot != titleSlot {
		return nil
	}
	c := s.c
	n := len(c.runes)
	count := s.count(s.room.w, maxFitLines)
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
	starts, ok := s.l.engine.TitleLines(c.runes, s.b.style.Lang, advances, breaks, s.room.w, count)
	if !ok {
		return nil
	}
	return append(starts, n)
}
