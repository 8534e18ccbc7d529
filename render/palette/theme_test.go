package palette_test

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"masthead/render/palette"
)

var accents = []uint32{0x4F46E5, 0xE11D48, 0xFACC15, 0x10B981, 0x111827, 0xFFFFFF}

// tokens in the order of the table below.
func tokens(t palette.Theme) []color.NRGBA {
	return []color.NRGBA{
		t.BG, t.Surface1, t.Surface2, t.Line, t.Text, t.Muted, t.AccentText, t.Gfx, t.Fill, t.On,
		t.Background, t.OnBackground,
	}
}

// A changed value here is a changed look of every card: look at the goldens before accepting it.
func TestNew_testAccents_matchTable(t *testing.T) {
	for _, c := range tokenTable {
		th := palette.New(palette.RGB(c.accent), c.dark)
		for i, got := range tokens(th) {
			if palette.Hex(got) != c.want[i] {
				t.Errorf("#%06X dark=%v %s: got %s, want %s",
					c.accent, c.dark, tokenNames[i], palette.Hex(got), c.want[i])
			}
		}
	}
}

// everyAccent calls f with the table's accents and with a grid through all of sRGB, in both modes.
func everyAccent(f func(name string, th palette.Theme)) {
	all := append([]uint32(nil), accents...)
	for r := uint32(0); r < 256; r += 51 {
		for g := uint32(0); g < 256; g += 51 {
			for b := uint32(0); b < 256; b += 51 {
				all = append(all, r<<16|g<<8|b)
			}
		}
	}
	for _, hex := range all {
		for _, dark := range []bool{true, false} {
			f(fmt.Sprintf("#%06X dark=%v", hex, dark), palette.New(palette.RGB(hex), dark))
		}
	}
}

func TestNew_anyAccent_hasContrast(t *testing.T) {
	everyAccent(func(name string, th palette.Theme) {
		for _, c := range []struct {
			what           string
			fg, background color.NRGBA
			least          float64
		}{
			{"text on bg", th.Text, th.BG, 12},
			{"text on surface1", th.Text, th.Surface1, 10},
			{"text on surface2", th.Text, th.Surface2, 10},
			{"muted on bg", th.Muted, th.BG, 4.5},
			{"muted on surface1", th.Muted, th.Surface1, 4.5},
			{"muted on surface2", th.Muted, th.Surface2, 4.5},
			{"accent text on bg", th.AccentText, th.BG, 4.5},
			{"accent text made for surface1", th.AccentTextOn(th.Surface1), th.Surface1, 4.5},
			{"accent text made for surface2", th.AccentTextOn(th.Surface2), th.Surface2, 4.5},
			{"accent text made for mid-gray", th.AccentTextOn(palette.RGB(0x757575)), palette.RGB(0x757575), 4.5},
			{"on on fill", th.On, th.Fill, 4.5},
			{"on on background", th.OnBackground, th.Background, 4.5},
			{"gfx on bg", th.Gfx, th.BG, 3},
			{"fill on bg", th.Fill, th.BG, 1.8},
		} {
			if (c.fg == th.Gfx || c.fg == th.Fill) && c.fg == th.Accent && th.Bright() { // it is seen by its color
				if d := palette.ToLab(c.fg).Distance(palette.ToLab(c.background)); d < .10 {
					t.Errorf("%s: %s is %.3f from it", name, c.what, d)
				}
				continue
			}
			if got := palette.Contrast(c.fg, c.background); got < c.least {
				t.Errorf("%s: %s has %.2f (%s on %s)", name, c.what, got, palette.Hex(c.fg), palette.Hex(c.background))
			}
		}
	})
}

// A light yellow or a neon on a light card is shown as it is or not at all: no token is an olive or a forest of it.
func TestNew_brightAccent_isNeverDarkened(t *testing.T) {
	bright := 0
	everyAccent(func(name string, th palette.Theme) {
		if !th.Bright() {
			return
		}
		bright++
		for _, c := range []color.NRGBA{th.AccentText, th.Gfx, th.Fill, th.AccentTextOn(th.Surface2)} {
			if l := palette.ToLCH(c); l.C > .04 && l.L < th.LCH.L-.02 {
				t.Errorf("%s: %s is the accent made dark", name, palette.Hex(c))
			}
		}
	})
	if bright < 10 {
		t.Errorf("%d accents are bright, want some", bright)
	}
}

// A monochrome brand looks monochrome: no token has a chroma that one can name.
func TestNew_neutralAccent_staysNeutral(t *testing.T) {
	for _, hex := range []uint32{0x111827, 0xFFFFFF, 0x000000, 0x808080, 0x18181B} {
		for _, dark := range []bool{true, false} {
			th := palette.New(palette.RGB(hex), dark)
			if !th.Neutral {
				t.Fatalf("#%06X is not neutral", hex)
			}
			if th.AccentText != th.Text || th.Gfx != th.Text {
				t.Errorf("#%06X dark=%v: accent text %s, gfx %s, text %s",
					hex, dark, palette.Hex(th.AccentText), palette.Hex(th.Gfx), palette.Hex(th.Text))
			}
			all := append(tokens(th), th.Ramp(.5, 1, 0), th.Ramp(.3, 1, 60), th.Ramp(.9, .5, -60))
			for _, c := range all {
				if got := palette.ToLCH(c).C; got > 0.0351 {
					t.Errorf("#%06X dark=%v: %s has a chroma of %.3f", hex, dark, palette.Hex(c), got)
				}
			}
		}
	}
}

func TestRamp_darkOrYellow_isGuarded(t *testing.T) {
	violet := palette.New(palette.RGB(0x4F46E5), true)
	if c := palette.ToLCH(violet.Ramp(.30, 1, 0)).C; c > .101 {
		t.Errorf("a dark ramp glows with a chroma of %.3f", c)
	}
	if c := palette.ToLCH(violet.Ramp(.50, 1, 0)).C; c < .2 {
		t.Errorf("a middle ramp has a chroma of only %.3f", c)
	}
	yellow := palette.New(palette.RGB(0xFACC15), true)
	if c := palette.ToLCH(yellow.Ramp(.40, 1, 0)).C; c > .046 {
		t.Errorf("dark yellow is mud with a chroma of %.3f", c)
	}
	for dh, want := range map[float64]float64{60: 10, -60: -25, 5: 5, -10: -10} {
		got := palette.ToLCH(yellow.Ramp(.80, .5, dh)).H - yellow.LCH.H
		if math.Abs(got-want) > 3 {
			t.Errorf("yellow turned by %v is turned by %.1f, want %v", dh, got, want)
		}
	}
	if got, want := palette.ToLCH(violet.Ramp(.5, .5, 120)).H, violet.LCH.H+120-360; math.Abs(got-want) > 3 {
		t.Errorf("violet turned by 120 has hue %.1f, want %.1f", got, want)
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		palette.New(palette.RGB(0xFACC15), false)
	}
}
