package template

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// Show the product: two windows that are tilted away from the text, cut by the right and the lower edge.
//
// Background: a diagonal of two neighbors of the accent, deep on a dark card, pale on a light one. The front window has
// the page's own picture; otherwise the brand: a white tile with the icon on a
// bright diagonal, and the name of the site. The title has the column next to it, and a description if there is room.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "frame", Name: "Frame", Mood: "Show the product.",
		GoodFor: "Product pages, apps, features and anything with a screenshot", Needs: []string{"screenshot"},
		TextSide: "left", Bare: true, Photo: []kit.Kind{kit.OG}, Screenshot: true, Fallback: []string{"split", "editorial"},
	},
	OG: frameOG,
	Lacks: func(c *kit.Card) string {
		home := c.Path == "" && c.Host != "" || c.SiteName != "" && text.Same(c.Title, c.SiteName)
		if !home && !c.OfPage() {
			return "screenshot, and is not a home page"
		}
		return ""
	},
})

func frameOG(c *kit.Card) {
	th := &c.Theme
	turn := motif.BesideYellow(th.LCH.H, 20)
	if th.Yellow() { // to amber, not to khaki
		turn = -20
	}
	from := th.Ramp(kit.ByMode(th.Dark, .30, .93), kit.ByMode(th.Dark, .8, .35), motif.BesideYellow(th.LCH.H, -20))
	to := th.Ramp(kit.ByMode(th.Dark, .20, .84), .6, turn)
	on := c.On(from)
	if worst := c.On(to); palette.Contrast(to, th.Text) < palette.Contrast(from, th.Text) {
		on = worst
	}
	c.Over(kit.Backdrop{Redrawn: true})
	angle := paint.DownRight
	if c.RTL {
		from, to, angle = to, from, paint.UpRight
	}
	c.SetSoftLight() // tilted windows are small only as a JPEG
	c.Begin(paint.Linear{Angle: angle, Colors: palette.Gradient(from, to)})
	column := kit.Column{X: 72, Y: 170, W: frameColumn, H: 350, Anchor: kit.Middle, Gap: 40, Under: 124, Foot: 528}
	style := c.TitleStyle()
	style.LineHeight = 1.06
	heading := kit.Heading{Style: style, Ladder: text.Steps(2, 104, 92).Then(3, 84).Then(4, 76, 68).Then(5, 60)}
	aside := 0
	b := c.Fit(c.Title, style, text.Box{W: column.W, H: column.H}, heading.Ladder)
	if !b.Empty() && (b.Truncated || len(b.Lines) > 4 || b.SizePx <= frameSmall) {
		aside = frameAside
	}
	column.W += float64(aside)
	if !c.HasPicture() || c.LaidOut() {
		drawFrameWindows(c, aside)
	}

	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: on, End: chip, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 92, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})
	logo.Upper.X1 = min(logo.Upper.X1, column.X+column.W)
	// If a window has the name, the top has the host.
	kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: logo.Upper, Middle: 92, Side: 40, HostSaid: true})

	if logo.Lower.HasLogo && !logo.AtEnd {
		column.H, column.Foot = 320, 500
	}
	heading.Description = kit.Description{SizePx: 28, W: column.W, Lines: 3, MaxTitleLines: 3}
	c.PutHeading(on, column, heading)
}

// Measures of the windows, in the layout before they are rotated.
const (
	frameTurnX, frameTurnY = 916, 400
	frameLean              = -8 * math.Pi / 180
	frameRadius, frameBar  = 22, 60
	frameColumn            = 504
	frameAside             = 96 // by how much they are further right beside a title of five lines or a small one
	frameSmall             = 60 // its size
)

// frameBack and frameFront are the windows.
var (
	frameBack  = image.Rect(724, 58, 1484, 618)
	frameFront = image.Rect(660, 128, 1420, 748)
)

// frameTurn is the rotation of the windows, mirrored with them.
func frameTurn(c *kit.Card, aside int) paint.Turn {
	t := paint.Turn{X: c.MotifX(float64(frameTurnX + aside)), Y: frameTurnY, Angle: frameLean}
	if c.RTL {
		t.Angle = -frameLean
	}
	return t
}

// frameMasks are the coverages of the windows: they are the same on all cards of a direction and a place.
type frameMasks struct {
	near, far, back, body *image.Alpha
	backNear, backFar     *image.Alpha
}

func (m *frameMasks) all() []*image.Alpha {
	return []*image.Alpha{m.near, m.far, m.back, m.body, m.backNear, m.backFar}
}

// frames caches the masks of both directions and places: 2.8 MB each.
var frames = cache.NewPart(cache.Pieces, func(_ framePlace, m *frameMasks) (n int) {
	for _, a := range m.all() {
		n += len(a.Pix)
	}
	return n
})

// framePlace is where the windows are.
type framePlace struct {
	rtl   bool
	aside int
}

func framesFor(c *kit.Card, aside int) *frameMasks {
	place := framePlace{c.RTL, aside}
	if m, ok := frames.Get(place); ok {
		return m
	}
	card := image.Rect(0, 0, c.W, c.H)
	draw := func(r image.Rectangle) func(g *gg.Context) {
		return func(g *gg.Context) {
			t := frameTurn(c, aside)
			g.RotateAbout(t.Angle, t.X, t.Y)
			b := c.MotifRect(r.Min.X+aside, r.Min.Y, r.Dx(), r.Dy())
			g.DrawRoundedRectangle(float64(b.Min.X), float64(b.Min.Y), float64(b.Dx()), float64(b.Dy()), frameRadius)
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
	m := &frameMasks{}
	m.back, m.backNear, m.backFar = masks(frameBack)
	m.body, m.near, m.far = masks(frameFront)
	for _, under := range []*image.Alpha{m.near, m.far, m.back, m.backNear, m.backFar} {
		uncover(under, m.body)
	}
	frames.Put(place, m)
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

// frameKey is what the windows depend on besides the theme, without their texts.
type frameKey struct {
	framePlace
	tile  bool
	sum   uint64 // of the picture in the front one
	size  image.Point
	plate paint.PlateSpec
}

// drawFrameWindows draws the two windows, and the content of the front one. They are cached for a theme without their
// texts, whose boxes are then redrawn.
func drawFrameWindows(c *kit.Card, aside int) {
	m, w := framesFor(c, aside), newFrameWindow(c, aside)
	at := c.MotifRect(frameFront.Min.X+aside, frameFront.Min.Y, w.W/2, w.H/2).Min
	draw := func() {
		drawFrameShadows(c, m)
		w.paint(w.bounds())
		c.Canvas().Turned(w.Canvas().Image().(*image.RGBA), at, frameTurn(c, aside), m.body)
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
		c.Canvas().TurnedPart(w.Canvas().Image().(*image.RGBA), r, at, frameTurn(c, aside), m.body)
	}
	w.Close()
}

// drawFrameShadows draws the back window, and the shadows of both.
func drawFrameShadows(c *kit.Card, m *frameMasks) {
	th := &c.Theme
	near, far := kit.RaisedShadows(th)
	shadow := func(a *image.Alpha, ink color.NRGBA) { c.Canvas().SoftMask(a.Rect.Min.X, a.Rect.Min.Y, a, ink) }
	shadow(m.backFar, far)
	shadow(m.backNear, near)
	c.Canvas().Mask(m.back.Rect.Min.X, m.back.Rect.Min.Y, m.back,
		th.Ramp(kit.ByMode(th.Dark, .36, .88), kit.ByMode(th.Dark, .6, .4), motif.BesideYellow(th.LCH.H, -5)))
	shadow(m.far, far)
	shadow(m.near, near)
}

// Measures of the front window, at twice the size.
const (
	frameW, frameH             = 2 * 650, 2 * 590 // its visible part
	frameTile, frameTileRadius = 300, 72
	frameTileX, frameTileY     = 2 * 96, 2 * (290 - 128)
	frameNameY                 = 2 * (530 - 128)
	frameNameW                 = 780
	frameAddress               = 812 // nearly up to the edge of the card
	frameIcon                  = 192
	frameAround                = 16 // around a text or an icon, redrawn with it
)

// frameWindow is the front window upright, twice as large as it will be shown: a card of its own.
type frameWindow struct {
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

// newFrameWindow places the texts in the front window, which is aside by some pixels.
func newFrameWindow(c *kit.Card, aside int) *frameWindow {
	th := &c.Theme
	w := &frameWindow{Card: c.Inner(frameW, frameH), aside: aside, bar: th.Surface1}
	if !th.Dark {
		w.bar = palette.RGB(0xFFFFFF)
	}
	if content := w.content(); c.HasPicture() {
		w.picture = c.Background
		w.plate = paint.PlateSpec{W: content.Dx(), H: content.Dy(), Softness: c.Softness(), Once: true}
		// A screenshot begins at its upper left.
	} else {
		from, to, ink := frameTones(th)
		w.background = paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(from, to)}
		if c.RTL {
			w.background = paint.Linear{Angle: paint.UpRight, Colors: palette.Gradient(to, from)}
		}
		w.putBrand(ink)
	}
	if host := kit.SiteOf(&c.Texts).Host; host != "" {
		b := w.TruncateMiddle(host, w.TextStyle(52, 400), w.seen(frameAddress))
		if b.Truncated {
			b = w.TruncateMiddle(host, w.TextStyle(48, 400), w.seen(frameAddress))
		}
		w.Put(kit.Item{Block: b, Role: kit.Repeated, Color: c.On(w.bar).Muted}, 300, kit.Middle, frameBar)
	}
	return w
}

// seen returns how much of a width can be seen.
func (w *frameWindow) seen(width int) float64 { return float64(width - 2*w.aside) }

func (w *frameWindow) bounds() image.Rectangle { return image.Rect(0, 0, w.W, w.H) }

// content is the area under the bar.
func (w *frameWindow) content() image.Rectangle { return image.Rect(0, 2*frameBar, w.W, w.H) }

// key returns what the windows depend on; ok is false for a picture that can't be identified.
func (w *frameWindow) key() (key frameKey, ok bool) {
	key = frameKey{framePlace: framePlace{w.RTL, w.aside}, tile: !w.tile.Empty(), plate: w.plate}
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
		w.Canvas().Shadow(w.tile, frameTileRadius, 40, 24, palette.Fade(palette.RGB(0), .28))
		w.Canvas().RoundRect(w.tile, frameTileRadius, palette.RGB(0xFFFFFF))
	}
	w.Canvas().Fill(w.MotifRect(0, 0, w.W, 2*frameBar), w.bar)
	dot := w.Theme.Ramp(kit.ByMode(w.Theme.Dark, .42, .80), .5, 0)
	for i := range 3 {
		w.Canvas().Disc(w.MotifX(float64(2*(kit.DotAt+i*kit.DotStep))), frameBar, 2*kit.DotRadius, dot)
	}
}

// textParts returns the areas of texts and the icon.
func (w *frameWindow) textParts() (parts []image.Rectangle) {
	within := w.bounds()
	if w.picture != nil { // no part of it is redrawn
		within.Max.Y = w.content().Min.Y
	}
	for _, p := range w.PlacedTexts() {
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
		w.DrawLogo(w.icon, w.iconAt)
	}
	w.DrawTexts()
}

// putBrand places a white tile with the site's icon or initial, and its name below.
func (w *frameWindow) putBrand(ink color.NRGBA) {
	tile := w.MotifRect(frameTileX, frameTileY, frameTile, frameTile)
	paper := kit.Surface{
		Color: palette.RGB(0xFFFFFF), Text: w.Theme.Ramp(.21, .2, 0), Muted: w.Theme.Ramp(.46, .2, 0),
	}
	icon, ok := kit.FitIcon(w.Icon, paper, frameIcon)
	letter := text.Initial(w.SiteName, w.Lang)
	name := w.Line(w.SiteName, w.TextStyle(128, 700), 0)
	if width, most := inkWidth(name), w.seen(frameNameW); width > most {
		name = w.Line(w.SiteName, w.TextStyle(max(.97*128*most/width, 64), 700), most)
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
			w.AddText(kit.Text{Item: kit.Item{Block: b, Role: kit.Monogram, Color: w.Theme.Ramp(.42, 1.05, 0)},
				X: float64(middle.X) - (b.Ink.X0+b.Ink.X1)/2, Y: float64(middle.Y) - (b.Ink.Y0+b.Ink.Y1)/2})
		}
	}
	w.Put(kit.Item{Block: name, Role: kit.Repeated, Color: kit.OneColor(w.background.Colors[8], ink).Text},
		float64(frameTileX), kit.Bottom, baseline)
}

// frameTones returns the gradient of the front window, and the color of a name in its center.
func frameTones(th *palette.Theme) (from, to, ink color.NRGBA) {
	return kit.ReadableRun(th,
		kit.Tone{L: .70, C: 1, DH: motif.BesideYellow(th.LCH.H, -25)},
		kit.Tone{L: .46, C: 1.05, DH: motif.BesideYellow(th.LCH.H, 20)}, .35, .75)
}

// inkWidth returns the width of a block's ink.
func inkWidth(b kit.Block) float64 {
	if b.Empty() {
		return 0
	}
	return b.Ink.X1 - b.Ink.X0
}
