package palette_test

import (
	"image"
	"math"
	"testing"

	"masthead/render/palette"
)

// FuzzClusters finds the colors of pictures of any size: their shares add up to one at most, the largest first.
func FuzzClusters(f *testing.F) {
	for _, p := range []image.Point{{1, 1}, {3000, 1}, {4096, 2}, {64, 64}, {63, 65}, {4095, 17}} {
		f.Add(uint16(p.X), uint16(p.Y), []byte{255, 0, 0, 255, 0, 9, 200, 255, 1})
		f.Add(uint16(p.Y), uint16(p.X), []byte{1, 2, 3, 127, 255, 255, 255, 128})
	}
	f.Fuzz(func(t *testing.T, w, h uint16, pixels []byte) {
		if len(pixels) == 0 {
			return
		}
		width := 1 + int(w-1)%4096
		img := image.NewNRGBA(image.Rect(0, 0, width, min(1+int(h-1)%4096, max(1<<17/width, 1))))
		for i := range img.Pix {
			img.Pix[i] = pixels[i%len(pixels)]
		}
		sum, last := 0., math.Inf(1)
		for _, c := range palette.Clusters(img) {
			if c.Share > last || c.Color.A != 255 {
				t.Errorf("got %v after a share of %v", c, last)
			}
			sum, last = sum+c.Share, c.Share
		}
		if sum > 1+1e-9 {
			t.Errorf("the shares add up to %v", sum)
		}
	})
}
