package encode

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"masthead/render/encode/encodetest"
)

// plainPicture is a picture as the slow twins read it: a pixel beyond the edge is the last one before it.
type plainPicture struct {
	pix    []uint8
	stride int
	size   image.Point
}

func (p *plainPicture) at(x, y int) (rgb [3]int) {
	x, y = min(x, p.size.X-1), min(y, p.size.Y-1)
	for k := range rgb {
		rgb[k] = int(p.pix[y*p.stride+4*x+k])
	}
	return rgb
}

// sample returns a sample of a component of one pixel, or of 2×2 for half of the resolution.
func (p *plainPicture) sample(component, x, y int, half bool) uint8 {
	if !half {
		return uint8(encodetest.Sample(component, p.at(x, y), 1))
	}
	var sum [3]int
	for i := range 4 {
		for k, v := range p.at(x+i%2, y+i/2) {
			sum[k] += v
		}
	}
	return uint8(encodetest.Sample(component, sum, 4))
}

// plainEdge is the slow twin of hasEdge.
func plainEdge(src []uint8, stride int) bool {
	for i := range 16 {
		for k := range 16 {
			if int(src[i/4*stride+i%4])-int(src[k/4*stride+k%4]) > edge {
				return true
			}
		}
	}
	return false
}

// checkStrips compares every sample of a picture's strips with those of the definition, in each of the three ways.
func checkStrips(t *testing.T, p *plainPicture, text []image.Rectangle) {
	t.Helper()
	var s strip // used again, as a writer does: what is left in it is of no account
	compare := func(what string, row []uint8, want func(x int) uint8) {
		t.Helper()
		for x, v := range row {
			if v != want(x) {
				t.Fatalf("%v: %s, sample %d is %d, want %d", p.size, what, x, v, want(x))
			}
		}
	}
	for _, half := range []bool{false, true} {
		s.size(p.size.X, p.size.Y, half)
		for top := 0; top < p.size.Y; top += s.rows {
			s.load(p.pix, p.stride, top)
			for i := range s.rows {
				compare("luminance", s.y[i*s.yStride:][:s.yStride], func(x int) uint8 { return p.sample(0, x, top+i, false) })
			}
			for i := range 8 {
				for component, c := range map[int][]uint8{1: s.cb, 2: s.cr} {
					compare("chrominance", c[i*s.chroma:][:s.chroma], func(x int) uint8 {
						if half {
							return p.sample(component, 2*min(x, (p.size.X-1)/2), 2*min(top/2+i, (p.size.Y-1)/2), true)
						}
						return p.sample(component, x, top+i, false)
					})
				}
			}
		}
	}
	s.size(p.size.X, p.size.Y, false)
	for top := 0; top < p.size.Y; top += 8 {
		s.markFull(top, text)
		s.loadMixed(p.pix, p.stride, top, 0, s.yStride)
		for i := range 8 {
			compare("luminance", s.y[i*s.yStride:][:s.yStride], func(x int) uint8 { return p.sample(0, x, top+i, false) })
		}
		for i := range 4 {
			for component, c := range map[int][]uint8{1: s.cbHalf, 2: s.crHalf} {
				compare("half of chrominance", c[i*s.yStride/2:][:s.yStride/2], func(x int) uint8 {
					return p.sample(component, 2*min(x, (p.size.X-1)/2), top+2*i, true)
				})
			}
		}
		for x := 0; x < s.yStride; x += 8 {
			want := plainEdge(s.cbHalf[x/2:], s.yStride/2) || plainEdge(s.crHalf[x/2:], s.yStride/2)
			for _, r := range text {
				want = want || image.Rect(r.Min.X-1, r.Min.Y-1, r.Max.X+1, r.Max.Y+1).
					Overlaps(image.Rect(x, top, min(x+8, p.size.X), top+8))
			}
			if s.full[x/8] != want {
				t.Fatalf("%v: block at %d,%d is full: %v, want %v", p.size, x, top, s.full[x/8], want)
			}
			for i := range 8 {
				for component, c := range map[int][]uint8{1: s.cb, 2: s.cr} {
					if want {
						compare("full chrominance", c[i*s.yStride+x:][:8], func(k int) uint8 {
							return p.sample(component, x+k, top+i, false)
						})
					}
				}
			}
		}
	}
}

// plainNoise returns a picture of random pixels: of all values, of extremes alone, or nearly of one.
func plainNoise(r *rand.Rand, w, h, kind int) *plainPicture {
	p := &plainPicture{stride: 4*w + 4*r.IntN(3), size: image.Pt(w, h)}
	p.pix = make([]uint8, p.stride*h)
	for i := range p.pix {
		switch p.pix[i] = uint8(r.Uint32()); kind {
		case 1:
			p.pix[i] = 255 * (p.pix[i] & 1)
		case 2:
			p.pix[i] = uint8(i/4%4*60) + p.pix[i]&7
		}
	}
	return p
}

func TestStrip_anySize_hasTheSamplesOfItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	text := []image.Rectangle{image.Rect(3, 2, 9, 9), image.Rect(15, 17, 16, 18), image.Rect(-9, -9, 0, 1), {}}
	for _, w := range []int{1, 2, 7, 8, 9, 15, 16, 17, 33, 40} {
		for _, h := range []int{1, 2, 7, 8, 9, 15, 16, 17, 34} {
			for kind := range 3 {
				checkStrips(t, plainNoise(r, w, h, kind), text)
			}
		}
	}
}

// Samples are those of JFIF, rounded: the factors in parts of 65,536 are off by less than a hundredth of a level.
func TestSample_everyColor_isThatOfJFIF(t *testing.T) {
	for r := 0; r < 256; r += 5 {
		for g := 0; g < 256; g += 5 {
			for b := 0; b < 256; b += 5 {
				for i, want := range [3]float64{
					.299*float64(r) + .587*float64(g) + .114*float64(b),
					128 - .168736*float64(r) - .331264*float64(g) + .5*float64(b),
					128 + .5*float64(r) - .418688*float64(g) - .081312*float64(b),
				} {
					if got := encodetest.Sample(i, [3]int{r, g, b}, 1); math.Abs(float64(got)-want) > .51 || got < 0 || got > 255 {
						t.Fatalf("component %d of %d, %d, %d is %d, want %.3f", i, r, g, b, got, want)
					}
				}
			}
		}
	}
}

func FuzzStrip(f *testing.F) {
	f.Add(uint8(9), uint8(3), []byte{255, 0, 0, 1})
	f.Add(uint8(17), uint8(255), []byte{0, 1, 2, 250, 251, 255, 9})
	f.Fuzz(func(t *testing.T, width, at uint8, data []byte) {
		w := int(width)%40 + 1
		if len(data) == 0 || len(data) > 1<<12 {
			return
		}
		p := &plainPicture{stride: 4 * w, size: image.Pt(w, len(data)/(4*w)+1)}
		for i := range p.stride * p.size.Y {
			p.pix = append(p.pix, data[i%len(data)])
		}
		x, y := int(int8(at)), int(at)/9
		text := []image.Rectangle{image.Rect(x, y, x+5, y+3)}
		checkStrips(t, p, text)
		checkColorShows(t, p, text)
	})
}

// plainDeviation is the slow twin of groupDeviation.
func plainDeviation(p *plainPicture, x, y int) int {
	most := 0
	for _, f := range [2][3]int{{-11059, -21709, 32768}, {32768, -27439, -5329}} {
		var c [4]int
		sum := 0
		for i := range c {
			v := p.at(x+i%2, y+i/2)
			c[i] = int(math.Floor(float64(f[0]*v[0]+f[1]*v[1]+f[2]*v[2]) / 65536))
			sum += c[i]
		}
		for _, v := range c {
			most = max(most, 4*v-sum, sum-4*v)
		}
	}
	return most / 4
}

// plainColorShows is the slow twin of colorShows.
func plainColorShows(p *plainPicture, texts []image.Rectangle) bool {
	for _, r := range texts {
		off, all := 0, 0
		for y := 0; y+1 < p.size.Y; y += 2 {
			for x := 0; x+1 < p.size.X; x += 2 {
				// The last row and column of pixels count for the group that they begin alone.
				group := image.Rect(x, y, min(x+2, p.size.X-1), min(y+2, p.size.Y-1))
				if !r.Overlaps(group) {
					continue
				}
				all++
				if plainDeviation(p, x, y) > shown {
					off++
				}
			}
		}
		if 20*off > all {
			return true
		}
	}
	return false
}

func checkColorShows(t *testing.T, p *plainPicture, texts []image.Rectangle) {
	t.Helper()
	if got, want := colorShows(p.pix, p.stride, p.size, texts), plainColorShows(p, texts); got != want {
		t.Fatalf("%v, text %v: color shows: %v, want %v", p.size, texts, got, want)
	}
}

// Whether a color shows is as its slow twin says, for areas at each edge, with few and with many groups that are off.
func TestColorShows_anyAreas_isAsItsTwinSays(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for range 3000 {
		p := plainNoise(r, 2, 2, r.IntN(3))
		if got, want := groupDeviation(p.pix, p.stride), plainDeviation(p, 0, 0); got != want {
			t.Fatalf("pixels %v: deviation %d, want %d", p.pix, got, want)
		}
	}
	seen := map[bool]int{}
	for range 3000 {
		p := plainNoise(r, 1+r.IntN(20), 1+r.IntN(20), 2)
		for range r.IntN(12) {
			x, y := r.IntN(p.size.X), r.IntN(p.size.Y)
			copy(p.pix[y*p.stride+4*x:][:3], []uint8{255, 0, uint8(r.IntN(256))})
		}
		a, b := image.Pt(r.IntN(30)-5, r.IntN(30)-5), image.Pt(r.IntN(30)-5, r.IntN(30)-5)
		text := []image.Rectangle{{}, {Min: a, Max: b}, image.Rect(a.X, a.Y, b.X, b.Y)}[:1+r.IntN(3)]
		checkColorShows(t, p, text)
		seen[plainColorShows(p, text)]++
	}
	if seen[true] < 100 || seen[false] < 100 {
		t.Errorf("one answer hardly comes: %v", seen)
	}
}
