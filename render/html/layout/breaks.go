package layout

import (
	"strings"
	"unicode"

	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/segmenter"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
	"masthead/render/text"
)

// breakKind says whether a line may begin at a rune.
type breakKind uint8

const (
	noBreak    breakKind = iota
	mayBreak             // a line may begin here
	forceBreak           // a line begins here
)

// softHyphen is where a word may be hyphenated.
const softHyphen = 0xad

// findBreaks fills c.brk: UAX 14, words of scripts without spaces, and the properties of each text.
func (l *layouter) findBreaks(c *inlineContent, block *boxtree.Box) {
	n := len(c.runes)
	c.brk = make([]breakKind, n+1)
	runes, at, real := c.visible()
	var seg segmenter.Segmenter
	seg.Init(runes)
	lines := seg.LineIterator()
	for lines.Next() {
		line := lines.Line()
		if i := line.Offset + len(line.Text); i < len(runes) {
			c.brk[at[i]] = mayBreak
		}
	}
	text.WordStarts(runes, func(i int) { c.brk[at[i]] = mayBreak })
	for i := 1; i < len(runes); i++ {
		p := at[i]
		a, b := runes[i-1], runes[i]
		if a < 0x80 && b < 0x80 && a > ' ' && b > ' ' && a != softHyphen {
			c.brk[p] = asciiBreak(runes, i)
		}
		if a == ' ' && b != ' ' { // browsers break behind spaces whatever follows, UAX 14 not before "!"
			c.brk[p] = mayBreak
		}
		l.adapt(c, block, runes, i, real[i-1], real[i], p)
		if c.brk[p] == mayBreak && a == ' ' && c.allOut(p, real[i]) { // they may also end the line before
			c.brk[real[i]] = mayBreak
		}
	}
	for i, r := range c.runes {
		if r == '\n' {
			if c.brk[i] != forceBreak {
				c.brk[i] = noBreak
			}
			c.brk[i+1] = forceBreak
		}
		if f := &c.leaves[c.owner[i]]; f.kind == blockLeaf {
			c.brk[i], c.brk[i+1] = forceBreak, forceBreak
		}
	}
	c.brk[0], c.brk[n] = noBreak, forceBreak
}

// visible returns the text without what takes no part in breaking lines, for each rune of it the position at which a
// line that begins with it begins, and its own.
func (c *inlineContent) visible() (runes []rune, at, real []int) {
	gap := -1
	for i, r := range c.runes {
		switch c.leaves[c.owner[i]].kind {
		case outLeaf, floatLeaf, emptyLeaf, markerLeaf:
			if gap < 0 {
				gap = i
			}
			continue
		}
		if r == '\n' {
			r = 0x2028
		}
		runes, real = append(runes, r), append(real, i)
		if gap >= 0 && i > 0 {
			at = append(at, gap)
		} else {
			at = append(at, i)
		}
		gap = -1
	}
	return runes, at, real
}

// allOut reports whether runes[from:to], which aren't empty, are absolutely positioned boxes.
func (c *inlineContent) allOut(from, to int) bool {
	for i := from; i < to; i++ {
		if c.leaves[c.owner[i]].kind != outLeaf {
			return false
		}
	}
	return from < to
}

// asciiBreak reports whether browsers break between two visible ASCII characters, runes[i-1] and runes[i]: not after a
// slash, for example, which UAX 14 allows. Source: measured in Chromium for each pair; it is its kAsciiLineBreakTable.
func asciiBreak(runes []rune, i int) breakKind {
	a, b := runes[i-1], runes[i]
	digit, letter := b >= '0' && b <= '9', b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
	allowed := false
	switch {
	case a == '-' && digit: // not before the digits of a negative number
		allowed = i >= 2 && alphanumeric(runes[i-2])
	case a == '-':
		allowed = letter || strings.ContainsRune("\"#%&'(*+-<=>@[\\^_`{|~", b)
	case a == '?':
		allowed = letter || digit || strings.ContainsRune("#$%&(*+-<=>@[\\^_`{|~", b)
	case strings.ContainsRune("(<[{", b):
		allowed = strings.ContainsRune("!\"#%&)*+,.:;=>\\]|}~", a)
	}
	if allowed {
		return mayBreak
	}
	return noBreak
}

func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// adapt changes the break before runes[i], which is c.runes[p], by the properties of the texts on both sides.
func (l *layouter) adapt(c *inlineContent, block *boxtree.Box, runes []rune, i, before, after, p int) {
	a, b := runes[i-1], runes[i]
	left, right := &c.leaves[c.owner[before]], &c.leaves[c.owner[after]]
	s := l.commonStyle(block, left, right)
	if left.kind == textLeaf && right.kind == textLeaf && left.box.Style.Text == right.box.Style.Text {
		s = left.box.Style
	}
	if !boxtree.Wraps(s) {
		c.brk[p] = noBreak
		return
	}
	if (left.kind == atomicLeaf || right.kind == atomicLeaf) && b != ' ' { // whatever is beside it
		c.brk[p] = mayBreak
		return
	}
	if a == softHyphen && s.Hyphens == css.HyphensNone {
		c.brk[p] = noBreak
	}
	if !c.cluster[after] && left.kind == textLeaf {
		c.brk[p] = noBreak
		return
	}
	if s.WhiteSpace == css.WhiteBreakSpaces && a == ' ' {
		c.brk[p] = mayBreak
	}
	if s.LineBreak == css.LineBreakAnywhere && b != ' ' {
		c.brk[p] = mayBreak
		return
	}
	switch s.WordBreak {
	case css.BreakAll:
		if c.brk[p] == noBreak && breakableLetter(a) && breakableLetter(b) {
			c.brk[p] = mayBreak
		}
	case css.KeepAll:
		if c.brk[p] == mayBreak && wordLetter(a) && wordLetter(b) {
			c.brk[p] = noBreak
		}
	}
}

// commonStyle returns the style of the innermost box around both leaves.
func (l *layouter) commonStyle(block *boxtree.Box, a, b *leaf) *css.Style {
	for x := a.parent; x != nil && x != block; x = x.Parent {
		for y := b.parent; y != nil && y != block; y = y.Parent {
			if x == y {
				return x.Style
			}
		}
	}
	return block.Style
}

// breakableLetter reports whether word-break: break-all breaks beside r.
func breakableLetter(r rune) bool {
	return wordish(r) || strings.ContainsRune("$%#&@_*+=<>^~\\", r)
}

// wordish reports whether r is a letter, a digit or a mark.
func wordish(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// wordLetter reports whether word-break: keep-all doesn't break beside r.
func wordLetter(r rune) bool {
	if wordish(r) {
		switch text.ScriptOf(r) {
		case language.Thai, language.Lao, language.Khmer, language.Myanmar:
			return false
		}
		return true
	}
	return false
}

// emergency reports whether a line may begin at rune p where there is no other break.
func (c *inlineContent) emergency(p int) bool {
	if p <= 0 || p >= len(c.runes) || !c.cluster[p] {
		return false
	}
	f := &c.leaves[c.owner[p-1]]
	if f.kind != textLeaf && f.kind != emojiLeaf && f.kind != tabLeaf {
		return false
	}
	s := f.box.Style
	if !boxtree.Wraps(s) {
		return false
	}
	return s.OverflowWrap != css.WrapNormal || s.WordBreak == css.BreakWord
}

// anywhere reports whether breaks at rune p also count for the min-content width.
func (c *inlineContent) anywhere(p int) bool {
	if !c.emergency(p) {
		return false
	}
	s := c.leaves[c.owner[p-1]].box.Style
	return s.OverflowWrap == css.WrapAnywhere || s.WordBreak == css.BreakWord
}
