package paint

import (
	"bytes"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// What multiplies several channels of several pixels in one word is compared here with the same, a channel at a time.

// bytes returns n bytes: many of them extreme, where lanes would overflow.
func (s *script) bytes(n int) []uint8 {
	b := make([]uint8, n)
	seed, kind := uint64(s.n(1<<16)), s.n(4)
	r := rand.New(rand.NewPCG(seed, 5))
	for i := range b {
		switch b[i] = uint8(r.Uint32()); {
		case kind == 0 || kind == 1 && b[i]%3 == 0:
			b[i] = 255
		case kind == 2 && b[i]%2 == 0:
			b[i] = 0
		}
	}
	return b
}

// slowBox is the mean of a picture in a square of two pixels from a place, in eighths of a pixel, on. What lies beyond
// the picture is as its border.
func slowBox(src *image.RGBA, x, y, ch int) int {
	sum := 0
	at := func(eighths, i int) int { return min(max(eighths>>3+i, 0), src.Rect.Dx()-1) }
	down := func(eighths, i int) int { return min(max(eighths>>3+i, 0), src.Rect.Dy()-1) }
	wx, wy := [3]int{8 - x&7, 8, x & 7}, [3]int{8 - y&7, 8, y & 7}
	for j := range 3 {
		for i := range 3 {
			sum += wx[i] * wy[j] * int(src.Pix[src.PixOffset(at(x, i), down(y, j))+ch])
		}
	}
	return (sum + 128) / 256
}

// FuzzTurned compares rows of turned pictures, all of them and parts.
func FuzzTurned(f *testing.F) {
	scripts(f, 400, 60)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		src := image.NewRGBA(image.Rect(0, 0, 1+s.n(60), 1+s.n(60)))
		copy(src.Pix, s.bytes(len(src.Pix)))
		for i := 3; i < len(src.Pix); i += 4 {
			src.Pix[i] = 255
		}
		part := image.Rect(s.n(9), s.n(9), 20+s.n(20), 20+s.n(20)).Intersect(src.Rect)
		cov := s.coverage(1 + s.n(60))
		place := func() int { return (s.n(45)-4)*turnOne + s.n(1<<16)*turnOne>>16 }
		p := turnedPlace{place(), place()}
		fine := 4 + 60*s.n(2)
		step := turnedPlace{(s.n(1<<16) - 1<<15) * fine, (s.n(1<<16) - 1<<15) * fine}
		was := s.bytes(4 * len(cov))
		whole, within := bytes.Clone(was), bytes.Clone(was)
		turnRow(whole, cov, src, p, step)
		turnRowWithin(within, cov, src, part, p, step)
		for i, a := range cov {
			x, y := p.x>>(turnBits-3), p.y>>(turnBits-3)
			covered := image.Rect(x>>3, y>>3, x>>3+3, y>>3+3)
			for ch := range 4 {
				sum, have := slowBox(src, x, y, ch), int(was[4*i+ch])
				want, wantWithin := slowDiv255(sum*int(a)+have*(255-int(a))), have
				if a == 255 && covered.In(part) {
					wantWithin = sum
				}
				if ch == 3 && a != 0 {
					want = 255
				}
				if got := int(whole[4*i+ch]); got != want {
					t.Fatalf("channel %d of pixel %d at %d,%d, covered by %d, is %d, want %d", ch, i, x, y, a, got, want)
				}
				if got := int(within[4*i+ch]); got != wantWithin {
					t.Fatalf("of a part, channel %d of pixel %d at %d,%d is %d, want %d", ch, i, x, y, got, wantWithin)
				}
			}
			p.x, p.y = p.x+step.x, p.y+step.y
		}
	})
}

// slowMixLane mixes an ink into a channel of a light.
func slowMixLane(have int, ink uint8, part int32) int {
	return have + int(math.Floor(float64((int(ink)*lightLevel-have)*int(part))/65536))
}

// slowLit returns a channel of a pixel of a light: between two of its columns, with the inks of that column over it,
// and between two of its rows.
func slowLit(g Lit, columns []litColumn, x, y, ch int, threshold int) uint8 {
	rowAt := func(j int) int {
		col := columns[x]
		place := func(i int) int {
			return int(g.Light.pix[min(j, g.Light.rows-1)*g.Light.cols+i] >> (16 * ch) & 0xffff)
		}
		v := (place(int(col.at))*(8-int(col.part)) + place(int(col.at)+1)*int(col.part)) / 8
		if g.Glass == nil {
			return v
		}
		edge, ink := [3]uint8{g.Glass.Edge.R, g.Glass.Edge.G, g.Glass.Edge.B}, [3]uint8{g.Glass.Ink.R, g.Glass.Ink.G, g.Glass.Ink.B}
		return slowMixLane(slowMixLane(v, edge[ch], col.edge), ink[ch], col.ink)
	}
	k := max(2*y+1-lightCell, 0)
	j, part := k/(2*lightCell), k%(2*lightCell)
	return uint8((rowAt(j)*(8-part) + rowAt(j+1)*part + threshold) / 256)
}

// FuzzLit enlarges lights at random, through glass and not, with dither and without.
func FuzzLit(f *testing.F) {
	scripts(f, 60, 60)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		w, h := 1+s.n(150), 1+s.n(40)
		light := &Light{cols: (w+3)/lightCell + 2*lightMargin, rows: (h+3)/lightCell + 1}
		levels := s.bytes(3 * light.cols * light.rows)
		for i := range light.cols * light.rows {
			p := levels[3*i:]
			fine := uint64(i*13) % lightLevel // up to the lightest there is
			level := func(v uint8) uint64 { return min(uint64(v)*lightLevel+fine, 255*lightLevel) }
			light.pix = append(light.pix, level(p[0])|level(p[1])<<16|level(p[2])<<32)
		}
		g := Lit{Light: light, Mirror: s.n(2) == 1, Dither: s.n(2) == 1}
		if s.n(2) == 1 {
			g.Glass = &Glass{Flutes: Flutes{From: s.n(w + 1), Width: s.n(20), Bend: float64(s.n(40)) / 8, Edge: s.ink(), EdgeW: s.n(4)},
				Ink: s.ink(), Scrim: []AlphaStop{{At: float64(s.n(w)), Alpha: 1}, {At: float64(w), Alpha: float64(s.n(9)) / 8}}}
		}
		c := New(w, h, g)
		defer c.Release()
		columns := g.columns(w)
		for y := range h {
			for x := range w {
				threshold := 127
				if g.Dither {
					threshold = int(noiseRow(y)[x%noiseSide])
				}
				want := color.NRGBA{R: slowLit(g, columns, x, y, 0, threshold), G: slowLit(g, columns, x, y, 1, threshold),
					B: slowLit(g, columns, x, y, 2, threshold), A: 255}
				if got := c.At(x, y); got != want || c.rgba.Pix[4*(y*w+x)+3] != 255 {
					t.Fatalf("%d,%d of %dx%d is %v, want %v", x, y, w, h, got, want)
				}
			}
		}
	})
}

// slowVeil returns a channel of a pixel under a veil in an ink. Two pixels beside each other, counted from the first of
// their cell that is seen, have the opacity of the first, rounded by its threshold.
func slowVeil(nodes []int32, x, x0 int, have, ink uint8, noise []uint8) uint8 {
	cell := x / veilStep
	left, right := nodes[cell], nodes[cell+1]
	switch {
	case left < 128 && right < 128:
		return have
	case left >= full-128 && right >= full-128:
		return ink
	}
	first := max(cell*veilStep, x0)
	even := x - (x-first)%2
	step := (right - left) / veilStep
	part := int(min((left+step/2+step*int32(even-cell*veilStep)+int32(noise[even%noiseSide]))>>8, 256))
	return uint8((int(have)*(256-part) + int(ink)*part + int(noise[x%noiseSide])) / 256)
}

// FuzzVeil lays veils at random over plates, with their blurred pictures, and compares each channel of each pixel.
func FuzzVeil(f *testing.F) {
	scripts(f, 120, 300)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		pw, ph, w, h := CellSide+s.n(90), CellSide+s.n(40), 1+s.n(120), 1+s.n(50)
		repeated := s.n(4) == 0 // rows have the same opacities, as those of a veil from the side
		if repeated {
			pw, ph, w, h = (pw+7)&^7, 3*ph, (w+7)&^7, 3*h
		}
		img := &image.NRGBA{Pix: s.bytes(4 * pw * ph), Stride: 4 * pw, Rect: image.Rect(0, 0, pw, ph)}
		p := makePlate(img, PlateSpec{W: pw, H: ph})
		v, ink, at := NewVeil(w, h), s.ink(), image.Pt(s.n(40)-20, s.n(40)-20)
		if repeated {
			at.X &^= 7
		}
		for _, nodes := range [][]float32{v.cover, v.blur} {
			kind := s.n(6)
			for i := range nodes {
				switch b := s.byte(); {
				case repeated && i >= v.cols && i/v.cols != 9: // but one
					nodes[i] = nodes[i%v.cols]
				case kind > 3 && i%v.cols > 0: // rows of one opacity
					nodes[i] = nodes[i-1]
				case kind == 0 && b%4 == 0:
					nodes[i] = 1 - float32(b)/4096
				case kind == 0 || kind == 1 && b < 120:
					nodes[i] = 1
				case b < 60 || kind == 2:
				default:
					nodes[i] = float32(b) / 255
				}
			}
		}
		c := NewOver(p, at, v, ink)
		defer c.Release()
		cover, blur := make([]int32, v.cols), make([]int32, v.cols)
		inks := [3]uint8{ink.R, ink.G, ink.B}
		for y := range h {
			covers, blurs := v.rowOf(cover, v.cover, y), v.rowOf(blur, v.blur, y)
			for x := range w {
				px, py := x-at.X, y-at.Y
				for ch, want := range inks {
					if px >= 0 && py >= 0 && px < pw && py < ph {
						have := p.pix[4*(py*pw+px)+ch]
						if blurs {
							have = slowSoft(p, px, py, ch, have, blur, x)
						}
						if want = have; covers {
							want = slowVeil(cover, x, max(at.X, 0), have, inks[ch], noiseRow(y))
						}
					}
					if got := c.rgba.Pix[4*(y*w+x)+ch]; got != want {
						t.Fatalf("channel %d of %d,%d is %d, want %d", ch, x, y, got, want)
					}
				}
			}
		}
	})
}

// slowSoft mixes a channel of a plate with its blurred picture, by the opacity of nodes at x.
func slowSoft(p *Plate, px, py, ch int, have uint8, nodes []int32, x int) uint8 {
	step := (nodes[x/veilStep+1] - nodes[x/veilStep]) / veilStep
	k := int(nodes[x/veilStep]+step/2+step*int32(x%veilStep)) >> 8
	if k == 0 {
		return have
	}
	row := func(j, i int) int {
		return int(p.soft[4*(min(max(j, 0), p.rows-1)*p.cols+min(max(i, 0), p.cols-1))+ch])
	}
	j, down := (py+CellSide/2)/CellSide-1, (2*((py+CellSide/2)%CellSide)+1)*32
	i, across := (px+CellSide/2)/CellSide-1, (2*((px+CellSide/2)%CellSide)+1)*32
	left, right := (row(j, i)*(256-down)+row(j+1, i)*down)/256, (row(j, i+1)*(256-down)+row(j+1, i+1)*down)/256
	soft := (left*(256-across) + right*across) / 256
	return uint8((int(have)*(256-k) + soft*k) / 256)
}

// slowBlur blurs by adding up each box.
func slowBlur(pix []uint8, w, h, channels int, sigma float64) []uint8 {
	pix = bytes.Clone(pix)
	line := func(n int, at func(i int) *uint8, radius int) {
		was := make([]uint64, n)
		for i := range was {
			was[i] = uint64(*at(i))
		}
		width := uint64(2*radius + 1)
		for i := range was {
			sum := uint64(0)
			for k := i - radius; k <= i+radius; k++ {
				sum += was[min(max(k, 0), n-1)]
			}
			*at(i) = uint8((sum*((1<<24+width/2)/width) + 1<<23) >> 24)
		}
	}
	for _, radius := range boxRadii(sigma) {
		if radius < 1 {
			continue
		}
		for ch := range channels {
			for y := range h {
				line(w, func(i int) *uint8 { return &pix[(y*w+i)*channels+ch] }, min(radius, w))
			}
			for x := range w {
				line(h, func(i int) *uint8 { return &pix[(i*w+x)*channels+ch] }, min(radius, h))
			}
		}
	}
	return pix
}

// FuzzBlur compares running sums with sums, and these, as they are rounded, with quotients: they are off by one level
// at most in each of six passes.
func FuzzBlur(f *testing.F) {
	scripts(f, 50, 12)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		w, h, channels, sigma := 1+s.n(60), 1+s.n(60), 1+3*s.n(2), float64(s.n(400))/16+.01
		pix := s.bytes(w * h * channels)
		want := slowBlur(pix, w, h, channels, sigma)
		if blur(pix, w, h, channels, sigma); !bytes.Equal(pix, want) {
			t.Errorf("a blur of %dx%d by %v differs from sums of each box", w, h, sigma)
		}
		radius := s.n(4097)
		sum := s.n(1<<16) * 255 * (2*radius + 1) / (1<<16 - 1)
		exact := (2*sum + 2*radius + 1) / (2 * (2*radius + 1))
		if got := int((uint64(sum)*boxScale(radius) + 1<<23) >> 24); abs(got-exact) > 1 {
			t.Errorf("%d divided by %d is %d, want about %d", sum, 2*radius+1, got, exact)
		}
	})
}

// slowScale scales one channel: the weighted samples of each column are added up, shortened by so many bits, and added
// up along the row.
func slowScale(across, down *taps, sample func(x, y int) uint8, i, j int) uint8 {
	sum := half
	for a := range across.n {
		column := 0
		for b := range down.n {
			column += int(sample(int(across.first[i])+a, int(down.first[j])+b)) * int(down.weight[j*down.n+b])
		}
		sum += column >> sumBits * int(across.weight[i*across.n+a])
	}
	return uint8(min(max(sum>>(2*tapBits-sumBits), 0), 255))
}

// FuzzScaleCrop scales parts of pictures at random, from pixels and from planes, and compares each channel.
func FuzzScaleCrop(f *testing.F) {
	scripts(f, 60, 40)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		size, w, h := image.Pt(1+s.n(70), 1+s.n(70)), 1+s.n(90), 1+s.n(50)
		part := coverCrop(size.X, size.Y, w, h, float64(s.n(9))/8, float64(s.n(9))/8)
		img := &image.NRGBA{Pix: s.bytes(4 * size.X * size.Y), Stride: 4 * size.X, Rect: image.Rectangle{Max: size}}
		for i := 3; i < len(img.Pix); i += 4 {
			img.Pix[i] = 255
		}
		got := scaleCrop(img, part, w, h, color.NRGBA{})
		across, down := newTaps(part.x, part.w, size.X, w), newTaps(part.y, part.h, size.Y, h)
		checkTaps(t, across)
		checkTaps(t, down)
		for i := range got {
			x, y, ch := i/4%w, i/4/w, i%4
			want := uint8(255)
			if ch < 3 {
				want = slowScale(across, down, func(x, y int) uint8 { return img.Pix[img.PixOffset(x, y)+ch] }, x, y)
			}
			if got[i] != want {
				t.Fatalf("channel %d of %d,%d is %d, want %d", ch, x, y, got[i], want)
			}
		}
		ratio := []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422,
			image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411,
			image.YCbCrSubsampleRatio410}[s.n(6)]
		planes := image.NewYCbCr(image.Rectangle{Max: size}, ratio)
		for _, p := range [][]uint8{planes.Y, planes.Cb, planes.Cr} {
			copy(p, s.bytes(len(p)))
		}
		got = scaleCrop(planes, part, w, h, color.NRGBA{})
		sx, sy := subsampling(ratio)
		chroma := image.Pt((size.X+sx-1)/sx, (size.Y+sy-1)/sy)
		cAcross := newTaps(part.x/float64(sx), part.w/float64(sx), chroma.X, w)
		cDown := newTaps(part.y/float64(sy), part.h/float64(sy), chroma.Y, h)
		for i := 0; i < len(got); i += 4 {
			x, y := i/4%w, i/4/w
			luma := slowScale(across, down, func(x, y int) uint8 { return planes.Y[y*planes.YStride+x] }, x, y)
			cb := slowScale(cAcross, cDown, func(x, y int) uint8 { return planes.Cb[y*planes.CStride+x] }, x, y)
			cr := slowScale(cAcross, cDown, func(x, y int) uint8 { return planes.Cr[y*planes.CStride+x] }, x, y)
			r, g, b := color.YCbCrToRGB(luma, cb, cr)
			want := []int{int(r), int(g), int(b)}
			for ch, v := range want { // the standard library cuts where this rounds, by 1 of 65536 more in a factor
				if abs(int(got[i+ch])-v) > 1 {
					t.Fatalf("%v: channel %d of %d,%d is %d, want about %d", ratio, ch, x, y, got[i+ch], v)
				}
			}
			var exact [4]uint8
			if toRGB(exact[:], luma, cb, cr); !bytes.Equal(got[i:i+4], exact[:]) {
				t.Fatalf("%v: %d,%d is %v, want %v", ratio, x, y, got[i:i+4], exact)
			}
		}
	})
}

// checkTaps fails unless the weights of each scaled sample add up to one.
func checkTaps(t *testing.T, taps *taps) {
	t.Helper()
	for i := range taps.first {
		sum := int32(0)
		for _, w := range taps.weight[i*taps.n:][:taps.n] {
			sum += w
		}
		if sum != 1<<tapBits {
			t.Fatalf("the weights of sample %d add up to %d, want %d", i, sum, 1<<tapBits)
		}
	}
}

// TestToRGB_isJFIF compares all colors of planes with the formula.
func TestToRGB_isJFIF(t *testing.T) {
	round := func(v float64) int { return int(min(max(math.Floor(v+.5), 0), 255)) }
	var d [4]uint8
	for i := range 1 << 24 {
		if i%7 != 0 { // each value of each, and each of many pairs
			continue
		}
		y, cb, cr := uint8(i>>16), uint8(i>>8), uint8(i)
		toRGB(d[:], y, cb, cr)
		l, b, r := float64(y), float64(cb)-128, float64(cr)-128
		// The factors of JFIF in 1/65536, to the nearest.
		for ch, v := range [3]float64{l + 91881./65536*r, l - 22554./65536*b - 46802./65536*r, l + 116130./65536*b} {
			if int(d[ch]) != round(v) {
				t.Fatalf("channel %d of %d, %d, %d is %d, want %v", ch, y, cb, cr, d[ch], v)
			}
		}
	}
}

// FuzzNearest compares the entries that are found with those of least distance, the first of them.
func FuzzNearest(f *testing.F) {
	scripts(f, 60, 900)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		b := newBlendTable()
		for n := 1 + s.n(maxColors); b.n < n; {
			b.add(rgb{s.byte(), s.byte(), s.byte()}, false)
		}
		var some []uint8
		for i := range b.n {
			if i == 0 || s.n(3) == 0 {
				some = append(some, uint8(i))
			}
		}
		slices.Reverse(some)
		for range 20 {
			c := rgb{s.byte(), s.byte(), s.byte()}
			least, at := math.MaxInt, 0
			for i, p := range b.colors[:b.n] {
				if d := distance(p, c); d < least {
					least, at = d, i
				}
			}
			if got, d := b.nearest(c); int(got) != at || d != least {
				t.Fatalf("the nearest to %v is %d at %d, want %d at %d", c, got, d, at, least)
			}
			least, at = math.MaxInt, 0
			for _, i := range some {
				if d := distance(b.colors[i], c); d < least {
					least, at = d, int(i)
				}
			}
			if got := b.nearestOf(some, c); int(got) != at {
				t.Fatalf("the nearest of %v to %v is %d, want %d", some, c, got, at)
			}
		}
	})
}

// TestBlueNoise_hasEachThreshold: the sums of lanes rest on none being above 254.
func TestBlueNoise_hasEachThreshold(t *testing.T) {
	var seen [256]int
	for _, v := range blueNoise() {
		seen[v]++
	}
	for v, n := range seen[:255] {
		if n < 4 || n > 5 {
			t.Errorf("threshold %d is there %d times, want 4 or 5", v, n)
		}
	}
	if seen[255] != 0 {
		t.Error("there is a threshold of 255")
	}
}

// TestSameSamples_looksAtEach changes each of the samples of a pixel alone.
func TestSameSamples_looksAtEach(t *testing.T) {
	var lines [silkSamples][]uint8
	for i := range lines {
		lines[i] = bytes.Repeat([]uint8{77}, 3*silkSamples)
	}
	if v, same := sameSamples(&lines, silkSamples); !same || v != 77 {
		t.Errorf("of one shade: got %d, %v", v, same)
	}
	for i, line := range lines {
		for x := range line {
			line[x] = 78
			want := x < silkSamples || x >= 2*silkSamples
			if _, same := sameSamples(&lines, silkSamples); same != want {
				t.Errorf("with another shade at %d,%d: got %v, want %v", x, i, same, want)
			}
			line[x] = 77
		}
	}
}

// FuzzTint lays tinted veils whose rows have one opacity each over plates at random, and compares each channel of each
// pixel.
func FuzzTint(f *testing.F) {
	scripts(f, 120, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &script{data}
		pw, ph, w, h := CellSide+s.n(150), CellSide+s.n(40), 1+s.n(200), 1+s.n(50)
		img := &image.NRGBA{Pix: s.bytes(4 * pw * ph), Stride: 4 * pw, Rect: image.Rect(0, 0, pw, ph)}
		p := makePlate(img, PlateSpec{W: pw, H: ph})
		v, ink, at := NewVeil(w, h), s.ink(), image.Pt(s.n(40)-20, s.n(40)-20)
		for j := range v.rows {
			a := float32(s.byte()) / 255
			for i := range v.cols {
				v.cover[j*v.cols+i] = a
			}
		}
		v.Tint(func(float64) (r, g, b float64) {
			share := func() float64 { return float64(s.byte()) / 128 }
			return share(), share(), share()
		})
		c := NewOver(p, at, v, ink)
		defer c.Release()
		cover, inks := make([]int32, v.cols), [3]uint8{ink.R, ink.G, ink.B}
		for y := range h {
			covers, shares, noise := v.rowOf(cover, v.cover, y), v.tintAt(y), noiseRow(y)
			for x := range w {
				px, py := x-at.X, y-at.Y
				for ch, want := range inks {
					if px >= 0 && py >= 0 && px < pw && py < ph {
						want = p.pix[4*(py*pw+px)+ch]
						if covers && cover[0] >= nearly {
							part := min(int(float32(cover[0])*shares[ch]), full)
							even := x - x%2
							part = min((part+int(noise[even%noiseSide]))>>8, 256)
							want = uint8((int(want)*(256-part) + int(inks[ch])*part + int(noise[x%noiseSide])) / 256)
						}
					}
					if got := c.rgba.Pix[4*(y*w+x)+ch]; got != want {
						t.Fatalf("channel %d of %d,%d is %d, want %d", ch, x, y, got, want)
					}
				}
			}
		}
	})
}
