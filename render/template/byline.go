package template

import (
	"math"
	"strings"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// Written by a person: three nested arches, open at the lower edge, with the author in the innermost.
//
// Background BG. The outer two arches are barely distinguishable from the background; the inner one has the author's
// picture. The title is in a column next to it with the author below, and the date and reading time. No face is
// invented: it takes no AI picture.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "byline", Name: "Byline", Mood: "Written by a person.",
		GoodFor: "Columns, interviews, newsletters and personal blogs", Needs: []string{"author", "portrait"},
		TextSide: "left", Bare: true, Portrait: true, Fallback: []string{"editorial"},
	},
	OG:    bylineOG,
	Sized: []kit.FormatLayout{{Format: kit.Square, Draw: bylineSquare}},
	Lacks: func(c *kit.Card) string {
		if c.Author == "" || c.Portrait == nil || c.Portrait.Rect.Empty() {
			return "author with a picture"
		}
		return ""
	},
})

// bylineArches are the three, from the outermost, whose foot is below the lower edge of the card.
var bylineArches = [3]motif.Arch{
	{X: 692, W: 504, Top: 36, Foot: 638}, {X: 726, W: 436, Top: 70, Foot: 638}, {X: 752, W: 384, Top: 104, Foot: 638},
}

// bylineNarrow are those beside a title that needs a wider column.
var bylineNarrow = [3]motif.Arch{
	{X: 768, W: 428, Top: 84, Foot: 638}, {X: 797, W: 370, Top: 113, Foot: 638}, {X: 819, W: 326, Top: 142, Foot: 638},
}

// bylineMeasures are those of a width of the column, in the layout.
type bylineMeasures struct {
	arches   *[3]motif.Arch
	w        float64 // of the column
	top, gap float64 // where the title begins, and how far it is above the author
}

var bylineWidths = [...]bylineMeasures{
	{arches: &bylineArches, w: 590, top: 162, gap: 36}, {arches: &bylineNarrow, w: 664, top: 142, gap: 30},
}

func bylineOG(c *kit.Card) {
	th, bg := &c.Theme, c.BG()
	foot := kit.Column{X: 72, Y: 440, H: 82, Anchor: kit.Bottom, Gap: 24, Foot: 528}
	if c.Logo != nil && c.Corner.Bottom && c.Corner.Right == c.RTL { // below it
		foot.Y, foot.Foot = foot.Y-28, 500
	}
	heading := kit.Heading{Style: c.TitleStyle(), Ladder: text.Steps(2, 116, 104, 92).Then(3, 84, 76, 66).Then(4, 60)}
	heading.Style.LineHeight = 1.06
	author := c.Author
	if text.Same(author, c.Title) { // a page about that person
		author, heading.Description = "", kit.Description{SizePx: 28, W: bylineWidths[0].w, Lines: 3}
	}
	items := func(w float64) []kit.Item { // the author, the date, and the reading time
		return []kit.Item{
			{Block: c.Line(author, c.TextStyle(36, 600), w), Role: kit.Essential, Color: bg.Text},
			{Block: bylineWhen(c, 28, w), Role: kit.Essential, Color: bg.Muted},
		}
	}
	y, signed := c.ColumnTop(foot, items(bylineWidths[0].w)...)
	var columns []kit.Column
	for _, m := range bylineWidths {
		end := foot.Foot
		if signed {
			end = y - m.gap
		}
		column := kit.Column{X: 72, Y: m.top, W: m.w, H: end - m.top, Gap: 42, Under: 112, Foot: end}
		if !signed { // a page about that person
			column.Anchor = kit.Middle
		}
		columns = append(columns, column)
	}
	at := c.BestColumn(bg, heading, columns...)
	m := bylineWidths[at]

	c.Begin(paint.Solid(bg.Color))
	motif.DrawAlcove(c, m.arches)
	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: chip, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 88, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 549, MaxH: 54},
	})
	logo.Upper.X1 = min(logo.Upper.X1, foot.X+m.w)
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: logo.Upper, Middle: 84, Side: 40})
	foot.W = m.w
	c.PutColumn(foot, items(m.w)...)
	c.PutHeading(bg, columns[at], heading)
}

// bylineWhen is the line under an author: the date and the reading time, or only the date if both don't fit.
func bylineWhen(c *kit.Card, px, maxW float64) kit.Block {
	unsigned := c.Spec
	unsigned.Author = ""
	parts, st := kit.Byline(&unsigned), c.TextStyle(px, 400)
	if b := c.Line(strings.Join(parts, " · "), st, 0); len(parts) < 2 || b.BoxWidth <= maxW {
		return b
	}
	return c.Line(parts[0], st, maxW)
}

// bylineSquare draws the alcove over the title, as high as the texts leave it.
func bylineSquare(c *kit.Card) {
	f, bg := c.Format(), c.BG()
	u := kit.Upright{On: bg, Foot: kit.UprightEnd(c), Top: f.Least + 40, Heading: kit.Heading{
		Ladder: text.Steps(2, 116, 104, 92).Then(3, 84, 76).Then(4, 68),
	}}
	c.Begin(paint.Solid(bg.Color))
	author := c.Author
	if text.Same(author, c.Title) { // a page about that person
		author, u.Heading.Description = "", kit.UprightDescription(c)
	}
	foot := kit.Column{X: f.X0, Y: u.Foot - 120, W: f.Inner(), H: 120, Anchor: kit.Bottom, Gap: 30, Foot: u.Foot}
	if put := c.PutColumn(foot,
		kit.Item{Block: c.Line(author, c.TextStyle(44, 600), f.Inner()), Role: kit.Essential, Color: bg.Text},
		kit.Item{Block: bylineWhen(c, f.RowPx(), f.Inner()), Role: kit.Essential, Color: bg.Muted}); len(put) > 0 {
		u.Foot = min(put[0].Y, put[0].Bounds().Y0) - kit.UprightGap
	}
	end := float64(u.Put(c))
	k := min((end-30)/500, 1)
	var arches [3]motif.Arch
	for i, a := range bylineArches {
		w := math.Floor(a.W * k * 1.06 / 2)
		arches[i] = motif.Arch{X: float64(c.W)/2 - w, W: 2 * w, Top: math.Floor(30 + (a.Top-36)*k), Foot: end}
	}
	motif.DrawAlcove(c, &arches)
	chip := kit.Surface{Color: c.Theme.Surface2, Text: c.Theme.Text, Muted: c.Theme.Muted, Accent: c.Theme.AccentText}
	kit.PutUprightFoot(c, bg, chip)
}
