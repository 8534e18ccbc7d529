package app_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// needDatabase are requests that cannot be answered without the database.
func needDatabase(s *apptest.Service) map[string]func() *apptest.Response {
	session := apptest.Bearer(s.Session.Access)
	return map[string]func() *apptest.Response{
		"a list":        func() *apptest.Response { return s.Get("/projects", session) },
		"a write":       func() *apptest.Response { return s.Post("/projects", map[string]any{"name": "New"}, session) },
		"an image":      func() *apptest.Response { return s.Generate("/page/new", nil) },
		"an unknown og": func() *apptest.Response { return s.Get("/og/0123456789012345678901") },
		"a login": func() *apptest.Response {
			return s.Post("/auth/login", map[string]any{"email": s.Session.Email, "password": s.Session.Password})
		},
	}
}

// wantUnavailable says that every one of the requests ends as a 503 that says when to try again, and then, once it is
// known, at once.
func wantUnavailable(t *testing.T, requests map[string]func() *apptest.Response) {
	t.Helper()
	check := func(what string, r *apptest.Response) {
		t.Helper()
		r.WantProblem(503, "UNAVAILABLE")
		if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err != nil || seconds < 1 {
			t.Errorf("%s: got Retry-After %q, want seconds", what, r.Header.Get("Retry-After"))
		}
	}
	first := make(chan func(), 3*len(requests))
	for what, request := range requests {
		for range 3 {
			go func() {
				r := request()
				first <- func() { check(what, r) }
			}()
		}
	}
	began := time.Now()
	for range cap(first) {
		(<-first)()
	}
	if got := time.Since(began); got > 25*time.Second {
		t.Errorf("the first ones took %v, want some seconds", got)
	}
	for what, request := range requests {
		began := time.Now()
		check(what, request())
		if got := time.Since(began); got > time.Second {
			t.Errorf("%s: then refused after %v, want at once", what, got)
		}
	}
}

// wantWell says that the service gets well by itself: within ten seconds, with room for a slow machine.
func wantWell(t *testing.T, s *apptest.Service) {
	t.Helper()
	began := time.Now()
	apptest.WaitFor(t, "the service to be well", func() bool {
		return s.Get("/readyz").Status == 200 && s.Get("/projects", apptest.Bearer(s.Session.Access)).Status == 200 &&
			s.Generate("/page/after"+strconv.FormatInt(apptest.Serial(), 10), nil).Status == 200
	})
	if got := time.Since(began); got > 30*time.Second {
		t.Errorf("well after %v, want 10 s", got)
	}
}

// TestDatabase_faultsOfPostgresAre503 harms the way to Postgres under a service.
func TestDatabase_faultsOfPostgresAre503(t *testing.T) {
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		for name, harm := range map[string]func(*dbtest.Proxy){
			"silent": (*dbtest.Proxy).Silence, "refusing": (*dbtest.Proxy).Refuse,
		} {
			t.Run(name, func(t *testing.T) {
				proxy, err := dbtest.NewProxy(url)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(proxy.Close)
				s := apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: proxy.Through(url)}))
				harm(proxy)
				wantUnavailable(t, needDatabase(s))
				s.Get("/readyz").Want(503)
				s.Get("/healthz").Want(200)
				if err := proxy.Heal(); err != nil {
					t.Fatal(err)
				}
				wantWell(t, s)
				proxy.Cut()
				if got := s.Get("/projects", apptest.Bearer(s.Session.Access)).Status; got != 200 && got != 503 {
					t.Errorf("connections that were cut: got %d, want 200 or 503", got)
				}
				wantWell(t, s)
			})
		}
	})
}

// TestDatabase_lockOfAnotherIs503 holds SQLite's lock from outside: what must be written is told, the rest goes on.
func TestDatabase_lockOfAnotherIs503(t *testing.T) {
	s := apptest.StartSignedIn(t)
	s.Generate("/page/one", nil).Want(200)
	other := sqlx.MustOpen("sqlite", filepath.Join(s.Config.DataDir, "masthead.db"))
	t.Cleanup(func() { _ = other.Close() })
	other.SetMaxOpenConns(1)
	other.MustExec(`BEGIN IMMEDIATE`)
	requests := needDatabase(s)
	delete(requests, "a list")
	delete(requests, "an unknown og")
	wantUnavailable(t, requests)
	s.Get("/projects", apptest.Bearer(s.Session.Access)).Want(200)
	s.Generate("/page/one", nil).Want(200)
	other.MustExec(`ROLLBACK`)
	wantWell(t, s)
}

// TestDatabase_fullOrReadOnlyIs503 has SQLite refuse what is to be written: the rest goes on.
func TestDatabase_fullOrReadOnlyIs503(t *testing.T) {
	s := apptest.StartSignedIn(t)
	s.Generate("/page/one", nil).Want(200)
	session := apptest.Bearer(s.Session.Access)
	set := func(pragma string) {
		t.Helper()
		if _, err := s.App.DB.Exec(t.Context(), "PRAGMA "+pragma); err != nil { // of the one connection that writes
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct{ harm, heal string }{
		"full":      {"max_page_count = 1", "max_page_count = 1000000"},
		"read-only": {"query_only = 1", "query_only = 0"},
	} {
		t.Run(name, func(t *testing.T) {
			set(c.harm)
			var refused *apptest.Response
			apptest.WaitFor(t, "the room that is left to be used", func() bool {
				refused = s.Post("/projects", map[string]any{"name": strings.Repeat("x", 100)}, session)
				return refused.Status != 201
			})
			refused.WantProblem(503, "UNAVAILABLE")
			if seconds, err := strconv.Atoi(refused.Header.Get("Retry-After")); err != nil || seconds < 1 {
				t.Errorf("got Retry-After %q, want seconds", refused.Header.Get("Retry-After"))
			}
			s.Get("/projects", session).Want(200)
			s.Generate("/page/one", nil).Want(200)
			set(c.heal)
			wantWell(t, s)
		})
	}
}

// TestDatabase_slowPostgresIsBoundedForEachRequest has every message of Postgres take a second: requests that ask for
// much are told in time.
func TestDatabase_slowPostgresIsBoundedForEachRequest(t *testing.T) {
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		proxy, err := dbtest.NewProxy(url)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(proxy.Close)
		s := apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: proxy.Through(url)}))
		proxy.Slow(time.Second)
		type ended struct {
			what string
			took time.Duration
			r    *apptest.Response
		}
		requests := needDatabase(s)
		results := make(chan ended, len(requests))
		for what, request := range requests {
			go func() {
				began := time.Now()
				r := request()
				results <- ended{what, time.Since(began), r}
			}()
		}
		for range len(requests) {
			e := <-results
			if e.r.Status >= 500 {
				e.r.WantProblem(503, "UNAVAILABLE")
			}
			// A drawing has its own time for each stage.
			if e.what != "an image" && e.took > 7*time.Second {
				t.Errorf("%s took %v (%d), want 3 s, or 5 s for a list", e.what, e.took, e.r.Status)
			}
			t.Log(e.what, e.took, e.r.Status)
		}
		if err := proxy.Heal(); err != nil {
			t.Fatal(err)
		}
		wantWell(t, s)
	})
}
