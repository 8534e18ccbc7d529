package web_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/web/webtest"
)

// A browser gets a page where there is nothing, programs get a problem, and so does everybody from an operation.
func TestNotFound_browserGetsAPage(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	browser := apptest.Header("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
	const link = `<a href="/dashboard">Dashboard</a>`
	mine := webtest.SignIn(t, h.Base, h.Session.Access)
	stranger := webtest.SignIn(t, h.Base, "not.a.token")
	for _, path := range []string{"/", "/nowhere", "/audit/example", "/audit/rules", "/audit/0000000000000000000000"} {
		if got := mine.Get(path, "Accept", "text/html"); strings.Count(got.Body, link) != 1 ||
			got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s for someone who is signed in: %d %s", path, got.Status, got.Body)
		}
		if got := stranger.Get(path, "Accept", "text/html"); strings.Contains(got.Body, link) {
			t.Errorf("%s for a stranger: %d", path, got.Status)
		}
	}
	for _, path := range []string{"/nowhere", "/api/nowhere", "/%3Cscript%3Ealert(1)%3C/script%3E", "/" + strings.Repeat("é", 400)} {
		a := h.Get(path, browser).Want(http.StatusNotFound)
		body := string(a.Body)
		if got := a.Header.Get("Content-Type"); !strings.EqualFold(got, "text/html; charset=utf-8") || strings.Contains(body, "<script>alert") ||
			!strings.Contains(body, "Page not found") || len(body) > 60_000 ||
			!strings.Contains(a.Header.Get("Content-Security-Policy"), "nonce-") || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%.40s: got %v, %s", path, a.Header, body)
		}
		h.Get(path).WantProblem(http.StatusNotFound, "NOT_FOUND")
	}
	h.Get("/og/0000000000000000000000", browser).WantProblem(http.StatusNotFound, "NOT_FOUND")
	h.Send("POST", "/nowhere", nil, browser).WantProblem(http.StatusNotFound, "NOT_FOUND")
}

// A page that everyone may see needs no database, also for someone with a session.
func TestNotFound_withoutTheDatabase(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	mine := webtest.SignIn(t, h.Base, h.Session.Access)
	if err := h.App.DB.Close(); err != nil {
		t.Fatal(err)
	}
	for path, status := range map[string]int{"/audit/rules": 200, "/audit/platforms": 200, "/nowhere": 404} {
		got := mine.Get(path, "Accept", "text/html")
		if got.Status != status || !strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") ||
			strings.Contains(got.Body, `href="/dashboard"`) {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
}

// A slash at the end of an address leads to the page without it, and never to another host.
func TestNotFound_slashAtTheEnd(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	browser := webtest.NewVisitor(t, h.Base)
	for path, want := range map[string]string{
		"/try/":                       "/try",
		"/dashboard/images/?kind=og":  "/dashboard/images?kind=og",
		"/nowhere//":                  "/nowhere",
		"//other.example/":            "/other.example",
		"///other.example//":          "/other.example",
		"/%5C%5Cother.example/":       "/%5C%5Cother.example",
		"/%0d%0aSet-Cookie:%20a=b/":   "/%0D%0ASet-Cookie:%20a=b",
		"/%3Cscript%3Ealert(1)%3C/a/": "/%3Cscript%3Ealert%281%29%3C/a",
	} {
		a := browser.Get(path, "Accept", "text/html,*/*;q=0.8")
		if got := a.Header.Get("Location"); a.Status != http.StatusMovedPermanently || got != want ||
			a.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: got %d to %q, want %q", path, a.Status, got, want)
		}
		h.Get(path).WantProblem(http.StatusNotFound, "NOT_FOUND")
	}
}
