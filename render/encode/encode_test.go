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

// scene draws something that has flat parts, slopes and edges, with n colours at most where n is not 0.
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
func TestPNGIsLossless(t *testing.T) {
	for _, w := range []int{1, 2, 3, 7, 8, 9, 64, 333} {
		for _, h := range []int{1, 5, 16, 17, 200} {
			for _, n := range []int{1, 2, 3, 4, 5, 16, 17, 200, 256} {
				img := scene(w, h, n)
				for _, l := range []encode.Limits{encode.Lossless, encode.Lossless.ForKeeping(), encode.OG} {
					pic, err := encode.Encode(img, l)
					if err != nil || pic.ContentType != "image/png" || pic.Ext != ".png" {
						t.Fatalf("%dx%d, %d colours: %v %s", w, h, n, err, pic.ContentType)
					}
					same(t, "indexed", pic.Bytes, img)
				}
			}
		}
	}
}

func TestErrors(t *testing.T) {
	for _, img := range []image.Image{
		image.NewRGBA(image.Rectangle{}), image.NewPaletted(image.Rect(0, 0, 10, 0), color.Palette{color.Black}),
		image.NewUniform(color.Black),
	} {
		if _, err := encode.Encode(img, encode.OG); !errors.Is(err, encode.ErrSize) {
			t.Errorf("%T: got %v", img, err)
		}
	}
}
