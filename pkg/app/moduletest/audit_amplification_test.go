package moduletest_test

import (
	"bytes"
	"fmt"
	"image/color"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// target is a site that sends as much as is taken of it, and counts that.
type target struct {
	*httptest.Server
	sent atomic.Int64

	mu       sync.Mutex
	requests map[string]int
	bytes    map[string]int64
}

// countingConn is a connection of a target. It has a small buffer, so that what was sent is about what was read.
type countingConn struct {
	net.Conn
	sent *atomic.Int64
}

func (c countingConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.sent.Add(int64(n))
	return n, err
}

type countedListener struct {
	net.Listener
	sent *atomic.Int64
}

func (l countedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(32 << 10) // a larger one only makes the figures coarser
	}
	return countingConn{conn, l.sent}, nil
}

// body is what a target sends at a path: a beginning, then more of it up to a length. An unsized one does not say how
// long it is.
type body struct {
	contentType, beginning string
	length                 int
	unsized                bool
}

// newTarget serves bodies until the test ends.
func newTarget(t *testing.T, bodies map[string]body) *target {
	t.Helper()
	s := &target{requests: map[string]int{}, bytes: map[string]int64{}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, ok := bodies[r.URL.Path]
		s.mu.Lock()
		s.requests[r.URL.Path]++
		s.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", b.contentType)
		if !b.unsized {
			w.Header().Set("Content-Length", fmt.Sprint(max(b.length, len(b.beginning))))
		}
		n, err := w.Write([]byte(b.beginning))
		filler := bytes.Repeat([]byte(" "), 8<<10)
		for sent := n; err == nil && sent < b.length; sent += n {
			n, err = w.Write(filler[:min(len(filler), b.length-sent)])
			s.mu.Lock()
			s.bytes[r.URL.Path] += int64(n)
			s.mu.Unlock()
		}
	}))
	s.Listener = countedListener{s.Listener, &s.sent}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// allowed lets a service fetch from the target, without a pace.
func (s *target) allowed() apptest.Option {
	return func(c *app.Config) {
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(s.Listener.Addr().String()))
	}
}

// inFlight is how much a connection may hold that was sent and is not read any more.
const inFlight = 300_000

// TestAnonymousAudit_amplification_isBounded has a stranger audit pages that cost their site as much as they can.
func TestAnonymousAudit_amplification_isBounded(t *testing.T) {
	const endless = 50 << 20
	head := func(more string) string {
		return `<html lang="en"><title>A page</title><meta name="twitter:card" content="summary_large_image">` +
			`<meta property="og:title" content="A page"><link rel="icon" href="/icon.png">` + more
	}
	png := auditPngOf(t, auditFlat(1200, 630, color.White)).body
	icon := auditPngOf(t, auditFlat(64, 64, color.White)).body
	avif := "\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miaf" + strings.Repeat("\x00", 100)
	icons := body{"image/png", icon, 0, false}
	shared := `<meta property="og:image" content="/share.png"><link rel="canonical" href="/canonical">`
	alternates := ""
	worst := map[string]body{
		"/robots.txt": {"text/plain", "User-agent: *\n", endless, true},
		"/share.png":  {"image/png", png, endless, true}, "/x.png": {"image/png", png, endless, true},
		"/icon.png": {"image/png", icon, 1 << 20, true}, "/canonical": {"text/html", "<p>", endless, true},
	}
	for i := range 8 {
		alternates += fmt.Sprintf(`<link rel="alternate" hreflang="a%c" href="/alternate/%d">`, 'a'+i, i)
		worst[fmt.Sprintf("/alternate/%d", i)] = body{"text/html", "<p>", endless, true}
	}
	ofX := `<meta name="twitter:image" content="/x.png">`
	worst["/"] = body{"text/html", head(shared + ofX + alternates), endless, true}
	page := func(more string) body { return body{"text/html", head(more), 0, false} }
	for _, c := range []struct {
		name         string
		bodies       map[string]body
		requests     int
		mostBytes    int64 // without what connections hold
		pictureReads map[string]int64
	}{
		{"a shown picture of 4 MB is read once", map[string]body{
			"/": page(shared), "/icon.png": icons, "/share.png": {"image/png", png, 4_000_000, false},
			"/canonical": {"text/html", "", endless, true},
		}, 5, 4_100_000, map[string]int64{"/share.png": 4_000_000}},
		{"a picture that no frame shows is read up to its header", map[string]body{
			"/": page(shared), "/icon.png": icons, "/share.png": {"image/avif", avif, 8_000_000, false},
			"/canonical": {"text/html", "", endless, true},
		}, 5, 400_000, map[string]int64{"/share.png": 256 << 10}},
		{"a picture too large to be shown is read up to its header", map[string]body{
			"/": page(shared), "/icon.png": icons, "/share.png": {"image/png", png, 8_000_000, false},
			"/canonical": {"text/html", "", endless, true},
		}, 5, 400_000, map[string]int64{"/share.png": 256 << 10}},
		{"one picture for everything is read once", map[string]body{
			"/": {"text/html", `<title>One</title><link rel="icon" href="/one.png#icon">` +
				`<meta name="twitter:card" content="summary">` +
				`<meta property="og:title" content="One"><meta property="og:image" content="/one.png">` +
				`<meta name="twitter:image" content="/one.png#x">`, 0, false},
			"/one.png": {"image/png", auditPngOf(t, auditFlat(600, 600, color.White)).body, 900_000, false},
		}, 3, 1_000_000, map[string]int64{"/one.png": 900_000}},
		{"all that a page can cost", worst, 11, 3<<20 + 500_000 + 2*(5<<20) + 1<<20 + 5*(512<<10), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			site := newTarget(t, c.bodies)
			s := apptest.Start(t, site.allowed())
			made := s.Post("/audits", map[string]any{"url": site.URL + "/"}).Want(http.StatusOK)
			site.mu.Lock()
			defer site.mu.Unlock()
			all := 0
			for path, n := range site.requests {
				if all += n; n > 1 {
					t.Errorf("%s was requested %d times", path, n)
				}
			}
			t.Logf("%d requests, %.2f MB sent", all, float64(site.sent.Load())/1e6)
			if all != c.requests {
				t.Errorf("got the requests %v, want %d", site.requests, c.requests)
			}
			if most := c.mostBytes + int64(c.requests)*inFlight; site.sent.Load() > most {
				t.Errorf("got %d bytes (%v), want %d at most", site.sent.Load(), site.bytes, most)
			}
			for path, most := range c.pictureReads {
				if got := site.bytes[path]; got > most+inFlight {
					t.Errorf("%s: got %d bytes, want about %d at most", path, got, most)
				}
			}
			if c.name == "a shown picture of 4 MB is read once" && made.Value("pictures.0.bytes") != 4_000_000. {
				t.Errorf("got %v bytes, want 4,000,000", made.Value("pictures.0.bytes"))
			}
		})
	}
}
