package paint_test

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fogleman/gg"

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

// TestTurnedPart_leavesNoSeam changes a part of a picture: drawn anew alone, it gives the card that all of the picture
// gives, as long as what changed lies a little within the part.
func TestTurnedPart_leavesNoSeam(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	src := image.NewRGBA(image.Rect(0, 0, 120, 100))
	for i := range src.Pix {
		src.Pix[i] = uint8(random.IntN(256)) | uint8(i%4/3*255)
	}
	mask := image.NewAlpha(image.Rect(2, 1, 62, 58))
	for i := range mask.Pix {
		mask.Pix[i] = 255
	}
	for _, angle := range []float64{0, -8 * math.Pi / 180, 8 * math.Pi / 180, .5} {
		turn, at := paint.Turn{X: 30, Y: 25, Angle: angle}, image.Pt(5, 4)
		c := paint.New(64, 60, paint.Solid(palette.RGB(0x336699)))
		c.Turned(src, at, turn, mask)
		changed := image.NewRGBA(src.Rect)
		copy(changed.Pix, src.Pix)
		part := image.Rect(30, 24, 90, 70)
		for y := part.Min.Y + 3; y < part.Max.Y-3; y++ {
			for x := part.Min.X + 3; x < part.Max.X-3; x++ {
				changed.Pix[changed.PixOffset(x, y)] ^= 255
			}
		}
		c.TurnedPart(changed, part, at, turn, mask)
		want := paint.New(64, 60, paint.Solid(palette.RGB(0x336699)))
		want.Turned(changed, at, turn, mask)
		for y := range 60 {
			for x := range 64 {
				if got, want := c.At(x, y), want.At(x, y); got != want {
					t.Fatalf("turned by %.2f, the pixel at %d,%d is %v, want %v", angle, x, y, got, want)
				}
			}
		}
	}
}

func TestLinear_Within_showsItsPartOfTheGradient(t *testing.T) {
	colors := palette.Gradient(palette.RGB(0x204080), palette.RGB(0xF0A030))
	all, part := image.Rect(0, 0, 90, 70), image.Rect(13, 22, 71, 50)
	for _, angle := range []paint.Angle{paint.UpRight, paint.Right, paint.DownRight, paint.Down} {
		l := paint.Linear{Angle: angle, Colors: colors}
		want, got := paint.NewRGBA(90, 70, l), paint.NewRGBA(90, 70, paint.Solid(palette.RGB(0)))
		got.Paint(part, l.Within(all, part))
		for y := part.Min.Y; y < part.Max.Y; y++ {
			for x := part.Min.X; x < part.Max.X; x++ {
				if got.At(x, y) != want.At(x, y) {
					t.Fatalf("angle %d: the pixel at %d,%d is %v, want %v", angle, x, y, got.At(x, y), want.At(x, y))
				}
			}
		}
	}
}

// TestSoftPath_isTheBlurOfThePath compares it with the blur at full size.
func TestSoftPath_isTheBlurOfThePath(t *testing.T) {
	draw := func(g *gg.Context) {
		g.RotateAbout(-.14, 100, 80)
		g.DrawRoundedRectangle(30, 20, 300, 120, 22)
		g.Fill()
	}
	for _, bounds := range []image.Rectangle{image.Rect(0, 0, 200, 160), image.Rect(-7, -29, 202, 133)} {
		for _, sigma := range []float64{20, 30} {
			got := paint.SoftPath(bounds, sigma, draw)
			want := paint.Blur(paint.PathMask(bounds.Inset(-120), draw), sigma)
			for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
				for x := bounds.Min.X; x < bounds.Max.X; x++ {
					if a, b := int(got.AlphaAt(x, y).A), int(want.AlphaAt(x, y).A); max(a-b, b-a) > 3 {
						t.Fatalf("sigma %v in %v: the coverage at %d,%d is %d, want %d", sigma, bounds, x, y, a, b)
					}
				}
			}
		}
	}
}

// It is drawn twice: what is asked for once is not kept.
func TestFullLayer_isKeptFromTheSecondTimeOn(t *testing.T) {
	key := paint.LayerKey{Scene: "test of full layers", Of: 7}
	part, drawn := image.Rect(-5, 3, 11, 9), 0
	draw := func(background uint32) *paint.Canvas {
		c := paint.NewRGBA(20, 12, paint.Solid(palette.RGB(background)))
		c.FullLayer(key, part, func() { drawn++; c.Fill(image.Rect(2, 4, 8, 8), palette.RGB(0xFF0000)) })
		return c
	}
	_, kept, copied := draw(0x123456), draw(0x123456), draw(0x654321)
	if drawn != 2 {
		t.Errorf("drawn %d times, want twice", drawn)
	}
	for y := range 12 {
		for x := range 20 {
			want := palette.RGB(0x654321)
			if image.Pt(x, y).In(part) {
				want = kept.At(x, y)
			}
			if copied.At(x, y) != want {
				t.Fatalf("the pixel at %d,%d is %v, want %v", x, y, copied.At(x, y), want)
			}
		}
	}
}
