package apikeys_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"masthead/gen"
	"masthead/pkg/apikeys"
	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/projects"
	"masthead/pkg/users"
)

// fixture is a service with two accounts, each with a project.
type fixture struct {
	*apikeys.Service
	db                       *db.DB
	projects                 *projects.Service
	ada, bob                 identity.Caller
	adasProject, bobsProject string
}

func open(t *testing.T, d *db.DB) fixture {
	t.Helper()
	log := auditlog.New(d)
	f := fixture{db: d, projects: projects.New(d, auditlog.New(d), nil)}
	f.Service = apikeys.New(d, f.projects, log, nil)
	for _, who := range []struct {
		name    string
		caller  *identity.Caller
		project *string
	}{{"ada", &f.ada, &f.adasProject}, {"bob", &f.bob, &f.bobsProject}} {
		u, err := users.New(d, log, nil).Create(t.Context(), users.NewUser{Email: who.name + "@example.com"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := f.projects.Create(t.Context(), u.Caller(), projects.NewProject{Name: "Blog"})
		if err != nil {
			t.Fatal(err)
		}
		*who.caller, *who.project = u.Caller(), p.ID
	}
	return f
}

func (f fixture) create(t *testing.T, owner identity.Caller, projectID string) (apikeys.Key, string) {
	t.Helper()
	k, secret, err := f.Create(t.Context(), owner, apikeys.NewKey{Name: "Build server", ProjectID: projectID})
	if err != nil {
		t.Fatal(err)
	}
	return k, secret
}

// exec changes what no operation changes.
func (f fixture) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := f.db.Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

func (f fixture) one(t *testing.T, owner identity.Caller) apikeys.Key {
	t.Helper()
	page, _, err := f.List(t.Context(), owner, "", cursor.Page{})
	if err != nil || len(page) != 1 {
		t.Fatalf("got %d keys, %v, want one", len(page), err)
	}
	return page[0]
}

func TestAuthenticate_keyStandsForItsOwner(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.exec(t, `UPDATE users SET plan = 'pro', role = 'admin' WHERE id = ?`, f.ada.UserID)
		for name, project := range map[string]string{"all projects": "", "one project": f.adasProject} {
			key, secret := f.create(t, f.ada, project)
			got, err := f.Authenticate(t.Context(), secret)
			want := identity.Caller{UserID: f.ada.UserID, KeyID: key.ID, KeyProjectID: project, Plan: "pro",
				Via: identity.Key}
			if err != nil || got != want {
				t.Errorf("%s: got %+v, %v, want %+v", name, got, err, want)
			}
		}
	})
}

func TestCreate_onlyTheDigestIsStored(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		key, secret := f.create(t, f.ada, "")
		var row struct{ Prefix, Digest, Name string }
		if err := d.Get(t.Context(), &row, `SELECT prefix, digest, name FROM api_keys WHERE id = ?`,
			key.ID); err != nil {
			t.Fatal(err)
		}
		if row.Prefix != secret[:12] || key.Prefix != row.Prefix || len(row.Digest) != 64 ||
			strings.Contains(row.Digest, secret[12:]) {
			t.Errorf("got %+v for %s", row, secret)
		}
	})
}

func TestAuthenticate_badKeyIs401(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		refused := func(name, secret string) {
			t.Helper()
			if got, err := f.Authenticate(t.Context(), secret); apperr.CodeOf(err) != apperr.Unauthorized ||
				got != (identity.Caller{}) {
				t.Errorf("%s: got %+v, %v, want unauthorized", name, got, err)
			}
		}
		refused("one that nobody has", good)
		refused("one that is cut", good[:40])

		revoked, secret := f.create(t, f.ada, "")
		if err := f.Revoke(t.Context(), f.ada, revoked.ID); err != nil {
			t.Fatal(err)
		}
		refused("a revoked one", secret)

		_, secret = f.create(t, f.ada, f.adasProject)
		if err := f.projects.Delete(t.Context(), f.ada, f.adasProject); err != nil {
			t.Fatal(err)
		}
		refused("one of a deleted project", secret)

		_, secret = f.create(t, f.bob, "")
		f.exec(t, `UPDATE users SET disabled = ? WHERE id = ?`, true, f.bob.UserID)
		refused("one of a disabled owner", secret)
		f.exec(t, `DELETE FROM users WHERE id = ?`, f.bob.UserID)
		refused("one of a deleted owner", secret)
	})
}

func TestAuthenticate_mistypedKeyAsksNoDatabase(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Authenticate(ended, good[:45]+"_"); apperr.CodeOf(err) != apperr.Unauthorized {
		t.Errorf("got %v, want unauthorized without a look-up", err)
	}
	if _, err := f.Authenticate(ended, good); apperr.CodeOf(err) != apperr.Internal {
		t.Errorf("a well-formed one: got %v, want the fault of the look-up", err)
	}
}

func TestCreate_badInputIsRefused(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		for name, c := range map[string]struct {
			caller        identity.Caller
			name, project string
			want          apperr.Code
		}{
			"no name":                {f.ada, " ", "", apperr.BadRequest},
			"a long name":            {f.ada, strings.Repeat("é", 101), "", apperr.BadRequest},
			"a NUL":                  {f.ada, "a\x00", "", apperr.BadRequest},
			"somebody's project":     {f.ada, "k", f.bobsProject, apperr.NotFound},
			"no project":             {f.ada, "k", uuid.NewString(), apperr.NotFound},
			"an account that's gone": {identity.Caller{UserID: uuid.NewString()}, "k", "", apperr.NotFound},
		} {
			if _, secret, err := f.Create(t.Context(), c.caller,
				apikeys.NewKey{Name: c.name, ProjectID: c.project}); apperr.CodeOf(err) != c.want || secret != "" {
				t.Errorf("%s: got %q, %v, want %s", name, secret, err, c.want)
			}
		}
	})
}

func TestRotate_oldSecretEnds(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		before, old := f.create(t, f.ada, f.adasProject)
		after, secret, err := f.Rotate(t.Context(), f.ada, before.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := before
		want.Prefix = secret[:12]
		if after != want || secret == old {
			t.Errorf("got %+v, want %+v", after, want)
		}
		if _, err := f.Authenticate(t.Context(), old); apperr.CodeOf(err) != apperr.Unauthorized {
			t.Errorf("the old secret: got %v, want unauthorized", err)
		}
		if c, err := f.Authenticate(t.Context(), secret); err != nil || c.KeyID != before.ID ||
			c.KeyProjectID != f.adasProject {
			t.Errorf("the new secret: got %+v, %v", c, err)
		}
		for name, c := range map[string]struct {
			caller identity.Caller
			id     string
		}{"another's": {f.bob, before.ID}, "none": {f.ada, uuid.NewString()}} {
			if _, s, err := f.Rotate(t.Context(), c.caller, c.id); apperr.CodeOf(err) != apperr.NotFound || s != "" {
				t.Errorf("rotate %s: got %q, %v, want not found", name, s, err)
			}
			if err := f.Revoke(t.Context(), c.caller, c.id); apperr.CodeOf(err) != apperr.NotFound {
				t.Errorf("revoke %s: got %v, want not found", name, err)
			}
		}
	})
}

func TestRotate_againTakesFiveSeconds(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		key, _ := f.create(t, f.ada, "")
		start := time.Now()
		for _, c := range []struct {
			at   time.Duration
			want apperr.Code
		}{
			{at: 0}, {at: 0, want: apperr.Conflict}, {at: 4900 * time.Millisecond, want: apperr.Conflict},
			{at: 5 * time.Second}, {at: 9900 * time.Millisecond, want: apperr.Conflict},
			{at: time.Second, want: apperr.Conflict}, // another node's clock
			{at: -time.Hour},                         // a clock that was wrong is right again
		} {
			f.SetNow(func() time.Time { return start.Add(c.at) })
			_, secret, err := f.Rotate(t.Context(), f.ada, key.ID)
			if (err != nil) != (c.want != "") || err != nil && apperr.CodeOf(err) != c.want {
				t.Errorf("at %v: got %v, want %q", c.at, err, c.want)
			}
			if _, works := f.Authenticate(t.Context(), secret); (works == nil) != (c.want == "") {
				t.Errorf("at %v: got the secret %q, which gives %v", c.at, secret, works)
			}
		}
	})
}

func TestAuditLog_tellsOfKeys(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		key, first := f.create(t, f.ada, "")
		_, second, err := f.Rotate(t.Context(), f.ada, key.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Revoke(t.Context(), f.ada, key.ID); err != nil {
			t.Fatal(err)
		}
		var got []string
		err = d.Select(t.Context(), &got,
			`SELECT action || ' ' || subject FROM audit_events WHERE actor_id = ? AND action LIKE 'key%' ORDER BY id`,
			f.ada.UserID)
		want := []string{"key_create " + first[:12], "key_revoke " + first[:12], "key_create " + second[:12],
			"key_revoke " + second[:12]}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	})
}

func TestRun_lastUseIsNotedOnceAMinute(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		_, secret := f.create(t, f.ada, "")
		start := time.Date(2026, 3, 12, 10, 0, 0, 0, time.UTC)
		for _, c := range []struct{ at, want time.Duration }{
			{0, 0}, {59 * time.Second, 0}, {time.Minute, time.Minute}, {90 * time.Second, time.Minute},
			{time.Hour, time.Hour},
		} {
			f.SetNow(func() time.Time { return start.Add(c.at) })
			for range 3 {
				if _, err := f.Authenticate(t.Context(), secret); err != nil {
					t.Fatal(err)
				}
			}
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			f.Run(ended) // notes what waits, and returns
			if got := f.one(t, f.ada).LastUsedAt; !got.Equal(start.Add(c.want)) {
				t.Errorf("after %v: got %v, want %v", c.at, got.Sub(start), c.want)
			}
		}
	})
}

func TestAuthenticate_fullQueueOfUsesBlocksNobody(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	_, secret := f.create(t, f.ada, "")
	for range apikeys.UsedQueue + 10 { // and nobody runs Run
		if _, err := f.Authenticate(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRun_endsWithItsContext(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	synctest.Test(t, func(t *testing.T) {
		s := apikeys.New(f.db, f.projects, auditlog.New(f.db), nil) // its channel belongs to the bubble
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { s.Run(ctx); close(done) }()
		synctest.Wait()
		select {
		case <-done:
			t.Fatal("it ended by itself")
		default:
		}
		cancel()
		<-done
	})
}

func TestList_pagesHoldTheCallersKeysNewestFirst(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		f.create(t, f.bob, "")
		var newestFirst, got []apikeys.Key
		for i := range 5 {
			project := ""
			if i%2 == 0 {
				project = f.adasProject
			}
			k, _ := f.create(t, f.ada, project)
			newestFirst = append([]apikeys.Key{k}, newestFirst...)
		}
		for page := (cursor.Page{Limit: 2}); ; {
			found, next, err := f.List(t.Context(), f.ada, "", page)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, found...)
			if next == "" {
				break
			}
			page.After = next
		}
		if !reflect.DeepEqual(got, newestFirst) {
			t.Errorf("got %v, want %v", got, newestFirst)
		}
	})
}

func TestAPI_operationsAnswer(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	api := apikeys.NewAPI(f.Service)
	ctx := identity.WithCaller(t.Context(), f.ada)
	projectID := uuid.MustParse(f.adasProject)

	made, err := api.CreateKey(ctx, gen.CreateKeyRequestObject{Body: &gen.KeyCreate{Name: "CI", ProjectId: &projectID}})
	created, ok := made.(gen.CreateKey201JSONResponse)
	k := created.Body
	if err != nil || !ok || k.ProjectId == nil || *k.ProjectId != projectID || k.LastUsedAt != nil ||
		!strings.HasPrefix(k.Secret, k.Prefix) {
		t.Fatalf("create: got %+v, %v", made, err)
	}
	if _, err := f.Authenticate(ctx, k.Secret); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	f.Run(ended)
	list, err := api.ListKeys(ctx, gen.ListKeysRequestObject{})
	l, ok := list.(gen.ListKeys200JSONResponse)
	if err != nil || !ok || len(l.Items) != 1 || l.Items[0].Id != k.Id || l.Items[0].LastUsedAt == nil ||
		l.NextCursor != nil {
		t.Fatalf("list: got %+v, %v", list, err)
	}
	rotated, err := api.RotateKey(ctx, gen.RotateKeyRequestObject{KeyId: k.Id})
	if r, ok := rotated.(gen.RotateKey201JSONResponse); err != nil || !ok || r.Body.Secret == k.Secret ||
		r.Body.Id != k.Id || r.Body.Name != "CI" {
		t.Errorf("rotate: got %+v, %v", rotated, err)
	}
	if _, err := api.CreateKey(ctx, gen.CreateKeyRequestObject{Body: &gen.KeyCreate{Name: "All"}}); err != nil {
		t.Error(err)
	}
	list, err = api.ListKeys(ctx, gen.ListKeysRequestObject{Params: gen.ListKeysParams{Limit: new(1)}})
	if l, ok := list.(gen.ListKeys200JSONResponse); err != nil || !ok || len(l.Items) != 1 ||
		l.Items[0].ProjectId != nil || l.NextCursor == nil {
		t.Errorf("the first page: got %+v, %v", list, err)
	}
	if got, err := api.DeleteKey(ctx, gen.DeleteKeyRequestObject{KeyId: k.Id}); err != nil ||
		got != (gen.DeleteKey204Response{}) {
		t.Errorf("delete: got %+v, %v", got, err)
	}
	if _, err := api.DeleteKey(ctx, gen.DeleteKeyRequestObject{KeyId: k.Id}); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("again: got %v, want not found", err)
	}
}
