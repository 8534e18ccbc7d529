package kit

import (
	"image"
	"image/color"
	"testing"

	"masthead/render/palette"
)

// painted returns a picture of w×h; paint gives the color of each pixel, with x and y from 0 to 1.
func painted(w, h int, paint func(x, y float64) color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, paint((float64(x)+.5)/float64(w), (float64(y)+.5)/float64(h)))
		}
	}
	return img
}

// ring paints a ring on a background; the lower half of it may have a color of its own.
func ring(ink, lower, background color.NRGBA) func(x, y float64) color.NRGBA {
	return func(x, y float64) color.NRGBA {
		d := (x-.5)*(x-.5) + (y-.5)*(y-.5)
		switch {
		case d > .2 || d < .05:
			return background
		case y > .5:
			return lower
		}
		return ink
	}
}

// TestFitLogo_foreignPictureCanBeSeen checks what is done for foreign icons and logos so that they can be seen and
// look meant.
func TestFitLogo_foreignPictureCanBeSeen(t *testing.T) {
	white, black := palette.RGB(0xFFFFFF), palette.RGB(0x0A0A0E)
	navy, orange := palette.RGB(0x14204A), palette.RGB(0xF97316)
	none := color.NRGBA{}
	checks := func(x, y float64) color.NRGBA { // flat colors, hard edges
		if int(x*8)%2 == int(y*8)%2 {
			return orange
		}
		return none
	}
	soft := func(x, y float64) color.NRGBA { return palette.Fade(orange, x) }
	spectrum := func(x, y float64) color.NRGBA {
		return palette.LCH{L: .6, C: .15, H: 360 * x}.Color()
	}
	for _, c := range []struct {
		name   string
		img    *image.NRGBA
		dark   bool
		oneInk bool
		ok     bool
		inked  bool // in one ink
		plated bool
		w, h   int // 0: any
	}{
		{name: "none", img: nil},
		{name: "no pixels", img: image.NewNRGBA(image.Rectangle{})},
		{name: "all clear", img: image.NewNRGBA(image.Rect(0, 0, 64, 64))},
		{name: "a line", img: painted(2000, 2, spectrum)},
		{name: "an orange ring", img: painted(200, 200, ring(orange, orange, none)), dark: true, ok: true, w: 56, h: 56},
		{name: "a black ring on dark", img: painted(200, 200, ring(black, black, none)), dark: true, ok: true, inked: true, w: 56, h: 56},
		{name: "a black ring on light", img: painted(200, 200, ring(black, black, none)), ok: true},
		{name: "a white ring on light", img: painted(200, 200, ring(white, white, none)), ok: true, inked: true},
		{name: "two dark colors on dark", img: painted(200, 200, ring(black, navy, none)), dark: true, ok: true, plated: true, h: 56},
		{name: "half of it dark on dark", img: painted(200, 200, ring(orange, navy, none)), dark: true, ok: true, plated: true},
		{name: "an orange ring where one ink is asked for", img: painted(200, 200, ring(orange, orange, none)), oneInk: true, ok: true, inked: true},
		{name: "two colors where one ink is asked for", img: painted(200, 200, ring(orange, black, none)), oneInk: true, ok: true},
		{name: "white background on dark", img: painted(200, 200, ring(orange, navy, white)), dark: true, ok: true, plated: true},
		{name: "white background on light", img: painted(200, 200, ring(orange, navy, white)), ok: true},
		{name: "a picture without a background", img: painted(200, 200, spectrum), dark: true, ok: true},
		{name: "tiny, in few colors: by a whole number", img: painted(16, 16, checks), dark: true, ok: true, w: 48, h: 48},
		{name: "tiny, with soft edges", img: painted(16, 16, soft), dark: true},
		{name: "wide", img: painted(1000, 100, spectrum), dark: true, ok: true, w: 212, h: 21},
		{name: "high", img: painted(100, 400, spectrum), dark: true, ok: true, w: 14, h: 56},
		{
			name: "part of a larger picture", dark: true, ok: true, w: 56, h: 56,
			img: painted(400, 400, ring(orange, orange, none)).SubImage(image.Rect(13, 13, 387, 387)).(*image.NRGBA),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			th := palette.New(palette.RGB(0x4F46E5), c.dark)
			logo, ok := FitLogo(c.img, Surface{Color: th.BG, Text: th.Text, OneInk: c.oneInk}, 212, 56)
			if ok != c.ok {
				t.Fatalf("ok is %v, want %v", ok, c.ok)
			}
			if !ok {
				return
			}
			if got := logo.ink.A != 0; got != c.inked {
				t.Errorf("drawn in one ink: %v, want %v", got, c.inked)
			}
			if got := logo.plate.A != 0; got != c.plated {
				t.Errorf("on a plate: %v, want %v", got, c.plated)
			}
			if logo.W > 212 || logo.H > 56 || c.w != 0 && logo.W != c.w || c.h != 0 && logo.H != c.h {
				t.Errorf("the size is %dx%d, want %dx%d", logo.W, logo.H, c.w, c.h)
			}
		})
	}
}

// TestFitLogo_wordmarksAreAsLargeAsTheyLook checks the size of logos of all proportions in one box: from that of a
// square one to twice as large, and no icon is a sliver.
func TestFitLogo_wordmarksAreAsLargeAsTheyLook(t *testing.T) {
	orange, white := palette.RGB(0xF97316), palette.RGB(0xFFFFFF)
	flat := func(x, y float64) color.NRGBA { // round
		if (x-.5)*(x-.5)+(y-.5)*(y-.5) > .25 {
			return color.NRGBA{}
		}
		return orange
	}
	within := func(x, y float64) color.NRGBA { // a wordmark in the middle of a white square
		if x > .2 && x < .8 && y > .45 && y < .6 {
			return orange
		}
		return white
	}
	on := Surface{Color: palette.RGB(0x101014), Text: white}
	for _, c := range []struct {
		name string
		img  *image.NRGBA
		w, h int
		icon bool
	}{
		{"square", painted(200, 200, flat), 56, 56, true},
		{"2 to 1", painted(200, 100, flat), 112, 56, true},
		{"4 to 1", painted(400, 100, flat), 164, 41, false},
		{"5 to 1", painted(500, 100, flat), 185, 37, false},
		{"10 to 1", painted(1000, 100, flat), 212, 21, false},
		{"high", painted(100, 300, flat), 19, 56, false},
		{"a wordmark on a white square", painted(400, 400, within), 160, 41, true},
		{"32 px of pixel art", painted(32, 32, flat), 56, 56, true},
		{"24 px of pixel art", painted(24, 24, flat), 48, 48, true},
	} {
		l, ok := FitLogo(c.img, on, 212, 56)
		if !ok || max(l.W-c.w, c.w-l.W) > 2 || max(l.H-c.h, c.h-l.H) > 2 {
			t.Errorf("%s: %v, %d×%d, want %d×%d", c.name, ok, l.W, l.H, c.w, c.h)
		}
		if _, ok := FitIcon(c.img, on, 40); ok != c.icon {
			t.Errorf("%s as an icon: %v, want %v", c.name, ok, c.icon)
		}
	}
}
