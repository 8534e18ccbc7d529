package template

import (
	"image"
	"image/color"
	"strconv"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/template/syntax"
	"masthead/render/template/wording"
	"masthead/render/text"
)

// The page's own code: its first block on a sheet that the right and the lower edge cut, under the title. No line is
// made up, wrapped or cut by an edge; the one that has most of the title's words is lit.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "code", Name: "Code", Mood: "The page's own lines.",
		GoodFor: "Tutorials, engineering blogs and references: pages that show code", Needs: []string{"title", "code"},
		TextSide: "left", Bare: true, Fallback: []string{"editorial"},
	},
	OG: codeOG,
	Lacks: func(c *kit.Card) string {
		if len(c.Code.Lines) == 0 {
			return "code of three lines or more"
		}
		return ""
	},
})

// Measures of the sheet and of the lines on it.
const (
	codeTop      = 248 // of the sheet, or lower under a title of two lines
	codeBelow    = 32  // from the last baseline to the card's edge, at least
	codeUnder    = 24  // from the ink of the title to the sheet
	codeRadius   = 24
	codeNumberX  = 116
	codeX        = 172
	codeFirst    = 64 // from the top of the sheet to the first baseline
	codeEnd      = 1128
	codeRight    = 1152 // of lines
	codeLogo     = 490
	codeChipDown = 48
	codeChipFoot = 40 // from the chip to the lower edge
)

func codeOG(c *kit.Card) {
	th := &c.Theme
	chroma := .9
	if !th.Dark {
		chroma = min(.38, paleGround/max(th.LCH.C, paleGround))
	}
	on := c.On(th.Ramp(kit.ByMode(th.Dark, .30, .905), chroma, motif.BesideYellow(th.LCH.H, -10)))
	near, far := kit.RaisedShadows(th)
	c.Begin(paint.Solid(on.Color), near, far)
	inks := codeInksOf(th)
	sheet := kit.Surface{Color: inks.sheet, Text: th.Text, Muted: inks.comment, Accent: th.AccentTextOn(inks.sheet)}

	corners := kit.Corners{
		Margin: 72, Start: on, End: on, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 84, MaxH: 44}, Lower: kit.LogoLine{Middle: 546, MaxH: 44},
	}
	if c.Corner.Bottom { // it is on the sheet
		corners.Margin, corners.Start, corners.End = codeNumberX, sheet, sheet
	}
	style := c.TitleStyle()
	style.LineHeight = 1.04
	title := putOverSheet(c, on, kit.Column{X: 72, Y: 144, W: 1056, H: 176, Under: 118}, kit.Heading{
		Style: style, Ladder: text.Steps(1, 104, 92, 84, 76, 68).Then(2, 68, 64),
	})
	top := codeTop
	if !title.Empty() {
		top = max(top, (title.InkBox().Max.Y+codeUnder+terminalStep-1)/terminalStep*terminalStep)
	}
	drawCodeSheet(c, image.Rect(72, top, 1272, 712), inks.sheet)

	logo := c.PlaceLogo(corners)
	row := logo.Upper
	if c.Corner.Bottom {
		row.Span = kit.Span{X0: 72, X1: 1128}
	}
	kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: row, Middle: 84, Side: 40})

	rtl := c.RTL
	c.RTL = false // code has the same place in every direction of text
	end := c.H - codeBelow
	if logo.Lower.HasLogo {
		end = codeLogo
	}
	putLanguage(c, inks, top, drawCode(c, inks, top, end))
	c.RTL = rtl
}

// putOverSheet places a title over a sheet, which is lower under one of three lines that has no room otherwise, unless
// there is a logo, whose place is on the sheet.
func putOverSheet(c *kit.Card, on kit.Surface, column kit.Column, heading kit.Heading) kit.Text {
	const more = 48
	if !c.TitleFits(on, column, heading) {
		heading.Ladder = heading.Ladder.Then(3, 58, 54, 50)
		if c.Logo == nil {
			column.H += more
		}
	}
	return c.PutHeading(on, column, heading)
}

// drawCodeSheet draws the sheet with its shadows, which are cached per theme and place.
func drawCodeSheet(c *kit.Card, box image.Rectangle, fill color.NRGBA) {
	c.DrawWindow(kit.Window{Box: box, Radius: codeRadius, Body: fill, Top: fill})
}

// codeInks are the colors of code, each of which can be read on the sheet and on the lit line.
type codeInks struct {
	sheet, lit                                 color.NRGBA
	keyword, name, text, number, comment, rest color.NRGBA
}

func codeInksOf(th *palette.Theme) (inks codeInks) {
	dark := th.Dark
	inks.sheet, inks.lit = palette.RGB(0xFFFFFF), th.Ramp(.93, .6, 0)
	if dark {
		inks.sheet, inks.lit = th.Ramp(.155, min(1, .02/max(th.LCH.C, .001)), 0), th.Ramp(.30, .8, 0)
	}
	tone := func(dl, ll, dk, lk, dh float64) color.NRGBA {
		l, step := kit.ByMode(dark, dl, ll), kit.ByMode(dark, .01, -.01)
		for {
			ink := th.Ramp(l, kit.ByMode(dark, dk, lk), motif.BesideYellow(th.LCH.H, dh))
			if l <= 0 || l >= 1 || palette.Contrast(ink, inks.sheet) >= palette.MinText &&
				palette.Contrast(ink, inks.lit) >= palette.MinText {
				return ink
			}
			l += step
		}
	}
	inks.keyword, inks.text = tone(.78, .46, .9, 1.1, 0), tone(.86, .44, .6, .8, 40)
	inks.number, inks.comment = tone(.84, .46, .7, .9, -45), tone(.66, .50, .1, .15, 0)
	inks.rest, inks.name = tone(.82, .36, .06, .1, 0), th.Text
	return inks
}

// putLanguage places the name of the language in the upper corner of the sheet, or lower where lines reach it.
func putLanguage(c *kit.Card, inks codeInks, top int, lines codeLines) {
	l, ok := syntax.Lookup(c.Code.Language)
	if !ok {
		return
	}
	b := c.Line(l.Name, c.TextStyle(24, 600), 0)
	w, at := b.BoxWidth, 0
	reached := func(line int) bool { return lines.ends[line] > codeEnd-w-40 }
	for at < len(lines.ends) &&
		(reached(at) || at > 0 && (reached(at-1) || at == lines.lit || at-1 == lines.lit)) {
		at++
	}
	y := top + codeChipDown + at*lines.pitch
	if b.Empty() || at > 0 && at == len(lines.ends) || y+20 > c.H-codeChipFoot {
		return
	}
	ground := inks.lit
	if at == lines.lit { // it is on that color
		ground = inks.sheet
	}
	c.Canvas().RoundRect(image.Rect(int(codeEnd-w)-18, y-20, codeEnd+18, y+20), 10, ground)
	c.Put(kit.Item{Block: b, Role: kit.Repeated, Color: inks.keyword}, codeEnd-w, kit.Middle, float64(y))
}

// codeSizes are those of lines, and the distances between them.
var codeSizes = []kit.MonoSize{{Px: 31, Pitch: 46}, {Px: 28, Pitch: 42}, {Px: 26, Pitch: 39}, {Px: 24, Pitch: 36}}

// codeLines are the lines that were drawn: where each ends, which one is lit, and the distance between them.
type codeLines struct {
	ends  []float64
	lit   int
	pitch int
}

// drawCode draws the lines on the sheet, until the baseline end.
func drawCode(c *kit.Card, inks codeInks, top, end int) codeLines {
	first := max(c.Code.First, 1)
	x := func(cell float64) float64 {
		return codeX + float64(len(strconv.Itoa(first+len(c.Code.Lines)))-1)*cell
	}
	language, _ := syntax.Lookup(c.Code.Language)
	h := syntax.NewHighlighter(language)
	var all, numbers [][]kit.MonoPart
	for i, line := range c.Code.Lines {
		numbers = append(numbers, []kit.MonoPart{{Text: strconv.Itoa(first + i), Ink: inks.comment}})
		var parts []kit.MonoPart
		for _, part := range h.Line(kit.PlainLine(line)) {
			parts = append(parts, inks.part(part))
		}
		all = append(all, parts)
	}
	sizes := kit.MonoSizes(codeSizes, end-top-codeFirst, all)
	m := c.FitMono(all, sizes, func(cell float64) float64 { return codeRight - x(cell) })
	margin := c.SetMono(numbers, m.MonoSize)
	lines := codeLines{lit: wording.LitLine(c), pitch: m.Pitch}
	for i := range m.Lines {
		baseline := top + codeFirst + i*m.Pitch
		switch {
		case i == lines.lit && baseline+m.Pitch > end: // at the foot of the card, it would be a stray band
			lines.lit = -1
		case i == lines.lit:
			row := image.Rect(72, baseline-m.Pitch*2/3-2, c.W, baseline+m.Pitch/3-2)
			c.Canvas().Fill(row.Intersect(c.Canvas().Bounds()), inks.lit)
		}
		margin.Draw(i, codeNumberX, baseline)
		m.Draw(i, x(m.Cell), baseline)
		lines.ends = append(lines.ends, x(m.Cell)+m.End(i))
	}
	return lines
}

// part returns a part of code in the color of its tone.
func (inks *codeInks) part(p syntax.Part) kit.MonoPart {
	comment := p.Tone == syntax.Comment
	out := kit.MonoPart{Text: p.Text, Prose: comment || p.Tone == syntax.Text, Aside: comment}
	if p.Tone == syntax.Keyword || p.Tone == syntax.Name {
		out.Weight = 600
	}
	out.Ink = [...]color.NRGBA{
		syntax.Rest: inks.rest, syntax.Keyword: inks.keyword, syntax.Name: inks.name, syntax.Text: inks.text,
		syntax.Number: inks.number, syntax.Comment: inks.comment,
	}[p.Tone]
	return out
}
