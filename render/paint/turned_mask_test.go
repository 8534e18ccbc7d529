package paint

import (
	"image"
	"math"
	"testing"
)

// bars is a mask of some bars, twice as large as they are drawn.
func bars() *image.Alpha {
	m := image.NewAlpha(image.Rect(-4, 2, 60, 90))
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			if (x/6+y/10)%3 == 0 {
				m.Pix[m.PixOffset(x, y)] = uint8(255 - 3*x)
			}
		}
	}
	return m
}

// Without a rotation, each pixel has the mean of four of the mask.
func TestTurnMask_noAngle_isTheMeanOfFourPixels(t *testing.T) {
	src, at := bars(), Point{X: 10, Y: 20}
	got := TurnMask(src, at, Turn{X: 33, Y: 7}, image.Rect(0, 0, 200, 200))
	for y := range 200 {
		for x := range 200 {
			sum := 0
			for k := range 4 {
				sum += int(src.AlphaAt(2*(x-10)+k%2, 2*(y-20)+k/2).A)
			}
			if want := uint8((sum + 2) / 4); got.AlphaAt(x, y).A != want {
				t.Fatalf("%d,%d has %d, want %d", x, y, got.AlphaAt(x, y).A, want)
			}
		}
	}
}

// A quarter of a turn moves each pixel to its place, and any angle keeps the coverage of the shape.
func TestTurnMask_angles_moveAllOfTheShape(t *testing.T) {
	src, at, within := bars(), Point{X: 90, Y: 80}, image.Rect(0, 0, 240, 240)
	straight := TurnMask(src, at, Turn{}, within)
	quarter := TurnMask(src, at, Turn{X: 100, Y: 100, Angle: math.Pi / 2}, within)
	for y := range 200 {
		for x := range 200 {
			want := straight.AlphaAt(x, y).A
			if got := quarter.AlphaAt(199-y, x).A; got > want+1 || want > got+1 {
				t.Fatalf("%d,%d moved to %d,%d: %d, want %d", x, y, 199-y, x, got, want)
			}
		}
	}
	total := func(m *image.Alpha) (sum float64) {
		for _, v := range m.Pix {
			sum += float64(v)
		}
		return sum
	}
	for _, angle := range []float64{-.035, .2, 1, 3} {
		m := TurnMask(src, at, Turn{X: 100, Y: 100, Angle: angle}, within)
		if got, want := total(m), total(straight); math.Abs(got/want-1) > .01 {
			t.Errorf("turned by %v it covers %.0f, want %.0f", angle, got, want)
		}
	}
}

// What is outside of the rectangle isn't drawn.
func TestTurnMask_staysWithin(t *testing.T) {
	within := image.Rect(95, 85, 99, 88)
	if m := TurnMask(bars(), Point{X: 90, Y: 80}, Turn{Angle: .1}, within); !m.Rect.In(within) {
		t.Errorf("the mask is %v, beyond %v", m.Rect, within)
	}
}
