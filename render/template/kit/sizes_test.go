package kit

import (
	"image"
	"image/color"
	"testing"
)

// FuzzLogoSize fits icons and logos of any size into boxes of any size: they end within the box, or are not shown.
func FuzzLogoSize(f *testing.F) {
	for _, p := range []image.Point{{1, 1}, {3000, 1}, {4096, 2}, {4096, 64}, {4096, 65}, {31, 30}, {63, 1}, {64, 64}} {
		for _, inkOnly := range []bool{false, true} {
			f.Add(uint16(p.X), uint16(p.Y), uint16(212), uint16(56), []byte{200, 30, 20, 255}, inkOnly)
			f.Add(uint16(p.Y), uint16(p.X), uint16(212), uint16(56), []byte{0, 0, 0, 255, 255, 255, 255, 255, 0, 0}, inkOnly)
			f.Add(uint16(p.X), uint16(p.Y), uint16(1), uint16(1), []byte{255, 255, 255, 255, 9, 9, 9, 0}, inkOnly)
		}
	}
	f.Add(uint16(36), uint16(138), uint16(1), uint16(94), []byte{255}, false) // a tile whose edges are wider than the box
	f.Fuzz(func(t *testing.T, w, h, maxW, maxH uint16, pixels []byte, inkOnly bool) {
		if len(pixels) == 0 {
			return
		}
		width, boxW, boxH := 1+int(w-1)%4096, 1+int(maxW-1)%512, 1+int(maxH-1)%512
		img := image.NewNRGBA(image.Rect(0, 0, width, min(1+int(h-1)%4096, max(1<<17/width, 1))))
		for i := range img.Pix {
			img.Pix[i] = pixels[i%len(pixels)]
		}
		on := Surface{Color: color.NRGBA{R: 16, G: 16, B: 20, A: 255}, Text: color.NRGBA{R: 255, G: 255, B: 255, A: 255},
			OneInk: inkOnly}
		if l, ok := FitLogo(img, on, boxW, boxH); ok && (l.W < 1 || l.H < 1 || l.W > boxW || l.H > max(boxH, minLogoH)) {
			t.Errorf("a logo of %v in %dx%d is %dx%d", img.Rect.Size(), boxW, boxH, l.W, l.H)
		}
		if l, ok := FitIcon(img, on, boxW); ok && (l.W < 1 || l.H < 1 || l.W > boxW || l.H > boxW) {
			t.Errorf("an icon of %v in %d is %dx%d", img.Rect.Size(), boxW, l.W, l.H)
		}
	})
}
