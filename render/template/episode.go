package template

import (
	"image"
	"image/color"
	"math"

	"github.com/fogleman/gg"

	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
	"masthead/render/template/wording"
	"masthead/render/text"
)

// Press play. An episode has its art in a square with a sign to play it, the title next to that, and a waveform that
// two edges cut. A video fills the card with its still, as cover does on dark cards, with the sign over it and its
// length at the bottom.
var _ = register(kit.Template{
	Info: kit.Info{
		Slug: "episode", Name: "Episode", Mood: "Press play.",
		GoodFor: "Episodes of podcasts and series, talks and videos", Needs: []string{"title", "episode"}, TextSide: "right",
		Photo: []kit.Kind{kit.OG}, Fallback: []string{"cover", "editorial"},
	},
	OG: episodeOG,
	Sized: []kit.FormatLayout{
		{Format: kit.Square, Draw: episodeUpright, Fits: atLeast(leastArt, leastArt)},
		{Format: kit.Feed, Draw: episodeUpright, Fits: atLeast(leastArt, leastArt)},
	},
	Lacks: func(c *kit.Card) string {
		if !c.Play.Known {
			return "episode or video"
		}
		return ""
	},
	Fits:   func(_ kit.Kind, size image.Point) bool { return size.X >= leastArt && size.Y >= leastArt },
	Covers: true,
})

// Measures of an episode, in the layout.
const (
	leastArt                 = 312 // side of a picture
	artRadius                = 32
	playRadius, playRing     = 56, 66
	episodeEnd               = 1128
	waveW, wavePitch         = 12, 20
	waveLeast, waveMost      = 26, 158 // heights of its bars
	wavePlayed               = .38
	stillPlayX, stillPlayY   = 600, 226
	stillPlay, stillTrack    = 76, 18
	stillTop                 = 330 // of the title, under the sign
	stillLengthW             = 190 // that the row at the bottom leaves free
	trackLeast, trackVariety = .25, .30
)

// episodeArts are the art, from which the column and the waveform are 68 px apart, and a smaller one beside a title
// that needs the room.
var episodeArts = [...]image.Rectangle{image.Rect(72, 72, 492, 492), image.Rect(72, 72, 412, 412)}

// episodeX returns where the column beside an art begins.
func episodeX(art image.Rectangle) float64 { return float64(art.Max.X) + 68 }

func episodeOG(c *kit.Card) {
	if c.Play.Video && c.HasPicture() && showsStill(c) {
		drawStill(c, coverOG, paint.Point{X: stillPlayX, Y: stillPlayY}, stillTop)
		return
	}
	th := &c.Theme
	on := tinted(c, .24, .93, .8)
	if c.HasPicture() {
		c.SetSoftLight()
		c.Over(kit.Backdrop{Redrawn: true})
	}
	near, far := kit.RaisedShadows(th)
	art, title := fitEpisode(c, on)
	c.Begin(paint.Solid(on.Color), near, far)
	drawArt(c, art)
	drawWave(c, int(episodeX(art)), waveLeast, waveMost)
	x, y := c.MotifX(float64(art.Max.X)-20), float64(art.Max.Y)-20
	c.Canvas().Disc(x, y, playRing, on.Color)
	drawPlay(c, x, y, playRadius)

	// A logo at the start of lines is on the art.
	atEnd := c.Corner.Right != c.RTL
	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	corners := kit.Corners{
		Margin: 72, Start: chip, End: on, ChipAtStart: true,
		Upper: kit.LogoLine{Middle: 84, MaxH: kit.LogoH}, Lower: kit.LogoLine{Middle: 546, MaxH: 44},
	}
	if !atEnd {
		corners.Margin, corners.Upper.Middle, corners.Lower.Middle, corners.Lower.MaxH = 104, 128, art.Max.Y-52, 44
	} else if c.Corner.Bottom {
		corners.End, corners.ChipAtEnd = chip, true
	}
	logo := c.PlaceLogo(corners)
	putEpisode(c, on, logo, &title)
}

// putEpisode places the show, the title with the guest, and the number with the length.
func putEpisode(c *kit.Card, on kit.Surface, logo kit.Logo, title *episodeTitle) {
	site, x := kit.SiteOf(&c.Texts), title.column.X
	row := kit.Row{Span: kit.Span{X0: x, X1: episodeEnd}, Anchor: kit.Bottom, Y: 100, Gap: kit.BrandGap}
	if logo.Upper.HasLogo && logo.AtEnd {
		row.X1, row.Anchor, row.Y = logo.Upper.X1, kit.Middle, logo.Upper.Middle
	}
	show, host := c.Play.Show, site.SpareHost
	if show == "" {
		show = site.Name
	}
	if show == "" {
		show, host = site.Host, ""
	}
	c.PutRow(row,
		kit.RowItem{Text: show, Style: c.TextStyle(28, 600), Role: kit.Repeated, Color: on.Text},
		kit.RowItem{Text: host, Style: c.TextStyle(28, 400), Role: kit.Repeated, Color: on.Muted, Address: true})

	title.put(c, on)
	c.PutRow(kit.Row{Span: kit.Span{X0: 72, X1: x - 20}, Anchor: kit.Bottom, Y: 568}, kit.RowItem{
		Parts: c.Play.Facts, Style: c.TextStyle(30, 600), Role: kit.Repeated, Color: on.Text,
	})
}

// episodeTitle is the title of an episode, its column, and whether the guest is below it.
type episodeTitle struct {
	kit.Heading
	column kit.Column
	guest  bool
}

// fitEpisode returns the art and the title beside it. A long title reaches down to the waveform and has a smaller art
// beside it rather than being cut, with the guest or, if it needs that room too, without.
func fitEpisode(c *kit.Card, on kit.Surface) (art image.Rectangle, t episodeTitle) {
	t.Title, t.Style, t.Ladder = wording.Episode(c), c.TitleStyle(), text.Steps(3, 84, 76, 68).Then(4, 60)
	t.Style.LineHeight = 1.06
	const end = 448 // of the column above the waveform
	ends := [...]float64{386, end}
	if t.guest = c.Play.Guest != ""; t.guest { // also if the title names the guest: it is as large as others
		ends = [...]float64{362, 394}
	}
	column := func(art image.Rectangle, top, foot float64) kit.Column {
		x := episodeX(art)
		return kit.Column{X: x, Y: top, W: episodeEnd - x, H: foot - 2 - top, Under: 112, Foot: foot}
	}
	var columns []kit.Column
	for i, top := range [...]float64{148, 136} {
		for _, art := range episodeArts {
			columns = append(columns, column(art, top, ends[i]))
		}
	}
	at := c.BestColumn(on, t.Heading, columns...)
	art, t.column = episodeArts[at%len(episodeArts)], columns[at]
	if t.guest && !c.TitleWhole(on, t.column, t.Heading) {
		t.guest, t.column = false, column(art, 136, end)
	}
	return art, t
}

// put places the title, and the guest below it.
func (t *episodeTitle) put(c *kit.Card, on kit.Surface) {
	const guestPx, guestApart = 30, 36
	title := c.PutHeading(on, t.column, t.Heading)
	if title.Empty() || !t.guest {
		return
	}
	col := t.column
	col.Y, col.H, col.Under, col.Foot = title.Bounds().Y1+guestApart, guestPx, title.Bounds().Y1+4, 0
	guest := c.Line(wording.Guest(c), c.TextStyle(guestPx, 400), col.W)
	c.PutColumn(col, kit.Item{Block: guest, Role: kit.Essential, Color: on.Muted})
}

// drawTrack draws how far a video is played along the lower edge.
func drawTrack(c *kit.Card, rest color.NRGBA) {
	played := int(float64(c.W) * (trackLeast + trackVariety*c.Random().Float64()))
	c.Canvas().Fill(image.Rect(0, c.H-stillTrack, c.W, c.H), rest)
	c.Canvas().Fill(image.Rect(0, c.H-stillTrack, played, c.H), c.Theme.Fill)
}

// drawArt draws the picture in its square, or else the figure of the site.
func drawArt(c *kit.Card, art image.Rectangle) {
	th := &c.Theme
	box := c.MotifRect(art.Min.X, art.Min.Y, art.Dx(), art.Dy())
	kit.DrawRaised(c.Canvas(), th, box, artRadius)
	if c.HasPicture() {
		if c.LaidOut() {
			c.Canvas().Picture(c.Plate(box).Image(), box, artRadius)
		}
		return
	}
	c.Canvas().RoundRect(box, artRadius, th.Ramp(kit.ByMode(th.Dark, .34, .80), kit.ByMode(th.Dark, 1, .8), 0))
	defer c.Canvas().ClipRound(box, artRadius)()
	light := palette.New(th.Accent, !th.Dark) // figures of this mode are like the square
	tone := func(k float64) color.NRGBA {
		if light.Yellow() && light.Dark { // amber rather than mud
			return light.Ramp(.50+.24*k, .9, 10-30*k)
		}
		if light.Dark {
			return light.Lead(.30+.40*k, .7+.4*k, 12-30*k)
		}
		return light.Lead(.94-.34*k, .35+.55*k, -18+30*k)
	}
	middle := paint.Point{X: float64(art.Min.X+art.Max.X) / 2, Y: float64(art.Min.Y+art.Max.Y) / 2}
	c.DrawFigure(kit.Figure{Middle: middle, Bigger: .72 * float64(art.Dx()) / float64(episodeArts[0].Dx()), Tone: tone})
}

// drawPlay draws a disc with the sign to play, which points to the right in every direction of text.
func drawPlay(c *kit.Card, x, y, radius float64) {
	th := &c.Theme
	c.Canvas().Disc(x, y, radius, th.Fill)
	k := radius / playRadius
	box := image.Rect(int(x-radius), int(y-radius), int(x+radius), int(y+radius))
	c.Canvas().Path(box, th.On, func(g *gg.Context) {
		g.MoveTo(x-17*k, y-29*k)
		g.LineTo(x+33*k, y)
		g.LineTo(x-17*k, y+29*k)
		g.ClosePath()
		g.SetLineJoinRound()
		g.SetLineWidth(5 * k)
		g.StrokePreserve()
		g.Fill()
	})
}

// drawWave draws the bars of a waveform from the lower edge up, from an x on and within heights, the first of them as
// played. A video has a track instead.
func drawWave(c *kit.Card, from int, least, most float64) {
	th := &c.Theme
	rest := th.Ramp(kit.ByMode(th.Dark, .40, .80), kit.ByMode(th.Dark, .8, .6), 0)
	if c.Play.Video {
		drawTrack(c, rest)
		return
	}
	random := c.Random()
	a, b := random.Float64()*2*math.Pi, random.Float64()*2*math.Pi
	bars := (c.W - from + wavePitch - 1) / wavePitch
	for i := range bars {
		t := float64(i)
		slow := .5 + .28*math.Sin(t/3.1+a) + .22*math.Sin(t/7.3+b)
		h := int(least + (most-least)*min(max(slow*(.72+.56*random.Float64()), 0), 1))
		bar := c.MotifRect(from+i*wavePitch, c.H-h, waveW, h+waveW)
		ink := rest
		if float64(i) < wavePlayed*float64(bars) {
			ink = c.BarOn(th.BG)
		}
		c.Canvas().RoundRect(bar, waveW/2, ink)
	}
}

// showsStill reports whether the picture is one that fills the card.
func showsStill(c *kit.Card) bool {
	size := c.Background.Bounds().Size()
	aspect := float64(size.X) / float64(max(size.Y, 1))
	return size.X >= coverOG.least.X && size.Y >= coverOG.least.Y && aspect >= coverNarrow && aspect <= coverWide
}

// drawStill draws a video: its still as the picture of a dark cover in both modes, with the sign to play it at a place,
// and the title from top on.
func drawStill(c *kit.Card, m coverMeasures, sign paint.Point, top float64) {
	th, reading := c.Theme, c.ReadingTime
	c.Theme, c.ReadingTime = palette.New(th.Accent, true), "" // it is watched
	m.width, m.top = m.width-stillLengthW, top
	end, row := c.W-int(m.margin), int(m.row)
	m.chip = image.Rect(end-stillLengthW, row-30, c.W, row+30)
	label := drawCover(c, &m)
	c.Theme, c.ReadingTime = th, reading
	if c.LaidOut() {
		if !label.Empty() { // in the middle of what is free above it
			sign.Y = min(sign.Y, float64(label.Min.Y)/2)
		}
		drawPlay(c, sign.X, sign.Y, stillPlay)
		drawTrack(c, palette.Fade(palette.RGB(0xFFFFFF), .30))
	}
	length := c.Line(c.Play.Length, c.TextStyle(m.textPx, 600), stillLengthW-24)
	if length.Empty() || c.Logo != nil && c.Corner.Bottom && c.Corner.Right != c.RTL {
		return
	}
	put := c.Put(kit.Item{Block: length, Role: kit.Repeated, Color: palette.RGB(0xFAFAFC)},
		float64(end-14)-length.BoxWidth, kit.Middle, m.row)
	if c.LaidOut() {
		box := put.InkBox()
		c.Canvas().RoundRect(image.Rect(box.Min.X-14, row-22, box.Max.X+14, row+22), 10, palette.Fade(palette.RGB(0), .8))
	}
}
