package text

import (
	"unicode"

	"github.com/go-text/typesetting/language"

	"masthead/fonts"
)

// fallbackFaces is the ordered list of families that stand in for clusters which the family of the style lacks. A
// family with a covers function is asked only for the runes of its script, so that a missing symbol does not parse
// every face there is.
//
// To add a script: a line here, its faces in package fonts, and its class in scriptClass. CJK families go to the end,
// ordered by the language of the style.
var fallbackFaces = []struct {
	family string
	covers func(r rune) bool
}{
	{string(Inter), nil},
	{string(NotoSans), nil},
	{"noto-sans-arabic", inArabicBlocks},
	{"noto-sans-hebrew", inHebrewBlocks},
}

func inArabicBlocks(r rune) bool {
	return r >= 0x0600 && r <= 0x06ff || r >= 0x0750 && r <= 0x077f || r >= 0x08a0 && r <= 0x08ff ||
		r >= 0xfb50 && r <= 0xfdff || r >= 0xfe70 && r <= 0xfeff
}

func inHebrewBlocks(r rune) bool {
	return r >= 0x0590 && r <= 0x05ff || r >= 0xfb1d && r <= 0xfb4f
}

// faceListKey names an ordered list of faces.
type faceListKey struct {
	family Family
	weight int
	italic bool
}

// faceList is the faces that may set a text, in order of preference, with a table of which of them sets a rune.
//
// The table is no cache of package cache: it is asked for every rune of every text, where a hash and a list would take
// much of the time that it saves. A place belongs to all runes with the same low bits; the last that was asked has it.
type faceList struct {
	primary *face
	rest    []fallbackFace
	known   [512]knownFace
}

type fallbackFace struct {
	src    *fonts.Face
	covers func(r rune) bool
}

// knownFace is the face of a rune.
type knownFace struct {
	r    rune
	face *face // nil: no face has it
	ok   bool
}

// faceList returns the list for a family, weight and slant, made on first use.
func (e *Engine) faceList(family Family, weight int, italic bool) *faceList {
	key := faceListKey{family, weight, italic}
	if s, ok := e.faceLists[key]; ok {
		return s
	}
	s := &faceList{primary: e.face(fonts.Find(string(family), weight, italic))}
	for _, f := range fallbackFaces {
		if f.family != string(family) {
			s.rest = append(s.rest, fallbackFace{src: fonts.Find(f.family, weight, false), covers: f.covers})
		}
	}
	e.faceLists[key] = s
	return s
}

// has reports whether f has a glyph for r.
func (f *face) has(r rune) bool {
	_, ok := f.ft.NominalGlyph(r)
	return ok
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
	for _, entry := range s.rest {
		if entry.covers != nil && !entry.covers(r) {
			continue
		}
		if f := e.face(entry.src); f.has(r) {
			hit.face = f
			break
		}
	}
	return hit.face
}

// clusterFace returns the first face that has every visible rune of a cluster, or nil. White space stays in the face of
// the cluster before it, so that a sentence in a fallback script is one run.
func (e *Engine) clusterFace(s *faceList, cluster []rune, previous *face) *face {
	if len(cluster) == 1 {
		if unicode.IsSpace(cluster[0]) && previous != nil && previous.has(cluster[0]) {
			return previous
		}
		if ignorable(cluster[0]) {
			if previous != nil {
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
	for _, entry := range s.rest {
		if entry.covers == nil || entry.covers(cluster[0]) {
			if f := e.face(entry.src); f.hasAll(cluster) {
				return f
			}
		}
	}
	return nil
}

// hasAll reports whether f has a glyph for every rune of a cluster that is not ignorable.
func (f *face) hasAll(cluster []rune) bool {
	for _, r := range cluster {
		if !ignorable(r) && !f.has(r) {
			return false
		}
	}
	return true
}

// ignorable reports whether r draws nothing by itself: joiners, direction controls, variation selectors, word joiner.
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

// class groups scripts by how they are set.
type class uint8

const (
	common     class = iota // no script of its own: digits, punctuation, marks
	european                // Latin, Greek, Cyrillic
	rtlScripts              // Arabic, Hebrew and their kin
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

// scriptOf is language.LookupScript with a short way for ASCII and Latin-1.
func scriptOf(r rune) language.Script {
	if r < 0x80 {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return language.Latin
		}
		return language.Common
	}
	return language.LookupScript(r)
}
