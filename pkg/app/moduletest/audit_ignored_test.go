package moduletest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// The audit of a page whose share image is a /og address with a misspelled parameter says which one has no effect.
func TestAudit_misspelledParameterOfOGIsNamed(t *testing.T) {
	t.Parallel()
	var image atomic.Value
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>A page</title>`+
			`<meta property="og:image" content="%s">`+
			`</head><body><h1>A page</h1></body></html>`, image.Load())
	}))
	t.Cleanup(site.Close)
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.Fetch.Allow = []string{"127.0.0.1/32"} })
	project := h.Send("PATCH", "/projects/"+h.Project, map[string]any{"domains": []string{"127.0.0.1"}},
		apptest.Bearer(h.Session.Access)).Want(http.StatusOK).Text("publicId")
	for query, want := range map[string]string{"&amp;templte=poster": "without effect: templte",
		"&amp;template=poster": "The image loads"} {
		image.Store(h.Base + "/og/" + project + "?url=" + site.URL + "/" + query)
		report := h.Post("/audits", map[string]any{"url": site.URL + "/?" + want[:2]},
			apptest.Bearer(h.Session.Access)).
			Want(http.StatusOK)
		if !strings.Contains(string(report.Body), want) {
			t.Errorf("%s: the report doesn't say %q", query, want)
		}
	}
}
