package template

import (
	"image"
	"image/color"
	"strings"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// The default: the front page of a good magazine.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "editorial", Name: "Editorial", Mood: "The front page of a good magazine.",
		GoodFor: "Articles, essays, company blogs, and any page with little more than a title",
		Needs:   []string{"title"}, TextSide: "left", Photo: []kit.Kind{kit.OG, kit.BlogHero},
	},
	OG:       editorialOG,
	BlogHero: editorialHero,
	Sized:    editorialSized,
	Fits: func(kind kit.Kind, size image.Point) bool {
		if kind == kit.BlogHero {
			return size.X >= leastInset.X && size.Y >= leastInset.Y
		}
		return size.X >= leastPlate.X && size.Y >= leastPlate.Y
	},
	Covers: true,
})

// Minimum sizes of pictures: for a hero's panel of 560×900, for a smaller place in that panel, and for a share image's
// plate of up to 496×498. One of 1200×630 suffices for all.
var leastPanel, leastInset, leastPlate = image.Pt(415, 600), image.Pt(368, 315), image.Pt(368, 240)

// editorialOG draws the title next to the page's own picture, or to the initial of the site, or to its figure if the
// initial can't be read when it is large.
func editorialOG(c *kit.Card) {
	if c.OfPage() {
		editorialPlate(c)
		return
	}
	bg := c.BG()
	over := c.Over(editorialBackdrop(1200, 630, 944))
	c.Begin(paint.Solid(bg.Color))
	// Of the texts other than the title, the title, and the description.
	reach, width, most := 1128.0, 740.0, float64(editorialText)
	heading := kit.Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(3, 116, 104, 92, 84, 76).Then(4, 68, 64, 60).Then(5, 60), MaxH: 300,
		Description: kit.Description{SizePx: 32, Lines: 3, More: 1},
	}
	heading.Style.LineHeight = 1.03
	if c.Description == "" { // the title has its room
		heading.Ladder, heading.MaxH = append(text.Steps(3, 128), heading.Ladder...), 0
	}
	if !over {
		long := isLongTitle(c.Title)
		if width, most = editorialWidth, editorialText; long {
			width, most = editorialWide, 720
		}
		heading.Description.W = min(width, most)
		lines := c.HeadingWidth(bg, kit.Column{X: 72, Y: 142, W: width, H: 362, Gap: 36}, heading)
		reach = drawEditorialShape(c, 72+max(lines, editorialWidth)+shapeGap)
		if !long {
			width, most = min(width, reach-72), max(most, min(720, reach-72-shapeGap))
		}
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: bg, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 89, MaxH: 56}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})
	logo.Upper.X1, logo.Lower.X1 = min(logo.Upper.X1, reach), min(logo.Lower.X1, reach)

	// Above the title: its section and the date. Below it: the site.
	head := kit.PutEyebrowRow(c, kit.EyebrowRow{
		On: bg, Logo: logo, Date: c.Date, Baseline: 98, SizePx: 26, MaxLabel: min(560, reach-logo.Upper.X0),
	})
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: logo.Lower, Middle: 560, Side: 40})

	column := kit.Column{X: 72, Y: 142, W: width, H: 362, Gap: 36, Under: head.Bottom + headApart}
	if head.Empty { // it moves up
		column.Y, column.H = 100, 404
	}
	if logo.Lower.HasLogo { // it is higher than an icon
		column.H -= 20
	}
	heading.Description.W = min(width, most)
	if room := reach - column.X; c.HeadingWidth(bg, column, heading) > room { // it is lower, or higher
		column.W, heading.Description.W, heading.Description.Exact = min(width, room), min(room, most), true
	}
	c.PutHeading(bg, column, heading)
}

// Measures of a share image without a picture, in the layout.
const (
	editorialWidth = 660 // of the title
	editorialWide  = 820 // of a long one
	editorialText  = 640 // of the description, which may be a tenth wider
	shapeGap       = 40  // between texts and the shape
	headApart      = 12  // of accents in a title from the line above it, besides the usual gap
	// longTitle is the number of characters from which a title is long; an ideogram counts as two.
	longTitle = 56
)

// isLongTitle reports whether a title would be small in the usual column.
func isLongTitle(title string) bool {
	n := 0
	for _, r := range title {
		if n++; r >= firstWide {
			n++
		}
	}
	return n > longTitle
}

// firstWide is the first character of the blocks of East Asian scripts, which are as wide as high.
const firstWide = 0x2E80

// Measures of the initial on a share image, which is whole: cut by an edge, it looks like a misprint.
const (
	letterSide  = 40  // between its ink and the edge
	letterMost  = 592 // height of its ink
	letterLeast = 280 // and of its capitals
)

// editorialLetter returns the initial of the site as large as it has room to the right of left; ok is false if that is
// too small, or if it isn't legible.
func editorialLetter(c *kit.Card, left float64) (letter kit.Block, ok bool) {
	const high, side = 560, 480
	if letter, ok = c.LargeInitial(high, side); !ok {
		return letter, false
	}
	ink := letter.Ink
	k := min((1200-letterSide-left)/(ink.X1-ink.X0), letterMost/(ink.Y1-ink.Y0), 1)
	if k < 1 {
		letter, ok = c.LargeInitial(high*k, side*k)
	}
	return letter, ok && (high*k >= letterLeast || kit.IsIdeogram(letter.Text()))
}

// drawEditorialShape draws the initial or the figure of the site to the right of left, and returns how far texts reach.
func drawEditorialShape(c *kit.Card, left float64) (reach float64) {
	letter, ok := editorialLetter(c, left)
	if !ok {
		c.DrawFigure(kit.Figure{Left: left, Tone: c.FigureTone})
		return left - shapeGap
	}
	const baseline, foot, margin = 604, 12, 60
	ink := letter.Ink
	w := ink.X1 - ink.X0
	x, y := 1200-letterSide-w, baseline-letter.CapHeight
	y -= max(y+ink.Y1-(630-foot), 0)   // a tail
	if kit.IsIdeogram(letter.Text()) { // in the middle
		x, y = max(940-w/2, left), 315-(ink.Y0+ink.Y1)/2
	}
	key := c.LetterKey("editorial", letter)
	key.Variant = int(x)
	shape := kit.Stencil(key, func() *image.Alpha {
		m := image.NewAlpha(image.Rect(-margin, 0, c.W+margin, c.H))
		c.MaskInk(m, letter, c.Mirror(x, w)-ink.X0, y)
		return m
	})
	light, deep := editorialTones(&c.Theme)
	box := image.Rect(int(c.Mirror(x, w)), int(y+ink.Y0), int(c.Mirror(x, w)+w)+1, int(y+ink.Y1)+1)
	c.Canvas().PaintStencil(shape, box, paint.Linear{Angle: paint.DownRight, Colors: palette.Gradient(light, deep)})
	return max(x, left) - shapeGap
}

// editorialTones returns the colors of a letter, from its upper left to its lower right.
func editorialTones(th *palette.Theme) (light, deep color.NRGBA) {
	if th.Dark {
		return th.Lead(.74, .95, -18), th.Lead(.30, .95, 12)
	}
	return th.Lead(.80, .8, -18), th.Lead(.52, 1.05, 12)
}

// panelPlace is how a picture is shown in a hero's panel.
type panelPlace struct {
	whole bool        // on the panel, as large as most allows; otherwise it fills the panel
	crop  bool        // it fills most
	most  image.Point // its size, at most
}

// placeInPanel returns how a hero shows the page's own picture.
func placeInPanel(c *kit.Card) panelPlace {
	if !c.OfPage() {
		return panelPlace{}
	}
	size := c.Background.Bounds().Size()
	switch {
	case showsWhole(c):
		return panelPlace{whole: true, most: image.Pt(400, 640)}
	case cutsThing(c, image.Pt(560, 900)):
		return panelPlace{whole: true, most: image.Pt(496, 640)}
	case size.X < leastPanel.X || size.Y < leastPanel.Y: // small, but sharp
		return panelPlace{whole: true, crop: true, most: image.Pt(464, kit.SharpSide(c.Background, 464, 580))}
	}
	return panelPlace{}
}

// editorialHeroBackdrop returns what is in the panel of a hero.
func editorialHeroBackdrop(c *kit.Card, place panelPlace) kit.Backdrop {
	switch {
	case place.whole:
		c.SetSoftLight()
		return kit.Backdrop{Redrawn: true}
	case c.OfPage(): // it is in the panel, unchanged
		return kit.Backdrop{Picture: image.Rect(1040, 0, 1600, 900), Veil: func(_, _ float64) float64 { return 0 }}
	}
	return editorialBackdrop(1600, 900, 1350)
}

// editorialHero draws the initial of the site on a panel, and the title on the rest.
func editorialHero(c *kit.Card) {
	bg, site := c.BG(), kit.SiteOf(&c.Texts)
	place := placeInPanel(c)
	over := c.Over(editorialHeroBackdrop(c, place))
	c.Begin(paint.Solid(bg.Color))
	switch {
	case !over:
		drawEditorialPanel(c)
	case place.whole:
		drawWhole(c, image.Rect(1040, 0, 1600, c.H), place)
	}
	chip := kit.Surface{Color: c.Theme.Surface2, Text: c.Theme.Text, Muted: c.Theme.Muted, Accent: c.Theme.AccentText}
	if over && !c.OfPage() {
		chip = bg
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 128, Start: bg, End: chip, ChipAtEnd: !over || c.OfPage(),
		Upper: kit.LogoLine{Middle: 157, MaxH: 56}, Lower: kit.LogoLine{Middle: 776, MaxH: kit.HeroLogoH},
	})
	logo.Upper.X1, logo.Lower.X1 = min(logo.Upper.X1, 976), min(logo.Lower.X1, 976)

	// Below the title: author and date; a page without them shows its site.
	icon, bold := c.BrandIcon(bg, logo, 44), c.TextStyle(32, 600)
	name := kit.RowItem{Text: site.Name, Style: bold, Role: kit.Repeated, Color: bg.Text}
	facts := kit.RowItem{
		Parts: kit.Byline(&c.Spec), Style: c.TextStyle(32, 400), Role: kit.Essential, Color: bg.Muted,
		MaxW: logo.Lower.X1 - logo.Lower.X0 - float64(icon.Icon) - 2*kit.BrandGap,
	}
	if b := c.Line(site.Name, bold, 0); !b.Empty() {
		facts.MaxW = max(facts.MaxW-b.BoxWidth, 1)
	}
	eyebrow := kit.EyebrowRow{On: bg, Logo: logo, Baseline: 168, SizePx: 30, MaxLabel: 672}
	hasRoom := func() bool {
		b := c.Line(facts.Parts[0], facts.Style, 0)
		return b.Empty() || b.BoxWidth <= facts.MaxW
	}
	if len(facts.Parts) > 1 && !c.OfEvent() && !hasRoom() {
		facts.Parts = facts.Parts[1:] // an author is whole, or left out
	}
	if len(facts.Parts) > 0 && c.Date != "" && strings.Contains(facts.Parts[0], c.Date) && !hasRoom() { // it is never cut
		eyebrow.Date, eyebrow.Essential, facts.Parts = c.Date, true, facts.Parts[1:]
		if len(facts.Parts) > 0 && !hasRoom() { // nor are the time and place of an event
			facts.Parts = nil
		}
	}
	// Above it: its section.
	head := kit.PutEyebrowRow(c, eyebrow)
	if len(facts.Parts) > 0 {
		c.PutRow(kit.Row{Span: logo.Lower.Span, Anchor: kit.Middle, Y: 776, Gap: kit.BrandGap}, icon, name, facts)
	} else {
		kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: logo.Lower, Middle: 776, Side: 46})
	}

	column := kit.Column{X: 128, Y: 230, W: 848, H: 490, Gap: 52, Under: head.Bottom + headApart, Foot: 700}
	if head.Empty { // it moves up
		column.Y, column.H = 150, 570
	}
	heading := kit.Heading{
		Style: c.TitleStyle(), Ladder: text.Steps(3, 140, 128, 116, 104).Then(4, 100).Then(5, 96),
		Description: kit.Description{SizePx: 36, W: 800, Lines: 3, More: 1, MaxTitleLines: 2},
	}
	heading.Style.LineHeight = 1.02
	c.PutHeading(bg, column, heading)
}

// drawEditorialPanel draws the panel of a hero, which three edges cut, with the letter in it.
func drawEditorialPanel(c *kit.Card) {
	th, panel := &c.Theme, c.MotifRect(1040, 0, 560, c.H)
	defer c.Canvas().Clip(panel)()
	c.Canvas().PaintStencil(paint.RectStencil(panel), panel, paint.Linear{
		Angle: paint.DownRight, Colors: palette.Gradient(th.Lead(.60, 1, -14), th.Lead(.36, 1, 14)),
	})
	middle := paint.Point{X: 1390, Y: float64(c.H) * 500 / 900}
	letter, ok := panelLetter(c, panel)
	if !ok {
		c.DrawFigure(kit.Figure{Middle: middle, Bigger: 1.35, Tone: panelTone(th)})
		return
	}
	shape := kit.Stencil(c.LetterKey("editorial", letter), func() *image.Alpha { return panelShape(c, letter, panel) })
	c.Canvas().PaintStencil(shape, image.Rect(0, 0, c.W, c.H), paint.Linear{
		Angle: paint.Down, Colors: palette.Gradient(th.Lead(.90, .5, -18), th.Lead(.66, 1, 0)),
	})
}

// panelTone returns the pale steps of a figure on a panel.
func panelTone(th *palette.Theme) func(k float64) color.NRGBA {
	return func(k float64) color.NRGBA {
		if th.Yellow() {
			return th.Ramp(.62*(.47+.36*k)+.36, .95*.9, 10-30*k)
		}
		return th.Ramp(.62*(.26+.52*k)+.36, .95*(.6+.5*k), 12-30*k)
	}
}

// panelInset is the least distance of a letter from the sides of the panel of a hero.
const panelInset = 44

// panelLetter returns the initial of the site, if it is legible, as large as the panel of a hero allows.
func panelLetter(c *kit.Card, panel image.Rectangle) (letter kit.Block, ok bool) {
	const high, side = 640, 480
	letter, ok = c.LargeInitial(high, side)
	if !ok {
		return letter, false
	}
	if w, room := letter.Ink.X1-letter.Ink.X0, float64(panel.Dx()-2*panelInset); w > room {
		return c.LargeInitial(high*room/w, side)
	}
	return letter, true
}

// panelShape returns the coverage of the letter of a hero: in the middle of the panel.
func panelShape(c *kit.Card, letter kit.Block, panel image.Rectangle) *image.Alpha {
	ink := letter.Ink
	w := ink.X1 - ink.X0
	x := 1320 - w/2
	m := image.NewAlpha(panel)
	c.MaskInk(m, letter, c.Mirror(x, w)-ink.X0, float64(c.H)/2-(ink.Y0+ink.Y1)/2)
	return m
}

// editorialBackdrop places a picture on the side away from the text, complete if its proportions are 3:2: it fades into
// the background under the end of the title.
func editorialBackdrop(w, h, picture int) kit.Backdrop {
	left := float64(w - picture)
	return kit.Backdrop{
		Picture: image.Rect(w-picture, 0, w, h),
		Veil: func(x, _ float64) float64 {
			return 1 - paint.Ease((x-left-.04*float64(picture))/(.66*float64(picture)))
		},
	}
}
