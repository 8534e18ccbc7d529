package template

import (
	"masthead/render/paint"
	"masthead/render/text"
)

// The default: the calm front page of a good magazine.
var _ = register(Template{
	Info: Info{
		Slug: "editorial", Name: "Editorial", Mood: "The calm front page of a good magazine.", Kinds: []Kind{OG, BlogHero},
		GoodFor: "Articles, essays, company blogs, and any page that says no more than its title", Needs: []string{"title"}, TextSide: "left",
	},
	OG:       editorialOG,
	BlogHero: editorialHero,
})

func editorialOG(c *Card) {
	th := &c.Theme
	c.LogoTop = 44
	c.Ground(paint.Solid(th.BG))
	c.Ghost(1180, 612, 760)
	c.canvas.Fill(c.Rect(72, 72, 1056, 2), th.Line)
	c.canvas.Fill(c.Rect(72, 70, 96, 6), th.Gfx)
	c.masthead(masthead{x0: 72, x1: 1128, baseline: 122, sizePx: 24, date: c.Date})

	// The lower row is moved up by a logo, which is higher than a mark.
	logo, at := c.logo()
	middle, room := 556.0, 336.0
	if at == bottomStart || at == bottomEnd {
		middle, room = 546, 320
	}
	if at == bottomEnd {
		c.draw(logo, 1128-logo.W, int(middle)-logo.H/2)
	}
	c.BrandLine(72, middle, 40)

	title, description := c.FitJoint(text.Joint{
		TitleStyle: c.TitleStyle(), TitleBox: text.Box{W: 984, H: 284}, Ladder: text.Steps(3, 92, 84, 76, 68).Then(4, 60, 54),
		TextStyle: c.TextStyle(30, 400), TextWidth: 820, TextLines: 2, Gap: 46, Room: room,
	})
	c.Put(Title, title, 72, 168, th.Text)
	if !description.Empty() {
		c.Put(Essential, description, 72, 168+title.Height+46, th.Muted)
	}
}

func editorialHero(c *Card) {
	th := &c.Theme
	c.LogoTop = 56
	c.Ground(paint.Solid(th.BG))
	c.Ghost(1572, float64(c.H)-26, 1.2*float64(c.H))
	c.canvas.Fill(c.Rect(128, 128, 1344, 2), th.Line)
	c.canvas.Fill(c.Rect(128, 125, 128, 8), th.Gfx)
	c.masthead(masthead{x0: 128, x1: 1472, baseline: 196, sizePx: 30})

	c.heroFacts(128, 1472, 773)

	title, description := c.FitJoint(text.Joint{
		TitleStyle: c.TitleStyle(), TitleBox: text.Box{W: 1180, H: 400}, Ladder: text.Steps(3, 120, 108, 96, 86).Then(4, 76, 66),
		TextStyle: c.TextStyle(36, 400), TextWidth: 1000, TextLines: 2, Gap: 56, Room: 470,
	})
	c.Put(Title, title, 128, 244, th.Text)
	if !description.Empty() {
		c.Put(Essential, description, 128, 244+title.Height+56, th.Muted)
	}
}

// heroFacts is the lower row of a hero, about a middle line: author, date and reading time, or the brand where neither of the first two is
// known.
func (c *Card) heroFacts(x0, x1, middle float64) {
	logo, at := c.logo()
	facts := c.FactsLine(c.TextStyle(32, 400), x1-x0-float64(logo.W)-logoGap)
	if at == bottomEnd {
		c.draw(logo, int(x1)-logo.W, int(middle)-logo.H/2)
	}
	if c.Author == "" && c.Date == "" {
		c.BrandLine(x0, middle, 46)
		return
	}
	if at == bottomStart {
		c.draw(logo, int(x0), int(middle)-logo.H/2)
		x0 += float64(logo.W) + logoGap
	}
	c.PutMiddle(Essential, facts, x0, middle, c.Theme.Muted)
}

// masthead is the row under the rule: the eyebrow, and a date at the end of the row.
type masthead struct {
	x0, x1, baseline, sizePx float64
	date                     string
}

// rowFree is the least width that stays empty between the two ends of a row; what cannot keep it is dropped.
const rowFree = 320

func (c *Card) masthead(m masthead) {
	eyebrow, style := c.Eyebrow, c.LabelStyle(m.sizePx)
	if eyebrow == "" && c.Title != c.Host {
		eyebrow, style.Lang = c.Host, "" // a host knows no language: in Turkish its i would become İ
	}
	label := c.Line(eyebrow, style, (m.x1-m.x0)/2)
	date := c.Line(m.date, c.TextStyle(m.sizePx, 400), 0)

	logo, at := c.logo()
	if at != topStart && at != topEnd {
		logo.W = -logoGap
	}
	if used := label.W() + date.W() + float64(logo.W) + logoGap; m.x1-m.x0-used < rowFree {
		date = Words{}
	}
	if used := label.W() + float64(logo.W) + logoGap; m.x1-m.x0-used < rowFree {
		label = c.Line(eyebrow, style, m.x1-m.x0-rowFree-float64(logo.W)-logoGap)
	}
	switch top := int(m.baseline-.36*m.sizePx+.5) - logo.H/2; at {
	case topStart:
		c.draw(logo, int(m.x0), top)
		m.x0 += float64(logo.W) + logoGap
	case topEnd:
		c.draw(logo, int(m.x1)-logo.W, top)
		m.x1 -= float64(logo.W) + logoGap
	}
	c.PutOn(Essential, label, m.x0, m.baseline, c.Theme.Ink)
	c.PutOn(Essential, date, m.x1-date.W(), m.baseline, c.Theme.Muted)
}
