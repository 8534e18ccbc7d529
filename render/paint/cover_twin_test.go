package paint_test

import (
	"bytes"
	"image"
	"testing"

	"masthead/render/paint"
)

// TestKeptCover_isCover compares it with its slow twin: the first time, from the cache, in another size, and after the
// picture has changed in place.
func TestKeptCover_isCover(t *testing.T) {
	img := photo(120, 90)
	for _, to := range []image.Point{{X: 40, Y: 60}, {X: 40, Y: 60}, {X: 64, Y: 20}} {
		for _, focus := range []float64{.4, .4, 1} {
			want, got := paint.Cover(img, to.X, to.Y, .5, focus), paint.KeptCover(img, to.X, to.Y, .5, focus)
			if got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%v, focus %v: differs from Cover", to, focus)
			}
			img.Pix[4*(45*120+60)] ^= 255
		}
	}
}
