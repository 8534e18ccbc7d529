package svg

import "image"

// unmultiply returns premultiplied pixels as a non-premultiplied image. It takes ownership of pixels.
func unmultiply(pixels []byte, w, h int) *image.NRGBA {
	for i := 0; i+3 < len(pixels); i += 4 {
		a := uint32(pixels[i+3])
		if a == 0 || a == 255 {
			continue
		}
		for j := i; j < i+3; j++ {
			pixels[j] = uint8(min((uint32(pixels[j])*255+a/2)/a, 255))
		}
	}
	return &image.NRGBA{Pix: pixels, Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}
}

// isEmpty reports whether every pixel is transparent.
func isEmpty(img *image.NRGBA) bool {
	for i := 3; i < len(img.Pix); i += 4 {
		if img.Pix[i] != 0 {
			return false
		}
	}
	return true
}
