package moduletest_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// again is the header of a request that is sent more than once.
func again(key string) apptest.RequestOption { return apptest.Header("Idempotency-Key", key) }

func TestRepeat_projectIsMadeOnce(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		user := apptest.Bearer(s.Session.Access)
		first := s.Post("/projects", `{"name": "One", "domains": ["example.com"]}`, user,
			again("p")).Want(http.StatusCreated)
		if got := first.Header.Get("Idempotency-Replayed"); got != "" {
			t.Errorf("the first answer: got Idempotency-Replayed %q, want none", got)
		}
		// Neither white space, nor the order of members, nor the prefix makes it another request; nor another node.
		second := s.StartNode().Post("/api/projects", `{"domains":["example.com"],"name":"One"}`, user, again("p")).
			Want(http.StatusCreated)
		if second.Text("id") != first.Text("id") || second.Header.Get("Location") != first.Header.Get("Location") ||
			second.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("got %s with %v, want the first answer %s", second.Body, second.Header, first.Body)
		}
		s.Post("/projects", `{"name": "Two"}`, user, again("p")).
			WantProblem(http.StatusUnprocessableEntity, "IDEMPOTENCY_MISMATCH")
		s.Post("/keys", `{"name": "One"}`, user, again("p")).
			WantProblem(http.StatusUnprocessableEntity, "IDEMPOTENCY_MISMATCH")
		other := s.Register()
		s.Post("/projects", `{"name": "Two"}`, apptest.Bearer(other.Access), again("p")).Want(http.StatusCreated)
	})
}

func TestRepeat_requestThatWasWrongMayBeFixed(t *testing.T) {
	s := apptest.StartSignedIn(t)
	user := apptest.Bearer(s.Session.Access)
	s.Post("/projects", `{"name": "\u0007"}`, user, again("p")).Want(http.StatusBadRequest)
	s.Post("/projects", `{"name": "One"}`, user, again("p")).Want(http.StatusCreated)
	s.Post("/projects", `{"name": "One"}`, user, again(strings.Repeat("x", 256))).Want(http.StatusBadRequest)
	s.Post("/projects", `{"name": "One"}`, user, again("über")).Want(http.StatusBadRequest)
}

// A scoped key gets no answer to what it may not do, and what was refused to it is not refused to another key.
func TestRepeat_scopedKeyGetsItsOwnAnswer(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		other := s.NewProject(s.Session)
		scoped := s.Post("/keys", map[string]any{"name": "Scoped", "projectId": other},
			apptest.Bearer(s.Session.Access)).
			Want(http.StatusCreated).Text("secret")
		body := map[string]any{"projectId": s.Project, "url": s.Site.At("/page/scope")}
		send := func(key, id string) *apptest.Response {
			return s.Post("/images/generate", body, apptest.Bearer(key), again(id))
		}
		send(s.Key, "first").Want(http.StatusOK)
		send(scoped, "first").WantProblem(http.StatusUnprocessableEntity, "IDEMPOTENCY_MISMATCH")
		send(scoped, "second").WantProblem(http.StatusForbidden, "FORBIDDEN")
		send(s.Key, "second").Want(http.StatusOK)
		body["projectId"] = other
		first, second := send(scoped, "third").Want(http.StatusOK), send(scoped, "third").Want(http.StatusOK)
		if second.Header.Get("Idempotency-Replayed") != "true" || second.Text("id") != first.Text("id") {
			t.Errorf("got %s, want the first answer %s", second.Body, first.Body)
		}
	})
}

func TestRepeat_secretOfAKeyIsShownOnce(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		user := apptest.Bearer(s.Session.Access)
		create := func() *apptest.Response { return s.Post("/keys", `{"name": "Build"}`, user, again("create")) }
		made := create().Want(http.StatusCreated)
		rotate := func() *apptest.Response {
			return s.Post("/keys/"+made.Text("id")+"/rotate", nil, user, again("rotate"))
		}
		rotated := rotate().Want(http.StatusCreated)
		wantReplay := func(what string, first, second *apptest.Response) {
			t.Helper()
			second.Want(http.StatusOK)
			if second.Text("id") != first.Text("id") || second.Text("prefix") != first.Text("prefix") ||
				strings.Contains(string(second.Body), `"secret"`) || !strings.Contains(second.Text("notice"), "shown once") ||
				second.Header.Get("Idempotency-Replayed") != "true" ||
				second.Header.Get("Location") != first.Header.Get("Location") {
				t.Errorf("%s: got %s with %v, want the key without its secret, and why", what, second.Body,
					second.Header)
			}
		}
		wantReplay("create", made, create())
		wantReplay("rotate", rotated, rotate())
		var kept []string
		if err := s.App.DB.Select(t.Context(), &kept, `SELECT body FROM idempotency_keys`); err != nil {
			t.Fatal(err)
		}
		all := strings.Join(kept, " ")
		if len(kept) != 2 || strings.Contains(all, made.Text("secret")) || strings.Contains(all, rotated.Text("secret")) {
			t.Errorf("kept %q, want two answers without the secrets", kept)
		}
		// As it was kept by versions that repeated the status, with null for the secret.
		if _, err := s.App.DB.Exec(t.Context(),
			`UPDATE idempotency_keys SET status = 201, body = REPLACE(body, '{"', '{"secret":null,"')`); err != nil {
			t.Fatal(err)
		}
		wantReplay("create, kept before", made, create())
		wantReplay("rotate, kept before", rotated, rotate())
	})
}

// A node is killed after it has made something and before it has kept the answer.
func TestRepeat_afterAKillWhatWasMadeIsFound(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		user := apptest.Bearer(s.Session.Access)
		killed := func() {
			t.Helper()
			if _, err := s.App.DB.Exec(t.Context(),
				`UPDATE idempotency_keys SET status = NULL, body = '', headers = '{}', leased_until = 0`); err != nil {
				t.Fatal(err)
			}
		}
		project := s.Post("/projects", `{"name": "One"}`, user, again("p")).Want(http.StatusCreated).Text("id")
		key := s.Post("/keys", `{"name": "One"}`, user, again("k")).Want(http.StatusCreated).Text("id")
		killed()
		if got := s.Post("/projects", `{"name": "One"}`, user,
			again("p")).Want(http.StatusCreated).Text("id"); got != project {
			t.Errorf("got the project %s, want %s", got, project)
		}
		found := s.Post("/keys", `{"name": "One"}`, user, again("k")).Want(http.StatusOK)
		if found.Text("id") != key || strings.Contains(string(found.Body), `"secret"`) ||
			!strings.Contains(found.Text("notice"), "otate") {
			t.Errorf("got %s, want key %s without its secret", found.Body, key)
		}
	})
}

func TestRepeat_accountIsMadeOnce(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		admin := apptest.Bearer(s.Session.Access)
		body := func(email string) map[string]any {
			return map[string]any{"email": email, "password": apptest.Password, "name": "Ada"}
		}
		made := s.Post("/admin/users", body("ada@example.com"), admin, again("a")).Want(http.StatusCreated).Text("id")
		repeat := s.Post("/admin/users", body("ada@example.com"), admin, again("a")).Want(http.StatusCreated)
		if repeat.Text("id") != made || repeat.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("got %s, want the first answer", repeat.Body)
		}
		s.Post("/admin/users", body("bob@example.com"), admin, again("a")).
			WantProblem(http.StatusUnprocessableEntity, "IDEMPOTENCY_MISMATCH")
		s.Post("/admin/users", body("ada@example.com"), admin, again("b")).WantProblem(http.StatusConflict, "CONFLICT")
		// A node is killed before it has kept the answer.
		if _, err := s.App.DB.Exec(t.Context(), `UPDATE idempotency_keys SET status = NULL, body = '', leased_until = 0
			WHERE idempotency_key = 'a'`); err != nil {
			t.Fatal(err)
		}
		found := s.Post("/admin/users", body("ada@example.com"), admin, again("a")).Want(http.StatusCreated)
		if got := found.Text("id"); got != made {
			t.Errorf("got the account %s, want %s", got, made)
		}
		other := body("ada@example.com")
		other["password"] = "another horse battery staple"
		s.Post("/admin/users", other, admin, again("a")).
			WantProblem(http.StatusUnprocessableEntity, "IDEMPOTENCY_MISMATCH")
	})
}

// With the password in it, the digest of a request must not be one that a thief of the database can try passwords on:
// it is of a key, which the secret gives. While secrets change, the one before counts too.
func TestRepeat_digestsAreOfTheSecret(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		secrets := []string{base62.Random(43), base62.Random(43)}
		s := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), func(c *app.Config) { c.Auth.Secret = secrets[0] })
		admin := apptest.Bearer(s.Session.Access)
		body := map[string]any{"email": "ada@example.com", "password": apptest.Password}
		made := s.Post("/admin/users", body, admin, again("a")).Want(http.StatusCreated).Text("id")
		digest := func() (d string) {
			t.Helper()
			if err := s.App.DB.Get(t.Context(), &d, `SELECT request_digest FROM idempotency_keys`); err != nil {
				t.Fatal(err)
			}
			return d
		}
		before := digest()
		rotated := s.StartNode(func(c *app.Config) { c.Auth.Secret, c.Auth.PreviousSecret = secrets[1], secrets[0] })
		repeat := rotated.Post("/admin/users", body, admin, again("a")).Want(http.StatusCreated)
		if repeat.Text("id") != made || repeat.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("after a change of the secret: got %s, want the first answer", repeat.Body)
		}
		if _, err := s.App.DB.Exec(t.Context(), `DELETE FROM idempotency_keys`); err != nil {
			t.Fatal(err)
		}
		rotated.Post("/admin/users", body, admin, again("a")).WantProblem(http.StatusConflict, "CONFLICT")
		if digest() == before {
			t.Error("another secret gives the same digest")
		}
	})
}

func TestRepeat_requestThatRunsIsAConflict(t *testing.T) {
	s := apptest.StartSignedIn(t)
	hold := make(chan struct{})
	s.Site.Hold.Store(&hold)
	var wg sync.WaitGroup
	wg.Go(func() { s.Generate("/page/slow", nil, again("g")).Want(http.StatusOK) })
	apptest.WaitFor(t, "the page", func() bool { return s.Site.Pages.Load() > 0 })
	got := s.Generate("/page/slow", nil, again("g")).WantProblem(http.StatusConflict, "CONFLICT")
	if got.Header.Get("Retry-After") == "" {
		t.Error("got no Retry-After")
	}
	close(hold)
	wg.Wait()
	repeat := s.Generate("/page/slow", nil, again("g")).Want(http.StatusOK)
	if repeat.Value("cached") != false {
		t.Errorf("got cached %v, want the first answer, which was new", repeat.Value("cached"))
	}
}

func TestRepeat_pageThatCouldNotBeReadIsTriedAgain(t *testing.T) {
	s := apptest.StartSignedIn(t)
	for range 2 {
		got := s.Generate("/gone", nil, again("g")).WantProblem(http.StatusBadGateway, "UPSTREAM_FAILED")
		if got.Header.Get("Idempotency-Replayed") != "" {
			t.Error("got a kept answer, want another try")
		}
	}
}

// A client that leaves before it has its answer finds it when it sends the request again.
func TestRepeat_clientThatLeftFindsItsAnswer(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Service) {
		s.Generate("/page/left", nil).Want(http.StatusOK)
		hold := make(chan struct{})
		s.Site.Hold.Store(&hold)
		before := s.Site.Pages.Load()
		ctx, leave := context.WithCancel(t.Context())
		body := fmt.Sprintf(`{"url": %q, "projectId": %q, "force": true}`, s.Site.At("/page/left"), s.Project)
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Base+"/images/generate", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		for _, set := range []apptest.RequestOption{apptest.Bearer(s.Key), again("left")} {
			set(r)
		}
		left := make(chan struct{})
		go func() {
			defer close(left)
			if answer, err := s.Client.Do(r); err == nil {
				t.Errorf("got %s of a page that is held back", answer.Status)
				_ = answer.Body.Close() // nothing is read of it
			}
		}()
		apptest.WaitFor(t, "the page", func() bool { return s.Site.Pages.Load() > before })
		leave()
		<-left
		forced := map[string]any{"force": true}
		// The server sees soon that the client has left; the request runs all the same.
		time.Sleep(200 * time.Millisecond)
		s.Generate("/page/left", forced, again("left")).WantProblem(http.StatusConflict, "CONFLICT")
		close(hold)
		var found *apptest.Response
		apptest.WaitFor(t, "the answer", func() bool {
			found = s.Generate("/page/left", forced, again("left"))
			return found.Status != http.StatusConflict
		})
		if found.Want(http.StatusOK).Header.Get("Idempotency-Replayed") != "true" {
			t.Error("got another answer than the first")
		}
		if got := s.Site.Pages.Load() - before; got != 1 {
			t.Errorf("the page was drawn anew %d times, want once", got)
		}
	})
}
