package template

import (
	"masthead/render/text"
)

// Measures of a brand row and of a monogram: an icon of 40 px has a name of 28 px beside it.
const (
	brandGap    = 16
	brandPx     = .70 // of the icon's side
	brandMax    = 420 // of the name, and of the host
	iconLetter  = .56 // of the side
	iconRounded = .24 // of the side
)

// brand is what a card says of whose page it is.
type brand struct{ name, host string }

// brandOf returns the site's name unless it is the title, and the host unless that or the name says it.
func brandOf(t *Texts) brand {
	b := brand{t.SiteName, t.Host}
	if text.Same(b.host, b.name) || text.Same(b.host, t.Title) {
		b.host = ""
	}
	if text.Same(b.name, t.Title) {
		b.name = ""
	}
	return b
}

// spareHost returns the host if it may leave the brand row for another place: a name is left to say there.
func spareHost(t *Texts) string {
	if b := brandOf(t); b.name != "" {
		return b.host
	}
	return ""
}

// hostBeside returns the host unless the title says it, for a card that has no brand row.
func hostBeside(t *Texts) string {
	if text.Same(t.Host, t.Title) {
		return ""
	}
	return t.Host
}

// siteLabel returns where a page is, in one text: its host, else the site's name, and nothing that the title says.
func siteLabel(t *Texts) string {
	for _, s := range []string{t.Host, t.SiteName} {
		if s != "" && !text.Same(s, t.Title) {
			return s
		}
	}
	return ""
}

// brandRow is where a brand row stands: at the start of the lower corner row.
type brandRow struct {
	on       Surface
	logo     Logo
	middle   float64
	side     int  // of the icon
	hostSaid bool // the host stands elsewhere on the card
}

// putBrandRow draws the icon, the site's name and its host in one row. A logo in this corner takes the place of the
// icon, and a wordmark that of the name too. With a logo in another corner there is no icon: a brand is shown once,
// and so is each of its words.
func putBrandRow(c *Card, r brandRow) {
	b := brandOf(&c.Texts)
	if r.hostSaid {
		b.host = ""
	}
	x0, x1 := r.logo.LowerRow()
	switch {
	case r.logo.Slot == NoSlot:
		drawIcon(c, r.on, int(x0), int(r.middle-float64(r.side)/2+.5), r.side)
		x0 += float64(r.side) + brandGap
	case r.logo.Slot == LowerStart && r.logo.Wordmark():
		if b.name != "" && !r.hostSaid {
			b.host = c.Host
		}
		b.name = ""
	case r.logo.Slot == LowerStart:
		x0 += brandGap - logoGap
	}
	px := brandPx * float64(r.side)
	c.PutRow(Row{X0: x0, X1: x1, Anchor: Middle, Y: r.middle, Gap: brandGap, InkBottom: c.textBottom()},
		RowText{Text: b.name, Style: c.TextStyle(px, 600), Role: Repeated, Ink: r.on.Text, MaxW: brandMax},
		RowText{
			Text: b.host, Style: c.TextStyle(px, 400), Role: Repeated, Ink: c.Theme.Muted, MaxW: brandMax,
			Address: true,
		})
}

// drawIcon draws what stands for a site in a square of the layout: its icon, else a tile with the first letter of its
// name.
func drawIcon(c *Card, on Surface, x, y, side int) {
	if icon, ok := fitLogo(c.Icon, on, side, side); ok {
		c.drawLogo(icon, on, x+(side-icon.W)/2, y+(side-icon.H)/2)
		return
	}
	drawMonogram(c, on, x, y, side)
}

// drawMonogram draws a tile with the first letter of the site's name; without a letter it is a plain tile.
func drawMonogram(c *Card, on Surface, x, y, side int) {
	r := c.Rect(x, y, side, side)
	c.icons = append(c.icons, PlacedIcon{Box: r, On: on.Color})
	c.canvas.RoundRect(r, iconRounded*float64(side), c.Theme.Fill)
	first := initial(c.SiteName, c.Lang)
	if first == 0 {
		return
	}
	letter := c.Line(string(first), monogramStyle(side, c.Lang), 0)
	if letter.Empty() {
		return
	}
	// Ink, not advance, is what the eye centres. The letter is placed on the canvas itself: its tile is mirrored
	// already.
	c.texts = append(c.texts, Placed{
		Item: Item{Block: letter, Role: Monogram, Ink: c.Theme.On},
		X:    float64(r.Min.X+r.Max.X)/2 - (letter.Ink.X0+letter.Ink.X1)/2,
		Y:    float64(r.Min.Y+r.Max.Y)/2 - (letter.Ink.Y0+letter.Ink.Y1)/2,
	})
}

// monogramStyle is that of the letter on a tile.
func monogramStyle(side int, lang string) text.Style {
	return text.Style{Family: text.Inter, Weight: 700, SizePx: float64(side) * iconLetter, Exact: true, Lang: lang}
}
