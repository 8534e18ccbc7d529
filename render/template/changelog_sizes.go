package template

import (
	"masthead/render/template/kit"
	"masthead/render/template/wording"
	"masthead/render/text"
)

// changelogSquare has more room for what is new, and the site in a row of its own.
func changelogSquare(c *kit.Card) {
	const pitch, size = 64, 38
	f, bg := c.Format(), c.BG()
	m := changelogMeasures{
		left: f.X0, right: f.X1, most: 230, below: 230, base: 390, width: f.Inner(), datePx: f.RowPx(), alone: true,
		scale: 446, node: 531,
	}
	when, mask, _ := beginChangelog(c, &m, bg)
	rtl := c.RTL
	c.RTL = false
	c.PutRow(kit.Row{
		Span: kit.Span{X0: float64(mask.Rect.Max.X) + numeralGap, X1: m.right}, Anchor: kit.Bottom, Y: m.base + 12,
	}, when)
	c.RTL = rtl
	kit.PutUprightFoot(c, bg, bg)

	title, foot := wording.Release(c), kit.UprightEnd(c)
	style := c.TitleStyle()
	style.LineHeight = 1.04
	column := kit.Column{
		X: f.X0, Y: float64(m.scale) + 100, W: f.Inner(), Gap: kit.UprightGap, Under: float64(m.scale) + 30, Foot: foot,
	}
	column.H = foot - column.Y
	if lines := wording.Highlights(c); len(lines) > 0 {
		first := int(foot) - (len(lines)-1)*pitch
		over := column
		over.Foot = float64(first) - size - kit.UprightGap
		over.H = over.Foot - over.Y
		heading := kit.Heading{Title: title, Style: style, Ladder: text.Steps(1, 116, 104).Then(2, 92, 84, 76, 68)}
		if c.TitleFits(bg, over, heading) {
			c.PutHeading(bg, over, heading)
			putHighlights(c, bg, lines, size, int(f.X0), first, pitch)
			return
		}
	}
	c.PutHeading(bg, column, kit.Heading{
		Title: title, Style: style, Ladder: text.Steps(2, 132, 116, 104).Then(3, 92, 84).Then(4, 76),
		Description: kit.Description{SizePx: size, W: f.Inner(), Lines: 3},
	})
}
