package kit

import (
	"image"

	"masthead/render/paint"
	"masthead/render/text"
)

// Slug returns the slug of the card's design.
func (c *Card) Slug() string { return c.t.Slug }

// Engine returns the text engine of the card. It stays the card's.
func (c *Card) Engine() *text.Engine { return c.engine }

// Lowered returns by how many pixels texts are lower on the canvas than in the layout: 50 on a tall hero, else 0.
func (c *Card) Lowered() float64 { return c.down }

// AddIcon records an icon that a design has drawn itself.
func (c *Card) AddIcon(p PlacedIcon) { c.icons = append(c.icons, p) }

// AddText places a text by its place on the canvas, for one that is part of a motif: it is neither mirrored
// nor lowered.
func (c *Card) AddText(p Text) { c.texts = append(c.texts, p) }

// SetSoftLight marks the card as one whose colors are many: its canvas has no palette, and it is small as a JPEG only.
// It must be called before [Card.Begin].
func (c *Card) SetSoftLight() { c.softLight = true }

// Inner returns a card of w×h pixels for a picture inside this one, with the same texts, theme and design, but without
// a background or a canvas.
func (c *Card) Inner(w, h int) *Card {
	inner := &Card{Spec: c.Spec, W: w, H: h, engine: c.engine, t: c.t}
	inner.Background = nil
	return inner
}

// SetCanvas gives a card that [Card.Inner] returned its canvas.
func (c *Card) SetCanvas(canvas *paint.Canvas) { c.canvas = canvas }

// OfPage reports whether the picture that the card is drawn over is the page's own: it keeps its colors.
func (c *Card) OfPage() bool { return c.ofPage }

// LaidOut reports whether the places of the texts are known, which is so in the second run of a design over a picture.
func (c *Card) LaidOut() bool { return c.over.laidOut }

// Softness returns how many times [Card.Soften] reduces the picture.
func (c *Card) Softness() float64 { return c.over.soft }

// Plate returns the picture of the card for a box on the canvas, for a design that draws it itself.
func (c *Card) Plate(area image.Rectangle) *paint.Plate { return c.plateOf(c.over.backdrop, area) }
