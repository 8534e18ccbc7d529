package template

import (
	"cmp"
	"image"
	"image/color"
	"image/draw"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// The picture is the story: it fills the head of the article, with the title at its bottom.
//
// The page's own picture, or the one that the card is drawn over, from edge to edge under a scrim that gets darker
// toward the bottom; text is light in both modes. All of it is at the bottom, including the site, so that the upper
// half of the picture is unchanged: over a light one, a row at the top would need a veil there. A picture too small for
// that is on the right, over a blurred copy of itself. A page without one gets the silk of ribbon, at night.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "cover", Name: "Cover", Mood: "The picture is the story.",
		GoodFor: "Reportage, travel, recipes, interviews and every article with a photograph",
		Needs:   []string{"title", "picture"}, TextSide: "left", Photo: []kit.Kind{kit.BlogHero},
	},
	BlogHero: coverHero,
})

// Parameters of the cover.
const (
	coverWide   = 1200 // minimum width of a picture that fills it
	coverCardW  = 640  // maximum width of a smaller one, in the layout
	coverCardH  = 520
	coverEnd    = 1472
	coverBottom = 716
	coverFacts  = 788
	silkHeadX   = 640 // end of the row at the top, next to the silk
)

func coverHero(c *kit.Card) {
	c.Theme = palette.New(c.Theme.Accent, true)
	th := &c.Theme
	ink := th.Ramp(.15, .9, 0)
	width := 1180.0
	var small image.Rectangle // in the layout
	b := kit.Backdrop{Veil: coverVeil(float64(c.H) - c.Lowered()), Ink: ink, Upright: true}
	if c.HasPicture() && c.Background.Bounds().Dx() < coverWide {
		small = coverCard(c.Background.Bounds().Size())
		b.Upright, b.Softness, b.Veil = false, 40, func(_, _ float64) float64 { return .52 }
		width = float64(small.Min.X) - 64 - 128
	}
	over := c.Over(b)
	if !over {
		width = 744 // the silk begins next to it
	}
	on := c.BG()
	canvas := c.Begin(paint.Solid(th.BG))
	if !over {
		canvas.Levels(silkFor(c, true), silkShades(th), c.RTL)
	}
	if !small.Empty() && c.LaidOut() {
		drawCoverCard(c, small)
	}
	on.OneInk = true
	chip := on
	if !over {
		chip = kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 128, Start: on, End: chip, ChipAtEnd: !over,
		Upper: kit.LogoLine{Middle: 148, MaxH: kit.HeroLogoH}, Lower: kit.LogoLine{Middle: 764, MaxH: 64},
	})
	row := logo.Upper
	if !over {
		row.X1 = min(row.X1, silkHeadX)
	} else if !small.Empty() {
		row.X1 = min(row.X1, float64(small.Min.X-48))
	}
	atFoot := over && small.Empty()
	if !atFoot {
		kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: row, Middle: 148, Side: 56})
	}

	room := kit.Column{
		X: 128, Y: 212, W: width, H: coverBottom - 212, Anchor: kit.Bottom, Under: 192, Foot: coverBottom + 24,
	}
	putCoverTexts(c, on, logo, room, atFoot)
}

// putCoverTexts places the title, and at the bottom the author and date, preceded by the site if that isn't at the top:
// the title is right above it.
func putCoverTexts(c *kit.Card, on kit.Surface, logo kit.Logo, room kit.Column, brand bool) {
	facts := kit.RowItem{
		Parts: kit.Byline(&c.Spec), Style: c.TextStyle(34, 400), Role: kit.Essential,
		Color: color.NRGBA{R: 0xE8, G: 0xE8, B: 0xEE, A: 255},
	}
	icon, narrow := kit.RowItem{}, !brand
	if brand {
		icon = c.BrandIcon(on, logo, 44)
		if s := kit.SiteOf(&c.Texts); !logo.Shown || !logo.Wordmark() {
			if name := cmp.Or(s.Name, s.Host); name != "" {
				facts.Parts = append([]string{name}, facts.Parts...)
			}
		}
	}
	line := kit.Row{Span: logo.Lower.Span, Anchor: kit.Bottom, Y: coverFacts, Gap: kit.BrandGap}
	line.X1 = min(line.X1, 128+max(room.W, 900))
	if c.HasPicture() && narrow {
		line.X1 = min(line.X1, 128+room.W)
	}
	lift := 0.0
	if logo.Lower.HasLogo {
		line.Anchor, line.Y, lift = kit.Middle, logo.Lower.Middle, -32
	}
	if _, ok := c.PutRow(line, icon, facts); !ok && !logo.Lower.HasLogo {
		lift = coverFacts - 16 - coverBottom
	}
	room.H, room.Foot = room.H+lift, room.Foot+lift
	style := c.TitleStyle()
	style.LineHeight = 1.04
	ladder := text.Steps(2, 148, 132).Then(3, 116, 104, 92, 84).Then(4, 72, 62)
	if narrow {
		ladder = text.Steps(4, 116, 104, 92, 84).Then(6, 72, 62)
	}
	c.PutHeading(on, room, kit.Heading{Style: style, Ladder: ladder})
}

// coverVeil gets darker toward the bottom.
func coverVeil(h float64) func(x, y float64) float64 {
	stops := [...][2]float64{{0, .10}, {.35, .16}, {.62, .58}, {1, .84}}
	return func(_, y float64) float64 {
		at := min(max(y/h, 0), 1)
		for i := 1; i < len(stops); i++ {
			if a, b := stops[i-1], stops[i]; at <= b[0] {
				return a[1] + (b[1]-a[1])*(at-a[0])/(b[0]-a[0])
			}
		}
		return stops[len(stops)-1][1]
	}
}

// coverCard returns the place of a small picture, in the layout: in its own size, or smaller.
func coverCard(size image.Point) image.Rectangle {
	w, h := size.X, size.Y
	if w > coverCardW || h > coverCardH {
		w, h = paint.FitSize(w, h, coverCardW, coverCardH)
	}
	const middle = 450
	return image.Rect(coverEnd-w, middle-h/2, coverEnd, middle-h/2+h)
}

// drawCoverCard draws a small picture unchanged, raised above the card.
func drawCoverCard(c *kit.Card, at image.Rectangle) {
	img := image.NewNRGBA(c.Background.Bounds().Sub(c.Background.Bounds().Min))
	draw.Draw(img, img.Rect, c.Background, c.Background.Bounds().Min, draw.Src)
	box := c.TextRect(at.Min.X, at.Min.Y, at.Dx(), at.Dy())
	const radius = 20
	kit.DrawRaised(c.Canvas(), &c.Theme, box, radius)
	c.Canvas().Picture(img, box, radius)
}
