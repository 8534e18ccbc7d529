package template

import (
	"image"
	"image/color"
)

// Corner is where a logo stands, as it is seen: it is never mirrored.
type Corner uint8

// The corners of a card.
const (
	TopLeft Corner = iota
	TopRight
	BottomLeft
	BottomRight
)

// ParseCorner reads a value of style.logo.position; "" is top-left.
func ParseCorner(s string) (Corner, bool) {
	switch s {
	case "", "top-left":
		return TopLeft, true
	case "top-right":
		return TopRight, true
	case "bottom-left":
		return BottomLeft, true
	case "bottom-right":
		return BottomRight, true
	}
	return TopLeft, false
}

// Slot is a corner of the layout: at the start of lines or at their end.
type Slot uint8

// The slots. NoSlot is that of a logo that is not there.
const (
	NoSlot Slot = iota
	UpperStart
	UpperEnd
	LowerStart
	LowerEnd
)

// Sizes of logos.
const (
	logoW, logoH         = 212, 56
	heroLogoW, heroLogoH = 340, 72
	logoGap              = 24  // between a logo and what stands beside it
	squareEdge           = 285 // of the middle square that chats cut out of a share image: (1200 - 630) / 2
)

// maxLogoW is the greatest width of a logo that stands at a margin: one that reached into the middle square would be
// cut with it.
func maxLogoW(kind Kind, margin int) int {
	if kind == OG {
		return min(logoW, squareEdge-1-margin)
	}
	return heroLogoW
}

// Corners say where the corners of a template are, in the layout, and how high a logo may be in them.
type Corners struct {
	Margin       int // from a side of the card to the outer edge of a logo
	Upper, Lower LogoLine
}

// LogoLine is a middle line of logos.
type LogoLine struct{ Middle, MaxH int }

// Logo is a logo that stands in a corner of a card, with its box in the layout.
type Logo struct {
	Slot       Slot
	X, Y, W, H int

	x0, x1 int // the edges of the corner rows
}

// PlaceLogo draws the logo of the card in its corner. Every template that has a place for text has one for a logo, in
// all four corners.
func (c *Card) PlaceLogo(on Surface, corners Corners) Logo {
	logo := Logo{x0: corners.Margin, x1: c.W - corners.Margin}
	corner := c.Corner
	if c.RTL {
		corner ^= 1 // left and right change places; mirroring changes them back
	}
	line := corners.Upper
	if corner == BottomLeft || corner == BottomRight {
		line = corners.Lower
	}
	fitted, ok := fitLogo(c.Logo, on, maxLogoW(c.Kind, corners.Margin), line.MaxH)
	if !ok {
		return logo
	}
	logo.Slot, logo.W, logo.H = UpperStart+Slot(corner), fitted.W, fitted.H
	logo.X, logo.Y = logo.x0, line.Middle-logo.H/2
	if corner == TopRight || corner == BottomRight {
		logo.X = logo.x1 - logo.W
	}
	c.drawLogo(fitted, on, logo.X, logo.Y)
	return logo
}

// Upper reports whether there is a logo in an upper corner.
func (l *Logo) Upper() bool { return l.Slot == UpperStart || l.Slot == UpperEnd }

// Lower reports whether there is a logo in a lower corner.
func (l *Logo) Lower() bool { return l.Slot == LowerStart || l.Slot == LowerEnd }

// UpperRow returns the edges of what the logo leaves of the row between the upper corners.
func (l *Logo) UpperRow() (x0, x1 float64) { return l.row(UpperStart, UpperEnd) }

// LowerRow returns the edges of what the logo leaves of the row between the lower corners.
func (l *Logo) LowerRow() (x0, x1 float64) { return l.row(LowerStart, LowerEnd) }

func (l *Logo) row(start, end Slot) (x0, x1 float64) {
	x0, x1 = float64(l.x0), float64(l.x1)
	switch l.Slot {
	case start:
		x0 += float64(l.W) + logoGap
	case end:
		x1 -= float64(l.W) + logoGap
	}
	return x0, x1
}

// Wordmark reports whether the logo is so wide that it says the site's name.
func (l *Logo) Wordmark() bool { return float64(l.W) > wordmark*float64(l.H) }

// wordmark is how many times its height a logo is wide at least to be one.
const wordmark = 1.8

// PlacedIcon is an icon or a logo on the canvas.
type PlacedIcon struct {
	Box image.Rectangle
	On  color.NRGBA // what it stands on
}

// drawLogo draws a fitted logo with its upper left corner at x, y in the layout.
func (c *Card) drawLogo(l fittedLogo, on Surface, x, y int) {
	r := c.Rect(x, y, l.W, l.H)
	c.icons = append(c.icons, PlacedIcon{Box: r, On: on.Color})
	if l.plate.A != 0 {
		c.canvas.RoundRect(r, l.radius, l.plate)
	}
	inner := r.Inset(l.pad)
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
