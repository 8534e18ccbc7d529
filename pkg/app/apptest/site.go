package apptest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// PageServer serves pages to be fetched:
//
//	/page/NAME        a page that is called NAME, with a theme color and an icon
//	/icon.png         the icon
//	/app              a page without a color, whose manifest has one
//	/data.json, /gone what is no page, and what is gone
//	/refused          what is for others
//	/redirect?to=URL  a redirect to anywhere
type PageServer struct {
	*httptest.Server
	// Pages counts how often a page was asked for.
	Pages atomic.Int64
	// Hold, when it is set, keeps every page back until it is closed.
	Hold atomic.Pointer[chan struct{}]
}

// NewSite serves until the test ends.
func NewSite(t testing.TB) *PageServer {
	t.Helper()
	s := &PageServer{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page/{name}", func(w http.ResponseWriter, r *http.Request) {
		s.Pages.Add(1)
		if hold := s.Hold.Load(); hold != nil {
			<-*hold
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		//nolint:gosec // G705: names are those that a test gives
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Page %[1]s</title>
			<meta name="description" content="What the page called %[1]s is all about, in one sentence.">
			<meta property="og:site_name" content="Testland"><meta name="theme-color" content="#0F766E">
			<link rel="icon" sizes="180x180" href="/icon.png"></head><body><h1>Page %[1]s</h1></body></html>`,
			r.PathValue("name"))
	})
	mux.HandleFunc("GET /icon.png", serve("image/png", icon(t)))
	mux.HandleFunc("GET /app", serve("text/html; charset=utf-8",
		[]byte(`<title>An app</title><link rel="manifest" href="/app.webmanifest">`)))
	mux.HandleFunc("GET /app.webmanifest", serve("application/manifest+json",
		[]byte(`{"name": "App", "theme_color": "#B91C1C", "icons": [{"src": "icon.png", "sizes": "180x180"}]}`)))
	mux.HandleFunc("GET /data.json", serve("application/json", []byte(`{}`)))
	mux.HandleFunc("GET /gone", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
	mux.HandleFunc("GET /refused", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	mux.HandleFunc("GET /redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound) //nolint:gosec // G710: that is what it is for
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// At is the address of a path.
func (s *PageServer) At(path string) string { return s.URL + path }

// Allowed opens the site, and only its port, as an entry of [fetch.Config].Allow.
func (s *PageServer) Allowed() string { return Allowed(s.Listener.Addr().String()) }

// Allowed opens one port of this machine, the one of an address, as an entry of [fetch.Config].Allow.
func Allowed(addr string) string { return "127.0.0.1/32" + addr[strings.LastIndexByte(addr, ':'):] }

func serve(contentType string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(body) // the client left; there is nobody to tell
	}
}

// icon is a teal square with a light one inside.
func icon(t testing.TB) []byte {
	t.Helper()
	img := image.NewPaletted(image.Rect(0, 0, 180, 180), color.Palette{color.NRGBA{15, 118, 110, 255}, color.White})
	for y := 60; y < 120; y++ {
		for x := 60; x < 120; x++ {
			img.SetColorIndex(x, y, 1)
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
