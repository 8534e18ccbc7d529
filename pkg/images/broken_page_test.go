package images_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// resetSite serves one page, whose connection is reset after the title as long as broken is set.
func resetSite(t *testing.T) (site *httptest.Server, broken *atomic.Bool) {
	t.Helper()
	broken = new(atomic.Bool)
	const beginning, rest = `<title>A page in two parts</title>`, `<meta name="theme-color" content="#e91e63">`
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/page" {
			http.NotFound(w, r)
			return
		}
		if !broken.Load() {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprint(w, beginning, rest)
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s",
			len(beginning)+len(rest), beginning)
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // what is closed is reset
		}
		_ = conn.Close()
	}))
	t.Cleanup(site.Close)
	return site, broken
}

// TestGenerate_pageThatBreaksOff_isKeptForMinutes has the connection reset after the title of a page: the card is made
// of it, and made again after five minutes.
func TestGenerate_pageThatBreaksOff_isKeptForMinutes(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		site, broken := resetSite(t)
		broken.Store(true)
		h := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), allowed(site))
		generate := func() *apptest.Response {
			body := map[string]any{"projectId": h.Project, "url": site.URL + "/page"}
			return h.Post("/images/generate", body, apptest.Bearer(h.Key)).Want(http.StatusOK)
		}
		ofPage := "/og/" + onDomain(h).publicID + "?url=" + url.QueryEscape(site.URL+"/page")

		first := wantCache(t, h.Get(ofPage), forMinutes)
		if first.Header.Get("X-Masthead-Fallback") != "" {
			t.Error("the beginning of the page was not used")
		}
		part := generate()
		if part.Text("source.title") != "A page in two parts" {
			t.Errorf("got %s, want the title that came", part.Body)
		}
		for range 3 { // from the database, and then as it is at hand
			wantCache(t, h.Get("/og/"+part.Text("publicId")), forMinutes)
			wantCache(t, h.Get(ofPage), forMinutes)
		}
		broken.Store(false)
		if kept := generate(); kept.Value("cached") != true {
			t.Errorf("within its minutes: got %s, want it kept", kept.Body)
		}
		older(t, h, 4*time.Minute)
		if kept := generate(); kept.Value("cached") != true {
			t.Errorf("after four minutes: got %s, want it kept", kept.Body)
		}
		older(t, h, 2*time.Minute)
		whole := generate()
		if whole.Value("cached") != false || whole.Text("id") != part.Text("id") {
			t.Errorf("after its minutes: got %s, want the same image of the whole page", whole.Body)
		}
		for range 3 {
			wantCache(t, h.Get("/og/"+whole.Text("publicId")), forever)
			wantCache(t, h.Get(ofPage), forever)
		}
	})
}
