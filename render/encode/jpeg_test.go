package encode_test

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"

	"masthead/render/encode"
	"masthead/render/encode/encodetest"
)

// asJPEG forces a JPEG of quality 88 at full resolution of color: no PNG is small enough.
var asJPEG = encode.Limits{MaxPNG: 1}

func rgba(w, h int, at func(x, y int) color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetRGBA(x, y, at(x, y))
		}
	}
	return img
}

// smooth is like a photograph: gradients in all channels, with some edges.
func smooth(w, h int) *image.RGBA {
	return rgba(w, h, func(x, y int) color.RGBA {
		u, v := float64(x)/100, float64(y)/100
		c := color.RGBA{
			uint8(127 + 100*math.Sin(3*u+v)), uint8(127 + 90*math.Sin(2*v-u)), uint8(127 + 100*math.Cos(u*v)), 255,
		}
		if x/40%3 == 1 && y/30%2 == 1 {
			c.R, c.G = 255-c.R, c.G/2
		}
		return c
	})
}

func noise(w, h int) *image.RGBA {
	r := rand.New(rand.NewPCG(1, 2))
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range img.Pix {
		img.Pix[i] = uint8(r.Uint32())
		if i%4 == 3 {
			img.Pix[i] = 255
		}
	}
	return img
}

// psnr decodes a picture with the standard library and compares it, in decibels over all channels.
func psnr(t *testing.T, data []byte, want image.Image) float64 {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds().Size() != want.Bounds().Size() {
		t.Fatalf("size %v, want %v", img.Bounds().Size(), want.Bounds().Size())
	}
	got := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(got, got.Rect, img, img.Bounds().Min, draw.Src)
	exact := image.NewRGBA(got.Rect)
	draw.Draw(exact, exact.Rect, want, want.Bounds().Min, draw.Src)
	sum := 0.0
	for i := range got.Pix {
		d := float64(got.Pix[i]) - float64(exact.Pix[i])
		sum += d * d
	}
	return 10 * math.Log10(255*255*float64(len(got.Pix))/max(sum, 1e-9))
}

func TestJPEG_fullQuality_isCloseToOriginal(t *testing.T) {
	for _, c := range []struct {
		name  string
		img   image.Image
		least float64
	}{
		{"gradients", smooth(640, 400), 37},
		{"one pixel", smooth(1, 1), 40},
		{"odd sides", smooth(173, 91), 36},
		{"narrow", smooth(3, 200), 36},
		{"black", rgba(64, 64, func(_, _ int) color.RGBA { return color.RGBA{A: 255} }), 60},
		{"white", rgba(65, 63, func(_, _ int) color.RGBA { return color.RGBA{255, 255, 255, 255} }), 60},
		{"red", rgba(65, 63, func(_, _ int) color.RGBA { return color.RGBA{255, 0, 0, 255} }), 45},
		{"part of a picture", smooth(640, 400).SubImage(image.Rect(101, 53, 402, 307)), 37},
		{"indexed", scene(200, 100, 200), 20},
		{"noise", noise(200, 100), 24},
	} {
		pic, err := encode.Encode(c.img, asJPEG)
		if err != nil || pic.ContentType != "image/jpeg" || pic.Ext != ".jpg" || pic.Quality != encode.MaxQuality {
			t.Fatalf("%s: %v, %s of quality %d", c.name, err, pic.ContentType, pic.Quality)
		}
		if db := psnr(t, pic.Bytes, c.img); db < c.least {
			t.Errorf("%s: %.1f dB, want %v", c.name, db, c.least)
		}
	}
}

// At the same quality our JPEG is as true as that of the standard library, and truer in color.
func TestJPEG_sameQuality_isCloserThanStandardLibrary(t *testing.T) {
	img := smooth(600, 315)
	pic, err := encode.Encode(img, asJPEG)
	if err != nil {
		t.Fatal(err)
	}
	var std bytes.Buffer
	if err := jpeg.Encode(&std, img, &jpeg.Options{Quality: encode.MaxQuality}); err != nil {
		t.Fatal(err)
	}
	ours, theirs := psnr(t, pic.Bytes, img), psnr(t, std.Bytes(), img)
	t.Logf("ours %.2f dB in %d bytes, theirs %.2f dB in %d", ours, len(pic.Bytes), theirs, std.Len())
	if ours < theirs+2 {
		t.Errorf("ours has %.2f dB, theirs %.2f", ours, theirs)
	}
}

// Small colored text keeps its color: a red stroke of two pixels on blue is red.
func TestJPEG_thinColoredStroke_keepsColor(t *testing.T) {
	red, blue := color.RGBA{225, 29, 72, 255}, color.RGBA{15, 23, 42, 255}
	img := rgba(160, 160, func(x, _ int) color.RGBA {
		if x%9 < 2 {
			return red
		}
		return blue
	})
	pic, err := encode.Encode(img, asJPEG)
	if err != nil {
		t.Fatal(err)
	}
	got, err := jpeg.Decode(bytes.NewReader(pic.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	for x := 72; x < 90; x++ {
		c := color.RGBAModel.Convert(got.At(x, 80)).(color.RGBA)
		want := img.RGBAAt(x, 80)
		if d := max(diff(c.R, want.R), diff(c.G, want.G), diff(c.B, want.B)); d > 24 {
			t.Errorf("pixel %d is %v, want %v", x, c, want)
		}
	}
}

func diff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// Quality falls only as far as the limit asks, and no further than the lowest.
func TestJPEG_smallerLimit_lowersQualityToMinimum(t *testing.T) {
	img := smooth(640, 400)
	best, err := encode.Encode(img, asJPEG)
	if err != nil {
		t.Fatal(err)
	}
	last := best
	for limit := len(best.Bytes); limit > 5000; limit -= 1500 {
		pic, err := encode.Encode(img, encode.Limits{MaxPNG: 1, MaxJPEG: limit})
		if err != nil {
			t.Fatal(err)
		}
		if len(pic.Bytes) > limit && pic.Quality != encode.MinQuality {
			t.Errorf("limit %d: %d bytes at quality %d", limit, len(pic.Bytes), pic.Quality)
		}
		if pic.Quality > last.Quality || len(pic.Bytes) > len(last.Bytes) {
			t.Errorf("limit %d: %d bytes at quality %d, after %d at %d",
				limit, len(pic.Bytes), pic.Quality, len(last.Bytes), last.Quality)
		}
		if db := psnr(t, pic.Bytes, img); db < 28 {
			t.Errorf("limit %d: %.1f dB", limit, db)
		}
		last = pic
	}
	if last.Quality != encode.MinQuality {
		t.Errorf("the lowest quality is %d", last.Quality)
	}
}

// Any pixels become a JPEG that decodes, and whose blocks are those of a baseline encoder.
func FuzzJPEG(f *testing.F) {
	f.Add(uint8(1), uint8(1), []byte{1, 2, 3})
	f.Add(uint8(17), uint8(9), []byte{255, 0, 255, 0, 0, 255})
	f.Add(uint8(64), uint8(3), []byte{0})
	f.Fuzz(func(t *testing.T, w, h uint8, data []byte) {
		if w == 0 || h == 0 || len(data) == 0 {
			return
		}
		img := image.NewRGBA(image.Rect(0, 0, int(w), int(h)))
		for i := range img.Pix {
			img.Pix[i] = data[i%len(data)] ^ uint8(i/len(data)*7)
			if i%4 == 3 {
				img.Pix[i] = 255
			}
		}
		half := encode.Limits{NoPNG: true, Text: []image.Rectangle{image.Rect(-3, 2, 40, 9)}}
		for _, l := range []encode.Limits{asJPEG, {MaxPNG: 1, MaxJPEG: 1}, half} {
			pic, err := encode.Encode(img, l)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := jpeg.Decode(bytes.NewReader(pic.Bytes)); err != nil {
				t.Fatal(err)
			}
			encodetest.JPEG(t, img, l.Text, pic.Bytes)
		}
	})
}

// Color is halved where that is not seen at text, and kept where it is.
func TestJPEG_colorIsKeptWhereTextNeedsIt(t *testing.T) {
	strokes := func(ink, background color.RGBA) *image.RGBA {
		return rgba(320, 160, func(x, y int) color.RGBA {
			if x > 64 && x < 256 && y > 48 && y < 96 && x%9 < 3 {
				return ink
			}
			return background
		})
	}
	text := []image.Rectangle{image.Rect(65, 49, 256, 96)}
	white, black := color.RGBA{255, 255, 255, 255}, color.RGBA{10, 12, 20, 255}
	for name, c := range map[string]struct {
		img  image.Image
		text []image.Rectangle
		want image.YCbCrSubsampleRatio
	}{
		"white on black":   {strokes(white, black), text, image.YCbCrSubsampleRatio420},
		"pale on black":    {strokes(color.RGBA{190, 200, 240, 255}, black), text, image.YCbCrSubsampleRatio420},
		"red on black":     {strokes(color.RGBA{225, 29, 72, 255}, black), text, image.YCbCrSubsampleRatio444},
		"white on red":     {strokes(white, color.RGBA{225, 29, 72, 255}), text, image.YCbCrSubsampleRatio444},
		"red but no text":  {strokes(color.RGBA{225, 29, 72, 255}, black), []image.Rectangle{}, image.YCbCrSubsampleRatio420},
		"nothing is known": {strokes(white, black), nil, image.YCbCrSubsampleRatio444},
		"text beyond":      {strokes(white, black), []image.Rectangle{image.Rect(300, 150, 900, 900)}, image.YCbCrSubsampleRatio420},
	} {
		pic, err := encode.Encode(c.img, encode.Limits{NoPNG: true, Text: c.text})
		if err != nil {
			t.Fatal(err)
		}
		img, err := jpeg.Decode(bytes.NewReader(pic.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		if got := img.(*image.YCbCr).SubsampleRatio; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Where text needs the full resolution of color, the rest of the picture has the half where there is no edge, and is
// truer than with the half alone, in the bytes of the whole, at all sizes.
func TestJPEG_colorBesideTextIsLikeHalf(t *testing.T) {
	for _, size := range []image.Point{{600, 315}, {173, 91}, {64, 64}, {40, 17}, {49, 33}} {
		img := smooth(size.X, size.Y)
		text := image.Rect(9, 3, 31, 13)
		for y := text.Min.Y; y < text.Max.Y; y++ {
			for x := text.Min.X; x < text.Max.X; x++ {
				img.SetRGBA(x, y, color.RGBA{225, 29, 72, 255})
				if x%5 < 2 {
					img.SetRGBA(x, y, color.RGBA{255, 255, 255, 255})
				}
			}
		}
		encoded := func(text []image.Rectangle) encode.File {
			t.Helper()
			pic, err := encode.Encode(img, encode.Limits{NoPNG: true, Text: text})
			if err != nil {
				t.Fatal(err)
			}
			return pic
		}
		mixed, half, whole := encoded([]image.Rectangle{text}), encoded([]image.Rectangle{}), encoded(nil)
		got, err := jpeg.Decode(bytes.NewReader(mixed.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		if got.(*image.YCbCr).SubsampleRatio != image.YCbCrSubsampleRatio444 {
			t.Fatalf("%v: the text has half of its color", size)
		}
		// Under the text every pixel is as with the full color of all.
		full, err := jpeg.Decode(bytes.NewReader(whole.Bytes))
		if err != nil {
			t.Fatal(err)
		}
		for y := text.Min.Y; y < text.Max.Y; y++ {
			for x := text.Min.X; x < text.Max.X; x++ {
				if got.At(x, y) != full.At(x, y) {
					t.Fatalf("%v: %d,%d under the text is %v, with full color %v", size, x, y, got.At(x, y), full.At(x, y))
				}
			}
		}
		if m, h := psnr(t, mixed.Bytes, img), psnr(t, half.Bytes, img); m < h || len(mixed.Bytes)*100 > 101*len(whole.Bytes) {
			t.Errorf("%v: %.2f dB in %d bytes, with half of the color %.2f dB, with all of it %d bytes", size, m,
				len(mixed.Bytes), h, len(whole.Bytes))
		}
	}
}

// Halved color takes no more than a tenth over the bytes of the standard library, and is as true, at all sizes.
func TestJPEG_halfColor_isLikeStandardLibrary(t *testing.T) {
	for _, size := range []image.Point{{600, 315}, {173, 91}, {64, 64}, {17, 3}, {1, 1}, {16, 33}} {
		img := smooth(size.X, size.Y)
		pic, err := encode.Encode(img, encode.Limits{NoPNG: true, Text: []image.Rectangle{}})
		if err != nil {
			t.Fatal(err)
		}
		var std bytes.Buffer
		if err := jpeg.Encode(&std, img, &jpeg.Options{Quality: encode.MaxQuality}); err != nil {
			t.Fatal(err)
		}
		ours, theirs := psnr(t, pic.Bytes, img), psnr(t, std.Bytes(), img)
		if ours < theirs-.2 || len(pic.Bytes)*10 > 11*std.Len() {
			t.Errorf("%v: ours %.2f dB in %d bytes, theirs %.2f dB in %d", size, ours, len(pic.Bytes), theirs, std.Len())
		}
	}
}
