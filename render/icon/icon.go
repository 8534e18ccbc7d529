// Package icon draws the icon set of a site: six pictures with fixed names and sizes, from the icon that the site has.
//
//	set, err := icon.Draw(ctx, icon.Request{Sources: sources, Name: "Example", Brand: accent})
//	for _, a := range set.Assets {
//		write(a.Name, a.PNG)
//	}
//
// It knows values alone: whoever calls it has found, fetched and decoded the sources. The same request gives the same
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

// The bounds of a request.
const (
	// MaxPixels is the maximum number of pixels of a source; larger ones are skipped. They are 16 MiB of memory, and the
	// largest icon of a set has 512×512 pixels.
	MaxPixels = 4 << 20
	// MaxSources is the maximum number of sources that are examined.
	MaxSources = 8
	// maxName is how many bytes of a name are read: only its initial is drawn.
	maxName = 1000
)

// Source is an icon that a site has: a raster or a drawing.
type Source struct {
	// Name is what warnings call it, such as its address; "" has them say which one it is of the sources.
	Name string
	// Picture is a raster as it was decoded: at most [MaxPixels]. It is not changed. With Draw it is what the drawing was
	// seen as before, which stands where that cannot be drawn any more.
	Picture *image.NRGBA
	// Draw draws an SVG on a transparent background, so that its longer side has side pixels, 1 to 1024, or fewer where so
	// many would take too long. It is nil for a raster.
	Draw func(ctx context.Context, side int) (*image.NRGBA, error)
}

// Request is what a set is drawn from.
type Request struct {
	// Sources are the icons of the site, the best first: drawings before rasters of 180 px and more, and these before
	// smaller ones, whatever their order. None, or none that can be used, makes the set a monogram.
	Sources []Source
	// Name is the site's name, whose initial is the monogram; without a letter or digit in it there is none.
	Name string
	// Lang is the language of the name, a BCP 47 tag, or "".
	Lang string
	// Brand is the accent of the site: the color of tiles.
	Brand color.NRGBA
	// Extras asks for the further assets of [Set.Assets].
	Extras bool
}

// Treatment says what became of the sources.
type Treatment string

// The treatments.
const (
	Vector   Treatment = "vector"   // a drawing, drawn at each size
	Raster   Treatment = "raster"   // a raster, reduced to each size
	Tile     Treatment = "tile"     // a small raster, on the brand's color where a size exceeds 1.5 times its own
	Pixel    Treatment = "pixel"    // pixel art, enlarged by whole factors
	Monogram Treatment = "monogram" // no source could be used: the initial of the name on a tile of the brand's color
)

// Asset is a file of the set.
type Asset struct {
	Name          string
	Width, Height int // in pixels
	PNG           []byte
}

// Set is a drawn icon set.
type Set struct {
	// Assets are the six of the specification, from small to large: favicon-16.png, favicon-32.png, favicon-48.png,
	// apple-touch-icon.png (180), icon-192.png, icon-512.png. With extras there follow icon-512-maskable.png, and
	// favicon-dark-16.png, -32 and -48 where the mark of a set that stands on a background can do without it on dark.
	Assets    []Asset
	Treatment Treatment
	// ThemeColor and BackgroundColor are for the manifest: the brand's color, and what stands behind the icon while an
	// installed site starts.
	ThemeColor, BackgroundColor color.NRGBA
	// Warnings are sentences about sources that could not be used, and what else whoever asked may want to know.
	Warnings []string
}

// sizes are the assets of the specification, "Icon bundle".
var sizes = []struct {
	name string
	side int
	use  use
}{
	{"favicon-16.png", 16, anywhere}, {"favicon-32.png", 32, anywhere}, {"favicon-48.png", 48, anywhere},
	{"apple-touch-icon.png", 180, touch}, {"icon-192.png", 192, anywhere}, {"icon-512.png", 512, anywhere},
}

// Draw draws a set. The error is that of ctx; a source that cannot be used is no error.
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
	if err := set.add("icon-512-maskable.png", c.asset(512, maskable)); err != nil {
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
