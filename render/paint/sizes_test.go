package paint_test

import (
	"image"
	"image/color"
	"testing"

	"masthead/render/paint"
)

// elongated are sides of pictures, of which one is far longer than the other, and odd ones. Both ways are tried.
var elongated = []image.Point{
	{1, 1}, {1, 2}, {2, 4096}, {1, 3000}, {1, 4096}, {3, 4095}, {17, 2049}, {255, 4096}, {127, 129}, {300, 299},
}

// FuzzScaling scales pictures of any size to any size, by each way that there is, and finds the part of one that a
// card shows. All ends, with the size that was wanted.
func FuzzScaling(f *testing.F) {
	for _, p := range elongated {
		for _, to := range []image.Point{{1, 1}, {1200, 2}, {3, 700}, {57, 61}} {
			f.Add(uint16(p.X), uint16(p.Y), uint16(to.X), uint16(to.Y), .3, uint8(20))
			f.Add(uint16(p.Y), uint16(p.X), uint16(to.X), uint16(to.Y), 1., uint8(0))
		}
	}
	f.Fuzz(func(t *testing.T, w, h, toW, toH uint16, at float64, softness uint8) {
		if !(at >= 0 && at <= 1) {
			return
		}
		const most = 1 << 18 // pixels of what is large both ways, so that many pictures are tried
		side := func(v, other uint16) int { return min(1+int(v-1)%4096, max(most/(1+int(other-1)%4096), 1)) }
		from, to := image.Pt(side(w, 1), side(h, w)), image.Pt(side(toW, 1), side(toH, toW))
		img := image.NewNRGBA(image.Rectangle{Max: from})
		for i := range img.Pix {
			img.Pix[i] = uint8(i*7) | 1
		}
		if got := paint.Scale(img, to.X, to.Y).Rect; got.Size() != to {
			t.Errorf("%v scaled to %v is %v", from, to, got)
		}
		if got := paint.Cover(img, to.X, to.Y, at, 1-at).Rect; got.Size() != to {
			t.Errorf("%v covers %v with %v", from, to, got)
		}
		fw, fh := paint.FitSize(from.X, from.Y, to.X, to.Y)
		if fw < 1 || fh < 1 || fw > to.X || fh > to.Y || fw != to.X && fh != to.Y {
			t.Errorf("%v fits into %v as %dx%d", from, to, fw, fh)
		}
		spec := paint.PlateSpec{W: to.X, H: to.Y, Softness: float64(softness) / 8}
		spec.AtX, spec.AtY = paint.Focus(img, to.X, to.Y, []image.Rectangle{{Max: to.Div(2)}})
		plate := paint.NewPlate(img, spec)
		plate.Deviation(image.Rectangle{Max: to})
		planes := image.NewYCbCr(image.Rectangle{Max: from}, image.YCbCrSubsampleRatio420)
		paint.NewPlate(planes, spec)
		c := paint.NewRGBA(64, 64, paint.Solid(color.NRGBA{A: 255}))
		c.Picture(img, image.Rect(3, 5, 3+1+to.X%61, 5+1+to.Y%59), 4)
		c.Release()
	})
}
