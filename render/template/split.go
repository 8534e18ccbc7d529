package template

import (
	"image"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// Half word, half image.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "split", Name: "Split", Mood: "Half word, half image.",
		GoodFor: "Product pages, portfolios and stories with a picture of their own",
		Needs:   []string{"title", "picture"}, TextSide: "left", Photo: []kit.Kind{kit.OG},
	},
	OG: splitOG,
	Sized: []kit.FormatLayout{
		{Format: kit.Square, Draw: splitUpright, Fits: func(size image.Point) bool { return kit.Sharp(size, 1080, 480) }},
	},
	Fits: func(_ kit.Kind, size image.Point) bool { return kit.Sharp(size, 474, 630) },
})

// splitMeasures are those of a width of the column, in the layout.
type splitMeasures struct {
	top, end          float64 // of the column
	panel, rows, side int     // the wall
}

var splitWidths = [...]splitMeasures{
	{190, 686, 726, 4, 158}, {190, 764, 804, 5, 132}, {148, 764, 804, 5, 132},
}

// splitOG has a column for the text, and the rest of the card for a wall of tiles, or the unchanged picture, which is
// narrower beside a title that needs the room.
func splitOG(c *kit.Card) {
	bg, site := c.BG(), kit.SiteOf(&c.Texts)
	heading := kit.Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(4, 96, 84, 76, 68).Then(5, 60),
		Description: kit.Description{SizePx: 30, W: 614, Exact: true, Lines: 3, MaxTitleLines: 2},
	}
	heading.Style.LineHeight = 1.05
	bottom := 516.0
	if c.Logo != nil && c.Corner.Bottom && c.Corner.Right == c.RTL {
		bottom = 500
	}
	var columns []kit.Column
	for _, m := range splitWidths {
		columns = append(columns, kit.Column{X: 72, Y: m.top, W: m.end - 72, H: bottom - m.top, Gap: 44, Under: 120})
	}
	at := c.BestColumn(bg, heading, columns...)
	m := splitWidths[at]
	heading.Description.W = columns[at].W
	over := c.Over(kit.Backdrop{
		Picture: image.Rect(m.panel, 0, 1200, 630), Veil: func(_, _ float64) float64 { return 0 }, // there is no text on it
	})
	c.Begin(paint.Solid(c.Theme.BG))
	if !over {
		c.DrawTiles(m.panel, 0, 3, m.rows, m.side)
	}
	chip := kit.Surface{Color: c.Theme.Surface2, Text: c.Theme.Text, Muted: c.Theme.Muted, Accent: c.Theme.AccentText}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: chip, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 92, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})
	logo.Upper.X1, logo.Lower.X1 = min(logo.Upper.X1, m.end), min(logo.Lower.X1, m.end)

	// At the top: the site. At the bottom: the host, if it differs.
	foot := site.SpareHost
	if logo.Upper.HasLogo && !logo.AtEnd && logo.Wordmark() {
		foot = site.Host
	}
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: logo.Upper, Middle: 92, Side: 40, HostSaid: foot != ""})
	row := kit.Row{Span: logo.Lower.Span, Anchor: kit.Bottom, Y: 574}
	if logo.Lower.HasLogo && !logo.AtEnd {
		row.Anchor, row.Y = kit.Middle, logo.Lower.Middle
	}
	c.PutRow(row, kit.RowItem{
		Text: foot, Style: c.TextStyle(28, 400), Role: kit.Repeated, Color: bg.Muted, Address: true,
	})
	c.PutHeading(bg, columns[at], heading)
}

// splitUpright is half image, half word: the wall, or the picture, from edge to edge over the texts.
func splitUpright(c *kit.Card) {
	bg, f := c.PlainBG(), c.Format()
	u := kit.Upright{On: bg, Heading: kit.Heading{Description: kit.Description{
		SizePx: f.TextPx, W: f.Inner(), Lines: 2, MaxTitleLines: 2,
	}}}
	end := u.Put(c)
	over := c.Over(kit.Backdrop{
		Picture: image.Rect(0, 0, c.W, end), Veil: func(_, _ float64) float64 { return 0 }, // there is no text on it
	})
	c.Begin(paint.Solid(bg.Color))
	if !over {
		cols, rows := splitWall(c.W, end)
		side := c.W / cols
		c.DrawTiles(0, end-rows*side, cols, rows, side)
	}
	chip := kit.Surface{Color: c.Theme.Surface2, Text: c.Theme.Text, Muted: c.Theme.Muted, Accent: c.Theme.AccentText}
	kit.PutUprightFoot(c, bg, chip)
}

// splitWall returns the columns and rows of the wall of whole tiles that covers a height, of which the upper edge cuts
// the first row: the one of which least is cut.
func splitWall(w, high int) (cols, rows int) {
	least := w
	for n := 3; n <= 6; n++ {
		side := w / n
		k := (high + side - 1) / side
		if cut := k*side - high; cut < least && k > 1 {
			cols, rows, least = n, k, cut
		}
	}
	return cols, rows
}
