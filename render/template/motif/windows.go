package motif

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// Measures of the windows, in pixels of a share image before they are rotated.
const (
	windowTurnX, windowTurnY = 916, 400
	windowLean               = -8 * math.Pi / 180
	windowRadius, windowBar  = 22, 60
)

// windowBack and windowFront are the windows.
var (
	windowBack  = image.Rect(724, 58, 1484, 618)
	windowFront = image.Rect(660, 128, 1420, 748)
)

// windowTurn is the rotation of the windows, mirrored with them.
func windowTurn(c *kit.Card, aside int) paint.Turn {
	t := paint.Turn{X: c.MotifX(float64(windowTurnX + aside)), Y: windowTurnY, Angle: windowLean}
	if c.RTL {
		t.Angle = -windowLean
	}
	return t
}

// windowMasks are the coverages of the windows: they are the same on all cards of a direction and a place.
type windowMasks struct {
	near, far, back, body *image.Alpha
	backNear, backFar     *image.Alpha
}

func (m *windowMasks) all() []*image.Alpha {
	return []*image.Alpha{m.near, m.far, m.back, m.body, m.backNear, m.backFar}
}

// windows caches the masks of both directions and places: 2.8 MB each.
var windows = cache.NewPart(cache.Pieces, func(_ windowPlace, m *windowMasks) (n int) {
	for _, a := range m.all() {
		n += len(a.Pix)
	}
	return n
})

// windowPlace is where the windows are.
type windowPlace struct {
	rtl   bool
	aside int
}

func windowsFor(c *kit.Card, aside int) *windowMasks {
	place := windowPlace{c.RTL, aside}
	if m, ok := windows.Get(place); ok {
		return m
	}
	card := image.Rect(0, 0, c.W, c.H)
	draw := func(r image.Rectangle) func(g *gg.Context) {
		return func(g *gg.Context) {
			t := windowTurn(c, aside)
			g.RotateAbout(t.Angle, t.X, t.Y)
			b := c.MotifRect(r.Min.X+aside, r.Min.Y, r.Dx(), r.Dy())
			g.DrawRoundedRectangle(float64(b.Min.X), float64(b.Min.Y), float64(b.Dx()), float64(b.Dy()), windowRadius)
			g.Fill()
		}
	}
	masks := func(r image.Rectangle) (body, near, far *image.Alpha) {
		const beyond = paint.ShadowReach*kit.NearSigma + kit.NearDown // what casts the near shadow onto the card
		shape := paint.PathMask(card.Inset(-beyond), draw(r))
		near = paint.Blur(shape, kit.NearSigma)
		near.Rect = near.Rect.Add(image.Pt(0, kit.NearDown))
		far = paint.SoftPath(card.Sub(image.Pt(0, kit.FarDown)), kit.FarSigma, draw(r))
		far.Rect = far.Rect.Add(image.Pt(0, kit.FarDown))
		return closeMask(shape, card), closeMask(near, card), closeMask(far, card)
	}
	m := &windowMasks{}
	m.back, m.backNear, m.backFar = masks(windowBack)
	m.body, m.near, m.far = masks(windowFront)
	for _, under := range []*image.Alpha{m.near, m.far, m.back, m.backNear, m.backFar} {
		uncover(under, m.body)
	}
	windows.Put(place, m)
	return m
}

// uncover removes from a mask what an opaque one hides.
func uncover(m, over *image.Alpha) {
	r := m.Rect.Intersect(over.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := m.Pix[m.PixOffset(r.Min.X, y):][:r.Dx()]
		for i, v := range over.Pix[over.PixOffset(r.Min.X, y):][:r.Dx()] {
			if v == 255 {
				row[i] = 0
			}
		}
	}
}

// closeMask returns the part of a mask within a rectangle that isn't empty.
func closeMask(m *image.Alpha, within image.Rectangle) *image.Alpha {
	within = within.Intersect(m.Rect)
	box := image.Rectangle{}
	for y := within.Min.Y; y < within.Max.Y; y++ {
		row := m.Pix[m.PixOffset(within.Min.X, y):][:within.Dx()]
		first, last := 0, len(row)
		for first < last && row[first] == 0 {
			first++
		}
		for last > first && row[last-1] == 0 {
			last--
		}
		if first < last {
			box = box.Union(image.Rect(within.Min.X+first, y, within.Min.X+last, y+1))
		}
	}
	out := image.NewAlpha(box)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		copy(out.Pix[out.PixOffset(box.Min.X, y):][:box.Dx()], m.Pix[m.PixOffset(box.Min.X, y):])
	}
	return out
}

// windowKey is what the windows depend on besides the theme, without their texts.
type windowKey struct {
	windowPlace
	tile  bool
	sum   uint64 // of the picture in the front one
	size  image.Point
	plate paint.PlateSpec
}

// DrawWindows draws two windows, and the content of the front one: the picture in the background or the brand. They are
// aside by some pixels, away from the text. They are cached for a theme without their texts, which are then drawn.
func DrawWindows(c *kit.Card, aside int) {
	m, w := windowsFor(c, aside), NewWindow(c, aside)
	at := c.MotifRect(windowFront.Min.X+aside, windowFront.Min.Y, w.W/2, w.H/2).Min
	draw := func() {
		drawWindowShadows(c, m)
		w.paint(w.bounds())
		c.Canvas().Turned(w.Canvas().Image().(*image.RGBA), at, windowTurn(c, aside), m.body)
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
		c.Canvas().FullLayer(paint.LayerKey{
			Scene: c.Slug(), W: c.W, H: c.H, Accent: c.Theme.Accent, Dark: c.Theme.Dark, Of: key,
		}, part, draw)
	}
	parts := w.textParts()
	for _, r := range parts {
		w.paint(r)
	}
	w.drawTexts()
	for _, r := range parts {
		c.Canvas().TurnedPart(w.Canvas().Image().(*image.RGBA), r, at, windowTurn(c, aside), m.body)
	}
	w.Close()
}

// drawWindowShadows draws the back window, and the shadows of both.
func drawWindowShadows(c *kit.Card, m *windowMasks) {
	th := &c.Theme
	near, far := kit.RaisedShadows(th)
	shadow := func(a *image.Alpha, ink color.NRGBA) { c.Canvas().SoftMask(a.Rect.Min.X, a.Rect.Min.Y, a, ink) }
	shadow(m.backFar, far)
	shadow(m.backNear, near)
	c.Canvas().Mask(m.back.Rect.Min.X, m.back.Rect.Min.Y, m.back,
		th.Ramp(kit.ByMode(th.Dark, .36, .88), kit.ByMode(th.Dark, .6, .4), BesideYellow(th.LCH.H, -5)))
	shadow(m.far, far)
	shadow(m.near, near)
}

// Measures of the front window, at twice the size.
const (
	windowW, windowH             = 2 * 650, 2 * 590 // its visible part
	windowTile, windowTileRadius = 300, 72
	windowTileX, windowTileY     = 2 * 96, 2 * (290 - 128)
	windowNameY                  = 2 * (530 - 128)
	windowNameW                  = 780
	windowAddress                = 812 // nearly up to the edge of the card
	windowIcon                   = 192
	windowAround                 = 16 // around a text or an icon, redrawn with it
)

// Window is the front window of [DrawWindows], upright and twice as large as it will be shown: a card of its own.
type Window struct {
	*kit.Card
	aside      int
	bar        color.NRGBA
	background paint.Linear // if there is no picture
	picture    image.Image
	plate      paint.PlateSpec
	tile       image.Rectangle // empty: none
	icon       kit.FittedLogo
	iconAt     image.Rectangle
}

// NewWindow places the texts in the front window, which is aside by some pixels. It must be closed.
func NewWindow(c *kit.Card, aside int) *Window {
	th := &c.Theme
	w := &Window{Card: c.Inner(windowW, windowH), aside: aside, bar: th.Surface1}
	if !th.Dark {
		w.bar = palette.RGB(0xFFFFFF)
	}
	if content := w.content(); c.HasPicture() {
		w.picture = c.Background
		w.plate = paint.PlateSpec{W: content.Dx(), H: content.Dy(), Softness: c.Softness(), Once: true}
		// A screenshot begins at its upper left.
	} else {
		from, to, ink := windowTones(th)
		w.background = paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(from, to)}
		if c.RTL {
			w.background = paint.Linear{Angle: paint.UpRight, Colors: palette.Gradient(to, from)}
		}
		w.putBrand(ink)
	}
	if host := kit.SiteOf(&c.Texts).Host; host != "" {
		b := w.TruncateMiddle(host, w.TextStyle(52, 400), w.seen(windowAddress))
		if b.Truncated {
			b = w.TruncateMiddle(host, w.TextStyle(48, 400), w.seen(windowAddress))
		}
		w.Put(kit.Item{Block: b, Role: kit.Repeated, Color: c.On(w.bar).Muted}, 300, kit.Middle, windowBar)
	}
	return w
}

// seen returns how much of a width can be seen.
func (w *Window) seen(width int) float64 { return float64(width - 2*w.aside) }

func (w *Window) bounds() image.Rectangle { return image.Rect(0, 0, w.W, w.H) }

// content is the area under the bar.
func (w *Window) content() image.Rectangle { return image.Rect(0, 2*windowBar, w.W, w.H) }

// key returns what the windows depend on; ok is false for a picture that can't be identified.
func (w *Window) key() (key windowKey, ok bool) {
	key = windowKey{windowPlace: windowPlace{w.RTL, w.aside}, tile: !w.tile.Empty(), plate: w.plate}
	if w.picture == nil {
		return key, true
	}
	key.size = w.picture.Bounds().Size()
	key.sum, ok = paint.SumOf(w.picture)
	return key, ok
}

// paint draws a part of the window without its texts and the icon; of a picture, all of it.
func (w *Window) paint(part image.Rectangle) {
	switch {
	case w.picture != nil && part == w.bounds():
		w.SetCanvas(paint.NewOver(paint.NewPlate(w.picture, w.plate), w.content().Min, paint.NewVeil(w.W, w.H), w.bar))
		w.Canvas().Upgrade()
	case w.Canvas() == nil:
		w.SetCanvas(paint.NewBlank(w.W, w.H))
	}
	undo := w.Canvas().Clip(part)
	defer undo()
	if w.picture == nil {
		w.Canvas().Paint(part, w.background.Within(w.bounds(), part))
	}
	if !w.tile.Empty() {
		w.Canvas().Shadow(w.tile, windowTileRadius, 40, 24, palette.Fade(palette.RGB(0), .28))
		w.Canvas().RoundRect(w.tile, windowTileRadius, palette.RGB(0xFFFFFF))
	}
	w.Canvas().Fill(w.MotifRect(0, 0, w.W, 2*windowBar), w.bar)
	dot := w.Theme.Ramp(kit.ByMode(w.Theme.Dark, .42, .80), .5, 0)
	for i := range 3 {
		w.Canvas().Disc(w.MotifX(float64(2*(kit.DotAt+i*kit.DotStep))), windowBar, 2*kit.DotRadius, dot)
	}
}

// textParts returns the areas of texts and the icon.
func (w *Window) textParts() (parts []image.Rectangle) {
	within := w.bounds()
	if w.picture != nil { // no part of it is redrawn
		within.Max.Y = w.content().Min.Y
	}
	for _, p := range w.PlacedTexts() {
		parts = append(parts, p.InkBox().Inset(-windowAround).Intersect(within))
	}
	if !w.iconAt.Empty() {
		parts = append(parts, w.iconAt.Inset(-windowAround))
	}
	return parts
}

// drawTexts draws the texts and the icon.
func (w *Window) drawTexts() {
	if !w.iconAt.Empty() {
		w.DrawLogo(w.icon, w.iconAt)
	}
	w.DrawTexts()
}

// putBrand places a white tile with the site's icon or initial, and its name below.
func (w *Window) putBrand(ink color.NRGBA) {
	tile := w.MotifRect(windowTileX, windowTileY, windowTile, windowTile)
	paper := kit.Surface{
		Color: palette.RGB(0xFFFFFF), Text: w.Theme.Ramp(.21, .2, 0), Muted: w.Theme.Ramp(.46, .2, 0),
	}
	icon, ok := kit.FitIcon(w.Icon, paper, windowIcon)
	letter := text.Initial(w.SiteName, w.Lang)
	name := w.Line(w.SiteName, w.TextStyle(128, 700), 0)
	if width, most := inkWidth(name), w.seen(windowNameW); width > most {
		name = w.Line(w.SiteName, w.TextStyle(max(.97*128*most/width, 64), 700), most)
	}
	baseline := float64(windowNameY)
	if ok || letter != 0 {
		w.tile = tile
	} else {
		baseline = windowTileY + windowTile/2
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
			w.AddText(kit.Text{Item: kit.Item{Block: b, Role: kit.Monogram, Color: w.Theme.Ramp(.42, 1.05, 0)},
				X: float64(middle.X) - (b.Ink.X0+b.Ink.X1)/2, Y: float64(middle.Y) - (b.Ink.Y0+b.Ink.Y1)/2})
		}
	}
	w.Put(kit.Item{Block: name, Role: kit.Repeated, Color: kit.OneColor(w.background.Colors[8], ink).Text},
		float64(windowTileX), kit.Bottom, baseline)
}

// windowTones returns the gradient of the front window, and the color of a name in its center.
func windowTones(th *palette.Theme) (from, to, ink color.NRGBA) {
	return kit.ReadableRun(th,
		kit.Tone{L: .70, C: 1, DH: BesideYellow(th.LCH.H, -25)},
		kit.Tone{L: .46, C: 1.05, DH: BesideYellow(th.LCH.H, 20)}, .35, .75)
}

// inkWidth returns the width of a block's ink.
func inkWidth(b kit.Block) float64 {
	if b.Empty() {
		return 0
	}
	return b.Ink.X1 - b.Ink.X0
}
