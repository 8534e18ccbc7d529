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
	Lacks: func(c *kit.Card) string {
		if c.Goods.Headline == "" && c.Goods.Rating == 0 {
			return "price, rating or facts of a recipe or a work"
		}
		return ""
	},
	Fits: func(_ kit.Kind, size image.Point) bool { return size.X >= leastThing.X && size.Y >= leastThing.Y },
})

// Measures of product, in the layout.
const (
	stageW                 = 540
	stageDisc              = 300
	stageDiscX, stageDiscY = 236, 372
	thingX, thingY         = 262, 320 // middle of the thing
	thingW, thingH         = 400, 440
	productX               = 604
	productW               = 524
	productPrice           = 448 // baseline of the price
	productGap             = 30  // over it
	productRow             = 512 // baseline of the facts
	starRadius, starPitch  = 13, 32
)

// leastThing is the minimum size of a picture; recordSide and workBox are the largest covers.
var (
	leastThing = image.Pt(280, 280)
	workBox    = image.Pt(310, 440)
	recordBox  = image.Pt(390, 390)
)

func productOG(c *kit.Card) {
	th := &c.Theme
	bg := kit.Surface{Color: th.BG, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	stage := tinted(c, .27, .93, .8)
	var thing *image.NRGBA
	whole := false // the photograph fills the stage
	if c.HasPicture() {
		c.SetSoftLight()
		thing = thingOf(c)
		whole = thing == nil && fillsStage(c)
		if whole {
			c.Over(kit.Backdrop{Picture: image.Rect(0, 0, stageW, 630), Veil: func(_, _ float64) float64 { return 0 }})
		} else {
			c.Over(kit.Backdrop{Redrawn: true})
		}
	}
	c.Begin(paint.Solid(bg.Color))
	if !whole {
		drawStage(c, stage, thing)
	}

	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: chip, End: bg, ChipAtStart: true,
		Upper: kit.LogoLine{Middle: 84, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 558, MaxH: 36},
	})
	row := logo.Upper
	row.X0, row.HasLogo = productX, row.HasLogo && logo.AtEnd // one at the start is on the stage
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: row, Middle: 84, Side: 40})
	top := putGoods(c, bg)
	style := c.TitleStyle()
	style.LineHeight = 1.06
	column := kit.Column{X: productX, Y: 152, W: productW, H: top - productGap - 152, Under: 110, Foot: top - 24}
	c.PutHeading(bg, column, kit.Heading{
		Title: productTitle(c.Title), Style: style, Ladder: text.Steps(2, 96, 84).Then(3, 72, 64).Then(4, 60),
	})
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
func putGoods(c *kit.Card, bg kit.Surface) (top float64) {
	g, top := &c.Goods, float64(productRow)
	x := float64(productX)
	if g.Rating > 0 {
		drawStars(c, g.Rating)
		x += 4*starPitch + 2*starRadius + 26
		top -= 2 * starRadius
	}
	c.PutRow(kit.Row{Span: kit.Span{X0: x, X1: 1128}, Anchor: kit.Bottom, Y: productRow}, kit.RowItem{
		Parts: g.Facts, Style: c.TextStyle(28, 400), Role: kit.Essential, Color: bg.Muted,
	})
	if len(g.Facts) > 0 {
		top = min(top, productRow-28)
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
	if g.Gone {
		ink = bg.Muted
	}
	room, left := float64(productW), float64(productX)
	old := c.Line(g.Old, c.TextStyle(42, 400), 0)
	if !old.Empty() && old.BoxWidth < productW/2 {
		c.Put(kit.Item{Block: old, Role: kit.Essential, Color: bg.Muted}, left, kit.Bottom, productPrice)
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
	put := c.Put(kit.Item{Block: price, Role: kit.Essential, Color: ink}, left, kit.Bottom, productPrice)
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

// drawStars draws five stars, filled up to a rating.
func drawStars(c *kit.Card, rating float64) {
	const y = 502
	stars := paint.PathStencil(c.MotifRect(productX-2, y-20, 4*starPitch+2*starRadius+6, 40), func(g *gg.Context) {
		for i := range 5 {
			starPath(g, c.MotifX(float64(productX+starRadius+i*starPitch)), y, starRadius+1)
		}
		g.Fill()
	})
	canvas := c.Canvas()
	canvas.Stencil(stars, c.Theme.Line)
	// Of a star that is filled in part, its own width is.
	whole := math.Floor(rating)
	to := productX + int(whole)*starPitch + int((rating-whole)*2*starRadius+.5)
	undo := canvas.Clip(c.MotifRect(productX-2, y-20, to-productX+2, 40))
	ink := c.Theme.Gfx
	if c.Theme.Bright() {
		ink = c.Theme.Text
	}
	canvas.Stencil(stars, ink)
	undo()
}

// drawStage draws the stage, the disc, and the thing, the cover, a picture that is too small to fill it, or the figure
// of the site.
func drawStage(c *kit.Card, stage kit.Surface, thing *image.NRGBA) {
	th, canvas := &c.Theme, c.Canvas()
	box := c.MotifRect(0, 0, stageW, 630)
	canvas.Fill(box, stage.Color)
	defer canvas.Clip(box.Intersect(canvas.Bounds()))()
	if !c.HasPicture() {
		c.DrawFigure(kit.Figure{Middle: paint.Point{X: stageW / 2, Y: 315}, Bigger: .8, Tone: c.FigureTone})
		return
	}
	light, deep := th.Lead(.86, .65, -18), th.Lead(.66, 1.05, 12)
	if th.Dark {
		light, deep = th.Lead(.66, 1, -18), th.Lead(.42, 1.05, 12)
	}
	x := c.MotifX(stageDiscX)
	disc := image.Rect(int(x)-stageDisc, stageDiscY-stageDisc, int(x)+stageDisc, stageDiscY+stageDisc)
	key := kit.StencilKey{Figure: "product", W: c.W, H: c.H, RTL: c.RTL}
	canvas.PaintStencil(kit.KeptStencil(key, func() *paint.Stencil {
		return paint.PathStencil(disc.Intersect(image.Rect(0, 0, c.W, c.H)), func(g *gg.Context) {
			g.DrawCircle(x, stageDiscY, stageDisc)
			g.Fill()
		})
	}), disc, paint.Linear{Angle: paint.Down, Colors: palette.Gradient(light, deep)})
	if thing != nil {
		drawThing(c, thing)
		return
	}
	most := image.Pt(thingW, thingH)
	switch {
	case c.Goods.Square:
		most = recordBox
	case c.Goods.Upright:
		most = workBox
	}
	drawCoverOf(c, most)
}

// drawThing draws a thing that was cut out, standing on a shadow.
func drawThing(c *kit.Card, thing *image.NRGBA) {
	size := thing.Rect.Size()
	x := int(c.Mirror(thingX-float64(size.X)/2, float64(size.X)))
	y := thingY + thingH/2 - size.Y
	if size.Y < thingH { // a low thing stands higher
		y -= (thingH - size.Y) / 3
	}
	c.Canvas().Glow(float64(x)+float64(size.X)/2, float64(y+size.Y)-4, float64(size.X)*.56, 22, palette.RGB(0),
		paint.AlphaStop{At: 0, Alpha: .42}, paint.AlphaStop{At: .6, Alpha: .22}, paint.AlphaStop{At: 1, Alpha: 0})
	c.Canvas().Picture(thing, thing.Rect.Add(image.Pt(x, y)), 0)
}

// drawCoverOf draws the whole picture, raised and as large as a box allows, with the light of a spine if it is a book.
func drawCoverOf(c *kit.Card, most image.Point) {
	size := fitInto(c.Background.Bounds().Size(), most)
	box := c.MotifRect(thingX-size.X/2, thingY-size.Y/2, size.X, size.Y)
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
func fillsStage(c *kit.Card) bool {
	size := c.Background.Bounds().Size()
	return !showsCover(c) && kit.SharpSide(c.Background, stageW, 630) == 630 &&
		float64(size.X)*1.35 >= stageW
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
	sum  uint64
	size image.Point
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
func thingOf(c *kit.Card) *image.NRGBA {
	src, ok := c.Background.(*image.NRGBA)
	if !ok || showsCover(c) {
		return nil
	}
	sum, known := paint.SumOf(src)
	key := thingKey{sum, src.Rect.Size()}
	if thing, found := things.Get(key); known && found {
		return thing
	}
	thing := cutThing(src)
	if thing != nil {
		size := fitInto(thing.Rect.Size(), image.Pt(thingW, thingH))
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
