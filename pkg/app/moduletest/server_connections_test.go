package moduletest_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// line is a connection of a client of its own.
type line struct {
	t    *testing.T
	conn net.Conn
	from *bufio.Reader
}

// dial connects from an address of this machine. A connection that the service ends may be reset before connecting is
// over: its line is closed.
func dial(t *testing.T, s *apptest.Service, from string) *line {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(s.Base, "http://"))
	if errors.Is(err, syscall.ECONNRESET) {
		var other net.Conn
		conn, other = net.Pipe()
		err = other.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &line{t, conn, bufio.NewReader(conn)}
}

// get asks for a path and returns the response, or nil when the connection is closed instead.
func (l *line) get(path string) *http.Response {
	l.t.Helper()
	if _, err := fmt.Fprintf(l.conn, "GET %s HTTP/1.1\r\nHost: masthead.example\r\n\r\n", path); err != nil {
		return nil
	}
	r, err := http.ReadResponse(l.from, nil)
	if err != nil {
		return nil
	}
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		l.t.Error(err)
	}
	return r
}

// want fails the test when the response of a path is another; 0 is none at all.
func (l *line) want(path string, status int) *http.Response {
	l.t.Helper()
	got := l.get(path)
	if got == nil && status == 0 {
		return nil
	}
	if got == nil || got.StatusCode != status {
		l.t.Fatalf("%s: got %+v, want status %d", path, got, status)
	}
	return got
}

func TestConnections_anAddressHoldsItsNumber(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, func(c *app.Config) {
		c.Server.AddressConns, c.Server.TrustedProxies = 8, []string{"127.0.7.0/24"}
	})
	var held []*line
	for range 8 {
		l := dial(t, s, "127.0.5.1")
		l.want("/healthz", http.StatusOK)
		held = append(held, l)
	}
	dial(t, s, "127.0.5.1").want("/healthz", 0)
	dial(t, s, "127.0.5.1").want("/templates", 0)
	for _, l := range held {
		l.want("/templates", http.StatusOK) // those that were there go on
	}
	dial(t, s, "127.0.5.2").want("/templates", http.StatusOK) // as others do
	for range 20 {
		dial(t, s, "127.0.7.1").want("/templates", http.StatusOK) // a proxy stands for many
	}
	_ = held[0].conn.Close()
	apptest.WaitFor(t, "the place of a connection that was closed", func() bool {
		r := dial(t, s, "127.0.5.1").get("/templates")
		return r != nil && r.StatusCode == http.StatusOK
	})
}

func TestConnections_healthIsToldWhenAllPlacesAreTaken(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, func(c *app.Config) { c.Server.Connections = 8 })
	var held []*line
	for range 8 {
		l := dial(t, s, "127.0.5.1")
		l.want("/templates", http.StatusOK)
		held = append(held, l)
	}
	for _, path := range []string{"/healthz", "/readyz", "/api/healthz", "/api/readyz"} {
		l := dial(t, s, "127.0.5.2")
		for range 3 {
			l.want(path, http.StatusOK)
		}
		r := l.want("/templates", http.StatusServiceUnavailable)
		if r.Header.Get("Retry-After") == "" || !r.Close {
			t.Errorf("after %s: got %v, want a pause and the end of the connection", path, r.Header)
		}
		l.want("/healthz", 0)
	}
	for _, path := range []string{"/templates", "/", "/healthz/", "/nowhere"} {
		l := dial(t, s, "127.0.5.2")
		l.want(path, http.StatusServiceUnavailable)
		l.want("/healthz", 0)
	}
	for _, l := range held {
		l.want("/templates", http.StatusOK)
	}
	// Silent connections in all spare places, and more: whoever asks for health still gets through.
	for range 100 {
		dial(t, s, "127.0.5.3")
	}
	for range 10 {
		dial(t, s, "127.0.5.2").want("/readyz", http.StatusOK)
	}
	waiting := dial(t, s, "127.0.5.2")
	waiting.want("/healthz", http.StatusOK)
	_ = held[0].conn.Close()
	apptest.WaitFor(t, "a place for a connection that only had a spare one", func() bool {
		r := waiting.get("/templates")
		if r == nil || r.StatusCode != http.StatusOK {
			waiting = dial(t, s, "127.0.5.2")
		}
		return r != nil && r.StatusCode == http.StatusOK
	})
}

func TestConnections_areCounted(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, func(c *app.Config) {
		c.Server.Connections, c.Server.AddressConns, c.Monitor.Addr = 3, 2, "127.0.0.1:0"
	})
	for i := range 3 {
		dial(t, s, fmt.Sprintf("127.0.5.%d", i)).want("/templates", http.StatusOK)
	}
	dial(t, s, "127.0.6.1").want("/healthz", http.StatusOK)
	dial(t, s, "127.0.6.2").want("/nowhere", http.StatusServiceUnavailable)
	dial(t, s, "127.0.6.1").want("/templates", http.StatusServiceUnavailable)
	one, two := dial(t, s, "127.0.6.3"), dial(t, s, "127.0.6.3")
	one.want("/healthz", http.StatusOK)
	two.want("/healthz", http.StatusOK)
	dial(t, s, "127.0.6.3").want("/healthz", 0)
	for _, want := range []string{
		`masthead_server_connections{place="common"} 3`,
		`masthead_server_connections{place="spare"} 3`,
		`masthead_server_connections_refused_total{reason="address"} 1`,
		`masthead_server_connections_refused_total{reason="spare"} 2`,
		`masthead_server_request_seconds_count{operation="listTemplates",status="2xx"} 3`,
		`masthead_server_request_seconds_count{operation="listTemplates",status="5xx"} 1`,
		`masthead_server_request_seconds_count{operation="getHealth",status="2xx"} 3`,
		`masthead_server_request_seconds_count{operation="other",status="5xx"} 1`,
	} {
		apptest.WaitFor(t, want, func() bool { return strings.Contains(s.Metrics(), "\n"+want+"\n") })
	}
}
