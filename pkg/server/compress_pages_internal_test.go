package server

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// FuzzPageCompressor compares what a client reads with what was written, for pages with and without styles and scripts.
func FuzzPageCompressor(f *testing.F) {
	style := strings.Repeat("main p { margin: 0 auto; color: #15181A }\n", 50)
	for _, page := range []string{
		"", "short", "<style nonce=\"x\">" + style + "</style><p>the rest", "<style>" + style, "<style" + style,
		strings.Repeat("x", 70_000) + "<style>" + style + "</style>", "<style>" + style + "</style>", "<style></style>",
		"<style>" + style + "</style><style>" + style + "</style>" + strings.Repeat("<p>again", 10_000),
		"<script nonce=\"y\">" + style + "</script><style>" + style + "</style>",
		"<style>p{}</style><script nonce=\"x\">short</script>" + strings.Repeat("<p>between", 10_000) +
			"<script nonce=\"x\">" + style + "</script>\n<script nonce=\"x\">" + style + style + "</script></body>",
	} {
		f.Add([]byte(page))
	}
	p := newPageCompressor()
	f.Fuzz(func(t *testing.T, page []byte) {
		for range 2 { // the second time its constants are known
			var to bytes.Buffer
			if err := p.compress(&to, page); err != nil {
				t.Fatal(err)
			}
			wantPage(t, &to, page)
		}
		inParts := httptest.NewRecorder()
		held := &heldPage{ResponseWriter: inParts, pages: p, body: &bytes.Buffer{}}
		if err := held.FlushError(); err != nil { // before anything is written
			t.Fatal(err)
		}
		for part := range slices.Chunk(page, max(1, len(page)/3)) {
			_, _ = held.Write(part)
			if err := held.FlushError(); err != nil {
				t.Fatal(err)
			}
		}
		if err := held.end(); err != nil {
			t.Fatal(err)
		}
		if inParts.Code != http.StatusOK {
			t.Fatalf("got status %d", inParts.Code)
		}
		wantPage(t, inParts.Body, page)
	})
}

// wantPage fails the test unless a gzip stream has a page.
func wantPage(t *testing.T, packed io.Reader, page []byte) {
	t.Helper()
	r, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(got, page) {
		t.Fatalf("got %d bytes, want %d: %v", len(got), len(page), err)
	}
}

func TestPageCompressor_keepsFewConstants(t *testing.T) {
	t.Parallel()
	p := newPageCompressor()
	for n := range maxConstants + 5 {
		var to bytes.Buffer
		if err := p.compress(&to, []byte("<style>"+strings.Repeat("p{}", minConstant+n)+"</style>")); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.kept) != maxConstants {
		t.Errorf("%d constants are kept, want %d", len(p.kept), maxConstants)
	}
}
