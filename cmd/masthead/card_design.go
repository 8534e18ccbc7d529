package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"masthead/cmd/masthead/usage"
	"masthead/pkg/app"
	"masthead/pkg/picture"
	"masthead/pkg/picture/svg"
	"masthead/render"
	"masthead/render/design"
	"masthead/render/encode"
	"masthead/render/html"
	"masthead/render/html/tree"
	"masthead/render/palette"
)

// maxDesignData limits the values of a design drawn by the command, in bytes.
const maxDesignData = 32 << 10

// drawDesign draws a design in HTML with its data. Pictures are data URLs, and files of its folder.
func (c *cardCommand) drawDesign(ctx context.Context, out, report io.Writer) error {
	target, err := placeOne(c.Output)
	if err != nil {
		return err
	}
	compiled, data, sizes, err := c.readDesign()
	if err == nil {
		err = target.takes(len(sizes))
	}
	if err != nil {
		return err
	}
	if err := c.Fonts.add(); err != nil {
		return err
	}
	folder, err := os.OpenRoot(filepath.Dir(c.Design))
	if err != nil {
		return err
	}
	defer folder.Close()
	ctx, cancel := context.WithTimeout(ctx, cardTime)
	defer cancel()
	pictures := newDesignPictures(ctx, folder.FS())
	defer pictures.engine.Close()
	properties, err := c.properties()
	if err != nil {
		return err
	}
	typefaces, err := c.Typefaces.load(ctx)
	if err != nil {
		return err
	}
	told := map[html.Warning]bool{}
	for n, size := range sizes {
		img, warnings, err := compiled.Draw(ctx, data, html.Options{
			Width: size.X, Height: size.Y, Images: pictures.get, SVG: pictures.draw, Properties: properties, Dark: !c.Light,
			Fonts: typefaces,
		})
		if err != nil {
			return fmt.Errorf("%s: %w", c.Design, err)
		}
		for _, w := range warnings {
			if !told[w] {
				_, _ = fmt.Fprintf(report, "%s:%d:%d: %s\n", c.Design, w.Line, w.Column, w.Message)
			}
			told[w] = true
		}
		if err := c.writeDesign(img, target, n, out); err != nil {
			return err
		}
	}
	return nil
}

// properties returns the custom properties of the card's colors: --accent and others.
func (c *cardCommand) properties() (map[string]string, error) {
	accent, err := palette.ParseHex("#" + strings.TrimPrefix(cmp.Or(c.Accent, defaultAccent), "#"))
	if err != nil {
		return nil, usage.Errorf("--accent: %q isn't a color of six hexadecimal digits", c.Accent)
	}
	secondary := palette.Choose([]palette.Candidate{{Color: accent, Weight: 1}}, !c.Light).Secondary
	return design.Properties(palette.New(accent, !c.Light), secondary), nil
}

// defaultAccent is that of a design without a page.
const defaultAccent = "#4f46e5"

// newDesignPictures returns the pictures of a design in a folder; its engine must be closed.
func newDesignPictures(ctx context.Context, folder fs.FS) *designPictures {
	return &designPictures{
		ctx: ctx, folder: folder, known: map[string]html.Image{}, decoder: picture.NewDecoder(picture.Config{}),
		engine: svg.New(svg.Config{Dir: cacheDir(), Lazy: true, Wait: svgWait, Faces: app.SVGFaces()}),
	}
}

// readDesign returns the design, its values and the sizes to draw it in.
func (c *cardCommand) readDesign() (compiled *html.Design, values any, sizes []image.Point, err error) {
	source, err := os.ReadFile(c.Design)
	if err != nil {
		return nil, nil, nil, usage.Errorf("--design: %w", err)
	}
	var data any = map[string]any{}
	if c.Data != "" {
		raw, err := os.ReadFile(c.Data)
		if err != nil {
			return nil, nil, nil, usage.Errorf("--data: %w", err)
		}
		if len(raw) > maxDesignData {
			return nil, nil, nil, usage.Errorf("--data: %s has more than %d KB", c.Data, maxDesignData>>10)
		}
		reader := json.NewDecoder(bytes.NewReader(raw))
		reader.UseNumber()
		if err := reader.Decode(&data); err != nil {
			return nil, nil, nil, usage.Errorf("--data: %s isn't JSON: %w", c.Data, err)
		}
	}
	document := string(source)
	if strings.EqualFold(filepath.Ext(c.Design), ".json") {
		if document, err = tree.HTML(source); err != nil {
			return nil, nil, nil, fmt.Errorf("%s: %w", c.Design, err)
		}
	}
	if compiled, err = html.Compile(document); err == nil {
		sizes, err = sizesFor(c.Size, document)
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", c.Design, err)
	}
	return compiled, data, sizes, nil
}

// writeDesign encodes the nth picture and writes it.
func (c *cardCommand) writeDesign(img image.Image, target place, n int, out io.Writer) error {
	limits := encode.OG
	switch target.format {
	case render.PNG:
		limits.MaxPNG = 0
	case render.JPEG:
		limits.NoPNG = true
	}
	drawn, err := encode.Encode(img, limits)
	if err != nil {
		return err
	}
	if target.stdout {
		_, err := out.Write(drawn.Bytes)
		return err
	}
	return target.named(drawn.Ext).sized(n, img.Bounds().Size()).write(drawn.Bytes)
}

// designPictures are the pictures of a design.
type designPictures struct {
	ctx     context.Context
	folder  fs.FS
	known   map[string]html.Image
	decoder *picture.Decoder
	engine  *svg.Engine
}

// maxDesignPicture limits the bytes of a picture.
const maxDesignPicture = 10 << 20

// get returns the picture at an address, or nil.
func (p *designPictures) get(address string) html.Image {
	if img, ok := p.known[address]; ok {
		return img
	}
	img := p.read(address)
	p.known[address] = img
	return img
}

func (p *designPictures) read(address string) html.Image {
	data, ok := html.DataURL(address)
	if !ok {
		file, err := p.folder.Open(strings.TrimPrefix(address, "./"))
		if err != nil {
			return nil
		}
		defer file.Close()
		if data, err = io.ReadAll(io.LimitReader(file, maxDesignPicture)); err != nil {
			return nil
		}
	}
	if img, ok := html.SVG(string(data)); ok {
		return img
	}
	img, _, err := p.decoder.Decode(p.ctx, data, picture.Want{})
	if err != nil {
		return nil
	}
	return html.Raster(img)
}

// draw draws an inline SVG that the package of designs can't.
func (p *designPictures) draw(ctx context.Context, document string, w, h int) (*image.NRGBA, error) {
	d, err := svg.Clean([]byte(document))
	if err != nil {
		return nil, errors.New("the SVG isn't valid")
	}
	if err := p.engine.Await(ctx, svgWait); err != nil {
		return nil, err
	}
	return p.engine.Draw(ctx, d, w, h)
}
