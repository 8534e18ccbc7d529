package paint

import (
	"bytes"
	"image"
	"image/color"
	"math/rand/v2"
	"slices"
	"testing"
)

// The rows of this package blend eight pixels at once, by tables and by lanes of a word. Here is what they do a pixel
// and a channel at a time, for comparing byte by byte.

// slowDiv255 divides by 255 and rounds to the nearest; there are no halves.
func slowDiv255(v int) int { return (2*v + 255) / 510 }

// slowRow is Canvas.row.
func slowRow(c *Canvas, y, x int, cov []uint8, b brush) {
	for i, v := range cov {
		if !(image.Point{X: x + i, Y: y}).In(c.clip) {
			continue
		}
		if c.mask != nil {
			v = uint8(slowDiv255(int(v) * int(c.mask.AlphaAt(x+i, y).A)))
		}
		if c.indexed == nil || !slowEntry(c, y, x+i, v, b) {
			c.Upgrade()
			slowPixel(c, y, x+i, v, b)
		}
	}
}

// slowPixel lays ink over an RGBA pixel.
func slowPixel(c *Canvas, y, x int, cov uint8, b brush) {
	a := slowDiv255(int(cov) * int(b.color.A))
	d := c.rgba.Pix[4*(y*c.w+x):][:4]
	for ch, ink := range [3]uint8{b.color.R, b.color.G, b.color.B} {
		v := int(ink)*a + int(d[ch])*(255-a)
		if b.soft && c.dither {
			d[ch] = uint8((v + int(blueNoise()[y%noiseSide*noiseSide+x%noiseSide])) / 255)
		} else {
			d[ch] = uint8(slowDiv255(v))
		}
	}
}

// slowEntry lays ink over an entry. It reports false where the palette cannot hold the blend.
func slowEntry(c *Canvas, y, x int, cov uint8, b brush) bool {
	k, dst := b.blends, &c.indexed.Pix[y*c.stride+x]
	step, at := (2*int(cov)*hardSteps+255)/510, *dst
	if b.soft {
		step = int(cov)
		if step > 0 && k.ditherStep == 0 {
			k.setDither(c.blends.ditherStepOn(at, k.color))
		}
		if step > 0 && k.zones != nil || k.ditherStep > 1 {
			tile, alongY := &bayer, y
			if k.zones != nil {
				tile, alongY = blueNoise(), y*5+noiseSide/2
			}
			if n := int(k.ditherStep); n > 1 && 0 < step && step < softSteps {
				step += int(tile[y%noiseSide*noiseSide+x%noiseSide]) * n / 256
				step = min(step/n*n, softSteps)
			}
			if k.zones != nil && step > 0 {
				at = c.blends.gradient.jitter(at, k.zones[step], tile[alongY%noiseSide*noiseSide+x%noiseSide])
			}
		}
	}
	if step == 0 {
		return true
	}
	e := k.table[int(at)*(k.steps+1)+step]
	if e == unknown {
		var ok bool
		if e, ok = c.blends.resolve(k, at, step); !ok {
			return false
		}
	}
	*dst = e
	return true
}

// slowSpan is Canvas.span.
func slowSpan(c *Canvas, y, x0, x1 int, b brush) {
	r := image.Rect(x0, y, x1, y+1).Intersect(c.clip)
	if c.mask != nil || b.color.A != 255 {
		slowRow(c, y, r.Min.X, bytes.Repeat([]uint8{255}, r.Dx()), b)
		return
	}
	for x := r.Min.X; x < r.Max.X; x++ {
		if c.indexed != nil {
			if at, ok := c.blends.flat(rgb{b.color.R, b.color.G, b.color.B}); ok {
				c.indexed.Pix[y*c.stride+x] = at
				continue
			}
			c.Upgrade()
		}
		copy(c.rgba.Pix[4*(y*c.w+x):], []uint8{b.color.R, b.color.G, b.color.B, 255})
	}
}

// script draws numbers from the bytes of a fuzzer; where these end, all are 0.
type script struct{ rest []byte }

func (s *script) byte() uint8 {
	if len(s.rest) == 0 {
		return 0
	}
	b := s.rest[0]
	s.rest = s.rest[1:]
	return b
}

// n returns a number below n.
func (s *script) n(n int) int { return (int(s.byte())<<8 | int(s.byte())) % n }

func (s *script) more() bool { return len(s.rest) > 0 }

// ink returns one of a few inks, mostly opaque, or any.
func (s *script) ink() color.NRGBA {
	few := [...]color.NRGBA{
		{A: 255}, {R: 255, G: 255, B: 255, A: 255}, {R: 200, G: 30, B: 90, A: 255}, {G: 20, B: 60, A: 90}, {R: 250, G: 250, A: 3},
	}
	if i := s.n(8); i < len(few) {
		return few[i]
	}
	return color.NRGBA{R: s.byte(), G: s.byte(), B: s.byte(), A: s.byte() | uint8(s.n(2)*255)}
}

// coverage returns the coverage of n pixels, in runs of one value and in ones that change.
func (s *script) coverage(n int) []uint8 {
	cov := make([]uint8, n)
	for i := 0; i < n; {
		run, v, kind := 1+s.n(40), s.byte(), s.n(6)
		for ; run > 0 && i < n; run-- {
			switch kind {
			case 0:
				cov[i] = 0
			case 1:
				cov[i] = 255
			case 2:
				cov[i] = v
			case 3:
				v += 7
				cov[i] = v
			case 4:
				cov[i] = 1 + uint8(i%2*int(v))%254
			default:
				cov[i] = uint8((int(v) + i*i*31) % 256)
			}
			i++
		}
	}
	return cov
}

// background returns a background, and inks to name over it.
func (s *script) background() (Background, []color.NRGBA) {
	if s.n(2) == 0 {
		return Solid(s.ink()), nil
	}
	l := Linear{Angle: Angle(45 * (1 + s.n(4))), Colors: []color.NRGBA{s.ink(), s.ink()}}
	switch s.n(3) {
	case 0:
		return l, []color.NRGBA{{R: 255, G: 255, B: 255, A: 255}, {A: 255}}
	case 1:
		return l, []color.NRGBA{{G: 20, B: 60, A: 90}}
	}
	return l, nil
}

// twins returns two canvases of the same size and background, of one format of pixels and with the same clip.
func (s *script) twins() (fast, slow *Canvas) {
	w, h := 1+s.n(150), 1+s.n(40)
	background, inks := s.background()
	make, dither, clip, round := NewRGBA, s.n(2) == 1, s.n(3), float64(s.n(30))
	if s.n(3) > 0 {
		make = func(w, h int, g Background) *Canvas { return New(w, h, g, inks...) }
	}
	room := maxColors
	if s.n(3) == 0 {
		room = s.n(4) * s.n(12)
	}
	fast, slow = make(w, h, background), make(w, h, background)
	for _, c := range [...]*Canvas{fast, slow} {
		c.dither = dither
		for c.indexed != nil && maxColors-c.blends.n > room { // a palette that is nearly full, of dark colors
			n := c.blends.n
			c.blends.add(rgb{uint8(n * 37 % 64), uint8(n * 59 % 64), uint8(n * 83 % 64)}, n%2 == 0)
		}
		switch clip {
		case 1:
			c.Clip(image.Rect(w/5, h/5, w-w/7, h-h/9))
		case 2:
			c.ClipRound(image.Rect(-3, h/9, w-w/9, h+2), round)
		}
	}
	return fast, slow
}

// wantSame fails unless two canvases hold the same bytes.
func wantSame(t *testing.T, what string, got, want *Canvas) {
	t.Helper()
	if (got.indexed == nil) != (want.indexed == nil) {
		t.Fatalf("%s: indexed %v, want %v", what, got.indexed != nil, want.indexed != nil)
	}
	if got.indexed != nil {
		if g, w := got.blends.colors[:got.blends.n], want.blends.colors[:want.blends.n]; !slices.Equal(g, w) {
			t.Fatalf("%s: the palette is %v, want %v", what, g, w)
		}
	}
	for y := range want.h {
		for x := range want.w {
			if got.indexed != nil && got.indexed.Pix[y*got.stride+x] != want.indexed.Pix[y*want.stride+x] ||
				got.At(x, y) != want.At(x, y) {
				t.Fatalf("%s, indexed %v: %d,%d is %v, want %v", what, got.indexed != nil, x, y, got.At(x, y), want.At(x, y))
			}
		}
	}
}

// scripts adds seeds of random bytes, enough of them to reach each branch.
func scripts(f *testing.F, n, length int) {
	f.Helper()
	r := rand.New(rand.NewPCG(7, 11))
	for range n {
		seed := make([]byte, length)
		for i := range seed {
			seed[i] = uint8(r.Uint32())
		}
		f.Add(seed)
	}
}

// FuzzRows draws rows and spans at random, hard and soft, over both formats of pixels, and does the same a pixel at a
// time.
func FuzzRows(f *testing.F) {
	scripts(f, 400, 700)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		fast, slow := s.twins()
		defer fast.Release()
		defer slow.Release()
		for s.more() {
			ink, y, x := s.ink(), s.n(fast.h+2)-1, s.n(fast.w+20)-10
			cov := s.coverage(1 + s.n(fast.w))
			soft, span := s.n(2) == 1, s.n(4) == 0
			brushOf := (*Canvas).brush
			if soft && !span {
				brushOf = (*Canvas).softBrush
			}
			a, b := brushOf(fast, ink), brushOf(slow, ink)
			if span {
				fast.span(y, x, x+len(cov), a)
				slowSpan(slow, y, x, x+len(cov), b)
			} else {
				fast.row(y, x, cov, a)
				slowRow(slow, y, x, cov, b)
			}
			wantSame(t, "rows", fast, slow)
		}
	})
}

// TestBytes_asOneAtATime compares what fills and counts bytes by words with a plain loop, for all short lengths and
// some long ones.
func TestBytes_asOneAtATime(t *testing.T) {
	lengths := []int{8 << 10, 8<<10 + 1, 20000, 65537}
	for n := range 300 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		want := bytes.Repeat([]byte{0xA7}, n)
		got := append(bytes.Repeat([]byte{1}, n), 2)
		if set(got[:n], 0xA7); !bytes.Equal(got[:n], want) || got[n] != 2 {
			t.Fatalf("set: %d bytes", n)
		}
		pixels := append(bytes.Repeat([]byte{1}, 4*n), 2)
		fill32(pixels[:4*n], color.NRGBA{R: 3, G: 4, B: 5})
		if !bytes.Equal(pixels[:4*n], bytes.Repeat([]byte{3, 4, 5, 255}, n)) || pixels[4*n] != 2 {
			t.Fatalf("fill32: %d pixels", n)
		}
		for i := range got[:n] {
			got[i] = uint8(i * 37)
		}
		for i, v := range inverse(make([]uint8, n+8), got[:n]) {
			if v != 255-got[i] {
				t.Fatalf("inverse: %d bytes, at %d", n, i)
			}
		}
		for _, other := range []int{n / 2, n - 1, n} {
			if n == 0 || other < 1 {
				continue
			}
			if copy(got, want); other < n {
				got[other] ^= 64
			}
			if alike := alikeFrom(got[:n]); alike != other {
				t.Fatalf("alikeFrom: got %d of %d bytes, want %d", alike, n, other)
			}
		}
	}
	if got := bareFrom(nil) + bareFrom([]uint8{1, 0, 0}); got != 0 {
		t.Errorf("bareFrom: got %d, want none", got)
	}
	if got := bareFrom(make([]uint8, 77)); got != 77 {
		t.Errorf("bareFrom: got %d, want 77", got)
	}
}

// TestProducts_areRounded has all products of two bytes, and all bytes in all lanes.
func TestProducts_areRounded(t *testing.T) {
	for v := range 1 << 16 {
		if got := int(div255(uint32(v))); got != slowDiv255(v) {
			t.Fatalf("div255(%d) is %d, want %d", v, got, slowDiv255(v))
		}
		a, b := uint8(v>>8), uint8(v)
		if got := int(mul8(a, b)); got != slowDiv255(int(a)*int(b)) {
			t.Fatalf("mul8(%d, %d) is %d", a, b, got)
		}
		p := uint32(a) | uint32(b)<<8 | uint32(^a)<<16 | uint32(a^b)<<24
		want, rest := uint64(a)|uint64(b)<<16|uint64(^a)<<32|uint64(a^b)<<48, uint64(0x0099_00ff_0044_00a1)
		if spread(p) != want || pack(want<<8|rest) != p {
			t.Fatalf("%08x is spread to %016x, want %016x, and packed again to %08x", p, spread(p), want, pack(want<<8|rest))
		}
	}
	for i := range 256 {
		if got, want := int(hardStep[i]), (2*i*hardSteps+255)/510; got != want {
			t.Errorf("%d has the step %d, want %d", i, got, want)
		}
	}
}
