package images_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/fetch"
)

// TestGenerate_addressOfBrowserIsTaken holds that only what no browser opens is refused, and with the reason.
func TestGenerate_addressOfBrowserIsTaken(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	for given, want := range map[string]string{"/page/100%": "/page/100%25", "/page/one?rate=5%": "/page/one?rate=5%",
		"/page/a b": "/page/a%20b"} {
		if got := h.Generate(given, nil).Want(http.StatusOK).Text("url"); got != h.Site.At(want) {
			t.Errorf("%s: got %s, want %s", given, got, h.Site.At(want))
		}
	}
	for address, detail := range map[string]string{
		"ftp://example.com/": "url must be an http or https address such as https://example.com/page, " +
			`not "ftp://example.com/".`,
		"https://exa%6dple.com/": "url is not valid: the host of the address contains a character that no host name may have.",
	} {
		a := h.Post("/images/generate", map[string]any{"url": address, "projectId": h.Project},
			apptest.Bearer(h.Key)).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		if a.Text("detail") != detail || a.Text("errors.0.pointer") != "/url" {
			t.Errorf("%s: got %s, want %q", address, a.Body, detail)
		}
	}
}

// TestGetPublicImage_badIDAsksNoDatabase holds that what cannot be an id asks no database, which may not even take it
// for text.
func TestGetPublicImage_badIDAsksNoDatabase(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		for _, id := range []string{"%00", "%ff", strings.Repeat("a", 21) + "%00", strings.Repeat("a", 22), "..",
			strings.Repeat("a", 4000)} {
			h.Get("/og/"+id).WantProblem(http.StatusNotFound, "NOT_FOUND")
		}
	})
}

// TestGenerate_privateTargetIsNeverReached listens on loopback beside the site that is allowed, and counts connections.
func TestGenerate_privateTargetIsNeverReached(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	var reached atomic.Int64
	private := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
	}))
	private.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			reached.Add(1)
		}
	}
	private.Start()
	t.Cleanup(private.Close)
	_, port, err := net.SplitHostPort(private.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{
		"http://127.0.0.1:" + port, "http://localhost:" + port, "http://127.1:" + port, "http://2130706433:" + port,
		"http://0x7f000001:" + port,
		"http://0177.0.0.1:" + port, "http://[::1]:" + port, "http://[::ffff:127.0.0.1]:" + port,
		"http://0.0.0.0:" + port,
		"http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://[fd00::1]/",
		"http://metadata.internal/",
		"http://printer.local/",
		h.Site.At("/redirect?to=" + url.QueryEscape("http://127.0.0.1:"+port)),
		h.Site.At("/redirect?to=" + url.QueryEscape("http://localhost:"+port)),
		h.Site.At("/redirect?to=" + url.QueryEscape("http://169.254.169.254/")),
		h.Site.At("/redirect?to=" + url.QueryEscape(h.Site.At("/redirect?to="+url.QueryEscape("http://[::1]:"+port)))),
	} {
		a := h.Post("/images/generate", map[string]any{"url": target, "projectId": h.Project}, apptest.Bearer(h.Key))
		if a.Status != http.StatusBadRequest || !strings.HasPrefix(a.Text("detail"), fetch.RefusedDetail+" ") ||
			!strings.Contains(a.Text("detail"), "MASTHEAD_FETCH_ALLOW=127.0.0.1/32:3000") ||
			a.Text("errors.0.pointer") != "/url" || a.Text("errors.0.detail") != a.Text("detail") {
			t.Errorf("%s: got %d %s, want the one sentence", target, a.Status, a.Body)
		}
		logo := map[string]any{"style": map[string]any{"logo": map[string]any{"url": target}}}
		if a := h.Generate("/page/one", logo); a.Status != http.StatusBadRequest {
			t.Errorf("%s as a logo: got %d %s", target, a.Status, a.Body)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("the private server was reached %d times", n)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "::1",
		"10.0.0.1", "printer.local"} {
		var events int
		err := h.App.DB.Get(t.Context(), &events,
			`SELECT count(*) FROM audit_events WHERE action = 'target_refused' AND subject = ?`, host)
		if err != nil || events == 0 {
			t.Errorf("%s: got %d events of a refused target, %v", host, events, err)
		}
	}
}

// TestGenerate_faultOfThePageNamesTheField holds that a program finds out by the pointer which address was at fault.
func TestGenerate_faultOfThePageNamesTheField(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	for _, path := range []string{"/missing", "/data.json"} {
		a := h.Generate(path, nil).WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
		if a.Text("errors.0.pointer") != "/url" || a.Text("errors.0.detail") != a.Text("detail") {
			t.Errorf("%s: got %s, want the pointer /url", path, a.Body)
		}
	}
	logo := map[string]any{"style": map[string]any{"logo": map[string]any{"url": h.Site.At("/data.json")}}}
	a := h.Generate("/page/logo", logo).WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
	want := "The logo cannot be used: it is not a PNG, JPEG, GIF, WebP, ICO or SVG picture."
	if a.Text("detail") != want ||
		a.Text("errors.0.pointer") != "/style/logo/url" {
		t.Errorf("a logo that is no picture: got %s, want %s", a.Body, want)
	}
}

func TestGenerate_unknownTemplateNamesThoseThereAre(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	for kind, path := range map[string]string{"og": "/templates?kind=og", "blog_hero": "/templates?kind=blog_hero"} {
		a := h.Generate("/page/one", map[string]any{"template": "nope", "kind": kind})
		a.WantProblem(http.StatusNotFound, "NOT_FOUND")
		if !strings.Contains(a.Text("detail"), `"nope"`) || a.Text("errors.0.pointer") != "/template" {
			t.Errorf("%s: got %s, want what was given and where", kind, a.Body)
		}
		items, _ := h.Get(path).Want(http.StatusOK).Value("items").([]any)
		for _, item := range items {
			if slug, _ := item.(map[string]any)["slug"].(string); !strings.Contains(a.Text("detail"), slug) {
				t.Errorf("%s: got %s, want it to name %s", kind, a.Text("detail"), slug)
			}
		}
	}
	a := h.Get("/templates/nope").WantProblem(http.StatusNotFound, "NOT_FOUND")
	if !strings.Contains(a.Text("detail"), "editorial") {
		t.Errorf("got %s, want the list", a.Text("detail"))
	}
}
