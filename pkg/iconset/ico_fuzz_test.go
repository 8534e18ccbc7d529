package iconset_test

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"testing"

	"masthead/pkg/iconset"
	"masthead/pkg/picture"
)

// FuzzICO: of what is written, the reader of strangers' icons gives back each size as it was, and the largest unasked.
func FuzzICO(f *testing.F) {
	f.Add([]byte{255, 0, 0, 255}, uint8(16), uint8(32))
	f.Add([]byte{1, 2, 3, 128, 0, 0, 0, 0, 9}, uint8(1), uint8(255))
	f.Add([]byte{}, uint8(48), uint8(47))
	decoder := picture.NewDecoder(picture.Config{})
	f.Fuzz(func(t *testing.T, pixels []byte, a, b uint8) {
		if a == b || a == 0 || b == 0 {
			return
		}
		pictures := map[int]*image.NRGBA{}
		var files [][]byte
		for _, side := range []int{int(a), int(b)} {
			img := image.NewNRGBA(image.Rect(0, 0, side, side))
			for i := range img.Pix {
				if len(pixels) > 0 {
					img.Pix[i] = pixels[i%len(pixels)]
				}
			}
			var file bytes.Buffer
			if err := png.Encode(&file, img); err != nil {
				t.Fatal(err)
			}
			pictures[side], files = img, append(files, file.Bytes())
		}
		ico, err := iconset.ICO(files...)
		if err != nil {
			t.Fatal(err)
		}
		if got := picture.Sniff(ico); got != picture.ICO {
			t.Fatalf("got %v", got)
		}
		for _, want := range []int{0, int(a), int(b)} {
			img, _, err := decoder.Decode(context.Background(), ico, picture.Want{Side: want})
			if err != nil {
				t.Fatal(err)
			}
			side := img.Rect.Dx()
			if want != 0 && side != want || want == 0 && side != int(max(a, b)) {
				t.Fatalf("asked for %d of %d and %d: got %d", want, a, b, side)
			}
			if !bytes.Equal(img.Pix, pictures[side].Pix) {
				t.Fatalf("the picture of %d pixels is another", side)
			}
		}
	})
}
