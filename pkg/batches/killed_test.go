package batches_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/base62"
	"masthead/pkg/batches"
	"masthead/pkg/billing"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/images"
	"masthead/pkg/jobs"
	"masthead/pkg/projects"
	"masthead/pkg/users"
)

// easel stands in for drawing: it makes one image for each entry, however often it is asked.
type easel struct {
	mu    sync.Mutex
	asked map[string]int // by what an entry makes
	fault func(url string, asked int) error
}

func (e *easel) Generate(_ context.Context, caller identity.Caller, r images.Request) (images.Record, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.asked == nil {
		e.asked = map[string]int{}
	}
	e.asked[caller.ResourceID]++
	if !r.Patient || caller.KeyID != "the key" {
		return images.Record{}, errors.New("the caller is another")
	}
	if e.fault != nil {
		if err := e.fault(r.URL, e.asked[caller.ResourceID]); err != nil {
			return images.Record{}, err
		}
	}
	return images.Record{ID: caller.ResourceID, PublicURL: "https://masthead.example/og/" + caller.ResourceID}, nil
}

// node is a process that draws batches.
type node struct {
	db       *db.DB
	worker   *jobs.Worker
	users    *users.Service
	projects *projects.Service
	batches  *batches.Service
}

func newNode(d *db.DB, by *easel) *node {
	n := &node{db: d, worker: jobs.NewWorker(d, time.Millisecond, nil), projects: projects.New(d, auditlog.New(d), nil)}
	n.users = users.New(d, auditlog.New(d), nil)
	n.batches = batches.NewService(batches.Deps{
		DB: d, Users: n.users, Projects: n.projects, Images: by, Jobs: n.worker, AtOnce: 2,
		Plans: billing.New(billing.Config{}, n.users, nil),
	})
	return n
}

// accept has a node accept a batch of a new account.
func (n *node) accept(t *testing.T, count int) (identity.Caller, batches.Batch) {
	t.Helper()
	user, err := n.users.Create(t.Context(), users.NewUser{Email: base62.Random(12) + "@example.com", PasswordHash: "-"})
	if err != nil {
		t.Fatal(err)
	}
	caller := identity.Caller{UserID: user.ID, KeyID: "the key", Via: identity.Key}
	p, err := n.projects.Create(t.Context(), caller, projects.NewProject{Name: "A"})
	if err != nil {
		t.Fatal(err)
	}
	entries := make([]batches.New, count)
	for i := range entries {
		url := fmt.Sprintf("https://nowhere.example/%d", i)
		text, err := json.Marshal(map[string]any{"url": url, "projectId": p.ID})
		if err != nil {
			t.Fatal(err)
		}
		entries[i] = batches.New{ProjectID: p.ID, URL: url, Request: text}
	}
	made, err := n.batches.Create(t.Context(), caller, entries)
	if err != nil {
		t.Fatal(err)
	}
	return caller, made
}

// runUntil runs jobs until done. What waits for a later time is due at once.
func (n *node) runUntil(t *testing.T, done func() bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { n.worker.Run(ctx) })
	for end := time.Now().Add(2 * time.Minute); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Error("nothing ends")
			break
		}
	}
	stop()
	running.Wait()
}

// hurry makes due what waits for a later time, and reports whether no job is left.
func hurry(t *testing.T, d *db.DB) bool {
	t.Helper()
	_, err := d.Exec(t.Context(), `UPDATE jobs SET due_at = 0 WHERE holder = '' AND given_up_at IS NULL AND due_at > 0`)
	if err != nil {
		t.Fatal(err)
	}
	var left int
	if err := d.Get(t.Context(), &left, `SELECT COUNT(*) FROM jobs WHERE given_up_at IS NULL`); err != nil {
		t.Fatal(err)
	}
	return left == 0
}

// results returns a batch, and all its entries.
func (n *node) results(t *testing.T, caller identity.Caller, id string) (batches.Batch, []batches.Entry) {
	t.Helper()
	b, list, _, err := n.batches.Get(t.Context(), caller, id, cursor.Page{Limit: cursor.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	return b, list
}

// killer kills a node before a statement.
type killer struct {
	mu   sync.Mutex
	left int // statements, the one that isn't run any more included
}

var errKilled = errors.New("killed")

func (k *killer) before(statement string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if strings.HasPrefix(statement, "SELECT CAST(? AS TEXT) AS kind") { // looking for jobs is by time
		return nil
	}
	if k.left > 0 {
		k.left--
	}
	if k.left == 0 {
		return errKilled
	}
	return nil
}

func (k *killer) dead() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.left == 0
}

// TestBatch_killedNode_losesNothing kills a node before each of its statements while it draws a batch; two others go on
// at the same time.
func TestBatch_killedNode_losesNothing(t *testing.T) {
	const count = 3
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		killed := 0
		for n := 1; n <= killed+2; n += 2 {
			by := &easel{}
			others := []*node{newNode(d, by), newNode(d, by)}
			caller, made := others[0].accept(t, count)
			k := &killer{left: n}
			newNode(d.Interrupted(k.before), by).runUntil(t, func() bool { return k.dead() || hurry(t, d) })
			if k.dead() {
				killed = n
			}
			// The leases of the killed node expire.
			if _, err := d.Exec(t.Context(), `UPDATE jobs SET due_at = 0, holder = '' WHERE holder <> ''`); err != nil {
				t.Fatal(err)
			}
			var both sync.WaitGroup
			for _, next := range others {
				both.Go(func() { next.runUntil(t, func() bool { return hurry(t, d) }) })
			}
			both.Wait()
			b, list := others[1].results(t, caller, made.ID)
			if b.Waiting != 0 || b.Failed != 0 || b.EndedAt.IsZero() || len(list) != count || len(by.asked) != count {
				t.Fatalf("killed before statement %d: got %+v, %d results of %d images", n, b, len(list), len(by.asked))
			}
			for _, e := range list {
				if e.State != batches.Done || by.asked[e.ImageID] == 0 {
					t.Errorf("killed before statement %d: got %+v, want an image", n, e)
				}
			}
		}
		if killed < 10 {
			t.Errorf("killed before %d statements, want it killed while it writes results too", killed)
		}
	})
}

// TestBatch_faults are told apart: what another try may change is tried again, and how often.
func TestBatch_faults(t *testing.T) {
	faults := map[string]struct {
		err   func(asked int) error
		asked int
		state batches.State
		code  apperr.Code
	}{
		"/0": {func(int) error { return apperr.New(apperr.BadRequest, "No.") }, 1, batches.Failed, apperr.BadRequest},
		"/1": {func(int) error { return apperr.New(apperr.UpstreamFailed, "Down.") }, 3, batches.Failed, apperr.UpstreamFailed},
		"/2": {func(asked int) error {
			if asked < 3 {
				return apperr.New(apperr.UpstreamFailed, "Down.")
			}
			return nil
		}, 3, batches.Done, ""},
		"/3": {func(asked int) error {
			if asked < 9 {
				return apperr.New(apperr.Unavailable, "Busy.")
			}
			return nil
		}, 9, batches.Done, ""},
		"/4": {func(int) error { return errors.New("a secret of ours") }, 3, batches.Failed, apperr.Internal},
		"/5": {func(int) error { panic("at the disco") }, 3, batches.Failed, apperr.Internal},
	}
	d := dbtest.SQLite(t)
	by := &easel{fault: func(url string, asked int) error { return faults[url[len("https://nowhere.example"):]].err(asked) }}
	n := newNode(d, by)
	caller, made := n.accept(t, len(faults))
	n.runUntil(t, func() bool { return hurry(t, d) })
	b, list := n.results(t, caller, made.ID)
	if b.Waiting != 0 || b.Failed != 4 {
		t.Errorf("got %+v, want 4 failures", b)
	}
	for _, e := range list {
		want := faults[e.URL[len("https://nowhere.example"):]]
		code := apperr.Code("")
		if e.Problem != nil {
			code = e.Problem.Code
		}
		if e.State != want.state || code != want.code {
			t.Errorf("%s: got %+v, want %s %s", e.URL, e, want.state, want.code)
		}
	}
	total := 0
	for _, asked := range by.asked {
		total += asked
	}
	if want := 1 + 3 + 3 + 9 + 3 + 3; total != want {
		t.Errorf("asked %d times, want %d", total, want)
	}
}

// TestBatch_onlyTheLatestAreKept holds that an account can't fill the database with results.
func TestBatch_onlyTheLatestAreKept(t *testing.T) {
	d := dbtest.SQLite(t)
	n := newNode(d, &easel{})
	caller, first := n.accept(t, 1)
	n.runUntil(t, func() bool { return hurry(t, d) })
	_, err := d.Exec(t.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
		INSERT INTO batches (id, owner_id, key_id, key_project_id, total, waiting, created_at, ended_at)
		SELECT 'x' || i, owner_id, key_id, '', 0, 0, created_at, ended_at FROM batches, n`)
	if err != nil {
		t.Fatal(err)
	}
	var project string
	if err := d.Get(t.Context(), &project, `SELECT id FROM projects`); err != nil {
		t.Fatal(err)
	}
	next := []batches.New{{ProjectID: project, Request: []byte(`{}`)}}
	if _, err := n.batches.Create(t.Context(), caller, next); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := n.batches.Get(t.Context(), caller, first.ID, cursor.Page{}); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("the oldest of 1,001 batches: got %v, want it deleted", err)
	}
	var left int
	if err := d.Get(t.Context(), &left, `SELECT COUNT(*) FROM batches`); err != nil || left != 1001 {
		t.Errorf("got %d batches, %v, want 1,000 that are done, and the new one", left, err)
	}
}
