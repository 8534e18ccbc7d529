package kit

import (
	"image"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"masthead/render/text"
)

// Lead shapes: the one shape by which a card is recognized at 300 px.

// Random returns the random generator of a card: the same page always gets the same shape in the same place.
func (c *Card) Random() *rand.Rand { return rand.New(rand.NewPCG(c.Seed, 0)) }

// MaskInk adds a block, whose box begins at x, with the top of its capitals at y, to the coverage of a mask at its
// position: for [paint.Canvas.PaintMask], or for the surroundings of letters.
func (c *Card) MaskInk(m *image.Alpha, b Block, x, y float64) {
	c.engine.Draw(b.Block, x, y, func(x, y int, glyph *image.Alpha) {
		part := image.Rect(x, y, x+glyph.Rect.Dx(), y+glyph.Rect.Dy()).Intersect(m.Rect)
		for j := part.Min.Y; j < part.Max.Y; j++ {
			src := glyph.Pix[(j-y)*glyph.Stride+part.Min.X-x:][:part.Dx()]
			dst := m.Pix[m.PixOffset(part.Min.X, j):][:part.Dx()]
			for i, v := range src {
				dst[i] = max(dst[i], v)
			}
		}
	})
}

// twins are the capitals that Instrument Serif lacks but that look like a Latin one.
var twins = map[rune]rune{
	'А': 'A', 'В': 'B', 'Е': 'E', 'К': 'K', 'М': 'M', 'Н': 'H', 'О': 'O', 'Р': 'P', 'С': 'C', 'Т': 'T', 'Х': 'X',
	'І': 'I', 'Ј': 'J', 'Ѕ': 'S',
	'Α': 'A', 'Β': 'B', 'Ε': 'E', 'Ζ': 'Z', 'Η': 'H', 'Ι': 'I', 'Κ': 'K', 'Μ': 'M', 'Ν': 'N', 'Ο': 'O', 'Ρ': 'P',
	'Τ': 'T', 'Υ': 'Y', 'Χ': 'X',
}

// initialLetter returns the initial of a name, without its accents, or 0.
func initialLetter(name, lang string) rune {
	r := text.Initial(name, lang)
	if !unicode.IsLetter(r) {
		return 0
	}
	if unicode.Is(unicode.Hangul, r) || unicode.Is(unicode.Katakana, r) || unicode.Is(unicode.Hiragana, r) {
		return r // otherwise decomposed
	}
	for _, base := range norm.NFD.String(string(r)) {
		r = base
		break
	}
	if latin, ok := twins[r]; ok {
		return latin
	}
	return r
}

// Marked reports whether the initial of a name has a mark, without which it would be another letter: Ź, Ö, Č.
func Marked(name, lang string) bool {
	r := text.Initial(name, lang)
	return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) && !norm.NFD.IsNormalString(string(r))
}

// OnlyBars reports whether a letter is only bars, which no one takes for a letter where it is large: the numerals one
// to three, and alef.
func OnlyBars(r rune) bool { return strings.ContainsRune("一二三اأإآ", r) }

// IsIdeogram reports whether a text begins with an ideogram.
func IsIdeogram(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.Is(unicode.Han, r)
}
