package kit

import (
	"image"
	"image/color"
	"slices"

	"masthead/render/paint"
	"masthead/render/text"
)

// Card is a picture that is being drawn. It must not be used by two goroutines at once.
//
// Designs give coordinates of the layout: pixels of a canvas of 1200×630 or 1600×900, for left-to-right text. The card
// converts them to the canvas: it mirrors them for right-to-left text and, on a hero of 16:10, moves texts, icons and
// their surfaces down by 50 px.
type Card struct {
	Spec
	W, H int // of the canvas

	engine *text.Engine
	canvas *paint.Canvas // nil before Begin
	t      *Template
	texts  []Text
	icons  []PlacedIcon

	softLight bool         // the background is soft light
	ofPage    bool         // the picture that the card is drawn over is the page's own: it keeps its colors
	photo     *paint.Photo // that picture, once it is needed

	instead []Warning // why this design is drawn instead of another one
	missing string    // characters of texts that were dropped because no font has them
	down    float64   // offset from a y of the layout to one of the canvas
	over    over      // state of a card over a picture
}

// tallDown is how many pixels lower texts are on a hero of 16:10. Source: docs/rendering.md#canvas.
const tallDown = 50

// Open returns a new card. It uses engine until Close; the caller keeps ownership.
func Open(t *Template, s Spec, engine *text.Engine) *Card { return openWith(t, s, engine, nil) }

// openWith is [Open] with the page's own picture if its hash is known from another design.
func openWith(t *Template, s Spec, engine *text.Engine, photo *paint.Photo) *Card {
	c := &Card{Spec: s, engine: engine, t: t, texts: make([]Text, 0, 8), photo: photo}
	c.W, c.H = s.Size()
	if t.Bare {
		c.Background = nil
	}
	if c.Background == nil && c.Photo != nil && c.showsPhoto() {
		c.Background, c.ofPage = c.Photo, true
	}
	if s.Tall {
		c.down = tallDown
	}
	c.dropUnsupported()
	c.RTL = s.RTL || text.Direction(c.Title) == text.RightToLeft
	return c
}

// showsPhoto reports whether the design shows such a picture as the page's own, one that it has a place for.
func (c *Card) showsPhoto() bool {
	size := c.Photo.Rect.Size()
	switch sized := c.t.sized(c.Sides); {
	case c.Kind == Custom:
		if sized.Fits == nil || !sized.Fits(size) {
			return false
		}
	case !slices.Contains(c.t.Photo, c.Kind), c.t.Fits != nil && !c.t.Fits(c.Kind, size):
		return false
	}
	if c.t.Screenshot {
		return isScreenshot(c.Photo, c.pagePhoto())
	}
	if c.t.Covers && c.ShowsCover(size) { // with the title of the work
		return true
	}
	return !bearsWords(c.Photo, c.pagePhoto())
}

// ShowsCover reports whether a picture of a size is the cover of the work that the page is about: of a book, a record,
// a film, a game or a podcast.
func (c *Card) ShowsCover(size image.Point) bool {
	const widest, square = 1.15, 1.03 // times its height
	w, h := float64(size.X), float64(size.Y)
	g := &c.Goods
	if g.Square || g.Upright {
		return w <= widest*h
	}
	return g.Headline == "" && g.Rating == 0 && c.Play.Known && !c.Play.Video && max(w, h) <= square*min(w, h)
}

// OpenFirst returns a new card of the first of the designs that the page has the facts for, otherwise of the last. See
// [OpenFor].
func OpenFirst(designs []*Template, s Spec, engine *text.Engine, find func(slug string) *Template) *Card {
	last := len(designs) - 1
	var photo *paint.Photo
	for _, t := range designs[:last] {
		c := openWith(t, s, engine, photo)
		if t.Lacks == nil || t.Lacks(c) == "" {
			return c
		}
		photo = c.photo
	}
	return openForWith(designs[last], s, engine, photo, find)
}

// maxFallbacks is the maximum number of designs that are tried after the requested one; the last of them is drawn.
const maxFallbacks = 2

// OpenFor returns a new card of the design t or, if the page lacks the fact that t lives on, of one of its fallbacks,
// which find returns by slug. [Card.Warnings] then says so. See [Open].
func OpenFor(t *Template, s Spec, engine *text.Engine, find func(slug string) *Template) *Card {
	return openForWith(t, s, engine, nil, find)
}

// openForWith is [OpenFor] with the page's own picture if its hash is known.
func openForWith(
	t *Template, s Spec, engine *text.Engine, photo *paint.Photo, find func(slug string) *Template,
) *Card {
	c := openWith(t, s, engine, photo)
	for range maxFallbacks {
		if c.t.Lacks == nil {
			break
		}
		fact := c.t.Lacks(c)
		if fact == "" {
			break
		}
		instead := c.instead
		for _, slug := range c.t.Fallback {
			t := find(slug)
			if t == nil { // it doesn't draw the size
				continue
			}
			if next := openWith(t, s, engine, c.photo); slug == c.t.Fallback[len(c.t.Fallback)-1] || next.suits() {
				c = next
				break
			}
		}
		c.instead = append(instead, Warning{DesignNeeds, "The page has no " + fact + ", so the template " + c.t.Slug +
			" was drawn instead of " + t.Slug + "."})
	}
	return c
}

// suits reports whether the page has what the design of the card shows: its fact, or else a picture.
func (c *Card) suits() bool {
	if c.t.Lacks != nil {
		return c.t.Lacks(c) == ""
	}
	return c.HasPicture()
}

// Layout runs the design: it draws everything but the texts and places those.
//
// Over a picture, the caller checks [Card.Unreadable] afterwards. Layout may be called again after [Card.Soften].
func (c *Card) Layout() {
	if c.Background != nil {
		c.layoutOver()
		return
	}
	c.draw()
}

// DrawTexts draws the texts over everything else. Emoji come first: the palette of an indexed canvas then has the most
// free entries, and the same ones on all cards of a theme, so that cached emoji fit all of them.
func (c *Card) DrawTexts() {
	for _, p := range c.texts {
		c.engine.DrawEmoji(p.Block.Block, p.X, p.Y, func(x, y int, m *image.NRGBA) {
			c.canvas.Picture(m, m.Rect.Add(image.Pt(x, y)), 0)
		})
	}
	for _, p := range c.texts {
		c.engine.Draw(p.Block.Block, p.X, p.Y, func(x, y int, m *image.Alpha) { c.canvas.Mask(x, y, m, p.Color) })
		if p.struck {
			c.drawStrike(p)
		}
	}
}

// Canvas returns the canvas, which is nil before Layout and must not be used after Close.
func (c *Card) Canvas() *paint.Canvas { return c.canvas }

// PlacedTexts returns the texts that Layout placed, in drawing order.
func (c *Card) PlacedTexts() []Text { return c.texts }

// PlacedIcons returns the icons that Layout drew, including the logo.
func (c *Card) PlacedIcons() []PlacedIcon { return c.icons }

// Close releases the canvas. Neither the card nor its canvas may be used afterwards.
func (c *Card) Close() {
	if c.canvas != nil {
		c.canvas.Release()
		c.canvas = nil
	}
}

// Abandon is Close for a card whose drawing failed halfway; c may be nil.
func (c *Card) Abandon() {
	if c != nil && c.canvas != nil {
		c.canvas.Abandon()
		c.canvas = nil
	}
}

// Begin paints the background of the card and returns the canvas for the motif. A design calls it before it draws
// anything else. Over a gradient, inks are the colors that will be drawn, whose blends are computed ahead.
func (c *Card) Begin(g paint.Background, inks ...color.NRGBA) *paint.Canvas {
	if c.Background != nil {
		return c.beginOver(g)
	}
	if light, ok := g.(paint.Lit); ok {
		light.Mirror, light.Dither = c.RTL, !c.Lossless
		g, c.softLight = light, true
	}
	c.canvas = c.newCanvas(g, inks...)
	return c.canvas
}

// newCanvas returns a canvas with a background, without a palette for soft light.
func (c *Card) newCanvas(g paint.Background, inks ...color.NRGBA) *paint.Canvas {
	if c.softLight {
		return paint.NewRGBA(c.W, c.H, g)
	}
	return paint.New(c.W, c.H, g, inks...)
}

// SoftLight reports whether the background is soft light, of which a PNG would be three times as large as a JPEG.
func (c *Card) SoftLight() bool { return c.softLight }

// Mirror returns the left edge on the canvas of a box at x in the layout, w pixels wide.
func (c *Card) Mirror(x, w float64) float64 {
	if c.RTL {
		return float64(c.W) - x - w
	}
	return x
}

// MotifX converts an x of the layout to the canvas.
func (c *Card) MotifX(x float64) float64 { return c.Mirror(x, 0) }

// MotifRect converts a box of the layout to the canvas for a motif that spans all of it: it does not move on a hero of
// 16:10.
func (c *Card) MotifRect(x, y, w, h int) image.Rectangle {
	left := int(c.Mirror(float64(x), float64(w)))
	return image.Rect(left, y, left+w, y+h)
}

// TextRect converts a box of the layout to the canvas for a surface or rule that belongs to texts: it moves down with
// them on a hero of 16:10.
func (c *Card) TextRect(x, y, w, h int) image.Rectangle {
	return c.MotifRect(x, y, w, h).Add(image.Pt(0, int(c.down)))
}
