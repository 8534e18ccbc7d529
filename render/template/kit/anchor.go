package kit

import (
	"image"
	"image/color"
	"math"

	"masthead/render/text"
)

// Anchor is the edge of a block that is placed at a given y: a block extends from the top of the capitals of its first
// line to its last baseline. Ascenders, marks and descenders beyond that don't count.
type Anchor uint8

// The anchors.
const (
	Top    Anchor = iota // of the capitals of the first line
	Middle               // halfway between the other two
	Bottom               // the last baseline
)

// top returns the y of the top of a block of the given height whose anchor is at y.
func (a Anchor) top(y, height float64) float64 {
	switch a {
	case Middle:
		return y - height/2
	case Bottom:
		return y - height
	}
	return y
}

// Role is what a text is for on its card.
type Role uint8

// Title and Essential texts appear only once on the card and stay in the part that no platform covers; Repeated ones
// (site name, host) may be below it. Monogram is the letter that replaces an icon.
const (
	Title Role = iota
	Essential
	Repeated
	Monogram
)

// Item is a block to place, with its role and color.
type Item struct {
	Block
	Role  Role
	Color color.NRGBA
}

// Text is a text on the canvas. X is the left edge of its block, Y the top of its capitals.
type Text struct {
	Item
	X, Y   float64
	struck bool
}

// Bounds returns the box of the ink of the text on the canvas, in pixels.
func (p Text) Bounds() text.Rect {
	r := p.Ink
	return text.Rect{X0: r.X0 + p.X, Y0: r.Y0 + p.Y, X1: r.X1 + p.X, Y1: r.Y1 + p.Y}
}

// InkBox returns the smallest box of whole pixels that contains the ink of the text.
func (p Text) InkBox() image.Rectangle { return p.Box(p.Ink) }

// Box returns the pixels around a part of the text.
func (p Text) Box(r text.Rect) image.Rectangle {
	x0, y0 := int(math.Floor(r.X0+p.X)), int(math.Floor(r.Y0+p.Y))
	return image.Rect(x0, y0, int(r.X1+p.X)+1, int(r.Y1+p.Y)+1)
}

// strikeWidth is the thickness of the line through a text, as a fraction of the height of its capitals.
const strikeWidth = .13

// Strike draws a line through the text that was placed last.
func (c *Card) Strike() { c.texts[len(c.texts)-1].struck = true }

// drawStrike draws the line through a text.
func (c *Card) drawStrike(p Text) {
	box, half := p.InkBox(), p.CapHeight*strikeWidth/2
	middle := p.Y + p.CapHeight/2
	box.Min.Y, box.Max.Y = int(middle-half+.5), int(middle+half+.5)
	c.canvas.Fill(box.Intersect(c.canvas.Bounds()), p.Color)
}

// Put places a block in the layout, with the left edge of its box at x and its anchor at y. Texts are drawn over
// everything else. An empty block is ignored.
func (c *Card) Put(item Item, x float64, a Anchor, y float64) Text {
	if item.Empty() {
		return Text{}
	}
	p := Text{Item: item, X: c.Mirror(x, item.BoxWidth), Y: a.top(y, item.Height) + c.down}
	c.texts = append(c.texts, p)
	return p
}
