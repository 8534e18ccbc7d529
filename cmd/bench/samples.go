package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"masthead/render"
	"masthead/render/paint"
	"masthead/render/palette"
	"masthead/render/template/kit"
)

// Sizes of samples in pixels, and of the space between those of a sheet.
const (
	sampleWidth  = 600
	sheetWidth   = 300 // at which no two templates may be taken for each other
	sheetColumns = 6
	sheetGap     = 12
	sheetQuality = 84
	uprightWidth = 148 // of a square or a portrait on the sheet of its size
	headerWidth  = 308
)

// stripOf are the templates of the strip of eight, with what each is drawn in.
var stripOf = []struct {
	slug   string
	kind   render.Kind
	accent uint32
	dark   bool
}{
	{"editorial", render.OG, 0x4F46E5, true}, {"byline", render.OG, 0xE11D48, false},
	{"horizon", render.OG, 0x0EA5E9, true}, {"poster", render.OG, 0xFACC15, false},
	{"frame", render.OG, 0x7C3AED, true}, {"split", render.OG, 0xF97316, false},
	{"terminal", render.OG, 0x10B981, true}, {"quote", render.OG, 0xEC4899, false},
}

// runSamples draws a sample of each template, a page that shows them, and the strip of eight.
func runSamples(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bench samples", flag.ContinueOnError)
	dir := flags.String("o", "", "write the page into `DIR`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *dir == "" || flags.NArg() > 0 {
		return errors.New("samples takes -o DIR")
	}
	if err := os.MkdirAll(*dir, 0o755); err != nil {
		return fmt.Errorf("make samples: %w", err)
	}
	var page strings.Builder
	page.WriteString(samplesHead)
	count := 0
	for _, info := range render.Templates() {
		fmt.Fprintf(&page, "\n## %s\n\n%s %s.\n\n", info.Name, info.Mood, info.GoodFor)
		for _, kind := range info.Kinds {
			for i, dark := range []bool{true, false} {
				accent := sampleAccents[(count+i)%len(sampleAccents)]
				img, err := drawSample(info.Slug, kind, image.Point{}, accent, dark, sampleWidth)
				if err != nil {
					return err
				}
				mode := map[bool]string{true: "dark", false: "light"}[dark]
				name := fmt.Sprintf("%s-%s-%s.jpg", info.Slug, strings.TrimPrefix(string(kind), "blog_"), mode)
				if err := writeJPEG(filepath.Join(*dir, name), img); err != nil {
					return err
				}
				fmt.Fprintf(&page, "![%s, %s, %s](%s)\n", info.Name, strings.ReplaceAll(string(kind), "_", " "), mode, name)
			}
			count++
		}
	}
	if err := writeSizes(*dir, &page); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(*dir, "README.md"), []byte(page.String()), 0o644); err != nil {
		return fmt.Errorf("write samples: %w", err)
	}
	var strip []image.Image
	for _, s := range stripOf {
		img, err := drawSample(s.slug, s.kind, image.Point{}, palette.RGB(s.accent), s.dark, sheetWidth)
		if err != nil {
			return err
		}
		strip = append(strip, img)
	}
	if err := writeJPEG(filepath.Join(*dir, "strip.jpg"), montage(strip, 4, color.White)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%d samples: %s\n", 2*count, filepath.Join(*dir, "README.md"))
	return err
}

const samplesHead = `# Samples

Every template with the same page of an invented site, dark and light, in half of its size. The program draws this
page: ` + "`go run ./cmd/bench samples -o docs/samples`" + `.
`

// sampleAccents are the colors of samples, by turns.
var sampleAccents = []color.NRGBA{
	palette.RGB(0x4F46E5), palette.RGB(0xE11D48), palette.RGB(0x10B981), palette.RGB(0xF59E0B), palette.RGB(0x0EA5E9),
}

// writeSizes writes a sheet of the templates in each of the other sizes, in both modes by turns, and adds them to the
// page.
func writeSizes(dir string, page *strings.Builder) error {
	page.WriteString("\n## Other sizes\n\nFor `kind: custom`, dark and light by turns.\n\n")
	for _, f := range kit.Formats() {
		width, columns := uprightWidth, 8
		if f.Header {
			width, columns = headerWidth, 4
		}
		var cards []image.Image
		for _, info := range render.Templates() {
			if !slices.Contains(info.Sizes, f.Sides()) {
				continue
			}
			n := len(cards)
			img, err := drawSample(info.Slug, render.Custom, f.Sides(), sampleAccents[n%len(sampleAccents)], n%2 == 0, width)
			if err != nil {
				return err
			}
			cards = append(cards, img)
		}
		name := "size-" + f.Name() + ".jpg"
		if err := writeJPEG(filepath.Join(dir, name), montage(cards, columns, color.White)); err != nil {
			return err
		}
		fmt.Fprintf(page, "![%s](%s)\n", f.Name(), name)
	}
	return nil
}

// drawSample draws the sample of a template in another width; size is that of a custom one.
func drawSample(
	slug string, kind render.Kind, size image.Point, accent color.NRGBA, dark bool, width int,
) (*image.NRGBA, error) {
	r, _ := render.Sample(slug)
	r.Kind, r.Size, r.Accent, r.Dark = kind, size, accent, dark
	img, err := render.Paint(context.Background(), r)
	if err != nil {
		return nil, err
	}
	whole := img.(*image.NRGBA)
	return paint.Scale(whole, width, (whole.Rect.Dy()*width+whole.Rect.Dx()/2)/whole.Rect.Dx()), nil
}

// writeSheets writes two sheets of all templates, dark and light, at the size of a preview in a feed: on them no two
// may be taken for each other.
func writeSheets(dir string) error {
	for name, dark := range map[string]bool{"sheet-dark.jpg": true, "sheet-light.jpg": false} {
		var cards []image.Image
		for _, info := range render.Templates() {
			for _, kind := range info.Kinds {
				img, err := drawSample(info.Slug, kind, image.Point{}, render.DefaultAccent, dark, sheetWidth)
				if err != nil {
					return err
				}
				cards = append(cards, img)
			}
		}
		if err := writeJPEG(filepath.Join(dir, name), montage(cards, sheetColumns, color.Gray{Y: 128})); err != nil {
			return err
		}
	}
	return nil
}

// montage puts pictures of one width beside and below each other.
func montage(cards []image.Image, columns int, ground color.Color) *image.NRGBA {
	columns = min(columns, len(cards))
	type place struct{ x, y int }
	var places []place
	y, high, w := sheetGap, 0, 0
	for i, c := range cards {
		if w = c.Bounds().Dx(); i > 0 && i%columns == 0 {
			y, high = y+high+sheetGap, 0
		}
		places = append(places, place{sheetGap + i%columns*(w+sheetGap), y})
		high = max(high, c.Bounds().Dy())
	}
	out := image.NewNRGBA(image.Rect(0, 0, columns*(w+sheetGap)+sheetGap, y+high+sheetGap))
	draw.Draw(out, out.Rect, image.NewUniform(ground), image.Point{}, draw.Src)
	for i, c := range cards {
		at := image.Pt(places[i].x, places[i].y)
		draw.Draw(out, c.Bounds().Sub(c.Bounds().Min).Add(at), c, c.Bounds().Min, draw.Src)
	}
	return out
}

// writeJPEG writes a picture into a file.
func writeJPEG(name string, img image.Image) error {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, img, &jpeg.Options{Quality: sheetQuality}); err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	if err := os.WriteFile(name, file.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write picture: %w", err)
	}
	return nil
}
