package picture

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
)

// Rows of each kind of image are read by loops of their own, and turned by steps. Here each pixel is read alone, and
// put where the orientation says.

// slowPixel is a pixel as it is read: of 16 bits the upper eight, of an index beyond its palette opaque black.
func slowPixel(img image.Image, x, y int) color.NRGBA {
	switch img := img.(type) {
	case *image.Paletted:
		if i := int(img.ColorIndexAt(x, y)); i >= len(img.Palette) {
			return color.NRGBA{A: 255}
		}
		return color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
	case *image.Gray16:
		v := uint8(img.Gray16At(x, y).Y >> 8)
		return color.NRGBA{v, v, v, 255}
	case *image.NRGBA64:
		c := img.NRGBA64At(x, y)
		return color.NRGBA{uint8(c.R >> 8), uint8(c.G >> 8), uint8(c.B >> 8), uint8(c.A >> 8)}
	case *image.RGBA64:
		c := img.RGBA64At(x, y)
		return color.NRGBA{uint8(c.R >> 8), uint8(c.G >> 8), uint8(c.B >> 8), uint8(c.A >> 8)}
	case *image.YCbCr:
		c := img.YCbCrAt(x, y)
		r, g, b := color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
		return color.NRGBA{r, g, b, 255}
	case *image.NYCbCrA:
		c := img.NYCbCrAAt(x, y)
		r, g, b := color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
		return color.NRGBA{r, g, b, c.A}
	case *image.CMYK:
		c := img.CMYKAt(x, y)
		r, g, b := color.CMYKToRGB(c.C, c.M, c.Y, c.K)
		return color.NRGBA{r, g, b, 255}
	case *image.Gray:
		v := img.GrayAt(x, y).Y
		return color.NRGBA{v, v, v, 255}
	case *image.RGBA:
		return color.NRGBA(img.RGBAAt(x, y))
	}
	return img.(*image.NRGBA).NRGBAAt(x, y)
}

// slowPlace is where a stored pixel of a canvas of w×h is on the display. Source: EXIF 2.32, 4.6.4 A.
func slowPlace(x, y, w, h, orientation int) (int, int) {
	switch orientation {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return y, w - 1 - x
	}
	return x, y
}

// imageOf returns an image of one of the kinds that decoders make, of random bytes. Where a kind is read only if it is
// opaque, it is.
func imageOf(kind int, r image.Rectangle, random *rand.Rand) image.Image {
	fill := func(pix []uint8) {
		for i := range pix {
			pix[i] = uint8(random.Uint32())
		}
	}
	switch kind {
	case 0:
		img := image.NewPaletted(r, make(color.Palette, random.IntN(257)))
		for i := range img.Palette {
			img.Palette[i] = color.NRGBA{uint8(i), uint8(i * 7), uint8(random.Uint32()), uint8(255 - i/200*random.IntN(256))}
		}
		fill(img.Pix)
		return img
	case 1:
		img := image.NewGray(r)
		fill(img.Pix)
		return img
	case 2:
		img := image.NewGray16(r)
		fill(img.Pix)
		return img
	case 3:
		img := image.NewNRGBA64(r)
		fill(img.Pix)
		return img
	case 4:
		img := image.NewRGBA64(r)
		fill(img.Pix)
		for i := 6; i < len(img.Pix); i += 8 {
			img.Pix[i], img.Pix[i+1] = 255, 255
		}
		return img
	case 5:
		img := image.NewRGBA(r)
		fill(img.Pix)
		for i := 3; i < len(img.Pix); i += 4 {
			img.Pix[i] = 255
		}
		return img
	case 6:
		img := image.NewCMYK(r)
		fill(img.Pix)
		return img
	case 7:
		img := image.NewNYCbCrA(r, image.YCbCrSubsampleRatio(random.IntN(6)))
		for _, p := range [][]uint8{img.Y, img.Cb, img.Cr, img.A} {
			fill(p)
		}
		return img
	case 8:
		img := image.NewYCbCr(r, image.YCbCrSubsampleRatio(random.IntN(6)))
		for _, p := range [][]uint8{img.Y, img.Cb, img.Cr} {
			fill(p)
		}
		return img
	}
	img := image.NewNRGBA(r)
	fill(img.Pix)
	return img
}

// FuzzPixels reads images of each kind, whole and as parts, onto canvases, turned each way.
func FuzzPixels(f *testing.F) {
	for kind := range uint8(10) {
		for orientation := range uint8(9) {
			f.Add(uint64(kind)*9+uint64(orientation), kind, orientation)
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, kind, orientation uint8) {
		random := rand.New(rand.NewPCG(seed, 3))
		w, h := 1+random.IntN(40), 1+random.IntN(40)
		img := imageOf(int(kind%10), image.Rect(0, 0, w, h), random)
		if part := image.Rect(random.IntN(w), random.IntN(h), w, h-random.IntN(h)); random.IntN(2) == 0 && !part.Empty() {
			img = img.(interface {
				SubImage(r image.Rectangle) image.Image
			}).SubImage(part)
		}
		d := frame{img: img, orientation: int(orientation % 10)}
		r := img.Bounds()
		canvas, at := r.Size(), image.Point{}
		if random.IntN(2) == 0 {
			at = image.Pt(random.IntN(5), random.IntN(5))
			canvas = r.Size().Add(at).Add(image.Pt(random.IntN(3), random.IntN(3)))
			d.canvas, d.offset = canvas, at.Sub(r.Min)
		}
		got, err := d.nrgba()
		if err != nil {
			t.Fatal(err)
		}
		size := canvas
		if d.orientation >= 5 && d.orientation <= 8 {
			size = image.Pt(canvas.Y, canvas.X)
		}
		want := image.NewNRGBA(image.Rectangle{Max: size})
		for y := range r.Dy() {
			for x := range r.Dx() {
				tx, ty := slowPlace(at.X+x, at.Y+y, canvas.X, canvas.Y, d.orientation)
				want.SetNRGBA(tx, ty, slowPixel(img, r.Min.X+x, r.Min.Y+y))
			}
		}
		if got.Rect != want.Rect {
			t.Fatalf("%T: the picture is %v, want %v", img, got.Rect, want.Rect)
		}
		for y := range size.Y {
			for x := range size.X {
				if p, q := got.NRGBAAt(x, y), want.NRGBAAt(x, y); p != q {
					t.Fatalf("%T, orientation %d: %d,%d is %v, want %v", img, d.orientation, x, y, p, q)
				}
			}
		}
	})
}
