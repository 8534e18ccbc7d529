package template

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// Show the thing: two windows that lean away from the words, cut by the right and the lower edge.
//
// Ground: a diagonal of two neighbours of the accent, deep on a dark card, pale on a light one. In the front window is
// the page's own picture, or the one that the card is drawn over; else the brand: a white tile with the icon on a
// bright diagonal, and the name of the site. The title has the column beside it, and a description where that is free.
var _ = register(Template{
	Info: Info{
		Slug: "frame", Name: "Frame", Mood: "Show the thing.",
		GoodFor: "Product pages, apps, features and anything with a screenshot", Needs: []string{"title", "picture", "icon"},
		TextSide: "left", Photo: []Kind{OG}, AnyPhoto: true,
	},
	OG: frameOG,
})

func frameOG(c *Card) {
	const columnEnd = 520
	th := &c.Theme
	turn := besideYellow(th.LCH.H, 20)
	if th.Yellow() { // to amber, not to khaki
		turn = -20
	}
	from := th.Ramp(light(th.Dark, .30, .93), light(th.Dark, .8, .35), besideYellow(th.LCH.H, -20))
	to := th.Ramp(light(th.Dark, .20, .84), .6, turn)
	on := c.On(from)
	if worst := c.On(to); palette.Contrast(to, th.Text) < palette.Contrast(from, th.Text) {
		on = worst
	}
	c.Over(Backdrop{Redrawn: true})
	angle := paint.DownRight
	if c.RTL {
		from, to, angle = to, from, paint.UpRight
	}
	c.softLight = true // windows that lean are small as a JPEG alone
	c.Ground(paint.Linear{Angle: angle, Colors: palette.Gradient(from, to)})
	if !c.HasPicture() || c.over.laidOut {
		drawFrameWindows(c)
	}

	chip := Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	logo := c.PlaceLogo(Corners{
		Margin: 72, Start: on, End: chip, ChipAtEnd: true, Upper: LogoLine{92, logoH}, Lower: LogoLine{546, logoH},
	})
	logo.Upper.X1 = min(logo.Upper.X1, columnEnd)
	// Where a window says the name, the head says where the page is.
	putBrandRow(c, brandRow{on: on, logo: logo, row: logo.Upper, middle: 92, side: 40, hostSaid: true})

	column := Column{X: 72, Y: 170, W: columnEnd - 72, H: 350, Anchor: Middle, Gap: 40, Under: 124, Foot: 528}
	if logo.Lower.HasLogo && !logo.AtEnd {
		column.H, column.Foot = 320, 500
	}
	style := c.TitleStyle()
	style.LineHeight = 1.06
	c.PutHeading(on, column, Heading{
		Style: style, Ladder: text.Steps(2, 104, 92).Then(3, 84).Then(4, 76, 68, 60).Then(5, 54, 50),
		Description: Description{SizePx: 28, W: column.W, Lines: 3, MaxTitleLines: 3},
	})
}

// Figures of the windows, in the layout before they are turned.
const (
	frameTurnX, frameTurnY = 860, 400
	frameLean              = -8 * math.Pi / 180
	frameRadius, frameBar  = 22, 60
)

// frameBack and frameFront are the windows.
var (
	frameBack  = image.Rect(668, 58, 1428, 618)
	frameFront = image.Rect(604, 128, 1364, 748)
)

// frameTurn is the turn of the windows, mirrored with them.
func frameTurn(c *Card) paint.Turn {
	t := paint.Turn{X: c.MotifX(frameTurnX), Y: frameTurnY, Angle: frameLean}
	if c.RTL {
		t.Angle = -frameLean
	}
	return t
}

// frameMasks are the coverages of the windows: they are the same on all cards of a direction.
type frameMasks struct {
	near, far, back, body *image.Alpha
	backNear, backFar     *image.Alpha
}

// frames keeps the masks of both directions: 2.8 MB each.
var frames = cache.NewPart(cache.Pieces, func(_ bool, m *frameMasks) (n int) {
	for _, a := range []*image.Alpha{m.near, m.far, m.back, m.body, m.backNear, m.backFar} {
		n += len(a.Pix)
	}
	return n
})

func framesFor(c *Card) *frameMasks {
	if m, ok := frames.Get(c.RTL); ok {
		return m
	}
	shape := func(r image.Rectangle) *image.Alpha {
		const beyond = paint.ShadowReach*farSigma + farDown // what casts shadows onto the card
		return paint.PathMask(image.Rect(0, 0, c.W, c.H).Inset(-beyond), func(g *gg.Context) {
			t := frameTurn(c)
			g.RotateAbout(t.Angle, t.X, t.Y)
			b := c.MotifRect(r.Min.X, r.Min.Y, r.Dx(), r.Dy())
			g.DrawRoundedRectangle(float64(b.Min.X), float64(b.Min.Y), float64(b.Dx()), float64(b.Dy()), frameRadius)
			g.Fill()
		})
	}
	m := &frameMasks{}
	crop := func(a *image.Alpha) *image.Alpha { return closeMask(a, image.Rect(0, 0, c.W, c.H)) }
	shadow := func(shape *image.Alpha, sigma float64, down int) *image.Alpha {
		blurred := paint.Blur(shape, sigma)
		blurred.Rect = blurred.Rect.Add(image.Pt(0, down))
		return crop(blurred)
	}
	back, front := shape(frameBack), shape(frameFront)
	m.back, m.body = crop(back), crop(front)
	m.near, m.far = shadow(front, nearSigma, nearDown), shadow(front, farSigma, farDown)
	m.backNear, m.backFar = shadow(back, nearSigma, nearDown), shadow(back, farSigma, farDown)
	for _, under := range []*image.Alpha{m.near, m.far, m.back, m.backNear, m.backFar} {
		uncover(under, m.body)
	}
	frames.Put(c.RTL, m)
	return m
}

// uncover takes from a mask what an opaque one hides.
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

// closeMask returns the part of a mask within a rectangle that covers anything.
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

// drawFrameWindows draws the two windows, and what is in the front one.
func drawFrameWindows(c *Card) {
	th, m := &c.Theme, framesFor(c)
	near, far := raisedShadows(th)
	shadow := func(a *image.Alpha, ink color.NRGBA) { c.canvas.SoftMask(a.Rect.Min.X, a.Rect.Min.Y, a, ink) }
	shadow(m.backFar, far)
	shadow(m.backNear, near)
	c.canvas.Mask(m.back.Rect.Min.X, m.back.Rect.Min.Y, m.back,
		th.Ramp(light(th.Dark, .36, .88), light(th.Dark, .6, .4), besideYellow(th.LCH.H, -5)))
	shadow(m.far, far)
	shadow(m.near, near)
	w := frameContent(c)
	at := c.MotifRect(frameFront.Min.X, frameFront.Min.Y, w.W/2, w.H/2).Min
	c.canvas.Turned(w.canvas.Image().(*image.RGBA), at, frameTurn(c), m.body)
	w.canvas.Release()
}

// frameW and frameH are how much of the front window may be seen, in the layout.
const frameW, frameH = 650, 590

// frameContent draws the front window upright, twice as large as it will be seen: a card of its own.
func frameContent(c *Card) *Card {
	th := &c.Theme
	w := &Card{Spec: c.Spec, W: 2 * frameW, H: 2 * frameH, engine: c.engine, t: c.t}
	w.RTL, w.Background = c.RTL, nil
	bar, dot := th.Surface1, th.Ramp(light(th.Dark, .42, .80), .5, 0)
	if !th.Dark {
		bar = palette.RGB(0xFFFFFF)
	}
	content := w.MotifRect(0, 2*frameBar, w.W, w.H-2*frameBar)
	if c.HasPicture() {
		spec := paint.PlateSpec{W: content.Dx(), H: content.Dy(), Softness: c.over.soft}
		if !c.ofPage { // a screenshot begins at its upper left
			spec.Tone.Accent = th.Accent
			spec.AtX, spec.AtY = paint.Focus(c.Background, spec.W, spec.H, nil)
		}
		plate := paint.NewPlate(c.Background, spec)
		w.canvas = paint.NewOver(plate, content.Min, paint.NewVeil(w.W, w.H), bar)
		w.canvas.Upgrade()
	} else {
		from, to, ink := frameTones(th)
		angle := paint.DownRight
		if c.RTL {
			from, to, angle = to, from, paint.UpRight
		}
		w.canvas = paint.NewRGBA(w.W, w.H, paint.Linear{Angle: angle, Colors: palette.Gradient(from, to)})
		drawFrameBrand(w, oneColor(palette.Gradient(from, to)[8], ink))
	}
	w.canvas.Fill(w.MotifRect(0, 0, w.W, 2*frameBar), bar)
	for i := range 3 {
		w.canvas.Disc(w.MotifX(float64(2*(dotAt+i*dotStep))), frameBar, 2*dotRadius, dot)
	}
	if host := siteOf(&c.Texts).host; host != "" {
		on := c.On(bar)
		b := w.TruncateMiddle(host, w.TextStyle(52, 400), 640)
		w.Put(Item{b, Repeated, on.Muted}, 300, Middle, frameBar)
	}
	w.DrawTexts()
	return w
}

// Figures of the brand in the front window, at twice the size.
const (
	frameTile, frameTileRadius = 300, 72
	frameTileX, frameTileY     = 2 * (700 - 604), 2 * (290 - 128)
	frameNameY                 = 2 * (530 - 128)
	frameNameW                 = 880
)

// drawFrameBrand draws a white tile with what stands for the site, and its name under it.
func drawFrameBrand(w *Card, on Surface) {
	white := palette.RGB(0xFFFFFF)
	tile := w.MotifRect(frameTileX, frameTileY, frameTile, frameTile)
	paper := Surface{Color: white, Text: w.Theme.Ramp(.21, .2, 0), Muted: w.Theme.Ramp(.46, .2, 0)}
	icon, ok := fitLogo(w.Icon, paper, 192, 192)
	letter := text.Initial(w.SiteName, w.Lang)
	name := w.Line(w.SiteName, w.TextStyle(128, 700), 0)
	if width := name.inkWidth(); width > frameNameW {
		st := w.TextStyle(max(.97*128*frameNameW/width, 64), 700)
		name = w.Line(w.SiteName, st, frameNameW)
	}
	x, baseline := float64(frameTileX), float64(frameNameY)
	if ok || letter != 0 {
		w.canvas.Shadow(tile, frameTileRadius, 40, 24, palette.Fade(palette.RGB(0), .28))
		w.canvas.RoundRect(tile, frameTileRadius, white)
	} else {
		baseline = frameTileY + frameTile/2
	}
	middle := tile.Min.Add(tile.Max).Div(2)
	switch {
	case ok:
		w.drawLogo(icon, image.Rect(0, 0, icon.W, icon.H).Add(middle.Sub(image.Pt(icon.W/2, icon.H/2))))
	case letter != 0:
		st := text.Style{Family: text.Inter, Weight: 700, SizePx: 176, Exact: true, Lang: w.Lang}
		b := w.Line(string(letter), st, 0)
		if !b.Empty() {
			ink := w.Theme.Ramp(.42, 1.05, 0)
			w.texts = append(w.texts, Placed{Item: Item{b, Monogram, ink},
				X: float64(middle.X) - (b.Ink.X0+b.Ink.X1)/2, Y: float64(middle.Y) - (b.Ink.Y0+b.Ink.Y1)/2})
		}
	}
	w.Put(Item{name, Repeated, on.Text}, x, Bottom, baseline)
}

// frameTones returns the gradient of the front window, and the colour of a name on its middle.
func frameTones(th *palette.Theme) (from, to, ink color.NRGBA) {
	return readableRun(th,
		tone{.70, 1, besideYellow(th.LCH.H, -25)}, tone{.46, 1.05, besideYellow(th.LCH.H, 20)}, .35, .75)
}
