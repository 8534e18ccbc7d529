package template

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// A cut through the earth: fifteen beds of rock under a clear sky, broken by one fault. The title is in the sky; the
// beds are lower where it needs more room.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "strata", Name: "Strata", Mood: "A cut through the earth: beds of rock under a clear sky.",
		GoodFor: "Essays, travel and annual letters", Needs: []string{"title"}, TextSide: "left", Bare: true,
	},
	BlogHero: strataHero,
})

func strataHero(c *kit.Card) {
	th := &c.Theme
	sky := palette.Gradient(
		th.Ramp(kit.ByMode(th.Dark, .17, .975), kit.ByMode(th.Dark, .45, .1), kit.ByMode(th.Dark, 10, 0)),
		th.Ramp(kit.ByMode(th.Dark, .30, .93), kit.ByMode(th.Dark, .7, .3), kit.ByMode(th.Dark, 0, -10)))
	on := c.On(sky[len(sky)-1])

	// A logo above the title moves nothing: it is in the row of the site.
	style := c.TitleStyle()
	style.LineHeight = 1.05
	c.PutHeading(on, kit.Column{X: 128, Y: 212, W: 1344, H: 310, Gap: 48, Under: 180}, kit.Heading{
		Style: style, Ladder: text.Steps(2, 140, 124, 108, 96).Then(3, 96),
		Description: kit.Description{SizePx: 36, W: 1080, Lines: 1, MaxTitleLines: 2},
	})
	beds := strataBeds(th)
	c.Begin(paint.Linear{Angle: paint.Down, Colors: sky, To: strataTop + int(c.Lowered())}, beds[:]...)
	drawBeds(c, beds)

	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.MutedOn(th.Surface2), Accent: th.AccentTextOn(th.Surface2)}
	corner := on
	if c.Corner.Bottom {
		corner = chip
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 128, Start: corner, End: corner, ChipAtStart: c.Corner.Bottom, ChipAtEnd: c.Corner.Bottom,
		Upper: kit.LogoLine{Middle: 148, MaxH: 64}, Lower: kit.LogoLine{Middle: 764, MaxH: kit.HeroLogoH},
	})
	kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: logo.Upper, Middle: 144, Side: 48})
}

// Measures of the beds, in the layout.
const (
	strataCount    = 15
	strataTop      = 560 // about where the uppermost begins
	strataFault    = 1290
	strataLean     = .36 // of the fault, to the left for each pixel down
	strataThrow    = 96  // by which the beds behind the fault are higher
	strataClear    = 40  // between a text and the beds
	strataSink     = 20  // steps by which they are lower for that
	strataMaxSink  = 12
	strataVariants = 4
	strataStep     = 8   // between two points of an edge
	yellowRock     = -24 // turn of a yellow: sandstone, not olive
)

// strataBeds returns the colors of the beds, from the uppermost on: neighbors differ, and deeper ones are darker.
func strataBeds(th *palette.Theme) (beds [strataCount]color.NRGBA) {
	uneven := [8]float64{0, .30, -.22, .18, -.30, .12, .26, -.14}
	for i := range beds {
		k := float64(i) / (strataCount - 1)
		l := kit.ByMode(th.Dark, .70, .66) - kit.ByMode(th.Dark, .44, .34)*k + kit.ByMode(th.Dark, .34, .36)*uneven[i%8]
		l = min(max(l, kit.ByMode(th.Dark, .20, .30)), kit.ByMode(th.Dark, .82, .92))
		turn := besideYellow(th.LCH.H, -30+44*k)
		if th.Yellow() {
			turn = yellowRock
		}
		if hue := th.LCH.H + turn; !th.Neutral && hue >= yellowFrom && hue <= yellowTo {
			l = max(l, .47) // a darker one is mud
		}
		beds[i] = th.Ramp(l, .55+.5*k, turn)
	}
	return beds
}

// strataEdge returns the upper edge of a bed at a depth, left of the fault.
func strataEdge(depth, x float64) float64 {
	return strataTop + depth + 46*math.Sin(x/360+1.2)*math.Exp(-depth/900) + 20*math.Sin(x/150+depth/160) - .03*(x-800)
}

// faultAt returns the x of the fault at a height.
func faultAt(y float64) float64 { return strataFault - strataLean*y }

// strataDepths returns where the beds of a variant begin, and where the last one ends: below every card.
func strataDepths(variant int) (depths [strataCount + 1]float64) {
	random := kit.Chances(uint64(variant))
	for i := range strataCount {
		thick := 12 + 34*math.Pow(random(), 2)
		if i%4 == 3 {
			thick += 18
		}
		depths[i+1] = depths[i] + thick
	}
	depths[strataCount] = max(depths[strataCount], 1000)
	return depths
}

// drawBeds draws the beds, as low as the placed texts need.
func drawBeds(c *kit.Card, beds [strataCount]color.NRGBA) {
	variant, sunk := int(c.Seed%strataVariants), 0
	for sunk < strataMaxSink && !strataClears(c, float64(sunk*strataSink)) {
		sunk++
	}
	depths := strataDepths(variant)
	down := c.Lowered() + float64(sunk*strataSink)
	for behind := range 2 {
		for i, tone := range beds {
			key := kit.StencilKey{
				Figure: "strata", Variant: (variant*strataMaxSink+sunk)*100 + behind*50 + i, W: c.W, H: c.H, RTL: c.RTL,
			}
			c.Canvas().Stencil(kit.Stencil(key, func() *image.Alpha {
				return bedMask(c, depths[i]+down, depths[i+1]+down, behind == 1)
			}), tone)
		}
	}
}

// strataClears reports whether the placed texts keep clear of beds that sink.
func strataClears(c *kit.Card, sunk float64) bool {
	for _, p := range c.Placed() {
		for _, line := range p.Lines {
			box := p.Box(line.Ink)
			for x := box.Min.X - strataClear; x < box.Max.X+strataClear; x += strataStep {
				at := c.MotifX(float64(x))
				edge := strataEdge(0, at)
				if at > faultAt(edge) {
					edge -= strataThrow
				}
				if edge+sunk+c.Lowered() < float64(box.Max.Y+strataClear) {
					return false
				}
			}
		}
	}
	return true
}

// bedMask returns the coverage of a bed between two depths, in front of the fault or behind it. It reaches a little
// under the next one, so that nothing shines through between them.
func bedMask(c *kit.Card, from, to float64, behind bool) *image.Alpha {
	const under = 3
	lift, start := 0.0, -strataStep
	if behind {
		lift = strataThrow
	}
	edge := func(depth float64) (points [][2]float64) {
		for x := start; x <= c.W+strataStep; x += strataStep {
			y := strataEdge(depth, float64(x)) - lift
			if behind && float64(x) < faultAt(y) {
				if next := strataEdge(depth, float64(x+strataStep)) - lift; float64(x+strataStep) >= faultAt(next) {
					points = append(points, [2]float64{faultAt(y), y})
				}
				continue
			}
			points = append(points, [2]float64{float64(x), y})
		}
		return points
	}
	upper, lower := edge(from), edge(to+under)
	top, bottom := float64(c.H), 0.0
	for _, p := range upper {
		top = min(top, p[1])
	}
	for _, p := range lower {
		bottom = max(bottom, p[1])
	}
	box := image.Rect(0, int(top)-1, c.W, min(int(bottom)+2, c.H))
	if box.Empty() {
		return image.NewAlpha(image.Rectangle{})
	}
	return paint.PathMask(box, func(g *gg.Context) {
		for _, p := range upper {
			g.LineTo(c.MotifX(p[0]), p[1])
		}
		for i := range lower {
			p := lower[len(lower)-1-i]
			g.LineTo(c.MotifX(p[0]), p[1])
		}
		g.ClosePath()
		g.Fill()
	})
}
