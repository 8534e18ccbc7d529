package app_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// The sentences of the specification about the request and the response of POST /images/generate, and about who may
// send what.

func TestSpecification_spellingsAndContentType(t *testing.T) {
	s := apptest.StartSignedIn(t)
	key, body := apptest.Bearer(s.Key), map[string]any{"url": s.Site.At("/page/spelling"), "projectId": s.Project}
	says(t, "Both spellings are used for the same operation: with and without an /api prefix.")
	first := s.Post("/images/generate", body, key).Want(http.StatusOK)
	if again := s.Post("/api/images/generate", body, key).Want(http.StatusOK); again.Text("id") != first.Text("id") ||
		again.Value("cached") != true {
		t.Errorf("with /api: got %s, want the image of before", again.Body)
	}
	says(t, "Content-Type: application/json.")
	s.Post("/images/generate", body, key, apptest.Header("Content-Type", "text/plain")).
		WantProblem(http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
}

// What is left out is the default: the request without the field and that with its default are one image.
func TestSpecification_defaultsOfTheRequest(t *testing.T) {
	s := apptest.StartSignedIn(t)
	logo := func(more look) look {
		all := look{"url": s.Site.At("/icon.png")}
		for name, value := range more {
			all[name] = value
		}
		return style("logo", all)
	}
	for _, c := range []struct {
		sentence   string
		short, let look
	}{
		{"kind is one of og, blog_hero, icon_set, default og.", nil, look{"kind": "og"}},
		{"template is a slug, default editorial.", nil, look{"template": "editorial"}},
		{"style.dark is a boolean, default true.", nil, style("dark", true)},
		{"style.font is one of six.", nil, style("font", "inter")},
		{"style.logo.position is one of four.", logo(nil), logo(look{"position": "top-left"})},
		{"style.aspectRatio is 16:9 or 16:10 and applies to blog_hero only.", nil, style("aspectRatio", "16:10")},
		{"style.aspectRatio is 16:9 or 16:10 and applies to blog_hero only.",
			look{"kind": "blog_hero"}, look{"kind": "blog_hero", "style": look{"aspectRatio": "16:9"}}},
		{"style.accent is a hex colour in the form #RRGGBB.", style("accent", "#AA3300"), style("accent", "#aa3300")},
	} {
		first := s.Generate("/page/defaults", c.short).Want(http.StatusOK)
		if same := s.Generate("/page/defaults", c.let).Want(http.StatusOK); same.Text("id") != first.Text("id") {
			t.Errorf("%s: %v and %v gave two images", c.sentence, c.short, c.let)
		}
	}
	plain := s.Generate("/page/defaults", nil).Want(http.StatusOK)
	for field, want := range map[string]any{"kind": "og", "template": "editorial", "style.dark": true, "width": 1200.0,
		"height": 630.0} {
		if got := plain.Value(field); got != want {
			t.Errorf("%s: got %v, want %v by default", field, got, want)
		}
	}
}

func TestSpecification_fieldsOfTheRequest(t *testing.T) {
	s := apptest.StartSignedIn(t)
	says(t, "url is required and must be a valid URL.", "projectId is required, a UUID.",
		"kind is one of og, blog_hero, icon_set, default og.", "template is a slug, default editorial.",
		"style.accent is a hex colour in the form #RRGGBB.", "style.dark is a boolean, default true.",
		"style.font is one of six.", "style.logo.url is required inside logo.", "style.logo.position is one of four.",
		"style.aspectRatio is 16:9 or 16:10 and applies to blog_hero only.")
	page := s.Site.At("/page/fields")
	for _, wrong := range []look{
		{"projectId": s.Project}, {"url": page}, {"url": "not a url", "projectId": s.Project},
		{"url": "/page/fields", "projectId": s.Project}, {"url": "ftp://example.com/", "projectId": s.Project},
		{"url": page, "projectId": "1"},
	} {
		s.Post("/images/generate", wrong, apptest.Bearer(s.Key)).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	}
	picture := s.Site.At("/icon.png")
	for _, wrong := range []look{
		{"kind": "poster"}, {"template": 7}, style("accent", "#abc"), style("accent", "aa3300"), style("accent", "red"),
		style("dark", "yes"), style("font", "comic-sans"), style("logo", look{"position": "top-left"}),
		style("logo", look{"url": picture, "position": "middle"}), style("aspectRatio", "4:3"), {"ai": "yes"},
		{"ai": look{"model": "best"}}, {"ai": look{"override": "yes"}}, {"force": "yes"},
	} {
		s.Generate("/page/fields", wrong).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	}
	for _, font := range []string{
		"inter", "plus-jakarta-sans", "space-grotesk", "jetbrains-mono", "noto-sans", "instrument-serif",
	} {
		s.Generate("/page/fields", style("font", font)).Want(http.StatusOK)
	}
	for _, position := range []string{"top-left", "top-right", "bottom-left", "bottom-right"} {
		s.Generate("/page/fields", style("logo", look{"url": picture, "position": position})).Want(http.StatusOK)
	}
	for ratio, height := range map[string]float64{"16:9": 900, "16:10": 1000} {
		got := s.Generate("/page/fields", look{"kind": "blog_hero", "style": look{"aspectRatio": ratio}}).Want(http.StatusOK)
		if got.Value("width") != 1600.0 || got.Value("height") != height {
			t.Errorf("%s: got %vx%v, want 1600x%v", ratio, got.Value("width"), got.Value("height"), height)
		}
	}
}

// Source: the specification, "Generate response (image record)"; the types are held to the document, which each
// response is compared with.
func TestSpecification_fieldsOfTheResponse(t *testing.T) {
	says(t, "The response has each field of the image record.")
	s := apptest.StartSignedIn(t)
	plain := s.Generate("/page/record", nil).Want(http.StatusOK)
	if plain.Text("id") == "" || !strings.Contains(plain.Text("imageUrl"), "/cdn/") || plain.Value("ai") != nil ||
		plain.Value("assets") != nil || plain.Text("source.title") == "" {
		t.Errorf("got %s", plain.Body)
	}
	for _, field := range []string{"description", "favicon"} {
		if _, there := plain.Value("source").(map[string]any)[field]; !there {
			t.Errorf("source has no %s", field)
		}
	}
	asked := s.Generate("/page/record", look{"ai": look{"prompt": "fog"}}).Want(http.StatusOK)
	about, _ := asked.Value("ai").(map[string]any)
	for field, want := range map[string]any{"enabled": true, "model": "standard", "prompt": nil, "fellBack": true} {
		if got, there := about[field]; !there || got != want {
			t.Errorf("ai.%s without a provider: got %v, want %v", field, got, want)
		}
	}
}

// Source: the specification, "Authentication" and the endpoints of sessions.
func TestSpecification_accessTokens(t *testing.T) {
	s := apptest.StartSignedIn(t)
	says(t, "Both return a JWT access token used as the bearer credential.",
		"bearerAuth: JWT access token, sent as Authorization: Bearer, for dashboard-type endpoints.")
	image := s.Generate("/page/token", nil).Want(http.StatusOK).Text("id")
	account := map[string]any{"email": "jwt@example.com", "password": apptest.Password, "name": "J"}
	registered := s.Post("/auth/register", account).Want(http.StatusCreated).Text("accessToken")
	delete(account, "name")
	signedIn := s.Post("/auth/login", account).Want(http.StatusOK).Text("accessToken")
	for _, token := range []string{registered, signedIn, s.Session.Access} {
		if strings.Count(token, ".") != 2 {
			t.Errorf("got %q, want a JWT", token)
		}
		s.Get("/users/me", apptest.Bearer(token)).Want(http.StatusOK)
		s.Get("/images/"+image, apptest.Bearer(token)).Want(map[bool]int{true: 200, false: 404}[token == s.Session.Access])
	}
	s.Get("/users/me").WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
	s.Get("/users/me", apptest.Bearer(s.Key)).WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
}

// Source: the specification, "Limits" 4.
func TestSpecification_crawlersAreSubjectToBreakers(t *testing.T) {
	says(t, "4. Crawlers remain subject to per-IP abuse circuit breakers.")
	const most = 8
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.Billing.FreeRPM, c.Server.BreakerRPM = 4, most })
	project := s.Send("PATCH", "/projects/"+s.Project, map[string]any{"domains": []string{"127.0.0.1"}},
		apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
	path := fmt.Sprintf("/og/%s?url=%s", project.Text("publicId"), url.QueryEscape(s.Site.At("/page/breaker")))
	passed := 0
	for range most {
		if got := s.Get(path, apptest.Header("User-Agent", "WhatsApp/2")); got.Status == http.StatusOK {
			passed++
		}
	}
	if passed <= 4 {
		t.Errorf("%d passed, want more than the plan's 4", passed)
	}
	s.Get(path, apptest.Header("User-Agent", "WhatsApp/2")).WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
}
