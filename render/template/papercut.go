package template

import (
	"cmp"
	"image"
	"image/color"
	"math"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// A cavern cut from three sheets of paper, with the title at its end.
//
// The uppermost sheet is the accent, slightly turned; each opening is inside the previous one, a superellipse with a
// wavy edge, and shows a sheet that is darker, or on light cards lighter, and paler. The openings follow the words: the
// innermost is as much larger than they are as its edge needs. The light comes from the upper left: each sheet casts
// its shadow into its opening. The title is centered in the innermost, with the site's name below it. Logos are on a
// piece of the innermost paper. A picture is printed on the uppermost sheet, in its color, with the edges of two
// openings in front of it.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "papercut", Name: "Papercut", Mood: "A cavern of cut paper, with the title at its end.",
		GoodFor: "Stories, guides, culture and education", Needs: []string{"title", "siteName"}, TextSide: "center",
	},
	BlogHero: papercutHero,
	Sized:    []kit.Sized{{Format: kit.Square, Draw: papercutSquare}},
})

// paperPlace has the measures of a size, in the layout.
type paperPlace struct {
	x, y         float64 // center of the openings
	rx, ry       float64 // half of the smallest innermost one
	growX, growY float64 // for each of its sizes
	nextX, nextY float64 // for each opening around it
	titleW       float64
	titleH       float64
	middle       float64 // of the title
	ladder       text.Ladder
	margin       int
	upper, lower kit.LogoLine
}

var (
	paperHero = paperPlace{
		x: 800, y: 450, rx: 500, ry: 216, growX: 38, growY: 32, nextX: 112, nextY: 92, titleW: 900, titleH: 400, middle: 420,
		ladder: text.Steps(2, 164, 148).Then(3, 132, 116, 104).Then(4, 96, 84, 72), margin: 128,
		upper: kit.LogoLine{Middle: 160, MaxH: 56}, lower: kit.LogoLine{Middle: 752, MaxH: 56},
	}
	paperSquare = paperPlace{
		x: 540, y: 540, rx: 372, ry: 330, growX: 22, growY: 30, nextX: 84, nextY: 84, titleW: 680, titleH: 560, middle: 496,
		ladder: text.Steps(3, 132, 116, 104).Then(4, 96, 92).Then(5, 84, 76).Then(6, 72), margin: 84,
		upper: kit.LogoLine{Middle: 116, MaxH: 56}, lower: kit.LogoLine{Middle: 964, MaxH: 56},
	}
)

func papercutHero(c *kit.Card)   { drawPapercut(c, &paperHero) }
func papercutSquare(c *kit.Card) { drawPapercut(c, &paperSquare) }

func drawPapercut(c *kit.Card, at *paperPlace) {
	th, site := &c.Theme, kit.SiteOf(&c.Texts)
	paper := paperSurface(th)
	title, sheets := fitPapercut(c, at)

	c.Over(papercutBackdrop(th))
	canvas := c.Begin(paint.Solid(paperBackground(th)))
	canvas.Levels(paperFor(c, sheets), paperShades(th)[paperSteps*sheets.uncut():], false)
	logo := c.PlaceLogo(kit.Corners{
		Margin: at.margin, Start: paper, End: paper, ChipAtStart: true, ChipAtEnd: true, Upper: at.upper, Lower: at.lower,
	})

	placed := c.Put(kit.Item{Block: title, Role: kit.Title, Color: paper.Text}, at.x-at.titleW/2, kit.Middle, at.middle)
	name := c.Line(cmp.Or(site.Name, site.Host), c.TextStyle(paperName, 600), at.titleW-200)
	if placed.Empty() || name.Empty() || logo.Shown && logo.Wordmark() {
		return
	}
	y := max(placed.Y-c.Lowered()+title.Height+paperNameGap,
		placed.Bounds().Y1-c.Lowered()+kit.UnderGap+name.Height-name.Ink.Y0)
	c.Put(kit.Item{Block: name, Role: kit.Repeated, Color: paper.Accent}, at.x-name.BoxWidth/2, kit.Bottom, y)
}

// Measures of the text in the cavern.
const (
	paperName    = 40 // size of the site's name
	paperNameGap = 84 // from the last baseline of the title to that of the name
	paperClear   = 40 // between text and the edge of the paper
)

// fitPapercut lays out the title, and returns the openings around it.
func fitPapercut(c *kit.Card, at *paperPlace) (title kit.Block, sheets paperKey) {
	style := c.TitleStyle()
	style.LineHeight, style.Align = 1.04, text.Center
	for h := at.titleH; ; h *= .9 {
		title = c.Fit(c.Title, style, text.Box{W: at.titleW, H: h}, at.ladder)
		sheets = paperKey{at: at, variant: c.Seed % paperVariants, tall: c.Tall, printed: c.HasPicture()}
		if title.Empty() {
			return title, sheets
		}
		for sheets.size = range paperSizes {
			for sheets.calm = range paperCalms {
				if paperHolds(c, title, newCavern(sheets, 0)) {
					return title, sheets
				}
			}
		}
		if h < 150 {
			sheets.size, sheets.calm = paperSizes-1, paperCalms-1
			return title, sheets
		}
	}
}

// paperHolds reports whether a title, and the name below it, keep clear of the edge of the paper.
func paperHolds(c *kit.Card, title kit.Block, sheets cavern) bool {
	at := sheets.at
	top := at.middle - title.Height/2
	inside := func(x0, y0, x1, y1 float64) bool {
		for _, x := range [3]float64{x0 - paperClear, (x0 + x1) / 2, x1 + paperClear} {
			for _, y := range [2]float64{y0 - paperClear, y1 + paperClear} {
				if !sheets.holds(x, y) {
					return false
				}
			}
		}
		return true
	}
	for _, l := range title.Lines {
		x := at.x - at.titleW/2
		if !l.Ink.Empty() && !inside(x+l.Ink.X0, top+l.Ink.Y0, x+l.Ink.X1, top+l.Ink.Y1) {
			return false
		}
	}
	name := 11 * float64(min(len(c.SiteName), 20)) // about half of its width
	foot := top + title.Height + paperNameGap
	return inside(at.x-name, foot-30, at.x+name, foot)
}

// Parameters of the sheets.
const (
	paperSheets   = 3
	paperSteps    = 48 // shades of a sheet
	paperVariants = 4  // variants of the waves; see silkVariants
	paperSizes    = 5  // of the openings
	paperCalms    = 2  // levels of calm
	paperCalm     = .6
	paperExponent = 3.2
)

// cavern has the outlines of all openings.
type cavern struct {
	at       *paperPlace
	x, y     float64 // its center
	openings [paperSheets]struct {
		rx, ry float64
		waves  [3]float64 // phases
	}
	calm float64
}

// newCavern returns the outlines of a size and a variant, on a canvas that is higher than usual by twice down. The
// first opening is the outermost.
func newCavern(key paperKey, down float64) cavern {
	at := key.at
	s := cavern{at: at, x: at.x, y: at.y + down, calm: math.Pow(paperCalm, float64(key.calm))}
	turn := 1.6 * float64(key.variant)
	for i := range s.openings {
		o, n := &s.openings[i], float64(paperSheets-1-i)
		o.rx = at.rx + at.growX*float64(key.size) + at.nextX*n
		o.ry = at.ry + at.growY*float64(key.size) + at.nextY*n + down/2
		o.waves = [3]float64{1.3*n + turn, 2.1*n + 2*turn, n + 3*turn}
	}
	return s
}

// radius returns the distance of the n-th opening's edge from the center in a direction.
func (s *cavern) radius(n int, t float64) float64 {
	o, sin, cos := &s.openings[n], math.Abs(math.Sin(t)), math.Abs(math.Cos(t))
	r := math.Pow(math.Pow(cos/o.rx, paperExponent)+math.Pow(sin/o.ry, paperExponent), -1/paperExponent)
	wave := .035*math.Sin(3*t+o.waves[0]) + .025*math.Sin(5*t+o.waves[1]) + .012*math.Sin(9*t+o.waves[2])
	return r * (1 + s.calm*wave)
}

// holds reports whether a position is in all openings.
func (s *cavern) holds(x, y float64) bool {
	dx, dy := x-s.x, y-s.y
	at, t := math.Hypot(dx, dy), math.Atan2(dy, dx)
	for n := range s.openings {
		if at > s.radius(n, t) {
			return false
		}
	}
	return true
}

// outlines returns the openings as polygons.
func (s *cavern) outlines() (all [][][2]float64) {
	const points = 720
	for n := range s.openings {
		outline := make([][2]float64, points)
		for i := range outline {
			t := 2 * math.Pi * float64(i) / points
			r := s.radius(n, t)
			outline[i] = [2]float64{s.x + r*math.Cos(t), s.y + r*math.Sin(t)}
		}
		all = append(all, outline)
	}
	return all
}

// paperKey is everything that the figure of a card's sheets depends on.
type paperKey struct {
	at         *paperPlace
	variant    uint64
	size, calm int // from 0: the smallest openings, and the waviest
	tall       bool
	printed    bool
}

// uncut is how many openings are left uncut, so that more of the uppermost sheet is visible: one if it has a picture.
func (k *paperKey) uncut() int {
	if k.printed {
		return 1
	}
	return 0
}

// papers caches the figures: 320 KB each at most, and 30 ms to draw.
var papers = cache.NewPart(cache.Pieces, func(_ paperKey, l *paint.Levels) int { return l.Bytes() })

// paperFor returns the sheets of a card.
func paperFor(c *kit.Card, key paperKey) *paint.Levels {
	if l, ok := papers.Get(key); ok {
		return l
	}
	edges := newCavern(key, c.Lowered())
	sheets := paint.Sheets{
		Openings: edges.outlines()[key.uncut():], Sigma: 20, DX: 6, DY: 16, Steps: paperSteps,
	}
	l := sheets.Levels(image.Rect(0, 0, c.W, c.H))
	papers.Put(key, l)
	return l
}

// paperTones are lightness and chroma of the sheet in each opening, preceded by the uppermost one. Yellow has its own:
// tones between amber and black look muddy, and are omitted.
var (
	paperDark        = [paperSheets + 1][2]float64{{.56, 1}, {.47, .95}, {.35, .8}, {.22, .5}}
	paperLight       = [paperSheets + 1][2]float64{{.62, 1}, {.74, .85}, {.86, .5}, {.985, .05}}
	paperDarkYellow  = [paperSheets + 1][2]float64{{.82, 1}, {.71, .95}, {.30, .2}, {.185, .15}}
	paperLightYellow = [paperSheets + 1][2]float64{{.76, 1}, {.84, .9}, {.92, .5}, {.985, .06}}
)

// paperTone returns the color of the sheet in an opening, from 0; -1 is the uppermost sheet.
func paperTone(th *palette.Theme, n int) color.NRGBA {
	tones, turn := &paperLight, -14+14*float64(n)
	if th.Dark {
		tones = &paperDark
	}
	if !th.Neutral && th.LCH.H >= yellowFrom && th.LCH.H <= yellowTo {
		if tones, turn = &paperLightYellow, -18+7*float64(n); th.Dark {
			tones, turn = &paperDarkYellow, -8*float64(n+1)
		}
	}
	if n < 0 {
		turn = min(turn, -18)
	}
	return th.Ramp(tones[n+1][0], tones[n+1][1], besideYellow(th.LCH.H, turn))
}

func paperBackground(th *palette.Theme) color.NRGBA { return paperTone(th, -1) }

// paperSurface is the surface of the text: the innermost sheet.
func paperSurface(th *palette.Theme) kit.Surface {
	inner := paperTone(th, paperSheets-1)
	shaded := inner
	if !th.Dark { // text is clear of nearly all of the shadow, which only helps on dark paper
		shaded = mixed(inner, paperShadow(th), .04)
	}
	return kit.Surface{Color: inner, Text: th.Text, Muted: th.MutedOn(shaded), Accent: th.AccentTextOn(shaded)}
}

// paperShadow is the color of shadows, tinted, so that the paper below doesn't turn gray.
func paperShadow(th *palette.Theme) color.NRGBA { return th.Ramp(.12, .5, 0) }

// paperShades returns the shades of all sheets, each from full light to full shadow.
func paperShades(th *palette.Theme) []color.NRGBA {
	alpha := .30
	if th.Dark {
		alpha = .6
	}
	shades := make([]color.NRGBA, 0, paperSheets*paperSteps)
	for n := range paperSheets {
		sheet := paperTone(th, n)
		for k := range paperSteps {
			shades = append(shades, mixed(sheet, paperShadow(th), alpha*float64(k)/(paperSteps-1)))
		}
	}
	return shades
}

// mixed blends a part of one color over another, in sRGB, as for shadows.
func mixed(under, over color.NRGBA, part float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*part + .5) }
	return color.NRGBA{R: mix(under.R, over.R), G: mix(under.G, over.G), B: mix(under.B, over.B), A: 255}
}

// papercutBackdrop prints a picture on the uppermost sheet, in two tones of its color.
func papercutBackdrop(th *palette.Theme) kit.Backdrop {
	background := palette.ToLCH(paperBackground(th))
	dark, light := background, background
	dark.L, light.L = background.L-.16, min(background.L+.14, .96)
	return kit.Backdrop{
		Ink: paperBackground(th), Dark: dark.Color(), Light: light.Color(),
		Veil: func(_, _ float64) float64 { return .2 },
	}
}
