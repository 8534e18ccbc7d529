package moduletest_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
	"masthead/pkg/identity"
	"masthead/pkg/server"
)

// signedIn returns a context with the caller of a session, as the middleware of a page leaves it.
func signedIn(t *testing.T, s *apptest.Service, session apptest.Session) context.Context {
	t.Helper()
	caller, err := s.App.Auth.AuthenticateBearer(t.Context(), session.Access)
	if err != nil {
		t.Fatal(err)
	}
	caller.Address = netip.MustParseAddr("192.0.2.7")
	return identity.WithRequestID(identity.WithCaller(t.Context(), caller), "req-1")
}

// withKey returns a context with the caller of an API key.
func withKey(t *testing.T, s *apptest.Service, secret string) context.Context {
	t.Helper()
	caller, err := s.App.Keys.Authenticate(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	return identity.WithCaller(t.Context(), caller)
}

// pageOf returns a request for a page, after its session was found, and its response. headers are pairs.
func pageOf(ctx context.Context, method string, headers ...string) (echo.Context, *httptest.ResponseRecorder) {
	r := httptest.NewRequestWithContext(ctx, method, "http://127.0.0.1/page", nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	return echo.New().NewContext(r, w), w
}

// wantFault compares an error with a code and the pointer of its first field; "" for none.
func wantFault(t *testing.T, what string, err error, code apperr.Code, pointer string) {
	t.Helper()
	var fault *apperr.Error
	if !errors.As(err, &fault) || fault.Code != code || fault.Detail == "" {
		t.Errorf("%s: got %v, want %s with a sentence", what, err, code)
		return
	}
	got := ""
	if len(fault.Fields) > 0 {
		got = fault.Fields[0].Pointer
	}
	if got != pointer {
		t.Errorf("%s: got the field %q of %v, want %q", what, got, fault.Fields, pointer)
	}
}

func TestOperation_unknownIDPanicsAtTheStart(t *testing.T) {
	defer func() {
		if v := recover(); v != "server: there is no operation createAudits" {
			t.Errorf("got %v, want a panic that names the operation", v)
		}
	}()
	_, err := server.New(server.Config{Addr: "127.0.0.1:0", AuthRPM: 20}, server.Deps{
		RepeatKeys: [][]byte{{1}}, Pages: func(_ *echo.Echo, s *server.Server) { s.Operation("createAudits") },
	})
	t.Errorf("got a server and %v, want a panic", err)
}

// TestRun_goesThroughTheWholeChain creates a project as an agent of its owner would.
func TestRun_goesThroughTheWholeChain(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		ctx, create := signedIn(t, s, s.Session), s.App.Operation("createProject")
		again := server.Input{Body: gen.ProjectCreate{Name: "By an agent"}, Header: http.Header{
			"Idempotency-Key": {"one"},
		}}
		var made, repeated gen.Project
		for _, into := range []*gen.Project{&made, &repeated} {
			out, err := create.Run(ctx, again)
			if err != nil {
				t.Fatal(err)
			}
			if err := out.Decode(into); err != nil || out.Status != http.StatusCreated || out.Header.Get("Location") == "" {
				t.Errorf("got %d %v %v, want 201 with its address", out.Status, out.Header, err)
			}
		}
		if made.Name != "By an agent" || made.Id != repeated.Id {
			t.Errorf("got %v and then %v, want one project", made.Id, repeated.Id)
		}
		again.Body = json.RawMessage(`{"name": "Another"}`)
		_, err := create.Run(ctx, again)
		wantFault(t, "another body under the key", err, apperr.IdempotencyMismatch, "")

		_, err = create.Run(ctx, server.Input{Body: []byte(`{"name": 5}`)})
		wantFault(t, "validation", err, apperr.BadRequest, "/name")
		_, err = create.Run(ctx, server.Input{Body: []byte(`{"name": "x"} {}`)})
		wantFault(t, "two values", err, apperr.BadRequest, "")
		_, err = create.Run(ctx, server.Input{Body: map[string]any{"name": strings.Repeat("x", 70<<10)}})
		wantFault(t, "a large body", err, apperr.PayloadTooLarge, "")
		_, err = create.Run(ctx, server.Input{Body: []byte(`{"name": "x"}`), Query: url.Values{"no": {"1"}}})
		wantFault(t, "an unknown parameter", err, apperr.BadRequest, "query.no")

		get := s.App.Operation("getProject")
		out, err := get.Run(ctx, server.Input{Path: map[string]string{"projectId": made.Id.String()}})
		if err != nil || !strings.Contains(string(out.Body), "By an agent") {
			t.Errorf("get: got %v %v", out, err)
		}
		_, err = get.Run(ctx, server.Input{Path: map[string]string{"projectId": "a/b"}})
		wantFault(t, "an escaped parameter", err, apperr.BadRequest, "path.projectId")
		_, err = get.Run(signedIn(t, s, s.Register()),
			server.Input{Path: map[string]string{"projectId": made.Id.String()}})
		wantFault(t, "somebody else's", err, apperr.NotFound, "")
	})
}

// TestRun_keptProblemIsReadAgain repeats a request whose first answer, a problem, was kept.
func TestRun_keptProblemIsReadAgain(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	generate, ctx := s.App.Operation("generateImage"), withKey(t, s, s.Key)
	for _, name := range []string{"the first", "the repeat"} {
		_, err := generate.Run(ctx, server.Input{
			Body:   map[string]any{"projectId": s.Project, "url": s.Site.At("/page/one"), "template": "nope"},
			Header: http.Header{"idempotency-key": {"one"}},
		})
		wantFault(t, name, err, apperr.NotFound, "/template")
	}
}

// TestRun_countsAsARequest fills the window of an account from both sides.
func TestRun_countsAsARequest(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.Billing.FreeRPM = 4 }) // its project and key are two
	ctx, list := signedIn(t, s, s.Session), s.App.Operation("listProjects")
	s.Get("/projects", apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
	if out, err := list.Run(ctx, server.Input{}); err != nil || out.Header.Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("got %v %v, want the last request of the window", out, err)
	}
	_, err := list.Run(ctx, server.Input{})
	wantFault(t, "one too many", err, apperr.RateLimited, "")
	var fault *apperr.Error
	if errors.As(err, &fault); fault.RetryAfter <= 0 {
		t.Error("it does not say when to try again")
	}
	s.Get("/projects", apptest.Bearer(s.Session.Access)).Want(http.StatusTooManyRequests)
	page, w := pageOf(ctx, http.MethodPost)
	_, err = list.Form(page, server.Input{})
	wantFault(t, "a form", err, apperr.RateLimited, "")
	if w.Header().Get("X-RateLimit-Limit") != "4" || w.Header().Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("the page of the form has the headers %v", w.Header())
	}
	page, w = pageOf(ctx, http.MethodGet)
	out, err := list.Read(page, server.Input{})
	if err != nil || !strings.Contains(string(out.Body), s.Project) || w.Header().Get("X-RateLimit-Limit") != "" {
		t.Errorf("a page that reads: got %v %v %v, want the list, uncounted", out, err, w.Header())
	}
	_, err = list.Read(page, server.Input{Query: url.Values{"limit": {"1000"}}})
	wantFault(t, "a page that reads too much", err, apperr.BadRequest, "query.limit")
}

// TestRead_doesNotWrite has a page read by an operation that changes something.
func TestRead_doesNotWrite(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	page, _ := pageOf(signedIn(t, s, s.Session), http.MethodGet)
	_, err := s.App.Operation("createProject").Read(page, server.Input{Body: gen.ProjectCreate{Name: "No"}})
	if err == nil || !strings.Contains(err.Error(), "createProject") {
		t.Errorf("got %v, want an error", err)
	}
}

// TestForm_fromElsewhereIsRefused sends forms as pages of other sites do; they count for nothing.
func TestForm_fromElsewhereIsRefused(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.Billing.FreeRPM = 3 })
	ctx, create := signedIn(t, s, s.Session), s.App.Operation("createProject")
	in := server.Input{Body: gen.ProjectCreate{Name: "By a form"}}
	for _, headers := range [][]string{
		{"Origin", "https://evil.example"}, {"Origin", "null"}, {"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1"},
	} {
		page, w := pageOf(ctx, http.MethodPost, headers...)
		_, err := create.Form(page, in)
		wantFault(t, strings.Join(headers, ": "), err, apperr.Forbidden, "")
		if w.Header().Get("X-RateLimit-Limit") != "" {
			t.Errorf("%v was counted", headers)
		}
	}
	page, w := pageOf(ctx, http.MethodPost, "Sec-Fetch-Site", "same-origin", "Origin", "http://127.0.0.1")
	if out, err := create.Form(page, in); err != nil || out.Status != http.StatusCreated {
		t.Errorf("our own: got %v %v", out, err)
	}
	if w.Header().Get("X-RateLimit-Remaining") != "0" {
		t.Errorf("our own: got %v, want the last request of the window", w.Header())
	}
}

// TestForm_givesThePageTheCookie signs in by a form.
func TestForm_givesThePageTheCookie(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	page, w := pageOf(t.Context(), http.MethodPost)
	_, err := s.App.Operation("login").Form(page, server.Input{Body: map[string]any{
		"email": s.Session.Email, "password": s.Session.Password,
	}})
	if cookie := w.Header().Get("Set-Cookie"); err != nil || !strings.HasPrefix(cookie, identity.CookieName+"=") {
		t.Errorf("got %q and %v, want the session", cookie, err)
	}
}

// TestRun_callers runs operations of each security for each kind of caller.
func TestRun_callers(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	other := s.NewProject(s.Session)
	stranger := s.Register()
	strangers := s.NewProject(stranger)
	anonymous, person, key := t.Context(), signedIn(t, s, s.Session), withKey(t, s, s.Key)
	generate := func(project string) server.Input {
		return server.Input{Body: map[string]any{"projectId": project, "url": s.Site.At("/page/callers")}}
	}
	as := func(in server.Input, project string) server.Input {
		in.ProjectID = project
		return in
	}
	list := func(project string) server.Input { return server.Input{Query: url.Values{"projectId": {project}}} }
	for _, c := range []struct {
		name, operation string
		ctx             context.Context
		in              server.Input
		want            apperr.Code // "" for success
	}{
		{"nobody draws", "generateImage", anonymous, generate(s.Project), apperr.Unauthorized},
		{"nobody draws for a project", "generateImage", anonymous, as(generate(s.Project), s.Project),
			apperr.Unauthorized},
		{"a session draws", "generateImage", person, generate(s.Project), apperr.Unauthorized},
		{"an owner draws", "generateImage", person, as(generate(s.Project), s.Project), ""},
		{"an owner draws for another project", "generateImage", person, as(generate(other), s.Project),
			apperr.Forbidden},
		{"for a stranger's", "generateImage", person, as(generate(strangers), strangers), apperr.Forbidden},
		{"for none", "generateImage", person, as(generate(apptest.Nobody), apptest.Nobody), apperr.Forbidden},
		{"a key draws", "generateImage", key, generate(s.Project), ""},
		{"a key draws out of its scope", "generateImage", key, as(generate(other), other), apperr.Forbidden},
		{"a session lists", "listImages", person, server.Input{}, ""},
		{"an owner lists for a project", "listImages", person, as(list(s.Project), s.Project), ""},
		{"a key lists", "listImages", key, server.Input{}, ""},
		{"a session reads projects", "listProjects", person, server.Input{}, ""},
		{"an owner for a project reads projects", "listProjects", person, as(server.Input{}, s.Project),
			apperr.Unauthorized},
		{"a key reads projects", "listProjects", key, server.Input{}, apperr.Unauthorized},
		{"nobody reads projects", "listProjects", anonymous, server.Input{}, apperr.Unauthorized},
		{"nobody reads templates", "listTemplates", anonymous, server.Input{}, ""},
		{"a key reads templates", "listTemplates", key, server.Input{}, ""},
		{"nobody audits", "createAudit", anonymous,
			server.Input{Body: gen.AuditRequest{Url: s.Site.At("/page/callers")}}, ""},
		{"a key audits", "createAudit", key, server.Input{Body: gen.AuditRequest{Url: s.Site.At("/page/callers")}},
			apperr.Unauthorized},
	} {
		_, err := s.App.Operation(c.operation).Run(c.ctx, c.in)
		if c.want != "" {
			wantFault(t, c.name, err, c.want, "")
		} else if err != nil {
			t.Errorf("%s: got %v, want none", c.name, err)
		}
	}
	s.Post("/images/generate", map[string]any{"projectId": s.Project, "url": s.Site.At("/page/callers")},
		apptest.Bearer(s.Session.Access)).WantProblem(http.StatusUnauthorized, "UNAUTHORIZED")
}

// TestRun_auditLogNamesThePerson draws a page that may not be reached, as an owner for a project.
func TestRun_auditLogNamesThePerson(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	_, err := s.App.Operation("generateImage").Run(signedIn(t, s, s.Session), server.Input{
		ProjectID: s.Project, Body: map[string]any{"projectId": s.Project, "url": "http://10.0.0.1/"},
	})
	wantFault(t, "a private address", err, apperr.BadRequest, "/url")
	var got []struct {
		ActorID   string `db:"actor_id"`
		Address   string
		RequestID string `db:"request_id"`
	}
	if err := s.App.DB.Select(t.Context(), &got, `SELECT actor_id, address, request_id FROM audit_events
		WHERE action = 'target_refused'`); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].ActorID != s.ID(s.Session) || got[0].Address != "192.0.2.7" || got[0].RequestID != "req-1" {
		t.Errorf("got %+v, want one event of the person", got)
	}
}

// TestRun_errorsKeepTheirCauses has a page that cannot be had: why is for the page of the form to say.
func TestRun_errorsKeepTheirCauses(t *testing.T) {
	t.Parallel()
	s := apptest.StartSignedIn(t)
	for _, header := range []http.Header{nil, {"Idempotency-Key": {"one"}}} {
		_, err := s.App.Operation("createAudit").Run(signedIn(t, s, s.Session), server.Input{
			Body: gen.AuditRequest{Url: s.Site.At("/gone")}, Header: header,
		})
		wantFault(t, "a page that is gone", err, apperr.UpstreamFailed, "")
		var status fetch.StatusError
		if !errors.As(err, &status) || status != http.StatusGone {
			t.Errorf("got %v, want the status 410 as its cause", err)
		}
	}
	ctx, cancel := context.WithCancel(signedIn(t, s, s.Session))
	cancel()
	_, err := s.App.Operation("listProjects").Run(ctx, server.Input{})
	wantFault(t, "a caller who has left", err, apperr.Unavailable, "")
}
