package encode_test

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	_ "image/jpeg"
	"image/png"
	"testing"

	"masthead/render/encode"
)

// scene draws something that has flat parts, gradients and edges, with n colors at most where n is not 0.
func scene(w, h, n int) *image.Paletted {
	pal := make(color.Palette, n)
	for i := range pal {
		pal[i] = color.RGBA{uint8(i * 7), uint8(255 - i), uint8(i * 31), 255}
	}
	img := image.NewPaletted(image.Rect(0, 0, w, h), pal)
	for i := range img.Pix {
		x, y := i%w, i/w
		img.Pix[i] = uint8((x/5 + y/3 + x*y/97) % n)
	}
	return img
}

// thorough returns limits with harder compression.
func thorough(l encode.Limits) encode.Limits {
	l.Thorough = true
	return l
}

func same(t *testing.T, what string, data []byte, want image.Image) {
	t.Helper()
	got, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	size := want.Bounds().Size()
	if got.Bounds().Size() != size {
		t.Errorf("%s: size %v, want %v", what, got.Bounds().Size(), size)
		return
	}
	for y := range size.Y {
		for x := range size.X {
			a := color.NRGBAModel.Convert(got.At(x, y))
			b := color.NRGBAModel.Convert(want.At(want.Bounds().Min.X+x, want.Bounds().Min.Y+y))
			if a != b {
				t.Errorf("%s: pixel %d,%d is %v, want %v", what, x, y, a, b)
				return
			}
		}
	}
}

// What the standard library reads from our PNG is what was given, in every depth and odd width.
func TestPNG_indexed_isLossless(t *testing.T) {
	for _, w := range []int{1, 2, 3, 7, 8, 9, 64, 333} {
		for _, h := range []int{1, 5, 16, 17, 200} {
			for _, n := range []int{1, 2, 3, 4, 5, 16, 17, 200, 256} {
				img := scene(w, h, n)
				for _, l := range []encode.Limits{encode.Lossless, thorough(encode.Lossless), encode.OG} {
					pic, err := encode.Encode(img, l)
					if err != nil || pic.ContentType != "image/png" || pic.Ext != ".png" {
						t.Fatalf("%dx%d, %d colors: %v %s", w, h, n, err, pic.ContentType)
					}
					same(t, "indexed", pic.Bytes, img)
				}
			}
		}
	}
}

func TestEncode_absurdSize_isErrSize(t *testing.T) {
	for _, img := range []image.Image{
		image.NewRGBA(image.Rectangle{}), image.NewPaletted(image.Rect(0, 0, 10, 0), color.Palette{color.Black}),
		image.NewUniform(color.Black),
		&image.RGBA{Rect: image.Rect(0, 0, 1<<17, 1)}, &image.RGBA{Rect: image.Rect(0, 0, 5000, 5000)},
	} {
		if _, err := encode.Encode(img, encode.OG); !errors.Is(err, encode.ErrSize) {
			t.Errorf("%T: got %v", img, err)
		}
	}
}

// RGB pictures, with and without alpha, and parts of larger ones.
func TestPNG_colorAndAlpha_isLossless(t *testing.T) {
	big := smooth(211, 130)
	clear := image.NewNRGBA(image.Rect(0, 0, 97, 61))
	for i := range clear.Pix {
		clear.Pix[i] = uint8(i * 31)
	}
	opaque := image.NewNRGBA(image.Rect(0, 0, 40, 200))
	for i := range opaque.Pix {
		opaque.Pix[i] = uint8(i*13) | uint8(0xff*(i%4/3))
	}
	holes := scene(50, 40, 9)
	holes.Palette[3] = color.NRGBA{200, 10, 10, 90}
	gray := image.NewGray(image.Rect(-5, -5, 40, 30))
	for i := range gray.Pix {
		gray.Pix[i] = uint8(i)
	}
	for name, img := range map[string]image.Image{
		"rgba": big, "part": big.SubImage(image.Rect(7, 9, 180, 121)), "straight alpha": clear, "opaque": opaque,
		"palette with alpha": holes, "gray": gray, "noise": noise(300, 200),
		"part of a palette": scene(200, 100, 40).SubImage(image.Rect(30, 20, 99, 77)),
	} {
		pic, err := encode.PNG(img)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		same(t, name, pic.Bytes, img)
	}
	if pic, _ := encode.PNG(opaque); bytes.Contains(pic.Bytes[:29], []byte{8, 6, 0, 0, 0}) {
		t.Error("an opaque picture is written with alpha")
	}
}

// A picture that filters suit is filtered, and one that they do not suit is not.
func TestPNG_rowsLikeTheOnesAbove_areFiltered(t *testing.T) {
	vertical := rgba(600, 300, func(x, y int) color.RGBA { // each row is the one above, a little changed everywhere
		v := uint8(x*x/7 + y)
		return color.RGBA{v, v + uint8(x*31), v ^ 0x55, 255}
	})
	pic, err := encode.PNG(vertical)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "vertical", pic.Bytes, vertical)
	if raw := 600 * 300 * 3; len(pic.Bytes) > raw/4 {
		t.Errorf("%d bytes of %d", len(pic.Bytes), raw)
	}
}

// The same pixels give the same bytes, whatever was encoded before with the same pools.
func TestEncode_samePixels_sameBytes(t *testing.T) {
	img := smooth(320, 200)
	first := map[int][]byte{}
	for range 3 {
		for i, l := range []encode.Limits{encode.OG, thorough(encode.OG), asJPEG, {MaxPNG: 1, MaxJPEG: 9000}} {
			pic, err := encode.Encode(img, l)
			if err != nil {
				t.Fatal(err)
			}
			if first[i] == nil {
				first[i] = pic.Bytes
			} else if !bytes.Equal(first[i], pic.Bytes) {
				t.Errorf("%+v: other bytes", l)
			}
			if _, err := encode.Encode(noise(100, 90), l); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The rules of the kinds: PNG up to 280 KB, else JPEG up to the limit of the kind.
func TestEncode_limits_chooseFormat(t *testing.T) {
	for _, c := range []struct {
		name    string
		img     image.Image
		limits  encode.Limits
		content string
		most    int
	}{
		{"a flat card", scene(1200, 630, 40), encode.OG, "image/png", 280_000},
		{"a card like a photograph", smooth(1200, 630), encode.OG, "image/jpeg", 300_000},
		{"a hero like a photograph", smooth(1600, 1000), encode.Hero, "image/jpeg", 500_000},
		{"a small noise", noise(200, 200), encode.OG, "image/png", 280_000},
		{"a photograph that must stay exact", smooth(1200, 630), encode.Lossless, "image/png", 1 << 30},
	} {
		pic, err := encode.Encode(c.img, c.limits)
		if err != nil || pic.ContentType != c.content || len(pic.Bytes) > c.most {
			t.Errorf("%s: %v, %s of %d bytes at quality %d", c.name, err, pic.ContentType, len(pic.Bytes), pic.Quality)
		}
	}
	// White noise fits no quality: it comes at the lowest, and is not refused.
	if pic, err := encode.Encode(noise(1200, 630), encode.OG); err != nil || pic.Quality != encode.MinQuality {
		t.Errorf("white noise: %v, quality %d", err, pic.Quality)
	}
}

// A PNG of just the size of its limit is one, and of a byte more is not: the frame counts.
func TestEncode_maxPNG_isTheSizeOfTheFile(t *testing.T) {
	img := scene(120, 90, 40)
	whole, err := encode.Encode(img, encode.Lossless)
	if err != nil {
		t.Fatal(err)
	}
	for less := range 80 {
		pic, err := encode.Encode(img, encode.Limits{MaxPNG: len(whole.Bytes) - less})
		if err != nil || (pic.Ext == ".png") != (less == 0) {
			t.Fatalf("%d bytes less than %d: %s, %v", less, len(whole.Bytes), pic.Ext, err)
		}
	}
}
