package kit

import (
	"image"
	"strings"
	"unicode/utf8"

	"masthead/render/palette"
	"masthead/render/text"
)

// Measures of a brand row and of a monogram: an icon of 40 px has a name of 28 px beside it.
const (
	BrandGap    = 16
	brandPx     = .70 // of the icon's side
	iconLetter  = .56 // of the side
	iconRounded = .24 // of the side
)

// site is a site's name and host, without what the title repeats.
type site struct {
	Name, Host string
	SpareHost  string // the host, if it says more than the name: it may be elsewhere on the card
}

// SiteOf returns the name and host of the site, without those that the title repeats.
func SiteOf(t *Texts) site {
	s := site{Name: t.SiteName, Host: t.Host}
	if text.Same(s.Host, t.Title) {
		s.Host = ""
	}
	if text.Same(s.Name, t.Title) || s.Host != "" && begins(t.Title, s.Name) {
		s.Name = ""
	}
	if s.Name != "" && !names(s.Name, s.Host) {
		s.SpareHost = s.Host
	}
	return s
}

// begins reports whether a title begins with the name of its site and a mark: “Acme – invoices that write themselves”.
func begins(title, name string) bool {
	rest, ok := strings.CutPrefix(title, name)
	mark, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \u00a0"))
	return ok && name != "" && (strings.ContainsRune("–—|·:：｜", mark) || strings.HasPrefix(rest, " - "))
}

// names reports whether a name is all that a host says: “Acme” at acme.com or acme.co.uk.
func names(name, host string) bool {
	const short = 4 // letters of a label under the domain of a country
	whole := host
	for range 2 {
		if text.Same(name, host) {
			return true
		}
		dot := strings.LastIndexByte(host, '.')
		if dot < 0 || len(host) < len(whole) && len(host)-dot > short {
			return false
		}
		host = host[:dot]
	}
	return text.Same(name, host)
}

// BrandRow describes a brand row.
type BrandRow struct {
	On       Surface
	Logo     Logo
	Row      CornerRow // of the card, that it starts
	Middle   float64   // of the row; beside a logo it is that of the logo
	Side     int       // of the icon
	HostSaid bool      // the host stands elsewhere on the card
}

// PutBrandRow draws icon, site name and host in a row. A logo at its start replaces the icon, and a wordmark the name
// too. If the logo is elsewhere, there is no icon: brand, name and host appear once on a card. The host is dropped
// before the name is truncated.
func PutBrandRow(c *Card, r BrandRow) {
	s, px := SiteOf(&c.Texts), brandPx*float64(r.Side)
	row := Row{Span: r.Row.Span, Anchor: Middle, Y: r.Middle, Gap: BrandGap}
	if r.Row.HasLogo {
		row.Y = r.Row.Middle
	}
	if r.Row.HasLogo && !r.Logo.AtEnd {
		if r.Logo.Wordmark() {
			s.Name = ""
		} else {
			row.X0 = float64(r.Logo.X+r.Logo.W) + BrandGap
		}
	}
	host := s.SpareHost
	if s.Name == "" {
		host = s.Host
	}
	if r.HostSaid {
		host = ""
	}
	c.PutRow(row, c.BrandIcon(r.On, r.Logo, r.Side),
		RowItem{Text: s.Name, Style: c.TextStyle(px, 600), Role: Repeated, Color: r.On.Text},
		RowItem{Text: host, Style: c.TextStyle(px, 400), Role: Repeated, Color: r.On.Muted, Address: true})
}

// BrandIcon returns the icon of the site as an item of a row; it is empty if the card shows the logo, or if there is
// neither an icon nor a letter: an empty tile looks like a broken picture.
func (c *Card) BrandIcon(on Surface, logo Logo, side int) RowItem {
	if logo.Shown || !c.hasIcon(on, side) {
		return RowItem{}
	}
	return RowItem{Icon: side, On: on}
}

// HasBrand reports whether there is something to show of the site: its name, its host, its icon or letter, or a logo.
func (c *Card) HasBrand() bool {
	s := SiteOf(&c.Texts)
	return s.Name != "" || s.Host != "" || c.Icon != nil || c.Logo != nil || text.Initial(c.SiteName, c.Lang) != 0
}

// hasIcon reports whether the site has an icon that can be shown or a letter for a monogram.
func (c *Card) hasIcon(on Surface, side int) bool {
	if text.Initial(c.SiteName, c.Lang) != 0 {
		return true
	}
	_, ok := FitIcon(c.Icon, on, side)
	return ok
}

// drawIcon draws the icon of the site in a square of the layout, or else a monogram.
func (c *Card) drawIcon(on Surface, x, y, side int) {
	box := c.TextRect(x, y, side, side)
	icon, ok := FitIcon(c.Icon, on, side)
	if ok {
		box = c.TextRect(x+(side-icon.W)/2, y+(side-icon.H)/2, icon.W, icon.H)
		c.DrawLogo(icon, box)
	} else {
		c.drawMonogram(on, box)
	}
	c.icons = append(c.icons, PlacedIcon{Box: box, On: on.Color})
}

// drawMonogram draws a tile with the initial of the site, in the text color if the accent would be lost on the surface.
func (c *Card) drawMonogram(on Surface, tile image.Rectangle) {
	fill, letterColor := c.Theme.Fill, c.Theme.On
	if palette.Contrast(fill, on.Color) < palette.MinFill && !c.Theme.SeenOn(fill, on.Color) {
		fill, letterColor = on.Text, on.Color
	}
	side := tile.Dx()
	c.canvas.RoundRect(tile, iconRounded*float64(side), fill)
	first := text.Initial(c.SiteName, c.Lang)
	if first == 0 {
		return
	}
	st := text.Style{Family: text.Inter, Weight: 700, SizePx: float64(side) * iconLetter, Exact: true, Lang: c.Lang}
	letter := c.Line(string(first), st, 0)
	if letter.Empty() {
		return
	}
	// The letter's ink, not its advance, is centered. It is placed on the canvas itself: its tile is mirrored already.
	c.texts = append(c.texts, Text{
		Item: Item{Block: letter, Role: Monogram, Color: letterColor},
		X:    float64(tile.Min.X+tile.Max.X)/2 - (letter.Ink.X0+letter.Ink.X1)/2,
		Y:    float64(tile.Min.Y+tile.Max.Y)/2 - (letter.Ink.Y0+letter.Ink.Y1)/2,
	})
}
