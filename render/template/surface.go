package template

import "image/color"

// Surface is a part of a card that texts and icons stand on.
type Surface struct {
	Color  color.NRGBA // what contrasts are measured against
	Text   color.NRGBA // titles and names
	Muted  color.NRGBA // descriptions, hosts and bylines
	Accent color.NRGBA // labels
	OneInk bool        // icons and logos of one colour are drawn in Text, whatever theirs is
}

// oneColor returns a surface on which all texts, icons and logos have one colour.
func oneColor(ground, all color.NRGBA) Surface {
	return Surface{Color: ground, Text: all, Muted: all, Accent: all, OneInk: true}
}

// BG is the surface of a card whose ground is the canvas colour of its theme.
func (c *Card) BG() Surface {
	th := &c.Theme
	return Surface{Color: th.BG, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
}
