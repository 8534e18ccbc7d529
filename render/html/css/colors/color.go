// Package colors reads the colors of CSS, converts them between its color spaces, and mixes them.
package colors

import (
	"image/color"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"

	"masthead/render/html/css/value"
)

// Context is what colors depend on: those that refer to others, and the units of calculations.
type Context interface {
	value.Units
	CurrentColor() color.NRGBA
	Dark() bool // of the two of light-dark()
}

// Reader reads colors.
type Reader struct{ Context Context }

func (r Reader) values() value.Reader { return value.Reader{Units: r.Context} }

// plain is the context of a color that has no element: a light page, and no units.
type plain struct{ current color.NRGBA }

func (p plain) CurrentColor() color.NRGBA          { return p.current }
func (plain) Dark() bool                           { return false }
func (plain) Unit(float64, string) (float64, bool) { return 0, false }

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

// Color reads a color.
func (r Reader) Color(v *value.Value) (Color, bool) {
	if v.Is("currentcolor") {
		return Color{Current: true}, true
	}
	c, ok := r.rgbOf(v)
	if !ok {
		return Color{}, false
	}
	return Color{NRGBA: c.nrgba()}, true
}

// rgbOf reads a color, with currentColor as it is.
func (r Reader) rgbOf(v *value.Value) (rgb, bool) {
	switch v.Kind {
	case value.Hash:
		c, ok := hexColor(v.Text)
		return fromNRGBA(c), ok
	case value.Ident:
		if v.Is("currentcolor") {
			return fromNRGBA(r.Context.CurrentColor()), true
		}
		c, ok := namedColor(v.Text)
		return fromNRGBA(c), ok
	case value.Function:
		return r.colorFunction(v)
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

// Named reports whether a word is a color: red, transparent, currentColor.
func Named(name string) bool {
	_, ok := namedColor(name)
	return ok || strings.EqualFold(name, "currentcolor")
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
func components(v []value.Value) (parts []value.Value, alpha *value.Value) {
	if main, after, ok := value.SplitSlash(v); ok {
		if len(after) != 1 {
			return nil, nil
		}
		return main, &after[0]
	}
	commas := value.SplitCommas(v)
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

func (r Reader) colorFunction(v *value.Value) (c rgb, ok bool) {
	switch v.Text {
	case "color-mix":
		return r.colorMix(v.Args)
	case "contrast-color":
		return r.contrastColor(v.Args)
	case "light-dark":
		return r.lightDark(v.Args)
	}
	args := v.Args
	var from map[string]float64
	space := v.Text
	if len(args) > 2 && args[0].Is("from") {
		base, ok := r.rgbOf(&args[1])
		if !ok {
			return c, false
		}
		args = args[2:]
		name := space
		if space == "color" && len(args) > 0 {
			name = strings.ToLower(args[0].Text)
		}
		from = channels(base, name)
	}
	parts, alpha := components(args)
	if space == "color" {
		if len(parts) != 4 || parts[0].Kind != value.Ident {
			return c, false
		}
		space = strings.ToLower(parts[0].Text)
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
		n, ok := r.channel(alpha, 1, from)
		if !ok {
			return c, false
		}
		a = min(max(n, 0), 1)
	}
	var n [3]float64
	for i := range n {
		n[i], ok = r.channel(&parts[i], channelRange(space, i), from)
		if !ok {
			return c, false
		}
	}
	c, ok = fromSpace(space, n)
	c.a = a
	return c, ok
}

// contrastColor reads the argument of contrast-color(): the result is white or black, by the contrast of WCAG 2.
func (r Reader) contrastColor(v []value.Value) (c rgb, ok bool) {
	if len(v) != 1 {
		return c, false
	}
	base, ok := r.rgbOf(&v[0])
	if y := toXYZ(base)[1] + .05; 1.05/y >= y/.05 {
		return rgb{1, 1, 1, 1}, ok
	}
	return rgb{0, 0, 0, 1}, ok
}

// lightDark reads the arguments of light-dark().
func (r Reader) lightDark(v []value.Value) (c rgb, ok bool) {
	parts := value.SplitCommas(v)
	if len(parts) != 2 || len(parts[0]) != 1 || len(parts[1]) != 1 {
		return c, false
	}
	if r.Context.Dark() {
		return r.rgbOf(&parts[1][0])
	}
	return r.rgbOf(&parts[0][0])
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
func (r Reader) channel(v *value.Value, full float64, from map[string]float64) (float64, bool) {
	if v.Is("none") {
		return 0, true
	}
	if v.Kind == value.Ident {
		n, ok := from[strings.ToLower(v.Text)]
		return n, ok
	}
	if v.Kind == value.Number {
		switch {
		case v.Unit == "%" && full > 0:
			return v.Num / 100 * full, true
		case v.Unit == "":
			return v.Num, true
		case full == 0:
			return value.Degrees(v)
		}
		return 0, false
	}
	if v.Kind == value.Function {
		arg := *v
		if from != nil {
			arg = replaceChannels(*v, from)
		}
		return r.values().NumberOrPercent(&arg, full)
	}
	return 0, false
}

// replaceChannels puts numbers in place of the names of channels.
func replaceChannels(v value.Value, from map[string]float64) value.Value {
	args := make([]value.Value, len(v.Args))
	for i, a := range v.Args {
		if n, ok := from[strings.ToLower(a.Text)]; a.Kind == value.Ident && ok {
			a = value.Value{Kind: value.Number, Num: n, Space: a.Space}
		} else if len(a.Args) > 0 {
			a = replaceChannels(a, from)
		}
		args[i] = a
	}
	v.Args = args
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

// Parse reads a color as CSS writes it; current is what currentColor is.
func Parse(s string, current color.NRGBA) (c color.NRGBA, ok bool) {
	list := value.Parse(s)
	if len(list) != 1 {
		return c, false
	}
	v, ok := Reader{Context: plain{current}}.rgbOf(&list[0])
	return v.nrgba(), ok
}

// Color is a color or currentColor.
type Color struct {
	color.NRGBA
	Current bool
}

// Of returns the color, with current as currentColor.
func (c Color) Of(current color.NRGBA) color.NRGBA {
	if c.Current {
		return current
	}
	return c.NRGBA
}
