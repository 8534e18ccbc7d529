package template

import (
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
)

// editorialSized are the sizes of editorial besides those of the kinds.
var editorialSized = []kit.FormatLayout{
	{Format: kit.Square, Draw: editorialUpright, Fits: atLeast(738, 420)},
	{Format: kit.Feed, Draw: editorialUpright, Fits: atLeast(738, 480)},
	{Format: kit.Story, Draw: editorialUpright, Fits: atLeast(738, 540)},
	{Format: kit.Header, Draw: editorialHeader},
	{Format: kit.Banner, Draw: editorialHeader},
}

// atLeast reports whether a picture has at least a size.
func atLeast(w, h int) func(image.Point) bool {
	return func(size image.Point) bool { return size.X >= w && size.Y >= h }
}

// editorialUpright draws the picture, or the initial or the figure of the site, over the title. The upper edge and that
// at the end of lines cut it.
func editorialUpright(c *kit.Card) {
	bg := c.BG()
	u := kit.Upright{On: bg, Label: c.Eyebrow, Heading: kit.Heading{Description: kit.UprightDescription(c)}}
	if c.HasPicture() { // no text is on it
		bg = c.PlainBG()
		u.On = bg
	}
	end := u.Put(c)
	plate := image.Rect(84, 0, c.W, end)
	if c.HasPicture() {
		plate.Max.Y = kit.SharpSide(c.Background, plate.Dx(), end)
		c.Over(kit.Backdrop{Picture: plate, Veil: func(_, _ float64) float64 { return 0 }})
	}
	c.Begin(paint.Solid(bg.Color))
	switch {
	case !c.HasPicture():
		drawEditorialAbove(c, end)
	case c.LaidOut():
		c.TrimPlate(plate, plateRadius)
	}
	kit.PutUprightFoot(c, bg, bg)
}

// drawEditorialAbove draws a panel over texts that begin at end, which the upper edge and that at the end of lines cut,
// and the initial or the figure of the site in it.
func drawEditorialAbove(c *kit.Card, end int) {
	const inset, foot = 70, 40 // of the letter, which is whole, and of a tail
	th, panel := &c.Theme, c.MotifRect(84, 0, c.W-84, end)
	canvas, high := c.Canvas(), float64(end)
	undo := canvas.Clip(panel)
	canvas.PaintStencil(paint.RectStencil(panel), panel, paint.Linear{
		Angle: paint.DownRight, Colors: palette.Gradient(th.Lead(.60, 1, -14), th.Lead(.36, 1, 14)),
	})
	middle := 84 + float64(c.W-84)/2
	if letter, ok := c.LargeInitial(high-2*inset, .8*high); ok {
		if k := (high - 2*foot) / (letter.Ink.Y1 - letter.Ink.Y0); k < 1 { // it has a tail
			letter, _ = c.LargeInitial(k*(high-2*inset), k*.8*high)
		}
		ink := letter.Ink
		y := high - inset - letter.CapHeight
		if kit.IsIdeogram(letter.Text()) {
			y = high/2 - (ink.Y0+ink.Y1)/2
		}
		y -= max(y+ink.Y1-high+foot, 0) // a tail
		drawEditorialLetter(c, letter, middle-(ink.X1-ink.X0)/2, y, th.Lead(.90, .5, -18), th.Lead(.66, 1, 0))
	} else {
		const half = 300 // of the height of the tallest figure
		c.DrawFigure(kit.Figure{
			Middle: paint.Point{X: middle, Y: .45 * high}, Bigger: min(max((.55*high-foot)/half, .5), 1.25), Hangs: true,
			Tone: panelTone(th),
		})
	}
	undo()
	c.TrimPlate(image.Rect(84, 0, c.W, end), plateRadius)
}

// drawEditorialLetter draws the initial in two colors, with its left edge at x in the layout, and the top of its
// capitals at y.
func drawEditorialLetter(c *kit.Card, letter kit.Block, x, y float64, light, deep color.NRGBA) {
	ink := letter.Ink
	w := ink.X1 - ink.X0
	key := c.LetterKey("editorial above", letter)
	key.Variant = int(x)*10_000 + int(y)
	shape := kit.Stencil(key, func() *image.Alpha {
		m := image.NewAlpha(image.Rect(0, 0, c.W, c.H))
		c.MaskInk(m, letter, c.Mirror(x, w)-ink.X0, y)
		return m
	})
	box := image.Rect(int(c.Mirror(x, w)), int(y+ink.Y0), int(c.Mirror(x, w)+w)+1, int(y+ink.Y1)+1)
	c.Canvas().PaintStencil(shape, box, paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(light, deep)})
}

// editorialHeader draws the title between the picture of the profile and the figure.
func editorialHeader(c *kit.Card) {
	bg := c.BG()
	over := c.Over(editorialBackdrop(c.W, c.H, 720))
	c.Begin(paint.Solid(bg.Color))
	if !over {
		middle := paint.Point{X: float64(c.W) - 240, Y: 250}
		if letter, ok := c.LargeInitial(.92*float64(c.H), .72*float64(c.H)); ok {
			ink := letter.Ink
			light, deep := editorialTones(&c.Theme)
			drawEditorialLetter(c, letter, middle.X-(ink.X1-ink.X0)/2, float64(c.H)*.96-letter.CapHeight, light, deep)
		} else {
			c.DrawFigure(kit.Figure{Left: c.Format().X1 + 50, Middle: middle, Tone: c.FigureTone})
		}
	}
	kit.PutHeader(c, bg, kit.Heading{})
}
