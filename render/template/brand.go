package template

import (
	"image/color"

	"masthead/render/text"
)

// Measures of the brand line and of a monogram: an icon of 40 px has a name of 28 px beside it.
const (
	brandGap    = 16
	brandPx     = .70 // of the icon's side
	brandMax    = 420 // of the name, and of the host
	markLetter  = .56 // of the side
	markRounded = .24 // of the side
)

// BrandRow draws the icon, the site's name and its host in one row about a middle line, beginning at x. A logo in this corner takes the place
// of the icon, and a wordmark that of the name too. With a logo in another corner there is no icon: a brand is shown once, and so is each of
// its words.
func (c *Card) BrandRow(x, middle float64, side int) {
	logo, at := c.logo()
	name, host := c.brand()
	switch at {
	case noSlot:
		c.DrawIcon(int(x), int(middle-float64(side)/2+.5), side)
		x += float64(side) + brandGap
	case bottomStart:
		c.draw(logo, int(x), int(middle-float64(logo.H)/2+.5))
		x += float64(logo.W) + brandGap
		if logo.isWordmark() {
			if name != "" && host == "" && !c.hostSaid {
				host = c.Host
			}
			name, x = "", x+logoGap-brandGap
		}
	}
	px := brandPx * float64(side)
	words := c.Line(name, c.TextStyle(px, 600), brandMax)
	if !words.Empty() { // marks below a name keep to the zone of text
		middle = min(middle, c.textBottom()-words.Ink.Y1+words.CapHeight/2)
	}
	c.PutMiddle(Repeated, words, x, middle, c.GroundText)
	if host != "" {
		if words.W() > 0 {
			x += words.W() + brandGap
		}
		c.PutMiddle(Repeated, c.TruncateMiddle(host, c.TextStyle(px, 400), brandMax), x, middle, c.Theme.Muted)
	}
}

// PutMiddle places a line with the middle of its capitals at a height.
func (c *Card) PutMiddle(role Role, w Block, x, middle float64, ink color.NRGBA) {
	if !w.Empty() {
		c.Put(role, w, x, middle-w.CapHeight/2, ink)
	}
}

// brand returns what a brand line says: the site's name unless it is the title, and the host unless that, the name or the eyebrow says it.
func (c *Card) brand() (name, host string) {
	name, host = c.SiteName, c.Host
	if c.hostSaid || text.Same(host, name) || text.Same(host, c.Title) {
		host = ""
	}
	if text.Same(name, c.Title) {
		name = ""
	}
	return name, host
}

// hostOver reports whether the host may stand over the title as an eyebrow: the brand line has a name to say in its place.
func (c *Card) hostOver() bool {
	name, host := c.brand()
	return name != "" && host != ""
}

// siteLabel returns where a page is, in one text: its host, else the site's name, and nothing that the title says.
func (c *Card) siteLabel() string {
	for _, s := range []string{c.Host, c.SiteName} {
		if s != "" && !text.Same(s, c.Title) {
			return s
		}
	}
	return ""
}

// DrawIcon draws the site's icon in a square: its icon, else a tile with the first letter of its name.
func (c *Card) DrawIcon(x, y, side int) {
	if e, ok := c.fitLogo(c.Icon, side, side); ok {
		c.draw(e, x+(side-e.W)/2, y+(side-e.H)/2)
		return
	}
	c.monogram(x, y, side, c.Theme.Fill, c.Theme.On)
}

// monogram draws a tile with the first letter of the site's name; without a letter it is a plain tile.
func (c *Card) monogram(x, y, side int, fill, on color.NRGBA) {
	r := c.Rect(x, y, side, side)
	c.icons = append(c.icons, r)
	c.canvas.RoundRect(r, markRounded*float64(side), fill)
	first := initial(c.SiteName, c.Lang)
	if first == 0 {
		return
	}
	letter := c.Line(string(first), text.Style{Family: text.Inter, Weight: 700, SizePx: float64(side) * markLetter, Exact: true, Lang: c.Lang}, 0)
	if letter.Empty() {
		return
	}
	// Ink, not advance, is what the eye centres. The letter is placed on the canvas itself: its tile is mirrored already.
	c.texts = append(c.texts, Placed{
		Role: Monogram, Block: letter, Ink: on,
		X: float64(r.Min.X+r.Max.X)/2 - (letter.Ink.X0+letter.Ink.X1)/2,
		Y: float64(r.Min.Y+r.Max.Y)/2 - (letter.Ink.Y0+letter.Ink.Y1)/2,
	})
}
