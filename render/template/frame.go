package template

import (
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// Show the product: two windows that are tilted away from the text, cut by the right and the lower edge.
//
// Background: a diagonal of two neighbors of the accent, deep on a dark card, pale on a light one. The front window has
// the page's own picture; otherwise the brand: a white tile with the icon on a
// bright diagonal, and the name of the site. The title has the column next to it, and a description if there is room.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "frame", Name: "Frame", Mood: "Show the product.",
		GoodFor: "Product pages, apps, features and anything with a screenshot", Needs: []string{"screenshot"},
		TextSide: "left", Bare: true, Photo: []kit.Kind{kit.OG}, Screenshot: true, Fallback: []string{"split", "editorial"},
	},
	OG: frameOG,
	Lacks: func(c *kit.Card) string {
		home := c.Path == "" && c.Host != "" || c.SiteName != "" && text.Same(c.Title, c.SiteName)
		if !home && !c.OfPage() {
			return "screenshot, and is not a home page"
		}
		return ""
	},
})

// Measures of the title, in pixels.
const (
	frameColumn = 504
	frameAside  = 96 // by how much the windows are further right beside a title of five lines or a small one
	frameSmall  = 60 // its size
)

func frameOG(c *kit.Card) {
	th := &c.Theme
	turn := motif.BesideYellow(th.LCH.H, 20)
	if th.Yellow() { // to amber, not to khaki
		turn = -20
	}
	from := th.Ramp(kit.ByMode(th.Dark, .30, .93), kit.ByMode(th.Dark, .8, .35), motif.BesideYellow(th.LCH.H, -20))
	to := th.Ramp(kit.ByMode(th.Dark, .20, .84), .6, turn)
	on := c.On(from)
	if worst := c.On(to); palette.Contrast(to, th.Text) < palette.Contrast(from, th.Text) {
		on = worst
	}
	c.Over(kit.Backdrop{Redrawn: true})
	angle := paint.DownRight
	if c.RTL {
		from, to, angle = to, from, paint.UpRight
	}
	c.SetSoftLight() // tilted windows are small only as a JPEG
	c.Begin(paint.Linear{Angle: angle, Colors: palette.Gradient(from, to)})
	column := kit.Column{X: 72, Y: 170, W: frameColumn, H: 350, Anchor: kit.Middle, Gap: 40, Under: 124, Foot: 528}
	style := c.TitleStyle()
	style.LineHeight = 1.06
	heading := kit.Heading{Style: style, Ladder: text.Steps(2, 104, 92).Then(3, 84).Then(4, 76, 68).Then(5, 60)}
	aside := 0
	b := c.Fit(c.Title, style, text.Box{W: column.W, H: column.H}, heading.Ladder)
	if !b.Empty() && (b.Truncated || len(b.Lines) > 4 || b.SizePx <= frameSmall) {
		aside = frameAside
	}
	column.W += float64(aside)
	if !c.HasPicture() || c.LaidOut() {
		motif.DrawWindows(c, aside)
	}

	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: on, End: chip, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 92, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})
	logo.Upper.X1 = min(logo.Upper.X1, column.X+column.W)
	// If a window has the name, the top has the host.
	kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: logo.Upper, Middle: 92, Side: 40, HostSaid: true})

	if logo.Lower.HasLogo && !logo.AtEnd {
		column.H, column.Foot = 320, 500
	}
	heading.Description = kit.Description{SizePx: 28, W: column.W, Lines: 3, MaxTitleLines: 3}
	c.PutHeading(on, column, heading)
}
