package template

import (
	"image"
	"image/color"
	"strings"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// For readers of monospace: a dark window in both modes, cut by the right and the lower edge, on a bright background.
// The page is what a command opens, and a cursor waits after its title.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "terminal", Name: "Terminal", Mood: "For readers of monospace.",
		GoodFor: "Command-line tools, developer blogs, technical notes and their references",
		Needs:   []string{"title", "path"}, TextSide: "left",
	},
	OG: terminalOG,
})

func terminalOG(c *kit.Card) {
	c.Family = text.JetBrainsMono
	dark := palette.New(c.Theme.Accent, true)
	on := terminalSurface(&dark)
	frame := image.Rect(72, 72, 1272, 712)
	c.Over(kit.Backdrop{ // all texts are in the window
		Veil: func(_, _ float64) float64 { return 0 }, Hidden: []image.Rectangle{image.Rect(0, 0, c.W, c.H)},
	})
	near, far := kit.RaisedShadows(&c.Theme)
	c.Begin(terminalBackground(&c.Theme), near, far)
	win := kit.Window{Box: frame, Radius: 24, Bar: 64, Body: on.Color, Top: dark.Surface1, Dots: dark.Ramp(.42, .5, 0)}
	if c.Logo != nil && c.Corner == (kit.Corner{}) {
		win.Dots = color.NRGBA{} // the logo replaces them
	}
	c.DrawWindow(win)

	// The window and its command have the same position in every direction of text.
	rtl := c.RTL
	c.RTL = false
	logo := c.PlaceLogo(kit.Corners{
		Margin: 108, Start: on, End: on,
		Upper: kit.LogoLine{Middle: 104, MaxH: 40}, Lower: kit.LogoLine{Middle: 552, MaxH: 44},
	})
	site := kit.SiteOf(&c.Texts)
	address := site.Host
	if address != "" || c.Host != "" {
		address = c.Host + c.Path
	}
	prompt := c.TextStyle(34, 400)
	items := []kit.RowItem{{Text: "$", Style: prompt, Role: kit.Repeated, Color: on.Accent}}
	if address != "" {
		items = append(items, kit.RowItem{Text: "open", Style: prompt, Role: kit.Repeated, Color: on.Muted},
			kit.RowItem{Text: address, Style: prompt, Role: kit.Repeated, Color: on.Muted, Address: true, MaxW: 860})
	}
	c.PutRow(kit.Row{
		Span: kit.Span{X0: 116, X1: 1128}, Anchor: kit.Bottom, Y: 206, Gap: .6 * 34 * c.Family.SizeAdjust(),
	}, items...)
	c.RTL = rtl

	column := kit.Column{X: 116, Y: 250, W: 960, H: 268, Gap: 40, Under: 216}
	if logo.Lower.HasLogo {
		column.H = 250
	}
	said := c.Description
	c.Description = comment(said)
	title := c.PutHeading(on, column, kit.Heading{
		Style: terminalStyle(c), MaxH: 260,
		Ladder:      drawnSteps(1, 120, 104).Then(3, drawnSizes(84, 76, 68)...).Then(4, drawnSizes(60, 52, 44)...),
		Description: kit.Description{SizePx: 34, W: 960, Lines: 2, MaxTitleLines: 2},
	})
	c.Description = said
	drawCursor(c, title, on.Accent)
}

// terminalSurface is the body of the window: darker than the background of a dark card.
func terminalSurface(dark *palette.Theme) kit.Surface {
	body := dark.Ramp(.15, min(1, .02/max(dark.LCH.C, .001)), 0)
	return kit.Surface{
		Color: body, Text: dark.Text, Muted: dark.MutedOn(body), Accent: dark.AccentTextOn(body),
	}
}

// terminalBackground is a bright diagonal of two hues on either side of the accent's.
func terminalBackground(th *palette.Theme) paint.Linear {
	if th.Neutral {
		return paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(
			th.Ramp(kit.ByMode(th.Dark, .50, .90), 1, 0), th.Ramp(kit.ByMode(th.Dark, .28, .72), 1, 0))}
	}
	from := kit.Tone{L: kit.ByMode(th.Dark, .64, .84), C: kit.ByMode(th.Dark, 1, .8), DH: besideYellow(th.LCH.H, -35)}
	r := kit.LeadRun(th, 0, 0, from, kit.Tone{L: kit.ByMode(th.Dark, .38, .68), C: 1, DH: besideYellow(th.LCH.H, 30)})
	return paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(r.From, r.To)}
}

func terminalStyle(c *kit.Card) text.Style {
	style := c.TitleStyle()
	style.LineHeight = 1.14
	return style
}

// drawnSizes returns the sizes that JetBrains Mono draws at sizes, without its factor.
func drawnSizes(sizes ...float64) []float64 {
	for i := range sizes {
		sizes[i] /= text.JetBrainsMono.SizeAdjust()
	}
	return sizes
}

func drawnSteps(lines int, sizes ...float64) text.Ladder {
	return text.Steps(lines, drawnSizes(sizes...)...)
}

// comment returns a text as a shell comment.
func comment(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	return "# " + s
}

// Measures of the cursor: a block as large as the title's capitals.
const (
	cursorW, cursorGap = .50, .10
	cursorH            = 1.14
)

// drawCursor draws a block behind the last letter of a title.
func drawCursor(c *kit.Card, title kit.Placed, ink color.NRGBA) {
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
	c.Canvas().Fill(box.Intersect(c.Canvas().Bounds()), ink)
}
