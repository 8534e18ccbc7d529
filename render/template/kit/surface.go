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
func OneColor(background, all color.NRGBA) Surface {
	return Surface{Color: background, Text: all, Muted: all, Accent: all, OneInk: true}
}

// On is a surface of a color that is made of the accent: a tinted background, a sheet, a window.
func (c *Card) On(background color.NRGBA) Surface {
	th := &c.Theme
	return Surface{Color: background, Text: th.Text, Muted: th.MutedOn(background), Accent: c.inkOn(background)}
}

// inkOn returns the accent as text on a background.
func (c *Card) inkOn(background color.NRGBA) color.NRGBA { return c.Theme.AccentTextOn(background) }

// BarOn returns the accent as a bar on a background: as it is where it is bright.
func (c *Card) BarOn(background color.NRGBA) color.NRGBA {
	if c.Theme.Bright() {
		return c.Theme.Accent
	}
	return c.Theme.AccentTextOn(background)
}

// BG is the surface of a card whose background is the canvas color of its theme, or a picture that this is laid over.
func (c *Card) BG() Surface {
	if c.HasPicture() {
		return c.overPicture()
	}
	th := &c.Theme
	return Surface{Color: th.BG, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
}
