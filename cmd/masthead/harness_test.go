package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"masthead/gen"
	"masthead/pkg/auth"
	"masthead/pkg/db"
	"masthead/pkg/fetch"
	"masthead/pkg/images"
	"masthead/pkg/server"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	for _, contentType := range []string{"image/png", "image/jpeg"} {
		openapi3filter.RegisterBodyDecoder(contentType, openapi3filter.FileBodyDecoder)
	}
	os.Exit(m.Run())
}

// harness is the whole service on a loopback port, with a site beside it whose pages it may fetch. Every answer is validated
// against the document.
type harness struct {
	t       *testing.T
	base    string
	site    *site
	service *service
	cfg     settings
	router  routers.Router
	// A signed-in user with a project and a key for it.
	session session
	project string
	key     string
}

type session struct{ Access, Refresh, Email, Password string }

// password is good for every account of the tests.
const password = "correct horse battery staple"

// start runs a service whose settings were changed by change, which may be nil.
func start(t *testing.T, change func(*settings)) *harness {
	t.Helper()
	h := &harness{t: t, site: newSite(t)}
	h.cfg = settings{
		storage: storage{DataDir: t.TempDir()},
		Server:  server.Config{Addr: "127.0.0.1:0", AuthRPM: 100_000},
		Auth:    auth.Config{Registration: "open"},
		Fetch:   fetch.Config{Allow: []string{h.site.allowed()}},
		Images:  images.Config{},
		Log:     logConfig{Level: "info"},
	}
	if change != nil {
		change(&h.cfg)
	}
	h.cfg.Auth.SetupToken = "the set-up token"
	h.run()
	document, err := openapi3.NewLoader().LoadFromData(gen.Document)
	if err != nil {
		t.Fatal(err)
	}
	if h.router, err = gorillamux.NewRouter(document); err != nil {
		t.Fatal(err)
	}
	return h
}

// run wires and serves.
func (h *harness) run() {
	h.t.Helper()
	if err := h.cfg.validate(); err != nil {
		h.t.Fatal(err)
	}
	listener, err := net.Listen("tcp", h.cfg.Server.Addr)
	if err != nil {
		h.t.Fatal(err)
	}
	cfg := h.cfg
	cfg.Server.Addr = actualAddr(cfg.Server.Addr, listener.Addr().String())
	h.base = "http://" + listener.Addr().String()
	if h.service, err = newService(h.t.Context(), cfg); err != nil {
		h.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(h.t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- h.service.server.Serve(ctx, listener, 0) }()
	h.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			h.t.Errorf("serve: %v", err)
		}
		if err := h.service.close(); err != nil {
			h.t.Error(err)
		}
	})
}

// withAccount starts a service with a signed-in user, a project and a key for it.
func withAccount(t *testing.T, change func(*settings)) *harness {
	t.Helper()
	h := start(t, change)
	h.session = h.register()
	h.project = h.newProject(h.session)
	h.key = h.newKey(h.session, h.project)
	return h
}

var serial atomic.Int64

// register makes a fresh account.
func (h *harness) register() session {
	h.t.Helper()
	s := session{Email: fmt.Sprintf("user%d@example.com", serial.Add(1)), Password: password}
	answer := h.post("/auth/register", map[string]any{"email": s.Email, "password": s.Password}).want(http.StatusCreated)
	s.Access, s.Refresh = answer.text("accessToken"), answer.text("refreshToken")
	return s
}

func (h *harness) newProject(s session) string {
	h.t.Helper()
	return h.post("/projects", map[string]any{"name": "Test"}, bearer(s.Access)).want(http.StatusCreated).text("id")
}

func (h *harness) newKey(s session, project string) string {
	h.t.Helper()
	body := map[string]any{"name": "Test"}
	if project != "" {
		body["projectId"] = project
	}
	return h.post("/keys", body, bearer(s.Access)).want(http.StatusCreated).text("secret")
}

// generate asks for an image of a page of the site, with the fields of more added to the request.
func (h *harness) generate(path string, more map[string]any, options ...option) *answer {
	h.t.Helper()
	body := map[string]any{"url": h.site.url(path), "projectId": h.project}
	for k, v := range more {
		body[k] = v
	}
	return h.post("/images/generate", body, append([]option{bearer(h.key)}, options...)...)
}

// option changes a request before it is sent.
type option func(*http.Request)

func bearer(token string) option { return header("Authorization", "Bearer "+token) }

func header(key, value string) option { return func(r *http.Request) { r.Header.Set(key, value) } }

func (h *harness) get(path string, options ...option) *answer {
	h.t.Helper()
	return h.send(http.MethodGet, path, nil, options...)
}

func (h *harness) post(path string, body any, options ...option) *answer {
	h.t.Helper()
	return h.send(http.MethodPost, path, body, options...)
}

// send sends a request. body is sent as it is when it is a string, else as JSON; nil sends none.
func (h *harness) send(method, path string, body any, options ...option) *answer {
	h.t.Helper()
	var content []byte
	switch v := body.(type) {
	case nil:
	case string:
		content = []byte(v)
	default:
		var err error
		if content, err = json.Marshal(v); err != nil {
			h.t.Fatal(err)
		}
	}
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.base+path, bytes.NewReader(content))
	if err != nil {
		h.t.Fatal(err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, option := range options {
		option(r)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		h.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		h.t.Fatalf("%s %s: read the answer: %v", method, path, err)
	}
	a := &answer{t: h.t, what: method + " " + path, status: response.StatusCode, header: response.Header, body: got}
	h.validate(r, a)
	return a
}

// validate checks an answer against the document, and what holds for every answer besides.
func (h *harness) validate(r *http.Request, a *answer) {
	h.t.Helper()
	if a.header.Get("X-Request-Id") == "" {
		h.t.Errorf("%s: no X-Request-Id", a.what)
	}
	if a.header.Get("X-Content-Type-Options") != "nosniff" {
		h.t.Errorf("%s: no nosniff", a.what)
	}
	find := *r
	if find.Method == http.MethodHead {
		find.Method = http.MethodGet
	}
	route, params, err := h.router.FindRoute(&find)
	if err != nil {
		return // a web page, or an address that is not there
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: &find, PathParams: params, Route: route},
		Status:                 a.status,
		Header:                 a.header,
		Options:                &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: r.Method == http.MethodHead},
	}
	input.SetBodyBytes(a.body)
	if err := openapi3filter.ValidateResponse(context.Background(), input); err != nil {
		h.t.Errorf("%s: status %d breaks the document: %v\n%.500q", a.what, a.status, err, a.body)
	}
	if limited := route.Operation.Extensions["x-rate-bucket"] != nil; limited != (a.header.Get("X-RateLimit-Reset") != "") {
		h.t.Errorf("%s: status %d: rate headers %v, want %v", a.what, a.status, !limited, limited)
	}
}

// answer is what came back.
type answer struct {
	t      *testing.T
	what   string
	status int
	header http.Header
	body   []byte
}

// want fails the test when the status is another.
func (a *answer) want(status int) *answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: got status %d, want %d: %.500q", a.what, a.status, status, a.body)
	}
	return a
}

// fault fails the test when the answer is no problem with the code.
func (a *answer) fault(status int, code string) *answer {
	a.t.Helper()
	a.want(status)
	if got := a.text("code"); got != code || a.header.Get("Content-Type") != "application/problem+json" {
		a.t.Errorf("%s: got code %q as %s, want %q as a problem", a.what, got, a.header.Get("Content-Type"), code)
	}
	return a
}

// value returns the member at a path such as "items.0.id"; nil when there is none.
func (a *answer) value(path string) any {
	a.t.Helper()
	var v any
	if err := json.Unmarshal(a.body, &v); err != nil {
		a.t.Fatalf("%s: no JSON: %v: %.500q", a.what, err, a.body)
	}
	for part := range strings.SplitSeq(path, ".") {
		switch parent := v.(type) {
		case map[string]any:
			v = parent[part]
		case []any:
			var i int
			if _, err := fmt.Sscan(part, &i); err != nil || i >= len(parent) {
				return nil
			}
			v = parent[i]
		default:
			return nil
		}
	}
	return v
}

func (a *answer) text(path string) string {
	a.t.Helper()
	s, _ := a.value(path).(string)
	return s
}

// path is the path and query of an address in the answer, to be asked of the harness.
func (a *answer) path(member string) string {
	a.t.Helper()
	u, err := url.Parse(a.text(member))
	if err != nil {
		a.t.Fatal(err)
	}
	return u.RequestURI()
}

// site serves pages to be fetched and counts how often each was.
type site struct {
	*httptest.Server
	pages atomic.Int64
	// hold, when it is set, keeps every page back until it is closed.
	hold atomic.Pointer[chan struct{}]
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{}
	icon, err := sampleIcon()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page/{name}", func(w http.ResponseWriter, r *http.Request) {
		s.pages.Add(1)
		if hold := s.hold.Load(); hold != nil {
			<-*hold
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Page %[1]s</title>
			<meta name="description" content="What the page called %[1]s is all about, in one sentence."><meta property="og:site_name" content="Testland">
			<meta name="theme-color" content="#0F766E"><link rel="icon" sizes="180x180" href="/icon.png"></head><body><h1>Page %[1]s</h1></body></html>`,
			r.PathValue("name"))
	})
	mux.HandleFunc("GET /icon.png", serveBytes("image/png", icon))
	mux.HandleFunc("GET /app", serveBytes("text/html; charset=utf-8", []byte(`<title>An app</title><link rel="manifest" href="/app.webmanifest">`)))
	mux.HandleFunc("GET /app.webmanifest", serveBytes("application/manifest+json",
		[]byte(`{"name": "App", "theme_color": "#B91C1C", "icons": [{"src": "icon.png", "sizes": "180x180"}]}`)))
	mux.HandleFunc("GET /data.json", serveBytes("application/json", []byte(`{}`)))
	mux.HandleFunc("GET /gone", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
	mux.HandleFunc("GET /redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func (s *site) url(path string) string { return s.URL + path }

// allowed opens the site, and only its port.
func (s *site) allowed() string { return "127.0.0.1/32:" + s.URL[strings.LastIndex(s.URL, ":")+1:] }

// onPostgres puts the service on a database of the given address.
func onPostgres(address string) func(*settings) {
	return func(s *settings) {
		s.Database = db.Config{URL: address}
		s.Auth.Secret = randomText(48)
	}
}
