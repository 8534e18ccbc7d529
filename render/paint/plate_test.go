package paint

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"github.com/disintegration/imaging"
)

// plateScene is a picture of soft and sharp parts, in all colors.
func plateScene(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			u, v := float64(x)/float64(w), float64(y)/float64(h)
			c := color.NRGBA{R: uint8(255 * u), G: uint8(127 + 120*math.Sin(9*v)), B: uint8(127 + 120*math.Cos(7*u*v)), A: 255}
			if int(u*8)%3 == 1 && int(v*6)%2 == 1 {
				c.R, c.B = 255-c.R, c.B/2
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// meanOff returns the mean difference of two pictures' channels.
func meanOff(pix []uint8, want *image.NRGBA) float64 {
	sum := 0
	for i := range pix {
		sum += max(int(pix[i])-int(want.Pix[i]), int(want.Pix[i])-int(pix[i]))
	}
	return float64(sum) / float64(len(pix))
}

// Scaling is what imaging does with means over areas, and with its interpolation, from pixels and from planes.
func TestScaleCrop_isLikeImaging(t *testing.T) {
	img := plateScene(300, 200)
	rgba := image.NewRGBA(img.Rect)
	draw.Draw(rgba, rgba.Rect, img, image.Point{}, draw.Src)
	whole := image.NewYCbCr(img.Rect, image.YCbCrSubsampleRatio444)
	for y := range 200 {
		for x := range 300 {
			p := img.NRGBAAt(x, y)
			at := whole.YOffset(x, y)
			whole.Y[at], whole.Cb[at], whole.Cr[at] = color.RGBToYCbCr(p.R, p.G, p.B)
		}
	}
	for _, size := range []image.Point{{150, 100}, {100, 67}, {60, 40}, {300, 200}, {450, 300}, {900, 600}, {1, 1}} {
		filter := imaging.Box
		if size.X > 300 {
			filter = imaging.CatmullRom
		}
		want := imaging.Resize(img, size.X, size.Y, filter)
		for name, from := range map[string]image.Image{"NRGBA": img, "RGBA": rgba, "planes": whole} {
			got := scaleCrop(from, crop{w: 300, h: 200}, size.X, size.Y, color.NRGBA{A: 255})
			if off := meanOff(got, want); off > 1.6 {
				t.Errorf("%s to %v is off by %.2f, want 1.6 at most", name, size, off)
			}
		}
	}
}

// A part of planes with halved color is the same part of their pixels, wherever it begins.
func TestScaleCrop_partsOfPlanes(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{
		image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio440,
		image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410, image.YCbCrSubsampleRatio444,
	} {
		img := image.NewYCbCr(image.Rect(0, 0, 203, 101), ratio)
		for i := range img.Y {
			img.Y[i] = uint8(i % img.YStride)
		}
		for i := range img.Cb {
			img.Cb[i], img.Cr[i] = uint8(100+i%img.CStride/2), uint8(140-i/img.CStride/2)
		}
		part := img.SubImage(image.Rect(40, 24, 168, 88))
		flat := image.NewNRGBA(image.Rect(0, 0, 128, 64))
		draw.Draw(flat, flat.Rect, part, part.Bounds().Min, draw.Src)
		want := imaging.Resize(flat, 64, 32, imaging.Box)
		got := scaleCrop(part, crop{w: 128, h: 64}, 64, 32, color.NRGBA{A: 255})
		if off := meanOff(got, want); off > 1.2 {
			t.Errorf("%v is off by %.2f, want 1.2 at most", ratio, off)
		}
	}
}

func TestFocus_keepsDetailAwayFromText(t *testing.T) {
	// A wide picture, calm but for a patch; text stands on the left half of what is kept.
	at := func(patch int, tall bool) *image.NRGBA {
		img := image.NewNRGBA(image.Rect(0, 0, 1600, 400))
		if tall {
			img = image.NewNRGBA(image.Rect(0, 0, 400, 1600))
		}
		for y := range img.Rect.Dy() {
			for x := range img.Rect.Dx() {
				v, along := uint8(90), x
				if tall {
					along = y
				}
				if along >= patch && along < patch+200 && (x/25+y/25)%2 == 0 {
					v = 220
				}
				img.SetNRGBA(x, y, color.NRGBA{R: v, G: v, B: v, A: 255})
			}
		}
		return img
	}
	left, upper := []image.Rectangle{image.Rect(0, 0, 200, 400)}, []image.Rectangle{image.Rect(0, 0, 400, 200)}
	if x, _ := Focus(at(700, false), 400, 400, left); x > .45 {
		t.Errorf("the crop begins at %.2f, want it further left, so that the patch lies right of the text", x)
	}
	if _, y := Focus(at(700, true), 400, 400, upper); y > .45 {
		t.Errorf("the crop begins at %.2f, want it higher, so that the patch lies under the text", y)
	}
	if x, y := Focus(at(5000, false), 400, 400, left); x != .5 || y != .5 {
		t.Errorf("a picture without detail is cropped at %.2f, %.2f, want its middle", x, y)
	}
	if x, y := Focus(image.NewNRGBA(image.Rect(0, 0, 3, 2)), 400, 400, left); x != .5 || y != .5 {
		t.Errorf("a tiny picture is cropped at %.2f, %.2f, want its middle", x, y)
	}
}

func TestTone_accentTintsButDoesNotDye(t *testing.T) {
	red := color.NRGBA{R: 225, G: 29, B: 72, A: 255}
	chroma := func(pix []uint8) (sum int) {
		for i := 0; i < len(pix); i += 4 {
			sum += int(max(pix[i], pix[i+1], pix[i+2]) - min(pix[i], pix[i+1], pix[i+2]))
		}
		return sum / (len(pix) / 4)
	}
	gray := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	for i := range gray.Pix {
		gray.Pix[i] = 130
	}
	for name, img := range map[string]*image.NRGBA{"gray": gray, "colorful": plateScene(200, 200)} {
		before := chroma(img.Pix)
		(Tone{Accent: red}).apply(img.Pix)
		after := chroma(img.Pix)
		if float64(after) > 1.15*float64(before)+chromaSlack+1 {
			t.Errorf("%s: chroma %d became %d, want at most 1.15 times", name, before, after)
		}
		if name == "gray" && img.Pix[0] <= img.Pix[1] {
			t.Errorf("gray became %v, want it to lean to the accent", img.Pix[:4])
		}
	}
}

func TestTone_duotoneLiesBetweenItsColors(t *testing.T) {
	dark, light := color.NRGBA{R: 20, G: 10, B: 60, A: 255}, color.NRGBA{R: 120, G: 90, B: 230, A: 255}
	img := plateScene(200, 200)
	(Tone{Dark: dark, Light: light}).apply(img.Pix)
	low, high := uint8(255), uint8(0)
	for i := 0; i < len(img.Pix); i += 4 {
		p := img.Pix[i:]
		low, high = min(low, p[2]), max(high, p[2])
		if p[0] < dark.R || p[0] > light.R || p[1] < dark.G || p[1] > light.G || p[2] < dark.B || p[2] > light.B {
			t.Fatalf("pixel %d is %v", i/4, p[:3])
		}
	}
	if low != dark.B || high != light.B {
		t.Errorf("it reaches from %d to %d, want all of the way from %d to %d", low, high, dark.B, light.B)
	}
}

// A kept plate is given again for the same picture, and for no other.
func TestNewPlate_isKeptByContent(t *testing.T) {
	spec := PlateSpec{W: 120, H: 60, AtX: .5, AtY: .5}
	a, b := plateScene(200, 100), plateScene(200, 100)
	first := NewPlate(a, spec)
	if NewPlate(b, spec) != first {
		t.Error("equal pixels are made ready twice")
	}
	b.Pix[len(b.Pix)-2] ^= 1
	soft := spec
	soft.Softness = 2
	for name, p := range map[string]*Plate{
		"another pixel": NewPlate(b, spec), "another spec": NewPlate(a, soft),
		"other proportions": NewPlate(plateScene(100, 200), spec),
	} {
		if p == first {
			t.Errorf("%s: the plate is that of the first picture", name)
		}
	}
	if d, s := first.Deviation(image.Rect(0, 0, 120, 60)), NewPlate(a, soft); s.Deviation(image.Rect(0, 0, 120, 60)) > d {
		t.Errorf("softening raised the deviation from %.3f", d)
	}
}

func TestPlate_measures(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 * 64 {
		v := uint8(255 * (i % 2)) // columns of one pixel, black and white
		img.SetNRGBA(i%64, i/64, color.NRGBA{R: v, G: v, B: v, A: 255})
	}
	p := NewPlate(img, PlateSpec{W: 64, H: 64})
	if d := p.Deviation(image.Rect(8, 8, 56, 56)); math.Abs(d-.5) > .01 {
		t.Errorf("the deviation of black and white is %.3f, want .5", d)
	}
	if l := p.Light(); math.Abs(l-.5) > .01 {
		t.Errorf("its light is %.3f, want .5", l)
	}
	p.Cells(image.Rect(8, 8, 12, 12), func(x, y int, c *Cell) {
		if c.Low != 0 || c.High != 255 || c.Soft.R < 100 || c.Soft.R > 155 || x != 10 || y != 10 {
			t.Errorf("the cell at %d,%d is %+v", x, y, c)
		}
	})
}

// What a veil says of a place is what is drawn there.
func TestNewOver_veilHidesAsMuchAsItSays(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 160, 90))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	ink := color.NRGBA{R: 20, G: 40, B: 60, A: 255}
	for _, left := range []int{0, 37, 40, -13} {
		p := NewPlate(img, PlateSpec{W: 160, H: 90})
		v := NewVeil(203, 90)
		v.Cover(image.Rect(0, 0, 203, 90), func(x, y float64) float64 { return x / 203 * y / 90 })
		c := NewOver(p, image.Pt(left, 0), v, ink)
		for y := range 90 {
			for x := range 203 {
				cover, _ := v.At(x, y)
				if x < left || x >= left+160 {
					cover = 1
				}
				got, r, b := c.At(x, y), lerp(255, ink.R, cover), lerp(255, ink.B, cover)
				if max(math.Abs(float64(got.R)-r), math.Abs(float64(got.B)-b)) > 4 {
					t.Fatalf("plate at %d: pixel %d,%d is %v, want %.0f red and %.0f blue", left, x, y, got, r, b)
				}
			}
		}
		c.Release()
	}
}

func TestVeil_blurShowsTheBlurredPicture(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 160, 160))
	for i := range 160 * 160 {
		v := uint8(255 * (i / 2 % 2))
		img.SetNRGBA(i%160, i/160, color.NRGBA{R: v, G: v, B: v, A: 255})
	}
	p, v := NewPlate(img, PlateSpec{W: 160, H: 160}), NewVeil(160, 160)
	v.Blur(image.Rect(0, 0, 160, 160), func(x, _ float64) float64 { return Ease((x - 40) / 80) })
	c := NewOver(p, image.Point{}, v, color.NRGBA{A: 255})
	defer c.Release()
	steep := func(x0 int) (most int) {
		for x := x0; x < x0+16; x++ {
			most = max(most, int(c.At(x, 80).R)-int(c.At(x+1, 80).R))
		}
		return most
	}
	if sharp, soft := steep(8), steep(136); sharp < 250 || soft > 4 {
		t.Errorf("neighbors differ by %d where it is sharp and by %d where it is blurred", sharp, soft)
	}
}

// Any size and any picture gives a canvas.
func FuzzNewOver(f *testing.F) {
	f.Add(uint8(10), uint8(10), int16(40), int16(30), int8(0), .5, uint8(1))
	f.Add(uint8(1), uint8(255), int16(1), int16(1), int8(-90), 1.0, uint8(90))
	f.Fuzz(func(t *testing.T, w, h uint8, cw, ch int16, left int8, at float64, soft uint8) {
		cw, ch = min(max(cw, 1), 300), min(max(ch, 1), 300)
		at = min(max(at, 0), 1)
		if at != at {
			return
		}
		img := image.NewNRGBA(image.Rect(0, 0, int(w), int(h)))
		for i := range img.Pix {
			img.Pix[i] = uint8(i * 7)
		}
		p := NewPlate(img, PlateSpec{W: int(cw), H: int(ch), AtX: at, AtY: at, Softness: float64(soft) / 8})
		v := NewVeil(int(cw), int(ch))
		v.Cover(image.Rect(-5, -5, 999, 999), func(x, _ float64) float64 { return x / 300 })
		v.Blur(image.Rect(3, 3, 20, 20), func(_, _ float64) float64 { return at })
		c := NewOver(p, image.Pt(int(left), int(left)/2), v, color.NRGBA{R: 9, A: 255})
		if got := fmt.Sprint(c.Bounds().Size()); got != fmt.Sprint(image.Pt(int(cw), int(ch))) {
			t.Error(got)
		}
		c.Release()
	})
}
