package blob

import (
	"bytes"
	"strings"
)

// ContentType returns the media type that the extension of n stands for, or "" if it isn't a picture's.
func (n Name) ContentType() string {
	_, ext, _ := strings.Cut(n.File, ".")
	switch ext {
	case "png":
		return "image/png"
	case "jpg":
		return "image/jpeg"
	case "ttf":
		return "font/ttf"
	case "otf":
		return "font/otf"
	}
	return ""
}

// endsOf has the first and last bytes of complete files by content type. Source: PNG specification, 5.2 and 11.2.5
// (IEND; https://www.w3.org/TR/png-3/); ITU-T T.81, B.1.1.3 (SOI, EOI).
var endsOf = map[string][2]string{
	"image/png":  {"\x89PNG\r\n\x1a\n", "\x00\x00\x00\x00IEND\xaeB`\x82"},
	"image/jpeg": {"\xff\xd8", "\xff\xd9"},
}

// LongestEnd is an upper bound, in bytes, for the lengths in endsOf.
const LongestEnd = 16

// LooksWhole reports whether data starts and ends like a file of n's type. Truncated files and files that lost blocks
// in a power failure don't. The check is cheap; other damage is found only by comparing digests.
func (n Name) LooksWhole(data []byte) bool {
	ends, known := endsOf[n.ContentType()]
	return !known && len(data) > 0 ||
		known && bytes.HasPrefix(data, []byte(ends[0])) && bytes.HasSuffix(data, []byte(ends[1]))
}
