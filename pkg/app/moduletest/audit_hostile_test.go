package moduletest_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// payload would run in a page that writes it out as it is.
const payload = `"><script>alert(1)</script><img src=x onerror=alert(1)>` + "`${alert(1)}'"

// TestPayloads_areData holds that what a hostile page says comes back as what it is, character by character, in JSON
// that no browser takes for a page.
func TestPayloads_areData(t *testing.T) {
	escaped := html.EscapeString(payload)
	tags := `<title>` + escaped + `</title><h1>` + escaped + `</h1><link rel=icon href="/` + escaped + `">
		<link rel=canonical href="javascript:alert(1)"><link rel=alternate hreflang="` + escaped + `" href="/` +
		escaped + `">`
	for _, key := range []string{"og:title", "og:description", "og:site_name", "og:image", "og:type", "twitter:card",
		"twitter:site"} {
		tags += `<meta property="` + key + `" content="` + escaped + `">`
	}
	tags += `<script type="application/ld+json">{"@type": "</scr` + `ipt><script>alert(1)</script>`
	site := http.NewServeMux()
	site.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("X-Robots-Tag", payload)
		_, _ = w.Write([]byte(tags)) // the client may have left
	})
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	address := server.Listener.Addr().String()
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.Fetch.Allow = []string{apptest.Allowed(address)} })
	made := s.Post("/audits", map[string]any{"url": "http://" + address + "/"}).Want(http.StatusOK)
	for _, r := range []*apptest.Response{made, s.Get("/audits/" + made.Text("id")).Want(http.StatusOK)} {
		if r.Text("metadata.title") != payload || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
			t.Errorf("got title %q as %s", r.Text("metadata.title"), r.Header.Get("Content-Type"))
		}
		if got := r.Header.Get("Content-Security-Policy"); !strings.HasPrefix(got, "default-src 'none'") {
			t.Errorf("got policy %q, want one under which nothing runs", got)
		}
		for _, issue := range r.Value("issues").([]any) {
			if code, _ := issue.(map[string]any)["code"].(string); strings.Contains(code, "<script>alert") {
				t.Errorf("%v: got code %q to paste", issue.(map[string]any)["id"], code)
			}
		}
	}
	preview := s.Post("/audits/preview", map[string]any{"url": "http://" + address + "/"},
		apptest.Bearer(s.Session.Access))
	preview.Want(http.StatusOK)
	for _, field := range []string{"title", "description", "siteName"} {
		if got := preview.Text("metadata." + field); got != payload {
			t.Errorf("preview: %s: got %q, want nothing rewritten", field, got)
		}
	}
}
