package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"masthead/pkg/fetch"
)

func TestBadRequestsAreTold(t *testing.T) {
	h := withAccount(t, nil)
	good := `"url": "` + h.site.url("/page/one") + `", "projectId": "` + h.project + `"`
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
		{"no url", `{"projectId": "` + h.project + `"}`, "/url", "missing"},
		{"bad UUID", `{"url": "https://example.com/", "projectId": "1"}`, "/projectId", "uuid"},
		{"unknown field", `{` + good + `, "colour": "red"}`, "", "not known"},
		{"unknown field of style", `{` + good + `, "style": {"colour": "red"}}`, "", "not known"},
		{"bad accent", `{` + good + `, "style": {"accent": "red"}}`, "/style/accent", "#"},
		{"bad font", `{` + good + `, "style": {"font": "comic-sans"}}`, "/style/font", "inter"},
		{"logo without url", `{` + good + `, "style": {"logo": {}}}`, "/style/logo/url", "missing"},
		{"bad ai", `{` + good + `, "ai": "yes"}`, "/ai", "form"},
		{"bad kind", `{` + good + `, "kind": "poster"}`, "/kind", "og"},
		{"javascript", `{"url": "javascript:alert(1)", "projectId": "` + h.project + `"}`, "/url", "http"},
		{"user and password", `{"url": "https://a:b@example.com/", "projectId": "` + h.project + `"}`, "/url", ""},
		{"long address", `{"url": "https://example.com/` + strings.Repeat("a", 2100) + `", "projectId": "` + h.project + `"}`, "/url", "2048"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := *h
			h.t = t
			a := h.post("/images/generate", c.body, bearer(h.key)).fault(http.StatusBadRequest, "BAD_REQUEST")
			if c.pointer != "" && a.text("errors.0.pointer") != c.pointer {
				t.Errorf("got pointer %q, want %q: %s", a.text("errors.0.pointer"), c.pointer, a.body)
			}
			if !strings.Contains(string(a.body), c.detail) {
				t.Errorf("got %s, want it to say %q", a.body, c.detail)
			}
		})
	}
	if n := h.site.pages.Load(); n != 0 {
		t.Errorf("%d pages were fetched for requests that are not valid", n)
	}
}

func TestLargeBodiesAreRefused(t *testing.T) {
	h := withAccount(t, nil)
	ten := `{"x": "` + strings.Repeat("x", 10<<20) + `"}`
	h.post("/images/generate", ten, bearer(h.key)).fault(http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
	h.post("/auth/login", ten).fault(http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
	// Without a length the body is cut off while it is read.
	chunked := func(r *http.Request) { r.ContentLength = -1 }
	h.post("/images/generate", `{"x": "`+strings.Repeat("x", 100<<10)+`"}`, bearer(h.key), chunked).fault(http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
}

// TestLargeBodiesAreAnsweredToWhoeverSendsThemWhole talks like the many clients that read nothing before all is sent.
func TestLargeBodiesAreAnsweredToWhoeverSendsThemWhole(t *testing.T) {
	h := start(t, nil)
	body := strings.Repeat("x", 10<<20)
	chunk := fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(body), body)
	for want, rest := range map[int]string{
		http.StatusRequestEntityTooLarge: "Content-Type: application/json\r\n" + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body),
		http.StatusUnsupportedMediaType:  "Content-Type: text/plain\r\n" + chunk,
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(h.base, "http://"))
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

// TestAddressesOfBrowsersAreTaken holds that only what no browser opens is refused, and with the reason.
func TestAddressesOfBrowsersAreTaken(t *testing.T) {
	h := withAccount(t, nil)
	for given, want := range map[string]string{"/page/100%": "/page/100%25", "/page/one?rate=5%": "/page/one?rate=5%", "/page/a b": "/page/a%20b"} {
		if got := h.generate(given, nil).want(http.StatusOK).text("url"); got != h.site.url(want) {
			t.Errorf("%s: got %s, want %s", given, got, h.site.url(want))
		}
	}
	for address, detail := range map[string]string{
		"ftp://example.com/": "url: must be an http or https address, such as https://example.com/page", "https://exa%6dple.com/": "The host of the address holds a character that no host has.",
	} {
		a := h.post("/images/generate", map[string]any{"url": address, "projectId": h.project}, bearer(h.key)).fault(http.StatusBadRequest, "BAD_REQUEST")
		if a.text("detail") != detail || a.text("errors.0.pointer") != "/url" {
			t.Errorf("%s: got %s, want %q", address, a.body, detail)
		}
	}
}

// TestPublicIDsAreLookedAtFirst holds that what cannot be an id asks no database, which may not even take it for text.
func TestPublicIDsAreLookedAtFirst(t *testing.T) {
	onBoth(t, func(t *testing.T, h *harness) {
		for _, id := range []string{"%00", "%ff", strings.Repeat("a", 21) + "%00", strings.Repeat("a", 22), "..", strings.Repeat("a", 4000)} {
			h.get("/og/"+id).fault(http.StatusNotFound, "NOT_FOUND")
		}
	})
}

func TestKeysThatAreNotGood(t *testing.T) {
	h := withAccount(t, nil)
	stranger := h.register()
	strangersKey := h.newKey(stranger, "")
	other := h.newProject(h.session)
	unscoped := h.newKey(h.session, "")
	revoked := h.post("/keys", map[string]any{"name": "Old"}, bearer(h.session.Access)).want(http.StatusCreated)
	h.send("DELETE", "/keys/"+revoked.text("id"), nil, bearer(h.session.Access)).want(http.StatusNoContent)
	mistyped := []byte(h.key)
	mistyped[20] ^= 1
	ask := func(credential option, project string) *answer {
		return h.post("/images/generate", map[string]any{"url": h.site.url("/page/one"), "projectId": project}, credential)
	}
	none := func(*http.Request) {}
	for name, credential := range map[string]option{
		"none": none, "mistyped": bearer(string(mistyped)), "short": bearer("og_live_1"), "revoked": bearer(revoked.text("secret")),
		"an access token": bearer(h.session.Access), "another scheme": header("Authorization", "Basic "+h.key),
		"empty": header("Authorization", "Bearer "), "in a cookie": header("Cookie", "access_token="+h.key),
	} {
		if a := ask(credential, h.project); a.status != http.StatusUnauthorized || a.text("code") != "UNAUTHORIZED" {
			t.Errorf("%s: got %d %s", name, a.status, a.body)
		}
	}
	for name, c := range map[string]struct{ key, project string }{
		"out of scope": {h.key, other}, "a stranger's project": {strangersKey, h.project}, "no project": {unscoped, nobody},
	} {
		if a := ask(bearer(c.key), c.project); a.status != http.StatusForbidden || a.text("code") != "FORBIDDEN" {
			t.Errorf("%s: got %d %s", name, a.status, a.body)
		}
	}
	ask(bearer(unscoped), other).want(http.StatusOK)
	ask(header("Authorization", "bearer "+unscoped), h.project).want(http.StatusOK)
	h.get("/images", bearer(h.key)).fault(http.StatusUnauthorized, "UNAUTHORIZED")
}

// TestPrivateTargetsAreNeverReached listens on loopback beside the site that is allowed, and counts connections.
func TestPrivateTargetsAreNeverReached(t *testing.T) {
	h := withAccount(t, nil)
	var reached atomic.Int64
	private := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
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
		"http://127.0.0.1:" + port, "http://localhost:" + port, "http://127.1:" + port, "http://2130706433:" + port, "http://0x7f000001:" + port,
		"http://0177.0.0.1:" + port, "http://[::1]:" + port, "http://[::ffff:127.0.0.1]:" + port, "http://0.0.0.0:" + port,
		"http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/", "http://[fd00::1]/", "http://metadata.internal/", "http://printer.local/",
		h.site.url("/redirect?to=" + url.QueryEscape("http://127.0.0.1:"+port)),
		h.site.url("/redirect?to=" + url.QueryEscape("http://localhost:"+port)),
		h.site.url("/redirect?to=" + url.QueryEscape("http://169.254.169.254/")),
		h.site.url("/redirect?to=" + url.QueryEscape(h.site.url("/redirect?to="+url.QueryEscape("http://[::1]:"+port)))),
	} {
		a := h.post("/images/generate", map[string]any{"url": target, "projectId": h.project}, bearer(h.key))
		if a.status != http.StatusBadRequest || a.text("detail") != fetch.RefusedDetail {
			t.Errorf("%s: got %d %s, want the one sentence", target, a.status, a.body)
		}
		logo := map[string]any{"style": map[string]any{"logo": map[string]any{"url": target}}}
		if a := h.generate("/page/one", logo); a.status != http.StatusBadRequest {
			t.Errorf("%s as a logo: got %d %s", target, a.status, a.body)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("the private server was reached %d times", n)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "::1", "10.0.0.1", "printer.local"} {
		var events int
		err := h.service.db.Get(t.Context(), &events, `SELECT count(*) FROM trail_events WHERE action = 'target_refused' AND subject = ?`, host)
		if err != nil || events == 0 {
			t.Errorf("%s: got %d events of a refused target, %v", host, events, err)
		}
	}
}

func TestFrameworkErrorsAreProblems(t *testing.T) {
	h := start(t, nil)
	for _, path := range []string{"/nowhere", "/api/nowhere", "/api/api/images", "/images/", "/swagger/nowhere.js", "/%2e%2e/"} {
		if a := h.get(path); a.status != http.StatusNotFound || a.text("code") != "NOT_FOUND" || a.text("requestId") != a.header.Get("X-Request-Id") {
			t.Errorf("%s: got %d %s", path, a.status, a.body)
		}
	}
	wrong := h.send("PUT", "/images", nil)
	if wrong.status != http.StatusMethodNotAllowed || wrong.text("code") != "METHOD_NOT_ALLOWED" || !strings.Contains(wrong.header.Get("Allow"), "GET") {
		t.Errorf("got %d %v %s", wrong.status, wrong.header, wrong.body)
	}
	// This address fits the pattern of another operation too, which takes DELETE.
	for _, path := range []string{"/images/generate", "/api/images/generate"} {
		a := h.send("DELETE", path, nil)
		if a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") != "OPTIONS, POST" {
			t.Errorf("%s: got %d and Allow %q", path, a.status, a.header.Get("Allow"))
		}
	}
}

func TestAnswersCarryTheirHeaders(t *testing.T) {
	h := withAccount(t, nil)
	api := h.get("/users/me", bearer(h.session.Access)).want(http.StatusOK)
	for key, want := range map[string]string{
		"Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
	} {
		if got := api.header.Get(key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	picture := h.get(h.generate("/page/one", nil).want(http.StatusOK).path("publicUrl")).want(http.StatusOK)
	for key, want := range map[string]string{
		"Cache-Control": "public, max-age=31536000, immutable", "Content-Security-Policy": "default-src 'none'; sandbox",
		"Cross-Origin-Resource-Policy": "cross-origin", "Content-Type": "image/png", "Set-Cookie": "", "Vary": "",
	} {
		if got := picture.header.Get(key); got != want {
			t.Errorf("picture: %s: got %q, want %q", key, got, want)
		}
	}
	missing := h.get("/og/abcdefghijklmnopqrstuv").want(http.StatusNotFound)
	if got := missing.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a missing picture: got %q, want no-store", got)
	}
	page := h.get("/").want(http.StatusOK)
	if policy := page.header.Get("Content-Security-Policy"); !strings.Contains(policy, "'nonce-") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("page: got %q", policy)
	}
	preflight := h.send("OPTIONS", "/images/generate", nil, header("Origin", "https://elsewhere.example"), header("Access-Control-Request-Method", "POST"))
	if preflight.status != http.StatusNoContent || preflight.header.Get("Access-Control-Allow-Origin") != "*" || preflight.header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("preflight: got %d %v", preflight.status, preflight.header)
	}
	if other := h.get("/users/me", bearer(h.session.Access), header("Origin", "https://elsewhere.example")); other.header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("another origin may read an account")
	}
}

func TestCookieWritesMustComeFromHere(t *testing.T) {
	h := withAccount(t, nil)
	cookie := header("Cookie", "access_token="+h.session.Access)
	for name, c := range map[string]struct {
		option option
		want   int
	}{
		"a program":           {func(*http.Request) {}, http.StatusCreated},
		"our page":            {header("Sec-Fetch-Site", "same-origin"), http.StatusCreated},
		"our origin":          {header("Origin", h.base), http.StatusCreated},
		"another site":        {header("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		"a sibling":           {header("Sec-Fetch-Site", "same-site"), http.StatusForbidden},
		"another origin":      {header("Origin", "https://elsewhere.example"), http.StatusForbidden},
		"an opaque origin":    {header("Origin", "null"), http.StatusForbidden},
		"another body format": {header("Content-Type", "text/plain"), http.StatusUnsupportedMediaType},
	} {
		if a := h.post("/projects", map[string]any{"name": "New"}, cookie, c.option); a.status != c.want {
			t.Errorf("%s: got %d, want %d: %s", name, a.status, c.want, a.body)
		}
	}
	h.get("/projects", cookie, header("Sec-Fetch-Site", "cross-site")).want(http.StatusOK)
	// What a proxy in front of us asks for is not ours to judge.
	h.get("/projects", cookie, header("Authorization", "Basic eDp5")).want(http.StatusOK)
	// A bearer hides the cookie, a bad one too.
	h.get("/projects", cookie, bearer("bad")).fault(http.StatusUnauthorized, "UNAUTHORIZED")
}

func TestAuthIsCountedByAddress(t *testing.T) {
	h := start(t, func(s *settings) { s.Server.AuthRPM = 3 })
	login := func(options ...option) *answer {
		return h.post("/auth/login", map[string]any{"email": "a@example.com", "password": "not the password"}, options...)
	}
	for range 3 {
		login().want(http.StatusUnauthorized)
	}
	refused := login().fault(http.StatusTooManyRequests, "RATE_LIMITED")
	if refused.header.Get("X-RateLimit-Limit") != "3" || refused.header.Get("X-RateLimit-Remaining") != "0" || refused.header.Get("Retry-After") == "" {
		t.Errorf("got %v", refused.header)
	}
	// Nobody is a trusted proxy, so what a client says of its address does not count.
	login(header("X-Forwarded-For", "192.0.2.1")).want(http.StatusTooManyRequests)
	h.get("/api/auth/login").want(http.StatusMethodNotAllowed)
	h.post("/api/auth/login", map[string]any{}).want(http.StatusTooManyRequests)
}

func TestTrustedProxiesTellTheAddress(t *testing.T) {
	h := start(t, func(s *settings) { s.Server.AuthRPM, s.Server.TrustedProxies = 1, []string{"127.0.0.1", "10.0.0.0/8"} })
	login := func(forwarded string) int {
		return h.post("/auth/login", map[string]any{}, header("X-Forwarded-For", forwarded)).status
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
