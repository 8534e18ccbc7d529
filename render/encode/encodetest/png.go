package encodetest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/draw"
	"image/png"
	"testing"
)

// PNG fails the test unless a PNG is well formed, its matches are legal and as long as they may be, and its pixels are
// those of the picture, for the standard library and by the definition of its filters.
func PNG(t testing.TB, img image.Image, data []byte) {
	t.Helper()
	got, err := ReadPNG(data)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	want := straight(img)
	if got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		t.Fatal("the pixels are not those of the picture")
	}
	if !bytes.Equal(straight(theirs).Pix, want.Pix) {
		t.Fatal("the pixels that the standard library reads are not those of the picture")
	}
}

// straight returns a copy of a picture with straight alpha.
func straight(img image.Image) *image.NRGBA {
	out := image.NewNRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out
}

// ReadPNG reads a PNG as we write them: truecolor or truecolor with alpha of 8 bits, or indexed, not interlaced.
// Source: PNG (Third Edition), 5, 9 and 11.
func ReadPNG(data []byte) (*image.NRGBA, error) {
	chunks := map[string][]byte{}
	rest, ok := bytes.CutPrefix(data, []byte("\x89PNG\r\n\x1a\n"))
	for ok && len(rest) > 0 {
		if len(rest) < 12 || int(binary.BigEndian.Uint32(rest)) > len(rest)-12 {
			return nil, errors.New("a chunk is cut off")
		}
		n := int(binary.BigEndian.Uint32(rest))
		name, content := string(rest[4:8]), rest[8:8+n]
		if sum := binary.BigEndian.Uint32(rest[8+n:]); sum != crc32.ChecksumIEEE(rest[4:8+n]) {
			return nil, fmt.Errorf("the checksum of %s is wrong", name)
		}
		if chunks[name] != nil {
			return nil, fmt.Errorf("a second %s", name)
		}
		chunks[name], rest = content, rest[12+n:]
	}
	head := chunks["IHDR"]
	if len(head) != 13 || chunks["IDAT"] == nil || string(data[len(data)-8:len(data)-4]) != "IEND" {
		return nil, errors.New("no PNG")
	}
	w, h := int(binary.BigEndian.Uint32(head)), int(binary.BigEndian.Uint32(head[4:]))
	raw, tokens, err := Inflate(chunks["IDAT"])
	if err != nil {
		return nil, err
	}
	pixel, row := 1, len(raw)+1
	if head[9] == 2 {
		pixel, row = 3, 3*w+1
	}
	if i := cutShort(raw, tokens, pixel, row); i >= 0 {
		return nil, fmt.Errorf("match %d, %+v, might be longer", i, tokens[i])
	}
	return pixels(image.Pt(w, h), int(head[8]), int(head[9]), chunks["PLTE"], raw)
}

// pixels returns the pixels of filtered rows.
func pixels(size image.Point, depth, colorType int, palette, raw []byte) (*image.NRGBA, error) {
	channels := map[int]int{2: 3, 3: 1, 6: 4}[colorType]
	row := (size.X*channels*depth + 7) / 8
	if channels == 0 || len(raw) != (row+1)*size.Y || len(palette)%3 != 0 || len(palette) > 3<<depth {
		return nil, fmt.Errorf("%d bytes, %d of the palette, for %v of type %d in %d bits", len(raw), len(palette), size,
			colorType, depth)
	}
	out := image.NewNRGBA(image.Rectangle{Max: size})
	last := make([]byte, row)
	for y := range size.Y {
		cur := raw[y*(row+1):][:row+1]
		if cur[0] > 4 {
			return nil, fmt.Errorf("row %d has filter %d", y, cur[0])
		}
		cur = Unfilter(cur[0], cur[1:], last, max(channels*depth/8, 1))
		for x := range size.X {
			p := out.Pix[out.PixOffset(x, y):][:4]
			if p[3] = 255; colorType != 3 {
				copy(p, cur[x*channels:][:channels])
				continue
			}
			i := int(cur[x*depth/8]) >> (8 - depth - x*depth%8) & (1<<depth - 1)
			if 3*i >= len(palette) {
				return nil, fmt.Errorf("pixel %d of row %d has no color", x, y)
			}
			copy(p, palette[3*i:][:3])
		}
		last = cur
	}
	return out, nil
}

// Unfilter returns the bytes of a row; last are those of the row above, bpp is how many bytes a pixel has. Source: PNG
// (Third Edition), 9.2.
func Unfilter(filter byte, row, last []byte, bpp int) []byte {
	out := make([]byte, len(row))
	for i, v := range row {
		out[i] = v + Foretold(filter, out, last, i, bpp)
	}
	return out
}

// Foretold returns what a filter takes off a byte of a row, by the definition.
func Foretold(filter byte, row, last []byte, i, bpp int) byte {
	a, b, c := 0, int(last[i]), 0
	if i >= bpp {
		a, c = int(row[i-bpp]), int(last[i-bpp])
	}
	switch filter {
	case 1:
		return byte(a)
	case 2:
		return byte(b)
	case 3:
		return byte((a + b) / 2)
	case 4:
		p := a + b - c
		pa, pb, pc := max(p-a, a-p), max(p-b, b-p), max(p-c, c-p)
		if pa <= pb && pa <= pc {
			return byte(a)
		} else if pb <= pc {
			return byte(b)
		}
		return byte(c)
	}
	return 0
}
