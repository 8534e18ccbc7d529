package template

import (
	"image"

	"masthead/render/template/kit"
	"masthead/render/template/wording"
	"masthead/render/text"
)

// productUpright draws the stage on top, as high as the texts leave it, and below it title, price and facts.
func productUpright(c *kit.Card) {
	f, th := c.Format(), &c.Theme
	bg := kit.Surface{Color: th.BG, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	m := productMeasures{
		x: f.X0, w: f.Inner(), gap: 44, row: kit.UprightEnd(c), priceK: 1.1, rowPx: f.RowPx(),
		star: 15, pitch: 37, starsUp: 12,
	}
	m.price = m.row - 68
	if len(c.Goods.Facts) == 0 && c.Goods.Rating == 0 {
		m.price = m.row
	}
	style := c.TitleStyle()
	style.LineHeight = 1.06
	u := kit.Upright{On: bg, Foot: putGoods(c, &m, bg) - m.gap, Top: f.Least + 30, Heading: kit.Heading{
		Style: style, Ladder: text.Steps(2, 104, 92, 84).Then(3, 76).Then(4, 68),
	}}
	for _, title := range wording.Product(c.Title, c.Lang) {
		u.Heading.Title = title
		if c.TitleWhole(bg, kit.Column{W: f.Inner(), H: u.Foot - u.Top}, u.Heading) {
			break
		}
	}
	high := u.Put(c)
	m.stage = image.Rect(0, 0, c.W, high)
	m.disc, m.discX, m.discY = .62*float64(high), float64(c.W)/2-40, .70*float64(high)
	m.thingX, m.thingY, m.figure = c.W/2, high/2+6, float64(high)/660
	m.thing, m.record, m.work = image.Pt(760, high-84), image.Pt(high-100, high-100), image.Pt(high-100, high-100)
	m.photo = m.thing
	beginProduct(c, &m, bg)
	drawStars(c, &m)
	kit.PutUprightFoot(c, bg, kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText})
}
