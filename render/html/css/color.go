package css

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
)

// rgb is a color in sRGB, not clipped to its gamut, with alpha; not premultiplied.
type rgb struct{ r, g, b, a float64 }

func (c rgb) nrgba() color.NRGBA {
	return color.NRGBA{R: to8(c.r), G: to8(c.g), B: to8(c.b), A: to8(c.a)}
}

func to8(x float64) uint8 {
	if !(x > 0) {
		return 0
	}
	return uint8(min(x*255+.5, 255))
}

func fromNRGBA(c color.NRGBA) rgb {
	return rgb{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255, float64(c.A) / 255}
}

// color reads a color.
func (b *builder) color(v *value) (Color, bool) {
	if v.is("currentcolor") {
		return Color{Current: true}, true
	}
	c, ok := b.rgbOf(v)
	if !ok {
		return Color{}, false
	}
	return Color{NRGBA: c.nrgba()}, true
}

// rgbOf reads a color, with currentColor as it is.
func (b *builder) rgbOf(v *value) (rgb, bool) {
	switch v.kind {
	case hash:
		c, ok := hexColor(v.text)
		return fromNRGBA(c), ok
	case ident:
		if v.is("currentcolor") {
			return fromNRGBA(b.text.Color), true
		}
		c, ok := namedColor(v.text)
		return fromNRGBA(c), ok
	case function:
		return b.colorFunction(v)
	}
	return rgb{}, false
}

func hexColor(s string) (c color.NRGBA, ok bool) {
	n, err := strconv.ParseUint(s, 16, 32)
	if err != nil {
		return c, false
	}
	switch len(s) {
	case 3:
		n = n<<4 | 15
		fallthrough
	case 4:
		d := func(shift uint) uint8 { return uint8(n>>shift&15) * 17 }
		return color.NRGBA{d(12), d(8), d(4), d(0)}, true
	case 6:
		n = n<<8 | 255
		fallthrough
	case 8:
		return color.NRGBA{uint8(n >> 24), uint8(n >> 16), uint8(n >> 8), uint8(n)}, true
	}
	return c, false
}

// systemColors are those of a light page in Chromium.
var systemColors = map[string]color.NRGBA{
	"transparent": {}, "canvas": {255, 255, 255, 255}, "canvastext": {0, 0, 0, 255}, "linktext": {0, 0, 238, 255},
	"buttonface": {239, 239, 239, 255}, "buttontext": {0, 0, 0, 255}, "field": {255, 255, 255, 255},
	"fieldtext": {0, 0, 0, 255}, "graytext": {128, 128, 128, 255}, "mark": {255, 255, 0, 255},
	"marktext": {0, 0, 0, 255}, "highlight": {25, 103, 210, 255}, "highlighttext": {255, 255, 255, 255},
	"rebeccapurple": {102, 51, 153, 255}, "buttonborder": {0, 0, 0, 255},
}

func namedColor(name string) (c color.NRGBA, ok bool) {
	name = strings.ToLower(name)
	if c, ok := systemColors[name]; ok {
		return c, true
	}
	n, ok := colornames.Map[name]
	return color.NRGBA(n), ok
}

// components splits the arguments of a color function: three or four, and alpha; by commas or spaces.
func components(v []value) (parts []value, alpha *value) {
	if main, after, ok := splitSlash(v); ok {
		if len(after) != 1 {
			return nil, nil
		}
		return main, &after[0]
	}
	commas := splitCommas(v)
	if len(commas) == 1 {
		return v, nil
	}
	for _, c := range commas {
		if len(c) != 1 {
			return nil, nil
		}
		parts = append(parts, c[0])
	}
	if len(parts) == 4 {
		return parts[:3], &parts[3]
	}
	return parts, nil
}

func (b *builder) colorFunction(v *value) (c rgb, ok bool) {
	switch v.text {
	case "color-mix":
		return b.colorMix(v.args)
	case "light-dark":
		parts := splitCommas(v.args)
		if len(parts) != 2 || len(parts[0]) != 1 || len(parts[1]) != 1 {
			return c, false
		}
		if b.view.Dark {
			return b.rgbOf(&parts[1][0])
		}
		return b.rgbOf(&parts[0][0])
	}
	args := v.args
	var from map[string]float64
	space := v.text
	if len(args) > 2 && args[0].is("from") {
		base, ok := b.rgbOf(&args[1])
		if !ok {
			return c, false
		}
		args = args[2:]
		name := space
		if space == "color" && len(args) > 0 {
			name = strings.ToLower(args[0].text)
		}
		from = channels(base, name)
	}
	parts, alpha := components(args)
	if space == "color" {
		if len(parts) != 4 || parts[0].kind != ident {
			return c, false
		}
		space = strings.ToLower(parts[0].text)
		parts = parts[1:]
	}
	if len(parts) != 3 {
		return c, false
	}
	a := 1.0
	if from != nil {
		a = from["alpha"]
	}
	if alpha != nil {
		n, ok := b.channel(alpha, 1, from)
		if !ok {
			return c, false
		}
		a = min(max(n, 0), 1)
	}
	var n [3]float64
	for i := range n {
		n[i], ok = b.channel(&parts[i], channelRange(space, i), from)
		if !ok {
			return c, false
		}
	}
	c, ok = fromSpace(space, n)
	c.a = a
	return c, ok
}

// channelRange is what 100 % of a channel is; 0 of a hue.
func channelRange(space string, i int) float64 {
	switch space {
	case "rgb", "rgba":
		return 255
	case "hsl", "hsla", "hwb":
		return []float64{0, 100, 100}[i]
	case "lab":
		return []float64{100, 125, 125}[i]
	case "oklab":
		return []float64{1, .4, .4}[i]
	case "lch":
		return []float64{100, 150, 0}[i]
	case "oklch":
		return []float64{1, .4, 0}[i]
	}
	return 1
}

// channel reads a channel of a color.
func (b *builder) channel(v *value, full float64, from map[string]float64) (float64, bool) {
	if v.is("none") {
		return 0, true
	}
	if v.kind == ident {
		n, ok := from[strings.ToLower(v.text)]
		return n, ok
	}
	if v.kind == number {
		switch {
		case v.unit == "%" && full > 0:
			return v.num / 100 * full, true
		case v.unit == "":
			return v.num, true
		case full == 0:
			return degrees(v)
		}
		return 0, false
	}
	if v.kind == function {
		arg := *v
		if from != nil {
			arg = replaceChannels(*v, from)
		}
		q, ok := b.math(&arg)
		if ok && !q.scalar && !(q.len.Px != 0) && q.len.Calc == nil {
			return q.len.Percent / 100 * full, true
		}
		return q.num, ok && q.scalar
	}
	return 0, false
}

// replaceChannels puts numbers in place of the names of channels.
func replaceChannels(v value, from map[string]float64) value {
	args := make([]value, len(v.args))
	for i, a := range v.args {
		if n, ok := from[strings.ToLower(a.text)]; a.kind == ident && ok {
			a = value{kind: number, num: n, space: a.space}
		} else if len(a.args) > 0 {
			a = replaceChannels(a, from)
		}
		args[i] = a
	}
	v.args = args
	return v
}

// channels returns the channels of a color by name, for relative colors.
func channels(c rgb, space string) map[string]float64 {
	m := map[string]float64{"alpha": c.a}
	set := func(names string, v [3]float64) map[string]float64 {
		for i, n := range strings.Fields(names) {
			m[n] = v[i]
		}
		return m
	}
	switch space {
	case "rgb", "rgba":
		return set("r g b", [3]float64{c.r * 255, c.g * 255, c.b * 255})
	case "hsl", "hsla":
		return set("h s l", toHSL(c))
	case "hwb":
		h := toHSL(c)
		return set("h w b", [3]float64{h[0], 100 * min(c.r, c.g, c.b), 100 - 100*max(c.r, c.g, c.b)})
	case "lab":
		return set("l a b", toLab(c))
	case "lch":
		return set("l c h", polar(toLab(c)))
	case "oklab":
		return set("l a b", toOklab(c))
	case "oklch":
		return set("l c h", polar(toOklab(c)))
	}
	return set("r g b", [3]float64{c.r, c.g, c.b})
}

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
	case "xyz", "xyz-d65":
		return fromXYZ(n), true
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

var spaces = map[string]ColorSpace{
	"srgb": SpaceSRGB, "srgb-linear": SpaceLinear, "oklab": SpaceOklab, "oklch": SpaceOklch, "hsl": SpaceHSL,
	"hwb": SpaceHWB, "lab": SpaceLab, "lch": SpaceLCH, "xyz": SpaceXYZ, "xyz-d65": SpaceXYZ, "xyz-d50": SpaceXYZ,
	"display-p3": SpaceSRGB,
}

// interpolation reads "in oklch longer hue"; n is the number of values.
func interpolation(v []value) (space ColorSpace, way HueWay, n int, ok bool) {
	if len(v) < 2 || !v[0].is("in") || v[1].kind != ident {
		return 0, 0, 0, false
	}
	space, ok = spaces[strings.ToLower(v[1].text)]
	n = 2
	if len(v) >= 4 && v[3].is("hue") {
		n = 4
		switch strings.ToLower(v[2].text) {
		case "longer":
			way = HueLongerWay
		case "increasing":
			way = HueIncreasing
		case "decreasing":
			way = HueDecreasing
		}
	}
	return space, way, n, ok
}

func (b *builder) colorMix(v []value) (c rgb, ok bool) {
	parts := splitCommas(v)
	space, way := SpaceOklab, HueShorter
	if len(parts) == 3 {
		var n int
		if space, way, n, ok = interpolation(parts[0]); !ok || n != len(parts[0]) {
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
			if p[1].kind == number || p[1].kind == function && !isColorFunction(p[1].text) {
				k = 1
			}
			n, ok := b.numberOrPercent(&p[k])
			if !ok {
				return c, false
			}
			share[i] = n
			p = []value{p[1-k]}
		}
		if len(p) != 1 {
			return c, false
		}
		if colors[i], ok = b.rgbOf(&p[0]); !ok {
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

func isColorFunction(name string) bool {
	return strings.HasPrefix(name, "rgb") || strings.HasPrefix(name, "hsl") || strings.HasPrefix(name, "ok") ||
		strings.HasPrefix(name, "color") || name == "lab" || name == "lch" || name == "hwb" || name == "light-dark"
}

// interpolate mixes two colors with alpha, premultiplied, in a color space; t is the share of the second.
func interpolate(space ColorSpace, way HueWay, c, d rgb, t float64) rgb {
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
	case HueLongerWay:
		if d > 0 && d < 180 {
			d -= 360
		}
	case HueDecreasing:
		if d > 0 {
			d -= 360
		}
	}
	return d
}

func hueChannel(space ColorSpace) int {
	switch space {
	case SpaceHSL, SpaceHWB:
		return 0
	case SpaceOklch, SpaceLCH:
		return 2
	}
	return -1
}

func achromatic(space ColorSpace, n [3]float64) bool {
	switch space {
	case SpaceHSL:
		return n[1] < .01
	case SpaceHWB:
		return n[1]+n[2] > 99.99
	case SpaceOklch:
		return n[1] < 4e-4
	}
	return n[1] < .015
}

func coordinates(space ColorSpace, c rgb) [3]float64 {
	switch space {
	case SpaceLinear:
		return [3]float64{decodeGamma(c.r), decodeGamma(c.g), decodeGamma(c.b)}
	case SpaceOklab:
		return toOklab(c)
	case SpaceOklch:
		return polar(toOklab(c))
	case SpaceHSL:
		return toHSL(c)
	case SpaceHWB:
		m := channels(c, "hwb")
		return [3]float64{m["h"], m["w"], m["b"]}
	case SpaceLab:
		return toLab(c)
	case SpaceLCH:
		return polar(toLab(c))
	case SpaceXYZ:
		return toXYZ(c)
	}
	return [3]float64{c.r, c.g, c.b}
}

func fromCoordinates(space ColorSpace, n [3]float64) rgb {
	name := [...]string{
		SpaceSRGB: "srgb", SpaceLinear: "srgb-linear", SpaceOklab: "oklab", SpaceOklch: "oklch", SpaceHSL: "hsl",
		SpaceHWB: "hwb", SpaceLab: "lab", SpaceLCH: "lch", SpaceXYZ: "xyz",
	}[space]
	c, _ := fromSpace(name, n)
	return c
}

// Mix is interpolate for colors of eight bits.
func Mix(space ColorSpace, way HueWay, c, d color.NRGBA, t float64) color.NRGBA {
	return interpolate(space, way, fromNRGBA(c), fromNRGBA(d), t).nrgba()
}

// ParseColor reads a color as CSS writes it; current is what currentColor is.
func ParseColor(s string, current color.NRGBA) (c color.NRGBA, ok bool) {
	list := parseValues(s)
	if len(list) != 1 {
		return c, false
	}
	b := builder{root: initial.Text}
	b.text.Color = current
	v, ok := b.rgbOf(&list[0])
	return v.nrgba(), ok
}

// ParseTransform reads the transform attribute of SVG, whose numbers are px and degrees; ok is false if it is invalid.
func ParseTransform(s string) (list [][6]float64, ok bool) {
	for _, f := range parseValues(s) {
		if f.delim(",") {
			continue
		}
		if f.kind != function || len(list) > maxList {
			return nil, false
		}
		var n []float64
		for _, a := range f.args {
			if a.kind == number {
				n = append(n, a.num)
			} else if !a.delim(",") {
				return nil, false
			}
		}
		m, ok := attributeMatrix(f.text, n)
		if !ok {
			return nil, false
		}
		list = append(list, m...)
	}
	return list, true
}

// attributeMatrix returns the matrices of a function of the transform attribute.
func attributeMatrix(name string, n []float64) ([][6]float64, bool) {
	const rad = math.Pi / 180
	get := func(i int, initial float64) float64 {
		if i < len(n) {
			return n[i]
		}
		return initial
	}
	if len(n) == 0 {
		return nil, false
	}
	switch name {
	case "matrix":
		if len(n) != 6 {
			return nil, false
		}
		return [][6]float64{{n[0], n[1], n[2], n[3], n[4], n[5]}}, true
	case "translate":
		return [][6]float64{{1, 0, 0, 1, n[0], get(1, 0)}}, true
	case "scale":
		return [][6]float64{{n[0], 0, 0, get(1, n[0]), 0, 0}}, true
	case "rotate":
		sin, cos := math.Sincos(n[0] * rad)
		x, y := get(1, 0), get(2, 0)
		return [][6]float64{{1, 0, 0, 1, x, y}, {cos, sin, -sin, cos, 0, 0}, {1, 0, 0, 1, -x, -y}}, true
	case "skewx":
		return [][6]float64{{1, 0, math.Tan(n[0] * rad), 1, 0, 0}}, true
	case "skewy":
		return [][6]float64{{1, math.Tan(n[0] * rad), 0, 1, 0, 0}}, true
	}
	return nil, false
}

// ParseDeclarations splits the text of a style attribute into properties and their values as text.
func ParseDeclarations(s string) map[string]string {
	sheet := &Sheet{}
	m := map[string]string{}
	for _, d := range sheet.inline(s, 1, 1) {
		m[d.name] = strings.TrimSpace(textOf(d.values))
	}
	return m
}

// NumberOf splits a number from its unit.
func NumberOf(s string) (num float64, unit string) { return numberOf(s) }
