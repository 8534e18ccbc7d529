package encode

import (
	"bytes"
	"image"
)

// JPEGOf returns a JPEG of one quality and resolution of color, whatever its size.
func JPEGOf(img image.Image, text []image.Rectangle, quality int, subsampled bool) []byte {
	w := jpegWriters.Get().(*jpegWriter)
	defer jpegWriters.Put(w)
	w.text = text
	pix, stride := rgbaPixels(encodable(img))
	w.write(pix, stride, img.Bounds().Size(), attempt{quality, subsampled})
	return bytes.Clone(w.bits.out)
}
