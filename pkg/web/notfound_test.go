package web_test

import (
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// A browser gets a page where there is nothing, programs get a problem, and so does everybody from an operation.
func TestNotFound_browserGetsAPage(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	browser := apptest.Header("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
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
