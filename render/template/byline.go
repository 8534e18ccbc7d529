package template

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// Written by a person: three nested arches, open at the lower edge, with the author in the innermost.
//
// Background BG. The outer two arches are barely distinguishable from the background; the inner one is a gradient from
// light to deep, with the author's picture, otherwise the initials, otherwise the icon of the site. The title is in a
// column next to it with the author below, and the date and reading time. A page without an author shows its site
// instead. A picture fills the inner arch.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "byline", Name: "Byline", Mood: "Written by a person.",
		GoodFor: "Columns, interviews, newsletters and personal blogs", Needs: []string{"title", "author", "date"},
		TextSide: "left", Portrait: true,
	},
	OG: bylineOG,
})

// bylineArch is a half disc over a box that extends to the bottom of the card, in the layout.
type bylineArch struct{ x, w, top float64 }

// bylineArches are the three, from the outermost.
var bylineArches = [3]bylineArch{{728, 480, 36}, {768, 400, 80}, {808, 320, 124}}

func bylineOG(c *kit.Card) {
	const columnEnd = 688
	th, bg, site := &c.Theme, c.BG(), kit.SiteOf(&c.Texts)
	over := c.Over(kit.Backdrop{
		Picture: image.Rect(808, 124, 1128, 630), Veil: func(_, _ float64) float64 { return 0 }, // there is no text on it
	})
	canvas := c.Begin(paint.Solid(bg.Color))
	outer, middle := th.Ramp(kit.ByMode(th.Dark, .215, .955), kit.ByMode(th.Dark, .45, .2), 0),
		th.Ramp(kit.ByMode(th.Dark, .27, .905), kit.ByMode(th.Dark, .65, .45), 0)
	drawArch(c, 0, outer)
	drawArch(c, 1, middle)
	if !over {
		drawBylineFace(c, canvas)
	}
	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: bg, End: chip, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 88, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 549, MaxH: 54},
	})
	logo.Upper.X1 = min(logo.Upper.X1, columnEnd)

	// At the top: the site. If that is the signature, the host.
	by := c.Author
	if by == "" {
		by = cmp.Or(site.Name, site.Host)
		row := kit.Row{Span: logo.Upper.Span, Anchor: kit.Middle, Y: logo.Upper.Middle}
		c.PutRow(row, kit.RowItem{
			Text: cmp.Or(c.Eyebrow, site.SpareHost), Style: c.TextStyle(28, 400), Role: kit.Repeated, Color: bg.Muted,
			Address: c.Eyebrow == "",
		})
	} else {
		kit.PutBrandRow(c, kit.BrandRow{On: bg, Logo: logo, Row: logo.Upper, Middle: 84, Side: 40})
	}

	// At the bottom: the author, the date, and the reading time, right below the title.
	foot := kit.Column{X: 72, Y: 440, W: columnEnd - 72, H: 82, Anchor: kit.Bottom, Gap: 24, Foot: 528}
	if logo.Lower.HasLogo && !logo.AtEnd {
		foot.Y, foot.Foot = foot.Y-28, 500
	}
	put := c.PutColumn(foot,
		kit.Item{Block: c.Line(by, c.TextStyle(36, 600), foot.W), Role: kit.Essential, Color: bg.Text},
		kit.Item{Block: bylineWhen(c, foot.W), Role: kit.Essential, Color: bg.Muted})
	end := foot.Foot
	if len(put) > 0 {
		end = min(put[0].Y-c.Lowered(), put[0].Bounds().Y0) - 44
	}
	style := c.TitleStyle()
	style.LineHeight = 1.06
	column := kit.Column{X: 72, Y: 172, W: columnEnd - 72, H: end - 172 - 14, Anchor: kit.Bottom, Under: 120, Foot: end}
	c.PutHeading(bg, column, kit.Heading{
		Style: style, Ladder: text.Steps(2, 112, 98).Then(3, 84, 76).Then(4, 70, 64, 56, 48), MaxH: end - 172,
	})
}

// bylineWhen is the line under an author: the date and the reading time, or only the date if both don't fit.
func bylineWhen(c *kit.Card, maxW float64) kit.Block {
	unsigned := c.Spec
	unsigned.Author = ""
	parts, st := kit.Byline(&unsigned), c.TextStyle(28, 400)
	if b := c.Line(strings.Join(parts, " · "), st, 0); len(parts) < 2 || b.BoxWidth <= maxW {
		return b
	}
	return c.Line(parts[0], st, maxW)
}

// path draws the outline of an arch on the canvas.
func (a bylineArch) path(c *kit.Card, g *gg.Context) {
	x, r, foot := c.MotifX(a.x+a.w/2), a.w/2, float64(c.H)+8
	g.MoveTo(x-r, foot)
	g.LineTo(x-r, a.top+r)
	g.DrawArc(x, a.top+r, r, math.Pi, 2*math.Pi)
	g.LineTo(x+r, foot)
	g.ClosePath()
}

// box returns the area of an arch on the canvas.
func (a bylineArch) box(c *kit.Card) image.Rectangle {
	return c.MotifRect(int(a.x), int(a.top), int(a.w), c.H-int(a.top)).Intersect(image.Rect(0, 0, c.W, c.H))
}

// drawArch draws the part of an arch around the next one, with a slight overlap: two edges that only touch would reveal
// what is below.
func drawArch(c *kit.Card, n int, ink color.NRGBA) {
	hole := bylineArches[n+1]
	if n == 0 {
		const under = 2
		hole = bylineArch{hole.x + under, hole.w - 2*under, hole.top + under}
	}
	key := kit.StencilKey{Figure: "byline", Variant: n, W: c.W, H: c.H, RTL: c.RTL}
	c.Canvas().Stencil(kit.KeptStencil(key, func() *paint.Stencil {
		return paint.PathStencil(bylineArches[n].box(c), func(g *gg.Context) {
			g.SetFillRuleEvenOdd()
			bylineArches[n].path(c, g)
			g.NewSubPath()
			hole.path(c, g)
			g.Fill()
		})
	}), ink)
}

// Measures of the content of the inner arch.
const (
	bylineLetters  = 150 // size
	bylineBaseline = 440
	bylineIcon     = 104 // the side: the middle square of the card would cut a larger one
)

// drawBylineFace fills the inner arch: with the author's picture, otherwise with a gradient and initials, otherwise
// with the icon of the site.
func drawBylineFace(c *kit.Card, canvas *paint.Canvas) {
	inner := bylineArches[2]
	box := inner.box(c)
	shape := func() *image.Alpha {
		return paint.PathMask(box, func(g *gg.Context) { inner.path(c, g); g.Fill() })
	}
	if c.Portrait != nil && !c.Portrait.Rect.Empty() {
		undo := canvas.ClipMask(shape())
		const eyes = .4 // of the height of most portraits, and of the arch
		canvas.Picture(paint.Cover(c.Portrait, box.Dx(), box.Dy(), .5, eyes), box, 0)
		undo()
		return
	}
	from, to, ink := bylineTones(&c.Theme)
	key := kit.StencilKey{Figure: "byline", Variant: 2, W: c.W, H: c.H, RTL: c.RTL}
	canvas.PaintStencil(kit.Stencil(key, shape), box, paint.Linear{Angle: paint.Down, Colors: palette.Gradient(from, to)})
	on := kit.OneColor(palette.Gradient(from, to)[8], ink)
	x := (box.Min.X + box.Max.X) / 2
	letters := initialsOf(c.Author)
	if letters == "" {
		if icon, ok := kit.FitIcon(c.Icon, on, bylineIcon); ok {
			at := image.Rect(0, 0, icon.W, icon.H).Add(image.Pt(x-icon.W/2, 384-icon.H/2))
			c.DrawLogo(icon, at)
			c.AddIcon(kit.PlacedIcon{Box: at, On: on.Color})
			return
		}
		if first := text.Initial(c.SiteName, c.Lang); first != 0 {
			letters = string(first)
		}
	}
	st := text.Style{Family: text.Inter, Weight: 700, SizePx: bylineLetters, Exact: true, Lang: c.Lang, Tracking: -.02}
	b := c.Line(letters, st, 0)
	if w := inkWidth(b); w > inner.w-56 {
		st.SizePx *= (inner.w - 56) / w
		b = c.Line(letters, st, 0)
	}
	if b.Empty() || b.Missing != "" {
		return
	}
	c.AddText(kit.Placed{
		Item: kit.Item{Block: b, Role: kit.Monogram, Color: ink},
		X:    float64(x) - (b.Ink.X0+b.Ink.X1)/2, Y: bylineBaseline - b.Height,
	})
}

// inkWidth returns the width of a block's ink.
func inkWidth(b kit.Block) float64 {
	if b.Empty() {
		return 0
	}
	return b.Ink.X1 - b.Ink.X0
}

// bylineTones returns the gradient of the inner arch, and the color of letters in its center.
func bylineTones(th *palette.Theme) (from, to, ink color.NRGBA) {
	return kit.ReadableRun(th,
		kit.Tone{L: kit.ByMode(th.Dark, .66, .70), C: 1, DH: besideYellow(th.LCH.H, -20)},
		kit.Tone{L: kit.ByMode(th.Dark, .40, .48), C: 1, DH: besideYellow(th.LCH.H, 15)}, .34, .70)
}

// initialsOf returns the first letters of the first and the last word of a name, or the first character of a Chinese,
// Japanese or Korean name. It is empty for one without letters.
func initialsOf(name string) string {
	var first, last rune
	for _, word := range strings.Fields(name) {
		r, _ := utf8.DecodeRuneInString(strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }))
		if r == utf8.RuneError {
			continue
		}
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			return string(r)
		}
		if r = unicode.ToUpper(r); first == 0 {
			first = r
		} else {
			last = r
		}
	}
	switch {
	case first == 0:
		return ""
	case last == 0 || !unicode.In(first, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian):
		return string(first) // in other scripts two letters would join, or look unnatural apart
	}
	return string(first) + string(last)
}
