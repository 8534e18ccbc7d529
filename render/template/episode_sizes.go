package template

import (
	"image"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/template/wording"
	"masthead/render/text"
)

// episodeUpright draws the art over the title, with show, number and length beside it, and the waveform along the whole
// lower edge. The still of a video fills the card where it is wide enough.
func episodeUpright(c *kit.Card) {
	f := c.Format()
	if still := coverIn(f, coverMeasures{}); c.Play.Video && c.HasPicture() && still.Fits(c.Background.Bounds().Size()) {
		m := coverUprights[f]
		drawStill(c, m, paint.Point{X: float64(c.W) / 2, Y: .36 * float64(c.H)}, .46*float64(c.H))
		return
	}
	const wave, clear, overhang = 120, 44, 52 // of the sign, beyond the art
	on, th := tinted(c, .24, .93, .8), &c.Theme
	if c.HasPicture() {
		c.SetSoftLight()
		c.Over(kit.Backdrop{Redrawn: true})
	}
	foot := float64(c.H - wave - clear)
	guest := kit.Item{
		Block: c.Line(wording.Guest(c), c.TextStyle(38, 400), f.Inner()), Role: kit.Essential, Color: on.Muted,
	}
	u := kit.Upright{On: on, Foot: foot, Top: f.Least + 80, Heading: kit.Heading{
		Title: wording.Episode(c), Ladder: text.Steps(2, 116, 104).Then(3, 92, 84).Then(4, 76, 68),
	}}
	if put := c.PutColumn(kit.Column{X: f.X0, Y: foot - 40, W: f.Inner(), H: 40, Anchor: kit.Bottom, Foot: foot},
		guest); len(put) > 0 {
		u.Foot = put[0].Bounds().Y0 - kit.UprightGap
	}
	top := int(f.X0)
	if f == kit.Feed { // what its middle square shows
		top = int(f.Top)
	}
	side := min(u.Put(c)-overhang+20-top, 560)
	near, far := kit.RaisedShadows(th)
	c.Begin(paint.Solid(on.Color), near, far)
	art := image.Rect(top, top, top+side, top+side).Add(image.Pt(int(f.X0)-top, 0))
	drawArt(c, art)
	drawWave(c, 0, 20, wave)
	x, y, radius := c.MotifX(float64(art.Max.X)-24), float64(art.Max.Y)-24, 72.0
	c.Canvas().Disc(x, y, radius+12, on.Color)
	drawPlay(c, x, y, radius)
	putEpisodeBeside(c, on, kit.Span{X0: float64(art.Max.X) + 96, X1: f.X1}, float64(top), float64(art.Max.Y)-120)
	chip := kit.Surface{Color: th.Surface2, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
	c.PlaceLogo(kit.Corners{
		Margin: int(f.X0) + 24, Start: chip, End: chip, ChipAtStart: true, ChipAtEnd: true,
		Upper: kit.LogoLine{Middle: top + 60, MaxH: kit.UprightLogo},
		Lower: kit.LogoLine{Middle: c.H - 84, MaxH: kit.UprightLogo},
	})
}

// putEpisodeBeside places the show, or the site, and below it number and length, beside the art.
func putEpisodeBeside(c *kit.Card, on kit.Surface, at kit.Span, top, end float64) {
	f, site := c.Format(), kit.SiteOf(&c.Texts)
	show := c.Play.Show
	for _, name := range []string{site.Name, site.Host} {
		if show == "" {
			show = name
		}
	}
	style := c.TextStyle(f.RowPx()+6, 600)
	name := c.Fit(show, style, text.Box{W: at.X1 - at.X0, H: 120},
		text.Steps(1, style.SizePx, f.RowPx()).Then(3, style.SizePx))
	items := []kit.Item{{Block: name, Role: kit.Repeated, Color: on.Text}}
	for _, fact := range c.Play.Facts {
		items = append(items, kit.Item{
			Block: c.Line(fact, c.TextStyle(f.RowPx(), 400), at.X1-at.X0), Role: kit.Repeated, Color: on.Muted,
		})
	}
	if c.Logo != nil && !c.Corner.Bottom && c.Corner.Right != c.RTL { // the logo is there
		top += kit.UprightLogo + 60
	}
	c.PutColumn(kit.Column{X: at.X0, Y: top + 8, W: at.X1 - at.X0, H: end - top, Gap: 38}, items...)
}
