package template

import (
	"cmp"
	"math"

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
	Sized:    []kit.FormatLayout{{Format: kit.Header, Draw: ribbonHeader}, {Format: kit.Banner, Draw: ribbonHeader}},
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
	style.Weight, style.LineHeight, style.Tracking = 800, 1, style.Tracking+max(posterTracking(c.Title), -.009)
	title, w := fitBesideSilk(c, style, column)
	column.W = w
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
		K: .62, From: paint.Point{X: 1180, Y: 450}, To: paint.Point{X: f.X1 + 270, Y: .5 * float64(c.H)},
	}), motif.SilkShades(&c.Theme), c.RTL)
	style := c.TitleStyle()
	style.Weight, style.LineHeight, style.Tracking = 800, 1, style.Tracking+max(posterTracking(c.Title), -.009)
	kit.PutHeader(c, bg, kit.Heading{Style: style})
}

// silkFootX is the end of the row at the bottom, where the silk is close.
const silkFootX = 790

// Widths of the title, the last of which suits all heights, and its distance from the silk.
var silkWidths = [...]float64{1160, 1080, 1000, 920, 860, 800, 740, 680, 640, 600}

const silkClear = 64

// fitBesideSilk lays out the title of a column, at the width at which it reads best: lines may be the longer, the
// higher they are. A short one is as large as usual.
func fitBesideSilk(c *kit.Card, style text.Style, column kit.Column) (title kit.Block, w float64) {
	const usual, few, large = 720, 2, 148 // px; lines of a short title, and its least size
	ladder := text.Steps(2, 190, 168, 148).Then(5, 132, 116, 104, 92, 80).Then(6, 80, 72).Then(7, 64)
	fit := func(width float64, from int) kit.Block {
		return c.Fit(c.Title, style, text.Box{W: width, H: column.H}, ladder[from:])
	}
	if b := fit(usual, 0); !b.Empty() && len(b.Lines) <= few && b.SizePx >= large && !b.Parted() {
		return b, usual
	}
	for i, width := range silkWidths {
		last := i+1 == len(silkWidths)
		for _, from := range [...]int{0, 4, 6} { // steps of the ladder
			b := fit(width, from)
			if b.Empty() || !last && reachesSilk(c, b, column) {
				continue
			}
			// What a narrower column holds is judged there.
			if (last || b.Width > silkWidths[i+1]) && (title.Empty() || betterTitle(b, title)) {
				title, w = b, width
			}
			break
		}
	}
	return larger(c, style, column, title, w)
}

// larger returns a title of few lines in the largest size at which the same lines are clear of the silk: the steps of
// its ladder are far apart for one that has a card for itself.
func larger(c *kit.Card, style text.Style, column kit.Column, title kit.Block, w float64) (kit.Block, float64) {
	const few, most, least, step = 3, 1.5, 1.08, .04
	if title.Empty() || title.Truncated || len(title.Lines) > few {
		return title, w
	}
	style.SizePx = title.SizePx
	for k := most; k >= least; k -= step {
		wide := math.Ceil(k*title.Width) + 2
		b := c.Fit(c.Title, style, text.Box{W: wide, H: column.H}, text.Steps(len(title.Lines), k*title.SizePx))
		if !b.Empty() && !b.Truncated && b.Text() == title.Text() && b.SizePx > title.SizePx && !reachesSilk(c, b, column) {
			return b, wide
		}
	}
	return title, w
}

// betterTitle reports whether a layout of a title is better than another one.
func betterTitle(b, other kit.Block) bool {
	if b.Truncated && other.Truncated {
		return kit.SaysMore(b.Block, other.Block)
	}
	return text.ReadsBetter(b.Block, other.Block)
}

// reachesSilk reports whether a title at the top of a column has lines that are too close to the silk.
func reachesSilk(c *kit.Card, title kit.Block, column kit.Column) bool {
	const descent = .2
	for _, l := range title.Lines {
		if column.X+l.Width+silkClear > motif.SilkEdge(c, column.Y+l.Baseline+descent*title.SizePx) {
			return true
		}
	}
	return false
}
