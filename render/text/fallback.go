package text

import (
	"cmp"
	"math"
	"slices"
	"unicode"

	"github.com/go-text/typesetting/language"

	"masthead/fonts"
)

// letterFallbacks are the families tried first for what the family of a text lacks: together they have most letters,
// and mathematics, arrows, currencies, fractions and superscripts. They are followed by those for single scripts and
// symbols; see fallbacks.
var letterFallbacks = []Family{Inter, NotoSans, JetBrainsMono}

// han is a regional variant of Han characters.
type han uint8

const (
	simplified han = iota // of zh-Hans, and the default
	traditionalHan
	japanese
	korean
)

// hanFamilies are the families with Han characters, in order of preference for each han: a character that the first
// lacks is drawn in the forms of another.
var hanFamilies = [...][]string{
	simplified:     {"noto-sans-sc", "noto-sans-tc", "noto-sans-jp", "noto-sans-kr"},
	traditionalHan: {"noto-sans-tc", "noto-sans-jp", "noto-sans-sc", "noto-sans-kr"},
	japanese:       {"noto-sans-jp", "noto-sans-tc", "noto-sans-sc", "noto-sans-kr"},
	korean:         {"noto-sans-kr", "noto-sans-tc", "noto-sans-jp", "noto-sans-sc"},
}

// hanOf returns the han of a text: that of the page's language; if that isn't East Asian, kana mean Japanese and hangul
// Korean.
func hanOf(runes []rune, lang string) han {
	switch primaryLanguage(lang) {
	case "ja":
		return japanese
	case "ko":
		return korean
	case "zh", "yue", "wuu", "nan", "hak", "cmn":
		if traditional(lang) || primaryLanguage(lang) == "yue" {
			return traditionalHan
		}
		return simplified
	}
	out := simplified
	for _, r := range runes {
		switch {
		case r >= 0x3041 && r <= 0x30ff && r != '・':
			return japanese
		case r >= 0xac00 && r <= 0xd7a3:
			out = korean
		}
	}
	return out
}

// fallbacks returns the fallback faces of a family in order: those added by the deployment, letters, then single
// scripts and symbols; finally the same in other weights, some of which have more.
func fallbacks(family Family, weight int, h han) []*fonts.Face {
	out := slices.Clone(fonts.Added())
	slices.SortStableFunc(out, func(a, b *fonts.Face) int {
		return cmp.Compare(max(a.Weight-weight, weight-a.Weight), max(b.Weight-weight, weight-b.Weight))
	})
	for _, f := range letterFallbacks {
		if f != family {
			out = append(out, fonts.Find(string(f), weight, false))
		}
	}
	east := false
	for _, slug := range fonts.Fallbacks() {
		if !slices.Contains(hanFamilies[0], slug) {
			out = append(out, fonts.Find(slug, weight, false))
			continue
		}
		if !east {
			east = true
			for _, slug := range hanFamilies[h] {
				if f := fonts.Find(slug, weight, false); f != nil {
					out = append(out, f)
				}
			}
		}
	}
	for _, f := range fonts.All() {
		if slices.Contains(fonts.Fallbacks(), f.Family) && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// faceListKey identifies an ordered list of faces.
type faceListKey struct {
	family Family
	weight int
	italic bool
	han    han
}

// faceList is the faces for a text, in order of preference, with a table of the face for each rune.
//
// The table isn't a cache of package cache: it is used for every rune of every text, where hashing and list updates
// would take much of the time saved. An entry belongs to all runes with the same low bits and has the last one used.
type faceList struct {
	primary *face
	rest    []*fonts.Face
	known   [512]knownFace
}

// knownFace is the face of a rune.
type knownFace struct {
	r    rune
	face *face // nil: no face has it
	ok   bool
}

// faceList returns the list for a family, weight and slant, created on first use.
func (e *Engine) faceList(family Family, weight int, italic bool, h han) *faceList {
	key := faceListKey{family, weight, italic, h}
	if s, ok := e.faceLists[key]; ok {
		return s
	}
	s := &faceList{
		primary: e.face(e.find(family, weight, italic)),
	}
	s.rest = fallbacks(family, s.primary.src.Weight, h) // symbols in a family without bold aren't bold either
	e.faceLists[key] = s
	return s
}

// has reports whether f has a glyph for r.
func (f *face) has(r rune) bool {
	if f.id == emojiFace {
		return false
	}
	gid, ok := f.ft.NominalGlyph(r)
	return ok && gid != 0
}

// faceOf returns the first face of s that has r, or nil.
func (e *Engine) faceOf(s *faceList, r rune) *face {
	hit := &s.known[uint32(r)%uint32(len(s.known))]
	if hit.ok && hit.r == r {
		return hit.face
	}
	*hit = knownFace{r: r, ok: true}
	if s.primary.has(r) {
		hit.face = s.primary
		return hit.face
	}
	for _, src := range s.rest {
		if src.Has(r) {
			hit.face = e.face(src)
			break
		}
	}
	return hit.face
}

// clusterFace returns the first face that has every visible rune of a cluster, or nil. White space stays in the face of
// the preceding cluster, so that a sentence in a fallback script is one run; after a foreign symbol it has the text's
// face again.
func (e *Engine) clusterFace(s *faceList, cluster []rune, previous *face, c class) *face {
	if len(cluster) == 1 {
		if unicode.IsSpace(cluster[0]) && c != european && previous != nil && previous.has(cluster[0]) {
			return previous
		}
		if ignorable(cluster[0]) {
			if previous != nil && previous.id != emojiFace {
				return previous
			}
			return s.primary
		}
		return e.faceOf(s, cluster[0])
	}
	first := e.faceOf(s, cluster[0])
	if first == nil || first.hasAll(cluster) {
		return first
	}
	if s.primary.hasAll(cluster) {
		return s.primary
	}
	for _, src := range s.rest {
		if hasAll(src, cluster) {
			return e.face(src)
		}
	}
	return nil
}

// hasAll reports whether f has a glyph for every rune of a cluster that is not ignorable.
func (f *face) hasAll(cluster []rune) bool { return f.id != emojiFace && hasAll(f.src, cluster) }

func hasAll(src *fonts.Face, cluster []rune) bool {
	for _, r := range cluster {
		if !ignorable(r) && !src.Has(r) {
			return false
		}
	}
	return true
}

// wideIn reports whether runes[i] is a Chinese or Japanese quotation mark, dash, ellipsis or middle dot, which is as
// wide as a letter there: it has such a letter next to it. So are an ellipsis that ends a text with such letters, and
// the other middle dots of a text with a wide one.
func wideIn(runes []rune, i int) bool {
	switch runes[i] {
	case '·':
		if i > 0 && blank(runes[i-1]) {
			return false // between two facts
		}
		return widePoints(runes)
	case '“', '‘', '”', '’':
		if other := pairedQuote(runes, i); other >= 0 {
			first, last := min(i, other), max(i, other)
			return slices.ContainsFunc(runes[first+1:last], eastLetter) || besideEast(runes, first) || besideEast(runes, last)
		}
	case '…', '—', '‥':
		if runes[i] == '…' && i+1 == len(runes) { // where a text is cut
			return slices.ContainsFunc(runes, eastLetter)
		}
	default:
		return false
	}
	return besideEast(runes, i)
}

// widePoints reports whether a middle dot that no space precedes is beside a letter of Chinese or Japanese.
func widePoints(runes []rune) bool {
	beside, point := false, false // such a letter; a dot, after the last letter or digit
	for i, r := range runes {
		switch {
		case alphanumeric(r):
			wide := eastLetter(r)
			if point && (wide || beside) {
				return true
			}
			beside, point = wide, false
		case r == '·' && !(i > 0 && blank(runes[i-1])):
			point = true
		}
	}
	return point && beside
}

// pairedQuote returns the index of the quotation mark that closes or opens the one at i, or -1.
func pairedQuote(runes []rune, i int) int {
	const longest = 40 // characters between them
	pairs := map[rune]rune{'“': '”', '‘': '’'}
	if closing, ok := pairs[runes[i]]; ok {
		if n := slices.Index(runes[i:min(len(runes), i+longest)], closing); n > 0 {
			return i + n
		}
		return -1
	}
	for j := i - 1; j >= max(0, i-longest); j-- {
		switch {
		case pairs[runes[j]] == runes[i]:
			return j
		case runes[j] == runes[i]:
			return -1
		}
	}
	return -1
}

// eastLetter reports whether r is a letter of Chinese or Japanese.
func eastLetter(r rune) bool {
	return r >= firstEast && unicode.IsLetter(r) && east(language.LookupScript(r))
}

// besideEast reports whether the next letter or digit on a side of runes[i] is one of Chinese or Japanese.
func besideEast(runes []rune, i int) bool {
	for _, step := range [...]int{-1, 1} {
		for j := i + step; j >= 0 && j < len(runes); j += step {
			if unicode.IsLetter(runes[j]) || unicode.IsDigit(runes[j]) {
				if east(language.LookupScript(runes[j])) {
					return true
				}
				break
			}
		}
	}
	return false
}

// hanFace returns the face of the first available family of a han that has a cluster, or nil.
func (e *Engine) hanFace(weight int, h han, cluster []rune) *face {
	for _, slug := range hanFamilies[h] {
		if src := fonts.Find(slug, weight, false); src != nil && hasAll(src, cluster) {
			return e.face(src)
		}
	}
	return nil
}

// wordEnd returns the end of the word of Latin, Greek or Cyrillic letters that begins at runes[start], or start if it
// isn't such a letter.
func wordEnd(runes []rune, start int) int {
	end := start
	for end < len(runes) {
		r := runes[end]
		if c := scriptClass(scriptOf(r)); !unicode.In(r, unicode.L, unicode.M) || c != european && c != common {
			break
		}
		end++
	}
	return end
}

// wordFace returns the face of a word with a letter that the text's family lacks: a word never mixes faces. It is nil
// if no face has all letters.
func (e *Engine) wordFace(s *faceList, word []rune) *face {
	for _, src := range s.rest {
		if hasEuropean(src, word) {
			return e.face(src)
		}
	}
	return nil
}

// xHeightLike is the x-height, in em, that faces without an x were designed for: that of Noto Sans.
const xHeightLike = .536

// Limits for scaling a fallback to the family it is used with.
const (
	minFallbackScale = .75
	maxFallbackScale = 1.3
	sameXHeight      = .04 // smaller differences in x-height are ignored
)

// scale returns the factor for glyphs of f in a text, so that their x-height matches that of its family. If most
// letters are in a script that the family lacks, its face determines the size and nothing is scaled.
func (p *paragraph) scale(f *face) float32 {
	if f == p.primary || p.class != european && f.id != emojiFace {
		return 1
	}
	ratio := p.primary.xHeight / f.xHeight
	if math.Abs(ratio-1) <= sameXHeight {
		return 1
	}
	return float32(min(max(ratio, minFallbackScale), maxFallbackScale))
}

// ignorable reports whether r is invisible by itself: joiners, direction controls, variation selectors, word joiner.
// Source: UCD, Default_Ignorable_Code_Point.
func ignorable(r rune) bool {
	switch {
	case r >= 0x200b && r <= 0x200f, r >= 0x2060 && r <= 0x2069, r == 0x061c, r == 0x034f:
		return true
	case r >= 0xfe00 && r <= 0xfe0f:
		return true
	}
	return false
}

// class groups scripts with the same typographic rules.
type class uint8

const (
	common     class = iota // not specific to a script: digits, punctuation, marks
	european                // Latin, Greek, Cyrillic
	rtlScripts              // Arabic, Hebrew and similar ones
	cjk                     // Han, kana, hangul, bopomofo
	tall                    // Devanagari, Bengali, Tamil, Thai and others with marks far above and below
	other
	classCount // how many there are
)

// scriptClass returns the class of a script.
func scriptClass(s language.Script) class {
	switch s {
	case language.Common, language.Inherited, language.Unknown:
		return common
	case language.Latin, language.Greek, language.Cyrillic:
		return european
	case language.Arabic, language.Hebrew, language.Syriac, language.Thaana, language.Nko:
		return rtlScripts
	case language.Han, language.Hiragana, language.Katakana, language.Hangul, language.Bopomofo:
		return cjk
	case language.Devanagari, language.Bengali, language.Tamil, language.Thai, language.Myanmar, language.Khmer,
		language.Lao, language.Gujarati, language.Gurmukhi, language.Kannada, language.Malayalam, language.Oriya,
		language.Sinhala, language.Telugu, language.Tibetan:
		return tall
	}
	return other
}

// stacks reports whether letters of a script have two marks above each other, vowel and tone, and may have another one
// below, so that lines which are as close as those of other tall scripts touch.
func stacks(s language.Script) bool { return s == language.Thai || s == language.Lao }

// scriptOf is language.LookupScript with a fast path for ASCII and Latin-1.
func scriptOf(r rune) language.Script {
	if r < 0x80 {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return language.Latin
		}
		return language.Common
	}
	return language.LookupScript(r)
}
