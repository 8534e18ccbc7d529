package icon_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"runtime"
	"testing"

	"github.com/disintegration/imaging"

	"masthead/render/golden"
	"masthead/render/icon"
	"masthead/render/palette"
)

// want are the basic assets of a set.
var want = []struct {
	name string
	side int
}{
	{"favicon-16.png", 16}, {"favicon-32.png", 32}, {"favicon-48.png", 48},
	{"apple-touch-icon.png", 180}, {"icon-192.png", 192}, {"icon-512.png", 512},
}

// drawn draws a set and decodes its assets, which must be the basic ones.
func drawn(t *testing.T, r icon.Request) (*icon.Set, map[string]image.Image) {
	t.Helper()
	set, err := icon.Draw(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Assets) < len(want) {
		t.Fatalf("got %d assets, want %d", len(set.Assets), len(want))
	}
	pictures := map[string]image.Image{}
	for i, a := range set.Assets {
		img, err := png.Decode(bytes.NewReader(a.PNG))
		if err != nil {
			t.Fatalf("%s: %v", a.Name, err)
		}
		if size := img.Bounds().Size(); size != image.Pt(a.Width, a.Height) {
			t.Errorf("%s: got %v pixels, want %dx%d", a.Name, size, a.Width, a.Height)
		}
		if i < len(want) && (a.Name != want[i].name || a.Width != want[i].side || a.Height != want[i].side) {
			t.Errorf("asset %d: got %s of %dx%d, want %s of %d", i, a.Name, a.Width, a.Height, want[i].name, want[i].side)
		}
		pictures[a.Name] = img
	}
	return set, pictures
}

func filled(w, h int, c color.NRGBA) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := 0; i < len(img.Pix); i += 4 {
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = c.R, c.G, c.B, c.A
	}
	return img
}

func TestDraw_noSource_isMonogram(t *testing.T) {
	brand := palette.RGB(0xBE123C)
	set, pictures := drawn(t, icon.Request{Name: "Example", Brand: brand})
	if set.Treatment != icon.Monogram || set.ThemeColor != brand {
		t.Errorf("got %s with %v, want a monogram with %v", set.Treatment, set.ThemeColor, brand)
	}
	touch := pictures["apple-touch-icon.png"]
	if got := color.NRGBAModel.Convert(touch.At(2, 2)).(color.NRGBA); palette.Contrast(got, brand) > 1.1 {
		t.Errorf("the corner of the touch icon is %v, want about the brand's %v", got, brand)
	}
}

// disc paints a disc in the middle of a picture.
func disc(img *image.NRGBA, radius float64, c color.NRGBA) *image.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	for y := range h {
		for x := range w {
			if math.Hypot(float64(x)+.5-float64(w)/2, float64(y)+.5-float64(h)/2) < radius {
				img.SetNRGBA(x, y, c)
			}
		}
	}
	return img
}

func raster(img *image.NRGBA) icon.Request {
	return icon.Request{Sources: []icon.Source{{Picture: img}}, Name: "Example", Brand: palette.RGB(0xBE123C), Extras: true}
}

func TestDraw_treatments(t *testing.T) {
	red, clear := palette.RGB(0xDC2626), color.NRGBA{}
	ring := func(side int) *image.NRGBA { // soft edges make it no pixel art
		img := disc(disc(filled(side, side, clear), float64(side)*.48, red), float64(side)*.3, clear)
		img.SetNRGBA(side/2, 1, color.NRGBA{R: 220, G: 38, B: 38, A: 128})
		return img
	}
	vector := icon.Source{Draw: func(_ context.Context, side int) (*image.NRGBA, error) { return ring(side), nil }}
	broken := icon.Source{Draw: func(context.Context, int) (*image.NRGBA, error) { return nil, errors.New("broken") }}
	line := icon.Source{Draw: func(_ context.Context, side int) (*image.NRGBA, error) { return filled(side, 1, red), nil }}
	small := icon.Source{Draw: func(context.Context, int) (*image.NRGBA, error) { return ring(100), nil }}
	for name, c := range map[string]struct {
		sources  []icon.Source
		want     icon.Treatment
		warnings int
	}{
		"a vector goes before a raster": {[]icon.Source{{Picture: ring(512)}, vector}, icon.Vector, 0},
		"a raster that is large enough": {[]icon.Source{{Picture: ring(48)}, {Picture: ring(400)}}, icon.Raster, 0},
		"a small one":                   {[]icon.Source{{Picture: ring(32)}, {Picture: ring(64)}}, icon.Tile, 0},
		"pixel art":                     {[]icon.Source{{Picture: disc(filled(16, 16, clear), 6, red)}}, icon.Pixel, 0},
		"a vector that fails":           {[]icon.Source{broken, {Picture: ring(400)}}, icon.Raster, 1},
		"a vector that takes too long":  {[]icon.Source{small}, icon.Tile, 1},
		"one that was drawn before":     {[]icon.Source{{Draw: broken.Draw, Picture: ring(128)}}, icon.Tile, 1},
		"one that was drawn too small":  {[]icon.Source{{Draw: broken.Draw, Picture: ring(128)}, {Picture: ring(180)}}, icon.Raster, 1},
		"nothing":                       {nil, icon.Monogram, 0},
		"an empty one":                  {[]icon.Source{{Picture: filled(64, 64, clear)}, {}}, icon.Monogram, 2},
		"a white one":                   {[]icon.Source{{Picture: filled(64, 64, palette.RGB(0xFFFFFF))}}, icon.Monogram, 1},
		"too many pixels":               {[]icon.Source{{Picture: filled(2049, 2048, red)}}, icon.Monogram, 1},
		"a line":                        {[]icon.Source{{Picture: filled(400, 20, red)}}, icon.Monogram, 1},
		"a long line":                   {[]icon.Source{{Picture: filled(3000, 1, red)}}, icon.Monogram, 1},
		"a high line":                   {[]icon.Source{{Picture: filled(1, 3000, red)}}, icon.Monogram, 1},
		"a long strip":                  {[]icon.Source{{Picture: filled(4096, 2, red)}}, icon.Monogram, 1},
		"a vector of a line":            {[]icon.Source{line}, icon.Monogram, 1},
		"a mark in a wide margin":       {[]icon.Source{{Picture: disc(filled(3200, 200, clear), 90, red)}}, icon.Tile, 0},
		"a mark in too wide a margin":   {[]icon.Source{{Picture: disc(filled(3201, 200, clear), 90, red)}}, icon.Monogram, 1},
		"a mark in a high margin":       {[]icon.Source{{Picture: disc(filled(200, 3200, clear), 90, red)}}, icon.Tile, 0},
		"a mark in too high a margin":   {[]icon.Source{{Picture: disc(filled(200, 3201, clear), 90, red)}}, icon.Monogram, 1},
		"a page":                        {[]icon.Source{{Picture: screenshot()}}, icon.Monogram, 1},
	} {
		t.Run(name, func(t *testing.T) {
			set, pictures := drawn(t, icon.Request{Sources: c.sources, Name: "Example", Brand: red, Extras: true})
			if set.Treatment != c.want || len(set.Warnings) != c.warnings {
				t.Errorf("got %s with %q, want %s with %d warnings", set.Treatment, set.Warnings, c.want, c.warnings)
			}
			checkSet(t, pictures)
		})
	}
}

// screenshot is a page with lines of text.
func screenshot() *image.NRGBA {
	img := filled(1200, 630, palette.RGB(0xFFFFFF))
	for y := 20; y < 600; y++ {
		for x := 20; x < 1180; x++ {
			if y/12%2 == 0 && (x*7+x/5*13+y/12*31)%11 < 5 {
				img.SetNRGBA(x, y, palette.RGB(0x111827))
			}
		}
	}
	return img
}

// TestDraw_smallRaster_isNeverBlownUp measures the mark on each asset: at most three times its source, in its own
// color, and on a plain tile where that leaves much room.
func TestDraw_smallRaster_isNeverBlownUp(t *testing.T) {
	green := palette.RGB(0x16A34A)
	for _, side := range []int{20, 33, 48, 64, 96, 128} {
		mark := disc(disc(filled(side, side, color.NRGBA{}), float64(side)/2, green), float64(side)*.3, color.NRGBA{})
		mark.SetNRGBA(side/2, 0, color.NRGBA{R: 22, G: 163, B: 74, A: 99})
		if side == 20 { // seventeen colors and more are no pixel art
			for i := range side {
				mark.SetNRGBA(i, side/2, color.NRGBA{R: uint8(10 + 4*i), G: 163, B: 74, A: 250})
			}
		}
		_, pictures := drawn(t, raster(mark))
		for _, w := range want {
			var ink image.Rectangle
			img := pictures[w.name]
			for y := range w.side {
				for x := range w.side {
					c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
					if c.A > 128 && int(c.G) > int(c.R)+60 && int(c.G) > int(c.B)+50 {
						ink = ink.Union(image.Rect(x, y, x+1, y+1))
					}
				}
			}
			if got, most := float64(ink.Dx()), 3*float64(side)+1; ink.Empty() || got > most {
				t.Errorf("%d px on %s: the mark is %v wide, want at most %v", side, w.name, got, most)
			}
			edge := color.NRGBAModel.Convert(img.At(w.side/2, 0)).(color.NRGBA)
			if white := palette.RGB(0xFFFFFF); w.side > 4*side && edge != white {
				t.Errorf("%d px on %s: the edge of the tile is %v, want %v", side, w.name, edge, white)
			}
		}
	}
}

// TestDraw_smallAssets_keepOfAWideMargin measures marks with margins of their own on the small assets: at most a fifth
// of each side is left out, unless there would be hardly a mark.
func TestDraw_smallAssets_keepOfAWideMargin(t *testing.T) {
	green := palette.RGB(0x16A34A)
	for share, want := range map[float64]float64{.9: 1, .6: 1, .5: .83, .4: .67, .2: 1} {
		mark := disc(disc(filled(256, 256, color.NRGBA{}), 128*share, green), 60*share, color.NRGBA{})
		_, pictures := drawn(t, raster(mark))
		for _, side := range []int{16, 32, 48} {
			img := pictures[fmt.Sprintf("favicon-%d.png", side)]
			var ink image.Rectangle
			for y := range side {
				for x := range side {
					if _, _, _, a := img.At(x, y).RGBA(); a > 0x8000 {
						ink = ink.Union(image.Rect(x, y, x+1, y+1))
					}
				}
			}
			if got := float64(ink.Dx()); math.Abs(got-want*float64(side)) > 1.1 {
				t.Errorf("a mark of %v of its frame is %v wide on %d px, want %v", share, got, side, want*float64(side))
			}
		}
	}
}

// TestDraw_sizesOfTheSource_areTheSourceItself compares assets of the size of their source with it, pixel by pixel, and
// the small one of twice its size with each pixel as four.
func TestDraw_sizesOfTheSource_areTheSourceItself(t *testing.T) {
	soft := func(side int, background color.NRGBA) *image.NRGBA { // with more colors than pixel art has
		img := disc(filled(side, side, background), float64(side)*.3, palette.RGB(0x16A34A))
		for i := range side {
			img.SetNRGBA(i, side/2, color.NRGBA{R: uint8(10 + 4*i), G: 163, B: 74, A: 250})
			img.SetNRGBA(side/2, i, color.NRGBA{R: uint8(10 + 4*i), G: 120, B: 74, A: 255})
		}
		return img
	}
	opaque := soft(180, palette.RGB(0xF1F5F9))
	for i := 3; i < len(opaque.Pix); i += 4 {
		opaque.Pix[i] = 255
	}
	for _, c := range []struct {
		source *image.NRGBA
		name   string
		factor int
	}{
		{soft(16, color.NRGBA{}), "favicon-16.png", 1}, {soft(16, color.NRGBA{}), "favicon-32.png", 2},
		{soft(32, color.NRGBA{}), "favicon-32.png", 1}, {opaque, "apple-touch-icon.png", 1},
		{soft(192, color.NRGBA{}), "icon-192.png", 1}, {soft(512, color.NRGBA{}), "icon-512.png", 1},
	} {
		_, pictures := drawn(t, raster(c.source))
		for y := range c.source.Rect.Dy() * c.factor {
			for x := range c.source.Rect.Dx() * c.factor {
				got := color.NRGBAModel.Convert(pictures[c.name].At(x, y)).(color.NRGBA)
				if want := c.source.NRGBAAt(x/c.factor, y/c.factor); got != want && (got.A != 0 || want.A != 0) {
					t.Fatalf("%s of %d px at %d, %d: got %v, want %v", c.name, c.source.Rect.Dx(), x, y, got, want)
				}
			}
		}
	}
}

// TestDraw_pixelArt_growsByWholeFactors compares blocks of the large asset with the pixels of the source.
func TestDraw_pixelArt_growsByWholeFactors(t *testing.T) {
	src := filled(16, 16, palette.RGB(0x2563EB))
	for i := range 16 {
		src.SetNRGBA(i, i, palette.RGB(0xFACC15))
	}
	src.SetNRGBA(15, 0, palette.RGB(0xDC2626))
	set, pictures := drawn(t, raster(src))
	if set.Treatment != icon.Pixel {
		t.Fatalf("got %s", set.Treatment)
	}
	img := pictures["icon-512.png"]
	for y := range 512 {
		for x := range 512 {
			if got, want := color.NRGBAModel.Convert(img.At(x, y)), src.NRGBAAt(x/32, y/32); got != want {
				t.Fatalf("%d, %d: got %v, want %v", x, y, got, want)
			}
		}
	}
}

// TestDraw_flatIcons_ofAnySize has icons with hard edges in few colors, smaller and larger than the assets: what grows
// by whole factors is also reduced.
func TestDraw_flatIcons_ofAnySize(t *testing.T) {
	red, white, yellow := palette.RGB(0xDC2626), palette.RGB(0xFFFFFF), palette.RGB(0xFACC15)
	for name, paint := range map[string]func(side int) *image.NRGBA{
		"a glyph": func(side int) *image.NRGBA { return disc(filled(side, side, color.NRGBA{}), .3*float64(side), red) },
		"a badge": func(side int) *image.NRGBA {
			return disc(disc(filled(side, side, color.NRGBA{}), .5*float64(side), red), .2*float64(side), white)
		},
		"on a plain background": func(side int) *image.NRGBA { return disc(filled(side, side, red), .3*float64(side), yellow) },
		"all of one color":      func(side int) *image.NRGBA { return filled(side, side, red) },
		"chequered": func(side int) *image.NRGBA {
			img := filled(side, side, red)
			for i := range side * side {
				if (i%side*4/side+i/side*4/side)%2 == 0 {
					img.SetNRGBA(i%side, i/side, yellow)
				}
			}
			return img
		},
	} {
		for _, side := range []int{1, 5, 16, 17, 24, 32, 47, 64, 65} {
			t.Run(fmt.Sprint(name, " of ", side), func(t *testing.T) {
				set, pictures := drawn(t, raster(paint(side)))
				if want := side <= 64; want != (set.Treatment == icon.Pixel) && set.Treatment != icon.Monogram {
					t.Errorf("got %s", set.Treatment)
				}
				checkSet(t, pictures)
			})
		}
	}
}

// TestDraw_maskable_liesInTheSafeZone looks for the mark outside of the disc that no mask cuts.
func TestDraw_maskable_liesInTheSafeZone(t *testing.T) {
	blue := palette.RGB(0x1D4ED8)
	for name, img := range map[string]*image.NRGBA{
		"a square":              filled(300, 300, color.NRGBA{}),
		"on a white background": filled(300, 300, palette.RGB(0xFFFFFF)),
	} {
		for y := 60; y < 240; y++ {
			for x := 20; x < 280; x++ {
				img.SetNRGBA(x, y, blue)
			}
		}
		_, pictures := drawn(t, raster(img))
		masked := pictures["icon-512-maskable.png"]
		for y := range 512 {
			for x := range 512 {
				c := color.NRGBAModel.Convert(masked.At(x, y)).(color.NRGBA)
				far := math.Hypot(float64(x)-255.5, float64(y)-255.5) > .4*512
				if far && int(c.B) > int(c.R)+90 {
					t.Fatalf("%s: the mark reaches %d, %d", name, x, y)
				}
			}
		}
	}
}

// TestDraw_monograms draws the initial of names in many scripts, which have goldens.
func TestDraw_monograms(t *testing.T) {
	names := []struct{ name, lang string }{
		{"Masthead", "en"}, {"The Guardian", "en"}, {"Wikipedia", "en"}, {"іній", "uk"}, {"Ωμέγα", "el"}, {"العربية", "ar"},
		{"עברית", "he"}, {"हिन्दी", "hi"}, {"বাংলা", "bn"}, {"ไทยรัฐ", "th"}, {"日本経済", "ja"}, {"한국", "ko"}, {"42", ""}, {"🙂", ""},
	}
	out := image.NewNRGBA(image.Rect(0, 0, 7*110, 2*110))
	draw.Draw(out, out.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	for i, n := range names {
		brand := palette.LCH{L: .3 + .05*float64(i), C: .15, H: float64(i * 47)}.Color()
		_, pictures := drawn(t, icon.Request{Name: n.name, Lang: n.lang, Brand: brand})
		at := image.Pt(i%7*110, i/7*110)
		put := func(name string, x, y int) {
			img := pictures[name]
			draw.Draw(out, img.Bounds().Add(at.Add(image.Pt(x, y))), img, image.Point{}, draw.Over)
		}
		put("favicon-16.png", 6, 60)
		put("favicon-32.png", 28, 60)
		put("favicon-48.png", 6, 6)
	}
	golden.Image(t, "monograms", out)
}

func TestDraw_sameRequest_sameBytes(t *testing.T) {
	r := requestFor(t, "devicon-slack-96.png")
	first, _ := drawn(t, r)
	for range 3 {
		again, _ := drawn(t, r)
		for i, a := range again.Assets {
			if !bytes.Equal(a.PNG, first.Assets[i].PNG) {
				t.Errorf("%s differs", a.Name)
			}
		}
	}
}

func TestDraw_contextEnded(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := icon.Draw(ctx, raster(filled(64, 64, palette.RGB(0x2563EB)))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// FuzzDraw: whatever a picture shows, a set has its six assets, the touch icon is opaque, and the source is as it was.
func FuzzDraw(f *testing.F) {
	f.Add(uint16(16), uint16(16), []byte{255, 0, 0, 255}, uint32(0xBE123C), "Example")
	f.Add(uint16(1), uint16(1), []byte{0, 0, 0, 0, 9}, uint32(0), "")
	f.Add(uint16(3000), uint16(1), []byte{255, 0, 0, 255}, uint32(0xBE123C), "Example")
	f.Add(uint16(2), uint16(4096), []byte{255, 0, 0, 255}, uint32(0xBE123C), "Example")
	f.Add(uint16(130), uint16(2050), []byte{0, 0, 0, 0, 255, 0, 0, 255, 9}, uint32(0xBE123C), "Example")
	f.Add(uint16(64), uint16(40), []byte{1, 2, 3, 200, 255, 255, 255, 0, 9, 8}, uint32(0xFFFFFF), "日本")
	f.Add(uint16(90), uint16(91), []byte{0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 1, 255, 255, 255, 255, 255}, uint32(0x808080), "\xff")
	f.Fuzz(func(t *testing.T, w, h uint16, pixels []byte, brand uint32, name string) {
		const most = 1 << 17 // pixels of what is large both ways, so that many pictures are drawn
		w, h = w%4097, h%4097
		if int(w)*int(h) > most && w < h {
			w = uint16(most / int(h))
		} else if int(w)*int(h) > most {
			h = uint16(most / int(w))
		}
		img := image.NewNRGBA(image.Rect(0, 0, int(w), int(h)))
		for i := range img.Pix {
			if len(pixels) > 0 {
				img.Pix[i] = pixels[i%len(pixels)]
			}
		}
		was := bytes.Clone(img.Pix)
		r := raster(img)
		r.Brand, r.Name = palette.RGB(brand), name
		_, pictures := drawn(t, r)
		if !pictures["apple-touch-icon.png"].(interface{ Opaque() bool }).Opaque() {
			t.Error("the touch icon is not opaque")
		}
		if !bytes.Equal(img.Pix, was) {
			t.Error("the source was changed")
		}
	})
}

// BenchmarkDraw measures a set from a raster as large as its largest asset, and from a drawing that costs nothing.
func BenchmarkDraw(b *testing.B) {
	star := source(b, "own-star-256.png").Picture
	large := imaging.Resize(star, 512, 512, imaging.Lanczos)
	for name, r := range map[string]icon.Request{
		"raster512": raster(large), "raster256": raster(star), "monogram": {Name: "Example", Brand: palette.RGB(0xBE123C)},
	} {
		r.Extras = false
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := icon.Draw(context.Background(), r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestDraw_largest is within bounds of memory and of time: a raster of four megapixels that is all noise.
func TestDraw_largest_isBounded(t *testing.T) {
	img := filled(2048, 2048, color.NRGBA{})
	x := uint32(1)
	for i := range img.Pix {
		x = x*1664525 + 1013904223
		img.Pix[i] = uint8(x >> 24)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	drawn(t, raster(img))
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 128<<20 {
		t.Errorf("got %d MiB allocated in all, want at most 128", took>>20)
	}
}
