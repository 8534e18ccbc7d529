// Package icon draws the icon set of a site: six pictures with fixed names and sizes, from the site's icon.
//
//	set, err := icon.Draw(ctx, icon.Request{Sources: sources, Name: "Example", Brand: accent})
//	for _, a := range set.Assets {
//		write(a.Name, a.PNG)
//	}
//
// It only works on values: the caller has found, fetched and decoded the sources. The same request gives the same
// bytes.
package icon

import (
	"context"
	"fmt"
	"image"
	"image/color"

	"masthead/render/encode"
	"masthead/render/palette"
)

// Limits of a request.
const (
	// MaxPixels is the maximum number of pixels of a source; larger ones are skipped. They are 16 MiB of memory, and the
	// largest icon of a set has 512×512 pixels.
	MaxPixels = 4 << 20
	// MaxSources is the maximum number of sources that are examined.
	MaxSources = 8
	// maxName is the maximum length of a name in bytes: only its initial is drawn.
	maxName = 1000
)

// Source is an icon of a site: a raster or a drawing.
type Source struct {
	// Name identifies it in warnings, for example its address; if "", they give its number.
	Name string
	// Picture is the decoded raster, of at most [MaxPixels]. It isn't changed. With Draw it is an earlier result of the
	// drawing, used if drawing fails now.
	Picture *image.NRGBA
	// Draw draws an SVG on a transparent background with a longer side of side pixels, 1 to 1024, or fewer if that takes
	// too long. It is nil for a raster.
	Draw func(ctx context.Context, side int) (*image.NRGBA, error)
	// SVG returns the drawing as an SVG that is safe to serve, or "". It may be nil.
	SVG func() string
}

// Request is the input of a set.
type Request struct {
	// Sources are the icons of the site, best first: drawings take precedence over rasters of 180 px and more, and these
	// over smaller ones, whatever their order. Without a usable one, the set is a monogram.
	Sources []Source
	// Name is the site's name, whose initial is the monogram; without a letter or digit in it there is none.
	Name string
	// Lang is the language of the name, a BCP 47 tag, or "".
	Lang string
	// Brand is the accent of the site: the color of tiles.
	Brand color.NRGBA
	// Maskable is the site's own icon for launchers that crop to their shape, if any, and MaskableBackground the opaque
	// color behind it, which it needs if it isn't opaque. Without a usable one, it is derived from the sources.
	Maskable           Source
	MaskableBackground color.NRGBA
	// Silhouette is the site's own monochrome drawing (mask-icon), if any. Without one, it is derived from the sources.
	Silhouette Source
	// Extras requests the additional assets of [Set.Assets].
	Extras bool
}

// Treatment is how the sources were used.
type Treatment string

// The treatments.
const (
	Vector   Treatment = "vector"   // a drawing, drawn at each size
	Raster   Treatment = "raster"   // a raster, reduced to each size
	Tile     Treatment = "tile"     // a small raster, on a plain tile at sizes above three times its own
	Pixel    Treatment = "pixel"    // pixel art, enlarged by whole factors
	Monogram Treatment = "monogram" // no usable source: the initial of the name on a tile of the brand's color
)

// Asset is a file of the set.
type Asset struct {
	Name          string
	Width, Height int // in pixels
	PNG           []byte
}

// Set is a drawn icon set.
type Set struct {
	// Assets are the six basic ones, from small to large: favicon-16.png, favicon-32.png, favicon-48.png,
	// apple-touch-icon.png (180), icon-192.png, icon-512.png. Extras are icon-512-maskable.png; icon-512-monochrome.png
	// if the mark can be recognized by its shape; and favicon-dark-16.png, -32 and -48 if the set's mark is on a
	// background that it doesn't need on dark.
	Assets    []Asset
	Treatment Treatment
	// SVG is the mark, or the monogram, as an SVG; "" if there is none. It is only made with extras.
	SVG string
	// ThemeColor and BackgroundColor are for the manifest: the brand's color, and the background of the splash screen of
	// an installed site.
	ThemeColor, BackgroundColor color.NRGBA
	// Warnings are messages about sources that couldn't be used, and other information for the user.
	Warnings []string
}

// sizes are the basic assets.
var sizes = []struct {
	name string
	side int
	use  use
}{
	{"favicon-16.png", 16, anywhere}, {"favicon-32.png", 32, anywhere}, {"favicon-48.png", 48, anywhere},
	{"apple-touch-icon.png", 180, touch}, {"icon-192.png", 192, anywhere}, {"icon-512.png", 512, anywhere},
}

// Draw draws a set. The error is that of ctx; a source that can't be used isn't an error.
func Draw(ctx context.Context, r Request) (*Set, error) {
	r.Brand.A = 255
	set := &Set{ThemeColor: r.Brand, BackgroundColor: white}
	mark, err := choose(ctx, r.Sources, set)
	if err != nil {
		return nil, err
	}
	set.Treatment = mark.treatment()
	c := composer{request: r, theme: palette.New(r.Brand, false), mark: mark}
	for _, size := range sizes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		img := c.asset(size.side, size.use)
		if err := set.add(size.name, img); err != nil {
			return nil, err
		}
		if size.use == touch {
			set.BackgroundColor = img.NRGBAAt(0, 0)
		}
	}
	if !r.Extras {
		return set, nil
	}
	switch {
	case mark == nil:
		set.SVG = c.letterSVG()
	case mark.vector && !mark.word && mark.svg != nil:
		set.SVG = mark.svg()
	}
	if err := c.special(ctx, set); err != nil {
		return nil, err
	}
	for _, side := range []int{16, 32, 48} {
		if img := c.dark(side); img != nil {
			if err := set.add(fmt.Sprintf("favicon-dark-%d.png", side), img); err != nil {
				return nil, err
			}
		}
	}
	return set, ctx.Err()
}

// special adds the icons of which launchers use a part: the maskable one and the monochrome one.
func (c *composer) special(ctx context.Context, set *Set) error {
	img := c.ownMaskable(ctx)
	if img == nil {
		img = c.asset(512, maskable)
	}
	if err := set.add("icon-512-maskable.png", img); err != nil {
		return err
	}
	if img = c.monochrome(512, c.silhouette(ctx)); img == nil {
		return nil
	}
	return set.add("icon-512-monochrome.png", img)
}

// add encodes an asset.
func (s *Set) add(name string, img *image.NRGBA) error {
	pic, err := encode.PNG(img)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	size := img.Rect.Size()
	s.Assets = append(s.Assets, Asset{Name: name, Width: size.X, Height: size.Y, PNG: pic.Bytes})
	return nil
}
