package template

import (
	"image"
	"image/color"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"masthead/render/palette"
	"masthead/render/text"
)

// foreignScale is the size of a backdrop letter of another script than Latin, Greek and Cyrillic, as a part of that
// of a capital: such letters are wider, and reach below the baseline.
const foreignScale = .8

// drawBackdropLetter draws the first letter of the site's name, very large and barely darker or lighter than the
// ground, with its right edge and its baseline (of a capital) at a place. It is a motif: text may run over it. It
// leaves no trace for a site without a letter, or one whose letter no face has. It is mirrored to the other side of
// the card, but not in itself.
func drawBackdropLetter(c *Card, right, baseline, sizePx float64) {
	r := backdropRune(c.SiteName, c.Lang)
	if r == 0 {
		return
	}
	capital := unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
	if !capital {
		sizePx *= foreignScale
	}
	st := text.Style{Family: text.InstrumentSerif, Weight: 400, SizePx: sizePx, Exact: true, Lang: c.Lang}
	letter := c.engine.Line(string(r), st, 0)
	if letter.Empty() {
		return
	}
	if r == 'J' { // its tail would leave the card, and what is left looks like an I
		st.SizePx *= letter.CapHeight / (letter.Ink.Y1 - letter.Ink.Y0)
		letter = c.engine.Line(string(r), st, 0)
	}
	ink := letter.Ink
	x := c.mirror(right-(ink.X1-ink.X0), ink.X1-ink.X0) - ink.X0
	y := baseline - letter.CapHeight
	if r == 'J' {
		y = baseline - ink.Y1
	}
	if !capital { // about the middle of where a capital would stand
		y = baseline - letter.CapHeight/foreignScale/2 - (ink.Y0+ink.Y1)/2
	}
	shade := backdropShade(&c.Theme)
	c.engine.Draw(letter, x, y, func(x, y int, m *image.Alpha) { c.canvas.Mask(x, y, m, shade) })
}

// twins are the capitals that Instrument Serif lacks and that look like a Latin one.
var twins = map[rune]rune{
	'А': 'A', 'В': 'B', 'Е': 'E', 'К': 'K', 'М': 'M', 'Н': 'H', 'О': 'O', 'Р': 'P', 'С': 'C', 'Т': 'T', 'Х': 'X',
	'І': 'I', 'Ј': 'J', 'Ѕ': 'S',
	'Α': 'A', 'Β': 'B', 'Ε': 'E', 'Ζ': 'Z', 'Η': 'H', 'Ι': 'I', 'Κ': 'K', 'Μ': 'M', 'Ν': 'N', 'Ο': 'O', 'Ρ': 'P',
	'Τ': 'T', 'Υ': 'Y', 'Χ': 'X',
}

// backdropRune returns the letter that a name is remembered by, without its accents, or 0.
func backdropRune(name, lang string) rune {
	r := initial(name, lang)
	if !unicode.IsLetter(r) {
		return 0
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

// backdropShade has a contrast of about 1.2 to the ground on dark cards and 1.15 on light ones, where it is a tint of
// the paper.
func backdropShade(th *palette.Theme) color.NRGBA {
	if th.Dark {
		return th.Ramp(.252, .35, 0)
	}
	return th.Ramp(.94, .35, 0)
}
