package text

import (
	"unicode"

	"github.com/go-text/typesetting/language"
	"golang.org/x/text/unicode/bidi"

	"masthead/fonts"
)

// Limits on a text. A card shows at most some 500 letters; longer texts are cut before any work is done on them.
const (
	maxRunes   = 2000
	maxCluster = 16 // runes per grapheme cluster
	maxMissing = 64 // runes reported as missing
)

// paragraph is one text on its way to lines: cleaned runes, the face, level and script of each, and after shaping the
// glyphs and widths in em. All slices are scratch memory of the engine.
type paragraph struct {
	runes          []rune
	faces          []*face // by rune
	level          []int8
	script         []language.Script
	flags          []breakFlag // by position, len(runes)+1
	missing        []rune
	letters        int // letters and digits of the text
	missingLetters int // those that no face has

	runs        []run
	glyphs      []glyph
	advances    []float64 // width in em of runes[:i], by position
	clusters    []int32   // clusters in runes[:i], by position
	breaks      []lineBreak
	phraseEnds  []bool // by position, if phrased; see findPhrases
	insideWords []bool // by position, if phrased; see findPhrases
	phrased     bool
	clauses     []int16    // by position, see findClauses
	fewLines    bool       // no step of Korean has a line more for better ones
	clauseEnds  [2][]int16 // by position, of Korean; see findKoreanClauses

	style        Style
	primary      *face
	base         int8  // level of the paragraph: 0 left-to-right, 1 right-to-left
	class        class // of most letters
	eastern      bool  // some letters are Chinese, Japanese or Korean
	tibetanTitle bool  // most letters are Tibetan
	devanagari   bool  // most letters are of Hindi and the like
	stacked      bool  // most letters are of a script that [stacks]
	factor       float64
	han          han
	mixed        bool    // the family lacks letters of some words
	overlaid     bool    // there are overlays, see overlay.go
	demerits     float64 // of its lines, see totalFit
	worst        float64 // of the penalties of their breaks
	cut          bool    // one ends inside a word, other than at a seam
	seam         bool    // … at a seam
	tokens       bool    // overlong tokens are broken at allowed positions, at any size
	hyphens      bool    // … and words are hyphenated
	hyphenated   bool    // the positions for hyphens are marked
	german       bool    // … by the patterns of German
	tight        float64 // how much nearer to each other than clearGap marks of lines may be, from 0 to 1
	judged       bool    // the penalties of the breaks are known
	capitals     bool    // nearly all letters are capitals, see findCapitals
	hyphen       glyph
	wholePhrases bool // prefer to end lines with a phrase; set while choosing the lines of Chinese and Japanese
}

// run is a range with one face, script and level. Its glyphs are in visual order.
type run struct {
	start, end int
	g0, g1     int
	level      int8
	over       bool // overlays on the preceding letter, which has another face: not a cluster of their own
}

// compose reads s into p: it cleans the text, chooses the direction and the face of every cluster, drops what no face
// can draw, shapes it and finds where lines may break.
func (e *Engine) compose(p *paragraph, s string, st Style) {
	p.style = st
	p.missing, p.letters, p.missingLetters = p.missing[:0], 0, 0
	p.wholePhrases, p.tokens, p.hyphens, p.hyphenated, p.overlaid, p.demerits = false, false, false, false, false, 0
	p.normalize(s, st)
	p.base = baseLevel(p.runes, st.Dir)
	p.han = hanOf(p.runes, st.Lang)
	family := p.family(e, st)
	p.factor = 1
	if !st.Exact {
		p.factor = e.sizeAdjust(family)
	}
	stack := e.faceList(family, st.Weight, st.Italic, p.han)
	p.primary = stack.primary
	e.assignFaces(p, stack)
	p.capitals = p.inCapitals()
	e.shape(p)
	e.findBreaks(p)
}

// Direction returns the direction of a text by its first strong character, or left-to-right if there is none.
func Direction(s string) Dir {
	if baseLevel([]rune(s), Auto) == 1 {
		return RightToLeft
	}
	return LeftToRight
}

// baseLevel returns 1 for a right-to-left paragraph: by dir, otherwise by the first strong character outside isolates
// (UAX 9, P2).
func baseLevel(runes []rune, dir Dir) int8 {
	switch dir {
	case LeftToRight:
		return 0
	case RightToLeft:
		return 1
	}
	isolates := 0
	for _, r := range runes {
		if r < 0x80 {
			if isolates == 0 && (r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
				return 0
			}
			continue
		}
		props, _ := bidi.LookupRune(r)
		switch props.Class() {
		case bidi.LRI, bidi.RLI, bidi.FSI:
			isolates++
		case bidi.PDI:
			if isolates > 0 {
				isolates--
			}
		case bidi.L:
			if isolates == 0 {
				return 0
			}
		case bidi.R, bidi.AL:
			if isolates == 0 {
				return 1
			}
		}
	}
	return 0
}

// family chooses the family for the text, and sets p.class: that of what takes most of its width. If the style's family
// lacks a letter of some words, each of these is drawn completely in another one (see p.mixed); if it lacks letters of
// more than a third of all words, the first of Inter and Noto Sans that has them all is used for everything. If most
// letters are in another script, or the text is right-to-left, Inter replaces the two families whose size differs from
// it, unless the style is exact.
func (p *paragraph) family(e *Engine, st Style) Family {
	var letters [classCount]int
	tibetan, stacked, hindi := 0, 0, 0
	for _, r := range p.runes {
		script := scriptOf(r)
		letters[scriptClass(script)]++
		switch {
		case script == language.Tibetan:
			tibetan++
		case stacks(script):
			stacked++
		case script == language.Devanagari:
			hindi++
		}
	}
	p.eastern = letters[cjk] > 0
	letters[cjk] *= 2 // a character is as wide as two letters, and says as much
	p.class = european
	for c := rtlScripts; c < classCount; c++ {
		if letters[c] > letters[p.class] {
			p.class = c
		}
	}
	p.tibetanTitle = p.class == tall && 2*tibetan > letters[tall]
	p.stacked = p.class == tall && 2*stacked > letters[tall]
	p.devanagari = p.class == tall && 2*hindi > letters[tall]
	if p.base == 1 && letters[rtlScripts] > 0 {
		p.class = rtlScripts
	}
	family := st.Family
	if !family.known() {
		family = Inter
	}
	p.mixed = false
	if p.class != european && !st.Exact && (family == InstrumentSerif || family == JetBrainsMono) {
		family = Inter
	}
	words, foreign := p.foreignWords(e.find(family, st.Weight, st.Italic))
	if foreign*maxForeignWords > words {
		for _, candidate := range [...]Family{Inter, NotoSans} {
			if hasEuropean(fonts.Find(string(candidate), st.Weight, st.Italic), p.runes) {
				return candidate
			}
		}
	}
	p.mixed = foreign > 0
	return family
}

// maxForeignWords limits the share of words, as 1/n, with letters that a family lacks before it is replaced.
const maxForeignWords = 3

// foreignWords returns the number of words with Latin, Greek and Cyrillic letters in a text, and the number of those
// with letters that a face lacks.
func (p *paragraph) foreignWords(f *fonts.Face) (words, foreign int) {
	if hasEuropean(f, p.runes) {
		return 1, 0 // the usual case
	}
	for i := 0; i < len(p.runes); {
		end := wordEnd(p.runes, i)
		if end == i {
			i++
			continue
		}
		words++
		if !hasEuropean(f, p.runes[i:end]) {
			foreign++
		}
		i = end
	}
	return words, foreign
}

// hasEuropean reports whether f has every Latin, Greek and Cyrillic letter of a text.
func hasEuropean(f *fonts.Face, runes []rune) bool {
	for _, r := range runes {
		if r < 0x80 || scriptClass(scriptOf(r)) != european {
			continue
		}
		if !f.Has(r) && unicode.IsLetter(r) && len(compatibilityForm(r)) == 0 {
			return false
		}
	}
	return true
}
