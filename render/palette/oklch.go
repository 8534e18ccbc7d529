package palette

import (
	"image/color"
	"math"
)

// Lab is a color in OKLab: lightness 0 to 1, and two opponent axes of about -0.4 to 0.4.
type Lab struct{ L, A, B float64 }

// LCH is a color in OKLCH: lightness 0 to 1, chroma 0 to about 0.37 (in sRGB 0.32), hue in degrees from 0 up to 360.
type LCH struct{ L, C, H float64 }

// linear holds the linear light of each 8-bit sRGB value. Source: WCAG 2.2 and IEC 61966-2-1, knee at 0.04045.
var linear = func() (t [256]float64) {
	for i := range t {
		v := float64(i) / 255
		if v <= 0.04045 {
			t[i] = v / 12.92
		} else {
			t[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return t
}()

// encode8 turns linear light into an 8-bit sRGB value; what is out of range is clamped.
func encode8(v float64) uint8 {
	switch {
	case v <= 0:
		return 0
	case v >= 1:
		return 255
	case v <= 0.0031308:
		return uint8(v*12.92*255 + 0.5)
	}
	return uint8((1.055*math.Pow(v, 1/2.4)-0.055)*255 + 0.5)
}

// ToLab returns a color in OKLab. Alpha is ignored.
func ToLab(c color.NRGBA) Lab {
	r, g, b := linear[c.R], linear[c.G], linear[c.B]
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return Lab{
		L: 0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		A: 1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		B: 0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// rgb returns the linear light of a Lab color, unclamped: outside sRGB some channel is below 0 or above 1.
func (p Lab) rgb() (r, g, b float64) {
	l := p.L + 0.3963377774*p.A + 0.2158037573*p.B
	m := p.L - 0.1055613458*p.A - 0.0638541728*p.B
	s := p.L - 0.0894841775*p.A - 1.2914855480*p.B
	l, m, s = l*l*l, m*m*m, s*s*s
	return 4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.7076147010*s
}

// Distance returns the Euclidean distance in OKLab, ΔE(OK): 0.02 is about what one can just see, 1 is black to white.
func (p Lab) Distance(q Lab) float64 {
	dl, da, db := p.L-q.L, p.A-q.A, p.B-q.B
	return math.Sqrt(dl*dl + da*da + db*db)
}

// ToLCH returns a color in OKLCH. Alpha is ignored; grays have a chroma of nearly 0 and a hue without meaning.
func ToLCH(c color.NRGBA) LCH {
	p := ToLab(c)
	return LCH{L: p.L, C: math.Hypot(p.A, p.B), H: hue(math.Atan2(p.B, p.A) * 180 / math.Pi)}
}

// Lab returns the same color in OKLab.
func (c LCH) Lab() Lab {
	sin, cos := math.Sincos(c.H * math.Pi / 180)
	return Lab{L: c.L, A: c.C * cos, B: c.C * sin}
}

// gamutSlack is how far a channel may lie outside 0..1 and still count as inside sRGB: a third of an 8-bit step near
// black.
const gamutSlack = 1e-4

func (p Lab) inGamut() bool {
	r, g, b := p.rgb()
	return min(r, g, b) >= -gamutSlack && max(r, g, b) <= 1+gamutSlack
}

// Color returns the sRGB color, opaque. Out of gamut, chroma is lowered until it is inside; lightness and hue stay.
func (c LCH) Color() color.NRGBA {
	c.L = min(max(c.L, 0), 1)
	p := c.Lab()
	if !p.inGamut() {
		low, high := 0.0, c.C
		for high-low > 0.0002 {
			mid := (low + high) / 2
			if (LCH{c.L, mid, c.H}).Lab().inGamut() {
				low = mid
			} else {
				high = mid
			}
		}
		p = LCH{c.L, low, c.H}.Lab()
	}
	return p.color()
}

// color clamps each channel on its own: for colors that are inside sRGB already.
func (p Lab) color() color.NRGBA {
	r, g, b := p.rgb()
	return color.NRGBA{R: encode8(r), G: encode8(g), B: encode8(b), A: 255}
}

// hue brings degrees into 0..360.
func hue(h float64) float64 {
	h = math.Mod(h, 360)
	if h < 0 {
		h += 360
	}
	return h
}

// hueDistance returns the angle between two hues, 0 to 180 degrees.
func hueDistance(a, b float64) float64 {
	d := hue(a - b)
	return min(d, 360-d)
}
