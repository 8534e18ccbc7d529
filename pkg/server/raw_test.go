package server

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"masthead/pkg/blob"
)

// inMemory has one picture, in memory.
type inMemory struct{ bytes []byte }

func (m inMemory) KeptFile(n blob.Name, ifNoneMatch string) (blob.Response, bool) {
	return blob.Response{
		Bytes: m.bytes, Size: int64(len(m.bytes)), ContentType: []string{"image/png"}, ETag: []string{`"tag"`},
		CacheControl: []string{"public"}, NotModified: ifNoneMatch != "",
	}, n.File == "og.png"
}

func (inMemory) KeptImage(string, string, string, string) (blob.Response, bool) {
	return blob.Response{}, false
}
func (inMemory) Shown(blob.Response) {}

// TestServeKept_responsesPastNetHTTPKeepTheirOrder sends requests of all kinds on one connection, all at once: each has
// one response, whoever wrote it, and the connection ends when it should.
func TestServeKept_responsesPastNetHTTPKeepTheirOrder(t *testing.T) {
	m := newMetrics()
	s := &Server{metrics: m, rates: newRates(Config{}, Deps{}, m)}
	picture := bytes.Repeat([]byte("0123456789abcdef"), 8<<10)
	s.deps.Pictures = inMemory{picture}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.serveKept(w, r) != nil {
			http.Error(w, "none", http.StatusNotFound)
		}
	}))
	_ = server.Listener.Close() // it is replaced
	server.Listener = newConnections(listener, 10, 10, nil, m)
	server.Config.ConnContext, server.Config.ConnState = withConn, follow
	server.Start()
	t.Cleanup(server.Close)

	const get, end = "GET /cdn/digest/og.png HTTP/1.1\r\nHost: a\r\n", "\r\n"
	requests := []struct {
		text, method string
		status       int
	}{
		{get + end, "GET", 200},
		{get + end, "GET", 200},
		{"HEAD /cdn/digest/og.png HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD", 200},
		{get + "If-None-Match: \"tag\"\r\n" + end, "GET", 304},
		{"GET /cdn/digest/other.png HTTP/1.1\r\nHost: a\r\n\r\n", "GET", 404},
		{get + end, "GET", 200},
		{get + "Content-Length: 4\r\n\r\nbody", "GET", 200},
		{get + end, "GET", 200},
		{get + "Connection: close\r\n" + end, "GET", 200},
	}
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	_ = client.SetDeadline(time.Now().Add(time.Minute))
	var all strings.Builder
	for _, r := range requests {
		all.WriteString(r.text)
	}
	go func() { _, _ = io.WriteString(client, all.String()) }()
	from := bufio.NewReader(client)
	for i, r := range requests {
		got, err := http.ReadResponse(from, &http.Request{Method: r.method})
		if err != nil {
			t.Fatalf("response %d: %v", i, err)
		}
		body, err := io.ReadAll(got.Body)
		if err != nil || got.StatusCode != r.status {
			t.Fatalf("response %d: got %d, %v, want %d", i, got.StatusCode, err, r.status)
		}
		if r.status == 200 && (got.ContentLength != int64(len(picture)) || got.Header.Get("Date") == "" ||
			r.method == "GET" && !bytes.Equal(body, picture)) {
			t.Errorf("response %d: got %d bytes and %v", i, len(body), got.Header)
		}
	}
	if rest, err := io.ReadAll(from); err != nil || len(rest) > 0 {
		t.Errorf("after the last: got %.80q, %v, want the end", rest, err)
	}
}
