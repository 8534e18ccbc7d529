package template

import (
	"image"
	"math"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// A ball of dots, lit from the upper left.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "halftone", Name: "Halftone", Mood: "A ball of printed dots in the light.",
		GoodFor: "Product news, releases and essays on technology", Needs: []string{"title"}, TextSide: "left",
	},
	BlogHero: halftoneHero,
	Sized: []kit.FormatLayout{
		{Format: kit.Square, Draw: halftoneSquare}, {Format: kit.Header, Draw: halftoneHeader},
		{Format: kit.Banner, Draw: halftoneHeader},
	},
})

// Measures of a hero.
const (
	halftoneWidth = 880 // of the title, at most
	halftoneOver  = 662 // … beside a picture, which has much to show
	halftoneBall  = 840 // x at which a ball or a picture begins next to a narrow title
	halftoneClear = 60  // … after a wider one, at least
	halftoneRow   = 790 // x at which rows end beside a picture
	halftoneOff   = 250 // of the rows, at least, from the middle of the ball, which is narrower there
)

// halftoneHero draws the title next to a ball of dots that three edges cut: the wider the title, the less of the ball
// is there. A picture is drawn as dots itself, which also hides its flaws.
func halftoneHero(c *kit.Card) {
	bg := c.Theme.BG
	on := kit.Surface{Color: bg, Text: c.Theme.Text, Muted: c.Theme.Muted, Accent: c.Theme.AccentText}
	heading := kit.Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(5, 124, 112, 100, 92, 84, 80), MaxH: 478,
		Description: kit.Description{SizePx: 36, W: 662, Lines: 3, More: 1, MaxTitleLines: 2},
	}
	heading.Style.LineHeight = 1.06
	over, w := c.Over(kit.Backdrop{Redrawn: true}), float64(halftoneWidth)
	if over {
		w = halftoneOver
	}
	title := c.PutHeading(on, kit.Column{
		X: 128, Y: 214, W: w, H: 486, Anchor: kit.Middle, Gap: 48, Under: 190,
	}, heading)
	from, end := float64(halftoneBall), float64(halftoneRow)
	if !title.Empty() {
		from = max(from, 128+title.Width+halftoneClear)
	}
	c.Begin(paint.Solid(bg))
	if over {
		from -= 40
		motif.DrawDots(c, image.Rect(int(from), 0, c.W, c.H), func(x, _ float64) float64 { return x - from })
	} else {
		tall := float64(c.H) / 900 // a tall one is no closer to the text
		r := (560 - .35*(from-halftoneBall)) * tall
		motif.DrawBall(c, from+r, 430*tall, r)
		end = from + r - math.Sqrt(r*r-halftoneOff*halftoneOff) - halftoneClear
	}
	chip := kit.Surface{Color: c.Theme.Surface2, Text: on.Text, Muted: on.Muted, Accent: on.Accent}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 128, Start: on, End: chip, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 148, MaxH: kit.HeroLogoH}, Lower: kit.LogoLine{Middle: 764, MaxH: kit.HeroLogoH},
	})
	logo.Upper.X1, logo.Lower.X1 = min(logo.Upper.X1, end), min(logo.Lower.X1, end)

	// At the top: the site. At the bottom: the author and date.
	kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: logo.Upper, Middle: 148, Side: 56})
	row := kit.Row{Span: logo.Lower.Span, Anchor: kit.Bottom, Y: 784}
	if logo.Lower.HasLogo && !logo.AtEnd {
		row.Anchor, row.Y = kit.Middle, logo.Lower.Middle
	}
	c.PutRow(row, kit.RowItem{
		Parts: kit.Byline(&c.Spec), Style: c.TextStyle(32, 400), Role: kit.Essential, Color: on.Muted,
	})
}
