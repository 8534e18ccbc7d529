package icon_test

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/disintegration/imaging"

	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/pkg/testenv"
	"masthead/render/golden"
	"masthead/render/icon"
	"masthead/render/palette"
)

// engine draws the SVG of all tests of this package, however busy the machine is.
var engine = sync.OnceValue(func() *svg.Engine {
	return svg.New(svg.Config{Dir: testenv.CacheDir(), Wait: time.Minute, Time: time.Minute})
})

// hurried is the engine as services have it.
var hurried = sync.OnceValue(func() *svg.Engine {
	return svg.New(svg.Config{Dir: testenv.CacheDir(), Wait: time.Minute})
})

// source decodes a file of testdata/icons, as a service would.
func source(t testing.TB, file string) icon.Source {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "icons", file))
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(file) != ".svg" {
		img, _, err := picture.NewDecoder(picture.Config{}).Decode(context.Background(), data, picture.Want{})
		if err != nil {
			t.Fatal(err)
		}
		return icon.Source{Picture: img}
	}
	document, err := svg.Clean(data)
	if err != nil {
		t.Fatal(err)
	}
	return icon.Source{Draw: func(ctx context.Context, side int) (*image.NRGBA, error) {
		if slow[file] {
			return hurried().DrawLong(ctx, document, side, nil)
		}
		return engine().DrawLong(ctx, document, side, nil)
	}}
}

// realIcons are the files of testdata/icons. Its LICENSES.md says where each comes from.
func realIcons(t testing.TB) (files []string) {
	t.Helper()
	entries, err := os.ReadDir("testdata/icons")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".md" {
			files = append(files, e.Name())
		}
	}
	return files
}

// requestFor is the request for an icon as a page would make it: the brand is the icon's own color.
func requestFor(t testing.TB, file string) icon.Request {
	t.Helper()
	s := source(t, file)
	img := s.Picture
	if img == nil {
		var err error
		if img, err = s.Draw(context.Background(), 64); err != nil {
			t.Fatal(err)
		}
	}
	choice := palette.Choose(palette.Candidates(palette.Clusters(img), palette.Icon), false)
	name, _, _ := strings.Cut(strings.TrimSuffix(file, filepath.Ext(file)), "-")
	return icon.Request{Sources: []icon.Source{s}, Name: name, Brand: choice.Accent, Extras: true}
}

// sheet shows a set as people see it, on white and on dark, with the largest asset reduced.
func sheet(t testing.TB, pictures map[string]image.Image) *image.NRGBA {
	t.Helper()
	const half, height = 348, 188
	out := image.NewNRGBA(image.Rect(0, 0, 2*half, height))
	for i, background := range []color.NRGBA{{R: 255, G: 255, B: 255, A: 255}, {R: 0x20, G: 0x21, B: 0x24, A: 255}} {
		at := image.Rect(i*half, 0, (i+1)*half, height)
		draw.Draw(out, at, image.NewUniform(background), image.Point{}, draw.Src)
		put := func(img image.Image, x, y int) {
			draw.Draw(out, img.Bounds().Add(at.Min.Add(image.Pt(x, y))), img, image.Point{}, draw.Over)
		}
		put(pictures["favicon-16.png"], 4, 4)
		put(pictures["favicon-32.png"], 26, 4)
		put(pictures["favicon-48.png"], 4, 42)
		put(imaging.Resize(pictures["icon-512.png"], 88, 88, imaging.Box), 64, 4)
		if dark := pictures["favicon-dark-32.png"]; dark != nil {
			put(dark, 4, 92)
		}
		put(imaging.Resize(pictures["icon-512-maskable.png"], 64, 64, imaging.Box), 4, 120)
		if shape := pictures["icon-512-monochrome.png"]; shape != nil {
			tint := tinted(shape, palette.RGB(0x3B6EA8))
			put(imaging.Resize(tint, 64, 64, imaging.Box), 96, 120)
		}
		put(pictures["apple-touch-icon.png"], 164, 4)
	}
	return out
}

// tinted returns the alpha of a picture in a color, as launchers draw it.
func tinted(img image.Image, c color.NRGBA) *image.NRGBA {
	out := image.NewNRGBA(img.Bounds())
	draw.DrawMask(out, out.Rect, image.NewUniform(c), image.Point{}, img, img.Bounds().Min, draw.Src)
	return out
}

// slow are drawings that take the engine longer than it has at the largest size, and come smaller where the machine is
// busy: no golden can hold them.
var slow = map[string]bool{"vite.svg": true}

// TestDraw_realIcons compares the sets of real icons with those that somebody has looked at.
func TestDraw_realIcons(t *testing.T) {
	files := realIcons(t)
	if len(files) < 40 {
		t.Errorf("got %d icons, want at least 40", len(files))
	}
	formats := map[string]bool{}
	for _, file := range files {
		formats[filepath.Ext(file)] = true
		t.Run(file, func(t *testing.T) {
			set, pictures := drawn(t, requestFor(t, file))
			if !slow[file] && (len(set.Warnings) > 0 || set.Treatment == icon.Monogram) {
				t.Fatalf("it is not drawn: %v", set.Warnings)
			}
			checkSet(t, pictures)
			if !slow[file] {
				golden.Image(t, file, sheet(t, pictures))
			}
		})
	}
	for _, format := range []string{".svg", ".png", ".ico", ".jpg", ".gif", ".webp"} {
		if !formats[format] {
			t.Errorf("there is no icon in the format %s", format)
		}
	}
}

// checkSet holds what is true of every set: the touch icon and the maskable icon are opaque, no asset is empty, and
// none vanishes on white or on dark.
func checkSet(t *testing.T, pictures map[string]image.Image) {
	t.Helper()
	for name, img := range pictures {
		opaque := img.(interface{ Opaque() bool }).Opaque()
		if name == "apple-touch-icon.png" || strings.HasSuffix(name, "maskable.png") {
			if !opaque {
				t.Errorf("%s: it is not opaque", name)
			}
			continue
		}
		backgrounds := []color.NRGBA{palette.RGB(0xFFFFFF), palette.RGB(0x202124)}
		if strings.HasPrefix(name, "favicon-dark") {
			backgrounds = backgrounds[1:]
		}
		for _, background := range backgrounds {
			if share := visible(img, background); share < .004 { // a mark of 16 px on 512 is 48 px wide there
				t.Errorf("%s: %.1f %% of its pixels can be seen on %s", name, 100*share, palette.Hex(background))
			}
		}
	}
}

// visible is the share of pixels that differ from a background by a contrast of 1.25 or in hue.
func visible(img image.Image, background color.NRGBA) float64 {
	b := img.Bounds()
	on := image.NewNRGBA(image.Rectangle{Max: b.Size()})
	draw.Draw(on, on.Rect, image.NewUniform(background), image.Point{}, draw.Src)
	draw.Draw(on, on.Rect, img, b.Min, draw.Over)
	count, lab := 0, palette.ToLab(background)
	for i := 0; i < len(on.Pix); i += 4 {
		c := color.NRGBA{R: on.Pix[i], G: on.Pix[i+1], B: on.Pix[i+2], A: 255}
		if palette.Contrast(c, background) > 1.25 || palette.ToLab(c).Distance(lab) > .1 {
			count++
		}
	}
	return float64(count) / float64(b.Dx()*b.Dy())
}
