package template

import (
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/fogleman/gg"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
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
	Sized: []kit.Sized{
		{Format: kit.Square, Draw: productUpright, Fits: fitsThing}, {Format: kit.Feed, Draw: productUpright, Fits: fitsThing},
	},
	Lacks: func(c *kit.Card) string {
		if c.Goods.Headline == "" && c.Goods.Rating == 0 {
			return "price, rating or facts of a recipe or a work"
		}
		return ""
	},
	Fits: func(_ kit.Kind, size image.Point) bool { return fitsThing(size) },
})

// productMeasures are those of a size, in the layout.
type productMeasures struct {
	stage                image.Rectangle
	disc, discX, discY   float64
	thingX, thingY       int // middle of the thing
	thing, record, work  image.Point
	figure               float64 // size of the figure of the site
	x, w                 float64 // of the texts
	price, gap, row      float64 // baseline of the price, the gap over it, and the baseline of the facts
	priceK               float64 // how much larger the price is than on a share image
	rowPx                float64
	star, pitch, starsUp float64 // their radius and distance, and how far their middle is above the baseline
}

var productShare = productMeasures{
	stage: image.Rect(0, 0, 540, 630), disc: 300, discX: 236, discY: 372, thingX: 262, thingY: 320,
	thing: image.Pt(400, 440), record: image.Pt(390, 390), work: image.Pt(310, 440), figure: .8,
	x: 604, w: 524, price: 448, gap: 30, row: 512, priceK: 1, rowPx: 28, star: 13, pitch: 32, starsUp: 10,
}

// fitsThing reports whether a picture is large enough.
var fitsThing = atLeast(280, 280)

func productOG(c *kit.Card) {
	th, m := &c.Theme, &productShare
	bg := kit.Surface{Color: th.BG, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
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
	style := c.TitleStyle()
	style.LineHeight = 1.06
	column := kit.Column{X: m.x, Y: 152, W: m.w, H: top - m.gap - 152, Under: 110, Foot: top - 24}
	c.PutHeading(bg, column, kit.Heading{
		Title: productTitle(c.Title), Style: style, Ladder: text.Steps(2, 96, 84).Then(3, 72, 64).Then(4, 60),
	})
}

// beginProduct draws the background and the stage.
func beginProduct(c *kit.Card, m *productMeasures, bg kit.Surface) {
	stage := tinted(c, .27, .93, .8)
	var thing *image.NRGBA
	whole := false // the photograph fills the stage
	if c.HasPicture() {
		c.SetSoftLight()
		thing = thingOf(c, m)
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

// productTitle returns a long title without its last parts: sizes, colors and the words of shops.
func productTitle(title string) string {
	const long, least = 60, 12 // characters
	for len([]rune(title)) > long {
		at := -1
		for _, mark := range [...]string{", ", "，", "、", " – ", " — ", " - ", " | ", " (", "（"} {
			at = max(at, strings.LastIndex(title, mark))
		}
		if at < 0 || len([]rune(title[:at])) < least {
			break
		}
		title = strings.TrimSpace(title[:at])
	}
	return title
}

// putGoods places the price, or what has its place, and the row of facts. It returns the top of what it placed.
func putGoods(c *kit.Card, m *productMeasures, bg kit.Surface) (top float64) {
	g, x := &c.Goods, m.x
	top = m.row
	if g.Rating > 0 {
		x += 4*m.pitch + 4*m.star
		top -= 2 * m.star
	}
	c.PutRow(kit.Row{Span: kit.Span{X0: x, X1: m.x + m.w}, Anchor: kit.Bottom, Y: m.row}, kit.RowItem{
		Parts: g.Facts, Style: c.TextStyle(m.rowPx, 400), Role: kit.Essential, Color: bg.Muted,
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
	old := c.Line(g.Old, c.TextStyle(42*m.priceK, 400), 0)
	if !old.Empty() && old.BoxWidth < m.w/2 {
		c.Put(kit.Item{Block: old, Role: kit.Essential, Color: bg.Muted}, left, kit.Bottom, m.price)
		c.Strike()
		left, room = left+old.BoxWidth+24, room-old.BoxWidth-24
	}
	st := c.TitleStyle()
	st.SizePx, st.Weight, st.HangingPunctuation = size, 700, false
	if !g.Name {
		st = c.TextStyle(size, 700)
	}
	price := fitted(c, g.Headline, st, room)
	if g.Name {
		for st.SizePx = size; st.SizePx > 36 && c.Line(g.Headline, st, 0).BoxWidth > room; {
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

// starPath adds a star of five points with its middle at a position.
func starPath(g *gg.Context, x, y, radius float64) {
	g.NewSubPath()
	for j := range 10 {
		r := radius
		if j%2 == 1 {
			r *= .45
		}
		sin, cos := math.Sincos(math.Pi * float64(j) / 5)
		g.LineTo(x+r*sin, y-r*cos)
	}
	g.ClosePath()
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
			starPath(g, c.MotifX(m.x+m.star+float64(i)*m.pitch), y, m.star+1)
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
	most := m.thing
	switch {
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

// drawCoverOf draws the whole picture, raised and as large as a box allows, with the light of a spine if it is a book.
func drawCoverOf(c *kit.Card, m *productMeasures, most image.Point) {
	size := fitInto(c.Background.Bounds().Size(), most)
	box := c.MotifRect(m.thingX-size.X/2, m.thingY-size.Y/2, size.X, size.Y)
	kit.DrawRaised(c.Canvas(), &c.Theme, box, 8)
	c.Canvas().Picture(c.Plate(box).Image(), box, 8)
	if c.Goods.Upright && showsCover(c) {
		spine := box
		spine.Min.X, spine.Max.X = box.Min.X+8, box.Min.X+18
		c.Canvas().Fill(spine, palette.Fade(palette.RGB(0xFFFFFF), .22))
	}
}

// fitInto returns the size of a picture in a box, enlarged by a third at most.
func fitInto(size, box image.Point) image.Point {
	k := min(float64(box.X)/float64(size.X), float64(box.Y)/float64(size.Y), 1.35)
	return image.Pt(max(int(float64(size.X)*k), 4), max(int(float64(size.Y)*k), 4))
}

// fillsStage reports whether the picture is a photograph that is large enough for the stage, and no cover.
func fillsStage(c *kit.Card, m *productMeasures) bool {
	return !showsCover(c) && kit.Sharp(c.Background.Bounds().Size(), m.stage.Dx(), m.stage.Dy())
}

// showsCover reports whether the picture is the cover of a record or of another work: its proportions are those of one.
func showsCover(c *kit.Card) bool {
	const widest = 1.15
	size := c.Background.Bounds().Size()
	return (c.Goods.Square || c.Goods.Upright) && float64(size.X) <= widest*float64(size.Y)
}

// Parameters of cutting out a thing, by eye on pictures of shops.
const (
	cutSide   = 640 // at which a picture is examined
	cutBorder = 6   // levels by which its border may differ from one color
	cutNear   = 14  // levels by which ground may differ from that
	cutMost   = .95 // fraction of ground above which nothing is left
	cutLeast  = .12 // and below which there is no ground
)

// thingKey identifies a picture.
type thingKey struct {
	sum       uint64
	size, box image.Point
}

// things caches things that were cut out, at the size of the stage; nil for pictures without one.
var things = cache.NewPart(cache.Pieces, func(_ thingKey, thing *image.NRGBA) int {
	if thing == nil {
		return 100
	}
	return len(thing.Pix) + 100
})

// thingOf returns the thing in the card's picture as it stands on the stage, if it is on a plain ground; nil for other
// pictures, and for covers.
func thingOf(c *kit.Card, m *productMeasures) *image.NRGBA {
	src, ok := c.Background.(*image.NRGBA)
	if !ok || showsCover(c) {
		return nil
	}
	sum, known := paint.SumOf(src)
	key := thingKey{sum, src.Rect.Size(), m.thing}
	if thing, found := things.Get(key); known && found {
		return thing
	}
	thing := cutThing(src)
	if thing != nil {
		size := fitInto(thing.Rect.Size(), m.thing)
		thing = paint.Scale(thing, size.X, size.Y)
	}
	if known {
		things.Put(key, thing)
	}
	return thing
}

// cutThing returns a thing that is on a plain ground, without it, otherwise nil.
func cutThing(src *image.NRGBA) *image.NRGBA {
	size := src.Rect.Size()
	if k := cutSide / float64(max(size.X, size.Y)); k < 1 {
		src = paint.Scale(src, max(int(float64(size.X)*k), 4), max(int(float64(size.Y)*k), 4))
	}
	w, h := src.Rect.Dx(), src.Rect.Dy()
	ground, ok := borderColor(src)
	if !ok {
		return nil
	}
	alpha := make([]uint8, w*h)
	for i := range alpha {
		alpha[i] = 255
	}
	queue := make([]int32, 0, w*h)
	visit := func(x, y int) {
		if x < 0 || y < 0 || x >= w || y >= h || alpha[y*w+x] == 0 {
			return
		}
		if p := src.Pix[y*src.Stride+4*x:][:4:4]; p[3] < 128 || apart(p, ground) <= cutNear {
			alpha[y*w+x] = 0
			queue = append(queue, int32(y*w+x))
		}
	}
	for x := range w {
		visit(x, 0)
		visit(x, h-1)
	}
	for y := range h {
		visit(0, y)
		visit(w-1, y)
	}
	for i := 0; i < len(queue); i++ {
		x, y := int(queue[i])%w, int(queue[i])/w
		visit(x-1, y)
		visit(x+1, y)
		visit(x, y-1)
		visit(x, y+1)
	}
	if share := float64(len(queue)) / float64(w*h); share > cutMost || share < cutLeast {
		return nil
	}
	return trimmed(src, alpha)
}

// borderColor returns the color of the outermost pixels of a picture if they have one, or are clear.
func borderColor(img *image.NRGBA) (ground [3]uint8, ok bool) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	first := img.Pix[:4:4]
	copy(ground[:], first)
	off, all := 0, 0
	look := func(x, y int) {
		all++
		if p := img.Pix[y*img.Stride+4*x:][:4:4]; p[3] > 128 && (first[3] <= 128 || apart(p, ground) > cutBorder) {
			off++
		}
	}
	for x := range w {
		look(x, 0)
		look(x, h-1)
	}
	for y := range h {
		look(0, y)
		look(w-1, y)
	}
	return ground, off*100 <= all // a shadow may reach the edge
}

// apart returns the largest difference of two colors in a channel.
func apart(p []uint8, q [3]uint8) (d int) {
	for i, v := range q {
		d = max(d, int(p[i])-int(v), int(v)-int(p[i]))
	}
	return d
}

// trimmed returns the part of a picture that isn't clear, with soft edges.
func trimmed(src *image.NRGBA, alpha []uint8) *image.NRGBA {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	box := image.Rectangle{}
	for i, a := range alpha {
		if x, y := i%w, i/w; a > 0 {
			box = box.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	out := image.NewNRGBA(image.Rect(0, 0, box.Dx(), box.Dy()))
	for y := range box.Dy() {
		for x := range box.Dx() {
			sum, n := 0, 0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if sx, sy := box.Min.X+x+dx, box.Min.Y+y+dy; sx >= 0 && sy >= 0 && sx < w && sy < h {
						sum += int(alpha[sy*w+sx])
					}
					n++
				}
			}
			at := (box.Min.Y+y)*w + box.Min.X + x
			p := src.Pix[(box.Min.Y+y)*src.Stride+4*(box.Min.X+x):][:4:4]
			a := min(alpha[at], p[3])
			out.SetNRGBA(x, y, color.NRGBA{R: p[0], G: p[1], B: p[2], A: uint8(int(a) * sum / (255 * n))})
		}
	}
	return out
}
