package images_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// ogService is a service with a project whose domain is the site's host.
type ogService struct {
	*apptest.Service
	publicID string
}

// onDomain gives the project of s domains; the first is that of the site.
func onDomain(s *apptest.Service, more ...string) *ogService {
	domains := append([]string{"127.0.0.1"}, more...)
	got := s.Send("PATCH", "/projects/"+s.Project, map[string]any{"domains": domains}, apptest.Bearer(s.Session.Access)).
		Want(http.StatusOK)
	return &ogService{s, got.Text("publicId")}
}

// og asks for the picture of a page, with further parameters such as "v=2".
func (s *ogService) og(page string, more ...string) *apptest.Response {
	return s.Get("/og/" + s.publicID + "?" + strings.Join(append([]string{"url=" + url.QueryEscape(page)}, more...), "&"))
}

const (
	forever    = "public, max-age=31536000, immutable"
	forMinutes = "public, max-age=300"
)

// Rule: public, no authentication; Cache-Control; any change to a query parameter yields a new cache URL.
func TestOG_pageOfAProjectIsDrawnOnceAndKept(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, plain *apptest.Service) {
		s := onDomain(plain)
		page := s.Site.At("/page/one")
		first := s.og(page).Want(http.StatusOK)
		if got := first.Header.Get("Cache-Control"); got != forever {
			t.Errorf("got Cache-Control %q, want %q", got, forever)
		}
		if got := first.Header.Get("X-Masthead-Fallback"); got != "" {
			t.Errorf("got X-Masthead-Fallback %q, want none", got)
		}
		size, _, err := image.DecodeConfig(bytes.NewReader(first.Body))
		if err != nil || size.Width != 1200 || size.Height != 630 {
			t.Errorf("got %v, %v, want 1200x630", size, err)
		}
		tag := first.Header.Get("ETag")
		if again := s.og(page, "utm=ignored").Want(http.StatusOK); !bytes.Equal(again.Body, first.Body) {
			t.Error("an unknown parameter made another picture")
		}
		path := "/og/" + s.publicID + "?url=" + url.QueryEscape(page)
		s.Get(path, apptest.Header("If-None-Match", tag)).Want(http.StatusNotModified)
		head := s.Send(http.MethodHead, path, nil).Want(http.StatusOK)
		if head.Header.Get("ETag") != tag || head.Header.Get("Content-Length") != fmt.Sprint(len(first.Body)) {
			t.Errorf("HEAD: got %v, want the headers of GET", head.Header)
		}
		if got := s.Site.Pages.Load(); got != 1 {
			t.Errorf("the page was read %d times, want once", got)
		}
		for _, other := range []string{"v=2", "dark=false", "accent=BE185D", "kind=blog_hero", "font=instrument-serif"} {
			if got := s.og(page, other).Want(http.StatusOK); bytes.Equal(got.Body, first.Body) && other != "v=2" {
				t.Errorf("%s: got the same picture", other)
			}
		}
		if got := s.Site.Pages.Load(); got != 6 {
			t.Errorf("the page was read %d times, want once for each of 6 pictures", got)
		}
		if s.og(page, "accent=be185d").Want(http.StatusOK); s.Site.Pages.Load() != 6 {
			t.Error("the same colour in another spelling was drawn anew")
		}
	})
}

func TestOG_badParametersAreNamed(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t))
	page := s.Site.At("/page/one")
	for query, pointer := range map[string]string{
		"kind=poster": "query.kind", "template=no-such-template": "query.template", "accent=teal": "query.accent",
		"dark=maybe": "query.dark", "font=comic-sans": "query.font", "logoUrl=logo.png": "query.logoUrl",
		"logoPosition=middle": "query.logoPosition", "aspectRatio=4:3": "query.aspectRatio", "ai=maybe": "query.ai",
		"aiModel=best": "query.aiModel", "v=a%2Fb": "query.v", "v=" + strings.Repeat("a", 65): "query.v",
		"aiPrompt=" + strings.Repeat("a", 501): "query.aiPrompt",
	} {
		got := s.og(page, query).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		if !strings.Contains(string(got.Body), pointer) {
			t.Errorf("%s: got %s, want %s named", query, got.Body, pointer)
		}
		if cache := got.Header.Get("Cache-Control"); cache != "no-store" {
			t.Errorf("%s: got Cache-Control %q, want no-store", query, cache)
		}
	}
	s.Get("/og/"+s.publicID).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	s.og("ftp://127.0.0.1/").WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	if got := s.Site.Pages.Load(); got != 0 {
		t.Errorf("the page was read %d times, want never", got)
	}
}

// Rule: the url's host must be in the project's domains, else 403.
func TestOG_pagesOfOtherDomainsAreForbidden(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t), "example.com")
	for _, page := range []string{"https://example.org/", "https://notexample.com/", "http://127.0.0.2/", "http://[::1]/"} {
		s.og(page).WantProblem(http.StatusForbidden, "FORBIDDEN")
	}
	s.og(s.Site.At("/page/one"), "logoUrl="+url.QueryEscape("https://example.org/logo.png")).
		WantProblem(http.StatusForbidden, "FORBIDDEN")
	s.og(s.Site.At("/page/one")).Want(http.StatusOK)
	user := apptest.Bearer(s.Session.Access)
	s.Send("PATCH", "/projects/"+s.Project, map[string]any{"domains": []string{}}, user).Want(http.StatusOK)
	s.og(s.Site.At("/page/one")).WantProblem(http.StatusForbidden, "FORBIDDEN") // and at once
	s.Send("DELETE", "/projects/"+s.Project, nil, user).Want(http.StatusNoContent)
	s.og(s.Site.At("/page/one")).WantProblem(http.StatusNotFound, "NOT_FOUND")
	s.Get("/og/abcdefghijkl?url=https%3A%2F%2Fexample.com%2F").WantProblem(http.StatusNotFound, "NOT_FOUND")
}

func TestOG_changeOnAnotherNodeCountsWithinSeconds(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, plain *apptest.Service) {
		s := onDomain(plain)
		page := s.Site.At("/page/one")
		s.og(page).Want(http.StatusOK)
		s.StartNode().Send("PATCH", "/projects/"+s.Project, map[string]any{"domains": []string{}},
			apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
		apptest.WaitFor(t, "the domains to change", func() bool { return s.og(page).Status == http.StatusForbidden })
	})
}

// Rule: never an empty preview.
func TestOG_pageThatCannotBeReadHasACardOfItsAddress(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t))
	asked := 0
	s.Site.Config.Handler = counting(s.Site.Config.Handler, &asked)
	first := s.og(s.Site.At("/gone")).Want(http.StatusOK)
	if got := first.Header.Get("X-Masthead-Fallback"); got != "upstream" {
		t.Errorf("got X-Masthead-Fallback %q, want upstream", got)
	}
	if got := first.Header.Get("Cache-Control"); got != forMinutes {
		t.Errorf("got Cache-Control %q, want %q", got, forMinutes)
	}
	if painted(t, first.Body) < 20 {
		t.Error("the card is empty")
	}
	again := s.Get("/og/"+s.publicID+"?url="+url.QueryEscape(s.Site.At("/gone")),
		apptest.Header("If-None-Match", first.Header.Get("ETag"))).Want(http.StatusNotModified)
	if got := again.Header.Get("X-Masthead-Fallback"); got != "upstream" {
		t.Errorf("304: got X-Masthead-Fallback %q, want upstream", got)
	}
	if asked != 1 {
		t.Errorf("the dead page was asked for %d times, want once a minute", asked)
	}
	var kept int
	if err := s.App.DB.Get(t.Context(), &kept, `SELECT COUNT(*) FROM images`); err != nil || kept != 0 {
		t.Errorf("%d cards of addresses are stored (%v), want none", kept, err)
	}
}

// painted counts the colours of a picture, up to some hundred.
func painted(t *testing.T, data []byte) int {
	t.Helper()
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	colors := map[color.Color]bool{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if colors[img.At(x, y)] = true; len(colors) > 500 {
				return len(colors)
			}
		}
	}
	return len(colors)
}

func counting(next http.Handler, n *int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { *n++; next.ServeHTTP(w, r) })
}

func TestOG_pageThatDiedKeepsItsPicture(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t))
	first := s.og(s.Site.At("/page/one")).Want(http.StatusOK)
	s.Site.Close()
	again := s.og(s.Site.At("/page/one")).Want(http.StatusOK)
	if !bytes.Equal(again.Body, first.Body) || again.Header.Get("X-Masthead-Fallback") != "" {
		t.Errorf("got another picture, or %v", again.Header)
	}
	if got := s.og(s.Site.At("/page/two")).Want(http.StatusOK).Header.Get("X-Masthead-Fallback"); got != "upstream" {
		t.Errorf("a page that was never read: got X-Masthead-Fallback %q, want upstream", got)
	}
}

// Rule: a redirect that leaves the domains gives the fallback card.
func TestOG_redirectOffTheDomainsGivesTheFallbackCard(t *testing.T) {
	t.Parallel()
	foreign := foreignSite(t, []byte("<!doctype html><title>Somebody else's page</title>"))
	s := onDomain(apptest.StartSignedIn(t, func(c *app.Config) { c.Fetch.Allow = append(c.Fetch.Allow, "127.0.0.2/32") }))
	within := s.Site.At("/redirect?to=" + url.QueryEscape(s.Site.At("/page/one")))
	if got := s.og(within).Want(http.StatusOK).Header.Get("X-Masthead-Fallback"); got != "" {
		t.Errorf("within: got X-Masthead-Fallback %q, want none", got)
	}
	away := s.Site.At("/redirect?to=" + url.QueryEscape(foreign))
	if got := s.og(away).Want(http.StatusOK).Header.Get("X-Masthead-Fallback"); got != "upstream" {
		t.Errorf("away: got X-Masthead-Fallback %q, want upstream", got)
	}
}

// foreignSite serves the same at every path of an address that is on no project's domains, and returns its address.
func foreignSite(t *testing.T, data []byte) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	foreign := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(data)
	}))
	foreign.Listener = listener
	foreign.Start()
	t.Cleanup(foreign.Close)
	return foreign.URL
}

// Rule: logoUrl must be in the project's domains too; a redirect that leaves them gives the fallback card.
func TestOG_logoFromOffTheDomainsIsNotDrawn(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t, func(c *app.Config) { c.Fetch.Allow = append(c.Fetch.Allow, "127.0.0.2/32") }))
	resp, err := http.Get(s.Site.At("/icon.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	logo, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	foreign := foreignSite(t, logo)
	for to, want := range map[string]string{s.Site.At("/icon.png"): "", foreign + "/logo.png": "upstream"} {
		hop := s.Site.At("/redirect?to=" + url.QueryEscape(to))
		got := s.og(s.Site.At("/page/one"), "logoUrl="+url.QueryEscape(hop)).Want(http.StatusOK)
		if reason := got.Header.Get("X-Masthead-Fallback"); reason != want {
			t.Errorf("a logo at %s, after a redirect: got X-Masthead-Fallback %q, want %q", to, reason, want)
		}
	}
	// Its owner may have it from anywhere.
	style := map[string]any{"logo": map[string]any{"url": foreign + "/logo.png"}}
	s.Generate("/page/one", map[string]any{"style": style}).Want(http.StatusOK)
}

func TestOG_targetThatMustNotBeReachedIsOneSentence(t *testing.T) {
	t.Parallel()
	s := onDomain(apptest.StartSignedIn(t), "10.0.0.1", "localhost")
	for _, page := range []string{"http://10.0.0.1/", "http://localhost/", "http://10.0.0.1/"} {
		got := s.og(page).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		body := string(got.Body)
		if !strings.Contains(body, "only public web pages can") || !strings.Contains(body, "query.url") {
			t.Errorf("%s: got %s", page, got.Body)
		}
	}
}

// Rule: at most 50 variants made by /og are kept per url, the oldest goes; never a record made by POST.
func TestOG_keepsFiftyVariantsOfAPage(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, plain *apptest.Service) {
		s := onDomain(plain)
		s.Generate("/page/one", map[string]any{"style": map[string]any{"accent": "#aa0000"}}).Want(http.StatusOK)
		s.og(s.Site.At("/page/one"), "accent=00aa00").Want(http.StatusOK)
		// Asked for by POST too, so it is no variant any more.
		s.Generate("/page/one", map[string]any{"style": map[string]any{"accent": "#00aa00"}}).Want(http.StatusOK)
		s.og(s.Site.At("/page/two")).Want(http.StatusOK)
		for i := range 52 {
			s.og(s.Site.At("/page/one"), fmt.Sprint("v=", i)).Want(http.StatusOK)
		}
		var kept []string
		if err := s.App.DB.Select(t.Context(), &kept, `SELECT url FROM images ORDER BY id`); err != nil {
			t.Fatal(err)
		}
		if len(kept) != 53 {
			t.Errorf("%d images are kept, want 50 variants, 2 that POST asked for, and the other page's", len(kept))
		}
		pages := s.Site.Pages.Load()
		s.og(s.Site.At("/page/one"), "v=51").Want(http.StatusOK)
		s.og(s.Site.At("/page/one"), "accent=00aa00").Want(http.StatusOK)
		if s.Site.Pages.Load() != pages {
			t.Error("a late variant, or what POST asked for, was drawn anew")
		}
		if s.og(s.Site.At("/page/one"), "v=0").Want(http.StatusOK); s.Site.Pages.Load() != pages+1 {
			t.Error("the oldest variant was still there")
		}
	})
}

// Rule: publicId of an image: other parameters are ignored.
func TestOG_imageIgnoresParameters(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	made := s.Generate("/page/one", nil).Want(http.StatusOK)
	want := s.Get(made.Path("publicUrl")).Want(http.StatusOK)
	got := s.Get("/og/" + made.Text("publicId") + "?kind=poster&dark=maybe&url=nonsense&v=%00&v=2").Want(http.StatusOK)
	if !bytes.Equal(got.Body, want.Body) {
		t.Error("got another picture")
	}
}
