package encodetest

import (
	"fmt"
	"image"
	"math"
	"testing"
)

// Offset is by how much a coefficient, in natural order, may be off before it is rounded to its step, at the worst of
// all blocks: the constants of a fast transform are whole numbers. The highest frequency takes the most.
func Offset(k int) float64 {
	if k%8 == 7 || k/8 == 7 {
		return 1.4
	}
	return .55
}

// rounding is by how many levels, as root mean square, rounding samples to 8 bits may move them away from the picture.
const rounding = .5

// JPEG fails the test unless each block of a JPEG is that of a baseline encoder for the picture with the same tables
// and sampling, which rounds the coefficients of the definition, but for coefficients that lie in the middle between
// two; and unless each block is as near to the picture as that one's. text is that of encode.Limits.
func JPEG(t testing.TB, img image.Image, text []image.Rectangle, data []byte) {
	t.Helper()
	c, err := ReadJPEG(data)
	if err != nil {
		t.Fatal(err)
	}
	if fault := compare(img, text, c); fault != "" {
		t.Fatal(fault)
	}
}

// compare says which block of a JPEG is not as it should be, or nothing.
func compare(img image.Image, text []image.Rectangle, c *Coefficients) string {
	if size := img.Bounds().Size(); c.Size != size {
		return fmt.Sprintf("the size is %v, want %v", c.Size, size)
	}
	p := newPlanes(img)
	for component, blocks := range c.Blocks {
		for i := range blocks {
			x, y := i%c.Columns[component], i/c.Columns[component]
			want := p.block(component, x, y, c.Half, text)
			if fault := compareBlock(&blocks[i], want, &c.Steps[min(component, 1)]); fault != "" {
				return fmt.Sprintf("%s, block %d of row %d: %s", [3]string{"Y", "Cb", "Cr"}[component], x, y, fault)
			}
		}
	}
	return ""
}

// compareBlock compares a block with the coefficients that a baseline encoder rounds.
func compareBlock(got *Block, want *[64]float64, steps *[64]int) string {
	var base Block
	middle := 0.0 // by how much the squared error may be more
	for k, w := range want {
		step := float64(steps[k])
		if base[k] = int(math.Floor(w/step + .5)); base[k] == got[k] {
			continue
		}
		if math.Abs(float64(got[k])-w/step) > .5+Offset(k)/step {
			return fmt.Sprintf("coefficient %d is %d, want %.2f", k, got[k], w/step)
		}
		middle += 2 * Offset(k) * step // (step/2 + Offset)² - (step/2 - Offset)²
	}
	if middle == 0 {
		return ""
	}
	ours, theirs := errorOf(got, want, steps, true), errorOf(&base, want, steps, false)
	if ours > math.Sqrt(theirs*theirs+middle/64)+rounding {
		return fmt.Sprintf("it is off by %.2f levels, a baseline encoder's by %.2f", ours, theirs)
	}
	return ""
}

// errorOf returns by how many levels, as root mean square, the samples of a block differ from those of some
// coefficients: as a decoder shows them, in 8 bits, or before they are rounded.
func errorOf(b *Block, want *[64]float64, steps *[64]int, shown bool) float64 {
	var c [64]float64
	for k, v := range b {
		c[k] = float64(v * steps[k])
	}
	samples, exact, sum := inverse(&c), inverse(want), 0.0
	for i, v := range samples {
		if shown {
			v = min(max(math.Round(v), -128), 127)
		}
		sum += (v - exact[i]) * (v - exact[i])
	}
	return math.Sqrt(sum / 64)
}

// planes are the samples of a picture.
type planes struct {
	w, h      int
	pix       [][3]int  // red, green, blue
	y, cb, cr []float64 // of each pixel
}

// The factors of red, green and blue in parts of 65,536. Source: JFIF 1.02.
var factors = [3][3]int{{19595, 38470, 7471}, {-11059, -21709, 32768}, {32768, -27439, -5329}}

// Sample returns the sample of Y, Cb or Cr, by number, for n pixels with these sums of red, green and blue. Halves of
// luminance are rounded up, and those of chrominance down, so that it is 255 at most.
func Sample(component int, rgb [3]int, n int) int {
	f, half := factors[component], 65536*n/2
	if component > 0 {
		half += 128*65536*n - 1
	}
	return (f[0]*rgb[0] + f[1]*rgb[1] + f[2]*rgb[2] + half) / (65536 * n) // of what is not negative
}

func newPlanes(img image.Image) *planes {
	pix := straight(img)
	p := &planes{w: pix.Rect.Dx(), h: pix.Rect.Dy()}
	n := p.w * p.h
	p.pix, p.y, p.cb, p.cr = make([][3]int, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range p.pix {
		c := pix.Pix[4*i:][:4]
		for k := range 3 { // on white
			p.pix[i][k] = (2*(int(c[k])*int(c[3])+255*(255-int(c[3]))) + 255) / 510
		}
		for k, plane := range [3][]float64{p.y, p.cb, p.cr} {
			plane[i] = float64(Sample(k, p.pix[i], 1))
		}
	}
	return p
}

// at returns a sample of a component at a pixel, or at the nearest one of the picture.
func (p *planes) at(component, x, y int) float64 {
	i := min(y, p.h-1)*p.w + min(x, p.w-1)
	return [3][]float64{p.y, p.cb, p.cr}[component][i]
}

// mean returns the sample of a component for 2×2 pixels.
func (p *planes) mean(component, x, y int) float64 {
	var sum [3]int
	for i := range 4 {
		for k, v := range p.pix[min(y+i/2, p.h-1)*p.w+min(x+i%2, p.w-1)] {
			sum[k] += v
		}
	}
	return float64(Sample(component, sum, 4))
}

// block returns the coefficients of a block, not yet divided by their steps.
func (p *planes) block(component, bx, by int, half bool, text []image.Rectangle) *[64]float64 {
	if component > 0 && !half && text != nil && !p.full(bx, by, text) {
		return Quarter(p.means(component, bx, by))
	}
	var s [64]float64
	for i := range s {
		x, y := 8*bx+i%8, 8*by+i/8
		if component > 0 && half {
			s[i] = p.mean(component, 2*min(x, (p.w-1)/2), 2*min(y, (p.h-1)/2))
		} else {
			s[i] = p.at(component, x, y)
		}
		s[i] -= 128
	}
	return forward(&s)
}

// means returns the samples of half resolution of a block of 8×8 pixels.
func (p *planes) means(component, bx, by int) (s [16]uint8) {
	for i := range s {
		s[i] = uint8(p.mean(component, min(8*bx+2*(i%4), (p.w-1)/2*2), 8*by+2*(i/4)))
	}
	return s
}

// full reports whether a block has the full resolution of color: it touches a text, or has an edge.
func (p *planes) full(bx, by int, text []image.Rectangle) bool {
	area := image.Rect(8*bx, 8*by, min(8*bx+8, p.w), 8*by+8)
	for _, r := range text {
		if image.Rect(r.Min.X-1, r.Min.Y-1, r.Max.X+1, r.Max.Y+1).Overlaps(area) {
			return true
		}
	}
	for component := 1; component < 3; component++ {
		low, high := uint8(255), uint8(0)
		for _, v := range p.means(component, bx, by) {
			low, high = min(low, v), max(high, v)
		}
		if high-low > 32 {
			return true
		}
	}
	return false
}

// basis holds the cosines of the transform by frequency and place, with their factors. Source: ITU T.81, A.3.3.
var basis = func() (t [8][8]float64) {
	for u := range t {
		for x := range t[u] {
			t[u][x] = math.Cos(float64((2*x+1)*u)*math.Pi/16) / 2
			if u == 0 {
				t[u][x] = math.Sqrt2 / 4
			}
		}
	}
	return t
}()

// forward returns the cosine transform of 8×8 samples.
func forward(s *[64]float64) *[64]float64 {
	var rows, c [64]float64
	for i := range rows {
		for x := range 8 {
			rows[i] += s[i/8*8+x] * basis[i%8][x]
		}
	}
	for i := range c {
		for y := range 8 {
			c[i] += rows[8*y+i%8] * basis[i/8][y]
		}
	}
	return &c
}

// inverse returns the samples of 8×8 coefficients.
func inverse(c *[64]float64) *[64]float64 {
	var rows, s [64]float64
	for i := range rows {
		for u := range 8 {
			rows[i] += c[i/8*8+u] * basis[u][i%8]
		}
	}
	for i := range s {
		for v := range 8 {
			s[i] += rows[8*v+i%8] * basis[v][i/8]
		}
	}
	return &s
}

// halfBasis holds, by frequency and place, what the means of two samples are multiplied with: a cosine of frequency u
// has, as the mean of two samples, that of four samples times cos(uπ/16).
var halfBasis = func() (t [4][4]float64) {
	for u := range t {
		for x := range t[u] {
			t[u][x] = math.Cos(float64((2*x+1)*u)*math.Pi/8) / math.Cos(float64(u)*math.Pi/16)
			if u == 0 {
				t[u][x] = math.Sqrt2 / 2
			}
		}
	}
	return t
}()

// Quarter returns the coefficients of those 8×8 samples of which the means of 2×2 are given and that have only the four
// lowest frequencies in each direction.
func Quarter(samples [16]uint8) *[64]float64 {
	var c [64]float64
	for v := range 4 {
		for u := range 4 {
			for i, s := range samples {
				c[8*v+u] += (float64(s) - 128) * halfBasis[u][i%4] * halfBasis[v][i/4]
			}
		}
	}
	return &c
}
