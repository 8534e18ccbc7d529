package template

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// A project at a glance.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "repo", Name: "Repo", Mood: "A project as a city.",
		GoodFor: "Code repositories, libraries and developer tools", Needs: []string{"repository"}, TextSide: "left",
		Bare: true, Fallback: []string{"editorial"},
	},
	OG: repoOG,
	Lacks: func(c *kit.Card) string {
		switch {
		case c.Owner == "" || c.Repo == "":
			return "repository"
		case c.Project == kit.Project{}:
			return "language, stars or license of the repository"
		}
		return ""
	},
})

// repoOG draws the name of a project, and its owner, next to its own skyline.
func repoOG(c *kit.Card) {
	bg := c.BG()
	c.Begin(paint.Solid(bg.Color))
	heading := kit.Heading{
		Title: c.Repo, Style: c.TitleStyle(), MaxH: 236,
		Ladder:      text.Steps(2, 132, 116, 100, 88, 76).Then(3, 64, 60),
		Description: kit.Description{SizePx: 28, W: 430, Lines: 2},
	}
	heading.Style.LineHeight = 1
	column, down := kit.Column{X: 72, Y: 172, W: 620, H: 298, Gap: 44, Under: 128}, 0.0
	if b := c.Fit(c.Repo, heading.Style, text.Box{W: column.W, H: heading.MaxH}, heading.Ladder); len(b.Lines) > 1 {
		whole := text.Steps(1, 116, 104, 92, 84, 76) // over the skyline
		one := c.Fit(c.Repo, heading.Style, text.Box{W: repoWide, H: repoHigh}, whole)
		if len(one.Lines) == 1 && !one.Truncated && one.Width <= repoWide {
			column.W, heading.Ladder, heading.MaxH, down = repoWide, whole, repoHigh, repoDown
		}
	}
	drawSkyline(c, down)
	end := bg
	if c.Corner.Bottom {
		end = kit.Surface{Color: c.Theme.Surface2, Text: bg.Text, Muted: bg.Muted, Accent: bg.Accent}
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: end, ChipAtEnd: c.Corner.Bottom,
		Upper: kit.LogoLine{Middle: 100, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})

	row := kit.Row{Span: logo.Upper.Span, Anchor: kit.Middle, Y: 100, Gap: 20}
	if logo.Upper.HasLogo && !logo.AtEnd {
		row.X0 = float64(logo.X+logo.W) + row.Gap
	}
	c.PutRow(row, c.BrandIcon(bg, logo, 56), kit.RowItem{
		Text: c.Owner + "\u00a0/", Style: c.TextStyle(36, 400), Role: kit.Repeated, Color: bg.Muted, MaxW: 620,
	})

	baseline := 522.0
	if logo.Lower.HasLogo && !logo.AtEnd {
		baseline, column.H = baseline-44, column.H-44
	}
	c.PutHeading(bg, column, heading)
	putProject(c, bg, baseline)
}

// Measures of repo, in the layout.
const (
	repoWide     = 1056 // of a name on one line
	repoHigh     = 112  // its height
	repoDown     = 48   // by how much the skyline is lower under it
	projectGap   = 34   // between two facts
	projectReach = 480  // width of the row of facts
)

// putProject places what the page says about the repository: its language, its stars and its license, as far as there
// is room.
func putProject(c *kit.Card, bg kit.Surface, baseline float64) {
	x, middle := 72.0, baseline-10
	put := func(s string, st text.Style, ink color.NRGBA, mark float64) (ok bool) {
		b := c.Line(s, st, 0)
		if b.Empty() || x+mark+b.BoxWidth > 72+projectReach {
			return false
		}
		c.Put(kit.Item{Block: b, Role: kit.Essential, Color: ink}, x+mark, kit.Bottom, baseline)
		x += mark + b.BoxWidth + projectGap
		return true
	}
	const dot, star = 30, 38 // widths of the marks before a text
	at := x
	if put(c.Project.Language, c.TextStyle(28, 400), bg.Text, dot) {
		c.Canvas().Disc(c.MotifX(at+9), middle, 9, c.BarOn(bg.Color))
	}
	at = x
	if put(c.Project.StarsShort(), c.TextStyle(30, 700), bg.Text, star) {
		cx := c.MotifX(at + 14)
		box := image.Rect(int(cx)-18, int(middle)-18, int(cx)+18, int(middle)+18)
		c.Canvas().Path(box, c.BarOn(bg.Color), func(g *gg.Context) {
			starPath(g, cx, middle, 15)
			g.Fill()
		})
	}
	put(c.Project.License, c.TextStyle(28, 400), bg.Muted, 0)
}

// Parameters of the skyline. Columns are on a grid seen from above and from a corner.
const (
	skylineSide           = 13 // columns per side
	skylineX, skylineY    = 905, 330
	skylineW, skylineH    = 33, 19 // half of a tile
	skylineGap            = 1      // half of the gap between two
	skylineLow            = 10     // the lowest column
	skylineHigh           = 189    // by which the highest is higher
	skylineShades         = 8
	skylineLeft           = 740 // x up to which columns stay below the texts
	skylineUnder          = 440 // y that they stay below
	skylineFacts          = 536 // … beside the row of facts
	skylineSharp          = 2.2 // few are high
	skylineNear, skylineK = 1.15, 14.0
)

// drawSkyline draws the columns from back to front; their heights depend on the seed of the page.
func drawSkyline(c *kit.Card, down float64) {
	r := rand.New(rand.NewPCG(c.Seed, 0))
	var faces [skylineShades][3]color.NRGBA // top, left and right
	for i := range faces {
		faces[i] = skylineFaces(&c.Theme, float64(i)/(skylineShades-1))
	}
	for i := range skylineSide {
		for j := range skylineSide {
			middle := (skylineSide - 1) / 2.0
			near := skylineNear - math.Abs(float64(i)-middle)/skylineK - math.Abs(float64(j)-middle)/skylineK
			shade := math.Round(min(math.Pow(r.Float64(), skylineSharp)*near, 1) * (skylineShades - 1))
			x, y := float64(skylineX+skylineW*(i-j)), float64(skylineY+skylineH*(i+j))+down
			high := skylineLow + skylineHigh*shade/(skylineShades-1)
			if x-skylineW < skylineLeft {
				under := float64(skylineUnder)
				if x-skylineW < 72+projectReach+projectGap {
					under = skylineFacts
				}
				high = min(high, max(y-skylineH-under, skylineLow))
				shade = min(shade, math.Ceil((high-skylineLow)/skylineHigh*(skylineShades-1)))
			}
			drawColumn(c, x, y, high, faces[int(shade)])
		}
	}
}

// skylineFaces returns the colors of a column of a height, 0 to 1, under a light from the upper left.
func skylineFaces(th *palette.Theme, v float64) [3]color.NRGBA {
	k := math.Pow(v, .6)
	l, chroma, dh := .90-.38*k, .35+.75*k, -14*v
	if th.Dark {
		l = .30 + .48*k
	}
	left, right, turn := l-.06, l-.15, 8.0
	if th.Yellow() { // a darker yellow turns to orange, otherwise it looks olive; an even darker one is gray
		dh, turn = -22, 0
		if !th.Dark { // gold, not bronze
			l = .92 - .20*k
			left, right = l-.08, l-.19
		}
	}
	return [3]color.NRGBA{th.Ramp(l, chroma, dh), th.Ramp(left, chroma, dh), th.Ramp(right, chroma, dh+turn)}
}

// drawColumn draws a column whose base is at a position of the layout: its outline in the color of the left face, and
// the other two over it, so that nothing shines through at their edges. Columns of the same height share a shape.
func drawColumn(c *kit.Card, x, y, high float64, faces [3]color.NRGBA) {
	const w, h = skylineW - skylineGap, skylineH - skylineGap
	at := func(dx, dy float64) paint.Point { return paint.Point{X: dx, Y: dy} }
	for i, corners := range [3][]paint.Point{
		{at(-w, -high), at(0, -high-h), at(w, -high), at(w, 0), at(0, h), at(-w, 0)},
		{at(-w, -high), at(0, -high-h), at(w, -high), at(0, h-high)},
		{at(0, h-high), at(w, -high), at(w, 0), at(0, h)},
	} {
		face := kit.Stencil(kit.StencilKey{Figure: "repo", Variant: i, Size: high}, func() *image.Alpha {
			return paint.ConvexMask(corners...)
		})
		c.Canvas().Stencil(face.Add(image.Pt(int(c.MotifX(x)), int(y))), faces[[3]int{1, 0, 2}[i]])
	}
}
