package text

import (
	"embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// hyphenFiles has hyphenation patterns, one file per language. Their licenses are in hyphens/LICENSE.md. There is no
// maintained Go library for them.
//
//go:embed hyphens/*.txt
var hyphenFiles embed.FS

// Limits of hyphenation, in letters: the minimum distance from the ends of a word, and the minimum length of a word.
const (
	hyphenEdge    = 3
	hyphenLeast   = 8
	hyphenLongest = 64
)

// hyphenPatterns are the patterns of a language by their letters, with the value before each letter and after the last.
// Source: Franklin Mark Liang, Word Hy-phen-a-tion by Com-put-er.
type hyphenPatterns struct {
	values  map[string][]uint8
	longest int // letters of a pattern
}

// hyphenLanguages reads the patterns of a language when one of its words is first too long.
var hyphenLanguages = func() map[string]func() hyphenPatterns {
	out := map[string]func() hyphenPatterns{}
	for _, lang := range []string{"de", "en", "es", "fr", "it", "pt"} {
		out[lang] = sync.OnceValue(func() hyphenPatterns { return readHyphens(lang) })
	}
	return out
}()

// readHyphens reads the patterns of a language. It panics if there are none: that is a broken build.
func readHyphens(lang string) hyphenPatterns {
	data, err := hyphenFiles.ReadFile("hyphens/" + lang + ".txt")
	if err != nil {
		panic("text: hyphenation patterns of " + lang + ": " + err.Error())
	}
	p := hyphenPatterns{values: make(map[string][]uint8, strings.Count(string(data), "\n"))}
	for pattern := range strings.FieldsSeq(string(data)) {
		var letters []rune
		values := []uint8{0}
		for _, r := range pattern {
			if r >= '0' && r <= '9' {
				values[len(values)-1] = uint8(r - '0')
				continue
			}
			letters, values = append(letters, r), append(values, 0)
		}
		p.values[string(letters)] = values
		p.longest = max(p.longest, len(letters))
	}
	return p
}

// points calls part with each position in a lowercase word where it may be hyphenated.
func (p hyphenPatterns) points(word []rune, part func(i int)) {
	dotted := append(append([]rune{'.'}, word...), '.')
	best := make([]uint8, len(dotted)+1)
	for i := range dotted {
		for n := 1; n <= min(p.longest, len(dotted)-i); n++ {
			for k, v := range p.values[string(dotted[i:i+n])] {
				best[i+k] = max(best[i+k], v)
			}
		}
	}
	for i := hyphenEdge; i <= len(word)-hyphenEdge; i++ {
		if best[i+1]&1 == 1 {
			part(i)
		}
	}
}

// hyphenate marks where the long words of p may be hyphenated, if its language has patterns. It is called when a word
// is too long for its line.
func (p *paragraph) hyphenate() {
	if p.hyphenated {
		return
	}
	p.hyphenated = true
	lang := primaryLanguage(p.style.Lang)
	if lang == "" && p.looksGerman() {
		lang = "de"
	}
	read, ok := hyphenLanguages[lang]
	if !ok || p.base != 0 || p.primary == nil {
		return
	}
	gid, ok := p.primary.ft.NominalGlyph('-')
	if !ok {
		return
	}
	p.hyphen = glyph{
		gid: uint32(gid), face: p.primary.id, adv: p.primary.ft.HorizontalAdvance(gid) * p.primary.em, scale: 1,
	}
	for i := 0; i < len(p.runes); i++ {
		start := i
		for i < len(p.runes) && unicode.IsLetter(p.runes[i]) && scriptClass(scriptOf(p.runes[i])) == european {
			i++
		}
		if n := i - start; n < hyphenLeast || n > hyphenLongest {
			continue
		}
		word := []rune(strings.ToLower(string(p.runes[start:i])))
		if len(word) != i-start {
			continue
		}
		read().points(word, func(at int) {
			if f := &p.flags[start+at]; *f&(graphemeStart|insideGlyph|tokenStart) == graphemeStart {
				*f |= hyphenStart
			}
		})
	}
}

// hyphenAt reports whether a line that ends before runes[end] ends in a hyphen.
func (p *paragraph) hyphenAt(end int) bool {
	return end > 0 && end < len(p.runes) && p.flags[end]&hyphenStart != 0
}

// hyphenWidth returns the width of the hyphen at the end of a line before runes[end], in px.
func (p *paragraph) hyphenWidth(end int, m metrics) float64 {
	if !p.hyphenAt(end) {
		return 0
	}
	return (float64(p.hyphen.adv) + m.tracking) * m.size
}

// germanCompound is the minimum length of a word whose letters show that it is German, in letters.
const germanCompound = 14

// looksGerman reports whether a text without a language has a long German compound.
func (p *paragraph) looksGerman() bool {
	for _, word := range strings.FieldsFunc(string(p.runes), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if utf8.RuneCountInString(word) < germanCompound {
			continue
		}
		word = strings.ToLower(word)
		if strings.ContainsAny(word, "äöüß") {
			return true
		}
		for _, part := range [...]string{"sch", "ung", "heit", "keit", "zeug", "buch", "haus", "werk", "recht"} {
			if strings.Contains(word, part) {
				return true
			}
		}
	}
	return false
}
