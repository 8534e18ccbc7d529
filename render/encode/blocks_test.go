package encode_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"testing"

	"masthead/render/encode"
	"masthead/render/encode/encodetest"
)

// qualities are those that are written, and the extremes.
var qualities = []int{1, 49, encode.MinQuality, 82, encode.MaxQuality, 100}

// blocksOf returns a picture of 8×8 blocks, each filled by a function of its number and of the place in it.
func blocksOf(columns, rows int, at func(block, x, y int) color.RGBA) *image.RGBA {
	return rgba(8*columns, 8*rows, func(x, y int) color.RGBA { return at(y/8*columns+x/8, x%8, y%8) })
}

// pairs are pictures of blocks beside each other that a transform of two at once might mix up.
func pairs() map[string]image.Image {
	gray := func(v uint8) color.RGBA { return color.RGBA{v, v, v, 255} }
	values := []uint8{0, 1, 127, 128, 254, 255}
	n := len(values)
	colors := []color.RGBA{
		{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 0, 255}, {0, 255, 255, 255}, {255, 0, 255, 255},
		{255, 255, 255, 255}, {0, 0, 0, 255},
	}
	r := rand.New(rand.NewPCG(5, 6))
	return map[string]image.Image{
		"flat": blocksOf(2, n*n, func(block, _, _ int) color.RGBA {
			return gray([2]uint8{values[block/2/n], values[block/2%n]}[block%2])
		}),
		// Each block but for one sample, each in turn, has the first one.
		"nearly flat": blocksOf(16, 4*n*n, func(block, x, y int) color.RGBA {
			pair := block / 64
			if 8*y+x == block%64 {
				return gray(values[pair/n])
			}
			return gray(values[pair%n])
		}),
		// What is in the one block differs from its first sample as the other block does from its own, or not at all.
		"equal differences": blocksOf(8, 256, func(block, x, y int) color.RGBA {
			v := gray(uint8(block / 8))
			if block%2 == 1 {
				v = gray(255 - uint8(block/8))
			}
			if block%8/2 > 0 && 8*y+x >= 1<<(block%8/2*2) {
				v = gray(v.R ^ uint8(block/8)>>(block%8))
			}
			return v
		}),
		"saturated": blocksOf(16, 8, func(block, x, y int) color.RGBA {
			if x > y {
				return colors[block/16]
			}
			return colors[block%8]
		}),
		"saturated beside white": blocksOf(16, 8, func(block, x, _ int) color.RGBA {
			if block%2 == 1 {
				return gray(255)
			}
			if x < 4 {
				return colors[block/2%8]
			}
			return colors[block/16]
		}),
		"noise": noise(203, 117),
		"extremes": rgba(131, 77, func(_, _ int) color.RGBA {
			return color.RGBA{uint8(255 * r.IntN(2)), uint8(255 * r.IntN(2)), uint8(255 * r.IntN(2)), 255}
		}),
		"one extreme in a block": blocksOf(9, 9, func(block, x, y int) color.RGBA {
			if block%64 == 8*y+x {
				return colors[block%8]
			}
			return gray(uint8(block * 37))
		}),
		"gradients": smooth(205, 101), "a pixel": smooth(1, 1), "a row": smooth(77, 1), "a column": smooth(1, 77),
		"indexed": scene(90, 50, 200), "clear": clearPicture(61, 43), "part": smooth(90, 90).SubImage(image.Rect(13, 7, 60, 80)),
	}
}

// clearPicture returns a picture with every alpha.
func clearPicture(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * i >> 3)
	}
	return img
}

// texts are the areas of text that pictures are encoded with: no matter where, nowhere, and a few odd places.
func texts() [][]image.Rectangle {
	return [][]image.Rectangle{
		nil, {}, {image.Rect(9, 3, 31, 13), image.Rect(-20, 40, 1, 41), image.Rect(60, -5, 61, 900), image.Rect(7, 7, 8, 8)},
	}
}

// Every block of a JPEG is that of a baseline encoder, in each quality and resolution of color.
func TestJPEG_eachBlock_isThatOfABaselineEncoder(t *testing.T) {
	for name, img := range pairs() {
		for _, quality := range qualities {
			for i, text := range texts() {
				t.Run(fmt.Sprintf("%s/%d/full-%d", name, quality, i), func(t *testing.T) {
					encodetest.JPEG(t, img, text, encode.JPEGOf(img, text, quality, false))
				})
			}
			t.Run(fmt.Sprintf("%s/%d/half", name, quality), func(t *testing.T) {
				encodetest.JPEG(t, img, nil, encode.JPEGOf(img, nil, quality, true))
			})
		}
	}
}

// The file holds the tables of the standard library, and its blocks of luminance, at the same quality.
func TestJPEG_luminance_isThatOfTheStandardLibrary(t *testing.T) {
	for name, img := range pairs() {
		if name == "clear" {
			continue // which the standard library lays on black
		}
		for _, quality := range qualities {
			var std bytes.Buffer
			if err := jpeg.Encode(&std, img, &jpeg.Options{Quality: quality}); err != nil {
				t.Fatal(err)
			}
			compareLuminance(t, fmt.Sprintf("%s/%d", name, quality), encode.JPEGOf(img, nil, quality, true), std.Bytes())
		}
	}
}

// The tables of every quality are those of the standard library.
func TestJPEG_tables_areThoseOfTheStandardLibrary(t *testing.T) {
	img := smooth(8, 8)
	for quality := 1; quality <= 100; quality++ {
		var std bytes.Buffer
		if err := jpeg.Encode(&std, img, &jpeg.Options{Quality: quality}); err != nil {
			t.Fatal(err)
		}
		ours, err := encodetest.ReadJPEG(encode.JPEGOf(img, nil, quality, false))
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := encodetest.ReadJPEG(std.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if ours.Steps != theirs.Steps {
			t.Errorf("quality %d: steps %v, want %v", quality, ours.Steps, theirs.Steps)
		}
	}
}

func compareLuminance(t *testing.T, name string, ours, theirs []byte) {
	t.Helper()
	a, err := encodetest.ReadJPEG(ours)
	if err != nil {
		t.Fatal(err)
	}
	b, err := encodetest.ReadJPEG(theirs)
	if err != nil {
		t.Fatal(err)
	}
	if a.Steps != b.Steps || a.Size != b.Size || a.Half != b.Half {
		t.Fatalf("%s: %v, half %v, steps %v; theirs %v, half %v, steps %v", name, a.Size, a.Half, a.Steps, b.Size, b.Half,
			b.Steps)
	}
	differ, all, most := 0, 0, 0
	for i, block := range a.Blocks[0] {
		for k, v := range block {
			d := max(v-b.Blocks[0][i][k], b.Blocks[0][i][k]-v)
			most = max(most, d)
			differ += min(d, 1)
			all++
		}
	}
	if most > 1 || differ*10 > all {
		t.Errorf("%s: %d of %d coefficients differ, by %d at most", name, differ, all, most)
	}
}

// Whatever is in two units of 16×16 pixels beside each other, at each quality and resolution of color, with text
// anywhere: every block is that of a baseline encoder.
func FuzzJPEGBlocks(f *testing.F) {
	f.Add(uint8(88), false, int8(-1), []byte{0, 0, 255})
	f.Add(uint8(76), true, int8(3), []byte{255, 255, 255, 255, 255, 254})
	f.Add(uint8(100), false, int8(20), []byte{0, 255, 0, 255, 255, 0, 9, 200})
	f.Add(uint8(1), false, int8(127), bytes.Repeat([]byte{15, 15, 15, 31, 31, 31}, 60))
	f.Fuzz(func(t *testing.T, quality uint8, half bool, at int8, data []byte) {
		if quality == 0 || quality > 100 || len(data) == 0 {
			return
		}
		img := rgba(32, 16, func(x, y int) color.RGBA {
			i := 3 * (16*16*(x/16) + 16*y + x%16)
			return color.RGBA{data[i%len(data)], data[(i+1)%len(data)], data[(i+2)%len(data)], 255}
		})
		text := []image.Rectangle{image.Rect(int(at), int(at)/3, int(at)+9, int(at)/3+4)}
		if at < 0 {
			text = nil
		}
		encodetest.JPEG(t, img, text, encode.JPEGOf(img, text, int(quality), half))
	})
}
