package template

import (
	"image"
	"image/color"
	"math"
	"strings"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// A leaf from the wall: the date of an event is the picture.
//
// Background: a tone of the accent. A calendar leaf with month, day and weekday is cut by the lower edge, two more are
// turned behind it. Next to it the title, and below that time and place.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "event", Name: "Event", Mood: "A leaf from the wall.",
		GoodFor: "Conferences, concerts, meetups and webinars", Needs: []string{"title", "event"}, TextSide: "left",
		Bare: true, Fallback: []string{"cover", "editorial"},
	},
	OG: eventOG,
	Sized: []kit.FormatLayout{
		{Format: kit.Square, Draw: eventUpright}, {Format: kit.Feed, Draw: eventUpright},
		{Format: kit.Story, Draw: eventUpright},
	},
	Lacks: func(c *kit.Card) string {
		if c.Leaf.Day == "" {
			return "date of an event"
		}
		return ""
	},
})

// calendarLeaf is a leaf in the layout: its box, which the lower edge of the card cuts unless it is whole, and its
// measures.
type calendarLeaf struct {
	image.Rectangle
	whole       bool
	k           float64 // how much larger it is than on a share image
	head        int     // its height
	day         float64 // the middle of the day
	weekday     float64 // the top of the weekday
	dayPx       float64
	radius      float64
	hole, holes int // the radius of its holes, and how far they are from the sides
}

var eventShare = calendarLeaf{
	Rectangle: image.Rect(718, 88, 1142, 700), k: 1, head: 132, day: 388, weekday: 536, dayPx: 280, radius: 28, hole: 12,
	holes: 112,
}

// eventMeasures are those of a width of the column, in the layout.
type eventMeasures struct {
	leaf     *calendarLeaf
	w        float64 // of the column
	top, gap float64 // where the title begins, and how far it is above the time
}

var eventWidths = [...]eventMeasures{
	{leaf: &eventShare, w: 590, top: 160, gap: 34},
	{leaf: &calendarLeaf{ // beside a title that needs more room
		Rectangle: image.Rect(800, 124, 1148, 700), k: .82, head: 108, day: 370, weekday: 491, dayPx: 230, radius: 23,
		hole: 10, holes: 92,
	}, w: 668, top: 142, gap: 28},
}

const paleGround = .055

// tinted returns a background in the accent's hue with the colors that read on it. Light ones are pale, so that they
// don't shout louder than the title.
func tinted(c *kit.Card, dark, light, chroma float64) kit.Surface {
	th := &c.Theme
	ground := th.Ramp(dark, chroma, 0)
	if !th.Dark {
		ground = th.Ramp(light, min(chroma, paleGround/max(th.LCH.C, paleGround)), 0)
	}
	return kit.Surface{Color: ground, Text: th.Text, Muted: th.MutedOn(ground), Accent: th.AccentTextOn(ground)}
}

func eventOG(c *kit.Card) {
	th, on := &c.Theme, tinted(c, .24, .92, .75)
	atEnd := c.Corner.Right != c.RTL // a logo there is on the leaf
	foot := kit.Column{X: 72, Y: 420, H: 104, Anchor: kit.Bottom, Gap: 28, Foot: 528}
	if c.Logo != nil && c.Corner.Bottom && !atEnd {
		foot.Foot = 498
	}
	items := func(w float64) []kit.Item {
		when := kit.Item{Block: c.Line(c.Leaf.Time, c.TextStyle(36, 600), w), Role: kit.Essential, Color: on.Text}
		if c.Leaf.Note != "" { // a chip is in its place
			when = kit.Item{}
		}
		return []kit.Item{when, {Block: eventPlace(c, 30, w), Role: kit.Essential, Color: on.Muted}}
	}
	y, said := c.ColumnTop(foot, items(eventWidths[0].w)...)
	heading := kit.Heading{Style: c.TitleStyle(), Ladder: text.Steps(3, 92, 84, 76).Then(4, 68, 60).Then(5, 60)}
	heading.Style.LineHeight = 1.04
	var columns []kit.Column
	for _, m := range eventWidths {
		bottom := foot.Foot
		if said {
			bottom = y - m.gap
		}
		if c.Leaf.Note != "" {
			bottom -= eventNotePx + eventNotePad + 24
		}
		columns = append(columns, kit.Column{X: 72, Y: m.top, W: m.w, H: bottom - m.top, Under: 112, Foot: bottom + 8})
	}
	at := c.BestColumn(on, heading, columns...)
	m := eventWidths[at]

	c.Begin(paint.Solid(on.Color))
	drawEventLeaf(c, m.leaf, on, c.Logo == nil || !c.Corner.Bottom || !atEnd)
	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	logo := c.PlaceLogo(kit.Corners{
		Margin: 72, Start: on, End: chip, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: 84, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 546, MaxH: kit.LogoH},
	})
	end := foot.X + m.w
	logo.Upper.X1, logo.Lower.X1 = min(logo.Upper.X1, end), min(logo.Lower.X1, end)
	kit.PutBrandRow(c, kit.BrandRow{On: on, Logo: logo, Row: logo.Upper, Middle: 84, Side: 40})
	foot.W = m.w
	c.PutColumn(foot, items(m.w)...)
	if c.Leaf.Note != "" {
		putEventNote(c, 72, eventNotePx, columns[at].Y+columns[at].H+eventNotePx+eventNotePad+28, m.w)
	}
	c.PutHeading(on, columns[at], heading)
}

// eventPlace sets the place, without what it has in brackets if that has no room, and after it the price if there is
// room for both.
func eventPlace(c *kit.Card, px, width float64) kit.Block {
	style, place := c.TextStyle(px, 400), c.Leaf.Place
	if at := strings.IndexAny(place, "(（"); at > 0 && c.Line(place, style, width).Truncated {
		place = strings.TrimSpace(place[:at])
	}
	if c.Leaf.Price != "" {
		priced := strings.TrimPrefix(place+" · "+c.Leaf.Price, " · ")
		if b := c.Line(priced, style, 0); b.BoxWidth <= width {
			return b
		}
	}
	return c.Line(place, style, width)
}

// eventNotePx is the size of a note, and eventNotePad how much higher its chip is.
const eventNotePx, eventNotePad = 32, 22

// putEventNote places the word that an event is cancelled or postponed on a chip that ends at a y. It returns its top.
func putEventNote(c *kit.Card, x int, px, end, width float64) (top float64) {
	const pad, radius = 20, 14
	height := int(px) + eventNotePad
	top = end - float64(height)
	note := c.Line(c.Leaf.Note, c.TextStyle(px, 700), width-2*pad)
	put := c.Put(kit.Item{Block: note, Role: kit.Essential, Color: c.Theme.On}, float64(x+pad), kit.Middle,
		top+float64(height)/2)
	if put.Empty() {
		return end
	}
	chip := c.TextRect(x, int(top), int(note.BoxWidth)+2*pad, height)
	c.Canvas().RoundRect(chip.Add(image.Pt(0, int(c.Lowered()))), radius, c.Theme.Fill)
	return top
}

// drawEventLeaf draws the leaves and what stands on the front one, with the weekday or without.
func drawEventLeaf(c *kit.Card, l *calendarLeaf, on kit.Surface, weekday bool) {
	th, canvas := &c.Theme, c.Canvas()
	for _, behind := range []struct {
		turn float64
		ink  color.NRGBA
	}{
		{7, th.Ramp(kit.ByMode(th.Dark, .44, .70), .9, 12)}, {3, th.Ramp(kit.ByMode(th.Dark, .56, .80), kit.ByMode(th.Dark, 1, .75), 0)},
	} {
		drawTurnedLeaf(c, l, behind.turn, behind.ink)
	}
	light := palette.New(th.Accent, false)
	paper, ink := palette.RGB(0xFFFFFF), light.Text
	if th.Dark {
		paper = light.Ramp(.97, .03, 0)
	}
	turn := l.turn(c)
	whole := image.Rect(0, 0, c.W, c.H)
	box := c.MotifRect(l.Min.X, l.Min.Y, l.Dx(), l.Dy())
	if !l.whole {
		box.Max.Y += 2 * l.head
	}
	head := box
	head.Max.Y = head.Min.Y + l.head
	const under = 2 // of the head below the sheet, so that nothing shows between them
	canvas.Path(whole, th.Fill, turned(turn, func(g *gg.Context) {
		roundedAbove(g, head.Min, head.Max.Add(image.Pt(0, under)), l.radius)
	}))
	canvas.Path(whole, paper, turned(turn, func(g *gg.Context) {
		g.Translate(0, float64(head.Max.Y+box.Max.Y))
		g.Scale(1, -1) // round below
		roundedAbove(g, image.Pt(box.Min.X, head.Max.Y), box.Max, l.radius)
	}))
	for _, x := range []int{box.Min.X + l.holes, box.Max.X - l.holes} {
		at := turn.Of(paint.Point{X: float64(x), Y: float64(box.Min.Y) + 26*l.k})
		canvas.Disc(at.X, at.Y, float64(l.hole), on.Color)
	}
	middle := c.MotifX(float64(l.Min.X+l.Max.X) / 2)
	put := func(b kit.Block, a kit.Anchor, y float64, ink color.NRGBA) {
		if b.Empty() {
			return
		}
		if a == kit.Middle {
			y -= b.Height / 2
		}
		canvas.Stencil(c.TurnedLine(b, middle, y, turn), ink)
	}
	room := float64(l.Dx()) - 56*l.k
	// All of it is part of the figure.
	style := c.TextStyle(50*l.k, 700)
	style.Caps, style.Tracking = true, .04
	put(fitted(c, c.Leaf.Month, style, room), kit.Middle, float64(l.Min.Y+l.head/2)+14*l.k, th.On)
	style = c.TextStyle(l.dayPx, 800)
	if style.Tracking = -.05; strings.Contains(c.Leaf.Day, "–") {
		style.Tracking = 0
	}
	put(fitted(c, c.Leaf.Day, style, room), kit.Middle, l.day, ink)
	if weekday {
		put(fitted(c, c.Leaf.Weekday, c.TextStyle(34*l.k, 400), room), kit.Top, l.weekday, light.MutedOn(paper))
	}
}

// turn returns the rotation of the front leaf on the canvas: around its middle, as if one nail held it.
func (l *calendarLeaf) turn(c *kit.Card) paint.Turn {
	angle := gg.Radians(-2)
	if c.RTL {
		angle = -angle
	}
	return paint.Turn{X: c.MotifX(float64(l.Min.X+l.Max.X) / 2), Y: float64(l.Min.Y+l.Max.Y) / 2, Angle: angle}
}

// turned returns the drawing of a shape that is rotated and filled.
func turned(t paint.Turn, shape func(g *gg.Context)) func(g *gg.Context) {
	return func(g *gg.Context) {
		g.RotateAbout(t.Angle, t.X, t.Y)
		shape(g)
		g.Fill()
	}
}

// roundedAbove adds a box whose upper corners are round.
func roundedAbove(g *gg.Context, from, to image.Point, radius float64) {
	x0, y0, x1, y1 := float64(from.X), float64(from.Y), float64(to.X), float64(to.Y)
	g.MoveTo(x0, y1)
	g.DrawArc(x0+radius, y0+radius, radius, math.Pi, 1.5*math.Pi)
	g.DrawArc(x1-radius, y0+radius, radius, 1.5*math.Pi, 2*math.Pi)
	g.LineTo(x1, y1)
	g.ClosePath()
}

// fitted returns a line of text that is as large as its width allows.
func fitted(c *kit.Card, s string, st text.Style, room float64) kit.Block {
	b := c.Line(s, st, 0)
	if !b.Empty() && b.BoxWidth > room {
		st.SizePx = math.Floor(st.SizePx * room / b.BoxWidth)
		b = c.Line(s, st, room)
	}
	return b
}

// drawTurnedLeaf draws a leaf that is turned by degrees around the middle of its upper edge.
func drawTurnedLeaf(c *kit.Card, l *calendarLeaf, degrees float64, ink color.NRGBA) {
	x, y := c.MotifX(float64(l.Min.X+l.Max.X)/2), float64(l.Min.Y)
	if c.RTL {
		degrees = -degrees
	}
	c.Canvas().Path(image.Rect(0, 0, c.W, c.H), ink, func(g *gg.Context) {
		high := float64(l.Dy())
		if !l.whole {
			high += 120
		}
		g.RotateAbout(gg.Radians(degrees), x, y+200*l.k)
		g.DrawRoundedRectangle(x-float64(l.Dx())/2, y, float64(l.Dx()), high, l.radius)
		g.Fill()
	})
}
