package template

import (
	"image"
	"image/color"
	"regexp"
	"slices"
	"strings"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// A session of a shell as the page shows it: in a window that is dark in both modes, cut by the right and the lower
// edge, under the title. Its lines are the page's own; none is made up or cut by an edge.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "terminal", Name: "Terminal", Mood: "For readers of monospace.",
		GoodFor: "Command-line tools, installation guides, technical notes: pages that begin with commands",
		Needs:   []string{"session"}, TextSide: "left", Bare: true, Fallback: []string{"code", "editorial"},
	},
	OG: terminalOG,
	Lacks: func(c *kit.Card) string {
		if len(c.Session) == 0 {
			return "session of a shell"
		}
		return ""
	},
})

// Measures of the window and of the lines in it.
const (
	terminalX, terminalBar = 72, 64
	terminalTop            = 172 // of the window, or lower under a title of two lines
	terminalUnder          = 36  // from the ink of the title to the window
	terminalStep           = 8   // of its top: few places, so that their shadows are kept
	sessionX               = 116
	sessionFirst           = 112 // from the top of the window to the first baseline
	sessionRight           = 1152
	sessionEnd             = 598 // y of the last baseline at most
	sessionAboveLogo       = 500
)

func terminalOG(c *kit.Card) {
	dark := palette.New(c.Theme.Accent, true)
	body := terminalSurface(&dark)
	background := terminalBackground(&c.Theme)
	on := c.On(background.Colors[0])
	if end := c.On(background.Colors[len(background.Colors)-1]); palette.Contrast(end.Color, end.Text) <
		palette.Contrast(on.Color, on.Text) {
		on = end
	}
	style := c.TitleStyle()
	style.LineHeight = 1.05
	title := putOverSheet(c, on, kit.Column{X: terminalX, Y: 64, W: 1056, H: 176}, kit.Heading{
		Style: style, Ladder: text.Steps(1, 76, 68, 64).Then(2, 64),
	})
	top := terminalTop
	if !title.Empty() {
		top = max(top, (title.InkBox().Max.Y+terminalUnder+terminalStep-1)/terminalStep*terminalStep)
	}
	frame := image.Rect(terminalX, top, 1272, 712)

	// The window and the session have the same position in every direction of text.
	near, far := kit.RaisedShadows(&c.Theme)
	c.Begin(background, near, far)
	win := kit.Window{
		Box: frame, Radius: 24, Bar: terminalBar, Body: body.Color, Top: dark.Surface1, Dots: dark.Ramp(.42, .5, 0),
	}
	if c.Logo != nil && c.Corner == (kit.Corner{}) {
		win.Dots = color.NRGBA{} // the logo replaces them
	}
	c.DrawWindow(win)
	rtl := c.RTL
	c.RTL = false
	logo := c.PlaceLogo(kit.Corners{
		Margin: 108, Start: body, End: body,
		Upper: kit.LogoLine{Middle: top + terminalBar/2, MaxH: 40}, Lower: kit.LogoLine{Middle: 552, MaxH: 44},
	})
	putTerminalBar(c, body, logo, float64(top)+terminalBar/2)
	c.RTL = rtl
	end := sessionEnd
	if logo.Lower.HasLogo {
		end = sessionAboveLogo
	}
	drawSession(c, body, top+sessionFirst, end)
}

// putTerminalBar places the site in the bar of the window, behind the dots or the logo.
func putTerminalBar(c *kit.Card, on kit.Surface, logo kit.Logo, middle float64) {
	site := kit.SiteOf(&c.Texts)
	row := kit.Row{Span: logo.Upper.Span, Anchor: kit.Middle, Y: middle, Gap: kit.BrandGap}
	row.X0 = max(row.X0, terminalX+kit.DotAt+3*kit.DotStep)
	name := kit.RowItem{Text: site.Name, Style: c.TextStyle(26, 600), Role: kit.Repeated, Color: on.Text}
	if logo.Shown && logo.Wordmark() {
		name.Text = ""
	}
	host := site.SpareHost
	if site.Name == "" {
		host = site.Host
	}
	c.PutRow(row, name,
		kit.RowItem{Text: host, Style: c.TextStyle(26, 400), Role: kit.Repeated, Color: on.Muted, Address: true})
}

// terminalSurface is the body of the window: darker than the background of a dark card.
func terminalSurface(dark *palette.Theme) kit.Surface {
	body := dark.Ramp(.15, min(1, .02/max(dark.LCH.C, .001)), 0)
	return kit.Surface{
		Color: body, Text: dark.Text, Muted: dark.MutedOn(body), Accent: dark.AccentTextOn(body),
	}
}

// terminalBackground is a diagonal of two hues on either side of the accent's, on which a title can be read.
func terminalBackground(th *palette.Theme) paint.Linear {
	from, to := kit.Tone{L: .46, C: 1, DH: motif.BesideYellow(th.LCH.H, -35)}, kit.Tone{L: .30, C: 1, DH: motif.BesideYellow(th.LCH.H, 30)}
	if !th.Dark {
		from, to = kit.Tone{L: .90, C: .4, DH: motif.BesideYellow(th.LCH.H, -35)}, kit.Tone{L: .78, C: .9, DH: motif.BesideYellow(th.LCH.H, 10)}
	}
	if th.Neutral {
		return paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(th.Ramp(from.L, 1, 0), th.Ramp(to.L, 1, 0))}
	}
	return paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(
		th.Ramp(from.L, from.C, from.DH), th.Ramp(to.L, to.C, to.DH))}
}

// prompt matches the prompt of a shell at the beginning of a line.
var prompt = regexp.MustCompile(`^(\$|❯|➜|%|>|PS [^>]{0,40}>|C:\\[^>]{0,40}>|` +
	`[\w.-]{1,32}@[\w.-]{1,32}[:~ ][^$#]{0,40}[$#]) +`)

// sessionPart returns the prompt of a line, and whether the rest is a command; otherwise it is output or a comment. In
// a session without prompts every line that is no comment is a command.
func sessionPart(line string, prompts bool) (mark string, command bool) {
	mark = prompt.FindString(line)
	return mark, mark != "" || !prompts && !strings.HasPrefix(strings.TrimSpace(line), "#")
}

// sessionSizes are those of lines, and the distances between them.
var sessionSizes = []kit.MonoSize{{Px: 32, Pitch: 46}, {Px: 28, Pitch: 42}, {Px: 26, Pitch: 39}, {Px: 24, Pitch: 36}}

// drawSession draws the lines of the session from the baseline first on, and a cursor after the last command.
func drawSession(c *kit.Card, on kit.Surface, first, end int) {
	prompts := slices.ContainsFunc(c.Session, prompt.MatchString)
	var all [][]kit.MonoPart
	last := -1
	for _, line := range c.Session {
		line = kit.PlainLine(line)
		mark, command := sessionPart(line, prompts)
		rest := kit.MonoPart{Text: line[len(mark):], Ink: on.Muted, Prose: !command}
		if command {
			rest.Ink = on.Text
		}
		all = append(all, []kit.MonoPart{{Text: mark, Ink: on.Accent}, rest})
	}
	const beside = 8 // the cursor
	room := func(cell float64) float64 { return sessionRight - sessionX - beside - cell }
	m := c.FitMono(all, kit.MonoSizes(sessionSizes, end-first, all), room)
	for i := range m.Lines {
		m.Draw(i, sessionX, first+i*m.Pitch)
		if !all[i][1].Prose {
			last = i
		}
	}
	if last >= 0 {
		x, baseline := sessionX+int(m.End(last))+beside, first+last*m.Pitch
		c.Canvas().Fill(image.Rect(x, baseline-int(m.Px*.875), x+int(m.Cell), baseline+int(m.Px*.1875)), on.Accent)
	}
}
