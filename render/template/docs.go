package template

import (
	"image"
	"image/color"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// You are here: index sheets, one for each step of the path to the page, which extend to the right and the lower edge.
// The page is the front one. A shorter path has fewer sheets, never an empty tab.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "docs", Name: "Docs", Mood: "You are here.",
		GoodFor: "Documentation, guides, help centers and knowledge bases", Needs: []string{"title", "crumb", "description"},
		TextSide: "left", Bare: true,
	},
	OG: docsOG,
})

// sheet is one of an index, in the layout: its tab is above its upper left corner.
type sheet struct {
	x, y  int // of the tab
	fill  color.NRGBA
	label kit.Placed
}

// Measures of sheets.
const (
	tabH, tabSlope       = 60, 54
	tabLabelX, tabLabelY = 32, 43 // of a label in its tab: its left edge and its baseline
	tabExtra             = 92     // width of a tab in addition to its label
	maxTabLabel          = 190
	sheetRadius          = 14
)

func docsOG(c *kit.Card) {
	th := &c.Theme
	background := c.On(th.Ramp(kit.ByMode(th.Dark, .17, .90), .30, 0))
	front := c.On(palette.RGB(0xFFFFFF))
	if th.Dark {
		front = c.On(th.Surface1)
	}
	sheets := docsSheets(c, front)
	c.Begin(paint.Solid(background.Color))
	for i, s := range sheets {
		end := c.H // the next sheet hides what is below
		if i+1 < len(sheets) {
			end = sheets[i+1].y + tabH + sheetRadius
		}
		undo := c.Canvas().Clip(image.Rect(0, 0, c.W, end))
		drawSheet(c, s)
		undo()
	}

	corner := background
	if c.Corner.Bottom {
		corner = front
	}
	const middle = 84
	upper := kit.LogoLine{Middle: middle, MaxH: 40}
	if c.Corner.Right != c.RTL { // it keeps clear of the sheets
		upper.Middle = 72
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: corner, End: corner, Upper: upper, Lower: kit.LogoLine{Middle: 552, MaxH: 40},
	})
	row := logo.Upper
	row.Middle = middle
	for _, s := range sheets[:len(sheets)-1] {
		row.X1 = min(row.X1, float64(s.x)-20)
	}
	kit.PutBrandRow(c, kit.BrandRow{On: background, Logo: logo, Row: row, Middle: middle, Side: 40})

	column := kit.Column{X: 72, Y: 260, W: 1056, H: 262, Gap: 43, Under: 222}
	if logo.Lower.HasLogo {
		column.H = 244
	}
	c.PutHeading(front, column, kit.Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(2, 96, 88, 80, 72).Then(3, 64, 56), MaxH: 200,
		Description: kit.Description{SizePx: 32, W: 960, Lines: 2},
	})
}

// docsSheets returns the sheets of a card, the front one last, with their labels placed. Without a path the front sheet
// has the section on its tab, or no tab.
func docsSheets(c *kit.Card, front kit.Surface) []sheet {
	th := &c.Theme
	places := []sheet{
		{x: 640, y: 36, fill: th.Ramp(kit.ByMode(th.Dark, .46, .78), kit.ByMode(th.Dark, 1, .6), -8)},
		{x: 350, y: 96, fill: th.Ramp(kit.ByMode(th.Dark, .36, .86), kit.ByMode(th.Dark, .85, .45), 0)},
		{x: 40, y: 156, fill: front.Color},
	}
	crumb := c.Crumb
	if len(crumb) == 0 && c.Eyebrow != "" {
		crumb = []string{c.Eyebrow}
	}
	if len(crumb) == 0 {
		return places[2:]
	}
	sheets := places[3-len(crumb):]
	for i := range sheets {
		s, ink := &sheets[i], front.Accent
		if i < len(sheets)-1 {
			s.fill = readableUnder(s.fill, th.Text)
			ink = th.Text
		}
		most := float64(maxTabLabel)
		if s.x == 640 && c.Logo != nil && c.Corner == (kit.Corner{Right: !c.RTL}) {
			most = 130 // the logo is next to it
		}
		label := kit.Item{Block: c.Line(crumb[i], c.TextStyle(28, 600), most), Role: kit.Essential, Color: ink}
		s.label = c.Put(label, float64(s.x+tabLabelX), kit.Bottom, float64(s.y+tabLabelY))
	}
	return sheets
}

// readableUnder returns a color, slightly darker or lighter if text would be unreadable on it.
func readableUnder(fill, ink color.NRGBA) color.NRGBA {
	const step, slack = .01, .1
	by := step
	if palette.Luminance(ink) > palette.Luminance(fill) {
		by = -step
	}
	for tone := palette.ToLCH(fill); palette.Contrast(fill, ink) < palette.MinText+slack && tone.L > 0 && tone.L < 1; {
		tone.L += by
		fill = tone.Color()
	}
	return fill
}

// drawSheet draws a sheet with its tab, and its shadow on those behind it.
func drawSheet(c *kit.Card, s sheet) {
	shade := palette.Fade(palette.RGB(0), kit.ByMode(c.Theme.Dark, .5, .13))
	w, body := c.W-s.x, s.y+tabH
	tab := 0
	if !s.label.Empty() {
		tab = tabExtra + int(s.label.BoxWidth+.5)
		// A shadow is omitted inside its object: here, of the part of the tab before its sloping side.
		c.Canvas().Shadow(c.MotifRect(s.x, s.y, tab-tabSlope+sheetRadius, tabH+sheetRadius), sheetRadius, 18, 6, shade)
	}
	c.Canvas().Shadow(c.MotifRect(s.x, body, w+80, c.H-body+80), sheetRadius, 18, 6, shade)
	if tab == 0 {
		c.Canvas().RoundRect(c.MotifRect(s.x, body, w+80, c.H-body+80), sheetRadius, s.fill)
		return
	}
	c.Canvas().Fill(c.MotifRect(s.x, body+sheetRadius, w, c.H-body-sheetRadius), s.fill)
	c.Canvas().Fill(c.MotifRect(s.x+tab, body, w-tab, sheetRadius), s.fill)
	key := kit.StencilKey{Figure: "docs", Variant: tab, RTL: c.RTL}
	shape := kit.Stencil(key, func() *image.Alpha { return tabMask(tab, c.RTL) })
	c.Canvas().Stencil(shape.Add(image.Pt(int(c.MotifX(float64(s.x))), s.y)), s.fill)
}

// tabMask returns the coverage of a tab of a width, with the part of its sheet that has round corners. The edge where
// lines begin is at 0.
func tabMask(tab int, rtl bool) *image.Alpha {
	top, low, r, end := 0., float64(tabH), float64(sheetRadius), float64(tab)
	box, side := image.Rect(0, 0, tab, tabH+sheetRadius), 1.
	if rtl {
		box, side = box.Sub(image.Pt(tab, 0)), -1
	}
	return paint.PathMask(box, func(g *gg.Context) {
		g.MoveTo(0, low+r)
		g.LineTo(0, top+r)
		g.QuadraticTo(0, top, side*r, top)
		g.LineTo(side*(end-tabSlope-r), top)
		g.CubicTo(side*(end-tabSlope+r), top, side*(end-tabSlope+r/2), low, side*end, low)
		g.LineTo(side*end, low+r)
		g.ClosePath()
		g.Fill()
	})
}
