package kit

import "image/color"

// Surface is a background with the colors of texts and icons on it.
type Surface struct {
	Color  color.NRGBA // the reference for contrasts
	Text   color.NRGBA // titles and names
	Muted  color.NRGBA // descriptions, hosts and bylines
	Accent color.NRGBA // labels
	OneInk bool        // icons and logos of one color are drawn in Text, whatever theirs is
}

// OneColor returns a surface on which all texts, icons and logos have the same color.
func OneColor(background, all color.NRGBA) Surface {
	return Surface{Color: background, Text: all, Muted: all, Accent: all, OneInk: true}
}

// On returns the surface of a background that is derived from the accent, such as a tinted sheet or a window.
func (c *Card) On(background color.NRGBA) Surface {
	th := &c.Theme
	return Surface{Color: background, Text: th.Text, Muted: th.MutedOn(background), Accent: c.inkOn(background)}
}

// inkOn returns the accent as text on a background.
func (c *Card) inkOn(background color.NRGBA) color.NRGBA { return c.Theme.AccentTextOn(background) }

// BarOn returns the accent as a bar on a background; a bright accent is unchanged.
func (c *Card) BarOn(background color.NRGBA) color.NRGBA {
	if c.Theme.Bright() {
		return c.Theme.Accent
	}
	return c.Theme.AccentTextOn(background)
}

// BG returns the surface of the canvas color of the theme, or of a picture that is dimmed with it.
func (c *Card) BG() Surface {
	if c.HasPicture() {
		return c.overPicture()
	}
	return c.PlainBG()
}

// PlainBG is BG for texts beside a picture, not over it.
func (c *Card) PlainBG() Surface {
	th := &c.Theme
	return Surface{Color: th.BG, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
}
