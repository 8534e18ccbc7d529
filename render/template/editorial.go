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
	c.BackdropLetter(1180, 612, 760)
	c.canvas.Fill(c.Rect(72, 72, 1056, 2), th.Line)
	c.canvas.Fill(c.Rect(72, 70, 96, 6), th.Gfx)
	top, under := 168.0, c.eyebrowRow(eyebrowRow{x0: 72, x1: 1128, baseline: 122, sizePx: 24, date: c.Date, readingTime: c.ReadingTime})
	if under == 0 {
		top, under = 126, 78
	}

	// The lower row is moved up by a logo, which is higher than an icon.
	logo, at := c.logo()
	middle, room := 556.0, 336.0
	if at == bottomStart || at == bottomEnd {
		middle, room = 546, 320
	}
	if at == bottomEnd {
		c.draw(logo, 1128-logo.W, int(middle)-logo.H/2)
	}
	c.BrandRow(72, middle, 40)

	c.below(under, top, text.Stack{
		TitleStyle: c.TitleStyle(), TitleBox: text.Box{W: 984, H: 284}, Ladder: text.Steps(3, 92, 84, 76, 68).Then(4, 60, 54),
		TextStyle: c.TextStyle(30, 400), TextWidth: 820, TextLines: 2, Gap: 46, MaxHeight: room,
	}, 72)
}

func editorialHero(c *Card) {
	th := &c.Theme
	c.LogoTop = 56
	c.Ground(paint.Solid(th.BG))
	c.BackdropLetter(1572, float64(c.H)-26, 1.2*float64(c.H))
	c.canvas.Fill(c.Rect(128, 128, 1344, 2), th.Line)
	c.canvas.Fill(c.Rect(128, 125, 128, 8), th.Gfx)
	top, row := 244.0, eyebrowRow{x0: 128, x1: 1472, baseline: 196, sizePx: 30, signed: c.signed()}
	if !row.signed {
		row.readingTime = c.ReadingTime
	}
	under := c.eyebrowRow(row)
	if under == 0 {
		top, under = 190, 133
	}
	c.heroByline(128, 1472, 773)

	c.below(under, top, text.Stack{
		TitleStyle: c.TitleStyle(), TitleBox: text.Box{W: 1180, H: 400}, Ladder: text.Steps(3, 120, 108, 96, 86).Then(4, 76, 66),
		TextStyle: c.TextStyle(36, 400), TextWidth: 1000, TextLines: 2, Gap: 56, MaxHeight: 470,
	}, 128)
}

// rowGap is the least distance of the ink of a title to what stands over it.
const rowGap = 16

// below sets the title at a height and the description under it, with their left edges at x. Where marks over the letters of the first line
// would come too close to what ends at under, both stand lower, in less room.
func (c *Card) below(under, top float64, j text.Stack, x float64) {
	title, description := c.FitStack(j)
	if !title.Empty() && top+title.Ink.Y0 < under+rowGap {
		down := under + rowGap - title.Ink.Y0 - top
		top, j.TitleBox.H, j.MaxHeight = top+down, j.TitleBox.H-down, j.MaxHeight-down
		title, description = c.FitStack(j)
	}
	c.Put(Title, title, x, top, c.Theme.Text)
	c.PutUnder(Essential, description, title, x, top, j.Gap, c.Theme.Muted)
}

// signed reports whether it is known who wrote a page or when: a hero then says that in its lower row, and not whose site it is.
func (c *Card) signed() bool { return c.Author != "" || c.Date != "" }

// heroByline is the lower row of a hero, about a middle line: author, date and reading time, or the brand where neither of the first two is
// known.
func (c *Card) heroByline(x0, x1, middle float64) {
	logo, at := c.logo()
	facts := c.BylineRow(c.TextStyle(32, 400), x1-x0-float64(logo.W)-logoGap)
	if at == bottomEnd {
		c.draw(logo, int(x1)-logo.W, int(middle)-logo.H/2)
	}
	if !c.signed() {
		c.BrandRow(x0, middle, 46)
		return
	}
	if at == bottomStart {
		c.draw(logo, int(x0), int(middle)-logo.H/2)
		x0 += float64(logo.W) + logoGap
	}
	c.PutMiddle(Essential, facts, x0, middle, c.Theme.Muted)
}

// eyebrowRow is the row under the rule: the eyebrow, and a date at the end of the row.
type eyebrowRow struct {
	x0, x1, baseline, sizePx float64

	date, readingTime string // what may stand in the row; empty where another row says it
	signed            bool   // no brand line says the name and the host
}

// eyebrow returns what stands at the start of the row, and the style of its language. A page without an eyebrow shows where it is, unless
// the brand line could then only repeat it or stay empty; else its date, which leaves the end of the row, or how long it takes to read.
func (c *Card) eyebrow(m *eyebrowRow) (label string, st text.Style) {
	st = c.LabelStyle(m.sizePx)
	switch {
	case c.Eyebrow != "":
		return c.Eyebrow, st
	case m.signed && !text.Same(c.Host, c.Title) || c.hostOver():
		c.hostSaid = true
		st.Lang = "" // a host knows no language: in Turkish its i would become İ
		return c.Host, st
	case m.date != "":
		label, m.date = m.date, ""
		return label, st
	}
	return m.readingTime, st
}

// rowFree is the least width that stays empty between the two ends of a row; what cannot keep it is dropped.
const rowFree = 320

// eyebrowRow draws the row. It returns where it ends, 0 for an empty one: the title then moves up to the rule.
func (c *Card) eyebrowRow(m eyebrowRow) (under float64) {
	eyebrow, style := c.eyebrow(&m)
	label := c.Line(eyebrow, style, (m.x1-m.x0)/2)
	date := c.Line(m.date, c.TextStyle(m.sizePx, 400), 0)

	logo, at := c.logo()
	if at != topStart && at != topEnd {
		logo.W = -logoGap
	}
	if used := label.W() + date.W() + float64(logo.W) + logoGap; m.x1-m.x0-used < rowFree {
		date = Block{}
	}
	if used := label.W() + float64(logo.W) + logoGap; m.x1-m.x0-used < rowFree {
		label = c.Line(eyebrow, style, m.x1-m.x0-rowFree-float64(logo.W)-logoGap)
	}
	top := int(m.baseline-.36*m.sizePx+.5) - logo.H/2
	if at == topStart || at == topEnd {
		under = float64(top + logo.H)
	}
	switch at {
	case topStart:
		c.draw(logo, int(m.x0), top)
		m.x0 += float64(logo.W) + logoGap
	case topEnd:
		c.draw(logo, int(m.x1)-logo.W, top)
		m.x1 -= float64(logo.W) + logoGap
	}
	c.PutOn(Essential, label, m.x0, m.baseline, c.Theme.Ink)
	c.PutOn(Essential, date, m.x1-date.W(), m.baseline, c.Theme.Muted)
	for _, w := range []Block{label, date} {
		if !w.Empty() {
			under = max(under, m.baseline-w.Lines[0].Baseline+w.Ink.Y1)
		}
	}
	return under
}
