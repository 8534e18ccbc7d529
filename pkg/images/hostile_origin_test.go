package images_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// talk is what an origin does with a connection after a request has come; the connection is closed when it returns.
type talk func(net.Conn)

// rawOrigin says whatever its paths were given, written by hand where a server of the library is too polite.
type rawOrigin struct {
	addr string
	mu   sync.Mutex
	path map[string]talk
}

func newRawOrigin(t *testing.T) *rawOrigin {
	t.Helper()
	o := &rawOrigin{path: map[string]talk{}}
	o.addr = listenRaw(t, func(conn net.Conn) {
		defer conn.Close()
		r, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		o.mu.Lock()
		talk := o.path[r.URL.Path]
		o.mu.Unlock()
		if talk == nil {
			talk = say("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
		}
		talk(conn)
	})
	return o
}

// at lets the origin talk so at a path of its own, and returns the address.
func (o *rawOrigin) at(talk talk) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	path := fmt.Sprintf("/at/%d", len(o.path))
	o.path[path] = talk
	return "http://" + o.addr + path
}

// listenRaw hands every connection to serve.
func listenRaw(t *testing.T, serve func(net.Conn)) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return l.Addr().String()
}

func say(text string) talk { return func(c net.Conn) { _, _ = io.WriteString(c, text) } }

// answerOf is an answer with a body and further header lines, each with its line end.
func answerOf(contentType, more string, body []byte) talk {
	head := "HTTP/1.1 200 OK\r\nConnection: close\r\n" + more
	if contentType != "" {
		head += "Content-Type: " + contentType + "\r\n"
	}
	return func(c net.Conn) {
		_, _ = io.WriteString(c, head+fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)))
		_, _ = c.Write(body)
	}
}

// then is one talk after the other.
func then(talks ...talk) talk {
	return func(c net.Conn) {
		for _, talk := range talks {
			talk(c)
		}
	}
}

// silence holds the connection until the other side has had enough.
func silence(c net.Conn) { _, _ = io.Copy(io.Discard, c) }

// pour writes text again and again.
func pour(text string) talk {
	return func(c net.Conn) {
		for {
			if _, err := io.WriteString(c, text); err != nil {
				return
			}
		}
	}
}

// drip writes text again and again, a byte every few milliseconds.
func drip(text string) talk {
	return func(c net.Conn) {
		for i := 0; ; i++ {
			if _, err := c.Write([]byte{text[i%len(text)]}); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// reset breaks the connection with an RST instead of closing it.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
}

// packed is text as gzip.
func packed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tlsOrigins are origins whose secure connection is at fault in several ways, by name.
func tlsOrigins(t *testing.T) map[string]string {
	t.Helper()
	selfSigned := newTLSSite(t, &tls.Config{MinVersion: tls.VersionTLS12})
	old := newTLSSite(t, &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11})
	firstBytes := func(answer talk) string {
		return listenRaw(t, func(c net.Conn) {
			defer c.Close()
			_, _ = c.Read(make([]byte, 1))
			answer(c)
		})
	}
	return map[string]string{
		"TLS signed by itself":        selfSigned,
		"TLS of 2006":                 old,
		"TLS answered in plain HTTP":  firstBytes(say("HTTP/1.1 400 Bad Request\r\n\r\n")),
		"TLS answered with garbage":   firstBytes(say(strings.Repeat("\x16\x03\x03\xff\xff", 4000))),
		"TLS alert without end":       firstBytes(pour("\x15\x03\x03\x00\x02\x01\x00")),
		"TLS closed within the hello": firstBytes(func(net.Conn) {}),
		"TLS reset within the hello":  firstBytes(reset),
		"TLS that says nothing":       firstBytes(silence),
	}
}
