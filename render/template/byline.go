package template

import (
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/fogleman/gg"

	"masthead/render/cache"
	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// Written by a person: three nested arches, open at the lower edge, with the author in the innermost.
//
// Background BG. The outer two arches are barely distinguishable from the background; the inner one has the author's
// picture. The title is in a column next to it with the author below, and the date and reading time. No face is
// invented: it takes no AI picture.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "byline", Name: "Byline", Mood: "Written by a person.",
		GoodFor: "Columns, interviews, newsletters and personal blogs", Needs: []string{"author", "portrait"},
		TextSide: "left", Bare: true, Portrait: true, Fallback: []string{"editorial"},
	},
	OG:    bylineOG,
	Sized: []kit.Sized{{Format: kit.Square, Draw: bylineSquare}},
	Lacks: func(c *kit.Card) string {
		if c.Author == "" || c.Portrait == nil || c.Portrait.Rect.Empty() {
			return "author with a picture"
		}
		return ""
	},
})

// bylineArch is a half disc over a box that extends to its foot, in the layout.
type bylineArch struct{ x, w, top, foot float64 }

// bylineArches are the three, from the outermost, whose foot is below the lower edge of the card.
var bylineArches = [3]bylineArch{{692, 504, 36, 638}, {726, 436, 70, 638}, {752, 384, 104, 638}}

func bylineOG(c *kit.Card) {
	const columnEnd = 662
	th, bg := &c.Theme, c.BG()
	c.Begin(paint.Solid(bg.Color))
	drawAlcove(c, &bylineArches)
	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: chip, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 88, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 549, MaxH: 54},
	})
	logo.Upper.X1 = min(logo.Upper.X1, columnEnd)

	// At the top: the site.
	kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: logo.Upper, Middle: 84, Side: 40})

	// At the bottom: the author, the date, and the reading time.
	foot := kit.Column{X: 72, Y: 440, W: columnEnd - 72, H: 82, Anchor: kit.Bottom, Gap: 24, Foot: 528}
	if logo.Lower.HasLogo && !logo.AtEnd {
		foot.Y, foot.Foot = foot.Y-28, 500
	}
	author, description := c.Author, kit.Description{}
	if text.Same(author, c.Title) { // a page about that person
		author, description = "", kit.Description{SizePx: 28, W: foot.W, Lines: 3}
	}
	put := c.PutColumn(foot,
		kit.Item{Block: c.Line(author, c.TextStyle(36, 600), foot.W), Role: kit.Essential, Color: bg.Text},
		kit.Item{Block: bylineWhen(c, 28, foot.W), Role: kit.Essential, Color: bg.Muted})
	end := foot.Foot
	if len(put) > 0 {
		end = min(put[0].Y-c.Lowered(), put[0].Bounds().Y0) - 36
	}
	style := c.TitleStyle()
	style.LineHeight = 1.06
	column := kit.Column{X: 72, Y: 162, W: columnEnd - 72, H: end - 162, Gap: 42, Under: 112, Foot: end}
	if len(put) == 0 { // a page about that person
		column.Anchor = kit.Middle
	}
	c.PutHeading(bg, column, kit.Heading{
		Style: style, Ladder: text.Steps(2, 116, 104, 92).Then(3, 84, 76, 66).Then(4, 60), MaxH: end - 162,
		Description: description,
	})
}

// drawAlcove draws the arches, and the author in the innermost.
func drawAlcove(c *kit.Card, arches *[3]bylineArch) {
	th := &c.Theme
	drawArch(c, arches, 0, th.Ramp(kit.ByMode(th.Dark, .235, .945), kit.ByMode(th.Dark, .55, .3), 0))
	drawArch(c, arches, 1, th.Ramp(kit.ByMode(th.Dark, .34, .84), kit.ByMode(th.Dark, .85, .6), 0))
	drawBylineFace(c, arches[2])
}

// bylineWhen is the line under an author: the date and the reading time, or only the date if both don't fit.
func bylineWhen(c *kit.Card, px, maxW float64) kit.Block {
	unsigned := c.Spec
	unsigned.Author = ""
	parts, st := kit.Byline(&unsigned), c.TextStyle(px, 400)
	if b := c.Line(strings.Join(parts, " · "), st, 0); len(parts) < 2 || b.BoxWidth <= maxW {
		return b
	}
	return c.Line(parts[0], st, maxW)
}

// path draws the outline of an arch on the canvas.
func (a bylineArch) path(c *kit.Card, g *gg.Context) {
	x, r, foot := c.MotifX(a.x+a.w/2), a.w/2, a.foot
	g.MoveTo(x-r, foot)
	g.LineTo(x-r, a.top+r)
	g.DrawArc(x, a.top+r, r, math.Pi, 2*math.Pi)
	g.LineTo(x+r, foot)
	g.ClosePath()
}

// box returns the area of an arch on the canvas.
func (a bylineArch) box(c *kit.Card) image.Rectangle {
	return c.MotifRect(int(a.x), int(a.top), int(a.w), int(a.foot-a.top)).Intersect(image.Rect(0, 0, c.W, c.H))
}

// drawArch draws the part of an arch around the next one, with a slight overlap: two edges that only touch would reveal
// what is below.
func drawArch(c *kit.Card, arches *[3]bylineArch, n int, ink color.NRGBA) {
	hole := arches[n+1]
	if n == 0 {
		const under = 2
		hole = bylineArch{hole.x + under, hole.w - 2*under, hole.top + under, hole.foot}
	}
	key := kit.StencilKey{Figure: "byline", Variant: n, W: c.W, H: c.H, RTL: c.RTL, Size: arches[n].foot}
	c.Canvas().Stencil(kit.KeptStencil(key, func() *paint.Stencil {
		return paint.PathStencil(arches[n].box(c), func(g *gg.Context) {
			g.SetFillRuleEvenOdd()
			arches[n].path(c, g)
			g.NewSubPath()
			hole.path(c, g)
			g.Fill()
		})
	}), ink)
}

// drawBylineFace fills the inner arch with the author's picture.
func drawBylineFace(c *kit.Card, inner bylineArch) {
	if c.Portrait == nil || c.Portrait.Rect.Empty() {
		return
	}
	box := inner.box(c)
	key := maskKey{box, c.RTL}
	mask, ok := archMasks.Get(key)
	if !ok {
		mask = paint.PathMask(box, func(g *gg.Context) { inner.path(c, g); g.Fill() })
		archMasks.Put(key, mask)
	}
	undo := c.Canvas().ClipMask(mask)
	const eyes = .4 // of the height of most portraits, and of the arch
	c.Canvas().Picture(paint.KeptCover(c.Portrait, box.Dx(), box.Dy(), .5, eyes), box, 0)
	undo()
}

// maskKey is what the coverage of an inner arch depends on.
type maskKey struct {
	box image.Rectangle
	rtl bool
}

var archMasks = cache.NewPart(cache.Pieces, func(_ maskKey, m *image.Alpha) int { return len(m.Pix) + 100 })

// bylineSquare draws the alcove over the title, as high as the texts leave it.
func bylineSquare(c *kit.Card) {
	f, bg := c.Format(), c.BG()
	u := upright{On: bg, Foot: uprightEnd(c), Top: f.Least + 40, Heading: kit.Heading{
		Ladder: text.Steps(2, 116, 104, 92).Then(3, 84, 76).Then(4, 68),
	}}
	c.Begin(paint.Solid(bg.Color))
	author := c.Author
	if text.Same(author, c.Title) { // a page about that person
		author, u.Heading.Description = "", uprightDescription(c)
	}
	foot := kit.Column{X: f.X0, Y: u.Foot - 120, W: f.Inner(), H: 120, Anchor: kit.Bottom, Gap: 30, Foot: u.Foot}
	if put := c.PutColumn(foot,
		kit.Item{Block: c.Line(author, c.TextStyle(44, 600), f.Inner()), Role: kit.Essential, Color: bg.Text},
		kit.Item{Block: bylineWhen(c, f.RowPx(), f.Inner()), Role: kit.Essential, Color: bg.Muted}); len(put) > 0 {
		u.Foot = min(put[0].Y, put[0].Bounds().Y0) - uprightGap
	}
	end := float64(u.put(c))
	k := min((end-30)/500, 1)
	var arches [3]bylineArch
	for i, a := range bylineArches {
		w := math.Floor(a.w * k * 1.06 / 2)
		arches[i] = bylineArch{float64(c.W)/2 - w, 2 * w, math.Floor(30 + (a.top-36)*k), end}
	}
	drawAlcove(c, &arches)
	chip := kit.Surface{Color: c.Theme.Surface2, Text: c.Theme.Text, Muted: c.Theme.Muted, Accent: c.Theme.AccentText}
	putUprightFoot(c, bg, chip)
}
