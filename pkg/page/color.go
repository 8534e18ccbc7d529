package page

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
)

// maxColor is the maximum length of a color's text.
const maxColor = 64

// ParseColor parses a CSS color: hex with 3, 4, 6 or 8 digits, rgb() and rgba(), hsl() and hsla() with commas or
// spaces, a name of CSS Color 4, or "transparent". Numbers out of range are clamped, as in browsers.
func ParseColor(s string) (color.NRGBA, bool) {
	if len(s) > maxColor {
		return color.NRGBA{}, false
	}
	s = strings.ToLower(strings.TrimSpace(s))
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		return hexColor(hex)
	}
	name, args, ok := strings.Cut(s, "(")
	if !ok {
		return namedColor(s)
	}
	if args, ok = strings.CutSuffix(args, ")"); !ok {
		return color.NRGBA{}, false
	}
	parts, ok := colorParts(args)
	if !ok {
		return color.NRGBA{}, false
	}
	switch name {
	case "rgb", "rgba":
		return rgbColor(parts)
	case "hsl", "hsla":
		return hslColor(parts)
	}
	return color.NRGBA{}, false
}

// namedColor looks up the names of SVG 1.1 and the two more that CSS has.
func namedColor(name string) (color.NRGBA, bool) {
	switch name {
	case "transparent":
		return color.NRGBA{}, true
	case "rebeccapurple":
		return color.NRGBA{0x66, 0x33, 0x99, 0xFF}, true
	}
	c, ok := colornames.Map[name]
	return color.NRGBA(c), ok // all are opaque, so nothing is premultiplied
}

func hexColor(hex string) (color.NRGBA, bool) {
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		return color.NRGBA{}, false
	}
	double := func(shift uint) uint8 { return uint8(n>>shift&15) * 17 }
	switch len(hex) {
	case 3:
		return color.NRGBA{double(8), double(4), double(0), 255}, true
	case 4:
		return color.NRGBA{double(12), double(8), double(4), double(0)}, true
	case 6:
		return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}, true
	case 8:
		return color.NRGBA{uint8(n >> 24), uint8(n >> 16), uint8(n >> 8), uint8(n)}, true
	}
	return color.NRGBA{}, false
}

// colorParts returns the three or four arguments of a color function: "a, b, c, d", "a b c / d" or a mix of both.
func colorParts(args string) ([]string, bool) {
	parts := strings.FieldsFunc(args, func(r rune) bool { return strings.ContainsRune(",/ \t\n", r) })
	return parts, len(parts) == 3 || len(parts) == 4
}

// number parses a number with a unit; "none" is 0. It returns false for anything but a finite decimal number.
func number(s, unit string) (float64, bool) {
	if s == "none" {
		return 0, true
	}
	s, ok := strings.CutSuffix(s, unit)
	if !ok || s == "" || strings.Trim(s, "0123456789.+-e") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// unit8 returns f, from 0 to 1, as a byte.
func unit8(f float64) uint8 { return uint8(math.Round(255 * max(0, min(1, f)))) }

// alpha parses the fourth part, a number from 0 to 1 or a percentage. The default is opaque.
func alpha(parts []string) (uint8, bool) {
	if len(parts) < 4 {
		return 255, true
	}
	if f, ok := number(parts[3], "%"); ok {
		return unit8(f / 100), true
	}
	f, ok := number(parts[3], "")
	return unit8(f), ok
}

func rgbColor(parts []string) (color.NRGBA, bool) {
	var rgb [3]uint8
	for i := range rgb {
		f, ok := number(parts[i], "%")
		f /= 100
		if !ok {
			f, ok = number(parts[i], "")
			f /= 255
		}
		if !ok {
			return color.NRGBA{}, false
		}
		rgb[i] = unit8(f)
	}
	a, ok := alpha(parts)
	if !ok {
		return color.NRGBA{}, false
	}
	return color.NRGBA{rgb[0], rgb[1], rgb[2], a}, true
}

// hslColor converts as in CSS Color 4, section 7 (https://www.w3.org/TR/css-color-4/#hsl-to-rgb).
func hslColor(parts []string) (color.NRGBA, bool) {
	h, ok := hue(parts[0])
	if !ok {
		return color.NRGBA{}, false
	}
	var sl [2]float64
	for i := range sl {
		f, ok := number(parts[i+1], "%")
		if !ok {
			if f, ok = number(parts[i+1], ""); !ok {
				return color.NRGBA{}, false
			}
		}
		sl[i] = max(0, min(1, f/100))
	}
	alpha, ok := alpha(parts)
	if !ok {
		return color.NRGBA{}, false
	}
	channel := func(n float64) uint8 {
		k := math.Mod(n+h/30, 12)
		a := sl[0] * min(sl[1], 1-sl[1])
		return unit8(sl[1] - a*max(-1, min(k-3, 9-k, 1)))
	}
	return color.NRGBA{channel(0), channel(8), channel(4), alpha}, true
}

// hue parses an angle and returns it in degrees from 0 to 360.
func hue(s string) (float64, bool) {
	for _, unit := range [...]struct {
		name    string
		degrees float64
	}{{"deg", 1}, {"grad", 0.9}, {"rad", 180 / math.Pi}, {"turn", 360}, {"", 1}} {
		if f, ok := number(s, unit.name); ok {
			f = math.Mod(f*unit.degrees, 360)
			if f < 0 {
				f += 360
			}
			return f, !math.IsNaN(f)
		}
	}
	return 0, false
}
