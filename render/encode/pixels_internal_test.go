package encode

import (
	"bytes"
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"masthead/render/encode/encodetest"
)

// indexed returns a picture of the first n entries of a palette of 256, within a larger one where inner says so.
func indexed(r *rand.Rand, w, h, n int, inner bool) *image.Paletted {
	pal := make(color.Palette, 256)
	for i := range pal {
		pal[i] = color.RGBA{uint8(i), uint8(255 - i), uint8(i * 7), 255}
	}
	big := image.NewPaletted(image.Rect(-3, -2, w+6, h+5), pal)
	img := image.NewPaletted(image.Rect(0, 0, w, h), pal)
	if inner {
		img = big.SubImage(img.Rect).(*image.Paletted)
	}
	entries := r.Perm(256)[:n]
	for y := range h {
		for x := range w {
			v := entries[r.IntN(n)]
			if x > 0 && r.IntN(20) > 0 { // runs, which are passed eight at a time
				v = int(img.ColorIndexAt(x-1, y))
			}
			img.SetColorIndex(x, y, uint8(v))
		}
	}
	return img
}

// plainEntries is the slow twin of entriesOf: the indexes of pixels in the order in which they appear.
func plainEntries(p *image.Paletted) (used []uint8) {
	for y := p.Rect.Min.Y; y < p.Rect.Max.Y; y++ {
		for x := p.Rect.Min.X; x < p.Rect.Max.X; x++ {
			if v := p.ColorIndexAt(x, y); !bytes.Contains(used, []byte{v}) {
				used = append(used, v)
			}
		}
	}
	return used
}

// plainPacked is the slow twin of indexedPixels.read: bits are collected from the highest.
func plainPacked(p *image.Paletted, y, bits int, entry func(uint8) int) (out []byte) {
	acc, n := 0, 0
	for x := range p.Rect.Dx() {
		acc, n = acc<<bits+entry(p.ColorIndexAt(p.Rect.Min.X+x, p.Rect.Min.Y+y)), n+bits
		if n == 8 {
			out, acc, n = append(out, byte(acc)), 0, 0
		}
	}
	if n > 0 {
		out = append(out, byte(acc<<(8-n)))
	}
	return out
}

func checkIndexed(t *testing.T, img *image.Paletted) {
	t.Helper()
	used, s := plainEntries(img), newIndexedPixels(img)
	bits := 8
	for _, b := range []int{4, 2, 1} {
		if len(used) <= 1<<b {
			bits = b
		}
	}
	entry := func(v uint8) int { return int(v) }
	if bits < 8 {
		entry = func(v uint8) int { return bytes.IndexByte(used, v) }
		if got := entriesOf(img); !bytes.Equal(got, used) {
			t.Fatalf("%v: the entries are %v, want %v", img.Rect, got, used)
		}
	} else if got := entriesOf(img); !bytes.Equal(got, used[:maxPacked+1]) {
		t.Fatalf("%v: the entries are %v, want %v", img.Rect, got, used[:maxPacked+1])
	}
	if s.bits != bits {
		t.Fatalf("%v: %d bits for %d entries, want %d", img.Rect, s.bits, len(used), bits)
	}
	row := bytes.Repeat([]byte{0xa5}, s.rowBytes()) // what is there before is of no account
	for y := range img.Rect.Dy() {
		if s.read(row, y); !bytes.Equal(row, plainPacked(img, y, bits, entry)) {
			t.Fatalf("%v in %d bits: row %d is % x, want % x", img.Rect, bits, y, row, plainPacked(img, y, bits, entry))
		}
	}
	for i, v := range used {
		if bits == 8 {
			i = int(v)
		}
		r, g, b, _ := img.Palette[v].RGBA()
		if got := s.entries[3*i:][:3]; got[0] != uint8(r>>8) || got[1] != uint8(g>>8) || got[2] != uint8(b>>8) {
			t.Fatalf("entry %d is %v, want %v", i, got, img.Palette[v])
		}
	}
}

// Indexes are packed into as few bits as their number asks for, at every width that leaves bits of a byte over.
func TestIndexedPixels_anyEntries_arePackedAsByTheirTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	for _, n := range []int{1, 2, 3, 4, 5, 15, 16, 17, 40, 256} {
		for w := 1; w < 36; w++ {
			for _, h := range []int{1, 5, 15, 16, 40} {
				checkIndexed(t, indexed(r, w, h, n, (w+h)%2 == 0))
			}
		}
	}
	// An entry that only one row has, which no sample meets.
	img := indexed(r, 40, 200, 16, false)
	for _, y := range []int{0, 1, 199} {
		img.SetColorIndex(39, y, 255)
		checkIndexed(t, img)
		img.SetColorIndex(39, y, img.ColorIndexAt(38, y))
	}
}

// A pixel without a color is black, rather than a file that nobody can read.
func TestIndexedPixels_indexBeyondThePalette_isBlack(t *testing.T) {
	img := image.NewPaletted(image.Rect(0, 0, 9, 3), color.Palette{color.White, color.RGBA{9, 9, 9, 255}})
	img.SetColorIndex(4, 1, 200)
	pic, err := Encode(img, Lossless)
	if err != nil {
		t.Fatal(err)
	}
	back, err := encodetest.ReadPNG(pic.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if got := back.NRGBAAt(4, 1); got != (color.NRGBA{A: 255}) || back.NRGBAAt(3, 1).R != 255 {
		t.Errorf("it is %v", got)
	}
}

func FuzzIndexedPixels(f *testing.F) {
	f.Add(uint8(9), []byte{1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3})
	f.Add(uint8(16), bytes.Repeat([]byte{7}, 99))
	f.Add(uint8(1), []byte("abcdefghijklmnopqrstuvwxyz"))
	f.Fuzz(func(t *testing.T, width uint8, data []byte) {
		w := int(width) + 1
		if len(data) == 0 || len(data) > 1<<12 {
			return
		}
		img := indexed(rand.New(rand.NewPCG(1, 1)), w, len(data)/w+1, 1, false)
		copy(img.Pix, data)
		checkIndexed(t, img)
		pic, err := Encode(img, Lossless)
		if err != nil {
			t.Fatal(err)
		}
		encodetest.PNG(t, img, pic.Bytes)
	})
}

// Rows of truecolor are those of the pixels, whatever their width.
func TestRGBPixels_anyWidth_areThoseOfThePixels(t *testing.T) {
	for w := 1; w < 20; w++ {
		img := image.NewNRGBA(image.Rect(0, 0, w+5, 4))
		for i := range img.Pix {
			img.Pix[i] = uint8(i*29 + w)
		}
		part := img.SubImage(image.Rect(2, 1, 2+w, 4)).(*image.NRGBA)
		for _, alpha := range []bool{true, false} {
			s, n := pixelsOf(part).(*rgbPixels), 4
			if s.alpha = alpha; !alpha {
				n = 3
			}
			row := make([]byte, s.rowBytes())
			for y := range 3 {
				var want []byte
				for x := range w {
					c := part.NRGBAAt(2+x, 1+y)
					want = append(want, []byte{c.R, c.G, c.B, c.A}[:n]...)
				}
				if s.read(row, y); !bytes.Equal(row, want) {
					t.Fatalf("%d pixels, alpha %v: % x, want % x", w, alpha, row, want)
				}
			}
		}
	}
}

// What a JPEG is made of are the colors of pixels, on white where they are clear.
func TestRGBAPixels_anyType_areColorsOnWhite(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	clear := image.NewNRGBA(image.Rect(0, 0, 256, 64))
	for i := range clear.Pix {
		clear.Pix[i] = uint8(r.Uint32())
	}
	for i := range 256 { // every alpha over the extremes
		copy(clear.Pix[8*i:], []byte{0, 255, 128, uint8(i), 255, 0, 1, uint8(i)})
	}
	solid := image.NewNRGBA(image.Rect(0, 0, 30, 20))
	for i := range solid.Pix {
		solid.Pix[i] = uint8(i*7) | uint8(0xff*(i%4/3))
	}
	for _, img := range []image.Image{
		clear, clear.SubImage(image.Rect(5, 3, 80, 20)), solid, solid.SubImage(image.Rect(3, 2, 9, 9)),
		indexed(r, 33, 22, 200, false), indexed(r, 33, 22, 5, true),
	} {
		b := img.Bounds()
		pix, stride := rgbaPixels(encodable(img))
		for y := range b.Dy() {
			for x := range b.Dx() {
				c := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
				for k, v := range [3]uint8{c.R, c.G, c.B} {
					exact := (float64(v)*float64(c.A) + 255*(255-float64(c.A))) / 255
					if got := pix[y*stride+4*x+k]; float64(got) < exact-.5 || float64(got) > exact+.5 {
						t.Fatalf("%T, channel %d of %d,%d is %d, want %.2f", img, k, x, y, got, exact)
					}
				}
			}
		}
	}
}
