package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/billing"
	"masthead/pkg/testenv"
)

// The tests in specification*_test.go check the sentences of the service's specification, in its order, as far as one
// request can show them. The sentences are in specification_sentences_test.go, under their headings, which comments
// here cite as "the specification". Each test names its sentences (see says); deeper tests are next to the code.

// look is a style, template or kind that makes another image.
type look map[string]any

func style(field string, value any) look { return look{"style": map[string]any{field: value}} }

// Source: the specification, "States and transitions".
func TestSpecification_states(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		user := apptest.Bearer(s.Session.Access)
		generate := func(more look) *apptest.Response {
			t.Helper()
			return s.Generate("/page/states", more).Want(http.StatusOK)
		}
		says(t, "No image for key, generate request: image exists, cached false and real generationMs.")
		first := generate(nil)
		if first.Value("cached") != false || first.Value("generationMs") == nil {
			t.Errorf("no image for key: got cached %v, generationMs %v, want false and real ones",
				first.Value("cached"), first.Value("generationMs"))
		}
		says(t, "Image exists, identical generate request, force not true: cached true, generationMs null.")
		again := generate(nil)
		if again.Value("cached") != true || again.Value("generationMs") != nil || again.Text("id") != first.Text("id") {
			t.Errorf("identical request: got cached %v, generationMs %v, id %s", again.Value("cached"),
				again.Value("generationMs"), again.Text("id"))
		}
		says(t,
			"Image exists, different template or any style.* value: new image under a new key, old image unchanged.",
			"The cache key is projectId, url, kind, template, every style.* field, every ai.* field.")
		seen := map[string]bool{first.Text("id"): true}
		for _, other := range []look{
			{"template": "poster"}, style("accent", "#aa3300"), style("dark", false), style("font", "noto-sans"),
			style("logo", map[string]any{"url": s.Site.At("/icon.png")}),
			style("logo", map[string]any{"url": s.Site.At("/icon.png"), "position": "bottom-right"}),
			{"url": s.Site.At("/page/other")}, {"kind": "blog_hero"}, {"kind": "blog_hero", "style": map[string]any{"aspectRatio": "16:10"}},
		} {
			id := generate(other).Text("id")
			if seen[id] {
				t.Errorf("%v: got an image that is another's", other)
			}
			seen[id] = true
		}
		project := s.NewProject(s.Session)
		elsewhere := s.Post("/images/generate", map[string]any{"url": s.Site.At("/page/states"), "projectId": project},
			apptest.Bearer(s.NewKey(s.Session, project))).Want(http.StatusOK)
		if seen[elsewhere.Text("id")] {
			t.Error("another project: got the image of the first")
		}
		if unchanged := generate(nil); unchanged.Text("imageUrl") != first.Text("imageUrl") {
			t.Error("other styles changed the old image")
		}
		says(t, "Image exists, force true: regenerated image.")
		forced := generate(look{"force": true})
		if forced.Value("cached") != false || forced.Text("id") != first.Text("id") {
			t.Errorf("force: got cached %v, id %s, want it drawn anew under the same id", forced.Value("cached"),
				forced.Text("id"))
		}
		says(t, "Changing project domains or name has no effect on the cache.")
		s.Send("PATCH", "/projects/"+s.Project, map[string]any{"name": "Other", "domains": []string{"example.com"}}, user).
			Want(http.StatusOK)
		if generate(nil).Value("cached") != true {
			t.Error("changing project domains or name had an effect on the cache")
		}
		says(t, "Image deleted in the dashboard: no image for key, next identical request is a cache miss.")
		s.Send("DELETE", "/images/"+first.Text("id"), nil, user).Want(http.StatusNoContent)
		if generate(nil).Value("cached") != false {
			t.Error("image deleted: got a hit, want a miss")
		}
	})
}

// Source: the specification, "States and transitions" (AI render requested) and "Errors": when AI generation fails, the
// response is a template-only render with ai.fellBack true, not an error.
func TestSpecification_aiThatFailsIsNoError(t *testing.T) {
	says(t, "When AI generation fails, the response is a successful template-only render, not an error.")
	s := apptest.StartSignedIn(t)
	got := s.Generate("/page/ai", map[string]any{"ai": true}).Want(http.StatusOK)
	if got.Value("ai.fellBack") != true || got.Value("ai.enabled") != true {
		t.Errorf("got %v, want it to say that AI was asked for and fell back", got.Value("ai"))
	}
}

// Source: the specification, "Authentication" and "Errors".
func TestSpecification_credentialsAndErrors(t *testing.T) {
	s := apptest.StartSignedIn(t)
	other := s.NewProject(s.Session)
	good := map[string]any{"url": s.Site.At("/page/auth"), "projectId": s.Project}
	with := func(more look) map[string]any {
		body := maps.Clone(good)
		maps.Copy(body, more)
		return body
	}
	prompt := func(length int) look { return look{"ai": look{"prompt": strings.Repeat("x", length)}} }
	key, badKey := apptest.Bearer(s.Key), apptest.Bearer("og_live_"+strings.Repeat("a", 38))
	says(t, "400 BAD_REQUEST: invalid body shape.", "401 UNAUTHORIZED: missing or invalid API key.",
		"2. A missing or invalid API key yields 401.", "403 FORBIDDEN: scoped key used against a different project.",
		"404 NOT_FOUND: template slug does not exist for this kind.", "502: upstream scrape failure.",
		"1. For a scoped API key, projectId in the body must equal the key's project, else 403.",
		"apiKeyAuth: API key starting with og_live_, sent as Authorization: Bearer.",
		"Auth: API key in the Authorization header as a bearer value.")
	for name, c := range map[string]struct {
		body   map[string]any
		as     apptest.RequestOption
		status int
		code   string
	}{
		"a missing url":                            {look{"projectId": s.Project}, key, 400, "BAD_REQUEST"},
		"a bad UUID":                               {with(look{"projectId": "1"}), key, 400, "BAD_REQUEST"},
		"a prompt of more than 500 characters":     {with(prompt(501)), key, 400, "BAD_REQUEST"},
		"an accent that is no #RRGGBB":             {with(style("accent", "teal")), key, 400, "BAD_REQUEST"},
		"a missing key":                            {good, func(*http.Request) {}, 401, "UNAUTHORIZED"},
		"an invalid key":                           {good, badKey, 401, "UNAUTHORIZED"},
		"an access token in place of a key":        {good, apptest.Bearer(s.Session.Access), 401, "UNAUTHORIZED"},
		"a scoped key against a different project": {with(look{"projectId": other}), key, 403, "FORBIDDEN"},
		"a template slug that does not exist":      {with(look{"template": "nope"}), key, 404, "NOT_FOUND"},
		"a template slug of another kind":          {with(look{"template": "poster", "kind": "blog_hero"}), key, 404, "NOT_FOUND"},
		"a key in another header":                  {good, apptest.Header("X-API-Key", s.Key), 401, "UNAUTHORIZED"},
		"an upstream scrape failure":               {with(look{"url": s.Site.At("/gone")}), key, 502, "UPSTREAM_FAILED"},
	} {
		t.Run(name, func(t *testing.T) {
			s.With(t).Post("/images/generate", c.body, c.as).WantProblem(c.status, c.code)
		})
	}
	says(t, "409 CONFLICT: the image already exists; force true regenerates.")
	if !strings.HasPrefix(s.Key, "og_live_") {
		t.Errorf("a key begins %q, want og_live_", s.Key[:8])
	}
	s.Post("/images/generate", good, key).Want(http.StatusOK)
	conflict := s.Post("/images/generate", good, key, apptest.Header("If-None-Match", "*")).
		WantProblem(http.StatusConflict, "CONFLICT")
	if !strings.Contains(string(conflict.Body), "force") {
		t.Errorf("the image already exists: got %s, want the advice to force", conflict.Body)
	}
	unscoped := apptest.Bearer(s.NewKey(s.Session, ""))
	s.Post("/images/generate", with(look{"projectId": other}), unscoped).Want(http.StatusOK)
}

// Source: the specification, "Endpoints", GET /og/:publicId, "Authentication" 3 and 4, and "Limits" 4 and 11.
func TestSpecification_publicImage(t *testing.T) {
	says(t, "Public, no authentication. Serves a generated image.",
		"3. Public endpoint with no credential: GET /og/:publicId.",
		"Response header: Cache-Control: public, max-age=31536000, immutable.",
		"4. For public meta-tag requests the plan is that of the project owner.",
		"11. Cached images are served with max-age of 31536000 seconds (one year).")
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.Billing.FreeRPM, c.Billing.PlusRPM = 4, 8 })
	if _, err := s.App.Users.SetPlan(t.Context(), userID(s, s.Session), billing.Plus); err != nil {
		t.Fatal(err)
	}
	project := s.Send("PATCH", "/projects/"+s.Project, map[string]any{"domains": []string{"127.0.0.1"}},
		apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
	path := "/og/" + project.Text("publicId") + "?url=" + url.QueryEscape(s.Site.At("/page/public"))
	got := s.Get(path).Want(http.StatusOK)
	if cache := got.Header.Get("Cache-Control"); cache != "public, max-age=31536000, immutable" {
		t.Errorf("got Cache-Control %q", cache)
	}
	kind := http.DetectContentType(got.Body)
	if kind != got.Header.Get("Content-Type") || !strings.HasPrefix(kind, "image/") {
		t.Errorf("got a Content-Type of %s for %s, want the image itself", got.Header.Get("Content-Type"), kind)
	}
	cdn := s.Get(s.Generate("/page/public", nil).Want(http.StatusOK).Path("imageUrl")).Want(http.StatusOK)
	if cache := cdn.Header.Get("Cache-Control"); cache != "public, max-age=31536000, immutable" {
		t.Errorf("/cdn: got Cache-Control %q", cache)
	}
	if limit := got.Header.Get("X-RateLimit-Limit"); limit != "8" {
		t.Errorf("got a limit of %s, want that of the plan of the project's owner, 8", limit)
	}
	for range 7 {
		s.Get(path).Want(http.StatusOK)
	}
	s.Get(path).WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	says(t, "4. Crawler bypass on GET /og/:publicId for any of seven crawlers, by substring.",
		"Social crawlers bypass the rate limit on this endpoint.")
	for _, agent := range []string{
		"Twitterbot/1.0", "LinkedInBot/1.0", "Slackbot 1.0", "Mozilla/5.0 (compatible; Discordbot/2.0)",
		"facebookexternalhit/1.1", "FacebookBot", "WhatsApp/2.23", "telegrambot (like TwitterBot)",
	} {
		s.Get(path, apptest.Header("User-Agent", agent)).Want(http.StatusOK)
		s.Send(http.MethodHead, path, nil, apptest.Header("User-Agent", agent)).Want(http.StatusOK)
	}
}

// Source: the specification, "Limits" 1 to 3, and its plans' table; "Authentication" 4.
func TestSpecification_rateLimits(t *testing.T) {
	says(t, "Requests per minute: Free 20, Plus 100, Pro 500.",
		"4. For API-key requests the plan is that of the key's owner.",
		"Force true counts against the rate limit.", "1. A request with force true counts against the rate limit.",
		"2. Every rate-limited response carries X-RateLimit-Limit, -Remaining and -Reset.")
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.Billing = billing.Config{} }) // the plans as they are
	second := s.NewKey(s.Session, "")
	me := s.Get("/users/me", apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
	left := remaining(t, me)
	wrong := s.Post("/images/generate", map[string]any{}, apptest.Bearer(s.Key)).Want(http.StatusBadRequest)
	if left--; wrong.Header.Get("X-RateLimit-Limit") != "20" || remaining(t, wrong) != left || reset(t, wrong) > 60 {
		t.Errorf("a request that is wrong: got %v, want the three headers", wrong.Header)
	}
	body := map[string]any{"url": s.Site.At("/page/limits"), "projectId": s.Project, "force": true}
	for i := range left {
		key := []string{s.Key, second}[i%2] // two keys of one owner share the window
		got := s.Post("/images/generate", body, apptest.Bearer(key), apptest.Header("User-Agent", "Twitterbot")).
			Want(http.StatusOK)
		if limit, now := got.Header.Get("X-RateLimit-Limit"), remaining(t, got); limit != "20" || now != left-i-1 {
			t.Fatalf("request %d: got %d of %s left, want %d of 20", i+1, now, limit, left-i-1)
		}
	}
	says(t, "429: rate limit exceeded; response carries Retry-After.",
		"3. Over the limit, 429 with header Retry-After, in seconds until the window resets.")
	over := s.Post("/images/generate", body, apptest.Bearer(second)).
		WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	wait, err := strconv.Atoi(over.Header.Get("Retry-After"))
	if err != nil || wait < 1 || wait > 60 || max(wait-reset(t, over), reset(t, over)-wait) > 1 {
		t.Errorf("got Retry-After %q, want the seconds until the window resets", over.Header.Get("Retry-After"))
	}
	for plan, want := range map[string]string{"plus": "100", "pro": "500"} {
		user := s.Register()
		if _, err := s.App.Users.SetPlan(t.Context(), userID(s, user), plan); err != nil {
			t.Fatal(err)
		}
		key := s.NewKey(user, "")
		if got := s.Get("/images", apptest.Bearer(key)).Want(http.StatusOK).Header.Get("X-RateLimit-Limit"); got != want {
			t.Errorf("%s: got a limit of %s, want %s", plan, got, want)
		}
	}
}

// reset returns how many seconds it is until the window resets.
func reset(t *testing.T, r *apptest.Response) int {
	t.Helper()
	at, err := strconv.ParseInt(r.Header.Get("X-RateLimit-Reset"), 10, 64)
	if err != nil {
		t.Fatalf("X-RateLimit-Reset: %v", err)
	}
	return int(time.Until(time.Unix(at, 0)).Seconds() + .999)
}

func userID(s *apptest.Service, user apptest.Session) string {
	return s.Get("/users/me", apptest.Bearer(user.Access)).Want(http.StatusOK).Text("id")
}

func remaining(t *testing.T, r *apptest.Response) int {
	t.Helper()
	n, err := strconv.Atoi(r.Header.Get("X-RateLimit-Remaining"))
	if err != nil {
		t.Fatalf("X-RateLimit-Remaining: %v", err)
	}
	return n
}

// Source: the specification, "Limits" 1: all authenticated and public endpoints are rate-limited.
func TestSpecification_everyOperationIsLimited(t *testing.T) {
	says(t, "1. All authenticated and public endpoints are rate-limited.")
	for path, item := range readDocument(t).Paths.Map() {
		for method, op := range item.Operations() {
			bucket := fmt.Sprint(op.Extensions["x-rate-bucket"])
			if supervised := path == "/healthz" || path == "/readyz"; (bucket == "none") != supervised {
				t.Errorf("%s %s is counted in %q", method, path, bucket)
			}
		}
	}
}

// Source: the specification, GET /swagger; package web tries it out in a browser.
func TestSpecification_interactiveReference(t *testing.T) {
	testenv.Sequential(t)
	says(t, "Interactive API reference, served by the service, with two auth schemes and Try it out.",
		"Public endpoints carry no lock.")
	s := apptest.Start(t)
	page := s.Get("/swagger").Want(http.StatusOK)
	if !strings.Contains(string(page.Body), "swagger-ui") {
		t.Error("/swagger is not the interactive reference")
	}
	served, err := openapi3.NewLoader().LoadFromData(s.Get("/openapi.json").Want(http.StatusOK).Body)
	if err != nil {
		t.Fatal(err)
	}
	if schemes := slices.Sorted(maps.Keys(served.Components.SecuritySchemes)); !slices.Equal(schemes,
		[]string{"apiKeyAuth", "bearerAuth"}) {
		t.Errorf("got the schemes %v", schemes)
	}
	for path, public := range map[string]bool{"/og/{publicId}": true, "/audits": true, "/audits/{auditId}": true,
		"/images/generate": false, "/images/{imageId}/download": false, "/audits/preview": false} {
		op := served.Paths.Value(path).Post
		if op == nil {
			op = served.Paths.Value(path).Get
		}
		if open := op.Security != nil && len(*op.Security) == 0; open != public {
			t.Errorf("%s: has no lock %v, want %v", path, open, public)
		}
	}
}
