package text

import (
	"io"
	"strings"

	"github.com/andybalholm/brotli"
)

// unpack returns an embedded file that is compressed with Brotli: together they make the program 0.9 MB smaller. It
// panics on anything else: that is a broken build.
func unpack(packed string) string {
	var out strings.Builder
	if _, err := io.Copy(&out, brotli.NewReader(strings.NewReader(packed))); err != nil {
		panic("text: unpack an embedded file: " + err.Error())
	}
	return out.String()
}
