package text

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	xlanguage "golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// normalize fills p.runes with the drawable characters of s, composed (NFC). White space and controls become single
// spaces. Invalid bytes, soft hyphens, embedding controls (which allow spoofing), noncharacters and other invisible
// format characters are dropped, and so are combining marks without a letter or beyond the limit of any language (see
// markCount).
func (p *paragraph) normalize(s string, st Style) {
	p.runes = p.runes[:0]
	s = bounded(s)
	if !norm.NFC.IsNormalString(s) {
		s = norm.NFC.String(s)
	}
	if st.Caps && baseLevel([]rune(s), st.Dir) == 0 {
		s = upper(s, st.Lang)
	}
	space := true // drops leading spaces
	var letter markCount
	for _, r := range s {
		if r >= firstCombiningMark && unicode.Is(unicode.M, r) {
			if space || letter.base == 0 || !letter.allows(r) {
				continue
			}
		} else if !ignorable(r) && !invisible(r) { // dropped characters don't restart the count
			letter = markCount{base: r}
		}
		switch {
		case len(p.runes) == maxRunes || invisible(r) && !(emojiTag(r) && p.endsInFlag()):
			continue
		case boxDash(r) && dashAfter(p.runes):
			r = '—'
		case collapses(r):
			if !space {
				p.runes = append(p.runes, ' ')
			}
			space = true
			continue
		}
		space = false
		p.runes = append(p.runes, r)
	}
	for n := len(p.runes); n > 0 && p.runes[n-1] == ' '; n-- {
		p.runes = p.runes[:n-1]
	}
}

// blackFlag begins the flag of a region, followed by a sequence of tags.
const blackFlag = 0x1f3f4

// endsInFlag reports whether the last runes are a flag to which tags may belong.
func (p *paragraph) endsInFlag() bool {
	for i := len(p.runes) - 1; i >= 0; i-- {
		if !emojiTag(p.runes[i]) {
			return p.runes[i] == blackFlag
		}
	}
	return false
}

// bounded cuts s to what can become at most maxRunes runes, at the start of a rune.
func bounded(s string) string {
	const limit = maxRunes * utf8.UTFMax
	if len(s) <= limit {
		return s
	}
	end := limit
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// collapses reports whether r is white space that merges with its neighbors: all but fixed-width and no-break spaces.
func collapses(r rune) bool {
	switch r {
	case 0x00a0, 0x202f, 0x2007, 0x3000:
		return false
	case 0x2028, 0x2029:
		return true
	}
	return unicode.IsSpace(r) || unicode.IsControl(r)
}

// invisible reports whether r is dropped: it is invisible and only confuses (see paragraph.normalize).
func invisible(r rune) bool {
	switch {
	case r < 0x80:
		return false
	case r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe: // noncharacters
		return true
	case r == utf8.RuneError, r == 0x00ad, r == 0xfeff, r >= 0x202a && r <= 0x202e:
		return true
	case ignorable(r), r >= 0x0600 && r <= 0x0605, r == 0x06dd, r == 0x070f:
		return false
	}
	return unicode.Is(unicode.Cf, r)
}

// upper returns s in upper case by the rules of a language: dotted İ in Turkish, no accents in Greek.
func upper(s, lang string) string {
	tag := xlanguage.Und
	if primary := primaryLanguage(lang); primary != "" {
		if parsed, err := xlanguage.Parse(primary); err == nil {
			tag = parsed
		}
	}
	return cases.Upper(tag).String(s)
}
