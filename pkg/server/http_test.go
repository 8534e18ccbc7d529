package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

func TestValidation_badRequestIsTold(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	good := `"url": "` + h.Site.At("/page/one") + `", "projectId": "` + h.Project + `"`
	long := strings.Repeat("a", 2100)
	for _, c := range []struct {
		name, body      string
		pointer, detail string
	}{
		{"no JSON", `{"url": `, "", "no valid JSON"},
		{"two values", `{` + good + `} {}`, "", "goes on after"},
		{"a member twice", `{` + good + `, "kind": "og", "kind": "blog_hero"}`, "", "twice"},
		{"too deep", strings.Repeat(`{"a":`, 40) + `1` + strings.Repeat(`}`, 40), "", "32 deep"},
		{"an array", `[]`, "", "object"},
		{"nothing", ``, "", "JSON"},
		{"no url", `{"projectId": "` + h.Project + `"}`, "/url", "missing"},
		{"bad UUID", `{"url": "https://example.com/", "projectId": "1"}`, "/projectId", "uuid"},
		{"unknown field", `{` + good + `, "colour": "red"}`, "/colour", "not known"},
		{"unknown field of style", `{` + good + `, "style": {"colour": "red"}}`, "/style/colour", "not known"},
		{"unknown field with signs", `{` + good + `, "style": {"a/b~\"c": "red"}}`, `/style/a~1b~0"c`, "not known"},
		{"bad accent", `{` + good + `, "style": {"accent": "red"}}`, "/style/accent", "#"},
		{"bad font", `{` + good + `, "style": {"font": "comic-sans"}}`, "/style/font", "inter"},
		{"logo without url", `{` + good + `, "style": {"logo": {}}}`, "/style/logo/url", "missing"},
		{"bad ai", `{` + good + `, "ai": "yes"}`, "/ai", "form"},
		{"bad kind", `{` + good + `, "kind": "poster"}`, "/kind", "og"},
		{"javascript", `{"url": "javascript:alert(1)", "projectId": "` + h.Project + `"}`, "/url", "http"},
		{"user and password", `{"url": "https://a:b@example.com/", "projectId": "` + h.Project + `"}`, "/url", ""},
		{"long address", `{"url": "https://example.com/` + long + `", "projectId": "` + h.Project + `"}`, "/url", "2048"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := h.With(t)
			a := h.Post("/images/generate", c.body, apptest.Bearer(h.Key)).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
			if c.pointer != "" && a.Text("errors.0.pointer") != c.pointer {
				t.Errorf("got pointer %q, want %q: %s", a.Text("errors.0.pointer"), c.pointer, a.Body)
			}
			if !strings.Contains(string(a.Body), c.detail) {
				t.Errorf("got %s, want it to say %q", a.Body, c.detail)
			}
		})
	}
	if n := h.Site.Pages.Load(); n != 0 {
		t.Errorf("%d pages were fetched for requests that are not valid", n)
	}
}

func TestBody_largeOneIs413(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	ten := `{"x": "` + strings.Repeat("x", 10<<20) + `"}`
	key, tooLarge := apptest.Bearer(h.Key), http.StatusRequestEntityTooLarge
	h.Post("/images/generate", ten, key).WantProblem(tooLarge, "PAYLOAD_TOO_LARGE")
	h.Post("/auth/login", ten).WantProblem(tooLarge, "PAYLOAD_TOO_LARGE")
	// Without a length the body is cut off while it is read.
	chunked := func(r *http.Request) { r.ContentLength = -1 }
	hundred := `{"x": "` + strings.Repeat("x", 100<<10) + `"}`
	h.Post("/images/generate", hundred, key, chunked).WantProblem(tooLarge, "PAYLOAD_TOO_LARGE")
}

// TestBody_refusedOneIsReadBeforeTheAnswer talks like the many clients that read nothing before all is sent.
func TestBody_refusedOneIsReadBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	body := strings.Repeat("x", 10<<20)
	whole := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	chunk := fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	for want, rest := range map[int]string{
		http.StatusRequestEntityTooLarge: "Content-Type: application/json\r\n" + whole,
		http.StatusUnsupportedMediaType:  "Content-Type: text/plain\r\n" + chunk,
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(h.Base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "POST /auth/login HTTP/1.1\r\nHost: masthead.example\r\n"+rest); err != nil {
			t.Fatalf("%d: %v", want, err)
		}
		if a, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || a.StatusCode != want {
			t.Errorf("got %v, %v, want %d", a, err, want)
		}
	}
}

func TestProblem_errorOfTheRouterIsOne(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	for _, path := range []string{
		"/nowhere", "/api/nowhere", "/api/api/images", "/images/", "/swagger/nowhere.js", "/%2e%2e/",
	} {
		a := h.Get(path).WantProblem(http.StatusNotFound, "NOT_FOUND")
		if got, want := a.Text("requestId"), a.Header.Get("X-Request-Id"); got != want {
			t.Errorf("%s: got request id %s, want that of the header, %s", path, got, want)
		}
	}
	wrong := h.Send("PUT", "/images", nil).WantProblem(http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	if !strings.Contains(wrong.Header.Get("Allow"), "GET") {
		t.Errorf("got %d %v %s", wrong.Status, wrong.Header, wrong.Body)
	}
	// This address fits the pattern of another operation too, which takes DELETE.
	for _, path := range []string{"/images/generate", "/api/images/generate"} {
		a := h.Send("DELETE", path, nil)
		if a.Status != http.StatusMethodNotAllowed || a.Header.Get("Allow") != "OPTIONS, POST" {
			t.Errorf("%s: got %d and Allow %q", path, a.Status, a.Header.Get("Allow"))
		}
	}
}

func TestHeaders_areThoseOfTheKindOfAnswer(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	api := h.Get("/users/me", apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	for key, want := range map[string]string{
		"Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
	} {
		if got := api.Header.Get(key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	picture := h.Get(h.Generate("/page/one", nil).Want(http.StatusOK).Path("publicUrl")).Want(http.StatusOK)
	for key, want := range map[string]string{
		"Cache-Control": "public, max-age=31536000, immutable", "Content-Security-Policy": "default-src 'none'; sandbox",
		"Cross-Origin-Resource-Policy": "cross-origin", "Content-Type": "image/png", "Set-Cookie": "", "Vary": "",
	} {
		if got := picture.Header.Get(key); got != want {
			t.Errorf("picture: %s: got %q, want %q", key, got, want)
		}
	}
	missing := h.Get("/og/abcdefghijklmnopqrstuv").Want(http.StatusNotFound)
	if got := missing.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a missing picture: got %q, want no-store", got)
	}
	page := h.Get("/").Want(http.StatusOK)
	policy := page.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "'nonce-") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("page: got %q", policy)
	}
	elsewhere := apptest.Header("Origin", "https://elsewhere.example")
	other := h.Get("/users/me", apptest.Bearer(h.Session.Access), elsewhere)
	if other.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("another origin may read an account")
	}
}

func TestCookie_writeFromElsewhereIs403(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	cookie := apptest.Header("Cookie", "access_token="+h.Session.Access)
	for name, c := range map[string]struct {
		option apptest.RequestOption
		want   int
	}{
		"a program":           {func(*http.Request) {}, http.StatusCreated},
		"our page":            {apptest.Header("Sec-Fetch-Site", "same-origin"), http.StatusCreated},
		"our origin":          {apptest.Header("Origin", h.Base), http.StatusCreated},
		"another site":        {apptest.Header("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		"a sibling":           {apptest.Header("Sec-Fetch-Site", "same-site"), http.StatusForbidden},
		"another origin":      {apptest.Header("Origin", "https://elsewhere.example"), http.StatusForbidden},
		"an opaque origin":    {apptest.Header("Origin", "null"), http.StatusForbidden},
		"another body format": {apptest.Header("Content-Type", "text/plain"), http.StatusUnsupportedMediaType},
	} {
		if a := h.Post("/projects", map[string]any{"name": "New"}, cookie, c.option); a.Status != c.want {
			t.Errorf("%s: got %d, want %d: %s", name, a.Status, c.want, a.Body)
		}
	}
	h.Get("/projects", cookie, apptest.Header("Sec-Fetch-Site", "cross-site")).Want(http.StatusOK)
	// What a proxy in front of us asks for is not ours to judge.
	h.Get("/projects", cookie, apptest.Header("Authorization", "Basic eDp5")).Want(http.StatusOK)
	// A bearer hides the cookie, a bad one too.
	h.Get("/projects", cookie, apptest.Bearer("bad")).WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
}

func TestRate_signingInIsCountedByAddress(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t, func(s *app.Config) { s.Server.AuthRPM = 3 })
	login := func(options ...apptest.RequestOption) *apptest.Response {
		return h.Post("/auth/login", map[string]any{"email": "a@example.com", "password": "not the password"}, options...)
	}
	for range 3 {
		login().Want(http.StatusUnauthorized)
	}
	refused := login().WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	for key, want := range map[string]string{"X-RateLimit-Limit": "3", "X-RateLimit-Remaining": "0"} {
		if got := refused.Header.Get(key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	if refused.Header.Get("Retry-After") == "" {
		t.Error("got no Retry-After")
	}
	// Nobody is a trusted proxy, so what a client says of its address does not count.
	login(apptest.Header("X-Forwarded-For", "192.0.2.1")).Want(http.StatusTooManyRequests)
	h.Get("/api/auth/login").Want(http.StatusMethodNotAllowed)
	h.Post("/api/auth/login", map[string]any{}).Want(http.StatusTooManyRequests)
}

func TestRate_trustedProxyTellsTheAddress(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t, func(s *app.Config) {
		s.Server.AuthRPM, s.Server.TrustedProxies = 1, []string{"127.0.0.1", "10.0.0.0/8"}
	})
	login := func(forwarded string) int {
		return h.Post("/auth/login", map[string]any{}, apptest.Header("X-Forwarded-For", forwarded)).Status
	}
	for _, c := range []struct {
		forwarded string
		want      int
	}{
		{"192.0.2.1", http.StatusBadRequest},
		{"192.0.2.1", http.StatusTooManyRequests},
		{"192.0.2.1, 192.0.2.2", http.StatusBadRequest}, // the rightmost that is no proxy
		{"192.0.2.9, 192.0.2.2, 10.1.1.1", http.StatusTooManyRequests},
		{"2001:db8:1:2::1", http.StatusBadRequest},
		{"2001:db8:1:2::2", http.StatusTooManyRequests}, // one /64 is one address
	} {
		if got := login(c.forwarded); got != c.want {
			t.Errorf("%s: got %d, want %d", c.forwarded, got, c.want)
		}
	}
}
