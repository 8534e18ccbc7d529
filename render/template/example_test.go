package template

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// A note: a bar at the left edge, the site over the title, the author at the foot.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "example-note", Name: "Note", Mood: "A few words, and who said them.",
		GoodFor: "Notes and short posts", Needs: []string{"title", "author"}, TextSide: "left",
	},
	OG: noteOG,
})

func noteOG(c *kit.Card) {
	bg := c.BG()
	canvas := c.Begin(paint.Solid(bg.Color))
	canvas.Fill(c.TextRect(0, 0, 24, 630), c.Theme.Gfx)
	logo := c.PlaceLogo(kit.Corners{
		Margin: 96, Start: bg, End: bg,
		Upper: kit.LogoLine{Middle: 100, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 500, MaxH: kit.LogoH},
	})
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: logo.Upper, Middle: 100, Side: 40})
	c.PutHeading(bg, kit.Column{X: 96, Y: 168, W: 984, H: 264, Anchor: kit.Middle, Under: 128}, kit.Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(2, 104, 92, 80).Then(3, 72, 64, 56),
	})
	c.PutRow(kit.Row{Span: logo.Lower.Span, Anchor: kit.Middle, Y: 500},
		kit.RowItem{Parts: kit.Byline(&c.Spec), Style: c.TextStyle(28, 400), Role: kit.Essential, Color: bg.Muted})
}

// TestExample_keepsTheRulesOfTemplates checks the example, which authors copy, as package render checks the templates:
// texts stay in their zones, and apart from each other and from the logo.
func TestExample_keepsTheRulesOfTemplates(t *testing.T) {
	logo := plainLogo(500, 100, palette.RGB(0xF97316))
	long := strings.Repeat("Ễ long text that goes on, ", 12)
	for _, texts := range []kit.Texts{
		{Title: "T", SiteName: "Northlane", Host: "northlane.dev", Author: "Mina Okafor"},
		{Title: long, SiteName: long, Host: strings.Repeat("long.", 20) + "example", Author: long},
		{Title: "שלום", SiteName: "N", Author: "M"},
	} {
		for _, corner := range []kit.Corner{{}, {Right: true}, {Bottom: true}, {Bottom: true, Right: true}} {
			c := openCard(t, "example-note", kit.Spec{Texts: texts, Pictures: kit.Pictures{Logo: logo}, Corner: corner})
			c.Layout()
			for i, p := range c.PlacedTexts() {
				b := p.Bounds()
				if b.X0 < 70 || b.Y0 < 60 || b.X1 > 1130 || b.Y1 > 530 {
					t.Errorf("%s covers %.0f", p.Text(), b)
				}
				box := image.Rect(int(b.X0), int(b.Y0), int(b.X1)+1, int(b.Y1)+1).Inset(-7)
				for _, q := range c.PlacedTexts()[i+1:] {
					if o := q.Bounds(); box.Overlaps(image.Rect(int(o.X0), int(o.Y0), int(o.X1)+1, int(o.Y1)+1).Inset(-7)) {
						t.Errorf("%s and %s are less than 14 px apart", p.Text(), q.Text())
					}
				}
				if icon := c.PlacedIcons()[0]; !icon.Logo || icon.Box.Overlaps(box) {
					t.Errorf("%s is near the logo %+v", p.Text(), icon)
				}
			}
		}
	}
}

// A template in a file of its own: this one stands in the catalog of these tests.
func Example() {
	note, ok := Find("example-note", kit.OG)
	if !ok {
		return
	}
	card := kit.Open(note, kit.Spec{
		Kind: kit.OG, Theme: palette.New(palette.RGB(0x4F46E5), true), Family: text.Inter,
		Texts: kit.Texts{Title: "Queues are tables", SiteName: "Northlane", Host: "northlane.dev", Author: "Mina Okafor"},
	}, text.NewEngine())
	defer card.Close()
	card.Layout()
	for _, p := range card.PlacedTexts() {
		fmt.Printf("%.0f,%.0f %s\n", p.X, p.Y, p.Text())
	}
	card.DrawTexts()
	fmt.Println(card.Canvas().Bounds())
	// Output:
	// 107,92 N
	// 152,90 Northlane
	// 96,173 Queues are tables
	// 96,490 Mina Okafor
	// (0,0)-(1200,630)
}
