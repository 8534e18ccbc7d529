package picture_test

import (
	"bytes"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"regexp"
	"testing"

	"masthead/pkg/picture"
)

// TestReason_isInWords damages pictures as transfers and editors do, and wants to be told how without a number.
func TestReason_isInWords(t *testing.T) {
	img := image.NewPaletted(image.Rect(0, 0, 200, 150), nil)
	for range 256 {
		img.Palette = append(img.Palette, image.White)
	}
	rgba, noise := image.NewNRGBA(img.Rect), rand.New(rand.NewPCG(1, 2))
	for i := range rgba.Pix {
		rgba.Pix[i] = uint8(noise.Uint32())
	}
	for i := range img.Pix {
		img.Pix[i] = uint8(noise.Uint32())
	}
	var ofPNG, ofJPEG, ofGIF bytes.Buffer
	err := errors.Join(png.Encode(&ofPNG, rgba), jpeg.Encode(&ofJPEG, rgba, nil), gif.Encode(&ofGIF, img, nil))
	if err != nil {
		t.Fatal(err)
	}
	const ends, checksum, damaged = "it ends in the middle of the picture",
		"some of its bytes changed after it was saved: a checksum does not match", "it is damaged"
	half := func(file []byte) []byte { return file[:len(file)/2] }
	changed := func(file []byte, at int) []byte {
		file = bytes.Clone(file)
		file[at] ^= 0xff
		return file
	}
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"half a PNG", half(ofPNG.Bytes()), ends},
		{"a PNG without its pixels", ofPNG.Bytes()[:40], ends},
		{"a PNG without its end", ofPNG.Bytes()[:ofPNG.Len()-20], ends},
		{"a PNG with a changed byte", changed(ofPNG.Bytes(), ofPNG.Len()/2), checksum},
		{"a PNG with a changed header", changed(ofPNG.Bytes(), 30), checksum},
		{"a PNG of an unknown color type", changed(ofPNG.Bytes(), 25), damaged},
		{"half a JPEG", half(ofJPEG.Bytes()), ends},
		{"half a GIF", half(ofGIF.Bytes()), ends},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := picture.NewDecoder(picture.Config{}).Decode(t.Context(), c.file, picture.Want{})
			if !errors.Is(err, picture.ErrCorrupt) {
				t.Fatalf("got %v, want a damaged picture", err)
			}
			if got := picture.Reason(err); got != c.want || regexp.MustCompile(`[0-9]`).MatchString(got) {
				t.Errorf("got %q for %v, want %q", got, err, c.want)
			}
		})
	}
}
