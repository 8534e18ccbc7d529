package encode

import (
	"bytes"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"masthead/render/encode/encodetest"
)

// plainFilter is the slow twin of apply: each byte less what the filter foretells, by the definition.
func plainFilter(filter byte, row, last []byte, bpp int) []byte {
	out := make([]byte, len(row))
	for i, v := range row {
		out[i] = v - encodetest.Foretold(filter, row, last, i, bpp)
	}
	return out
}

// plainEach is the slow twin of applyEach: the first of the filters whose bytes, taken as signed, have the least sum.
func plainEach(row, last []byte, bpp int) []byte {
	var best []byte
	least := -1
	for f := filterNone; f <= filterPaeth; f++ {
		filtered, sum := plainFilter(f, row, last, bpp), 0
		for _, v := range filtered {
			if v < 128 {
				sum += int(v)
			} else {
				sum += 256 - int(v)
			}
		}
		if least < 0 || sum < least {
			best, least = append([]byte{f}, filtered...), sum
		}
	}
	return best
}

// checkFilters compares each filter, of rows as long as last, with its twin.
func checkFilters(t *testing.T, row, last []byte, bpp int) {
	t.Helper()
	above := bytes.Clone(last)
	for f := filterNone; f <= filterPaeth; f++ {
		got, want := bytes.Clone(row), plainFilter(f, row, last, bpp)
		if apply(f, got, last, bpp); !bytes.Equal(got, want) {
			t.Fatalf("filter %d, %d bytes a pixel, row % x below % x: % x, want % x", f, bpp, row, last, got, want)
		}
		if back := encodetest.Unfilter(f, got, last, bpp); !bytes.Equal(back, row) {
			t.Fatalf("filter %d, %d bytes a pixel: % x comes back as % x", f, bpp, row, back)
		}
	}
	got := append([]byte{filterEach}, row...)
	applyEach(got, last, make([]byte, len(got)), bpp)
	if want := plainEach(row, last, bpp); !bytes.Equal(got, want) {
		t.Fatalf("each filter, %d bytes a pixel, row % x below % x: % x, want % x", bpp, row, last, got, want)
	}
	if !bytes.Equal(above, last) {
		t.Fatal("the row above was changed")
	}
}

// Each filter takes off what its definition foretells: for each number of bytes a pixel, for rows of one pixel and
// more, for the first row, and for all three bytes that Paeth's filter looks at.
func TestApply_eachFilter_isItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	values := []byte{0, 1, 2, 127, 128, 129, 254, 255}
	for _, bpp := range []int{1, 3, 4} {
		for _, w := range []int{1, 2, 3, 17} {
			row, last := make([]byte, w*bpp), make([]byte, w*bpp)
			for range 200 {
				checkFilters(t, row, make([]byte, len(row)), bpp)
				checkFilters(t, row, last, bpp)
				for i := range row {
					row[i], last[i] = values[r.IntN(len(values))], byte(r.Uint32())
				}
			}
		}
	}
	for a := range 256 {
		for b := range 256 {
			for c := (a + b) % 3; c < 256; c += 3 {
				row, last := [2]byte{byte(a)}, [2]byte{byte(c), byte(b)}
				if got, want := paeth(a, b, c), encodetest.Foretold(filterPaeth, row[:], last[:], 1, 1); got != want {
					t.Fatalf("of %d to the left, %d above and %d beside it: %d, want %d", a, b, c, got, want)
				}
			}
		}
	}
}

func FuzzFilters(f *testing.F) {
	f.Add(uint8(2), []byte{1, 2, 3, 4, 5, 6}, []byte{250, 251})
	f.Add(uint8(0), []byte{0}, []byte{255})
	f.Fuzz(func(t *testing.T, bpp uint8, row, last []byte) {
		n := int(bpp)%4 + 1
		if row = row[:len(row)/n*n]; len(row) == 0 {
			return
		}
		last = append(last, make([]byte, len(row))...)[:len(row)]
		checkFilters(t, row, last, n)
	})
}

// testPixels returns the rows of pictures with and without alpha.
func testPixels(w, h int) map[string]pixels {
	r := rand.New(rand.NewPCG(uint64(w), uint64(h)))
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		if img.Pix[i] = uint8(i/w*3 + r.IntN(5)); i%4 == 3 {
			img.Pix[i] = 255
		}
	}
	clear := image.NewNRGBA(img.Rect)
	for i, v := range img.Pix {
		clear.Pix[i] = v &^ 7
	}
	return map[string]pixels{"opaque": pixelsOf(img), "clear": pixelsOf(clear)}
}

// plainRows is the slow twin of pngWriter.rows.
func plainRows(h int, s pixels, filter byte) (out []byte) {
	last, row := make([]byte, s.rowBytes()), make([]byte, s.rowBytes())
	for y := range h {
		s.read(row, y)
		if filter == filterEach {
			out = append(out, plainEach(row, last, s.pixelBytes())...)
		} else {
			out = append(append(out, filter), plainFilter(filter, row, last, s.pixelBytes())...)
		}
		last, row = row, last
	}
	return out
}

// The rows of a file are those of the picture, each filtered by what the one above was.
func TestRows_eachFilter_areThoseOfTheirTwin(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {1, 9}, {9, 1}, {7, 5}, {33, 20}} {
		for name, s := range testPixels(size.X, size.Y) {
			for f := filterNone; f <= filterEach; f++ {
				var w pngWriter
				w.rows(size.Y, s, f)
				if want := plainRows(size.Y, s, f); !bytes.Equal(w.raw, want) {
					t.Errorf("%s of %v, filter %d: other rows", name, size, f)
				}
				if full := w.raw[:len(w.raw)+8]; cap(w.raw) < len(full) {
					t.Errorf("%s of %v: no bytes to spare", name, size)
				}
				w.releaseRows()
			}
		}
	}
}

// The filter is chosen by what bands of rows take under it, those of rows eight times over the picture.
func TestSampleSize_ofEachFilter_isThatOfItsRows(t *testing.T) {
	const w, h = 40, 131
	for name, s := range testPixels(w, h) {
		for _, f := range []byte{filterNone, filterUp, filterSub} {
			all, n := plainRows(h, s, f), s.rowBytes()+1
			var raw []byte
			for b := range sampleBands {
				raw = append(raw, all[(2*b+1)*h/(2*sampleBands)*n:][:sampleRows*n]...)
			}
			var out []byte
			if s.pixelBytes() == 3 {
				out, _ = new(deflater).compressWords(nil, wordsOf(raw, w, f), 0)
			} else {
				out, _ = new(deflater).compress(nil, bitmap{raw: slices.Grow(raw, 8), row: n, pixel: s.pixelBytes()}, 0, fastEffort)
			}
			if got := sampleSize(h, s, f); got != len(out) {
				t.Errorf("%s, filter %d: %d bytes, want %d", name, f, got, len(out))
			}
		}
	}
}
