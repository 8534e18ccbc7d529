package template

import (
	"image"
	"image/color"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/text"
)

// Measures of editorial with a picture, in the layout.
const (
	plateX, plateY = 704, 132 // of the picture, which the right and the lower edge cut
	plateRadius    = 32
	plateTextW     = 592
	plateLineW     = 548 // of the description, whose lines may be a tenth wider and keep 29 from the picture
	plateEnd       = 508 // of the description
	plateHead      = 84  // middle of the row at the top
	plateFoot      = 560 // baseline of the row at the bottom
	rowGap         = 28  // between label and date
	leastName      = 300 // that the site keeps beside them
	plateLogoGap   = 24  // between the texts and a logo below them
)

// editorialPlate draws the site and the section in a row at the top, and the page's own picture in the lower corner at
// the end of lines, unchanged. A small picture is lower rather than blurred.
func editorialPlate(c *kit.Card) {
	bg := c.BG()
	plate := image.Rect(plateX, 630-kit.SharpSide(c.Background, 1200-plateX, 630-plateY), 1200, 630)
	backdrop := kit.Backdrop{Picture: plate, Veil: func(_, _ float64) float64 { return 0 }} // there is no text on it
	whole := showsWhole(c)
	if whole {
		c.SetSoftLight()
		plate.Min.Y, backdrop = plateY, kit.Backdrop{Redrawn: true}
	}
	c.Over(backdrop)
	c.Begin(paint.Solid(bg.Color))
	if c.LaidOut() {
		if whole {
			drawWhole(c, plate, panelPlace{most: image.Pt(330, 400)})
		}
		c.TrimPlate(plate, plateRadius)
	}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: bg, ChipAtEnd: c.Corner.Bottom,
		Upper: kit.LogoLine{Middle: plateHead, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})

	facts := c.Texts // at the bottom: author and reading time, otherwise the host
	foot := kit.Byline(&kit.Spec{Texts: facts, ReadingTime: c.ReadingTime, RTL: c.RTL})
	headSays := putPlateHead(c, bg, logo, len(foot) == 0 && kit.SiteOf(&c.Texts).SpareHost != "")
	row := kit.Row{Span: logo.Lower.Span, Anchor: kit.Bottom, Y: plateFoot, Gap: kit.BrandGap}
	row.X1 = min(row.X1, 72+plateTextW)
	if logo.Lower.HasLogo && !logo.AtEnd {
		row.Anchor, row.Y = kit.Middle, logo.Lower.Middle
	}
	style := c.TitleStyle()
	style.LineHeight = 1.04
	ladder := text.Steps(3, 84, 76).Then(4, 68).Then(5, 60)
	column := kit.Column{X: 72, Y: 168, W: plateTextW, H: plateEnd - 168, Gap: 42, Under: 102}
	most := 310.0 // height of the title
	if b := c.Fit(c.Title, style, text.Box{W: plateTextW, H: most}, ladder); !b.Empty() && b.Truncated {
		foot, headSays = nil, true // a long title has their room
		column.Y, column.H, most = 150, 372, 372
	}
	item := kit.RowItem{Parts: foot, Style: c.TextStyle(28, 400), Role: kit.Repeated, Color: bg.Muted}
	if site := kit.SiteOf(&c.Texts); len(foot) == 0 && !headSays {
		item.Parts, item.Text, item.Address = nil, site.SpareHost, true
	}
	_, hasFoot := c.PutRow(row, item)

	if !hasFoot { // the title is in its place
		column.Anchor, column.H, column.Foot = kit.Bottom, 526-column.Y, 528
	}
	if logo.Upper.HasLogo {
		column.Under = float64(logo.Y + logo.H)
	}
	if logo.Lower.HasLogo && !logo.AtEnd {
		column.H -= plateLogoGap
	}
	heading := kit.Heading{
		Style: style, Ladder: ladder, MaxH: most,
		Description: kit.Description{SizePx: 28, W: plateLineW, Lines: 2, More: 1},
	}
	c.PutHeading(bg, column, heading)
}

// showsWhole reports whether the page's own picture is shown whole: the cover of a work, or a thing on a plain ground.
func showsWhole(c *kit.Card) bool {
	if !c.OfPage() {
		return false
	}
	_, plain := motif.PlainGround(c.Background)
	return plain || showsCover(c)
}

// leastInPanel is the fraction of a picture of a thing that a panel, which is high, shows at least: of one of 4:3 it
// shows more, of one of 3:2 less.
const leastInPanel = .45

// cutsThing reports whether a place would show less than [leastInPanel] of the picture of a thing for sale, on a page
// that isn't an article about it. One that the picture itself cuts may be cut more.
func cutsThing(c *kit.Card, place image.Point) bool {
	g := &c.Goods
	if !c.OfPage() || c.Signed() || g.Headline == "" && g.Rating == 0 || g.Dish || g.Square || g.Upright ||
		motif.IsCut(c.Background) {
		return false
	}
	size := c.Background.Bounds().Size()
	across := float64(size.X*place.Y) / float64(size.Y*place.X)
	return min(across, 1/across) < leastInPanel
}

// drawWhole draws a picture in a place in the layout: a cover, or a small picture, on a panel, and a thing on its own
// ground.
func drawWhole(c *kit.Card, place image.Rectangle, in panelPlace) {
	if !c.LaidOut() {
		return
	}
	if ground, plain := motif.PlainGround(c.Background); plain && !showsCover(c) {
		drawOnGround(c, place, ground)
		return
	}
	th, panel := &c.Theme, c.MotifRect(place.Min.X, place.Min.Y, place.Dx(), place.Dy())
	defer c.Canvas().Clip(panel)()
	c.Canvas().PaintStencil(paint.RectStencil(panel), panel, paint.Linear{
		Angle: paint.DownRight, Colors: palette.Gradient(th.Lead(.60, 1, -14), th.Lead(.36, 1, 14)),
	})
	middle := place.Min.Add(place.Max).Div(2)
	if in.crop {
		at := middle.Sub(in.most.Div(2))
		box := c.MotifRect(at.X, at.Y, in.most.X, in.most.Y)
		kit.DrawRaised(c.Canvas(), th, box, 8)
		c.Canvas().Picture(c.Plate(box).Image(), box, 8)
		return
	}
	drawCoverOf(c, &productMeasures{thingX: middle.X, thingY: middle.Y}, in.most)
}

// drawOnGround draws what is on the plain ground of the picture in a place in the layout that this ground fills, as
// large as it allows.
func drawOnGround(c *kit.Card, place image.Rectangle, ground color.NRGBA) {
	part := c.Lone()
	size := motif.FitInto(part.Bounds().Size(), place.Size())
	at := place.Min.Add(place.Size().Sub(size).Div(2))
	box := c.MotifRect(at.X, at.Y, size.X, size.Y)
	c.Canvas().Fill(c.MotifRect(place.Min.X, place.Min.Y, place.Dx(), place.Dy()), ground)
	c.Canvas().Picture(paint.NewPlate(part, paint.PlateSpec{W: box.Dx(), H: box.Dy()}).Image(), box, 0)
}

// putPlateHead places the row at the top: the site, and at the end section and date, or without them the host. It
// reports whether the row has the host; freeHost means that it isn't needed elsewhere.
func putPlateHead(c *kit.Card, bg kit.Surface, logo kit.Logo, hostBelow bool) (hostSaid bool) {
	site := kit.SiteOf(&c.Texts)
	label := kit.RowItem{Text: c.Eyebrow, Style: c.LabelStyle(26), Role: kit.Essential, Color: bg.Accent}
	date := kit.RowItem{Text: c.Date, Style: c.TextStyle(26, 400), Role: kit.Essential, Color: bg.Muted}
	if c.Eyebrow == "" && c.Date == "" && !hostBelow {
		date = kit.RowItem{Text: site.SpareHost, Style: date.Style, Role: kit.Repeated, Color: bg.Muted}
		hostSaid = site.SpareHost != ""
	}
	upper := logo.Upper.Span
	width := func(it kit.RowItem) float64 {
		if b := c.Line(it.Text, it.Style, 0); !b.Empty() {
			return b.BoxWidth
		}
		return 0
	}
	first, second := width(label), width(date)
	whole := first + second
	if first > 0 && second > 0 {
		whole += rowGap
	}
	if whole > upper.X1-upper.X0-leastName-2*rowGap && first > 0 { // the date goes before the section is cut
		date.Text, whole = "", min(first, 560)
		label.MaxW = whole
	}
	if whole > 0 {
		upper.X1 -= whole + rowGap
		end := kit.Span{X0: logo.Upper.X1 - whole - .5, X1: logo.Upper.X1 + .5}
		c.PutRow(kit.Row{Span: end, Anchor: kit.Middle, Y: plateHead, Gap: rowGap}, label, date)
	}
	brand := logo.Upper
	brand.Span = upper
	kit.PutBrandRow(c, kit.BrandRow{
		On: bg, Logo: logo, Row: brand, Middle: plateHead, Side: 40,
		HostSaid: hostSaid || site.Name != "" && (hostBelow || whole > 0),
	})
	return hostSaid
}
