package template

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

// slot is where a logo stands on a card in the layout before mirroring: at the start of lines or at their end.
type slot uint8

const (
	noSlot slot = iota
	topStart
	topEnd
	bottomStart
	bottomEnd
)

// logoGap is between a logo and what stands beside it.
const logoGap = 24

// logo returns the logo made ready, and its slot; noSlot when there is none.
func (c *Card) logo() (fittedLogo, slot) {
	if c.logoKnown {
		return c.logoReady, c.logoSlot
	}
	c.logoKnown = true
	// A wider logo would reach into the middle square that chats cut out of a card, and be cut with it: 285 - 72.
	w, h := 212, 56
	if c.Kind == BlogHero {
		w, h = 340, 72
	}
	if c.LogoTop > 0 && (c.Corner == TopLeft || c.Corner == TopRight) {
		h = c.LogoTop
	}
	if c.LogoWidth > 0 {
		w = c.LogoWidth
	}
	e, ok := c.fitLogo(c.Logo, w, h)
	if !ok {
		return e, noSlot
	}
	corner := c.Corner
	if c.RTL {
		corner ^= 1 // left and right change places; mirroring changes them back
	}
	c.logoReady, c.logoSlot = e, topStart+slot(corner)
	return c.logoReady, c.logoSlot
}
