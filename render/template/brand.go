package template

import (
	"image"
	"image/color"
	"strings"
	"unicode"

	"masthead/render/text"
)

// Measures of the brand line, at a mark of 40 px.
const (
	brandGap    = 16
	brandName   = 28 // px
	nameMax     = 420
	markLetter  = .56 // of the side
	markRounded = .24 // of the side
)

// BrandLine draws the mark, the site's name and its host in one row, with the text's baseline at a height and the mark of a side centred on it.
func (c *Card) BrandLine(x, baseline float64, side int) {
	name := c.Line(c.SiteName, c.TextStyle(brandName, 600), nameMax)
	capHeight := 0.0
	if !name.Empty() {
		capHeight = name.CapHeight
	}
	top := int(baseline - capHeight/2 - float64(side)/2 + .5)
	c.Mark(int(x), top, side)
	x += float64(side) + brandGap
	c.PutOn(Repeated, name, x, baseline, c.Theme.Text)
	if host := c.host(); host != "" {
		c.PutOn(Repeated, c.Line(host, c.TextStyle(brandName, 400), nameMax), x+name.W()+brandGap, baseline, c.Theme.Muted)
	}
}

// host returns the host unless the site's name says it already.
func (c *Card) host() string {
	if strings.EqualFold(c.Host, c.SiteName) {
		return ""
	}
	return c.Host
}

// Mark draws the site's mark in a square: its icon, else a tile with the first letter of its name.
func (c *Card) Mark(x, y, side int) {
	c.monogram(x, y, side, c.Theme.Fill, c.Theme.On)
}

// monogram draws a tile with the first letter of the site's name, and nothing for a site without a letter.
func (c *Card) monogram(x, y, side int, fill, on color.NRGBA) {
	letter := Words{}
	if r := c.initial(); r != 0 {
		st := text.Style{Family: text.Inter, Weight: 700, SizePx: float64(side) * markLetter, Exact: true, Lang: c.Lang}
		letter = c.Line(string(r), st, 0)
	}
	r := c.Rect(x, y, side, side)
	c.canvas.RoundRect(r, markRounded*float64(side), fill)
	if letter.Empty() {
		return
	}
	// Ink, not advance, is what the eye centres. The letter is placed on the canvas itself: its tile is mirrored already.
	mid := image.Pt(r.Min.X+r.Max.X, r.Min.Y+r.Max.Y)
	ink := letter.Ink
	c.texts = append(c.texts, Placed{
		Role: Mark, Words: letter, Ink: on,
		X: float64(mid.X)/2 - (ink.X0+ink.X1)/2, Y: float64(mid.Y)/2 - (ink.Y0+ink.Y1)/2,
	})
}

// initial returns the first letter of the site's name as a capital, or its first digit, or 0.
func (c *Card) initial() rune {
	for _, accept := range []func(rune) bool{unicode.IsLetter, unicode.IsDigit} {
		for _, r := range c.SiteName {
			if accept(r) {
				return unicode.ToUpper(r)
			}
		}
	}
	return 0
}
