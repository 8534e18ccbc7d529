package template

import (
	"image"
	"math"
	"strings"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/motif"
	"masthead/render/template/wording"
	"masthead/render/text"
)

// A shop window: the thing on a stage, its price next to it.
//
// A thing on a plain ground is cut out and stands before a disc that two edges cut; the cover of a work lies on it; a
// photograph fills the stage. Next to it are title and price, and below them rating and stock. Recipes have their time
// in the place of the price, works their author. Nothing is shown that the page doesn't state.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "product", Name: "Product", Mood: "A good shop window.",
		GoodFor: "Things for sale, recipes, books, records, films and games", Needs: []string{"title", "product"},
		TextSide: "right", Bare: true, Photo: []kit.Kind{kit.OG}, Fallback: []string{"split", "editorial"},
	},
	OG: productOG,
	Sized: []kit.FormatLayout{
		{Format: kit.Square, Draw: productUpright, Fits: fitsThing}, {Format: kit.Feed, Draw: productUpright, Fits: fitsThing},
	},
	Lacks: func(c *kit.Card) string {
		if c.Goods.Headline == "" && c.Goods.Rating == 0 {
			return "price, rating or facts of a recipe or a work"
		}
		return ""
	},
	Fits:   func(_ kit.Kind, size image.Point) bool { return fitsThing(size) },
	Covers: true,
})

// productMeasures are those of a size, in the layout.
type productMeasures struct {
	stage                image.Rectangle
	disc, discX, discY   float64
	thingX, thingY       int // middle of the thing
	thing, record, work  image.Point
	photo                image.Point // a photograph that is shown whole
	figure               float64     // size of the figure of the site
	x, w                 float64     // of the texts
	title                float64     // top of the title
	price, gap, row      float64     // baseline of the price, the gap over it, and the baseline of the facts
	priceK               float64     // how much larger the price is than on a share image
	rowPx                float64
	star, pitch, starsUp float64 // their radius and distance, and how far their middle is above the baseline
}

var productShare = productMeasures{
	stage: image.Rect(0, 0, 540, 630), disc: 300, discX: 236, discY: 372, thingX: 262, thingY: 320,
	thing: image.Pt(400, 440), record: image.Pt(390, 390), work: image.Pt(310, 440), figure: .8,
	photo: image.Pt(444, 440),
	x:     604, w: 524, title: 152, price: 456, gap: 38, row: 520, priceK: 1, rowPx: 28, star: 13, pitch: 32, starsUp: 10,
}

// productWide has more room for a title: a wider column, beside a narrower stage, that begins higher, above a smaller
// price.
var productWide = func() productMeasures {
	m := productShare
	m.title, m.price, m.priceK, m.gap = 138, 470, .72, 34
	m.stage, m.x, m.w = image.Rect(0, 0, 456, 630), 516, 612
	m.disc, m.discX, m.discY, m.thingX = 270, 182, 376, 226
	m.thing, m.record, m.work, m.photo = image.Pt(344, 400), image.Pt(332, 332), image.Pt(290, 412), image.Pt(376, 376)
	m.figure = .7
	return m
}()

// productLow has the same width, with a price that is hardly larger than the facts, and productWidest the narrowest
// stage besides, for titles that no other one suits.
var productLow = func() productMeasures {
	m := productWide
	m.title, m.priceK, m.gap = 130, .6, 26
	return m
}()

var productWidest = func() productMeasures {
	m := productLow
	m.stage, m.x, m.w = image.Rect(0, 0, 420, 630), 480, 648
	m.disc, m.discX, m.discY, m.thingX = 248, 166, 380, 208
	m.thing, m.record, m.work, m.photo = image.Pt(316, 368), image.Pt(306, 306), image.Pt(266, 378), image.Pt(346, 346)
	m.figure = .64
	return m
}()

// fitsThing reports whether a picture is large enough: the shorter side of things may be short.
func fitsThing(size image.Point) bool {
	return max(size.X, size.Y) >= 240 && min(size.X, size.Y) >= 120
}

func productOG(c *kit.Card) {
	th := &c.Theme
	bg := kit.Surface{Color: th.BG, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	m, heading := fitProduct(c, bg)
	beginProduct(c, m, bg)

	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: chip, End: bg, ChipAtStart: true,
		Upper: kit.LogoLine{Middle: 84, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 558, MaxH: 36},
	})
	row := logo.Upper
	row.X0, row.HasLogo = m.x, row.HasLogo && logo.AtEnd // one at the start is on the stage
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: row, Middle: 84, Side: 40})
	top := putGoods(c, m, bg)
	drawStars(c, m)
	col := m.column(c)
	col.H, col.Foot = top-m.gap-col.Y, top-24
	c.PutHeading(bg, col, heading)
}

// column returns the room of the title, as far as it is known before the price and the facts are placed.
func (m *productMeasures) column(c *kit.Card) kit.Column {
	end := m.price - 64*m.priceK
	if c.Goods.Headline == "" {
		end = m.row - m.rowPx
	}
	return kit.Column{X: m.x, Y: m.title, W: m.w, H: end - m.gap - m.title, Under: 110}
}

// fitProduct returns the title with the measures that suit it. Of a title that none hold, as few of the last parts of
// the product's name are left out as possible.
func fitProduct(c *kit.Card, bg kit.Surface) (*productMeasures, kit.Heading) {
	h := kit.Heading{Style: c.TitleStyle(), Ladder: text.Steps(2, 96, 84).Then(3, 72, 64).Then(4, 60)}
	h.Style.LineHeight = 1.06
	sizes := [...]*productMeasures{&productShare, &productWide, &productLow, &productWidest}
	columns := make([]kit.Column, len(sizes))
	for i, m := range sizes {
		columns[i] = m.column(c)
	}
	titles, last := wording.Product(c.Title, c.Lang), len(columns)-1
	for _, h.Title = range titles {
		at := c.BestColumn(bg, h, columns[:last]...)
		whole := c.TitleWhole(bg, columns[at], h)
		if b, wider := c.TitleOf(bg, columns[at], h), c.TitleOf(bg, columns[last], h); !whole ||
			b.Awkward() && !wider.Awkward() && wider.WorthRoom(b.Block) {
			at, whole = last, c.TitleWhole(bg, columns[last], h)
		}
		if whole {
			return sizes[at], h
		}
	}
	h.Title = titles[0] // cut later than its last part
	if kit.SaysMore(c.TitleOf(bg, columns[last], h).Block, c.TitleOf(bg, columns[last-1], h).Block) {
		return sizes[last], h
	}
	return sizes[last-1], h
}

// beginProduct draws the background and the stage.
func beginProduct(c *kit.Card, m *productMeasures, bg kit.Surface) {
	stage := tinted(c, .27, .93, .8)
	var thing *image.NRGBA
	whole := false // the photograph fills the stage
	if c.HasPicture() {
		c.SetSoftLight()
		if !showsCover(c) {
			thing = motif.Thing(c.Background, m.thing)
		}
		whole = thing == nil && fillsStage(c, m)
		if whole {
			c.Over(kit.Backdrop{Picture: m.stage, Veil: func(_, _ float64) float64 { return 0 }})
		} else {
			c.Over(kit.Backdrop{Redrawn: true})
		}
	}
	c.Begin(paint.Solid(bg.Color))
	if !whole {
		drawStage(c, m, stage, thing)
	}
}

// The old price is left out if it would be closer to the price, or make that smaller than this share of its size.
const (
	oldPriceGap    = 32
	leastBesideOld = .8
	nearStars      = 12 // how much nearer the facts are to the stars, rather than smaller
)

// putGoods places the price, or what has its place, and the row of facts. It returns the top of what it placed.
func putGoods(c *kit.Card, m *productMeasures, bg kit.Surface) (top float64) {
	g, x := &c.Goods, m.x
	top = m.row
	if g.Rating > 0 {
		x += 4*m.pitch + 4*m.star
		top -= 2 * m.star
	}
	end := m.x + m.w
	if g.Rating > 0 && factsStyle(c, m.rowPx, end-x).SizePx < m.rowPx {
		x -= nearStars
	}
	c.PutRow(kit.Row{Span: kit.Span{X0: x, X1: end}, Anchor: kit.Bottom, Y: m.row}, kit.RowItem{
		Parts: g.Facts, Style: factsStyle(c, m.rowPx, end-x), Role: kit.Essential, Color: bg.Muted,
	})
	if len(g.Facts) > 0 {
		top = min(top, m.row-m.rowPx)
	}
	if g.Headline == "" {
		return top
	}
	size, ink := 84.0, bg.Accent
	switch n := len([]rune(g.Headline)); {
	case g.Name:
		size = 52
	case n >= 8:
		size = 72
	}
	size *= m.priceK
	if g.Gone {
		ink = bg.Muted
	}
	room, left := m.w, m.x
	st := c.TitleStyle()
	st.SizePx, st.Weight, st.HangingPunctuation = size, 700, false
	if !g.Name {
		st = c.TextStyle(size, 700)
	}
	if old := c.Line(g.Old, c.TextStyle(42*m.priceK, 400), 0); !old.Empty() {
		beside := m.w - old.BoxWidth - oldPriceGap
		if c.Line(g.Headline, st, 0).BoxWidth*leastBesideOld <= beside {
			c.Put(kit.Item{Block: old, Role: kit.Essential, Color: bg.Muted}, left, kit.Bottom, m.price)
			c.Strike()
			left, room = left+old.BoxWidth+oldPriceGap, beside
		}
	}
	price := fitted(c, g.Headline, st, room)
	if g.Name {
		for st.SizePx = size; st.SizePx > 30 && c.Line(g.Headline, st, 0).BoxWidth > room; {
			st.SizePx -= 4
		}
		price = c.Line(g.Headline, st, room)
	}
	put := c.Put(kit.Item{Block: price, Role: kit.Essential, Color: ink}, left, kit.Bottom, m.price)
	if put.Empty() {
		return top
	}
	return min(put.Y, put.Bounds().Y0)
}

// factsStyle returns the style of the row of facts: a little smaller if all of them have room then.
func factsStyle(c *kit.Card, px, room float64) text.Style {
	for _, less := range [...]float64{0, 1, 2} {
		st := c.TextStyle(px-less, 400)
		if b := c.Line(strings.Join(c.Goods.Facts, " · "), st, 0); b.Empty() || b.BoxWidth <= room {
			return st
		}
	}
	return c.TextStyle(px, 400)
}

// drawStars draws five stars, filled up to the rating, if there is one.
func drawStars(c *kit.Card, m *productMeasures) {
	rating := c.Goods.Rating
	if rating <= 0 {
		return
	}
	y, left, high := m.row-m.starsUp, int(m.x)-2, int(m.star+7)
	stars := paint.PathStencil(c.MotifRect(left, int(y)-high, int(4*m.pitch+2*m.star)+6, 2*high), func(g *gg.Context) {
		for i := range 5 {
			motif.StarPath(g, c.MotifX(m.x+m.star+float64(i)*m.pitch), y, m.star+1)
		}
		g.Fill()
	})
	canvas := c.Canvas()
	canvas.Stencil(stars, c.Theme.Line)
	// Of a star that is filled in part, its own width is.
	whole := math.Floor(rating)
	to := int(m.x+whole*m.pitch) + int((rating-whole)*2*m.star+.5)
	undo := canvas.Clip(c.MotifRect(left, int(y)-high, to-left, 2*high))
	ink := c.Theme.Gfx
	if c.Theme.Bright() {
		ink = c.Theme.Text
	}
	canvas.Stencil(stars, ink)
	undo()
}

// drawStage draws the stage, the disc, and the thing, the cover, a picture that is too small to fill it, or the figure
// of the site.
func drawStage(c *kit.Card, m *productMeasures, stage kit.Surface, thing *image.NRGBA) {
	th, canvas := &c.Theme, c.Canvas()
	box := c.MotifRect(m.stage.Min.X, m.stage.Min.Y, m.stage.Dx(), m.stage.Dy())
	canvas.Fill(box, stage.Color)
	defer canvas.Clip(box.Intersect(canvas.Bounds()))()
	if !c.HasPicture() {
		middle := paint.Point{X: float64(m.stage.Max.X) / 2, Y: float64(m.stage.Max.Y) / 2}
		c.DrawFigure(kit.Figure{Middle: middle, Bigger: m.figure, Tone: c.FigureTone})
		return
	}
	if ground, plain := motif.PlainGround(c.Background); plain && thing == nil && !showsCover(c) {
		// What can't be cut out is shown on its own ground.
		drawOnGround(c, m.stage, ground)
		return
	}
	light, deep := th.Lead(.86, .65, -18), th.Lead(.66, 1.05, 12)
	if th.Dark {
		light, deep = th.Lead(.66, 1, -18), th.Lead(.42, 1.05, 12)
	}
	x, y, r := c.MotifX(m.discX), m.discY, m.disc
	disc := image.Rect(int(x)-int(r), int(y)-int(r), int(x)+int(r), int(y)+int(r))
	key := kit.StencilKey{Figure: "product", W: c.W, H: c.H, RTL: c.RTL, Variant: int(y), Size: r}
	canvas.PaintStencil(kit.KeptStencil(key, func() *paint.Stencil {
		return paint.PathStencil(disc.Intersect(image.Rect(0, 0, c.W, c.H)), func(g *gg.Context) {
			g.DrawCircle(x, y, r)
			g.Fill()
		})
	}), disc, paint.Linear{Angle: paint.Down, Colors: palette.Gradient(light, deep)})
	if thing != nil {
		drawThing(c, m, thing)
		return
	}
	most := m.photo
	switch {
	case !showsCover(c):
	case c.Goods.Square:
		most = m.record
	case c.Goods.Upright:
		most = m.work
	}
	drawCoverOf(c, m, most)
}

// drawThing draws a thing that was cut out, standing on a shadow.
func drawThing(c *kit.Card, m *productMeasures, thing *image.NRGBA) {
	size := thing.Rect.Size()
	x := int(c.Mirror(float64(m.thingX)-float64(size.X)/2, float64(size.X)))
	y := m.thingY + m.thing.Y/2 - size.Y
	if size.Y < m.thing.Y { // a low thing stands higher
		y -= (m.thing.Y - size.Y) / 3
	}
	c.Canvas().Glow(float64(x)+float64(size.X)/2, float64(y+size.Y)-4, float64(size.X)*.56, 22, palette.RGB(0),
		paint.AlphaStop{At: 0, Alpha: .42}, paint.AlphaStop{At: .6, Alpha: .22}, paint.AlphaStop{At: 1, Alpha: 0})
	c.Canvas().Picture(thing, thing.Rect.Add(image.Pt(x, y)), 0)
}

// longest is how many times as long as its other side a picture is shown.
const longest = 2

// drawCoverOf draws the whole picture, raised and as large as a box allows, with the light of a spine if it is a book.
func drawCoverOf(c *kit.Card, m *productMeasures, most image.Point) {
	size := c.Background.Bounds().Size()
	if size.X > longest*size.Y { // a strip would be too small to see what it shows
		size.X = longest * size.Y
	} else if size.Y > longest*size.X {
		size.Y = longest * size.X
	}
	size = motif.FitInto(size, most)
	box := c.MotifRect(m.thingX-size.X/2, m.thingY-size.Y/2, size.X, size.Y)
	kit.DrawRaised(c.Canvas(), &c.Theme, box, 8)
	c.Canvas().Picture(c.Plate(box).Image(), box, 8)
	if c.Goods.Bound && showsCover(c) {
		spine := box
		spine.Min.X, spine.Max.X = box.Min.X+8, box.Min.X+18
		c.Canvas().Fill(spine, palette.Fade(palette.RGB(0xFFFFFF), .22))
	}
}

// Fractions of a photograph that the stage shows at least: half of a thing for sale is no picture of it, but half of a
// dish is, or of a thing that the picture cuts.
const leastOfThing, leastOfDish = .6, .4

// fillsStage reports whether the picture is a photograph that is large enough for the stage, most of which the usual
// stage shows, neither a cover nor a thing on a plain ground.
func fillsStage(c *kit.Card, m *productMeasures) bool {
	size, least, usual := c.Background.Bounds().Size(), leastOfThing, m.stage
	if c.Kind == kit.OG { // a long title makes it narrower
		usual = productShare.stage
	}
	if c.Goods.Dish || motif.IsCut(c.Background) {
		least = leastOfDish
	}
	across := float64(size.X*usual.Dy()) / float64(size.Y*usual.Dx())
	_, plain := motif.PlainGround(c.Background)
	return !plain && !showsCover(c) && kit.Sharp(size, m.stage.Dx(), m.stage.Dy()) && min(across, 1/across) >= least
}

// showsCover reports whether the picture is the cover of a record or of another work: its proportions are those of one.
func showsCover(c *kit.Card) bool { return c.ShowsCover(c.Background.Bounds().Size()) }
