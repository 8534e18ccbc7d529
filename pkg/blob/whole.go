package blob

import (
	"bytes"
	"strings"
)

// ContentType is the type of the file that n names, by the end of its name; "" for one that is no picture.
func (n Name) ContentType() string {
	_, ext, _ := strings.Cut(n.File, ".")
	switch ext {
	case "png":
		return "image/png"
	case "jpg":
		return "image/jpeg"
	}
	return ""
}

// endsOf are the beginnings and ends of whole files, by their content type. Source: the PNG specification, 5.2 and
// 11.2.5 (IEND); ITU-T T.81, B.1.1.3 (SOI, EOI).
var endsOf = map[string][2]string{
	"image/png":  {"\x89PNG\r\n\x1a\n", "\x00\x00\x00\x00IEND\xaeB`\x82"},
	"image/jpeg": {"\xff\xd8", "\xff\xd9"},
}

// LongestEnd is at least as many bytes as a type of files begins or ends with.
const LongestEnd = 16

// LooksWhole reports whether data begins and ends as the file that n names does: a file that was cut, or lost its blocks
// to a power cut, does not. It costs nothing; only the digest tells the rest.
func (n Name) LooksWhole(data []byte) bool {
	ends, known := endsOf[n.ContentType()]
	return !known && len(data) > 0 ||
		known && bytes.HasPrefix(data, []byte(ends[0])) && bytes.HasSuffix(data, []byte(ends[1]))
}
