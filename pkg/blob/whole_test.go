package blob_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"testing"

	"masthead/pkg/blob"
)

func TestLooksWhole_cutAndEmptyFilesDoNot(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 9, 9))
	for file, encode := range map[string]func(io.Writer) error{
		"og.png": func(w io.Writer) error { return png.Encode(w, img) },
		"og.jpg": func(w io.Writer) error { return jpeg.Encode(w, img, nil) },
	} {
		var b bytes.Buffer
		if err := encode(&b); err != nil {
			t.Fatal(err)
		}
		n, whole := blob.Name{File: file}, b.Bytes()
		if !n.LooksWhole(whole) {
			t.Errorf("%s: a whole one does not look so", file)
		}
		for name, data := range map[string][]byte{
			"cut": whole[:len(whole)-1], "longer": append(bytes.Clone(whole), 0), "zeros": make([]byte, len(whole)),
			"empty": nil,
		} {
			if n.LooksWhole(data) {
				t.Errorf("%s, %s: it looks whole", file, name)
			}
		}
	}
}
