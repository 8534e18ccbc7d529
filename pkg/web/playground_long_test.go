package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// TestTry_pageOfLongTexts reads pages of which all texts are as long as they are read, and of characters that take
// the most bytes: they are kept and drawn.
func TestTry_pageOfLongTexts(t *testing.T) {
	t.Parallel()
	base, allow := serving(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		long := strings.Repeat(map[string]string{"/marks": "&lt;", "/signs": "𝔐"}[r.URL.Path], 3000)
		fmt.Fprintf(w, "<html lang=en><title>%s</title>", long)
		for _, key := range []string{
			"og:title", "og:description", "og:site_name", "og:url", "twitter:title", "twitter:description", "twitter:site",
			"description", "author", "application-name", "article:author", "article:section",
		} {
			fmt.Fprintf(w, `<meta property="%s" name="%s" content="%s">`, key, key, long)
		}
		fmt.Fprintf(w, "<h1>%s</h1><main><p>%s</p><pre><code>", long, long)
		for range 20 {
			fmt.Fprintln(w, long[:800])
		}
		fmt.Fprintf(w, "</code></pre><ol><li>%s<li>%s<li>%s</ol><blockquote>%s</blockquote>", long, long, long, long)
	})
	s := apptest.StartSignedIn(t, allow)
	for _, path := range []string{"/marks", "/signs"} {
		const want = "Choose a face for this page"
		if page := string(s.Get(ticketOf(t, s, base+path)).Body); !strings.Contains(page, want) {
			t.Errorf("%s: got a page without %q: %s", path, want, page[strings.Index(page, "<main"):])
		}
	}
}
