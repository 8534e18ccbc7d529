package images_test

import (
	"bytes"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestServing_buffersAreUsedAgainByOneRequestAtATime reads pictures of different sizes from the disk, many at once, in
// buffers that go from one to the next, while other clients leave in the middle: each gets its picture's own bytes.
func TestServing_buffersAreUsedAgainByOneRequestAtATime(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	type picture struct {
		path string
		want []byte
	}
	pictures := make([]picture, 6)
	for i := range pictures {
		image := s.Generate("/page/one", map[string]any{
			"content": map[string]any{"title": strings.Repeat("A longer title ", 1+2*i)},
		}).Want(200)
		pictures[i] = picture{unusual(image.Path("publicUrl")), s.Get(image.Path("imageUrl")).Want(200).Body}
	}
	var clients sync.WaitGroup
	for i := range 8 {
		clients.Go(func() {
			for j := range 40 {
				p := pictures[(i+j)%len(pictures)]
				if i == 0 {
					leave(t, s.Base, p.path)
				} else if got, err := fetched(s, p.path); err != nil || !bytes.Equal(got, p.want) {
					t.Errorf("%s: got %d other bytes (%v), want %d", p.path, len(got), err, len(p.want))
				}
			}
		})
	}
	clients.Wait()
}

// fetched returns the body of a response.
func fetched(s *apptest.Service, path string) ([]byte, error) {
	r, err := s.Client.Get(s.Base + path)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	return io.ReadAll(r.Body)
}

// leave asks for a picture, and reads little of it.
func leave(t *testing.T, base, path string) {
	client, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Error(err)
		return
	}
	defer client.Close()
	if _, err := io.WriteString(client, "GET "+path+" HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
		t.Error(err)
	}
	_, _ = io.ReadFull(client, make([]byte, 1000))
}
