package template

import (
	"image"
	"image/color"
	"strings"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// You are here: index sheets, one for each step of the path to the page, which step down to the right and extend to the
// right and the lower edge. The page is the front one. A shorter path has fewer sheets, never an empty tab.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "docs", Name: "Docs", Mood: "You are here.",
		GoodFor: "Documentation, guides, help centers and knowledge bases", Needs: []string{"title", "crumb", "description"},
		TextSide: "left", Bare: true,
	},
	OG: docsOG,
})

// sheet is one of an index, in the layout: its tab rises above its upper edge.
type sheet struct {
	x, y  int // of the tab
	on    kit.Surface
	label kit.Text
}

// Measures of sheets.
const (
	sheetX                = 40
	tabH, tabSlope        = 60, 36
	tabLabelX, tabLabelY  = 32, 41 // of a label in its tab: its left edge and its baseline
	tabLeast              = 150    // width of a tab without its sloping side
	maxTabLabel           = 280    // beside the row with the site
	sheetRadius           = 14
	docsBrandMiddle       = 88
	docsBrandFoot         = 108    // where that row ends
	docsTitleX, docsUnder = 88, 42 // of the title, from the upper edge of the front sheet
	docsLow               = 560    // lowest baseline of the description
)

// tabPlaces are where the tabs of up to three steps are: without any, the sheet has none.
var tabPlaces = [4][]image.Point{
	{{X: sheetX, Y: 70}}, {{X: sheetX, Y: 140}}, {{X: sheetX, Y: 84}, {X: 330, Y: 150}},
	{{X: sheetX, Y: 60}, {X: 300, Y: 122}, {X: 560, Y: 184}},
}

func docsOG(c *kit.Card) {
	th := &c.Theme
	background := c.On(th.Ramp(kit.ByMode(th.Dark, .135, .82), kit.ByMode(th.Dark, .5, .6), 0))
	start := sheetX // of the first tab: behind a logo above the sheets
	upper := kit.LogoLine{Middle: docsBrandMiddle, MaxH: 44}
	l, ok := kit.FitLogo(c.Logo, background, kit.MaxLogoW(c.Kind, 72), upper.MaxH)
	if ok && c.Corner == (kit.Corner{Right: c.RTL}) {
		start = 72 + l.W + kit.LogoGap
	}
	sheets := docsSheets(c, start)
	c.Begin(paint.Solid(background.Color))
	for i, s := range sheets {
		end := c.H // the next sheet hides what is below
		if i+1 < len(sheets) {
			end = sheets[i+1].y + tabH + sheetRadius
		}
		castSheet(c, s, i, end)
		undo := c.Canvas().Clip(image.Rect(0, 0, c.W, end))
		drawSheet(c, s)
		undo()
	}
	front := sheets[len(sheets)-1]

	corner := background
	if c.Corner.Bottom {
		corner = front.on
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: corner, End: corner, Upper: upper, Lower: kit.LogoLine{Middle: 552, MaxH: 40},
	})
	after := float64(sheetX)
	if first := sheets[0]; first.y < docsBrandFoot {
		after = float64(first.x+tabWidth(first)) + kit.LogoGap
	}
	row := kit.Row{Span: kit.Span{X0: max(after, logo.Upper.X0)}, Y: docsBrandMiddle}
	putBrandAtEnd(c, background, logo, c.Title, row, c.RTL)

	top := float64(front.y + tabH)
	column := kit.Column{X: docsTitleX, Y: top + docsUnder, W: 1040, Gap: 46, Under: top, Foot: 526}
	column.H = 526 - column.Y
	if logo.Lower.HasLogo {
		column.H, column.Foot = 500-column.Y, 506
	}
	putDocsHeading(c, front.on, column, logo)
}

// putDocsHeading places the title and the description, and the headings of the page's parts if they fit beside them.
func putDocsHeading(c *kit.Card, on kit.Surface, column kit.Column, logo kit.Logo) {
	heading := kit.Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(1, 140).Then(2, 116, 104, 96, 84).Then(3, 72, 64).Then(4, 64),
		Description: kit.Description{SizePx: 30, W: 960, Lines: 2, More: 1, Low: docsLow},
	}
	if logo.Lower.HasLogo {
		heading.Description.Low = 0
	}
	beside := text.Steps(2, 140, 116, 104, 96, 84).Then(3, 72)
	b := c.Fit(c.Title, heading.Style, text.Box{W: sectionsTitleW, H: column.H}, beside)
	alone := c.Fit(c.Title, heading.Style, text.Box{W: column.W, H: column.H}, heading.Ladder)
	if len(c.Sections) > 1 && fitsBesideSections(b, alone) {
		column.W, heading.Ladder, heading.Description.W = sectionsTitleW, beside, sectionsTextW
		if less := heading; c.Description != "" && !c.DescribesWhole(on, column, heading) {
			less.Ladder, less.Description.Lines = text.Steps(2, 104, 96, 84).Then(3, 72), 3
			if c.DescribesWhole(on, column, less) {
				heading = less
			}
		}
		putSections(c, on, column.Y)
	} else {
		heading = forLongTitle(c, on, column, heading, text.Steps(4, 60, 56))
		if !c.Describes(on, column, heading) { // a title alone does not hang from the tab
			column.Anchor = kit.Middle
		}
	}
	c.PutHeading(on, column, heading)
}

// fitsBesideSections reports whether a title fits beside the list of sections: not one that would be smaller, in three
// lines, than alone.
func fitsBesideSections(beside, alone kit.Block) bool {
	return !beside.Empty() && !beside.Truncated && beside.Width <= sectionsTitleW && !partsWords(beside) &&
		(len(beside.Lines) <= 2 || alone.Empty() || len(alone.Lines) > 2)
}

// partsWords reports whether a line of a text ends inside a word.
func partsWords(b kit.Block) bool {
	for _, l := range b.Lines[:len(b.Lines)-1] {
		if strings.HasSuffix(l.Text, "-") {
			return true
		}
	}
	return false
}

// Measures of the list of sections, in the layout.
const (
	sectionsTitleW = 600 // of the title beside it
	sectionsTextW  = 560 // of the description below that, which may be a tenth wider
	sectionsX      = 762
	sectionsBarX   = 728
	sectionsPitch  = 52
)

// putSections places the headings of the page's parts in a list beside the title, whose capitals begin at top.
func putSections(c *kit.Card, on kit.Surface, top float64) {
	const room = 1128 - sectionsX
	size, ink, n := 30.0, on.Text, 0
	for _, s := range c.Sections {
		for size > 26 && c.Line(s, c.TextStyle(size, 400), room).Truncated {
			size -= 2
		}
	}
	for _, s := range c.Sections {
		line := c.Line(s, c.TextStyle(size, 400), 0)
		if line.Empty() || line.BoxWidth > room { // it isn't cut
			continue
		}
		put := c.Put(kit.Item{Block: line, Role: kit.Essential, Color: ink}, sectionsX, kit.Top, top+float64(n*sectionsPitch))
		if !put.Empty() {
			n++
			ink = on.Muted
		}
	}
	if n > 0 {
		bar := c.TextRect(sectionsBarX, int(top)-8, 6, (n-1)*sectionsPitch+38)
		c.Canvas().RoundRect(bar, 3, c.BarOn(on.Color))
	}
}

// docsSheets returns the sheets of a card, the front one last, with their labels placed. Without a path the front sheet
// has the section on its tab, or no tab.
func docsSheets(c *kit.Card, start int) []sheet {
	th := &c.Theme
	front := palette.RGB(0xFFFFFF)
	if th.Dark {
		front = th.Ramp(.36, .72, 0)
	}
	fills := [3]color.NRGBA{
		th.Lead(kit.ByMode(th.Dark, .235, .64), .8, motif.BesideYellow(th.LCH.H, -8)),
		th.Lead(kit.ByMode(th.Dark, .30, .74), kit.ByMode(th.Dark, .8, .7), motif.BesideYellow(th.LCH.H, -4)), front,
	}
	crumb := c.Crumb
	if n := len(crumb) - 1; n > 0 && text.Says(c.Title, crumb[n]) { // the page itself
		crumb = crumb[:n]
	}
	if len(crumb) == 0 && c.Eyebrow != "" {
		crumb = []string{c.Eyebrow}
	}
	places := tabPlaces[len(crumb)]
	sheets := make([]sheet, len(places))
	for i, at := range places {
		s := &sheets[i]
		s.x, s.y, s.on = at.X, at.Y, c.On(fills[len(fills)-len(places)+i])
		if places[0].Y < 100 { // a logo is beside the tabs
			s.x += start - sheetX
		}
		if len(crumb) == 0 {
			break
		}
		ink := s.on.Accent
		switch behind := i < len(sheets)-1; {
		case behind && th.Dark:
			ink = s.on.Muted
		case behind:
			ink = mostReadable(s.on.Color)
		case th.Dark: // the brightest, as its sheet
			ink = s.on.Text
		}
		room := float64(maxTabLabel)
		if at.Y > docsBrandFoot {
			room = 1128 - tabSlope - 2*tabLabelX - float64(s.x)
		}
		label := kit.Item{Block: c.Line(crumb[i], c.TextStyle(28, 600), room), Role: kit.Essential, Color: ink}
		s.label = c.Put(label, float64(s.x+tabLabelX), kit.Bottom, float64(s.y+tabLabelY))
	}
	return sheets
}

// mostReadable returns white, or near-black on a color on which white can't be read.
func mostReadable(on color.NRGBA) color.NRGBA {
	if white := palette.RGB(0xFFFFFF); palette.Contrast(on, white) >= palette.MinText {
		return white
	}
	return palette.RGB(0x0B0B0F)
}

// tabWidth returns the width of a tab with its sloping side, 0 if it has no label.
func tabWidth(s sheet) int {
	if s.label.Empty() {
		return 0
	}
	return max(int(s.label.BoxWidth+.5)+2*tabLabelX, tabLeast) + tabSlope
}

// castSheet draws the shadows of the n-th sheet and its tab on what is behind them, down to end. The sheets have their
// edge in common, where the first casts the shadow of all.
func castSheet(c *kit.Card, s sheet, n, end int) {
	shade := palette.Fade(palette.RGB(0), kit.ByMode(c.Theme.Dark, .5, .13))
	body, tab := s.y+tabH, tabWidth(s)
	if tab > 0 { // A shadow is omitted inside its object: here, of the part of the tab before its sloping side.
		undo := c.Canvas().Clip(image.Rect(0, 0, c.W, end))
		c.Canvas().Shadow(c.MotifRect(s.x, s.y, tab-tabSlope+sheetRadius, tabH+sheetRadius), sheetRadius, 18, 6, shade)
		undo()
	}
	within := image.Rect(0, 0, c.W, c.H)
	if n > 0 {
		within = c.MotifRect(sheetX, 0, c.W-sheetX, end)
	}
	undo := c.Canvas().Clip(within)
	c.Canvas().Shadow(c.MotifRect(sheetX, body, c.W-sheetX+80, c.H-body+80), sheetRadius, 18, 6, shade)
	undo()
}

// drawSheet draws a sheet with its tab.
func drawSheet(c *kit.Card, s sheet) {
	body, tab := s.y+tabH, tabWidth(s)
	c.Canvas().RoundRect(c.MotifRect(sheetX, body, c.W-sheetX+80, c.H-body+80), sheetRadius, s.on.Color)
	if tab == 0 {
		return
	}
	key := kit.StencilKey{Figure: "docs", Variant: tab, RTL: c.RTL}
	shape := kit.Stencil(key, func() *image.Alpha { return tabMask(tab, c.RTL) })
	c.Canvas().Stencil(shape.Add(image.Pt(int(c.MotifX(float64(s.x))), s.y)), s.on.Color)
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
