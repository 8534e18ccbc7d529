package paint_test

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"masthead/render/paint"
	"masthead/render/palette"
)

// TestTurned_isTheMeanOfWhatAPixelCovers compares with means of squares that are summed a pixel at a time: within the
// picture, over its edges and beyond them, and by half a coverage.
func TestTurned_isTheMeanOfWhatAPixelCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	src := image.NewRGBA(image.Rect(0, 0, 80, 60))
	for i := range src.Pix {
		src.Pix[i] = uint8(random.IntN(256))
		if i%4 == 3 {
			src.Pix[i] = 255
		}
	}
	channel := func(x, y, ch int) float64 {
		return float64(src.Pix[src.PixOffset(min(max(x, 0), 79), min(max(y, 0), 59))+ch])
	}
	mask := image.NewAlpha(image.Rect(4, 4, 60, 50))
	for i := range mask.Pix {
		mask.Pix[i] = [3]uint8{255, 0, 128}[i%7%3]
	}
	for _, angle := range []float64{0, -8 * math.Pi / 180, .5} {
		turn, at := paint.Turn{X: 30, Y: 25, Angle: angle}, image.Pt(12, 9)
		c := paint.New(64, 54, paint.Solid(palette.RGB(0x336699)))
		c.Turned(src, at, turn, mask)
		sin, cos := math.Sincos(-angle)
		for y := range 54 {
			for x := range 64 {
				a := float64(mask.AlphaAt(x, y).A) / 255
				dx, dy := float64(x)+.5-turn.X, float64(y)+.5-turn.Y
				u, v := 2*(dx*cos-dy*sin+turn.X-float64(at.X))-1, 2*(dx*sin+dy*cos+turn.Y-float64(at.Y))-1
				x0, y0 := math.Floor(u), math.Floor(v)
				across, down := [3]float64{x0 + 1 - u, 1, u - x0}, [3]float64{y0 + 1 - v, 1, v - y0}
				got := c.At(x, y)
				for ch, have := range [3]uint8{got.R, got.G, got.B} {
					mean := 0.0
					for j, h := range down {
						for i, w := range across {
							mean += w * h / 4 * channel(int(x0)+i, int(y0)+j, ch)
						}
					}
					want := a*mean + (1-a)*[3]float64{0x33, 0x66, 0x99}[ch]
					const slack = 255./16/2*2 + 1 // places are known to a sixteenth of a pixel of the picture
					if math.Abs(float64(have)-want) > slack {
						t.Fatalf("turned by %.2f, channel %d at %d,%d is %d, want %.1f", angle, ch, x, y, have, want)
					}
				}
			}
		}
	}
}
