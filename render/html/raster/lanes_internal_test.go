package raster

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"
)

// noise returns random pixels, and a few areas of one color, which have hard edges.
func noise(w, h, n int) []uint8 {
	r := rand.New(rand.NewPCG(1, 2))
	pix := make([]uint8, n*w*h)
	for i := range pix {
		pix[i] = uint8(r.IntN(256))
		if x := i / n % w; x > w/2 {
			pix[i] = 200
		}
	}
	return pix
}

// gaussianOf is a slow blur with exact weights.
func gaussianOf(pix []uint8, w, h, n int, sigma float64, e Edge) []float64 {
	r := int(math.Ceil(4 * sigma))
	at := func(v []float64, x, y, c int) float64 {
		if x < 0 || y < 0 || x >= w || y >= h {
			if e == EdgeZero {
				return 0
			}
			x, y = mirrored(x, w), mirrored(y, h)
		}
		return v[n*(y*w+x)+c]
	}
	pass := func(in []float64, dx, dy int) []float64 {
		out := make([]float64, len(in))
		for y := range h {
			for x := range w {
				for c := range n {
					sum, total := 0.0, 0.0
					for i := -r; i <= r; i++ {
						k := math.Exp(-float64(i*i) / (2 * sigma * sigma))
						sum, total = sum+k*at(in, x+i*dx, y+i*dy, c), total+k
					}
					out[n*(y*w+x)+c] = sum / total
				}
			}
		}
		return out
	}
	start := make([]float64, len(pix))
	for i, v := range pix {
		start[i] = float64(v)
	}
	return pass(pass(start, 1, 0), 0, 1)
}

func TestBlur_gaussian(t *testing.T) {
	const w, h = 70, 53
	for _, n := range []int{1, 4} {
		for _, e := range []Edge{EdgeZero, EdgeMirror} {
			for _, sigma := range []float64{.3, 1, 2, 3, 5, 9, 20} {
				pix := noise(w, h, n)
				want := gaussianOf(pix, w, h, n, sigma, e)
				Blur(pix, w, h, n*w, n, sigma, e)
				mean, worst := 0.0, 0.0
				for i, v := range pix {
					d := math.Abs(float64(v) - want[i])
					mean, worst = mean+d/float64(len(pix)), max(worst, d)
				}
				if mean > 1.5 || worst > 15 {
					t.Errorf("%d channels, edge %d, sigma %g: off by %.2f, at most %.1f", n, e, sigma, mean, worst)
				}
			}
		}
	}
}

func TestScaled_averages(t *testing.T) {
	p := &Pixels{Pix: noise(64, 48, 4), W: 64, H: 48}
	for _, size := range [][2]int{{16, 12}, {64, 12}, {16, 48}, {33, 17}, {100, 90}, {1, 1}} {
		got := p.scaled(size[0], size[1], false)
		if len(got.Pix) != 4*size[0]*size[1] {
			t.Fatalf("%v: %d bytes", size, len(got.Pix))
		}
		for c := range 4 {
			if a, b := meanOf(p, c), meanOf(got, c); math.Abs(a-b) > 4 {
				t.Errorf("%v: channel %d has a mean of %.1f, of %.1f before", size, c, b, a)
			}
		}
	}
	quarter := p.scaled(16, 12, false)
	sum := 0
	for y := range 4 {
		for x := range 4 {
			sum += int(p.Pix[4*((8+y)*64+12+x)])
		}
	}
	if got := int(quarter.Pix[4*(2*16+3)]); got < sum/16-2 || got > sum/16+2 {
		t.Errorf("a pixel of a quarter is %d, its 16 pixels have a mean of %d", got, sum/16)
	}
	if same := p.scaled(64, 48, false); same != p {
		t.Error("a picture at its own size is another one")
	}
	if n := p.scaled(128, 96, true); n.Pix[4*(9*128+21)] != p.Pix[4*(4*64+10)] {
		t.Error("the nearest pixel is another one")
	}
}

func meanOf(p *Pixels, c int) float64 {
	sum := 0.0
	for i := c; i < len(p.Pix); i += 4 {
		sum += float64(p.Pix[i])
	}
	return sum / float64(p.W*p.H)
}

func TestScaledPicture_kept(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 40, 40))
	first := ScaledPicture(img, 20, 20, false)
	if ScaledPicture(img, 20, 20, false) != first || ScaledPicture(img, 20, 21, false) == first {
		t.Error("a scaled picture isn't kept by its size")
	}
	for i := range 40 {
		ScaledPicture(img, 400+i, 500, false)
	}
	if kept.bytes > maxKept || len(kept.keys) != len(kept.pictures) {
		t.Errorf("%d bytes of %d pictures are kept, with %d keys", kept.bytes, len(kept.pictures), len(kept.keys))
	}
}

// Lanes give exactly what single channels do.
func TestMulLanes(t *testing.T) {
	for v := range 256 {
		for share := range 256 {
			pixel := []uint8{uint8(v), uint8(255 - v), uint8(v ^ 85), uint8(v / 2)}
			var got [4]uint8
			putLanes(got[:], mulLanes(lanes(pixel), uint64(share)))
			for c := range pixel {
				if want := Mul(pixel[c], uint8(share)); got[c] != want {
					t.Fatalf("%d of 255 of %d: %d, want %d", share, pixel[c], got[c], want)
				}
			}
		}
	}
	red := Solid{200, 10, 20, 255}
	dst := []uint8{1, 2, 3, 255, 9, 9, 9, 9}
	red.overMask(dst, []uint8{255, 128}, 255)
	if dst[0] != 200 || dst[3] != 255 || dst[7] < 128 || alphaLane(lanes([]uint8{1, 2, 3, 4})) != 4 {
		t.Errorf("the channels of lanes are in another order: %v", dst)
	}
}
