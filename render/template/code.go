package template

import (
	"image"
	"image/color"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/template/syntax"
	"masthead/render/template/wording"
	"masthead/render/text"
)

// The page's own code: its first block on a sheet that the right and the lower edge cut, under the title. No line is
// made up, wrapped or cut by the lower edge; the one that has most of the title's words is lit.
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
	codeBelow    = 16  // from the last baseline to the card's edge, which cuts no line
	codeUnder    = 24  // from the ink of the title to the sheet
	codeRadius   = 24
	codeNumberX  = 116
	codeX        = 172
	codeFirst    = 64 // from the top of the sheet to the first baseline
	codeEnd      = 1128
	codeWide     = 55 // columns that fit at the usual size
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
	for at < len(lines.ends) && (lines.ends[at] > codeEnd-w-40 || at > 0 && (at == lines.lit || at-1 == lines.lit)) {
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

// codeLines are the lines that were drawn: where each ends, which one is lit, and the distance between them.
type codeLines struct {
	ends  []float64
	lit   int
	pitch int
}

// drawCode draws the lines on the sheet, until the baseline end.
func drawCode(c *kit.Card, inks codeInks, top, end int) codeLines {
	p := newCodePen(c)
	first, x := max(c.Code.First, 1), float64(codeX)
	if digits := len(strconv.Itoa(first + len(c.Code.Lines))); digits > 1 {
		x += float64(digits-1) * p.cell
	}
	language, _ := syntax.Lookup(c.Code.Language)
	lit, h := wording.LitLine(c), syntax.NewHighlighter(language)
	lines := codeLines{lit: lit, pitch: p.pitch}
	for i, line := range c.Code.Lines {
		baseline := top + codeFirst + i*p.pitch
		if baseline > end || blank(c.Code.Lines[i:min(len(c.Code.Lines), i+1+(end-baseline)/p.pitch)]) {
			break
		}
		switch {
		case i == lit && baseline+p.pitch > end: // at the foot of the card, it would be a stray band
			lines.lit = -1
		case i == lit:
			row := image.Rect(72, baseline-p.pitch*2/3-2, c.W, baseline+p.pitch/3-2)
			c.Canvas().Fill(row.Intersect(c.Canvas().Bounds()), inks.lit)
		}
		p.draw(syntax.Part{Text: strconv.Itoa(first + i)}, codeNumberX, baseline, inks.comment)
		at := x
		for _, part := range h.Line(line) {
			if at = p.draw(part, at, baseline, inks.of(part.Tone)); at > float64(c.W) {
				break
			}
		}
		lines.ends = append(lines.ends, at)
	}
	return lines
}

// blank reports whether lines have no text.
func blank(lines []string) bool {
	return !slices.ContainsFunc(lines, func(s string) bool { return strings.TrimSpace(s) != "" })
}

// of returns the color of a tone.
func (inks *codeInks) of(t syntax.Tone) color.NRGBA {
	return [...]color.NRGBA{
		syntax.Rest: inks.rest, syntax.Keyword: inks.keyword, syntax.Name: inks.name, syntax.Text: inks.text,
		syntax.Number: inks.number, syntax.Comment: inks.comment,
	}[t]
}

// codePen draws parts of lines of code.
type codePen struct {
	c     *kit.Card
	style text.Style
	cell  float64 // width of a column
	pitch int     // from a line to the next
}

// newCodePen returns a pen of the size that suits the lines of the card.
func newCodePen(c *kit.Card) *codePen {
	p := &codePen{c: c, pitch: 46, style: text.Style{
		Family: text.JetBrainsMono, SizePx: 31, Exact: true, Lang: "en", Tracking: .001, // tracked letters have no ligatures
	}}
	for _, line := range c.Code.Lines {
		if utf8.RuneCountInString(line) > codeWide {
			p.style.SizePx, p.pitch = 28, 42
		}
	}
	p.cell = c.Engine().Line("00", p.style, 0).BoxWidth - c.Engine().Line("0", p.style, 0).BoxWidth
	return p
}

// inColumns returns a part of a line without spaces at its ends, whose other spaces all count, as in tables.
func inColumns(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), " ", "\u00A0") }

// draw draws a part that begins at x, and returns where the next one does.
func (p *codePen) draw(part syntax.Part, x float64, baseline int, ink color.NRGBA) (end float64) {
	s, st := part.Text, p.style
	st.Weight = 400
	if part.Tone == syntax.Keyword || part.Tone == syntax.Name {
		st.Weight = 600
	}
	lead := len(s) - len(strings.TrimLeft(s, " "))
	b := p.c.Engine().Line(inColumns(s), st, 0)
	end = x + float64(utf8.RuneCountInString(s))*p.cell
	if b.Empty() {
		return end
	}
	x += float64(lead) * p.cell
	p.c.Engine().Draw(b, x, float64(baseline)-b.Lines[0].Baseline, func(x, y int, m *image.Alpha) {
		p.c.Canvas().Mask(x, y, m, ink)
	})
	if strings.ContainsFunc(s, func(r rune) bool { return r >= firstWide }) { // wider than a column
		end = max(end, x+b.BoxWidth)
	}
	return end
}
