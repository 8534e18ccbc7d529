package text

import (
	"unicode"

	"github.com/go-text/typesetting/language"
	"golang.org/x/text/unicode/bidi"

	"masthead/fonts"
)

// Bounds on what one text may hold. A card shows at most some 500 letters; what is longer is cut before any work is
// done on it.
const (
	maxRunes   = 2000
	maxCluster = 16 // runes of one grapheme cluster
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
	missingLetters int // those of them that no face could draw

	runs     []run
	glyphs   []glyph
	advances []float64 // width in em of runes[:i], by position
	clusters []int32   // clusters in runes[:i], by position
	breaks   []lineBreak

	style        Style
	primary      *face
	base         int8  // level of the paragraph: 0 left to right, 1 right to left
	class        class // of most letters
	factor       float64
	han          han
	mixed        bool    // the family lacks letters of some words
	overlaid     bool    // there are overlays, see overlay.go
	demerits     float64 // of its lines, see totalFit
	tokens       bool    // tokens that are too long are broken where they may be, at any size
	hyphenated   bool    // the places for hyphens are marked
	hyphen       glyph
	wholePhrases bool // lines prefer to end with a phrase; set while the lines of Chinese and Japanese are chosen
}

// run is a stretch of one face, script and level. Its glyphs are in visual order.
type run struct {
	start, end int
	g0, g1     int
	level      int8
	over       bool // overlays on the letter before, which is of another face: no cluster of its own
}

// compose reads s into p: cleans it, chooses the direction and the face of every cluster, drops what no face can draw,
// shapes it and finds where lines may break.
func (e *Engine) compose(p *paragraph, s string, st Style) {
	p.style = st
	p.missing, p.letters, p.missingLetters = p.missing[:0], 0, 0
	p.wholePhrases, p.tokens, p.hyphenated, p.overlaid, p.demerits = false, false, false, false, 0
	p.normalize(s, st)
	p.base = baseLevel(p.runes, st.Dir)
	p.han = hanOf(p.runes, st.Lang)
	family := p.family(e, st)
	p.factor = 1
	if !st.Exact {
		p.factor = family.SizeAdjust()
	}
	stack := e.faceList(family, st.Weight, st.Italic, p.han)
	p.primary = stack.primary
	e.assignFaces(p, stack)
	e.shape(p)
	e.findBreaks(p)
}

// Direction returns the direction that a text has by its first strong character; left to right when there is none.
func Direction(s string) Dir {
	if baseLevel([]rune(s), Auto) == 1 {
		return RightToLeft
	}
	return LeftToRight
}

// baseLevel returns 1 for a right-to-left paragraph: as told, else by the first strong character outside isolates (UAX
// 9, P2).
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

// family decides which family sets the text, and p.class. When the family of the style lacks a letter of some words,
// these are set in another, each whole (see p.mixed); when it lacks letters of more than a third of all words, the
// first of Inter and Noto Sans that has them all sets everything. Where most letters are of another script, or the text
// runs to the left, Inter accompanies them in place of the two families that are scaled away from it.
func (p *paragraph) family(e *Engine, st Style) Family {
	var letters [classCount]int
	for _, r := range p.runes {
		letters[scriptClass(scriptOf(r))]++
	}
	p.class = european
	for c := rtlScripts; c < classCount; c++ {
		if letters[c] > letters[p.class] {
			p.class = c
		}
	}
	if p.base == 1 && letters[rtlScripts] > 0 {
		p.class = rtlScripts
	}
	family := st.Family
	if !family.Valid() {
		family = Inter
	}
	p.mixed = false
	if p.class != european && (family == InstrumentSerif || family == JetBrainsMono) {
		family = Inter
	}
	words, foreign := p.foreignWords(fonts.Find(string(family), st.Weight, st.Italic))
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

// maxForeignWords is the part of its words, as 1/n, of which a family may lack letters and still set the others.
const maxForeignWords = 3

// foreignWords returns how many words of Latin, Greek and Cyrillic letters a text has, and of how many of them a face
// lacks letters.
func (p *paragraph) foreignWords(f *fonts.Face) (words, foreign int) {
	if hasEuropean(f, p.runes) {
		return 1, 0 // as nearly always
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
