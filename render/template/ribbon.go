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

// A fold of silk in the accent and its neighbors, with a loud title next to it.
//
// Background BG. The silk goes from the bottom of the card to its upper right, cut by three edges: strokes interpolated
// between two cubics, 15 px wide, lit in five half waves, their hue turning by 62° from one side to the other. The
// title is extra bold and set solid, at the upper left; where the silk is close, its lines are shorter. At the bottom:
// the icon and the host.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "ribbon", Name: "Ribbon", Mood: "A fold of silk, and a loud title.",
		GoodFor: "Announcements, launches, quotes and opinion", Needs: []string{"title"}, TextSide: "left", Bare: true,
	},
	BlogHero: ribbonHero,
	Sized:    []kit.Sized{{Format: kit.Header, Draw: ribbonHeader}, {Format: kit.Banner, Draw: ribbonHeader}},
})

func ribbonHero(c *kit.Card) {
	bg, site := c.BG(), kit.SiteOf(&c.Texts)
	canvas := c.Begin(paint.Solid(bg.Color))
	canvas.Levels(silkFor(c, kit.View{}, false), silkShades(&c.Theme), c.RTL)
	chip := kit.Surface{Color: c.Theme.Surface2, Text: c.Theme.Text, Muted: c.Theme.Muted, Accent: c.Theme.AccentText}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 128, Start: bg, End: chip, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 148, MaxH: kit.HeroLogoH}, Lower: kit.LogoLine{Middle: 764, MaxH: kit.HeroLogoH},
	})

	column := kit.Column{X: 128, Y: 128, W: 720, H: 560}
	if logo.Upper.HasLogo && !logo.AtEnd {
		column.Y, column.H, column.Under = 228, 460, 184
	}
	style := c.TitleStyle()
	style.Weight, style.LineHeight, style.Tracking = 800, 1, style.Tracking-.009
	ladder := text.Steps(2, 190, 168, 148).Then(5, 132, 116, 104, 92, 80)
	title := c.Fit(c.Title, style, text.Box{W: column.W, H: column.H}, ladder)
	if reachesSilk(title, column.Y) {
		title = c.Fit(c.Title, style, text.Box{W: silkNearW, H: column.H}, ladder)
	}
	c.PutColumn(column, kit.Item{Block: title, Role: kit.Title, Color: bg.Text})

	// At the bottom: the host. Next to a wordmark it may be dropped, but not truncated.
	foot := kit.Row{Span: logo.Lower.Span, Anchor: kit.Bottom, Y: 788, Gap: kit.BrandGap}
	foot.X1 = min(foot.X1, silkFootX)
	host := kit.RowItem{
		Text: cmp.Or(site.Host, site.Name), Style: c.TextStyle(34, 600), Role: kit.Repeated, Color: bg.Text, Address: true,
	}
	if b := c.Line(host.Text, host.Style, 0); foot.X0 > column.X && !b.Empty() && b.BoxWidth > foot.X1-foot.X0 {
		return
	}
	c.PutRow(foot, c.BrandIcon(bg, logo, 48), host)
}

// ribbonHeader draws a narrower fold at the end of lines.
func ribbonHeader(c *kit.Card) {
	bg, f := c.BG(), c.Format()
	canvas := c.Begin(paint.Solid(bg.Color))
	canvas.Levels(silkFor(c, kit.View{
		K: .62, From: paint.Point{X: 1080, Y: 450}, To: paint.Point{X: f.X1 + 270, Y: .5 * float64(c.H)},
	}, false), silkShades(&c.Theme), c.RTL)
	style := c.TitleStyle()
	style.Weight, style.LineHeight, style.Tracking = 800, 1, style.Tracking-.009
	putHeader(c, bg, kit.Heading{Style: style})
}

// Where the silk is close to the left half of the card.
const (
	silkNearY = 480 // from here down
	silkNearW = 640 // maximum width of a line
	silkFootX = 700 // end of the row at the bottom
)

// reachesSilk reports whether a title that begins at y has lines that are too close to the silk.
func reachesSilk(title kit.Block, y float64) bool {
	for _, l := range title.Lines {
		if y+l.Baseline > silkNearY && l.Width > silkNearW {
			return true
		}
	}
	return false
}

// Parameters of the silk.
const (
	silkStrokes  = 120
	silkWidth    = 15
	silkVariants = 8  // its variants: enough that neighbors in a list differ, few enough to be cached
	silkSway     = 40 // by which its control points move
	silkLeft     = 480
)

// silkKey is everything that the figure of a card's silk depends on.
type silkKey struct {
	variant       uint64
	tall, flipped bool
	size          image.Point // of a header
}

// silks caches the figures: 200 KB each, and 25 ms to draw.
var silks = cache.NewPart(cache.Pieces, func(_ silkKey, l *paint.Levels) int { return l.Bytes() })

// silkFor returns the silk of a card; flipped, it falls from the upper edge to the lower right.
func silkFor(c *kit.Card, v kit.View, flipped bool) *paint.Levels {
	key := silkKey{c.Seed % silkVariants, c.Tall, flipped, c.Sides}
	if l, ok := silks.Get(key); ok {
		return l
	}
	s := paint.Silk{
		From:    paint.Curve{{560, 1000}, {980, 760}, {900, 260}, {1700, -120}},
		To:      paint.Curve{{1240, 1080}, {1000, 420}, {1560, 640}, {1760, 300}},
		Strokes: silkStrokes, Width: silkWidth,
	}
	random := kit.Chances(key.variant)
	for i := range s.From {
		for j := range s.From[i] {
			sway := 0.0
			if i == 1 || i == 2 { // the ends stay beyond the edges
				sway = silkSway
			}
			s.From[i][j] += sway * (2*random() - 1)
			s.To[i][j] += sway * (2*random() - 1)
		}
		s.From[i][1] += c.Lowered()
		s.To[i][1] += c.Lowered()
		if flipped {
			s.From[i][1], s.To[i][1] = float64(c.H)-s.From[i][1], float64(c.H)-s.To[i][1]
		}
	}
	for i := range s.From {
		s.From[i] = [2]float64{v.X(s.From[i][0]), v.Y(s.From[i][1])}
		s.To[i] = [2]float64{v.X(s.To[i][0]), v.Y(s.To[i][1])}
	}
	l := s.Levels(image.Rect(silkLeft, 0, c.W, c.H))
	silks.Put(key, l)
	return l
}

// silkShades returns the colors of the strokes: waves of light over a slow turn of the hue.
func silkShades(th *palette.Theme) []color.NRGBA {
	low, span := .30, .46
	if !th.Dark {
		low, span = .58, .34
	}
	yellow := !th.Neutral && th.LCH.H >= yellowFrom && th.LCH.H <= yellowTo
	if yellow { // dark yellow looks muddy: its shade is amber instead
		low, span = .67, .23
	}
	shades := make([]color.NRGBA, silkStrokes)
	for i := range shades {
		k := float64(i) / float64(len(shades)-1)
		light := .5 + .5*math.Cos(5*math.Pi*k+.6)
		l, turn := low+span*light, besideYellow(th.LCH.H, -38+62*k)
		if yellow {
			turn = -25 + 27*light*(.5+.5*k)
		}
		shades[i] = th.Ramp(l, calmDark(th, l), turn)
	}
	return shades
}

// Hues of yellow, and how close shades of other hues may come: dark, they would look brown or olive.
const (
	yellowFrom, yellowTo = 50, 115
	brown, olive         = 38, 148
)

// besideYellow shortens a turn of a hue that would end in yellow.
func besideYellow(hue, turn float64) float64 {
	switch to := hue + turn; {
	case hue < yellowFrom && to > brown:
		return max(brown-hue, 0)
	case hue > yellowTo && to < olive:
		return min(olive-hue, 0)
	}
	return turn
}

// calmDark is the fraction of the accent's chroma in a dark shade of a gradient: [palette.Theme.Ramp] limits that of
// dark colors, which would leave a visible step in the gradient.
func calmDark(th *palette.Theme, l float64) float64 {
	const bound, from, full = .10, .35, .52
	if th.LCH.C <= bound || l >= full {
		return 1
	}
	least := bound / th.LCH.C
	return least + (1-least)*max(l-from, 0)/(full-from)
}
