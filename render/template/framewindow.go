package template

import (
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// frameKey is what the windows depend on beside the theme, without their texts.
type frameKey struct {
	rtl, tile bool
	sum       uint64 // of the picture in the front one
	size      image.Point
	plate     paint.PlateSpec
}

// drawFrameWindows draws the two windows, and what is in the front one. Without their texts they are kept for a theme;
// of those texts only their boxes are drawn anew.
func drawFrameWindows(c *Card) {
	m, w := framesFor(c), newFrameWindow(c)
	at := c.MotifRect(frameFront.Min.X, frameFront.Min.Y, w.W/2, w.H/2).Min
	draw := func() {
		drawFrameShadows(c, m)
		w.paint(w.bounds())
		c.canvas.Turned(w.canvas.Image().(*image.RGBA), at, frameTurn(c), m.body)
		w.Close()
	}
	key, ok := w.key()
	if !ok {
		draw()
	} else {
		part := image.Rectangle{}
		for _, a := range m.all() {
			part = part.Union(a.Rect)
		}
		c.canvas.FullLayer(paint.LayerKey{
			Scene: c.t.Slug, W: c.W, H: c.H, Accent: c.Theme.Accent, Dark: c.Theme.Dark, Of: key,
		}, part, draw)
	}
	parts := w.textParts()
	for _, r := range parts {
		w.paint(r)
	}
	w.drawTexts()
	for _, r := range parts {
		c.canvas.TurnedPart(w.canvas.Image().(*image.RGBA), r, at, frameTurn(c), m.body)
	}
	w.Close()
}

// drawFrameShadows draws the back window, and the shadows of both.
func drawFrameShadows(c *Card, m *frameMasks) {
	th := &c.Theme
	near, far := raisedShadows(th)
	shadow := func(a *image.Alpha, ink color.NRGBA) { c.canvas.SoftMask(a.Rect.Min.X, a.Rect.Min.Y, a, ink) }
	shadow(m.backFar, far)
	shadow(m.backNear, near)
	c.canvas.Mask(m.back.Rect.Min.X, m.back.Rect.Min.Y, m.back,
		th.Ramp(light(th.Dark, .36, .88), light(th.Dark, .6, .4), besideYellow(th.LCH.H, -5)))
	shadow(m.far, far)
	shadow(m.near, near)
}

// Figures of the front window, at twice the size.
const (
	frameW, frameH             = 2 * 650, 2 * 590 // as much of it as may be seen
	frameTile, frameTileRadius = 300, 72
	frameTileX, frameTileY     = 2 * (700 - 604), 2 * (290 - 128)
	frameNameY                 = 2 * (530 - 128)
	frameNameW                 = 880
	frameIcon                  = 192
	frameAround                = 16 // a text or an icon, that is drawn anew with it
)

// frameWindow is the front window upright, twice as large as it will be seen: a card of its own.
type frameWindow struct {
	*Card
	bar     color.NRGBA
	ground  paint.Linear // where there is no picture
	picture image.Image
	plate   paint.PlateSpec
	tile    image.Rectangle // empty: there is none
	icon    fittedLogo
	iconAt  image.Rectangle
}

// newFrameWindow places the texts in the front window.
func newFrameWindow(c *Card) *frameWindow {
	th := &c.Theme
	w := &frameWindow{Card: &Card{Spec: c.Spec, W: frameW, H: frameH, engine: c.engine, t: c.t}, bar: th.Surface1}
	w.RTL, w.Background = c.RTL, nil
	if !th.Dark {
		w.bar = palette.RGB(0xFFFFFF)
	}
	if content := w.content(); c.HasPicture() {
		w.picture = c.Background
		w.plate = paint.PlateSpec{W: content.Dx(), H: content.Dy(), Softness: c.over.soft, Once: true}
		if !c.ofPage { // a screenshot begins at its upper left
			w.plate.Tone.Accent = th.Accent
			w.plate.AtX, w.plate.AtY = paint.Focus(c.Background, w.plate.W, w.plate.H, nil)
		}
	} else {
		from, to, ink := frameTones(th)
		w.ground = paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(from, to)}
		if c.RTL {
			w.ground = paint.Linear{Angle: paint.UpRight, Colors: palette.Gradient(to, from)}
		}
		w.putBrand(ink)
	}
	if host := siteOf(&c.Texts).host; host != "" {
		b := w.TruncateMiddle(host, w.TextStyle(52, 400), 640)
		w.Put(Item{b, Repeated, c.On(w.bar).Muted}, 300, Middle, frameBar)
	}
	return w
}

func (w *frameWindow) bounds() image.Rectangle { return image.Rect(0, 0, w.W, w.H) }

// content is what lies under the bar.
func (w *frameWindow) content() image.Rectangle { return image.Rect(0, 2*frameBar, w.W, w.H) }

// key returns what the windows depend on; ok is false for a picture that cannot be told from others.
func (w *frameWindow) key() (key frameKey, ok bool) {
	key = frameKey{rtl: w.RTL, tile: !w.tile.Empty(), plate: w.plate}
	if w.picture == nil {
		return key, true
	}
	key.size = w.picture.Bounds().Size()
	key.sum, ok = paint.SumOf(w.picture)
	return key, ok
}

// paint draws a part of the window without its texts and the icon; of a picture, all of it.
func (w *frameWindow) paint(part image.Rectangle) {
	switch {
	case w.picture != nil && part == w.bounds():
		w.canvas = paint.NewOver(paint.NewPlate(w.picture, w.plate), w.content().Min, paint.NewVeil(w.W, w.H), w.bar)
		w.canvas.Upgrade()
	case w.canvas == nil:
		w.canvas = paint.NewBlank(w.W, w.H)
	}
	undo := w.canvas.Clip(part)
	defer undo()
	if w.picture == nil {
		w.canvas.Paint(part, w.ground.Within(w.bounds(), part))
	}
	if !w.tile.Empty() {
		w.canvas.Shadow(w.tile, frameTileRadius, 40, 24, palette.Fade(palette.RGB(0), .28))
		w.canvas.RoundRect(w.tile, frameTileRadius, palette.RGB(0xFFFFFF))
	}
	w.canvas.Fill(w.MotifRect(0, 0, w.W, 2*frameBar), w.bar)
	dot := w.Theme.Ramp(light(w.Theme.Dark, .42, .80), .5, 0)
	for i := range 3 {
		w.canvas.Disc(w.MotifX(float64(2*(dotAt+i*dotStep))), frameBar, 2*dotRadius, dot)
	}
}

// textParts returns where texts and the icon stand.
func (w *frameWindow) textParts() (parts []image.Rectangle) {
	within := w.bounds()
	if w.picture != nil { // of which no part is drawn anew
		within.Max.Y = w.content().Min.Y
	}
	for _, p := range w.texts {
		parts = append(parts, p.InkBox().Inset(-frameAround).Intersect(within))
	}
	if !w.iconAt.Empty() {
		parts = append(parts, w.iconAt.Inset(-frameAround))
	}
	return parts
}

// drawTexts draws the texts and the icon.
func (w *frameWindow) drawTexts() {
	if !w.iconAt.Empty() {
		w.drawLogo(w.icon, w.iconAt)
	}
	w.DrawTexts()
}

// putBrand places a white tile with what stands for the site, and its name under it.
func (w *frameWindow) putBrand(ink color.NRGBA) {
	tile := w.MotifRect(frameTileX, frameTileY, frameTile, frameTile)
	paper := Surface{
		Color: palette.RGB(0xFFFFFF), Text: w.Theme.Ramp(.21, .2, 0), Muted: w.Theme.Ramp(.46, .2, 0),
	}
	icon, ok := fitIcon(w.Icon, paper, frameIcon)
	letter := text.Initial(w.SiteName, w.Lang)
	name := w.Line(w.SiteName, w.TextStyle(128, 700), 0)
	if width := name.inkWidth(); width > frameNameW {
		st := w.TextStyle(max(.97*128*frameNameW/width, 64), 700)
		name = w.Line(w.SiteName, st, frameNameW)
	}
	baseline := float64(frameNameY)
	if ok || letter != 0 {
		w.tile = tile
	} else {
		baseline = frameTileY + frameTile/2
	}
	middle := tile.Min.Add(tile.Max).Div(2)
	switch {
	case ok:
		w.icon = icon
		w.iconAt = image.Rect(0, 0, icon.W, icon.H).Add(middle.Sub(image.Pt(icon.W/2, icon.H/2)))
	case letter != 0:
		st := text.Style{Family: text.Inter, Weight: 700, SizePx: 176, Exact: true, Lang: w.Lang}
		b := w.Line(string(letter), st, 0)
		if !b.Empty() {
			w.texts = append(w.texts, Placed{Item: Item{b, Monogram, w.Theme.Ramp(.42, 1.05, 0)},
				X: float64(middle.X) - (b.Ink.X0+b.Ink.X1)/2, Y: float64(middle.Y) - (b.Ink.Y0+b.Ink.Y1)/2})
		}
	}
	w.Put(Item{name, Repeated, oneColor(w.ground.Colors[8], ink).Text}, float64(frameTileX), Bottom, baseline)
}

// frameTones returns the gradient of the front window, and the colour of a name on its middle.
func frameTones(th *palette.Theme) (from, to, ink color.NRGBA) {
	return readableRun(th,
		tone{.70, 1, besideYellow(th.LCH.H, -25)}, tone{.46, 1.05, besideYellow(th.LCH.H, 20)}, .35, .75)
}
