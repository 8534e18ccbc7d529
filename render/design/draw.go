package design

import (
	"context"
	"errors"
	"fmt"
	"image"
	"regexp"
	"slices"
	"strings"
	"time"

	nethtml "golang.org/x/net/html"

	"masthead/render/encode"
	"masthead/render/html"
)

const (
	// drawTime is how long a card may take to be drawn, without encoding.
	drawTime = time.Second
	// maxPictures is how many pictures a document may show.
	maxPictures = 12
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
	// Limits are those of the encoded file.
	Limits encode.Limits
}

// Picture is a drawn card.
type Picture struct {
	encode.Picture
	Width, Height int
	Warnings      []Warning
}

// Pictures are the addresses of the pictures that the document names, each once, at most 12: relative and absolute
// ones, and data URLs.
func (d *Document) Pictures() []string { return d.pictures }

// Draw draws and encodes the document. A document that takes more than a second, or too much memory, is an *[Error].
func (d *Document) Draw(ctx context.Context, opts Options) (Picture, error) {
	img, warnings, err := d.Paint(ctx, opts)
	if err != nil {
		return Picture{}, err
	}
	file, err := encode.Encode(img, opts.Limits)
	if err != nil {
		return Picture{}, fmt.Errorf("encode a design: %w", err)
	}
	return Picture{Picture: file, Width: opts.Width, Height: opts.Height, Warnings: warnings}, nil
}

// Paint is Draw without encoding.
func (d *Document) Paint(ctx context.Context, opts Options) (img image.Image, warnings []Warning, err error) {
	bounded, cancel := context.WithTimeout(ctx, drawTime)
	defer cancel()
	// Layout and shaping run over what strangers wrote.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("draw a design: panic: %v", p)
		}
	}()
	img, warnings, err = d.doc.Draw(bounded, html.Options{
		Width: opts.Width, Height: opts.Height, SVG: opts.SVG, Properties: d.properties,
		Dark:   d.properties["--scheme"] == "dark",
		Images: func(address string) html.Image { return opts.Images[address] },
	})
	switch {
	case err == nil || ctx.Err() != nil:
		return img, warnings, err
	case errors.Is(err, context.DeadlineExceeded):
		return nil, nil, &Error{Message: "Drawing it takes more than a second. Remove elements, filters or blurs."}
	}
	return nil, nil, &Error{Message: "It can't be drawn: " + innermost(err) + "."}
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

var inCSS = regexp.MustCompile(`(?i)(?:url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s]*))\s*\))`)

// picturesIn returns the addresses of pictures in a document.
func picturesIn(source string) (all []string) {
	add := func(address string) {
		address = strings.TrimSpace(address)
		if address != "" && !strings.HasPrefix(address, "#") && len(all) < maxPictures && !slices.Contains(all, address) {
			all = append(all, address)
		}
	}
	styles := func(css string) {
		for _, m := range inCSS.FindAllStringSubmatch(css, -1) {
			add(m[1] + m[2] + m[3])
		}
	}
	z, inStyle := nethtml.NewTokenizer(strings.NewReader(source)), false
	for {
		switch z.Next() {
		case nethtml.ErrorToken:
			return all
		case nethtml.TextToken:
			if inStyle {
				styles(string(z.Text()))
			}
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			t := z.Token()
			inStyle = t.Data == "style"
			for _, a := range t.Attr {
				switch {
				case a.Key == "style":
					styles(a.Val)
				case t.Data == "img" && a.Key == "src", t.Data == "image" && strings.HasSuffix(a.Key, "href"):
					add(a.Val)
				}
			}
		case nethtml.EndTagToken:
			inStyle = false
		}
	}
}
