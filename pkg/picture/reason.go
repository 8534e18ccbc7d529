package picture

import (
	"compress/zlib"
	"errors"
	"fmt"
	"image/png"
	"io"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/picture/svg"
)

// errTruncated is for a file that ends before its pixels do.
var errTruncated = fmt.Errorf("%w: it ends in the middle of the picture", ErrCorrupt)

// errAVIF is for the one format that browsers show and we can't decode, so that users learn its name.
var errAVIF = fmt.Errorf("%w: AVIF", ErrUnsupported)

// Reason explains what is wrong with a file for which [Decoder.Decode] or [Inspect] returned [ErrCorrupt], as a clause
// for users: "it ends in the middle of the picture". A decoder's own message, with offsets and names of its parts, is
// for the log.
func Reason(err error) string {
	var ofPNG png.FormatError
	switch {
	case errors.Is(err, errTruncated), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "it ends in the middle of the picture"
	case errors.Is(err, zlib.ErrChecksum), errors.As(err, &ofPNG) && strings.Contains(string(ofPNG), "checksum"):
		return "some of its bytes changed after it was saved: a checksum does not match"
	}
	return "it is damaged"
}

// Unusable explains why a file can't be decoded, as a clause for users: "it is too large". The decoder's own message is
// only logged: it may be the trace of a panic.
func Unusable(err error) string {
	switch {
	case errors.Is(err, svg.ErrNothing):
		return "it is an SVG of parts that we cannot draw, such as foreignObject"
	case errors.Is(err, svg.ErrEntity):
		return "it is an SVG with an entity that is not declared in it as plain text"
	case errors.Is(err, svg.ErrUnsupported):
		return "it is an SVG with words, which must be turned into paths"
	case errors.Is(err, errAVIF):
		return "it is an AVIF picture; use a PNG, JPEG, GIF, WebP, ICO or SVG"
	case errors.Is(err, ErrUnknown), errors.Is(err, ErrUnsupported):
		return "it is not a PNG, JPEG, GIF, WebP, ICO or SVG picture"
	case errors.Is(err, ErrTooLarge):
		return "it is too large"
	case errors.Is(err, ErrTimeout):
		return "it takes too long to draw"
	case errors.Is(err, ErrNotReady):
		return "the engine that draws SVG was not ready in time; try again in a few minutes"
	}
	return Reason(err)
}

// Refusal returns the error of an operation for an uploaded file that can't be decoded: UNSUPPORTED_MEDIA_TYPE if it is
// no picture, UNAVAILABLE if it may decode later, otherwise BAD_REQUEST.
func Refusal(err error) *apperr.Error {
	switch {
	case Transient(err):
		fault := apperr.Wrap(apperr.Unavailable, "The picture cannot be read now. Try again in a moment.", err)
		fault.RetryAfter = 2 * time.Second
		return fault
	case errors.Is(err, ErrUnknown):
		return apperr.Wrap(apperr.UnsupportedMediaType,
			"The file is not a picture that we can read. Send a PNG, JPEG, GIF, WebP, ICO or SVG.", err)
	}
	return apperr.Wrap(apperr.BadRequest, "The picture cannot be used: "+Unusable(err)+".", err)
}
