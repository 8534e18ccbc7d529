package template

import (
	"cmp"
	"image"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// A cavern cut from three sheets of paper, with the title at its end.
//
// The uppermost sheet is the accent, slightly turned; each opening is inside the previous one, a superellipse with a
// wavy edge, and shows a sheet that is darker, or on light cards lighter, and paler. The openings follow the words: the
// innermost is as much larger than they are as its edge needs. The light comes from the upper left: each sheet casts
// its shadow into its opening. The title is centered in the innermost, with the site's name below it. Logos are on a
// piece of the innermost paper. A picture is printed on the uppermost sheet, in its color, with the edges of two
// openings in front of it.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "papercut", Name: "Papercut", Mood: "A cavern of cut paper, with the title at its end.",
		GoodFor: "Stories, guides, culture and education", Needs: []string{"title", "siteName"}, TextSide: "center",
	},
	BlogHero: papercutHero,
	Sized:    []kit.FormatLayout{{Format: kit.Square, Draw: papercutSquare}},
})

// paperPlace has the measures of a size, in the layout.
type paperPlace struct {
	openings     motif.PaperPlace
	titleW       float64
	titleH       float64
	middle       float64 // of the title
	ladder       text.Ladder
	larger       text.Ladder // with more lines, for titles that are much larger in them
	more         text.Ladder // for titles that would be cut, with their height
	moreH        float64
	margin       int
	upper, lower kit.LogoLine
}

var (
	paperHero = paperPlace{
		openings: motif.PaperPlace{X: 800, Y: 450, RX: 500, RY: 216, GrowX: 38, GrowY: 32, NextX: 112, NextY: 92},
		titleW:   1040, titleH: 400, middle: 420,
		ladder: text.Steps(2, 148, 132).Then(3, 116, 104, 96, 88).Then(4, 88, 80, 72), margin: 128,
		larger: text.Steps(4, 104, 96, 88), more: text.Steps(5, 92, 84, 76, 68), moreH: 470,
		upper: kit.LogoLine{Middle: 160, MaxH: 56}, lower: kit.LogoLine{Middle: 752, MaxH: 56},
	}
	paperSquare = paperPlace{
		openings: motif.PaperPlace{X: 540, Y: 540, RX: 372, RY: 330, GrowX: 22, GrowY: 30, NextX: 84, NextY: 84},
		titleW:   680, titleH: 560, middle: 496,
		ladder: text.Steps(3, 132, 116, 104).Then(4, 96, 92).Then(5, 84, 76).Then(6, 72), margin: 84,
		upper: kit.LogoLine{Middle: 116, MaxH: 56}, lower: kit.LogoLine{Middle: 964, MaxH: 56},
	}
)

func papercutHero(c *kit.Card)   { drawPapercut(c, &paperHero) }
func papercutSquare(c *kit.Card) { drawPapercut(c, &paperSquare) }

func drawPapercut(c *kit.Card, at *paperPlace) {
	th, site := &c.Theme, kit.SiteOf(&c.Texts)
	paper := motif.PaperSurface(th)
	title, sheets := fitPapercut(c, at)

	picture := papercutBackdrop(th)
	picture.Hidden = []image.Rectangle{image.Rect(0, 0, c.W, c.H)} // all texts and logos are on paper
	c.Over(picture)
	canvas := c.Begin(paint.Solid(motif.PaperBackground(th)))
	canvas.Levels(motif.PaperLevels(c, sheets), motif.PaperShades(th)[motif.PaperSteps*sheets.Uncut():], false)
	logo := c.PlaceLogo(kit.Corners{
		Margin: at.margin, Start: paper, End: paper, ChipAtStart: true, ChipAtEnd: true, Upper: at.upper, Lower: at.lower,
	})

	placed := c.Put(kit.Item{Block: title, Role: kit.Title, Color: paper.Text}, at.openings.X-at.titleW/2, kit.Middle,
		at.middle)
	name := c.Line(cmp.Or(site.Name, site.Host), c.TextStyle(paperName, 600), at.titleW-200)
	if placed.Empty() || name.Empty() || logo.Shown && logo.Wordmark() {
		return
	}
	y := placed.Y - c.Lowered() + max(title.Height+paperNameGap, title.Ink.Y1+paperNameClear+name.Height-name.Ink.Y0)
	c.Put(kit.Item{Block: name, Role: kit.Repeated, Color: paper.Accent}, at.openings.X-name.BoxWidth/2, kit.Bottom, y)
}

// Measures of the text in the cavern.
const (
	paperName      = 40 // size of the site's name
	paperNameGap   = 84 // from the last baseline of the title to that of the name
	paperNameClear = 36 // at least, between their ink
	paperClear     = 40 // between text and the edge of the paper
)

// muchLarger is how much larger a title is at least for which it has more lines.
const muchLarger = 1.1

// fitPapercut lays out the title, and returns the openings around it. A title that would be cut gets more lines, and
// one that is much larger in them.
func fitPapercut(c *kit.Card, at *paperPlace) (title kit.Block, sheets motif.Paper) {
	title, sheets = fitPaperLadder(c, at, at.titleH, at.ladder)
	if title.Empty() || at.more == nil {
		return title, sheets
	}
	if !title.Truncated {
		large, around := fitPaperLadder(c, at, at.titleH, at.larger)
		if !large.Empty() && !large.Truncated && large.SizePx >= muchLarger*title.SizePx && !title.WorthRoom(large.Block) {
			return large, around
		}
		return title, sheets
	}
	if more, around := fitPaperLadder(c, at, at.moreH, at.more); kit.SaysMore(more.Block, title.Block) {
		return more, around
	}
	return title, sheets
}

// fitPaperLadder lays out the title in a height, at the steps of a ladder; in less if the paper doesn't hold it.
func fitPaperLadder(c *kit.Card, at *paperPlace, h float64, ladder text.Ladder) (title kit.Block, sheets motif.Paper) {
	style := c.TitleStyle()
	style.LineHeight, style.Align = 1.04, text.Center
	for ; ; h *= .9 {
		title = c.Fit(c.Title, style, text.Box{W: at.titleW, H: h}, ladder)
		sheets = motif.Paper{At: &at.openings, Variant: c.Seed % motif.PaperVariants, Tall: c.Tall, Printed: c.HasPicture()}
		if title.Empty() {
			return title, sheets
		}
		for sheets.Size = range motif.PaperSizes {
			for sheets.Calm = range motif.PaperCalms {
				if paperHolds(c, at, title, motif.NewCavern(sheets, 0)) {
					return title, sheets
				}
			}
		}
		if h < 150 {
			sheets.Size, sheets.Calm = motif.PaperSizes-1, motif.PaperCalms-1
			return title, sheets
		}
	}
}

// paperHolds reports whether a title, and the name below it, keep clear of the edge of the paper.
func paperHolds(c *kit.Card, at *paperPlace, title kit.Block, sheets motif.Cavern) bool {
	top := at.middle - title.Height/2
	inside := func(x0, y0, x1, y1 float64) bool {
		for _, x := range [3]float64{x0 - paperClear, (x0 + x1) / 2, x1 + paperClear} {
			for _, y := range [2]float64{y0 - paperClear, y1 + paperClear} {
				if !sheets.Holds(x, y) {
					return false
				}
			}
		}
		return true
	}
	for _, l := range title.Lines {
		x := at.openings.X - at.titleW/2
		if !l.Ink.Empty() && !inside(x+l.Ink.X0, top+l.Ink.Y0, x+l.Ink.X1, top+l.Ink.Y1) {
			return false
		}
	}
	name := 11 * float64(min(len(c.SiteName), 20)) // about half of its width
	foot := top + max(title.Height+paperNameGap, title.Ink.Y1+paperNameClear+.75*paperName)
	return inside(at.openings.X-name, foot-30, at.openings.X+name, foot)
}

// papercutBackdrop prints a picture on the uppermost sheet, in two tones of its color.
func papercutBackdrop(th *palette.Theme) kit.Backdrop {
	background := palette.ToLCH(motif.PaperBackground(th))
	dark, light := background, background
	dark.L, light.L = background.L-.16, min(background.L+.14, .96)
	return kit.Backdrop{
		Ink: motif.PaperBackground(th), Dark: dark.Color(), Light: light.Color(),
		Veil: func(_, _ float64) float64 { return .2 },
	}
}
