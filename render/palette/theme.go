package palette

import (
	"image/color"
)

// Least contrasts. Source: WCAG 2.2, 1.4.3 (AA, normal text; the exemption of large text is never used) and 1.4.11
// (shapes). A filled shape that holds a text of its own needs less to be seen.
const (
	MinText  = 4.5
	MinShape = 3.0
	MinFill  = 1.8
)

// Figures of the token rules.
const (
	lStep         = 0.015 // by which a lightness is moved until a contrast is reached
	neutralChroma = 0.04  // an accent below this is neutral
	neutralHue    = 260   // of all tokens of a neutral accent: a cool gray that nobody takes for a color
	neutralScale  = 0.35  // of the chroma of all tokens of a neutral accent
	grayFill      = 0.06  // accents below this chroma take Text as Fill rather than a gray
	whiteOn       = 4.0   // contrast from which white stands on the accent
	fillSteps     = 12    // by which Fill may be moved before On switches instead
	brightL       = 0.80  // from which an accent on a light card would be darkened out of its own hue: see Bright
	seenRaw       = 0.10  // the distance from the canvas from which such an accent is seen as it is
)

// Theme holds the colors of one card, made from an accent and a mode. The zero value is of no use; see [New].
type Theme struct {
	Dark    bool
	Accent  color.NRGBA // as given
	LCH     LCH         // the accent in OKLCH
	Neutral bool        // the brand is black, white or gray: nothing on the card is colored

	BG           color.NRGBA // canvas
	Surface1     color.NRGBA // panels
	Surface2     color.NRGBA // raised or selected
	Line         color.NRGBA // rules, skeletons
	Text         color.NRGBA // titles: over 12:1 on BG, over 10:1 on both surfaces
	Muted        color.NRGBA // descriptions and bylines: 4.5:1 or more on BG and both surfaces
	AccentText   color.NRGBA // the accent as text on BG, 4.5:1 or more; on another background see AccentTextOn
	Gfx          color.NRGBA // the accent as a shape on BG, 3:1 or more; a bright one is as given
	Fill         color.NRGBA // filled shapes on BG (tile of an icon, pill, disc), 1.8:1 or more; a bright one is as given
	On           color.NRGBA // text on Fill, 4.5:1 or more
	Background   color.NRGBA // the accent as the background of the whole card; like Fill, but with no regard to BG
	OnBackground color.NRGBA // text on Background, 4.5:1 or more
}

// New returns the tokens of an accent, for dark or light cards. Alpha of the accent is ignored.
func New(accent color.NRGBA, dark bool) Theme {
	accent.A = 255
	t := Theme{Dark: dark, Accent: accent, LCH: ToLCH(accent)}
	t.Neutral = t.LCH.C < neutralChroma
	c := t.LCH.C
	if dark {
		t.BG = t.token(.165, min(.16*c, .028))
		t.Surface1 = t.token(.215, min(.20*c, .035))
		t.Surface2 = t.token(.265, min(.22*c, .040))
		t.Line = t.token(.340, min(.20*c, .035))
		t.Text = t.token(.970, .006)
		t.Muted = t.token(.770, .020)
	} else {
		t.BG = t.token(.985, min(.05*c, .008))
		t.Surface1 = t.token(.955, min(.09*c, .016))
		t.Surface2 = t.token(.920, min(.12*c, .024))
		t.Line = t.token(.870, min(.12*c, .025))
		t.Text = t.token(.210, min(.20*c, .035))
		t.Muted = t.token(.460, .030)
	}
	t.AccentText, t.Gfx = t.Text, t.Text
	raw := t.SeenOn(accent, t.BG)
	switch {
	case raw:
		t.Gfx = accent
	case !t.Neutral && !t.Bright():
		t.AccentText, t.Gfx = t.withContrast(t.BG, MinText), t.withContrast(t.BG, MinShape)
	}
	t.Background, t.OnBackground = t.fill()
	t.Fill, t.On = t.Background, t.OnBackground
	if Contrast(t.Fill, t.BG) < MinFill && !raw {
		t.Fill, t.On = t.AccentText, t.BG
		if c < grayFill {
			t.Fill = t.Text
		}
	}
	return t
}

// token returns a color of the accent's hue; neutral accents have one hue and little chroma.
func (t *Theme) token(l, c float64) color.NRGBA {
	if t.Neutral {
		return LCH{l, c * neutralScale, neutralHue}.Color()
	}
	return LCH{l, c, t.LCH.H}.Color()
}

// withContrast moves the accent's lightness away from the background until the contrast is there: up on dark
// backgrounds, down on light ones. Black and white end the way at the latest.
func (t *Theme) withContrast(background color.NRGBA, contrast float64) color.NRGBA {
	step := -lStep
	if Luminance(background) < 0.18 { // mid-gray: from here white has more contrast than black
		step = lStep
	}
	c, got := t.LCH, t.Accent
	for Contrast(got, background) < contrast && c.L > 0 && c.L < 1 {
		c.L = min(max(c.L+step, 0), 1)
		got = c.Color()
	}
	return got
}

// Bright reports whether the accent is a light yellow or a neon on a light card. Darkened until it can be read it would
// be olive or forest, which is another brand: text beside it is in the color of text, and the accent stands as it is,
// as a bar, a tile or a disc.
func (t *Theme) Bright() bool { return !t.Dark && !t.Neutral && t.LCH.L > brightL }

// SeenOn reports whether a bright accent is seen as it is on a background: by its color, where its light differs
// little.
func (t *Theme) SeenOn(c, background color.NRGBA) bool {
	return t.Bright() && c == t.Accent && ToLab(c).Distance(ToLab(background)) >= seenRaw
}

// AccentTextOn returns the accent as text on another background than BG, with a contrast of 4.5:1 or more.
func (t *Theme) AccentTextOn(background color.NRGBA) color.NRGBA {
	if t.Neutral || t.Bright() {
		for _, c := range [2]color.NRGBA{t.Text, t.BG} {
			if Contrast(c, background) >= MinText {
				return c
			}
		}
	}
	return t.withContrast(background, MinText)
}

// MutedOn returns the color of descriptions on another background than BG, with a contrast of 4.5:1 or more.
func (t *Theme) MutedOn(background color.NRGBA) color.NRGBA {
	step := -lStep
	if t.Dark {
		step = lStep
	}
	got := t.Muted
	for c := ToLCH(got); Contrast(got, background) < MinText && c.L > 0 && c.L < 1; got = c.Color() {
		c.L = min(max(c.L+step, 0), 1)
	}
	return got
}

// fill returns the accent as a background for text, and the text: white where it can stand, else near-black. The accent
// is moved a little where the contrast lacks, and the other text color is tried where it would have to be moved too
// far.
func (t *Theme) fill() (fill, on color.NRGBA) {
	white, black := color.NRGBA{R: 255, G: 255, B: 255, A: 255}, t.token(.17, .02)
	on, other := black, white
	if Contrast(white, t.Accent) >= whiteOn {
		on, other = white, black
	}
	if fill, ok := t.awayFrom(on); ok {
		return fill, on
	}
	fill, _ = t.awayFrom(other)
	return fill, other
}

// awayFrom moves the accent's lightness away from a text color until it can be read.
func (t *Theme) awayFrom(on color.NRGBA) (fill color.NRGBA, ok bool) {
	step := -lStep
	if Luminance(on) < 0.18 {
		step = lStep
	}
	c, fill := t.LCH, t.Accent
	for range fillSteps {
		if Contrast(fill, on) >= MinText {
			return fill, true
		}
		c.L = min(max(c.L+step, 0), 1)
		fill = c.Color()
	}
	return fill, Contrast(fill, on) >= MinText
}

// Guards of Ramp: where a rotated or darkened accent turns ugly.
const (
	darkL, darkC                 = .35, .10 // no glowing darks
	yellowFrom, yellowTo         = 50, 115  // hues of yellow
	mudL, mudC                   = .45, .045
	yellowTurnDown, yellowTurnUp = -25, 10 // rotated yellow turns to slime
)

// Ramp returns the accent at another lightness: oklch(l, C·k, h+dh), with l from 0 to 1 and dh in degrees. Dark colors
// are kept from glowing and yellows from mud and slime; a neutral accent stays neutral.
func (t *Theme) Ramp(l, k, dh float64) color.NRGBA {
	c := LCH{L: l, C: t.LCH.C * k, H: t.LCH.H}
	if t.Neutral {
		c.C, c.H = c.C*neutralScale, neutralHue
	}
	yellow := !t.Neutral && isYellow(c.H)
	if yellow {
		dh = min(max(dh, yellowTurnDown), yellowTurnUp)
	}
	c.H = hue(c.H + dh)
	if l < darkL {
		c.C = min(c.C, darkC)
	}
	if l < mudL && (yellow || isYellow(c.H)) {
		c.C = min(c.C, mudC)
	}
	return c.Color()
}

// Lead is Ramp for the gradients of a lead shape, which is the color of a card: there a yellow stays amber rather than
// turning to olive. Its tones from olive to pale are moved to those from amber to pale, the darker the more orange;
// those near black are mud anyway, and have Ramp's guard.
func (t *Theme) Lead(l, k, dh float64) color.NRGBA {
	const olive, amber, pale = .40, .63, .80
	if !t.Neutral && isYellow(t.LCH.H) && l >= olive && l < pale {
		deep := (pale - l) / (pale - olive)
		return t.Ramp(pale-deep*(pale-amber), k, deep*yellowTurnDown)
	}
	return t.Ramp(l, k, dh)
}

func isYellow(h float64) bool { return h >= yellowFrom && h <= yellowTo }

// Yellow reports whether the accent is one of the hues whose dark tones turn to mud.
func (t *Theme) Yellow() bool { return !t.Neutral && isYellow(t.LCH.H) }
