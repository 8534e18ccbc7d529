package template

import (
	"image"
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

func (m *frameMasks) all() []*image.Alpha {
	return []*image.Alpha{m.near, m.far, m.back, m.body, m.backNear, m.backFar}
}

// frames keeps the masks of both directions: 2.8 MB each.
var frames = cache.NewPart(cache.Pieces, func(_ bool, m *frameMasks) (n int) {
	for _, a := range m.all() {
		n += len(a.Pix)
	}
	return n
})

func framesFor(c *Card) *frameMasks {
	if m, ok := frames.Get(c.RTL); ok {
		return m
	}
	card := image.Rect(0, 0, c.W, c.H)
	draw := func(r image.Rectangle) func(g *gg.Context) {
		return func(g *gg.Context) {
			t := frameTurn(c)
			g.RotateAbout(t.Angle, t.X, t.Y)
			b := c.MotifRect(r.Min.X, r.Min.Y, r.Dx(), r.Dy())
			g.DrawRoundedRectangle(float64(b.Min.X), float64(b.Min.Y), float64(b.Dx()), float64(b.Dy()), frameRadius)
			g.Fill()
		}
	}
	masks := func(r image.Rectangle) (body, near, far *image.Alpha) {
		const beyond = paint.ShadowReach*nearSigma + nearDown // what casts the near shadow onto the card
		shape := paint.PathMask(card.Inset(-beyond), draw(r))
		near = paint.Blur(shape, nearSigma)
		near.Rect = near.Rect.Add(image.Pt(0, nearDown))
		far = paint.SoftPath(card.Sub(image.Pt(0, farDown)), farSigma, draw(r))
		far.Rect = far.Rect.Add(image.Pt(0, farDown))
		return closeMask(shape, card), closeMask(near, card), closeMask(far, card)
	}
	m := &frameMasks{}
	m.back, m.backNear, m.backFar = masks(frameBack)
	m.body, m.near, m.far = masks(frameFront)
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
