package apikeys_test

import (
	"context"
	"net/netip"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"masthead/gen"
	"masthead/pkg/apikeys"
	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/projects"
	"masthead/pkg/users"
)

// house is a service with two accounts, each with a project.
type house struct {
	*apikeys.Service
	db                       *db.DB
	projects                 *projects.Service
	ada, bob                 string
	adasProject, bobsProject string
}

func open(t *testing.T, d *db.DB) house {
	t.Helper()
	tr := auditlog.New(d)
	h := house{db: d, projects: projects.New(d)}
	h.Service = apikeys.New(d, h.projects, tr)
	for _, who := range []struct {
		name        string
		id, project *string
	}{{"ada", &h.ada, &h.adasProject}, {"bob", &h.bob, &h.bobsProject}} {
		u, err := users.New(d, tr).Create(t.Context(), users.NewUser{Email: who.name + "@example.com"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := h.projects.Create(t.Context(), u.ID, projects.NewProject{Name: "Blog"})
		if err != nil {
			t.Fatal(err)
		}
		*who.id, *who.project = u.ID, p.ID
	}
	return h
}

func (h house) create(t *testing.T, ownerID, projectID string) (apikeys.Key, string) {
	t.Helper()
	k, secret, err := h.Create(t.Context(), ownerID, "Build server", projectID)
	if err != nil {
		t.Fatal(err)
	}
	return k, secret
}

// exec changes what no operation changes.
func (h house) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := h.db.Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

func (h house) one(t *testing.T, ownerID string) apikeys.Key {
	t.Helper()
	page, _, err := h.List(t.Context(), ownerID, "", 100)
	if err != nil || len(page) != 1 {
		t.Fatalf("got %d keys, %v, want one", len(page), err)
	}
	return page[0]
}

func TestAKeyStandsForItsOwner(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		address := netip.MustParseAddr("192.0.2.7")
		ctx := identity.WithCaller(t.Context(), identity.Caller{Address: address})
		h.exec(t, `UPDATE users SET plan = 'pro', role = 'admin' WHERE id = ?`, h.ada)
		for name, project := range map[string]string{"all projects": "", "one project": h.adasProject} {
			key, secret := h.create(t, h.ada, project)
			got, err := h.Authenticate(ctx, secret)
			want := identity.Caller{UserID: h.ada, KeyID: key.ID, KeyProjectID: project, Plan: "pro", Via: identity.Key, Address: address}
			if err != nil || got != want {
				t.Errorf("%s: got %+v, %v, want %+v", name, got, err, want)
			}
		}
	})
}

func TestOnlyTheDigestIsStored(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		key, secret := h.create(t, h.ada, "")
		var row struct{ Prefix, Digest, Name string }
		if err := d.Get(t.Context(), &row, `SELECT prefix, digest, name FROM api_keys WHERE id = ?`, key.ID); err != nil {
			t.Fatal(err)
		}
		if row.Prefix != secret[:12] || key.Prefix != row.Prefix || len(row.Digest) != 64 || strings.Contains(row.Digest, secret[12:]) {
			t.Errorf("got %+v for %s", row, secret)
		}
	})
}

func TestAKeyThatIsNotGoodIsUnauthorized(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		refused := func(name, secret string) {
			t.Helper()
			if got, err := h.Authenticate(t.Context(), secret); apperr.CodeOf(err) != apperr.Unauthorized || got != (identity.Caller{}) {
				t.Errorf("%s: got %+v, %v, want unauthorized", name, got, err)
			}
		}
		refused("one that nobody has", good)
		refused("one that is cut", good[:40])

		revoked, secret := h.create(t, h.ada, "")
		if err := h.Revoke(t.Context(), h.ada, revoked.ID); err != nil {
			t.Fatal(err)
		}
		refused("a revoked one", secret)

		_, secret = h.create(t, h.ada, h.adasProject)
		if err := h.projects.Delete(t.Context(), h.ada, h.adasProject); err != nil {
			t.Fatal(err)
		}
		refused("one of a deleted project", secret)

		_, secret = h.create(t, h.bob, "")
		h.exec(t, `UPDATE users SET disabled = ? WHERE id = ?`, true, h.bob)
		refused("one of a disabled owner", secret)
		h.exec(t, `DELETE FROM users WHERE id = ?`, h.bob)
		refused("one of a deleted owner", secret)
	})
}

func TestAMistypedKeyAsksNoDatabase(t *testing.T) {
	h := open(t, dbtest.SQLite(t))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Authenticate(ended, good[:45]+"_"); apperr.CodeOf(err) != apperr.Unauthorized {
		t.Errorf("got %v, want unauthorized without a look-up", err)
	}
	if _, err := h.Authenticate(ended, good); apperr.CodeOf(err) != apperr.Internal {
		t.Errorf("a well-formed one: got %v, want the fault of the look-up", err)
	}
}

func TestCreateRefuses(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		for name, c := range map[string]struct {
			owner, name, project string
			want                 apperr.Code
		}{
			"no name":                {h.ada, " ", "", apperr.BadRequest},
			"a long name":            {h.ada, strings.Repeat("é", 101), "", apperr.BadRequest},
			"a NUL":                  {h.ada, "a\x00", "", apperr.BadRequest},
			"somebody's project":     {h.ada, "k", h.bobsProject, apperr.NotFound},
			"no project":             {h.ada, "k", uuid.NewString(), apperr.NotFound},
			"an account that's gone": {uuid.NewString(), "k", "", apperr.NotFound},
		} {
			if _, secret, err := h.Create(t.Context(), c.owner, c.name, c.project); apperr.CodeOf(err) != c.want || secret != "" {
				t.Errorf("%s: got %q, %v, want %s", name, secret, err, c.want)
			}
		}
	})
}

func TestRotation(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		before, old := h.create(t, h.ada, h.adasProject)
		after, secret, err := h.Rotate(t.Context(), h.ada, before.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := before
		want.Prefix = secret[:12]
		if after != want || secret == old {
			t.Errorf("got %+v, want %+v", after, want)
		}
		if _, err := h.Authenticate(t.Context(), old); apperr.CodeOf(err) != apperr.Unauthorized {
			t.Errorf("the old secret: got %v, want unauthorized", err)
		}
		if c, err := h.Authenticate(t.Context(), secret); err != nil || c.KeyID != before.ID || c.KeyProjectID != h.adasProject {
			t.Errorf("the new secret: got %+v, %v", c, err)
		}
		for name, c := range map[string]struct{ owner, id string }{"another's": {h.bob, before.ID}, "none": {h.ada, uuid.NewString()}} {
			if _, s, err := h.Rotate(t.Context(), c.owner, c.id); apperr.CodeOf(err) != apperr.NotFound || s != "" {
				t.Errorf("rotate %s: got %q, %v, want not found", name, s, err)
			}
			if err := h.Revoke(t.Context(), c.owner, c.id); apperr.CodeOf(err) != apperr.NotFound {
				t.Errorf("revoke %s: got %v, want not found", name, err)
			}
		}
	})
}

func TestRotationsAtOnceLeaveOneSecret(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		key, _ := h.create(t, h.ada, "")
		secrets := make([]string, 8)
		var wg sync.WaitGroup
		for i := range secrets {
			wg.Go(func() {
				_, secret, err := h.Rotate(t.Context(), h.ada, key.ID)
				if err != nil {
					t.Error(err)
				}
				secrets[i] = secret
			})
		}
		wg.Wait()
		good := 0
		for _, secret := range secrets {
			if _, err := h.Authenticate(t.Context(), secret); err == nil {
				good++
			}
		}
		if good != 1 {
			t.Errorf("%d secrets work, want 1", good)
		}
	})
}

func TestTheTrailTellsOfKeys(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		key, first := h.create(t, h.ada, "")
		_, second, err := h.Rotate(t.Context(), h.ada, key.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Revoke(t.Context(), h.ada, key.ID); err != nil {
			t.Fatal(err)
		}
		var got []string
		err = d.Select(t.Context(), &got,
			`SELECT action || ' ' || subject FROM trail_events WHERE actor_id = ? AND action LIKE 'key%' ORDER BY id`, h.ada)
		want := []string{"key_create " + first[:12], "key_revoke " + first[:12], "key_create " + second[:12], "key_revoke " + second[:12]}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, %v, want %v", got, err, want)
		}
	})
}

func TestTheLastUseIsNotedOnceAMinute(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		_, secret := h.create(t, h.ada, "")
		start := time.Date(2026, 3, 12, 10, 0, 0, 0, time.UTC)
		for _, c := range []struct{ at, want time.Duration }{
			{0, 0}, {59 * time.Second, 0}, {time.Minute, time.Minute}, {90 * time.Second, time.Minute}, {time.Hour, time.Hour},
		} {
			h.SetNow(func() time.Time { return start.Add(c.at) })
			for range 3 {
				if _, err := h.Authenticate(t.Context(), secret); err != nil {
					t.Fatal(err)
				}
			}
			ended, cancel := context.WithCancel(t.Context())
			cancel()
			h.Run(ended) // notes what waits, and returns
			if got := h.one(t, h.ada).LastUsedAt; !got.Equal(start.Add(c.want)) {
				t.Errorf("after %v: got %v, want %v", c.at, got.Sub(start), c.want)
			}
		}
	})
}

func TestNotingUsesBlocksNobody(t *testing.T) {
	h := open(t, dbtest.SQLite(t))
	_, secret := h.create(t, h.ada, "")
	for range apikeys.UsedQueue + 10 { // and nobody runs Run
		if _, err := h.Authenticate(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	h := open(t, dbtest.SQLite(t))
	synctest.Test(t, func(t *testing.T) {
		s := apikeys.New(h.db, h.projects, auditlog.New(h.db)) // its channel belongs to the bubble
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

func TestListsArePages(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		h := open(t, d)
		h.create(t, h.bob, "")
		var newestFirst []apikeys.Key
		for i := range 23 {
			project := ""
			if i%2 == 0 {
				project = h.adasProject
			}
			k, _ := h.create(t, h.ada, project)
			newestFirst = append([]apikeys.Key{k}, newestFirst...)
		}
		for _, limit := range []int{0, 1, 22, 23, 24} {
			var got []apikeys.Key
			cursor := ""
			for {
				page, next, err := h.List(t.Context(), h.ada, cursor, limit)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, page...)
				if next == "" {
					break
				}
				cursor = next
			}
			if !reflect.DeepEqual(got, newestFirst) {
				t.Errorf("limit %d: got %v, want %v", limit, got, newestFirst)
			}
		}
		if _, _, err := h.List(t.Context(), h.ada, "x", 0); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("a bad cursor: got %v, want it refused", err)
		}
		for _, limit := range []int{-1, 101} {
			if _, _, err := h.List(t.Context(), h.ada, "", limit); apperr.CodeOf(err) != apperr.BadRequest {
				t.Errorf("limit %d: got %v, want it refused", limit, err)
			}
		}
	})
}

func TestOperations(t *testing.T) {
	h := open(t, dbtest.SQLite(t))
	api := apikeys.NewAPI(h.Service)
	ctx := identity.WithCaller(t.Context(), identity.Caller{UserID: h.ada})
	projectID := uuid.MustParse(h.adasProject)

	made, err := api.CreateKey(ctx, gen.CreateKeyRequestObject{Body: &gen.KeyCreate{Name: "CI", ProjectId: &projectID}})
	k, ok := made.(gen.CreateKey201JSONResponse)
	if err != nil || !ok || k.ProjectId == nil || *k.ProjectId != projectID || k.LastUsedAt != nil || !strings.HasPrefix(k.Secret, k.Prefix) {
		t.Fatalf("create: got %+v, %v", made, err)
	}
	if _, err := h.Authenticate(ctx, k.Secret); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	h.Run(ended)
	list, err := api.ListKeys(ctx, gen.ListKeysRequestObject{})
	l, ok := list.(gen.ListKeys200JSONResponse)
	if err != nil || !ok || len(l.Items) != 1 || l.Items[0].Id != k.Id || l.Items[0].LastUsedAt == nil || l.NextCursor != nil {
		t.Fatalf("list: got %+v, %v", list, err)
	}
	rotated, err := api.RotateKey(ctx, gen.RotateKeyRequestObject{KeyId: k.Id})
	if r, ok := rotated.(gen.RotateKey201JSONResponse); err != nil || !ok || r.Secret == k.Secret || r.Id != k.Id || r.Name != "CI" {
		t.Errorf("rotate: got %+v, %v", rotated, err)
	}
	if _, err := api.CreateKey(ctx, gen.CreateKeyRequestObject{Body: &gen.KeyCreate{Name: "All"}}); err != nil {
		t.Error(err)
	}
	list, err = api.ListKeys(ctx, gen.ListKeysRequestObject{Params: gen.ListKeysParams{Limit: new(1)}})
	if l, ok := list.(gen.ListKeys200JSONResponse); err != nil || !ok || len(l.Items) != 1 || l.Items[0].ProjectId != nil || l.NextCursor == nil {
		t.Errorf("the first page: got %+v, %v", list, err)
	}
	if got, err := api.DeleteKey(ctx, gen.DeleteKeyRequestObject{KeyId: k.Id}); err != nil || got != (gen.DeleteKey204Response{}) {
		t.Errorf("delete: got %+v, %v", got, err)
	}
	if _, err := api.DeleteKey(ctx, gen.DeleteKeyRequestObject{KeyId: k.Id}); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("again: got %v, want not found", err)
	}
}
