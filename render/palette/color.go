package palette

import (
	"fmt"
	"image/color"
)

// RGB returns the opaque color that is written #RRGGBB: RGB(0x4F46E5).
func RGB(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

// Hex returns a color as "#RRGGBB", in capitals. Alpha is left out.
func Hex(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// ParseHex reads the form "#RRGGBB", in either case, and no other. Colors of style sheets are the page reader's
// business.
func ParseHex(s string) (color.NRGBA, error) {
	var v uint32
	if len(s) != 7 || s[0] != '#' {
		return color.NRGBA{}, fmt.Errorf("color %.16q is not of the form #RRGGBB", s)
	}
	for i := 1; i < 7; i++ {
		d := s[i]
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d >= 'a' && d <= 'f':
			d -= 'a' - 10
		case d >= 'A' && d <= 'F':
			d -= 'A' - 10
		default:
			return color.NRGBA{}, fmt.Errorf("color %q is not of the form #RRGGBB", s)
		}
		v = v<<4 | uint32(d)
	}
	return RGB(v), nil
}

// Fade returns the color with an alpha of 0 (unseen) to 1.
func Fade(c color.NRGBA, alpha float64) color.NRGBA {
	c.A = uint8(min(max(alpha, 0), 1)*255 + 0.5)
	return c
}

// Luminance returns the relative luminance, 0 (black) to 1 (white). Source: WCAG 2.2.
func Luminance(c color.NRGBA) float64 {
	return 0.2126*linear[c.R] + 0.7152*linear[c.G] + 0.0722*linear[c.B]
}

// Contrast returns the contrast ratio of two opaque colors, 1 to 21; their order does not matter. Source: WCAG 2.2.
func Contrast(a, b color.NRGBA) float64 {
	la, lb := Luminance(a), Luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// mix returns the color that lies at t (0 to 1) between p and q in OKLab: no gray valley between two hues, even steps
// of lightness.
func mix(p, q Lab, t float64) Lab {
	return Lab{L: p.L + (q.L-p.L)*t, A: p.A + (q.A-p.A)*t, B: p.B + (q.B-p.B)*t}
}

// stopsBetween is the number of steps into which Gradient divides the way between two colors: so many that
// interpolation in sRGB between neighboring stops stays within four 8-bit levels of the exact mix where that leaves
// sRGB, and nearer elsewhere.
const stopsBetween = 16

// Gradient returns evenly spaced stops that lead through the colors, mixed in OKLab: 16 steps between two neighbors,
// so 17 stops for two colors and 33 for three. Between the stops a painter may interpolate in sRGB.
func Gradient(colors ...color.NRGBA) []color.NRGBA {
	if len(colors) < 2 {
		return append([]color.NRGBA(nil), colors...)
	}
	stops := make([]color.NRGBA, 0, (len(colors)-1)*stopsBetween+1)
	for i := 1; i < len(colors); i++ {
		p, q := ToLab(colors[i-1]), ToLab(colors[i])
		stops = append(stops, colors[i-1])
		for k := 1; k < stopsBetween; k++ {
			stops = append(stops, mix(p, q, float64(k)/stopsBetween).color())
		}
	}
	return append(stops, colors[len(colors)-1])
}

// Stop is a color at a place along a gradient, 0 to 1.
type Stop struct {
	At    float64
	Color color.NRGBA
}

// GradientAt is Gradient for colors that do not stand evenly: 33 evenly spaced stops, mixed in OKLab. Stops come in
// order; before the first and beyond the last its color goes on.
func GradientAt(stops ...Stop) []color.NRGBA {
	const n = 2 * stopsBetween
	out := make([]color.NRGBA, 0, n+1)
	for i := range n + 1 {
		out = append(out, colorAmong(stops, float64(i)/n))
	}
	return out
}

// colorAmong returns the color of stops at t.
func colorAmong(stops []Stop, t float64) color.NRGBA {
	for i, s := range stops {
		if t > s.At {
			continue
		}
		if i == 0 || s.At == t {
			return s.Color
		}
		p := stops[i-1]
		return mix(ToLab(p.Color), ToLab(s.Color), (t-p.At)/(s.At-p.At)).color()
	}
	if len(stops) == 0 {
		return color.NRGBA{A: 255}
	}
	return stops[len(stops)-1].Color
}
