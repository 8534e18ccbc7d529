package encode_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image"
	"image/color"
	"io"
	"strings"
	"testing"

	"masthead/render/encode"
)

// TestMark_pictures_decodeToTheSamePixels: the packet is well-formed XML of at most a KB, in the place of its format.
func TestMark_pictures_decodeToTheSamePixels(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 64, 32))
	for i := range 64 * 32 {
		img.SetRGBA(i%64, i/64, color.RGBA{uint8(4 * i), uint8(i), 90, 255})
	}
	for _, limits := range []encode.Limits{encode.Lossless, {NoPNG: true, MaxJPEG: 100_000}} {
		plain, err := encode.Encode(img, limits)
		if err != nil {
			t.Fatal(err)
		}
		marked := encode.Mark(plain)
		before, _, err := image.Decode(bytes.NewReader(plain.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		after, format, err := image.Decode(bytes.NewReader(marked.Bytes))
		if err != nil {
			t.Fatalf("%s: %v", plain.ContentType, err)
		}
		for i := range 64 * 32 {
			if before.At(i%64, i/64) != after.At(i%64, i/64) {
				t.Fatalf("%s: pixel %d differs", format, i)
			}
		}
		added := len(marked.Bytes) - len(plain.Bytes)
		if added > encode.MarkSize || added < 100 {
			t.Errorf("%s: %d bytes were added", format, added)
		}
		text := string(marked.Bytes)
		begin, end := strings.Index(text, "<?xpacket begin"), strings.Index(text, `<?xpacket end="r"?>`)
		if begin < 0 || end < begin || begin > 200 ||
			!strings.Contains(text[begin:end], "digitalsourcetype/compositeWithTrainedAlgorithmicMedia") {
			t.Fatalf("%s: there is no packet", format)
		}
		for d := xml.NewDecoder(strings.NewReader(text[begin:end])); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", format, err)
			}
		}
	}
	if odd := encode.Mark(encode.File{Bytes: []byte("x"), ContentType: "image/png"}); string(odd.Bytes) != "x" {
		t.Errorf("what is no picture became %q", odd.Bytes)
	}
}
