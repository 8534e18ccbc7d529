package template

import (
	"cmp"
	"image"
	"math"
	"slices"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// The picture is the story: it fills the card, sharp, and the words are its caption.
//
// The page's own picture, or the one that the card is drawn over, is shown from edge to edge. All texts are at the
// bottom, so the rest of the picture is unchanged: a dark card darkens the picture only behind them, in the hue of its
// light; a light card, and one that would lose a light part of the picture, has a label there and does not change the
// picture at all.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "cover", Name: "Cover", Mood: "The picture is the story.",
		GoodFor: "Reportage, travel, recipes, interviews and every article with a photograph",
		Needs:   []string{"title", "picture"}, TextSide: "left", Photo: []kit.Kind{kit.OG, kit.BlogHero},
		Fallback: []string{"editorial"},
	},
	OG:       func(c *kit.Card) { _ = drawCover(c, &coverOG) },   // no label of it is needed
	BlogHero: func(c *kit.Card) { _ = drawCover(c, &coverHero) }, // the same
	Sized:    coverSized,
	Lacks: func(c *kit.Card) string {
		switch {
		case !c.HasPicture():
			return "picture that is large enough to fill the card"
		case coverHidesFace(c):
			return "picture whose face the title leaves clear"
		case coverHidesSubject(c):
			return "picture whose subject the title leaves clear"
		}
		return ""
	},
	Fits: func(kind kit.Kind, size image.Point) bool {
		m := &coverOG
		if kind == kit.BlogHero {
			m = &coverHero
		}
		aspect := float64(size.X) / float64(max(size.Y, 1))
		return size.X >= m.least.X && size.Y >= m.least.Y && aspect >= coverNarrow && aspect <= coverWide
	},
})

// Proportions of pictures that cover shows: of others, too much would be cut.
const (
	coverNarrow = 1.15
	coverWide   = 2.6
)

// coverGap is the least distance between the ink of the title and the row below it.
const coverGap = 18

// coverMeasures are those of a kind, in the layout.
type coverMeasures struct {
	least         image.Point // size of a picture
	margin, width float64     // of the texts
	top           float64     // of the highest capitals
	icon          int
	textPx        float64 // of the row at the bottom
	row           float64 // its middle
	baseline      float64 // of the last line of the title
	ladder        text.Ladder
	feather       int // above the title, over which the picture gets dark
	upper         int // middle of a logo at the top, if not beside the margin

	chip image.Rectangle // where a text has a surface of its own: the picture isn't darkened for it

	// The label of a light card: from the left and the lower edge.
	pad        float64 // between the texts and its upper and right edges
	radius     int
	minW, maxW float64
	small      text.Ladder
	end        int // its lower edge; 0 is that of the card
}

var (
	coverOG = coverMeasures{
		least: image.Pt(900, 480), margin: 72, width: 1056, top: 96, icon: 40, textPx: 28, row: 556, baseline: 500,
		ladder: text.Steps(2, 104, 92, 84, 76).Then(3, 68, 64), feather: 230,
		pad: 52, radius: 28, minW: 520, maxW: 940, small: text.Steps(2, 84, 76, 68).Then(3, 60).Then(4, 60, 56),
	}
	coverHero = coverMeasures{
		least: image.Pt(1200, 640), margin: 128, width: 1344, top: 160, icon: 48, textPx: 34, row: 776, baseline: 712,
		ladder: text.Steps(2, 132, 116, 104).Then(3, 96, 88, 80), feather: 260,
		pad: 60, radius: 36, minW: 640, maxW: 1180, small: text.Steps(2, 116, 104).Then(3, 96, 88, 80),
	}
)

// drawCover draws a card of a kind. Without a picture, since no text could be read over it, it is one of editorial. It
// returns the label, in the layout, if there is one.
func drawCover(c *kit.Card, m *coverMeasures) (label image.Rectangle) {
	switch {
	case !c.HasPicture() && c.Kind == kit.Custom:
		editorialUpright(c)
		return label
	case !c.HasPicture() && c.Kind == kit.OG:
		editorialOG(c)
		return label
	case !c.HasPicture():
		editorialHero(c)
		return label
	}
	dark := coverDarkens(c)
	on, width, ladder := coverSurface(c), m.width, m.ladder
	b := kit.Backdrop{
		Veil: func(_, _ float64) float64 { return 0 }, Ink: on.Color, Upright: true, Sharp: true, Feather: m.feather,
	}
	if !dark {
		width, ladder = m.maxW-m.margin-m.pad, m.small
	}
	b.Quiet = m.quiet(c)
	if !m.chip.Empty() {
		b.Hidden = append(b.Hidden, m.chip)
	}
	if !dark {
		label = coverLabel(c, m)
		b.Hidden = append(b.Hidden, label.Add(image.Pt(0, int(c.Lowered()))))
	}
	c.Over(b)
	c.Begin(paint.Solid(on.Color))
	if !dark && c.LaidOut() {
		r := c.TextRect(label.Min.X-2*m.radius, label.Min.Y, label.Dx()+2*m.radius, label.Dy())
		r.Max.Y = c.H + 2*m.radius
		if m.end > 0 {
			r.Max.Y = m.end
		}
		c.Canvas().RoundRect(r, float64(m.radius), on.Color)
	}
	logo := c.PlaceLogo(coverCorners(c, m, on))
	room := kit.Column{X: m.margin, Y: m.top, W: width, H: m.baseline - m.top, Anchor: kit.Bottom, Under: m.top - 24}
	if logo.Upper.HasLogo {
		room.Under = float64(logo.Y + logo.H)
	}
	room.Foot = putCoverRow(c, m, on, logo, width) - coverGap
	room.H = min(room.H, room.Foot-m.top)
	if high := coverMost * float64(c.UsualHeight()); c.Kind != kit.Custom && high < room.H { // of scripts with more lines
		room.Y, room.H = room.Y+room.H-high, high
	}
	style := c.TitleStyle()
	style.LineHeight = 1.04
	heading := kit.Heading{Style: style, Ladder: ladder, Firm: dark}
	room = coverUnderFace(c, m, room, on, heading, b.Quiet)
	c.PutHeading(on, room, heading)
	return label
}

// quiet is where a title of two lines is, as wide as most are, or the label of one of three: the crop is the same for
// all titles with a label, or without.
func (m *coverMeasures) quiet(c *kit.Card) image.Rectangle {
	_, height := c.Size()
	if coverDarkens(c) {
		top := int(m.baseline - 2*m.ladder[1].SizePx)
		return image.Rect(int(m.margin), top, int(m.margin+.8*m.width), cmp.Or(m.end, height))
	}
	last := m.small[len(m.small)-1].SizePx
	return image.Rect(0, int(m.baseline-3*last-m.pad), int(.8*m.maxW), cmp.Or(m.end, height))
}

// texts is where all texts may be, from side to side.
func (m *coverMeasures) texts(width float64) image.Rectangle {
	return image.Rect(int(m.margin-m.pad), 0, int(m.margin+width+m.pad), 1)
}

// coverMost is the fraction of the height of a card that a title may cover: the words are a caption of the picture.
const coverMost = .44

// coverUnderFace returns the part of a column that leaves the face of a person in the picture clear, or as much of it
// as the smallest sizes of the title can.
func coverUnderFace(
	c *kit.Card, m *coverMeasures, room kit.Column, on kit.Surface, heading kit.Heading, quiet image.Rectangle,
) kit.Column {
	const step = 20
	chin, ok := c.Chin(quiet, m.texts(room.W))
	if !ok {
		return room
	}
	if !heading.Firm { // on a label
		chin += m.pad
	}
	for top := min(chin, room.Y+room.H-step); top > room.Y; top -= step {
		below := room
		below.Y, below.H = top, room.Y+room.H-top
		if c.TitleFits(on, below, heading) {
			return below
		}
	}
	return room
}

// coverHidesFace reports whether the title, at its smallest size, would cover more than the chin of a person in the
// page's picture.
func coverHidesFace(c *kit.Card) bool {
	const most = .045 // of the card's height
	m, width, ladder := coverTitle(c)
	if m == nil {
		return false
	}
	chin, ok := c.Chin(m.quiet(c), m.texts(width))
	if !ok {
		return false
	}
	dark := coverDarkens(c)
	if !dark {
		chin += m.pad
	}
	style := c.TitleStyle()
	style.LineHeight = 1.04
	_, height := c.Size()
	on, heading := coverSurface(c), kit.Heading{Style: style, Ladder: ladder, Firm: dark}
	room := kit.Column{X: m.margin, Y: m.top, W: width, H: m.baseline - m.top}
	below := room
	below.Y = max(chin-most*float64(height), m.top)
	below.H = m.baseline - below.Y
	if !c.TitleFits(on, room, heading) { // it is cut
		last := ladder[len(ladder)-1]
		return below.H < last.SizePx*style.LineHeight*float64(last.Lines)
	}
	return !c.TitleFits(on, below, heading)
}

// coverTitle returns the measures of a card of a kind, and the width and the sizes of its title; nil for other sizes.
func coverTitle(c *kit.Card) (m *coverMeasures, width float64, ladder text.Ladder) {
	switch c.Kind {
	case kit.OG:
		m = &coverOG
	case kit.BlogHero:
		m = &coverHero
	default:
		return nil, 0, nil
	}
	if coverDarkens(c) {
		return m, m.width, m.ladder
	}
	return m, m.maxW - m.margin - m.pad, m.small
}

// coverHidesSubject reports whether the label would cover too much of what the page's picture shows, or most of that is
// as low as the title of a dark card.
func coverHidesSubject(c *kit.Card) bool {
	// Of what is interesting: below the top of the title, and under the label; of things less than of landscapes.
	const thingBelow, mostBelow, thingUnder, mostUnder = .48, .75, .35, .7
	m, width, ladder := coverTitle(c)
	if m == nil {
		return false
	}
	style := c.TitleStyle()
	style.LineHeight = 1.04
	dark := coverDarkens(c)
	title := c.TitleOf(coverSurface(c), kit.Column{X: m.margin, Y: m.top, W: width, H: m.baseline - m.top},
		kit.Heading{Style: style, Ladder: ladder, Firm: dark})
	if title.Empty() {
		return false
	}
	wide, height := c.Size()
	right := max(m.margin+title.Ink.X1-title.Ink.X0+m.pad, m.minW)
	label := image.Rect(0, int(m.baseline-title.Height-m.pad), int(right), height)
	if dark { // all of it that is as low as the title
		label = image.Rect(0, label.Min.Y+int(m.pad), wide, height)
	}
	under, thing := c.Under(m.quiet(c), label)
	if dark {
		return thing && under > thingBelow || under > mostBelow
	}
	return thing && under > thingUnder || under > mostUnder
}

// coverDarkens reports whether the texts stand on the darkened picture, not on a label: on a dark card, unless the
// picture is so light there that it would look like smoke, or the shade above the title would take too much light from
// it: a sun would be a ghost.
func coverDarkens(c *kit.Card) bool {
	const from, pale, most = .4, .66, .155
	if !c.Theme.Dark {
		return false
	}
	if c.MeanLight(from, 1, func(_, light float64) float64 { return light }) > pale {
		return false
	}
	top, feather := coverTitleTop(c)
	if feather == 0 {
		return true
	}
	const dim = .35 // what is darker loses nothing that is seen
	return c.MeanLight(top-feather, top, func(y, light float64) float64 {
		return (y - top + feather) / feather * max(light-dim, 0)
	}) <= most
}

// coverTitleTop returns the top of a title on the darkened picture and the height over which that fades above it, as
// fractions of the card's height: of one, two or three lines, as its width says. They are 0 in other sizes, and without
// a title.
func coverTitleTop(c *kit.Card) (top, feather float64) {
	const full = .88 // of two lines
	m := &coverOG
	switch {
	case c.Kind == kit.BlogHero:
		m = &coverHero
	case c.Kind != kit.OG:
		return 0, 0
	}
	style := c.TitleStyle()
	style.SizePx = m.ladder[0].SizePx
	b := c.Line(c.Title, style, 0)
	if b.Empty() {
		return 0, 0
	}
	size, lines := style.SizePx, 1.0
	if b.BoxWidth > m.width {
		lines, size = 2, m.ladder[slices.IndexFunc(m.ladder, func(s text.Step) bool { return s.Lines > 2 })-1].SizePx
		if b.BoxWidth*size/style.SizePx > 2*full*m.width {
			size, lines = m.ladder[len(m.ladder)-1].SizePx, 3
		}
	}
	_, height := c.Size()
	return (m.baseline - (lines-.3)*size) / float64(height), float64(m.feather) / float64(height)
}

// coverSurface returns the colors of the texts: light on the darkened picture, or those of the label.
func coverSurface(c *kit.Card) kit.Surface {
	th := &c.Theme
	if !coverDarkens(c) {
		return kit.Surface{Color: th.BG, Text: th.Text, Muted: th.MutedOn(th.BG), Accent: th.AccentTextOn(th.BG)}
	}
	bright := palette.RGB(0xFAFAFC)
	return kit.Surface{
		Color: palette.RGB(0x060608), Text: bright, Muted: palette.RGB(0xEDEDF2), Accent: bright, OneInk: true,
	}
}

// coverCorners returns the corners of the card. A logo at the top stands on a chip: the picture isn't changed there.
func coverCorners(c *kit.Card, m *coverMeasures, on kit.Surface) kit.Corners {
	height := kit.LogoH
	if c.Kind != kit.OG {
		height = 64
	}
	atEnd := c.Corner.Right != c.RTL
	return kit.Corners{
		Margin: int(m.margin), Start: on, End: on, ChipAtStart: !c.Corner.Bottom,
		ChipAtEnd: !c.Corner.Bottom || atEnd && !coverDarkens(c),
		Upper:     kit.LogoLine{Middle: cmp.Or(m.upper, int(m.margin)+20), MaxH: height},
		Lower:     kit.LogoLine{Middle: int(m.row) - 6, MaxH: height},
	}
}

// putCoverRow places the site, author and date at the bottom, and returns the top of the row with a logo in it.
func putCoverRow(c *kit.Card, m *coverMeasures, on kit.Surface, logo kit.Logo, width float64) (top float64) {
	line := kit.Row{Span: logo.Lower.Span, Anchor: kit.Middle, Y: m.row, Gap: kit.BrandGap}
	line.X1 = min(line.X1, m.margin+width)
	top = m.row - float64(m.icon)/2
	if logo.Lower.HasLogo {
		line.Y, top = logo.Lower.Middle, float64(logo.Y)
	}
	icon, name, facts := coverRow(c, m, on, logo)
	facts.MaxW = line.X1 - line.X0 - float64(icon.Icon) - kit.BrandGap
	if b := c.Line(name.Text, name.Style, 0); !b.Empty() {
		facts.MaxW -= b.BoxWidth + kit.BrandGap
	}
	facts.MaxW = max(facts.MaxW, 1)
	before := len(c.PlacedTexts())
	c.PutRow(line, icon, name, facts)
	for _, p := range c.PlacedTexts()[before:] {
		top = min(top, p.Bounds().Y0-c.Lowered())
	}
	return top
}

// coverRow returns the items of the row at the bottom.
func coverRow(c *kit.Card, m *coverMeasures, on kit.Surface, logo kit.Logo) (icon, name, facts kit.RowItem) {
	name = kit.RowItem{Style: c.TextStyle(m.textPx, 600), Role: kit.Repeated, Color: on.Text}
	if s := kit.SiteOf(&c.Texts); !logo.Shown || logo.AtEnd || !logo.Wordmark() {
		name.Text = cmp.Or(s.Name, s.Host)
	}
	facts = kit.RowItem{
		Parts: kit.Byline(&c.Spec), Style: c.TextStyle(m.textPx, 400), Role: kit.Repeated, Color: on.Muted,
	}
	return c.BrandIcon(on, logo, m.icon), name, facts
}

// coverLabel returns the box of the label in the layout, once the places of the texts are known: as wide as its longest
// line.
func coverLabel(c *kit.Card, m *coverMeasures) image.Rectangle {
	top, end := m.baseline, m.margin+m.minW-m.pad-m.margin
	for _, p := range c.LaidOutTexts() {
		b := p.Bounds()
		if p.Role == kit.Monogram {
			continue
		}
		right := b.X1
		if c.RTL {
			right = float64(c.W) - b.X0
		}
		if p.Role == kit.Title {
			top = min(top, b.Y0-c.Lowered())
		}
		end = max(end, right)
	}
	_, height := c.Size()
	return image.Rect(0, int(top-m.pad), int(math.Ceil(min(end+m.pad, m.maxW))), cmp.Or(m.end, height))
}
