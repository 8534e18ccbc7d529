package paint

import (
	"image"
	"runtime"
	"testing"
)

// TestSumKept compares with hashes of all pixels: of a picture again, of parts, and of what was painted over.
func TestSumKept(t *testing.T) {
	large := image.NewNRGBA(image.Rect(0, 0, 800, 400))
	for i := range large.Pix {
		large.Pix[i] = uint8(i * i >> 7)
	}
	part := large.SubImage(image.Rect(10, 20, 790, 380)).(*image.NRGBA)
	check := func(what string, img image.Image) {
		t.Helper()
		for range 2 {
			sum, ok := sumKept(img)
			if want, wantOK := SumOf(img); sum != want || ok != wantOK {
				t.Errorf("%s: %x, %v, want %x, %v", what, sum, ok, want, wantOK)
			}
		}
	}
	check("a picture", large)
	check("a part of it", part)
	part.Rect = part.Rect.Inset(7)
	check("a smaller part", part)
	clear(large.Pix[:4*800*40])
	check("a picture that was painted over", large)
	check("a small picture", image.NewNRGBA(image.Rect(0, 0, 8, 8)))
	check("another type", image.NewYCbCr(image.Rect(0, 0, 800, 800), image.YCbCrSubsampleRatio420))
	check("an unknown type", image.NewUniform(image.Black))
	before, _ := SumOf(large)
	large.Pix[4*800*sampleEvery-1]++ // not in a sampled row: nobody changes pixels of pictures that are kept
	if sum, _ := sumKept(large); sum != before {
		t.Error("the picture was read again")
	}
	runtime.KeepAlive(large)
}
