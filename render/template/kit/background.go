package kit

import (
	"cmp"
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
)

// Backdrop is how a design uses a picture instead of its background and motif. The zero value suits most designs: the
// picture fills the card, under a veil in the background color that is densest on the side of the text.
type Backdrop struct {
	// Picture is its area in the layout; empty means the whole card.
	Picture image.Rectangle
	// Veil is how much of it the ink hides at a position in the layout, 0 to 1; nil means from the side of the text on.
	// More is hidden around texts that need it.
	Veil func(x, y float64) float64
	// Upright hides the picture around texts from the bottom of the card up, or from the top down, instead of from the
	// side: the rest of the picture keeps its light.
	Upright bool
	// Sharp hides more instead of removing detail behind texts, evenly from side to side, in the hue of the picture's
	// light, and Feather is the least height over which that fades. They require Upright.
	Sharp   bool
	Feather int
	// Ink is the color of the veil; zero means that of the background.
	Ink color.NRGBA
	// Dark and Light are the two colors of a duotone; zero means the picture's own colors, with a little of the accent.
	Dark, Light color.NRGBA
	// Hidden are areas in the layout with surfaces over the picture: it isn't veiled for the texts on them.
	Hidden []image.Rectangle
	// Quiet is the area in the layout where texts may be, which the crop keeps free; empty means where they are. One that
	// doesn't depend on the texts lets cards over one picture share its crop.
	Quiet image.Rectangle
	// Softness is how much of its detail is removed, as in [Card.Soften].
	Softness float64
	// Flutes are those of a glass in front of it, in the layout.
	Flutes paint.Flutes
	// Redrawn means that the template draws the picture itself, on its own background; see [Card.plateOf].
	Redrawn bool
}

// over is the state of a card over a picture. Its design runs twice: first on a canvas of one pixel, to find out where
// the texts are, then over the picture, prepared for them.
type over struct {
	backdrop   Backdrop
	soft       float64 // how much of the picture's detail is removed; see Soften
	laidOut    bool    // the texts are known
	texts      []Text
	icons      []PlacedIcon
	unreadable bool
}

// Over sets how the design uses the picture; it must come before [Card.Begin]. It reports whether there is a picture:
// then the background and the motif of the design are not drawn.
func (c *Card) Over(b Backdrop) bool {
	if c.Background == nil {
		return false
	}
	c.over.backdrop = b
	return true
}

// HasPicture reports whether the card is drawn over a picture: a design then draws no motif.
func (c *Card) HasPicture() bool { return c.Background != nil }

// ShowsPortrait reports whether the card shows the picture of a person, in a place of its own.
func (c *Card) ShowsPortrait() bool {
	return c.t.Portrait && c.Portrait != nil && !c.Portrait.Rect.Empty()
}

// pagePhoto returns the page's own picture, whose hash is computed once.
func (c *Card) pagePhoto() *paint.Photo {
	if c.photo == nil {
		c.photo = paint.NewPhoto(c.Photo)
		if g := &c.Goods; (g.Headline != "" || g.Rating > 0) && !g.Square && !g.Upright {
			c.photo.OfThing()
		}
	}
	return c.photo
}

// Chin returns, in the layout, where the faces of people in the page's own picture end that fills the card, unless they
// are beside the texts; ok is false if nobody is likely there. Its crop keeps quiet free.
func (c *Card) Chin(quiet, texts image.Rectangle) (y float64, ok bool) {
	if !c.ofPage {
		return 0, false
	}
	at, ok := c.pagePhoto().Chin(c.W, c.H, c.placed(quiet), c.placed(texts))
	return float64(at) - c.Lowered(), ok
}

// placed is [Card.TextRect] of a rectangle.
func (c *Card) placed(r image.Rectangle) image.Rectangle {
	return c.TextRect(r.Min.X, r.Min.Y, r.Dx(), r.Dy())
}

// Lone returns the part of the card's picture with what is on its plain ground, and some of that around it; all of it
// if there is none.
func (c *Card) Lone() image.Image {
	if c.ofPage {
		return c.pagePhoto().Lone()
	}
	return c.Background
}

// Under returns which fraction, 0 to 1, of what is interesting in the page's own picture that fills the card is in an
// area of the layout, and whether that is a thing, not a landscape. Its crop keeps quiet free.
func (c *Card) Under(quiet, area image.Rectangle) (under float64, thing bool) {
	if !c.ofPage {
		return 0, false
	}
	return c.pagePhoto().Under(c.W, c.H, c.placed(quiet), c.placed(area))
}

// Soften makes the next Layout remove detail from the picture: it is scaled down by the factor times and up again.
func (c *Card) Soften(times float64) { c.over.soft = times }

// Unreadable reports after Layout that a text cannot be read over the picture, even on a panel.
func (c *Card) Unreadable() bool { return c.over.unreadable }

// layoutOver is Layout for a card over a picture.
func (c *Card) layoutOver() {
	if !c.over.laidOut {
		c.draw()
		c.over.texts, c.over.icons, c.over.laidOut = c.texts, c.icons, true
	}
	c.texts, c.icons = make([]Text, 0, len(c.over.texts)), nil
	c.Close()
	c.draw()
	c.over.unreadable = !c.readable()
	if c.over.unreadable && c.ofPage { // the page's own picture wasn't requested
		c.Background, c.ofPage, c.over = nil, false, over{}
		c.texts, c.icons = c.texts[:0], nil
		c.Close()
		c.draw()
	}
}

// beginOver is Begin for a card over a picture.
func (c *Card) beginOver(g paint.Background) *paint.Canvas {
	if !c.over.laidOut {
		c.canvas = paint.New(1, 1, g)
		return c.canvas
	}
	b := c.over.backdrop
	if b.Redrawn {
		c.canvas = c.newCanvas(g)
		return c.canvas
	}
	if b.Ink.A == 0 {
		if b.Ink = c.Theme.BG; isSolid(g) {
			b.Ink = color.NRGBA(g.(paint.Solid))
		}
	}
	area := image.Rect(0, 0, c.W, c.H)
	if !b.Picture.Empty() {
		area = c.MotifRect(b.Picture.Min.X, b.Picture.Min.Y, b.Picture.Dx(), b.Picture.Dy())
		area.Max.Y += c.H - c.UsualHeight() // a tall hero shows more of it
	}
	s := newScrim(c, b, area)
	s.protect()
	c.canvas = paint.NewOver(s.plate, area.Min, s.veil, b.Ink)
	if !s.panel.Empty() {
		c.canvas.RoundRect(s.panel, panelRadius, palette.Fade(c.Theme.Surface1, panelOpacity))
		c.canvas.Border(s.panel, panelRadius, 1, c.Theme.Line)
	}
	return c.canvas
}

func isSolid(g paint.Background) bool {
	_, ok := g.(paint.Solid)
	return ok
}

// UsualHeight returns the height of the layout: 630, or 900 for both heroes.
func (c *Card) UsualHeight() int {
	usual := c.Spec
	usual.Tall = false
	_, h := usual.Size()
	return h
}

// LaidOutTexts returns the texts of the first run of a design over a picture, placed; nil in the first run itself.
func (c *Card) LaidOutTexts() []Text { return c.over.texts }

// plateOf returns the picture cropped for an area of the canvas, with its focus away from the texts.
func (c *Card) plateOf(b Backdrop, area image.Rectangle) *paint.Plate {
	var quiet []image.Rectangle
	if q := b.Quiet; !q.Empty() {
		quiet = append(quiet, c.TextRect(q.Min.X, q.Min.Y, q.Dx(), q.Dy()).Sub(area.Min))
	}
	for _, p := range c.over.texts {
		if b.Quiet.Empty() && (p.Role == Title || p.Role == Essential) {
			quiet = append(quiet, p.InkBox().Sub(area.Min))
		}
	}
	spec := paint.PlateSpec{
		W: area.Dx(), H: area.Dy(), Softness: max(c.over.soft, b.Softness),
		Tone: paint.Tone{Accent: c.Theme.Accent, Dark: b.Dark, Light: b.Light}, Flutes: b.Flutes, Mirror: c.RTL,
	}
	if c.ofPage {
		spec.Tone.Accent = color.NRGBA{}
		return c.pagePhoto().Plate(spec, quiet)
	}
	spec.AtX, spec.AtY = paint.Focus(c.Background, spec.W, spec.H, quiet)
	return paint.NewPlate(c.Background, spec)
}

// fromText returns the default veil: densest at the side of the text and gone at 78 % of the way to the other side, or
// in all directions from centered text. Source: docs/rendering.md#pictures-behind-text.
func (c *Card) fromText() func(x, y float64) float64 {
	const reach = .78
	w, h := float64(c.W), float64(c.UsualHeight())
	switch cmp.Or(c.t.TextSide, "left") {
	case "center":
		return func(x, y float64) float64 {
			dx, dy := (x-w/2)/(w/2), (y-h/2)/(h/2)
			return 1 - paint.Ease((dx*dx+dy*dy)/(2*reach))
		}
	case "right":
		return func(x, _ float64) float64 { return 1 - paint.Ease((w-x)/(reach*w)) }
	}
	return func(x, _ float64) float64 { return 1 - paint.Ease(x/(reach*w)) }
}

// overPicture is BG over a picture. Secondary texts get more contrast than usual, so that the veil that suffices for
// titles suffices for them.
func (c *Card) overPicture() Surface {
	th := &c.Theme
	worst := worstBackground(th.Text)
	return Surface{Color: th.BG, Text: th.Text, Muted: th.MutedOn(worst), Accent: th.AccentTextOn(worst)}
}

// worstBackground returns the gray on which a title just has its minimum contrast.
func worstBackground(title color.NRGBA) color.NRGBA {
	worst := title
	for i := range 256 {
		g := color.NRGBA{R: uint8(i), G: uint8(i), B: uint8(i), A: 255}
		if palette.Contrast(g, title) < titleContrast {
			continue
		}
		if worst == title || palette.Contrast(g, title) < palette.Contrast(worst, title) {
			worst = g
		}
	}
	return worst
}

// MeanLight returns the mean, over points of the background between two heights, of a function of their height and
// light, all as fractions.
func (c *Card) MeanLight(from, to float64, of func(y, light float64) float64) float64 {
	const columns, rows = 24, 12
	b := c.Background.Bounds()
	sum := 0.0
	for i := range columns {
		for j := range rows {
			y := from + (to-from)*(float64(j)+.5)/rows
			at := image.Pt(b.Min.X+(2*i+1)*b.Dx()/(2*columns), b.Min.Y+int(y*float64(b.Dy())))
			r, g, bl, _ := c.Background.At(at.X, min(max(at.Y, b.Min.Y), b.Max.Y-1)).RGBA()
			sum += of(y, (.2126*float64(r)+.7152*float64(g)+.0722*float64(bl))/0xffff)
		}
	}
	return sum / (columns * rows)
}
