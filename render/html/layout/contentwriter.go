package layout

import (
	"slices"
	"unicode"

	"masthead/render/html/css"
	"masthead/render/html/layout/boxtree"
	"masthead/render/text"
)

// contentWriter collapses white space and writes leaves.
type contentWriter struct {
	l       *layouter
	c       *inlineContent
	space   bool // the text so far ends with a collapsible space, or is empty
	spaceAt int  // rune of that space, -1 if none
	word    bool // the last rune continues a word, for text-transform: capitalize
}

func (w *contentWriter) write(kids []*boxtree.Box, parent *boxtree.Box) {
	c := w.c
	for _, k := range kids {
		w.l.Spend(1)
		switch {
		case k.Kind == boxtree.TextBox && k.Marker:
			w.leaf(leaf{kind: markerLeaf, box: k, parent: parent}, 0x2060)
		case k.Kind == boxtree.TextBox:
			w.text(k, parent)
		case k.Kind == boxtree.BreakBox:
			w.dropSpace()
			w.leaf(leaf{kind: breakLeaf, box: k, parent: parent}, '\n')
			w.space, w.spaceAt, w.word = true, -1, false
		case k.OutOfFlow():
			w.leaf(leaf{kind: outLeaf, box: k, parent: parent}, 0x2060)
		case k.Floating():
			w.leaf(leaf{kind: floatLeaf, box: k, parent: parent}, 0x2060)
		case k.Kind == boxtree.InlineBox:
			at := len(c.runes)
			c.edges = append(c.edges, inlineEdge{k, true, at})
			closer := w.isolate(k)
			before := len(c.leaves)
			w.write(k.Kids, k)
			if closer != 0 {
				w.leaf(leaf{kind: emptyLeaf, box: k, parent: k}, closer)
			}
			if len(c.leaves) == before {
				w.leaf(leaf{kind: emptyLeaf, box: k, parent: k}, 0x2060)
			}
			c.edges = append(c.edges, inlineEdge{k, false, len(c.runes) - 1})
		case !k.Inline:
			w.dropSpace()
			w.leaf(leaf{kind: blockLeaf, box: k, parent: parent}, object)
			w.space, w.spaceAt, w.word = true, -1, false
		default:
			w.leaf(leaf{kind: atomicLeaf, box: k, parent: parent}, object)
			w.space, w.word = false, false
		}
	}
}

// isolate writes the control that an inline box with another direction begins with, and returns the one that ends it.
func (w *contentWriter) isolate(k *boxtree.Box) rune {
	var open rune
	switch k.Style.UnicodeBidi {
	case css.BidiNormal:
		return 0
	case css.BidiPlaintext:
		open = 0x2068
	default:
		open = 0x2066
		if k.Style.Direction == css.RTL {
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
func (w *contentWriter) text(k, parent *boxtree.Box) {
	t := &textWriter{
		contentWriter: w, k: k, parent: parent, start: len(w.c.runes),
		small: k.Style.SmallCaps && w.l.synthesizesCaps(k.Style),
	}
	t.allSmall = t.small && slices.ContainsFunc(k.Style.Features, func(f css.Feature) bool { return f.Tag == "c2sc" })
	collapse, keep := boxtree.Collapses(k.Style), boxtree.KeepsBreaks(k.Style)
	runes := []rune(transform(k.Text, k.Style, w.word))
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
	k, parent *boxtree.Box
	start     int  // of the leaf being written
	small     bool // small letters become small capitals
	allSmall  bool // and so does everything else
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
	if t.allSmall || t.small && unicode.IsLower(r) && unicode.ToUpper(r) != r {
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
