package page_test

import (
	"fmt"
	"image/color"
	"testing"

	"masthead/pkg/page"
)

func TestParseColor_texts_readOrRefused(t *testing.T) {
	for in, want := range map[string]string{ // rrggbbaa, "" is no color
		"#f80": "ff8800ff", " #F80C ": "ff8800cc", "#ff8800": "ff8800ff", "#ff880080": "ff880080",
		"#ff88": "ffff8888", "#ff8": "ffff88ff", "#12345": "", "#ggg": "", "#": "", "#+12": "", "ff8800": "",
		"rgb(255, 136, 0)": "ff8800ff", "rgb(255 136 0)": "ff8800ff", "RGBA(255,136,0,.5)": "ff880080",
		"rgb(255 136 0 / 50%)": "ff880080",
		"rgb(100%, 50%, 0%)":   "ff8000ff", "rgb(300, -5, 0)": "ff0000ff", "rgb(1e9 0 0)": "ff0000ff", "rgb(1,2)": "",
		"rgb(a,b,c)": "", "rgb(1,2,3": "",
		"rgb(none 136 0)": "008800ff", "rgb(NaN,0,0)": "", "rgb(inf,0,0)": "",
		"hsl(0, 100%, 50%)": "ff0000ff", "hsl(120deg 100% 25%)": "008000ff", "hsl(240 100% 50% / 0.5)": "0000ff80",
		"hsl(.5turn 100% 50%)": "00ffffff",
		"hsl(-120, 100%, 50%)": "0000ffff", "hsla(200grad,100%,50%,1)": "00ffffff",
		"hsl(3.14159265rad 100% 50%)": "00ffffff", "hsl(0 0% 50%)": "808080ff",
		"hsl(1e308turn 0% 0%)": "", "hsl(60 100 50)": "ffff00ff", "hsl(0)": "",
		"red": "ff0000ff", "RebeccaPurple": "663399ff", "transparent": "00000000", "LightGoldenrodYellow": "fafad2ff",
		"currentcolor": "", "inherit": "", "": "",
		"var(--x)": "", "color(srgb 1 0 0)": "",
	} {
		got := ""
		if c, ok := page.ParseColor(in); ok {
			got = fmt.Sprintf("%02x%02x%02x%02x", c.R, c.G, c.B, c.A)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func FuzzColor(f *testing.F) {
	for _, seed := range []string{"#f80c", "rgb(1 2% 3 / .5)", "hsl(1e3turn,50%,50%)", "hsl(-1rad 1 1)", "tomato",
		"rgba(1,2,3,none)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, ok := page.ParseColor(s)
		if !ok && c != (color.NRGBA{}) {
			t.Errorf("%q: no color, but %v", s, c)
		}
		if again, known := page.ParseColor(fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A)); ok &&
			(!known || again != c) {
			t.Errorf("%q: got %v, then %v", s, c, again)
		}
	})
}
