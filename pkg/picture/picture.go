// Package picture handles untrusted pictures: it detects their format, reads their header, decodes them within limits
// of time, memory and work, and scales the result.
//
// [Sniff] detects the format by its first bytes, [Inspect] reads the header, [Decoder.Decode] returns pixels, and
// [Contain] and [Scale] fit them to a place. Only pixels leave this package: no profile, no text, no original byte.
//
// Each decoded raster format has one file with one plan function: it reads the header, rejects pictures that exceed a
// limit, and returns a plan with the memory it needs. A plan gives the standard decoder a stream reassembled from the
// parts that contain pixels, so that the decoder sees nothing that the plan hasn't counted. To add a format, write its
// file and give it a line in [Sniff], in inspect and in planOf.
//
// SVG is drawn rather than decoded: svg.go chooses the size, and package svg draws.
package picture

import (
	"context"
	"errors"
	"fmt"
)

// Format is a picture format, detected by magic bytes only.
type Format uint8

// The recognized formats. PNG to SVG are decoded; of the others only the header is read.
const (
	Unknown Format = iota
	PNG
	JPEG
	GIF
	WebP
	ICO
	SVG
	AVIF
	HEIC
	BMP
	TIFF
)

var formatNames = [...]string{
	Unknown: "unknown", PNG: "png", JPEG: "jpeg", GIF: "gif", WebP: "webp", ICO: "ico", SVG: "svg",
	AVIF: "avif", HEIC: "heic", BMP: "bmp", TIFF: "tiff",
}

// String returns the format's name in lower case, or "unknown".
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return formatNames[Unknown]
}

// Tristate is yes, no, or unknown from what was read.
type Tristate uint8

// The values; the zero value is Unsure.
const (
	Unsure Tristate = iota
	No
	Yes
)

func tristate(yes bool) Tristate {
	if yes {
		return Yes
	}
	return No
}

// Facts is the information in a header. After [Decoder.Decode] it describes the decoded picture.
type Facts struct {
	Format Format
	// Width and Height are in pixels, as displayed: with the orientation applied. For an ICO they are those of its largest
	// entry. Both are 0 for an SVG without a size and viewBox.
	Width, Height int
	// Orientation is the EXIF orientation, 1 to 8; the default is 1. AVIF and HEIC rotate by their own boxes: for them it
	// is 1 and Width and Height are rotated.
	Orientation int
	// Animated reports whether there is more than one frame; only the first is ever decoded.
	Animated Tristate
	// Alpha reports whether pixels may be transparent (a header), or are (a decoded picture).
	Alpha Tristate
	// Omitted names what an SVG has that isn't drawn, such as "foreignObject, a filter"; "" if all is. It is only known
	// of decoded pictures.
	Omitted string
}

// Limits of a picture. Source: docs/security.md#decoding.
const (
	maxSide   = 8192
	maxPixels = 16_777_216
	// maxScans is the maximum number of scans of a JPEG.
	maxScans = 100
	// maxChunks is the maximum number of chunks of a PNG or a WebP.
	maxChunks = 4096
	// maxEntries is the maximum number of entries read of an ICO's directory.
	maxEntries = 64
	// inspectBytes is how much of a file [Inspect] reads. Audits keep as much of an image.
	inspectBytes = 256 << 10
)

// The kinds of failure, for errors.Is. With any of them, the caller continues without the picture.
var (
	// ErrUnknown: the first bytes match no format in the list.
	ErrUnknown = errors.New("not a known picture format")
	// ErrUnsupported: the format, or this variant of it, is recognized but not decoded.
	ErrUnsupported = errors.New("picture format is not supported")
	// ErrTooLarge: the file, its sides, its pixels or its parts exceed a limit.
	ErrTooLarge = errors.New("picture is too large")
	// ErrCorrupt: the file doesn't contain what its header claims.
	ErrCorrupt = errors.New("picture is damaged")
	// ErrBusy: other pictures took all memory or all workers for as long as a picture may wait.
	ErrBusy = errors.New("no memory or worker free to decode the picture")
	// ErrTimeout: decoding exceeded its time limit.
	ErrTimeout = errors.New("decoding the picture took too long")
	// ErrNotReady: it is an SVG, and the engine that draws them is still being compiled.
	ErrNotReady = errors.New("SVG cannot be drawn yet")
	// ErrWorkersLost: half of the workers or more are stuck in pictures that ran past their deadline.
	ErrWorkersLost = errors.New("too many decoding workers are lost")
)

// Transient reports whether the same file may decode later: the fault is temporary and not in the picture.
func Transient(err error) bool {
	for _, moment := range []error{
		ErrBusy, ErrTimeout, ErrNotReady, ErrWorkersLost, context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, moment) {
			return true
		}
	}
	return false
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(format, args...))
}

func tooLarge(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrTooLarge, fmt.Sprintf(format, args...))
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnsupported, fmt.Sprintf(format, args...))
}

// Decodable reports whether a file with this header may be decoded, given its format and size. An SVG may.
func (f Facts) Decodable() bool {
	switch f.Format {
	case SVG:
		return true
	case PNG, JPEG, GIF, WebP, ICO:
		return checkSides(f.Width, f.Height) == nil
	}
	return false
}

// checkSides rejects sides outside 1 to [maxSide] and more than [maxPixels] pixels.
func checkSides(w, h int) error {
	if w < 1 || h < 1 {
		return corrupt("its size is %d×%d", w, h)
	}
	if w > maxSide || h > maxSide || int64(w)*int64(h) > maxPixels {
		return tooLarge("%d×%d pixels", w, h)
	}
	return nil
}
