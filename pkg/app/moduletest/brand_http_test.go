package moduletest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/fetch"
)

// brandSite is a site that shows its brand in every way, but for what a test takes away.
func brandSite(t *testing.T, head string, files map[string]string) *httptest.Server {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><html lang="pt-br"><head>%s</head>
				<body><h1>Como funcionam as marés | Porto</h1></body></html>`, head)
			return
		}
		body, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(site.Close)
	return site
}

// analyze asks with a session for what the page at an address is known by.
func analyze(h *apptest.Service, address string) *apptest.Response {
	return h.Post("/pages/analyze", map[string]any{"url": address}, apptest.Bearer(h.Session.Access))
}

// wantValues compares values of a response by their paths.
func wantValues(t *testing.T, r *apptest.Response, want map[string]any) {
	t.Helper()
	for path, value := range want {
		if got := r.Value(path); fmt.Sprint(got) != fmt.Sprint(value) {
			t.Errorf("%s: got %v, want %v", path, got, value)
		}
	}
}

func TestAnalyze_everySignalHasItsSource(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		r := analyze(h, h.Site.At("/page/one")).Want(http.StatusOK)
		wantValues(t, r, map[string]any{
			"url": h.Site.At("/page/one"), "finalUrl": h.Site.At("/page/one"),
			"favicon.url": h.Site.At("/icon.png"), "favicon.width": 180, "favicon.height": 180, "favicon.format": "png",
			"favicon.source": "icon", "icons.0.state": "usable", "icons.0.sizes": "180x180",
			"icons.0.transparent": false,
			"icons.1.state":       "failed", "icons.1.width": nil, "themeColor": "#0F766E",
			"sources.themeColor": "theme-color",
			"palette.0.hex":      "#0F766E", "palette.0.role": "primary", "palette.0.source": "theme-color",
			"palette.1.hex": "#FFFFFF", "palette.1.role": "background", "palette.1.source": "icon",
			"accent.hex": "#0F766E", "accent.source": "theme-color", "accent.candidates.0.hex": "#0F766E",
			"headline": "Page one", "sources.headline": "h1",
			"tagline":         "What the page called one is all about, in one sentence.",
			"sources.tagline": "description", "mood": "bold", "language": "en", "sources.language": "html lang",
			"confidence": 1,
		})
	})
}

// TestAnalyze_sessionOrKey has both ways to be known, and none.
func TestAnalyze_sessionOrKey(t *testing.T) {
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.Billing.FreeRPM = 77 })
	body := map[string]any{"url": h.Site.At("/page/one")}
	scoped := h.NewKey(h.Session, h.NewProject(h.Session))
	for _, token := range []string{h.Session.Access, h.Key, scoped} {
		r := h.Post("/pages/analyze", body, apptest.Bearer(token)).Want(http.StatusOK)
		if r.Header.Get("X-RateLimit-Limit") != "77" {
			t.Errorf("got a limit of %s, want the plan's", r.Header.Get("X-RateLimit-Limit"))
		}
	}
	h.Post("/pages/analyze", body).WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
	h.Post("/pages/analyze", body, apptest.Header("Cookie", "access_token="+h.Session.Access)).Want(http.StatusOK)
}

func TestAnalyze_noPageIsAnError(t *testing.T) {
	h := apptest.StartSignedIn(t)
	inside := h.Site.At("/redirect?to=http://169.254.169.254/")
	for _, c := range []struct {
		url    string
		status int
		want   string
	}{
		{"nonsense", http.StatusBadRequest, "url"},
		{"http://169.254.169.254/", http.StatusBadRequest, fetch.RefusedDetail},
		{inside, http.StatusBadRequest, fetch.RefusedDetail},
		{h.Site.At("/gone"), http.StatusBadGateway, "410"},
		{h.Site.At("/data.json"), http.StatusBadGateway, "application/json"},
	} {
		r := analyze(h, c.url).Want(c.status)
		if !strings.Contains(string(r.Body), c.want) {
			t.Errorf("%s: got %s, want %q", c.url, r.Body, c.want)
		}
		if c.status == http.StatusBadGateway && r.Text("errors.0.pointer") != "/url" {
			t.Errorf("%s: got %s, want the field named", c.url, r.Body)
		}
	}
	// A picture is what it shows.
	wantValues(t, analyze(h, h.Site.At("/icon.png")).Want(http.StatusOK), map[string]any{
		"headline": "icon.png", "accent.hex": "#0F766E", "accent.source": "og-image", "favicon": nil, "language": nil,
	})
}

// TestAnalyze_signalsOfASite looks at one site for each way to show a color or a line.
func TestAnalyze_signalsOfASite(t *testing.T) {
	sheet := `/* } */ :root{--brand:#c2410c;--text-primary:#111;--primary:222.2 47.4% 41.2%}
		.btn-primary{background:var(--primary)}`
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.Fetch.Allow = []string{"127.0.0.1/32"} })
	for name, c := range map[string]struct {
		head  string
		files map[string]string
		want  map[string]any
	}{
		"nothing": {"", nil, map[string]any{
			"favicon": nil, "themeColor": nil, "sources.themeColor": nil, "accent.hex": "#6366F1",
			"accent.source": "default",
			"palette.0.hex": "#FFFFFF", "palette.2.role": "neutral", "palette.0.source": "default",
			"palette.0.share": 0,
			"headline":        "Como funcionam as marés | Porto", "tagline": nil, "language": "pt-BR", "mood": "minimal", "confidence": .2,
		}},
		"theme colors of two modes": {`<meta name=theme-color media="(prefers-color-scheme: dark)" content=#7c3aed>
			<meta name=theme-color media="(prefers-color-scheme: light)" content=#0f766e>`, nil, map[string]any{
			"themeColor": "#0F766E", "accent.hex": "#7C3AED", "accent.source": "theme-color",
			"accent.name": "(prefers-color-scheme: dark)", "accent.candidates.1.source": "theme-color-other",
		}},
		"a white theme color": {`<meta name=theme-color content=#fff><link rel=mask-icon href=/m.svg color=#b91c1c>`,
			nil,
			map[string]any{"themeColor": "#FFFFFF", "accent.hex": "#B91C1C", "accent.source": "mask-icon"}},
		"the tile": {`<meta name=msapplication-TileColor content=#b91c1c>`, nil,
			map[string]any{"themeColor": "#B91C1C", "sources.themeColor": "tile-color", "accent.source": "tile-color"}},
		"the manifest": {`<link rel=manifest href=/m.json>`,
			map[string]string{"/m.json": `{"theme_color":"rgb(185 28 28)","background_color":"#fef2f2"}`},
			map[string]any{
				"themeColor": "#B91C1C", "sources.themeColor": "manifest", "accent.source": "manifest",
				"palette.1.hex": "#FEF2F2", "palette.1.name": "background_color", "palette.1.role": "background",
			}},
		"the first style sheet": {`<link rel=stylesheet href=/s.css><link rel=stylesheet href=/t.css>`,
			map[string]string{"/s.css": sheet, "/t.css": ":root{--accent:#0f0}"},
			map[string]any{
				// What the button refers to speaks for the property.
				"accent.hex": "#37559B", "accent.source": "custom-property", "accent.name": "--primary",
				"accent.candidates.1.source": "custom-property", "accent.candidates.1.name": "--brand",
				"palette.0.hex": "#C2410C", "palette.0.name": "--brand",
			}},
		"a style element, with what frameworks bring": {`<style>:root{--bs-primary:#0d6efd;--bs-red:#dc3545;
			--color-accent:#b91c1c}.btn{background:#0d6efd}</style>`, nil,
			map[string]any{"accent.hex": "#B91C1C", "accent.name": "--color-accent", "palette.0.hex": "#B91C1C"}},
		"a button": {`<style>.cta{background:#b91c1c}</style>`, nil,
			map[string]any{"accent.hex": "#B91C1C", "accent.source": "button", "accent.name": ".cta"}},
		"the site's name": {`<meta property=og:site_name content=porto>` +
			`<meta property=og:description content="Do mar.">`, nil,
			map[string]any{"headline": "Como funcionam as marés", "tagline": "Do mar.",
				"sources.tagline": "og:description"}},
	} {
		t.Run(name, func(t *testing.T) {
			site := brandSite(t, c.head, c.files)
			wantValues(t, analyze(h.With(t), site.URL+"/").Want(http.StatusOK), c.want)
		})
	}
}
