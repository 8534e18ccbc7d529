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
	c.Ground(paint.Solid(th.BG))
	c.canvas.Fill(c.Rect(72, 72, 1056, 2), th.Line)
	c.canvas.Fill(c.Rect(72, 70, 96, 6), th.Gfx)

	eyebrow := c.Eyebrow
	if eyebrow == "" {
		eyebrow = c.Host
	}
	c.PutOn(Essential, c.Line(eyebrow, c.LabelStyle(24), 520), 72, 122, th.Ink)
	date := c.Line(c.Date, c.TextStyle(24, 400), 0)
	c.PutOn(Essential, date, 1128-date.W(), 122, th.Muted)

	title, description := c.FitJoint(text.Joint{
		TitleStyle: c.TitleStyle(), TitleBox: text.Box{W: 984, H: 284}, Ladder: text.Steps(3, 92, 84, 76, 68).Then(4, 60, 54),
		TextStyle: c.TextStyle(30, 400), TextWidth: 820, TextLines: 2, Gap: 46, Room: 336,
	})
	c.Put(Title, title, 72, 168, th.Text)
	if !description.Empty() {
		c.Put(Essential, description, 72, 168+title.Height+46, th.Muted)
	}
	c.BrandLine(72, 566, 40)
}

func editorialHero(c *Card) {
	th := &c.Theme
	c.Ground(paint.Solid(th.BG))
	c.canvas.Fill(c.Rect(128, 128, 1344, 2), th.Line)
	c.canvas.Fill(c.Rect(128, 125, 128, 8), th.Gfx)

	eyebrow := c.Eyebrow
	if eyebrow == "" {
		eyebrow = c.Host
	}
	c.PutOn(Essential, c.Line(eyebrow, c.LabelStyle(30), 900), 128, 196, th.Ink)

	title, description := c.FitJoint(text.Joint{
		TitleStyle: c.TitleStyle(), TitleBox: text.Box{W: 1180, H: 400}, Ladder: text.Steps(3, 120, 108, 96, 86).Then(4, 76, 66),
		TextStyle: c.TextStyle(36, 400), TextWidth: 1000, TextLines: 2, Gap: 56, Room: 470,
	})
	c.Put(Title, title, 128, 244, th.Text)
	if !description.Empty() {
		c.Put(Essential, description, 128, 244+title.Height+56, th.Muted)
	}
	c.PutOn(Essential, c.FactsLine(c.TextStyle(32, 400), 1344), 128, 784, th.Muted)
}
