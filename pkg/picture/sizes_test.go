package picture_test

import (
	"image"
	"testing"

	"masthead/pkg/picture"
)

// FuzzScale scales pictures of any size to any size, and into boxes of any size.
func FuzzScale(f *testing.F) {
	for _, p := range []image.Point{{1, 1}, {3000, 1}, {4096, 2}, {8192, 1}, {2048, 1023}, {64, 63}} {
		for _, to := range []image.Point{{1, 1}, {4096, 1}, {512, 300}, {63, 65}} {
			f.Add(uint16(p.X), uint16(p.Y), uint16(to.X), uint16(to.Y))
			f.Add(uint16(p.Y), uint16(p.X), uint16(to.Y), uint16(to.X))
		}
	}
	f.Fuzz(func(t *testing.T, w, h, toW, toH uint16) {
		const most = 1 << 21 // pixels: twice what makes a picture a big one
		fromW, boxW := 1+int(w-1)%8192, 1+int(toW-1)%4096
		from := image.Pt(fromW, min(1+int(h-1)%8192, most/fromW))
		to := image.Pt(boxW, min(1+int(toH-1)%4096, max(1<<18/boxW, 1)))
		img := image.NewNRGBA(image.Rectangle{Max: from})
		if got := picture.Scale(img, to.X, to.Y).Rect; got != (image.Rectangle{Max: to}) {
			t.Errorf("%v scaled to %v is %v", from, to, got)
		}
		got := picture.Contain(img, to.X, to.Y).Rect
		if got.Empty() || !got.In(image.Rectangle{Max: to}) || got.Dx() != to.X && got.Dy() != to.Y {
			t.Errorf("%v within %v is %v", from, to, got)
		}
	})
}
