package kit

import "image/color"

// Surface is a part of a card that texts and icons stand on.
type Surface struct {
	Color  color.NRGBA // what contrasts are measured against
	Text   color.NRGBA // titles and names
	Muted  color.NRGBA // descriptions, hosts and bylines
	Accent color.NRGBA // labels
	OneInk bool        // icons and logos of one color are drawn in Text, whatever theirs is
}

// OneColor returns a surface on which all texts, icons and logos have one color.
func OneColor(ground, all color.NRGBA) Surface {
	return Surface{Color: ground, Text: all, Muted: all, Accent: all, OneInk: true}
}

// On is a surface of a color that is made of the accent: a tinted ground, a sheet, a window.
func (c *Card) On(ground color.NRGBA) Surface {
	th := &c.Theme
	return Surface{Color: ground, Text: th.Text, Muted: th.MutedOn(ground), Accent: c.inkOn(ground)}
}

// inkOn returns the accent as text on a ground.
func (c *Card) inkOn(ground color.NRGBA) color.NRGBA { return c.Theme.AccentTextOn(ground) }

// BarOn returns the accent as a bar on a ground: as it is where it is bright.
func (c *Card) BarOn(ground color.NRGBA) color.NRGBA {
	if c.Theme.Bright() {
		return c.Theme.Accent
	}
	return c.Theme.AccentTextOn(ground)
}

// BG is the surface of a card whose ground is the canvas color of its theme, or a picture that this is laid over.
func (c *Card) BG() Surface {
	if c.HasPicture() {
		return c.overPicture()
	}
	th := &c.Theme
	return Surface{Color: th.BG, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
}
