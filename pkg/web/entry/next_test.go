package entry

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestNextOf(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]string{
		"":                                   home,
		"/audit/example":                     "/audit/example",
		"/swagger?a=b&c=%2F%2Fd#/Auth":       "/swagger?a=b&c=%2F%2Fd#/Auth",
		"audit":                              home,
		"https://evil.example/":              home,
		"//evil.example":                     home,
		"///evil.example":                    home,
		`/\evil.example`:                     home,
		`\/evil.example`:                     home,
		"/\t/evil.example":                   home,
		"/\n/evil.example":                   home,
		" //evil.example":                    home,
		"javascript:alert(1)":                home,
		"/a b":                               home,
		"/\u00a0/":                           home,
		"/" + strings.Repeat("a", maxNext-1): "/" + strings.Repeat("a", maxNext-1),
		"/" + strings.Repeat("a", maxNext):   home,
		"/sign-in":                           home,
		"/sign-in/passkey":                   home,
		"/sign-out":                          home,
		"/register?next=/":                   home,
		"/sign-in-help":                      "/sign-in-help",
	} {
		if got := nextOf(asked); got != want {
			t.Errorf("%.60q: got %.60q, want %.60q", asked, got, want)
		}
	}
}

// FuzzNextOf resolves each result as a browser does: it stays on the site.
func FuzzNextOf(f *testing.F) {
	for _, seed := range []string{"/a", "//b", `/\b`, "/%2e%2e//b", "/a?b#c", "https:/b", "/\x00"} {
		f.Add(seed)
	}
	base := &url.URL{Scheme: "https", Host: "own.example", Path: signInPath}
	f.Fuzz(func(t *testing.T, asked string) {
		got := nextOf(asked)
		// Browsers remove tabs and newlines, and read \ as / (https://url.spec.whatwg.org/#url-parsing).
		u, err := url.Parse(strings.NewReplacer("\t", "", "\n", "", "\r", "", `\`, "/").Replace(got))
		if err != nil {
			t.Fatalf("%q: got %q: %v", asked, got, err)
		}
		if to := base.ResolveReference(u); to.Host != base.Host || to.Scheme != base.Scheme {
			t.Errorf("%q: leads to %s", asked, to)
		}
		r := http.Header{}
		r.Set("Location", got)
		if strings.ContainsAny(got, "\r\n") {
			t.Errorf("%q: got %q, which is two headers", asked, got)
		}
	})
}
