package fakeai

import (
	"math"
	"math/rand/v2"
	"strings"
)

// lab is a colour in OKLab. Source: Björn Ottosson, "A perceptual color space for image processing".
type lab struct{ l, a, b float32 }

// lch makes a colour of lightness, chroma and hue in degrees.
func lch(l, c, h float64) lab {
	sin, cos := math.Sincos(h * math.Pi / 180)
	return lab{float32(l), float32(c * cos), float32(c * sin)}
}

func mix(p, q lab, t float32) lab {
	return lab{p.l + (q.l-p.l)*t, p.a + (q.a-p.a)*t, p.b + (q.b-p.b)*t}
}

// srgb returns the levels, 0 to 255, of a colour; those outside of the gamut are cut.
func (c lab) srgb() (r, g, b float32) {
	l := c.l + .3963377774*c.a + .2158037573*c.b
	m := c.l - .1055613458*c.a - .0638541728*c.b
	s := c.l - .0894841775*c.a - 1.2914855480*c.b
	l, m, s = l*l*l, m*m*m, s*s*s
	return encode(4.0767416621*l - 3.3077115913*m + .2309699292*s),
		encode(-1.2684380046*l + 2.6097574011*m - .3413193965*s),
		encode(-.0041960863*l - .7034186147*m + 1.7076147010*s)
}

// encoded is the transfer function of sRGB in steps of a 4096th.
var encoded = func() (table [4098]float32) {
	for i := range table {
		v := float64(i) / 4096
		if v <= .0031308 {
			table[i] = float32(255 * 12.92 * v)
			continue
		}
		table[i] = float32(255 * (1.055*math.Pow(v, 1/2.4) - .055))
	}
	return table
}()

func encode(v float32) float32 {
	v = max(0, min(1, v)) * 4096
	i := int(v)
	return encoded[i] + (encoded[i+1]-encoded[i])*(v-float32(i))
}

// scheme is the colours of a picture.
type scheme struct {
	dark bool
	hues []tint // at least three
}

// tint is a hue in degrees with its chroma, from 0 to .2.
type tint struct{ hue, chroma float64 }

// words are the colours that a prompt may name.
var words = map[string]tint{
	"red": {27, .17}, "crimson": {18, .17}, "rose": {5, .13}, "pink": {355, .13}, "magenta": {335, .17},
	"coral": {35, .14}, "terracotta": {42, .11}, "orange": {55, .15}, "amber": {72, .14}, "gold": {85, .12},
	"yellow": {98, .14}, "sand": {82, .05}, "brown": {58, .07}, "lime": {122, .15}, "olive": {112, .08},
	"green": {148, .13}, "emerald": {160, .12}, "teal": {188, .09}, "cyan": {210, .1}, "turquoise": {195, .1},
	"azure": {240, .12}, "blue": {258, .15}, "navy": {264, .1}, "indigo": {277, .16}, "violet": {292, .16},
	"purple": {305, .16}, "lavender": {298, .08}, "slate": {255, .03}, "grey": {260, .012}, "gray": {260, .012},
}

// schemeOf reads the colours off a prompt in lower case, and makes up those that it does not name.
func schemeOf(prompt string, rng *rand.Rand) scheme {
	s := scheme{dark: rng.Float64() < .6}
	isLetter := func(r rune) bool { return r >= 'a' && r <= 'z' }
	for _, word := range strings.FieldsFunc(prompt, func(r rune) bool { return !isLetter(r) }) {
		if t, ok := words[word]; ok && len(s.hues) < 4 {
			s.hues = append(s.hues, t)
		}
		switch word {
		case "dark", "night", "black":
			s.dark = true
		case "light", "bright", "airy", "white":
			s.dark = false
		}
	}
	if strings.Contains(prompt, "dark tones") {
		s.dark = true
	}
	if len(s.hues) == 0 {
		s.hues = append(s.hues, tint{360 * rng.Float64(), .1 + .06*rng.Float64()})
	}
	for turn := 28 + 24*rng.Float64(); len(s.hues) < 3; turn = -turn * 1.4 {
		first := s.hues[0]
		s.hues = append(s.hues, tint{first.hue + turn, max(.04, first.chroma*.85)})
	}
	return s
}

// ground is a calm colour of the picture: dark or light, at from 0 to 1 along its range.
func (s scheme) ground(i int, at float64) lab {
	t := s.hues[i%len(s.hues)]
	if s.dark {
		return lch(.13+.15*at, min(t.chroma, .09)*(.45+.4*at), t.hue)
	}
	return lch(.965-.085*at, min(t.chroma, .1)*(.15+.4*at), t.hue)
}

// deep makes a colour of a tint as light falls off: yellow turns to amber on the way, since dark yellow is olive.
func deep(l, c, h float64) lab {
	const (
		from, to = 70., 118. // the yellows
		amber    = 60.
		light    = .86 // at which yellow is itself
		dark     = .5  // from which down it is amber
	)
	if h > from && h < to && c > .06 {
		h += (amber - h) * max(0, min((light-l)/(light-dark), 1))
	}
	return lch(l, c, h)
}

// glow is a strong colour of the picture, at from 0 to 1 along its range.
func (s scheme) glow(i int, at float64) lab {
	t := s.hues[i%len(s.hues)]
	if s.dark {
		return deep(.4+.32*at, t.chroma*(.85+.2*at), t.hue)
	}
	return deep(.9-.2*at, t.chroma*(.45+.5*at), t.hue)
}

// shine is the colour of light itself.
func (s scheme) shine(i int) lab {
	t := s.hues[i%len(s.hues)]
	if s.dark {
		return lch(.86, t.chroma*.6, t.hue)
	}
	return lch(.995, .012, t.hue)
}

// shade is the colour of shadows.
func (s scheme) shade() lab {
	if s.dark {
		return lch(.07, .02, s.hues[0].hue)
	}
	return lch(.55, .05, s.hues[0].hue)
}
