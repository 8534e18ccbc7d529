package server

import (
	"bytes"
	"crypto/rand"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"masthead/pkg/blob"
)

// oneFile has one picture, as a file.
type oneFile struct{ path string }

func (f oneFile) KeptFile(n blob.Name, _ string) (blob.Response, bool) {
	file, err := os.Open(f.path)
	if err != nil || n.File != "og.png" {
		return blob.Response{}, false
	}
	info, err := file.Stat()
	return blob.Response{
		File: file, Size: info.Size(), ContentType: []string{"image/png"}, ETag: []string{`"tag"`},
		CacheControl: []string{"public"},
	}, err == nil
}

func (oneFile) KeptImage(string, string, string, string) (blob.Response, bool) {
	return blob.Response{}, false
}
func (oneFile) Shown(blob.Response) {}

// TestServeKept_filesOfAllSizesArriveWhole sends files by the kernel over connections that readers take slowly, several
// times each.
func TestServeKept_filesOfAllSizesArriveWhole(t *testing.T) {
	m := newMetrics()
	s := &Server{metrics: m, rates: newRates(Config{}, Deps{}, m)}
	path := filepath.Join(t.TempDir(), "picture")
	s.deps.Pictures = oneFile{path}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	bounded := newConnections(listener, 10, 10, nil, m)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.serveKept(w, r) != nil {
			w.WriteHeader(http.StatusTeapot)
		}
	}))
	_ = server.Listener.Close()
	server.Listener = bounded
	server.Start()
	t.Cleanup(server.Close)
	for _, size := range []int{0, 1, 4 << 10, maxPiece - 1, maxPiece, maxPiece + 1, 5<<20 + 3} {
		want := make([]byte, size)
		_, _ = rand.Read(want) // it never fails
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			response, err := server.Client().Get(server.URL + "/cdn/digest/og.png")
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Millisecond) // so that the socket's buffer is full
			got, err := io.ReadAll(response.Body)
			if err != nil || !bytes.Equal(got, want) || response.ContentLength != int64(size) {
				t.Errorf("%d bytes: got %d and %v, announced %d", size, len(got), err, response.ContentLength)
			}
			_ = response.Body.Close()
		}
	}
	response, err := server.Client().Get(server.URL + "/cdn/digest/other.png")
	if err != nil || response.StatusCode != http.StatusTeapot {
		t.Errorf("what is not at hand: got %v, %v, want it left to others", response, err)
	}
	_ = response.Body.Close()
}
