package template

import (
	"fmt"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/text"
)

// A note: a bar at the left edge, the site over the title, the author at the foot.
var _ = register(Template{
	Info: Info{
		Slug: "example-note", Name: "Note", Mood: "A few words, and who said them.",
		GoodFor: "Notes and short posts", Needs: []string{"title", "author"}, TextSide: "left",
	},
	OG: noteOG,
})

func noteOG(c *Card) {
	th, page := &c.Theme, c.Page()
	canvas := c.Ground(paint.Solid(th.BG))
	canvas.Fill(c.Rect(0, 0, 24, 630), th.Gfx)
	logo := c.PlaceLogo(page, Corners{Margin: 96, Upper: LogoLine{96, logoH}, Lower: LogoLine{500, logoH}})

	// Where room falls short, the host goes before the name is cut.
	x0, x1 := logo.UpperRow()
	brand := brandOf(&c.Texts)
	c.PutRow(Row{X0: x0, X1: x1, Anchor: Middle, Y: 96, Gap: 16},
		RowText{Text: brand.name, Style: c.TextStyle(28, 600), Role: Repeated, Ink: th.Text},
		RowText{Text: brand.host, Style: c.TextStyle(28, 400), Role: Repeated, Ink: th.Muted, Address: true})

	title := c.Fit(c.Title, c.TitleStyle(), text.Box{W: 1032, H: 260}, text.Steps(2, 104, 92, 80).Then(3, 72, 64, 56))
	c.PutColumn(Column{X: 96, Anchor: Middle, Y: 300, InkTop: 160}, Item{title, Title, th.Text})

	x0, x1 = logo.LowerRow()
	c.Put(Item{byline(c, c.TextStyle(28, 400), x1-x0), Essential, th.Muted}, x0, Middle, 500)
}

// A template in a file of its own: this one stands in the catalogue of these tests.
func Example() {
	note, ok := Find("example-note", OG)
	if !ok {
		return
	}
	card := Open(note, Spec{
		Kind: OG, Theme: palette.New(palette.RGB(0x4F46E5), true), Family: text.Inter,
		Texts: Texts{Title: "Queues are tables", SiteName: "Northlane", Host: "northlane.dev", Author: "Mina Okafor"},
	}, text.NewEngine())
	defer card.Close()
	card.Layout()
	for _, p := range card.Placed() {
		fmt.Printf("%.0f,%.0f %s\n", p.X, p.Y, p.Text())
	}
	card.DrawTexts()
	fmt.Println(card.Canvas().Bounds())
	// Output:
	// 96,86 Northlane
	// 246,86 northlane.dev
	// 96,262 Queues are tables
	// 96,490 Mina Okafor
	// (0,0)-(1200,630)
}
