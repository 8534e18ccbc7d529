package kit

import (
	"image"
	"image/color"
	"maps"
	"slices"
)

// Corner is the visible corner of the logo; it is never mirrored. The zero value is the upper left.
type Corner struct{ Bottom, Right bool }

// ParseCorner parses a value of style.logo.position; "" is top-left.
func ParseCorner(s string) (Corner, bool) {
	corner, ok := corners[s]
	return corner, ok || s == ""
}

var corners = map[string]Corner{
	"top-left": {}, "top-right": {Right: true},
	"bottom-left": {Bottom: true}, "bottom-right": {Bottom: true, Right: true},
}

// Positions returns the values that [ParseCorner] accepts, sorted, in a new slice.
func Positions() []string { return slices.Sorted(maps.Keys(corners)) }

// Sizes of logos.
const (
	logoW       = 212
	LogoH       = 56
	heroLogoW   = 340
	customLogoW = 300
	HeroLogoH   = 72
	LogoGap     = 24  // between a logo and what is next to it
	SquareEdge  = 285 // of the middle square that chats crop to: (1200 - 630) / 2
)

// MaxLogoW returns the maximum width of a logo at a margin, in pixels: it must not reach into the middle square that
// chats crop to.
func MaxLogoW(kind Kind, margin int) int {
	switch kind {
	case OG:
		return min(logoW, SquareEdge-1-margin)
	case Custom:
		return customLogoW
	}
	return heroLogoW
}

// Corners describes the corners of a design in the layout: margin, surfaces, and the center lines and heights of logos.
type Corners struct {
	Margin       int     // from a side of the card to the outer edge of a logo
	Start, End   Surface // under the corners at the start of lines and at their end
	Upper, Lower LogoLine
	// ChipAtEnd puts a logo at the end of lines onto a plate of its surface's color, over a motif or a picture there.
	ChipAtEnd bool
	// ChipAtStart does the same at the start of lines.
	ChipAtStart bool
}

// Measures of a chip.
const (
	chipPadding = 16
	chipRadius  = 14
)

// LogoLine is the vertical center of logos and their maximum height, in pixels.
type LogoLine struct{ Middle, MaxH int }

// Logo is the logo of a card, with its box in the layout, and the free rows beside it.
type Logo struct {
	Shown        bool // the card has one
	AtEnd        bool // it is at the end of lines
	X, Y, W, H   int
	Upper, Lower CornerRow
}

// CornerRow is the row between the two upper or the two lower corners of a card.
type CornerRow struct {
	Span            // the part left by a logo
	HasLogo bool    // the logo of the card is in it
	Middle  float64 // of a logo
}

// PlaceLogo draws the logo of the card in its corner. Every design must allow a logo in all four corners.
func (c *Card) PlaceLogo(at Corners) Logo {
	whole := Span{float64(at.Margin), float64(c.W - at.Margin)}
	logo := Logo{
		Upper: CornerRow{Span: whole, Middle: float64(at.Upper.Middle)},
		Lower: CornerRow{Span: whole, Middle: float64(at.Lower.Middle)},
	}
	atEnd := c.Corner.Right != c.RTL // as seen, even if the card will mirror it
	row, line, on := &logo.Upper, at.Upper, at.Start
	if c.Corner.Bottom {
		row, line = &logo.Lower, at.Lower
	}
	if atEnd {
		on = at.End
	}
	fitted, ok := FitLogo(c.Logo, on, MaxLogoW(c.Kind, at.Margin), line.MaxH)
	if !ok {
		return logo
	}
	logo.Shown, logo.AtEnd, row.HasLogo = true, atEnd, true
	logo.X, logo.Y, logo.W, logo.H = at.Margin, line.Middle-fitted.H/2, fitted.W, fitted.H
	if atEnd {
		logo.X = c.W - at.Margin - logo.W
		row.X1 = float64(logo.X) - LogoGap
	} else {
		row.X0 = float64(logo.X+logo.W) + LogoGap
	}
	box := c.TextRect(logo.X, logo.Y, logo.W, logo.H)
	chip := at.ChipAtEnd && atEnd || at.ChipAtStart && !atEnd
	if chip {
		c.canvas.RoundRect(box.Inset(-chipPadding), chipRadius, on.Color)
	}
	c.DrawLogo(fitted, box)
	c.icons = append(c.icons, PlacedIcon{Box: box, On: on.Color, Logo: true, chip: chip})
	return logo
}

// Wordmark reports whether the logo is wide enough to contain the name of the site.
func (l *Logo) Wordmark() bool { return float64(l.W) > Wordmark*float64(l.H) }

// Wordmark is the minimum ratio of width to height of a wordmark.
const Wordmark = 1.8

// PlacedIcon is an icon or logo on the canvas.
type PlacedIcon struct {
	Box  image.Rectangle
	On   color.NRGBA // the color behind it
	Logo bool        // it is the logo of the card

	chip bool // it stands on a chip
}

// DrawLogo draws a fitted logo or icon into its box on the canvas.
func (c *Card) DrawLogo(l FittedLogo, box image.Rectangle) {
	if l.plate.A != 0 {
		c.canvas.RoundRect(box, l.radius, l.plate)
	}
	inner := box.Inset(l.pad)
	if l.ink.A != 0 {
		c.canvas.Mask(inner.Min.X, inner.Min.Y, alphaOf(l.img), l.ink)
		return
	}
	radius := l.radius
	if l.plate.A != 0 {
		radius = 0
	}
	c.canvas.Picture(l.img, inner, radius)
}
