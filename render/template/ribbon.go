package template

import (
	"cmp"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// A fold of silk in the accent and its neighbors, with a loud title next to it.
//
// Background BG. The silk goes from the bottom of the card to its upper right, cut by three edges: strokes interpolated
// between two cubics, 15 px wide, lit in five half waves, their hue turning by 62° from one side to the other. The
// title is extra bold and set solid, at the upper left; where the silk is close, its lines are shorter. At the bottom:
// the icon and the host.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "ribbon", Name: "Ribbon", Mood: "A fold of silk, and a loud title.",
		GoodFor: "Announcements, launches, quotes and opinion", Needs: []string{"title"}, TextSide: "left", Bare: true,
	},
	BlogHero: ribbonHero,
	Sized:    []kit.Sized{{Format: kit.Header, Draw: ribbonHeader}, {Format: kit.Banner, Draw: ribbonHeader}},
})

func ribbonHero(c *kit.Card) {
	bg, site := c.BG(), kit.SiteOf(&c.Texts)
	canvas := c.Begin(paint.Solid(bg.Color))
	canvas.Levels(motif.Silk(c, kit.View{}), motif.SilkShades(&c.Theme), c.RTL)
	chip := kit.Surface{Color: c.Theme.Surface2, Text: c.Theme.Text, Muted: c.Theme.Muted, Accent: c.Theme.AccentText}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 128, Start: bg, End: chip, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 148, MaxH: kit.HeroLogoH}, Lower: kit.LogoLine{Middle: 764, MaxH: kit.HeroLogoH},
	})

	column := kit.Column{X: 128, Y: 128, W: 720, H: 560}
	if logo.Upper.HasLogo && !logo.AtEnd {
		column.Y, column.H, column.Under = 228, 460, 184
	}
	style := c.TitleStyle()
	style.Weight, style.LineHeight, style.Tracking = 800, 1, style.Tracking-.009
	ladder := text.Steps(2, 190, 168, 148).Then(5, 132, 116, 104, 92, 80)
	title := c.Fit(c.Title, style, text.Box{W: column.W, H: column.H}, ladder)
	if reachesSilk(title, column.Y) {
		title = c.Fit(c.Title, style, text.Box{W: silkNearW, H: column.H}, ladder)
	}
	c.PutColumn(column, kit.Item{Block: title, Role: kit.Title, Color: bg.Text})

	// At the bottom: the host. Next to a wordmark it may be dropped, but not truncated.
	foot := kit.Row{Span: logo.Lower.Span, Anchor: kit.Bottom, Y: 788, Gap: kit.BrandGap}
	foot.X1 = min(foot.X1, silkFootX)
	host := kit.RowItem{
		Text: cmp.Or(site.Host, site.Name), Style: c.TextStyle(34, 600), Role: kit.Repeated, Color: bg.Text, Address: true,
	}
	if b := c.Line(host.Text, host.Style, 0); foot.X0 > column.X && !b.Empty() && b.BoxWidth > foot.X1-foot.X0 {
		return
	}
	c.PutRow(foot, c.BrandIcon(bg, logo, 48), host)
}

// ribbonHeader draws a narrower fold at the end of lines.
func ribbonHeader(c *kit.Card) {
	bg, f := c.BG(), c.Format()
	canvas := c.Begin(paint.Solid(bg.Color))
	canvas.Levels(motif.Silk(c, kit.View{
		K: .62, From: paint.Point{X: 1080, Y: 450}, To: paint.Point{X: f.X1 + 270, Y: .5 * float64(c.H)},
	}), motif.SilkShades(&c.Theme), c.RTL)
	style := c.TitleStyle()
	style.Weight, style.LineHeight, style.Tracking = 800, 1, style.Tracking-.009
	putHeader(c, bg, kit.Heading{Style: style})
}

// Where the silk is close to the left half of the card.
const (
	silkNearY = 480 // from here down
	silkNearW = 640 // maximum width of a line
	silkFootX = 700 // end of the row at the bottom
)

// reachesSilk reports whether a title that begins at y has lines that are too close to the silk.
func reachesSilk(title kit.Block, y float64) bool {
	for _, l := range title.Lines {
		if y+l.Baseline > silkNearY && l.Width > silkNearW {
			return true
		}
	}
	return false
}
