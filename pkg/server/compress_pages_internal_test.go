package server

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// FuzzPageCompressor compares what a client reads with what was written, for pages with and without a style.
func FuzzPageCompressor(f *testing.F) {
	style := strings.Repeat("main p { margin: 0 auto; color: #15181A }\n", 50)
	for _, page := range []string{
		"", "short", "<style nonce=\"x\">" + style + "</style><p>the rest", "<style>" + style, "<style" + style,
		strings.Repeat("x", 70_000) + "<style>" + style + "</style>", "<style>" + style + "</style>", "<style></style>",
		"<style>" + style + "</style><style>" + style + "</style>" + strings.Repeat("<p>again", 10_000),
	} {
		f.Add([]byte(page))
	}
	p := newPageCompressor()
	f.Fuzz(func(t *testing.T, page []byte) {
		for range 2 { // the second time its style is known
			var to bytes.Buffer
			if err := p.compress(&to, page); err != nil {
				t.Fatal(err)
			}
			r, err := gzip.NewReader(&to)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(got, page) {
				t.Fatalf("got %d bytes, want %d: %v", len(got), len(page), err)
			}
		}
	})
}

func TestPageCompressor_keepsFewStyles(t *testing.T) {
	t.Parallel()
	p := newPageCompressor()
	for n := range maxStyles + 5 {
		var to bytes.Buffer
		if err := p.compress(&to, []byte("<style>"+strings.Repeat("p{}", minStyle+n)+"</style>")); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.styles) != maxStyles {
		t.Errorf("%d styles are kept, want %d", len(p.styles), maxStyles)
	}
}
