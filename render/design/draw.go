package design

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"strings"
	"time"

	"masthead/render/encode"
	"masthead/render/html"
	"masthead/render/text"
)

const (
	// drawTime is how long a card may take to be drawn, without encoding.
	drawTime = time.Second
	// inspectTime is the same for Inspect, which isn't for servers.
	inspectTime = time.Minute
	// maxMemory is what a card takes at most, of which layers of effects take at most layerMemory.
	maxMemory, layerMemory = 64 << 20, 40 << 20
	minPictureMemory       = 8 << 20
	bytesPerPixel          = 4
)

// Warning is something in a document that isn't drawn as in a browser.
type Warning = html.Warning

// Image is a picture that a document shows.
type Image = html.Image

// Options of drawing.
type Options struct {
	// Width and Height are the size in pixels: at most [html.MaxSide] a side, and [html.MaxPixels] together.
	Width, Height int
	// Images are the pictures by their addresses in the document.
	Images map[string]Image
	// SVG draws inline drawings that this package can't; nil leaves them out.
	SVG func(ctx context.Context, document string, w, h int) (*image.NRGBA, error)
	// Fonts are those of the project; nil for none.
	Fonts *text.Fonts
	// Limits are those of the encoded file.
	Limits encode.Limits
	// Time bounds Inspect; 0 is a minute.
	Time time.Duration
}

// Card is a drawn card.
type Card struct {
	encode.File
	Width, Height int
	Warnings      []Warning
}

// Pictures are the addresses of the pictures that the document names: see [html.FilledDesign.Pictures].
func (d *Document) Pictures() []string { return d.filled.Pictures() }

// Draw draws and encodes the document. A document that takes more than a second, or too much memory, is an *[Error].
func (d *Document) Draw(ctx context.Context, opts Options) (p Card, err error) {
	err = d.within(ctx, drawTime, func(ctx context.Context) error {
		file, warnings, err := d.filled.Encode(ctx, d.options(opts), opts.Limits)
		p = Card{File: file, Width: opts.Width, Height: opts.Height, Warnings: warnings}
		return err
	})
	return p, err
}

// Paint is Draw without encoding.
func (d *Document) Paint(ctx context.Context, opts Options) (img image.Image, warnings []Warning, err error) {
	err = d.within(ctx, drawTime, func(ctx context.Context) (err error) {
		img, warnings, err = d.filled.Draw(ctx, d.options(opts))
		return err
	})
	return img, warnings, err
}

// Inspection is a drawn document with its texts.
type Inspection = html.Inspection

// Inspect is Draw without encoding, and says where the texts are.
func (d *Document) Inspect(ctx context.Context, opts Options) (found Inspection, err error) {
	err = d.within(ctx, cmp.Or(opts.Time, inspectTime), func(ctx context.Context) (err error) {
		found, err = d.filled.Inspect(ctx, d.options(opts))
		return err
	})
	return found, err
}

// options are those of a document, with its properties.
func (d *Document) options(opts Options) html.Options {
	return html.Options{
		Width: opts.Width, Height: opts.Height, SVG: opts.SVG, Fonts: opts.Fonts, Properties: d.properties,
		Dark:   d.properties["--scheme"] == "dark",
		Images: func(address string) html.Image { return opts.Images[address] },
	}
}

// within calls draw with a time limit, and returns what went wrong as an *[Error].
func (d *Document) within(
	ctx context.Context, limit time.Duration, draw func(ctx context.Context) error,
) (err error) {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	// Layout and shaping run over what strangers wrote.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("draw a design: panic: %v", p)
		}
	}()
	err = draw(bounded)
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Message: "Drawing it takes more than a second. Remove elements, filters or blurs."}
	}
	return &Error{Message: "It can't be drawn: " + innermost(err) + "."}
}

// innermost is the message of the cause of an error.
func innermost(err error) string {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(next) {
		err = next
	}
	return strings.TrimSuffix(err.Error(), ".")
}

// PictureBox returns the box that each of n pictures of a card is fitted into, so that a card stays within its memory.
func PictureBox(card image.Point, n int) image.Point {
	most := max(maxMemory-layerMemory-bytesPerPixel*card.X*card.Y, minPictureMemory) / (bytesPerPixel * max(n, 1))
	box := card
	for box.X*box.Y > most {
		box.X, box.Y = box.X*7/8, box.Y*7/8
	}
	return image.Pt(max(box.X, 1), max(box.Y, 1))
}
