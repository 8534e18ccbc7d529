package encodetest_test

import (
	"bytes"
	"compress/zlib"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand/v2"
	"testing"

	"masthead/render/encode/encodetest"
)

// picture returns a picture with gradients and some noise.
func picture(w, h int) *image.NRGBA {
	r := rand.New(rand.NewPCG(7, 8))
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, color.NRGBA{uint8(2*x + r.IntN(9)), uint8(3 * y), uint8(x*y/9 + r.IntN(40)), 255})
		}
	}
	return img
}

// The files of the standard library read as it reads them: each sample of luminance is that of the coefficients.
func TestReadJPEG_filesOfTheStandardLibrary_haveTheirSamples(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {16, 16}, {53, 71}} {
		var file bytes.Buffer
		if err := jpeg.Encode(&file, picture(size.X, size.Y), nil); err != nil {
			t.Fatal(err)
		}
		c, err := encodetest.ReadJPEG(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		img, err := jpeg.Decode(&file)
		if err != nil {
			t.Fatal(err)
		}
		for y := range size.Y {
			for x := range size.X {
				b, v := &c.Blocks[0][y/8*c.Columns[0]+x/8], 128.
				for k, n := range b {
					term := float64(n*c.Steps[0][k]) / 4
					for _, at := range [2][2]int{{k % 8, x % 8}, {k / 8, y % 8}} {
						if at[0] == 0 {
							term *= math.Sqrt2 / 2
						}
						term *= math.Cos(float64((2*at[1]+1)*at[0]) * math.Pi / 16)
					}
					v += term
				}
				if got := float64(img.(*image.YCbCr).Y[img.(*image.YCbCr).YOffset(x, y)]); math.Abs(got-min(max(v, 0), 255)) > 1 {
					t.Fatalf("%v: sample %d,%d is %v, want %v", size, x, y, v, got)
				}
			}
		}
		// Any byte may be cut off, or be another one: that is an error or another picture, and no panic.
		data := bytes.Clone(file.Bytes())
		for i := range data {
			_, _ = encodetest.ReadJPEG(data[:i])
		}
	}
}

// The files of the standard library read as what they were made of.
func TestReadPNG_filesOfTheStandardLibrary_haveTheirPixels(t *testing.T) {
	img := picture(90, 80)
	for _, alpha := range []uint8{255, 254} {
		img.Pix[3] = alpha
		var file bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&file, img); err != nil {
			t.Fatal(err)
		}
		got, err := encodetest.ReadPNG(file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Pix, img.Pix) {
			t.Errorf("alpha %d: other pixels", alpha)
		}
	}
}

// What is wrong with a stream is an error: another reader might let it pass.
func TestInflate_damagedStream_isAnError(t *testing.T) {
	raw := bytes.Repeat([]byte("to be or not to be, that is the question; "), 9)
	var file bytes.Buffer
	z := zlib.NewWriter(&file)
	_, _ = z.Write(append(raw, picture(9, 9).Pix...))
	_ = z.Close()
	good := file.Bytes()
	if _, tokens, err := encodetest.Inflate(good); err != nil || len(tokens) == 0 {
		t.Fatalf("%d tokens, %v", len(tokens), err)
	}
	for i := range good {
		if _, _, err := encodetest.Inflate(good[:i]); err == nil {
			t.Errorf("%d bytes of %d read", i, len(good))
		}
		bad := bytes.Clone(good)
		bad[i] ^= 16
		if _, _, err := encodetest.Inflate(bad); err == nil && i > 1 {
			t.Errorf("byte %d may be another one", i)
		}
	}
}

func TestCutShort_matchThatEndsEarly_isFound(t *testing.T) {
	raw := []byte("abcabcabcabd")
	tokens := []encodetest.Token{{Literal: 'a'}, {Literal: 'b'}, {Literal: 'c'}, {Length: 8, Dist: 3}, {Literal: 'd'}}
	if i := encodetest.CutShort(raw, tokens); i != -1 {
		t.Errorf("match %d is said to be cut short", i)
	}
	if tokens[3].Length = 7; encodetest.CutShort(raw, tokens) != 3 {
		t.Error("a match that is cut short is not found")
	}
}
