package kit

import (
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fogleman/gg"
	"golang.org/x/text/unicode/norm"

	"masthead/render/paint"
	"masthead/render/text"
)

// Lead shapes: the one shape by which a card is recognized at 300 px.

// Random returns the random generator of a card: the same page always gets the same shape in the same place.
func (c *Card) Random() *rand.Rand { return rand.New(rand.NewPCG(c.Seed, 0)) }

// Parameters of initials, in sizes.
const (
	narrowInitial = .416 // the width below which a letter is too narrow alone, and a second one is added: I, J
	barInitial    = .30  // below which one without a second letter is only a bar
	// seenTail is how far a letter may extend below the line without being recognized by its tail: J and Q are higher, and
	// therefore smaller.
	seenTail = .05
)

// LeadInitial returns the first letter of the site's name as a lead shape, in SizePx for a capital of Instrument Serif.
// A letter that is too narrow is combined with the next one of the name. Letters that the serif lacks are drawn in the
// bold of their script, with ink as high as its capitals and at most maxW wide. ok is false for a site without a
// letter, or with one that isn't a shape: see [Card.ArchMask].
func (c *Card) LeadInitial(sizePx, maxW float64) (b Block, ok bool) {
	r := initialLetter(c.SiteName, c.Lang)
	if r == 0 {
		return Block{}, false
	}
	latin := unicode.Is(unicode.Latin, r)
	st := text.Style{Family: text.InstrumentSerif, Weight: 400, SizePx: sizePx, Exact: true, Lang: c.Lang, Tracking: -.04}
	if !latin {
		st.Family, st.Weight = text.Inter, 700
	}
	set := func(s string) Block { return Block{c.engine.Line(s, st, 0), st} }
	width := func(b Block) float64 { return b.Ink.X1 - b.Ink.X0 }
	if b = set(string(r)); b.Empty() || b.Missing != "" {
		return Block{}, false
	}
	if width(b) < narrowInitial*sizePx {
		next := letterAfter(c.SiteName, r)
		if both := set(b.Text() + string(next)); next != 0 && unicode.Is(unicode.Latin, next) == latin && both.Missing == "" {
			b = both
		} else if latin && width(b) < barInitial*sizePx {
			return Block{}, false
		}
	}
	switch tail := b.Ink.Y1 - b.CapHeight; {
	case !latin:
		const high = .71
		st.SizePx *= min(high*sizePx/(b.Ink.Y1-b.Ink.Y0), maxW/width(b))
		b = set(b.Text())
	case tail > seenTail*sizePx:
		st.SizePx *= b.CapHeight / b.Ink.Y1
		b = set(b.Text())
	}
	return b, true
}

// letterAfter returns the letter that follows the first r of a name in the same word, or 0.
func letterAfter(name string, r rune) rune {
	found := false
	for _, n := range norm.NFC.String(name) {
		if found {
			if unicode.IsLetter(n) {
				return n
			}
			return 0
		}
		found = unicode.ToUpper(n) == r || initialLetter(string(n), "") == r
	}
	return 0
}

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
func OnlyBars(r rune) bool { return strings.ContainsRune("一二三ا", r) }

// IsIdeogram reports whether a text begins with an ideogram.
func IsIdeogram(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.Is(unicode.Han, r)
}

// ArchMask returns the coverage of an open arch, on the canvas: a half ring around cx, cy in the layout, with legs down
// to the lower edge.
func (c *Card) ArchMask(cx, cy, outer, band float64) *image.Alpha {
	x, inner := c.MotifX(cx), outer-band
	box := image.Rect(int(x-outer)-1, int(cy-outer)-1, int(x+outer)+2, c.H).Intersect(image.Rect(0, 0, c.W, c.H))
	return paint.PathMask(box, func(g *gg.Context) {
		// Filled, because the edges of such a wide stroke are rough.
		g.SetFillRuleEvenOdd()
		for _, r := range [...]float64{outer, inner} {
			foot := float64(c.H) + 8
			g.NewSubPath()
			g.MoveTo(x-r, foot)
			g.LineTo(x-r, cy)
			g.DrawArc(x, cy, r, math.Pi, 2*math.Pi)
			g.LineTo(x+r, foot)
			g.ClosePath()
		}
		g.Fill()
	})
}
