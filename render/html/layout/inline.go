package layout

import (
	"fmt"
	"math"

	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
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
	runs    []shapedRun // in logical order
	runOf   []int32     // run of each rune
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
	box        *boxtree.Box // the text's, the atomic box's, or the inline box's without content
	parent     *boxtree.Box // the inline box or block container that it is in
	start, end int
	emoji      uint32
}

// inlineEdge is the beginning or end of an inline box at a position of the text.
type inlineEdge struct {
	box  *boxtree.Box
	open bool
	at   int // rune that it belongs to
}

// contentOf returns the inline content of b, created once.
func (l *layouter) contentOf(b *boxtree.Box) *inlineContent {
	if c, ok := b.Content.(*inlineContent); ok {
		return c
	}
	c := &inlineContent{rtl: b.Style.Direction == css.RTL}
	w := &contentWriter{l: l, c: c, space: true, spaceAt: -1}
	w.write(b.Kids, b)
	w.trim()
	l.runes += len(c.runes)
	if l.runes > maxText {
		boxtree.Fail(fmt.Errorf("%w: it has more than %d characters", boxtree.ErrBounds, maxText))
	}
	l.Spend(len(c.runes) * 4)
	if !b.Anonymous && b.Style.UnicodeBidi == css.BidiPlaintext {
		c.rtl = text.Direction(string(c.runes)) == text.RightToLeft
	}
	l.levels(c)
	l.shapeContent(c)
	l.findBreaks(c, b)
	b.Content = c
	return c
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
		if b := e.box.Style.UnicodeBidi; e.open && (b == css.BidiOverride || b == css.BidiIsolateOverride) {
			c.override(e, c.edges[i+1:])
		}
	}
}

// override gives all characters of an inline box its direction, as bidi-override does. rest are the edges that follow.
func (c *inlineContent) override(e inlineEdge, rest []inlineEdge) {
	odd := int8(0)
	if e.box.Style.Direction == css.RTL {
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
	s := f.box.Style
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
		run := shapedRun{
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
func (c *inlineContent) measure(run *shapedRun, s *css.Style) {
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
func (c *inlineContent) spacing(run *shapedRun, s *css.Style, i int) float64 {
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
func (c *inlineContent) startsGlyph(run *shapedRun, i int) bool {
	if len(run.glyphs) == run.end-run.start { // usually, each rune has a glyph
		return true
	}
	from, to := run.glyphRange(i, i+1)
	return from < to
}
