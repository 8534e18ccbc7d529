package server

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestServeKept_bytesPastNetHTTPAreThoseOfNetHTTP sends requests of all forms, each on a connection of its own, to a
// server that writes pictures itself and to one that leaves that to net/http: all that comes back is the same, but for
// the order of the headers, and values that differ from request to request.
func TestServeKept_bytesPastNetHTTPAreThoseOfNetHTTP(t *testing.T) {
	t.Parallel()
	const get, host = "GET /cdn/digest/og.png HTTP/1.1\r\n", "Host: a\r\n"
	plain := get + host + "\r\n"
	last := get + host + "Connection: close\r\n\r\n"
	forms := map[string]string{
		"one":                   last,
		"half-closed":           plain,
		"pipelined":             plain + plain + last,
		"HEAD":                  "HEAD /cdn/digest/og.png HTTP/1.1\r\n" + host + "\r\n" + last,
		"conditional, the same": get + host + "If-None-Match: \"tag\"\r\n\r\n" + last,
		"HTTP/1.0":              "GET /cdn/digest/og.png HTTP/1.0\r\n\r\n",
		"HTTP/1.0, kept alive":  "GET /cdn/digest/og.png HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + last,
		"with a body":           get + host + "Content-Length: 4\r\n\r\nbody" + last,
		"with chunks":           get + host + "Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n" + last,
		"with Expect":           get + host + "Expect: 100-continue\r\nContent-Length: 4\r\n\r\nbody" + last,
		"a query":               "GET /cdn/digest/og.png?a=1 HTTP/1.1\r\n" + host + "\r\n" + last,
		"another address":       "GET /cdn/digest/none.png HTTP/1.1\r\n" + host + "\r\n" + plain + last,
		"absolute":              "GET http://a/cdn/digest/og.png HTTP/1.1\r\n" + host + "\r\n" + last,
		"a range":               get + host + "Range: bytes=0-3\r\n\r\n" + last,
		"POST":                  "POST /cdn/digest/og.png HTTP/1.1\r\n" + host + "Content-Length: 0\r\n\r\n" + last,
		"what is no request":    plain + "nonsense\r\n\r\n",
		"cut off":               plain + get + "Hos",
	}
	raw, kept := startWay(t, ""), startWay(t, "kept")
	for name, request := range forms {
		got, want := exchange(t, raw, request), exchange(t, kept, request)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got\n%.900q\nwant, as from net/http,\n%.900q", name, got, want)
		}
	}
	// The two are two: else the comparison says nothing.
	if a, b := reply(t, raw, last), reply(t, kept, last); !bytes.Contains(a, []byte("HTTP/1.1 200 OK")) ||
		!bytes.Contains(b, []byte("HTTP/1.1 200 OK")) {
		t.Errorf("got %.90q and %.90q, want pictures", a, b)
	}
	if a, b := reply(t, raw, plain), reply(t, kept, plain); headerNames(a) == headerNames(b) {
		t.Error("both servers have net/http write their responses")
	}
}

// startWay starts a server of one picture that is sent in a way, and returns its address.
func startWay(t *testing.T, ways string) string {
	t.Helper()
	m := newMetrics()
	s := &Server{metrics: m, rates: newRates(Config{}, Deps{}, m), ways: ways}
	s.deps.Pictures = inMemory{bytes.Repeat([]byte("0123456789abcdef"), 4<<10)}
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
	return listener.Addr().String()
}

// reply sends a request, closes that half of the connection, and returns all that comes back.
func reply(t *testing.T, address, request string) []byte {
	t.Helper()
	client, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_ = client.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(client, request); err != nil {
		t.Fatal(err)
	}
	_ = client.(*net.TCPConn).CloseWrite()
	all, err := io.ReadAll(client)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	return all
}

var (
	headForm    = regexp.MustCompile(`HTTP/1\.[01] \d{3} [^\r]*\r\n(?:[^\r]+\r\n)*\r\n`)
	varyingForm = regexp.MustCompile(`(?m)^(X-Request-Id|Date|X-Ratelimit-Remaining|X-Ratelimit-Reset): [^\r]+`)
)

// exchange is reply as lines: those of each head are sorted, and values that vary are left out.
func exchange(t *testing.T, address, request string) []string {
	t.Helper()
	text := headForm.ReplaceAllStringFunc(string(reply(t, address, request)), func(head string) string {
		lines := strings.Split(strings.TrimSuffix(varyingForm.ReplaceAllString(head, "$1: *"), "\r\n\r\n"), "\r\n")
		slices.Sort(lines[1:])
		return strings.Join(lines, "\r\n") + "\r\n\r\n"
	})
	return strings.Split(text, "\r\n")
}

// headerNames are the names of the first head, in their order.
func headerNames(reply []byte) string {
	return regexp.MustCompile(`: [^\r]+`).ReplaceAllString(headForm.FindString(string(reply)), "")
}
