package encode

import (
	"image"
	"math/rand/v2"
	"testing"
)

// checkSquares compares the samples of a picture's squares with those of its strips.
func checkSquares(t *testing.T, p *plainPicture) {
	t.Helper()
	var got square
	var want strip
	want.size(p.size.X, p.size.Y, true)
	for top := 0; top+squareSide <= p.size.Y; top += squareSide {
		want.load(p.pix, p.stride, top)
		for x := 0; x+squareSide <= p.size.X; x += squareSide {
			got.load(p.pix[top*p.stride+4*x:], p.stride)
			for i := range 64 {
				at, c := i/8*want.yStride+x+i%8, i/8*want.chroma+x/2+i%8
				for k, v := range [3][2]int64{
					{got.upper.samples[i], int64(want.y[at]) | int64(want.y[at+8])<<32},
					{got.lower.samples[i], int64(want.y[8*want.yStride+at]) | int64(want.y[8*want.yStride+at+8])<<32},
					{got.chroma.samples[i], int64(want.cb[c]) | int64(want.cr[c])<<32},
				} {
					if v[0] != v[1] {
						t.Fatalf("%v: square at %d,%d, pair %d, samples %d are %x, want %x", p.size, x, top, k, i, v[0], v[1])
					}
				}
			}
		}
	}
}

// Pictures encoded in squares have the bytes of those encoded in strips, wherever their edges are.
func TestSquares_anyPicture_areThoseOfStrips(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, size := range []image.Point{{16, 16}, {32, 48}, {48, 33}, {64, 15}, {160, 630 % 160}, {31, 32}, {33, 40}} {
		for kind := range 3 {
			checkTwins(t, plainNoise(r, size.X, size.Y, kind))
		}
	}
}

// checkTwins compares the bytes and the samples of squares with those of strips.
func checkTwins(t *testing.T, p *plainPicture) {
	t.Helper()
	checkSquares(t, p)
	for _, quality := range []int{MinQuality, MaxQuality, 100} {
		fast, slow := new(jpegWriter), &jpegWriter{strips: true}
		slow.write(p.pix, p.stride, p.size, attempt{quality, true})
		for i := range 3 { // of which the second keeps segments, and the third takes them
			fast.write(p.pix, p.stride, p.size, attempt{quality, true})
			if string(fast.bits.out) != string(slow.bits.out) {
				t.Fatalf("%v, quality %d, time %d: bytes of squares differ from those of strips", p.size, quality, i)
			}
		}
	}
}

// FuzzSquares compares squares of pictures made of any bytes with strips.
func FuzzSquares(f *testing.F) {
	f.Add([]byte{0}, uint8(0))
	f.Add([]byte{255, 0, 0, 0, 255, 255, 7}, uint8(1))
	f.Add([]byte{0, 0, 255, 254, 1, 128, 127, 129, 255, 255, 0}, uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, extra uint8) {
		if len(data) == 0 {
			return
		}
		w, h := squareSide*(1+int(extra%3)), squareSide+int(extra/3%20)
		p := &plainPicture{pix: make([]uint8, 4*w*h), stride: 4 * w, size: image.Pt(w, h)}
		for i := range p.pix {
			p.pix[i] = data[i%len(data)]
		}
		checkTwins(t, p)
	})
}
