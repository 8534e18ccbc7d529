// Package picture owns the pictures that strangers give us: telling what a file is, what its header says, decoding it
// within bounds of time, memory and work, and scaling the result.
//
// [Sniff] names the format by its first bytes, [Inspect] reads the header, [Decoder.Decode] gives pixels, and
// [Contain] and [Scale] fit them to a place. What comes out is pixels alone: no profile, no text, no
// original byte survives.
//
// Each raster format that is decoded has one file with one plan function: it reads the header, refuses what is out of
// bounds, and returns a plan that knows the memory it will take. A plan hands the standard decoder a stream that was
// put together anew from the parts that hold pixels, so that the decoder meets nothing that the plan has not counted.
// To add a format, write its file and give it a line in [Sniff], in inspect and in planOf.
//
// SVG is drawn rather than decoded: svg.go says at which size, and package svg does it.
package picture

import (
	"context"
	"errors"
	"fmt"
)

// Format is a picture format, told by magic bytes alone.
type Format uint8

// The formats that are recognised. PNG to SVG are decoded; of the others only the header is read.
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

// String returns the format's name in lower case, "unknown" for one that is not in the list.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return formatNames[Unknown]
}

// Tristate is yes, no, or not to be told from what was read.
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

// Facts is what a header tells. After [Decoder.Decode] it is what the decoded picture is.
type Facts struct {
	Format Format
	// Width and Height are in pixels, as displayed: with the orientation applied. For an ICO they are those of its
	// largest entry. Both are 0 for an SVG that gives neither a size nor a viewBox.
	Width, Height int
	// Orientation is the EXIF orientation, 1 to 8; 1 when there is none. AVIF and HEIC turn by their own boxes: there
	// it is 1 and Width and Height are turned.
	Orientation int
	// Animated tells whether there is more than one frame; only the first is ever decoded.
	Animated Tristate
	// Alpha tells whether pixels may be transparent (a header), or are (a decoded picture).
	Alpha Tristate
}

// Limits of a picture. Source: docs/security.md#decoding.
const (
	maxSide   = 8192
	maxPixels = 16_777_216
	// maxScans is the greatest number of scans of a JPEG.
	maxScans = 100
	// maxChunks is the greatest number of chunks of a PNG or a WebP.
	maxChunks = 4096
	// maxEntries is how much of an ICO's directory is read.
	maxEntries = 64
	// inspectBytes is how much of a file [Inspect] looks at. Source: the audit specification, D.2 (256 KiB of an
	// image are kept).
	inspectBytes = 256 << 10
)

// The kinds of failure, matched by errors.Is. Whatever the kind, the caller goes on without the picture.
var (
	// ErrUnknown: the first bytes are those of no format in the list.
	ErrUnknown = errors.New("not a known picture format")
	// ErrUnsupported: the format, or the variant of it, is recognised but not decoded.
	ErrUnsupported = errors.New("picture format is not decoded")
	// ErrTooLarge: the file, its sides, its pixels or its parts are beyond a bound.
	ErrTooLarge = errors.New("picture is too large")
	// ErrCorrupt: the file does not hold what its header claims.
	ErrCorrupt = errors.New("picture is damaged")
	// ErrBusy: other pictures took all memory or all workers for as long as a picture may wait.
	ErrBusy = errors.New("no room to decode the picture")
	// ErrTimeout: decoding took longer than a picture may take.
	ErrTimeout = errors.New("decoding the picture took too long")
	// ErrNotReady: it is an SVG, and the engine that draws them is still being compiled.
	ErrNotReady = errors.New("SVG cannot be drawn yet")
	// ErrWorkersLost: half of the workers or more are stuck in pictures that ran past their deadline.
	ErrWorkersLost = errors.New("too many decoding workers are lost")
)

// Transient reports whether the same file may decode at another time: the fault is of the moment, not of the picture.
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

// Decodable reports whether a file with this header may be decoded, by its format and size. An SVG may.
func (f Facts) Decodable() bool {
	switch f.Format {
	case SVG:
		return true
	case PNG, JPEG, GIF, WebP, ICO:
		return checkSides(f.Width, f.Height) == nil
	}
	return false
}

// checkSides refuses sides outside 1 to [maxSide] and more than [maxPixels] pixels.
func checkSides(w, h int) error {
	if w < 1 || h < 1 {
		return corrupt("its size is %d×%d", w, h)
	}
	if w > maxSide || h > maxSide || int64(w)*int64(h) > maxPixels {
		return tooLarge("%d×%d pixels", w, h)
	}
	return nil
}
