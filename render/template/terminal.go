package template

import (
	"image"
	"image/color"
	"strings"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// For people who read monospace: a dark window in both modes, cut by the right and the lower edge, on a bright ground.
// The page is what a command opens, and a cursor waits behind its title.
var _ = register(Template{
	Info: Info{
		Slug: "terminal", Name: "Terminal", Mood: "For people who read monospace.",
		GoodFor: "Command-line tools, developer blogs, technical notes and their references",
		Needs:   []string{"title", "path"}, TextSide: "left",
	},
	OG: terminalOG,
})

func terminalOG(c *Card) {
	c.Family = text.JetBrainsMono
	dark := palette.New(c.Theme.Accent, true)
	on := terminalSurface(&dark)
	frame := image.Rect(72, 72, 1272, 712)
	c.Over(Backdrop{ // all texts stand in the window
		Veil: func(_, _ float64) float64 { return 0 }, Hidden: []image.Rectangle{image.Rect(0, 0, c.W, c.H)},
	})
	near, far := raisedShadows(&c.Theme)
	c.Ground(terminalGround(&c.Theme), near, far)
	win := window{box: frame, radius: 24, bar: 64, body: on.Color, top: dark.Surface1, dots: dark.Ramp(.42, .5, 0)}
	if c.Logo != nil && c.Corner == (Corner{}) {
		win.dots = color.NRGBA{} // the logo stands in their place
	}
	c.drawWindow(win)

	// The window and its command stand where they are in every direction of text.
	rtl := c.RTL
	c.RTL = false
	logo := c.PlaceLogo(Corners{
		Margin: 108, Start: on, End: on, Upper: LogoLine{104, 40}, Lower: LogoLine{552, 44},
	})
	site := siteOf(&c.Texts)
	address := site.host
	if address != "" || c.Host != "" {
		address = c.Host + c.Path
	}
	prompt := c.TextStyle(34, 400)
	items := []RowItem{{Text: "$", Style: prompt, Role: Repeated, Color: on.Accent}}
	if address != "" {
		items = append(items, RowItem{Text: "open", Style: prompt, Role: Repeated, Color: on.Muted},
			RowItem{Text: address, Style: prompt, Role: Repeated, Color: on.Muted, Address: true, MaxW: 860})
	}
	c.PutRow(Row{Span: Span{116, 1128}, Anchor: Bottom, Y: 206, Gap: .6 * 34 * c.Family.SizeAdjust()}, items...)
	c.RTL = rtl

	column := Column{X: 116, Y: 250, W: 960, H: 268, Gap: 40, Under: 216}
	if logo.Lower.HasLogo {
		column.H = 250
	}
	said := c.Description
	c.Description = comment(said)
	title := c.PutHeading(on, column, Heading{
		Style: terminalStyle(c), MaxH: 260,
		Ladder:      drawnSteps(1, 120, 104).Then(3, drawnSizes(84, 76, 68)...).Then(4, drawnSizes(60, 52, 44)...),
		Description: Description{SizePx: 34, W: 960, Lines: 2, MaxTitleLines: 2},
	})
	c.Description = said
	drawCursor(c, title, on.Accent)
}

// terminalSurface is the body of the window: darker than the ground of a dark card.
func terminalSurface(dark *palette.Theme) Surface {
	body := dark.Ramp(.15, min(1, .02/max(dark.LCH.C, .001)), 0)
	return Surface{
		Color: body, Text: dark.Text, Muted: dark.MutedOn(body), Accent: dark.AccentTextOn(body),
	}
}

// terminalGround is a bright diagonal of two hues to either side of the accent's.
func terminalGround(th *palette.Theme) paint.Linear {
	if th.Neutral {
		return paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(
			th.Ramp(light(th.Dark, .50, .90), 1, 0), th.Ramp(light(th.Dark, .28, .72), 1, 0))}
	}
	from := tone{light(th.Dark, .64, .84), light(th.Dark, 1, .8), besideYellow(th.LCH.H, -35)}
	r := leadRun(th, 0, 0, from, tone{light(th.Dark, .38, .68), 1, besideYellow(th.LCH.H, 30)})
	return paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(r.from, r.to)}
}

func terminalStyle(c *Card) text.Style {
	style := c.TitleStyle()
	style.LineHeight = 1.14
	return style
}

// drawnSizes returns sizes of the briefs that are drawn in the monospaced family at these sizes.
func drawnSizes(sizes ...float64) []float64 {
	for i := range sizes {
		sizes[i] /= text.JetBrainsMono.SizeAdjust()
	}
	return sizes
}

func drawnSteps(lines int, sizes ...float64) text.Ladder {
	return text.Steps(lines, drawnSizes(sizes...)...)
}

// comment returns a text as a comment of a shell.
func comment(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	return "# " + s
}

// Measures of the cursor: a block in the size of the title, and in its capitals.
const (
	cursorW, cursorGap = .50, .10
	cursorH            = 1.14
)

// drawCursor draws a block behind the last letter of a title.
func drawCursor(c *Card, title Placed, ink color.NRGBA) {
	if title.Empty() || title.Truncated {
		return
	}
	last := title.Lines[len(title.Lines)-1]
	w, h, gap := cursorW*title.SizePx, cursorH*title.CapHeight, cursorGap*title.SizePx
	x := title.X + last.Ink.X1 + gap
	if title.RTL {
		x = title.X + last.Ink.X0 - gap - w
	}
	top := title.Y + last.Baseline - title.CapHeight - (h-title.CapHeight)/2
	for _, l := range title.Lines[:len(title.Lines)-1] { // tails and marks of the line above
		top = max(top, title.Y+l.Ink.Y1+1)
	}
	h -= max(top-(title.Y+last.Baseline-title.CapHeight-(h-title.CapHeight)/2), 0)
	box := image.Rect(int(x+.5), int(top+.5), int(x+w+.5), int(top+h+.5))
	c.canvas.Fill(box.Intersect(c.canvas.Bounds()), ink)
}
