package fakeai

import (
	"hash/fnv"
	"image"
)

// gradient returns a picture from one color at its upper left to another at its lower right, both chosen by the
// prompt. The same prompt and size give the same pixels.
func gradient(prompt string, width, height int) *image.NRGBA {
	h := fnv.New64a()
	_, _ = h.Write([]byte(prompt)) // a hash never fails
	sum := h.Sum64()
	from := [3]int{int(sum & 0xff), int(sum >> 8 & 0xff), int(sum >> 16 & 0xff)}
	to := [3]int{int(sum >> 24 & 0xff), int(sum >> 32 & 0xff), int(sum >> 40 & 0xff)}
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	end := width + height - 1
	strip := make([]uint8, 4*end) // all rows are parts of it
	for at := range end {
		for i := range 3 {
			strip[4*at+i] = uint8((from[i]*(end-at) + to[i]*at) / end)
		}
		strip[4*at+3] = 255
	}
	for y := range height {
		copy(img.Pix[y*img.Stride:][:4*width], strip[4*y:])
	}
	return img
}
