package picture

import (
	"compress/zlib"
	"errors"
	"fmt"
	"image/png"
	"io"
	"strings"
)

// errTruncated is for a file that ends before its pixels do.
var errTruncated = fmt.Errorf("%w: it ends in the middle of the picture", ErrCorrupt)

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
