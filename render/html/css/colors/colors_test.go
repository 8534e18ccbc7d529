package colors_test

import (
	"fmt"
	"image/color"
	"testing"

	. "masthead/render/html/css/colors"
)

func TestParse(t *testing.T) {
	for source, want := range map[string]color.NRGBA{
		"#abc": {0xaa, 0xbb, 0xcc, 255}, "#12345678": {0x12, 0x34, 0x56, 0x78}, "rebeccapurple": {102, 51, 153, 255},
		"rgb(1 2 3 / 50%)": {1, 2, 3, 128}, "rgba(255,0,0,.2)": {255, 0, 0, 51}, "hsl(120deg 100% 25%)": {0, 128, 0, 255},
		"hwb(0 20% 20%)": {204, 51, 51, 255}, "oklch(62.8% .25768 29.23)": {255, 0, 0, 255}, "transparent": {},
		"lab(50% 0 0)": {119, 119, 119, 255}, "color(srgb 1 .5 0)": {255, 128, 0, 255},
		"color-mix(in srgb, red, blue)": {128, 0, 128, 255}, "color-mix(in srgb, red 25%, white)": {255, 191, 191, 255},
		"color-mix(in srgb, red 20%, blue 20%)": {128, 0, 128, 102}, "rgb(from red r g 128)": {255, 0, 128, 255},
		"hsl(from red h s calc(l / 2))": {128, 0, 0, 255}, "color(a98-rgb .4 .7 .2)": {15, 180, 27, 255},
		"color(rec2020 .2 .6 .3)": {0, 171, 80, 255}, "color(prophoto-rgb .4 .5 .2)": {113, 151, 37, 255},
		"color(xyz-d50 .9643 1 .8251)": {255, 255, 255, 255}, "contrast-color(#123)": {255, 255, 255, 255},
		"contrast-color(#9ab)": {0, 0, 0, 255},
		"currentcolor":         {9, 9, 9, 255}, "light-dark(red, blue)": {255, 0, 0, 255},
	} {
		got, ok := Parse(source, color.NRGBA{9, 9, 9, 255})
		if !ok || got != want {
			t.Errorf("%s is %v, %v; want %v", source, got, ok, want)
		}
	}
	for _, source := range []string{
		"", "nonsense", "#12", "#12345", "red blue", "rgb(1 2)", "rgb(1 2 3 4)", "color(srgb 1 2)", "color-mix(red)",
		"hsl(1px 2% 3%)", "light-dark(red)", "rgb(from nonsense r g b)", "color-mix(in srgb, red 0%, blue 0%)",
	} {
		if got, ok := Parse(source, color.NRGBA{}); ok {
			t.Errorf("%q is %v, want no color", source, got)
		}
	}
}

// TestMix_ends holds that a mix with nothing of the other color is the color, in every space.
func TestMix_ends(t *testing.T) {
	a, b := color.NRGBA{200, 30, 90, 255}, color.NRGBA{10, 220, 40, 128}
	for space := SRGB; space <= XYZ; space++ {
		for way := HueShorter; way <= HueDecreasing; way++ {
			if got := Mix(space, way, a, b, 0); got != a {
				t.Errorf("space %d, way %d: the first is %v, want %v", space, way, got, a)
			}
			if got := Mix(space, way, a, b, 1); got != b {
				t.Errorf("space %d, way %d: the second is %v, want %v", space, way, got, b)
			}
		}
	}
}

// FuzzParse reads any color, again in hexadecimal digits, and mixes it with another one in every space.
func FuzzParse(f *testing.F) {
	f.Add("color-mix(in oklch longer hue, rgb(from red calc(r / 2) g b / .5) 20%, color(rec2020 .1 1e9 -1))")
	f.Add("hsl(none 20% calc(1% * infinity))")
	f.Fuzz(func(t *testing.T, source string) {
		c, _ := Parse(source, color.NRGBA{1, 2, 3, 255})
		hex := fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
		if again, same := Parse(hex, color.NRGBA{}); !same || again != c {
			t.Errorf("%q is %v, and in hexadecimal digits %v", source, c, again)
		}
		for space := SRGB; space <= XYZ; space++ {
			Mix(space, HueLonger, c, color.NRGBA{9, 90, 200, 120}, .3)
		}
	})
}
