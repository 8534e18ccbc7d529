package colors

import (
	"image/color"
	"math"
	"strings"

	"masthead/render/html/css/value"
)

var spaces = map[string]Space{
	"srgb": SRGB, "srgb-linear": LinearSRGB, "oklab": Oklab, "oklch": Oklch, "hsl": HSL,
	"hwb": HWB, "lab": Lab, "lch": LCH, "xyz": XYZ, "xyz-d65": XYZ, "xyz-d50": XYZ,
	"display-p3": SRGB,
}

// Interpolation reads "in oklch longer hue"; n is the number of values.
func Interpolation(v []value.Value) (space Space, way HueWay, n int, ok bool) {
	if len(v) < 2 || !v[0].Is("in") || v[1].Kind != value.Ident {
		return 0, 0, 0, false
	}
	space, ok = spaces[strings.ToLower(v[1].Text)]
	n = 2
	if len(v) >= 4 && v[3].Is("hue") {
		n = 4
		switch strings.ToLower(v[2].Text) {
		case "longer":
			way = HueLonger
		case "increasing":
			way = HueIncreasing
		case "decreasing":
			way = HueDecreasing
		}
	}
	return space, way, n, ok
}

func (r Reader) colorMix(v []value.Value) (c rgb, ok bool) {
	parts := value.SplitCommas(v)
	space, way := Oklab, HueShorter
	if len(parts) == 3 {
		var n int
		if space, way, n, ok = Interpolation(parts[0]); !ok || n != len(parts[0]) {
			return c, false
		}
		parts = parts[1:]
	}
	if len(parts) != 2 {
		return c, false
	}
	var colors [2]rgb
	share := [2]float64{-1, -1}
	for i, p := range parts {
		if len(p) == 2 {
			k := 0
			if p[1].Kind == value.Number || p[1].Kind == value.Function && !IsFunction(p[1].Text) {
				k = 1
			}
			n, ok := r.values().NumberOrPercent(&p[k], 1)
			if !ok {
				return c, false
			}
			share[i] = n
			p = []value.Value{p[1-k]}
		}
		if len(p) != 1 {
			return c, false
		}
		if colors[i], ok = r.rgbOf(&p[0]); !ok {
			return c, false
		}
	}
	alpha := 1.0
	switch {
	case share[0] < 0 && share[1] < 0:
		share = [2]float64{.5, .5}
	case share[0] < 0:
		share[0] = 1 - share[1]
	case share[1] < 0:
		share[1] = 1 - share[0]
	default:
		sum := share[0] + share[1]
		if sum <= 0 {
			return c, false
		}
		alpha = min(sum, 1)
		share[1] /= sum
	}
	c = interpolate(space, way, colors[0], colors[1], share[1])
	c.a *= alpha
	return c, true
}

// IsFunction reports whether a function is a color.
func IsFunction(name string) bool {
	return strings.HasPrefix(name, "rgb") || strings.HasPrefix(name, "hsl") || strings.HasPrefix(name, "ok") ||
		strings.HasPrefix(name, "color") || name == "lab" || name == "lch" || name == "hwb" || name == "light-dark"
}

// interpolate mixes two colors with alpha, premultiplied, in a color space; t is the share of the second.
func interpolate(space Space, way HueWay, c, d rgb, t float64) rgb {
	x, y := coordinates(space, c), coordinates(space, d)
	hue := hueChannel(space)
	if hue >= 0 {
		// A color without chroma takes the other's hue.
		if achromatic(space, x) {
			x[hue] = y[hue]
		} else if achromatic(space, y) {
			y[hue] = x[hue]
		}
		y[hue] = x[hue] + hueDistance(y[hue]-x[hue], way)
	}
	a := c.a + (d.a-c.a)*t
	var n [3]float64
	for i := range n {
		if i == hue {
			n[i] = x[i] + (y[i]-x[i])*t
			continue
		}
		if a > 0 {
			n[i] = (x[i]*c.a*(1-t) + y[i]*d.a*t) / a
		}
	}
	r := fromCoordinates(space, n)
	r.a = a
	return r
}

func hueDistance(d float64, way HueWay) float64 {
	d = math.Mod(d, 360)
	if d < 0 {
		d += 360
	}
	switch way { // d is 0 to 360, increasing
	case HueShorter:
		if d > 180 {
			d -= 360
		}
	case HueLonger:
		if d == 0 {
			d = 360
		} else if d < 180 {
			d -= 360
		}
	case HueDecreasing:
		if d > 0 {
			d -= 360
		}
	}
	return d
}

func hueChannel(space Space) int {
	switch space {
	case HSL, HWB:
		return 0
	case Oklch, LCH:
		return 2
	}
	return -1
}

func achromatic(space Space, n [3]float64) bool {
	switch space {
	case HSL:
		return n[1] < .01
	case HWB:
		return n[1]+n[2] > 99.99
	case Oklch:
		return n[1] < 4e-4
	}
	return n[1] < .015
}

func coordinates(space Space, c rgb) [3]float64 {
	switch space {
	case LinearSRGB:
		return [3]float64{decodeGamma(c.r), decodeGamma(c.g), decodeGamma(c.b)}
	case Oklab:
		return toOklab(c)
	case Oklch:
		return polar(toOklab(c))
	case HSL:
		return toHSL(c)
	case HWB:
		m := channels(c, "hwb")
		return [3]float64{m["h"], m["w"], m["b"]}
	case Lab:
		return toLab(c)
	case LCH:
		return polar(toLab(c))
	case XYZ:
		return toXYZ(c)
	}
	return [3]float64{c.r, c.g, c.b}
}

func fromCoordinates(space Space, n [3]float64) rgb {
	name := [...]string{
		SRGB: "srgb", LinearSRGB: "srgb-linear", Oklab: "oklab", Oklch: "oklch", HSL: "hsl",
		HWB: "hwb", Lab: "lab", LCH: "lch", XYZ: "xyz",
	}[space]
	c, _ := fromSpace(name, n)
	return c
}

// Mix is interpolate for colors of eight bits.
func Mix(space Space, way HueWay, c, d color.NRGBA, t float64) color.NRGBA {
	return interpolate(space, way, fromNRGBA(c), fromNRGBA(d), t).nrgba()
}

// HueWay is the way round the hue circle.
type HueWay uint8

// The ways.
const (
	HueShorter HueWay = iota
	HueLonger
	HueIncreasing
	HueDecreasing
)

// Space is where gradients and mixes interpolate.
type Space uint8

// The color spaces.
const (
	SRGB Space = iota
	LinearSRGB
	Oklab
	Oklch
	HSL
	HWB
	Lab
	LCH
	XYZ
)
