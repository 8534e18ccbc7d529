package moduletest_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/weburl"
)

// first is the first page of northlane.dev, whose response a test changes.
type first struct {
	status   atomic.Int32
	location atomic.Value
	requests atomic.Int32
}

func startChecks(t *testing.T) (*apptest.Service, *first) {
	t.Helper()
	f := &first{}
	f.status.Store(http.StatusOK)
	f.location.Store("")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.requests.Add(1)
		if to, _ := f.location.Load().(string); to != "" && r.URL.Path == "/" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
			return
		}
		w.WriteHeader(int(f.status.Load()))
		fmt.Fprint(w, "<title>Northlane</title>", strings.Repeat("<p>More than anyone needs.", 100_000))
	}))
	t.Cleanup(site.Close)
	h := apptest.StartSignedIn(t, func(c *app.Config) {
		var err error
		if c.Fetch.Origin.Site, err = weburl.Parse("https://northlane.dev/"); err == nil {
			c.Fetch.Origin.From, err = weburl.Parse(site.URL)
		}
		if err != nil {
			t.Fatal(err)
		}
		c.Fetch.Allow = append(c.Fetch.Allow, apptest.Allowed(site.URL))
		c.JobsEvery = 20 * time.Millisecond
	})
	return h, f
}

// TestChecks_domainsInAllStates adds domains to a project, and has one respond, fail, and respond again.
func TestChecks_domainsInAllStates(t *testing.T) {
	t.Parallel()
	h, first := startChecks(t)
	me, path := apptest.Bearer(h.Session.Access), "/projects/"+h.Project
	made := h.Send("PATCH", path, map[string]any{
		"domains": []string{"northlane.dev", "blog.northlane.dev", "127.0.0.1", "none.invalid"},
	}, me).Want(http.StatusOK)
	var states []string
	for i := range 3 {
		states = append(states, made.Text(fmt.Sprintf("domainChecks.%d.state", i)))
	}
	if want := []string{"WAITING", "COVERED", "UNCHECKED"}; !slices.Equal(states, want) ||
		made.Value("domainChecks.0.checkedAt") != nil {
		t.Errorf("at first, the states are %q in %s", states, made.Body)
	}
	state := func(want string) *apptest.Response {
		t.Helper()
		var got *apptest.Response
		apptest.WaitFor(t, want, func() bool {
			got = h.Get(path, me).Want(http.StatusOK)
			return got.Text("domainChecks.0.state") == want
		})
		return got
	}
	// rests reports whether the project's checks are done, and due later.
	rests := func() bool {
		waiting, all := 0, 0
		err := errors.Join(
			h.App.DB.Get(t.Context(), &all, `SELECT COUNT(*) FROM jobs WHERE kind = 'domains'`),
			h.App.DB.Get(t.Context(), &waiting, `SELECT COUNT(*) FROM jobs WHERE kind = 'domains' AND due_at > ?
				AND holder = ''`, time.Now().UnixMilli()))
		return err == nil && waiting > 0 && waiting == all
	}
	// again has the checks of the project repeated as if they were a day old, once those of a change are done.
	again := func() {
		t.Helper()
		apptest.WaitFor(t, "the checks before", rests)
		requests := first.requests.Load()
		projectsExec(t, h, `UPDATE domain_checks SET checks = REPLACE(checks, '"at":"2', '"at":"1')`)
		projectsExec(t, h, `UPDATE jobs SET due_at = 1 WHERE kind = 'domains'`)
		apptest.WaitFor(t, "another request", func() bool { return rests() && first.requests.Load() > requests })
	}
	got := state("REACHABLE")
	if got.Text("domainChecks.3.state") != "UNREACHABLE" || !strings.Contains(got.Text("domainChecks.3.detail"),
		"none.invalid") || got.Text("domainChecks.1.detail") != "Covered by northlane.dev." {
		t.Errorf("got %s", got.Body)
	}
	if n := first.requests.Load(); n != 1 {
		t.Errorf("the first page was requested %d times", n)
	}
	if failing := h.Get("/projects?problem=domain", me).Want(http.StatusOK); failing.Text("items.0.id") != h.Project {
		t.Errorf("the failing ones are %s", failing.Body)
	}
	h.Send("PATCH", path, map[string]any{"domains": []string{"northlane.dev"}}, me).Want(http.StatusOK)
	again()
	if failing := h.Get("/projects?problem=domain", me).Want(http.StatusOK); failing.Value("items.0") != nil {
		t.Errorf("the failing ones are %s", failing.Body)
	}

	first.status.Store(http.StatusServiceUnavailable)
	for range 2 {
		again()
		if got := h.Get(path, me).Text("domainChecks.0.state"); got != "REACHABLE" {
			t.Errorf("after a failure, its state is %s", got)
		}
	}
	again()
	if got := state("ERROR"); !strings.Contains(got.Text("domainChecks.0.detail"), "503") {
		t.Errorf("got %s", got.Body)
	}
	first.status.Store(http.StatusOK)
	again()
	state("REACHABLE")

	first.location.Store("https://northlane.dev/en")
	again()
	state("REACHABLE")
	first.location.Store(h.Site.At("/page/one"))
	again()
	if got := state("REDIRECTED"); got.Text("domainChecks.0.detail") != "Its first page redirects to 127.0.0.1." {
		t.Errorf("got %s", got.Body)
	}
}

// TestChecks_areBounded has a project with many domains, and one that is changed without another domain.
func TestChecks_areBounded(t *testing.T) {
	t.Parallel()
	h, first := startChecks(t)
	me := apptest.Bearer(h.Session.Access)
	domains := []string{"northlane.dev"}
	for i := range 24 {
		domains = append(domains, fmt.Sprintf("d%d.invalid", i))
	}
	made := h.Post("/projects", map[string]any{"name": "Many", "domains": domains}, me).Want(http.StatusCreated)
	path := "/projects/" + made.Text("id")
	apptest.WaitFor(t, "the last domain", func() bool {
		return h.Get(path, me).Text("domainChecks.24.state") == "UNREACHABLE"
	})
	h.Send("PATCH", path, map[string]any{"name": "So many"}, me).Want(http.StatusOK)
	apptest.WaitFor(t, "the next job", func() bool {
		waiting := 0
		err := h.App.DB.Get(t.Context(), &waiting, `SELECT COUNT(*) FROM jobs WHERE kind = 'domains' AND due_at > ?
			AND key = ?`, time.Now().UnixMilli(), made.Text("id"))
		return err == nil && waiting == 1
	})
	if n := first.requests.Load(); n != 1 {
		t.Errorf("the first page was requested %d times", n)
	}
	projectsExec(t, h, `UPDATE users SET disabled = TRUE`)
	projectsExec(t, h, `UPDATE domain_checks SET checks = REPLACE(checks, '"at":"2', '"at":"1')`)
	projectsExec(t, h, `UPDATE jobs SET due_at = 1 WHERE kind = 'domains'`)
	apptest.WaitFor(t, "the job of a disabled account", func() bool {
		due := 0
		err := h.App.DB.Get(t.Context(), &due, `SELECT COUNT(*) FROM jobs WHERE kind = 'domains' AND due_at < ?`,
			time.Now().UnixMilli())
		return err == nil && due == 0
	})
	if n := first.requests.Load(); n != 1 {
		t.Errorf("the domains of a disabled account were requested: %d", n)
	}
}

func projectsExec(t *testing.T, h *apptest.Service, statement string, args ...any) {
	t.Helper()
	if _, err := h.App.DB.Exec(t.Context(), statement, args...); err != nil {
		t.Fatal(err)
	}
}
