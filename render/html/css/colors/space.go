package colors

import (
	"math"
)

// fromSpace turns channels of a color space into sRGB.
func fromSpace(space string, n [3]float64) (rgb, bool) {
	switch space {
	case "rgb", "rgba":
		return rgb{clamp1(n[0] / 255), clamp1(n[1] / 255), clamp1(n[2] / 255), 1}, true
	case "hsl", "hsla":
		return fromHSL(n[0], min(max(n[1], 0), 100), min(max(n[2], 0), 100)), true
	case "hwb":
		w, k := clamp1(n[1]/100), clamp1(n[2]/100)
		if w+k >= 1 {
			g := w / (w + k)
			return rgb{g, g, g, 1}, true
		}
		c := fromHSL(n[0], 100, 50)
		f := func(x float64) float64 { return x*(1-w-k) + w }
		return rgb{f(c.r), f(c.g), f(c.b), 1}, true
	case "lab":
		return fromLab([3]float64{min(max(n[0], 0), 100), n[1], n[2]}), true
	case "lch":
		return fromLab(unpolar([3]float64{min(max(n[0], 0), 100), max(n[1], 0), n[2]})), true
	case "oklab":
		return fromOklab([3]float64{clamp1(n[0]), n[1], n[2]}), true
	case "oklch":
		return fromOklab(unpolar([3]float64{clamp1(n[0]), max(n[1], 0), n[2]})), true
	case "srgb":
		return rgb{n[0], n[1], n[2], 1}, true
	case "srgb-linear":
		return rgb{encodeGamma(n[0]), encodeGamma(n[1]), encodeGamma(n[2]), 1}, true
	case "display-p3":
		x, y, z := decodeGamma(n[0]), decodeGamma(n[1]), decodeGamma(n[2])
		return rgb{
			encodeGamma(1.2249401*x - .2249404*y),
			encodeGamma(-.0420569*x + 1.0420571*y),
			encodeGamma(-.0196376*x - .0786361*y + 1.0982735*z), 1,
		}, true
	case "a98-rgb":
		f := func(x float64) float64 { return math.Copysign(math.Pow(math.Abs(x), 563.0/256), x) }
		return fromWide(a98, f, n), true
	case "rec2020":
		f := func(x float64) float64 { // of BT.2020, as Chromium
			const alpha, beta = 1.09929682680944, .018053968510807
			if math.Abs(x) < beta*4.5 {
				return x / 4.5
			}
			return math.Copysign(math.Pow((math.Abs(x)+alpha-1)/alpha, 1/.45), x)
		}
		return fromWide(rec2020, f, n), true
	case "prophoto-rgb":
		f := func(x float64) float64 {
			if math.Abs(x) <= 16.0/512 {
				return x / 16
			}
			return math.Copysign(math.Pow(math.Abs(x), 1.8), x)
		}
		return fromD50(prophoto.times([3]float64{f(n[0]), f(n[1]), f(n[2])})), true
	case "xyz", "xyz-d65":
		return fromXYZ(n), true
	case "xyz-d50":
		return fromD50(n), true
	}
	return rgb{}, false
}

func clamp1(x float64) float64 { return min(max(x, 0), 1) }

func fromHSL(h, s, l float64) rgb {
	s, l = s/100, l/100
	f := func(n float64) float64 {
		k := math.Mod(n+h/30, 12)
		if k < 0 {
			k += 12
		}
		return l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1))
	}
	return rgb{f(0), f(8), f(4), 1}
}

func toHSL(c rgb) [3]float64 {
	hi, lo := max(c.r, c.g, c.b), min(c.r, c.g, c.b)
	l, d := (hi+lo)/2, hi-lo
	if d == 0 {
		return [3]float64{0, 0, l * 100}
	}
	var h float64
	switch hi {
	case c.r:
		h = math.Mod((c.g-c.b)/d+6, 6)
	case c.g:
		h = (c.b-c.r)/d + 2
	default:
		h = (c.r-c.g)/d + 4
	}
	s := 0.0
	if l > 0 && l < 1 {
		s = (hi - l) / min(l, 1-l)
	}
	return [3]float64{h * 60, s * 100, l * 100}
}

func decodeGamma(x float64) float64 {
	if a := math.Abs(x); a > .04045 {
		return math.Copysign(math.Pow((a+.055)/1.055, 2.4), x)
	}
	return x / 12.92
}

func encodeGamma(x float64) float64 {
	if a := math.Abs(x); a > .0031308 {
		return math.Copysign(1.055*math.Pow(a, 1/2.4)-.055, x)
	}
	return x * 12.92
}

func fromOklab(n [3]float64) rgb {
	cube := func(x float64) float64 { return x * x * x }
	l := cube(n[0] + .3963377774*n[1] + .2158037573*n[2])
	m := cube(n[0] - .1055613458*n[1] - .0638541728*n[2])
	s := cube(n[0] - .0894841775*n[1] - 1.2914855480*n[2])
	return rgb{
		encodeGamma(4.0767416621*l - 3.3077115913*m + .2309699292*s),
		encodeGamma(-1.2684380046*l + 2.6097574011*m - .3413193965*s),
		encodeGamma(-.0041960863*l - .7034186147*m + 1.7076147010*s), 1,
	}
}

func toOklab(c rgb) [3]float64 {
	r, g, b := decodeGamma(c.r), decodeGamma(c.g), decodeGamma(c.b)
	l := math.Cbrt(.4122214708*r + .5363325363*g + .0514459929*b)
	m := math.Cbrt(.2119034982*r + .6806995451*g + .1073969566*b)
	s := math.Cbrt(.0883024619*r + .2817188376*g + .6299787005*b)
	return [3]float64{
		.2104542553*l + .7936177850*m - .0040720468*s,
		1.9779984951*l - 2.4285922050*m + .4505937099*s,
		.0259040371*l + .7827717662*m - .8086757660*s,
	}
}

func fromXYZ(n [3]float64) rgb {
	x, y, z := n[0], n[1], n[2]
	return rgb{
		encodeGamma(3.2409699419*x - 1.5373831776*y - .4986107603*z),
		encodeGamma(-.9692436363*x + 1.8759675015*y + .0415550574*z),
		encodeGamma(.0556300797*x - .2039769589*y + 1.0569715142*z), 1,
	}
}

func toXYZ(c rgb) [3]float64 {
	r, g, b := decodeGamma(c.r), decodeGamma(c.g), decodeGamma(c.b)
	return [3]float64{
		.4123907993*r + .3575843394*g + .1804807884*b,
		.2126390059*r + .7151686788*g + .0721923154*b,
		.0193308187*r + .1191947798*g + .9505321522*b,
	}
}

// d50 is the white of Lab.
var d50 = [3]float64{.9642956764, 1, .8251046025}

func fromLab(n [3]float64) rgb {
	fy := (n[0] + 16) / 116
	f := [3]float64{fy + n[1]/500, fy, fy - n[2]/200}
	var v [3]float64
	for i, t := range f {
		if c := t * t * t; c > 216.0/24389 {
			v[i] = c * d50[i]
		} else {
			v[i] = (116*t - 16) / (24389.0 / 27) * d50[i]
		}
	}
	return fromD50(v)
}

// matrix turns linear channels into XYZ.
type matrix [3][3]float64

func (m *matrix) times(n [3]float64) (out [3]float64) {
	for i := range out {
		out[i] = m[i][0]*n[0] + m[i][1]*n[1] + m[i][2]*n[2]
	}
	return out
}

// The matrices of the predefined spaces. Source: CSS Color 4, 18.
var (
	a98 = &matrix{
		{.5766690429, .1855582379, .1882286462}, {.2973449753, .6273635663, .0752914585},
		{.0270313614, .0706888525, .9913375368},
	}
	rec2020 = &matrix{
		{.6369580483, .1446169036, .1688809752}, {.2627002120, .6779980715, .0593017165},
		{0, .0280726930, 1.0609850577},
	}
	prophoto = &matrix{
		{.7977666449, .1351812974, .0313477341}, {.2880748288, .7118352343, .0000899369}, {0, 0, .8251046025},
	}
)

func fromWide(m *matrix, decode func(float64) float64, n [3]float64) rgb {
	return fromXYZ(m.times([3]float64{decode(n[0]), decode(n[1]), decode(n[2])}))
}

// fromD50 adapts XYZ with the white D50 to that of sRGB, D65.
func fromD50(v [3]float64) rgb {
	x, y, z := v[0], v[1], v[2]
	return fromXYZ([3]float64{
		.9554734527*x - .0230985369*y + .0632593087*z,
		-.0283697070*x + 1.0099954580*y + .0210413990*z,
		.0123140017*x - .0205076964*y + 1.3303659366*z,
	})
}

func toLab(c rgb) [3]float64 {
	v := toXYZ(c)
	x, y, z := v[0], v[1], v[2]
	v = [3]float64{
		1.0479298208*x + .0229467933*y - .0501922295*z,
		.0296278156*x + .9904344482*y - .0170738250*z,
		-.0092430581*x + .0150551448*y + .7518742899*z,
	}
	for i := range v {
		if t := v[i] / d50[i]; t > 216.0/24389 {
			v[i] = math.Cbrt(t)
		} else {
			v[i] = (24389.0/27*t + 16) / 116
		}
	}
	return [3]float64{116*v[1] - 16, 500 * (v[0] - v[1]), 200 * (v[1] - v[2])}
}

func polar(n [3]float64) [3]float64 {
	h := math.Atan2(n[2], n[1]) * 180 / math.Pi
	if h < 0 {
		h += 360
	}
	return [3]float64{n[0], math.Hypot(n[1], n[2]), h}
}

func unpolar(n [3]float64) [3]float64 {
	sin, cos := math.Sincos(n[2] * math.Pi / 180)
	return [3]float64{n[0], n[1] * cos, n[1] * sin}
}
