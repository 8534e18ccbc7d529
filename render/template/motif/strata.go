package motif

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
)

// Beds are fifteen beds of rock, broken by a fault: where they are, in the layout.
type Beds struct {
	Top   float64 // about where the uppermost begins
	Fault float64 // x of the fault at the upper edge
	Throw float64 // by which the beds behind it are higher
	Waves float64 // height of those of the edges, as a fraction of those of a hero
}

// Measures of the beds.
const (
	strataCount    = 15
	strataLean     = .36 // of the fault, to the left for each pixel down
	strataClear    = 40  // between a text and the beds
	strataSink     = 20  // steps by which they are lower for that
	strataMaxSink  = 12
	strataVariants = 4
	strataStep     = 8   // between two points of an edge
	yellowRock     = -24 // turn of a yellow: sandstone, not olive
)

// BedTones returns the colors of the beds, from the uppermost on: neighbors differ, and deeper ones are darker.
func BedTones(th *palette.Theme) (beds [strataCount]color.NRGBA) {
	uneven := [8]float64{0, .30, -.22, .18, -.30, .12, .26, -.14}
	for i := range beds {
		k := float64(i) / (strataCount - 1)
		l := kit.ByMode(th.Dark, .70, .66) - kit.ByMode(th.Dark, .44, .34)*k + kit.ByMode(th.Dark, .34, .36)*uneven[i%8]
		l = min(max(l, kit.ByMode(th.Dark, .20, .30)), kit.ByMode(th.Dark, .82, .92))
		turn := BesideYellow(th.LCH.H, -30+44*k)
		if th.Yellow() {
			turn = yellowRock
		}
		if hue := th.LCH.H + turn; !th.Neutral && hue >= YellowFrom && hue <= YellowTo {
			l = max(l, .47) // a darker one is mud
		}
		beds[i] = th.Ramp(l, .55+.5*k, turn)
	}
	return beds
}

// edge returns the upper edge of a bed at a depth, left of the fault.
func (p *Beds) edge(depth, x float64) float64 {
	waves := 46*math.Sin(x/360+1.2)*math.Exp(-depth/900) + 20*math.Sin(x/150+depth/160) - .03*(x-800)
	return p.Top + depth + p.Waves*waves
}

// faultAt returns the x of the fault at a height.
func (p *Beds) faultAt(y float64) float64 { return p.Fault - strataLean*y }

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

// Draw draws the beds, as low as the placed texts need.
func (p *Beds) Draw(c *kit.Card, beds [strataCount]color.NRGBA) {
	variant, sunk := int(c.Seed%strataVariants), 0
	for sunk < strataMaxSink && !p.clears(c, float64(sunk*strataSink)) {
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
				return p.bedMask(c, depths[i]+down, depths[i+1]+down, behind == 1)
			}), tone)
		}
	}
}

// clears reports whether the placed texts keep clear of beds that sink.
func (p *Beds) clears(c *kit.Card, sunk float64) bool {
	for _, placed := range c.PlacedTexts() {
		for _, line := range placed.Lines {
			box := placed.Box(line.Ink)
			for x := box.Min.X - strataClear; x < box.Max.X+strataClear; x += strataStep {
				at := c.MotifX(float64(x))
				edge := p.edge(0, at)
				if at > p.faultAt(edge) {
					edge -= p.Throw
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
func (p *Beds) bedMask(c *kit.Card, from, to float64, behind bool) *image.Alpha {
	const under = 3
	lift, start := 0.0, -strataStep
	if behind {
		lift = p.Throw
	}
	edge := func(depth float64) (points [][2]float64) {
		for x := start; x <= c.W+strataStep; x += strataStep {
			y := p.edge(depth, float64(x)) - lift
			if behind && float64(x) < p.faultAt(y) {
				if next := p.edge(depth, float64(x+strataStep)) - lift; float64(x+strataStep) >= p.faultAt(next) {
					points = append(points, [2]float64{p.faultAt(y), y})
				}
				continue
			}
			points = append(points, [2]float64{float64(x), y})
		}
		return points
	}
	upper, lower := edge(from), edge(to+under)
	top, bottom := float64(c.H), 0.0
	for _, at := range upper {
		top = min(top, at[1])
	}
	for _, at := range lower {
		bottom = max(bottom, at[1])
	}
	box := image.Rect(0, int(top)-1, c.W, min(int(bottom)+2, c.H))
	if box.Empty() {
		return image.NewAlpha(image.Rectangle{})
	}
	return paint.PathMask(box, func(g *gg.Context) {
		for _, at := range upper {
			g.LineTo(c.MotifX(at[0]), at[1])
		}
		for i := range lower {
			at := lower[len(lower)-1-i]
			g.LineTo(c.MotifX(at[0]), at[1])
		}
		g.ClosePath()
		g.Fill()
	})
}
