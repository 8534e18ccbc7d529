package template

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"strings"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// One shout, on the accent.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "poster", Name: "Poster", Mood: "One shout.",
		GoodFor: "Announcements, events and manifestos with a short title", Needs: []string{"title"}, TextSide: "left",
	},
	OG: posterOG,
	Sized: []kit.FormatLayout{
		{Format: kit.Square, Draw: posterUpright}, {Format: kit.Feed, Draw: posterUpright},
		{Format: kit.Story, Draw: posterUpright},
	},
})

// posterMeasures are those of a size, in the layout.
type posterMeasures struct {
	margin       int
	column       kit.Column // of the title
	under        float64    // of a logo over it, in whose place it begins 40 lower
	upper, lower kit.LogoLine
	row          float64 // middle of the row at the bottom
	rowEnd       float64
	icon         int
	textPx       float64
	more         int // lines that a title may have beyond those of a share image
	view         kit.View
}

var posterShare = posterMeasures{
	margin: 72, column: kit.Column{X: 72, Y: 72, W: 1056, H: 400}, under: 112,
	upper: kit.LogoLine{Middle: 84, MaxH: kit.LogoH}, lower: kit.LogoLine{Middle: 555, MaxH: kit.LogoH},
	row: 555, rowEnd: 560, icon: 42, textPx: 30,
}

func posterOG(c *kit.Card) { drawPoster(c, &posterShare) }

func drawPoster(c *kit.Card, m *posterMeasures) {
	accent, site := posterSurface(&c.Theme), kit.SiteOf(&c.Texts)
	host, rowEnd := cmp.Or(site.Host, site.Name), m.rowEnd
	if b := c.Line(host, c.TextStyle(m.textPx, 600), 0); !b.Empty() && (c.Logo == nil || !c.Corner.Bottom) {
		end := float64(m.margin+m.icon) + kit.BrandGap + math.Ceil(b.BoxWidth)
		rowEnd = max(rowEnd, min(end, rowEnd+posterRowMore)) // a long host is whole
	}
	over := c.Over(posterBackdrop(accent))
	c.Begin(paint.Solid(accent.Color))

	column := m.column
	if c.Logo != nil && !c.Corner.Bottom {
		column.Y, column.H, column.Under = m.under+40, column.H-(m.under+40-column.Y), m.under
	}
	style := c.TitleStyle()
	style.Weight, style.LineHeight, style.Tracking = 800, .96, style.Tracking+posterTracking(c.Title)
	title := c.Fit(c.Title, style, text.Box{W: column.W, H: column.H}, posterLadder(c.Title, m.more))
	placed := c.PutColumn(column, kit.Item{Block: title, Role: kit.Title, Color: accent.Text})
	if !over {
		var lines []image.Rectangle
		for _, p := range placed {
			for _, l := range p.Lines {
				lines = append(lines, p.Box(l.Ink))
			}
		}
		if m.view.K > 0 || rowEnd > m.rowEnd { // the figure is as wide as the card, or the row is longer
			width := float64(posterRowW)
			if b := c.Line(host, c.TextStyle(m.textPx, 600), 0); c.Logo == nil && !b.Empty() {
				width = min(width, float64(m.icon)+kit.BrandGap+b.BoxWidth)
			}
			if rowEnd > m.rowEnd {
				width = rowEnd - float64(m.margin)
			}
			lines = append(lines, c.MotifRect(m.margin, int(m.row)-30, int(width)+20, 60))
		}
		motif.DrawPoster(c, m.view, accent, lines)
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: m.margin, Start: accent, End: accent, Upper: m.upper, Lower: m.lower, ChipAtEnd: !over,
	})

	// At the bottom: the host, after the icon of its site.
	end := min(logo.Lower.X1, rowEnd)
	foot := kit.Row{Span: kit.Span{X0: logo.Lower.X0, X1: end}, Anchor: kit.Middle, Y: m.row, Gap: kit.BrandGap}
	c.PutRow(foot, c.BrandIcon(accent, logo, m.icon), kit.RowItem{
		Text: host, Style: c.TextStyle(m.textPx, 600), Role: kit.Repeated, Color: accent.Text, Address: true,
	})
}

// posterTracking returns what the letter spacing of a title differs by from the usual one: tighter, but not where the
// stroke of a letter would run into its neighbors.
func posterTracking(title string) float64 {
	switch {
	case !strings.ContainsAny(title, "łŁđĐħĦŧŦ"):
		return -.01
	case !strings.ContainsRune(title, ' '): // a word alone is largest
		return .045
	}
	return .02
}

// posterUpright is the same where there is more height than width: the title takes more lines, and the figure grows.
func posterUpright(c *kit.Card) {
	f := c.Format()
	corner := paint.Point{X: 1200, Y: 630}
	m := posterMeasures{
		margin: int(f.X0), column: kit.Column{X: f.X0, Y: f.Top, W: f.Inner()}, under: f.Top + 64,
		upper: kit.LogoLine{Middle: int(f.Top) + 32, MaxH: kit.UprightLogo},
		lower: kit.LogoLine{Middle: int(f.Foot) - 12, MaxH: kit.UprightLogo},
		row:   f.Foot - 8, rowEnd: f.X0 + 640, icon: 54, textPx: 38, more: 2,
		view: kit.View{K: min(float64(f.H)/720, 1.9), From: corner, To: paint.Point{X: float64(f.W), Y: float64(f.H)}},
	}
	m.column.H = f.Foot - 110 - f.Top
	drawPoster(c, &m)
}

const (
	posterRowW    = 480 // the most that the row with the host takes beside a logo
	posterRowMore = 200 // how much longer it may be for a long host, of which the figure keeps clear
)

// posterLadder returns the sizes of a title: one word may be larger than several.
// More is the number of lines that it may have beyond those of a share image.
func posterLadder(title string, more int) text.Ladder {
	several := text.Steps(3, 168, 148, 132, 116, 104).Then(4, 92, 80).Then(5, 70)
	if more > 0 {
		several = text.Steps(3, 200, 184).Then(2+more, 168, 148, 132).Then(3+more, 116).Then(4+more, 104, 92).Then(5+more, 84)
	}
	if strings.ContainsAny(title, " \u00a0") {
		return several
	}
	return append(text.Steps(1, 240, 228, 216, 204, 192, 180), several...)
}

// brightAccent is the lightness from which an accent would be dazzling as the background of a dark card.
const brightAccent = .92

// posterSurface is the surface of everything: the accent, in both modes, except for dark cards of a brand that is
// white, gray or black.
func posterSurface(th *palette.Theme) kit.Surface {
	if th.Dark && (th.Neutral || th.LCH.L > brightAccent) {
		return kit.OneColor(th.BG, th.Text)
	}
	// It is calmer than the accent: less dazzling in color, and deeper on a dark card as far as dark text allows.
	const most = .19
	deeper, background := .10, palette.ToLCH(th.Background)
	background.C = min(background.C, most)
	if th.Yellow() && th.Dark { // to gold, not to mustard
		const gold = -12
		deeper, background.H = .04, background.H+gold
	}
	for by := deeper; th.Dark && by > 0; by -= .02 {
		calm := background
		calm.L -= by
		if palette.Contrast(calm.Color(), th.OnBackground) >= posterText {
			return kit.OneColor(calm.Color(), th.OnBackground)
		}
	}
	if calm := background.Color(); palette.Contrast(calm, th.OnBackground) >= palette.MinText {
		return kit.OneColor(calm, th.OnBackground)
	}
	return kit.OneColor(th.Background, th.OnBackground)
}

// posterText is the minimum contrast of a title on a background that was made deeper.
const posterText = 6

// Parameters of the duotone.
const (
	duotoneSpan = .40 // between its two colors, in lightness
	duotoneText = palette.MinText + .2
	calmText    = 8.5 // contrast of text on the ink that calms the picture, if the hue allows it
	deepText    = 6.5 // on the darker tone under dark text
	paleSpan    = .6  // fraction of the way from the background to white, under dark text
	deepSpan    = .12 // from the background to the darker tone under dark text
)

// posterBackdrop prints a picture in two tones of the background on which all text is readable: the background and a
// deeper one, or under dark text a paler one.
func posterBackdrop(on kit.Surface) kit.Backdrop {
	background := palette.ToLCH(on.Color)
	tone := func(l float64) color.NRGBA {
		t := background
		t.L = min(max(l, .08), .985)
		return t.Color()
	}
	// step changes a lightness as long as text has more than a contrast, or less, within a limit.
	step := func(l, by, most, contrast float64, more bool) float64 {
		for end := l + most*by/.01; (palette.Contrast(tone(l), on.Text) > contrast) == more && (end-l)*by > 0; {
			l += by
		}
		return l
	}
	if palette.Luminance(on.Text) > palette.Luminance(on.Color) {
		light := step(background.L, .01, .34, 6, true) // a black background shows nothing
		light = step(light, -.01, .3, duotoneText, false)
		return kit.Backdrop{
			Ink: tone(step(background.L, -.01, .3, calmText, false)), Dark: tone(light - duotoneSpan), Light: tone(light),
		}
	}
	dark := step(background.L, -.01, deepSpan, deepText, true)
	dark = step(dark, .01, .3, duotoneText, false)
	return kit.Backdrop{
		Ink: tone(step(background.L, .01, .2, calmText, false)), Dark: tone(dark),
		Light: tone(max(background.L+paleSpan*(1-background.L), dark+.1)),
	}
}
