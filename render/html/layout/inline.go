package layout

import (
	"fmt"
	"math"
	"unicode"

	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"

	"masthead/render/html/css"
	"masthead/render/text"
)

// object stands for atomic boxes and emoji in the text of inline content.
const object = 0xfffc

// inlineContent is the inline content of a block container as one text. It doesn't depend on the width of lines.
type inlineContent struct {
	runes   []rune
	small   map[int]bool // runes that are small capitals made of capitals; nil without any
	leaves  []leaf
	owner   []int32 // leaf of each rune
	level   []int8
	script  []language.Script
	advance []float64 // of each rune in px, at the first rune of its cluster; 0 of atomic boxes
	cluster []bool    // a grapheme begins at the rune
	brk     []breakKind
	runs    []shaped // in logical order
	runOf   []int32  // run of each rune
	rtl     bool
	edges   []inlineEdge
}

// leafKind is what a leaf is.
type leafKind uint8

const (
	textLeaf leafKind = iota
	emojiLeaf
	atomicLeaf
	breakLeaf  // a forced break
	outLeaf    // an absolutely positioned box
	floatLeaf  // a float
	blockLeaf  // a block inside an inline box
	tabLeaf    // a preserved tab
	emptyLeaf  // an inline box without content
	markerLeaf // the marker of a list item
)

// leaf is a range of the text of one box: text with one style, or one unit.
type leaf struct {
	kind       leafKind
	box        *box // the text's, the atomic box's, or the inline box's without content
	parent     *box // the inline box or block container that it is in
	start, end int
	emoji      uint32
}

// inlineEdge is the beginning or end of an inline box at a position of the text.
type inlineEdge struct {
	box  *box
	open bool
	at   int // rune that it belongs to
}

// contentOf returns the inline content of b, created once.
func (l *layouter) contentOf(b *box) *inlineContent {
	if b.content != nil {
		return b.content
	}
	c := &inlineContent{rtl: b.style.Direction == css.RTL}
	w := &contentWriter{l: l, c: c, space: true, spaceAt: -1}
	w.write(b.kids, b)
	w.trim()
	l.runes += len(c.runes)
	if l.runes > maxText {
		panic(stopped{fmt.Errorf("%w: it has more than %d characters", ErrBounds, maxText)})
	}
	l.spend(len(c.runes) * 4)
	if !b.anonymous && b.style.UnicodeBidi == css.BidiPlaintext {
		c.rtl = text.Direction(string(c.runes)) == text.RightToLeft
	}
	l.levels(c)
	l.shapeContent(c)
	l.findBreaks(c, b)
	b.content = c
	return c
}

// contentWriter collapses white space and writes leaves.
type contentWriter struct {
	l       *layouter
	c       *inlineContent
	space   bool // the text so far ends with a collapsible space, or is empty
	spaceAt int  // rune of that space, -1 if none
	word    bool // the last rune continues a word, for text-transform: capitalize
}

func (w *contentWriter) write(kids []*box, parent *box) {
	c := w.c
	for _, k := range kids {
		w.l.spend(1)
		switch {
		case k.kind == textBox && k.marker:
			w.leaf(leaf{kind: markerLeaf, box: k, parent: parent}, 0x2060)
		case k.kind == textBox:
			w.text(k, parent)
		case k.kind == breakBox:
			w.dropSpace()
			w.leaf(leaf{kind: breakLeaf, box: k, parent: parent}, '\n')
			w.space, w.spaceAt = true, -1
		case k.outOfFlow():
			w.leaf(leaf{kind: outLeaf, box: k, parent: parent}, 0x2060)
		case k.floating():
			w.leaf(leaf{kind: floatLeaf, box: k, parent: parent}, 0x2060)
		case k.kind == inlineBox:
			at := len(c.runes)
			c.edges = append(c.edges, inlineEdge{k, true, at})
			closer := w.isolate(k)
			before := len(c.leaves)
			w.write(k.kids, k)
			if closer != 0 {
				w.leaf(leaf{kind: emptyLeaf, box: k, parent: k}, closer)
			}
			if len(c.leaves) == before {
				w.leaf(leaf{kind: emptyLeaf, box: k, parent: k}, 0x2060)
			}
			c.edges = append(c.edges, inlineEdge{k, false, len(c.runes) - 1})
		case !k.inline:
			w.dropSpace()
			w.leaf(leaf{kind: blockLeaf, box: k, parent: parent}, object)
			w.space, w.spaceAt = true, -1
		default:
			w.leaf(leaf{kind: atomicLeaf, box: k, parent: parent}, object)
			w.space, w.word = false, false
		}
	}
}

// isolate writes the control that an inline box with another direction begins with, and returns the one that ends it.
func (w *contentWriter) isolate(k *box) rune {
	var open rune
	switch k.style.UnicodeBidi {
	case css.BidiNormal:
		return 0
	case css.BidiPlaintext:
		open = 0x2068
	default:
		open = 0x2066
		if k.style.Direction == css.RTL {
			open = 0x2067
		}
	}
	w.leaf(leaf{kind: emptyLeaf, box: k, parent: k}, open)
	return 0x2069
}

// leaf appends a leaf of one rune.
func (w *contentWriter) leaf(f leaf, r rune) {
	f.start, f.end = len(w.c.runes), len(w.c.runes)+1
	w.c.runes = append(w.c.runes, r)
	w.c.owner = append(w.c.owner, int32(len(w.c.leaves)))
	w.c.leaves = append(w.c.leaves, f)
}

// dropSpace removes a collapsible space at the end.
func (w *contentWriter) dropSpace() {
	if !w.space || w.spaceAt < 0 {
		return
	}
	w.remove(w.spaceAt)
	w.spaceAt = -1
}

// remove deletes a rune. Leaves, edges and owners behind it move.
func (w *contentWriter) remove(at int) {
	c := w.c
	c.runes = append(c.runes[:at], c.runes[at+1:]...)
	c.owner = append(c.owner[:at], c.owner[at+1:]...)
	for i := len(c.leaves) - 1; i >= 0; i-- {
		f := &c.leaves[i]
		if f.end <= at {
			break
		}
		if f.start > at {
			f.start--
		}
		f.end--
	}
	for i := len(c.edges) - 1; i >= 0; i-- {
		e := &c.edges[i]
		if e.at < at {
			break
		}
		if e.at > at || !e.open && e.at == at {
			e.at--
		}
	}
}

// trim removes a collapsible space at the end of the content.
func (w *contentWriter) trim() { w.dropSpace() }

// text appends the text of a box.
func (w *contentWriter) text(k, parent *box) {
	t := &textWriter{
		contentWriter: w, k: k, parent: parent, start: len(w.c.runes),
		small: k.style.SmallCaps && w.l.synthesizesCaps(k.style),
	}
	collapse, keep := collapses(k.style), keepsBreaks(k.style)
	runes := []rune(transform(k.text, k.style, w.word))
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		switch {
		case r == '\r', unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\f', r == 0xfeff:
			continue
		case r == '\n' && keep:
			t.lineFeed(collapse)
		case collapse && (r == ' ' || r == '\t' || r == '\n' || r == '\f'):
			if w.space {
				continue
			}
			t.put(' ')
			w.space, w.spaceAt = true, len(w.c.runes)-1
		case r == '\t':
			t.unit(leaf{kind: tabLeaf, box: k, parent: parent}, '\t')
			w.space = false
		default:
			w.space = false
			if n := t.emoji(runes[i:]); n > 0 {
				i += n - 1
				continue
			}
			t.put(r)
		}
		w.word = unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	t.flush()
}

// textWriter writes the text of one box.
type textWriter struct {
	*contentWriter
	k, parent *box
	start     int  // of the leaf being written
	small     bool // small letters become small capitals
}

// flush ends the leaf being written.
func (t *textWriter) flush() {
	c := t.c
	if t.start < len(c.runes) {
		c.leaves = append(c.leaves, leaf{kind: textLeaf, box: t.k, parent: t.parent, start: t.start, end: len(c.runes)})
		t.start = len(c.runes)
	}
}

// put appends a rune.
func (t *textWriter) put(r rune) {
	c := t.c
	if t.small && unicode.IsLower(r) && unicode.ToUpper(r) != r {
		if c.small == nil {
			c.small = map[int]bool{}
		}
		c.small[len(c.runes)] = true
		r = unicode.ToUpper(r)
	}
	c.runes = append(c.runes, r)
	c.owner = append(c.owner, int32(len(c.leaves)))
}

// unit appends a leaf of its own.
func (t *textWriter) unit(f leaf, r rune) {
	t.flush()
	t.leaf(f, r)
	t.start = len(t.c.runes)
}

// lineFeed appends a forced break, without the collapsible space before it.
func (t *textWriter) lineFeed(collapse bool) {
	c := t.c
	if collapse && t.space && t.spaceAt >= t.start {
		c.runes, c.owner = c.runes[:len(c.runes)-1], c.owner[:len(c.owner)-1]
	} else if collapse {
		t.flush()
		t.dropSpace()
		t.start = len(c.runes)
	}
	t.unit(leaf{kind: breakLeaf, box: t.k, parent: t.parent}, '\n')
	t.space, t.spaceAt = collapse, -1
}

// maxCluster bounds the runes of an emoji sequence.
const maxCluster = 16

// emoji appends the emoji that runes begin with, and returns how many runes it takes.
func (t *textWriter) emoji(runes []rune) int {
	if !maybeEmoji(runes) {
		return 0
	}
	n := emojiLength(runes)
	cluster := runes[:n]
	id, used := text.LeadingEmoji(cluster)
	if used == 0 {
		return 0
	}
	for used > 0 {
		t.unit(leaf{kind: emojiLeaf, box: t.k, parent: t.parent, emoji: id}, object)
		if cluster = cluster[used:]; len(cluster) == 0 {
			break
		}
		id, used = text.LeadingEmoji(cluster)
	}
	t.word = false
	return n
}

// maybeEmoji is a quick check that fails for most text.
func maybeEmoji(runes []rune) bool {
	r := runes[0]
	switch {
	case r < 0x80:
		return len(runes) > 1 && (runes[1] == 0xfe0f || runes[1] == 0x20e3)
	case r < 0x203c:
		return r == 0xa9 || r == 0xae
	case r >= 0x2e80 && r < 0x1f000:
		return r == 0x3030 || r == 0x303d || r == 0x3297 || r == 0x3299
	}
	return true
}

// emojiLength returns the length of the grapheme cluster that runes begin with.
func emojiLength(runes []rune) int {
	n := 1
	flag := runes[0] >= 0x1f1e6 && runes[0] <= 0x1f1ff
	if flag && len(runes) > 1 && runes[1] >= 0x1f1e6 && runes[1] <= 0x1f1ff {
		return 2
	}
	for n < min(len(runes), maxCluster) {
		r := runes[n]
		switch {
		case r == 0x200d && n+1 < len(runes) && runes[n+1] >= 0x2000:
			n += 2
			continue
		case r == 0xfe0f, r == 0xfe0e, r == 0x20e3, r >= 0x1f3fb && r <= 0x1f3ff, r >= 0xe0020 && r <= 0xe007f:
			n++
			continue
		}
		break
	}
	return min(n, len(runes))
}

// levels resolves the direction of each rune; every forced break ends a paragraph.
func (l *layouter) levels(c *inlineContent) {
	n := len(c.runes)
	c.level = make([]int8, n)
	for start := 0; start < n; {
		end := start
		for end < n && c.runes[end] != '\n' {
			end++
		}
		l.engine.Levels(c.runes[start:end], c.rtl, c.level[start:end])
		if end < n && c.rtl {
			c.level[end] = 1
		}
		start = end + 1
	}
	for i, e := range c.edges {
		if b := e.box.style.UnicodeBidi; e.open && (b == css.BidiOverride || b == css.BidiIsolateOverride) {
			c.override(e, c.edges[i+1:])
		}
	}
}

// override gives all characters of an inline box its direction, as bidi-override does. rest are the edges that follow.
func (c *inlineContent) override(e inlineEdge, rest []inlineEdge) {
	odd := int8(0)
	if e.box.style.Direction == css.RTL {
		odd = 1
	}
	end := e.at
	for _, o := range rest {
		if o.box == e.box {
			end = o.at
		}
	}
	for i := e.at; i <= end && i < len(c.level); i++ {
		c.level[i] += (c.level[i] + odd) & 1
	}
}

// resolveScripts gives every rune a script: one without gets that of the preceding rune.
func (c *inlineContent) resolveScripts() {
	c.script = make([]language.Script, len(c.runes))
	last := language.Script(0)
	pending := 0
	for i, r := range c.runes {
		s := text.ScriptOf(r)
		if s == language.Common || s == language.Inherited || s == language.Unknown || s == 0 {
			if last == 0 {
				pending++
				continue
			}
			s = last
		} else if last == 0 {
			for j := range pending {
				c.script[j] = s
			}
		}
		last = s
		c.script[i] = s
	}
	if last == 0 {
		for i := range c.script {
			c.script[i] = language.Latin
		}
	}
}

// shapeContent splits the text into runs, shapes them and measures every cluster.
func (l *layouter) shapeContent(c *inlineContent) {
	n := len(c.runes)
	c.resolveScripts()
	c.advance = make([]float64, n)
	c.cluster = make([]bool, n+1)
	c.runOf = make([]int32, n)
	c.cluster[n] = true
	var seg segmenter.Segmenter
	seg.Init(c.runes)
	graphemes := seg.GraphemeIterator()
	for graphemes.Next() {
		c.cluster[graphemes.Grapheme().Offset] = true
	}
	for i := range c.leaves {
		f := &c.leaves[i]
		if f.start < n {
			c.cluster[f.start] = true
		}
		if f.kind == textLeaf {
			l.shapeLeaf(c, f)
		}
	}
}

// shapeLeaf shapes the text of a leaf.
func (l *layouter) shapeLeaf(c *inlineContent, f *leaf) {
	s := f.box.style
	set := l.fonts(s)
	for start := f.start; start < f.end; {
		end := c.clusterEnd(start, f.end)
		face := l.face(set, c.runes[start:end], c.runes)
		for end < f.end && c.level[end] == c.level[start] && c.script[end] == c.script[start] &&
			c.small[end] == c.small[start] {
			next := c.clusterEnd(end, f.end)
			if l.face(set, c.runes[end:next], c.runes) != face {
				break
			}
			end = next
		}
		run := shaped{
			start: start, end: end, face: face, size: s.FontSize, level: c.level[start], script: c.script[start],
			bold:    s.FontWeight >= boldFrom && face.Weight < boldFrom,
			oblique: s.Italic && !face.Italic,
		}
		if c.small[start] {
			run.size = math.Round(run.size * smallCaps)
		}
		l.shapeRun(c, set, &run)
		for i := start; i < end; i++ {
			c.runOf[i] = int32(len(c.runs))
		}
		c.runs = append(c.runs, run)
		c.measure(&run, s)
		start = end
	}
}

// smallCaps is the size of a small capital made of a capital. Source: Blink, kSmallCapsFontSizeMultiplier.
const smallCaps = .7

// synthesizesCaps reports whether the face of a style has no small capitals.
func (l *layouter) synthesizesCaps(s *css.Style) bool {
	return !l.engine.HasFeature(l.fonts(s).faces[0], "smcp")
}

// clusterEnd returns the end of the grapheme cluster at i.
func (c *inlineContent) clusterEnd(i, limit int) int {
	i++
	for i < limit && !c.cluster[i] {
		i++
	}
	return i
}

// measure adds the advances of a run with letter- and word-spacing to those of its runes.
func (c *inlineContent) measure(run *shaped, s *css.Style) {
	for i := range run.glyphs {
		g := &run.glyphs[i]
		c.advance[g.Cluster] += float64(g.Advance) * run.size
	}
	if s.LetterSpacing == 0 && s.WordSpacing == 0 {
		return
	}
	for i := run.start; i < run.end; i++ {
		c.advance[i] += c.spacing(run, s, i)
	}
}

// spacing returns what letter- and word-spacing add after rune i.
func (c *inlineContent) spacing(run *shaped, s *css.Style, i int) float64 {
	v := 0.0
	r := c.runes[i]
	visible := c.cluster[i] && !text.Ignorable(r) && r != softHyphen
	if s.LetterSpacing != 0 && visible && !cursive(c.script[i]) && c.startsGlyph(run, i) {
		v += s.LetterSpacing
	}
	if s.WordSpacing != 0 && (r == ' ' || r == 0xa0) {
		v += s.WordSpacing
	}
	return v
}

// cursive reports whether the letters of a script join, so that they can't be spaced. Source: CSS Text 4,
// letter-spacing.
func cursive(s language.Script) bool {
	switch s {
	case language.Arabic, language.Syriac, language.Mongolian, language.Nko, language.Mandaic, language.Phags_Pa,
		language.Hanifi_Rohingya:
		return true
	}
	return false
}

// startsGlyph reports whether a glyph of the run has rune i as its cluster.
func (c *inlineContent) startsGlyph(run *shaped, i int) bool {
	if len(run.glyphs) == run.end-run.start { // usually, each rune has a glyph
		return true
	}
	from, to := run.glyphRange(i, i+1)
	return from < to
}
