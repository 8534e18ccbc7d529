package render_test

import (
	"bytes"
	"image"
	"image/draw"
	_ "image/jpeg"
	"os"
	"testing"

	"github.com/disintegration/imaging"
)

// TestFocusPhoto_headsInPhotographsStayWhole cuts windows with a whole head out of two photographs, so that it is
// anywhere in them, and crops those for the places of pictures: half as many heads are cut as in the middle.
func TestFocusPhoto_headsInPhotographsStayWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file   string
		head   image.Rectangle
		within float64 // of those that crops of the middle cut
	}{
		{"collins.jpg", image.Rect(122, 22, 195, 127), .5}, {"obama.jpg", image.Rect(112, 18, 196, 138), .5},
	} {
		data, err := os.ReadFile("testdata/people/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		photo, _, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		cut, middle, all := 0, 0, 0
		for _, size := range []image.Point{{286, 150}, {270, 180}, {200, 260}, {220, 220}} {
			for i := range 16 {
				free := photo.Bounds().Size().Sub(size)
				window := image.Rectangle{Max: size}.Add(image.Pt(free.X*(i%4)/3, free.Y*(i/4)/3))
				if !c.head.In(window) {
					continue
				}
				img, head := image.NewNRGBA(image.Rectangle{Max: size}), c.head.Sub(window.Min)
				draw.Draw(img, img.Rect, photo, window.Min, draw.Src)
				if i%2 == 1 {
					img, head = imaging.FlipH(img), image.Rect(size.X-head.Max.X, head.Min.Y, size.X-head.Min.X, head.Max.Y)
				}
				for _, to := range []image.Point{{496, 498}, {560, 900}, {474, 630}, {1200, 630}, {1600, 900}} {
					part := shown(img, to)
					if part.Dx() < head.Dx() || part.Dy() < head.Dy() {
						continue
					}
					all++
					if !head.In(part.Inset(-4)) {
						cut++
					}
					if at := size.Sub(part.Size()).Div(2); !head.In(image.Rectangle{Max: part.Size()}.Add(at).Inset(-4)) {
						middle++
					}
				}
			}
		}
		if t.Logf("%s: %d of %d cut, %d in the middle", c.file, cut, all, middle); float64(cut) > c.within*float64(middle) {
			t.Errorf("%s: %d of %d heads are cut, %d in crops of the middle", c.file, cut, all, middle)
		}
	}
}
