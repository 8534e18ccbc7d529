package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestServe_textOfPagesReachesNoLog has a page's server go on talking on a connection that is kept: net/http repeats
// that in its log.
func TestServe_textOfPagesReachesNoLog(t *testing.T) {
	const secret = "what nobody asked for"
	closed := make(chan struct{})
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		in := bufio.NewReader(conn)
		if _, err := http.ReadRequest(in); err != nil {
			return
		}
		const page = "<title>A page</title>"
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 21\r\n\r\n"+page)
		if _, err := http.ReadRequest(in); err != nil { // of the icon, on the connection that was kept
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"+secret)
		_, _ = io.Copy(io.Discard, conn) // until it is closed, which comes after the message
		close(closed)
	}()
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	d := startDemoWith(t, t.TempDir(), file, "debug", []string{listener.Addr().String()})
	url := regexp.MustCompile(`"url":\s*"[^"]*"`)
	d.body = url.ReplaceAllString(d.body, `"url": "http://`+listener.Addr().String()+`/"`)
	d.draw(t, new(struct{}))
	<-closed
	d.stop(t)
	logged, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(logged), "/images/generate") {
		t.Errorf("the request is not in the log, so this is not it: %.500s", logged)
	}
	if strings.Contains(string(logged), secret) || strings.Contains(string(logged), "Unsolicited") {
		t.Errorf("the log repeats what a stranger sent: %s", logged)
	}
}
