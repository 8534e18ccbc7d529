package template

import (
	"image"

	"masthead/render/template/kit"
	"masthead/render/text"
)

// quoteUpright draws the mark larger, the words in the middle of what it leaves, and the site in a row of its own.
func quoteUpright(c *kit.Card) {
	f := c.Format()
	m := quoteMeasures{
		left: f.X0, bottom: 274, height: 330, most: 620, wholeHeight: 200, bar: image.Pt(80, 8), indent: 108,
		namePx: 44, titlePx: 40, sourcePx: f.RowPx(),
	}
	ladder := text.Steps(3, 164, 148, 132, 116).Then(4, 104, 96, 88).Then(5, 76, 68).Then(6, 60)
	top := m.bottom + 96
	switch f {
	case kit.Feed:
		m.bottom, m.height, top = 344, 410, 440
	case kit.Story:
		m.bottom, m.height, m.most, m.wholeHeight, top = 480, 560, 800, 300, 620
		m.namePx, m.titlePx = 52, 48
		ladder = text.Steps(4, 180, 164, 148, 132).Then(5, 116, 104).Then(6, 96, 88).Then(7, 76)
	}
	on, _ := beginQuote(c, &m)
	foot := kit.UprightEnd(c)
	under := kit.Column{X: f.X0, Y: foot - 120, W: f.Inner(), H: 120, Anchor: kit.Bottom, Gap: 30, Foot: foot}
	if put, ok := putQuoted(c, on, &m, under); ok {
		foot = put - 56
	}
	said := quoted(c)
	u := kit.Upright{
		On: on, Top: top, Foot: foot, Middle: true,
		Heading: kit.Heading{Title: said, Style: quoteStyle(c, said), Ladder: ladder},
	}
	u.Put(c)
	kit.PutUprightFoot(c, on, on)
}
