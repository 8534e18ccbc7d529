package encode

import (
	"bytes"
	"hash/adler32"
	"image"
	"math/rand/v2"
	"testing"

	"masthead/render/encode/encodetest"
)

// wordsOf returns filtered rows, of three bytes a pixel and each after its filter, as words.
func wordsOf(raw []byte, w int, filter byte) words {
	p := words{w: w, filter: filter}
	for n := 3*w + 1; len(raw) > 0; raw = raw[n:] {
		for x := range w {
			p.pix = append(append(p.pix, raw[1+3*x:][:3]...), 0)
		}
		p.h++
	}
	return p
}

// plainWords is the slow twin of compressWords: it finds the same matches, pixel by pixel.
type plainWords struct {
	words
	head map[uint64]int
	last run
}

func (p *plainWords) word(i int) uint64 {
	b := p.pix[4*i:]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
}

// equal returns how many words are equal, of most.
func (p *plainWords) equal(i, q, most int) int {
	n := 0
	for n < most && p.word(i+n) == p.word(q+n) {
		n++
	}
	return n
}

// room returns how many pixels a match of the pixel x may have: it ends where one of the two rows does.
func (p *plainWords) room(x int, r run) int { return min(maxMatch/3, p.w-max(x, x+r.right)) }

// tokens returns the literals and matches of the picture.
func (p *plainWords) tokens() (out []encodetest.Token) {
	p.head, p.last = map[uint64]int{}, run{1, -1, 3}
	for y := range p.h {
		out = append(out, encodetest.Token{Literal: p.filter})
		if y > 0 && p.equal(y*p.w, (y-1)*p.w, p.w) == p.w {
			for x := 0; x < p.w; x += maxMatch / 3 {
				out = append(out, encodetest.Token{Length: 3 * min(maxMatch/3, p.w-x), Dist: 3*p.w + 1})
			}
			p.last = run{p.w, 0, 3*p.w + 1}
			continue
		}
		for x := 0; x < p.w; {
			n, r := 0, run{}
			if y < p.h-1 || x < p.w-1 {
				n, r = p.match(x, y)
			}
			if n < 2 {
				for k := range 3 {
					out = append(out, encodetest.Token{Literal: p.pix[4*(y*p.w+x)+k]})
				}
				x++
				continue
			}
			out = append(out, encodetest.Token{Length: 3 * n, Dist: r.bytes})
			p.last = r
			x += n
		}
	}
	return out
}

// match returns a match of at least two pixels, or less.
func (p *plainWords) match(x, y int) (n int, r run) {
	i, line := y*p.w+x, 3*p.w+1
	places := []run{p.last}
	if x > 0 {
		places = append(places, run{1, -1, 3})
	}
	if y > 0 {
		places = append(places, run{p.w, 0, line})
	}
	if x > 0 && y > 0 {
		places = append(places, run{p.w - 1, 1, line - 3}, run{p.w + 1, -1, line + 3})
	}
	for _, c := range places {
		if c.back > i || x+c.right < 0 || x+c.right >= p.w {
			continue
		}
		if p.equal(i, i-c.back, 2) == 2 {
			n, r = p.equal(i, i-c.back, p.room(x, c)), c
			break
		}
	}
	if n >= 2 {
		return n, r
	}
	v := p.word(i) | p.word(i+1)<<32
	q, ok := p.head[v*0x9E3779B97F4A7C15>>(64-hashBits)]
	p.head[v*0x9E3779B97F4A7C15>>(64-hashBits)] = i
	if !ok || p.equal(i, q, 2) < 2 {
		return 0, r
	}
	r = run{i - q, q%p.w - x, 3*(i-q) + y - q/p.w}
	if r.bytes > window || r.back >= window/3 {
		return 0, r
	}
	return p.equal(i, q, p.room(x, r)), r
}

// checkWords compares the compressed rows of a picture with its rows, and their matches with those of the twin.
func checkWords(t *testing.T, name string, img *image.NRGBA) {
	t.Helper()
	s := pixelsOf(img).(*rgbPixels)
	s.alpha = false
	for f := filterNone; f <= filterUp; f++ {
		p := s.words(0, img.Rect.Dy(), f)
		d := deflaters.Get().(*deflater)
		out, ok := d.compressWords(nil, p.words, 0)
		deflaters.Put(d)
		if !ok {
			t.Fatalf("%s, filter %d: given up without a limit", name, f)
		}
		raw, tokens, err := encodetest.Inflate(out)
		if err != nil {
			t.Fatalf("%s, filter %d: %v", name, f, err)
		}
		if !bytes.Equal(raw, plainRows(img.Rect.Dy(), s, f)) {
			t.Fatalf("%s of %v, filter %d: other rows", name, img.Rect.Size(), f)
		}
		twin := plainWords{words: p.words}
		want := twin.tokens()
		for i := range min(len(want), len(tokens)) {
			if tokens[i] != want[i] {
				t.Fatalf("%s of %v, filter %d: token %d is %+v, want %+v", name, img.Rect.Size(), f, i, tokens[i], want[i])
			}
		}
		if len(want) != len(tokens) {
			t.Fatalf("%s of %v, filter %d: %d tokens, want %d", name, img.Rect.Size(), f, len(tokens), len(want))
		}
		p.release()
	}
}

// painted returns a picture whose pixels are given by their place.
func painted(w, h int, color func(x, y int) uint32) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		c := color(i%w, i/w)
		img.Pix[4*i], img.Pix[4*i+1], img.Pix[4*i+2], img.Pix[4*i+3] = uint8(c), uint8(c>>8), uint8(c>>16), 255
	}
	return img
}

func TestCompressWords_anyPicture_isAsItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, size := range []image.Point{
		{1, 1}, {1, 7}, {2, 1}, {2, 2}, {3, 3}, {5, 9}, {7, 1}, {86, 3}, {87, 3}, {89, 4}, {300, 40}, {1200, 30}, {10_000, 4},
	} {
		for name, color := range map[string]func(x, y int) uint32{
			"plain":    func(int, int) uint32 { return 0x336699 },
			"noise":    func(int, int) uint32 { return r.Uint32() },
			"few":      func(int, int) uint32 { return uint32(r.IntN(3)) },
			"diagonal": func(x, y int) uint32 { return uint32((x + y) * 77) },
			"other":    func(x, y int) uint32 { return uint32((x - y + 5000) * 77) },
			"columns":  func(x, _ int) uint32 { return uint32(x * x) },
			"tiles":    func(x, y int) uint32 { return uint32(x%9*y%7) * 12345 },
			"edges": func(x, y int) uint32 {
				if x/40%2 == y/11%2 {
					return uint32(r.IntN(20) / 19)
				}
				return 0xffffff
			},
		} {
			checkWords(t, name, painted(size.X, size.Y, color))
			checkWords(t, name+", rows thrice", painted(size.X, size.Y, func(x, y int) uint32 { return color(x, y/3) }))
		}
	}
	img := painted(900, 200, func(int, int) uint32 { return r.Uint32() })
	d := new(deflater)
	p := pixelsOf(img).(*rgbPixels).words(0, 200, filterNone)
	if _, ok := d.compressWords(nil, p.words, 1000); ok || len(d.tokens) != 0 {
		t.Errorf("noise fits a kilobyte: %v, or %d tokens are left", ok, len(d.tokens))
	}
}

// Pictures so wide that the row above is beyond the window are compressed by bytes.
func TestInWords_wideRows_areNot(t *testing.T) {
	for w, want := range map[int]bool{1: true, (window - 4) / 3: true, (window-4)/3 + 1: false} {
		img := painted(w, 5, func(x, _ int) uint32 { return uint32(x) })
		if got := pixelsOf(img).(*rgbPixels).inWords(filterNone); got != want {
			t.Errorf("%d pixels wide: %v", w, got)
		}
		pic, err := Encode(img, Lossless)
		if err != nil {
			t.Fatal(err)
		}
		back, err := encodetest.ReadPNG(pic.Bytes)
		if err != nil || !bytes.Equal(back.Pix, img.Pix) {
			t.Errorf("%d pixels wide: other pixels, or %v", w, err)
		}
	}
}

func FuzzCompressWords(f *testing.F) {
	f.Add(uint8(9), []byte{1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3})
	f.Add(uint8(1), bytes.Repeat([]byte{7, 8, 9}, 99))
	f.Add(uint8(30), bytes.Repeat([]byte("abcde"), 700))
	f.Fuzz(func(t *testing.T, width uint8, data []byte) {
		w := int(width) + 1
		if len(data) == 0 || len(data) > 1<<12 {
			return
		}
		checkWords(t, "fuzz", painted(w, len(data)/w+1, func(x, y int) uint32 { // few colors, so that pixels repeat
			return uint32(data[(y*w+x)%len(data)]>>5) * 0x10305
		}))
	})
}

// The checksum is that of the standard library over the first three bytes of words, at every length about a block.
func TestAdlerWords_anyLength_equalsStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 600 {
		b, plain := make([]byte, 4*n), []byte{9, 9}
		for i := range b {
			b[i] = 255
			if n%3 > 0 {
				b[i] = uint8(r.Uint32())
			}
			if i%4 < 3 {
				plain = append(plain, b[i])
			}
		}
		if got, want := adlerWords(adler(adlerStart, plain[:2]), b), adler32.Checksum(plain); got != want {
			t.Fatalf("%d words: %08x, want %08x", n, got, want)
		}
	}
	full := bytes.Repeat([]byte{255}, 4*maxSide)
	a, b := adlerWords(0xfff0fff0, full), adler(0xfff0fff0, full[:3*maxSide])
	if a != b {
		t.Fatalf("of the widest row: %08x, want %08x", a, b)
	}
}
