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

// On is a surface of a colour that is made of the accent: a tinted ground, a sheet, a window.
func (c *Card) On(ground color.NRGBA) Surface {
	th := &c.Theme
	return Surface{Color: ground, Text: th.Text, Muted: th.MutedOn(ground), Accent: c.inkOn(ground)}
}

// brightInk is the lightness from which an accent on a light ground would be darkened out of its own hue: text is then
// in the colour of text, and the accent stands as a bar beside it.
const brightInk = .80

// inkOn returns the accent as text on a ground.
func (c *Card) inkOn(ground color.NRGBA) color.NRGBA {
	if !c.Theme.Dark && c.Theme.LCH.L > brightInk {
		return c.Theme.Text
	}
	return c.Theme.AccentTextOn(ground)
}

// barOn returns the accent as a bar on a ground: raw where it is light.
func (c *Card) barOn(ground color.NRGBA) color.NRGBA {
	if !c.Theme.Dark && c.Theme.LCH.L > brightInk && !c.Theme.Neutral {
		return c.Theme.Accent
	}
	return c.Theme.AccentTextOn(ground)
}

// BG is the surface of a card whose ground is the canvas colour of its theme, or a picture that this is laid over.
func (c *Card) BG() Surface {
	if c.HasPicture() {
		return c.overPicture()
	}
	th := &c.Theme
	return Surface{Color: th.BG, Text: th.Text, Muted: th.Muted, Accent: th.AccentText}
}
