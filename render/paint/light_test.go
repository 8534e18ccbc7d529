package paint_test

import (
	"math"
	"testing"

	"masthead/render/paint"
	"masthead/render/palette"
)

// TestLit_gradient_isSmoothAndTrue enlarges a light that goes evenly from black to white: each pixel is what it should
// be, and with dither the mean of a row is to a fifth of a level.
func TestLit_gradient_isSmoothAndTrue(t *testing.T) {
	const w, h = 320, 400
	light := paint.NewLight(paint.LightKey{Scene: "test-gradient", W: w, H: h}, func(l *paint.Lamp) {
		l.Down(0, h, black, white)
	})
	for _, dither := range []bool{false, true} {
		c := paint.New(w, h, paint.Lit{Light: light, Dither: dither})
		for y := 8; y < h-8; y++ {
			want, sum := 255*(float64(y)+.5)/h, 0.0
			for x := range w {
				got := float64(c.At(x, y).G)
				if sum += got; math.Abs(got-want) > 1.01 {
					t.Fatalf("dither %v: row %d has %v, want %.2f", dither, y, got, want)
				}
			}
			if off := math.Abs(sum/w - want); dither && off > .2 {
				t.Errorf("row %d has %.2f in the mean, want %.2f", y, sum/w, want)
			}
		}
		c.Release()
	}
}

// TestLit_flutes_showSlicesMirrored looks through glass at a ramp along x: it rises to the right where there is no
// glass, falls within each flute, as many times as fast as the glass bends, and is mirrored whole.
func TestLit_flutes_showSlicesMirrored(t *testing.T) {
	const w, h, from, flute, bend = 480, 40, 160, 40, 2
	light := paint.NewLight(paint.LightKey{Scene: "test-flutes", W: w, H: h}, func(l *paint.Lamp) {
		l.Down(0, h, black)
		for x := range 2*w + 1 { // from the left edge on it grows lighter
			l.Beam(paint.Beam{
				Y0: -100, Y1: h + 100, Left0: float64(x), Left1: float64(x), Right0: 4 * w, Right1: 4 * w, Sigma: .5,
			}, paint.LightStop{Color: white, Alpha: .002}, paint.LightStop{At: 1, Color: white, Alpha: .002})
		}
	})
	plain := paint.New(w, h, paint.Lit{Light: light})
	glass := paint.Glass{Flutes: paint.Flutes{From: from, Width: flute, Bend: bend}}
	seen := paint.New(w, h, paint.Lit{Light: light, Glass: &glass})
	mirrored := paint.New(w, h, paint.Lit{Light: light, Glass: &glass, Mirror: true})
	for x := range w {
		want := x
		if x >= from {
			middle := float64(from+(x-from)/flute*flute) + flute/2
			want = int(middle - bend*(float64(x)+.5-middle))
		}
		if want < w {
			if got, want := int(seen.At(x, 20).R), int(plain.At(want, 20).R); got < want-2 || got > want+2 {
				t.Errorf("through glass %d is seen at %d, want %d", got, x, want)
			}
		}
		if seen.At(x, 20) != mirrored.At(w-1-x, 20) {
			t.Errorf("what is mirrored differs at %d", x)
		}
	}
	if plain.At(40, 20).R >= plain.At(120, 20).R {
		t.Error("the ramp does not rise")
	}
	for _, c := range []*paint.Canvas{plain, seen, mirrored} {
		c.Release()
	}
}

// TestNewLight_sameKey_isDrawnTwice checks that a light is kept where it is asked for again.
func TestNewLight_sameKey_isDrawnTwice(t *testing.T) {
	drawn := 0
	for _, accent := range []uint32{0x4F46E5, 0x4F46E5, 0x4F46E5, 0xE11D48} {
		paint.NewLight(paint.LightKey{Scene: "test-kept", W: 64, H: 64, Accent: palette.RGB(accent)},
			func(l *paint.Lamp) { l.Down(0, 64, black); drawn++ })
	}
	if drawn != 3 {
		t.Errorf("two lights are drawn %d times", drawn)
	}
}

// BenchmarkLit paints a background of soft light that is known, seen through glass.
func BenchmarkLit(b *testing.B) {
	light := paint.NewLight(paint.LightKey{Scene: "bench", W: cardW, H: cardH}, func(l *paint.Lamp) {
		l.Disc(900, 300, 500, 500, paint.LightStop{Color: white, Alpha: 1}, paint.LightStop{At: 1, Color: white})
	})
	glass := &paint.Glass{Flutes: paint.Flutes{From: 480, Width: 48, Bend: 3.6, Edge: white, EdgeW: 2}}
	for b.Loop() {
		paint.New(cardW, cardH, paint.Lit{Light: light, Glass: glass, Dither: true}).Release()
	}
}
