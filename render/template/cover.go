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
		case c.Kind == kit.Custom: // its picture and its title have their own parts of the height
			return ""
		}
		cover := newCover(c, coverOfKind(c.Kind))
		switch {
		case cover.hidesFace():
			return "picture whose face the title leaves clear"
		case cover.hidesSubject():
			return "picture whose subject the title leaves clear"
		}
		return ""
	},
	Fits: func(kind kit.Kind, size image.Point) bool {
		m := coverOfKind(kind)
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

// coverOfKind returns the measures of a kind.
func coverOfKind(kind kit.Kind) *coverMeasures {
	if kind == kit.BlogHero {
		return &coverHero
	}
	return &coverOG
}

// cover is a card while it is drawn.
type cover struct {
	*kit.Card
	*coverMeasures
	dark    bool        // the texts stand on the darkened picture, not on a label
	on      kit.Surface // they stand on it
	width   float64     // of the title
	heading kit.Heading // its style and its sizes
}

// newCover decides what the texts of a card with a picture stand on.
func newCover(c *kit.Card, m *coverMeasures) *cover {
	r := &cover{Card: c, coverMeasures: m}
	style := c.TitleStyle()
	style.LineHeight = 1.04
	r.dark = r.darkens(style)
	r.heading = kit.Heading{Style: style, Ladder: m.ladder, Firm: r.dark}
	th := &c.Theme
	r.width = m.width
	r.on = kit.Surface{Color: th.BG, Text: th.Text, Muted: th.MutedOn(th.BG), Accent: th.AccentTextOn(th.BG)}
	if r.dark {
		bright := palette.RGB(0xFAFAFC)
		r.on = kit.Surface{
			Color: palette.RGB(0x060608), Text: bright, Muted: palette.RGB(0xEDEDF2), Accent: bright, OneInk: true,
		}
	} else {
		r.heading.Ladder, r.width = m.small, m.maxW-m.margin-m.pad
	}
	return r
}

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
	return newCover(c, m).draw()
}

// draw draws the card, and returns the label.
func (c *cover) draw() (label image.Rectangle) {
	b := kit.Backdrop{
		Veil: func(_, _ float64) float64 { return 0 }, Ink: c.on.Color, Upright: true, Sharp: true, Feather: c.feather,
		Quiet: c.quiet(),
	}
	if !c.chip.Empty() {
		b.Hidden = append(b.Hidden, c.chip)
	}
	if !c.dark {
		label = c.label()
		b.Hidden = append(b.Hidden, label.Add(image.Pt(0, int(c.Lowered()))))
	}
	c.Over(b)
	c.Begin(paint.Solid(c.on.Color))
	if !c.dark && c.LaidOut() {
		r := c.TextRect(label.Min.X-2*c.radius, label.Min.Y, label.Dx()+2*c.radius, label.Dy())
		r.Max.Y = c.H + 2*c.radius
		if c.end > 0 {
			r.Max.Y = c.end
		}
		c.Canvas().RoundRect(r, float64(c.radius), c.on.Color)
	}
	logo := c.PlaceLogo(c.corners())
	room := c.room()
	room.Under = c.top - 24
	if logo.Upper.HasLogo {
		room.Under = float64(logo.Y + logo.H)
	}
	room.Foot = c.putRow(logo) - coverGap
	room.H = min(room.H, room.Foot-c.top)
	if high := coverMost * float64(c.UsualHeight()); c.Kind != kit.Custom && high < room.H { // of scripts with more lines
		room.Y, room.H = room.Y+room.H-high, high
	}
	c.PutHeading(c.on, c.underFace(room), c.heading)
	return label
}

// room is where the title may be.
func (c *cover) room() kit.Column {
	return kit.Column{X: c.margin, Y: c.top, W: c.width, H: c.baseline - c.top, Anchor: kit.Bottom}
}

// quiet is where a title of two lines is, as wide as most are, or the label of one of three: the crop is the same for
// all titles with a label, or without.
func (c *cover) quiet() image.Rectangle {
	_, height := c.Size()
	if c.dark {
		top := int(c.baseline - 2*c.ladder[1].SizePx)
		return image.Rect(int(c.margin), top, int(c.margin+.8*c.coverMeasures.width), cmp.Or(c.end, height))
	}
	last := c.small[len(c.small)-1].SizePx
	return image.Rect(0, int(c.baseline-3*last-c.pad), int(.8*c.maxW), cmp.Or(c.end, height))
}

// chin returns how far down a face above the texts is (see [kit.Card.Chin]), with the edge of a label.
func (c *cover) chin(width float64) (y float64, ok bool) {
	y, ok = c.Chin(c.quiet(), image.Rect(int(c.margin-c.pad), 0, int(c.margin+width+c.pad), 1))
	if !c.dark {
		y += c.pad
	}
	return y, ok
}

// coverMost is the fraction of the height of a card that a title may cover: the words are a caption of the picture.
const coverMost = .44

// underFace returns the part of a column that leaves the face of a person in the picture clear, or as much of it as the
// smallest sizes of the title can.
func (c *cover) underFace(room kit.Column) kit.Column {
	const step = 20
	chin, ok := c.chin(room.W)
	if !ok {
		return room
	}
	for top := min(chin, room.Y+room.H-step); top > room.Y; top -= step {
		below := room
		below.Y, below.H = top, room.Y+room.H-top
		if c.TitleFits(c.on, below, c.heading) {
			return below
		}
	}
	return room
}

// hidesFace reports whether the title, at its smallest size, would cover more than the chin of a person in the page's
// picture.
func (c *cover) hidesFace() bool {
	const most = .045 // of the card's height
	chin, ok := c.chin(c.width)
	if !ok {
		return false
	}
	_, height := c.Size()
	room := c.room()
	below := room
	below.Y = max(chin-most*float64(height), c.top)
	below.H = c.baseline - below.Y
	if !c.TitleFits(c.on, room, c.heading) { // it is cut
		last := c.heading.Ladder[len(c.heading.Ladder)-1]
		return below.H < last.SizePx*c.heading.Style.LineHeight*float64(last.Lines)
	}
	return !c.TitleFits(c.on, below, c.heading)
}

// hidesSubject reports whether the label would cover too much of what the page's picture shows, or most of that is as
// low as the title of a dark card.
func (c *cover) hidesSubject() bool {
	// Of what is interesting: below the top of the title, and under the label; of things less than of landscapes.
	const thingBelow, mostBelow, thingUnder, mostUnder = .48, .75, .35, .7
	title := c.TitleOf(c.on, c.room(), c.heading)
	if title.Empty() {
		return false
	}
	wide, height := c.Size()
	right := max(c.margin+title.Ink.X1-title.Ink.X0+c.pad, c.minW)
	label := image.Rect(0, int(c.baseline-title.Height-c.pad), int(right), height)
	if c.dark { // all of it that is as low as the title
		label = image.Rect(0, label.Min.Y+int(c.pad), wide, height)
	}
	under, thing := c.Under(c.quiet(), label)
	if c.dark {
		return thing && under > thingBelow || under > mostBelow
	}
	return thing && under > thingUnder || under > mostUnder
}

// darkens reports whether the texts stand on the darkened picture, not on a label: on a dark card, unless the
// picture is so light there that it would look like smoke, or the shade above the title would take too much light from
// it: a sun would be a ghost.
func (c *cover) darkens(style text.Style) bool {
	const from, pale, most = .4, .66, .155
	if !c.Theme.Dark {
		return false
	}
	if c.MeanLight(from, 1, func(_, light float64) float64 { return light }) > pale {
		return false
	}
	if c.Kind == kit.Custom {
		return true
	}
	top, feather := c.titleTop(style)
	if feather == 0 {
		return true
	}
	const dim = .35 // what is darker loses nothing that is seen
	return c.MeanLight(top-feather, top, func(y, light float64) float64 {
		return (y - top + feather) / feather * max(light-dim, 0)
	}) <= most
}

// titleTop returns the top of a title on the darkened picture and the height over which that fades above it, as
// fractions of the card's height: of one, two or three lines, as its width says. They are 0 without a title.
func (c *cover) titleTop(style text.Style) (top, feather float64) {
	const full = .88 // of two lines
	width, ladder := c.coverMeasures.width, c.ladder
	style.SizePx = ladder[0].SizePx
	b := c.Line(c.Title, style, 0)
	if b.Empty() {
		return 0, 0
	}
	size, lines := style.SizePx, 1.0
	if b.BoxWidth > width {
		lines, size = 2, ladder[slices.IndexFunc(ladder, func(s text.Step) bool { return s.Lines > 2 })-1].SizePx
		if b.BoxWidth*size/style.SizePx > 2*full*width {
			size, lines = ladder[len(ladder)-1].SizePx, 3
		}
	}
	_, height := c.Size()
	return (c.baseline - (lines-.3)*size) / float64(height), float64(c.feather) / float64(height)
}

// corners returns the corners of the card. A logo at the top stands on a chip: the picture isn't changed there.
func (c *cover) corners() kit.Corners {
	height := kit.LogoH
	if c.Kind != kit.OG {
		height = 64
	}
	atEnd := c.Corner.Right != c.RTL
	return kit.Corners{
		Margin: int(c.margin), Start: c.on, End: c.on, ChipAtStart: !c.Corner.Bottom,
		ChipAtEnd: !c.Corner.Bottom || atEnd && !c.dark,
		Upper:     kit.LogoLine{Middle: cmp.Or(c.upper, int(c.margin)+20), MaxH: height},
		Lower:     kit.LogoLine{Middle: int(c.row) - 6, MaxH: height},
	}
}

// putRow places the site, author and date at the bottom, and returns the top of the row with a logo in it.
func (c *cover) putRow(logo kit.Logo) (top float64) {
	line := kit.Row{Span: logo.Lower.Span, Anchor: kit.Middle, Y: c.row, Gap: kit.BrandGap}
	line.X1 = min(line.X1, c.margin+c.width)
	top = c.row - float64(c.icon)/2
	if logo.Lower.HasLogo {
		line.Y, top = logo.Lower.Middle, float64(logo.Y)
	}
	icon, name, facts := c.items(logo)
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

// items returns the items of the row at the bottom.
func (c *cover) items(logo kit.Logo) (icon, name, facts kit.RowItem) {
	name = kit.RowItem{Style: c.TextStyle(c.textPx, 600), Role: kit.Repeated, Color: c.on.Text}
	if s := kit.SiteOf(&c.Texts); !logo.Shown || logo.AtEnd || !logo.Wordmark() {
		name.Text = cmp.Or(s.Name, s.Host)
	}
	facts = kit.RowItem{
		Parts: kit.Byline(&c.Spec), Style: c.TextStyle(c.textPx, 400), Role: kit.Repeated, Color: c.on.Muted,
	}
	return c.BrandIcon(c.on, logo, c.icon), name, facts
}

// label returns the box of the label in the layout, once the places of the texts are known: as wide as its longest
// line.
func (c *cover) label() image.Rectangle {
	top, end := c.baseline, c.margin+c.minW-c.pad-c.margin
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
	return image.Rect(0, int(top-c.pad), int(math.Ceil(min(end+c.pad, c.maxW))), cmp.Or(c.end, height))
}
