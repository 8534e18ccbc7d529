package fakeai

import (
	"hash/fnv"
	"image"
	"image/color"
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
	for y := range height {
		for x := range width {
			mix := func(i int) uint8 { return uint8((from[i]*(end-x-y) + to[i]*(x+y)) / end) }
			img.SetNRGBA(x, y, color.NRGBA{R: mix(0), G: mix(1), B: mix(2), A: 255})
		}
	}
	return img
}
