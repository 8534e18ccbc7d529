package encode

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
)

// File is an encoded picture.
type File struct {
	Bytes       []byte
	ContentType string // "image/png" or "image/jpeg"
	Ext         string // ".png" or ".jpg"
	// Quality is that of a JPEG; 0 for a PNG.
	Quality int
}

// Limits are the limits of size and effort. Sizes are in bytes.
type Limits struct {
	// MaxPNG is the maximum size of a PNG; larger pictures become JPEGs. 0 makes every picture a PNG.
	MaxPNG int
	// NoPNG makes every picture a JPEG.
	NoPNG bool
	// MaxJPEG is the size to reach by lowering the quality, down to MinQuality. A picture may still be larger at that
	// quality.
	MaxJPEG int
	// Text has the positions of small text. A JPEG keeps full color resolution if it matters there, otherwise half; nil
	// means full resolution as long as the picture fits MaxJPEG.
	Text []image.Rectangle
	// Thorough compresses harder: for results that are stored and served many times, and that nobody waits for.
	Thorough bool
}

// Limits by purpose. Source: docs/platforms.md, what platforms load without dropping the picture.
var (
	OG   = Limits{MaxPNG: 280_000, MaxJPEG: 300_000}
	Hero = Limits{MaxPNG: 280_000, MaxJPEG: 500_000}
	// Lossless is for icons and for pictures explicitly requested as PNG.
	Lossless = Limits{}
)

// Qualities of a JPEG.
const (
	MaxQuality = 88
	MinQuality = 76
)

// ErrSize is for a picture without pixels, or with more than any card has.
var ErrSize = errors.New("picture has no pixels or too many")

// maxEstimate is how far above its limit a PNG may be estimated and still be tried: a sample of rows may be that
// inaccurate.
const maxEstimate = 2

// Limits of the input: 4096×4096 pixels in total, and the maximum side of a JPEG.
const (
	maxPixels = 1 << 24
	maxSide   = 1<<16 - 1
)

// Encode returns the picture as a PNG if that is small enough, otherwise as a JPEG of the best quality that fits.
//
// *image.RGBA and *image.Paletted are encoded in place: the former must be opaque, the indexes of the latter within its
// palette. Pictures of other types are copied first. The alpha of an *image.NRGBA is kept in a PNG, and drawn on white
// in a JPEG. It fails for pictures without pixels, with a side of more than 65,535 or with more than 16.7 million
// pixels.
func Encode(img image.Image, limits Limits) (File, error) {
	size := img.Bounds().Size()
	if size.X <= 0 || size.Y <= 0 || max(size.X, size.Y) > maxSide || size.X*size.Y > maxPixels {
		return File{}, fmt.Errorf("encode %dx%d: %w", size.X, size.Y, ErrSize)
	}
	img = encodable(img)
	if limits.NoPNG {
		return asJPEG(img, limits), nil
	}
	rows := pixelsOf(img)
	filter, estimate := chooseFilter(size.Y, rows)
	if limits.Thorough && rows.pixelBytes() > 0 && size.X*size.Y <= smallPixels {
		filter = filterEach
	}
	// A PNG that would be far too large isn't started.
	if limits.MaxPNG == 0 || estimate <= maxEstimate*limits.MaxPNG {
		if data, ok := encodePNG(size, rows, filter, effortOf(limits.Thorough), limits.MaxPNG); ok {
			return File{Bytes: data, ContentType: "image/png", Ext: ".png"}, nil
		}
	}
	return asJPEG(img, limits), nil
}

func asJPEG(img image.Image, limits Limits) File {
	data, quality := encodeJPEG(img, limits)
	return File{Bytes: data, ContentType: "image/jpeg", Ext: ".jpg", Quality: quality}
}

// PNG returns the picture as a PNG of any size, compressed thoroughly, for an icon of a set.
func PNG(img image.Image) (File, error) { return Encode(img, Limits{Thorough: true}) }

func effortOf(thorough bool) effort {
	if thorough {
		return thoroughEffort
	}
	return fastEffort
}

// encodable returns the picture in a type that the encoders can read directly.
func encodable(img image.Image) image.Image {
	switch p := img.(type) {
	case *image.RGBA:
		return p
	case *image.NRGBA:
		return p
	case *image.Paletted:
		if opaquePalette(p.Palette) {
			return p
		}
	}
	dst := image.NewNRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(dst, dst.Rect, img, img.Bounds().Min, draw.Src)
	return dst
}

// opaquePalette reports whether a palette can be written as it is. It checks entries instead of pixels: the palettes
// used for drawing have no transparent entries.
func opaquePalette(p color.Palette) bool {
	for _, c := range p {
		if _, _, _, a := c.RGBA(); a != 0xffff {
			return false
		}
	}
	return len(p) > 0 && len(p) <= 256
}
