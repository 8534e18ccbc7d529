package server

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/identity"
)

// anAPI answers GetImage, and panics at every other operation.
type anAPI struct{ gen.StrictServerInterface }

func (anAPI) GetImage(context.Context, gen.GetImageRequestObject) (gen.GetImageResponseObject, error) {
	return nil, apperr.New(apperr.NotFound, "There is no image with this id.")
}

// anyKey is everybody's key.
type anyKey struct{}

func (anyKey) Authenticate(context.Context, string) (identity.Caller, error) {
	return identity.Caller{}, nil
}

// onePlan is everybody's plan.
type onePlan struct{}

func (onePlan) RequestsPerMinute(string) int64                    { return 1000 }
func (onePlan) OfPublic(context.Context, string) (string, string) { return "", "" }
func (onePlan) OfOwner(context.Context, string) string            { return "" }

// documentWith returns the document after a change.
func documentWith(t *testing.T, change func(*openapi3.T)) *openapi3.T {
	t.Helper()
	document, err := loadDocument()
	if err != nil {
		t.Fatal(err)
	}
	change(document)
	return document
}

func TestNewServer_unknownInDocumentIsAnError(t *testing.T) {
	cfg := Config{Addr: "127.0.0.1:0", AuthRPM: 20}
	for name, c := range map[string]struct {
		change func(*openapi3.T)
		want   string
	}{
		"rate window": {func(d *openapi3.T) {
			d.Paths.Value("/auth/login").Post.Extensions["x-rate-bucket"] = "login"
		}, "login"},
		"list of rate windows": {func(d *openapi3.T) {
			d.Paths.Value("/auth/login").Post.Extensions["x-rate-bucket"] = []any{"auth"}
		}, "auth"},
		"no rate window": {func(d *openapi3.T) {
			delete(d.Paths.Value("/images").Get.Extensions, "x-rate-bucket")
		}, "x-rate-bucket is missing"},
		"maintenance": {func(d *openapi3.T) {
			d.Paths.Value("/auth/login").Post.Extensions["x-in-maintenance"] = "yes"
		}, "x-in-maintenance must be true or false"},
		"extension": {func(d *openapi3.T) {
			d.Paths.Value("/images").Get.Extensions = map[string]any{"x-rate-buket": "auth"}
		}, "x-rate-buket"},
		"format": {func(d *openapi3.T) {
			d.Components.Schemas["Image"].Value.Properties["id"].Value.Format = "guid"
		}, "guid"},
	} {
		t.Run(name, func(t *testing.T) {
			document := documentWith(t, c.change)
			err := checkDocument(document)
			if err == nil {
				_, err = newServer(cfg, Deps{API: anAPI{}}, document)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error that names %s", err, c.want)
			}
		})
	}
}

func TestNewServer_secondHandlerIsAnError(t *testing.T) {
	pages := func(e *echo.Echo, _ *Server) { e.GET("/templates/:name", func(echo.Context) error { return nil }) }
	_, err := New(Config{Addr: "127.0.0.1:0", AuthRPM: 20}, Deps{API: anAPI{}, Pages: pages, RepeatKeys: [][]byte{{1}}})
	if err == nil || !strings.Contains(err.Error(), "GET /templates/:name") {
		t.Errorf("got %v, want an error that names the address", err)
	}
}

// TestRun_panicIsAnError runs an operation that panics: the caller, who may be outside of any request, goes on.
func TestRun_panicIsAnError(t *testing.T) {
	document, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(Config{Addr: "127.0.0.1:0", AuthRPM: 20}, Deps{API: anAPI{}, Plans: onePlan{}}, document)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Operation("listTemplates").Run(t.Context(), Input{})
	if err == nil || apperr.CodeOf(err) != apperr.Internal || !strings.Contains(err.Error(), "panic") {
		t.Errorf("got %v, want the panic", err)
	}
	page := s.echo.NewContext(httptest.NewRequest(http.MethodGet, "/page", nil), httptest.NewRecorder())
	if _, err = s.Operation("listTemplates").Read(page, Input{Body: make(chan int)}); err == nil {
		t.Error("got a response to a body that is no JSON")
	}
}

// TestCORS_pathWithParameterIsAllowed lets GET /images/{imageId} take a key and asks for real ids as a browser does.
func TestCORS_pathWithParameterIsAllowed(t *testing.T) {
	document := documentWith(t, func(d *openapi3.T) {
		get := d.Paths.Value("/images/{imageId}").Get
		get.Security = &openapi3.SecurityRequirements{{"bearerAuth": {}}, {"apiKeyAuth": {}}}
	})
	deps := Deps{API: anAPI{}, Keys: anyKey{}, Plans: onePlan{}}
	s, err := newServer(Config{Addr: "127.0.0.1:0", AuthRPM: 20}, deps, document)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Origin", "https://elsewhere.example")
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, r)
		return answer
	}
	const image = "/images/0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11"
	for _, path := range []string{image, "/api" + image, "/images/generate", "/api/images/generate"} {
		want := http.MethodGet
		if strings.HasSuffix(path, "generate") {
			want = http.MethodPost
		}
		preflight := ask(http.MethodOptions, path,
			"Access-Control-Request-Method", want, "Access-Control-Request-Headers", "authorization")
		h := preflight.Header()
		got := []string{
			h.Get("Access-Control-Allow-Origin"), h.Get("Access-Control-Allow-Methods"),
			h.Get("Access-Control-Allow-Headers"), h.Get("Access-Control-Allow-Credentials"),
		}
		if want := []string{"*", want, "Authorization,Content-Type,If-None-Match,Idempotency-Key", ""}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
		if preflight.Code != http.StatusNoContent || !strings.Contains(h.Get("Allow"), want) {
			t.Errorf("%s: got %d and Allow %q, want 204 and %s", path, preflight.Code, h.Get("Allow"), want)
		}
	}
	for _, path := range []string{image, "/api" + image} {
		found := ask(http.MethodGet, path, "Authorization", "Bearer og_live_x")
		if found.Code != http.StatusNotFound || found.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: got %d %v, want an answer that any origin may read", path, found.Code, found.Header())
		}
		refused := ask(http.MethodGet, path)
		if refused.Code != http.StatusUnauthorized || refused.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s without a key: got %d %v, want a fault that any origin may read", path, refused.Code,
				refused.Header())
		}
		if other := ask(http.MethodDelete, path); other.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("DELETE %s: any origin may read what takes a session", path)
		}
	}
	if other := ask(http.MethodOptions, "/projects"); other.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error("pages of any origin are told that they may use a session")
	}
}

// A pattern or a format without words would show a regular expression, or a name that only programmers know.
func TestDocument_patternsAndFormatsOfRequestsHaveWords(t *testing.T) {
	document, err := loadDocument()
	if err != nil {
		t.Fatal(err)
	}
	var check func(where string, ref *openapi3.SchemaRef)
	check = func(where string, ref *openapi3.SchemaRef) {
		if ref == nil {
			return
		}
		s := ref.Value
		if s.Pattern != "" && patternWords[s.Pattern] == "" {
			t.Errorf("%s: the pattern %s has no words", where, s.Pattern)
		}
		if s.Format != "" && !isSecret(s) && formatWords[s.Format] == "" {
			t.Errorf("%s: the format %s has no words", where, s.Format)
		}
		for name, property := range s.Properties {
			check(where+"."+name, property)
		}
		check(where+"[]", s.Items)
		for _, form := range s.OneOf {
			check(where, form)
		}
	}
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			for _, p := range slices.Concat(item.Parameters, op.Parameters) {
				check(method+" "+path+" "+p.Value.Name, p.Value.Schema)
			}
			if op.RequestBody == nil {
				continue
			}
			if body := op.RequestBody.Value.Content["application/json"]; body != nil { // others are taken as bytes
				check(method+" "+path, body.Schema)
			}
		}
	}
}

// What is called a password is never repeated in an error, and never compressed in an answer.
func TestDocument_secretsAreCalledPasswords(t *testing.T) {
	document, err := loadDocument()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for name, schema := range document.Components.Schemas {
		for field, property := range schema.Value.Properties {
			lower := strings.ToLower(field)
			if field == "tokenType" || !strings.Contains(lower, "password") && !strings.Contains(lower, "token") &&
				lower != "secret" {
				continue
			}
			if found++; !isSecret(property.Value) {
				t.Errorf("%s.%s has not the format password", name, field)
			}
		}
	}
	if found < 5 {
		t.Errorf("got %d secrets, want those of accounts, sessions and keys", found)
	}
	for path, want := range map[string]bool{"POST /auth/login": false, "POST /api/keys/:keyId/rotate": false,
		"GET /keys": true} {
		if got := compressible(document)[path]; got != want {
			t.Errorf("%s: compressible is %v, want %v", path, got, want)
		}
	}
}
