package moduletest_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
)

// exchange sends a request as it stands and returns the answer as it came, compressed or not.
func exchange(t *testing.T, h *apptest.Service, method, path, body string, headers ...string) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, h.Base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := (&http.Transport{DisableCompression: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, got
}

// A cache hands what an img element got to a fetch of another origin, so the header cannot hang on who asks.
func TestCORS_publicAnswersAreForAnyOriginWhoeverAsks(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	image := h.Generate("/page/cors", nil).Want(http.StatusOK)
	for _, path := range []string{
		image.Path("imageUrl"), image.Path("publicUrl"), "/api" + image.Path("imageUrl"), "/og/abcdefghijklmnopqrstuv",
		"/templates", "/templates/editorial", "/templates/nope", "/templates/editorial/sample", "/openapi.yaml",
		"/openapi.json",
	} {
		answer := h.Get(path)
		if got := answer.Header.Get("Access-Control-Allow-Origin"); got != "*" {
			t.Errorf("%s: got Access-Control-Allow-Origin %q, want *", path, got)
		}
		if vary := strings.Join(answer.Header.Values("Vary"), ","); strings.Contains(vary, "Origin") {
			t.Errorf("%s: got Vary %q: caches would keep a copy for each origin", path, vary)
		}
		if answer.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: credentials are allowed", path)
		}
	}
	preflight := h.Send(http.MethodOptions, "/templates", nil, apptest.Header("Origin", "https://elsewhere.example"),
		apptest.Header("Access-Control-Request-Method", "GET"), apptest.Header("Access-Control-Request-Headers",
			"if-none-match"))
	if got := preflight.Header.Get("Access-Control-Allow-Headers"); !strings.Contains(got, "If-None-Match") {
		t.Errorf("preflight: got %d %v, want If-None-Match to be allowed", preflight.Status, preflight.Header)
	}
	for _, path := range []string{"/auth/login", "/users/me", "/projects", "/"} {
		got := h.Get(path, apptest.Header("Origin", "https://elsewhere.example")).Header
		if got.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: another origin may read it", path)
		}
	}
}

func TestData_isKeptForAWhileAndValidated(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	for _, path := range []string{"/openapi.yaml", "/openapi.json", "/templates", "/templates?kind=og",
		"/templates/editorial"} {
		first, _ := exchange(t, h, http.MethodGet, path, "")
		tag := first.Header.Get("ETag")
		if !strings.HasPrefix(tag, `W/"`) || first.Header.Get("Cache-Control") != "public, max-age=300" {
			t.Errorf("%s: got %v, want a weak ETag and five minutes", path, first.Header)
		}
		for _, sent := range []string{tag, strings.TrimPrefix(tag, "W/"), `"other", ` + tag, "*"} {
			again, body := exchange(t, h, http.MethodGet, path, "", "If-None-Match", sent)
			if again.StatusCode != http.StatusNotModified || len(body) > 0 || again.Header.Get("ETag") != tag {
				t.Errorf("%s, If-None-Match %s: got %d with %d bytes, want 304", path, sent, again.StatusCode,
					len(body))
			}
		}
		changed, _ := exchange(t, h, http.MethodGet, path, "", "If-None-Match", `W/"0"`)
		if changed.StatusCode != http.StatusOK {
			t.Errorf("%s: got %d for another ETag, want 200", path, changed.StatusCode)
		}
	}
}

func TestCompression_largeJSONIsGzippedWhenAskedFor(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	image := h.Generate("/page/gzip", nil).Want(http.StatusOK)
	user, key := "Bearer "+h.Session.Access, "Bearer "+h.Key
	tooMuch := `{"url": 1, "kind": 1, "template": 1, "force": 1,
		"style": {"dark": 1, "font": 1, "accent": 1, "logo": 1},
		"content": {"title": 1, "description": 1, "siteName": 1, "eyebrow": 1, "author": 1}}`
	for _, c := range []struct{ method, path, body, authorization string }{
		{"GET", "/openapi.yaml", "", ""},
		{"GET", "/openapi.json", "", ""},
		{"GET", "/images", "", user},
		{"GET", "/api/images", "", user},
		{"GET", "/images/" + image.Text("id"), "", key},
		{"POST", "/images/generate", `{"url": "` + h.Site.At("/page/gzip") + `", "projectId": "` + h.Project + `"}`,
			key},
		{"POST", "/images/generate", tooMuch, key}, // errors too
	} {
		plain, want := exchange(t, h, c.method, c.path, c.body, "Authorization", c.authorization)
		if plain.Header.Get("Content-Encoding") != "" || len(want) < 1024 ||
			!strings.Contains(plain.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: unasked: got %d bytes, %v", c.path, len(want), plain.Header)
		}
		packed, got := exchange(t, h, c.method, c.path, c.body, "Authorization", c.authorization, "Accept-Encoding",
			"br, gzip;q=0.5")
		if packed.Header.Get("Content-Encoding") != "gzip" || len(got) > len(want)*3/4 {
			t.Errorf("%s: got %q with %d of %d bytes, want gzip", c.path, packed.Header.Get("Content-Encoding"),
				len(got), len(want))
			continue
		}
		unpacked, err := gzip.NewReader(bytes.NewReader(got))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(unpacked)
		same := c.method == "GET" && !bytes.Equal(text, want) // another request has another id
		if err != nil || same || packed.Header.Get("ETag") != plain.Header.Get("ETag") ||
			packed.StatusCode != plain.StatusCode {
			t.Errorf("%s: %v, %d and %d, got %.200s, want %.200s", c.path, err, packed.StatusCode, plain.StatusCode,
				text, want)
		}
		refused, _ := exchange(t, h, c.method, c.path, c.body, "Authorization", c.authorization, "Accept-Encoding",
			"gzip;q=0, identity")
		if refused.Header.Get("Content-Encoding") != "" ||
			!strings.Contains(refused.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: got %v for a client that refuses gzip", c.path, refused.Header)
		}
	}
}

func TestCompression_secretsPicturesAndSmallAnswersStayAsTheyAre(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	image := h.Generate("/page/plain", nil).Want(http.StatusOK)
	user := "Bearer " + h.Session.Access
	// Long names make the answers larger than what would be compressed.
	long := strings.Repeat("é", 100)
	account := `{"email": "long@example.com", "password": "` + apptest.Password + `", "name": "` + long + `"}`
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/auth/register", account},
		{"POST", "/auth/login", account[:strings.Index(account, `, "name"`)] + "}"},
		{"POST", "/auth/refresh", `{"refreshToken": "` + h.Session.Refresh + `"}`},
		{"POST", "/keys", `{"name": "` + long + `"}`},
		{"GET", image.Path("imageUrl"), ""},
		{"GET", "/templates/editorial/sample", ""},
		{"GET", "/healthz", ""},
	} {
		answer, body := exchange(t, h, c.method, c.path, c.body, "Authorization", user, "Accept-Encoding", "gzip")
		if answer.StatusCode >= 300 || answer.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: got %d as %q: %.200q", c.path, answer.StatusCode, answer.Header.Get("Content-Encoding"), body)
		}
	}
}

func TestUnauthorized_namesTheScheme(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t)
	for _, answer := range []*apptest.Response{
		h.Get("/users/me"), h.Get("/users/me", apptest.Bearer("bad")), h.Post("/images/generate", map[string]any{}),
		h.Post("/auth/login", map[string]any{"email": "a@example.com", "password": "not the password"}),
	} {
		answer.WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
		if got := answer.Header.Get("WWW-Authenticate"); got != `Bearer realm="Masthead"` {
			t.Errorf("got WWW-Authenticate %q", got)
		}
	}
}

func TestAllow_namesHeadBesideGet(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t)
	for path, want := range map[string]string{
		"/images": "GET, HEAD", "/templates/editorial": "GET, HEAD", "/": "GET, HEAD", "/openapi.json": "GET, HEAD",
	} {
		for _, method := range []string{http.MethodPut, http.MethodOptions} {
			allow := h.Send(method, path, nil).Header.Get("Allow")
			if !strings.Contains(allow, want) || strings.Count(allow, "HEAD") != 1 {
				t.Errorf("%s %s: got Allow %q, want it to name %s", method, path, allow, want)
			}
			if head := h.Send(http.MethodHead, path, nil,
				apptest.Bearer(h.Session.Access)); head.Status != http.StatusOK {
				t.Errorf("HEAD %s: got %d", path, head.Status)
			}
		}
	}
	if allow := h.Send(http.MethodPut, "/auth/login", nil).Header.Get("Allow"); strings.Contains(allow, "HEAD") {
		t.Errorf("got Allow %q for an address without GET", allow)
	}
}
