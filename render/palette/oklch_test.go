package palette_test

import (
	"image/color"
	"math"
	"testing"

	"masthead/render/palette"
)

// The reference values are those of CSS Color 4 and of Ottosson's own converter.
func TestToLCH_referenceColors_match(t *testing.T) {
	for _, c := range []struct {
		hex     uint32
		l, c, h float64
	}{
		{0xFF0000, 0.62796, 0.25768, 29.234},
		{0x00FF00, 0.86644, 0.29483, 142.495},
		{0x0000FF, 0.45201, 0.31321, 264.052},
		{0xFFFF00, 0.96798, 0.21101, 109.769},
		{0x808080, 0.59987, 0, math.NaN()},
		{0xFFFFFF, 1, 0, math.NaN()},
		{0x000000, 0, 0, math.NaN()},
	} {
		got := palette.ToLCH(palette.RGB(c.hex))
		if math.Abs(got.L-c.l) > 1e-4 || math.Abs(got.C-c.c) > 1e-4 || (c.c > 0 && math.Abs(got.H-c.h) > 0.01) {
			t.Errorf("#%06X: got %+v, want %v %v %v", c.hex, got, c.l, c.c, c.h)
		}
	}
}

// Every color of a grid through sRGB survives the way to OKLCH and back exactly.
func TestToLCH_andBack_isExact(t *testing.T) {
	for r := 0; r < 256; r += 15 {
		for g := 0; g < 256; g += 15 {
			for b := 0; b < 256; b += 15 {
				c := color.NRGBA{R: uint8(r), G: uint8(g), B: uint8(b), A: 255}
				if got := palette.ToLCH(c).Color(); got != c {
					t.Fatalf("%s came back as %s", palette.Hex(c), palette.Hex(got))
				}
			}
		}
	}
}

// Out of gamut only chroma gives way: lightness and hue stay where they were asked for.
func TestColor_outOfGamut_lowersChromaAlone(t *testing.T) {
	for l := 0.1; l < 0.95; l += 0.05 {
		for h := 0.0; h < 360; h += 15 {
			want := palette.LCH{L: l, C: 0.4, H: h}
			got := palette.ToLCH(want.Color())
			if math.Abs(got.L-want.L) > 0.006 {
				t.Errorf("%+v: lightness became %.3f", want, got.L)
			}
			if d := math.Abs(math.Remainder(got.H-h, 360)); got.C > 0.05 && d > 3.5 {
				t.Errorf("%+v: hue became %.1f", want, got.H)
			}
			if got.C >= want.C {
				t.Errorf("%+v: chroma became %.3f", want, got.C)
			}
		}
	}
	if got := (palette.LCH{L: 1.2, C: .1, H: 40}).Color(); got != palette.RGB(0xFFFFFF) {
		t.Errorf("lighter than white is %s", palette.Hex(got))
	}
}

func TestContrast_referencePairs_match(t *testing.T) {
	for _, c := range []struct {
		a, b uint32
		want float64
	}{
		{0xFFFFFF, 0x000000, 21},
		{0x777777, 0xFFFFFF, 4.478},
		{0x767676, 0xFFFFFF, 4.542},
		{0x0000FF, 0xFFFFFF, 8.592},
		{0x123456, 0x123456, 1},
	} {
		a, b := palette.RGB(c.a), palette.RGB(c.b)
		if got := palette.Contrast(a, b); math.Abs(got-c.want) > 0.001 || got != palette.Contrast(b, a) {
			t.Errorf("#%06X on #%06X: got %.3f, want %.3f", c.a, c.b, got, c.want)
		}
	}
}

// Between two stops a painter interpolates in sRGB; that must not be seen against the exact mix.
func TestGradient_betweenStops_isCloseToExactMix(t *testing.T) {
	for _, c := range [][2]uint32{
		{0x0F172A, 0x4338CA}, {0x0072FF, 0x3A0064}, {0xFACC15, 0xE11D48}, {0x000000, 0xFFFFFF},
	} {
		a, b := palette.RGB(c[0]), palette.RGB(c[1])
		stops := palette.Gradient(a, b)
		if len(stops) < 9 || stops[0] != a || stops[len(stops)-1] != b {
			t.Fatalf("%d stops from %v to %v", len(stops), stops[0], stops[len(stops)-1])
		}
		for i := range 1000 {
			at := float64(i) / 1000
			k, f := math.Modf(at * float64(len(stops)-1))
			p, q := stops[int(k)], stops[int(k)+1]
			exact := mixed(a, b, at)
			for ch, v := range [3]float64{lerp(p.R, q.R, f), lerp(p.G, q.G, f), lerp(p.B, q.B, f)} {
				if d := math.Abs(v - exact[ch]); d > 4.5 { // half a level of it is the rounding of the exact mix
					t.Fatalf("%06X: channel %d is off by %.1f at %.2f", c, ch, d, at)
				}
			}
		}
	}
	if got := palette.Gradient(palette.RGB(1)); len(got) != 1 {
		t.Errorf("one color gives %d stops", len(got))
	}
	if got := palette.Gradient(palette.RGB(1), palette.RGB(2), palette.RGB(3)); len(got) != 33 {
		t.Errorf("three colors give %d stops", len(got))
	}
}

// mixed returns the channels of the color at t between two in OKLab, 0 to 255.
func mixed(a, b color.NRGBA, t float64) [3]float64 {
	p, q := palette.ToLab(a), palette.ToLab(b)
	l, ma, mb := p.L+(q.L-p.L)*t, p.A+(q.A-p.A)*t, p.B+(q.B-p.B)*t
	c := palette.LCH{L: l, C: math.Hypot(ma, mb), H: math.Atan2(mb, ma) * 180 / math.Pi}.Color()
	return [3]float64{float64(c.R), float64(c.G), float64(c.B)}
}

func lerp(a, b uint8, t float64) float64 { return float64(a) + (float64(b)-float64(a))*t }

func TestParseHex_otherForms_areErrors(t *testing.T) {
	if c, err := palette.ParseHex("#4f46E5"); err != nil || c != palette.RGB(0x4F46E5) {
		t.Errorf("got %v, %v", c, err)
	}
	for _, s := range []string{"", "#", "4F46E5", "#4F46E", "#4F46E5F", "#4F46EG", "#4F46é", "indigo", "#fff"} {
		if c, err := palette.ParseHex(s); err == nil {
			t.Errorf("%q was read as %v", s, c)
		}
	}
}

func FuzzParseHex(f *testing.F) {
	for _, s := range []string{"#4F46E5", "#ffffff", "", "#", "#12345", "#1234567", "rgb(1,2,3)", "#ééé"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := palette.ParseHex(s)
		if err != nil {
			return
		}
		if again, err := palette.ParseHex(palette.Hex(c)); err != nil || again != c {
			t.Fatalf("%q became %v, then %v (%v)", s, c, again, err)
		}
	})
}
