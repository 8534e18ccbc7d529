package template

// Corner is where a logo stands.
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

// top and start say where a corner lies; start is the side where lines of text begin once the card is mirrored back.
func (c Corner) top() bool { return c == TopLeft || c == TopRight }

func (c *Card) atStart() bool {
	left := c.Corner == TopLeft || c.Corner == BottomLeft
	return left != c.RTL
}
